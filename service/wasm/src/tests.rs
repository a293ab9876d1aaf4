//! The exports as a careless host calls them.

use crate::Engine;
use crate::engine::read;
use crate::exports::{
    batch_free, batch_new, batch_step, game_apply, game_apply_text, game_free, game_legal,
    game_new, game_observe, game_observe_scaled, game_observed, game_status, game_text, layout,
    living, room, verify,
};

/// Writes the input; returns its length.
fn input(text: &str) -> u32 {
    // Here an address has 64 bits, which a host of a module never sees.
    let _address = room(u32::try_from(text.len()).unwrap());
    read(|engine| engine.input()[..text.len()].copy_from_slice(text.as_bytes()));
    u32::try_from(text.len()).unwrap()
}

fn output() -> String {
    read(|engine: &mut Engine| String::from_utf8(engine.output.clone()).unwrap())
}

#[track_caller]
fn assert_refused(value: i32, reason: &str) {
    assert_eq!(value, -1);
    assert!(output().starts_with(&format!("{{\"reason\":\"{reason}\",")), "{}", output());
}

fn game() -> u32 {
    u32::try_from(game_new(input("azul-colored-2\nseed:7\n0"))).unwrap()
}

#[test]
fn a_length_beyond_the_input_is_refused() {
    let game = game();
    for length in [1 << 20, u32::MAX] {
        assert_refused(game_new(length), "OUT_OF_RANGE");
        assert_refused(game_apply_text(game, length), "OUT_OF_RANGE");
        assert_refused(batch_new(length), "OUT_OF_RANGE");
        assert_refused(layout(length), "OUT_OF_RANGE");
        assert_refused(verify(length), "OUT_OF_RANGE");
    }
    let header = input("azul-colored-2\nauto:1");
    for values in [1 << 20, u32::MAX] {
        assert_refused(game_observed(header, values), "OUT_OF_RANGE");
    }
    assert_refused(room(u32::MAX), "OUT_OF_MEMORY");
}

#[test]
fn a_handle_of_nothing_is_refused() {
    let game = game();
    for handle in [0, 1, game + 1, game + (1 << 20), u32::MAX] {
        assert_refused(game_status(handle), "CLOSED");
        assert_refused(game_legal(handle), "CLOSED");
        assert_refused(game_apply(handle, 0), "CLOSED");
        assert_refused(game_free(handle), "CLOSED");
        assert_refused(batch_step(handle), "CLOSED");
        assert_refused(batch_free(handle), "CLOSED");
    }
    assert_eq!(game_free(game), 0);
    assert_refused(game_free(game), "CLOSED");
    assert_eq!(living(), 0);
}

#[test]
fn an_input_that_is_not_text_is_refused() {
    read(|engine| engine.input()[..2].copy_from_slice(&[0xff, 0xfe]));
    assert_refused(game_new(2), "BAD_MESSAGE");
}

#[test]
fn an_illegal_move_has_its_rule_and_changes_nothing() {
    let game = game();
    assert!(game_text(game) > 0);
    let before = output();
    assert_refused(game_apply(game, u32::MAX), "NO_SUCH_ACTION");
    assert!(output().contains("action -1 is not in the action space"), "{}", output());
    let illegal = (0..180).find(|&id| game_apply(game, id) == -1).unwrap();
    assert_refused(game_apply(game, illegal), "ILLEGAL_MOVE");
    assert!(output().contains("\"rule\":\"COLOR_ABSENT\""), "{}", output());
    assert!(game_text(game) > 0);
    assert_eq!(output(), before);
}

#[test]
fn a_scaled_observation_leaves_the_raw_one_as_it_is() {
    let game = game();
    assert_eq!(game_observe(game, 0), 171);
    let raw = read(|engine| engine.raw.clone());
    // The seat that decides is shown by another value for the other seat.
    assert_eq!(game_observe_scaled(game, 1), 171);
    assert_eq!(read(|engine| engine.raw.clone()), raw);
    assert_eq!(game_observe(game, 1), 171);
    assert_ne!(read(|engine| engine.raw.clone()), raw);
    assert_refused(game_observe_scaled(game, 2), "NO_SUCH_SEAT");
}

#[test]
fn a_seat_that_does_not_exist_has_the_same_reason_everywhere() {
    for seat in ["2", "-1", "4294967296", "-99999999999999999999", "99999999999999999999"] {
        assert_refused(game_new(input(&format!("azul-colored-2\nauto:1\n{seat}"))), "NO_SUCH_SEAT");
        let start = format!("azul-colored-2\n4\n\n1\n{seat}");
        assert_refused(batch_new(input(&start)), "NO_SUCH_SEAT");
        let learner = format!("azul-colored-2\n4\n\n1\n\n\n\n{seat}\nrandom");
        assert_refused(batch_new(input(&learner)), "NO_SUCH_SEAT");
    }
    for seat in ["last", "1.5", "-"] {
        assert_refused(
            game_new(input(&format!("azul-colored-2\nauto:1\n{seat}"))),
            "NO_SUCH_VALUE",
        );
    }
}

#[test]
fn a_text_that_is_not_a_record_and_a_record_that_is_false_have_different_reasons() {
    assert_refused(verify(input("{}")), "BAD_RECORD");
    let text = r#"{"format":"azulejo-record/1","seats":[],"game":"azul colored 2 start 0","checks":"",
        "result":{"score":{"seats":[],"winners":[]},"check":""}}"#;
    assert_refused(verify(input(text)), "FALSE_RECORD");
}
