//! Valid requests: cheap ones, and one that takes long.

use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;

use crate::grpc::Engine;

pub(crate) const SERVICE: &str = "azulejo.engine.v1.EngineService";

/// The path of a method of the engine.
pub(crate) fn path(method: &str) -> String {
    format!("/{SERVICE}/{method}")
}

pub(crate) fn azul(players: u32) -> game::Ruleset {
    let side = game::BoardSide::Colored.into();
    let rules = game::AzulRules { version: 1, side, players, round_limit: 0 };
    game::Ruleset { game: Some(game::ruleset::Game::Azul(rules)) }
}

pub(crate) fn pavilion(players: u32) -> game::Ruleset {
    let side = game::BoardSide::Colored.into();
    let rules = game::SummerPavilionRules { version: 1, side, players };
    game::Ruleset { game: Some(game::ruleset::Game::SummerPavilion(rules)) }
}

pub(crate) fn seed(number: u64) -> game::Seed {
    game::Seed { seed: Some(game::seed::Seed::Number(number)) }
}

pub(crate) fn new_game(ruleset: game::Ruleset, number: u64) -> pb::NewGameRequest {
    let chance = Some(pb::new_game_request::Chance::Seed(seed(number)));
    pb::NewGameRequest { ruleset: Some(ruleset), start_seat: 0, chance }
}

/// A position that has been dealt.
pub(crate) async fn dealt(engine: &mut Engine, ruleset: game::Ruleset) -> game::GameState {
    let answer = engine.new_game(new_game(ruleset, 7)).await.unwrap();
    answer.into_inner().state.unwrap()
}

/// The first legal move.
pub(crate) async fn first_move(engine: &mut Engine, state: &game::GameState) -> pb::ApplyRequest {
    let request = pb::LegalMovesRequest { state: Some(state.clone()) };
    let moves = engine.legal_moves(request).await.unwrap().into_inner().moves;
    let action = pb::apply_request::Action::ActionId(moves[0].action_id);
    pb::ApplyRequest {
        state: Some(state.clone()),
        action: Some(action),
        ..pb::ApplyRequest::default()
    }
}

/// The largest allowed number of games: much longer than any deadline of these tests.
pub(crate) fn long_work(state: &game::GameState) -> pb::PlayoutsRequest {
    let policy = pb::PlayoutPolicy::Random.into();
    pb::PlayoutsRequest { state: Some(state.clone()), games: 10_000, policy, seed: Some(seed(1)) }
}

/// Very little work for the CPU pool.
pub(crate) fn short_work(state: &game::GameState) -> pb::ExpandRequest {
    pb::ExpandRequest { state: Some(state.clone()), view: pb::ExpandView::Scores.into() }
}

/// The server works: a cheap call and one through the CPU pool succeed.
pub(crate) async fn assert_well(engine: &mut Engine) {
    let state = dealt(engine, azul(2)).await;
    let children = engine.expand(short_work(&state)).await.unwrap().into_inner().children;
    assert!(!children.is_empty());
}
