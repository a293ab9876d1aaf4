//! What a legal move does, without playing it: so that a simple bot needs no arithmetic of its own.

use crate::parts::{Source, Tiles};

use super::moves::CORNERS;
use super::star::{cell, cost, group_size, reward};
use super::{Color, FEWEST_POINTS, Move, Position, Space, Star};

/// What a legal move does, as far as it is certain before the next deal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Tiles that come into the hand, wild tiles included.
    pub taken: u8,
    pub wilds_taken: u8,
    pub takes_token: bool,
    /// Tiles that a placement costs, the placed one included.
    pub cost: u8,
    pub wilds_paid: u8,
    /// Points that a placement scores.
    pub points: u16,
    /// Bonus tiles that a placement earns and the supply has.
    pub bonus_tiles: u8,
    /// Tiles above four when passing.
    pub discarded: u8,
    /// Points lost, for the token or for discarded tiles.
    pub lost: u16,
}

impl Position {
    /// The effect of a legal move. For an illegal one the numbers mean nothing.
    #[must_use]
    pub fn effect(&self, action: Move) -> Effect {
        match action {
            Move::Take { source, color } => self.effect_of_take(source, color),
            Move::Place { star, space, color: _, naturals } => {
                self.effect_of_place(star, space, naturals)
            }
            Move::TakeBonus(tiles) => Effect {
                taken: tiles.total(),
                wilds_taken: tiles.count(self.wild_color()),
                ..Effect::default()
            },
            Move::Pass => self.effect_of_discarding(Tiles::EMPTY),
            Move::Keep(tiles) => self.effect_of_discarding(tiles),
        }
    }

    fn effect_of_take(&self, source: Source, color: Color) -> Effect {
        let (place, wild) = (self.offer[source.index()], self.wild_color());
        let wilds = u8::from(place.holds(wild));
        let taken = wilds + if color == wild { 0 } else { place.count(color) };
        let takes_token = source == Source::Center && self.token.is_none();
        let lost = if takes_token { self.loss(taken) } else { 0 };
        Effect { taken, wilds_taken: wilds, takes_token, lost, ..Effect::default() }
    }

    fn effect_of_place(&self, star: Star, space: Space, naturals: u8) -> Effect {
        let board = &self.boards[self.turn.index()];
        let cost = cost(self.rules.side, star, space);
        let covered = board.covered | 1 << cell(star, space);
        let own = board.star_cells(star) | 1 << space.index();
        Effect {
            cost,
            wilds_paid: cost.saturating_sub(naturals),
            points: group_size(own, space),
            bonus_tiles: reward(covered, star, space).min(self.supply.total()),
            ..Effect::default()
        }
    }

    /// Of passing, and of the choice that may follow: the number of discarded tiles is the same.
    fn effect_of_discarding(&self, kept: Tiles<Color>) -> Effect {
        let hand = self.boards[self.turn.index()].hand.total();
        let discarded = hand.saturating_sub(kept.total().max(CORNERS));
        Effect { discarded, lost: self.loss(discarded), ..Effect::default() }
    }

    /// Points that the seat to move really loses: no score drops below 1.
    fn loss(&self, tiles: u8) -> u16 {
        u16::from(tiles).min(self.boards[self.turn.index()].points - FEWEST_POINTS)
    }
}
