//! The bot trait and its options.

use std::sync::Arc;
use std::time::{Duration, Instant};

use azulejo_wire::arena::v1 as pb;
use azulejo_wire::game::v1::Ruleset;
use tokio_util::sync::CancellationToken;

use crate::Unfair;

/// A bot. It may be called for several matches at the same time, each on its own thread.
pub trait Bot: Send + Sync + 'static {
    /// Returns the `action_id` of one of the turn's legal moves.
    fn choose(&self, turn: &pb::Turn) -> u32;

    /// The same for a bot that waits rather than computes: for a remote model, or for a
    /// person. It needs no thread while it waits. `arrived` is when the turn was received and
    /// decoded. `None`: no answer. By default it calls [`choose`](Self::choose).
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

    /// The bot has connected, for the first time or again. The snapshot is the current state.
    fn connected(&self, _snapshot: &pb::Snapshot) {}

    /// The bot has a seat in a match. On the ladder its opponents are named by
    /// [`match_started`](Self::match_started).
    fn match_starting(&self, _starting: &pb::MatchStarting) {}

    /// All seats are ready, and the first deal was made. The match has all its seats.
    fn match_started(&self, _started: &pb::MatchStarted) {}

    /// A decision of the bot is stored, and this is what it cost.
    fn accepted(&self, _accepted: &Accepted) {}

    /// A seat in one of the bot's matches has moved.
    fn move_made(&self, _made: &pb::MoveMade) {}

    /// A match is over. `fair` says whether the deals match the arena's commitment; `None` if the
    /// bot did not see the match from its beginning.
    fn match_ended(&self, _ended: &pb::MatchEnded, _fair: Option<&Result<(), Unfair>>) {}
}

/// A decision that the server has stored.
#[derive(Clone, Debug)]
pub struct Accepted {
    pub match_id: String,
    pub turn: u32,
    pub action_id: u32,
    /// From the arrival of the turn until the answer was sent, by the bot's own clock.
    pub thought: Duration,
    /// From when the answer was sent (the last time, if there were several) until the receipt.
    pub answered_in: Duration,
    /// The cost by the server's clock.
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
    /// `None`: all rulesets.
    pub rulesets: Vec<Ruleset>,
    /// `None`: blitz.
    pub time_classes: Vec<pb::TimeClass>,
    /// Maximum number of matches at the same time, 0 to 8.
    pub max_concurrent_matches: u32,
    pub accepts_challenges: bool,
    /// Whether it plays on the ladder; otherwise challenges only.
    pub plays_ladder: bool,
    /// The W3C trace context that is sent with every call, `00-…`.
    pub traceparent: Option<String>,
    /// Ends [`run`](crate::run). Running matches continue without the bot until it reconnects.
    pub stop: CancellationToken,
}

/// A text that is hidden in debug output.
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

    /// Options from the environment: `AZULEJO_SERVER` (default `http://127.0.0.1:7700`) and
    /// `AZULEJO_TOKEN`. `azulejo play` and `azulejo check` set both for the bots that they start.
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
