//! `azulejo admin backup`: a copy of the store of a running arena.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use serde_json::json;

use crate::arena::{Arena, said};
use crate::http::{ask, call};

const REGISTER: &str = "BotsService/RegisterBot";

fn backup(store: &str, to: &Path) -> Output {
    said(&["admin", "backup", to.to_str().unwrap(), "--store", store])
}

/// The error message of a refused backup.
fn refused(store: &str, to: &Path) -> String {
    let output = backup(store, to);
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Restores a copy as described in `deploy/README.md`.
fn bring_back(arena: &mut Arena, copy: &Path) {
    let store = arena.store();
    arena.stop();
    for beside in ["db-wal", "db-shm"] {
        // A store that was closed properly has none.
        let _gone = std::fs::remove_file(store.with_extension(beside));
    }
    std::fs::copy(copy, store).unwrap();
    arena.restart();
}

#[test]
fn a_copy_of_a_running_arena_restores_that_moment() {
    let mut arena = Arena::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    let (ann, bob) =
        (json!({"owner": "ann", "name": "bot"}), json!({"owner": "bob", "name": "bot"}));
    call(arena.public, REGISTER, "", &ann);

    let made = backup(arena.store().to_str().unwrap(), &copy);

    assert!(made.status.success(), "{made:?}");
    assert!(String::from_utf8_lossy(&made.stdout).contains("rebuild --check"), "{made:?}");
    let rights = std::fs::metadata(&copy).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, 0o600, "secrets of running matches are in it");
    call(arena.public, REGISTER, "", &bob);
    bring_back(&mut arena, &copy);
    assert_eq!(ask(arena.public, REGISTER, "", &ann).refusal().0, "OWNER_TAKEN");
    call(arena.public, REGISTER, "", &bob);
}

#[test]
fn a_copy_never_overwrites_a_file() {
    let arena = Arena::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there");
    std::fs::write(&there, "precious").unwrap();
    let said = refused(arena.store().to_str().unwrap(), &there);
    assert!(said.contains("already exists"), "{said}");
    assert_eq!(std::fs::read_to_string(there).unwrap(), "precious");
}

#[test]
fn a_file_that_is_not_a_store_is_not_copied_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    let missing = folder.path().join("missing.db");
    assert!(refused(missing.to_str().unwrap(), &copy).contains("there is no store"));
    let text = folder.path().join("text.db");
    std::fs::write(&text, "not a database, but as long as its header").unwrap();
    assert!(refused(text.to_str().unwrap(), &copy).contains("text.db"));
    let said = refused("postgres://ann:secret@127.0.0.1/ladder", &copy);
    assert!(said.contains("pg_dump --format=custom") && !said.contains("secret"), "{said}");
    assert!(refused("memory", &copy).contains("memory"));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "only text.db: {left:?}");
}
