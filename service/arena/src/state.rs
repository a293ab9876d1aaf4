//! The state of the arena: bots, sessions, matches, ratings. It does no I/O and reads no clock.
//!
//! The loop around it is always the same: run commands ([`ArenaState::run`]) and time
//! ([`ArenaState::tick`]), make the writes durable ([`ArenaState::take_writes`]), and only then
//! carry out the effects ([`ArenaState::release`]). So nothing is announced that could be lost.

mod bots;
mod effect;
mod finish;
mod gauges;
mod matches;
mod matchmaking;
mod organisers;
mod publish;
mod rate_limit;
mod recent_results;
mod refusal;
mod release;
mod reliability;
mod resume;
mod sessions;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};

use crate::command::Command;
use crate::match_run::Match;
use crate::names::{BotId, MatchId, Owner, Version};
use crate::pairing::Matchmaker;
use crate::rating::Ladder;
use crate::record::Bytes32;
use crate::standings::Published;
use crate::store::{Pause, Token, Write};
use crate::time::{Now, Time, Wall};
use crate::view::View;

pub(crate) use effect::AfterCommit;
pub use effect::Effect;
pub use gauges::{Gauges, MatchOutcome, Metric, MovedBy, PoolGauges};
pub(crate) use matchmaking::{NewMatch, RememberedChallenge, challenge_contents};
pub use organisers::RecomputedRatings;
pub(crate) use rate_limit::RateLimit;
pub(crate) use recent_results::RatingBasis;
pub use refusal::Refusal;
pub use reliability::Reliability;
pub(crate) use sessions::Session;
pub use sessions::{Hello, Offer};

/// A longer time between two ticks means that the arena itself stood still.
const STANDSTILL: Duration = Duration::from_secs(1);

/// How long calls about a finished match are still answered from memory; later ones by the store.
const KEEP_FINISHED: Duration = Duration::from_secs(3);

/// How often limits that have no effect any more are forgotten.
const CLEAN_UP_EVERY: Duration = Duration::from_mins(1);

/// How long a request with the same id gets the same answer.
pub(crate) const REQUEST_REPEATS: Duration = Duration::from_hours(1);

/// Settings of an arena.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whether owners need an invitation to register.
    pub invited_only: bool,
    /// Bots per owner.
    pub bots_per_owner: usize,
    /// Running challenges per owner.
    pub concurrent_challenges: usize,
    /// Challenges per owner and minute.
    pub challenges_per_minute: usize,
    /// New versions per bot and day.
    pub versions_per_day: usize,
    /// How often the owner may resume a bot per day.
    pub resumes_per_day: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            invited_only: false,
            bots_per_owner: 20,
            concurrent_challenges: 8,
            challenges_per_minute: 120,
            versions_per_day: 20,
            resumes_per_day: 5,
        }
    }
}

/// Source of randomness: the system's in service, repeatable in a simulation.
pub trait Entropy: Send + Sync {
    fn fill(&mut self, bytes: &mut [u8]);
}

/// A registered bot.
#[derive(Clone, Debug)]
pub struct BotState {
    pub house: bool,
    pub registered: Wall,
    /// In the order in which they were declared.
    pub versions: Vec<Version>,
    pub pause: Option<Pause>,
    /// Whether it failed, for each of its last matches.
    pub recent: Vec<bool>,
}

/// The state of the arena. What readers see is kept in persistent maps, whose copies are cheap.
pub struct ArenaState {
    pub(crate) settings: Settings,
    entropy: Box<dyn Entropy>,
    /// When it began, or continued after a standstill: absences count from here.
    began: Time,
    ticked: Time,
    pub(crate) owners: BTreeSet<Owner>,
    /// The banned owners, with the organiser's notes.
    pub(crate) banned: BTreeMap<Owner, String>,
    pub(crate) bots: RedBlackTreeMapSync<BotId, BotState>,
    /// Bots that are connected and respond.
    pub(crate) online: RedBlackTreeSetSync<BotId>,
    pub(crate) tokens: BTreeMap<String, Token>,
    /// Tokens revoked since the start: a call made with one may still be on its way.
    pub(crate) revoked: BTreeSet<Bytes32>,
    pub(crate) invitations: BTreeSet<Bytes32>,
    pub(crate) ladder: Ladder,
    pub(crate) recent_results: recent_results::RecentResults,
    /// The official standings, as last computed.
    pub(crate) official: Arc<Published>,
    pub(crate) sessions: BTreeMap<BotId, Session>,
    /// Sessions that are over but still have events to receive, with the number of the last one.
    leaving: BTreeMap<u64, u64>,
    pub(crate) matches: RedBlackTreeMapSync<MatchId, Arc<Match>>,
    /// The same as readers see them.
    published: publish::PublicMatches,
    /// Matches that ended a short time ago: their last moves may be submitted again.
    finished: BTreeMap<MatchId, (Arc<Match>, Time)>,
    /// The owners who created the running challenges, except those from before a restart.
    pub(crate) challengers: BTreeMap<MatchId, Owner>,
    /// Challenges by bot and request id.
    pub(crate) challenge_requests: BTreeMap<(BotId, Bytes32), RememberedChallenge>,
    /// Registrations by request id, and how often each was repeated.
    pub(crate) registrations: BTreeMap<Bytes32, (BotId, u32)>,
    matchmaker: Matchmaker,
    /// When limits without effect were last forgotten.
    cleaned: Time,
    reliability: Reliability,
    pub(crate) challenges: RateLimit<Owner>,
    pub(crate) versions: RateLimit<BotId>,
    pub(crate) resumes: RateLimit<BotId>,
    /// Ends of matches that a bot has not acknowledged.
    undelivered_ends: BTreeMap<BotId, BTreeSet<MatchId>>,
    /// To be made durable.
    pub(crate) writes: Vec<Write>,
    /// To be carried out after that.
    after_commit: Vec<AfterCommit>,
    metrics: Vec<Metric>,
}

impl std::fmt::Debug for ArenaState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ArenaState").field("matches", &self.matches.size()).finish_non_exhaustive()
    }
}

impl ArenaState {
    /// Runs a command. Its reply may be sent once the writes are durable.
    pub fn run<C: Command>(&mut self, command: C, now: Now) -> Result<C::Reply, Refusal> {
        command.run(self, now)
    }

    /// Applies the passage of time: clocks, absences, pings, new matches.
    pub fn tick(&mut self, now: Now) {
        if now.time.since(self.ticked) > STANDSTILL {
            self.began = now.time;
        }
        self.ticked = now.time;
        self.finished.retain(|_, (_, since)| now.time.since(*since) <= KEEP_FINISHED);
        if now.time.since(self.cleaned) > CLEAN_UP_EVERY {
            self.cleaned = now.time;
            self.reliability.clean_up(now.time);
            self.challenges.clean_up(now.time);
            self.versions.clean_up(now.time);
            self.resumes.clean_up(now.time);
        }
        self.ping(now.time);
        self.tick_matches(now);
        self.make_matches(now);
    }

    /// The official standings, for what bots and readers see. Matchmaking does not use them.
    pub fn set_official(&mut self, official: Arc<Published>) {
        self.official = official;
    }

    #[must_use]
    pub fn running_matches(&self) -> usize {
        self.matches.size()
    }

    /// The time between two ticks.
    #[must_use]
    pub const fn tick_every() -> Duration {
        Duration::from_millis(50)
    }

    /// What has to be made durable before anything else.
    #[must_use]
    pub fn take_writes(&mut self) -> Vec<Write> {
        std::mem::take(&mut self.writes)
    }

    /// What readers see.
    #[must_use]
    pub fn view(&self) -> View {
        View {
            bots: self.bots.clone(),
            online: self.online.clone(),
            ladder: self.ladder.clone(),
            official: Arc::clone(&self.official),
            matches: self.published.matches.clone(),
            rating_basis: self.recent_results.basis,
        }
    }

    pub(crate) fn random<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.entropy.fill(&mut bytes);
        bytes
    }

    pub(crate) fn after_commit(&mut self, what: AfterCommit) {
        self.after_commit.push(what);
    }

    pub(crate) fn count(&mut self, metric: Metric) {
        self.metrics.push(metric);
    }
}
