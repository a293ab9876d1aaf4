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

impl Game for azul::Position {
    type Move = azul::Move;
    type Moves = azul::MoveList;

    fn players(&self) -> PlayerCount {
        self.rules().players
    }

    fn to_move(&self) -> Option<Seat> {
        Self::to_move(self)
    }

    fn is_over(&self) -> bool {
        self.end().is_some()
    }

    fn is_between_rounds(&self) -> bool {
        self.phase() == azul::Phase::Deal
    }

    fn list(&self, moves: &mut azul::MoveList) {
        self.collect_moves(moves);
    }

    fn play(&mut self, action: azul::Move) {
        self.play_unchecked(action, &mut ());
    }

    fn deal(&mut self, dice: &mut Dice) {
        self.deal_all(dice, &mut ());
    }

    fn hash(&self) -> u64 {
        self.canonical_hash()
    }

    fn value(&self) -> Points {
        value::azul(self)
    }
}

impl Game for pavilion::Position {
    type Move = pavilion::Move;
    type Moves = pavilion::MoveList;

    fn players(&self) -> PlayerCount {
        self.rules().players
    }

    fn to_move(&self) -> Option<Seat> {
        Self::to_move(self)
    }

    fn is_over(&self) -> bool {
        self.end().is_some()
    }

    fn is_between_rounds(&self) -> bool {
        self.phase() == pavilion::Phase::Deal
    }

    fn list(&self, moves: &mut pavilion::MoveList) {
        self.collect_moves(moves);
    }

    fn play(&mut self, action: pavilion::Move) {
        self.play_unchecked(action, &mut ());
    }

    fn deal(&mut self, dice: &mut Dice) {
        self.deal_all(dice, &mut ());
    }

    fn hash(&self) -> u64 {
        self.canonical_hash()
    }

    fn value(&self) -> Points {
        value::pavilion(self)
    }
}
