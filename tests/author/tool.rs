//! The program as a bot author runs it, and a check that no process remains.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use azulejo_tests::process::{ChildGuard, program, read_in_thread};
use azulejo_tests::waiting::until;

/// Longer than any command takes, also on a busy machine.
const LONGEST: Duration = Duration::from_mins(10);

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// An example of the Rust SDK, which tests/run has built.
pub(crate) fn example(name: &str) -> String {
    let example = root().join("target/proof/examples").join(name);
    assert!(example.is_file(), "there is no {}: build it first", example.display());
    example.display().to_string()
}

/// An example of the Python SDK, with a Python that has what the SDK needs.
pub(crate) fn python_example(name: &str) -> String {
    let python = std::env::var_os("AZULEJO_PYTHON").expect("AZULEJO_PYTHON: tests/run sets it");
    let example = root().join("sdk/python/examples").join(name);
    format!("{} {}", python.display(), example.display())
}

/// An example of the Go SDK, which tests/run has built.
pub(crate) fn go_example(name: &str) -> String {
    let folder = std::env::var_os("AZULEJO_GO_EXAMPLES").expect("tests/run sets it");
    Path::new(&folder).join(name).display().to_string()
}

/// An example of the JavaScript SDK, which tests/run has built.
pub(crate) fn js_example(name: &str) -> String {
    format!("node {}", root().join("sdk/js/examples").join(name).display())
}

/// A bot without an SDK, with this defect.
pub(crate) fn broken(defect: &str) -> String {
    format!("python3 {} {defect}", root().join("tests/author/broken/bot.py").display())
}

pub(crate) struct Said {
    pub(crate) success: bool,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn start(arguments: &[&str], mark: &str) -> ChildGuard {
    let mut command = Command::new(program());
    command
        .args(arguments)
        .env("AZULEJO_TEST_MARK", mark)
        .env("PYTHONPATH", root().join("sdk/python/src"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        // A new Rust bot compiles its SDK: only once, not in each folder.
        .env("CARGO_TARGET_DIR", root().join("target/author"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    ChildGuard(command.spawn().unwrap())
}

/// Runs it to its end, and checks that no process that it started remains.
#[track_caller]
pub(crate) fn azulejo(arguments: &[&str]) -> Said {
    let mark = mark();
    let mut running = start(arguments, &mark);
    let out = read_in_thread(running.0.stdout.take().unwrap());
    let err = read_in_thread(running.0.stderr.take().unwrap());
    let status = until("it ends", LONGEST, || running.0.try_wait().unwrap());
    // Before the output is complete: a process that remains would keep it open.
    nothing_remains(&mark);
    let text = |thread: JoinHandle<Vec<u8>>| String::from_utf8(thread.join().unwrap()).unwrap();
    Said { success: status.success(), out: text(out), err: text(err) }
}

/// A value in the environment of all processes that a test starts.
pub(crate) fn mark() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("author-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// No process has the mark any more. One that was just killed may take a moment to end.
#[track_caller]
pub(crate) fn nothing_remains(mark: &str) {
    const A_MOMENT: Duration = Duration::from_secs(10);
    until("every bot has ended", A_MOMENT, || marked(mark).is_empty().then_some(()));
}

pub(crate) fn marked(mark: &str) -> Vec<u32> {
    let wanted = format!("AZULEJO_TEST_MARK={mark}");
    let holds = |id: &u32| {
        let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry == wanted.as_bytes())
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(holds).collect()
}
