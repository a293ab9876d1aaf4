//! Bots that play continuously, some of the SDK and some that record all acknowledgements, and the
//! check that nothing acknowledged was lost.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use azulejo_arena::record::{EndReason, Event};
use azulejo_arena::store::{SavedMatch, Store, open};
use azulejo_sdk::{Bot, House, Options, Turn, Unfair, engine::HouseBot};
use azulejo_tests::waiting::until_async;
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Blitz;
use pb::matches_service_client::MatchesServiceClient;
use tokio::task::JoinHandle;

use crate::arena::{Arena, said};
use crate::reconnecting_bot::ReconnectingBot;
use crate::scripted_bot::{ScriptedBot, channel, offer};

/// A bot of the SDK that records every announced move, and unfair deals.
#[derive(Clone, Default)]
pub(crate) struct RecordingBot(Arc<Mutex<Announced>>);

#[derive(Default)]
struct Announced {
    moves: BTreeMap<(String, u32), u32>,
    unfair: Vec<Unfair>,
}

impl Bot for RecordingBot {
    fn choose(&self, turn: &Turn) -> u32 {
        House(HouseBot::Random).choose(turn)
    }

    fn move_made(&self, made: &pb::MoveMade) {
        let action = made.r#move.as_ref().unwrap().action_id;
        let before =
            self.0.lock().unwrap().moves.insert((made.match_id.clone(), made.turn), action);
        assert!(
            before.is_none_or(|before| before == action),
            "a move was announced twice, differently"
        );
    }

    fn match_ended(&self, _ended: &pb::MatchEnded, fair: Option<&Result<(), Unfair>>) {
        if let Some(Err(unfair)) = fair {
            self.0.lock().unwrap().unfair.push(*unfair);
        }
    }
}

fn busy(at_once: u32) -> pb::Offer {
    let rulesets = (2..=4).map(crate::scripted_bot::azul).collect();
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

/// All matches in the store of a stopped arena.
async fn all_matches(store: &dyn Store) -> Vec<SavedMatch> {
    let (mut found, mut after) = (Vec::new(), 0);
    loop {
        let page = store.ended(after, 200).await.unwrap();
        let Some((last, _)) = page.last() else { return found };
        after = *last;
        found.extend(page.into_iter().map(|(_, saved)| saved));
    }
}

/// Keeps a bot with three concurrent matches below the limit of calls per second, also where a commit
/// takes no time.
const THINKS: Duration = Duration::from_millis(25);

/// Six bots with three concurrent matches each.
pub(crate) struct Crowd {
    recording: RecordingBot,
    reconnecting: Vec<ReconnectingBot>,
    /// Tokens of the SDK bots.
    tokens: Vec<String>,
    url: String,
    playing: Vec<JoinHandle<()>>,
}

impl Crowd {
    /// Registers them at the arena, and lets them play at this address.
    pub(crate) async fn of(arena: &Arena, url: &str) -> Self {
        let (mut reconnecting, mut tokens) = (Vec::new(), Vec::new());
        for number in 0..3 {
            let player = ScriptedBot::new(arena, &format!("reconnecting-{number}/bot")).await;
            reconnecting.push(ReconnectingBot::new(url.to_owned(), player.token, THINKS));
            let player = ScriptedBot::new(arena, &format!("sdk-{number}/bot")).await;
            tokens.push(player.token);
        }
        let (recording, playing) = (RecordingBot::default(), Vec::new());
        let mut crowd = Self { recording, reconnecting, tokens, url: url.to_owned(), playing };
        crowd.play(3);
        crowd
    }

    /// Changes the number of concurrent matches; running matches continue.
    fn play(&mut self, at_once: u32) {
        self.playing.drain(..).for_each(|playing| playing.abort());
        for bot in &self.reconnecting {
            self.playing.push(bot.plays(busy(at_once)));
        }
        for token in &self.tokens {
            let run = azulejo_sdk::run(self.recording.clone(), options(&self.url, token, at_once));
            self.playing.push(tokio::spawn(async { run.await.unwrap() }));
        }
    }

    /// Waits until all matches have ended, and checks that nothing acknowledged was lost.
    pub(crate) async fn assert_kept(mut self, mut arena: Arena) {
        self.play(0);
        assert_all_end(&arena).await;
        self.playing.drain(..).for_each(|playing| playing.abort());
        arena.kill();
        assert_kept(&arena, &self.recording, &self.reconnecting).await;
        let rebuilt = said(&["admin", "rebuild", "--check", "--store", arena.address()]);
        assert!(rebuilt.status.success(), "{rebuilt:?}");
        print!("{}", String::from_utf8_lossy(&rebuilt.stdout));
    }
}

/// Every match that was started ends.
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

/// Acknowledged and announced moves are in the store; each match has one result, that of the game.
async fn assert_kept(arena: &Arena, recording: &RecordingBot, reconnecting: &[ReconnectingBot]) {
    let store = open(arena.address()).await.unwrap();
    let matches = all_matches(&*store).await;
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
    for bot in reconnecting {
        let observed = bot.observed.lock().unwrap();
        let lost: Vec<_> =
            observed.acknowledged.keys().filter(|key| !moves.contains(key)).collect();
        assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
        assert_eq!(observed.unexpected, Vec::<String>::new());
        promised += observed.acknowledged.len();
    }
    let outcomes = store.outcomes(0, 100_000).await.unwrap();
    let ids: BTreeSet<_> = outcomes.iter().map(|outcome| outcome.id.to_string()).collect();
    assert_eq!((outcomes.len(), ids.len()), (matches.len(), matches.len()), "one result per match");
    let heard = recording.0.lock().unwrap();
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

/// Whether all seats played to the end.
fn assert_one_end(saved: &SavedMatch) {
    let ends = |event: &&Event| matches!(event, Event::Ended { .. } | Event::Voided { .. });
    assert_eq!(saved.events.iter().filter(ends).count(), 1, "{:?}", saved.spec.id);
    let Some(Event::Ended { seats, .. }) = saved.events.last() else {
        panic!("no result: {:?}", saved.events.last());
    };
    let reasons: Vec<_> = seats.iter().map(|seat| seat.reason).collect();
    assert!(reasons.iter().all(|reason| *reason == EndReason::Finished), "{reasons:?}");
}
