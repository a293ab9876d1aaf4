//! The legal moves as a mask: one byte per action id, 1 if the move is legal. And as a list of ids.

use crate::parts::{Side, Source, spread_bits};

use super::moves::{ActionId, DESTINATIONS, action_count, placements};
use super::{Color, Phase, Position};

/// The takes of one source.
const TAKES: usize = Color::ALL.len() * DESTINATIONS;
/// The floor line, which takes everything.
const FLOOR: u32 = 1 << 5;

/// By set of rows, a bit a row: the destinations, and how many there are. The floor line is the last.
static DESTINATIONS_OF: [([ActionId; DESTINATIONS], u8); 32] = {
    let mut table = [([0; DESTINATIONS], 0); 32];
    let mut rows: usize = 0;
    while rows < 32 {
        let (ids, count) = &mut table[rows];
        let mut destination = 0;
        while destination < DESTINATIONS {
            if (rows | FLOOR as usize) >> destination & 1 == 1 {
                ids[*count as usize] = destination as ActionId;
                *count += 1;
            }
            destination += 1;
        }
        rows += 1;
    }
    table
};

/// The length that [`Position::write_ids`] needs: the largest action space, and the slots that it
/// writes ahead.
pub const MOST_IDS: usize = 325 + DESTINATIONS;

impl Position {
    /// Writes the ids of all legal moves, in ascending order, and returns their number.
    ///
    /// # Panics
    /// If there is less room than [`MOST_IDS`].
    #[inline]
    pub fn write_ids(&self, ids: &mut [ActionId]) -> usize {
        let ids = &mut ids[..MOST_IDS];
        match self.phase {
            Phase::Offer => self.write_take_ids(ids),
            Phase::Tiling => {
                let moves = self.legal_moves();
                for (id, action) in ids.iter_mut().zip(&*moves) {
                    *id = action.action_id(self.rules.side).unwrap_or_default();
                }
                moves.len()
            }
            Phase::Deal | Phase::Over(_) => 0,
        }
    }

    /// Writes six ids for each color at each source, and counts those that are meant: see
    /// [`super::MoveList`].
    #[inline]
    fn write_take_ids(&self, ids: &mut [ActionId]) -> usize {
        let open = self.boards[self.turn.index()].open_lines();
        let rows = Color::ALL.map(|color| &DESTINATIONS_OF[open.rows(color)]);
        let sources = Source::of(self.rules.players).len();
        let mut first = placements(self.rules.side) as ActionId;
        let mut len = 0;
        for tiles in &self.offer[..sources] {
            for color in Color::ALL {
                if tiles.holds(color) {
                    let (destinations, count) = rows[color.index()];
                    let slots = &mut ids[len..len + DESTINATIONS];
                    for (slot, &destination) in slots.iter_mut().zip(destinations) {
                        *slot = first + destination;
                    }
                    len += usize::from(*count);
                }
                first += DESTINATIONS as ActionId;
            }
        }
        len
    }

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
