//! What a bot is, and how it wants to play.

use azulejo_wire::arena::v1 as pb;
use azulejo_wire::game::v1::Ruleset;
use tokio_util::sync::CancellationToken;

use crate::Unfair;

/// A bot. It may be asked about several matches at the same time, each on a thread of its own.
pub trait Bot: Send + Sync + 'static {
    /// The `action_id` of one of the turn's legal moves.
    fn choose(&self, turn: &pb::Turn) -> u32;

    /// The bot has a seat in a match.
    fn match_starting(&self, _starting: &pb::MatchStarting) {}

    /// Somebody moved.
    fn move_made(&self, _made: &pb::MoveMade) {}

    /// A match is over. `fair` tells whether the deals were those that the arena had committed to;
    /// none if the bot did not see the match from its beginning.
    fn match_ended(&self, _ended: &pb::MatchEnded, _fair: Option<&Result<(), Unfair>>) {}
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
    pub games_at_once: u32,
    pub accepts_challenges: bool,
    /// Challenges only.
    pub off_ladder: bool,
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
            games_at_once: 1,
            accepts_challenges: true,
            off_ladder: false,
            stop: CancellationToken::new(),
        }
    }

    pub(crate) fn hello(&self) -> pb::Hello {
        pb::Hello {
            version: self.version.clone(),
            offer: Some(pb::Offer {
                rulesets: self.rulesets.clone(),
                time_classes: self.time_classes.iter().map(|&class| class.into()).collect(),
                games_at_once: self.games_at_once,
                accepts_challenges: self.accepts_challenges,
                off_ladder: self.off_ladder,
            }),
            sdk: concat!("rust/", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}
