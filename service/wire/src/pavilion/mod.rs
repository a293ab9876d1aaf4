//! Messages of Summer Pavilion.

mod bytes;
mod events;
mod moves;
mod path;
mod score;
mod state;

use azulejo_rules::parts::{MAX_FACTORIES, Tiles};
use azulejo_rules::pavilion::{Color, Rules, Star};

use crate::field::{named, value};
use crate::game::v1 as pb;
use crate::shared::{heap, players, side, side_value, version};
use crate::{BadField, Problem, RULES_VERSION};

pub use path::pavilion_path;

impl TryFrom<pb::SummerPavilionRules> for Rules {
    type Error = BadField;

    fn try_from(message: pb::SummerPavilionRules) -> Result<Self, BadField> {
        let pb::SummerPavilionRules { version: rulings, side: board, players: seats } = message;
        version(rulings)?;
        Ok(Self { side: side(board)?, players: players(seats)? })
    }
}

impl From<Rules> for pb::SummerPavilionRules {
    fn from(rules: Rules) -> Self {
        let Rules { side, players } = rules;
        Self { version: RULES_VERSION, side: side_value(side), players: players.seats() as u32 }
    }
}

impl TryFrom<pb::SummerPavilionTiles> for Tiles<Color> {
    type Error = BadField;

    fn try_from(message: pb::SummerPavilionTiles) -> Result<Self, BadField> {
        let pb::SummerPavilionTiles { orange, red, blue, yellow, green, purple } = message;
        let names = ["orange", "red", "blue", "yellow", "green", "purple"];
        heap([orange, red, blue, yellow, green, purple], names)
    }
}

impl From<Tiles<Color>> for pb::SummerPavilionTiles {
    fn from(tiles: Tiles<Color>) -> Self {
        let count = |color| u32::from(tiles.count(color));
        Self {
            orange: count(Color::Orange),
            red: count(Color::Red),
            blue: count(Color::Blue),
            yellow: count(Color::Yellow),
            green: count(Color::Green),
            purple: count(Color::Purple),
        }
    }
}

/// The tiles of each given display.
pub fn pavilion_displays(
    message: pb::SummerPavilionDisplays,
) -> Result<Vec<Tiles<Color>>, BadField> {
    let pb::SummerPavilionDisplays { displays } = message;
    // The supply comes before the factory displays.
    let (found, most) = (displays.len(), MAX_FACTORIES + 1);
    if found > most {
        return Err(BadField::new("displays", Problem::TooMany { found, most }));
    }
    let read = |(index, tiles): (usize, pb::SummerPavilionTiles)| {
        tiles.try_into().map_err(|bad: BadField| bad.within_entry("displays", index))
    };
    displays.into_iter().enumerate().map(read).collect()
}

/// A heap that is omitted holds nothing.
fn tiles(path: &str, message: Option<pb::SummerPavilionTiles>) -> Result<Tiles<Color>, BadField> {
    let read = message.map(Tiles::try_from).transpose();
    read.map(Option::unwrap_or_default).map_err(|bad| bad.within(path))
}

fn color(path: &str, found: i32) -> Result<Color, BadField> {
    named(path, found, &Color::ALL, "SummerPavilionColor")
}

fn color_value(color: Color) -> i32 {
    value(color.index())
}

fn star_value(star: Star) -> i32 {
    value(star.index())
}
