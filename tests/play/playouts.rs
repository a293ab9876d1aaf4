//! Statistics of many games.

use azulejo_play::{Game, HouseBot, Start, playouts, playouts_in};

fn start(ruleset: &str) -> Game {
    Game::new(ruleset, Start::default()).unwrap()
}

#[test]
fn the_statistics_do_not_depend_on_the_number_of_threads() {
    let game = start("summer-pavilion-colored-3");
    let bots = [HouseBot::Random];
    let one = playouts(&game, 1_000, &bots, 5, 1).unwrap();
    assert_eq!(playouts(&game, 1_000, &bots, 5, 3).unwrap(), one);
    assert_ne!(playouts(&game, 1_000, &bots, 6, 1).unwrap(), one);
    assert_eq!((one.scores.len(), one.ranks.len()), (3_000, 3_000));
    assert_eq!((one.lengths.len(), one.rounds.len()), (1_000, 1_000));
    assert!(one.rounds.iter().all(|&rounds| rounds == 6));
}

#[test]
fn bots_take_the_seats_in_turn() {
    let game = start("azul-colored-4");
    let bots = [HouseBot::Greedy, HouseBot::Random];
    let played = playouts(&game, 60, &bots, 1, 2).unwrap();
    let won = |seat: usize| played.ranks.chunks(4).filter(|ranks| ranks[seat] == 1).count();
    assert!(won(0) + won(2) > 55, "{} {} {} {}", won(0), won(1), won(2), won(3));
}

#[test]
fn too_many_or_no_games_or_bots_are_refused() {
    let game = start("azul-colored-2");
    let bots = [HouseBot::Random; 3];
    for (games, bots) in [(0, &bots[..1]), (usize::MAX, &bots[..1]), (1, &bots[..0]), (1, &bots)] {
        assert_eq!(playouts(&game, games, bots, 1, 1).unwrap_err().reason(), "OUT_OF_RANGE");
    }
}

#[test]
fn games_in_several_parts_are_the_games_of_one_call() {
    let game = start("azul-colored-2");
    let bots = [HouseBot::Random];
    let all = playouts(&game, 40_960, &bots, 9, 2).unwrap();
    let mut parts = playouts_in(&game, 0..20_480, &bots, 9, 2).unwrap();
    parts.append(playouts_in(&game, 20_480..20_500, &bots, 9, 1).unwrap());
    parts.append(playouts_in(&game, 20_500..40_960, &bots, 9, 3).unwrap());
    assert!(parts == all);
    // No game is played twice: so many equal scores, lengths and ranks in a row are not by chance.
    let (one, other) = all.scores.split_at(all.scores.len() / 2);
    let known: std::collections::HashSet<_> = one.chunks(40).collect();
    assert!(other.chunks(40).all(|games| !known.contains(games)));
}
