//! Azul: points so far, the tiling as if the round ended now, and expected bonuses.

use azulejo_rules::azul::{
    COLOR_BONUS, COLUMN_BONUS, Color, Column, FLOOR_PENALTIES, PatternLine, Phase, Position,
    ROW_BONUS, Row, Wall,
};
use azulejo_rules::parts::{Seat, Side};

use crate::Points;

/// The expected share of a bonus with this many of its five tiles placed.
const HOPE: [f32; 6] = [0.0, 0.03, 0.1, 0.25, 0.55, 1.0];

pub(crate) fn value(position: &Position) -> Points {
    let mut points = [0.0; 4];
    for seat in position.rules().players.iter() {
        points[seat.index()] = seat_value(position, seat);
    }
    points
}

fn seat_value(position: &Position, seat: Seat) -> f32 {
    let score = position.seat_score(seat);
    if matches!(position.phase(), Phase::Over(_)) {
        return f32::from(score.total()) + 0.1 * f32::from(score.complete_rows);
    }
    let board = position.board(seat);
    let mut cells = Cells::of(board.wall());
    let mut gained = f32::from(score.points);
    let mut started = 0.0;
    for row in Row::ALL {
        let PatternLine::Holding { color, tiles } = board.line(row) else { continue };
        let Some(column) = column_for(position.rules().side, board.wall(), &cells, row, color)
        else {
            continue;
        };
        if tiles == row.spaces() {
            gained += cells.lay(row, column, color);
        } else {
            let share = f32::from(tiles) / f32::from(row.spaces());
            started += 0.8 * share * share * cells.clone().lay(row, column, color);
        }
    }
    let penalty = f32::from(FLOOR_PENALTIES[usize::from(position.floor_spaces_covered(seat))]);
    let start = if position.marker() == Some(seat) { 0.6 } else { 0.0 };
    (gained - penalty).max(0.0) + started + cells.hopes() + start
}

/// The space of a tile: on the gray wall the free column that scores most.
fn column_for(side: Side, wall: &Wall, cells: &Cells, row: Row, color: Color) -> Option<Column> {
    match side {
        Side::Colored => Some(Wall::column_of(row, color)),
        Side::Gray => {
            let shows =
                |column| Row::ALL.iter().any(|&row| wall.color_at(row, column) == Some(color));
            let free = Column::ALL
                .into_iter()
                .filter(|&column| !cells.covered[row.index()][column.index()] && !shows(column));
            free.max_by(|&one, &other| {
                let score = |column| cells.clone().lay(row, column, color);
                score(one).total_cmp(&score(other))
            })
        }
    }
}

/// A copy of the wall to try tiles on.
#[derive(Clone)]
struct Cells {
    covered: [[bool; 5]; 5],
    colors: [u8; 5],
}

impl Cells {
    fn of(wall: &Wall) -> Self {
        let mut cells = Self { covered: [[false; 5]; 5], colors: [0; 5] };
        for row in Row::ALL {
            for column in Column::ALL {
                if let Some(color) = wall.color_at(row, column) {
                    cells.covered[row.index()][column.index()] = true;
                    cells.colors[color.index()] += 1;
                }
            }
        }
        cells
    }

    /// Places a tile and returns its points.
    fn lay(&mut self, row: Row, column: Column, color: Color) -> f32 {
        let (row, column) = (row.index(), column.index());
        self.covered[row][column] = true;
        self.colors[color.index()] += 1;
        let across = run(column, |at| self.covered[row][at]);
        let down = run(row, |at| self.covered[at][column]);
        match (across, down) {
            (1, 1) => 1.0,
            (across, 1) => f32::from(across),
            (1, down) => f32::from(down),
            (across, down) => f32::from(across + down),
        }
    }

    /// The expected bonuses.
    fn hopes(&self) -> f32 {
        let rows = self.covered.iter().map(|row| row.iter().filter(|&&tile| tile).count());
        let columns = (0..5).map(|column| self.covered.iter().filter(|row| row[column]).count());
        let hope = |bonus: u16, tiles: usize| f32::from(bonus) * HOPE[tiles.min(5)];
        rows.map(|tiles| hope(ROW_BONUS, tiles)).sum::<f32>()
            + columns.map(|tiles| hope(COLUMN_BONUS, tiles)).sum::<f32>()
            + self.colors.iter().map(|&tiles| hope(COLOR_BONUS, tiles.into())).sum::<f32>()
    }
}

/// Length of the run of covered cells around `at`.
fn run(at: usize, covered: impl Fn(usize) -> bool) -> u8 {
    let before = (0..at).rev().take_while(|&cell| covered(cell)).count();
    let after = (at + 1..5).take_while(|&cell| covered(cell)).count();
    (before + after + 1) as u8
}
