//! Seeds: made by the server if the caller gives none, returned to the caller and never logged.

use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use crate::grpc::{Engine, engine};
use crate::http1;
use crate::process::Server;
use crate::requests::{azul, dealt, first_move, long_work, path, pavilion};

fn key(seed: Option<game::Seed>) -> Vec<u8> {
    match seed.and_then(|seed| seed.seed) {
        Some(game::seed::Seed::Key(key)) => key,
        other => panic!("no key: {other:?}"),
    }
}

fn by(key: &[u8]) -> game::Seed {
    game::Seed { seed: Some(game::seed::Seed::Key(key.to_vec())) }
}

async fn new(one: &mut Engine, seed: Option<&[u8]>) -> pb::NewGameResponse {
    let chance = seed.map(|key| pb::new_game_request::Chance::Seed(by(key)));
    let request = pb::NewGameRequest { ruleset: Some(azul(2)), start_seat: 0, chance };
    one.new_game(request).await.unwrap().into_inner()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seed_that_the_server_makes_is_new_every_time_and_gives_the_same_game_again() {
    let servers = [Server::start(&[]), Server::start(&[])];
    let mut seeds = std::collections::BTreeSet::new();
    for server in &servers {
        let mut one = engine(server).await;
        for _ in 0..10 {
            let made = new(&mut one, None).await;
            let seed = key(made.seed.clone());
            assert_eq!(seed.len(), 32);
            let again = new(&mut engine(&servers[0]).await, Some(&seed)).await;
            assert_eq!((again.state, again.events), (made.state, made.events));
            assert_eq!(again.seed, None, "only a seed that the server made is returned");
            assert!(seeds.insert(seed), "the same seed twice");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn playouts_without_a_seed_return_theirs_and_can_be_repeated() {
    let server = Server::start(&[]);
    let mut one = engine(&server).await;
    let state = dealt(&mut one, pavilion(2)).await;
    let work = pb::PlayoutsRequest { games: 20, seed: None, ..long_work(&state) };
    let first = one.playouts(work.clone()).await.unwrap().into_inner();
    let second = one.playouts(work.clone()).await.unwrap().into_inner();
    assert_ne!(first.seats, second.seats);
    let seed = Some(by(&key(first.seed.clone())));
    let again = one.playouts(pb::PlayoutsRequest { seed, ..work }).await.unwrap().into_inner();
    assert_eq!((again.seats, again.seed), (first.seats, None));
}

/// All formats in which these bytes could be logged.
fn spellings(key: &[u8]) -> Vec<String> {
    let each = |spell: fn(&u8) -> String, separator: &str| {
        key[..8].iter().map(spell).collect::<Vec<_>>().join(separator)
    };
    let hex: fn(&u8) -> String = |byte| format!("{byte:02x}");
    let escaped_as_text = format!("{:?}", bytes::Bytes::copy_from_slice(&key[..8]));
    let escaped_as_text =
        escaped_as_text.trim_start_matches("b\"").trim_end_matches('"').to_owned();
    vec![
        each(hex, ""),
        each(hex, " "),
        each(|byte| format!("{byte:02X}"), ""),
        each(u8::to_string, ", "),
        each(u8::to_string, ","),
        each(|byte| format!("\\x{byte:02x}"), ""),
        each(|byte| format!("\\{byte:03o}"), ""),
        escaped_as_text,
        STANDARD_NO_PAD.encode(key)[..24].to_owned(),
        URL_SAFE_NO_PAD.encode(key)[..24].to_owned(),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn no_seed_is_ever_logged() {
    // With an OTLP address the calls have spans too, and spans are logged.
    let flags = ["--log", "trace", "--otlp-endpoint", "http://127.0.0.1:9"];
    let server = Server::start(&flags);
    let mut one = engine(&server).await;
    let given: Vec<u8> =
        (0..32u8).map(|number| number.wrapping_mul(73).wrapping_add(129)).collect();
    let mut seeds = vec![given.clone()];
    new(&mut one, Some(&given)).await;
    seeds.push(key(new(&mut one, None).await.seed));
    let state = dealt(&mut one, azul(2)).await;
    let chance = Some(pb::apply_request::Chance::Seed(by(&given)));
    let apply = pb::ApplyRequest { chance, ..first_move(&mut one, &state).await };
    one.apply(apply).await.unwrap();
    let work = pb::PlayoutsRequest { games: 2, seed: None, ..long_work(&state) };
    seeds.push(key(one.playouts(work.clone()).await.unwrap().into_inner().seed));
    let work = pb::PlayoutsRequest { seed: Some(by(&given)), ..work };
    one.playouts(work).await.unwrap();
    // A seed that is refused, and seeds in JSON and in the address of a GET.
    let short = pb::new_game_request::Chance::Seed(by(&given[..31]));
    let ruleset = Some(azul(2));
    let refused = pb::NewGameRequest { ruleset, start_seat: 0, chance: Some(short) };
    one.new_game(refused).await.unwrap_err();
    let text = STANDARD.encode(&given);
    let json = format!(
        "{{\"ruleset\":{{\"azul\":{{\"side\":\"BOARD_SIDE_GRAY\",\"players\":2}}}},\
         \"seed\":{{\"key\":\"{text}\"}}}}"
    );
    assert_eq!(http1::call(server.public, "NewGame", json.as_bytes()).status, 200);
    assert_eq!(http1::call(server.public, "NewGame", &json.as_bytes()[1..]).status, 400);
    let query = STANDARD_NO_PAD.encode(&given).replace('+', "%2B");
    let message = format!("%7B%22seed%22:%7B%22key%22:%22{query}%22%7D%7D");
    let target = format!("{}?encoding=json&message={message}", path("Deal"));
    http1::get(server.public, &target).assert_refused(400, "invalid_argument", "FIELD_MISSING");

    let log = server.log();

    assert!(log.contains("TRACE"), "the level is trace: {log}");
    for seed in &seeds {
        for spelling in spellings(seed) {
            let line = log.lines().find(|line| line.contains(&spelling));
            assert_eq!(line, None, "the log contains a seed");
        }
    }
}
