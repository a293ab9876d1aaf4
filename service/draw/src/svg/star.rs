//! The geometry of the stars: position and direction of each space.

use azulejo_rules::pavilion::{Space, Star};

use super::paper::{Point, Spot};
use super::tiles::EDGE;

/// From the center of the board to the center of an outer star: with three edges the tips touch,
/// the rest is room for the features between the stars.
const APART: f64 = 3.2 * EDGE;
/// From the center of a star to the center of a rhombus: half its long diagonal, and a gap.
const OUT: f64 = 0.885 * EDGE;

/// The direction from the center of the board to an outer star: degrees, clockwise from the north.
/// The orange star is at the upper left, the next ones follow clockwise.
pub(super) fn bearing(star: Star) -> f64 {
    star.index() as f64 * 60.0 - 30.0
}

/// The center of a star, relative to the center of the board.
pub(super) fn middle(star: Star) -> Point {
    let board = Point::at(0.0, 0.0);
    if star == Star::Center { board } else { board.toward(bearing(star), APART) }
}

/// The direction of a space from the center of its star.
///
/// Numbers run clockwise. In the center and in the purple star, 1 is north; each outer star from
/// the orange one on is rotated by one step more, so that all of them turn the same spaces to the
/// center: 2 and 3.
pub(super) fn direction(star: Star, space: Space) -> f64 {
    let turned = if star == Star::Center { 0 } else { star.index() + 1 };
    ((space.index() + turned) % 6) as f64 * 60.0
}

/// The center of the rhombus of a space, relative to the center of the board.
pub(super) fn spot(star: Star, space: Space) -> Spot {
    let turn = direction(star, space);
    Spot { at: middle(star).toward(turn, OUT), scale: 0.97, turn }
}

/// The kinds of features between the stars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Pillar,
    Statue,
    Window,
}

/// A pillar, statue or window and the spaces around it.
#[derive(Clone, Debug)]
pub(super) struct Feature {
    pub(super) kind: Kind,
    /// Relative to the center of the board.
    pub(super) at: Point,
    pub(super) spaces: Vec<(Star, Space)>,
}

/// The features of an outer star: its pillar, the next statue clockwise, and its window.
pub(super) fn features(star: Star) -> [Feature; 3] {
    use Space::{Five, Four, One, Six, Three, Two};
    let next = Star::OUTER[(star.index() + 1) % 6];
    // The pillar is in front of the notch between two spaces of the center.
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
