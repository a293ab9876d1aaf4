//! Moves and events as sentences for people.

use azulejo_rules::azul::{self, Destination};
use azulejo_rules::parts::{Source, TileColor, Tiles};
use azulejo_rules::pavilion;

use crate::{Event, Move};

/// A move as a short sentence: "take blue from factory 3 to line 2".
#[must_use]
pub fn of_move(action: Move) -> String {
    match action {
        Move::Azul(action) => azul_move(action),
        Move::SummerPavilion(action) => pavilion_move(action),
    }
}

fn place(source: Source) -> String {
    match source {
        Source::Center => "the center".to_owned(),
        Source::Factory(factory) => format!("factory {factory}"),
    }
}

fn azul_move(action: azul::Move) -> String {
    match action {
        azul::Move::Take { source, color, destination } => {
            let to = match destination {
                Destination::Line(row) => format!("line {}", row.spaces()),
                Destination::Floor => "the floor line".to_owned(),
            };
            format!("take {color} from {} to {to}", place(source))
        }
        azul::Move::PlaceTile { row, column } => {
            format!("lay the tile of line {} in column {}", row.spaces(), column.index() + 1)
        }
    }
}

fn pavilion_move(action: pavilion::Move) -> String {
    match action {
        pavilion::Move::Take { source, color } => format!("take {color} from {}", place(source)),
        pavilion::Move::Place { star, space, color, naturals } => format!(
            "lay {color} on space {} of the {star}, {naturals} of its price in {color}",
            space.number()
        ),
        pavilion::Move::TakeBonus(tiles) => format!("take {} from the supply", names(tiles)),
        pavilion::Move::Pass => "pass: lay no more tiles this round".to_owned(),
        pavilion::Move::Keep(tiles) => format!("keep {}, throw the rest away", names(tiles)),
    }
}

/// "1 point", "2 points".
fn counted(points: u16) -> String {
    several(points, "point")
}

/// "1 tile", "2 tiles".
fn several(count: u16, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// "2 blue, 1 red".
fn names<C: TileColor + std::fmt::Display>(tiles: Tiles<C>) -> String {
    let names: Vec<String> =
        tiles.iter().map(|(color, count)| format!("{count} {color}")).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// An event as a sentence: "seat 0 lays blue in row 2, column 3: 4 points".
#[must_use]
pub fn of_event(event: &Event) -> String {
    match event {
        Event::Azul(event) => azul_event(*event),
        Event::SummerPavilion(event) => pavilion_event(*event),
    }
}

fn azul_event(event: azul::Event) -> String {
    use azul::{Event, GameEnd};
    match event {
        Event::Took { seat, source, color, tiles } => {
            format!("seat {} takes {tiles} {color} from {}", seat.index(), place(source))
        }
        Event::MarkerTaken { seat } => format!("seat {} takes the starting marker", seat.index()),
        Event::LaidOnLine { row, color, tiles, .. } => {
            format!("{tiles} {color} on line {}", row.spaces())
        }
        Event::FellToFloor { color, tiles, .. } => format!("{tiles} {color} on the floor line"),
        Event::FellToLid { color, tiles, .. } => format!("{tiles} {color} straight into the lid"),
        Event::TilePlaced { seat, row, column, color, points } => format!(
            "seat {} lays {color} in row {}, column {}: {}",
            seat.index(),
            row.spaces(),
            column.index() + 1,
            counted(points)
        ),
        Event::LineDropped { seat, row, .. } => {
            format!("no column takes seat {}'s line {}: it falls", seat.index(), row.spaces())
        }
        Event::FloorCleared { seat, lost, .. } => {
            format!("seat {} loses {} for the floor line", seat.index(), counted(lost))
        }
        Event::RoundBegan { round, start } => {
            format!("round {round} begins, seat {} starts", start.index())
        }
        Event::LidTipped { tiles } => {
            format!("{} tiles go from the lid into the bag", tiles.total())
        }
        Event::Dealt { factory, tiles } => format!("factory {factory}: {}", names(tiles)),
        Event::Bonus { seat, rows, columns, colors, points } => format!(
            "seat {} gets {points} bonus points: {rows} rows, {columns} columns, {colors} colors",
            seat.index()
        ),
        Event::GameEnded { end } => match end {
            GameEnd::RowCompleted => "a row is complete: the game is over",
            GameEnd::RoundLimit => "the last round is played: the game is over",
            GameEnd::NoTiles => "there is no tile left: the game is over",
        }
        .to_owned(),
    }
}

fn pavilion_event(event: pavilion::Event) -> String {
    use pavilion::Event;
    match event {
        Event::Took { seat, source, color, tiles, wilds } => {
            let with = if wilds == 0 { "" } else { " (one of them wild)" };
            format!(
                "seat {} takes {} for {color} from {}{with}",
                seat.index(),
                several(tiles.into(), "tile"),
                place(source)
            )
        }
        Event::TokenTaken { seat, lost } => {
            format!("seat {} takes the start token and loses {}", seat.index(), counted(lost))
        }
        Event::PlacingBegan { seat } => format!("seat {} begins to lay tiles", seat.index()),
        Event::Placed { seat, star, space, color, wilds, points } => format!(
            "seat {} lays {color} on space {} of the {star}, paying {}: {}",
            seat.index(),
            space.number(),
            several(wilds.into(), "wild tile"),
            counted(points)
        ),
        Event::BonusEarned { seat, tiles } => {
            format!("seat {} earns {}", seat.index(), several(tiles.into(), "bonus tile"))
        }
        Event::BonusTaken { seat, tiles } => {
            format!("seat {} takes {} from the supply", seat.index(), names(tiles))
        }
        Event::Passed { seat, kept, lost, .. } => {
            format!(
                "seat {} passes, keeps {} and loses {}",
                seat.index(),
                names(kept),
                counted(lost)
            )
        }
        Event::RoundBegan { round, start, wild } => {
            format!("round {round} begins, seat {} starts, {wild} is wild", start.index())
        }
        Event::TowerTipped { tiles } => {
            format!("{} tiles go from the tower into the bag", tiles.total())
        }
        Event::Dealt { display, tiles } => format!("{display}: {}", names(tiles)),
        Event::FinalScore { seat, stars, numbers, lost } => format!(
            "seat {} gets {stars} points for stars, {numbers} for numbers, loses {lost} for tiles left",
            seat.index()
        ),
        Event::GameEnded => "six rounds are played: the game is over".to_owned(),
    }
}
