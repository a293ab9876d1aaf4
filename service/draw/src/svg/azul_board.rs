//! A player's board of Azul: pattern lines, wall, floor line.

use azulejo_rules::azul::{
    Color, Column, FLOOR_PENALTIES, FLOOR_SPACES, PatternLine, Position, Row, Wall,
};
use azulejo_rules::parts::{Seat, Side};

use crate::LastMove;
use crate::last_move::AzulPlace;
use crate::options::{self, Options};

use super::paper::{Anchor, Area, Paper, Point, Spot};
use super::table::{BOARD_WIDTH, Player};
use super::tiles::{HALF, Kit, Place, each};

pub(super) const BOARD_HEIGHT: f64 = 276.0;

const STEP: f64 = 35.0;
/// The center of the first row, from the corner of the board.
const FIRST_ROW: f64 = 62.0;
/// The center of the last space of a pattern line.
const LINE_END: f64 = 170.0;
const FIRST_COLUMN: f64 = 224.0;
const FLOOR: f64 = 250.0;

fn line_space(row: Row, from_right: usize) -> Point {
    Point::at(LINE_END - from_right as f64 * STEP, FIRST_ROW + row.index() as f64 * STEP)
}

fn wall_cell(row: Row, column: Column) -> Point {
    Point::at(FIRST_COLUMN + column.index() as f64 * STEP, FIRST_ROW + row.index() as f64 * STEP)
}

fn floor_space(index: usize) -> Point {
    Point::at(LINE_END - 4.0 * STEP + index as f64 * STEP, FLOOR)
}

pub(super) fn draw_board(
    paper: &mut Paper,
    corner: Point,
    position: &Position,
    seat: Seat,
    options: &Options,
) {
    player(position, seat, options).draw_frame(paper, corner, BOARD_HEIGHT);
    let board = Board { position, seat, corner };
    for row in Row::ALL {
        board.draw_line(paper, row);
        board.draw_wall(paper, row);
    }
    board.draw_floor(paper);
    let touched = options.last.and_then(LastMove::in_azul);
    if let Some(touched) = touched.filter(|touched| touched.seat == seat) {
        board.draw_last(paper, touched.place);
    }
}

fn player(position: &Position, seat: Seat, options: &Options) -> Player {
    let score = position.seat_score(seat);
    let over = position.end().is_some();
    Player {
        seat,
        name: options::name(&options.names, seat),
        to_move: position.to_move() == Some(seat),
        won: over && position.score().winners.contains(&seat),
        score: if over { score.total() } else { score.points },
        note: if over { format!("{} + {} =", score.points, score.bonus()) } else { String::new() },
    }
}

struct Board<'a> {
    position: &'a Position,
    seat: Seat,
    corner: Point,
}

impl Board<'_> {
    fn spot(&self, at: Point) -> Spot {
        Spot { at: self.corner.moved(at.x, at.y), scale: 1.0, turn: 0.0 }
    }

    fn draw_cell(&self, paper: &mut Paper, at: Point) {
        let Spot { at, .. } = self.spot(at);
        paper.rect("cell", Area::around(at, 2.0 * HALF, 2.0 * HALF), 4.0);
    }

    fn draw_line(&self, paper: &mut Paper, row: Row) {
        let (color, tiles) = match self.position.board(self.seat).line(row) {
            PatternLine::Empty => (None, 0),
            PatternLine::Holding { color, tiles } => (Some(color), usize::from(tiles)),
        };
        for from_right in 0..usize::from(row.spaces()) {
            let at = line_space(row, from_right);
            match color.filter(|_| from_right < tiles) {
                Some(color) => {
                    Kit::Azul.tile(paper, color, Place::Line(self.seat, row), self.spot(at));
                }
                None => self.draw_cell(paper, at),
            }
        }
        let arrow = self.spot(line_space(row, 0).moved(HALF + 11.0, 0.0));
        paper.shape("arrow", "M-3-6 5 0-3 6z", arrow, format_args!(""));
    }

    fn draw_wall(&self, paper: &mut Paper, row: Row) {
        let wall = self.position.board(self.seat).wall();
        for column in Column::ALL {
            let at = wall_cell(row, column);
            if let Some(color) = wall.color_at(row, column) {
                let place = Place::Wall(self.seat, row, column);
                Kit::Azul.tile(paper, color, place, self.spot(at));
                continue;
            }
            self.draw_cell(paper, at);
            if self.position.rules().side == Side::Colored {
                let wanted = |color: &Color| Wall::column_of(row, *color) == column;
                if let Some(color) = Color::ALL.into_iter().find(wanted) {
                    Kit::Azul.print(paper, "print", color, self.spot(at));
                }
            }
        }
    }

    /// The position does not keep the order on the floor line; the marker is drawn first, and beside
    /// the line if that is full.
    fn draw_floor(&self, paper: &mut Paper) {
        let tiles = self.position.board(self.seat).floor();
        let holds_marker = self.position.marker() == Some(self.seat);
        let beside = tiles.total() == FLOOR_SPACES;
        let first = usize::from(holds_marker && !beside);
        let covered = usize::from(tiles.total()) + first;
        for index in covered..usize::from(FLOOR_SPACES) {
            self.draw_cell(paper, floor_space(index));
            let cost = FLOOR_PENALTIES[index + 1] - FLOOR_PENALTIES[index];
            let at = self.spot(floor_space(index)).at.moved(-1.0, 6.0);
            paper.words("penalty soft", at, Anchor::Middle, &format!("−{cost}"));
        }
        if holds_marker {
            let index = if beside { usize::from(FLOOR_SPACES) } else { 0 };
            let spot = Spot { scale: 0.94, ..self.spot(floor_space(index)) };
            Kit::Azul.marker(paper, Place::Floor(self.seat), spot);
        }
        for (index, color) in each(tiles).enumerate() {
            let spot = self.spot(floor_space(first + index));
            Kit::Azul.tile(paper, color, Place::Floor(self.seat), spot);
        }
        if covered > 0 {
            let at = self.corner.moved(BOARD_WIDTH - 14.0, FLOOR + 7.0);
            let words = format!("−{}", FLOOR_PENALTIES[covered]);
            paper.words("head loss", at, Anchor::End, &words);
        }
    }

    fn draw_last(&self, paper: &mut Paper, place: AzulPlace) {
        let (from, to) = match place {
            AzulPlace::Line(row) => (line_space(row, row.index()), line_space(row, 0)),
            AzulPlace::Floor => (floor_space(0), floor_space(usize::from(FLOOR_SPACES) - 1)),
            AzulPlace::Wall(row, column) => (wall_cell(row, column), wall_cell(row, column)),
        };
        let rim = HALF + 2.0;
        let corner = self.spot(from).at.moved(-rim, -rim);
        let area = Area { corner, width: to.x - from.x + 2.0 * rim, height: 2.0 * rim };
        paper.rect("last", area, 6.0);
    }
}
