//! Challenges: unrated matches, against bots that accept them.

use azulejo_tests::grpc::assert_refused;
use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::{Blitz, Bullet};
use pb::challenges_service_client::ChallengesServiceClient;
use pb::opponent::Opponent as Named;
use pb::play_event::Event;
use rstest::rstest;
use tonic::{Code, Status};

use crate::arena::Arena;
use crate::results::{bot, find, seat};
use crate::scripted_bot::{ScriptedBot, azul, bearer, offer, register};
use crate::strategies::{first_match, well};

fn only_challenges(accepts_challenges: bool) -> pb::Offer {
    pb::Offer { plays_ladder: Some(false), accepts_challenges, ..offer(2, Blitz) }
}

async fn challenge(by: &ScriptedBot, opponents: Vec<Named>, at: u32) -> Result<pb::Match, Status> {
    let request = pb::CreateChallengeRequest {
        ruleset: Some(azul(u32::try_from(opponents.len()).unwrap() + 1)),
        time_class: Blitz.into(),
        opponents: opponents
            .into_iter()
            .map(|each| pb::Opponent { opponent: Some(each) })
            .collect(),
        seat: at,
        request_id: String::new(),
    };
    let mut client = ChallengesServiceClient::new(by.channel.clone());
    let answer = client.create_challenge(bearer(request, &by.token)).await?;
    Ok(answer.into_inner().r#match.unwrap())
}

#[rstest]
#[case::random(&["random"], 0)]
#[case::greedy(&["greedy"], 1)]
#[case::strong(&["strong:5"], 0)]
#[case::all_of_them(&["random", "strong:2", "greedy"], 2)]
#[tokio::test]
async fn the_server_plays_house_bots_and_the_match_is_not_rated(
    #[case] house: &[&str],
    #[case] at: u32,
) {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let events = ann.open(only_challenges(false)).await;
    let opponents = house.iter().map(|&name| Named::House(name.to_owned())).collect();
    let called = challenge(&ann, opponents, at).await.unwrap();
    assert_eq!((called.origin(), called.rated), (pb::Origin::Challenge, false));

    let ended = first_match(&ann, events, well).await;

    let received = ended.r#match.unwrap();
    assert_eq!((&received.id, ended.seat, seat(&received, &ann.id)), (&called.id, at, at as usize));
    assert_eq!((received.rated, received.unrated_reason()), (false, pb::UnratedReason::Challenge));
    let reasons: Vec<_> = received.seats.iter().map(pb::Seat::seat_reason).collect();
    assert_eq!(reasons[at as usize], pb::SeatReason::Challenger);
    assert_eq!(
        reasons.iter().filter(|&&why| why == pb::SeatReason::Challenged).count(),
        house.len()
    );
    let result = received.result.as_ref().unwrap();
    assert!(
        result.seats.iter().all(|seat| seat.end_reason() == pb::EndReason::Finished),
        "{received:?}"
    );
    let servers =
        received.seats.iter().filter(|seat| seat.house && seat.bot.starts_with("server/"));
    assert_eq!(servers.count(), house.len());
    assert_eq!(find(&ann.channel, &received.id).await.status(), pb::MatchStatus::Ended);
    assert!(bot(&ann.channel, "ann/bot").await.versions[0].ratings.is_empty(), "unrated");
}

#[tokio::test]
async fn a_challenge_requires_a_bot_that_accepts_or_has_the_same_owner() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/bot").await;
    let own = register(&ann.channel, "ann/second", Some(&ann.owner_token)).await.unwrap();
    let own = ScriptedBot { id: "ann/second".to_owned(), token: own.token, ..ann.clone() };
    let bob = ScriptedBot::new(&arena, "bob/bot").await;
    let named = |bot: &str| vec![Named::Bot(bot.to_owned())];
    let refused = challenge(&ann, named("bob/bot"), 0).await;
    assert_refused(refused, Code::FailedPrecondition, "NOT_THERE");
    let events = ann.open(only_challenges(false)).await;
    let unwilling = bob.open(only_challenges(false)).await;
    for (bot, code, reason) in [
        ("bob/bot", Code::FailedPrecondition, "UNWILLING"),
        ("ann/second", Code::FailedPrecondition, "NOT_THERE"),
        ("ann/bot", Code::InvalidArgument, "CHALLENGED_TWICE"),
        ("missing/bot", Code::NotFound, "NO_SUCH_BOT"),
        ("<script>", Code::InvalidArgument, "BAD_NAME"),
    ] {
        assert_refused(challenge(&ann, named(bot), 0).await, code, reason);
    }
    assert_refused(
        challenge(&ann, vec![Named::House("perfect".into())], 0).await,
        Code::InvalidArgument,
        "NO_SUCH_BOT",
    );
    assert_refused(
        challenge(&ann, named("bob/bot"), 7).await,
        Code::InvalidArgument,
        "NO_SUCH_SEAT",
    );
    drop(unwilling);
    let willing = bob.open(only_challenges(true)).await;
    let called = challenge(&ann, named("bob/bot"), 1).await.unwrap();
    let (received, _) =
        tokio::join!(first_match(&ann, events, well), first_match(&bob, willing, well));
    assert_eq!(received.r#match.unwrap().id, called.id);

    let (events, unwilling) =
        (ann.open(only_challenges(false)).await, own.open(only_challenges(false)).await);
    let called = challenge(&ann, named("ann/second"), 0).await.unwrap();
    let (received, _) =
        tokio::join!(first_match(&ann, events, well), first_match(&own, unwilling, well));
    let received = received.r#match.unwrap();
    assert_eq!((received.id, received.rated), (called.id, false));
}

#[tokio::test]
async fn two_bots_of_one_owner_are_never_paired_on_the_ladder() {
    let arena = Arena::start(&[]);
    let ann = ScriptedBot::new(&arena, "ann/one").await;
    let second = register(&ann.channel, "ann/two", Some(&ann.owner_token)).await.unwrap();
    let second = ScriptedBot { id: "ann/two".to_owned(), token: second.token, ..ann.clone() };
    let mut one = ann.open(offer(2, Bullet)).await;
    let two = second.open(offer(2, Bullet)).await;
    one.snapshot().await;
    assert!(matches!(one.next().await, Some((2, Event::Ping(_)))));
    let alone = tokio::time::timeout(std::time::Duration::from_secs(2), one.next()).await;
    assert!(alone.is_err(), "there is no opponent: {alone:?}");
    let bob = ScriptedBot::new(&arena, "bob/bot").await;
    let events = bob.open(offer(2, Bullet)).await;
    let received = tokio::select! {
        received = first_match(&bob, events, well) => received,
        _ended = async { tokio::join!(first_match(&ann, one, well), first_match(&second, two, well)) }
            => unreachable!("only one of them can have played bob"),
    };
    let seats = received.r#match.unwrap().seats;
    assert!(seats.iter().any(|seat| seat.bot == "bob/bot"), "{seats:?}");
}
