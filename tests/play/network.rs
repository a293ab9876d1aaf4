//! The engine over the network plays the same games.

use azulejo_engine::Table;
use azulejo_play::{Chance, Game, Ruleset};
use azulejo_tests::grpc::channel;
use azulejo_tests::process::{ANY_PORTS, ServerProcess, azulejo};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use pb::engine_service_client::EngineServiceClient;
use tempfile::TempDir;
use tonic::transport::Channel;

use crate::transcript::{Choices, GAMES, Transcript, seen};
use crate::transcripts::stored;

type Engine = EngineServiceClient<Channel>;

/// Scores of a state, by the network.
async fn scores(engine: &mut Engine, state: game::GameState) -> Vec<u16> {
    let request = pb::ScoreRequest { state: Some(state) };
    let score = engine.score(request).await.unwrap().into_inner().score.unwrap();
    score.seats.iter().map(|seat| u16::try_from(seat.total).unwrap()).collect()
}

async fn digest(engine: &mut Engine, ruleset: Ruleset) -> String {
    let mut transcript = Transcript::default();
    for number in 0..GAMES {
        let seed = game::Seed { seed: Some(game::seed::Seed::Number(number)) };
        let request = pb::NewGameRequest {
            ruleset: Some(ruleset.message()),
            chance: Some(pb::new_game_request::Chance::Seed(seed.clone())),
            ..pb::NewGameRequest::default()
        };
        let mut state = engine.new_game(request).await.unwrap().into_inner().state.unwrap();
        let request = pb::LegalMovesRequest { state: Some(state.clone()) };
        let mut moves = engine.legal_moves(request).await.unwrap().into_inner().moves;
        let mut choices = Choices::new(number);
        while !moves.is_empty() {
            let table = Table::read(Some(state.clone())).unwrap();
            let game = Game::at(table, Chance::Explicit);
            let (_, observation) = seen(&game);
            // The mask of the network: what it lists.
            let mut mask = vec![0; game.action_count()];
            for legal in &moves {
                mask[legal.action_id as usize] = 1;
            }
            transcript.position(&game.text(), &mask, &observation, game.hash());
            let action = moves[choices.below(moves.len())].action_id;
            let request = pb::ApplyRequest {
                state: Some(state),
                action: Some(pb::apply_request::Action::ActionId(action)),
                chance: Some(pb::apply_request::Chance::Seed(seed.clone())),
                include_legal_moves: true,
                ..pb::ApplyRequest::default()
            };
            let answer = engine.apply(request).await.unwrap().into_inner();
            (state, moves) = (answer.state.unwrap(), answer.legal_moves);
        }
        let text = Table::read(Some(state.clone())).unwrap().to_string();
        transcript.end(&text, &scores(engine, state).await);
    }
    transcript.digest()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_engine_over_the_network_plays_the_same_games() {
    let folder = TempDir::new().unwrap();
    let command = azulejo(&[&["engine"], &ANY_PORTS[..]].concat());
    let server = ServerProcess::start(command, folder.path());
    let expected = stored();
    let playing: Vec<_> = Ruleset::all()
        .into_iter()
        .map(|ruleset| {
            let url = server.url();
            tokio::spawn(async move {
                let mut engine = EngineServiceClient::new(channel(url).await);
                (ruleset.key(), digest(&mut engine, ruleset).await)
            })
        })
        .collect();
    for game in playing {
        let (key, digest) = game.await.unwrap();
        assert_eq!(Some(&digest), expected.get(&key), "{key}");
    }
}
