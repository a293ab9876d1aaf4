//! Clients that read bots, matches, ladders and pages without pause.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use azulejo_sdk::arena::{
    GetLadderRequest, GetStandingsRequest, ListBotsRequest, ListMatchesRequest,
};
use bytes::Bytes;
use prost::Message as _;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::swarm::Swarm;
use crate::raw::Caller;
use crate::raw::http::{HttpConnection, OK};

const LIST_BOTS: &str = "/azulejo.arena.v1.BotsService/ListBots";
const LIST_MATCHES: &str = "/azulejo.arena.v1.MatchesService/ListMatches";
const GET_LADDER: &str = "/azulejo.arena.v1.LadderService/GetLadder";
const GET_STANDINGS: &str = "/azulejo.arena.v1.LadderService/GetStandings";
/// Between a failed read and the next one of the same reader.
const AFTER_FAILURE: Duration = Duration::from_millis(10);

/// The lowest priority of a thread.
const NICE: i32 = 19;

/// All readers. They read while they are active.
pub(super) struct Readers {
    active: watch::Sender<bool>,
    tally: Arc<Tally>,
    /// Aborted when dropped.
    _tasks: JoinSet<()>,
    runtime: Option<Runtime>,
}

impl Drop for Readers {
    fn drop(&mut self) {
        // A runtime that is dropped in an asynchronous task would panic.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Readers have machines of their own. Here they share one with the server, so their threads take
/// only the processor time that is left.
fn runtime_of_low_priority() -> Result<Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all().thread_name("readers").on_thread_start(|| {
        let _unchanged = rustix::process::setpriority_process(None, NICE);
    });
    builder.build().context("cannot start the readers")
}

#[derive(Debug, Default)]
struct Tally {
    answered: AtomicU64,
    refused: AtomicU64,
    first_refusal: Mutex<Option<String>>,
}

impl Tally {
    fn refuse(&self, refusal: &anyhow::Error) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        let mut first = self.first_refusal.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| format!("{refusal:#}"));
    }
}

impl Readers {
    /// Connects them: each has a connection for calls and one for pages.
    pub(super) async fn connect(
        count: u32,
        url: &str,
        pools: &[String],
        swarm: &Arc<Swarm>,
    ) -> Result<Self> {
        let (active, is_active) = watch::channel(false);
        let tally = Arc::new(Tally::default());
        let runtime = runtime_of_low_priority()?;
        let mut tasks = JoinSet::new();
        for number in 0..count {
            let pool = pools[number as usize % pools.len()].clone();
            let connecting = Reader::connect(url.to_owned(), pool, Arc::clone(swarm), number);
            // There, because a connection belongs to the runtime that opened it.
            let reader = runtime.spawn(connecting).await??;
            let reading = reader.read_while_active(is_active.clone(), Arc::clone(&tally));
            tasks.spawn_on(reading, runtime.handle());
        }
        Ok(Self { active, tally, _tasks: tasks, runtime: Some(runtime) })
    }

    pub(super) fn set_active(&self, active: bool) {
        self.active.send_replace(active);
    }

    /// Successful reads so far.
    pub(super) fn answered(&self) -> u64 {
        self.tally.answered.load(Ordering::Relaxed)
    }

    /// Refused and failed reads so far.
    pub(super) fn refused(&self) -> u64 {
        self.tally.refused.load(Ordering::Relaxed)
    }

    pub(super) fn first_refusal(&self) -> Option<String> {
        self.tally.first_refusal.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn calls(caller: &Caller, pool: &str) -> [(Caller, Bytes); 4] {
    let ladder = GetLadderRequest { pool: pool.to_owned(), ..GetLadderRequest::default() };
    let standings = GetStandingsRequest { pool: pool.to_owned(), ..GetStandingsRequest::default() };
    [
        (caller.clone(), ListBotsRequest::default().encode_to_vec().into()),
        (caller.method(LIST_MATCHES), ListMatchesRequest::default().encode_to_vec().into()),
        (caller.method(GET_LADDER), ladder.encode_to_vec().into()),
        (caller.method(GET_STANDINGS), standings.encode_to_vec().into()),
    ]
}

struct Reader {
    url: String,
    calls: [(Caller, Bytes); 4],
    /// `None` after a failure: the next page connects again.
    pages: Option<HttpConnection>,
    swarm: Arc<Swarm>,
    step: usize,
}

impl Reader {
    async fn connect(url: String, pool: String, swarm: Arc<Swarm>, number: u32) -> Result<Self> {
        let calls = calls(&Caller::connect(&url, LIST_BOTS).await?, &pool);
        let pages = Some(HttpConnection::connect(&url).await?);
        Ok(Self { url, calls, pages, swarm, step: number as usize })
    }

    async fn read_while_active(mut self, mut active: watch::Receiver<bool>, tally: Arc<Tally>) {
        while active.wait_for(|active| *active).await.is_ok() {
            match self.read().await {
                Ok(()) => drop(tally.answered.fetch_add(1, Ordering::Relaxed)),
                Err(refusal) => {
                    tally.refuse(&refusal);
                    tokio::time::sleep(AFTER_FAILURE).await;
                }
            }
        }
    }

    /// Calls and pages in turn.
    async fn read(&mut self) -> Result<()> {
        /// The front page, a bot, a match.
        const PAGES: usize = 3;
        self.step += 1;
        let kind = self.step % (self.calls.len() + PAGES);
        if let Some((caller, message)) = self.calls.get_mut(kind) {
            caller.call(message.clone()).await.map(drop).context("a call was refused")
        } else {
            let path = self.path(kind - self.calls.len());
            self.page(&path).await
        }
    }

    /// The path of a page. Bots and matches differ every time.
    fn path(&self, kind: usize) -> String {
        let observed = self.swarm.observed();
        let journal = &observed.journal;
        let spread = self.step.wrapping_mul(7919);
        match kind {
            1 => format!("/bot/{}", journal.bots[spread % journal.bots.len()].bot),
            2 if journal.matches.len() > 0 => {
                format!("/match/{}", journal.matches.text((spread % journal.matches.len()) as u32))
            }
            _ => "/".to_owned(),
        }
    }

    async fn page(&mut self, path: &str) -> Result<()> {
        let mut pages = match self.pages.take() {
            Some(pages) => pages,
            None => HttpConnection::connect(&self.url).await?,
        };
        let (status, _) = pages.get(path).await?;
        self.pages = Some(pages);
        if status != OK {
            bail!("{path}: HTTP status {status}");
        }
        Ok(())
    }
}
