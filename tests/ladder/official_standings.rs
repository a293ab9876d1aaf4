//! The official standings can be recomputed from an export, and are what bots and people see.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use azulejo_tests::process::{ChildGuard, azulejo};
use azulejo_tests::waiting::{PATIENCE, until};
use serde_json::{Value, json};

use crate::arena::{Arena, said};
use crate::http::call;

const POOL: &str = "azul-colored-2-bullet";

#[test]
fn the_standings_of_an_export_are_those_that_the_server_shows() {
    let arena = Arena::start(&[]);
    let url = arena.url();
    let _bots: Vec<ChildGuard> = ["ann/a", "bob/b", "cat/c"]
        .iter()
        .map(|name| {
            let words = ["bot", "greedy", "--register", name, "--server", &url, "--time", "bullet"];
            let mut bot = azulejo(&words);
            ChildGuard(bot.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
        })
        .collect();

    // The standings are computed after the matches.
    let served = until("there are standings", 3 * PATIENCE, || {
        let standings =
            call(arena.public, "LadderService/GetStandings", "", &json!({ "pool": POOL }));
        (standings["entries"].as_array().is_some_and(|lines| lines.len() == 3)).then_some(standings)
    });

    let games: usize = served["games"].as_str().unwrap().parse().unwrap();
    let fitted = fit_of_export(&arena, &arena.store().with_extension("jsonl"), games);
    assert_eq!(fitted["games"], games);
    assert_eq!(fitted["seat_points"], served["seatPoints"]);
    let lines = fitted["lines"].as_array().unwrap();
    for (line, entry) in lines.iter().zip(served["entries"].as_array().unwrap()) {
        assert_eq!(line["player"]["bot"], entry["bot"]);
        assert_eq!(line["player"]["version"], entry["version"]);
        assert_eq!(text(&line["rating"]), text(&entry["rating"]));
        assert_eq!(text(&line["plus_minus"]), text(&entry["plusMinus"]));
        assert_eq!(line["games"], entry["games"]);
        assert_eq!(line["provisional"], entry["provisional"]);
        assert_eq!(line["rank"].as_u64().unwrap_or_default(), entry["rank"].as_u64().unwrap());
        assert_eq!(line["better_than_next"], entry["betterThanNext"]);
        assert_eq!(line["games_to_separate"], entry["gamesToSeparate"]);
    }
}

/// A number, whether it is written as 1500 or as 1500.0.
fn text(value: &Value) -> String {
    value.as_f64().unwrap().to_string()
}

/// The standings of the first results of an export, which may have grown meanwhile.
pub(crate) fn fit_of_export(arena: &Arena, export: &Path, games: usize) -> Value {
    let file = export.to_str().unwrap();
    let exported = said(&["export", file, "--server", &arena.url()]);
    assert!(exported.status.success(), "{exported:?}");
    let text = std::fs::read_to_string(export).unwrap();
    let rated = |line: &&str| {
        let arena = &serde_json::from_str::<Value>(line).unwrap()["arena"];
        arena["rated"] == true && arena["pool"] == POOL
    };
    let first: Vec<&str> = text.lines().filter(rated).take(games).collect();
    std::fs::write(export, first.join("\n")).unwrap();

    let fitted = said(&["ladder", "fit", file, "--json"]);

    assert!(fitted.status.success(), "{fitted:?}");
    serde_json::from_slice(&fitted.stdout).unwrap()
}

#[test]
fn a_bot_prints_the_official_rating_that_it_had_before_a_match() {
    let arena = Arena::start(&[]);
    let url = arena.url();
    let bot = |name: &str| {
        let words = ["bot", "greedy", "--register", name, "--server", &url, "--time", "bullet"];
        let mut bot = azulejo(&words);
        ChildGuard(bot.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
    };
    let (mut ann, mut bob) = (bot("ann/a"), bot("bob/b"));
    let ignored = bob.0.stdout.take().unwrap();
    let reading = std::thread::spawn(move || BufReader::new(ignored).lines().count());
    // Matches of two greedy bots take less than a second: 200 end long after the first standings.
    let lines = BufReader::new(ann.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut matches = lines.filter(|line| line.contains(": placed ")).take(200);
    let first = matches.next().unwrap();
    let rated = matches.find(|line| line.contains(", official rating before "));

    assert!(!first.contains("rating"), "none is known yet: {first}");
    let (_, rating) = rated.as_ref().unwrap().split_once(", official rating before ").unwrap();
    let rating: f64 = rating.split(['?', ',']).next().unwrap().parse().unwrap();
    assert!((500.0..2_500.0).contains(&rating), "{rated:?}");
    drop((ann, bob));
    assert!(reading.join().unwrap() > 0);
}

#[test]
fn an_invalid_export_gives_no_standings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.jsonl");
    std::fs::write(&file, "{}\n").unwrap();
    let refused = said(&["ladder", "fit", file.to_str().unwrap()]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("error: "), "{refused:?}");
}

#[test]
fn a_pool_without_matches_has_empty_standings() {
    let arena = Arena::start(&[]);
    let standings = call(arena.public, "LadderService/GetStandings", "", &json!({ "pool": POOL }));
    assert_eq!((&standings["games"], &standings["computeTime"]), (&json!("0"), &Value::Null));
    assert_eq!(standings["entries"], json!([]));
}
