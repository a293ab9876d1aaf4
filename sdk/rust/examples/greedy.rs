//! The move that looks best at once, by the house's rule of thumb.

mod shared;

use azulejo_sdk::engine::HouseBot;
use azulejo_sdk::{Ended, House};

#[tokio::main]
async fn main() -> Result<(), Ended> {
    shared::play(House(HouseBot::Greedy)).await
}
