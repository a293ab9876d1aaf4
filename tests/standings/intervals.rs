//! How the intervals become narrower with the number of games: from when on a version has a rank.

use azulejo_arena::standings::Line;
use rstest::rstest;

use crate::ladder::Simulation;
use crate::{games, line, wins};

/// Numbers of games, and how many lines count as having about as many.
const GAMES: [(u32, std::ops::RangeInclusive<u32>); 7] = [
    (5, 4..=6),
    (10, 9..=11),
    (15, 14..=16),
    (20, 18..=22),
    (30, 27..=33),
    (50, 45..=55),
    (100, 90..=110),
];

/// The table from which the limit of 150 points was chosen.
#[rstest]
#[case::two_players(2)]
#[case::three_players(3)]
#[case::four_players(4)]
fn most_versions_have_a_rank_after_thirty_games_and_all_after_fifty(#[case] players: usize) {
    let mut lines: Vec<Line> = Vec::new();
    for (seed, until) in (50..).zip([3, 6, 10, 20, 30, 60, 85]) {
        let standings = Simulation::run(players, until, seed).games.fit();
        lines.extend(standings.lines.into_iter().filter(|line| !line.player.bot.is_house()));
    }
    for (games, about) in GAMES {
        let mut found: Vec<f64> = lines
            .iter()
            .filter(|line| about.contains(&line.games))
            .map(|line| line.plus_minus)
            .collect();
        found.sort_by(f64::total_cmp);
        let quantile = |percent: usize| found[(found.len() - 1) * percent / 100];
        let narrow = found.iter().filter(|around| **around <= 150.0).count();
        println!(
            "{players} players, {games} games: ± {:.0}, 10 to 90 %: {:.0} to {:.0}; at most 150 for \
             {:.0} % of {}",
            quantile(50),
            quantile(10),
            quantile(90),
            100.0 * narrow as f64 / found.len() as f64,
            found.len(),
        );
    }
    for line in &lines {
        let wide = line.games < 10 || line.plus_minus > 150.0 && line.games < 50;
        assert_eq!(line.provisional, wide || line.group > 1, "{line:?}");
        assert_eq!(line.rank.is_none(), line.provisional, "{line:?}");
    }
    let ranked = |about: std::ops::RangeInclusive<u32>| {
        let found = lines.iter().filter(|line| about.contains(&line.games));
        let ranks: Vec<f64> = found.map(|line| f64::from(line.rank.is_some())).collect();
        ranks.iter().sum::<f64>() / ranks.len() as f64
    };
    let shares = [ranked(1..=10), ranked(30..=40), ranked(50..=200)];
    println!("share with a rank after up to 10, 30 to 40, and 50 games: {shares:?}");
    assert!(shares[0] < 0.05 && shares[1] > 0.5 && shares[2] > 0.99, "{shares:?}");
}

#[test]
fn a_bot_that_always_wins_has_a_rank_after_fifty_games() {
    let champion = |blocks: u64| {
        let mut all = wins(0, blocks, "ann/a", "bob/b");
        all.extend(wins(1_000, blocks, "ann/a", "cat/c"));
        all.extend(wins(2_000, 150, "bob/b", "cat/c"));
        all.extend(wins(3_000, 150, "cat/c", "bob/b"));
        games(&all).fit()
    };
    let (few, many) = (champion(12), champion(13));
    let (before, after) = (line(&few, "ann/a"), line(&many, "ann/a"));
    assert!(before.plus_minus > 150.0 && after.plus_minus > 150.0, "{few:?} {many:?}");
    assert_eq!((before.games, before.rank), (48, None));
    assert_eq!((after.games, after.rank), (52, Some(1)));
}

#[test]
fn two_bots_have_no_rank_before_their_tenth_game() {
    let even = |blocks: u64| {
        let mut all = Vec::new();
        for number in 0..blocks {
            let first = 2 * number;
            all.push((first, first, vec![("ann/a", 1), ("bob/b", 2)]));
            all.push((first + 1, first, vec![("bob/b", 1), ("ann/a", 2)]));
        }
        games(&all).fit()
    };
    let (few, enough) = (even(4), even(5));
    assert!(few.lines.iter().all(|line| line.provisional && line.plus_minus < 150.0), "{few:?}");
    assert!(enough.lines.iter().all(|line| !line.provisional), "{enough:?}");
}

#[test]
fn versions_that_share_no_opponent_with_the_largest_group_have_no_rank() {
    let mut all = wins(0, 60, "ann/a", "bob/b");
    all.extend(wins(1_000, 60, "bob/b", "cat/c"));
    all.extend(wins(2_000, 60, "xan/x", "yul/y"));
    let standings = games(&all).fit();
    let ranks: Vec<_> = standings.lines.iter().map(|line| (line.group, line.rank)).collect();
    assert_eq!(ranks, [(1, Some(1)), (1, Some(2)), (1, Some(3)), (2, None), (2, None)]);
    assert!(line(&standings, "xan/x").better_than_next.unwrap() > 0.95, "{standings:?}");
}

#[test]
fn provisional_versions_come_last_and_have_no_rank() {
    let mut all = wins(0, 30, "ann/a", "bob/b");
    all.extend(wins(1_000, 25, "bob/b", "ann/a"));
    all.extend(wins(2_000, 2, "new/lucky", "ann/a"));
    let standings = games(&all).fit();
    let lucky = line(&standings, "new/lucky");
    assert!(lucky.rating > line(&standings, "ann/a").rating, "{standings:?}");
    assert!(lucky.provisional && lucky.plus_minus > 150.0, "{standings:?}");
    let ranks: Vec<_> =
        standings.lines.iter().map(|line| (line.player.bot.as_str(), line.rank)).collect();
    assert_eq!(ranks, [("ann/a", Some(1)), ("bob/b", Some(2)), ("new/lucky", None)]);
    assert!(line(&standings, "ann/a").better_than_next.is_some());
    let last = line(&standings, "bob/b");
    assert_eq!((last.better_than_next, last.games_to_separate), (None, None), "{last:?}");
}
