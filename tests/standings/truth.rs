//! Accuracy of the standings: 200 bots with strengths spread by 200 points of Elo, at tables of two,
//! three and four, 100 games each.

use azulejo_arena::standings::Standings;
use rstest::rstest;

use crate::figures::{self, Figures};
use crate::ladder::{BOTS, Simulation};

/// Ladders for each number of players: one alone has too few bots to distinguish 95 % from 93 %.
const LADDERS: u64 = 6;

#[rstest]
#[case::two_players(2)]
#[case::three_players(3)]
#[case::four_players(4)]
fn after_100_games_the_standings_are_accurate_and_no_bot_waited_long(#[case] players: usize) {
    let seeds = (0..LADDERS).map(|number| number * 10 + players as u64);
    let runs: Vec<Figures> = seeds
        .map(|seed| {
            let simulation = Simulation::run(players, 100, seed);
            let standings = simulation.games.fit();
            never_two_bots_of_one_owner(&simulation);
            let figures = Figures::of(&simulation, &standings);
            println!("{players} players, seed {seed}: {figures}");
            if seed == players as u64 {
                figures::write(players, &simulation, &standings);
            }
            figures
        })
        .collect();

    for run in &runs {
        assert!(run.spearman >= 0.95, "the order is the true one: {run}");
        assert!(run.longest_wait < 300.0, "no bot starved: {run}");
        assert!(run.wait_95 < 60.0, "few bots waited: {run}");
        assert!(run.seat_excess <= 0.06, "every bot had every seat: {run}");
        assert!((0.05..0.20).contains(&run.anchored), "house bots play now and then: {run}");
    }
    let covered: usize = runs.iter().map(|run| run.covered).sum();
    let coverage = covered as f64 / (BOTS * runs.len()) as f64;
    println!("{players} players: 95 % intervals hold the truth in {:.1} %", 100.0 * coverage);
    assert!((0.93..=0.97).contains(&coverage), "{coverage}");
}

fn never_two_bots_of_one_owner(simulation: &Simulation) {
    for table in &simulation.tables {
        for (index, one) in table.iter().enumerate() {
            for other in &table[index + 1..] {
                let house = one.bot.owner().as_str() == "house";
                assert!(house || one.bot.owner() != other.bot.owner(), "{one} met {other}");
                assert_ne!(one, other);
            }
        }
    }
}

/// The probability that the next line is worse is calibrated.
#[test]
fn the_probability_to_be_better_than_the_next_line_is_calibrated() {
    let (mut right, mut all) = (0.0, 0.0);
    for seed in 100..130 {
        let simulation = Simulation::run(2, 20, seed);
        let Standings { lines, .. } = simulation.games.fit();
        for pair in lines.windows(2) {
            let strength = |line: usize| simulation.bots[&pair[line].player].strength;
            if pair[0].better_than_next.is_some_and(|chance| chance < 0.98) {
                all += pair[0].better_than_next.unwrap();
                right += if strength(0) > strength(1) { 1.0 } else { 0.0 };
            }
        }
    }
    println!("of {all:.0} expected, {right:.0} were better");
    assert!(all > 1_000.0);
    assert!((right / all - 1.0_f64).abs() < 0.05, "{right} of {all}");
}
