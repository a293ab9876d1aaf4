use std::sync::Arc;
use std::time::Duration;

use azulejo_engine::HouseBot;

use super::Command;
use crate::match_run::Match;
use crate::names::{BotId, MatchId, Player};
use crate::pool::Pool;
use crate::record::{Bytes32, House, Origin, Seat, SeatReason};
use crate::state::{ArenaState, NewMatch, REQUEST_REPEATS, Refusal, challenge_contents};
use crate::time::{Now, Time};

/// A bot creates an unrated match against opponents of its choice.
#[derive(Clone, Debug)]
pub struct CreateChallenge {
    pub by: BotId,
    pub pool: Pool,
    /// In the order of the seats, without the challenger.
    pub opponents: Vec<Opponent>,
    /// The seat of the challenger.
    pub seat: usize,
    /// Hash of the request id.
    pub request: Option<Bytes32>,
}

/// An opponent in a challenge.
#[derive(Clone, Debug)]
pub enum Opponent {
    Bot(BotId),
    House(HouseBot),
}

#[derive(Clone, Debug)]
pub enum CreatedChallenge {
    Running(Arc<Match>),
    /// A repeated challenge whose match is over and in the store.
    Finished(MatchId),
}

impl Command for CreateChallenge {
    type Reply = CreatedChallenge;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<CreatedChallenge, Refusal> {
        if let Some(before) = self.created_before(arena, now.time)? {
            return Ok(before);
        }
        let needed = self.pool.players() - 1;
        if self.opponents.len() != needed {
            return Err(Refusal::Opponents { found: self.opponents.len(), needed });
        }
        if self.seat > needed {
            return Err(Refusal::NoSuchSeat { seat: self.seat });
        }
        arena.check_banned(self.by.owner())?;
        if arena.is_paused(&self.by) {
            return Err(Refusal::Paused(self.by));
        }
        self.check_quota(arena)?;
        let seats = self.seats(arena, now.time)?;
        if let Err(retry_after) = arena.challenges.count(self.by.owner(), now.time) {
            let (key, what) = ("challenges-a-minute", "challenges of an owner per minute");
            let limit = arena.challenges.most;
            return Err(Refusal::Quota { key, what, limit, retry_after });
        }
        let mut seat_reasons = vec![SeatReason::Challenged; seats.len()];
        seat_reasons[self.seat] = SeatReason::Challenger;
        let run = arena.create_match(
            NewMatch {
                pool: self.pool,
                seats,
                seat_reasons,
                origin: Origin::Challenge,
                block: None,
                why: String::new(),
                request: self.request,
            },
            now,
        );
        arena.challengers.insert(run.spec().id.clone(), self.by.owner().clone());
        arena.remember_challenge(run.spec(), now.time);
        Ok(CreatedChallenge::Running(run))
    }
}

impl CreateChallenge {
    /// The match of the same challenge, if its response was lost and it is repeated.
    fn created_before(
        &self,
        arena: &ArenaState,
        now: Time,
    ) -> Result<Option<CreatedChallenge>, Refusal> {
        let Some(request) = self.request else { return Ok(None) };
        let mut names: Vec<String> = self.opponents.iter().map(Opponent::name).collect();
        names.insert(self.seat.min(names.len()), self.by.to_string());
        let key = (self.by.clone(), request);
        let Some(before) = arena.challenge_requests.get(&key) else { return Ok(None) };
        if now.since(before.since) > REQUEST_REPEATS {
            return Ok(None);
        }
        if before.contents != challenge_contents(self.pool, &names) {
            return Err(Refusal::RequestIdReused);
        }
        Ok(Some(arena.matches.get(&before.id).map_or_else(
            || CreatedChallenge::Finished(before.id.clone()),
            |run| CreatedChallenge::Running(Arc::clone(run)),
        )))
    }

    fn check_quota(&self, arena: &ArenaState) -> Result<(), Refusal> {
        let owner = self.by.owner();
        let running = arena.challengers.values().filter(|challenger| *challenger == owner);
        let limit = arena.settings.concurrent_challenges;
        if running.count() < limit {
            return Ok(());
        }
        Err(Refusal::Quota {
            key: "challenges-at-once",
            what: "challenges at the same time",
            limit,
            retry_after: Duration::from_secs(5),
        })
    }

    fn seats(&self, arena: &ArenaState, now: Time) -> Result<Vec<Seat>, Refusal> {
        let mut seats = Vec::with_capacity(self.pool.players());
        let mut named = vec![&self.by];
        for opponent in &self.opponents {
            seats.push(match opponent {
                Opponent::House(bot) => Seat::House(House(*bot)),
                Opponent::Bot(bot) => {
                    if named.contains(&bot) {
                        return Err(Refusal::Twice(bot.clone()));
                    }
                    named.push(bot);
                    Seat::Remote(self.willing(arena, bot, now)?)
                }
            });
        }
        let own = player(arena, &self.by).ok_or_else(|| Refusal::NotThere(self.by.clone()))?;
        seats.insert(self.seat, Seat::Remote(own));
        Ok(seats)
    }

    /// The opponent, if it accepts and has room for another match.
    fn willing(&self, arena: &ArenaState, bot: &BotId, now: Time) -> Result<Player, Refusal> {
        if !arena.bots.contains_key(bot) {
            return Err(Refusal::NoSuchBot(bot.clone()));
        }
        let attentive = arena.sessions.get(bot).filter(|session| session.is_attentive(now));
        let session = attentive.ok_or_else(|| Refusal::NotThere(bot.clone()))?;
        if !session.offer.accepts_challenges && self.by.owner() != bot.owner() {
            return Err(Refusal::Unwilling(bot.clone()));
        }
        player(arena, bot)
            .filter(|player| arena.is_free(player, now))
            .ok_or_else(|| Refusal::NotThere(bot.clone()))
    }
}

/// The bot in the version of its session.
fn player(arena: &ArenaState, bot: &BotId) -> Option<Player> {
    let version = arena.sessions.get(bot)?.version.clone();
    Some(Player { bot: bot.clone(), version })
}

impl Opponent {
    fn name(&self) -> String {
        match self {
            Self::Bot(bot) => bot.to_string(),
            Self::House(bot) => Seat::House(House(*bot)).name(),
        }
    }
}
