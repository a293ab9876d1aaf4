//! A store in memory that does what `azulejo_arena::store` promises: atomic batches, one owner, no
//! gap between the events of a match, one end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use azulejo_arena::names::{BotId, MatchId, Owner, Player, Version};
use azulejo_arena::pool::Pool;
use azulejo_arena::rating::{FORMULA, LiveRating};
use azulejo_arena::record::{Bytes32, EndReason, Event, Origin, Seat, Spec};
use azulejo_arena::store::{
    Ended, Epoch, Outcome, Pause, Saved, SavedBot, SavedMatch, StoreError, Token, Write,
};
use azulejo_arena::time::Wall;

/// Matches of the ladder that a bot's health is judged by.
const REMEMBERED: usize = 50;

#[derive(Debug, Default)]
pub(crate) struct SimStore {
    epoch: i64,
    pub(crate) rows: Rows,
}

/// Everything that is durable. A copy costs little: the matches are shared until they change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    owners: BTreeMap<Owner, Wall>,
    pub(crate) bots: BTreeMap<BotId, SavedBot>,
    tokens: BTreeMap<String, Token>,
    /// Whether it can still be used.
    invitations: BTreeMap<Bytes32, bool>,
    pub(crate) matches: BTreeMap<MatchId, Arc<Row>>,
    /// In the order in which they ended.
    pub(crate) ended: Vec<MatchId>,
    pub(crate) standings: BTreeMap<(String, Player), (Pool, LiveRating)>,
    pub(crate) untold: BTreeSet<(MatchId, BotId)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) spec: Spec,
    pub(crate) secret: Bytes32,
    pub(crate) events: Vec<Event>,
    pub(crate) end: Option<Ended>,
}

impl Row {
    pub(crate) fn saved(&self) -> SavedMatch {
        SavedMatch {
            spec: self.spec.clone(),
            secret: self.secret,
            events: self.events.clone(),
            ended: self.end.as_ref().map(|end| end.at),
            rated: self.end.as_ref().is_some_and(|end| end.rated),
            summary: self.end.as_ref().and_then(|end| end.summary.clone()),
        }
    }
}

impl SimStore {
    pub(crate) const fn take_over(&mut self) -> Epoch {
        self.epoch += 1;
        Epoch(self.epoch)
    }

    pub(crate) const fn renew(&self, Epoch(epoch): Epoch) -> Result<(), StoreError> {
        if epoch == self.epoch { Ok(()) } else { Err(StoreError::Fenced) }
    }

    /// All of it or nothing.
    pub(crate) fn commit(&mut self, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError> {
        self.renew(epoch)?;
        let mut rows = self.rows.clone();
        for write in writes {
            rows.write(write).map_err(|why| StoreError::Conflict(format!("{why}: {write:?}")))?;
        }
        self.rows = rows;
        Ok(())
    }

    pub(crate) fn load(&self) -> Saved {
        let rows = &self.rows;
        let bots =
            rows.bots.values().map(|bot| SavedBot { recent: rows.recent(&bot.bot), ..bot.clone() });
        let running = rows.matches.values().filter(|row| row.end.is_none());
        Saved {
            owners: rows.owners.keys().cloned().collect(),
            bans: Vec::new(),
            bots: bots.collect(),
            tokens: rows.tokens.values().cloned().collect(),
            invitations: rows
                .invitations
                .iter()
                .filter(|(_, open)| **open)
                .map(|(hash, _)| *hash)
                .collect(),
            standings: rows
                .standings
                .iter()
                .map(|((_, player), (pool, standing))| (*pool, player.clone(), *standing))
                .collect(),
            rating_formula: FORMULA,
            meetings: self.outcomes().into_iter().map(met).collect(),
            running: running.map(|row| row.saved()).collect(),
            damaged: Vec::new(),
            untold: rows.untold.iter().cloned().collect(),
        }
    }

    /// Results of the ladder, in order.
    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        let outcome = |(seq, id): (usize, &MatchId)| {
            let row = &self.rows.matches[id];
            let end = row.end.as_ref().filter(|end| end.rated)?;
            let seats = row.spec.seats.iter().zip(&end.seats);
            let seats = seats.filter_map(|(seat, end)| Some((player_of(seat)?.clone(), *end)));
            let seq = i64::try_from(seq).unwrap() + 1;
            let block = row.spec.block.clone();
            Some(Outcome {
                seq,
                id: id.clone(),
                block,
                pool: row.spec.pool,
                seats: seats.collect(),
            })
        };
        self.rows.ended.iter().enumerate().filter_map(outcome).collect()
    }
}

/// Who met in a result.
fn met(outcome: Outcome) -> (Pool, Vec<Player>) {
    (outcome.pool, outcome.seats.into_iter().map(|(player, _)| player).collect())
}

pub(crate) const fn player_of(seat: &Seat) -> Option<&Player> {
    match seat {
        Seat::Remote(player) => Some(player),
        Seat::House(_) => None,
    }
}

impl Rows {
    fn write(&mut self, write: &Write) -> Result<(), &'static str> {
        match write {
            Write::Owner { owner, registered } => {
                new(self.owners.insert(owner.clone(), *registered))
            }
            Write::Bot { bot, house, registered, request } => {
                self.add_bot(bot, *house, *registered, *request)
            }
            Write::Version { bot, version, .. } => self.add_version(bot, version),
            Write::Token(token) => new(self.tokens.insert(token.public.clone(), token.clone())),
            Write::Revoked { public } => {
                self.tokens.remove(public);
                Ok(())
            }
            Write::Invitation { hash, .. } => new(self.invitations.insert(*hash, true)),
            Write::Invited { hash } => match self.invitations.insert(*hash, false) {
                Some(true) => Ok(()),
                Some(false) | None => Err("there is no such invitation any more"),
            },
            Write::Pause { bot, pause } => self.pause(bot, pause.as_ref()),
            Write::Audit(_) | Write::RatingFormula(_) => Ok(()),
            Write::Ban { .. } | Write::ResultVoided(_) | Write::LiveRatingRemoved { .. } => {
                Err("no owner is banned, and no result is voided here")
            }
            Write::Match { spec, secret } => {
                if !spec.seats.iter().filter_map(player_of).all(|player| self.knows(player)) {
                    return Err("there is no such version");
                }
                let row = Row { spec: spec.clone(), secret: *secret, events: vec![], end: None };
                new(self.matches.insert(spec.id.clone(), Arc::new(row)))
            }
            Write::Event { id, seq, event } => {
                let row = self.row(id)?;
                if row.events.len() != *seq as usize {
                    return Err("there is a gap between the events");
                }
                row.events.push(event.clone());
                Ok(())
            }
            Write::Ended(ended) => self.end(ended),
            Write::LiveRating { pool, player, standing } => {
                let key = (pool.to_string(), player.clone());
                self.standings.insert(key, (*pool, *standing));
                Ok(())
            }
            Write::EndDelivered { id, bot } => {
                self.untold.remove(&(id.clone(), bot.clone()));
                Ok(())
            }
        }
    }

    fn add_bot(
        &mut self,
        bot: &BotId,
        house: bool,
        at: Wall,
        request: Option<Bytes32>,
    ) -> Result<(), &'static str> {
        if !self.owners.contains_key(bot.owner()) {
            return Err("there is no such owner");
        }
        let row = SavedBot {
            bot: bot.clone(),
            house,
            registered: at,
            versions: Vec::new(),
            pause: None,
            recent: Vec::new(),
            request,
        };
        new(self.bots.insert(bot.clone(), row))
    }

    fn add_version(&mut self, bot: &BotId, version: &Version) -> Result<(), &'static str> {
        let known = self.bots.get_mut(bot).ok_or("there is no such bot")?;
        if known.versions.contains(version) {
            return Err("the version is there already");
        }
        known.versions.push(version.clone());
        Ok(())
    }

    fn knows(&self, player: &Player) -> bool {
        self.bots.get(&player.bot).is_some_and(|bot| bot.versions.contains(&player.version))
    }

    fn pause(&mut self, bot: &BotId, pause: Option<&Pause>) -> Result<(), &'static str> {
        self.bots.get_mut(bot).ok_or("there is no such bot")?.pause = pause.cloned();
        Ok(())
    }

    /// A match that is not over.
    fn row(&mut self, id: &MatchId) -> Result<&mut Row, &'static str> {
        let row = self.matches.get_mut(id).ok_or("there is no such match")?;
        if row.end.is_some() { Err("the match is over") } else { Ok(Arc::make_mut(row)) }
    }

    fn end(&mut self, ended: &Ended) -> Result<(), &'static str> {
        let row = self.row(&ended.id)?;
        if row.spec.seats.len() != ended.seats.len() {
            return Err("there are other seats");
        }
        row.end = Some(ended.clone());
        let (pool, seats) = (row.spec.pool, row.spec.seats.clone());
        let bots = seats.iter().filter_map(player_of).map(|player| player.bot.clone());
        self.untold.extend(bots.map(|bot| (ended.id.clone(), bot)));
        self.ended.push(ended.id.clone());
        for (player, standing) in &ended.standings {
            self.standings.insert((pool.to_string(), player.clone()), (pool, *standing));
        }
        Ok(())
    }

    /// Whether the bot failed, for each of its last matches of the ladder.
    fn recent(&self, bot: &BotId) -> Vec<bool> {
        let failed = |id: &MatchId| {
            let row = &self.matches[id];
            let seat = row.spec.seats.iter().position(|seat| {
                row.spec.origin == Origin::Ladder
                    && player_of(seat).is_some_and(|player| player.bot == *bot)
            })?;
            let reason = row.end.as_ref()?.seats[seat].reason;
            let counts = !matches!(reason, EndReason::CalledOff | EndReason::ServerError);
            counts.then(|| reason.is_failure())
        };
        let mut recent: Vec<bool> = self.ended.iter().filter_map(failed).collect();
        recent.drain(..recent.len().saturating_sub(REMEMBERED));
        recent
    }
}

/// A row that must be new.
fn new<T>(before: Option<T>) -> Result<(), &'static str> {
    before.map_or(Ok(()), |_| Err("it is there already"))
}
