//! Events as messages.

use azulejo_engine::Table;
use azulejo_wire::served::arena as pb;
use pb::play_event::Event as Play;
use pb::watch_match_response::Event as Watch;

use super::game_match::{match_at_start, match_of_seat, result};
use super::{
    duration, end_reason, match_message, match_with_end, number, paused, receipt, refused_move,
};
use crate::event::{
    FinishedMatch, MatchStarted, MatchStarting, MoveMade, PlayEvent, Seating, Snapshot, Turn,
    WatchEvent,
};
use crate::match_run::Match;
use crate::record::Bytes32;

/// An event for a bot. The ends of matches in a snapshot have to be added from the store.
#[must_use]
pub fn play_event(seq: u64, event: &PlayEvent) -> pb::PlayEvent {
    let event = match event {
        PlayEvent::Snapshot(found) => Play::Snapshot(snapshot(found)),
        PlayEvent::MatchStarting(starting) => Play::MatchStarting(match_starting(starting)),
        PlayEvent::MatchStarted(started) => Play::MatchStarted(match_started(started)),
        PlayEvent::Turn(due) => Play::Turn(turn(due)),
        PlayEvent::MoveMade(made) => Play::MoveMade(move_made(made)),
        PlayEvent::MatchEnded { seat, finished } => Play::MatchEnded(match_ended(*seat, finished)),
        PlayEvent::Ping { number } => Play::Ping(pb::Ping { number: *number }),
        PlayEvent::Replaced => Play::Replaced(pb::Replaced {}),
        PlayEvent::Paused(pause) => Play::Paused(paused(pause)),
        PlayEvent::GoingAway { retry_delay } => {
            Play::GoingAway(pb::GoingAway { retry_delay: Some(duration(*retry_delay)) })
        }
    };
    pb::PlayEvent { seq, event: Some(event) }
}

/// An event for watchers.
#[must_use]
pub fn watch_event(event: &WatchEvent) -> Watch {
    match event {
        WatchEvent::MatchStarted(started) => Watch::MatchStarted(pb::WatchedStart {
            state: Some(started.table.state()),
            r#match: Some(match_at_start(&started.run, started.steps)),
        }),
        WatchEvent::MoveMade(made) => Watch::MoveMade(watched_move(made)),
        WatchEvent::MoveRefused(refused) => Watch::MoveRefused(refused_move(refused)),
        WatchEvent::SeatForfeited { seat, turn, reason } => {
            let end_reason = end_reason(*reason).into();
            Watch::SeatForfeited(pb::WatchedForfeit {
                seat: number(*seat),
                turn: *turn,
                end_reason,
            })
        }
        WatchEvent::MatchEnded(finished) => {
            let pb::MatchEnded { r#match, reveal, seat: _ } = match_ended(0, finished);
            Watch::MatchEnded(pb::WatchedEnd { r#match, reveal })
        }
    }
}

/// The first event for a watcher of a running match.
pub(crate) fn snapshot_of_watched(run: &Match) -> pb::WatchedMatch {
    pb::WatchedMatch {
        r#match: Some(match_message(run)),
        state: run.table().map(Table::state),
        refused_moves: run.refused().iter().map(refused_move).collect(),
    }
}

fn snapshot(snapshot: &Snapshot) -> pb::Snapshot {
    let Snapshot { bot, version, seatings, ended: _, pause } = snapshot;
    pb::Snapshot {
        bot: bot.to_string(),
        version: version.to_string(),
        seatings: seatings.iter().map(seating).collect(),
        ended: Vec::new(),
        paused: pause.as_ref().map(paused),
    }
}

fn seating(seating: &Seating) -> pb::Seating {
    let Seating { seat, run, ready_timeout, turn: due } = seating;
    let starting = ready_timeout.map(|ready_timeout| {
        let run = std::sync::Arc::clone(run);
        match_starting(&MatchStarting { run, seat: *seat, ready_timeout })
    });
    pb::Seating {
        seat: number(*seat),
        r#match: Some(match_of_seat(run, *seat)),
        starting,
        state: run.table().map(Table::state),
        turn: due.as_deref().map(turn),
    }
}

fn match_starting(starting: &MatchStarting) -> pb::MatchStarting {
    let MatchStarting { run, seat, ready_timeout } = starting;
    pb::MatchStarting {
        r#match: Some(match_of_seat(run, *seat)),
        seat: number(*seat),
        ready_timeout: Some(duration(*ready_timeout)),
    }
}

fn match_started(started: &MatchStarted) -> pb::MatchStarted {
    pb::MatchStarted {
        match_id: started.match_id.to_string(),
        state: Some(started.table.state()),
        nonces: nonces(&started.nonces),
        r#match: Some(match_at_start(&started.run, started.steps)),
    }
}

fn turn(turn: &Turn) -> pb::Turn {
    pb::Turn {
        match_id: turn.match_id.to_string(),
        turn: turn.turn,
        seat: number(turn.seat),
        state: Some(turn.table.state()),
        legal_moves: turn.table.legal_move_messages(),
        time_left: Some(duration(turn.time_left)),
        previous_receipt: turn.previous_receipt.as_ref().map(receipt),
        illegal_tries: turn.illegal_tries,
        step: turn.step,
    }
}

fn move_made(made: &MoveMade) -> pb::MoveMade {
    let played = &made.played;
    pb::MoveMade {
        match_id: made.match_id.to_string(),
        turn: played.turn,
        seat: number(played.seat),
        r#move: Some(played.before.legal_move(played.action)),
        events: played.events.iter().map(|event| event.message()).collect(),
        by_house: played.receipt.is_none(),
        receipt: played.receipt.as_ref().map(receipt),
        step: played.step,
    }
}

/// The same move for watchers, with the state after it.
fn watched_move(made: &MoveMade) -> pb::WatchedMove {
    let pb::MoveMade { match_id: _, turn, seat, r#move, events, by_house, receipt, step } =
        move_made(made);
    let state = Some(made.played.after.state());
    pb::WatchedMove { turn, step, seat, r#move, events, state, by_house, receipt }
}

pub(crate) fn match_ended(seat: usize, finished: &FinishedMatch) -> pb::MatchEnded {
    let FinishedMatch { run, at, ratings } = finished;
    let ended = pb::Match { result: result(run, ratings), ..match_with_end(run, Some(*at)) };
    pb::MatchEnded {
        r#match: Some(ended),
        seat: number(seat),
        reveal: Some(pb::Reveal { secret: run.secret().0.to_vec(), nonces: nonces(&run.nonces()) }),
    }
}

fn nonces(nonces: &[Option<Bytes32>]) -> Vec<Vec<u8>> {
    nonces.iter().map(|nonce| nonce.map(|nonce| nonce.0.to_vec()).unwrap_or_default()).collect()
}
