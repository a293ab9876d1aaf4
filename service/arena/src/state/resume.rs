//! Starting from what the store holds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};

use super::publish::PublicMatches;
use super::recent_results::RecentResults;
use super::reliability::Reliability;
use super::{AfterCommit, ArenaState, BotState, Entropy, RateLimit, Settings, bots};
use crate::match_run::{Corrupt, Match};
use crate::names::BotId;
use crate::pairing::Matchmaker;
use crate::rating::Ladder;
use crate::record::{EndReason, Event, MatchEnd, Seat, SeatEnd, Summary};
use crate::store::{DamagedMatch, Ended, Saved, SavedBot, SavedMatch, Write};
use crate::time::Now;

const DAY: Duration = Duration::from_hours(24);

impl ArenaState {
    /// An arena that continues where the store left off.
    #[must_use]
    #[expect(clippy::too_many_lines, reason = "one field after the other")]
    pub fn new(saved: Saved, settings: Settings, entropy: Box<dyn Entropy>, now: Now) -> Self {
        let ladder = ladder(&saved);
        let Saved { owners, bans, bots, tokens, invitations, running, damaged, untold, .. } = saved;
        let registrations = bots::registrations(&bots);
        let mut arena = Self {
            settings,
            entropy,
            began: now.time,
            ticked: now.time,
            owners: owners.into_iter().collect(),
            banned: bans.into_iter().collect(),
            bots: bots.into_iter().map(known).collect(),
            online: RedBlackTreeSetSync::new_sync(),
            revoked: BTreeSet::new(),
            tokens: tokens.into_iter().map(|token| (token.public.clone(), token)).collect(),
            invitations: invitations.into_iter().collect(),
            ladder,
            recent_results: RecentResults::new(now.time),
            official: Arc::default(),
            sessions: BTreeMap::new(),
            leaving: BTreeMap::new(),
            matches: RedBlackTreeMapSync::new_sync(),
            published: PublicMatches::of(RedBlackTreeMapSync::new_sync()),
            finished: BTreeMap::new(),
            challengers: BTreeMap::new(),
            challenge_requests: BTreeMap::new(),
            registrations,
            matchmaker: Matchmaker::default(),
            cleaned: now.time,
            reliability: Reliability::default(),
            challenges: RateLimit::new(settings.challenges_per_minute, Duration::from_mins(1)),
            versions: RateLimit::new(settings.versions_per_day, DAY),
            resumes: RateLimit::new(settings.resumes_per_day, DAY),
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
        // The turns that are due were public before.
        arena.published = PublicMatches::of(arena.matches.clone());
        for damaged in &damaged {
            arena.void_damaged(damaged, now);
            // Its end cannot be read either, so it cannot be delivered.
            for bot in &damaged.bots {
                arena.acknowledge_end(bot, &damaged.id);
            }
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
        let players = saved.spec.seats.iter().filter_map(Seat::player);
        let damaged = DamagedMatch {
            id: saved.spec.id.clone(),
            next: u32::try_from(saved.events.len()).unwrap_or(u32::MAX),
            seats: saved.spec.seats.len(),
            bots: players.map(|player| player.bot.clone()).collect(),
        };
        self.void_damaged(&damaged, now);
    }

    fn void_damaged(&mut self, damaged: &DamagedMatch, now: Now) {
        let DamagedMatch { id, next, seats, bots } = damaged;
        let reasons = vec![EndReason::ServerError; *seats];
        let why = "the server could not go on".to_owned();
        let event = Event::Voided { at: now.wall, seats: reasons.clone(), why: why.clone() };
        for bot in bots {
            self.undelivered_ends.entry(bot.clone()).or_default().insert(id.clone());
        }
        self.writes.push(Write::Event { id: id.clone(), seq: *next, event });
        let end = |&reason: &EndReason| SeatEnd { placement: 0, reason, total: 0 };
        let seats = reasons.iter().map(end).collect();
        let out = vec![None; reasons.len()];
        let end = MatchEnd::Voided { seats: reasons, why };
        let summary = Some(Summary { turns: 0, steps: 0, position: None, out, end });
        let (id, standings) = (id.clone(), Vec::new());
        let ended = Ended { id, at: now.wall, seats, rated: false, standings, summary };
        self.writes.push(Write::Ended(ended));
    }
}

/// The stored ratings, and who met lately.
fn ladder(saved: &Saved) -> Ladder {
    let mut ladder = Ladder::default();
    for (pool, player, standing) in &saved.standings {
        ladder.set(*pool, player.clone(), *standing);
    }
    for (pool, players) in &saved.meetings {
        ladder.remember(*pool, players);
    }
    ladder
}

fn known(saved: SavedBot) -> (BotId, BotState) {
    let SavedBot { bot, house, registered, versions, pause, recent, request: _ } = saved;
    (bot, BotState { house, registered, versions, pause, recent })
}
