//! A second server on the same SQLite file is refused, and a killed one does not block the next.

use std::process::Output;

use azulejo_tests::process::ANY_PORTS;
use azulejo_tests::waiting::{PATIENCE, until};
use rstest::rstest;
use serde_json::json;

use crate::arena::{Arena, said};
use crate::http::call;

/// What a server says that is refused.
#[track_caller]
fn refusal(refused: &Output) -> String {
    assert!(!refused.status.success(), "{refused:?}");
    String::from_utf8(refused.stderr.clone()).unwrap()
}

#[rstest]
#[case::serve("serve")]
#[case::arena("arena")]
fn a_second_server_is_refused_and_told_which_process_uses_the_store(#[case] verb: &str) {
    let mut first = Arena::start(&[]);
    let link = first.store().with_file_name("link.db");
    std::os::unix::fs::symlink(first.store(), &link).unwrap();
    for store in [first.store(), link] {
        let words = [verb, "--store", store.to_str().unwrap()];

        let said = refusal(&said(&[&words, &ANY_PORTS[..]].concat()));

        assert!(said.contains(&format!("in use by process {}", first.id())), "{said}");
        assert!(said.contains("--take-over"), "{said}");
    }
    assert!(first.has_ended().is_none(), "the first one continues");
    call(first.public, "BotsService/RegisterBot", "", &json!({"owner": "ann", "name": "bot"}));
}

#[test]
fn tasks_that_change_the_store_are_refused_while_a_server_uses_it() {
    let first = Arena::start(&[]);
    for task in ["token", "rebuild"] {
        let said = refusal(&said(&["admin", task, "--store", first.address()]));
        assert!(said.contains("in use by process"), "{task}: {said}");
    }
    let checked = said(&["admin", "rebuild", "--check", "--store", first.address()]);
    assert!(checked.status.success(), "{checked:?}");
}

#[test]
fn a_killed_server_does_not_block_the_next_start() {
    let mut arena = Arena::start(&[]);
    for _ in 0..5 {
        // Kills it by SIGKILL, and starts the next one immediately.
        arena.restart();
    }
    call(arena.public, "BotsService/RegisterBot", "", &json!({"owner": "ann", "name": "bot"}));
}

#[test]
fn a_server_that_took_over_holds_the_lock_afterwards() {
    let mut first = Arena::start(&[]);
    let second = first.beside();
    until("the first one ends", PATIENCE, || first.has_ended());
    let words = ["arena", "--store", second.address()];
    let words = [&words, &ANY_PORTS[..]].concat();
    until("the second one has the lock", PATIENCE, || {
        let said = refusal(&said(&words));
        said.contains(&format!("in use by process {}", second.id())).then_some(())
    });
}
