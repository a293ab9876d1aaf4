//! Bots that play all the time, some of the SDK and some that write down what they were promised;
//! and whether it was kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use azulejo_arena::record::{EndReason, Event};
use azulejo_arena::store::{SavedMatch, Sqlite, Store};
use azulejo_sdk::{Bot, House, Options, Turn, Unfair, engine::HouseBot};
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Blitz;
use pb::matches_service_client::MatchesServiceClient;
use tokio::task::JoinHandle;

use crate::arena::{Arena, said};
use crate::patience::until_async;
use crate::puppet::{Puppet, channel, offer};
use crate::sturdy::Sturdy;

/// What bots of the SDK were told: every move that was announced, and whether the deals were fair.
#[derive(Clone, Default)]
pub(crate) struct Told(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    moves: BTreeMap<(String, u32), u32>,
    unfair: Vec<Unfair>,
}

impl Bot for Told {
    fn choose(&self, turn: &Turn) -> u32 {
        House(HouseBot::Random).choose(turn)
    }

    fn move_made(&self, made: &pb::MoveMade) {
        let action = made.r#move.as_ref().unwrap().action_id;
        let before =
            self.0.lock().unwrap().moves.insert((made.match_id.clone(), made.turn), action);
        assert!(before.is_none_or(|before| before == action), "a move was told twice, differently");
    }

    fn match_ended(&self, _ended: &pb::MatchEnded, fair: Option<&Result<(), Unfair>>) {
        if let Some(Err(unfair)) = fair {
            self.0.lock().unwrap().unfair.push(*unfair);
        }
    }
}

fn busy(at_once: u32) -> pb::Offer {
    let rulesets = (2..=4).map(crate::puppet::azul).collect();
    pb::Offer { rulesets, max_concurrent_matches: at_once, ..offer(2, Blitz) }
}

fn options(url: &str, token: &str, at_once: u32) -> Options {
    let pb::Offer { rulesets, .. } = busy(at_once);
    Options {
        rulesets,
        time_classes: vec![Blitz],
        max_concurrent_matches: at_once,
        ..Options::new(url, token)
    }
}

/// Everything in the store, the arena having stopped.
async fn all_matches(store: &Sqlite) -> Vec<SavedMatch> {
    let (mut found, mut after) = (Vec::new(), 0);
    loop {
        let page = store.ended(after, 200).await.unwrap();
        let Some((last, _)) = page.last() else { return found };
        after = *last;
        found.extend(page.into_iter().map(|(_, saved)| saved));
    }
}

/// Six bots, three matches at a time each.
pub(crate) struct Crowd {
    told: Told,
    sturdy: Vec<Sturdy>,
    /// Tokens of those of the SDK.
    tokens: Vec<String>,
    url: String,
    playing: Vec<JoinHandle<()>>,
}

impl Crowd {
    /// Registers them at the arena, and lets them play at this address.
    pub(crate) async fn of(arena: &Arena, url: &str) -> Self {
        let (mut sturdy, mut tokens) = (Vec::new(), Vec::new());
        for number in 0..3 {
            let puppet = Puppet::new(arena, &format!("sturdy-{number}/bot")).await;
            sturdy.push(Sturdy::new(url.to_owned(), puppet.token, Duration::ZERO));
            let puppet = Puppet::new(arena, &format!("sdk-{number}/bot")).await;
            tokens.push(puppet.token);
        }
        let (told, playing) = (Told::default(), Vec::new());
        let mut crowd = Self { told, sturdy, tokens, url: url.to_owned(), playing };
        crowd.play(3);
        crowd
    }

    /// From now on so many matches at a time; those that run go on.
    fn play(&mut self, at_once: u32) {
        self.playing.drain(..).for_each(|playing| playing.abort());
        for bot in &self.sturdy {
            self.playing.push(bot.plays(busy(at_once)));
        }
        for token in &self.tokens {
            let run = azulejo_sdk::run(self.told.clone(), options(&self.url, token, at_once));
            self.playing.push(tokio::spawn(async { run.await.unwrap() }));
        }
    }

    /// Plays everything to its end, and looks whether all promises were kept.
    pub(crate) async fn assert_kept(mut self, mut arena: Arena) {
        self.play(0);
        assert_all_end(&arena).await;
        self.playing.drain(..).for_each(|playing| playing.abort());
        arena.kill();
        assert_kept(&arena, &self.told, &self.sturdy).await;
        let store = arena.store();
        let rebuilt = said(&["admin", "rebuild", "--check", "--store", store.to_str().unwrap()]);
        assert!(rebuilt.status.success(), "{rebuilt:?}");
        print!("{}", String::from_utf8_lossy(&rebuilt.stdout));
    }
}

/// Every match that was called comes to its end.
async fn assert_all_end(arena: &Arena) {
    let matches = MatchesServiceClient::new(channel(arena.url()).await);
    until_async("all matches end", Duration::from_mins(1), || {
        let mut matches = matches.clone();
        async move {
            for status in [pb::MatchStatus::Gathering, pb::MatchStatus::Playing] {
                let status = status.into();
                let request = pb::ListMatchesRequest { status, ..Default::default() };
                let listed = matches.list_matches(request).await.unwrap().into_inner();
                if !listed.matches.is_empty() {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    return None;
                }
            }
            Some(())
        }
    })
    .await;
}

/// Promised and announced moves are in the store; each match has one result, and it is the game's.
async fn assert_kept(arena: &Arena, told: &Told, sturdy: &[Sturdy]) {
    let store = Sqlite::open(&arena.store()).await.unwrap();
    let matches = all_matches(&store).await;
    let mut moves: BTreeSet<(String, u32)> = BTreeSet::new();
    for saved in &matches {
        assert_one_end(saved);
        for event in &saved.events {
            if let Event::Moved { turn, .. } = event {
                assert!(moves.insert((saved.spec.id.to_string(), *turn)), "a turn twice");
            }
        }
    }
    let mut promised = 0;
    for bot in sturdy {
        let diary = bot.diary.lock().unwrap();
        let lost: Vec<_> = diary.acknowledged.keys().filter(|key| !moves.contains(key)).collect();
        assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
        assert_eq!(diary.strange, Vec::<String>::new());
        promised += diary.acknowledged.len();
    }
    let outcomes = store.outcomes(0, 100_000).await.unwrap();
    let ids: BTreeSet<_> = outcomes.iter().map(|outcome| outcome.id.to_string()).collect();
    assert_eq!((outcomes.len(), ids.len()), (matches.len(), matches.len()), "one result each");
    let heard = told.0.lock().unwrap();
    let lost: Vec<_> = heard.moves.keys().filter(|key| !moves.contains(key)).collect();
    assert!(lost.is_empty(), "announced and lost: {lost:?}");
    assert_eq!(heard.unfair, []);
    println!(
        "{} matches, {} moves, {promised} acknowledged, {} announced to SDK bots",
        matches.len(),
        moves.len(),
        heard.moves.len()
    );
    assert!(promised > 300 && matches.len() > 12, "too little happened");
}

/// Played to the end by everyone.
fn assert_one_end(saved: &SavedMatch) {
    let ends = |event: &&Event| matches!(event, Event::Ended { .. } | Event::Voided { .. });
    assert_eq!(saved.events.iter().filter(ends).count(), 1, "{:?}", saved.spec.id);
    let Some(Event::Ended { seats, .. }) = saved.events.last() else {
        panic!("no result: {:?}", saved.events.last());
    };
    let reasons: Vec<_> = seats.iter().map(|seat| seat.reason).collect();
    assert!(reasons.iter().all(|reason| *reason == EndReason::Finished), "{reasons:?}");
}
