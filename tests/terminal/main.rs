//! A person plays whole games at a real terminal, with wrong input on the way.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod position;

use azulejo_tests::process::program;
use rexpect::session::PtySession;

const PROMPT: &str = "(help)> ";
const PATIENCE_MS: u64 = 60_000;

fn azulejo(arguments: &str) -> PtySession {
    let command = format!("{} {arguments}", program().display());
    rexpect::spawn(&command, Some(PATIENCE_MS)).unwrap()
}

/// Sends a line and expects this in the answer, before the next prompt.
fn answers(session: &mut PtySession, line: &str, expected: &str) {
    session.send_line(line).unwrap();
    let answer = session.exp_string(PROMPT).unwrap();
    assert!(answer.contains(expected), "{line:?} was answered with {answer}");
}

/// Plays the first move of the list until the game is over.
fn play_on(session: &mut PtySession) {
    for _ in 0..500 {
        session.send_line("1").unwrap();
        let (_, seen) = session.exp_regex(r"\(help\)> |The game is over").unwrap();
        if seen.contains("over") {
            session.exp_string("total").unwrap();
            session.exp_eof().unwrap();
            return;
        }
    }
    panic!("500 moves and no end");
}

#[test]
fn a_person_plays_azul_against_greedy_and_every_wrong_input_gets_a_helpful_answer() {
    let mut session = azulejo("play human greedy --seed 7 --plain");
    session.exp_string(PROMPT).unwrap();

    answers(&mut session, "", "Type a move");
    answers(&mut session, "help", "take back your last move");
    answers(&mut session, "undo", "nothing to undo");
    answers(&mut session, "xyzzy", "expected a source");
    answers(&mut session, "3", "take");
    answers(&mut session, "undo", "Move undone");
    answers(&mut session, "9Bf", "no factory display 9");
    answers(&mut session, "cBf", "no blue tiles there");
    answers(&mut session, "r1c1", "no place on the wall is to be chosen now");
    answers(&mut session, "0", "Moves are numbered 1 to");
    answers(&mut session, "99999", "Moves are numbered 1 to");
    answers(&mut session, "moves floor", "to the floor line");
    answers(&mut session, "moves purple", "contains \"purple\"");
    answers(&mut session, "table", "human");
    answers(&mut session, "hint", "The strong bot would play");
    play_on(&mut session);
}

#[test]
fn a_person_plays_summer_pavilion_against_greedy_and_every_wrong_input_gets_a_helpful_answer() {
    let mut session =
        azulejo("play human greedy --game summer-pavilion --board gray --seed 7 --plain");
    session.exp_string(PROMPT).unwrap();

    answers(&mut session, "pass", "phase 2");
    answers(&mut session, "Z3:R2", "the letter of a star");
    answers(&mut session, "R3:R2", "phase 2");
    answers(&mut session, "+B9", "no bonus tiles are due");
    answers(&mut session, "moves", "take");
    answers(&mut session, "cO", "no orange tiles there");
    play_on(&mut session);
}

#[test]
fn a_person_may_leave_at_any_time() {
    let mut session = azulejo("play human greedy --seed 7 --plain");
    session.exp_string(PROMPT).unwrap();

    session.send_line("quit").unwrap();

    session.exp_string("You left the game").unwrap();
    session.exp_eof().unwrap();
}

#[test]
fn a_recorded_game_is_watched_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.json");
    let mut game =
        azulejo(&format!("play greedy random --seed 3 --plain --record {}", record.display()));
    game.exp_string("Record: ").unwrap();
    game.exp_eof().unwrap();

    let mut session = azulejo(&format!("replay {} --plain", record.display()));
    session.exp_string("step 0 of").unwrap();
    session.send_line("").unwrap();
    session.exp_string("step 1 of").unwrap();
    session.send_line("b").unwrap();
    session.exp_string("step 0 of").unwrap();
    session.send_line("12").unwrap();
    session.exp_string("step 12 of").unwrap();
    session.send_line("99999").unwrap();
    session.exp_string("Steps are numbered 0 to").unwrap();
    session.send_line("q").unwrap();
    session.exp_eof().unwrap();
}
