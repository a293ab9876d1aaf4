//! How often the same two owners met lately. Repeated meetings count less, so that two of them
//! cannot move their ratings by playing only each other.

use std::sync::Arc;

use rpds::{QueueSync, RedBlackTreeMapSync};

use crate::names::{Owner, Player};

/// Results of a pool that are remembered.
pub const WINDOW: u32 = 1_000;
/// So many meetings of two owners within them count in full.
pub const IN_FULL: u32 = 20;

/// Two owners, in the order of their names.
type Pair = (Owner, Owner);

/// The meetings within the last results of a pool. A copy is cheap.
#[derive(Clone, Debug)]
pub(super) struct Meetings {
    /// Who met, by result, the newest last.
    last: QueueSync<Arc<[Pair]>>,
    remembered: u32,
    counts: RedBlackTreeMapSync<Pair, u32>,
}

impl Meetings {
    pub(super) fn new() -> Self {
        let (last, counts) = (QueueSync::new_sync(), RedBlackTreeMapSync::new_sync());
        Self { last, remembered: 0, counts }
    }

    /// A result of these players.
    pub(super) fn add(&mut self, players: &[Player]) {
        let met: Arc<[Pair]> = pairs(players).collect();
        for pair in &*met {
            let count = self.counts.get(pair).copied().unwrap_or_default();
            self.counts.insert_mut(pair.clone(), count + 1);
        }
        self.last.enqueue_mut(met);
        if self.remembered < WINDOW {
            self.remembered += 1;
            return;
        }
        let oldest = self.last.peek().map(Arc::clone);
        self.last.dequeue_mut();
        for pair in oldest.iter().flat_map(|met| met.iter()) {
            match self.counts.get(pair).copied() {
                Some(count) if count > 1 => self.counts.insert_mut(pair.clone(), count - 1),
                Some(_) | None => {
                    self.counts.remove_mut(pair);
                }
            }
        }
    }

    /// How often these owners met. House bots are exempt: they exist to be met.
    pub(super) fn of(&self, one: &Player, other: &Player) -> u32 {
        let met = pair(one, other).and_then(|pair| self.counts.get(&pair).copied());
        met.unwrap_or_default()
    }

    /// How much the next result of these players counts for each of them: the mean over its
    /// opponents.
    pub(super) fn weights(&self, players: &[Player]) -> Vec<f64> {
        let weight = |(seat, own): (usize, &Player)| {
            let others = players.iter().enumerate().filter(|(other, _)| *other != seat);
            let weights: Vec<f64> =
                others.map(|(_, other)| weight_after(self.of(own, other))).collect();
            let count = u32::try_from(weights.len().max(1)).unwrap_or(u32::MAX);
            weights.iter().sum::<f64>() / f64::from(count)
        };
        players.iter().enumerate().map(weight).collect()
    }
}

/// The weight of a meeting after so many others.
fn weight_after(meetings: u32) -> f64 {
    if meetings < IN_FULL { 1.0 } else { f64::from(IN_FULL) / f64::from(meetings + 1) }
}

/// The owners of two players, unless one is the house, or they are the same.
fn pair(one: &Player, other: &Player) -> Option<Pair> {
    let (a, b) = (one.bot.owner(), other.bot.owner());
    let counts = a != b && !one.bot.is_house() && !other.bot.is_house();
    counts.then(|| if a < b { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) })
}

fn pairs(players: &[Player]) -> impl Iterator<Item = Pair> {
    let one = players.iter().enumerate();
    one.flat_map(|(seat, one)| players[seat + 1..].iter().filter_map(|other| pair(one, other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(names: &[&str]) -> Vec<Player> {
        names.iter().map(|name| format!("{name}@1").parse().unwrap()).collect()
    }

    #[test]
    fn the_first_meetings_count_in_full_and_the_others_less_and_less() {
        let (mut met, ann_bob) = (Meetings::new(), players(&["ann/a", "bob/b"]));
        for _ in 0..IN_FULL {
            assert_eq!(met.weights(&ann_bob), [1.0, 1.0]);
            met.add(&ann_bob);
        }
        assert_eq!(met.weights(&ann_bob), [20.0 / 21.0, 20.0 / 21.0]);
        (0..79).for_each(|_| met.add(&ann_bob));
        assert_eq!(met.weights(&ann_bob), [0.2, 0.2]);
        let other_bots = players(&["bob/other", "ann/other"]);
        assert_eq!(met.weights(&other_bots), [0.2, 0.2], "owners count, not bots");
        assert_eq!(met.weights(&players(&["ann/a", "cat/c"])), [1.0, 1.0]);
        let three = met.weights(&players(&["ann/a", "bob/b", "cat/c"]));
        assert_eq!(three, [0.6, 0.6, 1.0]);
    }

    #[test]
    fn meetings_are_forgotten_after_a_thousand_results_of_the_pool() {
        let (mut met, ann_bob) = (Meetings::new(), players(&["ann/a", "bob/b"]));
        (0..100).for_each(|_| met.add(&ann_bob));
        (0..WINDOW - 50).for_each(|_| met.add(&players(&["cat/c", "dan/d"])));
        assert_eq!(met.of(&ann_bob[0], &ann_bob[1]), 50);
        (0..50).for_each(|_| met.add(&players(&["cat/c", "dan/d"])));
        assert_eq!(met.of(&ann_bob[0], &ann_bob[1]), 0);
        assert_eq!(met.counts.size(), 1);
    }

    #[test]
    fn house_bots_are_met_as_often_as_needed() {
        let (mut met, house) = (Meetings::new(), players(&["ann/a", "house/greedy"]));
        (0..200).for_each(|_| met.add(&house));
        assert_eq!(met.weights(&house), [1.0, 1.0]);
    }
}
