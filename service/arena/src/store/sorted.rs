//! Writes, sorted into the two kinds that stores treat differently. This is the only list of all
//! kinds of writes: add new ones here.

use super::constraints::text;
use super::statement::{Statement, Value};
use super::{AuditEntry, Ended, Holder, Pause, ResultVoided, StoreError, Token, Write};
use crate::names::{BotId, MatchId, Player};
use crate::pool::Pool;
use crate::rating::LiveRating;
use crate::record::{Bytes32, EndReason, Event, Spec};
use crate::time::Wall;

pub(super) enum Sorted<'a> {
    /// Accounts, and what organisers do, change rarely: statements of their own for each write.
    Account(Vec<Statement>),
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

#[expect(clippy::too_many_lines, reason = "one kind of write after the other")]
pub(super) fn sorted(write: &Write) -> Result<Sorted<'_>, StoreError> {
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
        Write::Invitation { hash, created } => Statement::new(
            "INSERT INTO invitations (hash, created) VALUES ($1, $2)",
            vec![Value::hash(hash), Value::time(*created)],
            "the invitation".to_owned(),
        ),
        Write::Invited { hash } => Statement::new(
            "UPDATE invitations SET used = TRUE WHERE hash = $1 AND NOT used",
            vec![Value::hash(hash)],
            "the invitation".to_owned(),
        )
        .or_conflict("the invitation does not exist, or was used".to_owned()),
        Write::RatingFormula(formula) => rating_formula(*formula),
        Write::Pause { bot, pause } => paused(bot, pause.as_ref()),
        Write::Ban { owner, note } => Statement::new(
            "UPDATE owners SET banned = $1 WHERE owner = $2",
            vec![Value::Note(note.clone()), Value::text(owner)],
            format!("the ban of {owner}"),
        )
        .or_conflict(format!("owner {owner} does not exist")),
        Write::Audit(entry) => audited(entry),
        Write::ResultVoided(voided) => return result_voided(voided).map(Sorted::Account),
        Write::LiveRatingRemoved { pool, player } => Statement::new(
            "DELETE FROM standings WHERE pool = $1 AND bot = $2 AND version = $3",
            vec![Value::text(pool), Value::text(&player.bot), Value::text(&player.version)],
            format!("the standing of {player} in {pool}"),
        ),
        Write::Match { spec, secret } => {
            return Ok(Sorted::Match(MatchWrite::Created { spec, secret }));
        }
        Write::Event { id, seq, event } => {
            return Ok(Sorted::Match(MatchWrite::Event { id, seq: *seq, event }));
        }
        Write::Ended(ended) => return Ok(Sorted::Match(MatchWrite::Ended(ended))),
        Write::LiveRating { pool, player, standing } => {
            return Ok(Sorted::Match(MatchWrite::LiveRating { pool: *pool, player, standing }));
        }
        Write::EndDelivered { id, bot } => {
            return Ok(Sorted::Match(MatchWrite::EndDelivered { id, bot }));
        }
    };
    Ok(Sorted::Account(vec![statement]))
}

fn rating_formula(formula: u32) -> Statement {
    Statement::new(
        "UPDATE rating_formula SET formula = $1",
        vec![Value::Number(i64::from(formula))],
        "the formula of the ratings".to_owned(),
    )
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
    let Token { public, hash, holder, created } = token;
    let (owner, bot) = match holder {
        Holder::Admin => (None, None),
        Holder::Owner(owner) => (Some(owner.to_string()), None),
        Holder::Bot(bot) => (None, Some(bot.to_string())),
    };
    Statement::new(
        "INSERT INTO tokens (public, hash, owner, bot, created) VALUES ($1, $2, $3, $4, $5)",
        vec![
            Value::text(public),
            Value::hash(hash),
            Value::Text(owner),
            Value::Text(bot),
            Value::OptionalNumber(created.map(|Wall(at)| at.cast_signed())),
        ],
        format!("token {public}"),
    )
}

fn paused(bot: &BotId, pause: Option<&Pause>) -> Statement {
    let trigger = pause.and_then(|pause| pause.trigger_match.as_ref());
    Statement::new(
        "UPDATE bots SET paused = $1, last_straw = $2, paused_by_organiser = $3 WHERE bot = $4",
        vec![
            Value::Note(pause.map(|pause| pause.reason.clone())),
            Value::Text(trigger.map(ToString::to_string)),
            Value::Flag(pause.is_some_and(|pause| pause.by_organiser)),
            Value::text(bot),
        ],
        format!("the pause of {bot}"),
    )
    .or_conflict(format!("bot {bot} does not exist"))
}

fn audited(entry: &AuditEntry) -> Statement {
    let AuditEntry { at, organiser, act, subject, note } = entry;
    Statement::new(
        "INSERT INTO audit (at, organiser, act, subject, note) VALUES ($1, $2, $3, $4, $5)",
        vec![
            Value::time(*at),
            Value::text(organiser),
            Value::text(&act.word()),
            Value::text(subject),
            Value::note(note),
        ],
        format!("the audit of {subject}"),
    )
}

/// The match gets one more event, its result no longer counts, and its seats are called off.
fn result_voided(voided: &ResultVoided) -> Result<Vec<Statement>, StoreError> {
    let ResultVoided { id, seq, event, summary } = voided;
    let what = || format!("the voided result of match {id}");
    let summary = summary.as_ref().map(|summary| text(id, summary)).transpose()?;
    let called_off = text(id, &EndReason::CalledOff)?.trim_matches('"').to_owned();
    let event = Statement::new(
        "INSERT INTO match_events (match_number, seq, epoch, payload)
            SELECT m.number, $1, l.epoch, $2 FROM matches m CROSS JOIN lease l
            WHERE m.id = $3 AND m.ended IS NOT NULL AND $1 = coalesce(
                (SELECT max(e.seq) + 1 FROM match_events e WHERE e.match_number = m.number),
                (SELECT a.entries FROM match_archives a WHERE a.match_number = m.number), 0)",
        vec![Value::Number(i64::from(*seq)), Value::Text(Some(text(id, event)?)), Value::text(id)],
        what(),
    )
    .or_conflict(format!("match {id} is not over, or event {seq} is not its next"));
    let result = Statement::new(
        "UPDATE results SET rated = FALSE, summary = $1
            WHERE match_number = (SELECT number FROM matches WHERE id = $2)",
        vec![Value::Text(summary), Value::text(id)],
        what(),
    );
    let seats = Statement::new(
        "UPDATE seats SET placement = 0, reason = $1, total = 0
            WHERE match_number = (SELECT number FROM matches WHERE id = $2)",
        vec![Value::Text(Some(called_off)), Value::text(id)],
        what(),
    );
    Ok(vec![event, result, seats])
}
