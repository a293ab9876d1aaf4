//! Servers as separate processes, killed when they are dropped.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use azulejo_arena::store::Address;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;

/// A server that this process has started.
#[derive(Debug)]
pub(super) struct ServerProcess {
    pub(super) url: String,
    /// The URL of its metrics, once the server has printed it.
    metrics: watch::Receiver<Option<String>>,
    /// Killed when dropped.
    process: Child,
}

impl ServerProcess {
    /// Starts this executable with other arguments, and waits until it prints its address.
    pub(super) async fn start(arguments: &[&str]) -> Result<Self> {
        Self::start_with_store(arguments, None, None).await
    }

    /// The same; the store is passed in the environment, as its URL may contain a password. With a
    /// limit of open files, if there is one.
    pub(super) async fn start_with_store(
        arguments: &[&str],
        store: Option<&Address>,
        files: Option<u64>,
    ) -> Result<Self> {
        let program = std::env::current_exe().context("cannot locate the running executable")?;
        let mut command = match files {
            None => Command::new(program),
            Some(files) => {
                let mut shell = Command::new("sh");
                let script = format!("ulimit -n {files}; exec \"$0\" \"$@\"");
                shell.args(["-c", &script]).arg(program);
                shell
            }
        };
        let mut process = command
            .args(arguments)
            .envs(store.map(|store| ("AZULEJO_STORE", store.secret())))
            .stdout(Stdio::piped())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("cannot start a server")?;
        let output = process.stdout.take().context("the server has no standard output")?;
        let mut lines = BufReader::new(output).lines();
        let (found, metrics) = watch::channel(None);
        while let Some(line) = lines.next_line().await? {
            match url_in(&line) {
                Some(url) if is_metrics(&url) => drop(found.send_replace(Some(url))),
                Some(url) => {
                    // Read on: the server would block on a full pipe.
                    tokio::spawn(async move {
                        while let Ok(Some(line)) = lines.next_line().await {
                            if let Some(url) = url_in(&line).filter(|url| is_metrics(url)) {
                                found.send_replace(Some(url));
                            }
                        }
                    });
                    return Ok(Self { url, metrics, process });
                }
                None => {}
            }
        }
        bail!("the server exited before it was listening")
    }

    pub(super) async fn engine() -> Result<Self> {
        let ports = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
        Self::start(&[&["engine"], ports.as_slice(), &["--log", "warn"]].concat()).await
    }

    /// The URL of its metrics.
    pub(super) async fn metrics_url(&self) -> Result<String> {
        const TIMEOUT: Duration = Duration::from_secs(5);
        let mut metrics = self.metrics.clone();
        let found = tokio::time::timeout(TIMEOUT, metrics.wait_for(Option::is_some)).await;
        let url = found.ok().and_then(|found| found.ok()?.clone());
        url.context("the server did not print the URL of its metrics")
    }

    /// Kills it with SIGKILL.
    pub(super) async fn kill(mut self) -> Result<()> {
        self.process.kill().await.context("cannot kill the server")
    }

    /// Stops it with SIGTERM, and waits until it has exited.
    pub(super) async fn stop(mut self) -> Result<()> {
        /// Longer than the grace period of running calls.
        const TIMEOUT: Duration = Duration::from_secs(30);
        let id = self.process.id().and_then(|id| i32::try_from(id).ok());
        let id = id.context("the server exited before it was stopped")?;
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::SIGTERM)?;
        let ended = tokio::time::timeout(TIMEOUT, self.process.wait()).await;
        let ended = ended.context("the server does not stop")??;
        if ended.success() { Ok(()) } else { bail!("the server stopped with {ended}") }
    }

    /// Processor time used so far, in seconds. `None` where the system does not report it.
    pub(super) fn cpu_seconds(&self) -> Option<f64> {
        cpu_seconds(&self.process.id()?.to_string())
    }

    /// The memory that it needs without a client. It is still setting itself up when it begins to listen.
    pub(super) async fn empty_kib(&self) -> Option<u64> {
        const SET_UP: Duration = Duration::from_secs(2);
        tokio::time::sleep(SET_UP).await;
        self.memory_kib()
    }

    /// Resident memory in KiB. `None` where the system does not report it.
    pub(super) fn memory_kib(&self) -> Option<u64> {
        memory_kib(&self.process.id()?.to_string())
    }
}

/// The first URL in a line of output, without a slash at its end.
fn url_in(line: &str) -> Option<String> {
    let url = line[line.find("http://")?..].split_whitespace().next()?;
    Some(url.trim_end_matches('/').to_owned())
}

fn is_metrics(url: &str) -> bool {
    url.ends_with("/metrics")
}

/// Processor time of a process (`self`: this one), in seconds.
pub(super) fn cpu_seconds(process: &str) -> Option<f64> {
    /// Linux reports times in these ticks on all supported platforms.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets may contain anything; user and system time follow as fields 14 and 15.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

/// Memory of a process (`self`: this one) without the pages of its program file, in KiB: those are
/// read when code first runs, also without a bot.
pub(super) fn memory_kib(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{is_metrics, url_in};

    #[test]
    fn addresses_are_found_in_the_output_of_a_server() {
        let line = "  health and metrics   http://127.0.0.1:7701/metrics";
        assert!(is_metrics(&url_in(line).unwrap()));
        assert_eq!(url_in("Web UI: http://127.0.0.1:7700/").unwrap(), "http://127.0.0.1:7700");
        assert_eq!(url_in("Ctrl-C stops it."), None);
    }
}
