//! "Passing", and what is kept for the next round.

use crate::parts::{Tiles, Witness};

use super::moves::CORNERS;
use super::{Color, Event, IllegalMove, Move, MoveList, Phase, Position};

impl Position {
    /// Passes. Where nothing is to be chosen, the tiles are kept at once.
    pub(super) fn pass(&mut self, witness: &mut impl Witness<Event>) {
        let hand = self.boards[self.turn.index()].hand;
        let mut choices = hand.multisets(CORNERS.min(hand.total()));
        match (choices.next(), choices.next()) {
            (Some(only), None) => self.keep(only, witness),
            _ => self.phase = Phase::Keep,
        }
    }

    pub(super) fn collect_keeps(&self, moves: &mut MoveList) {
        let hand = self.boards[self.turn.index()].hand;
        moves.extend(hand.multisets(CORNERS).map(Move::Keep));
    }

    /// Ruling E-13: exactly four are kept; only what finds no room is thrown away.
    pub(super) fn check_keep(&self, tiles: Tiles<Color>) -> Result<(), IllegalMove> {
        let found = tiles.total();
        if found != CORNERS {
            return Err(IllegalMove::KeepSize { found });
        }
        let hand = self.boards[self.turn.index()].hand;
        if hand.contains(tiles) { Ok(()) } else { Err(IllegalMove::NotAtHand { tiles }) }
    }

    /// Keeps these tiles; the others go to the tower and cost a point each.
    pub(super) fn keep(&mut self, kept: Tiles<Color>, witness: &mut impl Witness<Event>) {
        let seat = self.turn;
        let board = &mut self.boards[seat.index()];
        let thrown = board.hand - kept;
        board.hand = kept;
        let lost = board.lose(thrown.total().into());
        self.stock.discards += thrown;
        self.passed.insert(seat);
        witness.saw(Event::Passed { seat, kept, thrown, lost });
        self.end_turn(witness);
    }
}
