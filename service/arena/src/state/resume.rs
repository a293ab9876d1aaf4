//! Starting from what the store holds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};

use super::{AfterCommit, ArenaState, BotState, Entropy, Settings, bots};
use crate::match_run::{Corrupt, Match};
use crate::names::BotId;
use crate::pairing::Matchmaker;
use crate::rating::Ladder;
use crate::record::{EndReason, Event, MatchEnd, Seat, SeatEnd, Summary};
use crate::store::{Ended, Saved, SavedBot, SavedMatch, Write};
use crate::time::Now;

impl ArenaState {
    /// An arena that continues where the store left off.
    #[must_use]
    pub fn new(saved: Saved, settings: Settings, entropy: Box<dyn Entropy>, now: Now) -> Self {
        let Saved { owners, bots, tokens, invitations, standings, running, untold } = saved;
        let registrations = bots::registrations(&bots);
        let mut ladder = Ladder::default();
        for (pool, player, standing) in standings {
            ladder.set(pool, player, standing);
        }
        let mut arena = Self {
            settings,
            entropy,
            began: now.time,
            ticked: now.time,
            owners: owners.into_iter().collect(),
            bots: bots.into_iter().map(known).collect(),
            online: RedBlackTreeSetSync::new_sync(),
            revoked: BTreeSet::new(),
            tokens: tokens.into_iter().map(|token| (token.public.clone(), token)).collect(),
            invitations: invitations.into_iter().collect(),
            ladder,
            sessions: BTreeMap::new(),
            leaving: BTreeMap::new(),
            matches: RedBlackTreeMapSync::new_sync(),
            finished: BTreeMap::new(),
            challengers: BTreeMap::new(),
            challenge_requests: BTreeMap::new(),
            registrations,
            matchmaker: Matchmaker::default(),
            undelivered_ends: BTreeMap::new(),
            writes: Vec::new(),
            after_commit: Vec::new(),
            metrics: Vec::new(),
        };
        for (id, bot) in untold {
            arena.undelivered_ends.entry(bot).or_default().insert(id);
        }
        for saved in running {
            arena.resume_match(&saved, now);
        }
        arena
    }

    /// Resumes a match. One whose events make no sense is voided, at the cost of no bot.
    fn resume_match(&mut self, saved: &SavedMatch, now: Now) {
        let id = saved.spec.id.clone();
        match Match::replay(saved, now.time) {
            Ok(run) => {
                // A house bot searches again. The others get their turn when they reconnect, and
                // their clocks stand until then.
                if run.searching_bot().is_some() {
                    self.after_commit(AfterCommit::Turn { id: id.clone(), turn: run.turn() });
                }
                self.remember_challenge(run.spec(), now.time);
                self.matches.insert_mut(id, Arc::new(run));
            }
            Err(corrupt) => self.void_corrupt(saved, &corrupt, now),
        }
    }

    fn void_corrupt(&mut self, saved: &SavedMatch, corrupt: &Corrupt, now: Now) {
        tracing::error!(%corrupt, "a match cannot be resumed and is voided");
        let reasons = vec![EndReason::ServerError; saved.spec.seats.len()];
        let why = "the server could not go on".to_owned();
        let event = Event::Voided { at: now.wall, seats: reasons.clone(), why: why.clone() };
        let seq = u32::try_from(saved.events.len()).unwrap_or(u32::MAX);
        let id = saved.spec.id.clone();
        for player in saved.spec.seats.iter().filter_map(Seat::player) {
            self.undelivered_ends.entry(player.bot.clone()).or_default().insert(id.clone());
        }
        self.writes.push(Write::Event { id: id.clone(), seq, event });
        let end = |&reason: &EndReason| SeatEnd { placement: 0, reason, total: 0 };
        let seats = reasons.iter().map(end).collect();
        let out = vec![None; reasons.len()];
        let end = MatchEnd::Voided { seats: reasons, why };
        let summary = Some(Summary { turns: 0, steps: 0, position: None, out, end });
        let standings = Vec::new();
        let ended = Ended { id, at: now.wall, seats, rated: false, standings, summary };
        self.writes.push(Write::Ended(ended));
    }
}

fn known(saved: SavedBot) -> (BotId, BotState) {
    let SavedBot { bot, house, registered, versions, pause, recent, request: _ } = saved;
    (bot, BotState { house, registered, versions, pause, recent })
}
