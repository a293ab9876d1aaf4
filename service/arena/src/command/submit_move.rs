use azulejo_engine::{EngineError, MOST_SENT, Move, Table};

use super::Command;
use crate::match_run::{Answered, Match, Refused, Submission};
use crate::names::{BotId, MatchId, is_unsafe};
use crate::record::Receipt;
use crate::state::{AfterCommit, ArenaState, Metric, Refusal};
use crate::time::{Now, Time};

/// A bot submits a move. The reply is what it cost.
#[derive(Clone, Debug)]
pub struct SubmitMove {
    pub bot: BotId,
    pub id: MatchId,
    pub turn: u32,
    pub action: SubmittedMove,
    /// When the call arrived.
    pub received: Time,
}

/// A move as it was submitted.
#[derive(Clone, Debug)]
pub enum SubmittedMove {
    /// A typed move. `Err`: it does not fit either game; the field at fault is named.
    Typed {
        parsed: Result<Move, EngineError>,
        text: String,
    },
    Id(u32),
    Notation(String),
}

impl Command for SubmitMove {
    type Reply = Receipt;

    fn run(self, arena: &mut ArenaState, now: Now) -> Result<Receipt, Refusal> {
        let Self { bot, id, turn, action, received } = self;
        arena.heard(&bot, received);
        let round_trip = arena.sessions.get(&bot).map(|session| session.round_trips.shortest());
        let (run, seat) = arena.seated(&bot, &id)?;
        let submission =
            Submission { seat, turn, received, round_trip: round_trip.unwrap_or_default() };
        let mut changes = Vec::new();
        let receipt = run.submit(submission, |table| action.read(table), now, &mut changes);
        let not_counted = changes.is_empty();
        // A refused move is an event too, after which the turn is sent again.
        arena.apply_changes(&id, changes, now);
        if let Err(Refused::Illegal { .. }) = &receipt {
            arena.count(Metric::IllegalMove);
            // After a restart of the arena it is not counted, but the turn is sent again.
            if not_counted {
                arena.after_commit(AfterCommit::Turn { id, turn });
            }
        }
        Ok(receipt?)
    }
}

impl SubmittedMove {
    /// The move, if it can be read, and the text to show for it.
    fn read(self, table: &Table) -> Answered {
        let (action, field, sent) = match self {
            Self::Typed { parsed, text } => {
                (parsed.and_then(|action| table.own_move(action)), "move", text)
            }
            Self::Id(id) => (table.action(id), "action_id", format!("action {id}")),
            Self::Notation(text) => {
                let action = table.read_move(&text).map_err(EngineError::BadNotation);
                (action, "notation", text)
            }
        };
        // It is shown on pages and in terminals.
        let shown = sent.chars().map(|character| {
            if is_unsafe(character) { char::REPLACEMENT_CHARACTER } else { character }
        });
        Answered { action, field, sent: shown.take(MOST_SENT).collect() }
    }

    /// The receipt of the same move, if it was accepted in a match that is over.
    pub(crate) fn accepted_before(
        self,
        run: &Match,
        bot: &BotId,
        turn: u32,
    ) -> Result<Receipt, Refusal> {
        let seat = run.seat_of(bot).ok_or(Refusal::NotSeated)?;
        let table = run.table().ok_or(Refusal::NoSuchMatch)?;
        let action = self.read(table).action.ok();
        run.accepted_receipt(seat, turn, action.as_ref())?.ok_or(Refusal::NoSuchMatch)
    }
}
