//! Who calls, and how often.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use azulejo_runtime::{Caller, Identify};
use governor::clock::{Clock as _, MonotonicClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use tonic::codegen::http::HeaderMap;
use tonic::{Request, Status};

use super::{Services, status};
use crate::names::{BotId, Owner};
use crate::store::Holder;

/// Calls of one bot per second, in the long run.
const CALLS_PER_SECOND: NonZeroU32 = NonZeroU32::new(200).unwrap();
/// Calls that it may make at once.
const BURST: NonZeroU32 = NonZeroU32::new(400).unwrap();
/// Sessions that one bot may open per minute: each begins with a snapshot, which is costly.
const SESSIONS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).unwrap();
/// After this many calls, bots that have been idle are forgotten.
const CLEAN_UP_EVERY: u32 = 100_000;

type Limiter = RateLimiter<
    BotId,
    HashMapStateStore<BotId>,
    MonotonicClock,
    NoOpMiddleware<std::time::Instant>,
>;

/// How many calls each bot has left: a flood is refused before it reaches the arena.
#[derive(Debug)]
pub(super) struct CallBudgets {
    limiter: Limiter,
    sessions: Limiter,
    clock: MonotonicClock,
    calls: AtomicU32,
}

impl Default for CallBudgets {
    fn default() -> Self {
        let quota = Quota::per_second(CALLS_PER_SECOND).allow_burst(BURST);
        let limiter = Limiter::new(quota, HashMapStateStore::default(), MonotonicClock);
        let quota = Quota::per_minute(SESSIONS_PER_MINUTE);
        let sessions = Limiter::new(quota, HashMapStateStore::default(), MonotonicClock);
        Self { limiter, sessions, clock: MonotonicClock, calls: AtomicU32::new(0) }
    }
}

impl CallBudgets {
    /// Counts a call; the error says when the next one is allowed.
    fn spend(&self, bot: &BotId) -> Result<(), Duration> {
        if self.calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(CLEAN_UP_EVERY) {
            self.limiter.retain_recent();
            self.sessions.retain_recent();
        }
        let checked = self.limiter.check_key(bot);
        checked.map_err(|refused| refused.wait_time_from(self.clock.now()))
    }
}

impl Services {
    /// Counts a session that a bot opens.
    pub(super) fn count_session(&self, bot: &BotId) -> Result<(), Status> {
        let checked = self.budgets.sessions.check_key(bot);
        checked.map_err(|refused| {
            let wait = refused.wait_time_from(self.budgets.clock.now());
            status::too_many_sessions(SESSIONS_PER_MINUTE.get(), wait)
        })
    }

    /// The bot whose token came with the call.
    pub(super) fn bot<T>(&self, request: &Request<T>) -> Result<BotId, Status> {
        match self.holder(request)? {
            Holder::Bot(bot) => {
                let spent = self.budgets.spend(&bot);
                spent.map_err(|wait| status::flood(CALLS_PER_SECOND.get(), wait))?;
                Ok(bot)
            }
            Holder::Owner(_) | Holder::Admin => Err(status::other_token("a bot's (azb_…)")),
        }
    }

    pub(super) fn owner<T>(&self, request: &Request<T>) -> Result<Owner, Status> {
        match self.holder(request)? {
            Holder::Owner(owner) => Ok(owner),
            Holder::Bot(_) | Holder::Admin => Err(status::other_token("an owner's (azo_…)")),
        }
    }

    /// None: an organiser.
    pub(super) fn owner_or_admin<T>(&self, request: &Request<T>) -> Result<Option<Owner>, Status> {
        match self.holder(request)? {
            Holder::Owner(owner) => Ok(Some(owner)),
            Holder::Admin => Ok(None),
            Holder::Bot(_) => {
                Err(status::other_token("an owner's (azo_…) or an organiser's (aza_…)"))
            }
        }
    }

    pub(super) fn admin<T>(&self, request: &Request<T>) -> Result<(), Status> {
        match self.holder(request)? {
            Holder::Admin => Ok(()),
            Holder::Owner(_) | Holder::Bot(_) => Err(status::other_token("an organiser's (aza_…)")),
        }
    }

    /// The owner whose token came with the call, if one did.
    pub(super) fn maybe_owner<T>(&self, request: &Request<T>) -> Result<Option<Owner>, Status> {
        match token(request) {
            None => Ok(None),
            Some(_) => self.owner(request).map(Some),
        }
    }

    fn holder<T>(&self, request: &Request<T>) -> Result<Holder, Status> {
        let token = token(request).ok_or_else(status::no_token)?;
        self.arena.holder(token).ok_or_else(status::unknown_token)
    }
}

impl Services {
    /// Tells the server who makes a call.
    #[must_use]
    pub fn identify(&self) -> Identify {
        let arena = self.arena.clone();
        Identify::new(move |headers| {
            match token_of(headers).and_then(|token| arena.holder(token)) {
                None => Caller::Anonymous,
                Some(Holder::Bot(bot)) => Caller::Bot(number(bot.owner())),
                Some(Holder::Owner(owner)) => Caller::Owner(number(&owner)),
                Some(Holder::Admin) => Caller::Owner(0),
            }
        })
    }
}

/// Tells holders apart; two with the same number would only share a limit.
fn number(holder: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    holder.hash(&mut hasher);
    hasher.finish()
}

/// The token of `authorization: Bearer …`.
#[must_use]
pub fn token<T>(request: &Request<T>) -> Option<&str> {
    token_of(request.metadata().as_ref())
}

fn token_of(headers: &HeaderMap) -> Option<&str> {
    let header = headers.get("authorization")?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
