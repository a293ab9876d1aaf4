//! An arena with house bots as a child process, ended by its id when the last test lets go of it.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser;

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_mins(3);

pub(crate) struct Arena {
    child: Child,
    pub(crate) address: SocketAddr,
    /// A finished match of each game.
    pub(crate) azul: Value,
    pub(crate) pavilion: Value,
    _folder: TempDir,
}

impl Drop for Arena {
    fn drop(&mut self) {
        // It may have ended by itself; nothing is left to do then.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// The arena that the tests share.
pub(crate) fn arena() -> Arc<Arena> {
    static SHARED: Mutex<Weak<Arena>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let fresh = Arc::new(Arena::start());
        *shared = Arc::downgrade(&fresh);
        fresh
    })
}

fn program() -> PathBuf {
    let built = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/azulejo");
    let program = std::env::var_os("AZULEJO_BIN").map_or_else(built, PathBuf::from);
    assert!(program.is_file(), "there is no program {}: build it first", program.display());
    program
}

fn until<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = ready() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "still not after {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

impl Arena {
    fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let (out, err) = (folder.path().join("stdout"), folder.path().join("stderr"));
        let store = folder.path().join("azulejo.db");
        let child = Command::new(program())
            .env_clear()
            .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"])
            .arg("--store")
            .arg(store)
            .stdin(Stdio::null())
            .stdout(File::create(&out).unwrap())
            .stderr(File::create(&err).unwrap())
            .spawn()
            .unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let (azul, pavilion) = (Value::Null, Value::Null);
        // From here on it is ended, whatever happens.
        let mut arena = Self { child, address, azul, pavilion, _folder: folder };
        let greeting = until("the server listens", || {
            let text = std::fs::read_to_string(&out).unwrap();
            text.contains("Ctrl-C").then_some(text)
        });
        let line = greeting.lines().find(|line| line.contains("gRPC, and HTTP")).unwrap();
        arena.address = line.split("://").nth(1).unwrap().trim().parse().unwrap();
        arena.azul = arena.played("azul-");
        arena.pavilion = arena.played("summer-pavilion-");
        arena
    }

    /// A match that every bot played to its end.
    fn played(&self, pool: &str) -> Value {
        until("a match is played to its end", || {
            let found =
                self.call("MatchesService/ListMatches", &json!({"status": "MATCH_STATUS_ENDED"}));
            let fits = |found: &&Value| {
                let mut seats = found["result"]["seats"].as_array()?.iter();
                let all = seats.all(|seat| seat["endReason"] == "END_REASON_FINISHED");
                (all && found["pool"]["name"].as_str()?.starts_with(pool)).then_some(())
            };
            found["matches"].as_array()?.iter().find(|found| fits(found).is_some()).cloned()
        })
    }

    pub(crate) fn call(&self, method: &str, request: &Value) -> Value {
        let path = format!("/azulejo.arena.v1.{method}");
        let answer = browser::post(self.address, &path, &request.to_string());
        serde_json::from_slice(&answer.body).unwrap()
    }

    #[track_caller]
    pub(crate) fn get(&self, target: impl AsRef<[u8]>) -> browser::Answer {
        browser::get(self.address, target)
    }
}
