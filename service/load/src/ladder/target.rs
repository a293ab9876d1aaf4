//! The arena under test: a process that this one starts, or one that is already running.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use azulejo_arena::store::Address;
use indicatif::ProgressBar;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tempfile::TempDir;

use super::LoadLadder;
use super::abuse::Abuse;
use crate::metrics::{Buckets, Scrape};
use crate::server::ServerProcess;

/// Connections and files beside those of bots and other clients.
const SPARE_FILES: u64 = 256;
/// How often the server's memory is sampled.
const SAMPLE_EVERY: Duration = Duration::from_secs(10);
/// Memory of the first minute is compared with that of the last.
const MINUTE: Duration = Duration::from_mins(1);

pub(super) struct Target {
    pub(super) url: String,
    pub(super) store: Option<Address>,
    arena: Option<ArenaProcess>,
    pub(super) folder: Option<TempDir>,
}

/// An arena that this process has started, possibly several times.
struct ArenaProcess {
    process: Option<ServerProcess>,
    arguments: Vec<String>,
    store: Address,
    /// The limit of open files. Default: that of this process.
    files: Option<u64>,
    kills: u64,
    /// Of the processes that were killed.
    killed_cpu: f64,
    killed_heartbeats: u64,
    empty_kib: Option<u64>,
    sampled: Instant,
    samples: Vec<(Duration, u64)>,
    began: Instant,
}

/// Resources that the server used.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct ServerUsage {
    pub(super) kills: u64,
    pub(super) cpu_seconds: Option<f64>,
    /// Before the first bot connected.
    pub(super) memory_kib_empty: Option<u64>,
    /// Means of the first and of the last minute.
    pub(super) memory_kib_first: Option<u64>,
    pub(super) memory_kib_last: Option<u64>,
    /// Every ten seconds.
    pub(super) memory_kib: Vec<u64>,
}

impl Target {
    pub(super) async fn open(load: &LoadLadder, bar: &ProgressBar) -> Result<Self> {
        raise_file_limit(u64::from(load.bots) + load.clients())?;
        if let Some(url) = &load.server {
            let url = url.trim_end_matches('/').to_owned();
            return Ok(Self { url, store: load.store.clone(), arena: None, folder: None });
        }
        let folder = match &load.store {
            Some(_) => None,
            None => Some(TempDir::with_prefix("azulejo-load-")?),
        };
        let inside = folder.as_ref().map(|folder| folder.path().join("arena.db"));
        let inside = inside.as_ref().and_then(|file| file.to_str()?.parse().ok());
        let store = load.store.clone().or(inside).context("the temporary folder has no name")?;
        bar.println(format!("starting an arena with the store {store}"));
        // Every bot has a stream and one or two calls in flight, every reader one call.
        let calls = (u64::from(load.bots) * 4 + u64::from(load.readers) + 1_024).to_string();
        // Abuse finds an engine too, and meets the default limits.
        let is_abused = load.abuse.is_some();
        let (verb, calls) = if is_abused { ("serve", "1024") } else { ("arena", &*calls) };
        let ports = ["--admin-listen", "127.0.0.1:0", "--log", "warn"];
        let arguments = [verb].into_iter().chain(ports).chain(["--max-calls", calls]);
        let arguments: Vec<String> = arguments.map(str::to_owned).collect();
        let files = load.abuse.and_then(Abuse::file_limit);
        let arena = ArenaProcess::start(arguments, store.clone(), files).await?;
        let url = arena.process.as_ref().map(|process| process.url.clone()).unwrap_or_default();
        Ok(Self { url, store: Some(store), arena: Some(arena), folder })
    }

    /// Memory samples begin here.
    pub(super) fn begin(&mut self) {
        if let Some(arena) = &mut self.arena {
            arena.began = Instant::now();
            arena.sampled = Instant::now();
        }
    }

    pub(super) fn sample_memory(&mut self) {
        if let Some(arena) = &mut self.arena
            && arena.sampled.elapsed() >= SAMPLE_EVERY
        {
            arena.sampled += SAMPLE_EVERY;
            let kib = arena.process.as_ref().and_then(ServerProcess::memory_kib);
            arena.samples.extend(kib.map(|kib| (arena.began.elapsed(), kib)));
        }
    }

    /// Processor time of all processes so far, the killed ones included.
    pub(super) fn cpu_seconds(&self) -> Option<f64> {
        let arena = self.arena.as_ref()?;
        Some(arena.killed_cpu + arena.process.as_ref()?.cpu_seconds()?)
    }

    /// Heartbeat calls so far. `None` with --server.
    pub(super) async fn heartbeats(&self) -> Option<u64> {
        let arena = self.arena.as_ref()?;
        Some(arena.killed_heartbeats + arena.heartbeats().await?)
    }

    /// How late the arena's loop was, so far. `None` with --server.
    pub(super) async fn loop_delay(&self) -> Option<Buckets> {
        let scrape = self.arena.as_ref()?.scrape().await?;
        scrape.histogram("azulejo_arena_", "delay_seconds")
    }

    /// Kills the arena with SIGKILL, and starts it again at the same address.
    pub(super) async fn kill(&mut self) -> Result<()> {
        let Some(arena) = &mut self.arena else { return Ok(()) };
        arena.killed_heartbeats += arena.heartbeats().await.unwrap_or_default();
        let Some(process) = arena.process.take() else { return Ok(()) };
        arena.killed_cpu += process.cpu_seconds().unwrap_or_default();
        process.kill().await?;
        arena.kills += 1;
        let address = self.url.trim_start_matches("http://");
        arena.process = Some(start(address, &arena.arguments, &arena.store, arena.files).await?);
        Ok(())
    }

    /// Stops the arena, unless it was already running, and returns what it used.
    pub(super) async fn close(&mut self) -> Result<ServerUsage> {
        let cpu_seconds = self.cpu_seconds();
        let Some(arena) = &mut self.arena else { return Ok(ServerUsage::default()) };
        let process = arena.process.take().context("the arena has exited unexpectedly")?;
        process.stop().await?;
        let end = arena.samples.last().map_or(Duration::ZERO, |(at, _)| *at);
        let first = |at: Duration| at <= MINUTE;
        let last = |at: Duration| at + MINUTE > end;
        Ok(ServerUsage {
            kills: arena.kills,
            cpu_seconds,
            memory_kib_empty: arena.empty_kib,
            memory_kib_first: mean(&arena.samples, first),
            memory_kib_last: mean(&arena.samples, last),
            memory_kib: arena.samples.iter().map(|(_, kib)| *kib).collect(),
        })
    }
}

impl ArenaProcess {
    async fn start(arguments: Vec<String>, store: Address, files: Option<u64>) -> Result<Self> {
        let process = start("127.0.0.1:0", &arguments, &store, files).await?;
        let empty_kib = process.empty_kib().await;
        let now = Instant::now();
        Ok(Self {
            empty_kib,
            process: Some(process),
            arguments,
            store,
            files,
            kills: 0,
            killed_cpu: 0.0,
            killed_heartbeats: 0,
            sampled: now,
            samples: Vec::new(),
            began: now,
        })
    }

    async fn scrape(&self) -> Option<Scrape> {
        let url = self.process.as_ref()?.metrics_url().await;
        let scrape = match url {
            Ok(url) => Scrape::read(&url).await,
            Err(unknown) => Err(unknown),
        };
        scrape.inspect_err(|error| tracing::warn!("cannot read the metrics: {error:#}")).ok()
    }

    async fn heartbeats(&self) -> Option<u64> {
        let scrape = self.scrape().await?;
        let label = "PlayService/Heartbeat\"";
        Some(scrape.sum("rpc_server_call_duration_seconds_count", label) as u64)
    }
}

async fn start(
    address: &str,
    arguments: &[String],
    store: &Address,
    files: Option<u64>,
) -> Result<ServerProcess> {
    let arguments: Vec<&str> =
        arguments.iter().map(String::as_str).chain(["--listen", address]).collect();
    ServerProcess::start_with_store(&arguments, Some(store), files).await
}

fn mean(samples: &[(Duration, u64)], counts: impl Fn(Duration) -> bool) -> Option<u64> {
    let kib: Vec<u64> = samples.iter().filter(|(at, _)| counts(*at)).map(|(_, kib)| *kib).collect();
    kib.iter().sum::<u64>().checked_div(kib.len() as u64)
}

/// A connection is a file, here and in the arena, which inherits the limit.
fn raise_file_limit(clients: u64) -> Result<()> {
    let needed = clients * 2 + SPARE_FILES;
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    if soft >= needed {
        return Ok(());
    }
    if hard < needed {
        bail!(
            "{needed} open files are required, {hard} are allowed: run `ulimit -Hn {needed}` as root"
        );
    }
    setrlimit(Resource::RLIMIT_NOFILE, needed, hard).context("cannot raise the limit of open files")
}

/// The path of the journal: next to the store if that is a file, else in the working directory.
pub(super) fn journal_of(store: &Address) -> PathBuf {
    store.file().unwrap_or_else(|| PathBuf::from("azulejo")).with_extension("journal.json")
}
