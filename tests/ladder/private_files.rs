//! The file of a store holds secrets: other users must not be able to read it.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use azulejo_tests::process::{output_within, program};
use azulejo_tests::waiting::PATIENCE;

use crate::arena::Arena;

#[test]
fn a_store_that_others_can_read_is_made_private_and_the_log_says_so() {
    let mut arena = Arena::start(&[]);
    arena.stop();
    set_permissions(arena.store(), Permissions::from_mode(0o644)).unwrap();

    arena.restart();

    let rights = std::fs::metadata(arena.store()).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, 0o600);
    assert!(
        arena.log().contains("other users could access the store (mode 644)"),
        "{}",
        arena.log()
    );
}

#[test]
fn a_store_that_cannot_be_made_private_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let (store, copy) = (folder.path().join("store.db"), folder.path().join("azulejo"));
    std::fs::write(&store, "").unwrap();
    // The program may be in a folder that the other user cannot enter.
    std::fs::copy(program(), &copy).unwrap();
    set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
    set_permissions(&store, Permissions::from_mode(0o666)).unwrap();
    let as_other = || {
        let mut command = Command::new("runuser");
        command.args(["-u", "daemon", "--"]);
        command
    };
    let mut allowed = as_other();
    if !allowed.arg("true").status().is_ok_and(|status| status.success()) {
        println!(
            "NOT TESTED: a store of another user, because this user cannot run a program as one"
        );
        return;
    }
    let mut command = as_other();
    command.arg(copy).args(["admin", "rebuild", "--check", "--store"]).arg(&store);

    let refused = output_within(PATIENCE, command);

    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success());
    assert!(said.contains("mode 666") && said.contains("chmod 600"), "{said}");
}
