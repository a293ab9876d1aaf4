//! Moves and events as sentences for people.

use azulejo_rules::azul::{self, Destination};
use azulejo_rules::parts::{Seat, Source, TileColor, Tiles};
use azulejo_rules::pavilion;

use crate::{Event, Move, Ruleset};

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
        pavilion::Move::TakeBonus(tiles) => format!("take {} from the supply", listed(tiles)),
        pavilion::Move::Pass => "pass: lay no more tiles this round".to_owned(),
        pavilion::Move::Keep(tiles) => format!("keep {}, discard the rest", listed(tiles)),
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
fn listed<C: TileColor + std::fmt::Display>(tiles: Tiles<C>) -> String {
    let names: Vec<String> =
        tiles.iter().map(|(color, count)| format!("{count} {color}")).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// The move notation of this game.
#[must_use]
pub const fn grammar(ruleset: &Ruleset) -> &'static str {
    match ruleset {
        Ruleset::Azul(_) => {
            "  2B3  from factory 2 (c: the center) take blue, to line 3 (f: the floor line)\n  \
             r3c5 on the gray wall, lay the tile of row 3 in column 5\n  \
             B blue, Y yellow, R red, K black, W white; small letters on a wall are free cells; \
             * is the starting marker"
        }
        Ruleset::SummerPavilion(_) => {
            "  2G    from factory 2 (c: the center) take green, and a wild tile if there is one\n  \
             R3:B2 on space 3 of the red star (C: the center star) lay blue, paying 2 blue tiles \
             and wild ones for the rest\n  \
             +B2P  take two blue and a purple bonus tile, =B2P2 keep these four, pass\n  \
             O orange, R red, B blue, Y yellow, G green, P purple; a number is a free space and \
             its price; * is the start token"
        }
    }
}

/// Whether an event says more than the move that caused it.
#[must_use]
pub const fn is_news(event: &Event) -> bool {
    !matches!(
        event,
        Event::Azul(azul::Event::Took { .. } | azul::Event::LaidOnLine { .. })
            | Event::SummerPavilion(
                pavilion::Event::Took { .. } | pavilion::Event::BonusTaken { .. }
            )
    )
}

fn who(names: &[String], seat: Seat) -> String {
    names.get(seat.index()).cloned().unwrap_or_else(|| format!("seat {}", seat.index() + 1))
}

/// An event as a sentence: "Ana lays blue in row 2, column 3: 4 points".
/// Seats without a name are numbered from 1.
#[must_use]
pub fn of_event(event: &Event, names: &[String]) -> String {
    match event {
        Event::Azul(event) => azul_event(*event, names),
        Event::SummerPavilion(event) => pavilion_event(*event, names),
    }
}

fn azul_event(event: azul::Event, names: &[String]) -> String {
    use azul::{Event, GameEnd};
    match event {
        Event::Took { seat, source, color, tiles } => {
            format!("{} takes {tiles} {color} from {}", who(names, seat), place(source))
        }
        Event::MarkerTaken { seat } => format!("{} takes the starting marker", who(names, seat)),
        Event::LaidOnLine { row, color, tiles, .. } => {
            format!("{tiles} {color} on line {}", row.spaces())
        }
        Event::FellToFloor { color, tiles, .. } => format!("{tiles} {color} on the floor line"),
        Event::FellToLid { color, tiles, .. } => format!("{tiles} {color} straight into the lid"),
        Event::TilePlaced { seat, row, column, color, points } => format!(
            "{} lays {color} in row {}, column {}: {}",
            who(names, seat),
            row.spaces(),
            column.index() + 1,
            counted(points)
        ),
        Event::LineDropped { seat, row, .. } => {
            format!("no column takes {}'s line {}: it falls", who(names, seat), row.spaces())
        }
        Event::FloorCleared { seat, lost, .. } => {
            format!("{} loses {} for the floor line", who(names, seat), counted(lost))
        }
        Event::RoundBegan { round, start } => {
            format!("round {round} begins, {} starts", who(names, start))
        }
        Event::LidTipped { tiles } => {
            format!("{} tiles go from the lid into the bag", tiles.total())
        }
        Event::Dealt { factory, tiles } => format!("factory {factory}: {}", listed(tiles)),
        Event::Bonus { seat, rows, columns, colors, points } => format!(
            "{} gets {points} bonus points: {rows} rows, {columns} columns, {colors} colors",
            who(names, seat)
        ),
        Event::GameEnded { end } => match end {
            GameEnd::RowCompleted => "a row is complete: the game is over",
            GameEnd::RoundLimit => "the last round is played: the game is over",
            GameEnd::NoTiles => "there is no tile left: the game is over",
        }
        .to_owned(),
    }
}

fn pavilion_event(event: pavilion::Event, names: &[String]) -> String {
    use pavilion::Event;
    match event {
        Event::Took { seat, source, color, tiles, wilds } => {
            let with = if wilds == 0 { "" } else { " (one of them wild)" };
            format!(
                "{} takes {} for {color} from {}{with}",
                who(names, seat),
                several(tiles.into(), "tile"),
                place(source)
            )
        }
        Event::TokenTaken { seat, lost } => {
            format!("{} takes the start token and loses {}", who(names, seat), counted(lost))
        }
        Event::PlacingBegan { seat } => format!("{} begins to lay tiles", who(names, seat)),
        Event::Placed { seat, star, space, color, wilds, points } => format!(
            "{} lays {color} on space {} of the {star}, paying {}: {}",
            who(names, seat),
            space.number(),
            several(wilds.into(), "wild tile"),
            counted(points)
        ),
        Event::BonusEarned { seat, tiles } => {
            format!("{} earns {}", who(names, seat), several(tiles.into(), "bonus tile"))
        }
        Event::BonusTaken { seat, tiles } => {
            format!("{} takes {} from the supply", who(names, seat), listed(tiles))
        }
        Event::Passed { seat, kept, lost, .. } => {
            format!(
                "{} passes, keeps {} and loses {}",
                who(names, seat),
                listed(kept),
                counted(lost)
            )
        }
        Event::RoundBegan { round, start, wild } => {
            format!("round {round} begins, {} starts, {wild} is wild", who(names, start))
        }
        Event::TowerTipped { tiles } => {
            format!("{} tiles go from the tower into the bag", tiles.total())
        }
        Event::Dealt { display, tiles } => format!("{display}: {}", listed(tiles)),
        Event::FinalScore { seat, stars, numbers, lost } => format!(
            "{} gets {stars} points for stars, {numbers} for numbers, loses {lost} for tiles left",
            who(names, seat)
        ),
        Event::GameEnded => "six rounds are played: the game is over".to_owned(),
    }
}
