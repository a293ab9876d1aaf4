//! The tiles: each color has its own pattern, so that they can be distinguished without color. They
//! look the same in every theme, so two pictures on a page may share their shapes.

use std::fmt;
use std::iter::repeat_n;

use azulejo_rules::azul::{Column, Row};
use azulejo_rules::parts::{Factory, Seat, TileColor, Tiles};
use azulejo_rules::pavilion::{Color as PavilionColor, Space, Star};

use super::paper::{Paper, Spot};

/// Half the side of a square tile.
pub(super) const HALF: f64 = 16.0;
/// The side of a rhombus; its acute corners have 60 degrees.
pub(super) const EDGE: f64 = 38.0;
/// A rhombus standing on its tip, around the point 0, 0.
pub(super) const RHOMBUS: &str = "M0-32.9 19 0 0 32.9-19 0z";

/// The shapes of Azul: ring, stripes, dots, cross and star.
pub(super) const AZUL_TILES: &str = concat!(
    "<defs>\n",
    "<g id=\"azul-B\"><rect x=\"-16\" y=\"-16\" width=\"32\" height=\"32\" rx=\"4\" fill=\"#1769aa\" ",
    "stroke=\"#6fb4e8\"/><circle r=\"8.5\" fill=\"none\" stroke=\"#d9eefc\" stroke-width=\"3\"/>",
    "<circle r=\"2.8\" fill=\"#d9eefc\"/></g>\n",
    "<g id=\"azul-Y\"><rect x=\"-16\" y=\"-16\" width=\"32\" height=\"32\" rx=\"4\" fill=\"#f4c430\" ",
    "stroke=\"#a87b00\"/><path d=\"M-11 2 2-11M-10 10 10-10M-2 11 11-2\" stroke=\"#9c6a00\" ",
    "stroke-width=\"3\" stroke-linecap=\"round\"/></g>\n",
    "<g id=\"azul-R\"><rect x=\"-16\" y=\"-16\" width=\"32\" height=\"32\" rx=\"4\" fill=\"#c93425\" ",
    "stroke=\"#f0978b\"/><path d=\"M-7.5-7.5h0M7.5-7.5h0M0 0h0M-7.5 7.5h0M7.5 7.5h0\" ",
    "stroke=\"#ffe1da\" stroke-width=\"6\" stroke-linecap=\"round\"/></g>\n",
    "<g id=\"azul-K\"><rect x=\"-16\" y=\"-16\" width=\"32\" height=\"32\" rx=\"4\" fill=\"#15161a\" ",
    "stroke=\"#9aa0ad\"/><path d=\"M-8-8 8 8M8-8-8 8\" stroke=\"#c9ced8\" stroke-width=\"3.6\" ",
    "stroke-linecap=\"round\"/></g>\n",
    "<g id=\"azul-W\"><rect x=\"-16\" y=\"-16\" width=\"32\" height=\"32\" rx=\"4\" fill=\"#fbf9f2\" ",
    "stroke=\"#7d7868\" stroke-width=\"1.6\"/><path d=\"M0-12 3-3 12 0 3 3 0 12-3 3-12 0-3-3z\" fill=\"#12958b\"/></g>\n",
    "<g id=\"azul-first\"><rect x=\"-16\" y=\"-16\" width=\"32\" height=\"32\" rx=\"16\" ",
    "fill=\"#fbf9f2\" stroke=\"#5b4b8a\" stroke-width=\"3\"/><path d=\"M-4-5 1-9V9M-4 9H6\" ",
    "fill=\"none\" stroke=\"#5b4b8a\" stroke-width=\"3.4\" stroke-linecap=\"round\"/></g>\n",
    "</defs>\n",
);

/// The shapes of Summer Pavilion: bars, dots, ring, inner rhombus, cross and waves.
pub(super) const PAVILION_TILES: &str = concat!(
    "<defs>\n",
    "<g id=\"pavilion-O\"><path d=\"M0-32.9 19 0 0 32.9-19 0z\" fill=\"#ee8a1d\" stroke=\"#8f4d00\"/>",
    "<path d=\"M-5-14H5M-10-5H10M-10 5H10M-5 14H5\" stroke=\"#7c3f00\" stroke-width=\"3\" ",
    "stroke-linecap=\"round\"/></g>\n",
    "<g id=\"pavilion-R\"><path d=\"M0-32.9 19 0 0 32.9-19 0z\" fill=\"#c42d2d\" stroke=\"#f29a92\"/>",
    "<path d=\"M0-16h0M0 16h0M-8 0h0M8 0h0\" stroke=\"#ffe1da\" stroke-width=\"7\" ",
    "stroke-linecap=\"round\"/></g>\n",
    "<g id=\"pavilion-B\"><path d=\"M0-32.9 19 0 0 32.9-19 0z\" fill=\"#1769aa\" stroke=\"#77b9ea\"/>",
    "<circle r=\"8.5\" fill=\"none\" stroke=\"#d9eefc\" stroke-width=\"3\"/>",
    "<circle r=\"2.8\" fill=\"#d9eefc\"/></g>\n",
    "<g id=\"pavilion-Y\"><path d=\"M0-32.9 19 0 0 32.9-19 0z\" fill=\"#f7d440\" stroke=\"#9c7a00\"/>",
    "<path d=\"M0-18 10 0 0 18-10 0z\" fill=\"none\" stroke=\"#8a6a00\" stroke-width=\"3\" ",
    "stroke-linejoin=\"round\"/></g>\n",
    "<g id=\"pavilion-G\"><path d=\"M0-32.9 19 0 0 32.9-19 0z\" fill=\"#1d8f5f\" stroke=\"#85d9b6\"/>",
    "<path d=\"M0-15V15M-9 0H9\" stroke=\"#dcf7ea\" stroke-width=\"4\" stroke-linecap=\"round\"/>",
    "</g>\n",
    "<g id=\"pavilion-P\"><path d=\"M0-32.9 19 0 0 32.9-19 0z\" fill=\"#6f3aa0\" stroke=\"#c9a6ea\"/>",
    "<path d=\"M-7-9q3.5-6 7 0t7 0M-11 1q3.7-6 7.3 0t7.3 0 7.3 0M-7 11q3.5-6 7 0t7 0\" ",
    "fill=\"none\" stroke=\"#efdfff\" stroke-width=\"2.8\" stroke-linecap=\"round\"/></g>\n",
    "<g id=\"pavilion-first\"><circle r=\"16\" fill=\"#fbf9f2\" stroke=\"#44506b\" stroke-width=\"3\"/>",
    "<path d=\"M-4-5 1-9V9M-4 9H6\" fill=\"none\" stroke=\"#44506b\" stroke-width=\"3.4\" ",
    "stroke-linecap=\"round\"/></g>\n",
    "</defs>\n",
);

/// The plain color, for what is printed on the board.
pub(super) const fn pavilion_fill(color: PavilionColor) -> &'static str {
    match color {
        PavilionColor::Orange => "#ee8a1d",
        PavilionColor::Red => "#c42d2d",
        PavilionColor::Blue => "#1769aa",
        PavilionColor::Yellow => "#f7d440",
        PavilionColor::Green => "#1d8f5f",
        PavilionColor::Purple => "#6f3aa0",
    }
}

/// The place of a tile or of the marker, as attributes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Factory(Factory),
    Center,
    Supply,
    Line(Seat, Row),
    Wall(Seat, Row, Column),
    Floor(Seat),
    Hand(Seat),
    Star(Seat, Star, Space),
    /// Beside a board: the token of Summer Pavilion.
    Board(Seat),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seated = |f: &mut fmt::Formatter<'_>, name: &str, seat: Seat| {
            write!(f, "data-place=\"{name}\" data-seat=\"{}\"", seat.index())
        };
        match *self {
            Self::Factory(factory) => {
                write!(f, "data-place=\"factory\" data-index=\"{factory}\"")
            }
            Self::Center => f.write_str("data-place=\"center\""),
            Self::Supply => f.write_str("data-place=\"supply\""),
            Self::Line(seat, row) => {
                seated(f, "line", seat)?;
                write!(f, " data-row=\"{}\"", row.index() + 1)
            }
            Self::Wall(seat, row, column) => {
                seated(f, "wall", seat)?;
                let (row, column) = (row.index() + 1, column.index() + 1);
                write!(f, " data-row=\"{row}\" data-column=\"{column}\"")
            }
            Self::Floor(seat) => seated(f, "floor", seat),
            Self::Hand(seat) => seated(f, "hand", seat),
            Self::Star(seat, star, space) => {
                seated(f, "star", seat)?;
                write!(f, " data-star=\"{}\" data-space=\"{}\"", star.letter(), space.number())
            }
            Self::Board(seat) => seated(f, "board", seat),
        }
    }
}

/// The game of the tiles: the prefix of their ids.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kit {
    Azul,
    Pavilion,
}

impl Kit {
    fn id(self, what: impl fmt::Display) -> String {
        match self {
            Self::Azul => format!("azul-{what}"),
            Self::Pavilion => format!("pavilion-{what}"),
        }
    }

    pub(super) fn tile(self, paper: &mut Paper, color: impl TileColor, place: Place, spot: Spot) {
        let letter = color.letter();
        let id = self.id(letter);
        paper.stamp("tile", &id, spot, format_args!("data-color=\"{letter}\" {place}"));
    }

    /// A space with its printed color, not a tile.
    pub(super) fn print(self, paper: &mut Paper, class: &str, color: impl TileColor, spot: Spot) {
        paper.stamp(class, &self.id(color.letter()), spot, format_args!(""));
    }

    /// The starting player marker, or the start player token.
    pub(super) fn marker(self, paper: &mut Paper, place: Place, spot: Spot) {
        paper.stamp("marker", &self.id("first"), spot, format_args!("{place}"));
    }
}

/// The tiles one by one, in the order of their colors.
pub(super) fn each<C: TileColor>(tiles: Tiles<C>) -> impl Iterator<Item = C> {
    tiles.iter().flat_map(|(color, count)| repeat_n(color, usize::from(count)))
}
