//! The player board: pattern lines, wall, floor line, score track.

use crate::parts::{Tiles, ordinal};

use super::Color;

ordinal! {
    /// A row of the board, from the top: a pattern line and the row of the wall beside it.
    pub enum Row { First, Second, Third, Fourth, Fifth }
}

ordinal! {
    /// A column of the wall, from the left.
    pub enum Column { First, Second, Third, Fourth, Fifth }
}

/// Spaces of the floor line.
pub const FLOOR_SPACES: u8 = 7;

/// Points lost with this many of the floor line's spaces covered.
///
/// Rulebook: player board; "B. Wall-tiling", Scoring. The spaces cost 1, 1, 2, 2, 2, 3, 3.
pub const FLOOR_PENALTIES: [u16; 8] = [0, 1, 2, 4, 6, 8, 11, 14];

impl Row {
    /// Spaces of the pattern line.
    #[must_use]
    #[inline]
    pub const fn spaces(self) -> u8 {
        self as u8 + 1
    }
}

/// What a pattern line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternLine {
    Empty,
    Holding { color: Color, tiles: u8 },
}

/// A pattern line in one byte: 0, or the tiles with the color from bit 3 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Line(u8);

impl Line {
    pub(super) const EMPTY: Self = Self(0);

    #[inline]
    pub(super) const fn holding(color: Color, tiles: u8) -> Self {
        Self((color as u8) << 3 | tiles)
    }

    #[inline]
    pub(super) const fn tiles(self) -> u8 {
        self.0 & 7
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its color, if it holds any tile.
    #[inline]
    pub(super) const fn color(self) -> Option<Color> {
        if self.is_empty() { None } else { Color::at((self.0 >> 3) as usize) }
    }

    pub(super) const fn bits(self) -> u8 {
        self.0
    }
}

/// The tiles on a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wall {
    /// Bit `5 * row + column`: a tile lies there.
    cells: u32,
    /// Bit `5 * color + row`: the row holds this color.
    held: u32,
    /// A word for each row, three bits a column: 0, or the color's number + 1.
    pub(super) colors: [u16; 5],
}

const ROW: u32 = 0b11111;
/// One bit of each group of five: a column of `cells`, a row of `held`.
const EVERY_FIFTH: u32 = 0b00001_00001_00001_00001_00001;

impl Wall {
    /// The column of a color in a row of the colored wall.
    ///
    /// Rulebook: player board; each row is the row above moved one to the right.
    #[must_use]
    #[inline]
    pub const fn column_of(row: Row, color: Color) -> Column {
        Column::ALL[(row as usize + color as usize) % 5]
    }

    #[inline]
    pub(super) const fn place(&mut self, row: Row, column: Column, color: Color) {
        self.cells |= 1 << (row as u32 * 5 + column as u32);
        self.held |= 1 << (color as u32 * 5 + row as u32);
        self.colors[row as usize] |= (color as u16 + 1) << (column as u16 * 3);
    }

    #[must_use]
    #[inline]
    pub const fn color_at(&self, row: Row, column: Column) -> Option<Color> {
        match self.colors[row as usize] >> (column as u16 * 3) & 7 {
            0 => None,
            number => Color::at(number as usize - 1),
        }
    }

    /// Every cell, row by row.
    pub(super) fn cells(&self) -> [[Option<Color>; 5]; 5] {
        let mut cells = [[None; 5]; 5];
        for (row, &colors) in cells.iter_mut().zip(&self.colors) {
            let mut left = usize::from(colors);
            for cell in row {
                *cell = (left & 7).checked_sub(1).and_then(Color::at);
                left >>= 3;
            }
        }
        cells
    }

    /// Whether the row shows this color already.
    #[must_use]
    #[inline]
    pub const fn holds(&self, row: Row, color: Color) -> bool {
        self.held >> (color as u32 * 5 + row as u32) & 1 == 1
    }

    #[must_use]
    #[inline]
    pub const fn is_covered(&self, row: Row, column: Column) -> bool {
        self.cells >> (row as u32 * 5 + column as u32) & 1 == 1
    }

    /// The covered cells of a row, a bit a column.
    #[inline]
    pub(super) const fn across(&self, row: Row) -> u32 {
        self.cells >> (row as u32 * 5) & ROW
    }

    /// The covered cells of a column, a bit a row.
    #[inline]
    pub(super) const fn down(&self, column: Column) -> u32 {
        let spread = self.cells >> column as u32 & EVERY_FIFTH;
        // Gathers bits 0, 5, 10, 15, 20 into bits 16 to 20.
        spread.wrapping_mul(1 << 16 | 1 << 12 | 1 << 8 | 1 << 4 | 1) >> 16 & ROW
    }

    /// The rows that hold this color, a bit a row.
    #[inline]
    pub(super) const fn rows_with(&self, color: Color) -> u32 {
        self.held >> (color as u32 * 5) & ROW
    }

    #[inline]
    pub(super) const fn has_complete_row(&self) -> bool {
        let pairs = self.cells & self.cells >> 1;
        pairs & pairs >> 2 & self.cells >> 4 & EVERY_FIFTH != 0
    }

    #[must_use]
    pub const fn tiles(&self) -> u32 {
        self.cells.count_ones()
    }

    /// The most points that these tiles can have brought: each row and each column laid in one
    /// growing line, and nothing lost.
    pub(super) fn most_points(&self) -> u16 {
        let rows = Row::ALL.iter().map(|&row| self.across(row));
        let columns = Column::ALL.iter().map(|&column| self.down(column));
        let lengths = rows.chain(columns).map(|line| line.count_ones() as u16);
        lengths.map(|tiles| tiles * (tiles + 1) / 2).sum()
    }

    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        self.colors.into_iter().map(u64::from)
    }
}

/// For each color the pattern lines that take it: bit `5 * color + row`.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenLines(u32);

impl OpenLines {
    /// A bit for each row that takes this color.
    #[inline]
    pub(super) const fn rows(self, color: Color) -> usize {
        (self.0 >> (color as u32 * 5) & ROW) as usize
    }
}

/// One player's board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerBoard {
    pub(super) wall: Wall,
    pub(super) floor: Tiles<Color>,
    pub(super) points: u16,
    pub(super) lines: [Line; 5],
}

impl PlayerBoard {
    pub(super) const EMPTY: Self = Self {
        wall: Wall { cells: 0, held: 0, colors: [0; 5] },
        floor: Tiles::EMPTY,
        points: 0,
        lines: [Line::EMPTY; 5],
    };

    #[must_use]
    pub const fn wall(&self) -> &Wall {
        &self.wall
    }

    #[must_use]
    pub const fn line(&self, row: Row) -> PatternLine {
        let line = self.lines[row as usize];
        match line.color() {
            None => PatternLine::Empty,
            Some(color) => PatternLine::Holding { color, tiles: line.tiles() },
        }
    }

    /// The tiles on the floor line; the starting player marker is not among them.
    #[must_use]
    pub const fn floor(&self) -> Tiles<Color> {
        self.floor
    }

    /// Points on the score track, without the bonuses of the end of the game.
    #[must_use]
    pub const fn points(&self) -> u16 {
        self.points
    }

    #[inline]
    pub(super) const fn is_complete(&self, row: Row) -> bool {
        self.lines[row as usize].tiles() == row.spaces()
    }

    /// The topmost complete pattern line and its color.
    #[inline]
    pub(super) fn first_complete_line(&self) -> Option<(Row, Color)> {
        Row::ALL.into_iter().find_map(|row| {
            let line = self.lines[row.index()];
            if line.tiles() == row.spaces() { line.color().map(|color| (row, color)) } else { None }
        })
    }

    /// Which lines take which colors: the line is empty and its row of the wall does not show the
    /// color, or it holds the color and is not complete.
    #[inline]
    pub(super) fn open_lines(&self) -> OpenLines {
        let mut open = !self.wall.held;
        for row in Row::ALL {
            let line = self.lines[row.index()];
            if !line.is_empty() {
                open &= !(EVERY_FIFTH << row as u32);
                let more = u32::from(line.tiles() < row.spaces());
                open |= more << (u32::from(line.0 >> 3) * 5 + row as u32);
            }
        }
        OpenLines(open)
    }

    /// Every tile on the board, the wall included.
    #[must_use]
    pub fn tiles(&self) -> Tiles<Color> {
        let mut tiles = self.floor;
        for color in Color::ALL {
            tiles.put(color, self.wall.rows_with(color).count_ones() as u8);
        }
        for line in self.lines {
            if let Some(color) = line.color() {
                tiles.put(color, line.tiles());
            }
        }
        tiles
    }
}
