//! A player's board of Summer Pavilion: seven stars, the features between them, the hand.

use azulejo_rules::parts::{Seat, Side};
use azulejo_rules::pavilion::{Position, Space, Star, cost};

use crate::LastMove;
use crate::last_move::PavilionPlace;
use crate::options::{self, Options};

use super::feature::draw_features;
use super::paper::{Anchor, Area, Paper, Point, Spot};
use super::star;
use super::table::{BOARD_WIDTH, Player};
use super::tiles::{Kit, Place, RHOMBUS, each, pavilion_fill};

pub(super) const BOARD_HEIGHT: f64 = 456.0;

const MIDDLE: Point = Point::at(BOARD_WIDTH / 2.0, 216.0);
/// The center of the hand, from the top of the board.
const HAND: f64 = 422.0;
const HAND_WIDTH: f64 = BOARD_WIDTH - 24.0;

pub(super) fn draw_board(
    paper: &mut Paper,
    corner: Point,
    position: &Position,
    seat: Seat,
    options: &Options,
) {
    player(position, seat, options).draw_frame(paper, corner, BOARD_HEIGHT);
    let board = Board { position, seat, corner };
    draw_features(paper, board.middle(), position.board(seat));
    for star in Star::ALL {
        for space in Space::ALL {
            board.draw_space(paper, star, space);
        }
    }
    board.draw_hand(paper);
    if position.token() == Some(seat) {
        let spot = Spot { at: corner.moved(30.0, 64.0), scale: 1.0, turn: 0.0 };
        Kit::Pavilion.marker(paper, Place::Board(seat), spot);
    }
    let touched = options.last.and_then(LastMove::in_pavilion);
    if let Some(touched) = touched.filter(|touched| touched.seat == seat) {
        board.draw_last(paper, touched.place);
    }
}

fn player(position: &Position, seat: Seat, options: &Options) -> Player {
    let score = position.seat_score(seat);
    let over = position.end().is_some();
    let gained = score.star_points() + score.number_points();
    let note = if over {
        let lost = score.points + gained - score.total();
        format!("{} + {gained} − {lost} =", score.points)
    } else if position.passed().holds(seat) {
        "passed".to_owned()
    } else {
        String::new()
    };
    Player {
        seat,
        name: options::name(&options.names, seat),
        to_move: position.to_move() == Some(seat),
        won: over && position.score().winners.contains(&seat),
        score: if over { score.total() } else { score.points },
        note,
    }
}

struct Board<'a> {
    position: &'a Position,
    seat: Seat,
    corner: Point,
}

impl Board<'_> {
    fn middle(&self) -> Point {
        self.corner.moved(MIDDLE.x, MIDDLE.y)
    }

    fn spot(&self, star: Star, space: Space) -> Spot {
        let spot = star::spot(star, space);
        Spot { at: self.middle().moved(spot.at.x, spot.at.y), ..spot }
    }

    fn draw_space(&self, paper: &mut Paper, star: Star, space: Space) {
        let spot = self.spot(star, space);
        if let Some(color) = self.position.board(self.seat).color_at(star, space) {
            Kit::Pavilion.tile(paper, color, Place::Star(self.seat, star, space), spot);
            return;
        }
        let side = self.position.rules().side;
        let (letter, number) = (star.letter(), space.number());
        let price = cost(side, star, space);
        let about = format!(
            "data-seat=\"{}\" data-star=\"{letter}\" data-space=\"{number}\" data-cost=\"{price}\"",
            self.seat.index()
        );
        match star.color().filter(|_| side == Side::Colored) {
            Some(color) => {
                let fill = pavilion_fill(color);
                paper.shape("space tint", RHOMBUS, spot, format_args!("fill=\"{fill}\" {about}"));
            }
            None => paper.shape("space bare", RHOMBUS, spot, format_args!("{about}")),
        }
        let at = spot.at.moved(0.0, 7.0);
        paper.words("cost ink", at, Anchor::Middle, &price.to_string());
    }

    /// In one line, or in two lines of smaller tiles; they overlap before they leave the board.
    fn draw_hand(&self, paper: &mut Paper) {
        let hand = self.position.board(self.seat).hand();
        let count = usize::from(hand.total());
        let (lines, scale): (usize, f64) = if count <= 19 { (1, 0.62) } else { (2, 0.43) };
        let in_line = count.div_ceil(lines);
        let step = (scale * 41.0).min(HAND_WIDTH / in_line.max(1) as f64);
        let left = 12.0 + step / 2.0;
        for (index, color) in each(hand).enumerate() {
            let (line, column) = (index / in_line, index % in_line);
            let y = HAND + (line as f64 - (lines - 1) as f64 / 2.0) * 30.0;
            let at = self.corner.moved(left + column as f64 * step, y);
            let spot = Spot { at, scale, turn: 0.0 };
            Kit::Pavilion.tile(paper, color, Place::Hand(self.seat), spot);
        }
    }

    fn draw_last(&self, paper: &mut Paper, place: PavilionPlace) {
        match place {
            PavilionPlace::Star(star, space) => {
                paper.shape("last", RHOMBUS, self.spot(star, space), format_args!(""));
            }
            PavilionPlace::Hand | PavilionPlace::Supply => {
                let at = self.corner.moved(BOARD_WIDTH / 2.0, HAND);
                paper.rect("last", Area::around(at, BOARD_WIDTH - 16.0, 58.0), 8.0);
            }
        }
    }
}
