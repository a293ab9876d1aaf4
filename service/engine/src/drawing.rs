//! Drawings of tables.

use azulejo_draw::{LastMove, Options, TextOptions};
use azulejo_rules::parts::Seat;

use crate::{Move, Table};

impl Table {
    #[must_use]
    pub fn svg(&self, options: &Options) -> String {
        match self {
            Self::Azul(position) => azulejo_draw::azul_svg(position, options),
            Self::SummerPavilion(position) => azulejo_draw::pavilion_svg(position, options),
        }
    }

    #[must_use]
    pub fn text(&self, options: &TextOptions) -> String {
        match self {
            Self::Azul(position) => azulejo_draw::azul_text(position, options),
            Self::SummerPavilion(position) => azulejo_draw::pavilion_text(position, options),
        }
    }
}

impl Move {
    /// The move, to be highlighted in a drawing.
    #[must_use]
    pub fn shown(self, seat: Seat) -> LastMove {
        match self {
            Self::Azul(action) => LastMove::azul(seat, action),
            Self::SummerPavilion(action) => LastMove::pavilion(seat, action),
        }
    }
}
