//! The engine as a child process.

use std::ops::{Deref, DerefMut};
use std::process::{Command, ExitStatus, Output};
use std::time::Duration;

use azulejo_tests::process::{ANY_PORTS, ServerProcess, azulejo, output_within};
use azulejo_tests::waiting::{PATIENCE, until};
use tempfile::TempDir;

/// `azulejo engine` with these flags.
pub(crate) fn engine(flags: &[&str]) -> Command {
    azulejo(&[&["engine"], flags].concat())
}

/// The output of a server that must not start.
#[track_caller]
pub(crate) fn refused_start(command: Command) -> Output {
    output_within(PATIENCE, command)
}

pub(crate) struct Server {
    process: ServerProcess,
    _folder: TempDir,
}

impl Deref for Server {
    type Target = ServerProcess;

    fn deref(&self) -> &ServerProcess {
        &self.process
    }
}

impl DerefMut for Server {
    fn deref_mut(&mut self) -> &mut ServerProcess {
        &mut self.process
    }
}

impl Server {
    /// Starts an engine on free ports.
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::of(engine(&[&ANY_PORTS, flags].concat()))
    }

    pub(crate) fn of(command: Command) -> Self {
        let folder = TempDir::new().unwrap();
        let process = ServerProcess::start(command, folder.path());
        Self { process, _folder: folder }
    }

    pub(crate) fn admin_url(&self) -> String {
        format!("http://{}", self.admin)
    }

    /// The exit status of a process that must end by itself within this time.
    #[track_caller]
    pub(crate) fn ends_within(&mut self, longest: Duration) -> ExitStatus {
        let ended = until("the process ends", longest, || self.has_ended());
        assert!(ended.code().is_some(), "it did not end by itself: {ended:?} {}", self.log());
        ended
    }

    /// Memory in use, in MiB.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }
}
