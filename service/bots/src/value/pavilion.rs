//! Summer Pavilion: points so far, the value of the tiles in hand, and expected bonuses for stars,
//! numbers and the features between the stars.

use azulejo_rules::parts::Seat;
use azulejo_rules::pavilion::{
    CORNERS, MIXED_STAR_BONUS, NUMBER_BONUSES, Phase, PlayerBoard, Position, ROUNDS, Space, Star,
    cost, star_bonus,
};

use crate::Points;

pub(crate) fn value(position: &Position) -> Points {
    let mut points = [0.0; 4];
    for seat in position.rules().players.iter() {
        points[seat.index()] = seat_value(position, seat);
    }
    points
}

fn seat_value(position: &Position, seat: Seat) -> f32 {
    let score = position.seat_score(seat);
    if position.phase() == Phase::Over {
        return f32::from(score.total());
    }
    let board = position.board(seat);
    let rounds_left = f32::from(ROUNDS - position.round());
    f32::from(score.points)
        + hand_value(position, seat, board)
        + star_hopes(position, board, rounds_left)
        + number_hopes(position, board, rounds_left)
        + feature_hopes(board, rounds_left)
}

/// A tile in hand will be placed or pay for one; so will those that a passed player keeps.
fn hand_value(position: &Position, seat: Seat, board: &PlayerBoard) -> f32 {
    let hand = board.hand();
    let tiles = f32::from(hand.total());
    let last = position.round() == ROUNDS;
    let passed = position.passed().holds(seat);
    let wilds = f32::from(hand.count(position.wild_color()));
    match (passed, last) {
        (true, true) => -tiles,
        (true, false) => 1.1 * tiles,
        (false, true) => 0.6 * tiles + 0.3 * wilds,
        (false, false) => {
            let kept = tiles.min(f32::from(CORNERS));
            1.0 * tiles + 0.1 * kept + 0.3 * wilds
        }
    }
}

/// The probability that something is completed which lacks this much of its price.
fn chance(missing: f32, rounds_left: f32) -> f32 {
    let means = 9.0 * rounds_left + 4.0;
    let ratio = missing / means;
    1.0 / (1.0 + (ratio * 3.0).powi(2))
}

fn star_hopes(position: &Position, board: &PlayerBoard, rounds_left: f32) -> f32 {
    let side = position.rules().side;
    Star::ALL
        .into_iter()
        .map(|star| {
            let mut missing = 0.0;
            let (mut laid, mut first) = (0u8, None);
            let mut mixed = false;
            for space in Space::ALL {
                match board.color_at(star, space) {
                    None => missing += f32::from(cost(side, star, space)),
                    Some(color) => {
                        laid += 1;
                        mixed |= first.is_some_and(|first| first != color);
                        first = Some(color);
                    }
                }
            }
            let bonus = match first {
                Some(color) if !mixed && (laid > 1 || star.color().is_some()) => star_bonus(color),
                _ => MIXED_STAR_BONUS,
            };
            if laid == 0 {
                return 0.0;
            }
            let share = f32::from(laid) / 6.0;
            let complete =
                if laid == 6 { 1.0 } else { share * share * chance(missing, rounds_left) };
            f32::from(bonus) * complete
        })
        .sum()
}

fn number_hopes(position: &Position, board: &PlayerBoard, rounds_left: f32) -> f32 {
    let side = position.rules().side;
    let mut have = [0.0f32; 4];
    let mut all = [0.0f32; 4];
    for star in Star::ALL {
        for space in Space::ALL {
            let number = usize::from(cost(side, star, space));
            if number <= 4 {
                all[number - 1] += 1.0;
                if board.is_covered(star, space) {
                    have[number - 1] += 1.0;
                }
            }
        }
    }
    (0..4)
        .map(|index| {
            let share = have[index] / all[index];
            let missing = (all[index] - have[index]) * (index as f32 + 1.0);
            let complete = if share >= 1.0 {
                1.0
            } else {
                share * share * share * chance(missing, rounds_left)
            };
            f32::from(NUMBER_BONUSES[index]) * complete
        })
        .sum()
}

/// Covered spaces around a pillar, statue or window bring bonus tiles closer.
fn feature_hopes(board: &PlayerBoard, rounds_left: f32) -> f32 {
    use Space::{Five, Four, One, Six, Three, Two};
    let covered = |star: Star, space: Space| f32::from(u8::from(board.is_covered(star, space)));
    let promise = |have: f32, all: f32, tiles: f32| {
        if have >= all { 0.0 } else { tiles * (have / all).powi(2) }
    };
    let late = if rounds_left > 0.0 { 0.9 } else { 0.35 };
    let hopes: f32 = (0..6)
        .map(|index| {
            let (star, next) = (Star::OUTER[index], Star::OUTER[(index + 1) % 6]);
            let inner = [Space::ALL[(index + 5) % 6], Space::ALL[index]];
            let pillar = covered(star, Two)
                + covered(star, Three)
                + covered(Star::Center, inner[0])
                + covered(Star::Center, inner[1]);
            let statue = covered(star, One)
                + covered(star, Two)
                + covered(next, Three)
                + covered(next, Four);
            let window = covered(star, Five) + covered(star, Six);
            promise(pillar, 4.0, 1.0) + promise(statue, 4.0, 2.0) + promise(window, 2.0, 3.0)
        })
        .sum();
    late * hopes
}
