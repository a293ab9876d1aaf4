//! Games between house bots, played on threads of this process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use anyhow::{Context, Result};
use azulejo_arena::record::EndReason;
use azulejo_bots::{Dice, HouseBot};
use azulejo_engine::{Event, Record, Ruleset, Step, Table};
use azulejo_rules::parts::{Seat, Seed};
use azulejo_terminal::seed::bot_seed;
use indicatif::ProgressBar;

use crate::seats::PlayerSpec;

/// The games to play.
pub(crate) struct Plan<'a> {
    pub(crate) ruleset: Ruleset,
    pub(crate) bots: &'a [HouseBot],
    pub(crate) names: &'a [String],
    pub(crate) seed: &'a Seed,
    pub(crate) games: u64,
    pub(crate) jobs: usize,
    /// Whether to create records.
    pub(crate) recorded: bool,
}

/// The result of one game. Lists are by bot, not by seat.
pub(crate) struct PlayedGame {
    pub(crate) totals: Vec<u16>,
    pub(crate) ranks: Vec<u8>,
    pub(crate) winners: usize,
    /// Why a bot forfeited; `None` if it did not.
    pub(crate) forfeits: Vec<Option<EndReason>>,
    pub(crate) record: Option<Record>,
}

/// The house bots; `None` if another player is among them.
pub(crate) fn house_bots(players: &[PlayerSpec]) -> Option<Vec<HouseBot>> {
    players
        .iter()
        .map(|player| match player {
            PlayerSpec::House(bot) => Some(*bot),
            PlayerSpec::Human | PlayerSpec::Own(_) => None,
        })
        .collect()
}

/// Plays all games. The results are in the order of the games.
pub(crate) fn play_all(plan: &Plan<'_>, bar: &ProgressBar) -> Result<Vec<PlayedGame>> {
    let next = AtomicU64::new(0);
    let (send, receive) = mpsc::channel();
    let played: Result<BTreeMap<u64, PlayedGame>> = std::thread::scope(|scope| {
        for _ in 0..plan.jobs {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= plan.games {
                        break;
                    }
                    let played = play_one(plan, game).map(|played| (game, played));
                    if send.send(played).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        receive.iter().inspect(|_| bar.inc(1)).collect()
    });
    Ok(played?.into_values().collect())
}

/// The seed of one game, derived from the seed of the command.
fn game_seed(seed: &Seed, game: u64) -> Seed {
    let mut dice = Dice::new(bot_seed(seed) ^ game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut bytes = [0; 32];
    for part in bytes.chunks_exact_mut(8) {
        part.copy_from_slice(&dice.word().to_le_bytes());
    }
    Seed::new(bytes)
}

fn play_one(plan: &Plan<'_>, game: u64) -> Result<PlayedGame> {
    let seats = plan.bots.len();
    let turn = usize::try_from(game % seats as u64).unwrap_or(0);
    // Bot `b` has seat `(b + turn) % seats`, so that all bots start equally often.
    let bot_at = |seat: usize| (seat + seats - turn) % seats;
    let seed = game_seed(plan.seed, game);
    let mut table = Table::new(plan.ruleset, Seat::First);
    let mut steps: Vec<Step> = Vec::new();
    while !table.is_over() {
        if table.awaits_deal() {
            steps.extend(table.deal(&seed).iter().filter_map(Event::as_deal));
            continue;
        }
        let seat = table.to_move().context("no seat is to move")?;
        let choice = bot_seed(&seed).wrapping_add(steps.len() as u64);
        let action = table.choose(plan.bots[bot_at(seat.index())], choice);
        let action = action.with_context(|| format!("game {game}: no move for {seat:?} seat"))?;
        table.play(action).with_context(|| format!("game {game}: {action}"))?;
        steps.push(action.into());
    }
    let score = table.score();
    let names: Vec<String> = (0..seats).map(|seat| plan.names[bot_at(seat)].clone()).collect();
    let of_bot = |bot: usize| &score.seats[(bot + turn) % seats];
    Ok(PlayedGame {
        totals: (0..seats).map(|bot| of_bot(bot).total).collect(),
        ranks: (0..seats).map(|bot| of_bot(bot).rank).collect(),
        winners: score.winners.len(),
        forfeits: vec![None; seats],
        record: plan.recorded.then(|| Record::of(&names, Some(&seed), Seat::First, &steps, &table)),
    })
}
