//! The arena: bots of any language meet on a rated ladder.
//!
//! It knows games only through `azulejo-engine`: it cannot break a rule because it cannot name one.

pub mod clock;
pub mod cursor;
pub mod desk;
pub mod document;
pub mod grpc;
pub mod hall;
pub mod match_run;
pub mod moment;
pub mod names;
pub mod pairing;
pub mod pool;
pub mod rating;
pub mod record;
pub mod standings;
pub mod store;
