//! Plays a random legal move: the baseline for every other bot.

mod shared;

use azulejo_sdk::{Bot, Ended, Turn};

struct Random;

impl Bot for Random {
    fn choose(&self, turn: &Turn) -> u32 {
        let mut dice = [0; 4];
        // Without random numbers it plays the first one.
        let _none = getrandom::fill(&mut dice);
        let moves = &turn.legal_moves;
        moves[u32::from_le_bytes(dice) as usize % moves.len()].action_id
    }
}

#[tokio::main]
async fn main() -> Result<(), Ended> {
    shared::play(Random).await
}
