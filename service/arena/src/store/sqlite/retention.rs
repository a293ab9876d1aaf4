//! Archives of finished matches, and the deletion of old challenges.

use sqlx::{Connection as _, SqliteConnection};

use super::batch::check_owner;
use super::reads::{events_of, list_of, snapshot};
use super::{BEGIN, rows};
use crate::store::archive::{Archive, Unarchived};
use crate::store::failure::{conflict, failed, refused};
use crate::store::{Epoch, StoreError};
use crate::time::Wall;

pub(super) async fn unarchived(
    store: &mut SqliteConnection,
    before: Wall,
    most: u32,
) -> Result<Vec<Unarchived>, StoreError> {
    let mut snapshot = snapshot(store).await?;
    let select = "SELECT r.match_number FROM results r
        CROSS JOIN matches m ON m.number = r.match_number
        WHERE r.archived = 0 AND m.ended < ? ORDER BY r.number LIMIT ?";
    let numbers = sqlx::query_scalar(select).bind(before.0.cast_signed()).bind(i64::from(most));
    let numbers: Vec<i64> = numbers.fetch_all(&mut *snapshot).await.map_err(failed)?;
    let found = events_of(&mut snapshot, &list_of(&numbers)?).await?;
    Ok(rows::unarchived(&numbers, found))
}

pub(super) async fn archive(
    store: &mut SqliteConnection,
    epoch: Epoch,
    archives: &[Archive],
) -> Result<(), StoreError> {
    let mut batch = store.begin_with(BEGIN).await.map_err(failed)?;
    check_owner(&mut batch, epoch).await?;
    for Archive { number, entries, events } in archives {
        let state = if events.is_some() { 1 } else { 2 };
        let update = "UPDATE results SET archived = ? WHERE match_number = ? AND archived = 0";
        let marked = sqlx::query(update).bind(state).bind(number);
        let marked = marked.execute(&mut *batch).await.map_err(failed)?;
        if marked.rows_affected() == 0 {
            return Err(conflict("a match is not over, or archived already".to_owned()));
        }
        let Some(events) = events else { continue };
        let insert = "INSERT INTO match_archives (match_number, entries, events) VALUES (?, ?, ?)";
        let insert = sqlx::query(insert).bind(number).bind(entries).bind(events);
        insert.execute(&mut *batch).await.map_err(refused("an archive"))?;
        let delete = "DELETE FROM match_events WHERE match_number = ? AND seq < ?";
        let delete = sqlx::query(delete).bind(number).bind(entries);
        delete.execute(&mut *batch).await.map_err(failed)?;
    }
    batch.commit().await.map_err(failed)
}

pub(super) async fn delete_challenges(
    store: &mut SqliteConnection,
    epoch: Epoch,
    before: Wall,
    most: u32,
) -> Result<u64, StoreError> {
    let mut batch = store.begin_with(BEGIN).await.map_err(failed)?;
    check_owner(&mut batch, epoch).await?;
    let select = "SELECT number FROM matches
        WHERE NOT ladder AND ended IS NOT NULL AND ended < ? ORDER BY ended LIMIT ?";
    let numbers = sqlx::query_scalar(select).bind(before.0.cast_signed()).bind(i64::from(most));
    let numbers: Vec<i64> = numbers.fetch_all(&mut *batch).await.map_err(failed)?;
    if numbers.is_empty() {
        return Ok(0);
    }
    let list = list_of(&numbers)?;
    // What refers to a match first.
    for delete in [
        "DELETE FROM untold WHERE match_number IN (SELECT value FROM json_each(?))",
        "DELETE FROM match_archives WHERE match_number IN (SELECT value FROM json_each(?))",
        "DELETE FROM match_events WHERE match_number IN (SELECT value FROM json_each(?))",
        "DELETE FROM seats WHERE match_number IN (SELECT value FROM json_each(?))",
        "DELETE FROM results WHERE match_number IN (SELECT value FROM json_each(?))",
        "DELETE FROM matches WHERE number IN (SELECT value FROM json_each(?))",
    ] {
        sqlx::query(delete).bind(&list).execute(&mut *batch).await.map_err(failed)?;
    }
    batch.commit().await.map_err(failed)?;
    Ok(numbers.len() as u64)
}
