use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::clock;
use crate::search::Search;
use crate::{Dice, Game, greedy};

/// The budget of the strong bot for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    Time(Duration),
    /// Iterations of the search; the same number gives the same move.
    Nodes(u32),
}

/// A house bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseBot {
    /// A random legal move.
    Random,
    /// The move with the best next position.
    Greedy,
    /// Tree search.
    Strong { budget: Budget, threads: usize },
}

impl HouseBot {
    /// Chooses a move; `None` if no seat is to move.
    pub fn choose<G: Game>(&self, position: &G, seed: u64) -> Option<G::Move> {
        let mut dice = Dice::new(seed);
        match *self {
            Self::Random => {
                let mut moves = G::Moves::default();
                position.list(&mut moves);
                dice.pick(&moves)
            }
            Self::Greedy => greedy::choose(position, &mut dice),
            Self::Strong { budget, threads } => strong(position, budget, threads, seed),
        }
    }
}

/// Each thread grows its own tree; the move with most visits in all of them wins.
fn strong<G: Game>(position: &G, budget: Budget, threads: usize, seed: u64) -> Option<G::Move> {
    let mut moves = G::Moves::default();
    position.list(&mut moves);
    if moves.len() < 2 {
        return moves.first().copied();
    }
    let threads = threads.max(1) as u64;
    let think = |thread: u64| grow(*position, budget, threads, thread, seed);
    let trees: Vec<Vec<u32>> = if threads == 1 {
        vec![think(0)]
    } else {
        std::thread::scope(|scope| {
            let running: Vec<_> =
                (0..threads).map(|thread| scope.spawn(move || think(thread))).collect();
            running.into_iter().filter_map(|thread| thread.join().ok()).collect()
        })
    };
    let total = |index: usize| {
        trees.iter().map(|visits| visits.get(index).copied().unwrap_or(0)).sum::<u32>()
    };
    (0..moves.len()).rev().max_by_key(|&index| total(index)).map(|index| moves[index])
}

/// Grows the tree of one thread and returns the visits of each move.
fn grow<G: Game>(position: G, budget: Budget, threads: u64, thread: u64, seed: u64) -> Vec<u32> {
    let seed = seed.wrapping_add(thread << 32);
    let search =
        if thread == 0 { Search::new(position, seed) } else { Search::varied(position, seed) };
    let Some(mut search) = search else { return Vec::new() };
    match budget {
        Budget::Nodes(nodes) => {
            (0..u64::from(nodes).div_ceil(threads)).for_each(|_| search.visit());
        }
        Budget::Time(time) => {
            let until = clock::now() + time;
            while clock::now() < until {
                (0..16).for_each(|_| search.visit());
            }
        }
    }
    search.visits().map(|(_, visits)| visits).collect()
}

/// The default budget of the strong bot.
const USUAL: Budget = Budget::Time(Duration::from_millis(100));

impl fmt::Display for HouseBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Greedy => f.write_str("greedy"),
            Self::Strong { budget, .. } if *budget == USUAL => f.write_str("strong"),
            Self::Strong { budget: Budget::Time(time), .. } => {
                write!(f, "strong:{}", time.as_millis())
            }
            Self::Strong { budget: Budget::Nodes(nodes), .. } => write!(f, "strong:{nodes}n"),
        }
    }
}

/// `random`, `greedy`, or `strong`, which thinks for 100 ms on one thread; `strong:250` thinks for
/// 250 ms, and `strong:5000n` runs 5,000 iterations.
impl FromStr for HouseBot {
    type Err = NoSuchBot;

    fn from_str(name: &str) -> Result<Self, NoSuchBot> {
        let budget = match name.split_once(':') {
            None if name == "random" => return Ok(Self::Random),
            None if name == "greedy" => return Ok(Self::Greedy),
            None if name == "strong" => Some(USUAL),
            Some(("strong", budget)) => read_budget(budget),
            None | Some(_) => None,
        };
        budget.map(|budget| Self::Strong { budget, threads: 1 }).ok_or(NoSuchBot)
    }
}

fn read_budget(text: &str) -> Option<Budget> {
    if let Some(nodes) = text.strip_suffix('n') {
        return nodes.parse().ok().filter(|&nodes| nodes > 0).map(Budget::Nodes);
    }
    let longest = Duration::from_hours(1);
    let time = text.parse().ok().map(Duration::from_millis);
    time.filter(|time| !time.is_zero() && *time <= longest).map(Budget::Time)
}

/// An unknown name of a house bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchBot;

impl fmt::Display for NoSuchBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the house bots are random, greedy and strong; strong:250 thinks for 250 ms (1 ms to \
             an hour), strong:5000n runs 5,000 search iterations (at least 1)",
        )
    }
}

impl std::error::Error for NoSuchBot {}
