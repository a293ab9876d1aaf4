//! Lists for organisers, as rows of either database. They contain neither codes nor hashes.

use super::failure::unreadable;
use super::{Act, AuditEntry, Holder, StoreError, rows};
use crate::names::Owner;
use crate::time::Wall;

pub(super) const OWNERS: &str = "SELECT o.number, o.owner, o.registered, o.banned,
        (SELECT count(*) FROM bots b WHERE b.owner = o.owner)
    FROM owners o WHERE o.number > $1 ORDER BY o.number LIMIT $2";
pub(super) const TOKENS: &str = "SELECT number, public, owner, bot, created, revoked FROM tokens
    WHERE number > $1 ORDER BY number LIMIT $2";
pub(super) const TOKENS_OF_AN_OWNER: &str =
    "SELECT number, public, owner, bot, created, revoked FROM tokens
    WHERE number > $1 AND (owner = $2 OR bot IN (SELECT b.bot FROM bots b WHERE b.owner = $2))
    ORDER BY number LIMIT $3";
pub(super) const INVITATIONS: &str =
    "SELECT number, created, used FROM invitations WHERE number > $1 ORDER BY number LIMIT $2";
pub(super) const AUDIT: &str = "SELECT number, at, organiser, act, subject, note FROM audit
    WHERE number < $1 ORDER BY number DESC LIMIT $2";

pub(super) type OwnerRow = (i64, String, i64, Option<Vec<u8>>, i64);
pub(super) type TokenRow = (i64, String, Option<String>, Option<String>, Option<i64>, bool);
pub(super) type InvitationRow = (i64, Option<i64>, bool);
pub(super) type AuditRow = (i64, i64, String, String, String, Vec<u8>);

/// An owner, for organisers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOwner {
    pub number: i64,
    pub owner: Owner,
    pub registered: Wall,
    /// How many bots the owner has.
    pub bots: u64,
    /// The organiser's note, if the owner is banned.
    pub banned: Option<String>,
}

/// A token, for organisers and its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedToken {
    pub number: i64,
    pub public: String,
    pub holder: Holder,
    /// None if an older version created it.
    pub created: Option<Wall>,
    pub revoked: bool,
}

/// An invitation, for organisers. Its code is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedInvitation {
    pub number: i64,
    /// None if an older version created it.
    pub created: Option<Wall>,
    pub used: bool,
}

const fn wall(stored: i64) -> Wall {
    Wall(stored.cast_unsigned())
}

pub(super) fn owners(rows: Vec<OwnerRow>) -> Result<Vec<ListedOwner>, StoreError> {
    let listed = |(number, owner, registered, banned, bots): OwnerRow| {
        let what = format!("owner {owner}");
        Ok(ListedOwner {
            number,
            registered: wall(registered),
            bots: rows::number(bots, &what)?,
            banned: banned.map(|note| rows::note(note, &what)).transpose()?,
            owner: rows::name(&owner, "an owner")?,
        })
    };
    rows.into_iter().map(listed).collect()
}

pub(super) fn tokens(rows: Vec<TokenRow>) -> Result<Vec<ListedToken>, StoreError> {
    let listed = |(number, public, owner, bot, created, revoked): TokenRow| {
        let what = format!("token {public}");
        let holder = rows::holder(owner.as_deref(), bot.as_deref(), what)?;
        Ok(ListedToken { number, public, holder, created: created.map(wall), revoked })
    };
    rows.into_iter().map(listed).collect()
}

pub(super) fn invitations(rows: Vec<InvitationRow>) -> Vec<ListedInvitation> {
    let listed = |(number, created, used): InvitationRow| ListedInvitation {
        number,
        created: created.map(wall),
        used,
    };
    rows.into_iter().map(listed).collect()
}

pub(super) fn audit(rows: Vec<AuditRow>) -> Result<Vec<(i64, AuditEntry)>, StoreError> {
    let listed = |(number, at, organiser, act, subject, note): AuditRow| {
        let what = format!("row {number} of the audit log");
        let act = Act::of(&act).ok_or_else(|| unreadable(&what))?;
        let note = rows::note(note, &what)?;
        Ok((number, AuditEntry { at: wall(at), organiser, act, subject, note }))
    };
    rows.into_iter().map(listed).collect()
}
