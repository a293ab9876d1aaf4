//! Fair deals: committed to before the match, secret during it, proven after it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use azulejo_engine::fairness::{Bytes32, commitment};
use azulejo_sdk::{Bot, House, Options, Turn, Unfair, engine::HouseBot};
use azulejo_tests::waiting::until_async;
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Blitz;
use pb::matches_service_client::MatchesServiceClient;
use prost::Message as _;

use crate::arena::Arena;
use crate::scripted_bot::{ScriptedBot, offer};
use crate::strategies::{first_match, well};

/// Commitments by match, and the results of the checks.
#[derive(Clone, Default)]
struct Sceptic(Arc<Mutex<Findings>>);

#[derive(Default)]
struct Findings {
    commitments: BTreeMap<String, Vec<u8>>,
    pools: BTreeMap<String, u32>,
    unproven: Vec<(String, Option<Unfair>)>,
}

impl Bot for Sceptic {
    fn choose(&self, turn: &Turn) -> u32 {
        House(HouseBot::Random).choose(turn)
    }

    fn match_starting(&self, starting: &pb::MatchStarting) {
        let called = starting.r#match.as_ref().unwrap();
        let mut findings = self.0.lock().unwrap();
        findings.commitments.insert(called.id.clone(), called.commitment.clone());
    }

    fn match_ended(&self, ended: &pb::MatchEnded, fair: Option<&Result<(), Unfair>>) {
        let received = ended.r#match.as_ref().unwrap();
        let secret = ended.reveal.as_ref().unwrap().secret.as_slice().try_into().unwrap();
        let mut findings = self.0.lock().unwrap();
        let promised = &findings.commitments[&received.id];
        assert_eq!(commitment(&received.id, &Bytes32(secret)).0.as_slice(), promised);
        let pool = received.pool.as_ref().unwrap().name.clone();
        *findings.pools.entry(pool).or_default() += 1;
        if fair != Some(&Ok(())) {
            let unfair = fair.and_then(|fair| fair.err());
            findings.unproven.push((received.id.clone(), unfair));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_match_of_every_game_is_proven_fair() {
    let arena = Arena::start(&[]);
    let sceptic = Sceptic::default();
    for number in 0..4 {
        let player = ScriptedBot::new(&arena, &format!("owner-{number}/bot")).await;
        let options =
            Options { max_concurrent_matches: 4, ..Options::new(&arena.url(), &player.token) };
        tokio::spawn(azulejo_sdk::run(sceptic.clone(), options));
    }
    let played = until_async("matches of every game", Duration::from_mins(1), || async {
        let findings = sceptic.0.lock().unwrap();
        let (azul, pavilion): (Vec<_>, Vec<_>) =
            findings.pools.keys().cloned().partition(|pool| pool.starts_with("azul-"));
        (azul.len() >= 4 && pavilion.len() >= 4).then(|| findings.pools.clone())
    });
    println!("proven fair, by pool, once for each seat: {:?}", played.await);
    let findings = sceptic.0.lock().unwrap();
    assert_eq!(findings.unproven, []);
}

#[tokio::test]
async fn no_answer_contains_the_secret_before_the_end() {
    let arena = Arena::start(&[]);
    let (one, two) =
        (ScriptedBot::new(&arena, "one/bot").await, ScriptedBot::new(&arena, "two/bot").await);
    let events = (one.open(offer(2, Blitz)).await, two.open(offer(2, Blitz)).await);
    let mut matches = MatchesServiceClient::new(one.channel.clone());
    let mut heard: Vec<Vec<u8>> = Vec::new();
    let nosy = async |player: &ScriptedBot, turn: &pb::Turn| {
        let request = pb::GetMatchRequest { match_id: turn.match_id.clone() };
        let found = matches.get_match(request).await.unwrap().into_inner();
        let request = pb::ListMatchesRequest::default();
        let listed = matches.list_matches(request).await.unwrap().into_inner();
        let request = pb::WatchMatchRequest { match_id: turn.match_id.clone() };
        let mut watched = matches.watch_match(request).await.unwrap().into_inner();
        let seen = watched.message().await.unwrap().unwrap();
        let exported = matches.export_matches(pb::ExportMatchesRequest::default()).await.unwrap();
        heard.extend([turn.encode_to_vec(), found.encode_to_vec(), listed.encode_to_vec()]);
        heard.extend([seen.encode_to_vec(), exported.into_inner().encode_to_vec()]);
        well(player, turn).await;
    };
    let (received, _) =
        tokio::join!(first_match(&one, events.0, nosy), first_match(&two, events.1, well));
    let secret = received.reveal.unwrap().secret;
    let hex = Bytes32(secret.as_slice().try_into().unwrap()).to_string();
    assert!(heard.len() > 20);
    for answer in heard {
        for form in [&secret[..], hex.as_bytes()] {
            assert!(!answer.windows(form.len()).any(|window| window == form), "the secret");
        }
    }
}
