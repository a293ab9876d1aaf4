use crate::parts::Mixer;

use super::{Phase, Position};

impl Position {
    /// A hash of what matters: the same for positions that differ only in the order of the factory
    /// displays or in the number of tiles drawn so far.
    #[must_use]
    pub fn canonical_hash(&self) -> u64 {
        let phase = match self.phase {
            Phase::Deal => 0,
            Phase::Acquire => 1,
            Phase::Play => 2,
            Phase::Keep => 3,
            Phase::TopUp => 4,
            Phase::Over => 5,
            Phase::Bonus { due } => 8 + due,
        };
        let token = self.token.map_or(0, |seat| seat as u8 + 1);
        let table = [
            self.rules.side as u8,
            self.rules.players as u8,
            self.round,
            phase,
            self.turn as u8,
            self.start as u8,
            token,
            self.passed.bits(),
        ];
        let mut hash = Mixer::new(u64::from_le_bytes(*b"pavilion"))
            .word(u64::from_le_bytes(table))
            .word(u64::from(self.stock.bag.bits()) << 32 | u64::from(self.stock.discards.bits()))
            .word(u64::from(self.supply.bits()) << 32 | u64::from(self.center().bits()))
            .unordered(self.offer[1..].iter().map(|tiles| u64::from(tiles.bits())));
        for seat in self.rules.players.iter() {
            hash = self.boards[seat.index()].words().fold(hash, Mixer::word);
        }
        hash.finish()
    }
}

/// The number of tiles drawn so far is not compared: it only matters for the next draw.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules
            && self.phase == other.phase
            && self.round == other.round
            && self.turn == other.turn
            && self.start == other.start
            && self.token == other.token
            && self.passed == other.passed
            && self.stock.bag == other.stock.bag
            && self.stock.discards == other.stock.discards
            && self.supply == other.supply
            && self.offer == other.offer
            && self.boards == other.boards
    }
}

impl Eq for Position {}
