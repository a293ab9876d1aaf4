//! Reading matches and results, page by page.

use sqlx::{QueryBuilder, SqliteConnection};

use crate::names::MatchId;
use crate::store::failure::{failed, unreadable};
use crate::store::rows::{self, EventRow, MatchRow, Placed};
use crate::store::{Filter, Outcome, SavedMatch, StoreError};

/// The columns of [`MatchRow`].
pub(super) const COLUMNS: &str =
    "SELECT m.number, r.number, m.id, m.spec, m.secret, m.ended, r.rated";

/// The matches that a query for [`COLUMNS`] finds, with all their events.
pub(super) async fn matches(
    store: &mut SqliteConnection,
    mut query: QueryBuilder<sqlx::Sqlite>,
) -> Result<Vec<Placed>, StoreError> {
    let rows: Vec<MatchRow> =
        query.build_query_as().fetch_all(&mut *store).await.map_err(failed)?;
    let numbers: Vec<i64> = rows.iter().map(|row| row.0).collect();
    let numbers = serde_json::to_string(&numbers).map_err(|_| unreadable("a list of matches"))?;
    let select = "SELECT match_number, seq, payload FROM match_events
        WHERE match_number IN (SELECT value FROM json_each(?)) ORDER BY match_number, seq";
    let events: Vec<EventRow> =
        sqlx::query_as(select).bind(numbers).fetch_all(store).await.map_err(failed)?;
    rows::placed(rows, &events)
}

pub(super) async fn find(
    store: &mut SqliteConnection,
    id: &MatchId,
) -> Result<Option<SavedMatch>, StoreError> {
    let mut query = QueryBuilder::new(COLUMNS);
    query.push(" FROM matches m LEFT JOIN results r ON r.match_number = m.number WHERE m.id = ");
    query.push_bind(id.as_str());
    let found = matches(store, query).await?;
    Ok(found.into_iter().next().map(|found| found.saved))
}

pub(super) async fn list(
    store: &mut SqliteConnection,
    filter: &Filter,
    before: Option<i64>,
    most: u32,
) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
    let page = matches(store, page(filter, before, most)).await?;
    Ok(page.into_iter().map(|found| (found.number, found.saved)).collect())
}

/// It walks an index from the newest match downwards and stops after a page, however many matches
/// there are: those of a bot by its seats, all others by their numbers.
fn page(filter: &Filter, before: Option<i64>, most: u32) -> QueryBuilder<sqlx::Sqlite> {
    let Filter { bot, pool, ended } = filter;
    let mut query = QueryBuilder::new(COLUMNS);
    let number = if bot.is_some() { "s.match_number" } else { "m.number" };
    query.push(match bot {
        Some(_) => " FROM seats s CROSS JOIN matches m ON m.number = s.match_number",
        None => " FROM matches m",
    });
    query.push(" LEFT JOIN results r ON r.match_number = m.number WHERE ");
    query.push(number).push(" < ").push_bind(before.unwrap_or(i64::MAX));
    if let Some(bot) = bot {
        query.push(" AND s.bot = ").push_bind(bot.as_str().to_owned());
        // A bot that plays itself has two seats, but the match is listed once.
        query.push(
            " AND s.seat = (SELECT min(seat) FROM seats t
                WHERE t.match_number = s.match_number AND t.bot = s.bot)",
        );
    }
    if let Some(pool) = pool {
        query.push(" AND m.pool = ").push_bind(pool.to_string());
    }
    match (ended, bot) {
        (Some(true), _) => query.push(" AND m.ended IS NOT NULL"),
        (Some(false), None) => query.push(" AND m.ended IS NULL"),
        (Some(false), Some(_)) => query.push(" AND s.result_number IS NULL"),
        (None, _) => &mut query,
    };
    query.push(" ORDER BY ").push(number).push(" DESC LIMIT ").push_bind(i64::from(most));
    query
}

pub(super) async fn ended(
    store: &mut SqliteConnection,
    after: i64,
    most: u32,
) -> Result<Vec<(i64, SavedMatch)>, StoreError> {
    let mut query = QueryBuilder::new(COLUMNS);
    query.push(" FROM results r JOIN matches m ON m.number = r.match_number WHERE r.number > ");
    query.push_bind(after).push(" ORDER BY r.number LIMIT ").push_bind(i64::from(most));
    let page = matches(store, query).await?;
    Ok(page.into_iter().filter_map(|found| Some((found.result?, found.saved))).collect())
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
    rows::outcomes(page.fetch_all(store).await.map_err(failed)?)
}
