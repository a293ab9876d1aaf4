//! Which writes about a match are allowed, the same for every database.

use serde::Serialize;

use super::failure::conflict;
use super::{Ended, StoreError};
use crate::names::MatchId;

pub(super) fn absent(id: &MatchId) -> StoreError {
    conflict(format!("match {id} does not exist"))
}

/// Whether event `seq` of a match may be written, if the next one is `next`.
pub(super) fn event(id: &MatchId, seq: u32, next: i64, over: bool) -> Result<(), StoreError> {
    if over {
        Err(conflict(format!("match {id} is over")))
    } else if i64::from(seq) != next {
        Err(conflict(format!("event {seq} of match {id} is not the next, {next}")))
    } else {
        Ok(())
    }
}

/// Whether a match with this many seats, of which `remote` belong to bots, may end like this.
pub(super) fn end(end: &Ended, over: bool, seats: i64, remote: i64) -> Result<(), StoreError> {
    let id = &end.id;
    if over {
        Err(conflict(format!("match {id} is over already")))
    } else if usize::try_from(seats) != Ok(end.seats.len()) {
        Err(conflict(format!("match {id} has {seats} seats, but its end has {}", end.seats.len())))
    } else if end.rated && remote != seats {
        // A recomputation of the ratings would have no player for that seat.
        Err(conflict(format!("match {id} has a seat that the server plays, so it cannot be rated")))
    } else {
        Ok(())
    }
}

/// A part of a match as JSON.
pub(super) fn text(id: &MatchId, value: &impl Serialize) -> Result<String, StoreError> {
    let text = serde_json::to_string(value);
    text.map_err(|_| StoreError::Failed(format!("match {id} cannot be serialised")))
}
