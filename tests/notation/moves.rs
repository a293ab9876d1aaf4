//! The examples of moves.

use azulejo_engine::{PlayerCount, Side};
use azulejo_rules::{azul, pavilion};

use crate::document::{Document, code};

fn examples<'a>(document: &'a Document, game: &str) -> Vec<&'a str> {
    let table = document.section(&format!("Moves / {game}")).table(&["move", "written as"]);
    table.rows.iter().flat_map(|row| code(&row[0])).collect()
}

#[test]
fn every_move_is_read_by_its_game_and_written_back_as_it_is() {
    let document = Document::open();
    for text in examples(&document, "Azul") {
        assert_eq!(
            text.parse::<azul::Move>().map(|action| action.to_string()),
            Ok(text.to_owned())
        );
        assert!(text.parse::<pavilion::Move>().is_err(), "{text} is a move of Azul only");
    }
    for text in examples(&document, "Summer Pavilion") {
        let read = text.parse::<pavilion::Move>().map(|action| action.to_string());
        assert_eq!(read, Ok(text.to_owned()));
        assert!(text.parse::<azul::Move>().is_err(), "{text} is a move of Summer Pavilion only");
    }
}

#[test]
fn the_examples_show_every_kind_of_move() {
    let document = Document::open();
    let mut azul = [false; 3];
    for text in examples(&document, "Azul") {
        azul[match text.parse().unwrap() {
            azul::Move::Take { destination: azul::Destination::Line(_), .. } => 0,
            azul::Move::Take { destination: azul::Destination::Floor, .. } => 1,
            azul::Move::PlaceTile { .. } => 2,
        }] = true;
    }
    let mut pavilion = [false; 5];
    for text in examples(&document, "Summer Pavilion") {
        pavilion[match text.parse().unwrap() {
            pavilion::Move::Take { .. } => 0,
            pavilion::Move::Place { .. } => 1,
            pavilion::Move::TakeBonus(_) => 2,
            pavilion::Move::Pass => 3,
            pavilion::Move::Keep(_) => 4,
        }] = true;
    }
    assert_eq!((azul, pavilion), ([true; 3], [true; 5]));
}

/// Every move that has an id, not only the examples.
#[test]
fn no_text_is_a_move_of_both_games() {
    for side in Side::ALL {
        for id in 0..azul::action_count(side, PlayerCount::Four) {
            let text = azul::Move::from_action_id(side, PlayerCount::Four, id).unwrap().to_string();
            assert!(text.parse::<pavilion::Move>().is_err(), "{text}");
        }
        for id in 0..pavilion::action_count(side, PlayerCount::Four) {
            let action = pavilion::Move::from_action_id(side, PlayerCount::Four, id).unwrap();
            assert!(action.to_string().parse::<azul::Move>().is_err(), "{action}");
        }
    }
}
