//! The desk: where the hall meets the world. Letters come in, are handled one after the other, and
//! what they change is made durable in batches before anybody hears of it. While the store writes
//! one batch, the letters of the next one gather.

mod arena;
mod metrics;
mod official;
mod outbox;
mod watch;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::hall::{Answer, Entropy, Hall, Refusal, Request, Settings, Ticket};
use crate::names::BotId;
use crate::rating::Ladder;
use crate::record::Bytes32;
use crate::store::{Epoch, Holder, Store, StoreError, Write};

pub use metrics::Metrics;
pub use official::Fitted;
pub use outbox::{Outbox, Waited};
pub use watch::Watched;

/// Letters that wait; whoever comes then is told to come back.
const LETTERS: usize = 8_192;
/// Letters that are handled before the next batch is written.
const LETTERS_A_BATCH: usize = 1_000;
/// How long a tick waits for letters that are still there.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the store is asked whether it is still ours.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// How long whoever goes waits until the store knows it.
const COURTESY: Duration = Duration::from_secs(2);

struct Letter {
    request: Request,
    answer: Option<oneshot::Sender<Result<Answer, Refusal>>>,
}

/// The arena, for whoever wants something of it.
#[derive(Clone)]
pub struct Arena {
    shared: Arc<Shared>,
    letters: mpsc::Sender<Letter>,
}

struct Shared {
    store: Arc<dyn Store>,
    began: Instant,
    keys: RwLock<HashMap<Bytes32, Holder>>,
    outboxes: Mutex<HashMap<BotId, Arc<Outbox>>>,
    watchers: watch::Watchers,
    official: official::Official,
    metrics: Metrics,
    /// House bots that think at the same time.
    thinkers: Arc<Semaphore>,
}

/// Why something could not be asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unanswered {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("the arena has more to do than it can")]
    Busy,
    #[error("the arena is restarting")]
    Restarting,
}

/// Why an arena ended.
#[derive(Debug, Error)]
pub enum Stopped {
    #[error("another arena has taken over the store; this one stops")]
    Fenced,
    #[error(transparent)]
    Store(StoreError),
}

/// Randomness of the system.
#[derive(Clone, Copy, Debug)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&mut self, bytes: &mut [u8]) {
        // Without randomness there are no secrets, and nothing here may go on.
        assert!(getrandom::fill(bytes).is_ok(), "the system has no random numbers");
    }
}

impl std::fmt::Debug for Arena {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arena").finish_non_exhaustive()
    }
}

/// An arena that is ready to go on.
pub struct Desk {
    arena: Arena,
    letters: mpsc::Receiver<Letter>,
    settings: Settings,
    hall: Hall,
    epoch: Epoch,
    /// Tokens that are good as long as this process runs, and are not in the store.
    trusted: Vec<(Bytes32, Holder)>,
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("hall", &self.hall).finish_non_exhaustive()
    }
}

impl Desk {
    /// Takes over the store and goes on where it was left.
    pub async fn open(store: Arc<dyn Store>, settings: Settings) -> Result<Self, StoreError> {
        let (sender, letters) = mpsc::channel(LETTERS);
        // Only names that are not names could fail, and they are all in one file.
        let metrics = Metrics::new().map_err(|wrong| StoreError::Failed(wrong.to_string()))?;
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let shared = Shared {
            store,
            began: Instant::now(),
            keys: RwLock::default(),
            outboxes: Mutex::default(),
            watchers: watch::Watchers::default(),
            official: official::Official::default(),
            metrics,
            thinkers: Arc::new(Semaphore::new(cores)),
        };
        let arena = Arena { shared: Arc::new(shared), letters: sender };
        let (hall, epoch) = take_over(&arena, settings, &[]).await?;
        Ok(Self { arena, letters, settings, hall, epoch, trusted: Vec::new() })
    }

    #[must_use]
    pub fn arena(&self) -> Arena {
        self.arena.clone()
    }

    /// A token for an organiser, if there is none yet.
    pub async fn first_admin(&mut self) -> Result<Option<String>, StoreError> {
        if self.hall.has_admin() { Ok(None) } else { self.new_admin().await.map(Some) }
    }

    /// Another token for an organiser.
    pub async fn new_admin(&mut self) -> Result<String, StoreError> {
        let token = self.hall.admin_token();
        self.settle(&mut Answers::default()).await?;
        Ok(token)
    }

    /// A token for an organiser; all that there were before end.
    pub async fn only_admin(&mut self) -> Result<String, StoreError> {
        self.hall.revoke_admins();
        self.new_admin().await
    }

    /// Whoever has this token is an organiser, as long as this process runs.
    pub fn trust_admin(&mut self, token: &str) {
        self.trust(token, Holder::Admin);
    }

    fn trust(&mut self, token: &str, holder: Holder) {
        let hash = Bytes32::hash_of(token.as_bytes());
        self.arena.shared.keys().insert(hash, holder.clone());
        self.trusted.push((hash, holder));
    }

    /// Puts other ratings in the place of all that are stored.
    pub async fn replace_ladder(&mut self, ladder: &Ladder) -> Result<(), StoreError> {
        let writes: Vec<Write> = ladder
            .pools()
            .flat_map(|(pool, table)| {
                table.iter().map(move |(player, &standing)| Write::Standing {
                    pool,
                    player: player.clone(),
                    standing,
                })
            })
            .collect();
        self.arena.shared.store.commit(self.epoch, &writes).await
    }

    /// A token for a bot of the house, as long as this process runs.
    pub async fn house_bot(&mut self, name: &str) -> Result<Option<String>, StoreError> {
        let now = self.arena.now();
        let made = self.hall.house_bot(name, now).ok();
        self.settle(&mut Answers::default()).await?;
        Ok(made.map(|(bot, token)| {
            self.trust(&token, Holder::Bot(bot));
            token
        }))
    }

    /// Gives the store back, so that whoever wants it next need not wait. That is a courtesy: if it
    /// takes long, the store will find out by itself.
    pub async fn close(self) {
        let released = self.arena.shared.store.release(self.epoch);
        match tokio::time::timeout(COURTESY, released).await {
            Ok(Ok(())) => {}
            Ok(Err(failure)) => tracing::warn!(%failure, "the store was not given back"),
            Err(_late) => tracing::warn!("the store was not given back in time"),
        }
    }

    /// Runs until it is told to stop. If the store fails, it starts again from what is there.
    pub async fn run(mut self, stop: CancellationToken) -> Result<(), Stopped> {
        // However this ends, so does the fitting.
        let ends = CancellationToken::new();
        let _official = ends.clone().drop_guard();
        tokio::spawn(official::keep(self.arena(), ends));
        let metrics = self.arena.shared.metrics.clone();
        let ended = self.keep_on(&stop).await;
        metrics.holds_store(false);
        if ended.is_ok() {
            self.close().await;
        }
        ended
    }

    async fn keep_on(&mut self, stop: &CancellationToken) -> Result<(), Stopped> {
        loop {
            let failure = match self.keep(stop).await {
                Ok(()) => return Ok(()),
                Err(StoreError::Fenced) => return Err(Stopped::Fenced),
                Err(failure @ (StoreError::Failed(_) | StoreError::Conflict(_))) => failure,
            };
            tracing::error!(%failure, "starting again from what is in the store");
            self.arena.shared.metrics.store_failed();
            self.arena.shared.metrics.holds_store(false);
            self.arena.shared.close_all();
            // Whoever asked in vain is told to ask again.
            while self.letters.try_recv().is_ok() {}
            (self.hall, self.epoch) = self.again(stop).await?;
        }
    }

    async fn again(&self, stop: &CancellationToken) -> Result<(Hall, Epoch), Stopped> {
        let mut wait = Duration::from_millis(100);
        loop {
            let failure = match self.once_more().await {
                Ok(taken) => return Ok(taken),
                Err(StoreError::Fenced) => return Err(Stopped::Fenced),
                Err(failure) => failure,
            };
            if stop.is_cancelled() {
                return Err(Stopped::Store(failure));
            }
            tracing::error!(%failure, "the store is still out of reach");
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(Duration::from_secs(5));
        }
    }

    /// Takes the store anew, unless another arena holds it by now: two that take it from each other
    /// would never end.
    async fn once_more(&self) -> Result<(Hall, Epoch), StoreError> {
        self.arena.shared.store.renew(self.epoch).await?;
        take_over(&self.arena, self.settings, &self.trusted).await
    }

    async fn keep(&mut self, stop: &CancellationToken) -> Result<(), StoreError> {
        let mut answers = Answers::default();
        let (mut ticked, mut renewed) = (Instant::now(), Instant::now());
        self.stand();
        loop {
            let next_tick = ticked + Hall::tick_every();
            tokio::select! {
                biased;
                letter = self.letters.recv() => match letter {
                    Some(letter) => self.take(letter, &mut answers),
                    None => return Ok(()),
                },
                () = tokio::time::sleep_until(next_tick.into()) => {}
                () = stop.cancelled() => return Ok(()),
            }
            // What came in time is heard before time is called, unless it never ends.
            let overdue = Instant::now() >= next_tick + PATIENCE;
            if overdue || (Instant::now() >= next_tick && self.letters.is_empty()) {
                ticked = Instant::now();
                self.arena.shared.metrics.late(ticked.saturating_duration_since(next_tick));
                let now = self.arena.now();
                self.hall.tick(now);
            }
            if renewed.elapsed() >= RENEW_EVERY {
                renewed = Instant::now();
                self.arena.shared.store.renew(self.epoch).await?;
                self.stand();
            }
            self.settle(&mut answers).await?;
        }
    }

    /// Handles a letter and those that wait behind it.
    fn take(&mut self, first: Letter, answers: &mut Answers) {
        let mut next = Some(first);
        for left in (0..LETTERS_A_BATCH).rev() {
            let Some(Letter { request, answer }) = next else { return };
            let ticket = answer.map(|answer| answers.expect(answer));
            self.hall.handle(ticket, request, self.arena.now());
            next = if left > 0 { self.letters.try_recv().ok() } else { None };
        }
    }

    /// Tells those who watch over the arena how things stand.
    fn stand(&self) {
        let census = self.hall.census(self.arena.time());
        self.arena.shared.metrics.stand(&census);
    }

    /// Makes everything durable, and only then carries out what follows.
    async fn settle(&mut self, answers: &mut Answers) -> Result<(), StoreError> {
        let writes = self.hall.take_writes();
        if !writes.is_empty() {
            let begun = Instant::now();
            self.arena.shared.store.commit(self.epoch, &writes).await?;
            let took = begun.elapsed();
            self.arena.shared.metrics.committed(writes.len(), took);
            tracing::debug!(writes = writes.len(), ?took, "a batch is durable");
        }
        for note in self.hall.take_notes() {
            self.arena.shared.metrics.count(note);
        }
        for output in self.hall.release(self.arena.now()) {
            self.arena.carry_out(output, answers);
        }
        Ok(())
    }
}

async fn take_over(
    arena: &Arena,
    settings: Settings,
    trusted: &[(Bytes32, Holder)],
) -> Result<(Hall, Epoch), StoreError> {
    let store = &arena.shared.store;
    let epoch = store.take_over(&format!("process {}", std::process::id())).await?;
    let saved = store.load().await?;
    let hall = Hall::new(saved, settings, Box::new(SystemEntropy), arena.now());
    *arena.shared.keys() = hall.keys().into_iter().chain(trusted.iter().cloned()).collect();
    arena.shared.metrics.holds_store(true);
    Ok((hall, epoch))
}

/// Who waits for which answer.
#[derive(Default)]
struct Answers {
    last: u64,
    waiting: HashMap<Ticket, oneshot::Sender<Result<Answer, Refusal>>>,
}

impl Answers {
    fn expect(&mut self, answer: oneshot::Sender<Result<Answer, Refusal>>) -> Ticket {
        self.last += 1;
        self.waiting.insert(Ticket(self.last), answer);
        Ticket(self.last)
    }
}
