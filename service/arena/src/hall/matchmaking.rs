//! New matches: tables of the ladder with all their seat rotations, and challenges.

use std::collections::HashMap;
use std::time::Duration;

use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

use super::{
    Answer, Entropy, Hall, Held, Note, Opponent, Output, REQUEST_REPEATS, Refusal, messages,
};
use crate::match_run::Match;
use crate::moment::{Now, Time};
use crate::names::{BotId, MatchId, Player};
use crate::pairing::{Candidate, Dice, Table};
use crate::pool::Pool;
use crate::record::{Bytes32, House, Origin, Seat, SeatReason, Spec};
use crate::store::Write;

/// Tables that are made in one go: the rest has to wait for the next, so that nobody else has to.
const TABLES_AT_ONCE: usize = 20;

/// Challenges with a request id that are remembered for one bot.
const REMEMBERED_CHALLENGES: usize = 64;

/// A challenge with a request id.
#[derive(Clone, Debug)]
pub(super) struct Challenged {
    id: MatchId,
    /// What was asked for: the pool, and the bots by seat.
    contents: String,
    since: Time,
}

fn contents(pool: Pool, seats: &[String]) -> String {
    format!("{pool} {}", seats.join(" "))
}

fn opponent_name(opponent: &Opponent) -> String {
    match opponent {
        Opponent::Bot(bot) => bot.to_string(),
        Opponent::House(bot) => messages::house_name(*bot),
    }
}

fn names(seats: &[Seat]) -> Vec<String> {
    let name = |seat: &Seat| match seat {
        Seat::Remote(player) => player.bot.to_string(),
        Seat::House(House(bot)) => messages::house_name(*bot),
    };
    seats.iter().map(name).collect()
}

/// A match to be called.
struct Plan {
    pool: Pool,
    seats: Vec<Seat>,
    seat_reasons: Vec<SeatReason>,
    origin: Origin,
    /// The first match of the block; none for the first itself.
    block: Option<MatchId>,
    why: String,
    request: Option<Bytes32>,
}

impl Hall {
    /// Seat rotations that are left first, then new tables.
    pub(super) fn make_tables(&mut self, now: Now) {
        let mut candidates = self.candidates(now.time);
        if candidates.iter().filter(|candidate| candidate.free > 0).count() < 2 {
            return;
        }
        for (block, table) in self.matchmaker.due(&mut candidates, now.time) {
            self.call_table(&table, Some(block), now);
        }
        for _ in 0..TABLES_AT_ONCE {
            let dice = &mut Chance(&mut *self.entropy);
            let Some(table) = self.matchmaker.next(&mut candidates, &self.ladder, dice) else {
                return;
            };
            let block = self.call_table(&table, None, now);
            self.matchmaker.began(&block, &table, now.time);
        }
    }

    fn call_table(&mut self, table: &Table, block: Option<MatchId>, now: Now) -> MatchId {
        let Table { pool, players, reasons, why } = table.clone();
        let seats = players.into_iter().map(Seat::Remote).collect();
        let origin = Origin::Ladder;
        let plan = Plan { pool, seats, seat_reasons: reasons, origin, block, why, request: None };
        let first = plan.block.clone();
        let id = self.call(plan, now);
        first.unwrap_or(id)
    }

    /// Everyone who is there, in the order of their names.
    pub(super) fn candidates(&self, now: Time) -> Vec<Candidate> {
        let busy = self.busy();
        let candidate = |(bot, session): (&BotId, &super::sessions::Session)| {
            let plays = session.offer.at_once > 0
                && session.offer.plays_ladder
                && session.is_attentive(now)
                && !self.is_paused(bot);
            let taken = busy.get(bot).copied().unwrap_or_default();
            plays.then(|| Candidate {
                house: self.bots.get(bot).is_some_and(|known| known.house),
                pools: session.offer.pools.clone(),
                places: session.offer.at_once,
                free: session.offer.at_once.saturating_sub(taken),
                waited: now.since(session.free_since),
                player: Player { bot: bot.clone(), version: session.version.clone() },
            })
        };
        self.sessions.iter().filter_map(candidate).collect()
    }

    /// The bots of all running matches that still play themselves, and how many each does.
    fn busy(&self) -> HashMap<&BotId, u32> {
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

    /// Whether the bot would take on one more match, as this version.
    fn is_free(&self, player: &Player, now: Time) -> bool {
        let Some(session) = self.sessions.get(&player.bot) else { return false };
        let taken = self.busy().get(&player.bot).copied().unwrap_or_default();
        session.version == player.version
            && session.is_attentive(now)
            && !self.is_paused(&player.bot)
            && taken < session.offer.at_once
    }

    /// Calls the seats of a match.
    fn call(&mut self, plan: Plan, now: Now) -> MatchId {
        let Plan { pool, seats, seat_reasons, origin, block, why, request } = plan;
        let id = MatchId::from_random(self.random());
        let secret = Bytes32(self.random());
        let block = block.unwrap_or_else(|| id.clone());
        let spec = Spec {
            id: id.clone(),
            pool,
            seats,
            origin,
            block,
            called: now.wall,
            why,
            seat_reasons,
            request,
        };
        self.writes.push(Write::Match { spec: spec.clone(), secret });
        let run = Match::call(spec, secret, now.time);
        for bot in messages::bots(&run) {
            if let Some(session) = self.sessions.get_mut(bot) {
                let time = now.time.since(session.free_since);
                session.free_since = now.time;
                if origin == Origin::Ladder {
                    self.notes.push(Note::Waited { pool, time });
                }
            }
        }
        self.held.push(Held::Call { id: id.clone() });
        self.matches.insert(id.clone(), run);
        id
    }

    /// The seats are asked whether they are ready: from here on they have time to say so.
    pub(super) fn announce_call(&mut self, id: &MatchId, now: Time, outputs: &mut Vec<Output>) {
        let Some(run) = self.matches.get_mut(id) else { return };
        run.asked(now);
        let starting = |(seat, player): (usize, &Seat)| match player {
            Seat::Remote(player) => Some((player.bot.clone(), messages::starting(run, seat, now))),
            Seat::House(_) => None,
        };
        let called: Vec<_> = run.spec().seats.iter().enumerate().filter_map(starting).collect();
        for (bot, starting) in called {
            if let Some(session) = self.up_to_date(&bot) {
                let event = pb::PlayEvent { seq: 0, event: Some(Told::MatchStarting(starting)) };
                self.tell(&bot, session, event, outputs);
            }
        }
    }

    /// A match now, unrated.
    pub(super) fn challenge(
        &mut self,
        by: &BotId,
        pool: Pool,
        opponents: Vec<Opponent>,
        seat: usize,
        request: Option<Bytes32>,
        now: Now,
    ) -> Result<Answer, Refusal> {
        if let Some(request) = request {
            let mut wanted: Vec<String> = opponents.iter().map(opponent_name).collect();
            wanted.insert(seat.min(wanted.len()), by.to_string());
            let (key, contents) = ((by.clone(), request), contents(pool, &wanted));
            if let Some(before) = self.challenged_before(&key, &contents, now.time)? {
                return Ok(before);
            }
        }
        let needed = pool.players() - 1;
        if opponents.len() != needed {
            return Err(Refusal::Opponents { found: opponents.len(), needed });
        }
        if seat > needed {
            return Err(Refusal::NoSuchSeat { seat });
        }
        self.check_challenges(by)?;
        let mut seats = Vec::with_capacity(pool.players());
        let mut named = vec![by.clone()];
        for opponent in opponents {
            seats.push(match opponent {
                Opponent::House(bot) => Seat::House(House(bot)),
                Opponent::Bot(bot) => {
                    if named.contains(&bot) {
                        return Err(Refusal::Twice(bot));
                    }
                    named.push(bot.clone());
                    Seat::Remote(self.willing(by, &bot, now.time)?)
                }
            });
        }
        let challenger = self.player(by).ok_or_else(|| Refusal::NotThere(by.clone()))?;
        seats.insert(seat, Seat::Remote(challenger));
        let mut seat_reasons = vec![SeatReason::Challenged; seats.len()];
        seat_reasons[seat] = SeatReason::Challenger;
        let (origin, block, why) = (Origin::Challenge, None, String::new());
        let plan = Plan { pool, seats, seat_reasons, origin, block, why, request };
        let id = self.call(plan, now);
        self.challengers.insert(id.clone(), by.owner().clone());
        let spec = self.matches.get(&id).map(|run| run.spec().clone());
        if let Some(spec) = spec {
            self.remember_challenge(&spec, now.time);
        }
        let message = self.matches.get(&id).map(messages::match_message).unwrap_or_default();
        Ok(Answer::Challenged(message))
    }

    /// The match of a challenge that is repeated because its response was lost.
    fn challenged_before(
        &self,
        key: &(BotId, Bytes32),
        contents: &str,
        now: Time,
    ) -> Result<Option<Answer>, Refusal> {
        let Some(before) = self.challenge_requests.get(key) else { return Ok(None) };
        if now.since(before.since) > REQUEST_REPEATS {
            return Ok(None);
        }
        if before.contents != contents {
            return Err(Refusal::RequestIdReused);
        }
        let running = self.matches.get(&before.id);
        Ok(Some(running.map_or_else(
            || Answer::ChallengedBefore(before.id.clone()),
            |run| Answer::Challenged(messages::match_message(run)),
        )))
    }

    /// Remembers the request id of a challenge, and forgets the oldest of that bot if it has many.
    pub(super) fn remember_challenge(&mut self, spec: &Spec, now: Time) {
        let Some((bot, request)) = spec.challenger().cloned().zip(spec.request) else { return };
        let first = (bot.clone(), Bytes32([0; 32]));
        let of_bot = self.challenge_requests.range(first..).take_while(|((of, _), _)| *of == bot);
        let oldest =
            of_bot.clone().min_by_key(|(_, known)| known.since).map(|(key, _)| key.clone());
        if let Some(oldest) = oldest.filter(|_| of_bot.count() >= REMEMBERED_CHALLENGES) {
            self.challenge_requests.remove(&oldest);
        }
        let (id, contents) = (spec.id.clone(), contents(spec.pool, &names(&spec.seats)));
        self.challenge_requests.insert((bot, request), Challenged { id, contents, since: now });
    }

    fn check_challenges(&self, by: &BotId) -> Result<(), Refusal> {
        let owner = by.owner();
        let running = self.challengers.values().filter(|challenger| *challenger == owner);
        let limit = self.settings.challenges_at_once;
        if running.count() >= limit {
            return Err(Refusal::Quota {
                key: "challenges-at-once",
                what: "challenges at the same time",
                limit,
                retry_after: Duration::from_secs(5),
            });
        }
        Ok(())
    }

    fn willing(&self, by: &BotId, bot: &BotId, now: Time) -> Result<Player, Refusal> {
        if !self.bots.contains_key(bot) {
            return Err(Refusal::NoSuchBot(bot.clone()));
        }
        let there = self.sessions.get(bot).filter(|session| session.is_attentive(now));
        let session = there.ok_or_else(|| Refusal::NotThere(bot.clone()))?;
        let own = by.owner() == bot.owner();
        if !session.offer.accepts_challenges && !own {
            return Err(Refusal::Unwilling(bot.clone()));
        }
        self.player(bot)
            .filter(|player| self.is_free(player, now))
            .ok_or_else(|| Refusal::NotThere(bot.clone()))
    }

    /// The bot as it is here now.
    fn player(&self, bot: &BotId) -> Option<Player> {
        let version = self.sessions.get(bot)?.version.clone();
        Some(Player { bot: bot.clone(), version })
    }
}

/// The arena's randomness, as dice.
struct Chance<'a>(&'a mut dyn Entropy);

impl Dice for Chance<'_> {
    fn unit(&mut self) -> f64 {
        let mut bytes = [0; 4];
        self.0.fill(&mut bytes);
        f64::from(u32::from_le_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
    }
}
