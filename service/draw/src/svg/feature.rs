//! Icons of pillars, statues and windows.

use azulejo_rules::pavilion::{PlayerBoard, Star};

use super::paper::{Paper, Point, Spot};
use super::star::{Kind, features};

/// A column with its foot and head.
const PILLAR: &str = "M-8-13H8V-9H5V9H8V13H-8V9H-5V-9H-8z";
/// A figure on a foot.
const STATUE: &str =
    "M0-15a4.5 4.5 0 0 1 2.6 8.2Q7-4 6 4H4V10H8V14H-8V10H-4V4H-6Q-7-4-2.6-6.8A4.5 4.5 0 0 1 0-15z";
/// A pointed arch with its cross of bars.
const WINDOW: &str = "M-9 13V-3Q-9-10 0-14 9-10 9-3V13zM0-14V13M-9 0H9";

/// A feature between the stars of a board; filled if it is surrounded.
pub(super) fn draw_features(paper: &mut Paper, middle: Point, board: &PlayerBoard) {
    for star in Star::OUTER {
        for feature in features(star) {
            let done = feature.spaces.iter().all(|&(star, space)| board.is_covered(star, space));
            let (kind, path) = match feature.kind {
                Kind::Pillar => ("pillar", PILLAR),
                Kind::Statue => ("statue", STATUE),
                Kind::Window => ("window", WINDOW),
            };
            let at = middle.moved(feature.at.x, feature.at.y);
            let spot = Spot { at, scale: 1.0, turn: 0.0 };
            let class = if done { "feature done" } else { "feature" };
            let extra = format_args!("data-kind=\"{kind}\" data-star=\"{}\"", star.letter());
            paper.shape(class, path, spot, extra);
        }
    }
}
