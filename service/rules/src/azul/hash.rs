use crate::parts::Mixer;

use super::{Phase, Position};

impl Position {
    /// A hash of what matters: the same for positions that differ only in the order of the factory
    /// displays or in the number of tiles drawn so far.
    #[must_use]
    pub fn canonical_hash(&self) -> u64 {
        let rules = self.rules;
        let table = [rules.side as u8, rules.players as u8, rules.round_limit, self.round];
        let phase = match self.phase {
            Phase::Deal => 0,
            Phase::Offer => 1,
            Phase::Tiling => 2,
            Phase::Over(end) => 3 + end as u8,
        };
        let marker = self.marker.map_or(0, |seat| seat as u8 + 1);
        let turn = [phase, self.turn as u8, self.start as u8, marker];
        let mut hash = Mixer::new(u64::from_le_bytes(*b"azul\0\0\0\x01"))
            .word(u64::from(u32::from_le_bytes(table)))
            .word(u64::from(u32::from_le_bytes(turn)))
            .word(u64::from(self.stock.bag.bits()) << 32 | u64::from(self.stock.discards.bits()))
            .word(u64::from(self.center().bits()))
            .unordered(self.offer[1..].iter().map(|tiles| u64::from(tiles.bits())));
        for seat in rules.players.iter() {
            let board = &self.boards[seat.index()];
            let lines = board.lines.iter().fold(0, |word, line| word << 8 | u64::from(line.bits()));
            hash = hash
                .word(lines)
                .word(u64::from(board.floor.bits()) << 16 | u64::from(board.points));
            hash = board.wall.words().fold(hash, Mixer::word);
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
            && self.marker == other.marker
            && self.stock.bag == other.stock.bag
            && self.stock.discards == other.stock.discards
            && self.offer == other.offer
            && self.boards == other.boards
    }
}

impl Eq for Position {}
