//! The moves and their stable action ids.

use arrayvec::ArrayVec;

use crate::parts::{PlayerCount, Side, Source, Tiles, multiset_at, multiset_count, multiset_rank};

use super::star::{CELLS, cell, cost};
use super::{Color, Space, Star};

/// A decision of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Phase 1: takes all tiles of a color from one place, and a wild tile if there is one: `3G`.
    Take { source: Source, color: Color },
    /// Phase 2: lays a tile of this color, paying with `naturals` tiles of the color itself and
    /// for the rest with wild tiles: `R3:R2`.
    Place { star: Star, space: Space, color: Color, naturals: u8 },
    /// Takes the bonus tiles that are due from the supply: `+B2P`.
    TakeBonus(Tiles<Color>),
    /// Lays no more tiles this round: `pass`.
    Pass,
    /// Keeps these tiles after passing and throws the others away: `=B2P2`.
    Keep(Tiles<Color>),
}

/// The moves of one position. It has room for every pass and placement of the gray side, more than
/// any other phase can offer.
pub type MoveList = ArrayVec<Move, { 1 + Places::of(Side::Gray).count() }>;

/// The number of a move in the action space of its ruleset.
///
/// In order: the pass (0); what is kept, 126 multisets of four tiles; bonus tiles, the multisets of
/// one, two and three tiles; placements by star, space, color and naturals, for each space only the
/// colors it can ever take and 1 to its cost naturals; takes, `source * 6 + color`, where source 0
/// is the center. So the ids of a small table are the first ones of a large table. Multisets count
/// as [`Tiles::multisets`] lists them.
pub type ActionId = u16;

/// Tiles that a player keeps after passing, one in each corner of the board.
pub const CORNERS: u8 = 4;
/// The most bonus tiles that one placement earns.
pub const MOST_BONUS_TILES: u8 = 3;

pub(super) const COLORS: usize = Color::ALL.len();
const KEEPS: usize = 1;
const BONUSES: usize = KEEPS + multiset_count(COLORS, CORNERS as usize);
const PLACES: usize = BONUSES + bonus_offset(MOST_BONUS_TILES as usize + 1);

/// How many multisets are smaller than `size`, the empty one left out.
const fn bonus_offset(size: usize) -> usize {
    let (mut offset, mut smaller) = (0, 1);
    while smaller < size {
        offset += multiset_count(COLORS, smaller);
        smaller += 1;
    }
    offset
}

/// Where the placements of each space begin among all placements; the last entry is their number.
struct Places([u16; CELLS + 1]);

static PLACES_ON: [Places; 2] = [Places::of(Side::Colored), Places::of(Side::Gray)];

impl Places {
    const fn of(side: Side) -> Self {
        let mut first = [0; CELLS + 1];
        let mut cell = 0;
        while cell < CELLS {
            let (star, space) = (Star::ALL[cell / 6], Space::ALL[cell % 6]);
            let places = colors_of(side, star).len() * cost(side, star, space) as usize;
            first[cell + 1] = first[cell] + places as u16;
            cell += 1;
        }
        Self(first)
    }

    const fn count(&self) -> usize {
        self.0[CELLS] as usize
    }
}

/// The colors that a star can ever take.
const fn colors_of(side: Side, star: Star) -> &'static [Color] {
    const ALL: &[Color] = &Color::ALL;
    match (side, star) {
        (Side::Gray, _) | (Side::Colored, Star::Center) => ALL,
        (Side::Colored, _) => ALL.split_at(star.index()).1.split_at(1).0,
    }
}

/// The action id of the take of the first color from the center.
#[inline]
pub(super) fn first_take(side: Side) -> usize {
    PLACES + PLACES_ON[side.index()].count()
}

/// The action id of a placement that is paid with one natural tile. The star can take the color.
#[inline]
pub(super) fn first_place(side: Side, star: Star, space: Space, color: Color, price: u8) -> usize {
    let first = usize::from(PLACES_ON[side.index()].0[cell(star, space)]);
    // On the colored side, an outer star has ids for its own color only.
    let before = match (side, star) {
        (Side::Gray, _) | (Side::Colored, Star::Center) => color.index(),
        (Side::Colored, _) => 0,
    };
    PLACES + first + before * usize::from(price)
}

/// How many action ids a ruleset has: 498, 510 or 522, on the gray side 1110, 1122 or 1134.
#[must_use]
pub fn action_count(side: Side, players: PlayerCount) -> ActionId {
    (PLACES + PLACES_ON[side.index()].count() + Source::of(players).len() * COLORS) as ActionId
}

impl Move {
    /// Its action id; none if no position of the ruleset can ever offer it.
    #[must_use]
    pub fn action_id(self, side: Side) -> Option<ActionId> {
        let id = match self {
            Self::Pass => 0,
            Self::Keep(tiles) => {
                (tiles.total() == CORNERS).then(|| KEEPS + multiset_rank(tiles))?
            }
            Self::TakeBonus(tiles) => {
                let size = tiles.total();
                let known = (1..=MOST_BONUS_TILES).contains(&size);
                known.then(|| BONUSES + bonus_offset(size.into()) + multiset_rank(tiles))?
            }
            Self::Place { star, space, color, naturals } => {
                let price = cost(side, star, space);
                let colors = colors_of(side, star);
                let color = colors.iter().position(|&taken| taken == color)?;
                let natural = naturals.checked_sub(1).filter(|&natural| natural < price)?;
                let first = PLACES_ON[side.index()].0[star.index() * 6 + space.index()];
                PLACES + usize::from(first) + color * usize::from(price) + usize::from(natural)
            }
            Self::Take { source, color } => {
                PLACES + PLACES_ON[side.index()].count() + source.index() * COLORS + color.index()
            }
        };
        ActionId::try_from(id).ok()
    }

    /// The move with this action id.
    #[must_use]
    pub fn from_action_id(side: Side, players: PlayerCount, id: ActionId) -> Option<Self> {
        if id >= action_count(side, players) {
            return None;
        }
        let id = usize::from(id);
        if let Some(place) = id.checked_sub(PLACES) {
            return Self::place_or_take(side, place);
        }
        if let Some(bonus) = id.checked_sub(BONUSES) {
            let size = (1..=MOST_BONUS_TILES.into()).rfind(|&size| bonus_offset(size) <= bonus)?;
            return multiset_at(size, bonus - bonus_offset(size)).map(Self::TakeBonus);
        }
        match id.checked_sub(KEEPS) {
            Some(keep) => multiset_at(CORNERS.into(), keep).map(Self::Keep),
            None => Some(Self::Pass),
        }
    }

    fn place_or_take(side: Side, id: usize) -> Option<Self> {
        let places = &PLACES_ON[side.index()];
        if let Some(take) = id.checked_sub(places.count()) {
            let (source, color) = (Source::at(take / COLORS)?, Color::at(take % COLORS)?);
            return Some(Self::Take { source, color });
        }
        let cell = places.0.iter().rposition(|&first| usize::from(first) <= id)?;
        let (star, space) = (Star::at(cell / 6)?, Space::at(cell % 6)?);
        let price = usize::from(cost(side, star, space));
        let within = id - usize::from(places.0[cell]);
        let color = *colors_of(side, star).get(within / price)?;
        let naturals = u8::try_from(within % price + 1).ok()?;
        Some(Self::Place { star, space, color, naturals })
    }
}
