//! What this crate needs of the position of either game.

use std::fmt::Display;
use std::str::FromStr;

use azulejo_bots::Dice;
use azulejo_engine::{Refusal, Ruleset, Table};
use azulejo_rules::parts::{PerSeat, Seat, Seed, Seeded, Word};
use azulejo_rules::{azul, pavilion};

/// The room that a list of legal moves needs, in either game.
pub const MOST_IDS: usize =
    if azul::MOST_IDS > pavilion::MOST_IDS { azul::MOST_IDS } else { pavilion::MOST_IDS };

/// One outcome of a deal, as text, and its probability.
pub type Outcome = (String, f64);

pub trait Position: azulejo_bots::Game + Into<Table> + Display + PartialEq {
    type Rules: Copy;

    fn new(rules: Self::Rules, start: Seat) -> Self;
    fn rules(&self) -> Self::Rules;
    fn ruleset(&self) -> Ruleset;
    fn action_count(&self) -> usize;
    fn observation_size(&self) -> usize;
    fn action(&self, id: u16) -> Option<Self::Move>;
    /// The id of a legal move.
    fn id(&self, action: Self::Move) -> u16;
    /// The id of any move, if the ruleset has it.
    fn known_id(&self, action: Self::Move) -> Option<u16>;
    fn move_text(action: Self::Move) -> String;
    fn parse_move(&self, text: &str) -> Option<Self::Move>;
    fn check(&self, action: Self::Move) -> Result<(), Refusal>;
    fn awaits_deal(&self) -> bool;
    fn deal_one(&mut self, dice: &mut Dice);
    fn deal_by_seed(&mut self, seed: &Seed);
    fn outcomes(&self) -> Vec<Outcome>;
    /// Deals exactly these tiles; `None` if the text is not tiles.
    fn deal_exactly(&mut self, tiles: &str) -> Option<Result<(), Refusal>>;
    /// Writes the ids of all legal moves; there must be room for [`MOST_IDS`].
    fn write_ids(&self, ids: &mut [u16]) -> usize;
    fn write_mask(&self, mask: &mut [u8]) -> u32;
    fn write_observation(&self, viewer: Seat, values: &mut [u8]);
    /// Total points and rank of each seat.
    fn standing(&self) -> (PerSeat<u16>, PerSeat<u8>);
}

/// Both games have methods of the same names.
macro_rules! position {
    ($game:ident, $variant:ident) => {
        impl Position for $game::Position {
            type Rules = $game::Rules;

            fn new(rules: $game::Rules, start: Seat) -> Self {
                Self::new(rules, start)
            }

            fn rules(&self) -> $game::Rules {
                self.rules()
            }

            fn ruleset(&self) -> Ruleset {
                Ruleset::$variant(self.rules())
            }

            fn action_count(&self) -> usize {
                let rules = self.rules();
                $game::action_count(rules.side, rules.players).into()
            }

            fn observation_size(&self) -> usize {
                let rules = self.rules();
                $game::observation_size(rules.side, rules.players)
            }

            #[inline]
            fn action(&self, id: u16) -> Option<$game::Move> {
                let rules = self.rules();
                $game::Move::from_action_id(rules.side, rules.players, id)
            }

            #[inline]
            fn id(&self, action: $game::Move) -> u16 {
                // Every legal move has an id.
                action.action_id(self.rules().side).unwrap_or_default()
            }

            fn known_id(&self, action: $game::Move) -> Option<u16> {
                let id = action.action_id(self.rules().side)?;
                (usize::from(id) < Position::action_count(self)).then_some(id)
            }

            fn move_text(action: $game::Move) -> String {
                action.to_string()
            }

            fn parse_move(&self, text: &str) -> Option<$game::Move> {
                $game::Move::from_str(text).ok()
            }

            #[inline]
            fn check(&self, action: $game::Move) -> Result<(), Refusal> {
                self.check(action)
                    .map_err(|illegal| Refusal::$variant($game::Defect::Move(illegal)))
            }

            #[inline]
            fn awaits_deal(&self) -> bool {
                self.awaiting_deal().is_some()
            }

            fn deal_one(&mut self, dice: &mut Dice) {
                self.deal(dice, &mut ());
            }

            fn deal_by_seed(&mut self, seed: &Seed) {
                self.deal_all(&mut Seeded(seed), &mut ());
            }

            fn outcomes(&self) -> Vec<Outcome> {
                let outcomes = self.deal_outcomes().into_iter().flatten();
                outcomes.map(|outcome| (outcome.tiles.to_string(), outcome.probability())).collect()
            }

            fn deal_exactly(&mut self, tiles: &str) -> Option<Result<(), Refusal>> {
                let tiles = Word { text: tiles, at: 1 }.tiles().ok()?;
                let dealt = self.deal_exactly(tiles, &mut ());
                Some(dealt.map_err(|bad| Refusal::$variant($game::Defect::Deal(bad))))
            }

            #[inline]
            fn write_ids(&self, ids: &mut [u16]) -> usize {
                self.write_ids(ids)
            }

            #[inline]
            fn write_mask(&self, mask: &mut [u8]) -> u32 {
                self.write_mask(mask)
            }

            #[inline]
            fn write_observation(&self, viewer: Seat, values: &mut [u8]) {
                self.write_observation(viewer, values);
            }

            fn standing(&self) -> (PerSeat<u16>, PerSeat<u8>) {
                let score = self.score();
                (score.seats.iter().map(|seat| seat.total()).collect(), score.ranks)
            }
        }
    };
}

position!(azul, Azul);
position!(pavilion, SummerPavilion);
