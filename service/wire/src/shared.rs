//! Conversions that both games share.

use azulejo_rules::parts::{Factory, PlayerCount, Seat, Side, TileColor, Tiles};

use crate::field::{counted, named};
use crate::game::v1 as pb;
use crate::{BadField, Problem, RULES_VERSION};

/// A seat, counted from 0.
pub fn seat(path: &str, players: PlayerCount, found: u32) -> Result<Seat, BadField> {
    Seat::try_at(players, found).map_err(|_| {
        let most = players.seats() as u64 - 1;
        BadField::new(path, Problem::OutOfRange { found: found.into(), least: 0, most })
    })
}

/// The seat whose board holds the marker or token; none if it is in the center.
pub(crate) fn holder(
    field: &str,
    boards: impl Iterator<Item = bool>,
) -> Result<Option<u32>, BadField> {
    let mut holders = (0..).zip(boards).filter(|&(_, holds)| holds).map(|(seat, _)| seat);
    match (holders.next(), holders.next()) {
        (first, None) => Ok(first),
        (_, Some(second)) => {
            Err(BadField::new(&format!("boards[{second}].{field}"), Problem::HeldTwice))
        }
    }
}

pub(crate) fn seat_number(seat: Seat) -> u32 {
    seat.index() as u32
}

pub(crate) fn points(found: u32) -> Result<u16, BadField> {
    u16::try_from(found).map_err(|_| {
        let (found, most) = (found.into(), u16::MAX.into());
        BadField::new("points", Problem::OutOfRange { found, least: 0, most })
    })
}

pub(crate) fn factory(path: &str, found: u32) -> Result<Factory, BadField> {
    counted(path, found, &Factory::ALL)
}

pub(crate) fn side(found: i32) -> Result<Side, BadField> {
    named("side", found, &[Side::Colored, Side::Gray], "BoardSide")
}

pub(crate) const fn side_value(side: Side) -> i32 {
    match side {
        Side::Colored => pb::BoardSide::Colored as i32,
        Side::Gray => pb::BoardSide::Gray as i32,
    }
}

pub(crate) fn players(found: u32) -> Result<PlayerCount, BadField> {
    PlayerCount::of(found).ok_or_else(|| {
        BadField::new("players", Problem::OutOfRange { found: found.into(), least: 2, most: 4 })
    })
}

pub(crate) fn version(found: u32) -> Result<(), BadField> {
    match found {
        0 | RULES_VERSION => Ok(()),
        _ => Err(BadField::new("version", Problem::UnknownVersion { found, known: RULES_VERSION })),
    }
}

/// Tiles from counts; `names` are the fields in the order of the colors.
pub(crate) fn heap<C: TileColor, const N: usize>(
    counts: [u32; N],
    names: [&str; N],
) -> Result<Tiles<C>, BadField> {
    Tiles::from_counts(&counts).map_err(|_| {
        let most = u64::from(C::EACH);
        let wrong = counts.iter().zip(names).find(|&(&count, _)| u64::from(count) > most);
        let (found, name) = wrong.map_or((0, ""), |(&count, name)| (count.into(), name));
        BadField::new(name, Problem::OutOfRange { found, least: 0, most })
    })
}
