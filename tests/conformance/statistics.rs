//! Uniform random play of two players has known statistics: rule-correct engines agree on them.

use azulejo_rules::azul::Position;
use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_tests::{Playable, Style, play_game};

const GAMES: u32 = 20_000;

/// Mean over games, and four standard errors of it.
fn mean_and_noise(values: &[f64]) -> (f64, f64) {
    let count = f64::from(GAMES);
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, 4.0 * (variance / count).sqrt())
}

fn assert_within_noise(what: &str, values: &[f64], known: (f64, f64)) {
    let (mean, noise) = mean_and_noise(values);
    eprintln!("{what}: {mean:.3} +/- {noise:.3}, known {known:?}");
    assert!(mean > known.0 - noise && mean < known.1 + noise, "{what}: {mean} against {known:?}");
}

#[test]
fn random_games_of_two_are_as_long_and_as_poor_as_those_of_other_correct_engines() {
    let (mut plies, mut widths, mut rounds, mut scores) = (vec![], vec![], vec![], vec![]);
    for seed in 0..u64::from(GAMES) {
        let (mut turns, mut offered) = (0.0, 0.0);
        let game = play_game(
            Side::Colored,
            PlayerCount::Two,
            Style::Uniform,
            seed,
            |position: &Position, _| {
                if position.to_move().is_some() {
                    turns += 1.0;
                    offered += f64::from(position.count_moves());
                }
            },
        );
        plies.push(turns);
        widths.push(offered);
        rounds.push(f64::from(game.last.rounds()));
        let score = game.last.score();
        scores.push(score.seats.iter().map(|seat| f64::from(seat.total())).sum::<f64>() / 2.0);
    }

    // A turn's number of moves is a ratio of sums: its noise is that of the sums.
    let (turns, _) = mean_and_noise(&plies);
    let per_turn: Vec<f64> = widths.iter().map(|offered| offered / turns).collect();
    assert_within_noise("plies a game", &plies, (70.4, 70.4));
    assert_within_noise("legal moves a turn", &per_turn, (23.15, 23.15));
    assert_within_noise("rounds a game", &rounds, (6.60, 6.60));
    assert_within_noise("mean score", &scores, (2.95, 3.00));
}
