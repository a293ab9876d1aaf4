//! The legal moves as a mask: one byte per action id, 1 if the move is legal.

use crate::parts::{Side, Source, spread_bits};

use super::moves::{DESTINATIONS, action_count, placements};
use super::{Color, Phase, Position};

/// The takes of one source.
const TAKES: usize = Color::ALL.len() * DESTINATIONS;
/// The floor line, which takes everything.
const FLOOR: u32 = 1 << 5;

impl Position {
    /// Writes a byte for each action id: 1 if the move is legal, otherwise 0. Returns the number of
    /// legal moves; there are none before a deal and after the end.
    ///
    /// # Panics
    /// If the mask is not as long as the action space.
    #[inline]
    pub fn write_mask(&self, mask: &mut [u8]) -> u32 {
        let rules = self.rules;
        assert_eq!(mask.len(), usize::from(action_count(rules.side, rules.players)), "length");
        let (places, takes) = mask.split_at_mut(placements(rules.side));
        match self.phase {
            Phase::Offer => {
                places.fill(0);
                self.mask_takes(takes);
                self.count_takes()
            }
            Phase::Tiling => {
                takes.fill(0);
                self.mask_placements(places)
            }
            Phase::Deal | Phase::Over(_) => {
                mask.fill(0);
                0
            }
        }
    }

    #[inline]
    fn mask_takes(&self, takes: &mut [u8]) {
        let open = self.boards[self.turn.index()].open_lines();
        let rows = Color::ALL.map(|color| spread_bits(open.rows(color) as u32 | FLOOR));
        let sources = Source::of(self.rules.players).len();
        for (takes, tiles) in takes.chunks_exact_mut(TAKES).zip(&self.offer[..sources]) {
            // Without branches, which could not be predicted: six bytes per color, in four words.
            let colors = tiles.presence();
            let words = Color::ALL
                .map(|color| rows[color.index()] & 0u64.wrapping_sub(colors.count(color).into()));
            takes[..8].copy_from_slice(&(words[0] | words[1] << 48).to_le_bytes());
            takes[8..16].copy_from_slice(&(words[1] >> 16 | words[2] << 32).to_le_bytes());
            takes[16..24].copy_from_slice(&(words[2] >> 32 | words[3] << 16).to_le_bytes());
            takes[24..].copy_from_slice(&words[4].to_le_bytes()[..DESTINATIONS]);
        }
    }

    fn mask_placements(&self, places: &mut [u8]) -> u32 {
        places.fill(0);
        let board = &self.boards[self.turn.index()];
        let Some((row, color)) = board.first_complete_line() else { return 0 };
        let mut moves = 0;
        for column in board.open_columns(row, color) {
            places[row.index() * 5 + column.index()] = 1;
            moves += 1;
        }
        debug_assert_eq!(self.rules.side, Side::Gray, "placements are a choice");
        moves
    }
}
