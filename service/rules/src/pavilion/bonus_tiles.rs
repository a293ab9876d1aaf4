//! "Bonus tiles": pillars, statues and windows.

use crate::parts::{Tiles, Witness};

use super::{Color, Event, IllegalMove, Move, MoveList, Position};

impl Position {
    /// Any tiles of the supply, wild ones too, all at once.
    pub(super) fn collect_bonuses(&self, due: u8, moves: &mut MoveList) {
        moves.extend(self.supply.multisets(due).map(Move::TakeBonus));
    }

    pub(super) fn check_bonus(&self, due: u8, tiles: Tiles<Color>) -> Result<(), IllegalMove> {
        let found = tiles.total();
        if found != due {
            return Err(IllegalMove::BonusSize { due, found });
        }
        if self.supply.contains(tiles) { Ok(()) } else { Err(IllegalMove::NotInSupply { tiles }) }
    }

    pub(super) fn take_bonus(&mut self, tiles: Tiles<Color>, witness: &mut impl Witness<Event>) {
        let seat = self.turn;
        self.supply -= tiles;
        self.boards[seat.index()].hand += tiles;
        witness.saw(Event::BonusTaken { seat, tiles });
        self.end_turn(witness);
    }
}
