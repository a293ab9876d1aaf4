//! The official standings of a pool: a Bradley-Terry model with seat effects, fitted to all results
//! at once, so that their order does not matter. The confidence intervals come from a bootstrap over
//! the blocks of matches.
//!
//! The same results give the same standings to the last bit, on every machine: sums have a fixed
//! order, randomness is derived from names, and mathematical functions come from `libm`, not from
//! the system.

mod bootstrap;
mod fit;
mod games;
mod groups;
mod hessian;
mod leverage;
mod lines;
mod published;

pub use games::Games;
pub use lines::{Line, Standings};
pub use published::{Fitted, OfficialRating, Published};

/// Elo points per unit of the model. One unit means odds of e to 1.
const ELO: f64 = 173.717_792_761_248_7;

/// The bot whose rating is fixed, because it plays in all pools.
const ANCHOR: &str = "house/greedy";

/// The rating of the anchor; in groups in which it does not play, the mean rating.
const ANCHOR_RATING: f64 = 1_500.0;

/// Standard deviation of the prior of a bot's strength: 350 points. Weak, but it keeps the rating
/// finite if a bot has only won or only lost.
const PRIOR_DEVIATION: f64 = 350.0 / ELO;

/// Standard deviation of the prior of a seat effect.
const SEAT_PRIOR_DEVIATION: f64 = 100.0 / ELO;

/// Number of bootstrap replicates.
const REPLICATES: u32 = 320;

/// A line is provisional while its interval is wider than plus or minus this: for about 30 games.
const NARROW_ENOUGH: f64 = 150.0;

/// With fewer games a line is provisional in any case: in a field of two or three bots, the interval
/// around its mean is narrow from the start.
const FEWEST_GAMES: u32 = 10;

/// After this many games a line is not provisional any more. The interval of a bot that always wins or
/// always loses stays wide.
const GAMES_ENOUGH: u32 = 50;

/// Half the width of a two-sided 95 % confidence interval, in standard deviations.
const Z_95: f64 = 1.959_963_984_540_054;
