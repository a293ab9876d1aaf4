//! Matches on demand: unrated, against whoever is willing.

use azulejo_wire::arena::v1 as pb;
use pb::TimeClass::{Blitz, Bullet};
use pb::challenges_service_client::ChallengesServiceClient;
use pb::opponent::Opponent as Named;
use pb::play_event::Event;
use rstest::rstest;
use tonic::{Code, Status};

use crate::arena::Arena;
use crate::manners::{first_match, well};
use crate::puppet::{Puppet, azul, bearer, offer, register};
use crate::refusals::assert_refused;
use crate::verdict::{bot, find, seat};

fn only_challenges(accepts_challenges: bool) -> pb::Offer {
    pb::Offer { plays_ladder: Some(false), accepts_challenges, ..offer(2, Blitz) }
}

async fn challenge(by: &Puppet, opponents: Vec<Named>, at: u32) -> Result<pb::Match, Status> {
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
async fn the_server_plays_house_bots_itself_and_it_does_not_count(
    #[case] house: &[&str],
    #[case] at: u32,
) {
    let arena = Arena::start(&[]);
    let ann = Puppet::new(&arena, "ann/bot").await;
    let events = ann.open(only_challenges(false)).await;
    let opponents = house.iter().map(|&name| Named::House(name.to_owned())).collect();
    let called = challenge(&ann, opponents, at).await.unwrap();
    assert_eq!((called.origin(), called.rated), (pb::Origin::Challenge, false));

    let ended = first_match(&ann, events, well).await;

    let told = ended.r#match.unwrap();
    assert_eq!((&told.id, ended.seat, seat(&told, &ann.id)), (&called.id, at, at as usize));
    assert_eq!((told.rated, told.unrated_reason()), (false, pb::UnratedReason::Challenge));
    let reasons: Vec<_> = told.seats.iter().map(pb::Seat::seat_reason).collect();
    assert_eq!(reasons[at as usize], pb::SeatReason::Challenger);
    assert_eq!(
        reasons.iter().filter(|&&why| why == pb::SeatReason::Challenged).count(),
        house.len()
    );
    let result = told.result.as_ref().unwrap();
    assert!(
        result.seats.iter().all(|seat| seat.end_reason() == pb::EndReason::Finished),
        "{told:?}"
    );
    let servers = told.seats.iter().filter(|seat| seat.house && seat.bot.starts_with("server/"));
    assert_eq!(servers.count(), house.len());
    assert_eq!(find(&ann.channel, &told.id).await.status(), pb::MatchStatus::Ended);
    assert!(bot(&ann.channel, "ann/bot").await.versions[0].ratings.is_empty(), "unrated");
}

#[tokio::test]
async fn a_challenge_needs_a_bot_that_is_willing_or_ones_own() {
    let arena = Arena::start(&[]);
    let ann = Puppet::new(&arena, "ann/bot").await;
    let own = register(&ann.channel, "ann/second", Some(&ann.owner_token)).await.unwrap();
    let own = Puppet { id: "ann/second".to_owned(), token: own.token, ..ann.clone() };
    let bob = Puppet::new(&arena, "bob/bot").await;
    let named = |bot: &str| vec![Named::Bot(bot.to_owned())];
    let refused = challenge(&ann, named("bob/bot"), 0).await;
    assert_refused(refused, Code::FailedPrecondition, "NOT_THERE");
    let events = ann.open(only_challenges(false)).await;
    let unwilling = bob.open(only_challenges(false)).await;
    for (bot, code, reason) in [
        ("bob/bot", Code::FailedPrecondition, "UNWILLING"),
        ("ann/second", Code::FailedPrecondition, "NOT_THERE"),
        ("ann/bot", Code::InvalidArgument, "CHALLENGED_TWICE"),
        ("nobody/bot", Code::NotFound, "NO_SUCH_BOT"),
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
    let (told, _) = tokio::join!(first_match(&ann, events, well), first_match(&bob, willing, well));
    assert_eq!(told.r#match.unwrap().id, called.id);

    let (events, unwilling) =
        (ann.open(only_challenges(false)).await, own.open(only_challenges(false)).await);
    let called = challenge(&ann, named("ann/second"), 0).await.unwrap();
    let (told, _) =
        tokio::join!(first_match(&ann, events, well), first_match(&own, unwilling, well));
    let told = told.r#match.unwrap();
    assert_eq!((told.id, told.rated), (called.id, false));
}

#[tokio::test]
async fn two_bots_of_one_owner_never_meet_on_the_ladder() {
    let arena = Arena::start(&[]);
    let ann = Puppet::new(&arena, "ann/one").await;
    let second = register(&ann.channel, "ann/two", Some(&ann.owner_token)).await.unwrap();
    let second = Puppet { id: "ann/two".to_owned(), token: second.token, ..ann.clone() };
    let mut one = ann.open(offer(2, Bullet)).await;
    let two = second.open(offer(2, Bullet)).await;
    one.snapshot().await;
    assert!(matches!(one.next().await, Some((2, Event::Ping(_)))));
    let alone = tokio::time::timeout(std::time::Duration::from_secs(2), one.next()).await;
    assert!(alone.is_err(), "nobody to play with: {alone:?}");
    let bob = Puppet::new(&arena, "bob/bot").await;
    let events = bob.open(offer(2, Bullet)).await;
    let told = tokio::select! {
        told = first_match(&bob, events, well) => told,
        _told = async { tokio::join!(first_match(&ann, one, well), first_match(&second, two, well)) }
            => unreachable!("only one of them can have met bob"),
    };
    let seats = told.r#match.unwrap().seats;
    assert!(seats.iter().any(|seat| seat.bot == "bob/bot"), "{seats:?}");
}
