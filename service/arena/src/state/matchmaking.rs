//! New matches: tables of the ladder with all their seat rotations, and what challenges share with
//! them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::{AfterCommit, ArenaState, Entropy, Metric, Session, matches};
use crate::match_run::Match;
use crate::names::{BotId, MatchId, Player};
use crate::pairing::{Candidate, Dice, Table};
use crate::pool::Pool;
use crate::record::{Bytes32, Origin, Seat, SeatReason, Spec};
use crate::store::Write;
use crate::time::{Now, Time};

/// Tables formed in one tick; more wait for the next tick, so that nothing else has to wait.
const TABLES_PER_TICK: usize = 20;

/// How long a bot that was let down waits for a proven opponent. Without a limit it would never meet a
/// newcomer when no other bot is free.
const PATIENCE: Duration = Duration::from_secs(10);

/// Challenges with a request id that are remembered per bot.
const REMEMBERED_CHALLENGES: usize = 64;

/// A challenge with a request id.
#[derive(Clone, Debug)]
pub(crate) struct RememberedChallenge {
    pub(crate) id: MatchId,
    /// The pool, and the bots by seat.
    pub(crate) contents: String,
    pub(crate) since: Time,
}

/// What a challenge with a request id asks for, to tell whether it is repeated.
pub(crate) fn challenge_contents(pool: Pool, seats: &[String]) -> String {
    format!("{pool} {}", seats.join(" "))
}

/// A match to create.
pub(crate) struct NewMatch {
    pub(crate) pool: Pool,
    pub(crate) seats: Vec<Seat>,
    pub(crate) seat_reasons: Vec<SeatReason>,
    pub(crate) origin: Origin,
    /// The first match of the block; none for the first itself.
    pub(crate) block: Option<MatchId>,
    pub(crate) why: String,
    pub(crate) request: Option<Bytes32>,
}

impl ArenaState {
    /// Creates matches of the ladder: pending seat rotations first, then new tables.
    pub(super) fn make_matches(&mut self, now: Now) {
        let mut candidates = self.candidates(now.time);
        if candidates.iter().filter(|candidate| candidate.free > 0).count() < 2 {
            return;
        }
        for (block, table) in self.matchmaker.due(&mut candidates, now.time) {
            self.create_from_table(&table, Some(block), now);
        }
        for _ in 0..TABLES_PER_TICK {
            let dice = &mut EntropyDice(&mut *self.entropy);
            let Some(table) = self.matchmaker.next(&mut candidates, &self.ladder, dice) else {
                return;
            };
            let block = self.create_from_table(&table, None, now);
            self.matchmaker.began(&block, &table, now.time);
        }
    }

    fn create_from_table(&mut self, table: &Table, block: Option<MatchId>, now: Now) -> MatchId {
        let Table { pool, players, reasons, why } = table.clone();
        let seats = players.into_iter().map(Seat::Remote).collect();
        let first = block.clone();
        let origin = Origin::Ladder;
        let seat_reasons = reasons;
        let new = NewMatch { pool, seats, seat_reasons, origin, block, why, request: None };
        let run = self.create_match(new, now);
        first.unwrap_or_else(|| run.spec().id.clone())
    }

    /// Connected bots that play on the ladder, in the order of their names.
    pub(super) fn candidates(&self, now: Time) -> Vec<Candidate> {
        let busy = self.matches_per_bot();
        let candidate = |(bot, session): (&BotId, &Session)| {
            let offer = &session.offer;
            let plays = offer.concurrent_matches > 0
                && offer.plays_ladder
                && session.is_attentive(now)
                && self.reliability.may_play(bot, now)
                && !self.is_paused(bot);
            let taken = busy.get(bot).copied().unwrap_or_default();
            let waited = now.since(session.free_since);
            plays.then(|| Candidate {
                house: self.bots.get(bot).is_some_and(|known| known.house),
                pools: offer.pools.clone(),
                places: offer.concurrent_matches,
                free: offer.concurrent_matches.saturating_sub(taken),
                waited,
                proven: self.is_proven(bot),
                careful: self.reliability.is_careful(bot, now) && waited < PATIENCE,
                player: Player { bot: bot.clone(), version: session.version.clone() },
            })
        };
        self.sessions.iter().filter_map(candidate).collect()
    }

    /// Running matches per bot, without seats that were forfeited.
    fn matches_per_bot(&self) -> HashMap<&BotId, u32> {
        let mut busy = HashMap::new();
        for run in self.matches.values() {
            for (seat, player) in run.spec().seats.iter().enumerate() {
                if let Seat::Remote(player) = player
                    && !run.is_house(seat)
                {
                    *busy.entry(&player.bot).or_default() += 1;
                }
            }
        }
        busy
    }

    /// Whether the bot has room for another match, as this version.
    pub(crate) fn is_free(&self, player: &Player, now: Time) -> bool {
        let Some(session) = self.sessions.get(&player.bot) else { return false };
        let taken = self.matches_per_bot().get(&player.bot).copied().unwrap_or_default();
        session.version == player.version
            && session.is_attentive(now)
            && !self.is_paused(&player.bot)
            && taken < session.offer.concurrent_matches
    }

    /// Creates a match and asks its seats whether they are ready.
    pub(crate) fn create_match(&mut self, new: NewMatch, now: Now) -> Arc<Match> {
        let NewMatch { pool, seats, seat_reasons, origin, block, why, request } = new;
        let id = MatchId::from_random(self.random());
        let secret = Bytes32(self.random());
        let block = block.unwrap_or_else(|| id.clone());
        let called = now.wall;
        let spec =
            Spec { id: id.clone(), pool, seats, origin, block, called, why, seat_reasons, request };
        self.writes.push(Write::Match { spec: spec.clone(), secret });
        let run = Arc::new(Match::call(spec, secret, now.time));
        for bot in matches::bots(&run) {
            if let Some(session) = self.sessions.get_mut(bot) {
                let time = now.time.since(session.free_since);
                session.free_since = now.time;
                if origin == Origin::Ladder {
                    self.count(Metric::Waited { pool, time });
                }
            }
        }
        self.after_commit(AfterCommit::Call { id: id.clone() });
        self.published.changed(&id);
        self.matches.insert_mut(id, Arc::clone(&run));
        run
    }

    /// Remembers the request id of a challenge; the oldest one of the bot is forgotten if it has
    /// too many.
    pub(crate) fn remember_challenge(&mut self, spec: &Spec, now: Time) {
        let Some((bot, request)) = spec.challenger().cloned().zip(spec.request) else { return };
        let first = (bot.clone(), Bytes32([0; 32]));
        let of_bot = self.challenge_requests.range(first..).take_while(|((of, _), _)| *of == bot);
        let oldest =
            of_bot.clone().min_by_key(|(_, known)| known.since).map(|(key, _)| key.clone());
        if let Some(oldest) = oldest.filter(|_| of_bot.count() >= REMEMBERED_CHALLENGES) {
            self.challenge_requests.remove(&oldest);
        }
        let names: Vec<String> = spec.seats.iter().map(Seat::name).collect();
        let (id, contents) = (spec.id.clone(), challenge_contents(spec.pool, &names));
        let remembered = RememberedChallenge { id, contents, since: now };
        self.challenge_requests.insert((bot, request), remembered);
    }
}

/// The arena's randomness as dice.
struct EntropyDice<'a>(&'a mut dyn Entropy);

impl Dice for EntropyDice<'_> {
    fn unit(&mut self) -> f64 {
        let mut bytes = [0; 4];
        self.0.fill(&mut bytes);
        f64::from(u32::from_le_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
    }
}
