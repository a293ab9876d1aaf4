//! The program, run as an author runs it. What it starts is looked for afterwards.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::patience::until;

/// Longer than anything takes that works, on a machine with much else to do.
const LONGEST: Duration = Duration::from_mins(10);

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// `target/release/azulejo` of this checkout, or what `AZULEJO_BIN` names.
pub(crate) fn program() -> PathBuf {
    let built = || root().join("target/release/azulejo");
    let program = std::env::var_os("AZULEJO_BIN").map_or_else(built, PathBuf::from);
    assert!(program.is_file(), "there is no program {}: build it first", program.display());
    program
}

/// An example of the Rust SDK, built with the program.
pub(crate) fn example(name: &str) -> String {
    let example = program().with_file_name("examples").join(name);
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

/// Ends with the test, however that ends.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

pub(crate) struct Said {
    pub(crate) success: bool,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn start(arguments: &[&str], mark: &str) -> Running {
    let child = Command::new(program())
        .args(arguments)
        .env("AZULEJO_TEST_MARK", mark)
        .env("PYTHONPATH", root().join("sdk/python/src"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        // A new Rust bot compiles its SDK: once, not in each folder.
        .env("CARGO_TARGET_DIR", root().join("target/author"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    Running(child)
}

/// Runs it to its end, and makes sure that nothing that it started remains.
#[track_caller]
pub(crate) fn azulejo(arguments: &[&str]) -> Said {
    let mark = mark();
    let mut running = start(arguments, &mark);
    let (mut out, mut err) = (running.0.stdout.take().unwrap(), running.0.stderr.take().unwrap());
    let reader = std::thread::spawn(move || std::io::read_to_string(&mut out).unwrap());
    let errors = std::thread::spawn(move || std::io::read_to_string(&mut err).unwrap());
    let status = until("it ends", LONGEST, || running.0.try_wait().unwrap());
    nothing_remains(&mark);
    let (out, err) = (reader.join().unwrap(), errors.join().unwrap());
    Said { success: status.success(), out, err }
}

/// A word in the environment of everything that a test starts.
pub(crate) fn mark() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("author-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// No process has the mark any more; one that was just killed may take a moment to go.
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
