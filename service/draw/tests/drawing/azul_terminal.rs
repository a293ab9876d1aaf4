use azulejo_draw::{TextOptions, azul_text};
use azulejo_rules::azul::{Column, PatternLine, Position, Row};
use azulejo_rules::parts::{Factory, PlayerCount, Seat, TileColor, Tiles};

use crate::games::{azul, tables};

/// A seat's part of the text: the lines of its board, without those beside it.
pub(crate) fn board(text: &str, seat: Seat, height: usize, head: usize) -> Vec<String> {
    let first = head + seat.index() / 2 * (height + 1) + 1;
    let lines = text.lines().skip(first).take(height);
    let half = |line: &str| {
        let (left, right) = line.split_once("  |  ").unwrap_or((line, ""));
        if seat.index().is_multiple_of(2) { left.to_owned() } else { right.to_owned() }
    };
    lines.map(half).collect()
}

pub(crate) fn tiles_in<C: TileColor>(text: &str) -> Tiles<C> {
    text.chars()
        .filter_map(C::from_letter)
        .fold(Tiles::EMPTY, |all, color| all + Tiles::of(color, 1))
}

fn check(position: &Position, text: &str) {
    let lines: Vec<_> = text.lines().collect();
    let displays: Vec<_> = lines[1].split(' ').skip(1).collect();
    assert_eq!(displays.len(), Factory::of(position.rules().players).len());
    for (display, &factory) in displays.iter().zip(Factory::of(position.rules().players)) {
        assert!(display.starts_with(&format!("{factory}:")));
        assert_eq!(tiles_in(display), position.factory(factory));
    }
    assert_eq!(tiles_in(lines[2].strip_prefix("Center").unwrap()), position.center());
    assert_eq!(lines[2].contains('*'), position.marker().is_none());
    for seat in position.rules().players.iter() {
        let shown = board(text, seat, 7, 3);
        assert_eq!(shown[0].trim_start().starts_with('>'), position.to_move() == Some(seat));
        let board = position.board(seat);
        for row in Row::ALL {
            let (line, wall) = shown[row.index() + 1].split_once(" > ").unwrap();
            let held = match board.line(row) {
                PatternLine::Empty => Tiles::EMPTY,
                PatternLine::Holding { color, tiles } => Tiles::of(color, tiles),
            };
            assert_eq!(tiles_in(line), held);
            let cells: Vec<_> = wall.split_whitespace().collect();
            for column in Column::ALL {
                let cell = cells[column.index()].chars().next().unwrap();
                let tile = board.wall().color_at(row, column).map(TileColor::letter);
                assert_eq!(Some(cell).filter(char::is_ascii_uppercase), tile);
            }
        }
        assert_eq!(tiles_in(&shown[6]), board.floor());
        assert_eq!(shown[6].contains('*'), position.marker() == Some(seat));
    }
}

#[test]
fn every_tile_of_azul_is_in_the_text() {
    for (side, players, seed) in tables() {
        for (position, _) in azul(side, players, seed) {
            check(&position, &azul_text(&position, &TextOptions::default()));
        }
    }
}

#[test]
fn a_table_of_two_fits_into_80_columns_and_24_lines_whatever_the_names() {
    for (side, players, seed) in tables() {
        for (position, _) in azul(side, players, seed) {
            let names = vec!["A name that no terminal has ever had room for".to_owned(); 4];
            let text = azul_text(&position, &TextOptions { color: false, names });
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= 80, "{widest}\n{text}");
            assert!(players != PlayerCount::Two || text.lines().count() <= 24);
        }
    }
}
