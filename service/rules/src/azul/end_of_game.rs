//! "End of the game", and the score at any time.

use crate::parts::{PerSeat, Seat, Witness, ranks, winners};

use super::{Color, Column, Event, Phase, Position, Row, Wall};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameEnd {
    /// A player completed a horizontal row.
    RowCompleted,
    /// The last round that the rules of this game allow was played.
    RoundLimit,
    /// Bag and lid were empty at the start of a round.
    NoTiles,
}

pub const ROW_BONUS: u16 = 2;
pub const COLUMN_BONUS: u16 = 7;
pub const COLOR_BONUS: u16 = 10;

/// One seat's points. In the middle of a game: the points so far and the bonuses already
/// completed; no tiling and no floor line to come is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatScore {
    /// On the score track.
    pub points: u16,
    pub complete_rows: u8,
    pub complete_columns: u8,
    pub complete_colors: u8,
}

impl SeatScore {
    #[must_use]
    pub fn bonus(&self) -> u16 {
        u16::from(self.complete_rows) * ROW_BONUS
            + u16::from(self.complete_columns) * COLUMN_BONUS
            + u16::from(self.complete_colors) * COLOR_BONUS
    }

    #[must_use]
    pub fn total(&self) -> u16 {
        self.points + self.bonus()
    }
}

/// The score of a position, finished or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    pub seats: PerSeat<SeatScore>,
    /// 1 for the leader; a tie is broken by complete rows, then shared.
    pub ranks: PerSeat<u8>,
    pub winners: PerSeat<Seat>,
    /// `None` while the game is running.
    pub end: Option<GameEnd>,
}

impl Position {
    #[must_use]
    pub fn score(&self) -> Score {
        let players = self.rules.players;
        let seats: PerSeat<SeatScore> = players.iter().map(|seat| self.seat_score(seat)).collect();
        let keys: PerSeat<_> =
            seats.iter().map(|score| (score.total(), score.complete_rows)).collect();
        let ranks = ranks(&keys);
        let winners = winners(players, &ranks);
        Score { seats, ranks, winners, end: self.end() }
    }

    #[must_use]
    pub fn seat_score(&self, seat: Seat) -> SeatScore {
        let board = &self.boards[seat.index()];
        let (complete_rows, complete_columns, complete_colors) = complete(&board.wall);
        SeatScore { points: board.points, complete_rows, complete_columns, complete_colors }
    }

    /// How the game ended, if it has.
    #[must_use]
    #[inline]
    pub const fn end(&self) -> Option<GameEnd> {
        match self.phase {
            Phase::Over(end) => Some(end),
            Phase::Deal | Phase::Offer | Phase::Tiling => None,
        }
    }

    pub(super) fn end_game(&mut self, end: GameEnd, witness: &mut impl Witness<Event>) {
        self.phase = Phase::Over(end);
        for seat in self.rules.players.iter() {
            let score = self.seat_score(seat);
            if score.bonus() > 0 {
                witness.saw(Event::Bonus {
                    seat,
                    rows: score.complete_rows,
                    columns: score.complete_columns,
                    colors: score.complete_colors,
                    points: score.bonus(),
                });
            }
        }
        witness.saw(Event::GameEnded { end });
    }
}

/// Complete rows, columns and colors of a wall.
fn complete(wall: &Wall) -> (u8, u8, u8) {
    const FULL: u32 = 0b11111;
    let count = |full: usize| full as u8;
    (
        count(Row::ALL.iter().filter(|&&row| wall.across(row) == FULL).count()),
        count(Column::ALL.iter().filter(|&&column| wall.down(column) == FULL).count()),
        count(Color::ALL.iter().filter(|&&color| wall.rows_with(color) == FULL).count()),
    )
}
