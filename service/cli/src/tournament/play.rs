//! Playing the games of a match, several at a time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use anyhow::{Context, Result};
use azulejo_arena::record::EndReason;
use azulejo_bots::{Dice, HouseBot};
use azulejo_engine::{Event, Record, Ruleset, Step, Table};
use azulejo_rules::parts::{Seat, Seed};
use indicatif::ProgressBar;

use crate::seats::Player;
use crate::seed::bot_seed;

pub(crate) struct Plan<'a> {
    pub(crate) ruleset: Ruleset,
    pub(crate) bots: &'a [HouseBot],
    pub(crate) names: &'a [String],
    pub(crate) seed: &'a Seed,
    pub(crate) games: u64,
    pub(crate) jobs: usize,
    /// Whether each game is to be written down.
    pub(crate) recorded: bool,
}

/// One game: the totals and ranks by bot, not by seat.
pub(crate) struct Played {
    pub(crate) totals: Vec<u16>,
    pub(crate) ranks: Vec<u8>,
    pub(crate) winners: usize,
    /// Why a bot did not play to the end, where it did not.
    pub(crate) forfeits: Vec<Option<EndReason>>,
    pub(crate) record: Option<Record>,
}

/// The bots, if all of them are.
pub(crate) fn house_bots(players: &[Player]) -> Option<Vec<HouseBot>> {
    players
        .iter()
        .map(|player| match player {
            Player::House(bot) => Some(*bot),
            Player::Human | Player::Own(_) => None,
        })
        .collect()
}

/// Plays every game; the order of the results is that of the games, however many run at a time.
pub(crate) fn play_all(plan: &Plan<'_>, bar: &ProgressBar) -> Result<Vec<Played>> {
    let next = AtomicU64::new(0);
    let (send, receive) = mpsc::channel();
    let played: Result<BTreeMap<u64, Played>> = std::thread::scope(|scope| {
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

/// Each game has a seed of its own, drawn from that of the match.
fn game_seed(seed: &Seed, game: u64) -> Seed {
    let mut dice = Dice::new(bot_seed(seed) ^ game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut bytes = [0; 32];
    for part in bytes.chunks_exact_mut(8) {
        part.copy_from_slice(&dice.word().to_le_bytes());
    }
    Seed::new(bytes)
}

fn play_one(plan: &Plan<'_>, game: u64) -> Result<Played> {
    let seats = plan.bots.len();
    let turn = usize::try_from(game % seats as u64).unwrap_or(0);
    // Bot `b` sits on seat `(b + turn) % seats`, so everyone starts equally often.
    let bot_at = |seat: usize| (seat + seats - turn) % seats;
    let seed = game_seed(plan.seed, game);
    let mut table = Table::new(plan.ruleset, Seat::First);
    let mut steps: Vec<Step> = Vec::new();
    while !table.is_over() {
        if table.awaits_deal() {
            steps.extend(table.deal(&seed).iter().filter_map(Event::as_deal));
            continue;
        }
        let seat = table.to_move().context("nobody is to move")?;
        let choice = bot_seed(&seed).wrapping_add(steps.len() as u64);
        let action = table.choose(plan.bots[bot_at(seat.index())], choice);
        let action = action.with_context(|| format!("game {game}: no move for {seat:?} seat"))?;
        table.play(action).with_context(|| format!("game {game}: {action}"))?;
        steps.push(action.into());
    }
    let score = table.score();
    let names: Vec<String> = (0..seats).map(|seat| plan.names[bot_at(seat)].clone()).collect();
    let of_bot = |bot: usize| &score.seats[(bot + turn) % seats];
    Ok(Played {
        totals: (0..seats).map(|bot| of_bot(bot).total).collect(),
        ranks: (0..seats).map(|bot| of_bot(bot).rank).collect(),
        winners: score.winners.len(),
        forfeits: vec![None; seats],
        record: plan.recorded.then(|| Record::of(&names, Some(&seed), Seat::First, &steps, &table)),
    })
}
