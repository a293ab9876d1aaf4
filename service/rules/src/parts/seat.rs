use thiserror::Error;

use super::ordinal;

ordinal! {
    /// A place at the table, numbered clockwise.
    pub enum Seat { First, Second, Third, Fourth }
}

ordinal! {
    /// How many play. Both games are for two to four players.
    pub enum PlayerCount { Two, Three, Four }
}

/// A seat number that this table does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no seat {seat} at a table of {} (seats are numbered from 0)", players.seats())]
pub struct NoSuchSeat {
    pub seat: u32,
    pub players: PlayerCount,
}

impl PlayerCount {
    /// The table for this many players, if the games allow it.
    #[must_use]
    pub const fn of(players: u32) -> Option<Self> {
        match players {
            2 => Some(Self::Two),
            3 => Some(Self::Three),
            4 => Some(Self::Four),
            _ => None,
        }
    }

    #[must_use]
    #[inline]
    pub const fn seats(self) -> usize {
        self.index() + 2
    }

    /// The seats of this table, clockwise from the first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Seat> + Clone {
        Seat::ALL.into_iter().take(self.seats())
    }

    /// The seats of this table, clockwise from `start`.
    #[inline]
    pub fn clockwise_from(self, start: Seat) -> impl Iterator<Item = Seat> {
        let mut next = start;
        (0..self.seats()).map(move |_| {
            let seat = next;
            next = next.clockwise(self);
            seat
        })
    }

    /// How many seats `seat` is away from `start`, clockwise.
    #[must_use]
    #[inline]
    pub const fn distance(self, start: Seat, seat: Seat) -> usize {
        let (start, seat) = (start.index(), seat.index());
        if seat >= start { seat - start } else { seat + self.seats() - start }
    }

    /// The seat this far from `start`, clockwise.
    #[must_use]
    pub fn seat_after(self, start: Seat, distance: usize) -> Option<Seat> {
        Seat::at((start.index() + distance) % self.seats())
    }

    #[must_use]
    pub const fn has(self, seat: Seat) -> bool {
        seat.index() < self.seats()
    }
}

impl Seat {
    /// Seat number `seat`, counted from 0, if the table has it.
    pub fn try_at(players: PlayerCount, seat: u32) -> Result<Self, NoSuchSeat> {
        usize::try_from(seat)
            .ok()
            .and_then(Self::at)
            .filter(|&seat| players.has(seat))
            .ok_or(NoSuchSeat { seat, players })
    }

    /// The neighbor to the left, who acts next.
    #[must_use]
    #[inline]
    pub const fn clockwise(self, players: PlayerCount) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second if matches!(players, PlayerCount::Two) => Self::First,
            Self::Second => Self::Third,
            Self::Third if matches!(players, PlayerCount::Three) => Self::First,
            Self::Third => Self::Fourth,
            Self::Fourth => Self::First,
        }
    }
}

/// Some of the seats of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeatSet(u8);

impl SeatSet {
    pub const NONE: Self = Self(0);

    #[must_use]
    #[inline]
    pub const fn holds(self, seat: Seat) -> bool {
        self.0 >> seat.index() & 1 == 1
    }

    #[inline]
    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.index();
    }

    /// Whether every seat of the table is in it.
    #[must_use]
    #[inline]
    pub const fn is_everyone(self, players: PlayerCount) -> bool {
        self.0 == (1 << players.seats()) - 1
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::NONE, |mut set, seat| {
            set.insert(seat);
            set
        })
    }
}
