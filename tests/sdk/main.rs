//! The vectors that every SDK runs: `tests/sdk/vectors`. They are written by
//! `AZULEJO_WRITE_VECTORS=1 tests/run vectors`; without it they must be what this code makes. The
//! draw is proven against another implementation in `tests/golden`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use azulejo_engine::fairness::{self, Bytes32};
use azulejo_engine::{Ruleset, Seed, Table};
use azulejo_rules::parts::{Seeded, Stock, TileColor, Tiles};
use azulejo_rules::{azul, pavilion};
use serde_json::json;

/// Colors in the order of the contract's enums.
const AZUL: [&str; 5] = ["blue", "yellow", "red", "black", "white"];
const SUMMER_PAVILION: [&str; 6] = ["orange", "red", "blue", "yellow", "green", "purple"];

fn bytes(number: u64) -> Bytes32 {
    Bytes32::hash_of(&number.to_le_bytes())
}

fn seed(number: u64) -> Seed {
    Seed::new(bytes(number).0)
}

#[track_caller]
fn agree(name: &str, lines: &[String]) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sdk/vectors");
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    let path = folder.join(name);
    if std::env::var_os("AZULEJO_WRITE_VECTORS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{name}");
}

/// In the order of the colors: readers rely on it.
fn named<C: TileColor>(tiles: Tiles<C>, colors: &[&str]) -> String {
    let counts = C::ALL.iter().map(|&color| tiles.count(color));
    let named = colors.iter().zip(counts).map(|(color, count)| format!("\"{color}\":{count}"));
    format!("{{{}}}", named.collect::<Vec<_>>().join(","))
}

/// So many tiles, one after the other, from a stock.
fn drawn<C: TileColor>(
    number: u64,
    bag: &[u32],
    lid: &[u32],
    count: u32,
    colors: &[&str],
) -> String {
    let mut stock = Stock {
        bag: Tiles::<C>::from_counts(bag).unwrap(),
        discards: Tiles::<C>::from_counts(lid).unwrap(),
        drawn: u32::try_from(number * 37).unwrap(),
    };
    let before = stock;
    let seed = seed(number);
    let mut tiles = Vec::new();
    for _ in 0..count {
        let one = stock.fill(1, &mut Seeded(&seed)).tiles;
        let names = C::ALL.iter().zip(colors);
        tiles.extend(names.filter(|(color, _)| one.holds(**color)).map(|(_, name)| *name));
    }
    format!(
        r#"{{"seed":"{}","drawn":{},"bag":{},"lid":{},"count":{count},"tiles":{}}}"#,
        seed.to_hex(),
        before.drawn,
        named(before.bag, colors),
        named(before.discards, colors),
        json!(tiles),
    )
}

#[test]
fn draws_are_the_same_in_every_language() {
    let mut all = Vec::new();
    for number in 0..20 {
        all.push(drawn::<azul::Color>(number, &[20; 5], &[0; 5], 36, &AZUL));
        all.push(drawn::<azul::Color>(number, &[1, 0, 2, 0, 0], &[3, 1, 0, 4, 2], 12, &AZUL));
        all.push(drawn::<azul::Color>(number, &[0; 5], &[0, 0, 0, 0, 1], 3, &AZUL));
        let (bag, tower) = ([22; 6], [0; 6]);
        all.push(drawn::<pavilion::Color>(number, &bag, &tower, 46, &SUMMER_PAVILION));
        let (bag, tower) = ([0, 3, 0, 0, 1, 0], [5, 0, 2, 2, 0, 7]);
        all.push(drawn::<pavilion::Color>(number, &bag, &tower, 25, &SUMMER_PAVILION));
    }
    agree("draw.json", &all);
}

#[test]
fn commitments_and_seeds_are_the_same_in_every_language() {
    let vector = |number: u8| {
        let id = azulejo_arena::names::MatchId::from_random([number; 16]).to_string();
        let number = u64::from(number);
        let secret = bytes(number);
        let seats = 2 + number % 3;
        let nonces: Vec<Option<Bytes32>> = (0..seats)
            .map(|seat| (seat + number) % 4 != 3)
            .zip(1000 + number * 4..)
            .map(|(remote, name)| remote.then(|| bytes(name)))
            .collect();
        json!({
            "match_id": id,
            "secret": secret.to_string(),
            "nonces": nonces.iter().map(|n| n.as_ref().map(ToString::to_string)).collect::<Vec<_>>(),
            "commitment": fairness::commitment(&id, &secret).to_string(),
            "seed": fairness::seed(&id, &secret, &nonces).to_hex(),
        })
        .to_string()
    };
    agree("fairness.json", &(0..30).map(vector).collect::<Vec<_>>());
}

/// At every turn the move whose number is that of the turn, modulo the number of moves.
fn transcript(ruleset: Ruleset, seed: &Seed) -> String {
    let mut table = Table::start(ruleset);
    let mut text = String::new();
    for turn in 0.. {
        while table.awaits_deal() {
            table.deal(seed);
        }
        let moves = table.legal_moves();
        if moves.is_empty() {
            break;
        }
        let action = moves[turn % moves.len()];
        writeln!(text, "{action}").unwrap();
        table.play(action).unwrap();
    }
    let totals: Vec<String> =
        table.score_message().seats.iter().map(|seat| seat.total.to_string()).collect();
    writeln!(text, "{}", totals.join(" ")).unwrap();
    Bytes32::hash_of(text.as_bytes()).to_string()
}

#[test]
fn a_hundred_games_are_the_same_in_every_language() {
    let rulesets = Ruleset::all();
    let vector = |number: usize| {
        let (ruleset, seed) = (rulesets[number % rulesets.len()], seed(number as u64));
        json!({
            "ruleset": ruleset.key(),
            "seed": seed.to_hex(),
            "sha256": transcript(ruleset, &seed),
        })
        .to_string()
    };
    agree("transcripts.json", &(0..100).map(vector).collect::<Vec<_>>());
}
