//! Clients that disturb the arena in every other slice of the measured time: readers, or abuse.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Between a failed call and the next one of the same client.
const AFTER_FAILURE: Duration = Duration::from_millis(10);

/// All of these clients. They call while they are active.
pub(super) struct Disturbance {
    active: watch::Sender<bool>,
    tally: Arc<Tally>,
    /// Aborted when dropped.
    tasks: JoinSet<()>,
    runtime: Option<Runtime>,
}

impl Drop for Disturbance {
    fn drop(&mut self) {
        // A runtime that is dropped in an asynchronous task would panic.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// What they have achieved.
#[derive(Debug, Default)]
pub(super) struct Tally {
    answered: AtomicU64,
    refused: AtomicU64,
    first_refusal: Mutex<Option<String>>,
}

impl Tally {
    pub(super) fn answer(&self) {
        self.answered.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn refuse(&self, refusal: &anyhow::Error) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        let mut first = self.first_refusal.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| format!("{refusal:#}"));
    }
}

/// When a client calls, and where it counts what it achieved.
#[derive(Clone, Debug)]
pub(super) struct Activity {
    active: watch::Receiver<bool>,
    pub(super) tally: Arc<Tally>,
}

impl Activity {
    /// Waits until the client may call. False: never again.
    pub(super) async fn begin(&mut self) -> bool {
        self.active.wait_for(|active| *active).await.is_ok()
    }

    /// Waits until the client must not call any more.
    pub(super) async fn end(&mut self) {
        let _ended = self.active.wait_for(|active| !*active).await;
    }

    /// Counts a failure, and waits a moment.
    pub(super) async fn refused(&self, refusal: &anyhow::Error) {
        self.tally.refuse(refusal);
        tokio::time::sleep(AFTER_FAILURE).await;
    }
}

impl Disturbance {
    /// They have machines of their own. Here they share one with the server, so their threads take
    /// only the processor time that is left.
    pub(super) fn new() -> Result<Self> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder
            .enable_all()
            .thread_name("disturbance")
            .on_thread_start(azulejo_runtime::lower_priority);
        let runtime = builder.build().context("cannot start the clients")?;
        let (active, _) = watch::channel(false);
        Ok(Self { active, tally: Arc::default(), tasks: JoinSet::new(), runtime: Some(runtime) })
    }

    /// Runs a client that is set up on the same runtime: a connection belongs to the one that opened
    /// it.
    pub(super) async fn add<Client, Run>(
        &mut self,
        set_up: impl Future<Output = Result<Client>> + Send + 'static,
        run: impl FnOnce(Client, Activity) -> Run,
    ) -> Result<()>
    where
        Client: Send + 'static,
        Run: Future<Output = ()> + Send + 'static,
    {
        let Some(runtime) = &self.runtime else { return Ok(()) };
        let client = runtime.spawn(set_up).await??;
        let activity = Activity { active: self.active.subscribe(), tally: Arc::clone(&self.tally) };
        self.tasks.spawn_on(run(client, activity), runtime.handle());
        Ok(())
    }

    pub(super) fn set_active(&self, active: bool) {
        self.active.send_replace(active);
    }

    /// Successful calls so far.
    pub(super) fn answered(&self) -> u64 {
        self.tally.answered.load(Ordering::Relaxed)
    }

    /// Refused and failed calls so far.
    pub(super) fn refused(&self) -> u64 {
        self.tally.refused.load(Ordering::Relaxed)
    }

    pub(super) fn first_refusal(&self) -> Option<String> {
        self.tally.first_refusal.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
