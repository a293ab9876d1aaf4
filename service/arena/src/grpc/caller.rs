//! Who calls, and how often.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tonic::{Request, Status};

use super::{Services, status};
use crate::names::{BotId, Owner};
use crate::store::Holder;

/// Calls of one bot a second, in the long run.
const CALLS_A_SECOND: f64 = 200.0;
/// Calls that it may make at once.
const BURST: f64 = 400.0;
/// Bots whose calls are counted; beyond that the idle ones are forgotten.
const REMEMBERED: usize = 10_000;

/// How many calls each bot has left: a flood is refused before it reaches anybody.
#[derive(Debug, Default)]
pub(super) struct Buckets(Mutex<HashMap<BotId, (f64, Instant)>>);

impl Buckets {
    /// Takes a call; otherwise says when there is one again.
    fn take(&self, bot: &BotId) -> Result<(), Duration> {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if buckets.len() > REMEMBERED {
            buckets.retain(|_, (_, seen)| now.duration_since(*seen) < Duration::from_secs(10));
        }
        let (left, seen) = buckets.entry(bot.clone()).or_insert((BURST, now));
        let earned = now.duration_since(*seen).as_secs_f64() * CALLS_A_SECOND;
        (*left, *seen) = ((*left + earned).min(BURST), now);
        if *left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - *left) / CALLS_A_SECOND));
        }
        *left -= 1.0;
        Ok(())
    }
}

impl Services {
    /// The bot whose token came with the call.
    pub(super) fn bot<T>(&self, request: &Request<T>) -> Result<BotId, Status> {
        match self.holder(request)? {
            Holder::Bot(bot) => {
                self.buckets.take(&bot).map_err(|wait| status::flood(CALLS_A_SECOND, wait))?;
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

    /// Whose token came with the call, if one did.
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

/// The token of `authorization: Bearer …`.
#[must_use]
pub fn token<T>(request: &Request<T>) -> Option<&str> {
    let header = request.metadata().get("authorization")?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
