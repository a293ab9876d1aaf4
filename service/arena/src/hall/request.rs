//! What comes in and what goes out.

use azulejo_engine::{EngineError, HouseBot, MOST_SENT, Move, Table};
use azulejo_wire::game::v1 as game;
use azulejo_wire::served::arena as pb;

use super::Refusal;
use crate::cursor::Cursor;
use crate::match_run::Answered;
use crate::moment::Time;
use crate::names::{BotId, MatchId, Owner, Version, is_unsafe};
use crate::pool::{Pool, TimeClass};
use crate::record::Bytes32;
use crate::store::{Filter, Holder};

/// To whom an answer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// Who is there, and what it would like to play.
#[derive(Clone, Debug)]
pub struct Hello {
    pub version: Version,
    pub offer: Offer,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub pools: Vec<Pool>,
    pub at_once: u32,
    pub accepts_challenges: bool,
    pub plays_ladder: bool,
}

/// A decision as it came.
#[derive(Clone, Debug)]
pub enum Action {
    Typed(game::Move),
    Id(u32),
    Notation(String),
}

impl Action {
    /// The move that it stands for, and the answer as it was sent.
    pub(crate) fn read(self, table: &Table) -> Answered {
        let field = match self {
            Self::Typed(_) => "move",
            Self::Id(_) => "action_id",
            Self::Notation(_) => "notation",
        };
        let (action, sent) = match self {
            Self::Typed(message) => match table.read_message(message) {
                Ok(action) => (Ok(action), action.to_string()),
                Err(problem) => (Err(problem), format!("{message:?}")),
            },
            Self::Id(id) => (table.action(id), format!("action {id}")),
            Self::Notation(text) => {
                (table.read_move(&text).map_err(EngineError::BadNotation), text)
            }
        };
        // It is shown on pages and in terminals.
        let shown = sent.chars().map(|character| {
            if is_unsafe(character) { char::REPLACEMENT_CHARACTER } else { character }
        });
        Answered { action, field, sent: shown.take(MOST_SENT).collect() }
    }
}

/// Who is challenged.
#[derive(Clone, Debug)]
pub enum Opponent {
    Bot(BotId),
    House(HouseBot),
}

/// Something that somebody who may ask it asks.
#[derive(Clone, Debug)]
pub enum Request {
    /// A new session of a bot, which replaces any other; with the hash of the token that opened it.
    Open {
        bot: BotId,
        key: Bytes32,
        hello: Hello,
    },
    /// A bot is there, and has seen its events so far; it may change its offer.
    Poll {
        bot: BotId,
        session: u64,
        seen: u64,
        hello: Option<Hello>,
    },
    /// A stream of a bot has ended.
    Closed {
        bot: BotId,
        session: u64,
    },
    Ready {
        bot: BotId,
        id: MatchId,
        nonce: Bytes32,
    },
    Submit {
        bot: BotId,
        id: MatchId,
        turn: u32,
        action: Action,
        received: Time,
    },
    Heartbeat {
        bot: BotId,
        ping: u64,
        /// Matches whose end the bot has received.
        ended: Vec<MatchId>,
        received: Time,
    },
    Resign {
        bot: BotId,
        id: MatchId,
    },
    /// A turn has left the server.
    Fetched {
        id: MatchId,
        turn: u32,
        at: Time,
    },
    /// The house has thought about a turn.
    Thought {
        id: MatchId,
        turn: u32,
        action: Option<Move>,
    },
    /// By an owner, or by somebody who becomes one.
    Register {
        by: Option<Owner>,
        owner: Owner,
        name: String,
        invitation: Option<Bytes32>,
        /// Hash of the request id, if there is one.
        request: Option<Bytes32>,
    },
    CreateToken {
        by: Owner,
        bot: BotId,
    },
    /// By an owner, or by an organiser (none).
    Revoke {
        by: Option<Owner>,
        public: String,
    },
    Resume {
        by: Owner,
        bot: BotId,
    },
    Challenge {
        by: BotId,
        ruleset: azulejo_engine::Ruleset,
        time_class: TimeClass,
        opponents: Vec<Opponent>,
        seat: usize,
        /// Hash of the request id, if there is one.
        request: Option<Bytes32>,
    },
    /// By an organiser.
    Invite,
    Pause {
        bot: BotId,
        note: String,
    },
    Void {
        id: MatchId,
        note: String,
    },
    Bot {
        bot: BotId,
    },
    Bots {
        after: Option<BotId>,
        most: usize,
    },
    Pools,
    Ladder {
        pool: Pool,
        after: Option<Cursor>,
        most: usize,
    },
    /// A match that is not over; what is over is in the store.
    Running {
        id: MatchId,
    },
    /// Matches that are not over.
    AllRunning {
        filter: Filter,
    },
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Answer {
    Opened {
        session: u64,
    },
    Polled,
    Ready,
    Submitted(pb::SubmitMoveResponse),
    Heartbeat(pb::HeartbeatResponse),
    Resigned,
    Registered(pb::RegisterBotResponse),
    Token(String),
    Revoked,
    Bot(pb::Bot),
    Challenged(pb::Match),
    /// A challenge that was repeated after its match was over; the match is in the store.
    ChallengedBefore(MatchId),
    Invitation(String),
    Voided(pb::Match),
    /// A page, and whether there is more.
    Bots(Vec<pb::Bot>, bool),
    Pools(Vec<pb::PoolInfo>),
    /// A page, and where the next one begins.
    Ladder(Vec<pb::LadderEntry>, Option<Cursor>),
    Running(Option<Box<pb::GetMatchResponse>>),
    AllRunning(Vec<pb::Match>),
}

/// Something that follows.
#[derive(Clone, Debug)]
pub enum Output {
    Answer(Ticket, Box<Result<Answer, Refusal>>),
    /// An event for a session.
    Tell {
        bot: BotId,
        session: u64,
        event: Box<pb::PlayEvent>,
        /// Ends that a snapshot has to tell of; they are in the store.
        ended: Vec<MatchId>,
    },
    /// Nobody listens to this session any more.
    Close {
        bot: BotId,
        session: u64,
    },
    /// For those who watch a match; the last one if it is an end.
    Watch {
        id: MatchId,
        event: Box<pb::watch_match_response::Event>,
    },
    /// A house bot has to think.
    Think {
        id: MatchId,
        turn: u32,
        bot: HouseBot,
        table: Box<Table>,
    },
    /// A token is valid from now on.
    Key {
        hash: Bytes32,
        holder: Holder,
    },
    /// A token is no longer valid.
    KeyGone {
        hash: Bytes32,
    },
}
