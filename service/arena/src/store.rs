//! The store of an arena. Writes come in atomic batches, and only from the arena that owns the store.

mod address;
mod archive;
mod audit;
mod constraints;
mod failure;
mod lists;
mod loaded_rows;
mod lock;
mod page;
mod postgres;
mod readable;
mod rows;
mod schema;
mod sorted;
mod sqlite;
mod statement;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;

use crate::names::{BotId, MatchId, Owner, Player, Version};
use crate::pool::Pool;
use crate::rating::LiveRating;
use crate::record::{Bytes32, Event, SeatEnd, Spec, Summary};
use crate::time::Wall;

pub use address::{Address, open};
pub use archive::{Archive, Unarchived};
pub use audit::{Act, AuditEntry};
pub use lists::{ListedInvitation, ListedOwner, ListedToken};
pub use lock::{LockError, StoreLock};
pub use postgres::Postgres;
pub use sqlite::{Sqlite, copy};

/// Identifies the owner of the store: every take-over gets a higher number than all before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(pub i64);

/// Why the store refuses or fails.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another arena owns the store: this one must stop. Nothing was written.
    #[error("another arena has taken over the store")]
    Fenced,
    /// A row that must be new exists already, or one that must exist is missing. Nothing was
    /// written.
    #[error("conflict in the store: {0}")]
    Conflict(String),
    /// The store is unavailable or broken. Whether the last batch was written is unknown.
    #[error("the store failed: {0}")]
    Failed(String),
    /// A stored value is damaged. Other values can be read.
    #[error("the store is damaged: {0} cannot be read")]
    Unreadable(String),
}

/// Something to store.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// A new owner.
    Owner { owner: Owner, registered: Wall },
    /// A new bot; its owner exists already. With the hash of the request id, if there was one.
    Bot { bot: BotId, house: bool, registered: Wall, request: Option<Bytes32> },
    /// A version that its bot declared for the first time.
    Version { bot: BotId, version: Version, declared: Wall },
    /// A new token: only the hash is kept.
    Token(Token),
    /// A token was revoked. Ignored if it does not exist.
    Revoked { public: String },
    /// A code that lets one owner register.
    Invitation { hash: Bytes32, created: Wall },
    /// The code was used. A conflict if it does not exist or was used before.
    Invited { hash: Bytes32 },
    /// A bot is paused, or resumed (none).
    Pause { bot: BotId, pause: Option<Pause> },
    /// An owner is banned, with the organiser's note, or is no longer (none).
    Ban { owner: Owner, note: Option<String> },
    /// What an organiser did, in the same batch as what it changes.
    Audit(AuditEntry),
    /// A new match; the versions of its bots exist already. The secret is durable before its
    /// commitment is published.
    Match { spec: Spec, secret: Bytes32 },
    /// The next event of a match; `seq` counts from 0 without a gap.
    Event { id: MatchId, seq: u32, event: Event },
    /// A match is over. A second end is a conflict.
    Ended(Ended),
    /// An organiser voids the result of a match. A conflict if the match is not over.
    ResultVoided(ResultVoided),
    /// All ratings were computed with this formula.
    RatingFormula(u32),
    /// A recomputed rating.
    LiveRating { pool: Pool, player: Player, standing: LiveRating },
    /// Without its voided results, the player has no rating in this pool.
    LiveRatingRemoved { pool: Pool, player: Player },
    /// A bot has acknowledged the end of a match. Ignored if there is none.
    EndDelivered { id: MatchId, bot: BotId },
}

/// The end of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    pub id: MatchId,
    pub at: Wall,
    /// By seat. Without a result the placements are 0. The end has to be delivered to the bots.
    pub seats: Vec<SeatEnd>,
    /// Whether it counts for the ladder.
    pub rated: bool,
    /// The standings after it; empty if it does not count.
    pub standings: Vec<(Player, LiveRating)>,
    /// What lists show of it.
    pub summary: Option<Summary>,
}

/// The result of a match is voided after its end. For its seats it is called off then, and it does not
/// count any more.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultVoided {
    pub id: MatchId,
    /// The number of the event, which is the next one of the match.
    pub seq: u32,
    pub event: Event,
    /// What lists show of the match from now on.
    pub summary: Option<Summary>,
}

/// A token, without its secret part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The part that may be shown: prefix and number.
    pub public: String,
    /// SHA-256 of the whole token.
    pub hash: Bytes32,
    pub holder: Holder,
    /// None if an older version created it.
    pub created: Option<Wall>,
}

/// Whose token it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    Admin,
    Owner(Owner),
    Bot(BotId),
}

/// Why a bot gets no more matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    pub reason: String,
    /// The match whose failure led to the pause, if one did.
    pub trigger_match: Option<MatchId>,
    /// Whether an organiser paused the bot: then only an organiser resumes it.
    pub by_organiser: bool,
}

/// Everything that an arena needs to continue.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    pub owners: Vec<Owner>,
    /// The banned owners among them, with the organiser's notes.
    pub bans: Vec<(Owner, String)>,
    pub bots: Vec<SavedBot>,
    /// Only valid ones.
    pub tokens: Vec<Token>,
    /// Hashes of unused invitations.
    pub invitations: Vec<Bytes32>,
    /// All ratings.
    pub standings: Vec<(Pool, Player, LiveRating)>,
    /// The formula that the ratings were computed with.
    pub rating_formula: u32,
    /// Who met in the last rated results of each pool, the newest last.
    pub meetings: Vec<(Pool, Vec<Player>)>,
    /// Matches that are not over, with all their events.
    pub running: Vec<SavedMatch>,
    /// Matches that are not over, but cannot be read.
    pub damaged: Vec<DamagedMatch>,
    /// Ends that a bot has not acknowledged.
    pub untold: Vec<(MatchId, BotId)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedBot {
    pub bot: BotId,
    pub house: bool,
    pub registered: Wall,
    /// In the order in which they were declared.
    pub versions: Vec<Version>,
    pub pause: Option<Pause>,
    /// Whether the bot failed, for each of its last fifty matches of the ladder, the newest last.
    pub recent: Vec<bool>,
    /// Hash of the id of the request that registered it.
    pub request: Option<Bytes32>,
}

/// A stored match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedMatch {
    pub spec: Spec,
    pub secret: Bytes32,
    pub events: Vec<Event>,
    /// When it ended.
    pub ended: Option<Wall>,
    /// Whether its result counts.
    pub rated: bool,
    /// Of a finished match, unless an older version stored it.
    pub summary: Option<Summary>,
}

/// A running match that cannot be read, and what is needed to end it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedMatch {
    pub id: MatchId,
    /// The number of its next event.
    pub next: u32,
    /// The number of its seats.
    pub seats: usize,
    /// The bots among them.
    pub bots: Vec<BotId>,
}

/// A rated result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Counts up, possibly with gaps.
    pub seq: i64,
    pub id: MatchId,
    /// The first match of its block.
    pub block: MatchId,
    pub pool: Pool,
    pub seats: Vec<(Player, SeatEnd)>,
}

/// Selects matches; an absent field selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub bot: Option<BotId>,
    pub pool: Option<Pool>,
    pub status: Option<Status>,
}

/// The status of a match, as far as a store knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Running,
    /// Over, with or without a result.
    Over,
    Ended,
    Voided,
}

/// The store of an arena. Methods may be called concurrently.
#[async_trait]
pub trait Store: Send + Sync + fmt::Debug {
    /// Takes over the store: from now on its former owner is refused. `holder` is the new owner's
    /// name, for people.
    async fn take_over(&self, holder: &str) -> Result<Epoch, StoreError>;

    /// Renews the lease; an error if another arena owns the store.
    async fn renew(&self, epoch: Epoch) -> Result<(), StoreError>;

    /// Gives up the store. Ignored if another arena owns it.
    async fn release(&self, epoch: Epoch) -> Result<(), StoreError>;

    /// The owner's name and the age of its lease, by the store's clock; none if the store was never
    /// taken over.
    async fn holder(&self) -> Result<Option<(String, Duration)>, StoreError>;

    /// Whether a token with this hash is in the store, valid or revoked.
    async fn has_token(&self, hash: &Bytes32) -> Result<bool, StoreError>;

    /// Everything that an arena needs to continue.
    async fn load(&self) -> Result<Saved, StoreError>;

    /// Writes all or nothing, durably.
    async fn commit(&self, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError>;

    /// One match with its events. An error if it is damaged.
    async fn find(&self, id: &MatchId) -> Result<Option<SavedMatch>, StoreError>;

    /// Matches in the order in which they were created, the newest first, each with its number;
    /// only those with a number below `before`. Matches with a summary come without events. Damaged
    /// ones are left out; a page is short only if there are no more.
    async fn list(
        &self,
        filter: &Filter,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, SavedMatch)>, StoreError>;

    /// Ended matches in the order in which they ended, each with its number there; only those with
    /// a number above `after`. Damaged ones are left out; a page is short only if there are no more.
    async fn ended(&self, after: i64, most: u32) -> Result<Vec<(i64, SavedMatch)>, StoreError>;

    /// Results of the ladder in order; only those with a number above `after`.
    async fn outcomes(&self, after: i64, most: u32) -> Result<Vec<Outcome>, StoreError>;

    /// Matches that ended before this time and are not archived yet, in the order in which they
    /// ended.
    async fn unarchived(&self, before: Wall, most: u32) -> Result<Vec<Unarchived>, StoreError>;

    /// Replaces the events of finished matches by their archives, all or none. Readers notice no
    /// difference.
    async fn archive(&self, epoch: Epoch, archives: &[Archive]) -> Result<(), StoreError>;

    /// Deletes challenges that ended before this time, the oldest first, and returns how many.
    async fn delete_challenges(
        &self,
        epoch: Epoch,
        before: Wall,
        most: u32,
    ) -> Result<u64, StoreError>;

    /// Owners in the order in which they registered; only those with a number above `after`.
    async fn owners(&self, after: i64, most: u32) -> Result<Vec<ListedOwner>, StoreError>;

    /// Tokens in the order in which they were created, valid or revoked: of everyone, or of this owner
    /// and their bots. Only those with a number above `after`.
    async fn tokens(
        &self,
        of: Option<&Owner>,
        after: i64,
        most: u32,
    ) -> Result<Vec<ListedToken>, StoreError>;

    /// Invitations in the order in which they were created; only those with a number above `after`.
    async fn invitations(&self, after: i64, most: u32)
    -> Result<Vec<ListedInvitation>, StoreError>;

    /// What organisers did, the newest first, each with its number; only those with a number below
    /// `before`.
    async fn audit(
        &self,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, AuditEntry)>, StoreError>;
}
