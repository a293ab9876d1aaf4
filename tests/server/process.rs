//! The program as a child process. It is ended by its id when the test ends, however it ends.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::patience::{PATIENCE, until};

const ANY_PORTS: [&str; 4] = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];

/// A folder of its own, gone after the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("azulejo-server-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_dir_all(&self.0);
    }
}

/// Where the program is.
pub(crate) fn program() -> PathBuf {
    let built = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/azulejo");
    let program = std::env::var_os("AZULEJO_BIN").map_or_else(built, PathBuf::from);
    assert!(program.is_file(), "there is no program {}: build it first", program.display());
    program
}

/// `azulejo engine`, with nothing in its environment that would set a flag.
pub(crate) fn engine(flags: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.env_clear().arg("engine").args(flags).stdin(Stdio::null());
    command
}

/// What it prints when it must not start; it fails if it does start.
pub(crate) fn refused_start(mut command: Command) -> Output {
    let mut guard = Guard(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    until("the start is refused", PATIENCE, || guard.0.try_wait().unwrap());
    let mut output =
        Output { status: guard.0.wait().unwrap(), stdout: Vec::new(), stderr: Vec::new() };
    std::io::copy(guard.0.stdout.as_mut().unwrap(), &mut output.stdout).unwrap();
    std::io::copy(guard.0.stderr.as_mut().unwrap(), &mut output.stderr).unwrap();
    output
}

pub(crate) struct Guard(pub(crate) Child);

impl Drop for Guard {
    fn drop(&mut self) {
        // It may have ended by itself; nothing is left to do then.
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

pub(crate) struct Server {
    child: Guard,
    pub(crate) public: SocketAddr,
    pub(crate) admin: SocketAddr,
    folder: Folder,
}

impl Server {
    /// On ports that the system chooses.
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::of(engine(&[&ANY_PORTS, flags].concat()))
    }

    pub(crate) fn of(mut command: Command) -> Self {
        let folder = Folder::new();
        let (out, err) = (folder.file("stdout"), folder.file("stderr"));
        command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
        let mut child = Guard(command.spawn().unwrap());
        let greeting = until("the server listens", PATIENCE, || {
            let text = std::fs::read_to_string(&out).unwrap();
            let ended = child.0.try_wait().unwrap();
            let log = || std::fs::read_to_string(&err).unwrap();
            assert!(ended.is_none(), "it ended at once: {ended:?} {text} {}", log());
            text.contains("Ctrl-C").then_some(text)
        });
        let public = address(&greeting, "gRPC, and HTTP with JSON");
        let admin = address(&greeting, "health and metrics");
        Self { child, public, admin, folder }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.public)
    }

    pub(crate) fn admin_url(&self) -> String {
        format!("http://{}", self.admin)
    }

    fn id(&self) -> u32 {
        self.child.0.id()
    }

    /// As Kubernetes does it.
    pub(crate) fn terminate(&self) {
        let id = i32::try_from(self.id()).unwrap();
        kill(Pid::from_raw(id), Signal::SIGTERM).unwrap();
    }

    pub(crate) fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.0.try_wait().unwrap()
    }

    /// How it ended, which must be soon enough.
    #[track_caller]
    pub(crate) fn ends_within(&mut self, longest: Duration) -> ExitStatus {
        let ended = until("the process ends", longest, || self.has_ended());
        assert!(ended.code().is_some(), "it did not end by itself: {ended:?} {}", self.log());
        ended
    }

    /// Everything that it logged so far.
    pub(crate) fn log(&self) -> String {
        let bytes = std::fs::read(self.folder.file("stderr")).unwrap();
        String::from_utf8(bytes).expect("a log is text")
    }

    /// Memory in use, in MiB.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }
}

fn address(greeting: &str, name: &str) -> SocketAddr {
    let line = greeting.lines().find(|line| line.contains(name));
    let url =
        line.and_then(|line| line.split("://").nth(1)).unwrap_or_else(|| panic!("{greeting}"));
    url.trim().trim_end_matches("/metrics").parse().unwrap()
}
