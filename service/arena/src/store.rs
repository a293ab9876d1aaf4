//! What an arena keeps, and how: everything is written in batches, each of them whole or not at
//! all, and only by the arena that holds the store.

mod address;
mod allowed;
mod failure;
mod kept;
mod page;
mod postgres;
mod rows;
mod schema;
mod sqlite;

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use crate::moment::Wall;
use crate::names::{BotId, MatchId, Owner, Player, Version};
use crate::pool::Pool;
use crate::rating::Standing;
use crate::record::{Bytes32, Event, SeatEnd, Spec};

pub use address::{Address, open};
pub use postgres::Postgres;
pub use sqlite::{Sqlite, copy};

/// Which arena holds the store: each that takes it over has a higher number than all before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(pub i64);

/// A reason not to go on.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another arena holds the store: this one must stop. Nothing was written.
    #[error("another arena has taken over the store")]
    Fenced,
    /// A row that must be new is there already, or one that must be there is not. Nothing was
    /// written.
    #[error("the store refuses: {0}")]
    Conflict(String),
    /// The store cannot be reached, or does not know what it says. Whether the last batch was
    /// written is unknown.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// Something to write down.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// A new owner.
    Owner { owner: Owner, registered: Wall },
    /// A new bot; its owner is there already. With the hash of the request id, if there was one.
    Bot { bot: BotId, house: bool, registered: Wall, request: Option<Bytes32> },
    /// A version that its bot declared for the first time.
    Version { bot: BotId, version: Version, declared: Wall },
    /// A new token: only the hash is kept.
    Token(Token),
    /// A token is no longer valid, and never will be again. Absent: nothing happens.
    Revoked { public: String },
    /// A code that lets one owner register.
    Invitation { hash: Bytes32 },
    /// The code was used. Absent or used already: a conflict.
    Invited { hash: Bytes32 },
    /// A bot is paused, or plays again (none).
    Pause { bot: BotId, pause: Option<Pause> },
    /// The seats of a match are called; their versions are there already. The secret is there before
    /// anybody hears of its commitment.
    Match { spec: Spec, secret: Bytes32 },
    /// The next event of a match; `seq` counts from 0 without a gap.
    Event { id: MatchId, seq: u32, event: Event },
    /// A match is over, once and for all: a second end is a conflict.
    Ended(Ended),
    /// A rating that was computed again.
    Standing { pool: Pool, player: Player, standing: Standing },
    /// A bot has heard of the end of a match. Absent: nothing happens.
    Told { id: MatchId, bot: BotId },
}

/// The end of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    pub id: MatchId,
    pub at: Wall,
    /// By seat. Without a result the placements are 0. The remote seats are to be told.
    pub seats: Vec<SeatEnd>,
    /// Whether it is a result of the ladder.
    pub rated: bool,
    /// The standings after it; none if it is no result of the ladder.
    pub standings: Vec<(Player, Standing)>,
}

/// A token, without what makes it secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The part that may be shown: prefix and number.
    pub public: String,
    /// SHA-256 of the whole token.
    pub hash: Bytes32,
    pub holder: Holder,
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
    /// The match that was the last straw.
    pub last_straw: Option<MatchId>,
}

/// Everything that an arena needs to go on.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    pub owners: Vec<Owner>,
    pub bots: Vec<SavedBot>,
    /// Those that are valid.
    pub tokens: Vec<Token>,
    /// Hashes of those not used yet.
    pub invitations: Vec<Bytes32>,
    /// Every rating.
    pub standings: Vec<(Pool, Player, Standing)>,
    /// Matches that are not over, with all their events.
    pub running: Vec<SavedMatch>,
    /// Ends that a bot has not heard of.
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

/// A match, as far as it is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedMatch {
    pub spec: Spec,
    pub secret: Bytes32,
    pub events: Vec<Event>,
    /// When it ended.
    pub ended: Option<Wall>,
    /// Whether its result counts.
    pub rated: bool,
}

/// A result of the ladder, in the order in which they were written down.
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

/// Which matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub bot: Option<BotId>,
    pub pool: Option<Pool>,
    pub status: Option<Status>,
}

/// How far a match is, as far as a store can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Running,
    /// Over, with or without a result.
    Over,
    Ended,
    Voided,
}

/// Where an arena keeps everything. All methods may be called at the same time.
#[tonic::async_trait]
pub trait Store: Send + Sync + fmt::Debug {
    /// Takes the store: from now on whoever held it is refused. `holder` is for people to read.
    async fn take_over(&self, holder: &str) -> Result<Epoch, StoreError>;

    /// Says that the holder lives, and asks whether it still is the holder.
    async fn renew(&self, epoch: Epoch) -> Result<(), StoreError>;

    /// The holder goes: nobody is at work any more. Whoever is no longer the holder changes nothing.
    async fn release(&self, epoch: Epoch) -> Result<(), StoreError>;

    /// The holder's name, and how long ago it was heard of, by the store's clock; none if nobody
    /// ever took the store.
    async fn holder(&self) -> Result<Option<(String, Duration)>, StoreError>;

    /// Whether a token with this hash is in the store, valid or revoked.
    async fn has_token(&self, hash: &Bytes32) -> Result<bool, StoreError>;

    /// Everything that an arena needs to go on.
    async fn load(&self) -> Result<Saved, StoreError>;

    /// Writes all of it, durably, or nothing.
    async fn commit(&self, epoch: Epoch, writes: &[Write]) -> Result<(), StoreError>;

    /// One match; none if there is no such.
    async fn find(&self, id: &MatchId) -> Result<Option<SavedMatch>, StoreError>;

    /// Matches in the order in which they were called, the newest first, each with its number;
    /// only those with a number below `before`.
    async fn list(
        &self,
        filter: &Filter,
        before: Option<i64>,
        most: u32,
    ) -> Result<Vec<(i64, SavedMatch)>, StoreError>;

    /// Ended matches in the order in which they ended, each with its number there; only those with
    /// a number above `after`.
    async fn ended(&self, after: i64, most: u32) -> Result<Vec<(i64, SavedMatch)>, StoreError>;

    /// Results of the ladder in order; only those with a number above `after`.
    async fn outcomes(&self, after: i64, most: u32) -> Result<Vec<Outcome>, StoreError>;
}
