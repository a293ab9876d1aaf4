//! `play` and `match` with your own bots.

use std::time::Duration;

use azulejo_tests::waiting::until;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rstest::rstest;
use serde_json::Value;

use crate::tool::{azulejo, broken, example, mark, marked, nothing_remains, python_example, start};

#[test]
fn a_game_of_a_bot_of_the_rust_sdk_is_shown_to_its_end() {
    let said = azulejo(&["play", &example("greedy"), "random", "--plain"]);
    assert!(said.success, "{}", said.err);
    assert!(said.out.contains("Round 1 is dealt."), "{}", said.out);
    assert!(said.out.contains("The game is over"), "{}", said.out);
    assert!(said.out.contains("│ greedy "), "{}", said.out);
}

#[test]
fn two_own_bots_and_two_house_bots_play_at_one_table() {
    let (one, other) = (example("random"), python_example("random_bot.py"));
    let arguments = ["play", &one, &other, "greedy", "random", "--game", "summer-pavilion"];
    let said = azulejo(&arguments);
    assert!(said.success, "{}", said.err);
    for name in ["│ random 1 ", "│ random-bot ", "│ greedy ", "│ random 2 "] {
        assert!(said.out.contains(name), "{name} is not in {}", said.out);
    }
}

#[rstest]
#[case::rust(example("one_ply"))]
#[case::python(python_example("random_bot.py"))]
#[case::without_an_sdk(broken(""))]
fn a_match_counts_every_game(#[case] bot: String) {
    let said = azulejo(&["match", &bot, "random", "--games", "4", "--json"]);
    assert!(said.success, "{}", said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["games"], 4);
    assert!(report["bots"][0].get("forfeits").is_none(), "{report}");
    let wins = |bot: usize| report["bots"][bot]["wins"].as_f64().unwrap();
    assert!((wins(0) + wins(1) - 4.0).abs() < 1e-9, "{report}");
}

#[test]
fn a_greedy_bot_beats_random() {
    let said = azulejo(&["match", &example("greedy"), "random", "--games", "8", "--json"]);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert!(report["bots"][0]["wins"].as_f64().unwrap() >= 7.0, "{report}");
}

#[test]
fn records_of_a_match_in_the_arena_can_be_verified() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("games.jsonl").display().to_string();
    let played =
        azulejo(&["match", &example("random"), "greedy", "--games", "2", "--records", &records]);
    assert!(played.success, "{}", played.err);
    std::fs::read_to_string(&records).unwrap().lines().for_each(azulejo_tests::assert_valid_record);
    let verified = azulejo(&["verify", &records]);
    assert!(verified.success, "{}", verified.err);
}

#[test]
fn a_bot_that_ends_before_it_connects_is_an_error_with_its_last_lines() {
    let said = azulejo(&["play", &broken("ends-at-once"), "greedy"]);
    assert!(!said.success);
    assert!(said.err.contains("exited before it connected"), "{}", said.err);
    assert!(said.err.contains("I am not in the mood"), "{}", said.err);
}

#[test]
fn a_bot_that_does_not_connect_is_an_error_that_says_what_to_do() {
    let said = azulejo(&["play", "sleep 600", "greedy", "--connect-within", "1"]);
    assert!(!said.success);
    assert!(said.err.contains("did not connect within 1 seconds"), "{}", said.err);
    assert!(said.err.contains("AZULEJO_TOKEN"), "{}", said.err);
}

#[test]
fn a_bot_that_is_out_of_time_forfeits_and_the_command_ends() {
    let said = azulejo(&["play", &broken("never-answers"), "greedy", "--time", "bullet"]);
    assert!(said.success, "{}", said.err);
    assert!(said.out.contains("forfeits: its clock ran out"), "{}", said.out);
    assert!(said.out.contains("First place: greedy"), "{}", said.out);
}

#[test]
fn the_output_of_a_bot_is_written_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("output").display().to_string();
    let bot = "sh -c 'echo here I am; exit 3'";
    let said = azulejo(&["play", bot, "greedy", "--output", &output, "-v"]);
    assert!(said.err.contains("] here I am"), "{}", said.err);
    let mut files = std::fs::read_dir(&output).unwrap().flatten();
    let text = std::fs::read_to_string(files.next().unwrap().path()).unwrap();
    assert_eq!(text, "here I am\n");
}

#[rstest]
#[case(&["play", "./missing", "greedy"], "no such file or folder: ./missing")]
#[case(&["play", "missing", "greedy"], "./mybot")]
#[case(&["match", "true x", "greedy", "--seed", "7"], "leave --seed out")]
#[case(&["play", "human", "true x"], "a person can only play against house bots")]
fn a_bot_that_cannot_be_started_is_refused_with_a_message(
    #[case] arguments: &[&str],
    #[case] word: &str,
) {
    let said = azulejo(arguments);
    assert!(!said.success);
    assert!(said.err.contains(word), "{}", said.err);
}

#[test]
fn a_command_whose_output_is_closed_leaves_no_bot_behind() {
    let mark = mark();
    let mut running = start(&["play", &broken(""), "greedy", "--plain"], &mark);
    // As `| head -1` does.
    drop(running.0.stdout.take());
    let ended = until("it ends", Duration::from_mins(2), || running.0.try_wait().unwrap());
    assert!(ended.success(), "{ended:?}");
    nothing_remains(&mark);
}

#[test]
fn a_bot_may_be_any_shell_command() {
    let said = azulejo(&["play", "WORD=hello; echo $WORD there && exit 3", "greedy", "-v"]);
    assert!(said.err.contains("] hello there"), "{}", said.err);
}

#[rstest]
#[case::interrupt(Signal::SIGINT)]
#[case::terminate(Signal::SIGTERM)]
#[case::hang_up(Signal::SIGHUP)]
fn a_stopped_command_leaves_no_bot_behind(#[case] signal: Signal) {
    let mark = mark();
    let mut running = start(&["play", "sleep 600", "greedy", "--connect-within", "600"], &mark);
    let id = running.0.id();
    until("the bot runs", Duration::from_mins(1), || {
        marked(&mark).iter().any(|&process| process != id).then_some(())
    });
    kill(Pid::from_raw(i32::try_from(id).unwrap()), signal).unwrap();
    let ended = until("it ends", Duration::from_mins(1), || running.0.try_wait().unwrap());
    assert!(!ended.success());
    nothing_remains(&mark);
}
