use std::fmt::Debug;
use std::ops::Deref;

use azulejo_rules::parts::{PlayerCount, Seat};
use azulejo_rules::{azul, pavilion};

use crate::Dice;
use crate::value;

/// An amount for each seat; seats that the table does not have stay at 0.
pub type Points = [f32; 4];

/// What a bot needs of a game.
pub trait Game: Copy + Send + Sync + Debug {
    type Move: Copy + PartialEq + Send + Sync + Debug;
    type Moves: Default + Deref<Target = [Self::Move]>;

    fn players(&self) -> PlayerCount;
    /// Whose decision is due; nobody's before a deal or after the end.
    fn to_move(&self) -> Option<Seat>;
    fn is_over(&self) -> bool;
    /// A round is being dealt: what comes next nobody can foresee.
    fn is_between_rounds(&self) -> bool;
    fn list(&self, moves: &mut Self::Moves);
    /// Carries out a legal move.
    fn play(&mut self, action: Self::Move);
    /// Resolves every deal that waits, by chance.
    fn deal(&mut self, dice: &mut Dice);
    fn hash(&self) -> u64;
    /// The points that each seat may hope to end with.
    fn value(&self) -> Points;
}

/// Both games answer by the same names; only what a position is worth differs.
macro_rules! game {
    ($game:ident) => {
        impl Game for $game::Position {
            type Move = $game::Move;
            type Moves = $game::MoveList;

            fn players(&self) -> PlayerCount {
                self.rules().players
            }

            fn to_move(&self) -> Option<Seat> {
                Self::to_move(self)
            }

            #[inline]
            fn is_over(&self) -> bool {
                self.end().is_some()
            }

            #[inline]
            fn is_between_rounds(&self) -> bool {
                self.phase() == $game::Phase::Deal
            }

            #[inline]
            fn list(&self, moves: &mut $game::MoveList) {
                self.collect_moves(moves);
            }

            #[inline]
            fn play(&mut self, action: $game::Move) {
                self.play_unchecked(action, &mut ());
            }

            #[inline]
            fn deal(&mut self, dice: &mut Dice) {
                self.deal_all(dice, &mut ());
            }

            fn hash(&self) -> u64 {
                self.canonical_hash()
            }

            fn value(&self) -> Points {
                value::$game(self)
            }
        }
    };
}

game!(azul);
game!(pavilion);
