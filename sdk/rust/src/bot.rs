//! What a bot is, and how it wants to play.

use std::sync::Arc;
use std::time::{Duration, Instant};

use azulejo_wire::arena::v1 as pb;
use azulejo_wire::game::v1::Ruleset;
use tokio_util::sync::CancellationToken;

use crate::Unfair;

/// A bot. It may be asked about several matches at the same time, each on a thread of its own.
pub trait Bot: Send + Sync + 'static {
    /// The `action_id` of one of the turn's legal moves.
    fn choose(&self, turn: &pb::Turn) -> u32;

    /// The same for a bot that waits rather than computes: for a model somewhere else, or for a
    /// person. It needs no thread while it waits. `arrived` is when the turn was here and readable;
    /// none: no answer. Unless it is written, [`choose`](Self::choose) is asked.
    fn decide(
        self: Arc<Self>,
        turn: pb::Turn,
        _arrived: Instant,
    ) -> impl Future<Output = Option<u32>> + Send {
        async move {
            let (match_id, number) = (turn.match_id.clone(), turn.turn);
            let thought = tokio::task::spawn_blocking(move || self.choose(&turn)).await;
            if thought.is_err() {
                tracing::error!(match_id, turn = number, "the bot panicked");
            }
            thought.ok()
        }
    }

    /// The connection stands, for the first time or again: this is how things are.
    fn connected(&self, _snapshot: &pb::Snapshot) {}

    /// The bot has a seat in a match.
    fn match_starting(&self, _starting: &pb::MatchStarting) {}

    /// A decision of the bot is written down, and this is what it cost.
    fn accepted(&self, _accepted: &Accepted) {}

    /// A seat of one of the bot's matches moved.
    fn move_made(&self, _made: &pb::MoveMade) {}

    /// A match is over. `fair` tells whether the deals were those that the arena had committed to;
    /// none if the bot did not see the match from its beginning.
    fn match_ended(&self, _ended: &pb::MatchEnded, _fair: Option<&Result<(), Unfair>>) {}
}

/// A decision that the server has written down.
#[derive(Clone, Debug)]
pub struct Accepted {
    pub match_id: String,
    pub turn: u32,
    pub action_id: u32,
    /// From the arrival of the turn to when the answer was sent, by the bot's own watch.
    pub thought: Duration,
    /// From when the answer was sent, the last time if there were several, to the receipt.
    pub answered_in: Duration,
    /// What it cost by the server's watch.
    pub receipt: pb::Receipt,
}

/// Where and how a bot plays.
#[derive(Clone, Debug)]
pub struct Options {
    /// `http://…` or `https://…`.
    pub server: String,
    /// The bot's token, `azb_…`. It is never logged.
    pub token: Secret,
    /// Ratings belong to a version: change it when the bot changes.
    pub version: String,
    /// None: all of them.
    pub rulesets: Vec<Ruleset>,
    /// None: blitz.
    pub time_classes: Vec<pb::TimeClass>,
    /// Matches at the same time, 0 to 8.
    pub max_concurrent_matches: u32,
    pub accepts_challenges: bool,
    /// Whether it plays on the ladder; otherwise challenges only.
    pub plays_ladder: bool,
    /// The W3C trace context that goes with every call, `00-…`.
    pub traceparent: Option<String>,
    /// Ends [`run`](crate::run); matches that run go on without the bot until it comes back.
    pub stop: CancellationToken,
}

/// A text that does not show itself.
#[derive(Clone)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Options {
    #[must_use]
    pub fn new(server: &str, token: &str) -> Self {
        Self {
            server: server.to_owned(),
            token: Secret(token.to_owned()),
            version: "1".to_owned(),
            rulesets: Vec::new(),
            time_classes: Vec::new(),
            max_concurrent_matches: 1,
            accepts_challenges: true,
            plays_ladder: true,
            traceparent: None,
            stop: CancellationToken::new(),
        }
    }

    /// Where the environment says: `AZULEJO_SERVER` (default `http://127.0.0.1:7700`) and
    /// `AZULEJO_TOKEN`. `azulejo play` and `azulejo check` start a bot with both.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "what this is for; bots have no other settings")]
    pub fn from_env() -> Self {
        let server = std::env::var("AZULEJO_SERVER");
        let server = server.unwrap_or_else(|_| "http://127.0.0.1:7700".to_owned());
        Self::new(&server, &std::env::var("AZULEJO_TOKEN").unwrap_or_default())
    }

    pub(crate) fn hello(&self) -> pb::Hello {
        pb::Hello {
            version: self.version.clone(),
            offer: Some(pb::Offer {
                rulesets: self.rulesets.clone(),
                time_classes: self.time_classes.iter().map(|&class| class.into()).collect(),
                max_concurrent_matches: self.max_concurrent_matches,
                accepts_challenges: self.accepts_challenges,
                plays_ladder: Some(self.plays_ladder),
            }),
            sdk: concat!("rust/", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}
