//! Rows as what they mean. A row that means nothing is named, never shown.

use std::collections::HashMap;
use std::fmt::Display;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use sqlx::{QueryBuilder, SqliteConnection};

use super::failure::{failed, unreadable};
use crate::moment::Wall;
use crate::names::Player;
use crate::record::{Bytes32, EndReason, Event};
use crate::store::{SavedMatch, StoreError};

/// The columns of [`MatchRow`].
pub(super) const COLUMNS: &str =
    "SELECT m.number, r.number, m.id, m.spec, m.secret, m.ended, r.rated";

/// Of matches `m` with their results `r`, if they have one. Texts are bytes here, so that one that
/// is broken can be told with the name of its match.
type MatchRow = (i64, Option<i64>, String, Vec<u8>, Vec<u8>, Option<i64>, Option<bool>);

/// A match with its places in both orders: of the calls, and of the ends.
pub(super) struct Placed {
    pub(super) number: i64,
    pub(super) result: Option<i64>,
    pub(super) saved: SavedMatch,
}

/// The matches that a query for [`COLUMNS`] finds, with all their events.
pub(super) async fn matches(
    store: &mut SqliteConnection,
    mut query: QueryBuilder<sqlx::Sqlite>,
) -> Result<Vec<Placed>, StoreError> {
    let rows: Vec<MatchRow> =
        query.build_query_as().fetch_all(&mut *store).await.map_err(failed)?;
    let mut events = events(store, &rows).await?;
    rows.into_iter()
        .map(|(number, result, id, spec, secret, ended, rated)| {
            let saved = SavedMatch {
                spec: json(&spec, format_args!("the agreement of match {id}"))?,
                secret: bytes32(&secret, format_args!("the secret of match {id}"))?,
                events: events.remove(&number).unwrap_or_default(),
                ended: ended.map(|at| Wall(at.cast_unsigned())),
                rated: rated.unwrap_or_default(),
            };
            Ok(Placed { number, result, saved })
        })
        .collect()
}

async fn events(
    store: &mut SqliteConnection,
    rows: &[MatchRow],
) -> Result<HashMap<i64, Vec<Event>>, StoreError> {
    let ids: HashMap<i64, &str> = rows.iter().map(|row| (row.0, row.2.as_str())).collect();
    let numbers: Vec<i64> = ids.keys().copied().collect();
    let numbers = serde_json::to_string(&numbers).map_err(|_| unreadable("a list of matches"))?;
    let select = "SELECT match_number, seq, payload FROM match_events
        WHERE match_number IN (SELECT value FROM json_each(?)) ORDER BY match_number, seq";
    let found: Vec<(i64, i64, Vec<u8>)> =
        sqlx::query_as(select).bind(numbers).fetch_all(store).await.map_err(failed)?;
    let mut events: HashMap<i64, Vec<Event>> = HashMap::new();
    for (number, seq, payload) in found {
        let id = ids.get(&number).copied().unwrap_or_default();
        let so_far = events.entry(number).or_default();
        if usize::try_from(seq) != Ok(so_far.len()) {
            return Err(unreadable(format_args!("match {id} lacks an event before {seq}: it")));
        }
        so_far.push(json(&payload, format_args!("event {seq} of match {id}"))?);
    }
    Ok(events)
}

/// What was wrong with it is not told: the reader's words would repeat it.
fn json<T: DeserializeOwned>(text: &[u8], what: impl Display) -> Result<T, StoreError> {
    serde_json::from_slice(text).map_err(|_| unreadable(what))
}

pub(super) fn bytes32(bytes: &[u8], what: impl Display) -> Result<Bytes32, StoreError> {
    bytes.try_into().map(Bytes32).map_err(|_| unreadable(what))
}

pub(super) fn name<T: FromStr>(text: &str, what: impl Display) -> Result<T, StoreError> {
    text.parse().map_err(|_| unreadable(format_args!("the name of {what}")))
}

pub(super) fn player(bot: &str, version: &str, what: impl Display) -> Result<Player, StoreError> {
    Ok(Player { bot: name(bot, &what)?, version: name(version, &what)? })
}

pub(super) fn reason(word: String, what: impl Display) -> Result<EndReason, StoreError> {
    serde_json::from_value(word.into())
        .map_err(|_| unreadable(format_args!("the end of a seat of {what}")))
}
