//! The program `azulejo` as a child process, which is killed by its id when the test ends.

use std::fs::File;
use std::io::Read;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

pub use nix::sys::signal::Signal;
use nix::sys::signal::kill;
use nix::unistd::Pid;

use crate::waiting::{PATIENCE, until};

/// Free ports for a server.
pub const ANY_PORTS: [&str; 4] = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];

/// `target/release/azulejo` of this checkout, or the program that `AZULEJO_BIN` names.
#[must_use]
pub fn program() -> PathBuf {
    let built = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/azulejo");
    let program = std::env::var_os("AZULEJO_BIN").map_or_else(built, PathBuf::from);
    assert!(program.is_file(), "{} does not exist: build it first", program.display());
    program
}

/// The program with these arguments, and without environment variables, which could set flags.
#[must_use]
pub fn azulejo(arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.env_clear().args(arguments).stdin(Stdio::null());
    command
}

/// A child process that is killed when dropped.
#[derive(Debug)]
pub struct ChildGuard(pub Child);

impl ChildGuard {
    /// Kills it by SIGKILL, unless it has ended.
    pub fn kill(&mut self) {
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The output of a command, which must end within this time.
#[track_caller]
pub fn output_within(longest: Duration, mut command: Command) -> Output {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = ChildGuard(command.spawn().unwrap());
    // In threads: a command that fills a pipe waits until it is read.
    let stdout = read_in_thread(child.0.stdout.take().unwrap());
    let stderr = read_in_thread(child.0.stderr.take().unwrap());
    let status = until("the command ends", longest, || child.0.try_wait().unwrap());
    // A process that the command started, and that outlives it, may keep the pipes open.
    until("its output ends", longest, || {
        (stdout.is_finished() && stderr.is_finished()).then_some(())
    });
    Output { status, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

/// Reads to the end, in a thread.
pub fn read_in_thread(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

/// An address of 127.0.0.1 whose port is free now.
#[must_use]
pub fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// A running server.
#[derive(Debug)]
pub struct ServerProcess {
    child: ChildGuard,
    /// What it printed when it started.
    pub greeting: String,
    pub public: SocketAddr,
    pub admin: SocketAddr,
    log: PathBuf,
}

impl ServerProcess {
    /// Starts a server and waits until it listens. Its output and its log are new files in `folder`.
    #[track_caller]
    pub fn start(mut command: Command, folder: &Path) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let output = folder.join(format!("stdout-{number}"));
        let log = folder.join(format!("stderr-{number}"));
        command.stdout(File::create(&output).unwrap()).stderr(File::create(&log).unwrap());
        let mut child = ChildGuard(command.spawn().unwrap());
        let greeting = until("the server listens", PATIENCE, || {
            let text = std::fs::read_to_string(&output).unwrap();
            let ended = child.0.try_wait().unwrap();
            let log = || std::fs::read_to_string(&log).unwrap();
            assert!(ended.is_none(), "it has ended: {ended:?} {text} {}", log());
            text.contains("Ctrl-C").then_some(text)
        });
        let public = address(&greeting, "gRPC and HTTP/JSON");
        let admin = address(&greeting, "Health and metrics");
        Self { child, greeting, public, admin, log }
    }

    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.public)
    }

    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.0.id()
    }

    /// Sends SIGTERM, as Kubernetes does.
    pub fn terminate(&self) {
        self.signal(Signal::SIGTERM);
    }

    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.id().cast_signed()), signal).unwrap();
    }

    pub fn kill(&mut self) {
        self.child.kill();
    }

    pub fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.0.try_wait().unwrap()
    }

    /// Its log so far.
    #[must_use]
    pub fn log(&self) -> String {
        String::from_utf8(std::fs::read(&self.log).unwrap()).expect("the log is UTF-8")
    }
}

fn address(greeting: &str, name: &str) -> SocketAddr {
    let line = greeting.lines().find(|line| line.contains(name));
    let url = line.and_then(|line| line.split("://").nth(1));
    let url = url.unwrap_or_else(|| panic!("no address of {name}: {greeting}"));
    url.trim().trim_end_matches("/metrics").parse().unwrap()
}
