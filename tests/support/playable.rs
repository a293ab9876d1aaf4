use std::fmt::{Debug, Display};
use std::str::FromStr;

use azulejo_rules::parts::{Layout, PlayerCount, Seat, Seed, Side, TileColor, Tiles};

/// Rare situations that a run of random games must meet, or it proves little.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observed {
    /// The bag ran empty in the middle of a display.
    TippedInTheMiddle,
    /// A display got fewer tiles than it has places.
    ShortDeal,
    /// Gray wall: no column took the tile, so the line fell.
    GraySpecialCase,
    /// No player took from the center.
    MarkerNotTaken,
    /// A turn began with fewer than ten tiles in the supply.
    ShortSupply,
    /// One placement brought three bonus tiles.
    BonusOfThree,
    SharedVictory,
}

/// Outcomes of a deal, each with the number of ways to draw it.
pub type Ways<C> = Vec<(Tiles<C>, u64)>;

/// What tests need of a game; both games implement it.
pub trait Playable: Copy + Eq + Debug + Display + FromStr<Err: Debug + Display> {
    type Color: TileColor;
    type Move: Copy + Eq + Debug + Display + FromStr<Err: Debug + Display>;
    type Step: Copy + Debug + Display;
    type Record: Clone + Eq + Debug + Display + FromStr<Err: Debug + Display>;

    const NAME: &'static str;
    /// Tiles in the box.
    const TILES: usize;

    fn start(side: Side, players: PlayerCount, start: Seat) -> Self;
    /// A start with very few tiles left to draw.
    fn scarce(side: Side, random: &mut crate::Random) -> Self;

    fn side(&self) -> Side;
    fn players(&self) -> PlayerCount;
    fn awaits_deal(&self) -> bool;
    fn is_over(&self) -> bool;
    fn to_move(&self) -> Option<Seat>;
    fn moves(&self) -> Vec<Self::Move>;
    fn count_moves(&self) -> usize;
    /// A legal move that gets on with the game.
    fn is_eager(action: Self::Move) -> bool;
    /// How much a move commits; 0 for those that commit nothing.
    fn price(&self, action: Self::Move) -> u8;

    fn accepts(&self, action: Self::Move) -> bool;
    /// Checked, with events.
    fn play(&mut self, action: Self::Move, seen: &mut Vec<Observed>) -> bool;
    /// Unchecked, without events.
    fn play_unseen(&mut self, action: Self::Move);
    /// Fills one display by seed. Returns its tiles.
    fn deal(&mut self, seed: &Seed, seen: &mut Vec<Observed>) -> Tiles<Self::Color>;
    fn deal_exactly(&mut self, tiles: Tiles<Self::Color>) -> bool;
    /// Outcomes of the next deal with their ways, and the sum of all ways.
    fn outcomes(&self) -> (Ways<Self::Color>, u64);

    /// Carries out a step of a record. Returns its events as text.
    fn tell(&mut self, step: Self::Step) -> Vec<String>;

    fn action_count(&self) -> u16;
    fn action_id(&self, action: Self::Move) -> Option<u16>;
    fn action_at(&self, id: u16) -> Option<Self::Move>;
    fn mask(&self) -> (Vec<u8>, u32);
    /// The ids of all legal moves.
    fn ids(&self) -> Vec<u16>;
    fn layout(&self) -> Layout;
    fn observation(&self, viewer: Seat) -> Vec<u8>;
    fn rebuilt_from(&self, values: &[u8]) -> Result<Self, String>;
    fn hash(&self) -> u64;
    /// The same position with two factory displays exchanged, if that is valid.
    fn with_factories_exchanged(&self, one: usize, other: usize) -> Option<Self>;
    /// Every tile of the game, counted through what a player can see.
    fn tiles_in_sight(&self) -> usize;
    /// The same position, read again from its setup.
    fn regated(&self) -> Result<Self, String>;
    fn drawn(&self) -> u32;
    fn winners(&self) -> usize;
    fn rounds(&self) -> u8;

    fn deal_step(tiles: Tiles<Self::Color>) -> Self::Step;
    fn move_step(action: Self::Move) -> Self::Step;
    fn record(&self, start: Seat, steps: Vec<Self::Step>) -> Self::Record;
    fn replay(record: &Self::Record) -> Result<Self, String>;
}
