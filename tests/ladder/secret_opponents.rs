//! Nothing says whom a bot will meet before the match has begun.

use azulejo_tests::http as plain;
use azulejo_tests::waiting::soon;
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::Blitz;
use pb::matches_service_client::MatchesServiceClient;
use pb::play_event::Event;
use pb::watch_match_response::Event as Watched;
use tonic::Streaming;

use crate::arena::Arena;
use crate::scripted_bot::{Events, ScriptedBot, offer};

/// What is asked about a match by others.
struct Spectator(MatchesServiceClient<tonic::transport::Channel>);

impl Spectator {
    async fn get(&mut self, id: &str) -> pb::Match {
        let request = pb::GetMatchRequest { match_id: id.to_owned() };
        soon("a match", self.0.get_match(request)).await.unwrap().into_inner().r#match.unwrap()
    }

    async fn list(&mut self, bot: &str) -> Vec<pb::Match> {
        let request = pb::ListMatchesRequest { bot: bot.to_owned(), ..Default::default() };
        soon("matches", self.0.list_matches(request)).await.unwrap().into_inner().matches
    }

    async fn watch(&mut self, id: &str) -> Streaming<pb::WatchMatchResponse> {
        let request = pb::WatchMatchRequest { match_id: id.to_owned() };
        soon("a stream", self.0.watch_match(request)).await.unwrap().into_inner()
    }
}

async fn starting(events: &mut Events) -> pb::MatchStarting {
    loop {
        if let (_, Event::MatchStarting(starting)) = events.next().await.unwrap() {
            return starting;
        }
    }
}

async fn started(events: &mut Events) -> pb::MatchStarted {
    loop {
        if let (_, Event::MatchStarted(started)) = events.next().await.unwrap() {
            return started;
        }
    }
}

async fn watched(stream: &mut Streaming<pb::WatchMatchResponse>) -> Watched {
    soon("an event", stream.message()).await.unwrap().unwrap().event.unwrap()
}

/// The names of the seats: only this one may be filled before the match begins.
#[track_caller]
fn assert_secret(called: &pb::Match, own: Option<(usize, &str)>) {
    assert_eq!(called.status(), pb::MatchStatus::Gathering);
    assert_eq!((called.block.as_str(), called.pairing_note.as_str()), ("", ""), "{called:?}");
    assert_eq!(called.seats.len(), 2);
    for (index, seat) in called.seats.iter().enumerate() {
        match own {
            Some((own, name)) if own == index => assert_eq!(seat.bot, name),
            _ => assert_eq!(*seat, pb::Seat::default()),
        }
    }
}

#[track_caller]
fn assert_named(known: &pb::Match) {
    let mut names: Vec<&str> = known.seats.iter().map(|seat| seat.bot.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["ann/bot", "bob/bot"]);
    assert!(known.seats.iter().all(|seat| seat.version == "1"));
    assert!(known.pairing_note.contains("bob/bot") && known.block.len() == 16, "{known:?}");
}

/// Ann and bob are called to a match. Ann's event says that, and nothing about bob.
async fn called(arena: &Arena) -> (ScriptedBot, Events, ScriptedBot, Events, String) {
    let ann = ScriptedBot::new(arena, "ann/bot").await;
    let bob = ScriptedBot::new(arena, "bob/bot").await;
    let mut of_ann = ann.open(offer(2, Blitz)).await;
    let of_bob = bob.open(offer(2, Blitz)).await;
    let call = starting(&mut of_ann).await;
    let called = call.r#match.unwrap();
    assert_secret(&called, Some((call.seat as usize, "ann/bot")));
    (ann, of_ann, bob, of_bob, called.id)
}

#[tokio::test]
async fn the_opponents_are_named_when_the_match_begins_and_not_before() {
    let arena = Arena::start(&[]);
    let (ann, of_ann, bob, mut of_bob, id) = called(&arena).await;
    let mut spectator = Spectator(MatchesServiceClient::new(ann.channel.clone()));

    assert_secret(&spectator.get(&id).await, None);
    assert_secret(&spectator.list("").await[0], None);
    for bot in [&ann.id, &bob.id] {
        assert_eq!(spectator.list(bot).await, [], "a search by {bot} finds nothing");
    }
    let mut stream = spectator.watch(&id).await;
    let Watched::Snapshot(first) = watched(&mut stream).await else { panic!("a snapshot first") };
    assert_secret(&first.r#match.unwrap(), None);
    for page in [format!("/match/{id}"), "/".to_owned()] {
        let page = plain::get(arena.public, &page).text();
        assert!(page.contains("aiting for the bots"), "{page}");
        assert!(!page.contains("ann/bot") && !page.contains("bob/bot"), "{page}");
    }
    let page = plain::get(arena.public, "/bot/ann/bot").text();
    assert!(!page.contains(&id), "{page}");

    // Nor does a reconnect say more.
    drop(of_ann);
    let mut of_ann = ann.open(offer(2, Blitz)).await;
    let seating = of_ann.snapshot().await.seatings.remove(0);
    let own = Some((seating.seat as usize, "ann/bot"));
    assert_secret(&seating.r#match.unwrap(), own);
    assert_secret(&seating.starting.unwrap().r#match.unwrap(), own);

    ann.ready(&id).await.unwrap();
    assert_secret(&spectator.get(&id).await, None);
    bob.ready(&id).await.unwrap();
    let (to_ann, to_bob) = (started(&mut of_ann).await, started(&mut of_bob).await);
    let known = to_ann.r#match.unwrap();
    assert_named(&known);
    assert_eq!((known.status(), known.turns), (pb::MatchStatus::Playing, 0));
    assert_eq!((&known.id, Some(&known)), (&id, to_bob.r#match.as_ref()));
    let Watched::MatchStarted(start) = watched(&mut stream).await else { panic!("the start") };
    assert_eq!(start.r#match.as_ref(), Some(&known));
    assert_named(&spectator.get(&id).await);
    assert_eq!(spectator.list("bob/bot").await[0].id, id);
}

#[tokio::test]
async fn a_bot_that_does_not_begin_a_match_learns_too_late_whom_it_would_have_met() {
    let arena = Arena::start(&[]);
    let (ann, _of_ann, bob, mut of_bob, id) = called(&arena).await;
    let again = starting(&mut of_bob).await;
    assert_secret(&again.r#match.unwrap(), Some((again.seat as usize, "bob/bot")));
    ann.resign(&id).await.unwrap();

    let mut spectator = Spectator(MatchesServiceClient::new(bob.channel.clone()));
    let voided = spectator.get(&id).await;
    assert_eq!(voided.void_reason(), pb::VoidReason::NoShow);
    assert_named(&voided);
    assert_eq!(spectator.list("ann/bot").await.len(), 1, "called off, and listed");
}
