//! The calls of the engine, message in and message out, independent of the transport. The engine
//! is stateless: a call with a seed, or without chance, always gives the same answer.

mod deals;
mod many;
mod playouts;
mod positions;
mod records;

use azulejo_rules::parts::{PlayerCount, Seat, Seed, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_wire::served::v1 as pb;
use azulejo_wire::{BadField, seat};

use crate::message::read_seed;
use crate::{EngineError, Event, Move, Ruleset, Table};

pub use deals::{deal, deal_outcomes};
pub use many::{MOST_IN_BATCH, batch_apply, expand, is_small};
pub use playouts::{MOST_GREEDY_PLAYOUTS, MOST_RANDOM_PLAYOUTS, playouts};
pub use positions::{format_position, parse_position};
pub use records::{render, replay};

pub fn list_rulesets(request: pb::ListRulesetsRequest) -> pb::ListRulesetsResponse {
    let pb::ListRulesetsRequest {} = request;
    let sides = [Side::Colored, Side::Gray];
    let tables = sides.into_iter().flat_map(|side| PlayerCount::ALL.map(|players| (side, players)));
    let azul = tables.clone().map(|(side, players)| {
        (Ruleset::Azul(azul::Rules::new(side, players)), azul::action_count(side, players))
    });
    let pavilion = tables.map(|(side, players)| {
        let rules = pavilion::Rules::new(side, players);
        (Ruleset::SummerPavilion(rules), pavilion::action_count(side, players))
    });
    let info = |(ruleset, actions): (Ruleset, u16)| pb::RulesetInfo {
        ruleset: Some(ruleset.message()),
        name: ruleset.title(),
        action_count: actions.into(),
        key: ruleset.key(),
    };
    pb::ListRulesetsResponse { rulesets: azul.chain(pavilion).map(info).collect() }
}

/// A new game. Without seed or displays it is dealt with `fresh`, which is returned.
pub fn new_game(
    request: pb::NewGameRequest,
    fresh: impl FnOnce() -> Seed,
) -> Result<pb::NewGameResponse, EngineError> {
    use pb::new_game_request::Chance;
    let pb::NewGameRequest { ruleset, start_seat, chance } = request;
    let ruleset = Ruleset::read(ruleset)?;
    let start: Seat = seat("start_seat", ruleset.players(), start_seat)?;
    let mut table = Table::new(ruleset, start);
    let (events, made) = match chance {
        Some(Chance::Displays(displays)) => (deals::deal_given(&mut table, displays)?, None),
        Some(Chance::Seed(seed)) => (deals::deal_by(&mut table, read_seed(Some(seed))?), None),
        None => {
            let seed = fresh();
            (deals::deal_by(&mut table, Some(seed)), Some(seed))
        }
    };
    Ok(pb::NewGameResponse {
        state: Some(table.state()),
        due: Some(table.due()),
        seed: made.as_ref().map(Into::into),
        events: events.into_iter().map(Event::message).collect(),
    })
}

pub fn legal_moves(request: pb::LegalMovesRequest) -> Result<pb::LegalMovesResponse, EngineError> {
    let pb::LegalMovesRequest { state } = request;
    let table = Table::read(state)?;
    Ok(pb::LegalMovesResponse { moves: table.legal_move_messages(), due: Some(table.due()) })
}

pub fn apply(request: pb::ApplyRequest) -> Result<pb::ApplyResponse, EngineError> {
    use pb::apply_request::Chance;
    let pb::ApplyRequest { state, action, chance, include_legal_moves, include_score } = request;
    let mut table = Table::read(state)?;
    let (by, action) = read_action(&table, action)?;
    let played = table.play(action);
    let mut events = played.map_err(|refusal| EngineError::IllegalMove { by, refusal })?;
    match chance {
        Some(Chance::Displays(displays)) => {
            events.extend(deals::deal_given(&mut table, displays)?);
        }
        Some(Chance::Seed(seed)) => {
            events.extend(deals::deal_by(&mut table, read_seed(Some(seed))?));
        }
        None => {}
    }
    Ok(pb::ApplyResponse {
        state: Some(table.state()),
        due: Some(table.due()),
        events: events.into_iter().map(Event::message).collect(),
        legal_moves: if include_legal_moves { table.legal_move_messages() } else { Vec::new() },
        score: include_score.then(|| table.score_message()),
    })
}

pub fn score(request: pb::ScoreRequest) -> Result<pb::ScoreResponse, EngineError> {
    let pb::ScoreRequest { state } = request;
    let table = Table::read(state)?;
    Ok(pb::ScoreResponse { score: Some(table.score_message()), finished: table.is_over() })
}

/// The move, and the request field that named it.
fn read_action(
    table: &Table,
    action: Option<pb::apply_request::Action>,
) -> Result<(&'static str, Move), EngineError> {
    use pb::apply_request::Action;
    Ok(match action.ok_or_else(|| BadField::missing("action"))? {
        Action::Move(message) => ("move", table.typed_move(message)?),
        Action::ActionId(id) => ("action_id", table.action(id)?),
        Action::Notation(text) => {
            ("notation", table.read_move(&text).map_err(EngineError::BadNotation)?)
        }
    })
}
