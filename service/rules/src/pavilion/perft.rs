use super::Position;

impl Position {
    /// How many sequences of exactly `depth` moves there are from here. Sequences that come to a
    /// deal or to the end before that do not count; the last move is counted, not played.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => u64::from(self.count_moves()),
            _ => self
                .legal_moves()
                .iter()
                .map(|&action| {
                    let mut child = *self;
                    child.play_unchecked(action, &mut ());
                    child.perft(depth - 1)
                })
                .sum(),
        }
    }
}
