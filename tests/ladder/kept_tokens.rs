//! `azulejo bot --keep`: a bot that stores its token in a file.

use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use azulejo_tests::process::{ChildGuard, azulejo};
use azulejo_tests::waiting::{PATIENCE, until};
use serde_json::json;

use crate::arena::{Arena, said};
use crate::http::call;

fn words<'a>(url: &'a str, file: &'a Path) -> [&'a str; 8] {
    let keep = file.to_str().unwrap();
    ["bot", "random", "--register", "ann/bot", "--keep", keep, "--server", url]
}

/// Runs the bot until it is connected, and returns its output.
fn played(arena: &Arena, file: &Path) -> String {
    let output = file.with_extension("output");
    let mut bot = azulejo(&words(&arena.url(), file));
    let bot = bot.stdout(File::create(&output).unwrap()).stderr(Stdio::inherit());
    let mut bot = ChildGuard(bot.spawn().unwrap());
    until("it is connected", PATIENCE, || {
        assert!(bot.0.try_wait().unwrap().is_none(), "it has ended");
        arena.metrics().contains("azulejo_arena_bots_connected 1\n").then_some(())
    });
    bot.kill();
    until("it is gone", PATIENCE, || {
        arena.metrics().contains("azulejo_arena_bots_connected 0\n").then_some(())
    });
    std::fs::read_to_string(output).unwrap()
}

#[test]
fn a_bot_that_keeps_its_tokens_registers_once_and_never_prints_them() {
    let arena = Arena::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot");

    let (first, second) = (played(&arena, &file), played(&arena, &file));

    assert!(first.contains("Registered ann/bot"), "{first}");
    assert!(!second.contains("Registered"), "{second}");
    assert!(!first.contains("azb_") && !first.contains("azo_"), "{first}");
    let rights = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, 0o600);
    let kept = std::fs::read_to_string(&file).unwrap();
    let owner = kept.lines().find(|line| line.starts_with("azo_")).unwrap();
    call(arena.public, "BotsService/CreateToken", owner, &json!({"bot": "ann/bot"}));
}

#[test]
fn a_bot_is_not_registered_if_its_token_cannot_be_stored() {
    let arena = Arena::start(&[]);
    let (url, folder) = (arena.url(), tempfile::tempdir().unwrap());
    let nowhere = folder.path().join("missing").join("bot");
    let other = folder.path().join("letter");
    std::fs::write(&other, "Dear Ann").unwrap();
    for (file, why) in [(&nowhere, "cannot write"), (&other, "contains no bot's token")] {
        let refused = said(&words(&url, file));
        let text = String::from_utf8(refused.stderr).unwrap();
        assert!(
            !refused.status.success() && text.contains("--keep") && text.contains(why),
            "{text}"
        );
        assert!(!text.contains("Dear Ann"), "{text}");
    }
    assert_eq!(std::fs::read_to_string(other).unwrap(), "Dear Ann");
    call(arena.public, "BotsService/RegisterBot", "", &json!({"owner": "ann", "name": "bot"}));
}
