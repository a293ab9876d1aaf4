//! Messages of Azul.

mod bytes;
mod events;
mod moves;
mod path;
mod score;
mod state;

use azulejo_rules::azul::{Color, Rules};
use azulejo_rules::parts::{MAX_FACTORIES, Tiles};

use crate::field::{in_range, named, value};
use crate::game::v1 as pb;
use crate::shared::{heap, players, side, side_value, version};
use crate::{BadField, Problem, RULES_VERSION};

pub use path::azul_path;

impl TryFrom<pb::AzulRules> for Rules {
    type Error = BadField;

    fn try_from(message: pb::AzulRules) -> Result<Self, BadField> {
        let pb::AzulRules { version: rulings, side: board, players: seats, round_limit } = message;
        version(rulings)?;
        let limit = if round_limit == 0 { Self::DEFAULT_ROUND_LIMIT.into() } else { round_limit };
        Ok(Self {
            side: side(board)?,
            players: players(seats)?,
            round_limit: in_range("round_limit", limit, 1, u8::MAX)?,
        })
    }
}

impl From<Rules> for pb::AzulRules {
    fn from(rules: Rules) -> Self {
        let Rules { side, players, round_limit } = rules;
        Self {
            version: RULES_VERSION,
            side: side_value(side),
            players: players.seats() as u32,
            round_limit: round_limit.into(),
        }
    }
}

impl TryFrom<pb::AzulTiles> for Tiles<Color> {
    type Error = BadField;

    fn try_from(message: pb::AzulTiles) -> Result<Self, BadField> {
        let pb::AzulTiles { blue, yellow, red, black, white } = message;
        heap([blue, yellow, red, black, white], ["blue", "yellow", "red", "black", "white"])
    }
}

impl From<Tiles<Color>> for pb::AzulTiles {
    fn from(tiles: Tiles<Color>) -> Self {
        let count = |color| u32::from(tiles.count(color));
        Self {
            blue: count(Color::Blue),
            yellow: count(Color::Yellow),
            red: count(Color::Red),
            black: count(Color::Black),
            white: count(Color::White),
        }
    }
}

/// The tiles of each given display.
pub fn azul_displays(message: pb::AzulDisplays) -> Result<Vec<Tiles<Color>>, BadField> {
    let pb::AzulDisplays { displays } = message;
    let (found, most) = (displays.len(), MAX_FACTORIES);
    if found > most {
        return Err(BadField::new("displays", Problem::TooMany { found, most }));
    }
    let read = |(index, tiles): (usize, pb::AzulTiles)| {
        tiles.try_into().map_err(|bad: BadField| bad.within_entry("displays", index))
    };
    displays.into_iter().enumerate().map(read).collect()
}

/// A heap that is omitted holds nothing.
fn tiles(path: &str, message: Option<pb::AzulTiles>) -> Result<Tiles<Color>, BadField> {
    let read = message.map(Tiles::try_from).transpose();
    read.map(Option::unwrap_or_default).map_err(|bad| bad.within(path))
}

fn color(path: &str, found: i32) -> Result<Color, BadField> {
    named(path, found, &Color::ALL, "AzulColor")
}

fn color_value(color: Color) -> i32 {
    value(color.index())
}
