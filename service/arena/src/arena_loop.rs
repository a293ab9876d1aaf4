//! The loop that runs the arena. Commands arrive in a mailbox and are run one after the other; their
//! writes are made durable in batches before anything is announced. While the store writes one
//! batch, the commands of the next one gather.

mod effects;
mod handle;
mod housekeeping;
mod mailbox;
mod metrics;
mod outbox;
mod pairs;
mod ratings;
mod run;
mod service_clock;
mod standings;
mod voiding;
mod watchers;

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, RwLock, Weak};
use std::time::Duration;

use arc_swap::ArcSwap;
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc, watch};

use crate::names::{BotId, Owner};
use crate::pool::Pool;
use crate::rating::Ladder;
use crate::record::Bytes32;
use crate::state::{ArenaState, Entropy, Refusal, Settings};
use crate::store::{Epoch, Holder, Store, StoreError, Write};
use crate::view::View;

pub use housekeeping::Retention;
use mailbox::{MAILBOX_CAPACITY, Mail, Replies};
pub use metrics::Metrics;
pub use outbox::{Numbered, Outbox, SessionEnd};
use service_clock::{PULSE_EVERY, ServiceClock};
pub use voiding::VoidError;
pub use watchers::Watch;

/// How long a stop waits for the store to record it.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);

/// A handle to the arena, for its services and pages.
#[derive(Clone)]
pub struct Arena {
    shared: Arc<Shared>,
    mailbox: mpsc::Sender<Box<dyn Mail>>,
}

struct Shared {
    store: Arc<dyn Store>,
    /// The epoch of the last take-over, for work beside the loop.
    epoch: AtomicI64,
    clock: ServiceClock,
    // Without a lock: a reader that is interrupted while it holds one would delay the loop.
    view: ArcSwap<View>,
    tokens: RwLock<HashMap<Bytes32, Holder>>,
    outboxes: Mutex<HashMap<BotId, Arc<Outbox>>>,
    watchers: watchers::Watchers,
    standings: standings::AllStandings,
    metrics: Metrics,
    holds_store: watch::Sender<bool>,
    /// For work beside the loop: the loop may have a runtime of its own.
    runtime: Handle,
    /// Limits the house bots that search at the same time.
    searches: Arc<Semaphore>,
    /// Limits the computations of suspicious pairs.
    pairs: Semaphore,
    /// The owners for whom house bots search.
    owners_searching: Mutex<HashMap<Option<Owner>, Weak<Semaphore>>>,
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("the arena is overloaded")]
    Overloaded,
    #[error("the arena is restarting")]
    Restarting,
}

/// Why an arena stopped.
#[derive(Debug, Error)]
pub enum Stopped {
    #[error("another arena has taken over the store; this one stops")]
    Fenced,
    #[error(transparent)]
    Store(StoreError),
}

/// The system's source of randomness.
#[derive(Clone, Copy, Debug)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&mut self, bytes: &mut [u8]) {
        // Without randomness there are no secrets, and nothing here may continue.
        assert!(getrandom::fill(bytes).is_ok(), "the system has no random numbers");
    }
}

impl std::fmt::Debug for Arena {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arena").finish_non_exhaustive()
    }
}

/// An arena that owns its store and is ready to run.
pub struct ArenaLoop {
    arena: Arena,
    mailbox: mpsc::Receiver<Box<dyn Mail>>,
    settings: Settings,
    retention: Retention,
    state: ArenaState,
    epoch: Epoch,
    /// Tokens that are valid while this process runs and are not in the store.
    process_tokens: Vec<(Bytes32, Holder)>,
}

impl std::fmt::Debug for ArenaLoop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ArenaLoop").field("state", &self.state).finish_non_exhaustive()
    }
}

impl ArenaLoop {
    /// Takes over the store and continues where it was left. Work beside the loop, such as searches
    /// of house bots, runs on the runtime of this call.
    pub async fn open(store: Arc<dyn Store>, settings: Settings) -> Result<Self, StoreError> {
        let (sender, mailbox) = mpsc::channel(MAILBOX_CAPACITY);
        // Fails only on an invalid metric name, and they are all in one file.
        let metrics = Metrics::new().map_err(|wrong| StoreError::Failed(wrong.to_string()))?;
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let shared = Shared {
            store,
            epoch: AtomicI64::default(),
            clock: ServiceClock::start(),
            view: ArcSwap::default(),
            tokens: RwLock::default(),
            outboxes: Mutex::default(),
            watchers: watchers::Watchers::default(),
            standings: standings::AllStandings::default(),
            metrics,
            holds_store: watch::Sender::new(false),
            runtime: Handle::current(),
            searches: Arc::new(Semaphore::new(cores)),
            pairs: Semaphore::new(1),
            owners_searching: Mutex::default(),
        };
        let arena = Arena { shared: Arc::new(shared), mailbox: sender };
        start_pulse(Arc::downgrade(&arena.shared))?;
        let (state, epoch) = take_over(&arena, settings, &[]).await?;
        let (retention, process_tokens) = (Retention::default(), Vec::new());
        Ok(Self { arena, mailbox, settings, retention, state, epoch, process_tokens })
    }

    /// Changes what is kept in the store, and for how long.
    #[must_use]
    pub fn with_retention(self, retention: Retention) -> Self {
        Self { retention, ..self }
    }

    #[must_use]
    pub fn arena(&self) -> Arena {
        self.arena.clone()
    }

    /// Whether the store has a token for an organiser.
    #[must_use]
    pub fn has_admin(&self) -> bool {
        self.state.has_admin()
    }

    /// Another token for an organiser.
    pub async fn new_admin(&mut self) -> Result<String, StoreError> {
        let token = self.state.create_admin_token(self.arena.now());
        self.settle(&mut Replies::default()).await?;
        Ok(token)
    }

    /// Another token for an organiser, which is valid only if `keep` has kept it.
    pub async fn kept_admin<E: From<StoreError>>(
        &mut self,
        keep: impl FnOnce(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        keep(&self.state.create_admin_token(self.arena.now()))?;
        Ok(self.settle(&mut Replies::default()).await?)
    }

    /// A token for an organiser; all earlier ones are revoked.
    pub async fn only_admin(&mut self) -> Result<String, StoreError> {
        self.state.revoke_admin_tokens(self.arena.now());
        self.new_admin().await
    }

    /// Accepts this token as an organiser's while this process runs.
    pub fn trust_admin(&mut self, token: &str) {
        self.trust(token, Holder::Admin);
    }

    fn trust(&mut self, token: &str, holder: Holder) {
        let hash = Bytes32::hash_of(token.as_bytes());
        self.arena.shared.tokens().insert(hash, holder.clone());
        self.process_tokens.push((hash, holder));
    }

    /// Replaces all stored ratings.
    pub async fn replace_ladder(&mut self, ladder: &Ladder) -> Result<(), StoreError> {
        let mut stored = self.state.ladder.clone();
        let pools: Vec<Pool> = stored.pools().chain(ladder.pools()).map(|(pool, _)| pool).collect();
        let differ = pools.into_iter().flat_map(|pool| {
            let differ = stored.replace(pool, ladder).into_iter();
            differ.map(move |(player, standing)| match standing {
                Some(standing) => Write::LiveRating { pool, player, standing },
                None => Write::LiveRatingRemoved { pool, player },
            })
        });
        let writes: Vec<Write> = differ.collect();
        self.arena.shared.store.commit(self.epoch, &writes).await
    }

    /// A token for a house bot, valid while this process runs.
    pub async fn house_bot(&mut self, name: &str) -> Result<Option<String>, StoreError> {
        let now = self.arena.now();
        let added = self.state.add_house_bot(name, now).ok();
        self.settle(&mut Replies::default()).await?;
        Ok(added.map(|(bot, token)| {
            self.trust(&token, Holder::Bot(bot));
            token
        }))
    }

    /// Releases the store, so that the next arena need not wait. If that takes too long, the lease
    /// runs out by itself.
    pub async fn close(self) {
        let released = self.arena.shared.store.release(self.epoch);
        match tokio::time::timeout(RELEASE_TIMEOUT, released).await {
            Ok(Ok(())) => {}
            Ok(Err(failure)) => tracing::warn!(%failure, "the store was not released"),
            Err(_late) => tracing::warn!("the store was not released in time"),
        }
    }
}

/// Shows that the process runs, as long as there is an arena.
fn start_pulse(shared: Weak<Shared>) -> Result<(), StoreError> {
    let beating = move || {
        while let Some(shared) = shared.upgrade() {
            shared.clock.pulse();
            drop(shared);
            std::thread::sleep(PULSE_EVERY);
        }
    };
    let started = std::thread::Builder::new().name("pulse".to_owned()).spawn(beating);
    started
        .map(drop)
        .map_err(|problem| StoreError::Failed(format!("cannot start a thread: {problem}")))
}

impl Shared {
    fn epoch(&self) -> Epoch {
        Epoch(self.epoch.load(Ordering::Relaxed))
    }
}

async fn take_over(
    arena: &Arena,
    settings: Settings,
    process_tokens: &[(Bytes32, Holder)],
) -> Result<(ArenaState, Epoch), StoreError> {
    let store = &arena.shared.store;
    let epoch = store.take_over(&format!("process {}", std::process::id())).await?;
    arena.shared.epoch.store(epoch.0, Ordering::Relaxed);
    let saved = ratings::up_to_date(&**store, epoch, store.load().await?).await?;
    let state = ArenaState::new(saved, settings, Box::new(SystemEntropy), arena.now());
    let holders = state.token_holders().into_iter();
    *arena.shared.tokens() = holders.chain(process_tokens.iter().cloned()).collect();
    arena.shared.publish(state.view());
    arena.shared.set_holds_store(true);
    Ok((state, epoch))
}
