use std::fmt::Debug;
use std::ops::Deref;

use azulejo_rules::parts::{PlayerCount, Seat};
use azulejo_rules::{azul, pavilion};

use crate::Dice;
use crate::value;

/// An amount per seat; 0 for seats that the table does not have.
pub type Points = [f32; 4];

/// What a bot needs of a game.
pub trait Game: Copy + Send + Sync + Debug {
    type Move: Copy + PartialEq + Send + Sync + Debug;
    type Moves: Default + Deref<Target = [Self::Move]>;

    fn players(&self) -> PlayerCount;
    /// The seat that has to decide; `None` before a deal and after the end.
    fn to_move(&self) -> Option<Seat>;
    fn is_over(&self) -> bool;
    /// Whether a round is being dealt: a search stops here.
    fn is_between_rounds(&self) -> bool;
    fn list(&self, moves: &mut Self::Moves);
    /// Plays a legal move.
    fn play(&mut self, action: Self::Move);
    /// Fills all displays that wait, at random.
    fn deal(&mut self, dice: &mut Dice);
    fn hash(&self) -> u64;
    /// The points that each seat is expected to end with, by the heuristic.
    fn value(&self) -> Points;
}

/// Both games have methods of the same names; only the heuristics differ.
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
