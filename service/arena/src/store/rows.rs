//! Rows of either database as domain values. Errors name an unreadable row and never show it.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::archive::{self, Unarchived};
use super::failure::unreadable;
use super::readable::log_damage;
use super::{Holder, Outcome, SavedMatch, StoreError};
use crate::names::Player;
use crate::record::{Bytes32, EndReason, Event, SeatEnd, Spec};
use crate::time::Wall;

/// A match `m` with its result `r`, if it has one: both numbers, id, spec, secret, end, whether it is
/// rated, and the summary. Texts are read as bytes, so that an error can name the match.
pub(super) type MatchRow =
    (i64, Option<i64>, Vec<u8>, Vec<u8>, Vec<u8>, Option<i64>, Option<bool>, Option<Vec<u8>>);

/// The number of a match, the number of an event in it, and the event.
pub(super) type EventRow = (i64, i64, Vec<u8>);

/// The number of a match, and its events in an archive.
pub(super) type ArchiveRow = (i64, Vec<u8>);

/// A match with its numbers.
pub(super) struct NumberedMatch {
    /// In the order of creation.
    pub(super) number: i64,
    /// In the order of ends.
    pub(super) result: Option<i64>,
    pub(super) id: String,
    /// The number of its next event.
    pub(super) next: i64,
    /// An error if one of its rows is damaged. Other matches are not affected.
    pub(super) saved: Result<SavedMatch, StoreError>,
}

/// Matches with their events: an archive, if there is one, and then rows, ordered by match and event.
pub(super) fn numbered_matches(
    rows: Vec<MatchRow>,
    found: Vec<EventRow>,
    archives: Vec<ArchiveRow>,
) -> Vec<NumberedMatch> {
    let mut events: HashMap<i64, Vec<EventRow>> = HashMap::new();
    for event in found {
        events.entry(event.0).or_default().push(event);
    }
    let mut archives: HashMap<i64, Vec<u8>> = archives.into_iter().collect();
    let numbered = |row: MatchRow| {
        let (number, result) = (row.0, row.1);
        let id = String::from_utf8_lossy(&row.2).into_owned();
        let events = events.remove(&number).unwrap_or_default();
        let next = events.last().map_or(0, |(_, seq, _)| seq.saturating_add(1));
        let events = match archives.remove(&number) {
            None => Ok(events),
            Some(archive) => unpack(&id, number, &archive, events),
        };
        let events = events.and_then(|events| read_events(&id, &events));
        let saved = events.and_then(|events| saved_match(row, &id, events));
        NumberedMatch { number, result, id, next, saved }
    };
    rows.into_iter().map(numbered).collect()
}

fn saved_match(row: MatchRow, id: &str, events: Vec<Event>) -> Result<SavedMatch, StoreError> {
    let (_, _, _, spec, secret, ended, rated, summary) = row;
    let spec: Spec = json(&spec, format_args!("the specification of match {id}"))?;
    if spec.id.as_str() != id {
        return Err(unreadable(format_args!("the id in the specification of match {id}")));
    }
    let summary = summary.map(|text| json(&text, format_args!("the summary of match {id}")));
    Ok(SavedMatch {
        spec,
        secret: bytes32(&secret, format_args!("the secret of match {id}"))?,
        events,
        ended: ended.map(|at| Wall(at.cast_unsigned())),
        rated: rated.unwrap_or_default(),
        summary: summary.transpose()?,
    })
}

fn read_events(id: &str, found: &[EventRow]) -> Result<Vec<Event>, StoreError> {
    let mut events = Vec::with_capacity(found.len());
    for (_, seq, payload) in found {
        if usize::try_from(*seq) != Ok(events.len()) {
            return Err(unreadable(format_args!("match {id} lacks an event before {seq}: it")));
        }
        events.push(json(payload, format_args!("event {seq} of match {id}"))?);
    }
    Ok(events)
}

/// The events of an archive, and then those that were added later.
fn unpack(
    id: &str,
    number: i64,
    archive: &[u8],
    later: Vec<EventRow>,
) -> Result<Vec<EventRow>, StoreError> {
    let unpacked = archive::unpack(archive);
    let unpacked = unpacked.map_err(|_| unreadable(format_args!("the archive of match {id}")))?;
    let archived = (0..).zip(unpacked).map(|(seq, event)| (number, seq, event));
    Ok(archived.chain(later).collect())
}

/// Matches to archive, in this order, with their events, which are ordered by match and event.
pub(super) fn unarchived(numbers: &[i64], found: Vec<EventRow>) -> Vec<Unarchived> {
    let mut events: BTreeMap<i64, Option<Vec<Vec<u8>>>> = BTreeMap::new();
    for (number, seq, event) in found {
        let of_match = events.entry(number).or_insert_with(|| Some(Vec::new()));
        match of_match {
            Some(before) if usize::try_from(seq) == Ok(before.len()) => before.push(event),
            // One is missing.
            Some(_) | None => *of_match = None,
        }
    }
    let unarchived =
        |&number| Unarchived { number, events: events.remove(&number).unwrap_or_default() };
    numbers.iter().map(unarchived).collect()
}

/// A seat of a result: the number of the result, match, block, pool, bot, version, and its end.
pub(super) type SeatRow = (i64, String, String, String, String, String, i16, String, i32);

/// Results from rows that are ordered by result and seat. Damaged ones are left out.
pub(super) fn outcomes(rows: &[SeatRow]) -> Vec<Outcome> {
    let read = |seats: &[SeatRow]| match outcome(seats) {
        Ok(outcome) => outcome,
        Err(damage) => {
            log_damage(seats.first().map_or("", |seat| &seat.1), &damage);
            None
        }
    };
    rows.chunk_by(|a, b| a.0 == b.0).filter_map(read).collect()
}

/// The result with these seats; none if there are none.
fn outcome(seats: &[SeatRow]) -> Result<Option<Outcome>, StoreError> {
    let Some((seq, id, block, pool, ..)) = seats.first() else { return Ok(None) };
    let what = format!("match {id}");
    let seat = |(.., bot, version, placement, reason_text, total): &SeatRow| {
        let end = SeatEnd {
            placement: number(*placement, &what)?,
            reason: reason(reason_text.clone(), &what)?,
            total: number(*total, &what)?,
        };
        Ok((player(bot, version, &what)?, end))
    };
    Ok(Some(Outcome {
        seq: *seq,
        id: name(id, &what)?,
        block: name(block, format_args!("the block of {what}"))?,
        pool: name(pool, format_args!("the pool of {what}"))?,
        seats: seats.iter().map(seat).collect::<Result<_, StoreError>>()?,
    }))
}

/// The cause is not shown: it would repeat the text.
fn json<T: DeserializeOwned>(text: &[u8], what: impl Display) -> Result<T, StoreError> {
    serde_json::from_slice(text).map_err(|_| unreadable(what))
}

pub(super) fn bytes32(bytes: &[u8], what: impl Display) -> Result<Bytes32, StoreError> {
    bytes.try_into().map(Bytes32).map_err(|_| unreadable(what))
}

pub(super) fn name<T: FromStr>(text: &str, what: impl Display) -> Result<T, StoreError> {
    text.parse().map_err(|_| unreadable(format_args!("the name of {what}")))
}

/// Whose token it is.
pub(super) fn holder(
    owner: Option<&str>,
    bot: Option<&str>,
    what: impl Display,
) -> Result<Holder, StoreError> {
    match (owner, bot) {
        (None, None) => Ok(Holder::Admin),
        (Some(owner), None) => name(owner, what).map(Holder::Owner),
        (None, Some(bot)) => name(bot, what).map(Holder::Bot),
        (Some(_), Some(_)) => Err(unreadable(what)),
    }
}

/// A text for people.
pub(super) fn note(stored: Vec<u8>, what: impl Display) -> Result<String, StoreError> {
    String::from_utf8(stored).map_err(|_| unreadable(format_args!("the note of {what}")))
}

pub(super) fn player(bot: &str, version: &str, what: impl Display) -> Result<Player, StoreError> {
    Ok(Player { bot: name(bot, &what)?, version: name(version, &what)? })
}

pub(super) fn reason(text: String, what: impl Display) -> Result<EndReason, StoreError> {
    serde_json::from_value(text.into())
        .map_err(|_| unreadable(format_args!("the end of a seat of {what}")))
}

/// Columns are wider than their values, which fit unless another program wrote them.
pub(super) fn number<T: TryFrom<N>, N>(stored: N, what: impl Display) -> Result<T, StoreError> {
    T::try_from(stored).map_err(|_| unreadable(format_args!("a number of {what}")))
}

/// A time span by the store's clock; zero if it is negative because the clock was set back.
pub(super) fn ago(milliseconds: i64) -> Duration {
    Duration::from_millis(u64::try_from(milliseconds).unwrap_or_default())
}
