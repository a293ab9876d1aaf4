//! The parts of both games: seats, tiles, factories, the bag with its discards, and chance.
//!
//! The two games share these nouns and nothing else; everything that *happens* at the table
//! differs and lives in [`crate::azul`] and [`crate::pavilion`].

mod draw;
mod factories;
mod hash;
mod multiset;
mod observation;
mod ordinal;
mod outcomes;
mod ranking;
mod record;
mod seat;
mod seed;
mod side;
mod stock;
mod tally;
#[cfg(test)]
mod tests;
mod text;
mod tiles;
mod witness;

pub use draw::{Chance, Seeded, draw};
pub use factories::{Factory, MAX_FACTORIES, Offer, Source, TILES_PER_FACTORY};
pub use observation::{BadObservation, Layout, OBSERVATION_VERSION, Section};
pub use outcomes::{Outcome, Outcomes};
pub use ranking::{PerSeat, ranks, winners};
pub use record::{BadRecord, Defect, Record, Step};
pub use seat::{NoSuchSeat, PlayerCount, Seat, SeatSet};
pub use seed::{BadSeed, Seed};
pub use side::Side;
pub use stock::{BadDeal, Filled, Stock};
pub use text::{BadText, Text, Word};
pub use tiles::{Multisets, TileColor, Tiles, TooManyTiles};
pub use witness::Witness;

pub(crate) use hash::Mixer;
pub(crate) use multiset::{multiset_at, multiset_count, multiset_rank};
pub(crate) use observation::{Pen, Reader, bad, spread_bits, tiles_of};
pub(crate) use ordinal::ordinal;
pub(crate) use tally::Tally;
