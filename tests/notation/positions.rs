//! The examples of positions, and the tables that take them apart.

use std::collections::BTreeSet;

use azulejo_engine::{Ruleset, Table};
use azulejo_rules::parts::TileColor;
use azulejo_rules::{azul, pavilion};
use rstest::rstest;

use crate::document::{Block, Document, code};

fn examples(document: &Document) -> Vec<&str> {
    let blocks = document.blocks("Positions");
    let lines: Vec<&str> = blocks.map(Block::line).collect();
    assert!(lines.len() >= 20, "{} examples", lines.len());
    lines
}

#[test]
fn every_position_is_read_and_written_back_as_it_is() {
    for example in examples(&Document::open()) {
        let table: Table = example.parse().unwrap_or_else(|bad| panic!("{bad}: {example}"));
        assert_eq!(table.to_string(), example);
    }
}

#[test]
fn the_examples_show_every_ruleset() {
    let document = Document::open();
    let shown: BTreeSet<String> = examples(&document)
        .iter()
        .map(|example| example.parse::<Table>().unwrap().ruleset().key())
        .collect();
    let all: BTreeSet<String> = Ruleset::all().iter().map(Ruleset::key).collect();
    assert_eq!(shown, all);
}

fn azul_phases() -> Vec<String> {
    use azul::{GameEnd, Phase};
    let ends = [GameEnd::RowCompleted, GameEnd::RoundLimit, GameEnd::NoTiles].map(Phase::Over);
    let phases = [Phase::Deal, Phase::Offer, Phase::Tiling].into_iter().chain(ends);
    phases.map(|phase| phase.to_string()).collect()
}

fn pavilion_phases() -> Vec<String> {
    use pavilion::Phase;
    let before = [Phase::Deal, Phase::Acquire, Phase::Play].into_iter();
    let bonuses = (1..=pavilion::MOST_BONUS_TILES).map(|due| Phase::Bonus { due });
    let phases = before.chain(bonuses).chain([Phase::Keep, Phase::TopUp, Phase::Over]);
    phases.map(|phase| phase.to_string()).collect()
}

#[rstest]
#[case("Azul", azul_phases())]
#[case("Summer Pavilion", pavilion_phases())]
fn the_examples_show_every_phase(#[case] game: &str, #[case] phases: Vec<String>) {
    let document = Document::open();
    let section = document.section(&format!("Positions / {game}"));
    let rows = &section.table(&["phase"]).rows;
    assert_eq!(rows.iter().flat_map(|row| code(&row[0])).collect::<Vec<&str>>(), phases);
    let lines = section.blocks_of("position").map(Block::line);
    let shown: BTreeSet<&str> = lines.filter_map(|line| line.split(' ').nth(5)).collect();
    assert_eq!(shown, phases.iter().map(String::as_str).collect());
}

#[rstest]
#[case("Azul")]
#[case("Summer Pavilion")]
fn the_parts_of_a_position_are_those_of_the_first_example(#[case] game: &str) {
    let document = Document::open();
    let section = document.section(&format!("Positions / {game}"));
    let example = section.blocks_of("position").next().unwrap().line();
    let tables = section.tables(&["part", "here"]);
    let parts = tables.flat_map(|table| &table.rows).flat_map(|row| code(&row[1]));
    let joined = parts.collect::<Vec<&str>>().join(" ");
    let rest = example.strip_prefix(&joined).unwrap_or_else(|| panic!("{joined}\n{example}"));
    assert!(rest.starts_with(" seat "), "the board of seat 1 follows: {rest}");
}

#[test]
fn errors_name_the_character() {
    let document = Document::open();
    for row in &document.section("Positions").table(&["text", "error at character"]).rows {
        let text = code(&row[0]).next().unwrap();
        let at = text.parse::<Table>().unwrap_err().at();
        assert_eq!(at.unwrap().to_string(), row[1], "{text}");
    }
}

#[test]
fn the_letters_are_those_of_the_colors() {
    fn row<C: TileColor + std::fmt::Display>(game: &str) -> Vec<String> {
        let letters: Vec<String> = C::ALL.iter().map(|color| color.letter().to_string()).collect();
        let names: Vec<String> = C::ALL.iter().map(C::to_string).collect();
        let letters = format!("`{}`", letters.join(" "));
        vec![game.to_owned(), letters, names.join(", "), C::EACH.to_string()]
    }
    let document = Document::open();
    let rows = &document.section("Tiles").table(&["game", "letters"]).rows;
    let engine = [row::<azul::Color>("Azul"), row::<pavilion::Color>("Summer Pavilion")];
    assert_eq!(*rows, engine);
}

/// Tiles are read as those of a deal.
#[test]
fn tiles_have_one_spelling_that_is_written_and_others_that_are_read() {
    let document = Document::open();
    for row in &document.section("Tiles").table(&["written", "also read"]).rows {
        let written = code(&row[0]).next().unwrap();
        for spelling in code(&row[0]).chain(code(&row[1])) {
            let game = format!("azul colored 2 limit 50 start 0 [{spelling}]");
            let record: azul::Record = game.parse().unwrap();
            assert_eq!(record.steps[0].to_string(), format!("[{written}]"));
        }
    }
    for wrong in ["B0", "", "B21", "b2", "X"] {
        let game = format!("azul colored 2 limit 50 start 0 [{wrong}]");
        assert!(game.parse::<azul::Record>().is_err(), "{wrong}");
    }
}

#[test]
fn the_colored_wall_has_a_place_for_every_color() {
    for (row, &at_row) in azul::Row::ALL.iter().enumerate() {
        for (color, &at_color) in azul::Color::ALL.iter().enumerate() {
            assert_eq!(azul::Wall::column_of(at_row, at_color).index(), (row + color) % 5);
        }
    }
}

#[test]
fn the_wild_colors_are_those_of_the_rounds() {
    let document = Document::open();
    let section = document.section("Positions / Summer Pavilion");
    let parts = section.table(&["part", "here"]);
    let row = parts.rows.iter().find(|row| row[0] == "round").unwrap();
    let letters: Vec<String> =
        pavilion::WILD_COLORS.iter().map(|color| color.letter().to_string()).collect();
    assert!(row[2].contains(&format!("are {}.", letters.join(", "))), "{}", row[2]);
}
