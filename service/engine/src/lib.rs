//! Both games behind one door, without any transport: what the service, the arena and the command
//! line stand on.
//!
//! - [`Table`]: a position of either game.
//! - [`Record`]: a finished game as a document, and its verification.
//! - [`words`]: moves and events as sentences for people.

mod record;
mod score;
mod table;
pub mod words;

pub use record::{Defect, Ending, FORMAT, Moment, Record, SeatInfo, Unreadable};
pub use score::Score;
pub use table::{BadTable, Event, Move, Refusal, Ruleset, Step, Table};
