//! Writes about matches, checked against the stored rows and against each other, as columns: so that
//! any number of rows is written with one statement per table.

use std::collections::{HashMap, HashSet};

use crate::names::{BotId, MatchId, Player};
use crate::rating::LiveRating;
use crate::record::{Bytes32, Origin, Spec};
use crate::store::constraints::{self, text};
use crate::store::failure::conflict;
use crate::store::sorted::MatchWrite;
use crate::store::{Ended, StoreError};

/// Where to continue a match. One that is created in this batch has no number yet.
pub(super) struct MatchCursor {
    pub(super) number: Option<i64>,
    pub(super) next: i64,
    pub(super) over: bool,
    pub(super) pool: String,
    pub(super) seats: i64,
    pub(super) remote: i64,
}

/// The stored matches and players that a batch refers to.
pub(super) struct Existing<'a> {
    pub(super) matches: HashMap<&'a str, MatchCursor>,
    pub(super) players: HashSet<(&'a str, &'a str)>,
}

/// The rows to write, as columns. Matches are identified by their ids: new ones have no number yet.
#[derive(Default)]
pub(super) struct Plan<'a> {
    pub(super) created: NewMatches<'a>,
    pub(super) seats: Seats<'a>,
    pub(super) events: Events<'a>,
    pub(super) ends: Ends<'a>,
    pub(super) standings: Standings<'a>,
    pub(super) delivered: Delivered<'a>,
}

#[derive(Default)]
pub(super) struct NewMatches<'a> {
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
    pub(super) summary: Vec<Option<String>>,
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

/// By pool and player; the last write wins.
pub(super) type Standings<'a> = HashMap<(String, &'a Player), &'a LiveRating>;

#[derive(Default)]
pub(super) struct Delivered<'a> {
    pub(super) id: Vec<&'a str>,
    pub(super) bot: Vec<&'a str>,
}

impl<'a> Plan<'a> {
    pub(super) fn of(
        run: &[MatchWrite<'a>],
        existing: &mut Existing<'a>,
    ) -> Result<Self, StoreError> {
        let mut plan = Self::default();
        for &write in run {
            match write {
                MatchWrite::Created { spec, secret } => plan.create(existing, spec, secret)?,
                MatchWrite::Event { id, seq, event } => {
                    let cursor = existing.cursor(id)?;
                    constraints::event(id, seq, cursor.next, cursor.over)?;
                    cursor.next += 1;
                    plan.events.id.push(id.as_str());
                    plan.events.seq.push(i64::from(seq));
                    plan.events.payload.push(text(id, event)?);
                }
                MatchWrite::Ended(end) => plan.end(existing, end)?,
                MatchWrite::LiveRating { pool, player, standing } => {
                    plan.set_standing(existing, pool.to_string(), player, standing)?;
                }
                MatchWrite::EndDelivered { id, bot } => plan.deliver(existing, id, bot),
            }
        }
        Ok(plan)
    }

    fn create(
        &mut self,
        existing: &mut Existing<'a>,
        spec: &'a Spec,
        secret: &'a Bytes32,
    ) -> Result<(), StoreError> {
        let id = &spec.id;
        if existing.matches.contains_key(id.as_str()) {
            return Err(conflict(format!("match {id} already exists")));
        }
        let mut remote = 0;
        for (number, seat) in (0..).zip(&spec.seats) {
            let player = seat.player();
            if let Some(player) = player {
                existing.check_player(player, format_args!("a seat of match {id}"))?;
                remote += 1;
            }
            self.seats.id.push(id.as_str());
            self.seats.seat.push(number);
            self.seats.bot.push(player.map(|player| player.bot.as_str()));
            self.seats.version.push(player.map(|player| player.version.as_str()));
        }
        let (pool, seats) = (spec.pool.to_string(), spec.seats.len().try_into());
        let seats = seats.unwrap_or(i64::MAX);
        self.created.id.push(id.as_str());
        self.created.pool.push(pool.clone());
        self.created.block.push(spec.block.as_str());
        self.created.ladder.push(spec.origin == Origin::Ladder);
        self.created.spec.push(text(id, spec)?);
        self.created.secret.push(&secret.0[..]);
        self.created.called.push(spec.called.0.cast_signed());
        let cursor = MatchCursor { number: None, next: 0, over: false, pool, seats, remote };
        existing.matches.insert(id.as_str(), cursor);
        Ok(())
    }

    fn end(&mut self, existing: &mut Existing<'a>, end: &'a Ended) -> Result<(), StoreError> {
        let id = &end.id;
        let cursor = existing.cursor(id)?;
        constraints::end(end, cursor.over, cursor.seats, cursor.remote)?;
        cursor.over = true;
        let pool = cursor.pool.clone();
        self.ends.id.push(id.as_str());
        self.ends.at.push(end.at.0.cast_signed());
        self.ends.rated.push(end.rated);
        let summary = end.summary.as_ref().map(|summary| text(id, summary)).transpose()?;
        self.ends.summary.push(summary);
        for (number, seat) in (0..).zip(&end.seats) {
            let ends = &mut self.ends.seats;
            ends.id.push(id.as_str());
            ends.seat.push(number);
            ends.placement.push(seat.placement.into());
            ends.reason.push(text(id, &seat.reason)?.trim_matches('"').to_owned());
            ends.total.push(seat.total.into());
        }
        for (player, standing) in &end.standings {
            self.set_standing(existing, pool.clone(), player, standing)?;
        }
        Ok(())
    }

    fn set_standing(
        &mut self,
        existing: &Existing<'a>,
        pool: String,
        player: &'a Player,
        standing: &'a LiveRating,
    ) -> Result<(), StoreError> {
        existing.check_player(player, format_args!("the standing of {player} in {pool}"))?;
        if [standing.mean, standing.deviation, standing.wins].iter().any(|part| part.is_nan()) {
            return Err(conflict(format!(
                "the standing of {player} in {pool} has an invalid value"
            )));
        }
        self.standings.insert((pool, player), standing);
        Ok(())
    }

    /// A match that is not over has no end to deliver.
    fn deliver(&mut self, existing: &Existing<'a>, id: &'a MatchId, bot: &'a BotId) {
        if existing.matches.get(id.as_str()).is_some_and(|cursor| cursor.over) {
            self.delivered.id.push(id.as_str());
            self.delivered.bot.push(bot.as_str());
        }
    }
}

impl Existing<'_> {
    fn cursor(&mut self, id: &MatchId) -> Result<&mut MatchCursor, StoreError> {
        self.matches.get_mut(id.as_str()).ok_or_else(|| constraints::absent(id))
    }

    fn check_player(
        &self,
        player: &Player,
        what: impl std::fmt::Display,
    ) -> Result<(), StoreError> {
        if self.players.contains(&(player.bot.as_str(), player.version.as_str())) {
            return Ok(());
        }
        Err(conflict(format!("{what} refers to something that does not exist")))
    }
}

/// The matches that a batch refers to, each once.
pub(super) fn matches_of<'a>(run: &[MatchWrite<'a>]) -> Vec<&'a str> {
    let mut ids: Vec<&str> = run
        .iter()
        .filter_map(|write| match write {
            MatchWrite::Created { spec, .. } => Some(spec.id.as_str()),
            MatchWrite::Event { id, .. } | MatchWrite::EndDelivered { id, .. } => Some(id.as_str()),
            MatchWrite::Ended(end) => Some(end.id.as_str()),
            MatchWrite::LiveRating { .. } => None,
        })
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The players that a batch refers to, each once.
pub(super) fn players_of<'a>(run: &[MatchWrite<'a>]) -> HashSet<(&'a str, &'a str)> {
    let mut players = HashSet::new();
    for write in run {
        match write {
            MatchWrite::Created { spec, .. } => {
                players.extend(spec.seats.iter().filter_map(|seat| seat.player()).map(names));
            }
            MatchWrite::Ended(end) => {
                players.extend(end.standings.iter().map(|(player, _)| names(player)));
            }
            MatchWrite::LiveRating { player, .. } => {
                players.insert(names(player));
            }
            MatchWrite::Event { .. } | MatchWrite::EndDelivered { .. } => {}
        }
    }
    players
}

fn names(player: &Player) -> (&str, &str) {
    (player.bot.as_str(), player.version.as_str())
}
