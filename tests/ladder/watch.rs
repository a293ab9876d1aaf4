//! Watched matches, and stored refused answers.

use azulejo_tests::waiting::soon;
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Blitz;
use pb::challenges_service_client::ChallengesServiceClient;
use pb::matches_service_client::MatchesServiceClient;
use pb::opponent::Opponent as Named;
use pb::submit_move_request::Action;
use pb::watch_match_response::Event as Watched;
use tokio_stream::StreamExt as _;
use tonic::transport::Channel;

use crate::arena::Arena;
use crate::scripted_bot::{ScriptedBot, azul, bearer, offer};
use crate::strategies::{first_match, illegal, well};

async fn watch(channel: &Channel, match_id: &str) -> Vec<Watched> {
    let request = pb::WatchMatchRequest { match_id: match_id.to_owned() };
    let stream = MatchesServiceClient::new(channel.clone()).watch_match(request).await.unwrap();
    let events = stream.into_inner().map(|event| event.unwrap().event.unwrap());
    soon("the end of the stream", events.collect()).await
}

async fn get(channel: &Channel, match_id: &str) -> pb::GetMatchResponse {
    let request = pb::GetMatchRequest { match_id: match_id.to_owned() };
    MatchesServiceClient::new(channel.clone()).get_match(request).await.unwrap().into_inner()
}

/// A match of two bots; the second plays by this strategy. Returns what a watcher saw from the start,
/// and the match.
async fn watched(
    strategy: impl AsyncFnMut(&ScriptedBot, &pb::Turn),
) -> (Arena, ScriptedBot, Vec<Watched>) {
    let arena = Arena::start(&[]);
    let (ann, bob) =
        (ScriptedBot::new(&arena, "ann/bot").await, ScriptedBot::new(&arena, "bob/bot").await);
    let events = ann.open(offer(2, Blitz)).await;
    let good = tokio::spawn({
        let ann = ScriptedBot { id: ann.id.clone(), ..ann.reconnected(&arena).await };
        async move { first_match(&ann, events, well).await }
    });
    let watcher = tokio::spawn({
        let channel = ann.channel.clone();
        async move {
            for _ in 0..500 {
                let request = pb::ListMatchesRequest::default();
                let mut client = MatchesServiceClient::new(channel.clone());
                let listed = client.list_matches(request).await.unwrap().into_inner().matches;
                if let Some(called) = listed.first() {
                    return watch(&channel, &called.id).await;
                }
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
            panic!("no match was called");
        }
    });
    let events = bob.open(offer(2, Blitz)).await;
    first_match(&bob, events, strategy).await;
    good.await.unwrap();
    (arena, bob, watcher.await.unwrap())
}

#[tokio::test]
async fn a_watcher_sees_every_move_with_the_state_after_it_and_the_end() {
    let (_arena, bob, events) = watched(well).await;
    let Some(Watched::Snapshot(first)) = events.first() else { panic!("{:?}", events.first()) };
    let id = &first.r#match.as_ref().unwrap().id;
    let Some(Watched::MatchEnded(end)) = events.last() else { panic!("{:?}", events.last()) };
    let ended = end.r#match.as_ref().unwrap();
    assert_eq!((&ended.id, ended.status()), (id, pb::MatchStatus::Ended));
    assert_eq!(end.reveal.as_ref().unwrap().secret.len(), 32);
    let moves: Vec<&pb::WatchedMove> = events
        .iter()
        .filter_map(|event| if let Watched::MoveMade(made) = event { Some(made) } else { None })
        .collect();
    let seen = first.r#match.as_ref().unwrap().turns;
    let turns: Vec<u32> = moves.iter().map(|made| made.turn).collect();
    assert_eq!(turns, (seen..ended.turns).collect::<Vec<_>>(), "every turn, once");
    assert!(moves.windows(2).all(|two| two[0].step < two[1].step), "steps count up");
    let stored = get(&bob.channel, id).await;
    assert_eq!(moves.last().unwrap().state, stored.state, "the last state");
    // One numbering: the record has as many steps as the match.
    azulejo_tests::assert_valid_record(&stored.record);
    let record: serde_json::Value = serde_json::from_str(&stored.record).unwrap();
    let checks = record["checks"].as_str().unwrap().len() / 4;
    assert_eq!(checks, ended.steps as usize);
    let last = moves.last().unwrap();
    assert!(last.step <= ended.steps, "the deals after the last move count too");
}

#[tokio::test]
async fn refused_answers_are_in_the_match_in_its_record_and_in_the_stream() {
    let mut tried = 0;
    let clumsy = async |player: &ScriptedBot, turn: &pb::Turn| {
        if tried < 2 && turn.illegal_tries == tried {
            let answer = if tried == 0 {
                illegal(turn)
            } else {
                Action::Notation("any \u{1b}[2Jtile".to_owned())
            };
            tried += 1;
            player.submit(&turn.match_id, turn.turn, answer).await.unwrap_err();
        } else {
            well(player, turn).await;
        }
    };
    let (_arena, bob, events) = watched(clumsy).await;
    let Some(Watched::MatchEnded(end)) = events.last() else { panic!("{:?}", events.last()) };
    let id = &end.r#match.as_ref().unwrap().id;
    let stored = get(&bob.channel, id).await;
    let reasons: Vec<_> = stored.refused_moves.iter().map(|each| each.reason.as_str()).collect();
    assert_eq!(reasons, ["ILLEGAL_MOVE", "BAD_NOTATION"]);
    let [first, second] = stored.refused_moves.as_slice() else { unreachable!() };
    assert!(!first.rule.is_empty() && !first.message.is_empty() && first.receive_time.is_some());
    assert_eq!(second.sent, "any \u{fffd}[2Jtile");
    let received: Vec<_> = events
        .iter()
        .filter_map(|event| if let Watched::MoveRefused(each) = event { Some(each) } else { None })
        .collect();
    let Some(Watched::Snapshot(snapshot)) = events.first() else { unreachable!() };
    assert_eq!(received.len() + snapshot.refused_moves.len(), 2, "each of them exactly once");
    azulejo_tests::assert_valid_record(&stored.record);
    let record: serde_json::Value = serde_json::from_str(&stored.record).unwrap();
    let kept = record["arena"]["refused"].as_array().unwrap();
    assert_eq!((kept.len(), &kept[1]["reason"]), (2, &serde_json::json!("BAD_NOTATION")));
    assert_eq!(kept[0]["turn"], first.turn);
}

#[tokio::test]
async fn pages_of_matches_are_full_also_with_a_filter_by_status() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let offer =
        pb::Offer { plays_ladder: Some(false), max_concurrent_matches: 8, ..offer(2, Blitz) };
    let _events = ann.open(offer).await;
    // A match that is resigned before it starts is voided, later it is lost.
    for number in 0..6 {
        let called = challenge(&ann).await;
        if number % 2 == 1 {
            ann.ready(&called).await.unwrap();
        }
        ann.resign(&called).await.unwrap();
    }
    for status in [pb::MatchStatus::Voided, pb::MatchStatus::Ended] {
        let mut found = all_pages(&ann.channel, status).await;
        assert_eq!(found.len(), 3, "{status:?}");
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 3, "no match is repeated");
    }
}

async fn challenge(by: &ScriptedBot) -> String {
    let request = pb::CreateChallengeRequest {
        ruleset: Some(azul(2)),
        time_class: Blitz.into(),
        opponents: vec![pb::Opponent { opponent: Some(Named::House("greedy".to_owned())) }],
        ..Default::default()
    };
    let mut client = ChallengesServiceClient::new(by.channel.clone());
    let answer = client.create_challenge(bearer(request, &by.token)).await.unwrap();
    answer.into_inner().r#match.unwrap().id
}

/// The ids of all matches with this status, by pages of two.
async fn all_pages(channel: &Channel, status: pb::MatchStatus) -> Vec<String> {
    let mut client = MatchesServiceClient::new(channel.clone());
    let (mut found, mut page_token) = (Vec::new(), String::new());
    loop {
        let (status_number, page_size) = (status.into(), 2);
        let request = pb::ListMatchesRequest {
            status: status_number,
            page_size,
            page_token,
            ..Default::default()
        };
        let page = client.list_matches(request).await.unwrap().into_inner();
        assert!(page.matches.iter().all(|each| each.status() == status), "{page:?}");
        found.extend(page.matches.iter().map(|each| each.id.clone()));
        if page.next_page_token.is_empty() {
            return found;
        }
        assert_eq!(page.matches.len(), 2, "every page but the last is full");
        page_token = page.next_page_token;
    }
}
