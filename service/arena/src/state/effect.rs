//! What the arena does to the outside, once everything before it is durable.

use azulejo_engine::{HouseBot, Table};

use crate::event::{PlayEvent, WatchEvent};
use crate::names::{BotId, MatchId, Owner};
use crate::record::Bytes32;
use crate::store::Holder;

/// Something to carry out.
#[derive(Clone, Debug)]
pub enum Effect {
    /// An event for a session; `seq` counts from 1.
    Send { bot: BotId, session: u64, seq: u64, event: PlayEvent },
    /// A session is over.
    CloseSession { bot: BotId, session: u64 },
    /// An event for the watchers of a match.
    Watch { id: MatchId, event: WatchEvent },
    /// A house bot has to search for a move, for this challenger.
    Search { id: MatchId, turn: u32, bot: HouseBot, table: Box<Table>, owner: Option<Owner> },
    /// A token is valid from now on.
    AddToken { hash: Bytes32, holder: Holder },
    /// A token is no longer valid.
    RemoveToken { hash: Bytes32 },
    /// A result no longer counts.
    ResultVoided,
}

/// Something that becomes an effect after the commit. Its content is computed then, so that it is
/// never out of date.
#[derive(Clone, Debug)]
pub(crate) enum AfterCommit {
    Effect(Effect),
    Send {
        bot: BotId,
        session: u64,
        event: PlayEvent,
    },
    /// The first event of a session.
    Snapshot {
        bot: BotId,
        session: u64,
    },
    /// Ask the seats of a match whether they are ready.
    Call {
        id: MatchId,
    },
    /// Send a turn to its bot.
    Turn {
        id: MatchId,
        turn: u32,
    },
}
