//! Reading matches and results.

use std::time::Duration;

use sqlx::{Connection as _, QueryBuilder, SqliteConnection, Transaction};

use crate::names::MatchId;
use crate::record::Bytes32;
use crate::store::failure::{failed, unreadable};
use crate::store::page::Page;
use crate::store::readable::ReadablePage;
use crate::store::rows::{self, EventRow, MatchRow, NumberedMatch};
use crate::store::{Filter, Outcome, SavedMatch, StoreError};

/// The columns of [`MatchRow`].
pub(super) const COLUMNS: &str =
    "SELECT m.number, r.number, m.id, m.spec, m.secret, m.ended, r.rated, r.summary";

const PAGE: Page = Page {
    columns: COLUMNS,
    of_a_bot: " FROM seats s CROSS JOIN matches m ON m.number = s.match_number",
};

/// Which matches are read with their events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Events {
    All,
    /// Only those without a summary.
    IfNeeded,
}

/// The matches that a query for [`COLUMNS`] finds.
pub(super) async fn matches(
    store: &mut SqliteConnection,
    mut query: QueryBuilder<sqlx::Sqlite>,
    events: Events,
) -> Result<Vec<NumberedMatch>, StoreError> {
    let rows: Vec<MatchRow> =
        query.build_query_as().fetch_all(&mut *store).await.map_err(failed)?;
    let needed = rows.iter().filter(|row| events == Events::All || row.7.is_none());
    let numbers: Vec<i64> = needed.map(|row| row.0).collect();
    let numbers = list_of(&numbers)?;
    let found = events_of(store, &numbers).await?;
    let archives = "SELECT match_number, events FROM match_archives
        WHERE match_number IN (SELECT value FROM json_each(?))";
    let archives = sqlx::query_as(archives).bind(numbers).fetch_all(store).await.map_err(failed)?;
    Ok(rows::numbered_matches(rows, found, archives))
}

/// A list of numbers as a parameter.
pub(super) fn list_of(numbers: &[i64]) -> Result<String, StoreError> {
    serde_json::to_string(numbers).map_err(|_| unreadable("a list of matches"))
}

/// The events of these matches, as far as they are not archived.
pub(super) async fn events_of(
    store: &mut SqliteConnection,
    numbers: &str,
) -> Result<Vec<EventRow>, StoreError> {
    let select = "SELECT match_number, seq, payload FROM match_events
        WHERE match_number IN (SELECT value FROM json_each(?)) ORDER BY match_number, seq";
    sqlx::query_as(select).bind(numbers).fetch_all(store).await.map_err(failed)
}

/// A transaction in which all reads see the same state. It is refused if another one is open on this
/// connection, which would show an old state.
pub(super) async fn snapshot(
    store: &mut SqliteConnection,
) -> Result<Transaction<'_, sqlx::Sqlite>, StoreError> {
    store.begin_with("BEGIN").await.map_err(failed)
}

pub(super) async fn has_token(
    store: &mut SqliteConnection,
    hash: &Bytes32,
) -> Result<bool, StoreError> {
    let known = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM tokens WHERE hash = ?)");
    known.bind(&hash.0[..]).fetch_one(store).await.map_err(failed)
}

pub(super) async fn holder(
    store: &mut SqliteConnection,
) -> Result<Option<(String, Duration)>, StoreError> {
    let ago = "SELECT holder, CAST(unixepoch('subsec') * 1000 AS INTEGER) - renewed FROM lease";
    let row: Option<(String, i64)> =
        sqlx::query_as(ago).fetch_optional(store).await.map_err(failed)?;
    Ok(row.map(|(holder, ago)| (holder, rows::ago(ago))))
}

pub(super) async fn find(
    store: &mut SqliteConnection,
    id: &MatchId,
) -> Result<Option<SavedMatch>, StoreError> {
    let mut snapshot = snapshot(store).await?;
    let mut query = QueryBuilder::new(COLUMNS);
    query.push(" FROM matches m LEFT JOIN results r ON r.match_number = m.number WHERE m.id = ");
    query.push_bind(id.as_str());
    let found = matches(&mut snapshot, query, Events::All).await?;
    found.into_iter().next().map(|found| found.saved).transpose()
}

pub(super) async fn list(
    store: &mut SqliteConnection,
    filter: &Filter,
    mut before: Option<i64>,
    most: u32,
) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
    let mut snapshot = snapshot(store).await?;
    let mut page = ReadablePage::of(most);
    loop {
        let query = PAGE.of(filter, before, page.missing());
        let found = matches(&mut snapshot, query, Events::IfNeeded).await?;
        before = page.add(found, |found| Some(found.number));
        if before.is_none() {
            return Ok(page.into_found());
        }
    }
}

pub(super) async fn ended(
    store: &mut SqliteConnection,
    mut after: i64,
    most: u32,
) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
    let mut snapshot = snapshot(store).await?;
    let mut page = ReadablePage::of(most);
    loop {
        let mut query = QueryBuilder::new(COLUMNS);
        query.push(" FROM results r JOIN matches m ON m.number = r.match_number WHERE r.number > ");
        query.push_bind(after).push(" ORDER BY r.number LIMIT ");
        query.push_bind(i64::from(page.missing()));
        let found = matches(&mut snapshot, query, Events::All).await?;
        match page.add(found, |found| found.result) {
            Some(last) => after = last,
            None => return Ok(page.into_found()),
        }
    }
}

pub(super) async fn outcomes(
    store: &mut SqliteConnection,
    after: i64,
    most: u32,
) -> Result<Vec<Outcome>, StoreError> {
    let select = "SELECT r.number, m.id, m.spec ->> 'block', m.pool, s.bot, s.version,
            s.placement, s.reason, s.total
        FROM (SELECT number, match_number FROM results
            WHERE rated AND number > ? ORDER BY number LIMIT ?) r
        JOIN matches m ON m.number = r.match_number
        JOIN seats s ON s.match_number = r.match_number
        ORDER BY r.number, s.seat";
    let page = sqlx::query_as(select).bind(after).bind(i64::from(most));
    Ok(rows::outcomes(&page.fetch_all(store).await.map_err(failed)?))
}
