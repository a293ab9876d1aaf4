//! Checks which bots are paired.

use std::collections::BTreeMap;

use azulejo_arena::names::{BotId, MatchId};
use azulejo_arena::record::{Event, Origin, Seat, Spec};
use azulejo_arena::store::Write;

use crate::checker::Checker;
use crate::observed::Observed;
use crate::store::{SimStore, player_of};

impl Checker {
    /// Checks new matches among the writes: no bot plays more than it offered, or anything else.
    pub(crate) fn tables(&self, observed: &Observed, writes: &[Write], store: &SimStore) {
        let mut playing = self.playing();
        for write in writes {
            match write {
                Write::Event { id, event, .. } => {
                    if let Some(at) = playing.get_mut(id) {
                        left(at, event, self.shadows.get(id).map(|shadow| &shadow.spec));
                    }
                }
                Write::Match { spec, .. } => {
                    let bots = spec.seats.iter().filter_map(player_of);
                    playing.insert(spec.id.clone(), bots.map(|p| p.bot.clone()).collect());
                    if spec.origin == Origin::Ladder {
                        fits_the_offers(observed, spec, &playing);
                        self.fits_the_block(spec, store);
                    }
                }
                _ => {}
            }
        }
    }

    /// The bots that still play, by match.
    fn playing(&self) -> BTreeMap<MatchId, Vec<BotId>> {
        let running = self.shadows.iter().filter(|(_, shadow)| shadow.over.is_none());
        running
            .map(|(id, shadow)| {
                let own = (0..shadow.out.len()).filter(|&seat| shadow.plays(seat));
                (id.clone(), own.filter_map(|seat| shadow.bot(seat).cloned()).collect())
            })
            .collect()
    }

    /// All rotations of one table: the same pool and players, each from another seat on.
    fn fits_the_block(&self, spec: &Spec, store: &SimStore) {
        if spec.block == spec.id {
            return;
        }
        let first = &store.rows.matches.get(&spec.block).expect("a block has a first match").spec;
        assert_eq!(first.pool, spec.pool);
        let others: Vec<&Spec> = self
            .shadows
            .values()
            .map(|shadow| &shadow.spec)
            .filter(|other| other.block == spec.block)
            .collect();
        assert!(others.iter().all(|other| other.seats != spec.seats), "a rotation is played once");
        let rotated = (1..first.seats.len()).any(|by| {
            let mut seats: Vec<Seat> = first.seats.clone();
            seats.rotate_left(by);
            seats == spec.seats
        });
        assert!(rotated, "the seats of a block are rotated");
    }
}

fn left(at: &mut Vec<BotId>, event: &Event, spec: Option<&Spec>) {
    match event {
        Event::Forfeited { seat, .. } => {
            let out = spec.and_then(|spec| player_of(&spec.seats[*seat]));
            at.retain(|bot| out.is_none_or(|out| out.bot != *bot));
        }
        Event::Ended { .. } | Event::Voided { .. } => at.clear(),
        Event::Ready { .. } | Event::Started { .. } | Event::Moved { .. } | Event::Refused(_) => {}
    }
}

fn fits_the_offers(observed: &Observed, spec: &Spec, playing: &BTreeMap<MatchId, Vec<BotId>>) {
    let players: Vec<_> = spec.seats.iter().map(|seat| player_of(seat).unwrap()).collect();
    for (seat, player) in players.iter().enumerate() {
        let bot = &player.bot;
        let (version, offer) = observed.offers.get(bot).expect("only connected bots are paired");
        let matches = playing.values().flatten().filter(|other| *other == bot).count();
        assert!(matches <= offer.concurrent_matches as usize, "{bot} plays {matches} of {offer:?}");
        assert!(offer.pools.contains(&spec.pool), "{bot} does not play {}", spec.pool);
        assert!(offer.plays_ladder, "{bot} is off the ladder");
        assert_eq!(*version, player.version, "{bot} is connected as another version");
        for other in &players[seat + 1..] {
            let house = bot.owner().as_str() == "house";
            assert!(house || other.bot.owner() != bot.owner(), "two bots of one owner");
            assert_ne!(other.bot, *bot);
        }
    }
}
