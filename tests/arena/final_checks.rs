//! Checks at the end of a run.

use azulejo_arena::match_run::{Match, Phase};
use azulejo_arena::rating::Ladder;
use azulejo_arena::time::Time;
use azulejo_engine::fairness;

use crate::store::player_of;
use crate::world::World;

impl World {
    pub(crate) fn check_the_end(&mut self) {
        self.ratings_match_a_recomputation();
        self.matches_replay();
        self.every_end_arrived();
        self.tally.add_many("simulated seconds", self.now / 1_000_000);
        self.tally.add_many("match: ended", self.store.rows.ended.len() as u64);
    }

    /// Stored ratings match a recomputation, bit for bit.
    fn ratings_match_a_recomputation(&self) {
        let folded = Ladder::fold(&self.store.outcomes());
        let mut count = 0;
        for (pool, table) in folded.pools() {
            for (player, folded) in table {
                let (_, kept) = &self.store.rows.standings[&(pool.to_string(), player.clone())];
                assert_eq!(kept.mean.to_bits(), folded.mean.to_bits());
                assert_eq!(kept.deviation.to_bits(), folded.deviation.to_bits());
                assert_eq!(kept.wins.to_bits(), folded.wins.to_bits());
                assert_eq!((kept.games, kept.forfeits), (folded.games, folded.forfeits));
                count += 1;
            }
        }
        assert_eq!(count, self.store.rows.standings.len());
    }

    fn matches_replay(&self) {
        for (id, row) in &self.store.rows.matches {
            let shadow = &self.checker.shadows[id];
            let run = Match::replay(&row.saved(), Time::default()).unwrap();
            assert_eq!(run.table(), shadow.tables.last());
            assert_eq!(run.nonces(), shadow.nonces);
            assert_eq!(run.is_over(), row.end.is_some());
            if let Phase::Ended(seats) = run.phase() {
                assert_eq!(*seats, row.end.as_ref().unwrap().seats);
            }
            // Every bot that was asked to play received the commitment to the secret.
            let commitment = fairness::commitment(id.as_str(), &row.secret);
            if let Some(announced) = self.checker.commitments.get(id) {
                assert_eq!(*announced, commitment.0);
            } else {
                assert!(shadow.tables.is_empty(), "a match began without a commitment");
            }
        }
        let once: std::collections::BTreeSet<_> = self.store.rows.ended.iter().collect();
        assert_eq!(once.len(), self.store.rows.ended.len(), "one end each");
    }

    /// All bots were connected for a while, so each has received every end except the latest.
    fn every_end_arrived(&self) {
        let recent = 12_000;
        let now = self.wall + self.now / 1_000;
        for id in &self.store.rows.ended {
            let row = &self.store.rows.matches[id];
            let at = row.end.as_ref().unwrap().at;
            // The wall clock jumped during the run, but does not jump any more.
            if at.0 + recent > now && at.0 <= now {
                continue;
            }
            for player in row.spec.seats.iter().filter_map(player_of) {
                let bot = &self.bots[self.who[&player.bot]];
                assert!(bot.ends.contains(id), "{} has not received the end of {id}", bot.id);
                let untold = self.store.rows.untold.contains(&(id.clone(), player.bot.clone()));
                assert!(!untold, "{} acknowledged the end of {id}", bot.id);
            }
        }
    }
}
