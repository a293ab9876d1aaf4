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
use crate::command::{Authority, Organiser};
use crate::names::{BotId, Owner, public_part};
use crate::record::Bytes32;
use crate::store::Holder;

/// After this many calls, bots that have been idle are forgotten.
const CLEAN_UP_EVERY: u32 = 100_000;

/// Lengths of the two parts of a token that the arena creates.
const PUBLIC_PART: usize = "aza_".len() + 8;
const TOKEN_SECRET: usize = 32;

type Limiter = RateLimiter<
    BotId,
    HashMapStateStore<BotId>,
    MonotonicClock,
    NoOpMiddleware<std::time::Instant>,
>;

/// How often one bot may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallLimits {
    /// Calls per second, in the long run. It may make twice as many at once.
    pub per_second: NonZeroU32,
    /// Sessions that it may open per minute: each begins with a snapshot, which is costly.
    pub sessions_per_minute: NonZeroU32,
}

impl Default for CallLimits {
    fn default() -> Self {
        const PER_SECOND: NonZeroU32 = NonZeroU32::new(200).unwrap();
        const SESSIONS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).unwrap();
        Self { per_second: PER_SECOND, sessions_per_minute: SESSIONS_PER_MINUTE }
    }
}

/// How many calls each bot has left: a flood is refused before it reaches the arena.
#[derive(Debug)]
pub(super) struct CallBudgets {
    limits: CallLimits,
    limiter: Limiter,
    sessions: Limiter,
    clock: MonotonicClock,
    calls: AtomicU32,
}

impl Default for CallBudgets {
    fn default() -> Self {
        Self::new(CallLimits::default())
    }
}

impl CallBudgets {
    pub(super) fn new(limits: CallLimits) -> Self {
        let CallLimits { per_second, sessions_per_minute } = limits;
        let burst = per_second.saturating_add(per_second.get());
        let quota = Quota::per_second(per_second).allow_burst(burst);
        let limiter = Limiter::new(quota, HashMapStateStore::default(), MonotonicClock);
        let quota = Quota::per_minute(sessions_per_minute);
        let sessions = Limiter::new(quota, HashMapStateStore::default(), MonotonicClock);
        Self { limits, limiter, sessions, clock: MonotonicClock, calls: AtomicU32::new(0) }
    }

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
            status::too_many_sessions(self.budgets.limits.sessions_per_minute.get(), wait)
        })
    }

    /// The bot whose token came with the call.
    pub(super) fn bot<T>(&self, request: &Request<T>) -> Result<BotId, Status> {
        match self.holder(request)? {
            Holder::Bot(bot) => {
                let spent = self.budgets.spend(&bot);
                spent.map_err(|wait| status::flood(self.budgets.limits.per_second.get(), wait))?;
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

    pub(super) fn owner_or_admin<T>(&self, request: &Request<T>) -> Result<Authority, Status> {
        match self.holder(request)? {
            Holder::Owner(owner) => Ok(Authority::Owner(owner)),
            Holder::Admin => Ok(Authority::Organiser(organiser(request))),
            Holder::Bot(_) => {
                Err(status::other_token("an owner's (azo_…) or an organiser's (aza_…)"))
            }
        }
    }

    pub(super) fn admin<T>(&self, request: &Request<T>) -> Result<Organiser, Status> {
        match self.holder(request)? {
            Holder::Admin => Ok(organiser(request)),
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
                Some(Holder::Admin) => Caller::Organiser,
            }
        })
    }
}

/// How the audit log names the organiser who calls: without the secret part of the token. A token from a
/// file may have no other part.
fn organiser<T>(request: &Request<T>) -> Organiser {
    let token = token(request).unwrap_or_default();
    let public = public_part(token);
    let hidden = token.len().saturating_sub(public.len() + 1);
    if hidden == TOKEN_SECRET && public.len() == PUBLIC_PART {
        return Organiser(public.to_owned());
    }
    let Bytes32([a, b, c, d, ..]) = Bytes32::hash_of(token.as_bytes());
    Organiser(format!("file:{:08x}", u32::from_be_bytes([a, b, c, d])))
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
