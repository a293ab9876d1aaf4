//! Stores that an older version wrote, with finished, forfeited, called-off and running matches, are
//! upgraded and used. `old_stores/` keeps them: a version is added before its format changes.

use std::io::Read as _;
use std::path::Path;

use azulejo_tests::Postgres;
use azulejo_tests::process::{ANY_PORTS, ServerProcess, azulejo};
use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::arena::said;
use crate::http::call;

/// What the version that wrote a kept store says about it.
struct Kept {
    matches: usize,
    /// Matches that are over.
    finished: usize,
    /// Matches that it exports. One that was called off before its first deal has no record.
    records: usize,
}

fn unpacked(file: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ladder/old_stores").join(file);
    let mut bytes = Vec::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

#[track_caller]
fn assert_succeeds(arguments: &[&str]) -> String {
    let output = said(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// All matches, by pages.
fn matches(server: &ServerProcess, filter: &Value) -> Vec<Value> {
    let (mut found, mut token) = (Vec::new(), json!(""));
    loop {
        let mut request = filter.clone();
        request["pageSize"] = json!(10);
        request["pageToken"] = token;
        let page = call(server.public, "MatchesService/ListMatches", "", &request);
        found.extend(page["matches"].as_array().unwrap().iter().cloned());
        token = page["nextPageToken"].clone();
        if token == "" {
            return found;
        }
    }
}

/// Checks the store before and after an arena has used it.
fn assert_usable(store: &str, kept: &Kept) {
    let folder = tempfile::tempdir().unwrap();
    assert_succeeds(&["admin", "rebuild", "--check", "--store", store]);
    let mut command = azulejo(&["arena", "--store", store]);
    command.args(ANY_PORTS);
    let mut server = ServerProcess::start(command, folder.path());

    let all = matches(&server, &json!({}));
    let mut ended = matches(&server, &json!({"status": "MATCH_STATUS_ENDED"}));
    ended.extend(matches(&server, &json!({"status": "MATCH_STATUS_VOIDED"})));

    assert_eq!(all.len(), kept.matches);
    assert!(ended.len() >= kept.finished, "{}", ended.len());
    for listed in &ended {
        let request = json!({"matchId": listed["id"]});
        let found = call(server.public, "MatchesService/GetMatch", "", &request);
        assert_eq!(found["match"]["result"], listed["result"], "{}", listed["id"]);
    }
    let records = folder.path().join("games.jsonl");
    let records = records.to_str().unwrap();
    assert_succeeds(&["export", records, "--server", &server.url()]);
    let exported = std::fs::read_to_string(records).unwrap().lines().count();
    assert!(exported >= kept.records, "{exported}");
    assert_succeeds(&["verify", records]);
    server.kill();
    assert_succeeds(&["admin", "rebuild", "--check", "--store", store]);
}

#[test]
fn an_sqlite_store_without_summaries_is_upgraded() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("old.db");
    std::fs::write(&store, unpacked("0.1.0-first.db.gz")).unwrap();
    assert_usable(store.to_str().unwrap(), &Kept { matches: 39, finished: 36, records: 35 });
}

#[test]
fn a_postgres_store_without_summaries_is_upgraded() {
    let database = Postgres::shared().fresh();
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("dump.sql");
    std::fs::write(&dump, unpacked("0.1.0-first.sql.gz")).unwrap();
    database.restore(&dump);
    assert_usable(&database.url, &Kept { matches: 45, finished: 38, records: 38 });
}
