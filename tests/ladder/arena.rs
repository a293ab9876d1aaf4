//! The arena as a child process. It is killed by its id when the test ends.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{ExitStatus, Output};
use std::rc::Rc;
use std::sync::{PoisonError, RwLock};

use azulejo_tests::process::{ServerProcess, azulejo, output_within};
use azulejo_tests::waiting::{PATIENCE, until};
use tempfile::TempDir;

/// The output of a command.
#[track_caller]
pub(crate) fn said(arguments: &[&str]) -> Output {
    output_within(PATIENCE, azulejo(arguments))
}

/// Tests run in parallel, except for those that measure time.
static MACHINE: RwLock<()> = RwLock::new(());

/// Shared by all arenas of a test.
struct Place {
    folder: TempDir,
    /// Held until the test ends.
    _machine: Box<dyn std::any::Any>,
}

pub(crate) struct Arena {
    process: ServerProcess,
    pub(crate) public: SocketAddr,
    flags: Vec<String>,
    place: Rc<Place>,
}

impl Arena {
    /// Starts an arena with its own store, on free ports.
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::at(Box::new(MACHINE.read().unwrap_or_else(PoisonError::into_inner)), flags)
    }

    /// The same with exclusive use of the machine: no other test runs meanwhile.
    pub(crate) fn alone(flags: &[&str]) -> Self {
        Self::at(Box::new(MACHINE.write().unwrap_or_else(PoisonError::into_inner)), flags)
    }

    fn at(machine: Box<dyn std::any::Any>, flags: &[&str]) -> Self {
        let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        let place = Place { folder: TempDir::new().unwrap(), _machine: machine };
        Self::on(Rc::new(place), "127.0.0.1:0", flags)
    }

    /// Another arena on the same store.
    pub(crate) fn beside(&self) -> Self {
        Self::on(Rc::clone(&self.place), "127.0.0.1:0", self.flags.clone())
    }

    fn on(place: Rc<Place>, address: &str, flags: Vec<String>) -> Self {
        let folder = place.folder.path();
        let store = folder.join("store.db");
        let fixed = ["arena", "--admin-listen", "127.0.0.1:0", "--listen", address, "--store"];
        let mut command = azulejo(&fixed);
        command.arg(store).args(&flags);
        let process = ServerProcess::start(command, folder);
        Self { public: process.public, process, flags, place }
    }

    pub(crate) fn url(&self) -> String {
        self.process.url()
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.place.folder.path().join("store.db")
    }

    /// What it printed when it started.
    pub(crate) fn greeting(&self) -> &str {
        &self.process.greeting
    }

    /// Its metrics, in the format of Prometheus.
    pub(crate) fn metrics(&self) -> String {
        crate::http::get(self.process.admin, "/metrics")
    }

    /// The organiser's token, which only the first start prints.
    pub(crate) fn organiser(&self) -> String {
        let word = self.greeting().split_whitespace().find(|word| word.starts_with("aza_"));
        word.expect("the first start prints it").to_owned()
    }

    /// The log of this process so far.
    pub(crate) fn log(&self) -> String {
        self.process.log()
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }

    /// Stops it by SIGTERM and waits for its end.
    pub(crate) fn stop(&mut self) {
        self.process.terminate();
        let ended = until("the arena stops", PATIENCE, || self.has_ended());
        assert!(ended.success(), "{ended:?} {}", self.log());
    }

    /// Restarts it on the same address, after a kill.
    pub(crate) fn restart(&mut self) {
        self.kill();
        let address = self.public.to_string();
        *self = Self::on(Rc::clone(&self.place), &address, self.flags.clone());
    }

    pub(crate) fn has_ended(&mut self) -> Option<ExitStatus> {
        self.process.has_ended()
    }
}
