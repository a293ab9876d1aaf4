//! Servers in processes of their own, ended with this one.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use azulejo_arena::store::Address;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// A server that this process has started.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) url: String,
    /// Killed when dropped.
    process: Child,
}

impl Started {
    /// Starts this very program with other arguments, and waits until it says where it listens.
    pub(super) async fn with(arguments: &[&str]) -> Result<Self> {
        Self::knowing(arguments, None).await
    }

    /// The same; the store is told in a way that nobody else sees.
    pub(super) async fn knowing(arguments: &[&str], store: Option<&Address>) -> Result<Self> {
        let program = std::env::current_exe().context("this program does not know its file")?;
        let mut process = Command::new(program)
            .args(arguments)
            .envs(store.map(|store| ("AZULEJO_STORE", store.secret())))
            .stdout(Stdio::piped())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("cannot start a server")?;
        let output = process.stdout.take().context("the server has no output")?;
        let mut lines = BufReader::new(output).lines();
        while let Some(line) = lines.next_line().await? {
            if let Some(at) = line.find("http://") {
                let url = line[at..].trim_end_matches('/').to_owned();
                // Somebody has to go on reading, or the server would wait for it one day.
                tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
                return Ok(Self { url, process });
            }
        }
        bail!("the server ended before it listened")
    }

    pub(super) async fn engine() -> Result<Self> {
        let ports = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
        Self::with(&[&["engine"], ports.as_slice(), &["--log", "warn"]].concat()).await
    }

    /// Ends it with -9: it has no time to say or write anything.
    pub(super) async fn kill(mut self) -> Result<()> {
        self.process.kill().await.context("the server cannot be killed")
    }

    /// Tells it to stop, and waits until it has.
    pub(super) async fn stop(mut self) -> Result<()> {
        /// Longer than the grace that a server gives to running calls.
        const PATIENCE: Duration = Duration::from_secs(30);
        let id = self.process.id().and_then(|id| i32::try_from(id).ok());
        let id = id.context("the server has ended before it was told to")?;
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::SIGTERM)?;
        let ended = tokio::time::timeout(PATIENCE, self.process.wait()).await;
        let ended = ended.context("the server does not stop")??;
        if ended.success() { Ok(()) } else { bail!("the server stopped with {ended}") }
    }

    /// Processor time that it has used, in seconds; none where the system does not tell.
    pub(super) fn cpu_seconds(&self) -> Option<f64> {
        cpu_seconds(&self.process.id()?.to_string())
    }

    /// Memory that it has in use, in KiB; none where the system does not tell.
    pub(super) fn memory_kib(&self) -> Option<u64> {
        memory_kib(&self.process.id()?.to_string())
    }
}

/// Processor time of a process (`self` is this one), in seconds.
pub(super) fn cpu_seconds(process: &str) -> Option<f64> {
    /// What Linux counts by, everywhere that this runs.
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets may hold anything; user and system time follow as fields 14 and 15.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_A_SECOND)
}

/// Memory of a process (`self` is this one) that is in use, in KiB.
pub(super) fn memory_kib(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}
