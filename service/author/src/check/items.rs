//! The items of `azulejo check`: normal play first, then faults.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use azulejo_arena::pool::Pool;
use clap::ValueEnum;
use futures_util::{StreamExt as _, TryStreamExt as _};
use serde::Serialize;

use super::link::LinkQuality;
use super::trial::{TrialSetup, require_finished, start_match};
use super::{faults, process};
use crate::{JournalEvent, Team, wait_for_end};

/// One item of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Item {
    /// It connects and plays a complete game of each ruleset that it offers.
    Plays,
    /// Its clock does not run out.
    Clock,
    /// A link with 40 ms delay in each direction and 128 KiB/s.
    SlowLink,
    /// The connection is cut in the middle of a turn, before and after its answer arrives.
    CutStream,
    /// Every event is sent twice.
    Duplicates,
    /// The server is restarted in the middle of a turn.
    Restart,
    /// It is sent turns that are over.
    StaleTurn,
    /// An answer is refused as an illegal move.
    RefusedAnswer,
    /// The bot is killed in the middle of a turn and started again.
    Crash,
    /// It receives SIGTERM in the middle of a match.
    Stop,
    /// CPU and memory usage while it waits for a match.
    Idle,
}

/// The outcome of an item that did not fail, with what happened.
pub(super) enum ItemOutcome {
    Passed(String),
    NotApplicable(String),
}

impl Item {
    /// How to fix a bot that fails the item.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Self::Plays => "show its output with -v; answer every turn with one of its legal moves",
            Self::Clock => "answer faster, within the time left that every turn states",
            Self::SlowLink => {
                "do not expect immediate responses; use long timeouts and small calls"
            }
            Self::CutStream => {
                "reconnect, read the snapshot, and answer the turn in it; resend an answer that got \
                 no reply"
            }
            Self::Duplicates => {
                "ignore events that you have already received; sending the same answer twice is allowed"
            }
            Self::Restart => "retry until the server is back, then continue from the snapshot",
            Self::StaleTurn => "on STALE_TURN, drop that turn and continue; it costs nothing",
            Self::RefusedAnswer => "do not exit when an answer is refused: send another answer",
            Self::Crash => {
                "do not depend on state in memory: the snapshot has every turn that is due"
            }
            Self::Stop => {
                "exit on SIGTERM; running matches wait 30 seconds for the bot to reconnect"
            }
            Self::Idle => "wait for events instead of polling in a loop",
        }
    }

    pub(super) async fn run(self, setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
        match self {
            Self::Plays => plays(setup).await,
            Self::Clock => clock(setup).await,
            Self::SlowLink => slow_link(setup).await,
            Self::CutStream => faults::cut_stream(setup).await,
            Self::Duplicates => faults::duplicates(setup).await,
            Self::Restart => faults::restart(setup).await,
            Self::StaleTurn => faults::stale_turn(setup).await,
            Self::RefusedAnswer => faults::refused_answer(setup).await,
            Self::Crash => process::crash(setup).await,
            Self::Stop => process::stop(setup).await,
            Self::Idle => process::idle(setup).await,
        }
    }
}

async fn plays(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    let mut trial = setup.in_memory().await?;
    let rulesets = trial.rulesets()?;
    let (concurrent_matches, games) = (trial.team.concurrent_matches(), rulesets.len());
    let mut bots = std::mem::take(&mut trial.team.bots);
    let ids: Vec<_> = bots.iter().map(|bot| bot.id.clone()).collect();
    let (trial_ref, ids) = (&trial, &ids);
    let play = |(number, ruleset): (usize, azulejo_engine::Ruleset)| async move {
        let arena = &trial_ref.team.arena.arena;
        let time_class = trial_ref.bot_args.time_class();
        let id = start_match(arena, ids, Pool { ruleset, time_class }, number).await?;
        require_finished(&wait_for_end(arena, &id).await?)
    };
    let all = futures_util::stream::iter(rulesets.into_iter().enumerate())
        .map(play)
        .buffered(concurrent_matches)
        .try_collect::<()>();
    let played = Team::fail_if_a_bot_exits(&mut bots, all).await;
    trial.team.bots = bots;
    if let Err(error) = played {
        let output = trial.team.bots[0].process.last_output().await;
        let refused = last_refusal(&trial.team.arena.journal.since(0));
        bail!("{error}{refused}. {output}");
    }
    trial.close().await;
    Ok(ItemOutcome::Passed(format!("{games} complete games, one per ruleset that it offers")))
}

/// The last refusal of an answer, as text; empty if there was none.
fn last_refusal(entries: &[crate::Entry]) -> String {
    let refused = entries.iter().rev().find_map(|entry| {
        let JournalEvent::AnswerRefused { turn, reason, message } = &entry.event else {
            return None;
        };
        Some(format!("; its answer to turn {turn} was refused: {message} ({reason})"))
    });
    refused.unwrap_or_default()
}

async fn clock(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    let mut trial = setup.in_memory().await?;
    let id = trial.start_match().await?;
    let played = trial.finish_match(&id).await;
    let answers: Vec<(Duration, Duration)> = trial
        .team
        .arena
        .journal
        .since(0)
        .iter()
        .filter_map(|entry| {
            let JournalEvent::AnswerAccepted { measured, left } = entry.event else { return None };
            Some((measured, left))
        })
        .collect();
    played.with_context(|| format!("after {} answers", answers.len()))?;
    trial.close().await;
    let slowest = answers.iter().map(|(measured, _)| *measured).max().unwrap_or_default();
    let least = answers.iter().map(|(_, left)| *left).min().unwrap_or_default();
    Ok(ItemOutcome::Passed(format!(
        "the slowest of {} answers took {} ms; at least {:.1} s were left on the clock",
        answers.len(),
        slowest.as_millis(),
        least.as_secs_f64()
    )))
}

async fn slow_link(setup: &TrialSetup<'_>) -> Result<ItemOutcome> {
    let quality = LinkQuality { delay: Duration::from_millis(40), bytes_per_second: 128 << 10 };
    let mut trial = setup.start(&crate::LocalArenaConfig::in_memory(), quality).await?;
    let id = trial.start_match().await?;
    trial.finish_match(&id).await?;
    trial.close().await;
    Ok(ItemOutcome::Passed(
        "a complete game with 40 ms delay in each direction and 128 KiB/s".to_owned(),
    ))
}
