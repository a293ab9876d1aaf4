//! The order of the results does not matter, to the last bit.

use azulejo_arena::pairing::shuffle;
use proptest::prelude::*;

use crate::chance::Chance;
use crate::{Played, games};

const BOTS: [&str; 7] = ["a/a", "b/b", "c/c", "d/d", "e/e", "f/f", "house/greedy"];

/// Matches of two to four of the bots with any placements, in small blocks.
fn matches() -> impl Strategy<Value = Vec<Played<'static>>> {
    let one = (2_usize..=4, Just(BOTS.to_vec()).prop_shuffle(), prop::collection::vec(1_u8..=4, 4));
    prop::collection::vec(one, 1..25).prop_map(|all| {
        let played =
            |(number, (seats, bots, places)): (u64, (usize, Vec<&'static str>, Vec<u8>))| {
                let seats = bots.into_iter().zip(places).take(seats).collect();
                (number, number / 3 * 3, seats)
            };
        (0..).zip(all).map(played).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn the_fit_does_not_depend_on_the_order_of_the_results(all in matches(), seed: u64) {
        let mut shuffled = all.clone();
        shuffle(&mut shuffled, &mut Chance(seed));
        prop_assert_eq!(games(&all).fit(), games(&shuffled).fit());
    }

    #[test]
    fn every_number_is_a_number_whatever_the_results(all in matches()) {
        let standings = games(&all).fit();
        prop_assert_eq!(standings.games, all.len());
        for line in &standings.lines {
            prop_assert!(line.rating.is_finite() && line.rating.abs() < 10_000.0, "{:?}", line);
            prop_assert!(line.plus_minus.is_finite() && line.plus_minus >= 0.0, "{:?}", line);
            prop_assert!(line.better_than_next.is_none_or(|chance| (0.49..=1.0).contains(&chance)));
        }
    }
}
