//! Writing matches and their events.

use std::collections::HashMap;

use sqlx::SqliteConnection;

use crate::names::Player;
use crate::record::{Bytes32, Origin, Seat, Spec};
use crate::store::constraints::{self, text};
use crate::store::failure::{failed, refused};
use crate::store::{Epoch, StoreError};

use super::plan::NewEvent;

pub(super) async fn created(
    batch: &mut SqliteConnection,
    spec: &Spec,
    secret: &Bytes32,
) -> Result<(), StoreError> {
    let id = &spec.id;
    let insert = "INSERT INTO matches (id, pool, ladder, spec, secret, called)
        VALUES (?, ?, ?, ?, ?, ?)";
    let inserted = sqlx::query(insert)
        .bind(id.as_str())
        .bind(spec.pool.to_string())
        .bind(spec.origin == Origin::Ladder)
        .bind(text(id, spec)?)
        .bind(&secret.0[..])
        .bind(spec.called.0.cast_signed())
        .execute(&mut *batch)
        .await
        .map_err(refused(format_args!("match {id}")))?;
    let players: Vec<Option<&Player>> = spec.seats.iter().map(Seat::player).collect();
    let seats = "INSERT INTO seats (match_number, seat, bot, version)
        SELECT ?1, key, value ->> 'bot', value ->> 'version' FROM json_each(?2)";
    sqlx::query(seats)
        .bind(inserted.last_insert_rowid())
        .bind(text(id, &players)?)
        .execute(batch)
        .await
        .map_err(refused(format_args!("a seat of match {id}")))?;
    Ok(())
}

/// Where to continue a match.
struct MatchCursor {
    number: i64,
    next: i64,
    over: bool,
}

/// Checks events and writes them with one statement.
pub(super) async fn events(
    batch: &mut SqliteConnection,
    epoch: Epoch,
    events: &[NewEvent<'_>],
) -> Result<(), StoreError> {
    let mut matches = cursors(batch, events).await?;
    let mut rows: Vec<(i64, u32, String)> = Vec::with_capacity(events.len());
    for &NewEvent { id, seq, event } in events {
        let cursor = matches.get_mut(id.as_str());
        let cursor = cursor.ok_or_else(|| constraints::absent(id))?;
        constraints::event(id, seq, cursor.next, cursor.over)?;
        cursor.next += 1;
        rows.push((cursor.number, seq, text(id, event)?));
    }
    let insert = "INSERT INTO match_events (match_number, seq, epoch, payload)
        SELECT value ->> 0, value ->> 1, ?1, value ->> 2 FROM json_each(?2)";
    let rows = serde_json::to_string(&rows).map_err(|_| StoreError::Failed("events".to_owned()))?;
    let insert = sqlx::query(insert).bind(epoch.0).bind(rows);
    insert.execute(batch).await.map_err(refused("an event"))?;
    Ok(())
}

async fn cursors(
    batch: &mut SqliteConnection,
    events: &[NewEvent<'_>],
) -> Result<HashMap<String, MatchCursor>, StoreError> {
    let mut ids: Vec<&str> = events.iter().map(|event| event.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let select = "SELECT id, number, ended IS NOT NULL, coalesce(
            (SELECT max(seq) + 1 FROM match_events WHERE match_number = number), 0)
        FROM matches WHERE id IN (SELECT value FROM json_each(?))";
    let ids = serde_json::to_string(&ids).map_err(|_| StoreError::Failed("names".to_owned()))?;
    let rows: Vec<(String, i64, bool, i64)> =
        sqlx::query_as(select).bind(ids).fetch_all(batch).await.map_err(failed)?;
    let cursor = |(id, number, over, next)| (id, MatchCursor { number, next, over });
    Ok(rows.into_iter().map(cursor).collect())
}
