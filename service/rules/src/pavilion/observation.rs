//! Observations: see [`Layout`].

use alloc::format;

use arrayvec::ArrayVec;

use crate::parts::{
    BadObservation, Factory, Layout, Pen, PlayerCount, Reader, Seat, SeatSet, Side, Source,
    TileColor, bad, spread_bits, tiles_of,
};

use super::moves::MOST_BONUS_TILES;
use super::{
    BadPosition, BoardSetup, Color, Phase, PlayerBoard, Position, ROUNDS, Rules, SUPPLY_SPACES,
    Setup, Star,
};

const PHASES: usize = 7;
const COLORS: usize = Color::ALL.len();
/// Divisors: tiles of a color, tiles on a display, tiles in hand, points.
const EACH: u8 = Color::EACH;
const DISPLAY: u8 = 4;
const HAND: u8 = 10;
const POINTS: u8 = 100;

/// The number of values of an observation.
#[must_use]
pub const fn observation_size(side: Side, players: PlayerCount) -> usize {
    let seats = players.seats();
    let sources = 2 * seats + 2;
    let shared = PHASES + 1 + 3 * seats + 1 + COLORS + (sources + 3) * COLORS + 1;
    shared + seats * (stars_size(side) + COLORS + 3)
}

const fn stars_size(side: Side) -> usize {
    match side {
        Side::Colored => 6 * 6 + 6 * COLORS,
        Side::Gray => 7 * 6 * COLORS,
    }
}

const fn phase_number(phase: Phase) -> usize {
    match phase {
        Phase::Deal => 0,
        Phase::Acquire => 1,
        Phase::Play => 2,
        Phase::Bonus { .. } => 3,
        Phase::Keep => 4,
        Phase::TopUp => 5,
        Phase::Over => 6,
    }
}

impl Rules {
    /// Where each part of a position is in its observation.
    #[must_use]
    pub fn layout(&self) -> Layout {
        let (seats, factories) = (self.players.seats(), Factory::of(self.players).len());
        let mut layout = Layout::new();
        layout.add("phase", &[PHASES], 1);
        layout.add("bonus_due", &[1], MOST_BONUS_TILES);
        layout.add("viewer", &[seats], 1);
        layout.add("turn", &[seats], 1);
        layout.add("start", &[seats], 1);
        layout.add("round", &[1], ROUNDS);
        layout.add("wild", &[COLORS], 1);
        layout.add("center", &[COLORS], EACH);
        layout.add("factories", &[factories, COLORS], DISPLAY);
        layout.add("token_in_center", &[1], 1);
        layout.add("supply", &[COLORS], SUPPLY_SPACES);
        layout.add("bag", &[COLORS], EACH);
        layout.add("tower", &[COLORS], EACH);
        for seat in 0..seats {
            match self.side {
                Side::Colored => {
                    layout.add(format!("seat{seat}.outer_stars"), &[6, 6], 1);
                    layout.add(format!("seat{seat}.center_star"), &[6, COLORS], 1);
                }
                Side::Gray => layout.add(format!("seat{seat}.stars"), &[7, 6, COLORS], 1),
            }
            layout.add(format!("seat{seat}.hand"), &[COLORS], HAND);
            layout.add(format!("seat{seat}.passed"), &[1], 1);
            layout.add(format!("seat{seat}.token"), &[1], 1);
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
        let Rules { side, players } = self.rules;
        assert_eq!(values.len(), observation_size(side, players), "length");
        let seats = players.seats();
        let mut pen = Pen::new(values);
        pen.one_hot(PHASES, phase_number(self.phase));
        pen.byte(match self.phase {
            Phase::Bonus { due } => due,
            Phase::Deal
            | Phase::Acquire
            | Phase::Play
            | Phase::Keep
            | Phase::TopUp
            | Phase::Over => 0,
        });
        pen.one_hot(seats, viewer.index());
        pen.one_hot(seats, players.distance(viewer, self.turn));
        pen.one_hot(seats, players.distance(viewer, self.start));
        pen.byte(self.round);
        pen.one_hot(COLORS, self.wild_color().index());
        for &tiles in &self.offer[..Source::of(players).len()] {
            pen.tiles(tiles);
        }
        pen.byte(self.token.is_none().into());
        pen.tiles(self.supply);
        pen.tiles(self.stock.bag);
        pen.tiles(self.stock.discards);
        for seat in players.clockwise_from(viewer) {
            let board = &self.boards[seat.index()];
            board.write_stars(side, &mut pen);
            pen.tiles(board.hand);
            pen.byte(self.passed.holds(seat).into());
            pen.byte((self.token == Some(seat)).into());
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

impl PlayerBoard {
    #[inline]
    fn write_stars(&self, side: Side, pen: &mut Pen<'_>) {
        for star in Star::ALL {
            if side == Side::Colored && star != Star::Center {
                pen.word(6, spread_bits(self.star_cells(star) as u32));
                continue;
            }
            let colors = self.colors[star.index()];
            for space in 0..6 {
                let number = colors >> (3 * space) & 7;
                // The number of the color is counted from 1; 0 leaves no byte.
                pen.word(COLORS, (1 << (8 * number)) >> 8);
            }
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
    let (mut token, mut passed) = (None, SeatSet::NONE);
    let mut boards: ArrayVec<(Seat, BoardSetup), 4> = ArrayVec::new();
    for (distance, seat) in players.clockwise_from(viewer).enumerate() {
        let name = |part: &str| format!("seat{distance}.{part}");
        boards.push((seat, read_board(rules, reader, distance)?));
        if reader.flag(&name("passed"))? {
            passed.insert(seat);
        }
        if reader.flag(&name("token"))? && token.replace(seat).is_some() {
            return Err(bad(&name("token")));
        }
    }
    if reader.flag("token_in_center")? != token.is_none() {
        return Err(bad("token_in_center"));
    }
    boards.sort_unstable_by_key(|&(seat, _)| seat);
    let factories = reader.values("factories").chunks_exact(COLORS);
    let factories = factories.map(|counts| tiles_of(counts).ok_or_else(|| bad("factories")));
    let (bag, tower) = (reader.tiles("bag")?, reader.tiles("tower")?);
    // If there are more than all, the position is refused.
    let all = u32::from(EACH) * COLORS as u32;
    let inside = u32::from(bag.total()) + u32::from(tower.total());
    let setup = Setup {
        rules,
        phase: read_phase(reader)?,
        round: reader.byte("round"),
        turn: seat("turn")?,
        start: seat("start")?,
        token,
        passed,
        bag,
        tower,
        drawn: all.saturating_sub(inside),
        supply: reader.tiles("supply")?,
        center: reader.tiles("center")?,
        factories: factories.collect::<Result<_, Bad>>()?,
        boards: boards.into_iter().map(|(_, board)| board).collect(),
    };
    let wild = super::WILD_COLORS.get(usize::from(setup.round).wrapping_sub(1));
    if wild.map(|wild| wild.index()) != Some(reader.index("wild")?) {
        return Err(bad("wild"));
    }
    Ok(setup)
}

fn read_phase(reader: &Reader<'_>) -> Result<Phase, Bad> {
    let due = reader.byte("bonus_due");
    let phases = [
        Phase::Deal,
        Phase::Acquire,
        Phase::Play,
        Phase::Bonus { due },
        Phase::Keep,
        Phase::TopUp,
        Phase::Over,
    ];
    let phase = phases[reader.index("phase")?];
    let is_bonus = matches!(phase, Phase::Bonus { .. });
    if is_bonus || due == 0 { Ok(phase) } else { Err(bad("bonus_due")) }
}

fn read_board(rules: Rules, reader: &Reader<'_>, seat: usize) -> Result<BoardSetup, Bad> {
    let name = |part: &str| format!("seat{seat}.{part}");
    let mut board = BoardSetup {
        points: reader.byte(&name("points")).into(),
        hand: reader.tiles(&name("hand"))?,
        ..BoardSetup::default()
    };
    for star in Star::ALL {
        let number = star.index();
        let spaces = &mut board.stars[number];
        match (rules.side, star.color()) {
            (Side::Colored, Some(color)) => {
                let covered = &reader.values(&name("outer_stars"))[number * 6..][..6];
                for (space, &value) in spaces.iter_mut().zip(covered) {
                    *space = match value {
                        0 => None,
                        1 => Some(color),
                        _ => return Err(bad(&name("outer_stars"))),
                    };
                }
            }
            (Side::Colored, None) => read_star(spaces, reader.values(&name("center_star")))
                .ok_or_else(|| bad(&name("center_star")))?,
            (Side::Gray, _) => {
                let values = &reader.values(&name("stars"))[number * 6 * COLORS..][..6 * COLORS];
                read_star(spaces, values).ok_or_else(|| bad(&name("stars")))?;
            }
        }
    }
    Ok(board)
}

/// The colors of the spaces, each of which is all zero or one-hot.
fn read_star(spaces: &mut [Option<Color>; 6], values: &[u8]) -> Option<()> {
    for (space, values) in spaces.iter_mut().zip(values.chunks_exact(COLORS)) {
        let tiles = tiles_of::<Color>(values).filter(|tiles| tiles.total() <= 1)?;
        *space = tiles.iter().next().map(|(color, _)| color);
    }
    Some(())
}
