//! Where the swarm plays: an arena in a process of its own, or one that runs already.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use azulejo_arena::store::Address;
use indicatif::ProgressBar;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tempfile::TempDir;

use super::LoadLadder;
use crate::load::server::Started;

/// Connections and files beside those of the bots.
const SPARE_FILES: u64 = 256;
/// How often the server's memory is looked at.
const LOOK: Duration = Duration::from_secs(10);
/// The memory of this time is compared: the first minute against the last.
const MINUTE: Duration = Duration::from_mins(1);

pub(super) struct Grounds {
    pub(super) url: String,
    pub(super) store: Option<Address>,
    arena: Option<Arena>,
    pub(super) folder: Option<TempDir>,
}

/// An arena that this process has started, maybe several times.
struct Arena {
    process: Option<Started>,
    words: Vec<String>,
    store: Address,
    kills: u64,
    /// Of those that were killed.
    cpu: f64,
    empty_kib: Option<u64>,
    looked: Instant,
    samples: Vec<(Duration, u64)>,
    began: Instant,
}

/// What the server used.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct Used {
    pub(super) kills: u64,
    pub(super) cpu_seconds: Option<f64>,
    /// Before the first bot came.
    pub(super) memory_kib_empty: Option<u64>,
    /// Means of the first and of the last minute.
    pub(super) memory_kib_first: Option<u64>,
    pub(super) memory_kib_last: Option<u64>,
    /// Every ten seconds.
    pub(super) memory_kib: Vec<u64>,
}

impl Grounds {
    pub(super) async fn open(load: &LoadLadder, bar: &ProgressBar) -> Result<Self> {
        raise_file_limit(u64::from(load.bots))?;
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
        bar.println(format!("starting an arena; its store is {store}"));
        // Every bot holds a stream and has a call or two under way.
        let calls = (u64::from(load.bots) * 4 + 1_024).to_string();
        let words = ["--admin-listen", "127.0.0.1:0", "--log", "warn", "--max-calls", &calls];
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let process = start("127.0.0.1:0", &words, &store).await?;
        let url = process.url.clone();
        let now = Instant::now();
        let empty_kib = process.memory_kib();
        let arena = Arena {
            process: Some(process),
            words,
            store: store.clone(),
            kills: 0,
            cpu: 0.0,
            empty_kib,
            looked: now,
            samples: Vec::new(),
            began: now,
        };
        Ok(Self { url, store: Some(store), arena: Some(arena), folder })
    }

    /// Memory is compared from here on.
    pub(super) fn measure(&mut self) {
        if let Some(arena) = &mut self.arena {
            arena.began = Instant::now();
            arena.looked = Instant::now();
        }
    }

    pub(super) fn look(&mut self) {
        if let Some(arena) = &mut self.arena
            && arena.looked.elapsed() >= LOOK
        {
            arena.looked += LOOK;
            let kib = arena.process.as_ref().and_then(Started::memory_kib);
            arena.samples.extend(kib.map(|kib| (arena.began.elapsed(), kib)));
        }
    }

    /// Kills the arena with -9, and starts it again at the same address.
    pub(super) async fn kill(&mut self) -> Result<()> {
        let Some(arena) = &mut self.arena else { return Ok(()) };
        let Some(process) = arena.process.take() else { return Ok(()) };
        arena.cpu += process.cpu_seconds().unwrap_or_default();
        process.kill().await?;
        arena.kills += 1;
        let address = self.url.trim_start_matches("http://");
        arena.process = Some(start(address, &arena.words, &arena.store).await?);
        Ok(())
    }

    /// Stops the arena, if it is ours, and tells what it used.
    pub(super) async fn close(&mut self) -> Result<Used> {
        let Some(arena) = &mut self.arena else { return Ok(Used::default()) };
        let process = arena.process.take().context("the arena has ended before its time")?;
        let cpu = process.cpu_seconds().map(|cpu| cpu + arena.cpu);
        process.stop().await?;
        let end = arena.samples.last().map_or(Duration::ZERO, |(at, _)| *at);
        let first = |at: Duration| at <= MINUTE;
        let last = |at: Duration| at + MINUTE > end;
        Ok(Used {
            kills: arena.kills,
            cpu_seconds: cpu,
            memory_kib_empty: arena.empty_kib,
            memory_kib_first: mean(&arena.samples, first),
            memory_kib_last: mean(&arena.samples, last),
            memory_kib: arena.samples.iter().map(|(_, kib)| *kib).collect(),
        })
    }
}

async fn start(address: &str, words: &[String], store: &Address) -> Result<Started> {
    let words: Vec<&str> = ["arena", "--listen", address]
        .into_iter()
        .chain(words.iter().map(String::as_str))
        .collect();
    Started::knowing(&words, Some(store)).await
}

fn mean(samples: &[(Duration, u64)], counts: impl Fn(Duration) -> bool) -> Option<u64> {
    let kib: Vec<u64> = samples.iter().filter(|(at, _)| counts(*at)).map(|(_, kib)| *kib).collect();
    kib.iter().sum::<u64>().checked_div(kib.len() as u64)
}

/// A connection is a file, here and in the arena, which inherits the limit.
fn raise_file_limit(bots: u64) -> Result<()> {
    let needed = bots * 2 + SPARE_FILES;
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    if soft >= needed {
        return Ok(());
    }
    if hard < needed {
        bail!(
            "{needed} open files are needed, {hard} are allowed: run `ulimit -Hn {needed}` as root"
        );
    }
    setrlimit(Resource::RLIMIT_NOFILE, needed, hard).context("cannot raise the limit of open files")
}

/// Where the journal of a swarm lies: beside a file, else here.
pub(super) fn journal_of(store: &Address) -> PathBuf {
    store.file().unwrap_or_else(|| PathBuf::from("azulejo")).with_extension("journal.json")
}
