//! The first organiser's token is written to a private file.

use std::os::unix::fs::PermissionsExt as _;

use azulejo_tests::process::{ANY_PORTS, ServerProcess, azulejo};
use serde_json::json;

use crate::arena::{Arena, said};
use crate::http::call;

const INVITE: &str = "AdminService/CreateInvitation";

#[test]
fn the_first_token_is_in_a_file_that_only_its_owner_can_read() {
    let arena = Arena::start(&[]);
    let file = format!("{}.admin-token", arena.address());
    let rights = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, 0o600);
    call(arena.public, INVITE, &arena.organiser(), &json!({}));
    for text in [arena.greeting().to_owned(), arena.log()] {
        assert!(!text.contains("aza_"), "{text}");
    }
    assert!(arena.greeting().contains(&file), "it says where: {}", arena.greeting());
}

#[test]
fn a_store_that_is_not_a_file_gets_a_token_only_if_there_is_a_place_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let words = [&["arena", "--store", "memory"], &ANY_PORTS[..]].concat();
    let without = ServerProcess::start(azulejo(&words), folder.path());
    assert!(without.greeting.contains("--first-admin-token-file"), "{}", without.greeting);
    assert!(!without.greeting.contains("aza_"), "{}", without.greeting);
    let option = ["--first-admin-token-file", file.to_str().unwrap()];

    let with = ServerProcess::start(azulejo(&[&words, &option[..]].concat()), folder.path());

    assert!(!with.greeting.contains("aza_"), "{}", with.greeting);
    let token = std::fs::read_to_string(&file).unwrap();
    call(with.public, INVITE, token.trim(), &json!({}));
}

#[test]
fn the_token_of_a_lost_store_is_replaced_and_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let (store, file) = (folder.path().join("a.db"), folder.path().join("a.db.admin-token"));
    std::fs::write(&file, "Dear Ann").unwrap();
    let words = [&["arena", "--store", store.to_str().unwrap()], &ANY_PORTS[..]].concat();

    let refused = said(&words);

    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && text.contains("--first-admin-token-file"), "{text}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Dear Ann");
    std::fs::write(&file, "aza_old\n").unwrap();
    let started = ServerProcess::start(azulejo(&words), folder.path());
    let token = std::fs::read_to_string(&file).unwrap();
    assert_ne!(token.trim(), "aza_old");
    call(started.public, INVITE, token.trim(), &json!({}));
}
