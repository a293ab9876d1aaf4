//! The examples of whole games, the record among them, and the numbering of their steps.

use azulejo_engine::{Record, Seat, Step, Table};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::assert_valid_record;

use crate::document::{Block, Document, code};

/// A game from its text: who starts, the steps, and the positions before, between and after them.
struct Game {
    start: Seat,
    steps: Vec<Step>,
    positions: Vec<Table>,
}

impl Game {
    fn read(text: &str) -> Self {
        let (ruleset, start, steps, written) = if text.starts_with("azul ") {
            let game: azul::Record = text.parse().unwrap();
            let steps = game.steps.iter().copied().map(Step::Azul).collect();
            (azulejo_engine::Ruleset::Azul(game.rules), game.start, steps, game.to_string())
        } else {
            let game: pavilion::Record = text.parse().unwrap();
            let steps = game.steps.iter().copied().map(Step::SummerPavilion).collect();
            let ruleset = azulejo_engine::Ruleset::SummerPavilion(game.rules);
            (ruleset, game.start, steps, game.to_string())
        };
        assert_eq!(written, text);
        let mut game = Self { start, steps, positions: vec![Table::new(ruleset, start)] };
        for (index, &step) in game.steps.iter().enumerate() {
            let mut table = game.positions[index];
            table.step(step).unwrap_or_else(|bad| panic!("step {}, {step}: {bad}", index + 1));
            game.positions.push(table);
        }
        game
    }

    fn last(&self) -> &Table {
        self.positions.last().unwrap()
    }
}

#[test]
fn every_game_leads_to_the_position_below_it() {
    let document = Document::open();
    let section = document.section("Games");
    let games: Vec<Game> =
        section.blocks_of("game").map(|block| Game::read(block.line())).collect();
    let last: Vec<&str> = section.blocks_of("last").map(Block::line).collect();
    let reached: Vec<String> = games.iter().map(|game| game.last().to_string()).collect();
    assert_eq!(reached, last);
}

#[test]
fn every_game_makes_a_record_that_verifies() {
    let document = Document::open();
    for block in document.section("Games").blocks_of("game") {
        let game = Game::read(block.line());
        let names = vec!["bot".to_owned(); game.last().players().seats()];
        let record = Record::of(&names, None, game.start, &game.steps, game.last());
        assert_eq!(record.game, block.line());
        assert_eq!(record.verify().unwrap().to_string(), game.last().to_string());
        assert_valid_record(&serde_json::to_string(&record).unwrap());
    }
}

#[test]
fn the_record_is_that_of_the_first_game() {
    let document = Document::open();
    let section = document.section("Games");
    let text = section.blocks_of("record").next().unwrap().line();
    assert_valid_record(text);
    let record = Record::read(text).unwrap();
    assert!(record.verify().unwrap().is_over());
    assert_eq!(record.game, section.blocks_of("game").next().unwrap().line());
    assert_eq!(serde_json::to_string(&record).unwrap(), text, "written as it was read");
}

/// The table of the parts of a game.
#[test]
fn a_game_is_made_of_its_parts() {
    let document = Document::open();
    let table = document.section("Games").table(&["part", "Azul", "Summer Pavilion"]);
    let joined = |column: &str| {
        let cells = table.rows.iter().map(|row| code(table.cell(row, column)).next().unwrap());
        cells.collect::<Vec<&str>>().join(" ")
    };
    let azul: azul::Record = joined("Azul").parse().unwrap();
    let pavilion: pavilion::Record = joined("Summer Pavilion").parse().unwrap();
    assert_eq!((azul.steps.len(), pavilion.steps.len()), (2, 2));
}

#[test]
fn steps_count_from_1_and_turns_from_0() {
    let document = Document::open();
    let game = document.section("Games").blocks_of("game").next().unwrap();
    let game = Game::read(game.line());
    let mut turns = 0;
    let expected: Vec<Vec<String>> = game
        .steps
        .iter()
        .enumerate()
        .map(|(index, step)| {
            // Position `index` is the one before step `index + 1`.
            let seat = game.positions[index].to_move();
            let turn = seat.map(|_| turns);
            turns += usize::from(seat.is_some());
            let seat = seat.map(|seat| seat.index().to_string());
            let turn = turn.map(|turn: usize| turn.to_string());
            let number = (index + 1).to_string();
            vec![number, format!("`{step}`"), turn.unwrap_or_default(), seat.unwrap_or_default()]
        })
        .collect();
    assert_eq!(document.section("Steps").table(&["step", "text"]).rows, expected);
}

#[test]
fn a_defect_is_named_by_its_step() {
    let document = Document::open();
    let text = document.section("Games").blocks_of("record").next().unwrap().line();
    let wrong = Record::read(&text.replace(" 4R2 ", " 4R3 ")).unwrap().verify().unwrap_err();
    assert!(wrong.to_string().starts_with("step 8, 4R3: "), "{wrong}");
}
