//! Cases whose answer is known.

use azulejo_arena::standings::Games;

use crate::{games, line, wins};

#[test]
fn without_results_there_are_no_lines() {
    let standings = Games::default().fit();
    assert_eq!(standings.games, 0);
    assert!(standings.lines.is_empty());
    assert!(standings.seat_points.is_empty());
}

#[test]
fn a_bot_that_always_wins_has_a_finite_rating_and_a_wide_interval() {
    let standings = games(&wins(0, 1, "ann/a", "bob/b")).fit();
    let (ann, bob) = (line(&standings, "ann/a"), line(&standings, "bob/b"));
    assert!(ann.rating > bob.rating + 50.0 && ann.rating < bob.rating + 600.0, "{standings:?}");
    assert!(ann.plus_minus > 150.0 && ann.plus_minus < 700.0, "{standings:?}");

    let more = games(&wins(0, 100, "ann/a", "bob/b")).fit();
    let (better, worse) = (line(&more, "ann/a"), line(&more, "bob/b"));
    assert!(
        better.rating - worse.rating > ann.rating - bob.rating,
        "more wins make a larger difference"
    );
    assert!(better.rating - worse.rating < 2_500.0, "{more:?}");
    assert!(better.better_than_next.unwrap() > 0.99, "{more:?}");
    assert_eq!(better.games_to_separate, Some(0));
}

#[test]
fn equal_bots_have_equal_ratings_and_cannot_be_distinguished() {
    let mut all = wins(0, 20, "ann/a", "bob/b");
    all.extend(wins(1_000, 20, "bob/b", "ann/a"));
    let standings = games(&all).fit();
    let (first, second) = (&standings.lines[0], &standings.lines[1]);
    assert!((first.rating - second.rating).abs() < 0.1, "{standings:?}");
    assert!((first.better_than_next.unwrap() - 0.5).abs() < 0.01, "{standings:?}");
    assert_eq!(first.games_to_separate, None, "no number of games would be enough");
    assert_eq!((second.better_than_next, second.games_to_separate), (None, None), "the last line");
}

#[test]
fn a_tie_is_half_a_win() {
    let tie = |n: u64| {
        let mut seats = vec![("ann/a", 1), ("bob/b", 1)];
        seats.rotate_left(usize::try_from(n % 2).unwrap());
        (n, n / 2, seats)
    };
    let ties: Vec<_> = (0..20).map(tie).collect();
    let standings = games(&ties).fit();
    assert!((standings.lines[0].rating - standings.lines[1].rating).abs() < 0.1);

    let mut mostly: Vec<_> = ties;
    mostly.extend(wins(100, 5, "ann/a", "bob/b"));
    let standings = games(&mostly).fit();
    let (ann, bob) = (line(&standings, "ann/a"), line(&standings, "bob/b"));
    // 20 halves and 10 wins of 30 games: two to one, 120 points of Elo, drawn a little to the middle.
    assert!((ann.rating - bob.rating - 120.0).abs() < 15.0, "{standings:?}");
}

#[test]
fn three_wins_of_four_are_about_190_points() {
    let mut all = wins(0, 150, "ann/a", "bob/b");
    all.extend(wins(10_000, 50, "bob/b", "ann/a"));
    let standings = games(&all).fit();
    let (ann, bob) = (line(&standings, "ann/a"), line(&standings, "bob/b"));
    assert!((ann.rating - bob.rating - 190.8).abs() < 4.0, "{standings:?}");
    assert_eq!(ann.games, 400);
}

#[test]
fn a_bot_that_forfeits_is_last_and_that_counts() {
    // One of four players forfeits each time: the others keep their places.
    // All have played enough games for a rank.
    let all: Vec<_> = (0..60)
        .map(|n| {
            let mut seats = vec![("a/a", 1), ("b/b", 2), ("c/c", 3), ("quitter/q", 4)];
            seats.rotate_left(usize::try_from(n % 4).unwrap());
            (n, n / 4, seats)
        })
        .collect();
    let standings = games(&all).fit();
    let order: Vec<_> = standings.lines.iter().map(|line| line.player.bot.to_string()).collect();
    assert_eq!(order, ["a/a", "b/b", "c/c", "quitter/q"]);
}

#[test]
fn bots_that_share_no_opponent_are_not_compared() {
    let mut all = wins(0, 30, "ann/a", "bob/b");
    all.extend(wins(1_000, 30, "bob/b", "cat/c"));
    all.extend(wins(2_000, 30, "xan/x", "yul/y"));
    let standings = games(&all).fit();
    let groups: Vec<_> =
        standings.lines.iter().map(|line| (line.player.bot.as_str(), line.group)).collect();
    assert_eq!(groups, [("ann/a", 1), ("bob/b", 1), ("cat/c", 1), ("xan/x", 2), ("yul/y", 2)]);
    assert_eq!(line(&standings, "cat/c").better_than_next, None, "the last line of its group");
    assert!(line(&standings, "xan/x").better_than_next.unwrap() > 0.95);

    all.extend(wins(3_000, 1, "yul/y", "cat/c"));
    let linked = games(&all).fit();
    assert!(linked.lines.iter().all(|line| line.group == 1), "one block links them: {linked:?}");
}

#[test]
fn the_anchor_of_the_house_has_the_middle_of_the_scale() {
    let mut all = wins(0, 30, "ann/a", "house/greedy");
    all.extend(wins(1_000, 30, "house/greedy", "bob/b"));
    all.extend(wins(2_000, 10, "house/greedy", "ann/a"));
    let standings = games(&all).fit();
    assert!((line(&standings, "house/greedy").rating - 1_500.0).abs() < 0.1, "{standings:?}");

    let alone = games(&wins(0, 5, "ann/a", "bob/b")).fit();
    let middle = f64::midpoint(alone.lines[0].rating, alone.lines[1].rating);
    assert!((middle - 1_500.0).abs() < 0.2, "without it the mean of the field has it: {alone:?}");
}

#[test]
fn ratings_are_adjusted_for_seat_advantage() {
    // The first seat wins nine of ten games, with either bot; ann has it more often.
    let mut all = Vec::new();
    for n in 0..300_u64 {
        let (first, second) = if n % 3 == 0 { ("bob/b", "ann/a") } else { ("ann/a", "bob/b") };
        let first_wins = (n / 3) % 10 != 0;
        let places = if first_wins { (1, 2) } else { (2, 1) };
        all.push((n, n, vec![(first, places.0), (second, places.1)]));
    }
    let standings = games(&all).fit();
    assert!((standings.lines[0].rating - standings.lines[1].rating).abs() < 25.0, "{standings:?}");
    assert!(standings.seat_points[0] > 150.0, "{standings:?}");
    assert!(standings.seat_points.iter().sum::<f64>().abs() < 0.2);
}

#[test]
fn more_games_make_an_interval_narrower_and_the_forecast_is_about_right() {
    let mixed = |blocks: u64| {
        let mut all = wins(0, blocks * 6 / 10, "ann/a", "bob/b");
        all.extend(wins(1_000_000, blocks * 4 / 10, "bob/b", "ann/a"));
        games(&all).fit()
    };
    let (few, many) = (mixed(30), mixed(480));
    let ratio = few.lines[0].plus_minus / many.lines[0].plus_minus;
    assert!((3.2..4.8).contains(&ratio), "sixteen times the games, a quarter the width: {ratio}");
    let needed = few.lines[0].games_to_separate.unwrap();
    assert!(needed > 0);
    let blocks = u64::midpoint(needed.into(), 60) * 5 / 4;
    let enough = mixed(blocks);
    assert_eq!(enough.lines[0].games_to_separate, Some(0), "{needed} more: {enough:?}");
}
