//! What is tried: in peace first, then with everything that a network and a server can do to a bot.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use azulejo_arena::pool::Pool;
use clap::ValueEnum;
use futures_util::{StreamExt as _, TryStreamExt as _};
use serde::Serialize;

use super::bench::{Bench, finished};
use super::link::Quality;
use super::{faults, process};
use crate::author::{Noted, Team, ended};

/// One thing to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Item {
    /// It connects, and plays a whole game of each ruleset that it offers.
    Plays,
    /// It answers within its clock.
    Clock,
    /// 40 ms each way, and 128 KiB a second.
    SlowLink,
    /// The connection is cut in the middle of a turn: before its answer arrived, and after.
    CutStream,
    /// Every event comes twice.
    Duplicates,
    /// The server stops in the middle of a turn, and comes back.
    Restart,
    /// It is asked about turns that are over.
    StaleTurn,
    /// An answer is refused as no legal move.
    RefusedAnswer,
    /// The bot is killed in the middle of a turn, and started again.
    Crash,
    /// It is asked to stop (SIGTERM) in the middle of a match.
    Stop,
    /// Processor and memory while it waits for a match.
    Idle,
}

/// What came of it.
pub(super) enum Outcome {
    Passed(String),
    NotApplicable(String),
}

impl Item {
    /// What to do about it if it fails.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Self::Plays => "look at its output with -v; every turn needs one of its legal moves",
            Self::Clock => "answer faster, or look at `left` of each turn and think less",
            Self::SlowLink => "wait for answers instead of counting on them, and keep calls small",
            Self::CutStream => {
                "open the stream again, read the snapshot, and answer the turn that is in it; say an \
                 answer again if no reply came"
            }
            Self::Duplicates => {
                "the same event twice means nothing new; the same answer twice is fine"
            }
            Self::Restart => "try again until the server is back, then go on from the snapshot",
            Self::StaleTurn => "STALE_TURN costs nothing: forget that turn and go on",
            Self::RefusedAnswer => "a refused answer is no reason to end: answer again, or go on",
            Self::Crash => {
                "keep nothing that a match needs: the snapshot has every turn that is due"
            }
            Self::Stop => "end on SIGTERM; running matches wait 30 seconds for the next process",
            Self::Idle => "wait for events; do not ask for them in a loop",
        }
    }

    pub(super) async fn run(self, bench: &Bench<'_>) -> Result<Outcome> {
        match self {
            Self::Plays => plays(bench).await,
            Self::Clock => clock(bench).await,
            Self::SlowLink => slow_link(bench).await,
            Self::CutStream => faults::cut_stream(bench).await,
            Self::Duplicates => faults::duplicates(bench).await,
            Self::Restart => faults::restart(bench).await,
            Self::StaleTurn => faults::stale_turn(bench).await,
            Self::RefusedAnswer => faults::refused_answer(bench).await,
            Self::Crash => process::crash(bench).await,
            Self::Stop => process::stop(bench).await,
            Self::Idle => process::idle(bench).await,
        }
    }
}

async fn plays(bench: &Bench<'_>) -> Result<Outcome> {
    let mut trial = bench.in_memory().await?;
    let rulesets = trial.rulesets()?;
    let (at_once, games) = (trial.team.at_once(), rulesets.len());
    let mut bots = std::mem::take(&mut trial.team.bots);
    let ids: Vec<_> = bots.iter().map(|bot| bot.id.clone()).collect();
    let (trial_ref, ids) = (&trial, &ids);
    let play = |(number, ruleset): (usize, azulejo_engine::Ruleset)| async move {
        let arena = &trial_ref.team.arena.arena;
        let time_class = trial_ref.running.time.into();
        let id = super::bench::call(arena, ids, Pool { ruleset, time_class }, number).await?;
        finished(&ended(arena, &id).await?)
    };
    let all = futures_util::stream::iter(rulesets.into_iter().enumerate())
        .map(play)
        .buffered(at_once)
        .try_collect::<()>();
    let played = Team::unless_one_ends(&mut bots, all).await;
    trial.team.bots = bots;
    if let Err(error) = played {
        let words = trial.team.bots[0].process.last_words().await;
        let refused = last_refusal(&trial.team.arena.journal.since(0));
        bail!("{error}{refused}. {words}");
    }
    trial.close().await;
    Ok(Outcome::Passed(format!("{games} games, one of each ruleset that it offers, to the end")))
}

/// What the arena said against its answers last, if it did.
fn last_refusal(entries: &[crate::author::Entry]) -> String {
    let refused = entries.iter().rev().find_map(|entry| {
        let Noted::Refused { turn, reason, message } = &entry.what else { return None };
        Some(format!("; its answer to turn {turn} was refused: {message} ({reason})"))
    });
    refused.unwrap_or_default()
}

async fn clock(bench: &Bench<'_>) -> Result<Outcome> {
    let mut trial = bench.in_memory().await?;
    let id = trial.call().await?;
    let played = trial.play_on(&id).await;
    let answers: Vec<(Duration, Duration)> = trial
        .team
        .arena
        .journal
        .since(0)
        .iter()
        .filter_map(|entry| {
            let Noted::Answered { measured, left } = entry.what else { return None };
            Some((measured, left))
        })
        .collect();
    played.with_context(|| format!("after {} answers", answers.len()))?;
    trial.close().await;
    let slowest = answers.iter().map(|(measured, _)| *measured).max().unwrap_or_default();
    let least = answers.iter().map(|(_, left)| *left).min().unwrap_or_default();
    Ok(Outcome::Passed(format!(
        "the slowest of {} answers took {} ms; the bank never fell below {:.1} s",
        answers.len(),
        slowest.as_millis(),
        least.as_secs_f64()
    )))
}

async fn slow_link(bench: &Bench<'_>) -> Result<Outcome> {
    let quality = Quality { delay: Duration::from_millis(40), width: 128 << 10 };
    let mut trial = bench.start(&crate::author::Place::in_memory(), quality).await?;
    let id = trial.call().await?;
    trial.play_on(&id).await?;
    trial.close().await;
    Ok(Outcome::Passed("a whole game with 40 ms each way and 128 KiB a second".to_owned()))
}
