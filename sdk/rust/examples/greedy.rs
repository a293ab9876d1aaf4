//! Plays the best next move by the rule of thumb of the built-in bot `greedy`.

mod shared;

use azulejo_sdk::engine::HouseBot;
use azulejo_sdk::{Ended, House};

#[tokio::main]
async fn main() -> Result<(), Ended> {
    shared::play(House(HouseBot::Greedy)).await
}
