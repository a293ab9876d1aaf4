//! Newcomers: bots that have not begun a match yet. A bot that is called to a match against one of them
//! may wait for it in vain, so only a few are introduced at the same time.

use std::collections::BTreeMap;

use super::ArenaState;
use super::matchmaking::EntropyDice;
use crate::match_run::{Match, Phase};
use crate::names::{BotId, Owner};
use crate::pairing::{Candidate, shuffle};
use crate::record::{Origin, Seat};

/// Newcomers that are introduced at the same time: this many, or one for this many proven bots.
const FEWEST: usize = 4;
const PROVEN_PER_NEWCOMER: usize = 20;
/// And of one owner.
const PER_OWNER: usize = 1;

impl ArenaState {
    /// Takes the places of newcomers that have to wait. Which of them is random, in every tick: some of
    /// them may play only what no other bot plays, and must not keep the others away.
    pub(super) fn hold_back_newcomers(&mut self, candidates: &mut [Candidate]) {
        let is_newcomer = |candidate: &Candidate| !candidate.house && !candidate.proven;
        let mut newcomers: Vec<usize> =
            (0..candidates.len()).filter(|&index| is_newcomer(&candidates[index])).collect();
        if newcomers.is_empty() {
            return;
        }
        let proven = candidates.iter().filter(|candidate| !candidate.house && candidate.proven);
        let most = FEWEST.max(proven.count() / PROVEN_PER_NEWCOMER);
        let mut owners: BTreeMap<Owner, usize> = BTreeMap::new();
        let mut introduced = 0;
        for bot in self.newcomers_called() {
            introduced += 1;
            *owners.entry(bot.owner().clone()).or_default() += 1;
        }
        shuffle(&mut newcomers, &mut EntropyDice(&mut *self.entropy));
        for index in newcomers {
            let candidate = &mut candidates[index];
            if candidate.free == 0 {
                continue;
            }
            let of_owner = owners.entry(candidate.player.bot.owner().clone()).or_default();
            if introduced < most && *of_owner < PER_OWNER {
                introduced += 1;
                *of_owner += 1;
                candidate.free = 1;
            } else {
                candidate.free = 0;
            }
        }
    }

    /// Newcomers that are called to a match of the ladder and not ready yet.
    fn newcomers_called(&self) -> impl Iterator<Item = &BotId> {
        let gathering = self.matches.values().filter(|run| {
            run.spec().origin == Origin::Ladder && matches!(run.phase(), Phase::Gathering { .. })
        });
        gathering.flat_map(|run| missing(run)).filter(|bot| !self.is_proven(bot))
    }
}

/// The bots of a match that are not ready.
fn missing(run: &Match) -> impl Iterator<Item = &BotId> {
    let seats = run.spec().seats.iter().enumerate();
    seats.filter(|(seat, _)| !run.is_ready(*seat)).filter_map(|(_, seat)| match seat {
        Seat::Remote(player) => Some(&player.bot),
        Seat::House(_) => None,
    })
}
