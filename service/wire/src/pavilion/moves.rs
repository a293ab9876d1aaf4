//! Moves of Summer Pavilion from and to messages.

use azulejo_rules::parts::{Source, Tiles};
use azulejo_rules::pavilion::{Color, Effect, Move, Space, Star};

use crate::BadField;
use crate::field::{counted, in_range, named, number};
use crate::game::v1 as pb;
use crate::shared::factory;

use super::{color, color_value, star_value};

impl TryFrom<pb::SummerPavilionMove> for Move {
    type Error = BadField;

    fn try_from(message: pb::SummerPavilionMove) -> Result<Self, BadField> {
        use pb::summer_pavilion_move::Move as Pb;
        let pb::SummerPavilionMove { r#move } = message;
        match r#move.ok_or_else(|| BadField::missing("move"))? {
            Pb::Take(take) => read_take(take).map_err(|bad| bad.within("take")),
            Pb::Place(place) => read_place(place).map_err(|bad| bad.within("place")),
            Pb::TakeBonus(pb::SummerPavilionTakeBonus { tiles }) => {
                chosen(tiles).map(Self::TakeBonus).map_err(|bad| bad.within("take_bonus"))
            }
            Pb::Pass(pb::SummerPavilionPass {}) => Ok(Self::Pass),
            Pb::Keep(pb::SummerPavilionKeep { tiles }) => {
                chosen(tiles).map(Self::Keep).map_err(|bad| bad.within("keep"))
            }
        }
    }
}

fn read_take(message: pb::SummerPavilionTake) -> Result<Move, BadField> {
    use pb::summer_pavilion_take::Source as From;
    let pb::SummerPavilionTake { color: taken, source } = message;
    Ok(Move::Take {
        source: match source.ok_or_else(|| BadField::missing("source"))? {
            From::Center(pb::Center {}) => Source::Center,
            From::Factory(number) => Source::Factory(factory("factory", number)?),
        },
        color: color("color", taken)?,
    })
}

fn read_place(message: pb::SummerPavilionPlace) -> Result<Move, BadField> {
    let pb::SummerPavilionPlace { star, space, color: laid, naturals } = message;
    Ok(Move::Place {
        star: named("star", star, &Star::ALL, "SummerPavilionStar")?,
        space: counted("space", space, &Space::ALL)?,
        color: color("color", laid)?,
        naturals: in_range("naturals", naturals, 1, 6)?,
    })
}

fn chosen(tiles: Option<pb::SummerPavilionTiles>) -> Result<Tiles<Color>, BadField> {
    let tiles = tiles.ok_or_else(|| BadField::missing("tiles"))?;
    tiles.try_into().map_err(|bad: BadField| bad.within("tiles"))
}

impl From<Move> for pb::SummerPavilionMove {
    fn from(action: Move) -> Self {
        use pb::summer_pavilion_move::Move as Pb;
        use pb::summer_pavilion_take::Source as From;
        let action = match action {
            Move::Take { source, color } => Pb::Take(pb::SummerPavilionTake {
                color: color_value(color),
                source: Some(match source {
                    Source::Center => From::Center(pb::Center {}),
                    Source::Factory(factory) => From::Factory(number(factory.index())),
                }),
            }),
            Move::Place { star, space, color, naturals } => Pb::Place(pb::SummerPavilionPlace {
                star: star_value(star),
                space: space.number().into(),
                color: color_value(color),
                naturals: naturals.into(),
            }),
            Move::TakeBonus(tiles) => {
                Pb::TakeBonus(pb::SummerPavilionTakeBonus { tiles: Some(tiles.into()) })
            }
            Move::Pass => Pb::Pass(pb::SummerPavilionPass {}),
            Move::Keep(tiles) => Pb::Keep(pb::SummerPavilionKeep { tiles: Some(tiles.into()) }),
        };
        Self { r#move: Some(action) }
    }
}

impl From<Effect> for pb::SummerPavilionEffect {
    fn from(effect: Effect) -> Self {
        let Effect {
            taken,
            wilds_taken,
            takes_token,
            cost,
            wilds_paid,
            points,
            bonus_tiles,
            discarded,
            lost,
        } = effect;
        Self {
            tiles_taken: taken.into(),
            wilds_taken: wilds_taken.into(),
            takes_token,
            cost: cost.into(),
            wilds_paid: wilds_paid.into(),
            points: points.into(),
            bonus_tiles: bonus_tiles.into(),
            tiles_discarded: discarded.into(),
            points_lost: lost.into(),
        }
    }
}
