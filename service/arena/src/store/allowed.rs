//! What may be written next of a match, in the same words in every store.

use serde::Serialize;

use super::failure::conflict;
use super::{Ended, StoreError};
use crate::names::MatchId;

pub(super) fn absent(id: &MatchId) -> StoreError {
    conflict(format!("match {id} is not there"))
}

/// Whether event `seq` of a match may follow, if its next is `next`.
pub(super) fn event(id: &MatchId, seq: u32, next: i64, over: bool) -> Result<(), StoreError> {
    if over {
        Err(conflict(format!("match {id} is over")))
    } else if i64::from(seq) != next {
        Err(conflict(format!("event {seq} of match {id} is not the next, {next}")))
    } else {
        Ok(())
    }
}

/// Whether a match may end like this, if it has so many seats, so many of them of remote bots.
pub(super) fn end(end: &Ended, over: bool, seats: i64, remote: i64) -> Result<(), StoreError> {
    let id = &end.id;
    if over {
        Err(conflict(format!("match {id} is over already")))
    } else if usize::try_from(seats) != Ok(end.seats.len()) {
        Err(conflict(format!("match {id} has {seats} seats, its end {}", end.seats.len())))
    } else if end.rated && remote != seats {
        // Nobody could be named for that seat when the ratings are made again.
        Err(conflict(format!("match {id} has a seat of the house, so it is not rated")))
    } else {
        Ok(())
    }
}

/// Something of a match, as it is written down.
pub(super) fn text(id: &MatchId, value: &impl Serialize) -> Result<String, StoreError> {
    let text = serde_json::to_string(value);
    text.map_err(|_| StoreError::Failed(format!("match {id} cannot be written down")))
}
