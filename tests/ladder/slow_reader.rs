//! A slow bot delays its own match, and no other.

use std::time::Duration;

use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Blitz;
use pb::matches_service_client::MatchesServiceClient;
use pb::play_service_client::PlayServiceClient;
use tonic::transport::Endpoint;

use crate::arena::Arena;
use crate::reconnecting_bot::ReconnectingBot;
use crate::scripted_bot::{ScriptedBot, bearer, offer};

const PHASE: Duration = Duration::from_secs(6);

/// Median and 99th percentile of the durations of calls since the last time.
fn round_trips(bots: &[ReconnectingBot]) -> (usize, Duration, Duration) {
    let taken = |bot: &ReconnectingBot| std::mem::take(&mut bot.observed.lock().unwrap().calls);
    let mut calls: Vec<Duration> = bots.iter().flat_map(taken).collect();
    calls.sort_unstable();
    let at = |percent: usize| calls[(calls.len() - 1) * percent / 100];
    (calls.len(), at(50), at(99))
}

/// Opens a stream with a small window, never reads from it, and calls Ready for every match.
async fn stays_silent(arena: &Arena, silent: &ScriptedBot) {
    let endpoint = Endpoint::from_shared(arena.url()).unwrap().initial_stream_window_size(16);
    let mut narrow = PlayServiceClient::new(endpoint.connect().await.unwrap());
    let offer = pb::Offer { max_concurrent_matches: 8, ..offer(2, Blitz) };
    let hello = pb::Hello { version: "1".to_owned(), offer: Some(offer), sdk: String::new() };
    let request = bearer(pb::PlayRequest { hello: Some(hello) }, &silent.token);
    let _never_read = narrow.play(request).await.unwrap();
    gets_ready(silent).await;
}

/// Lists the matches that are about to begin, and calls Ready for each: whose they are is secret, and
/// Ready is refused for those of others. It does so in both phases, so that the calls do not differ
/// between them.
async fn gets_ready(silent: &ScriptedBot) {
    let mut matches = MatchesServiceClient::new(silent.channel.clone());
    loop {
        let status = pb::MatchStatus::Gathering.into();
        let request = pb::ListMatchesRequest { status, ..Default::default() };
        for called in matches.list_matches(request).await.unwrap().into_inner().matches {
            let _said_before = silent.ready(&called.id).await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Bots whose only possible opponent is the silent one: all others are busy.
async fn partners(arena: &Arena) -> Vec<ReconnectingBot> {
    let mut partners = Vec::new();
    for number in 0..8 {
        let player = ScriptedBot::new(arena, &format!("partner-{number}/bot")).await;
        partners.push(ReconnectingBot::new(arena.url(), player.token, Duration::ZERO));
    }
    partners
}

/// Each is paired with the bot that has waited longest. The measurement starts when all are seated.
async fn beside_it(
    partners: &[ReconnectingBot],
    bots: &[ReconnectingBot],
) -> (usize, Duration, Duration) {
    tokio::time::sleep(Duration::from_millis(500)).await;
    for partner in partners {
        partner.plays(offer(2, Blitz));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    round_trips(bots);
    tokio::time::sleep(PHASE).await;
    round_trips(bots)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_that_never_reads_slows_no_other_bot() {
    let arena = Arena::alone(&[]);
    let mut bots = Vec::new();
    for number in 0..100 {
        let player = ScriptedBot::new(&arena, &format!("owner-{number}/bot")).await;
        let thinks = Duration::from_millis(150 + number % 100);
        let bot = ReconnectingBot::new(arena.url(), player.token, thinks);
        bot.plays(offer(2, Blitz));
        bots.push(bot);
    }
    let silent = ScriptedBot::new(&arena, "silent/bot").await;
    let partners = partners(&arena).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    round_trips(&bots);
    let (calls, median, slowest) = tokio::select! {
        () = gets_ready(&silent) => unreachable!(),
        () = tokio::time::sleep(PHASE) => round_trips(&bots),
    };
    let (beside, median_beside, slowest_beside) = tokio::select! {
        () = stays_silent(&arena, &silent) => unreachable!(),
        measured = beside_it(&partners, &bots) => measured,
    };

    println!("without the silent bot: {calls} calls, median {median:?}, 99 % {slowest:?}");
    println!("beside it: {beside} calls, median {median_beside:?}, 99 % {slowest_beside:?}");
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load of the machine: {}", load.trim());
    let held_up = crate::results::listed(&silent.channel, "silent/bot").await;
    assert!(held_up.len() >= 4, "it sat at tables: {held_up:?}");
    let limit = |time: Duration| time * 3 / 2 + Duration::from_millis(20);
    assert!(median_beside <= limit(median), "{median_beside:?} after {median:?}");
    // The 99th percentile is printed but not checked: one delay of the machine decides it.
    for bot in &bots {
        assert_eq!(bot.observed.lock().unwrap().unexpected, Vec::<String>::new());
    }
}
