use azulejo_rules::azul::{self, Column, Destination, Row};
use azulejo_rules::parts::{Seat, Source};
use azulejo_rules::pavilion::{self, Space, Star};

/// The last move and its seat, to highlight what it touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LastMove {
    seat: Seat,
    action: Action,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Action {
    Azul(azul::Move),
    Pavilion(pavilion::Move),
}

impl LastMove {
    /// A move of Azul by this seat: its source and the pattern line or floor line, or the cell of
    /// the wall, are highlighted.
    #[must_use]
    pub const fn azul(seat: Seat, action: azul::Move) -> Self {
        Self { seat, action: Action::Azul(action) }
    }

    /// A move of Summer Pavilion by this seat: its source with the tiles in hand, or the space of
    /// the star, are highlighted.
    #[must_use]
    pub const fn pavilion(seat: Seat, action: pavilion::Move) -> Self {
        Self { seat, action: Action::Pavilion(action) }
    }

    pub(crate) const fn in_azul(self) -> Option<AzulTouch> {
        let Action::Azul(action) = self.action else { return None };
        let seat = self.seat;
        Some(match action {
            azul::Move::Take { source, destination: Destination::Line(row), .. } => {
                AzulTouch { seat, source: Some(source), place: AzulPlace::Line(row) }
            }
            azul::Move::Take { source, destination: Destination::Floor, .. } => {
                AzulTouch { seat, source: Some(source), place: AzulPlace::Floor }
            }
            azul::Move::PlaceTile { row, column } => {
                AzulTouch { seat, source: None, place: AzulPlace::Wall(row, column) }
            }
        })
    }

    pub(crate) const fn in_pavilion(self) -> Option<PavilionTouch> {
        let Action::Pavilion(action) = self.action else { return None };
        let seat = self.seat;
        Some(match action {
            pavilion::Move::Take { source, .. } => {
                PavilionTouch { seat, source: Some(source), place: PavilionPlace::Hand }
            }
            pavilion::Move::Place { star, space, .. } => {
                PavilionTouch { seat, source: None, place: PavilionPlace::Star(star, space) }
            }
            pavilion::Move::TakeBonus(_) => {
                PavilionTouch { seat, source: None, place: PavilionPlace::Supply }
            }
            pavilion::Move::Pass | pavilion::Move::Keep(_) => {
                PavilionTouch { seat, source: None, place: PavilionPlace::Hand }
            }
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AzulTouch {
    pub(crate) seat: Seat,
    pub(crate) source: Option<Source>,
    pub(crate) place: AzulPlace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AzulPlace {
    Line(Row),
    Floor,
    Wall(Row, Column),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PavilionTouch {
    pub(crate) seat: Seat,
    pub(crate) source: Option<Source>,
    pub(crate) place: PavilionPlace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PavilionPlace {
    Hand,
    Star(Star, Space),
    /// Bonus tiles are taken from the supply.
    Supply,
}
