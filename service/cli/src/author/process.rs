//! A bot that runs. It has a process group of its own, which ends with this process: by a word
//! first, then by force.

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

/// A longer line is cut into several.
const LONGEST_LINE: u64 = 16 * 1024;
/// Lines of output that are kept to be told.
const KEPT: usize = 15;

/// The groups of all bots that run: for whoever ends this process without unwinding.
static GROUPS: Mutex<BTreeSet<Pid>> = Mutex::new(BTreeSet::new());

/// Ends every bot at once.
pub(crate) fn end_all() {
    for &group in GROUPS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        // Nobody left is just as well.
        let _nobody = killpg(group, Signal::SIGKILL);
    }
}

/// Where a bot's output goes. Its last lines are kept in any case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    pub(crate) on_terminal: bool,
    pub(crate) folder: Option<PathBuf>,
}

/// A bot that was started.
#[derive(Debug)]
pub(crate) struct BotProcess {
    child: Child,
    group: Pid,
    said: Arc<Said>,
}

#[derive(Debug, Default)]
struct Said {
    last: Mutex<VecDeque<String>>,
    file: Option<Mutex<File>>,
    prefix: Option<String>,
}

impl BotProcess {
    pub(crate) fn start(
        program: &Program,
        name: &str,
        environment: &[(&str, &str)],
        shown: &Shown,
    ) -> Result<Self> {
        let file = match &shown.folder {
            None => None,
            Some(folder) => {
                std::fs::create_dir_all(folder)?;
                // A bot may be started more than once: everything that it printed stays.
                let path = folder.join(format!("{name}.log"));
                let file = File::options().append(true).create(true).open(&path);
                Some(Mutex::new(file.with_context(|| format!("cannot write {}", path.display()))?))
            }
        };
        let prefix = shown.on_terminal.then(|| format!("[{name}] "));
        let said = Arc::new(Said { last: Mutex::default(), file, prefix });
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
        let group = Pid::from_raw(id.context("the bot has ended at once")?);
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).insert(group);
        if let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) {
            tokio::spawn(listen(out, Arc::clone(&said)));
            tokio::spawn(listen(err, Arc::clone(&said)));
        }
        Ok(Self { child, group, said })
    }

    /// Waits for its end.
    pub(crate) async fn end(&mut self) -> Result<ExitStatus> {
        Ok(self.child.wait().await?)
    }

    /// The processes of its group, by id.
    pub(crate) const fn group(&self) -> Pid {
        self.group
    }

    /// Asks it to stop; says how it did, or nothing if it had to be forced.
    pub(crate) async fn stop(&mut self, within: Duration) -> Option<ExitStatus> {
        self.signal(Signal::SIGTERM);
        let ended = tokio::time::timeout(within, self.child.wait()).await;
        self.kill().await;
        ended.ok().and_then(Result::ok)
    }

    /// Ends it, and whatever it has started, at once.
    pub(crate) async fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        // It was killed: there is nothing to learn from how it ended.
        let _ended = self.child.wait().await;
    }

    fn signal(&self, signal: Signal) {
        // Nobody left is just as well.
        let _nobody = killpg(self.group, signal);
    }

    /// The last lines that it printed, for people to read; the tasks that read them may be behind
    /// by a moment.
    pub(crate) async fn last_words(&self) -> String {
        const A_MOMENT: Duration = Duration::from_millis(200);
        tokio::time::sleep(A_MOMENT).await;
        let last = self.said.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_empty() {
            return "It printed nothing.".to_owned();
        }
        let lines: Vec<String> = last.iter().map(|line| format!("  | {line}")).collect();
        format!("Its last lines:\n{}", lines.join("\n"))
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.signal(Signal::SIGKILL);
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.group);
    }
}

/// Keeps what a bot prints until it prints no more.
async fn listen(output: impl AsyncRead + Unpin, said: Arc<Said>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    // A line without an end is cut, so that no bot fills the memory of this process.
    while let Ok(1..) = (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut line).await {
        let text = std::mem::take(&mut line);
        let line = String::from_utf8_lossy(text.strip_suffix(b"\n").unwrap_or(&text));
        // What a bot prints must not give orders to the terminal.
        let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
        if let Some(prefix) = &said.prefix {
            eprintln!("{prefix}{line}");
        }
        if let Some(file) = &said.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // The match goes on, whatever becomes of the file.
            let _full = writeln!(file, "{line}");
        }
        let mut last = said.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.push_back(line);
        if last.len() > KEPT {
            last.pop_front();
        }
    }
}
