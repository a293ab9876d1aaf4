//! An arena with demo bots as a child process. It is killed when the last test drops it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use azulejo_tests::process::{ANY_PORTS, ServerProcess, azulejo};
use azulejo_tests::waiting::until;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser;

/// The first matches take a while.
const LONGEST: Duration = Duration::from_mins(3);

pub(crate) struct Arena {
    _process: ServerProcess,
    pub(crate) address: SocketAddr,
    /// A finished match of each game.
    pub(crate) azul: Value,
    pub(crate) pavilion: Value,
    _folder: TempDir,
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

impl Arena {
    fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let mut command = azulejo(&[&["serve", "--demo"], &ANY_PORTS[..]].concat());
        command.arg("--store").arg(folder.path().join("azulejo.db"));
        let process = ServerProcess::start(command, folder.path());
        let address = process.public;
        let (azul, pavilion) = (played(address, "azul-"), played(address, "summer-pavilion-"));
        Self { _process: process, address, azul, pavilion, _folder: folder }
    }

    pub(crate) fn call(&self, method: &str, request: &Value) -> Value {
        call(self.address, method, request)
    }

    #[track_caller]
    pub(crate) fn get(&self, target: impl AsRef<[u8]>) -> browser::Page {
        browser::get(self.address, target)
    }
}

fn call(address: SocketAddr, method: &str, request: &Value) -> Value {
    let path = format!("/azulejo.arena.v1.{method}");
    browser::post(address, &path, &request.to_string()).json()
}

/// A match that every bot played to its end.
fn played(address: SocketAddr, pool: &str) -> Value {
    until("a match is played to its end", LONGEST, || {
        let ended = json!({"status": "MATCH_STATUS_ENDED"});
        let found = call(address, "MatchesService/ListMatches", &ended);
        let fits = |found: &&Value| {
            let mut seats = found["result"]["seats"].as_array()?.iter();
            let all = seats.all(|seat| seat["endReason"] == "END_REASON_FINISHED");
            (all && found["pool"]["name"].as_str()?.starts_with(pool)).then_some(())
        };
        found["matches"].as_array()?.iter().find(|found| fits(found).is_some()).cloned()
    })
}
