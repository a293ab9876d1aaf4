//! Writing down owners and their bots, tokens and invitations.

use sqlx::SqliteConnection;

use crate::moment::Wall;
use crate::names::{BotId, MatchId, Owner, Version};
use crate::record::Bytes32;
use crate::store::failure::{conflict, refused};
use crate::store::{Holder, Pause, StoreError, Token};

pub(super) async fn owner(
    batch: &mut SqliteConnection,
    owner: &Owner,
    registered: Wall,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO owners (owner, registered) VALUES (?, ?)")
        .bind(owner.as_str())
        .bind(registered.0.cast_signed())
        .execute(batch)
        .await
        .map_err(refused(format_args!("owner {owner}")))?;
    Ok(())
}

pub(super) async fn bot(
    batch: &mut SqliteConnection,
    bot: &BotId,
    house: bool,
    registered: Wall,
    request: Option<&Bytes32>,
) -> Result<(), StoreError> {
    let insert = "INSERT INTO bots (bot, owner, house, registered, request) VALUES (?, ?, ?, ?, ?)";
    sqlx::query(insert)
        .bind(bot.as_str())
        .bind(bot.owner().as_str())
        .bind(house)
        .bind(registered.0.cast_signed())
        .bind(request.map(|hash| hash.0.to_vec()))
        .execute(batch)
        .await
        .map_err(refused(format_args!("bot {bot}")))?;
    Ok(())
}

pub(super) async fn version(
    batch: &mut SqliteConnection,
    bot: &BotId,
    version: &Version,
    declared: Wall,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO versions (bot, version, declared) VALUES (?, ?, ?)")
        .bind(bot.as_str())
        .bind(version.as_str())
        .bind(declared.0.cast_signed())
        .execute(batch)
        .await
        .map_err(refused(format_args!("version {bot}@{version}")))?;
    Ok(())
}

pub(super) async fn token(batch: &mut SqliteConnection, token: &Token) -> Result<(), StoreError> {
    let Token { public, hash, holder } = token;
    let (owner, bot) = match holder {
        Holder::Admin => (None, None),
        Holder::Owner(owner) => (Some(owner.as_str()), None),
        Holder::Bot(bot) => (None, Some(bot.as_str())),
    };
    sqlx::query("INSERT INTO tokens (public, hash, owner, bot) VALUES (?, ?, ?, ?)")
        .bind(public)
        .bind(&hash.0[..])
        .bind(owner)
        .bind(bot)
        .execute(batch)
        .await
        .map_err(refused(format_args!("token {public}")))?;
    Ok(())
}

pub(super) async fn revoked(batch: &mut SqliteConnection, public: &str) -> Result<(), StoreError> {
    let revoked = sqlx::query("UPDATE tokens SET revoked = TRUE WHERE public = ?").bind(public);
    revoked.execute(batch).await.map_err(refused(format_args!("token {public}")))?;
    Ok(())
}

pub(super) async fn invitation(
    batch: &mut SqliteConnection,
    hash: &Bytes32,
) -> Result<(), StoreError> {
    let made = sqlx::query("INSERT INTO invitations (hash) VALUES (?)").bind(&hash.0[..]);
    made.execute(batch).await.map_err(refused("the invitation"))?;
    Ok(())
}

pub(super) async fn invited(
    batch: &mut SqliteConnection,
    hash: &Bytes32,
) -> Result<(), StoreError> {
    let used = sqlx::query("UPDATE invitations SET used = TRUE WHERE hash = ? AND NOT used")
        .bind(&hash.0[..])
        .execute(batch)
        .await
        .map_err(refused("the invitation"))?;
    match used.rows_affected() {
        0 => Err(conflict("the invitation is not there, or was used".to_owned())),
        _ => Ok(()),
    }
}

pub(super) async fn pause(
    batch: &mut SqliteConnection,
    bot: &BotId,
    pause: Option<&Pause>,
) -> Result<(), StoreError> {
    let last_straw = pause.and_then(|pause| pause.last_straw.as_ref());
    let paused = sqlx::query("UPDATE bots SET paused = ?, last_straw = ? WHERE bot = ?")
        .bind(pause.map(|pause| pause.reason.as_str()))
        .bind(last_straw.map(MatchId::as_str))
        .bind(bot.as_str())
        .execute(batch)
        .await
        .map_err(refused(format_args!("the pause of {bot}")))?;
    match paused.rows_affected() {
        0 => Err(conflict(format!("bot {bot} is not there"))),
        _ => Ok(()),
    }
}
