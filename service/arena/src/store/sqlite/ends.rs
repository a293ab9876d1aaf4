//! Writing down how matches end: the result, the ratings, who has to be told.

use sqlx::SqliteConnection;

use crate::names::{BotId, MatchId, Player};
use crate::rating::Standing;
use crate::store::allowed::{self, text};
use crate::store::failure::{failed, refused};
use crate::store::{Ended, StoreError};

pub(super) async fn ended(batch: &mut SqliteConnection, end: &Ended) -> Result<(), StoreError> {
    let Ended { id, at, seats, rated, standings } = end;
    let (number, pool) = about_to_end(batch, end).await?;
    let over = sqlx::query("UPDATE matches SET ended = ? WHERE number = ?");
    let over = over.bind(at.0.cast_signed()).bind(number);
    over.execute(&mut *batch).await.map_err(failed)?;
    let result = sqlx::query("INSERT INTO results (match_number, rated) VALUES (?, ?)")
        .bind(number)
        .bind(rated)
        .execute(&mut *batch)
        .await
        .map_err(refused(format_args!("the end of match {id}")))?;
    let update = "UPDATE seats SET result_number = ?1, placement = value ->> 'placement',
            reason = value ->> 'reason', total = value ->> 'total'
        FROM json_each(?2) WHERE match_number = ?3 AND seat = key";
    sqlx::query(update)
        .bind(result.last_insert_rowid())
        .bind(text(id, seats)?)
        .bind(number)
        .execute(&mut *batch)
        .await
        .map_err(failed)?;
    let untold = "INSERT INTO untold (match_number, bot)
        SELECT DISTINCT match_number, bot FROM seats WHERE match_number = ? AND bot IS NOT NULL";
    sqlx::query(untold).bind(number).execute(&mut *batch).await.map_err(failed)?;
    for (player, standing) in standings {
        stands(batch, &pool, player, standing).await?;
    }
    Ok(())
}

/// Number and pool of a match that may end like this.
async fn about_to_end(
    batch: &mut SqliteConnection,
    end: &Ended,
) -> Result<(i64, String), StoreError> {
    let id = &end.id;
    let select = "SELECT number, pool, ended IS NOT NULL,
            (SELECT count(*) FROM seats WHERE match_number = number),
            (SELECT count(bot) FROM seats WHERE match_number = number)
        FROM matches WHERE id = ?";
    let row: Option<(i64, String, bool, i64, i64)> =
        sqlx::query_as(select).bind(id.as_str()).fetch_optional(batch).await.map_err(failed)?;
    let Some((number, pool, over, seats, remote)) = row else {
        return Err(allowed::absent(id));
    };
    allowed::end(end, over, seats, remote)?;
    Ok((number, pool))
}

pub(super) async fn stands(
    batch: &mut SqliteConnection,
    pool: &str,
    player: &Player,
    standing: &Standing,
) -> Result<(), StoreError> {
    let Standing { mean, deviation, games, wins, forfeits } = standing;
    let upsert = "INSERT INTO standings
            (pool, bot, version, mean, deviation, games, wins, forfeits)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (pool, bot, version) DO UPDATE
        SET mean = excluded.mean, deviation = excluded.deviation, games = excluded.games,
            wins = excluded.wins, forfeits = excluded.forfeits";
    sqlx::query(upsert)
        .bind(pool)
        .bind(player.bot.as_str())
        .bind(player.version.as_str())
        .bind(mean)
        .bind(deviation)
        .bind(games)
        .bind(wins)
        .bind(forfeits)
        .execute(batch)
        .await
        .map_err(refused(format_args!("the standing of {player} in {pool}")))?;
    Ok(())
}

/// These bots have heard of the ends of these matches.
pub(super) async fn told(
    batch: &mut SqliteConnection,
    told: &[(&MatchId, &BotId)],
) -> Result<(), StoreError> {
    let pairs: Vec<(&str, &str)> =
        told.iter().map(|(id, bot)| (id.as_str(), bot.as_str())).collect();
    let pairs =
        serde_json::to_string(&pairs).map_err(|_| StoreError::Failed("names".to_owned()))?;
    let delete = "DELETE FROM untold WHERE (match_number, bot) IN (
        SELECT m.number, told.value ->> 1 FROM json_each(?) told
        JOIN matches m ON m.id = told.value ->> 0)";
    sqlx::query(delete).bind(pairs).execute(batch).await.map_err(failed)?;
    Ok(())
}
