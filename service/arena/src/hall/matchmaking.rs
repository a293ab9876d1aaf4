//! New matches: tables of the ladder with all their seat rotations, and challenges.

use std::time::Duration;

use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Told;

use super::{Answer, Hall, Held, Opponent, Output, Refusal, messages};
use crate::match_run::Match;
use crate::moment::{Now, Time};
use crate::names::{BotId, MatchId, Player};
use crate::pairing::{self, Candidate, Table};
use crate::pool::Pool;
use crate::record::{Bytes32, House, Origin, Seat, Spec};
use crate::store::Write;

/// A seat rotation waits no longer than this for its bots.
const ROTATION_WAITS: Duration = Duration::from_mins(5);
/// Tables that are made in one go: the rest has to wait for the next, so that nobody else has to.
const TABLES_AT_ONCE: usize = 50;

/// A seat rotation that is still to be played.
#[derive(Clone, Debug)]
pub(super) struct Rotation {
    block: MatchId,
    table: Table,
    since: Time,
}

impl Hall {
    /// Seat rotations that are left first, then new tables.
    pub(super) fn make_tables(&mut self, now: Now) {
        self.play_rotations(now);
        let mut candidates = self.candidates(now.time);
        if candidates.len() < 2 {
            return;
        }
        for _ in 0..TABLES_AT_ONCE {
            let Some(table) = pairing::next_table(&mut candidates, self) else { return };
            self.call_block(table, now);
        }
    }

    fn play_rotations(&mut self, now: Now) {
        let waiting = std::mem::take(&mut self.rotations);
        for rotation in waiting {
            if now.time.since(rotation.since) > ROTATION_WAITS {
                continue;
            }
            let all_free = rotation.table.players.iter().all(|player| {
                self.is_free(player, now.time) && self.offers(player, rotation.table.pool)
            });
            if all_free {
                let Table { pool, players } = rotation.table;
                let seats = players.into_iter().map(Seat::Remote).collect();
                self.call(pool, seats, Origin::Ladder, Some(rotation.block), now);
            } else {
                self.rotations.push(rotation);
            }
        }
    }

    /// The first match of a table; the other rotations of its seats follow when all are free.
    fn call_block(&mut self, table: Table, now: Now) {
        let Table { pool, players } = table;
        let seats: Vec<Seat> = players.iter().cloned().map(Seat::Remote).collect();
        let block = self.call(pool, seats, Origin::Ladder, None, now);
        for turn in 1..players.len() {
            let mut players = players.clone();
            players.rotate_left(turn);
            let table = Table { pool, players };
            self.rotations.push(Rotation { block: block.clone(), table, since: now.time });
        }
    }

    fn candidates(&self, now: Time) -> Vec<Candidate> {
        let busy = self.busy();
        let candidate = |(bot, session): (&BotId, &super::sessions::Session)| {
            let taken = busy.iter().filter(|busy| *busy == bot).count();
            let free = session.offer.at_once.saturating_sub(u32::try_from(taken).unwrap_or(8));
            let plays = session.offer.at_once > 0
                && !session.offer.off_ladder
                && session.is_attentive(now)
                && !self.is_paused(bot);
            let player = Player { bot: bot.clone(), version: session.version.clone() };
            let standing = |&pool: &Pool| (pool, self.ladder.standing(pool, &player));
            let pools = session.offer.pools.iter().map(standing).collect();
            plays.then(|| Candidate {
                house: self.bots.get(bot).is_some_and(|known| known.house),
                pools,
                free,
                waited: now.since(session.free_since),
                player,
            })
        };
        self.sessions.iter().filter_map(candidate).collect()
    }

    /// The bots of all running matches that still play themselves, each as often as it does.
    fn busy(&self) -> Vec<BotId> {
        let playing = |run: &Match| -> Vec<BotId> {
            let seats = run.spec().seats.iter().enumerate();
            let own = seats.filter(|(seat, _)| !run.is_house(*seat));
            own.filter_map(|(_, seat)| match seat {
                Seat::Remote(player) => Some(player.bot.clone()),
                Seat::House(_) => None,
            })
            .collect()
        };
        self.matches.values().flat_map(playing).collect()
    }

    /// Whether the bot would take on one more match, as this version.
    fn is_free(&self, player: &Player, now: Time) -> bool {
        let Some(session) = self.sessions.get(&player.bot) else { return false };
        let taken = self.busy().iter().filter(|busy| **busy == player.bot).count();
        session.version == player.version
            && session.is_attentive(now)
            && !self.is_paused(&player.bot)
            && taken < session.offer.at_once as usize
    }

    /// Whether the bot still wants to play in this pool: it may have changed its mind.
    fn offers(&self, player: &Player, pool: Pool) -> bool {
        let offer = self.sessions.get(&player.bot).map(|session| &session.offer);
        offer.is_some_and(|offer| !offer.off_ladder && offer.pools.contains(&pool))
    }

    /// Calls the seats of a match.
    fn call(
        &mut self,
        pool: Pool,
        seats: Vec<Seat>,
        origin: Origin,
        block: Option<MatchId>,
        now: Now,
    ) -> MatchId {
        let id = MatchId::from_random(self.random());
        let secret = Bytes32(self.random());
        let block = block.unwrap_or_else(|| id.clone());
        let spec =
            Spec { id: id.clone(), pool, seats, origin, block: block.clone(), called: now.wall };
        self.writes.push(Write::Match { spec: spec.clone(), secret });
        let run = Match::call(spec, secret, now.time);
        for bot in messages::bots(&run) {
            if let Some(session) = self.sessions.get_mut(bot) {
                session.free_since = now.time;
            }
        }
        self.held.push(Held::Call { id: id.clone() });
        self.matches.insert(id, run);
        block
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
        now: Now,
    ) -> Result<Answer, Refusal> {
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
        let id = self.call(pool, seats, Origin::Challenge, None, now);
        self.challengers.insert(id.clone(), by.owner().clone());
        let message = self.matches.get(&id).map(messages::match_message).unwrap_or_default();
        Ok(Answer::Challenged(message))
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
