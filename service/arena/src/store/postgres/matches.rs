//! Writing matches, their events and their ends: a few statements per batch, however many matches
//! it contains.

use std::collections::{HashMap, HashSet};

use sqlx::postgres::PgConnection;

use super::plan::{Delivered, Ends, Events, Existing, MatchCursor, NewMatches, Plan};
use super::plan::{Seats, Standings, matches_of, players_of};
use crate::store::failure::{failed, refused};
use crate::store::sorted::MatchWrite;
use crate::store::{Epoch, StoreError};

/// Numbers of matches by their ids.
type Numbers<'a> = HashMap<&'a str, i64>;

pub(super) async fn apply(
    batch: &mut PgConnection,
    epoch: Epoch,
    run: &[MatchWrite<'_>],
) -> Result<(), StoreError> {
    let ids = matches_of(run);
    let mut existing = Existing {
        matches: cursors(batch, &ids).await?,
        players: players(batch, players_of(run)).await?,
    };
    let plan = Plan::of(run, &mut existing)?;
    let old = existing.matches.iter().filter_map(|(id, cursor)| Some((*id, cursor.number?)));
    let mut numbers: Numbers<'_> = old.collect();
    if !plan.created.id.is_empty() {
        create(batch, &plan.created, &plan.seats, &mut numbers).await?;
    }
    if !plan.events.id.is_empty() {
        add_events(batch, epoch, &plan.events, &numbers).await?;
    }
    if !plan.ends.id.is_empty() {
        end(batch, &plan.ends, &numbers).await?;
    }
    if !plan.standings.is_empty() {
        set_standings(batch, &plan.standings).await?;
    }
    if !plan.delivered.id.is_empty() {
        deliver(batch, &plan.delivered, &numbers).await?;
    }
    Ok(())
}

fn in_order(ids: &[&str], numbers: &Numbers<'_>) -> Vec<i64> {
    ids.iter().filter_map(|id| numbers.get(id).copied()).collect()
}

/// The position of the match in the query, its number, its next event, whether it is over, its pool,
/// the number of its seats, and how many of them belong to bots.
type CursorRow = (i64, i64, i64, bool, String, i64, i64);

async fn cursors<'a>(
    batch: &mut PgConnection,
    ids: &[&'a str],
) -> Result<HashMap<&'a str, MatchCursor>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let select = "SELECT a.place, m.number, coalesce((SELECT max(seq) + 1 FROM match_events e
                WHERE e.match_number = m.number), 0), m.ended IS NOT NULL, m.pool,
            (SELECT count(*) FROM seats s WHERE s.match_number = m.number),
            (SELECT count(bot) FROM seats s WHERE s.match_number = m.number)
        FROM unnest($1::text[]) WITH ORDINALITY AS a (id, place) JOIN matches m USING (id)";
    let rows: Vec<CursorRow> =
        sqlx::query_as(select).bind(ids).fetch_all(batch).await.map_err(failed)?;
    let cursor = |(position, number, next, over, pool, seats, remote): CursorRow| {
        let id = ids.get(usize::try_from(position).ok()?.checked_sub(1)?)?;
        Some((*id, MatchCursor { number: Some(number), next, over, pool, seats, remote }))
    };
    Ok(rows.into_iter().filter_map(cursor).collect())
}

/// The players that exist.
async fn players<'a>(
    batch: &mut PgConnection,
    named: HashSet<(&'a str, &'a str)>,
) -> Result<HashSet<(&'a str, &'a str)>, StoreError> {
    if named.is_empty() {
        return Ok(named);
    }
    let named: Vec<(&str, &str)> = named.into_iter().collect();
    let (bots, versions): (Vec<&str>, Vec<&str>) = named.iter().copied().unzip();
    let select = "SELECT a.place FROM unnest($1::text[], $2::text[])
            WITH ORDINALITY AS a (bot, version, place) JOIN versions v USING (bot, version)";
    let found = sqlx::query_scalar(select).bind(bots).bind(versions);
    let found: Vec<i64> = found.fetch_all(batch).await.map_err(failed)?;
    let player =
        |position: i64| named.get(usize::try_from(position).ok()?.checked_sub(1)?).copied();
    Ok(found.into_iter().filter_map(player).collect())
}

/// Matches get their numbers in the order of creation.
async fn create<'a>(
    batch: &mut PgConnection,
    created: &NewMatches<'a>,
    seats: &Seats<'a>,
    numbers: &mut Numbers<'a>,
) -> Result<(), StoreError> {
    let insert = "WITH called AS (
            INSERT INTO matches (id, pool, block, ladder, spec, secret, called)
            SELECT id, pool, block, ladder, spec, secret, called
            FROM unnest($1::text[], $2::text[], $3::text[], $4::bool[], $5::text[], $6::bytea[],
                $7::bigint[]) WITH ORDINALITY
                AS a (id, pool, block, ladder, spec, secret, called, place)
            ORDER BY place RETURNING id, number
        ), seated AS (
            INSERT INTO seats (match_number, seat, bot, version)
            SELECT number, seat, bot, version
            FROM unnest($8::text[], $9::smallint[], $10::text[], $11::text[])
                AS a (id, seat, bot, version) JOIN called USING (id)
        )
        SELECT number FROM called ORDER BY number";
    let assigned: Vec<i64> = sqlx::query_scalar(insert)
        .bind(&created.id)
        .bind(&created.pool)
        .bind(&created.block)
        .bind(&created.ladder)
        .bind(&created.spec)
        .bind(&created.secret)
        .bind(&created.called)
        .bind(&seats.id)
        .bind(&seats.seat)
        .bind(&seats.bot)
        .bind(&seats.version)
        .fetch_all(batch)
        .await
        .map_err(refused("a match or its seat"))?;
    numbers.extend(created.id.iter().copied().zip(assigned));
    Ok(())
}

async fn add_events(
    batch: &mut PgConnection,
    epoch: Epoch,
    events: &Events<'_>,
    numbers: &Numbers<'_>,
) -> Result<(), StoreError> {
    let insert = "INSERT INTO match_events (match_number, seq, epoch, payload)
        SELECT number, seq, $1, payload
        FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS a (number, seq, payload)";
    sqlx::query(insert)
        .bind(epoch.0)
        .bind(in_order(&events.id, numbers))
        .bind(&events.seq)
        .bind(&events.payload)
        .execute(batch)
        .await
        .map_err(refused("an event"))?;
    Ok(())
}

/// Results get their numbers in the order of the ends.
async fn end(
    batch: &mut PgConnection,
    ends: &Ends<'_>,
    numbers: &Numbers<'_>,
) -> Result<(), StoreError> {
    let write = "WITH ending AS MATERIALIZED (
            SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bool[], $9::text[])
                WITH ORDINALITY AS a (match_number, at, rated, summary, place)
        ), over AS (
            UPDATE matches m SET ended = at FROM ending e WHERE m.number = e.match_number
        ), result AS (
            INSERT INTO results (match_number, rated, summary)
            SELECT match_number, rated, summary FROM ending ORDER BY place
            RETURNING match_number, number
        ), seated AS (
            UPDATE seats s SET result_number = r.number, placement = a.placement,
                reason = a.reason, total = a.total
            FROM unnest($4::bigint[], $5::smallint[], $6::smallint[], $7::text[], $8::int[])
                AS a (match_number, seat, placement, reason, total) JOIN result r USING (match_number)
            WHERE s.match_number = a.match_number AND s.seat = a.seat
        )
        INSERT INTO untold (match_number, bot)
        SELECT DISTINCT s.match_number, s.bot FROM ending JOIN seats s USING (match_number)
        WHERE s.bot IS NOT NULL";
    sqlx::query(write)
        .bind(in_order(&ends.id, numbers))
        .bind(&ends.at)
        .bind(&ends.rated)
        .bind(in_order(&ends.seats.id, numbers))
        .bind(&ends.seats.seat)
        .bind(&ends.seats.placement)
        .bind(&ends.seats.reason)
        .bind(&ends.seats.total)
        .bind(&ends.summary)
        .execute(batch)
        .await
        .map_err(refused("the end of a match"))?;
    Ok(())
}

async fn set_standings(
    batch: &mut PgConnection,
    standings: &Standings<'_>,
) -> Result<(), StoreError> {
    let upsert = "INSERT INTO standings
            (pool, bot, version, mean, deviation, games, wins, forfeits)
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::float8[],
            $6::bigint[], $7::float8[], $8::bigint[])
        ON CONFLICT (pool, bot, version) DO UPDATE
        SET mean = excluded.mean, deviation = excluded.deviation, games = excluded.games,
            wins = excluded.wins, forfeits = excluded.forfeits";
    let rows: Vec<_> = standings.iter().map(|((pool, player), of)| (pool, player, of)).collect();
    let column = |part: fn(&crate::rating::LiveRating) -> f64| -> Vec<f64> {
        rows.iter().map(|(_, _, of)| part(of)).collect()
    };
    sqlx::query(upsert)
        .bind(rows.iter().map(|(pool, ..)| pool.as_str()).collect::<Vec<_>>())
        .bind(rows.iter().map(|(_, player, _)| player.bot.as_str()).collect::<Vec<_>>())
        .bind(rows.iter().map(|(_, player, _)| player.version.as_str()).collect::<Vec<_>>())
        .bind(column(|of| of.mean))
        .bind(column(|of| of.deviation))
        .bind(rows.iter().map(|(_, _, of)| i64::from(of.games)).collect::<Vec<_>>())
        .bind(column(|of| of.wins))
        .bind(rows.iter().map(|(_, _, of)| i64::from(of.forfeits)).collect::<Vec<_>>())
        .execute(batch)
        .await
        .map_err(refused("a standing"))?;
    Ok(())
}

async fn deliver(
    batch: &mut PgConnection,
    delivered: &Delivered<'_>,
    numbers: &Numbers<'_>,
) -> Result<(), StoreError> {
    let delete = "DELETE FROM untold u USING unnest($1::bigint[], $2::text[]) AS a (number, bot)
        WHERE u.match_number = a.number AND u.bot = a.bot";
    let query = sqlx::query(delete).bind(in_order(&delivered.id, numbers)).bind(&delivered.bot);
    query.execute(batch).await.map_err(failed)?;
    Ok(())
}
