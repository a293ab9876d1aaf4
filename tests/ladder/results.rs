//! Results of matches: the same in all answers, and rated correctly.

use azulejo_engine::fairness::{Bytes32, commitment};
use azulejo_tests::waiting::{PATIENCE, soon, until_async};
use azulejo_wire::arena::v1 as pb;
use azulejo_wire::game::v1::GameEnd;
use pb::EndReason;
use pb::bots_service_client::BotsServiceClient;
use pb::ladder_service_client::LadderServiceClient;
use pb::matches_service_client::MatchesServiceClient;
use tonic::transport::Channel;

use crate::scripted_bot::ScriptedBot;

/// A bot, the end that it received, and the end reason that it should have.
pub(crate) type Seen<'a> = (&'a ScriptedBot, &'a pb::MatchEnded, EndReason);

pub(crate) async fn find(channel: &Channel, match_id: &str) -> pb::Match {
    let request = pb::GetMatchRequest { match_id: match_id.to_owned() };
    let mut client = MatchesServiceClient::new(channel.clone());
    let answer = client.get_match(request);
    soon("the match", answer).await.unwrap().into_inner().r#match.unwrap()
}

pub(crate) async fn bot(channel: &Channel, id: &str) -> pb::Bot {
    let request = pb::GetBotRequest { bot: id.to_owned() };
    let mut client = BotsServiceClient::new(channel.clone());
    let answer = client.get_bot(request);
    soon("the bot", answer).await.unwrap().into_inner().bot.unwrap()
}

/// The rating of a bot's only version in a pool, as soon as it has one.
async fn official_rating(channel: &Channel, pool: &str, id: &str) -> pb::Rating {
    until_async("the official rating", PATIENCE, || async {
        let version = bot(channel, id).await.versions.remove(0);
        version.ratings.into_iter().find(|rating| rating.pool == *pool)?.rating
    })
    .await
}

#[expect(deprecated, reason = "still answered")]
async fn ladder_entry(channel: &Channel, pool: &str, bot: &str) -> pb::LadderEntry {
    let request =
        pb::GetLadderRequest { pool: pool.to_owned(), page_size: 0, page_token: String::new() };
    let mut client = LadderServiceClient::new(channel.clone());
    let answer = client.get_ladder(request);
    let entries = soon("the ladder", answer).await.unwrap().into_inner().entries;
    entries.into_iter().find(|entry| entry.bot == bot).unwrap()
}

/// The bots of the official standings, in their order, with their entries.
pub(crate) async fn standings(channel: &Channel, pool: &str) -> Vec<pb::StandingsEntry> {
    let request =
        pb::GetStandingsRequest { pool: pool.to_owned(), page_size: 0, page_token: String::new() };
    let mut client = LadderServiceClient::new(channel.clone());
    let answer = client.get_standings(request);
    soon("the standings", answer).await.unwrap().into_inner().entries
}

/// The seat of a bot in a match.
pub(crate) fn seat(played: &pb::Match, bot: &str) -> usize {
    played.seats.iter().position(|seat| seat.bot == bot).unwrap()
}

/// A rated match between exactly these bots: all received the same result, calls return it too, and
/// the ratings follow. Bots that forfeited are last; the others played the game to its end, or the
/// last one left has won.
pub(crate) async fn assert_rated(seen: &[Seen<'_>]) {
    let channel = &seen[0].0.channel;
    let received = seen[0].1.r#match.as_ref().unwrap();
    assert_same_for_all(seen).await;
    assert_eq!((received.status(), received.rated), (pb::MatchStatus::Ended, true), "{received:?}");
    let result = received.result.as_ref().unwrap();
    let stayed = seen.iter().filter(|(.., reason)| *reason == EndReason::Finished).count();
    if stayed > 1 {
        assert_ne!(result.score.as_ref().unwrap().end(), GameEnd::Unspecified, "{received:?}");
    }
    for (player, _, reason) in seen {
        let own = &result.seats[seat(received, &player.id)];
        #[expect(deprecated, reason = "a field that is never set any more")]
        let after = own.rating_after;
        assert_eq!((own.rating_before, after), (None, None), "the first match of a new bot");
        if *reason == EndReason::Finished {
            assert!(own.placement as usize <= stayed, "{received:?}");
        } else {
            assert_eq!(own.placement as usize, stayed + 1, "last: {received:?}");
        }
        let pool = &received.pool.as_ref().unwrap().name;
        let rating = official_rating(channel, pool, &player.id).await;
        assert_eq!((rating.games, rating.provisional), (1, true), "{rating:?}");
        let entry = ladder_entry(channel, pool, &player.id).await;
        assert_eq!(entry.rating, Some(rating), "one rating everywhere");
        let expected = u32::from(*reason != EndReason::Finished);
        assert_eq!(entry.forfeits, expected, "{}", player.id);
    }
    assert_official_order(channel, result, received).await;
}

/// After one match, the standings have the bots in the order of their placements, all provisional.
async fn assert_official_order(channel: &Channel, result: &pb::Result, received: &pb::Match) {
    let listed = standings(channel, &received.pool.as_ref().unwrap().name).await;
    let placement = |entry: &pb::StandingsEntry| {
        assert!(entry.provisional && entry.rank == 0, "{entry:?}");
        result.seats[seat(received, &entry.bot)].placement
    };
    let placements: Vec<u32> = listed.iter().map(placement).collect();
    assert!(placements.is_sorted(), "{listed:?}");
}

/// A match without a result: it changes no rating, and it is listed.
pub(crate) async fn assert_voided(seen: &[Seen<'_>]) {
    let channel = &seen[0].0.channel;
    assert_same_for_all(seen).await;
    let received = seen[0].1.r#match.as_ref().unwrap();
    assert_eq!(
        (received.status(), received.rated),
        (pb::MatchStatus::Voided, false),
        "{received:?}"
    );
    assert_eq!(received.unrated_reason(), pb::UnratedReason::Voided);
    assert_ne!(received.void_reason(), pb::VoidReason::Unspecified);
    let status = pb::MatchStatus::Voided.into();
    let request = pb::ListMatchesRequest { status, ..pb::ListMatchesRequest::default() };
    let listed = MatchesServiceClient::new(channel.clone()).list_matches(request).await.unwrap();
    assert!(listed.into_inner().matches.iter().any(|listed| listed.id == received.id));
    for (player, ..) in seen {
        let bot = bot(channel, &player.id).await;
        assert!(bot.versions.iter().all(|version| version.ratings.is_empty()), "{bot:?}");
    }
}

async fn assert_same_for_all(seen: &[Seen<'_>]) {
    let received = seen[0].1.r#match.as_ref().unwrap();
    let stored = find(&seen[0].0.channel, &received.id).await;
    assert_eq!(received.seats.len(), seen.len());
    for (player, ended, _) in seen {
        let own = ended.r#match.as_ref().unwrap();
        assert_eq!(own.id, received.id, "one match");
        assert_eq!(ended.seat as usize, seat(own, &player.id));
        assert_eq!(own.status, stored.status);
        for (other, _, reason) in seen {
            for heard in [own, &stored] {
                let result = heard.result.as_ref().expect("a result");
                let ended = &result.seats[seat(heard, &other.id)];
                assert_eq!(ended.end_reason(), *reason, "{}: {heard:?}", other.id);
            }
        }
        let secret = ended.reveal.as_ref().unwrap().secret.as_slice().try_into().unwrap();
        assert_eq!(commitment(&own.id, &Bytes32(secret)).0.as_slice(), own.commitment);
    }
}

/// The matches of a bot.
pub(crate) async fn listed(channel: &Channel, bot: &str) -> Vec<pb::Match> {
    let request = pb::ListMatchesRequest { bot: bot.to_owned(), ..Default::default() };
    let mut client = MatchesServiceClient::new(channel.clone());
    let answer = client.list_matches(request);
    soon("the matches", answer).await.unwrap().into_inner().matches
}
