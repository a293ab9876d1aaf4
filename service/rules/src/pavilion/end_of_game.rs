//! "End of the game", and the score at any time.

use crate::parts::{PerSeat, Seat, Side, Witness, ranks, winners};

use super::board::FEWEST_POINTS;
use super::star::{Cells, STAR, cells_with_cost};
use super::{Color, Event, Phase, Position, Star};

/// Bonus for a complete star of one color.
#[must_use]
pub const fn star_bonus(color: Color) -> u16 {
    match color {
        Color::Red => 14,
        Color::Blue => 15,
        Color::Yellow => 16,
        Color::Orange => 17,
        Color::Green => 18,
        Color::Purple => 20,
    }
}

/// Bonus for a complete star of six colors: the center, and any star of the gray side.
pub const MIXED_STAR_BONUS: u16 = 12;

/// Bonus for covering every 1, every 2, every 3, every 4 of the board.
pub const NUMBER_BONUSES: [u16; 4] = [4, 8, 12, 16];

const NUMBERED: [[Cells; 4]; 2] = [numbered(Side::Colored), numbered(Side::Gray)];

const fn numbered(side: Side) -> [Cells; 4] {
    [
        cells_with_cost(side, 1),
        cells_with_cost(side, 2),
        cells_with_cost(side, 3),
        cells_with_cost(side, 4),
    ]
}

/// One seat's points. In the middle of a game: the points so far and the bonuses already
/// completed; nothing is deducted for tiles in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatScore {
    /// On the score track.
    pub points: u16,
    /// Bonus of each star, 0 while it is not complete.
    pub stars: [u16; 7],
    /// Bonus for all 1s, 2s, 3s and 4s, 0 while one is free.
    pub numbers: [u16; 4],
    /// Tiles left in the corners at the end of the game: a point off for each.
    pub leftover: u8,
}

impl SeatScore {
    #[must_use]
    pub fn star_points(&self) -> u16 {
        self.stars.iter().sum()
    }

    #[must_use]
    pub fn number_points(&self) -> u16 {
        self.numbers.iter().sum()
    }

    /// Ruling E-14: bonuses first, then the tiles in the corners, never below 1.
    #[must_use]
    pub fn total(&self) -> u16 {
        let gained = self.points + self.star_points() + self.number_points();
        gained.saturating_sub(self.leftover.into()).max(FEWEST_POINTS)
    }
}

/// How a game ended. There is one way only: the rules leave no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameEnd {
    SixRounds,
}

/// The score of a position, finished or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    pub seats: PerSeat<SeatScore>,
    /// 1 for the leader; a tie is shared.
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
        let totals: PerSeat<u16> = seats.iter().map(SeatScore::total).collect();
        let ranks = ranks(&totals);
        let winners = winners(players, &ranks);
        Score { seats, ranks, winners, end: self.end() }
    }

    #[must_use]
    pub fn seat_score(&self, seat: Seat) -> SeatScore {
        let board = &self.boards[seat.index()];
        let leftover = if self.end().is_some() { board.hand.total() } else { 0 };
        let mut score =
            SeatScore { points: board.points, stars: [0; 7], numbers: [0; 4], leftover };
        for star in Star::ALL {
            if board.star_cells(star) == STAR {
                let laid = board.laid[star.index()];
                let single = laid.iter().find(|&(_, tiles)| tiles == 6);
                score.stars[star.index()] =
                    single.map_or(MIXED_STAR_BONUS, |(color, _)| star_bonus(color));
            }
        }
        for (index, cells) in NUMBERED[self.rules.side.index()].into_iter().enumerate() {
            if board.covered & cells == cells {
                score.numbers[index] = NUMBER_BONUSES[index];
            }
        }
        score
    }

    /// How the game ended, if it has.
    #[must_use]
    #[inline]
    pub fn end(&self) -> Option<GameEnd> {
        (self.phase == Phase::Over).then_some(GameEnd::SixRounds)
    }

    pub(super) fn end_game(&mut self, witness: &mut impl Witness<Event>) {
        self.phase = Phase::Over;
        for seat in self.rules.players.iter() {
            let score = self.seat_score(seat);
            let (stars, numbers) = (score.star_points(), score.number_points());
            let lost = score.points + stars + numbers - score.total();
            witness.saw(Event::FinalScore { seat, stars, numbers, lost });
        }
        witness.saw(Event::GameEnded);
    }
}
