//! A table of Azul for a terminal.

use azulejo_rules::azul::{
    Color, Column, FLOOR_PENALTIES, FLOOR_SPACES, PatternLine, Position, Row, Wall,
};
use azulejo_rules::parts::{Seat, Side};

use crate::options::{self, TextOptions, fitted};

use super::columns::{BOARD, abreast, joined, spread};
use super::ink::Ink;

/// The table as text, at most 80 columns wide.
///
/// A tile is its letter; on the colored wall an empty cell is the small letter of its color. The
/// star is the starting player marker, the arrow shows whose turn it is.
#[must_use]
pub fn azul_text(position: &Position, options: &TextOptions) -> String {
    let ink = Ink { color: options.color };
    let rules = position.rules();
    let stock = position.stock();
    let mut lines = vec![
        format!(
            "{}, {} side  round {}  bag {}  lid {}",
            ink.bold("Azul"),
            rules.side,
            position.round(),
            stock.bag.total(),
            stock.discards.total()
        ),
        ink.displays(rules.players, |factory| position.factory(factory)),
        ink.center(position.center(), position.marker().is_none()),
    ];
    let boards: Vec<_> =
        rules.players.iter().map(|seat| board(position, seat, options, ink)).collect();
    lines.extend(abreast(&boards));
    joined(&lines)
}

fn board(position: &Position, seat: Seat, options: &TextOptions, ink: Ink) -> Vec<String> {
    let score = position.seat_score(seat);
    let points = match position.end() {
        Some(_) => format!("{} + {} = {}", score.points, score.bonus(), score.total()),
        None => score.points.to_string(),
    };
    let turn = if position.to_move() == Some(seat) { ">" } else { " " };
    let won = position.end().is_some() && position.score().winners.contains(&seat);
    let name = fitted(&options::name(&options.names, seat), BOARD - points.len() - 8);
    let name = format!("{turn} {}{}", ink.bold(&name), if won { " won" } else { "" });
    let mut lines = vec![spread(&name, &ink.bold(&points))];
    lines.extend(Row::ALL.map(|row| wall_row(position, seat, row, ink)));
    lines.push(floor(position, seat, ink));
    lines
}

fn wall_row(position: &Position, seat: Seat, row: Row, ink: Ink) -> String {
    let board = position.board(seat);
    let mut cells = vec![" ".to_owned(); 5 - usize::from(row.spaces())];
    let (tile, tiles) = match board.line(row) {
        PatternLine::Empty => (String::new(), 0),
        PatternLine::Holding { color, tiles } => (ink.tile(color), usize::from(tiles)),
    };
    cells.resize(5 - tiles, ink.dim("."));
    cells.resize(5, tile);
    cells.push(format!("{} >", row.spaces()));
    for column in Column::ALL {
        cells.push(match board.wall().color_at(row, column) {
            Some(color) => ink.tile(color),
            None => empty_cell(position.rules().side, row, column, ink),
        });
    }
    format!("  {}", cells.join(" "))
}

fn empty_cell(side: Side, row: Row, column: Column, ink: Ink) -> String {
    let wanted = |color: &Color| Wall::column_of(row, *color) == column;
    match Color::ALL.into_iter().find(wanted).filter(|_| side == Side::Colored) {
        Some(color) => ink.print(color),
        None => ink.dim("."),
    }
}

fn floor(position: &Position, seat: Seat, ink: Ink) -> String {
    let tiles = position.board(seat).floor();
    let marker = position.marker() == Some(seat);
    let mut spaces = Vec::new();
    if marker {
        spaces.push("*".to_owned());
    }
    for (color, count) in tiles.iter() {
        spaces.resize(spaces.len() + usize::from(count), ink.tile(color));
    }
    // With a full line, the marker is beside it.
    let covered = spaces.len().min(FLOOR_SPACES.into());
    spaces.resize(spaces.len().max(FLOOR_SPACES.into()), ink.dim("."));
    let loss = FLOOR_PENALTIES[covered];
    let loss = if loss == 0 { String::new() } else { format!("-{loss}") };
    format!("  floor {}  {loss}", spaces.join(" "))
}
