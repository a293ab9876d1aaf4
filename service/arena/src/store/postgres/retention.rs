//! Archives of finished matches, and the deletion of old challenges.

use sqlx::Executor as _;
use sqlx::postgres::PgConnection;

use super::batch::{begin, end};
use super::reads::events_of;
use super::{rows, snapshot};
use crate::store::archive::{Archive, Unarchived};
use crate::store::failure::{conflict, failed, refused};
use crate::store::{Epoch, StoreError};
use crate::time::Wall;

pub(super) async fn unarchived(
    reader: &mut PgConnection,
    before: Wall,
    most: u32,
) -> Result<Vec<Unarchived>, StoreError> {
    let mut snapshot = snapshot(reader).await?;
    let select = "SELECT r.match_number FROM results r JOIN matches m ON m.number = r.match_number
        WHERE r.archived = 0 AND m.ended < $1 ORDER BY r.number LIMIT $2";
    let numbers = sqlx::query_scalar(select).bind(before.0.cast_signed()).bind(i64::from(most));
    let numbers: Vec<i64> = numbers.fetch_all(&mut *snapshot).await.map_err(failed)?;
    let found = events_of(&mut snapshot, &numbers).await?;
    Ok(rows::unarchived(&numbers, found))
}

pub(super) async fn archive(
    store: &mut PgConnection,
    epoch: Epoch,
    archives: &[Archive],
) -> Result<(), StoreError> {
    let written = write_archives(store, epoch, archives).await;
    end(store, written).await
}

async fn write_archives(
    store: &mut PgConnection,
    epoch: Epoch,
    archives: &[Archive],
) -> Result<(), StoreError> {
    begin(store, epoch).await?;
    let (good, damaged): (Vec<&Archive>, Vec<&Archive>) =
        archives.iter().partition(|archive| archive.events.is_some());
    let numbers = |archives: &[&Archive]| -> Vec<i64> {
        archives.iter().map(|archive| archive.number).collect()
    };
    for (state, numbers) in [(1_i16, numbers(&good)), (2, numbers(&damaged))] {
        let update =
            "UPDATE results SET archived = $1 WHERE match_number = ANY($2) AND archived = 0";
        let marked = sqlx::query(update).bind(state).bind(&numbers);
        let marked = marked.execute(&mut *store).await.map_err(failed)?;
        if marked.rows_affected() != numbers.len() as u64 {
            return Err(conflict("a match is not over, or archived already".to_owned()));
        }
    }
    let insert = "INSERT INTO match_archives (match_number, entries, events)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])";
    let entries: Vec<i64> = good.iter().map(|archive| archive.entries).collect();
    let events: Vec<&[u8]> = good.iter().filter_map(|archive| archive.events.as_deref()).collect();
    let insert = sqlx::query(insert).bind(numbers(&good)).bind(&entries).bind(events);
    insert.execute(&mut *store).await.map_err(refused("an archive"))?;
    let delete = "DELETE FROM match_events e
        USING unnest($1::bigint[], $2::bigint[]) AS a (number, entries)
        WHERE e.match_number = a.number AND e.seq < a.entries";
    let delete = sqlx::query(delete).bind(numbers(&good)).bind(&entries);
    delete.execute(&mut *store).await.map_err(failed)?;
    Ok(())
}

pub(super) async fn delete_challenges(
    store: &mut PgConnection,
    epoch: Epoch,
    before: Wall,
    most: u32,
) -> Result<u64, StoreError> {
    let deleted = delete_matches(store, epoch, before, most).await;
    end(store, deleted).await
}

async fn delete_matches(
    store: &mut PgConnection,
    epoch: Epoch,
    before: Wall,
    most: u32,
) -> Result<u64, StoreError> {
    begin(store, epoch).await?;
    let select = "SELECT number FROM matches
        WHERE NOT ladder AND ended IS NOT NULL AND ended < $1 ORDER BY ended LIMIT $2";
    let numbers = sqlx::query_scalar(select).bind(before.0.cast_signed()).bind(i64::from(most));
    let numbers: Vec<i64> = numbers.fetch_all(&mut *store).await.map_err(failed)?;
    // What refers to a match first.
    for delete in [
        "DELETE FROM untold WHERE match_number = ANY($1)",
        "DELETE FROM match_archives WHERE match_number = ANY($1)",
        "DELETE FROM match_events WHERE match_number = ANY($1)",
        "DELETE FROM seats WHERE match_number = ANY($1)",
        "DELETE FROM results WHERE match_number = ANY($1)",
        "DELETE FROM matches WHERE number = ANY($1)",
    ] {
        store.execute(sqlx::query(delete).bind(&numbers)).await.map_err(failed)?;
    }
    Ok(numbers.len() as u64)
}
