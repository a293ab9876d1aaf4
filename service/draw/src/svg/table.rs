//! What both games have on the table: the status line, the ring of factory displays with the center
//! in its middle, and the frames of the boards.

use azulejo_rules::parts::{Factory, PlayerCount, Seat, Source, TileColor, Tiles};

use crate::options::{self, fitted};

use super::paper::{Anchor, Area, Paper, Point, Spot};
use super::tiles::{Kit, Place, each};

pub(super) const WIDTH: f64 = 800.0;
pub(super) const HEAD: f64 = 46.0;
pub(super) const BOARD_WIDTH: f64 = 392.0;
const MARGIN: f64 = 4.0;
const PLATE: f64 = 42.0;

/// How the tiles of a game are arranged in the shared area.
pub(super) struct Lay {
    pub(super) kit: Kit,
    /// The four places on a factory display, relative to its center.
    pub(super) display: [Spot; 4],
    /// From one tile of the pool to the next, and to the next line.
    pub(super) step: Point,
    pub(super) scale: f64,
}

/// The shared area: its tiles, and what the last move touched.
pub(super) struct Shared<C: TileColor> {
    pub(super) players: PlayerCount,
    pub(super) displays: Vec<(Factory, Tiles<C>)>,
    pub(super) center: Tiles<C>,
    pub(super) marker_in_center: bool,
    pub(super) last: Option<Source>,
}

/// Half the width and half the height of the ring through the centers of the displays.
const fn ring(players: PlayerCount) -> Point {
    match players {
        PlayerCount::Two => Point::at(264.0, 98.0),
        PlayerCount::Three => Point::at(284.0, 108.0),
        PlayerCount::Four => Point::at(298.0, 132.0),
    }
}

/// Height of the ring including its displays.
pub(super) const fn ring_height(players: PlayerCount) -> f64 {
    2.0 * (ring(players).y + PLATE + MARGIN)
}

impl Lay {
    pub(super) fn draw<C: TileColor>(&self, paper: &mut Paper, top: f64, shared: &Shared<C>) {
        let middle = Point::at(WIDTH / 2.0, top + ring_height(shared.players) / 2.0);
        self.draw_pool(paper, middle, shared);
        let (ring, count) = (ring(shared.players), shared.displays.len() as f64);
        for (index, &(factory, tiles)) in shared.displays.iter().enumerate() {
            let angle = (index as f64 * 360.0 / count).to_radians();
            let at = middle.moved(angle.sin() * ring.x, -angle.cos() * ring.y);
            let last = shared.last == Some(Source::Factory(factory));
            self.draw_display(paper, at, (factory, tiles), last);
        }
    }

    fn draw_display<C: TileColor>(
        &self,
        paper: &mut Paper,
        at: Point,
        (factory, tiles): (Factory, Tiles<C>),
        last: bool,
    ) {
        paper.circle("plate", at, PLATE);
        if last {
            paper.circle("last", at, PLATE);
        }
        let number = factory.to_string();
        if tiles.is_empty() {
            paper.words("note soft", at.moved(0.0, 6.0), Anchor::Middle, &number);
        } else {
            // On the side away from the pool.
            let x = if at.x > WIDTH / 2.0 { 42.0 } else { -42.0 };
            paper.words("tag soft", at.moved(x, -29.0), Anchor::Middle, &number);
        }
        for (color, spot) in each(tiles).zip(self.display) {
            let spot = Spot { at: at.moved(spot.at.x, spot.at.y), ..spot };
            self.kit.tile(paper, color, Place::Factory(factory), spot);
        }
    }

    fn draw_pool<C: TileColor>(&self, paper: &mut Paper, middle: Point, shared: &Shared<C>) {
        // Room for three tiles from each display and the marker.
        let rows = if shared.players == PlayerCount::Four { 3 } else { 2 };
        let columns = (3 * shared.displays.len() + 1).div_ceil(rows);
        let (width, height) = (columns as f64 * self.step.x, rows as f64 * self.step.y);
        let area = Area::around(middle, width + 16.0, height + 12.0);
        paper.rect("pool", area, 18.0);
        if shared.last == Some(Source::Center) {
            paper.rect("last", area, 18.0);
        }
        let first = middle.moved((self.step.x - width) / 2.0, (self.step.y - height) / 2.0);
        let spot = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            let at = first.moved(column as f64 * self.step.x, row as f64 * self.step.y);
            Spot { at, scale: self.scale, turn: 0.0 }
        };
        if shared.marker_in_center {
            self.kit.marker(paper, Place::Center, Spot { scale: 0.76, ..spot(0) });
        }
        let taken = usize::from(shared.marker_in_center);
        for (index, color) in each(shared.center).enumerate() {
            self.kit.tile(paper, color, Place::Center, spot(taken + index));
        }
    }
}

/// The number of rows of boards, two per row.
pub(super) fn board_rows(players: PlayerCount) -> f64 {
    players.seats().div_ceil(2) as f64
}

/// The upper left corner of a seat's board. A third board is centered.
pub(super) fn board_corner(players: PlayerCount, seat: Seat, top: f64, height: f64) -> Point {
    let (row, column) = (seat.index() / 2, seat.index() % 2);
    let alone = players == PlayerCount::Three && seat == Seat::Third;
    let left = if alone {
        (WIDTH - BOARD_WIDTH) / 2.0
    } else {
        MARGIN + column as f64 * (WIDTH - BOARD_WIDTH - 2.0 * MARGIN)
    };
    Point::at(left, top + row as f64 * (height + 2.0 * MARGIN))
}

/// The height of a table whose boards begin at `top`.
pub(super) fn table_height(players: PlayerCount, top: f64, height: f64) -> f64 {
    top + board_rows(players) * (height + 2.0 * MARGIN)
}

/// The text in the frame of a board.
pub(super) struct Player {
    pub(super) seat: Seat,
    pub(super) name: String,
    pub(super) to_move: bool,
    pub(super) won: bool,
    pub(super) score: u16,
    /// Beside the score.
    pub(super) note: String,
}

impl Player {
    pub(super) fn draw_frame(&self, paper: &mut Paper, corner: Point, height: f64) {
        let class = if self.to_move { "panel turn" } else { "panel" };
        paper.rect(class, Area { corner, width: BOARD_WIDTH, height }, 10.0);
        let mut left = corner.moved(14.0, 30.0);
        if self.to_move || self.won {
            let path = if self.to_move { "M-6-8 8 0-6 8z" } else { CROWN };
            let spot = Spot { at: left.moved(7.0, -7.0), scale: 1.0, turn: 0.0 };
            let extra = format_args!("data-seat=\"{}\"", self.seat.index());
            paper.shape(
                if self.to_move { "mover accent" } else { "winner accent" },
                path,
                spot,
                extra,
            );
            left = left.moved(24.0, 0.0);
        }
        let room = if self.note.is_empty() { 22 } else { 16 };
        paper.words("name ink", left, Anchor::Start, &fitted(&self.name, room));
        let right = corner.moved(BOARD_WIDTH - 14.0, 33.0);
        paper.words("score ink", right, Anchor::End, &self.score.to_string());
        let digits = self.score.to_string().len() as f64;
        paper.words("tag soft", right.moved(-digits * 18.0 - 8.0, -2.0), Anchor::End, &self.note);
    }
}

const CROWN: &str = "M-9 7-10-6-4 0 0-9 4 0 10-6 9 7z";

/// The status line after the round: what happens, with its left edge and its maximum length; then
/// bag and discards.
pub(super) fn draw_head(paper: &mut Paper, (left, room): (f64, usize), status: &str, stock: &str) {
    let status = fitted(status, room);
    paper.words("note ink", Point::at(left, 30.0), Anchor::Start, &status);
    paper.words("note soft", Point::at(WIDTH - 14.0, 30.0), Anchor::End, stock);
}

/// Names in the status line are shortened, so that it never overlaps its other end.
pub(super) fn short_name(names: &[String], seat: Seat) -> String {
    fitted(&options::name(names, seat), 14)
}
