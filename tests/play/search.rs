//! Search trees with the network outside.

use azulejo_play::{Game, HouseBot, Ruleset, Search, SearchOptions, Start};

use crate::transcript::seeded;

/// Arrays of a search, and a network that knows nothing.
struct Rows {
    observations: Vec<f32>,
    masks: Vec<u8>,
    ready: Vec<u8>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl Rows {
    fn of(search: &Search) -> Self {
        let trees = search.len();
        Self {
            observations: vec![0.0; trees * search.observation_size()],
            masks: vec![0; trees * search.action_count()],
            ready: vec![0; trees],
            logits: vec![0.0; trees * search.action_count()],
            values: vec![0.0; trees * search.players()],
        }
    }

    fn request(&mut self, search: &mut Search) -> usize {
        search.request(&mut self.observations, &mut self.masks, &mut self.ready).unwrap()
    }
}

fn visits(search: &Search) -> Vec<u32> {
    let mut visits = vec![0; search.len() * search.action_count()];
    search.visits(&mut visits).unwrap();
    visits
}

#[test]
fn every_tree_is_visited_once_per_turn_and_only_by_legal_moves() {
    for ruleset in Ruleset::all() {
        let games: Vec<Game> = (0..3).map(|seed| seeded(&ruleset.key(), seed)).collect();
        let mut search = Search::new(&games, SearchOptions::default()).unwrap();
        let mut rows = Rows::of(&search);
        for turn in 0..40 {
            assert_eq!(rows.request(&mut search), 3, "turn {turn}");
            assert_eq!(rows.request(&mut search), 3, "the same positions again");
            search.submit(&rows.logits, &rows.values).unwrap();
        }
        let visits = visits(&search);
        for (game, visits) in games.iter().zip(visits.chunks(search.action_count())) {
            // The first turn evaluates the root.
            assert_eq!(visits.iter().sum::<u32>(), 39);
            let mut legal = Vec::new();
            game.legal_actions(&mut legal);
            for (id, &count) in (0..).zip(visits) {
                assert!(count == 0 || legal.contains(&id), "{id}");
            }
        }
    }
}

/// The network says that a game is won by the seat that has to decide: so no seat wants to leave the
/// decision to another one. Values are those of the viewer first.
#[test]
fn values_are_read_clockwise_from_the_viewer() {
    let games = [seeded("azul-colored-3", 1)];
    let mut search = Search::new(&games, SearchOptions::default()).unwrap();
    let mut rows = Rows::of(&search);
    for _ in 0..3 {
        rows.request(&mut search);
        rows.values.copy_from_slice(&[0.5, -0.25, -0.25]);
        search.submit(&rows.logits, &rows.values).unwrap();
    }
    let mut values = vec![0.0; 3];
    search.values(&mut values).unwrap();
    // Both visits ended at the second seat.
    assert_eq!(values, [-0.25, 0.5, -0.25]);
}

/// With playouts of random moves in place of a network, a search beats a random player.
#[test]
fn a_search_with_random_playouts_beats_random_moves() {
    let mut wins = 0;
    for seed in 0..6 {
        let mut game = seeded("azul-colored-2", seed);
        while let Some(seat) = game.current_player() {
            let action = if seat == 0 { searched(&game, seed) } else { random(&game, seed) };
            game.apply(action).unwrap();
        }
        wins += u32::from(game.ranks()[0] == 1);
    }
    assert!(wins >= 5, "{wins} of 6");
}

fn random(game: &Game, seed: u64) -> u16 {
    game.best_move(HouseBot::Random, seed).unwrap()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
fn byte(value: f32) -> u8 {
    value.round() as u8
}

fn searched(game: &Game, seed: u64) -> u16 {
    let options = SearchOptions { seed, exploration: 1.0, ..SearchOptions::default() };
    let mut search = Search::new(std::slice::from_ref(game), options).unwrap();
    let mut rows = Rows::of(&search);
    for turn in 0..60 {
        if rows.request(&mut search) == 1 {
            // The position that waits, seen by the seat that has to decide.
            let raw: Vec<u8> = rows
                .observations
                .iter()
                .zip(game.layout().scales())
                .map(|(&value, scale)| byte(value * f32::from(scale)))
                .collect();
            let chance = azulejo_play::Chance::numbered(turn);
            let leaf = Game::from_observation("azul-colored-2", &raw, chance).unwrap();
            let viewer = leaf.current_player().unwrap();
            let mut end = leaf;
            end.play_out(turn);
            let returns = end.returns(azulejo_play::Returns::Win);
            rows.values = vec![returns[viewer], returns[1 - viewer]];
        }
        search.submit(&rows.logits, &rows.values).unwrap();
    }
    let visits = visits(&search);
    let best = (0..visits.len()).max_by_key(|&id| visits[id]).unwrap();
    u16::try_from(best).unwrap()
}

/// The position of a game in which every move is the last one, if it comes to that.
fn one_move_from_the_end(seed: u64) -> Option<Game> {
    let mut game = seeded("azul-colored-2", seed);
    let mut actions = Vec::new();
    while !game.is_terminal() {
        game.legal_actions(&mut actions);
        let ends = |&action: &u16| {
            let mut next = game.clone();
            next.apply(action).unwrap();
            next.is_terminal()
        };
        if actions.iter().all(ends) {
            return Some(game);
        }
        game.apply(game.best_move(HouseBot::Random, seed).unwrap()).unwrap();
    }
    None
}

#[test]
fn a_finished_game_below_the_root_is_counted_without_the_network() {
    let game = (0..).find_map(one_move_from_the_end).unwrap();
    let mut search = Search::new(&[game], SearchOptions::default()).unwrap();
    let mut rows = Rows::of(&search);
    assert_eq!(rows.request(&mut search), 1);
    search.submit(&rows.logits, &rows.values).unwrap();
    assert_eq!(rows.request(&mut search), 0, "every move ends the game");
    assert!(visits(&search).iter().sum::<u32>() > 10);
}

#[test]
fn numbers_of_a_network_that_are_not_finite_are_refused_and_change_nothing() {
    let game = Game::new("azul-colored-2", Start::default()).unwrap();
    let mut search = Search::new(&[game], SearchOptions::default()).unwrap();
    let mut rows = Rows::of(&search);
    rows.request(&mut search);
    rows.logits[3] = f32::NAN;
    assert_eq!(search.submit(&rows.logits, &rows.values).unwrap_err().reason(), "NOT_FINITE");
    rows.logits[3] = 0.0;
    rows.values[0] = f32::INFINITY;
    assert_eq!(search.submit(&rows.logits, &rows.values).unwrap_err().reason(), "NOT_FINITE");
    assert_eq!(search.submit(&[], &rows.values).unwrap_err().reason(), "WRONG_COUNT");
    rows.values[0] = 0.0;
    assert_eq!(rows.request(&mut search), 1);
    search.submit(&rows.logits, &rows.values).unwrap();
}

#[test]
fn minus_infinity_masks_moves_and_rows_of_trees_that_do_not_wait_are_ignored() {
    let game = Game::new("azul-colored-2", Start::default()).unwrap();
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    let mut search = Search::new(&[game], SearchOptions::default()).unwrap();
    let mut rows = Rows::of(&search);
    rows.logits.fill(f32::NEG_INFINITY);
    rows.logits[usize::from(legal[5])] = 0.0;
    for _ in 0..20 {
        rows.request(&mut search);
        search.submit(&rows.logits, &rows.values).unwrap();
        // Now no tree waits.
        rows.logits.fill(f32::NAN);
        search.submit(&rows.logits, &rows.values).unwrap();
        rows.logits.fill(f32::NEG_INFINITY);
    }
    let mut visits = vec![0; search.action_count()];
    search.visits(&mut visits).unwrap();
    assert_eq!(visits.iter().sum::<u32>(), visits[usize::from(legal[5])]);
    assert!(visits[usize::from(legal[5])] > 10);
    let mut values = vec![0.0; 2];
    search.values(&mut values).unwrap();
    assert!(values.iter().all(|value| value.is_finite()), "{values:?}");
}

#[test]
fn a_tree_cannot_restart_at_a_game_of_another_ruleset() {
    let game = |key: &str| Game::new(key, Start::default()).unwrap();
    let mut search = Search::new(&[game("azul-colored-2")], SearchOptions::default()).unwrap();
    for other in ["azul-gray-2", "azul-colored-3", "summer-pavilion-colored-2"] {
        assert_eq!(search.restart(0, &game(other)).unwrap_err().reason(), "OTHER_GAME");
    }
    let mut rows = Rows::of(&search);
    assert_eq!(rows.request(&mut search), 1);
    search.restart(0, &game("azul-colored-2")).unwrap();
}
