//! Broken requests, and what must hold whatever the engine answers.

use std::cell::Cell;

use azulejo_engine::{EngineError, Table, calls};
use azulejo_wire::State;
use azulejo_wire::game::v1 as game;
use azulejo_wire::served::v1 as pb;
use pb::batch_apply_result::Result as Of;
use prost::Message;

use crate::caller::made;
use crate::details::details;
use crate::reasons_listed::{NO_RULE_OF_A_CALL, REASONS, RULES};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Call {
    ListRulesets,
    NewGame,
    LegalMoves,
    Apply,
    Deal,
    DealOutcomes,
    Score,
    Expand,
    BatchApply,
    Playouts,
    Replay,
    Render,
    FormatPosition,
    ParsePosition,
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    NoMessage,
    Refused(&'static str),
    Done,
}

pub(crate) fn make(call: Call, bytes: &[u8]) -> Fate {
    match call {
        Call::ListRulesets => answer(bytes, |request| Ok(calls::list_rulesets(request)), |_| ()),
        Call::NewGame => answer(
            bytes,
            |request| calls::new_game(request, made),
            |told| {
                check_next(told.state.as_ref(), told.due);
            },
        ),
        Call::LegalMoves => answer(bytes, calls::legal_moves, |told| {
            let to_move = matches!(told.due.unwrap().due, Some(game::due::Due::Seat(_)));
            assert_eq!(told.moves.is_empty(), !to_move);
        }),
        Call::Apply => answer(bytes, calls::apply, |told| check_applied(&told)),
        Call::Deal => answer(bytes, calls::deal, |told| {
            check_next(told.state.as_ref(), told.due);
            assert!(!told.events.is_empty());
        }),
        Call::DealOutcomes => answer(bytes, calls::deal_outcomes, |told| {
            assert_eq!(told.outcomes.iter().map(|one| one.ways).sum::<u64>(), told.all_ways);
        }),
        Call::Score => answer(bytes, calls::score, |told| check_score(told.score.as_ref())),
        Call::Expand => answer(bytes, calls::expand, |told| {
            for child in told.children {
                check_score(child.score.as_ref());
                child.state.iter().for_each(check_state);
            }
        }),
        Call::BatchApply => answer(bytes, calls::batch_apply, check_batch),
        Call::Playouts => play_out(bytes),
        Call::Replay => answer(bytes, calls::replay, |told| match told.defect {
            None => check_state(&told.state.unwrap()),
            Some(defect) => check_words(&defect.message),
        }),
        Call::Render => answer(bytes, calls::render, |told| {
            assert!(!told.drawing.is_empty() && !told.media_type.is_empty());
        }),
        Call::FormatPosition => answer(bytes, calls::format_position, |told| {
            assert!(told.position.parse::<Table>().is_ok(), "{}", told.position);
        }),
        Call::ParsePosition => answer(bytes, calls::parse_position, |told| {
            check_next(told.state.as_ref(), told.due);
        }),
    }
}

fn play_out(bytes: &[u8]) -> Fate {
    // One game is enough.
    let left = Cell::new(2);
    let in_time = || left.replace(left.get() - 1) > 1;
    answer(
        bytes,
        |request| calls::playouts(request, made, in_time),
        |told| {
            let wins: f64 = told.seats.iter().map(|seat| seat.wins).sum();
            assert!((wins - f64::from(told.games)).abs() < 1e-9);
        },
    )
}

fn answer<Q: Message + Default, A: Message>(
    bytes: &[u8],
    call: impl FnOnce(Q) -> Result<A, EngineError>,
    check: impl FnOnce(A),
) -> Fate {
    let Ok(request) = Q::decode(bytes) else { return Fate::NoMessage };
    match call(request) {
        Ok(told) => {
            check(told);
            Fate::Done
        }
        Err(error) => {
            let rule = error.rule();
            check_error(error.reason(), rule, &error.field(), &error.to_string());
            Fate::Refused(rule.unwrap_or(error.reason()))
        }
    }
}

fn check_error(reason: &str, rule: Option<&str>, field: &str, message: &str) {
    assert!(REASONS.contains(reason), "unknown reason {reason}: {message}");
    assert!(rule.is_none_or(|rule| RULES.contains(rule)), "unknown rule {rule:?}: {message}");
    assert!(rule.is_none_or(|rule| !NO_RULE_OF_A_CALL.contains(&rule)), "{rule:?} can be met");
    check_words(message);
    let in_path = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_.[]".contains(c);
    assert!(field.chars().all(in_path) && !field.contains(".."), "{field:?}: {message}");
    assert!(!field.is_empty() || reason == "DEADLINE_EXCEEDED", "no field: {message}");
}

/// Messages may be shown in a terminal.
fn check_words(message: &str) {
    assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
    assert!(message.len() < 1000, "{} bytes: {message}", message.len());
}

/// The engine accepts the states that it returns.
fn check_state(state: &State) {
    let table = Table::read(Some(state.clone())).unwrap_or_else(|bad| panic!("{bad}: {state:?}"));
    assert_eq!(table.state(), *state);
}

fn check_next(state: Option<&State>, due: Option<game::Due>) {
    let state = state.unwrap();
    check_state(state);
    assert_eq!(due, Some(Table::read(Some(state.clone())).unwrap().due()));
}

fn check_applied(told: &pb::ApplyResponse) {
    check_next(told.state.as_ref(), told.due);
    told.score.iter().for_each(|score| check_score(Some(score)));
    assert!(told.legal_moves.iter().all(|legal| legal.effect.is_some()));
}

fn check_score(score: Option<&game::Score>) {
    let score = score.unwrap();
    assert!(!score.winners.is_empty() && score.seats.iter().any(|seat| seat.rank == 1));
}

fn check_batch(told: pb::BatchApplyResponse) {
    for result in told.results {
        match result.result.unwrap() {
            Of::Response(told) => check_applied(&told),
            Of::Error(told) => {
                let (info, request) = details(&told);
                let rule = info.metadata.get("rule").map(String::as_str);
                let violations = request.map(|request| request.field_violations);
                let field =
                    violations.and_then(|violations| Some(violations.first()?.field.clone()));
                check_error(&info.reason, rule, &field.unwrap_or_default(), &told.message);
            }
        }
    }
}
