//! Any server answers any call, and the same request gives the same bytes.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::process::Command;

use azulejo_tests::process::program;
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use game::due::Due;
use prost::Message;
use rstest::rstest;

use crate::http1;
use crate::http2::{self, GRPC, framed};
use crate::requests::{SERVICE, azul, long_work, new_game, path, pavilion, seed};
use tempfile::TempDir;

use crate::process::Server;

/// Calls one server and keeps the requests.
struct Asking {
    address: SocketAddr,
    asked: Vec<(&'static str, Vec<u8>)>,
}

impl Asking {
    async fn call<A: Message + Default>(
        &mut self,
        method: &'static str,
        request: &impl Message,
    ) -> A {
        let bytes = request.encode_to_vec();
        let frame = framed(0, &bytes);
        let answer = http2::call(self.address, &path(method), &[GRPC], frame).await;
        self.asked.push((method, bytes));
        A::decode(answer.message()).unwrap()
    }

    /// Every call about a position in which a seat is to move.
    async fn call_all(&mut self, state: &game::GameState) {
        let some = Some(state.clone());
        let request = pb::ScoreRequest { state: some.clone() };
        self.call::<pb::ScoreResponse>("Score", &request).await;
        let request = pb::FormatPositionRequest { state: some.clone() };
        let text = self.call::<pb::FormatPositionResponse>("FormatPosition", &request).await;
        let request = pb::ParsePositionRequest { position: text.position };
        let parsed = self.call::<pb::ParsePositionResponse>("ParsePosition", &request).await;
        assert_eq!(parsed.state, some);
        let view = pb::ExpandView::States.into();
        let request = pb::ExpandRequest { state: some.clone(), view };
        self.call::<pb::ExpandResponse>("Expand", &request).await;
        let work = pb::PlayoutsRequest { games: 5, ..long_work(state) };
        self.call::<pb::PlayoutsResponse>("Playouts", &work).await;
        let request = pb::RenderRequest { state: some, format: None, names: Vec::new() };
        self.call::<pb::RenderResponse>("Render", &request).await;
    }

    /// Plays the middle move of every list for a while.
    async fn play(&mut self, ruleset: game::Ruleset) {
        let first: pb::NewGameResponse = self.call("NewGame", &new_game(ruleset, 7)).await;
        let mut state = first.state.unwrap();
        for turn in 0..60 {
            let request = pb::LegalMovesRequest { state: Some(state.clone()) };
            let listed: pb::LegalMovesResponse = self.call("LegalMoves", &request).await;
            let some = Some(state.clone());
            state = match listed.due.unwrap().due.unwrap() {
                Due::GameOver(_) => return,
                Due::Deal(_) => {
                    let request = pb::DealOutcomesRequest { state: some.clone() };
                    self.call::<pb::DealOutcomesResponse>("DealOutcomes", &request).await;
                    let chance = Some(pb::deal_request::Chance::Seed(seed(turn)));
                    let request = pb::DealRequest { state: some, chance, max_displays: 0 };
                    self.call::<pb::DealResponse>("Deal", &request).await.state.unwrap()
                }
                Due::Seat(_) => {
                    if turn % 10 == 0 {
                        self.call_all(&state).await;
                    }
                    let chosen = &listed.moves[listed.moves.len() / 2];
                    let action = Some(pb::apply_request::Action::ActionId(chosen.action_id));
                    let request = pb::ApplyRequest {
                        state: some,
                        action,
                        chance: None,
                        include_legal_moves: turn % 2 == 0,
                        include_score: turn % 3 == 0,
                    };
                    let batch = pb::BatchApplyRequest { requests: vec![request.clone(); 3] };
                    self.call::<pb::BatchApplyResponse>("BatchApply", &batch).await;
                    self.call::<pb::ApplyResponse>("Apply", &request).await.state.unwrap()
                }
            };
        }
    }
}

fn record(game: &str) -> String {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("game.json");
    let played = Command::new(program())
        .args(["play", "greedy", "random", "--seed", "3", "--plain", "--game", game, "--record"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(played.status.success(), "{played:?}");
    std::fs::read_to_string(file).unwrap()
}

/// Every method of the engine, from the contract.
fn methods() -> BTreeSet<String> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../proto/azulejo/engine/v1/engine.proto");
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("rpc "));
    lines.map(|line| line.split('(').next().unwrap().to_owned()).collect()
}

#[rstest]
#[case::azul(azul(2), "azul")]
#[case::summer_pavilion(pavilion(3), "summer-pavilion")]
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_give_the_same_bytes_for_every_call(
    #[case] ruleset: game::Ruleset,
    #[case] name: &str,
) {
    let (one, other) = (Server::start(&[]), Server::start(&["--workers", "1"]));
    let mut asking = Asking { address: one.public, asked: Vec::new() };
    asking.call::<pb::ListRulesetsResponse>("ListRulesets", &pb::ListRulesetsRequest {}).await;
    asking.play(ruleset).await;
    let replay = pb::ReplayRequest { record: record(name) };
    let replayed: pb::ReplayResponse = asking.call("Replay", &replay).await;
    assert_eq!(replayed.defect, None);
    let seen: BTreeSet<_> = asking.asked.iter().map(|(method, _)| (*method).to_owned()).collect();
    assert_eq!(seen, methods(), "a call of {SERVICE} was not made");

    for (method, request) in &asking.asked {
        let answers = async |server: &Server| {
            let frame = framed(0, request);
            http2::call(server.public, &path(method), &[GRPC], frame).await.message()
        };
        let (first, second) = (answers(&one).await, answers(&other).await);
        assert!(first == second, "{method} differs");
        // The same over plain HTTP.
        let headers = [("content-type", "application/proto")];
        let plain = http1::request(other.public, "POST", path(method), &headers, request);
        assert_eq!(plain.status, 200, "{method}");
        assert!(plain.body == first.as_ref(), "{method} differs by plain HTTP");
    }
}
