//! Who is chosen, with dice that always fall the same.

use std::collections::BTreeMap;

use super::*;
use crate::names::Player;

/// A generator that returns the same numbers on every machine.
struct Lcg(u64);

impl Dice for Lcg {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        f64::from((self.0 >> 33) as u32) / f64::from(1_u32 << 31)
    }
}

fn candidate(name: &str, pool: Pool) -> Candidate {
    Candidate {
        player: Player { bot: name.parse().unwrap(), version: "1".parse().unwrap() },
        house: name.starts_with("house/"),
        pools: vec![pool],
        places: 1,
        free: 1,
        waited: Duration::ZERO,
        proven: true,
        careful: false,
    }
}

fn pool(players: usize) -> Pool {
    format!("azul-colored-{players}-blitz").parse().unwrap()
}

#[test]
fn two_bots_of_one_owner_never_meet() {
    let two = pool(2);
    let mut bots = vec![candidate("ann/a", two), candidate("ann/b", two)];
    assert_eq!(next_table(&mut bots, &Ladder::default(), &mut Lcg(1)), None);
    bots.push(candidate("bob/a", two));
    let table = next_table(&mut bots, &Ladder::default(), &mut Lcg(1)).unwrap();
    assert!(table.players.iter().any(|player| player.bot.as_str() == "bob/a"));
}

#[test]
fn a_bot_that_was_let_down_meets_only_proven_opponents() {
    let two = pool(2);
    let mut bots = vec![candidate("ann/a", two), candidate("new/b", two)];
    (bots[0].careful, bots[1].proven) = (true, false);
    assert_eq!(next_table(&mut bots.clone(), &Ladder::default(), &mut Lcg(1)), None);
    bots[1].proven = true;
    assert!(next_table(&mut bots, &Ladder::default(), &mut Lcg(1)).is_some());
}

#[test]
fn house_bots_may_meet_each_other_but_come_last() {
    let two = pool(2);
    let mut bots = vec![candidate("house/a", two), candidate("house/b", two)];
    assert!(next_table(&mut bots.clone(), &Ladder::default(), &mut Lcg(1)).is_some());
    bots.push(candidate("ann/a", two));
    let table = next_table(&mut bots, &Ladder::default(), &mut Lcg(1)).unwrap();
    assert!(table.players.iter().any(|player| player.bot.as_str() == "ann/a"));
}

#[test]
fn opponents_are_mostly_near_and_sometimes_far() {
    let two = pool(2);
    let mut dice = Lcg(7);
    let mut met: BTreeMap<String, u32> = BTreeMap::new();
    let mut ladder = Ladder::default();
    for (name, mean) in [("near/a", 26.0), ("far/a", 45.0)] {
        let standing = LiveRating { mean, ..LiveRating::new() };
        ladder.set(two, candidate(name, two).player, standing);
    }
    for _ in 0..1_000 {
        let mut bots =
            vec![candidate("ann/a", two), candidate("near/a", two), candidate("far/a", two)];
        bots[0].waited = Duration::from_secs(1_000);
        let table = next_table(&mut bots, &ladder, &mut dice).unwrap();
        for player in table.players {
            *met.entry(player.bot.to_string()).or_default() += 1;
        }
    }
    assert_eq!(met["ann/a"], 1_000);
    assert!(met["near/a"] > 800, "{met:?}");
    assert!(met["far/a"] > 10, "{met:?}");
}

#[test]
fn an_opponent_that_was_met_often_lately_is_avoided_if_another_one_is_free() {
    let two = pool(2);
    let bots = || vec![candidate("ann/a", two), candidate("bob/b", two), candidate("cat/c", two)];
    let mut ladder = Ladder::default();
    for (name, mean) in [("ann/a", 25.0), ("bob/b", 25.0), ("cat/c", 26.0)] {
        let standing = LiveRating { mean, deviation: 2.0, ..LiveRating::new() };
        ladder.set(two, candidate(name, two).player, standing);
    }
    // The same dice each time: how often of a thousand tables of ann does she meet bob?
    let met_bob = |ladder: &Ladder| {
        let mut dice = Lcg(7);
        let tables = (0..1_000).map(|_| {
            let mut bots = bots();
            bots[0].waited = Duration::from_secs(1_000);
            next_table(&mut bots, ladder, &mut dice).unwrap()
        });
        let bob = candidate("bob/b", two).player;
        tables.filter(|table| table.players.contains(&bob)).count()
    };
    let before = met_bob(&ladder);
    for _ in 0..8 {
        ladder.remember(two, &[bots()[0].player.clone(), bots()[1].player.clone()]);
    }
    let after = met_bob(&ladder);
    assert!(before > 500 && after < before - 100, "{before}, then {after}");

    let alone = next_table(&mut bots()[..2].to_vec(), &ladder, &mut Lcg(1));
    assert!(alone.is_some(), "without another one they meet again");
}

#[test]
fn a_table_has_as_many_different_bots_as_the_pool_has_players() {
    let four = pool(4);
    let names = ["a/a", "b/b", "c/c", "d/d", "e/e"];
    let mut bots: Vec<_> = names.iter().map(|name| candidate(name, four)).collect();
    let table = next_table(&mut bots, &Ladder::default(), &mut Lcg(3)).unwrap();
    let mut players = table.players.clone();
    players.sort();
    players.dedup();
    assert_eq!(players.len(), 4);
    assert_eq!(bots.iter().map(|bot| bot.free).sum::<u32>(), 1);
    assert_eq!(next_table(&mut bots, &Ladder::default(), &mut Lcg(3)), None, "one bot is left");
}

#[test]
fn a_bot_waits_for_a_large_table_if_there_are_enough_bots_but_not_forever() {
    let (two, four) = (pool(2), pool(4));
    let known = LiveRating { games: 50, ..LiveRating::new() };
    let mut bots: Vec<_> = ["a/a", "b/b", "c/c", "d/d"]
        .iter()
        .map(|name| {
            let mut bot = candidate(name, four);
            bot.pools.push(two);
            bot
        })
        .collect();
    let mut ladder = Ladder::default();
    for bot in &bots {
        ladder.set(two, bot.player.clone(), known);
    }
    (bots[2].free, bots[3].free) = (0, 0);

    assert_eq!(next_table(&mut bots.clone(), &ladder, &mut Lcg(5)), None, "two are still busy");
    let mut later = bots.clone();
    for bot in &mut later {
        bot.waited = LONGEST_WAIT;
    }
    assert_eq!(next_table(&mut later, &ladder, &mut Lcg(5)).unwrap().pool, two);
    bots.truncate(3);
    assert_eq!(
        next_table(&mut bots, &ladder, &mut Lcg(5)).unwrap().pool,
        two,
        "never enough for four"
    );
}

#[test]
fn the_bot_that_waits_longest_plays_first() {
    let two = pool(2);
    let mut bots: Vec<_> =
        ["a/a", "b/b", "c/c", "d/d"].iter().map(|name| candidate(name, two)).collect();
    bots[2].waited = Duration::from_mins(1);
    let table = next_table(&mut bots, &Ladder::default(), &mut Lcg(5)).unwrap();
    assert!(table.players.iter().any(|player| player.bot.as_str() == "c/c"));
}

#[test]
fn a_table_says_why_it_was_formed() {
    let two = pool(2);
    let mut ladder = Ladder::default();
    let mut bots = vec![candidate("ann/a", two), candidate("bob/b", two)];
    bots[0].waited = Duration::from_millis(2_500);
    let known = LiveRating { mean: 26.0, ..LiveRating::new() };
    ladder.set(two, bots[1].player.clone(), known);
    let table = next_table(&mut bots, &ladder, &mut Lcg(5)).unwrap();
    let (host, opponent) = table.why.split_once("; ").unwrap();
    let expected = "ann/a@1 needed a match most: matchmaking estimate 1500 ± 1000 after 0 matches in this \
         pool, waited 2.5 s";
    assert_eq!(host, expected);
    assert!(
        opponent.starts_with("bob/b@1, matchmaking estimate 1560: nearest to the target "),
        "{opponent}"
    );
    let seat = table.players.iter().position(|player| player.bot.as_str() == "ann/a").unwrap();
    assert_eq!(table.reasons[seat], SeatReason::NeedsMatch);
    assert_eq!(table.reasons[1 - seat], SeatReason::NearRating);
}
