//! Limits how many calls are served at the same time. Each class of callers has places of its own,
//! so that none can take those of another, and each caller has a share of them. `sent` holds a place
//! until the response is sent.

use std::sync::Arc;

use tonic::Status;

use crate::budget::{Budget, Place};
use crate::connection::Peer;
use crate::methods::{Kind, Method};
use crate::{Caller, Identify, Overloaded, Request, Share, refusal};

/// How many times as many calls of bots are served as of the bots of one owner. The rate of calls
/// has a limit of its own.
const BOTS_SHARE: usize = 4;
/// Calls of the bots of one owner, at least: eight matches, and polls.
const BOTS_OF_ONE: usize = 64;
const PER_OWNER: usize = 16;
/// How many times as many places bots have as owners.
const OWNERS_SHARE: usize = 4;
/// Calls of organisers: they can act whatever others do.
const ORGANISERS: usize = 32;
/// How many times as many anonymous calls are served as of one address.
const PEERS_SHARE: usize = 8;

#[derive(Debug)]
pub(crate) struct Admission {
    identify: Option<Identify>,
    classes: Classes,
}

#[derive(Debug)]
struct Classes {
    /// Streams and polls by which bots wait for events.
    sessions: Arc<Budget>,
    /// What bots do.
    bots: Arc<Budget>,
    owners: Arc<Budget>,
    organisers: Arc<Budget>,
    calls: Arc<Budget>,
    /// All other streams, of any caller: spectators, reflection, health.
    streams: Arc<Budget>,
}

/// Where a call has to enter.
#[derive(Debug)]
pub(crate) struct Entrance {
    budget: Arc<Budget>,
    share: Option<Share>,
}

impl Entrance {
    pub(crate) fn enter(&self) -> Result<Place, Status> {
        self.budget.enter(self.share).ok_or_else(|| refusal::overloaded(&Overloaded::SOON))
    }

    pub(crate) const fn share(&self) -> Option<Share> {
        self.share
    }
}

impl Admission {
    /// Without `identify` all callers are the same, and share all places.
    pub(crate) fn new(places: usize, per_peer: Option<usize>, identify: Option<Identify>) -> Self {
        let classes = if identify.is_none() {
            let all = Budget::new(places, places);
            let same = || Arc::clone(&all);
            Classes {
                sessions: same(),
                bots: same(),
                owners: same(),
                organisers: same(),
                calls: same(),
                streams: same(),
            }
        } else {
            let per_peer = per_peer.unwrap_or_else(|| places.div_ceil(PEERS_SHARE));
            let of_one_owner = places.div_ceil(BOTS_SHARE).max(BOTS_OF_ONE.min(places.div_ceil(2)));
            Classes {
                sessions: Budget::new(places, of_one_owner),
                bots: Budget::new(places, of_one_owner),
                owners: Budget::new(places.div_ceil(OWNERS_SHARE), PER_OWNER),
                organisers: Budget::new(ORGANISERS, ORGANISERS),
                calls: Budget::new(places, per_peer),
                streams: Budget::new(places, per_peer),
            }
        };
        Self { identify, classes }
    }

    /// Where this call has to enter. None for health checks, which are answered even when the server
    /// is full.
    pub(crate) fn entrance(&self, method: &Method, request: &Request) -> Option<Entrance> {
        if method.service == Kind::Health && method.is_unary {
            return None;
        }
        let Classes { sessions, bots, owners, organisers, calls, streams } = &self.classes;
        let Some(identify) = &self.identify else {
            return Some(Entrance { budget: Arc::clone(calls), share: None });
        };
        let peer = request.extensions().get::<Peer>();
        let caller = identify.caller(request.headers());
        if caller != Caller::Anonymous
            && let Some(peer) = peer
        {
            peer.identified();
        }
        let share = match caller {
            Caller::Bot(holder) | Caller::Owner(holder) => Some(Share::Holder(holder)),
            Caller::Organiser => None,
            Caller::Anonymous => peer.and_then(Peer::share),
        };
        let budget = match caller {
            Caller::Organiser => organisers,
            Caller::Bot(_) if method.is_session => sessions,
            Caller::Bot(_) | Caller::Owner(_) | Caller::Anonymous if !method.is_unary => streams,
            Caller::Bot(_) => bots,
            Caller::Owner(_) => owners,
            Caller::Anonymous => calls,
        };
        Some(Entrance { budget: Arc::clone(budget), share })
    }

    /// Calls and streams being served.
    pub(crate) fn taken(&self) -> usize {
        let Classes { sessions, bots, owners, organisers, calls, streams } = &self.classes;
        if self.identify.is_none() {
            return calls.taken();
        }
        [sessions, bots, owners, organisers, calls, streams]
            .into_iter()
            .map(|budget| budget.taken())
            .sum()
    }
}
