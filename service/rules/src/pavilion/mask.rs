//! The legal moves as a mask: one byte per action id, 1 if the move is legal. And as a list of ids.

use crate::parts::Source;

use super::moves::{COLORS, first_place, first_take};
use super::{ActionId, Color, Phase, Position, action_count};

/// The length that [`Position::write_ids`] needs: the largest action space.
pub const MOST_IDS: usize = 1134;

impl Position {
    /// Writes the ids of all legal moves, in ascending order, and returns their number.
    ///
    /// # Panics
    /// If there is less room than [`MOST_IDS`].
    #[inline]
    pub fn write_ids(&self, ids: &mut [ActionId]) -> usize {
        let ids = &mut ids[..MOST_IDS];
        match self.phase {
            Phase::Acquire => self.write_take_ids(ids),
            Phase::Play => self.write_place_ids(ids),
            Phase::Bonus { .. } | Phase::Keep => {
                let moves = self.legal_moves();
                for (id, action) in ids.iter_mut().zip(&*moves) {
                    // Every legal move has an id.
                    *id = action.action_id(self.rules.side).unwrap_or_default();
                }
                moves.len()
            }
            Phase::Deal | Phase::TopUp | Phase::Over => 0,
        }
    }

    #[inline]
    fn write_take_ids(&self, ids: &mut [ActionId]) -> usize {
        let wild = self.wild_color();
        let sources = Source::of(self.rules.players).len();
        let mut first = first_take(self.rules.side) as ActionId;
        let mut len = 0;
        for tiles in &self.offer[..sources] {
            let mut colors = tiles.presence();
            // Wild tiles can be chosen only if there are no other colors.
            if colors.total() > 1 {
                let _wild = colors.take_all(wild);
            }
            for color in Color::ALL {
                ids[len] = first;
                len += usize::from(colors.count(color));
                first += 1;
            }
        }
        len
    }

    #[inline]
    fn write_place_ids(&self, ids: &mut [ActionId]) -> usize {
        let side = self.rules.side;
        // Passing is the first action.
        ids[0] = 0;
        let mut len = 1;
        self.for_each_payment(|star, space, color, price, (least, most)| {
            let first = first_place(side, star, space, color, price) as ActionId;
            for naturals in least..=most {
                ids[len] = first + ActionId::from(naturals) - 1;
                len += 1;
            }
        });
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
        mask.fill(0);
        match self.phase {
            Phase::Acquire => self.mask_takes(&mut mask[first_take(rules.side)..]),
            Phase::Play => {
                mask[0] = 1;
                1 + self.mask_places(mask)
            }
            Phase::Bonus { .. } | Phase::Keep => self.mask_choices(mask),
            Phase::Deal | Phase::TopUp | Phase::Over => 0,
        }
    }

    #[inline]
    fn mask_takes(&self, takes: &mut [u8]) -> u32 {
        let wild = self.wild_color();
        let sources = Source::of(self.rules.players).len();
        let mut moves = 0;
        for (takes, tiles) in takes.chunks_exact_mut(COLORS).zip(&self.offer[..sources]) {
            let mut colors = tiles.presence();
            // Wild tiles can be chosen only if there are no other colors.
            if colors.total() > 1 {
                let _wild = colors.take_all(wild);
            }
            takes.copy_from_slice(&colors.spread().to_le_bytes()[..COLORS]);
            moves += u32::from(colors.total());
        }
        moves
    }

    #[inline]
    fn mask_places(&self, mask: &mut [u8]) -> u32 {
        let side = self.rules.side;
        let mut moves = 0;
        self.for_each_payment(|star, space, color, price, (least, most)| {
            let first = first_place(side, star, space, color, price) + usize::from(least) - 1;
            let count = usize::from(most - least) + 1;
            mask[first..first + count].fill(1);
            moves += count as u32;
        });
        moves
    }

    /// Bonus tiles, and tiles to keep: rarely asked.
    fn mask_choices(&self, mask: &mut [u8]) -> u32 {
        let moves = self.legal_moves();
        for action in &moves {
            if let Some(id) = action.action_id(self.rules.side) {
                mask[usize::from(id)] = 1;
            }
        }
        moves.len() as u32
    }
}
