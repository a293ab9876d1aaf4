//! A run of writes, checked against what is there and against each other, as columns of the rows that
//! it makes: so that any number of them are written with one statement a table.

use std::collections::{HashMap, HashSet};

use crate::names::{BotId, MatchId, Player};
use crate::rating::Standing;
use crate::record::{Bytes32, Origin, Spec};
use crate::store::allowed::{self, text};
use crate::store::failure::conflict;
use crate::store::{Ended, StoreError, Write};

/// Where a match stands. One that is called only here has no number yet.
pub(super) struct Standpoint {
    pub(super) number: Option<i64>,
    pub(super) next: i64,
    pub(super) over: bool,
    pub(super) pool: String,
    pub(super) seats: i64,
    pub(super) remote: i64,
}

/// What is there already of all that a run speaks of.
pub(super) struct There<'a> {
    pub(super) matches: HashMap<&'a str, Standpoint>,
    pub(super) players: HashSet<(&'a str, &'a str)>,
}

/// Rows by their columns. A match is named by its id: the database gives it its number.
#[derive(Default)]
pub(super) struct Plan<'a> {
    pub(super) calls: Calls<'a>,
    pub(super) seats: Seats<'a>,
    pub(super) events: Events<'a>,
    pub(super) ends: Ends<'a>,
    pub(super) standings: Standings<'a>,
    pub(super) told: Told<'a>,
}

#[derive(Default)]
pub(super) struct Calls<'a> {
    pub(super) id: Vec<&'a str>,
    pub(super) pool: Vec<String>,
    pub(super) block: Vec<&'a str>,
    pub(super) ladder: Vec<bool>,
    pub(super) spec: Vec<String>,
    pub(super) secret: Vec<&'a [u8]>,
    pub(super) called: Vec<i64>,
}

#[derive(Default)]
pub(super) struct Seats<'a> {
    pub(super) id: Vec<&'a str>,
    pub(super) seat: Vec<i16>,
    pub(super) bot: Vec<Option<&'a str>>,
    pub(super) version: Vec<Option<&'a str>>,
}

#[derive(Default)]
pub(super) struct Events<'a> {
    pub(super) id: Vec<&'a str>,
    pub(super) seq: Vec<i64>,
    pub(super) payload: Vec<String>,
}

#[derive(Default)]
pub(super) struct Ends<'a> {
    pub(super) id: Vec<&'a str>,
    pub(super) at: Vec<i64>,
    pub(super) rated: Vec<bool>,
    pub(super) seats: SeatEnds<'a>,
}

#[derive(Default)]
pub(super) struct SeatEnds<'a> {
    pub(super) id: Vec<&'a str>,
    pub(super) seat: Vec<i16>,
    pub(super) placement: Vec<i16>,
    pub(super) reason: Vec<String>,
    pub(super) total: Vec<i32>,
}

/// The last of each counts.
pub(super) type Standings<'a> = HashMap<(String, &'a Player), &'a Standing>;

#[derive(Default)]
pub(super) struct Told<'a> {
    pub(super) id: Vec<&'a str>,
    pub(super) bot: Vec<&'a str>,
}

impl<'a> Plan<'a> {
    pub(super) fn of(run: &'a [Write], there: &mut There<'a>) -> Result<Self, StoreError> {
        let mut plan = Self::default();
        for write in run {
            match write {
                Write::Match { spec, secret } => plan.call(there, spec, secret)?,
                Write::Event { id, seq, event } => {
                    let place = there.place(id)?;
                    allowed::event(id, *seq, place.next, place.over)?;
                    place.next += 1;
                    plan.events.id.push(id.as_str());
                    plan.events.seq.push(i64::from(*seq));
                    plan.events.payload.push(text(id, event)?);
                }
                Write::Ended(end) => plan.end(there, end)?,
                Write::Standing { pool, player, standing } => {
                    plan.stand(there, pool.to_string(), player, standing)?;
                }
                Write::Told { id, bot } => plan.tell(there, id, bot),
                Write::Owner { .. }
                | Write::Bot { .. }
                | Write::Version { .. }
                | Write::Token(_)
                | Write::Revoked { .. }
                | Write::Invitation { .. }
                | Write::Invited { .. }
                | Write::Pause { .. } => {}
            }
        }
        Ok(plan)
    }

    fn call(
        &mut self,
        there: &mut There<'a>,
        spec: &'a Spec,
        secret: &'a Bytes32,
    ) -> Result<(), StoreError> {
        let id = &spec.id;
        if there.matches.contains_key(id.as_str()) {
            return Err(conflict(format!("match {id} is there already")));
        }
        let mut remote = 0;
        for (place, seat) in (0..).zip(&spec.seats) {
            let player = seat.player();
            if let Some(player) = player {
                there.know(player, format_args!("a seat of match {id}"))?;
                remote += 1;
            }
            self.seats.id.push(id.as_str());
            self.seats.seat.push(place);
            self.seats.bot.push(player.map(|player| player.bot.as_str()));
            self.seats.version.push(player.map(|player| player.version.as_str()));
        }
        let (pool, seats) = (spec.pool.to_string(), spec.seats.len().try_into());
        let seats = seats.unwrap_or(i64::MAX);
        self.calls.id.push(id.as_str());
        self.calls.pool.push(pool.clone());
        self.calls.block.push(spec.block.as_str());
        self.calls.ladder.push(spec.origin == Origin::Ladder);
        self.calls.spec.push(text(id, spec)?);
        self.calls.secret.push(&secret.0[..]);
        self.calls.called.push(spec.called.0.cast_signed());
        let place = Standpoint { number: None, next: 0, over: false, pool, seats, remote };
        there.matches.insert(id.as_str(), place);
        Ok(())
    }

    fn end(&mut self, there: &mut There<'a>, end: &'a Ended) -> Result<(), StoreError> {
        let id = &end.id;
        let place = there.place(id)?;
        allowed::end(end, place.over, place.seats, place.remote)?;
        place.over = true;
        let pool = place.pool.clone();
        self.ends.id.push(id.as_str());
        self.ends.at.push(end.at.0.cast_signed());
        self.ends.rated.push(end.rated);
        for (place, seat) in (0..).zip(&end.seats) {
            let ends = &mut self.ends.seats;
            ends.id.push(id.as_str());
            ends.seat.push(place);
            ends.placement.push(seat.placement.into());
            ends.reason.push(text(id, &seat.reason)?.trim_matches('"').to_owned());
            ends.total.push(seat.total.into());
        }
        for (player, standing) in &end.standings {
            self.stand(there, pool.clone(), player, standing)?;
        }
        Ok(())
    }

    fn stand(
        &mut self,
        there: &There<'a>,
        pool: String,
        player: &'a Player,
        standing: &'a Standing,
    ) -> Result<(), StoreError> {
        there.know(player, format_args!("the standing of {player} in {pool}"))?;
        if [standing.mean, standing.deviation, standing.wins].iter().any(|part| part.is_nan()) {
            return Err(conflict(format!(
                "the standing of {player} in {pool} cannot be like this"
            )));
        }
        self.standings.insert((pool, player), standing);
        Ok(())
    }

    /// Of a match that is not over nobody is told anything.
    fn tell(&mut self, there: &There<'a>, id: &'a MatchId, bot: &'a BotId) {
        if there.matches.get(id.as_str()).is_some_and(|place| place.over) {
            self.told.id.push(id.as_str());
            self.told.bot.push(bot.as_str());
        }
    }
}

impl There<'_> {
    fn place(&mut self, id: &MatchId) -> Result<&mut Standpoint, StoreError> {
        self.matches.get_mut(id.as_str()).ok_or_else(|| allowed::absent(id))
    }

    fn know(&self, player: &Player, what: impl std::fmt::Display) -> Result<(), StoreError> {
        if self.players.contains(&(player.bot.as_str(), player.version.as_str())) {
            return Ok(());
        }
        Err(conflict(format!("{what} belongs to something that is not there")))
    }
}

/// The matches that a run speaks of, each once.
pub(super) fn matches_of(run: &[Write]) -> Vec<&str> {
    let mut ids: Vec<&str> = run.iter().filter_map(match_of).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn match_of(write: &Write) -> Option<&str> {
    match write {
        Write::Match { spec, .. } => Some(spec.id.as_str()),
        Write::Event { id, .. } | Write::Told { id, .. } => Some(id.as_str()),
        Write::Ended(end) => Some(end.id.as_str()),
        Write::Standing { .. }
        | Write::Owner { .. }
        | Write::Bot { .. }
        | Write::Version { .. }
        | Write::Token(_)
        | Write::Revoked { .. }
        | Write::Invitation { .. }
        | Write::Invited { .. }
        | Write::Pause { .. } => None,
    }
}

/// The players that a run speaks of, each once.
pub(super) fn players_of(run: &[Write]) -> HashSet<(&str, &str)> {
    let mut players = HashSet::new();
    for write in run {
        match write {
            Write::Match { spec, .. } => {
                players.extend(spec.seats.iter().filter_map(|seat| seat.player()).map(names));
            }
            Write::Ended(end) => {
                players.extend(end.standings.iter().map(|(player, _)| names(player)));
            }
            Write::Standing { player, .. } => {
                players.insert(names(player));
            }
            Write::Event { .. }
            | Write::Told { .. }
            | Write::Owner { .. }
            | Write::Bot { .. }
            | Write::Version { .. }
            | Write::Token(_)
            | Write::Revoked { .. }
            | Write::Invitation { .. }
            | Write::Invited { .. }
            | Write::Pause { .. } => {}
        }
    }
    players
}

fn names(player: &Player) -> (&str, &str) {
    (player.bot.as_str(), player.version.as_str())
}
