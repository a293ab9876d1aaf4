//! What the verbs need of a game, whichever it is.

use azulejo_rules::parts::{PlayerCount, Seat, Side};
use azulejo_rules::{azul, pavilion};

use crate::fast::Fast;

/// A game that can be played by chance and counted.
pub(crate) trait Playing: Copy {
    type Moves: Default;

    fn new(side: Side, players: PlayerCount) -> Self;
    /// Deals whatever waits.
    fn deal(&mut self, chance: &mut Fast);
    fn is_over(&self) -> bool;
    /// Lists the moves and says how many there are.
    fn list(&self, moves: &mut Self::Moves) -> u32;
    fn play(&mut self, moves: &Self::Moves, number: u32);
    fn rounds(&self) -> u64;
    /// The seats' totals, added up.
    fn points(&self) -> u64;
    fn perft(&self, depth: u32) -> u64;
}

/// A length as a number that the generator takes. No list of moves is longer than 1,000.
#[inline]
fn count<M>(moves: &[M]) -> u32 {
    u32::try_from(moves.len()).unwrap_or(u32::MAX)
}

impl Playing for azul::Position {
    type Moves = azul::MoveList;

    fn new(side: Side, players: PlayerCount) -> Self {
        Self::new(azul::Rules::new(side, players), Seat::First)
    }

    #[inline]
    fn deal(&mut self, chance: &mut Fast) {
        self.deal_all(chance, &mut ());
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.end().is_some()
    }

    #[inline]
    fn list(&self, moves: &mut azul::MoveList) -> u32 {
        self.collect_moves(moves);
        count(moves)
    }

    #[inline]
    fn play(&mut self, moves: &azul::MoveList, number: u32) {
        self.play_unchecked(moves[number as usize], &mut ());
    }

    fn rounds(&self) -> u64 {
        self.round().into()
    }

    fn points(&self) -> u64 {
        self.score().seats.iter().map(|score| u64::from(score.total())).sum()
    }

    fn perft(&self, depth: u32) -> u64 {
        Self::perft(self, depth)
    }
}

impl Playing for pavilion::Position {
    type Moves = pavilion::MoveList;

    fn new(side: Side, players: PlayerCount) -> Self {
        Self::new(pavilion::Rules::new(side, players), Seat::First)
    }

    #[inline]
    fn deal(&mut self, chance: &mut Fast) {
        self.deal_all(chance, &mut ());
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.end().is_some()
    }

    #[inline]
    fn list(&self, moves: &mut pavilion::MoveList) -> u32 {
        self.collect_moves(moves);
        count(moves)
    }

    #[inline]
    fn play(&mut self, moves: &pavilion::MoveList, number: u32) {
        self.play_unchecked(moves[number as usize], &mut ());
    }

    fn rounds(&self) -> u64 {
        self.round().into()
    }

    fn points(&self) -> u64 {
        self.score().seats.iter().map(|score| u64::from(score.total())).sum()
    }

    fn perft(&self, depth: u32) -> u64 {
        Self::perft(self, depth)
    }
}
