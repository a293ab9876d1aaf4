//! Looks one move ahead: tries every move on a table of its own, and takes the one after which its
//! lead is largest. Rust has the engine at hand: nothing is asked over the network.

mod shared;

use azulejo_sdk::engine::{Score, Table};
use azulejo_sdk::{Bot, Ended, Turn};

struct OnePly;

impl Bot for OnePly {
    fn choose(&self, turn: &Turn) -> u32 {
        let lead = |action_id: u32| -> Option<i32> {
            let mut table = Table::read(turn.state.clone()).ok()?;
            let action = table.action(action_id).ok()?;
            table.play(action).ok()?;
            Some(margin(&table.score(), turn.seat as usize))
        };
        let moves = turn.legal_moves.iter().map(|legal| legal.action_id);
        moves.max_by_key(|&action_id| lead(action_id)).unwrap_or_default()
    }
}

/// How far a seat is ahead of the best of the others.
fn margin(score: &Score, seat: usize) -> i32 {
    let total = |index: usize| i32::from(score.seats[index].total);
    let others = (0..score.seats.len()).filter(|&other| other != seat).map(total);
    total(seat) - others.max().unwrap_or_default()
}

#[tokio::main]
async fn main() -> Result<(), Ended> {
    shared::play(OnePly).await
}
