//! Writing down owners and their bots, tokens and invitations.

use sqlx::postgres::PgConnection;

use crate::moment::Wall;
use crate::names::{BotId, MatchId, Owner, Version};
use crate::record::Bytes32;
use crate::store::failure::{conflict, refused};
use crate::store::{Holder, Pause, StoreError, Token, Write};

/// Writes down anything that is not of a match.
pub(super) async fn apply(batch: &mut PgConnection, write: &Write) -> Result<(), StoreError> {
    match write {
        Write::Owner { owner: name, registered } => owner(batch, name, *registered).await,
        Write::Bot { bot: name, house, registered, request } => {
            bot(batch, name, *house, *registered, request.as_ref()).await
        }
        Write::Version { bot, version: name, declared } => {
            version(batch, bot, name, *declared).await
        }
        Write::Token(made) => token(batch, made).await,
        Write::Revoked { public } => revoked(batch, public).await,
        Write::Invitation { hash } => invitation(batch, hash).await,
        Write::Invited { hash } => invited(batch, hash).await,
        Write::Pause { bot, pause: paused } => pause(batch, bot, paused.as_ref()).await,
        Write::Match { .. }
        | Write::Event { .. }
        | Write::Ended(_)
        | Write::Standing { .. }
        | Write::Told { .. } => Ok(()),
    }
}

async fn owner(
    batch: &mut PgConnection,
    owner: &Owner,
    registered: Wall,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO owners (owner, registered) VALUES ($1, $2)")
        .bind(owner.as_str())
        .bind(registered.0.cast_signed())
        .execute(batch)
        .await
        .map_err(refused(format_args!("owner {owner}")))?;
    Ok(())
}

async fn bot(
    batch: &mut PgConnection,
    bot: &BotId,
    house: bool,
    registered: Wall,
    request: Option<&Bytes32>,
) -> Result<(), StoreError> {
    let insert =
        "INSERT INTO bots (bot, owner, house, registered, request) VALUES ($1, $2, $3, $4, $5)";
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

async fn version(
    batch: &mut PgConnection,
    bot: &BotId,
    version: &Version,
    declared: Wall,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO versions (bot, version, declared) VALUES ($1, $2, $3)")
        .bind(bot.as_str())
        .bind(version.as_str())
        .bind(declared.0.cast_signed())
        .execute(batch)
        .await
        .map_err(refused(format_args!("version {bot}@{version}")))?;
    Ok(())
}

async fn token(batch: &mut PgConnection, token: &Token) -> Result<(), StoreError> {
    let Token { public, hash, holder } = token;
    let (owner, bot) = match holder {
        Holder::Admin => (None, None),
        Holder::Owner(owner) => (Some(owner.as_str()), None),
        Holder::Bot(bot) => (None, Some(bot.as_str())),
    };
    sqlx::query("INSERT INTO tokens (public, hash, owner, bot) VALUES ($1, $2, $3, $4)")
        .bind(public)
        .bind(&hash.0[..])
        .bind(owner)
        .bind(bot)
        .execute(batch)
        .await
        .map_err(refused(format_args!("token {public}")))?;
    Ok(())
}

async fn revoked(batch: &mut PgConnection, public: &str) -> Result<(), StoreError> {
    let revoked = sqlx::query("UPDATE tokens SET revoked = TRUE WHERE public = $1").bind(public);
    revoked.execute(batch).await.map_err(refused(format_args!("token {public}")))?;
    Ok(())
}

async fn invitation(batch: &mut PgConnection, hash: &Bytes32) -> Result<(), StoreError> {
    let made = sqlx::query("INSERT INTO invitations (hash) VALUES ($1)").bind(&hash.0[..]);
    made.execute(batch).await.map_err(refused("the invitation"))?;
    Ok(())
}

async fn invited(batch: &mut PgConnection, hash: &Bytes32) -> Result<(), StoreError> {
    let used = sqlx::query("UPDATE invitations SET used = TRUE WHERE hash = $1 AND NOT used")
        .bind(&hash.0[..])
        .execute(batch)
        .await
        .map_err(refused("the invitation"))?;
    match used.rows_affected() {
        0 => Err(conflict("the invitation is not there, or was used".to_owned())),
        _ => Ok(()),
    }
}

async fn pause(
    batch: &mut PgConnection,
    bot: &BotId,
    pause: Option<&Pause>,
) -> Result<(), StoreError> {
    let last_straw = pause.and_then(|pause| pause.last_straw.as_ref());
    let paused = sqlx::query("UPDATE bots SET paused = $1, last_straw = $2 WHERE bot = $3")
        .bind(pause.map(|pause| pause.reason.as_bytes()))
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
