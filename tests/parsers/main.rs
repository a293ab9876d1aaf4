//! For any input a parser returns a value that survives printing and parsing, or an error with the
//! place. It never panics.
//!
//! Each property runs a quarter of a million cases; failing seeds are kept in `regressions`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod gate;
mod mutate;

use std::sync::LazyLock;

use azulejo_rules::parts::{BadText, PlayerCount, Seed, Side, Tiles, Word};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Playable, Random, Style, play_game};
use mutate::{mutated, mutations};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

const CASES: u32 = 250_000;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: CASES,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        max_shrink_iters: 10_000,
        ..ProptestConfig::default()
    }
}

/// Valid texts to start from.
struct Corpus {
    positions: Vec<String>,
    moves: Vec<String>,
    records: Vec<String>,
    deals: Vec<String>,
}

static AZUL: LazyLock<Corpus> = LazyLock::new(corpus::<azul::Position>);
static PAVILION: LazyLock<Corpus> = LazyLock::new(corpus::<pavilion::Position>);

fn corpus<G: Playable>() -> Corpus {
    let mut corpus = Corpus { positions: vec![], moves: vec![], records: vec![], deals: vec![] };
    let tables = Side::ALL.iter().flat_map(|&side| PlayerCount::ALL.map(|players| (side, players)));
    for (seed, (side, players)) in (0..).zip(tables) {
        let game = play_game::<G>(side, players, Style::Dear, seed, |position, random| {
            if random.below(8) == 0 {
                corpus.positions.push(position.to_string());
                corpus.moves.extend(position.moves().iter().map(ToString::to_string));
                let (outcomes, _) = position.outcomes();
                corpus.deals.extend(outcomes.iter().take(2).map(|(tiles, _)| tiles.to_string()));
            }
        });
        corpus.records.push(game.last.record(game.start, game.steps).to_string());
    }
    corpus
}

fn check_place(bad: BadText, text: &str) -> Result<(), TestCaseError> {
    let length = text.chars().count();
    prop_assert!((1..=length + 1).contains(&bad.at), "{bad} points outside: {text}");
    prop_assert!(!bad.expected.is_empty());
    Ok(())
}

/// A valid position can be played on, and all positions that it leads to are valid.
fn check_playable<G: Playable>(position: G, text: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(position.to_string().parse::<G>().ok(), Some(position));
    prop_assert_eq!(position.tiles_in_sight(), G::TILES);
    let mut random = Random::new(text.len() as u64);
    let (mut position, seed) = (position, Seed::from_number(7));
    for _ in 0..12 {
        if position.awaits_deal() {
            position.deal(&seed, &mut Vec::new());
        } else if let moves = position.moves()
            && !moves.is_empty()
        {
            position.play_unseen(random.pick(&moves));
        }
        let again = position.regated();
        prop_assert_eq!(again.as_ref(), Ok(&position), "from {}", text);
    }
    Ok(())
}

fn pick(texts: &[String], number: usize) -> &str {
    &texts[number % texts.len()]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_malformed_azul_position_is_refused_with_its_place(
        number: usize, changes in mutations(),
    ) {
        let text = mutated(pick(&AZUL.positions, number), &changes);
        match text.parse::<azul::Position>() {
            Ok(position) => check_playable(position, &text)?,
            Err(azul::BadNotation::Text(bad)) => check_place(bad, &text)?,
            Err(azul::BadNotation::Position(bad)) => prop_assert!(!bad.to_string().is_empty()),
        }
    }

    #[test]
    fn a_malformed_summer_pavilion_position_is_refused_with_its_place(
        number: usize, changes in mutations(),
    ) {
        let text = mutated(pick(&PAVILION.positions, number), &changes);
        match text.parse::<pavilion::Position>() {
            Ok(position) => check_playable(position, &text)?,
            Err(pavilion::BadNotation::Text(bad)) => check_place(bad, &text)?,
            Err(pavilion::BadNotation::Position(bad)) => prop_assert!(!bad.to_string().is_empty()),
        }
    }

    #[test]
    fn a_malformed_move_is_refused_with_its_place(number: usize, changes in mutations()) {
        let text = mutated(pick(&AZUL.moves, number), &changes);
        match text.parse::<azul::Move>() {
            Ok(action) => prop_assert_eq!(action.to_string().parse(), Ok(action)),
            Err(bad) => check_place(bad, &text)?,
        }
        let text = mutated(pick(&PAVILION.moves, number), &changes);
        match text.parse::<pavilion::Move>() {
            Ok(action) => prop_assert_eq!(action.to_string().parse(), Ok(action)),
            Err(bad) => check_place(bad, &text)?,
        }
    }

    #[test]
    fn a_malformed_deal_is_refused_with_its_place(number: usize, changes in mutations()) {
        let text = mutated(pick(&AZUL.deals, number), &changes);
        match (Word { text: &text, at: 1 }).tiles::<azul::Color>() {
            Ok(tiles) => check_deal(tiles, number)?,
            Err(bad) => check_place(bad, &text)?,
        }
        let text = mutated(pick(&PAVILION.deals, number), &changes);
        match (Word { text: &text, at: 1 }).tiles::<pavilion::Color>() {
            Ok(tiles) => check_pavilion_deal(tiles, number)?,
            Err(bad) => check_place(bad, &text)?,
        }
    }

    #[test]
    fn random_letters_are_not_a_position_a_move_or_a_record(text in "\\PC{0,40}") {
        prop_assert!(text.parse::<azul::Position>().is_err());
        prop_assert!(text.parse::<pavilion::Position>().is_err());
        prop_assert!(text.parse::<azul::Record>().is_err());
        prop_assert!(text.parse::<pavilion::Record>().is_err());
        if let Err(bad) = text.parse::<azul::Move>() {
            check_place(bad, &text)?;
        }
        if let Err(bad) = text.parse::<pavilion::Move>() {
            check_place(bad, &text)?;
        }
    }
}

proptest! {
    // A record is as long as a game, so fewer of them are enough.
    #![proptest_config(ProptestConfig { cases: CASES / 10, ..config() })]

    #[test]
    fn a_malformed_record_is_refused_with_its_place_or_its_step(
        number: usize, changes in mutations(),
    ) {
        let text = mutated(pick(&AZUL.records, number), &changes);
        match text.parse::<azul::Record>() {
            Ok(record) => match record.replay() {
                Ok(position) => prop_assert_eq!(position.regated(), Ok(position)),
                Err(bad) => prop_assert!(bad.step <= record.steps.len()),
            },
            Err(bad) => check_place(bad, &text)?,
        }
        let text = mutated(pick(&PAVILION.records, number), &changes);
        match text.parse::<pavilion::Record>() {
            Ok(record) => match record.replay() {
                Ok(position) => prop_assert_eq!(position.regated(), Ok(position)),
                Err(bad) => prop_assert!(bad.step <= record.steps.len()),
            },
            Err(bad) => check_place(bad, &text)?,
        }
    }
}

/// A valid deal is carried out or refused; a refused deal changes nothing.
fn check_deal(tiles: Tiles<azul::Color>, number: usize) -> Result<(), TestCaseError> {
    let before: azul::Position = pick(&AZUL.positions, number).parse().unwrap();
    let mut after = before;
    if after.deal_exactly(tiles, &mut ()).is_err() {
        prop_assert_eq!(after, before);
    }
    prop_assert_eq!(after.tiles_in_sight(), 100);
    Ok(())
}

fn check_pavilion_deal(tiles: Tiles<pavilion::Color>, number: usize) -> Result<(), TestCaseError> {
    let before: pavilion::Position = pick(&PAVILION.positions, number).parse().unwrap();
    let mut after = before;
    if after.deal_exactly(tiles, &mut ()).is_err() {
        prop_assert_eq!(after, before);
    }
    prop_assert_eq!(after.tiles_in_sight(), 132);
    Ok(())
}
