//! Everything that an arena needs to go on.

use std::collections::HashMap;

use sqlx::{QueryBuilder, SqliteConnection};

use super::failure::{failed, unreadable};
use super::rows::{self, COLUMNS};
use crate::moment::Wall;
use crate::names::{BotId, MatchId, Owner, Player, Version};
use crate::pool::Pool;
use crate::rating::Standing;
use crate::record::Bytes32;
use crate::store::{Holder, Pause, Saved, SavedBot, SavedMatch, StoreError, Token};

/// How many matches of a bot tell whether it fails too often.
const RECENT: i64 = 50;

pub(super) async fn everything(store: &mut SqliteConnection) -> Result<Saved, StoreError> {
    Ok(Saved {
        owners: owners(store).await?,
        bots: bots(store).await?,
        tokens: tokens(store).await?,
        invitations: invitations(store).await?,
        standings: standings(store).await?,
        running: running(store).await?,
        untold: untold(store).await?,
    })
}

async fn owners(store: &mut SqliteConnection) -> Result<Vec<Owner>, StoreError> {
    let rows: Vec<String> = sqlx::query_scalar("SELECT owner FROM owners ORDER BY number")
        .fetch_all(store)
        .await
        .map_err(failed)?;
    rows.iter().map(|owner| rows::name(owner, "an owner")).collect()
}

type BotRow = (String, bool, i64, Option<String>, Option<String>);

async fn bots(store: &mut SqliteConnection) -> Result<Vec<SavedBot>, StoreError> {
    let select = "SELECT bot, house, registered, paused, last_straw FROM bots ORDER BY number";
    let rows: Vec<BotRow> = sqlx::query_as(select).fetch_all(&mut *store).await.map_err(failed)?;
    let mut versions = versions(store).await?;
    let mut bots = Vec::with_capacity(rows.len());
    for (bot, house, registered, paused, last_straw) in rows {
        let last_straw = last_straw.map(|id| rows::name(&id, &bot)).transpose()?;
        bots.push(SavedBot {
            house,
            registered: Wall(registered.cast_unsigned()),
            versions: versions.remove(&bot).unwrap_or_default(),
            pause: paused.map(|reason| Pause { reason, last_straw }),
            recent: recent(store, &bot).await?,
            bot: rows::name(&bot, "a bot")?,
        });
    }
    Ok(bots)
}

async fn versions(
    store: &mut SqliteConnection,
) -> Result<HashMap<String, Vec<Version>>, StoreError> {
    let select = "SELECT bot, version FROM versions ORDER BY number";
    let rows: Vec<(String, String)> =
        sqlx::query_as(select).fetch_all(store).await.map_err(failed)?;
    let mut versions: HashMap<String, Vec<Version>> = HashMap::new();
    for (bot, version) in rows {
        let version = rows::name(&version, format_args!("a version of {bot}"))?;
        versions.entry(bot).or_default().push(version);
    }
    Ok(versions)
}

/// One query for each bot, along an index: a single one would look at every match ever played.
async fn recent(store: &mut SqliteConnection, bot: &str) -> Result<Vec<bool>, StoreError> {
    let select =
        "SELECT s.reason, m.id FROM seats s CROSS JOIN matches m ON m.number = s.match_number
        WHERE s.bot = ? AND s.result_number IS NOT NULL AND m.ladder
        ORDER BY s.result_number DESC LIMIT ?";
    let rows: Vec<(String, String)> =
        sqlx::query_as(select).bind(bot).bind(RECENT).fetch_all(store).await.map_err(failed)?;
    let failure = |(word, id)| Ok(rows::reason(word, format_args!("match {id}"))?.is_failure());
    rows.into_iter().rev().map(failure).collect()
}

type TokenRow = (String, Vec<u8>, Option<String>, Option<String>);

async fn tokens(store: &mut SqliteConnection) -> Result<Vec<Token>, StoreError> {
    let select = "SELECT public, hash, owner, bot FROM tokens WHERE NOT revoked ORDER BY number";
    let rows: Vec<TokenRow> = sqlx::query_as(select).fetch_all(store).await.map_err(failed)?;
    let token = |(public, hash, owner, bot): TokenRow| {
        let what = format!("token {public}");
        let hash = rows::bytes32(&hash, &what)?;
        let holder = match (owner, bot) {
            (None, None) => Holder::Admin,
            (Some(owner), None) => Holder::Owner(rows::name(&owner, &what)?),
            (None, Some(bot)) => Holder::Bot(rows::name(&bot, &what)?),
            (Some(_), Some(_)) => return Err(unreadable(what)),
        };
        Ok(Token { public, hash, holder })
    };
    rows.into_iter().map(token).collect()
}

async fn invitations(store: &mut SqliteConnection) -> Result<Vec<Bytes32>, StoreError> {
    let select = "SELECT hash FROM invitations WHERE NOT used ORDER BY number";
    let rows: Vec<Vec<u8>> = sqlx::query_scalar(select).fetch_all(store).await.map_err(failed)?;
    rows.iter().map(|hash| rows::bytes32(hash, "an invitation")).collect()
}

type StandingRow = (String, String, String, f64, f64, u32, f64, u32);

async fn standings(
    store: &mut SqliteConnection,
) -> Result<Vec<(Pool, Player, Standing)>, StoreError> {
    let select = "SELECT pool, bot, version, mean, deviation, games, wins, forfeits FROM standings
        ORDER BY pool, bot, version";
    let rows: Vec<StandingRow> = sqlx::query_as(select).fetch_all(store).await.map_err(failed)?;
    let standing = |(pool, bot, version, mean, deviation, games, wins, forfeits): StandingRow| {
        let what = format!("a standing of {bot}");
        let standing = Standing { mean, deviation, games, wins, forfeits };
        Ok((rows::name(&pool, &what)?, rows::player(&bot, &version, &what)?, standing))
    };
    rows.into_iter().map(standing).collect()
}

async fn running(store: &mut SqliteConnection) -> Result<Vec<SavedMatch>, StoreError> {
    let mut query = QueryBuilder::new(COLUMNS);
    query.push(
        " FROM matches m LEFT JOIN results r ON r.match_number = m.number
        WHERE m.ended IS NULL ORDER BY m.number",
    );
    let running = rows::matches(store, query).await?;
    Ok(running.into_iter().map(|found| found.saved).collect())
}

async fn untold(store: &mut SqliteConnection) -> Result<Vec<(MatchId, BotId)>, StoreError> {
    let select = "SELECT m.id, u.bot FROM untold u JOIN matches m ON m.number = u.match_number
        ORDER BY u.match_number, u.bot";
    let rows: Vec<(String, String)> =
        sqlx::query_as(select).fetch_all(store).await.map_err(failed)?;
    let names = |(id, bot): &(String, String)| {
        Ok((rows::name(id, "a match")?, rows::name(bot, "a bot to be told")?))
    };
    rows.iter().map(names).collect()
}
