//! The geometry of the stars: where each space of each star lies, and which way it points.

use azulejo_rules::pavilion::{Space, Star};

use super::paper::{Point, Spot};
use super::tiles::EDGE;

/// From the middle of the board to the middle of an outer star: three edges make the tips touch,
/// and the rest keeps room for what stands between the stars.
const APART: f64 = 3.2 * EDGE;
/// From the middle of a star to the middle of a rhombus: half its long diagonal, and a slit.
const OUT: f64 = 0.885 * EDGE;

/// The way from the middle of the board to an outer star: degrees, clockwise from the north.
/// The orange star is at the upper left, the next ones follow clockwise.
pub(super) fn bearing(star: Star) -> f64 {
    star.index() as f64 * 60.0 - 30.0
}

/// The middle of a star, from the middle of the board.
pub(super) fn middle(star: Star) -> Point {
    let board = Point::at(0.0, 0.0);
    if star == Star::Center { board } else { board.toward(bearing(star), APART) }
}

/// Where a space points from the middle of its star.
///
/// Numbers run clockwise. In the center and in the purple star, 1 is north; each outer star from
/// the orange one on is turned by one step more, so that all of them turn the same spaces to the
/// center: 2 and 3.
pub(super) fn direction(star: Star, space: Space) -> f64 {
    let turned = if star == Star::Center { 0 } else { star.index() + 1 };
    ((space.index() + turned) % 6) as f64 * 60.0
}

/// Where the rhombus of a space lies, from the middle of the board.
pub(super) fn spot(star: Star, space: Space) -> Spot {
    let turn = direction(star, space);
    Spot { at: middle(star).toward(turn, OUT), scale: 0.97, turn }
}

/// What stands between the stars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pillar,
    Statue,
    Window,
}

/// A pillar, statue or window and the spaces round it.
#[derive(Clone, Debug)]
pub(super) struct Feature {
    pub(super) kind: Kind,
    /// From the middle of the board.
    pub(super) at: Point,
    pub(super) spaces: Vec<(Star, Space)>,
}

/// The features of an outer star: its pillar, the statue behind it clockwise, and its window.
pub(super) fn features(star: Star) -> [Feature; 3] {
    use Space::{Five, Four, One, Six, Three, Two};
    let next = Star::OUTER[(star.index() + 1) % 6];
    // The pillar stands in front of the notch between two spaces of the center.
    let before = Space::ALL[(star.index() + 5) % 6];
    let behind = Space::ALL[star.index() % 6];
    let center = Star::Center;
    let board = Point::at(0.0, 0.0);
    let (here, there) = (middle(star), middle(next));
    [
        Feature {
            kind: Kind::Pillar,
            at: board.toward(bearing(star), APART / 2.0),
            spaces: vec![(star, Two), (star, Three), (center, before), (center, behind)],
        },
        Feature {
            kind: Kind::Statue,
            at: Point::at(f64::midpoint(here.x, there.x), f64::midpoint(here.y, there.y)),
            spaces: vec![(star, One), (star, Two), (next, Three), (next, Four)],
        },
        Feature {
            kind: Kind::Window,
            at: here.toward(bearing(star), 1.42 * EDGE),
            spaces: vec![(star, Five), (star, Six)],
        },
    ]
}
