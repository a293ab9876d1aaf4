//! Calls of the engine: every request and response is encoded and decoded.

use std::fmt::Debug;

use azulejo_engine::{EngineError, calls};
use azulejo_rules::parts::Seed;
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use prost::Message;

pub(crate) type Answer<T> = Result<T, EngineError>;

/// The seed that the engine makes in these tests.
pub(crate) const MADE: u64 = 4711;

pub(crate) fn made() -> Seed {
    Seed::from_number(MADE)
}

/// A message as it arrives.
pub(crate) fn sent<M: Message + Default>(message: &M) -> M {
    M::decode(message.encode_to_vec().as_slice()).unwrap()
}

/// The engine has its own types of the messages, in which states stay encoded. Requests and responses
/// have the same bytes as those of the generated types.
fn ask<Q, A, ServedQ, ServedA>(
    call: impl FnOnce(ServedQ) -> Answer<ServedA>,
    request: &Q,
) -> Answer<A>
where
    Q: Message,
    A: Message + Default,
    ServedQ: Message + Default,
    ServedA: Message + Default + PartialEq + Debug,
{
    let request = ServedQ::decode(request.encode_to_vec().as_slice()).unwrap();
    let answer = call(request)?;
    let bytes = answer.encode_to_vec();
    assert_eq!(sent(&answer), answer, "an answer is unchanged after encoding and decoding");
    let received = A::decode(bytes.as_slice()).unwrap();
    assert_eq!(received.encode_to_vec(), bytes, "states are encoded as prost encodes them");
    Ok(received)
}

pub(crate) fn list_rulesets() -> pb::ListRulesetsResponse {
    let request = pb::ListRulesetsRequest {};
    ask(|request| Ok(calls::list_rulesets(request)), &request).unwrap()
}

pub(crate) fn new_game(request: &pb::NewGameRequest) -> Answer<pb::NewGameResponse> {
    ask(|request| calls::new_game(request, made), request)
}

pub(crate) fn legal_moves(state: &game::GameState) -> Answer<pb::LegalMovesResponse> {
    ask(calls::legal_moves, &pb::LegalMovesRequest { state: Some(state.clone()) })
}

pub(crate) fn apply(request: &pb::ApplyRequest) -> Answer<pb::ApplyResponse> {
    ask(calls::apply, request)
}

pub(crate) fn deal(request: &pb::DealRequest) -> Answer<pb::DealResponse> {
    ask(calls::deal, request)
}

pub(crate) fn deal_outcomes(state: &game::GameState) -> Answer<pb::DealOutcomesResponse> {
    ask(calls::deal_outcomes, &pb::DealOutcomesRequest { state: Some(state.clone()) })
}

pub(crate) fn score(state: &game::GameState) -> Answer<pb::ScoreResponse> {
    ask(calls::score, &pb::ScoreRequest { state: Some(state.clone()) })
}

pub(crate) fn expand(state: &game::GameState, view: i32) -> Answer<pb::ExpandResponse> {
    ask(calls::expand, &pb::ExpandRequest { state: Some(state.clone()), view })
}

pub(crate) fn batch_apply(request: &pb::BatchApplyRequest) -> Answer<pb::BatchApplyResponse> {
    ask(calls::batch_apply, request)
}

pub(crate) fn playouts(request: &pb::PlayoutsRequest) -> Answer<pb::PlayoutsResponse> {
    ask(|request| calls::playouts(request, made, || true), request)
}

pub(crate) fn replay(record: &str) -> Answer<pb::ReplayResponse> {
    ask(calls::replay, &pb::ReplayRequest { record: record.to_owned() })
}

pub(crate) fn render(request: &pb::RenderRequest) -> Answer<pb::RenderResponse> {
    ask(calls::render, request)
}

pub(crate) fn format_position(state: &game::GameState) -> Answer<pb::FormatPositionResponse> {
    ask(calls::format_position, &pb::FormatPositionRequest { state: Some(state.clone()) })
}

pub(crate) fn parse_position(position: &str) -> Answer<pb::ParsePositionResponse> {
    ask(calls::parse_position, &pb::ParsePositionRequest { position: position.to_owned() })
}

pub(crate) fn seed(number: u64) -> game::Seed {
    game::Seed { seed: Some(game::seed::Seed::Number(number)) }
}

/// A move by its notation, without a deal after it.
pub(crate) fn written(state: &game::GameState, notation: &str) -> pb::ApplyRequest {
    let action = pb::apply_request::Action::Notation(notation.to_owned());
    pb::ApplyRequest {
        state: Some(state.clone()),
        action: Some(action),
        ..pb::ApplyRequest::default()
    }
}

/// Checks an error: the field, the reason, and the whole message.
#[track_caller]
pub(crate) fn assert_refused(error: &EngineError, field: &str, reason: &str, message: &str) {
    assert_eq!(error.to_string(), message);
    assert_eq!((error.field().as_str(), error.reason()), (field, reason));
}
