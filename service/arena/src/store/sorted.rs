//! Writes, sorted into the two kinds that stores treat differently. This is the only list of all
//! kinds of writes: add new ones here.

use super::statement::{Statement, Value};
use super::{Ended, Holder, Pause, Token, Write};
use crate::names::{BotId, MatchId, Player};
use crate::pool::Pool;
use crate::rating::LiveRating;
use crate::record::{Bytes32, Event, Spec};
use crate::time::Wall;

pub(super) enum Sorted<'a> {
    /// Accounts change rarely: one statement per write.
    Account(Statement),
    /// Matches are written all the time: a few statements for a whole batch.
    Match(MatchWrite<'a>),
}

/// A write about a match.
#[derive(Clone, Copy, Debug)]
pub(super) enum MatchWrite<'a> {
    Created { spec: &'a Spec, secret: &'a Bytes32 },
    Event { id: &'a MatchId, seq: u32, event: &'a Event },
    Ended(&'a Ended),
    LiveRating { pool: Pool, player: &'a Player, standing: &'a LiveRating },
    EndDelivered { id: &'a MatchId, bot: &'a BotId },
}

pub(super) fn sorted(write: &Write) -> Sorted<'_> {
    let statement = match write {
        Write::Owner { owner, registered } => Statement::new(
            "INSERT INTO owners (owner, registered) VALUES ($1, $2)",
            vec![Value::text(owner), Value::time(*registered)],
            format!("owner {owner}"),
        ),
        Write::Bot { bot, house, registered, request } => {
            new_bot(bot, *house, *registered, request.as_ref())
        }
        Write::Version { bot, version, declared } => Statement::new(
            "INSERT INTO versions (bot, version, declared) VALUES ($1, $2, $3)",
            vec![Value::text(bot), Value::text(version), Value::time(*declared)],
            format!("version {bot}@{version}"),
        ),
        Write::Token(token) => new_token(token),
        Write::Revoked { public } => Statement::new(
            "UPDATE tokens SET revoked = TRUE WHERE public = $1",
            vec![Value::text(public)],
            format!("token {public}"),
        ),
        Write::Invitation { hash } => Statement::new(
            "INSERT INTO invitations (hash) VALUES ($1)",
            vec![Value::hash(hash)],
            "the invitation".to_owned(),
        ),
        Write::Invited { hash } => Statement::new(
            "UPDATE invitations SET used = TRUE WHERE hash = $1 AND NOT used",
            vec![Value::hash(hash)],
            "the invitation".to_owned(),
        )
        .or_conflict("the invitation does not exist, or was used".to_owned()),
        Write::Pause { bot, pause } => paused(bot, pause.as_ref()),
        Write::Match { spec, secret } => {
            return Sorted::Match(MatchWrite::Created { spec, secret });
        }
        Write::Event { id, seq, event } => {
            return Sorted::Match(MatchWrite::Event { id, seq: *seq, event });
        }
        Write::Ended(ended) => return Sorted::Match(MatchWrite::Ended(ended)),
        Write::LiveRating { pool, player, standing } => {
            return Sorted::Match(MatchWrite::LiveRating { pool: *pool, player, standing });
        }
        Write::EndDelivered { id, bot } => {
            return Sorted::Match(MatchWrite::EndDelivered { id, bot });
        }
    };
    Sorted::Account(statement)
}

fn new_bot(bot: &BotId, house: bool, registered: Wall, request: Option<&Bytes32>) -> Statement {
    Statement::new(
        "INSERT INTO bots (bot, owner, house, registered, request) VALUES ($1, $2, $3, $4, $5)",
        vec![
            Value::text(bot),
            Value::text(bot.owner()),
            Value::Flag(house),
            Value::time(registered),
            Value::Bytes(request.map(|hash| hash.0.to_vec())),
        ],
        format!("bot {bot}"),
    )
}

fn new_token(token: &Token) -> Statement {
    let Token { public, hash, holder } = token;
    let (owner, bot) = match holder {
        Holder::Admin => (None, None),
        Holder::Owner(owner) => (Some(owner.to_string()), None),
        Holder::Bot(bot) => (None, Some(bot.to_string())),
    };
    Statement::new(
        "INSERT INTO tokens (public, hash, owner, bot) VALUES ($1, $2, $3, $4)",
        vec![Value::text(public), Value::hash(hash), Value::Text(owner), Value::Text(bot)],
        format!("token {public}"),
    )
}

fn paused(bot: &BotId, pause: Option<&Pause>) -> Statement {
    let trigger = pause.and_then(|pause| pause.trigger_match.as_ref());
    Statement::new(
        "UPDATE bots SET paused = $1, last_straw = $2 WHERE bot = $3",
        vec![
            Value::Note(pause.map(|pause| pause.reason.clone())),
            Value::Text(trigger.map(ToString::to_string)),
            Value::text(bot),
        ],
        format!("the pause of {bot}"),
    )
    .or_conflict(format!("bot {bot} does not exist"))
}
