//! The program as a child process. It is ended by its id when the test ends, however it ends.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use tempfile::TempDir;

use crate::patience::{PATIENCE, until};

fn program() -> PathBuf {
    let built = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/azulejo");
    let program = std::env::var_os("AZULEJO_BIN").map_or_else(built, PathBuf::from);
    assert!(program.is_file(), "there is no program {}: build it first", program.display());
    program
}

/// The program with these words, and nothing in its environment that would set a flag.
pub(crate) fn azulejo(words: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.env_clear().args(words).stdin(Stdio::null());
    command
}

/// What a command says that ends by itself.
pub(crate) fn said(words: &[&str]) -> Output {
    said_within(PATIENCE, words)
}

pub(crate) fn said_within(patience: Duration, words: &[&str]) -> Output {
    let mut command = azulejo(words);
    let mut child = Guard(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let status = until("the command ends", patience, || child.0.try_wait().unwrap());
    let mut output = Output { status, stdout: Vec::new(), stderr: Vec::new() };
    std::io::copy(child.0.stdout.as_mut().unwrap(), &mut output.stdout).unwrap();
    std::io::copy(child.0.stderr.as_mut().unwrap(), &mut output.stderr).unwrap();
    output
}

pub(crate) struct Guard(pub(crate) Child);

impl Guard {
    /// With -9: it has no time to say or write anything.
    pub(crate) fn kill(&mut self) {
        // It may have ended by itself; nothing is left to do then.
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Tests run beside each other, except for those that measure.
static MACHINE: RwLock<()> = RwLock::new(());

/// What all arenas of a test share.
struct Place {
    folder: TempDir,
    /// Held for as long as the test goes on.
    _machine: Box<dyn std::any::Any>,
}

pub(crate) struct Arena {
    child: Guard,
    pub(crate) public: SocketAddr,
    flags: Vec<String>,
    greeting: String,
    log: PathBuf,
    place: Rc<Place>,
}

impl Arena {
    /// With a store of its own, on ports that the system chooses.
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::at(Box::new(MACHINE.read().unwrap_or_else(PoisonError::into_inner)), flags)
    }

    /// The same, with the machine to itself: no other test runs meanwhile.
    pub(crate) fn alone(flags: &[&str]) -> Self {
        Self::at(Box::new(MACHINE.write().unwrap_or_else(PoisonError::into_inner)), flags)
    }

    fn at(machine: Box<dyn std::any::Any>, flags: &[&str]) -> Self {
        let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        let place = Place { folder: TempDir::new().unwrap(), _machine: machine };
        Self::on(Rc::new(place), "127.0.0.1:0", flags)
    }

    /// Another one on the same store.
    pub(crate) fn beside(&self) -> Self {
        Self::on(Rc::clone(&self.place), "127.0.0.1:0", self.flags.clone())
    }

    fn on(place: Rc<Place>, address: &str, flags: Vec<String>) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = place.folder.path();
        let out = folder.join(format!("stdout-{number}"));
        let log = folder.join(format!("stderr-{number}"));
        let store = folder.join("store.db");
        let fixed = ["arena", "--admin-listen", "127.0.0.1:0", "--listen", address, "--store"];
        let mut command = azulejo(&fixed);
        command.arg(store).args(&flags);
        command.stdout(File::create(&out).unwrap()).stderr(File::create(&log).unwrap());
        let mut child = Guard(command.spawn().unwrap());
        let greeting = until("the arena listens", PATIENCE, || {
            let text = std::fs::read_to_string(&out).unwrap();
            let ended = child.0.try_wait().unwrap();
            let log = || std::fs::read_to_string(&log).unwrap();
            assert!(ended.is_none(), "it ended at once: {ended:?} {text} {}", log());
            text.contains("Ctrl-C").then_some(text)
        });
        let line = greeting.lines().find(|line| line.contains("gRPC, and HTTP with JSON"));
        let public = line.and_then(|line| line.split("://").nth(1)).unwrap().parse().unwrap();
        Self { child, public, flags, greeting, log, place }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.public)
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.place.folder.path().join("store.db")
    }

    /// What it said to whoever started it.
    pub(crate) fn greeting(&self) -> &str {
        &self.greeting
    }

    /// What it tells those who watch over it, in the format of Prometheus.
    pub(crate) fn metrics(&self) -> String {
        let line = self.greeting.lines().find(|line| line.contains("/metrics"));
        let address = line.and_then(|line| line.split("://").nth(1)?.strip_suffix("/metrics"));
        crate::http::get(address.unwrap().parse().unwrap(), "/metrics")
    }

    /// The organiser's token, which only the first start shows.
    pub(crate) fn organiser(&self) -> String {
        let word = self.greeting.split_whitespace().find(|word| word.starts_with("aza_"));
        word.expect("the first start shows it").to_owned()
    }

    /// Everything that this process logged so far.
    pub(crate) fn log(&self) -> String {
        String::from_utf8(std::fs::read(&self.log).unwrap()).expect("a log is text")
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill();
    }

    /// It is told to stop, and does.
    pub(crate) fn stop(&mut self) {
        let id = nix::unistd::Pid::from_raw(self.child.0.id().cast_signed());
        nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM).unwrap();
        let ended = until("the arena stops", PATIENCE, || self.child.0.try_wait().unwrap());
        assert!(ended.success(), "{ended:?} {}", self.log());
    }

    /// The same again, at the same address, after it was killed.
    pub(crate) fn again(&mut self) {
        self.kill();
        let address = self.public.to_string();
        *self = Self::on(Rc::clone(&self.place), &address, self.flags.clone());
    }

    pub(crate) fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.0.try_wait().unwrap()
    }
}
