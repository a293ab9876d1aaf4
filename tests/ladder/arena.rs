//! The arena as a child process. It is killed by its id when the test ends.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{ExitStatus, Output};
use std::rc::Rc;
use std::sync::{PoisonError, RwLock};

use azulejo_tests::grpc::channel;
use azulejo_tests::process::{ServerProcess, Signal, azulejo, output_within};
use azulejo_tests::waiting::{PATIENCE, soon, until};
use tempfile::TempDir;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

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
    /// The address of the store.
    store: String,
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
        let folder = TempDir::new().unwrap();
        let store = folder.path().join("store.db").to_str().unwrap().to_owned();
        Self::new(Place { folder, store, _machine: machine }, flags)
    }

    /// Starts an arena with the store at this address, on free ports.
    pub(crate) fn with_store(address: &str, flags: &[&str]) -> Self {
        let machine = Box::new(MACHINE.read().unwrap_or_else(PoisonError::into_inner));
        let folder = TempDir::new().unwrap();
        Self::new(Place { folder, store: address.to_owned(), _machine: machine }, flags)
    }

    fn new(place: Place, flags: &[&str]) -> Self {
        let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        Self::on(Rc::new(place), "127.0.0.1:0", flags)
    }

    /// Another arena that takes over the store.
    pub(crate) fn beside(&self) -> Self {
        let flags = self.flags.iter().cloned().chain(["--take-over".to_owned()]).collect();
        Self::on(Rc::clone(&self.place), "127.0.0.1:0", flags)
    }

    fn on(place: Rc<Place>, address: &str, flags: Vec<String>) -> Self {
        let folder = place.folder.path();
        let fixed = ["arena", "--admin-listen", "127.0.0.1:0", "--listen", address, "--store"];
        let mut command = azulejo(&fixed);
        command.arg(&place.store).args(&flags);
        let process = ServerProcess::start(command, folder);
        Self { public: process.public, process, flags, place }
    }

    pub(crate) fn url(&self) -> String {
        self.process.url()
    }

    /// The file of its store.
    pub(crate) fn store(&self) -> PathBuf {
        PathBuf::from(self.address())
    }

    /// The address of its store.
    pub(crate) fn address(&self) -> &str {
        &self.place.store
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Whether its health is `ready`.
    pub(crate) async fn is_ready(&self) -> bool {
        let channel = channel(format!("http://{}", self.process.admin)).await;
        let request = HealthCheckRequest { service: "ready".to_owned() };
        let answer = soon("health", HealthClient::new(channel).check(request)).await;
        answer.unwrap().into_inner().status() == ServingStatus::Serving
    }

    /// What it printed when it started.
    pub(crate) fn greeting(&self) -> &str {
        &self.process.greeting
    }

    /// Its metrics, in the format of Prometheus.
    pub(crate) fn metrics(&self) -> String {
        crate::http::get(self.process.admin, "/metrics")
    }

    /// The organiser's token, which the first start writes to a file.
    pub(crate) fn organiser(&self) -> String {
        let file = format!("{}.admin-token", self.address());
        let token = std::fs::read_to_string(file).expect("the first start writes it");
        token.trim().to_owned()
    }

    /// The log of this process so far.
    pub(crate) fn log(&self) -> String {
        self.process.log()
    }

    /// Stops the process until [`Self::resume`], as a debugger or a moving machine does.
    pub(crate) fn suspend(&self) {
        self.process.signal(Signal::SIGSTOP);
    }

    pub(crate) fn resume(&self) {
        self.process.signal(Signal::SIGCONT);
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }

    /// Sends SIGTERM.
    pub(crate) fn begin_stop(&self) {
        self.process.terminate();
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
