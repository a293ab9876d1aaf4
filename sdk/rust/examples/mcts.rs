//! A search without a network and without a server: trees of `azulejo_sdk::local` whose leaves are
//! evaluated by letting `greedy` play the game to its end. Plays against `random` and prints the
//! result.
//!
//! ```sh
//! cargo run --release -p azulejo-sdk --example mcts -- 5
//! ```

#![allow(clippy::print_stdout, reason = "the result")]

use azulejo_sdk::local::{
    Chance, Game, HouseBot, PlayError, Returns, Search, SearchOptions, Start,
};

/// Positions that are evaluated for a move.
const TURNS: u32 = 48;

fn main() -> Result<(), PlayError> {
    let games = std::env::args().nth(1).and_then(|games| games.parse().ok()).unwrap_or(5);
    let mut wins = 0;
    for seed in 0..games {
        let chance = Chance::seed(&seed.to_string())?;
        let mut game = Game::new("azul-colored-2", Start { chance, seat: 0 })?;
        while let Some(seat) = game.current_player() {
            let action = if seat == 0 {
                best(&game, seed)?
            } else {
                game.best_move(HouseBot::Random, seed)?
            };
            game.apply(action)?;
        }
        println!("seed {seed}: {:?}", game.scores());
        wins += u32::from(game.ranks()[0] == 1);
    }
    println!("won {wins} of {games} games against random");
    Ok(())
}

/// The move that was visited most.
fn best(game: &Game, seed: u64) -> Result<u16, PlayError> {
    let options = SearchOptions { seed, ..SearchOptions::default() };
    let mut search = Search::new(std::slice::from_ref(game), options)?;
    let mut observations = vec![0.0; search.observation_size()];
    let mut masks = vec![0; search.action_count()];
    let logits = vec![0.0; search.action_count()];
    let mut values = vec![0.0; search.players()];
    for turn in 0..TURNS {
        if search.request(&mut observations, &mut masks, &mut [0])? == 1
            && let Some(leaf) = search.leaf(0)
        {
            values = evaluate(&leaf, u64::from(turn))?;
        }
        search.submit(&logits, &values)?;
    }
    let mut visits = vec![0; search.action_count()];
    search.visits(&mut visits)?;
    let best = (0..).zip(&visits).max_by_key(|&(_, &visits)| visits);
    Ok(best.map(|(action, _)| action).unwrap_or_default())
}

/// The returns of one game that `greedy` plays to its end, clockwise from the seat that has to decide.
fn evaluate(leaf: &Game, seed: u64) -> Result<Vec<f32>, PlayError> {
    let viewer = leaf.current_player().unwrap_or_default();
    let mut game = Game::at(leaf.table(), Chance::numbered(seed));
    while !game.is_terminal() {
        game.apply(game.best_move(HouseBot::Greedy, seed)?)?;
    }
    let mut returns = game.returns(Returns::Win);
    returns.rotate_left(viewer);
    Ok(returns)
}
