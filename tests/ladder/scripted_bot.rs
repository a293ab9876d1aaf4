//! A scripted bot: it does what a test calls, and nothing by itself.

pub(crate) use azulejo_tests::grpc::channel;
use azulejo_tests::waiting::soon;
use azulejo_wire::arena::v1 as pb;
use azulejo_wire::game::v1 as game;
use pb::bots_service_client::BotsServiceClient;
use pb::play_event::Event;
use pb::play_service_client::PlayServiceClient;
use pb::submit_move_request::Action;
use tonic::transport::Channel;
use tonic::{Request, Response, Status, Streaming};

use crate::arena::Arena;

/// The nonce of all scripted bots. It is not a secret here.
pub(crate) const NONCE: [u8; 32] = *b"32 bytes that anyone could guess";

pub(crate) fn azul(players: u32) -> game::Ruleset {
    let side = game::BoardSide::Colored.into();
    let rules = game::AzulRules { version: 1, side, players, round_limit: 0 };
    game::Ruleset { game: Some(game::ruleset::Game::Azul(rules)) }
}

/// One match of Azul at a time, and no challenges.
pub(crate) fn offer(players: u32, class: pb::TimeClass) -> pb::Offer {
    pb::Offer {
        rulesets: vec![azul(players)],
        time_classes: vec![class.into()],
        max_concurrent_matches: 1,
        accepts_challenges: false,
        plays_ladder: None,
    }
}

pub(crate) fn bearer<T>(message: T, token: &str) -> Request<T> {
    let mut request = Request::new(message);
    let bearer = format!("Bearer {token}").parse().unwrap();
    request.metadata_mut().insert("authorization", bearer);
    request
}

/// Registers a bot, with an owner's token if there is one.
pub(crate) async fn register(
    channel: &Channel,
    id: &str,
    owner_token: Option<&str>,
) -> Result<pb::RegisterBotResponse, Status> {
    let (owner, name) = id.split_once('/').unwrap();
    let (owner, name) = (owner.to_owned(), name.to_owned());
    let message =
        pb::RegisterBotRequest { owner, name, invitation: String::new(), ..Default::default() };
    let request = match owner_token {
        Some(token) => bearer(message, token),
        None => Request::new(message),
    };
    let mut bots = BotsServiceClient::new(channel.clone());
    soon("registered", bots.register_bot(request)).await.map(Response::into_inner)
}

#[derive(Clone)]
pub(crate) struct ScriptedBot {
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) owner_token: String,
    pub(crate) channel: Channel,
}

impl ScriptedBot {
    /// A new bot of a new owner, with its own connection.
    pub(crate) async fn new(arena: &Arena, id: &str) -> Self {
        let channel = channel(arena.url()).await;
        let pb::RegisterBotResponse { token, owner_token, .. } =
            register(&channel, id, None).await.unwrap();
        Self { id: id.to_owned(), token, owner_token, channel }
    }

    /// The same bot with a new connection.
    pub(crate) async fn reconnected(&self, arena: &Arena) -> Self {
        Self { channel: channel(arena.url()).await, ..self.clone() }
    }

    pub(crate) fn client(&self) -> PlayServiceClient<Channel> {
        PlayServiceClient::new(self.channel.clone())
    }

    pub(crate) fn call<T>(&self, message: T) -> Request<T> {
        bearer(message, &self.token)
    }

    pub(crate) async fn open(&self, offer: pb::Offer) -> Events {
        self.try_open("1", offer).await.unwrap()
    }

    pub(crate) async fn try_open(&self, version: &str, offer: pb::Offer) -> Result<Events, Status> {
        let (version, offer) = (version.to_owned(), Some(offer));
        let hello = Some(pb::Hello { version, offer, sdk: "scripted/1".to_owned() });
        let request = self.call(pb::PlayRequest { hello });
        let stream = soon("a stream", self.client().play(request)).await?;
        Ok(Events(stream.into_inner()))
    }

    pub(crate) async fn ready(&self, match_id: &str) -> Result<(), Status> {
        let (match_id, nonce) = (match_id.to_owned(), NONCE.to_vec());
        let request = self.call(pb::ReadyRequest { match_id, nonce });
        soon("ready", self.client().ready(request)).await.map(drop)
    }

    pub(crate) async fn submit(
        &self,
        match_id: &str,
        turn: u32,
        action: Action,
    ) -> Result<pb::Receipt, Status> {
        let (match_id, action) = (match_id.to_owned(), Some(action));
        let request = self.call(pb::SubmitMoveRequest { match_id, turn: Some(turn), action });
        let answer = soon("submitted", self.client().submit_move(request)).await?;
        Ok(answer.into_inner().receipt.expect("a receipt"))
    }

    /// Answers a ping (0: none), and acknowledges the ends of these matches.
    pub(crate) async fn beat(
        &self,
        ping: u64,
        ended: &[&str],
    ) -> Result<pb::HeartbeatResponse, Status> {
        let ended_match_ids = ended.iter().map(|&id| id.to_owned()).collect();
        let request = self.call(pb::HeartbeatRequest { ping, ended_match_ids });
        soon("a heartbeat", self.client().heartbeat(request)).await.map(Response::into_inner)
    }

    pub(crate) async fn resign(&self, match_id: &str) -> Result<(), Status> {
        let request = self.call(pb::ResignRequest { match_id: match_id.to_owned() });
        soon("resigned", self.client().resign(request)).await.map(drop)
    }
}

/// The event stream of a bot.
pub(crate) struct Events(Streaming<pb::PlayResponse>);

impl Events {
    /// The next event with its number; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<(u64, Event)> {
        let next = soon("an event", self.0.message()).await.ok().flatten()?;
        let pb::PlayEvent { seq, event } = next.event.unwrap();
        Some((seq, event.unwrap()))
    }

    /// The snapshot, which is always the first event.
    pub(crate) async fn snapshot(&mut self) -> pb::Snapshot {
        match self.next().await {
            Some((1, Event::Snapshot(snapshot))) => snapshot,
            other => panic!("not a snapshot first: {other:?}"),
        }
    }
}
