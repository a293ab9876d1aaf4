//! Writing the ends of matches: results, ratings, deliveries.

use sqlx::SqliteConnection;

use crate::names::{BotId, MatchId, Player};
use crate::rating::LiveRating;
use crate::store::constraints::{self, text};
use crate::store::failure::{failed, refused};
use crate::store::{Ended, StoreError};

pub(super) async fn ended(batch: &mut SqliteConnection, end: &Ended) -> Result<(), StoreError> {
    let Ended { id, at, seats, rated, standings, summary } = end;
    let summary = summary.as_ref().map(|summary| text(id, summary)).transpose()?;
    let (number, pool) = about_to_end(batch, end).await?;
    let over = sqlx::query("UPDATE matches SET ended = ? WHERE number = ?");
    let over = over.bind(at.0.cast_signed()).bind(number);
    over.execute(&mut *batch).await.map_err(failed)?;
    let result = sqlx::query("INSERT INTO results (match_number, rated, summary) VALUES (?, ?, ?)")
        .bind(number)
        .bind(rated)
        .bind(summary)
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
        set_standing(batch, &pool, player, standing).await?;
    }
    Ok(())
}

/// The number and pool of a match, if it may end like this.
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
        return Err(constraints::absent(id));
    };
    constraints::end(end, over, seats, remote)?;
    Ok((number, pool))
}

pub(super) async fn set_standing(
    batch: &mut SqliteConnection,
    pool: &str,
    player: &Player,
    standing: &LiveRating,
) -> Result<(), StoreError> {
    let LiveRating { mean, deviation, games, wins, forfeits } = standing;
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

/// These bots have acknowledged the ends of these matches.
pub(super) async fn delivered(
    batch: &mut SqliteConnection,
    delivered: &[(&MatchId, &BotId)],
) -> Result<(), StoreError> {
    let pairs: Vec<(&str, &str)> =
        delivered.iter().map(|(id, bot)| (id.as_str(), bot.as_str())).collect();
    let pairs =
        serde_json::to_string(&pairs).map_err(|_| StoreError::Failed("names".to_owned()))?;
    let delete = "DELETE FROM untold WHERE (match_number, bot) IN (
        SELECT m.number, delivered.value ->> 1 FROM json_each(?) delivered
        JOIN matches m ON m.id = delivered.value ->> 0)";
    sqlx::query(delete).bind(pairs).execute(batch).await.map_err(failed)?;
    Ok(())
}
