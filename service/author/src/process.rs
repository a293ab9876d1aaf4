//! A running bot. It has its own process group, which ends with this process: first by SIGTERM, then
//! by SIGKILL.

use std::collections::{BTreeSet, VecDeque};
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::Program;

/// Longer lines are split.
const MAX_LINE_BYTES: u64 = 16 * 1024;
/// Lines of output that are kept for error messages.
const LAST_LINES: usize = 15;

/// The process groups of all running bots, for exits that do not run destructors.
static GROUPS: Mutex<BTreeSet<Pid>> = Mutex::new(BTreeSet::new());

/// Kills every bot.
fn kill_all() {
    for &group in GROUPS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        // Fails only if the group has already ended.
        let _ended = killpg(group, Signal::SIGKILL);
    }
}

/// Where the output of a bot is written. Its last lines are always kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct BotOutput {
    pub(crate) on_terminal: bool,
    pub(crate) folder: Option<PathBuf>,
}

/// A running bot.
#[derive(Debug)]
pub(crate) struct BotProcess {
    child: Child,
    group: Pid,
    captured: Arc<Captured>,
}

#[derive(Debug, Default)]
struct Captured {
    last: Mutex<VecDeque<String>>,
    file: Option<Mutex<File>>,
    prefix: Option<String>,
}

impl BotProcess {
    pub(crate) fn start(
        program: &Program,
        name: &str,
        environment: &[(&str, &str)],
        output: &BotOutput,
    ) -> Result<Self> {
        let file = match &output.folder {
            None => None,
            Some(folder) => {
                std::fs::create_dir_all(folder)?;
                // A bot may be restarted: append.
                let path = folder.join(format!("{name}.log"));
                let file = File::options().append(true).create(true).open(&path);
                Some(Mutex::new(file.with_context(|| format!("cannot write {}", path.display()))?))
            }
        };
        let prefix = output.on_terminal.then(|| format!("[{name}] "));
        let captured = Arc::new(Captured { last: Mutex::default(), file, prefix });
        let [file, arguments @ ..] = program.command.as_slice() else {
            bail!("{name} has no command");
        };
        let mut command = Command::new(file);
        command.args(arguments).envs(environment.iter().copied()).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        let mut child =
            command.kill_on_drop(true).spawn().with_context(|| format!("cannot start {file}"))?;
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let group = Pid::from_raw(id.context("the bot exited immediately")?);
        azulejo_terminal::output::before_exit(kill_all);
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).insert(group);
        if let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) {
            tokio::spawn(capture(out, Arc::clone(&captured)));
            tokio::spawn(capture(err, Arc::clone(&captured)));
        }
        Ok(Self { child, group, captured })
    }

    /// Waits until it exits.
    pub(crate) async fn wait(&mut self) -> Result<ExitStatus> {
        Ok(self.child.wait().await?)
    }

    /// The id of its process group.
    pub(crate) const fn group(&self) -> Pid {
        self.group
    }

    /// Sends SIGTERM, and SIGKILL after the timeout. `None` if it had to be killed.
    pub(crate) async fn stop(&mut self, timeout: Duration) -> Option<ExitStatus> {
        self.signal(Signal::SIGTERM);
        let ended = tokio::time::timeout(timeout, self.child.wait()).await;
        self.kill().await;
        ended.ok().and_then(Result::ok)
    }

    /// Kills it and all processes that it has started.
    pub(crate) async fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        // The exit status of a killed process is of no use.
        let _ended = self.child.wait().await;
    }

    fn signal(&self, signal: Signal) {
        // Fails only if the group has already ended.
        let _ended = killpg(self.group, signal);
    }

    /// The last lines that it printed, as text for an error message. Waits briefly for the tasks that
    /// read them.
    pub(crate) async fn last_output(&self) -> String {
        const READ_DELAY: Duration = Duration::from_millis(200);
        tokio::time::sleep(READ_DELAY).await;
        let last = self.captured.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_empty() {
            return "It printed no output.".to_owned();
        }
        let lines: Vec<String> = last.iter().map(|line| format!("  | {line}")).collect();
        format!("Its last output:\n{}", lines.join("\n"))
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.signal(Signal::SIGKILL);
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.group);
    }
}

/// Captures the output of a bot until it is closed.
async fn capture(output: impl AsyncRead + Unpin, captured: Arc<Captured>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    // Long lines are split, so that a bot cannot fill the memory of this process.
    while let Ok(1..) = (&mut output).take(MAX_LINE_BYTES).read_until(b'\n', &mut line).await {
        let text = std::mem::take(&mut line);
        let line = String::from_utf8_lossy(text.strip_suffix(b"\n").unwrap_or(&text));
        // Control characters must not reach the terminal.
        let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
        if let Some(prefix) = &captured.prefix {
            eprintln!("{prefix}{line}");
        }
        if let Some(file) = &captured.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // The match continues even if the log cannot be written.
            let _unwritten = writeln!(file, "{line}");
        }
        let mut last = captured.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.push_back(line);
        if last.len() > LAST_LINES {
            last.pop_front();
        }
    }
}
