//! Observations: see [`Layout`].

use alloc::format;

use arrayvec::ArrayVec;

use crate::parts::{
    BadObservation, Factory, Layout, Pen, PlayerCount, Reader, Seat, Side, Source, TileColor, bad,
    spread_bits, tiles_of,
};

use super::board::FLOOR_SPACES;
use super::{
    BadPosition, BoardSetup, Color, Column, GameEnd, Phase, PlayerBoard, Position, Row, Rules,
    Setup, Wall,
};

const PHASES: usize = 6;
const COLORS: usize = Color::ALL.len();
/// Divisors: tiles of a color, tiles on a display, points.
const EACH: u8 = Color::EACH;
const DISPLAY: u8 = 4;
const POINTS: u8 = 100;

/// The number of values of an observation.
#[must_use]
pub const fn observation_size(side: Side, players: PlayerCount) -> usize {
    let seats = players.seats();
    let shared = PHASES + 3 * seats + 2 + (2 * seats + 2) * COLORS + 1 + 2 * COLORS;
    shared + seats * (wall_size(side) + 25 + COLORS + 3)
}

const fn wall_size(side: Side) -> usize {
    match side {
        Side::Colored => 25,
        Side::Gray => 25 * COLORS,
    }
}

const fn phase_number(phase: Phase) -> usize {
    match phase {
        Phase::Deal => 0,
        Phase::Offer => 1,
        Phase::Tiling => 2,
        Phase::Over(end) => 3 + end as usize,
    }
}

const NUMBERED: [Phase; PHASES] = [
    Phase::Deal,
    Phase::Offer,
    Phase::Tiling,
    Phase::Over(GameEnd::RowCompleted),
    Phase::Over(GameEnd::RoundLimit),
    Phase::Over(GameEnd::NoTiles),
];

impl Rules {
    /// Where each part of a position is in its observation.
    #[must_use]
    pub fn layout(&self) -> Layout {
        let (seats, factories) = (self.players.seats(), Factory::of(self.players).len());
        let mut layout = Layout::new();
        layout.add("phase", &[PHASES], 1);
        layout.add("viewer", &[seats], 1);
        layout.add("turn", &[seats], 1);
        layout.add("start", &[seats], 1);
        layout.add("round", &[1], Self::DEFAULT_ROUND_LIMIT);
        layout.add("round_limit", &[1], Self::DEFAULT_ROUND_LIMIT);
        layout.add("center", &[COLORS], EACH);
        layout.add("factories", &[factories, COLORS], DISPLAY);
        layout.add("marker_in_center", &[1], 1);
        layout.add("bag", &[COLORS], EACH);
        layout.add("lid", &[COLORS], EACH);
        for seat in 0..seats {
            match self.side {
                Side::Colored => layout.add(format!("seat{seat}.wall"), &[5, 5], 1),
                Side::Gray => layout.add(format!("seat{seat}.wall"), &[5, 5, COLORS], 1),
            }
            layout.add(format!("seat{seat}.lines"), &[5, COLORS], 5);
            layout.add(format!("seat{seat}.floor"), &[COLORS], FLOOR_SPACES);
            layout.add(format!("seat{seat}.floor_spaces"), &[1], FLOOR_SPACES);
            layout.add(format!("seat{seat}.marker"), &[1], 1);
            layout.add(format!("seat{seat}.points"), &[1], POINTS);
        }
        layout
    }
}

impl Position {
    /// Writes the position as a seat sees it. [`Rules::layout`] says where everything is.
    ///
    /// # Panics
    /// If `values` is not as long as the layout.
    #[inline]
    pub fn write_observation(&self, viewer: Seat, values: &mut [u8]) {
        let Rules { side, players, round_limit } = self.rules;
        assert_eq!(values.len(), observation_size(side, players), "length");
        let seats = players.seats();
        let mut pen = Pen::new(values);
        pen.one_hot(PHASES, phase_number(self.phase));
        pen.one_hot(seats, viewer.index());
        pen.one_hot(seats, players.distance(viewer, self.turn));
        pen.one_hot(seats, players.distance(viewer, self.start));
        pen.byte(self.round);
        pen.byte(round_limit);
        for &tiles in &self.offer[..Source::of(players).len()] {
            pen.tiles(tiles);
        }
        pen.byte(self.marker.is_none().into());
        pen.tiles(self.stock.bag);
        pen.tiles(self.stock.discards);
        for seat in players.clockwise_from(viewer) {
            let board = &self.boards[seat.index()];
            board.wall.write(side, &mut pen);
            board.write_lines(&mut pen);
            pen.tiles(board.floor);
            pen.byte(self.floor_spaces_covered(seat));
            pen.byte((self.marker == Some(seat)).into());
            pen.byte(board.points as u8);
        }
    }

    /// The position of an observation. How many tiles have been drawn is not part of one: it
    /// becomes the least that is possible.
    pub fn from_observation(
        rules: Rules,
        values: &[u8],
    ) -> Result<Self, BadObservation<BadPosition>> {
        let layout = rules.layout();
        if values.len() != layout.size {
            return Err(BadObservation::Size { size: layout.size, found: values.len() });
        }
        let setup = read(rules, &Reader { layout: &layout, values })?;
        Self::try_from(&setup).map_err(BadObservation::Position)
    }
}

impl Wall {
    #[inline]
    fn write(&self, side: Side, pen: &mut Pen<'_>) {
        match side {
            Side::Colored => {
                for row in Row::ALL {
                    pen.word(5, spread_bits(self.across(row)));
                }
            }
            Side::Gray => {
                for colors in self.colors {
                    for column in 0..5 {
                        let number = u32::from(colors) >> (3 * column) & 7;
                        // The number of the color is counted from 1; 0 leaves no byte.
                        pen.word(COLORS, (1 << (8 * number)) >> 8);
                    }
                }
            }
        }
    }
}

impl PlayerBoard {
    #[inline]
    fn write_lines(&self, pen: &mut Pen<'_>) {
        for line in self.lines {
            pen.word(COLORS, u64::from(line.tiles()) << (8 * (line.bits() >> 3)));
        }
    }
}

type Bad = BadObservation<BadPosition>;

fn read(rules: Rules, reader: &Reader<'_>) -> Result<Setup, Bad> {
    let players = rules.players;
    let viewer = Seat::at(reader.index("viewer")?).ok_or_else(|| bad("viewer"))?;
    let seat = |name: &str| -> Result<Seat, Bad> {
        players.seat_after(viewer, reader.index(name)?).ok_or_else(|| bad(name))
    };
    let mut marker = None;
    let mut boards: ArrayVec<(Seat, BoardSetup), 4> = ArrayVec::new();
    for (distance, seat) in players.clockwise_from(viewer).enumerate() {
        let (board, has_marker) = read_board(rules, reader, distance)?;
        boards.push((seat, board));
        if has_marker && marker.replace(seat).is_some() {
            return Err(bad(&format!("seat{distance}.marker")));
        }
    }
    if reader.flag("marker_in_center")? != marker.is_none() {
        return Err(bad("marker_in_center"));
    }
    boards.sort_unstable_by_key(|&(seat, _)| seat);
    let factories = reader.values("factories").chunks_exact(COLORS);
    let factories = factories.map(|counts| tiles_of(counts).ok_or_else(|| bad("factories")));
    let (bag, lid) = (reader.tiles("bag")?, reader.tiles("lid")?);
    // If there are more than all, the position is refused.
    let all = u32::from(EACH) * COLORS as u32;
    let inside = u32::from(bag.total()) + u32::from(lid.total());
    let setup = Setup {
        rules: Rules { round_limit: reader.byte("round_limit"), ..rules },
        phase: NUMBERED[reader.index("phase")?],
        round: reader.byte("round"),
        turn: seat("turn")?,
        start: seat("start")?,
        marker,
        bag,
        lid,
        drawn: all.saturating_sub(inside),
        center: reader.tiles("center")?,
        factories: factories.collect::<Result<_, Bad>>()?,
        boards: boards.into_iter().map(|(_, board)| board).collect(),
    };
    Ok(setup)
}

fn read_board(rules: Rules, reader: &Reader<'_>, seat: usize) -> Result<(BoardSetup, bool), Bad> {
    let name = |part: &str| format!("seat{seat}.{part}");
    let mut board = BoardSetup {
        points: reader.byte(&name("points")).into(),
        floor: reader.tiles(&name("floor"))?,
        ..BoardSetup::default()
    };
    let wall = reader.values(&name("wall"));
    for (index, row) in Row::ALL.into_iter().enumerate() {
        for column in Column::ALL {
            let cell = index * 5 + column.index();
            board.wall[index][column.index()] = match rules.side {
                Side::Colored => match wall[cell] {
                    0 => None,
                    1 => Color::ALL.into_iter().find(|&it| Wall::column_of(row, it) == column),
                    _ => return Err(bad(&name("wall"))),
                },
                Side::Gray => only(&wall[cell * COLORS..][..COLORS], &name("wall"))?
                    .map(|(color, tiles)| if tiles == 1 { Ok(color) } else { Err(bad("wall")) })
                    .transpose()?,
            };
        }
        let line = &reader.values(&name("lines"))[index * COLORS..][..COLORS];
        board.lines[index] = only(line, &name("lines"))?;
    }
    let has_marker = reader.flag(&name("marker"))?;
    let covered = (board.floor.total() + u8::from(has_marker)).min(FLOOR_SPACES);
    if reader.byte(&name("floor_spaces")) != covered {
        return Err(bad(&name("floor_spaces")));
    }
    Ok((board, has_marker))
}

/// The only color that has tiles, with their number.
fn only(counts: &[u8], name: &str) -> Result<Option<(Color, u8)>, Bad> {
    let tiles = tiles_of::<Color>(counts).ok_or_else(|| bad(name))?;
    match tiles.colors() {
        0 | 1 => Ok(tiles.iter().next()),
        _ => Err(bad(name)),
    }
}
