//! Reading matches and results.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::{Postgres, QueryBuilder};

use super::snapshot;
use crate::names::MatchId;
use crate::record::Bytes32;
use crate::store::failure::failed;
use crate::store::page::Page;
use crate::store::readable::ReadablePage;
use crate::store::rows::{self, EventRow, MatchRow, NumberedMatch};
use crate::store::{Filter, Outcome, SavedMatch, StoreError};

/// The columns of [`MatchRow`].
pub(super) const COLUMNS: &str = "SELECT m.number, r.number, convert_to(m.id, 'UTF8'),
    convert_to(m.spec, 'UTF8'), m.secret, m.ended, r.rated, convert_to(r.summary, 'UTF8')";

const PAGE: Page = Page {
    columns: COLUMNS,
    of_a_bot: " FROM seats s JOIN matches m ON m.number = s.match_number",
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
    snapshot: &mut PgConnection,
    mut query: QueryBuilder<Postgres>,
    events: Events,
) -> Result<Vec<NumberedMatch>, StoreError> {
    let rows: Vec<MatchRow> =
        query.build_query_as().fetch_all(&mut *snapshot).await.map_err(failed)?;
    let needed = rows.iter().filter(|row| events == Events::All || row.7.is_none());
    let numbers: Vec<i64> = needed.map(|row| row.0).collect();
    let found = events_of(snapshot, &numbers).await?;
    let archives = "SELECT match_number, events FROM match_archives WHERE match_number = ANY($1)";
    let archives =
        sqlx::query_as(archives).bind(numbers).fetch_all(snapshot).await.map_err(failed)?;
    Ok(rows::numbered_matches(rows, found, archives))
}

/// The events of these matches, as far as they are not archived.
pub(super) async fn events_of(
    reader: &mut PgConnection,
    numbers: &[i64],
) -> Result<Vec<EventRow>, StoreError> {
    let select = "SELECT match_number, seq, convert_to(payload, 'UTF8') FROM match_events
        WHERE match_number = ANY($1) ORDER BY match_number, seq";
    sqlx::query_as(select).bind(numbers).fetch_all(reader).await.map_err(failed)
}

pub(super) async fn holder(
    store: &mut PgConnection,
) -> Result<Option<(String, Duration)>, StoreError> {
    let ago = "SELECT holder,
        (extract(epoch FROM clock_timestamp() - renewed) * 1000)::bigint FROM lease";
    let row: Option<(String, i64)> =
        sqlx::query_as(ago).fetch_optional(store).await.map_err(failed)?;
    Ok(row.map(|(holder, ago)| (holder, rows::ago(ago))))
}

pub(super) async fn has_token(
    reader: &mut PgConnection,
    hash: &Bytes32,
) -> Result<bool, StoreError> {
    let known = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM tokens WHERE hash = $1)");
    known.bind(&hash.0[..]).fetch_one(reader).await.map_err(failed)
}

pub(super) async fn find(
    reader: &mut PgConnection,
    id: &MatchId,
) -> Result<Option<SavedMatch>, StoreError> {
    let mut snapshot = snapshot(reader).await?;
    let mut query = QueryBuilder::new(COLUMNS);
    query.push(" FROM matches m LEFT JOIN results r ON r.match_number = m.number WHERE m.id = ");
    query.push_bind(id.as_str().to_owned());
    let found = matches(&mut snapshot, query, Events::All).await?;
    found.into_iter().next().map(|found| found.saved).transpose()
}

pub(super) async fn list(
    reader: &mut PgConnection,
    filter: &Filter,
    mut before: Option<i64>,
    most: u32,
) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
    let mut snapshot = snapshot(reader).await?;
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
    reader: &mut PgConnection,
    mut after: i64,
    most: u32,
) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
    let mut snapshot = snapshot(reader).await?;
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
    store: &mut PgConnection,
    after: i64,
    most: u32,
) -> Result<Vec<Outcome>, StoreError> {
    let select = "SELECT r.number, m.id, m.block, m.pool, s.bot, s.version,
            s.placement, s.reason, s.total
        FROM (SELECT number, match_number FROM results
            WHERE rated AND number > $1 ORDER BY number LIMIT $2) r
        JOIN matches m ON m.number = r.match_number
        JOIN seats s ON s.match_number = r.match_number
        ORDER BY r.number, s.seat";
    let page = sqlx::query_as(select).bind(after).bind(i64::from(most));
    Ok(rows::outcomes(&page.fetch_all(store).await.map_err(failed)?))
}
