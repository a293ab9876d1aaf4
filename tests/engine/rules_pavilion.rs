//! Summer Pavilion: every illegal move is refused by the rule it breaks.

use azulejo_rules::pavilion::{Move, Position};
use azulejo_wire::engine::v1::apply_request::Action;
use azulejo_wire::game::v1::SummerPavilionState;

use crate::caller::{apply, written};
use crate::either_game::OnWire;
use crate::pavilion_table::{
    RED, acquire, bonus, dealing, keep, over, spaces, state, table, tiles, top_up,
};

/// A state, a move that is illegal there, the rule it breaks, and the words for it.
pub(crate) fn broken_rules() -> Vec<(SummerPavilionState, &'static str, &'static str, &'static str)>
{
    let hand = |text: &'static str| table(move |table| table.boards[0].hand = Some(tiles(text)));
    let covered = table(|table| {
        table.boards[0].hand = Some(tiles("R4"));
        table.boards[0].spaces = spaces(&[(RED, "R.....")]);
    });
    let wild = acquire(|table| table.factories[0] = tiles("B3P"));
    let playing = "tiles are laid, and players pass, on their turn of phase 2 only";
    let due = "a display waits to be filled before anyone can move";
    vec![
        (over(|_| ()), "pass", "GAME_OVER", "the game is over"),
        (dealing(|_| ()), "1B", "DEAL_DUE", due),
        (top_up(|_| ()), "pass", "DEAL_DUE", due),
        (table(|_| ()), "1B", "NOT_ACQUIRING", "tiles are taken in phase 1 only"),
        (acquire(|_| ()), "pass", "NOT_PLAYING", playing),
        (acquire(|_| ()), "R1:R1", "NOT_PLAYING", playing),
        (bonus(|_| ()), "pass", "NOT_PLAYING", playing),
        (table(|_| ()), "+O", "NO_BONUS_DUE", "no bonus tiles are due"),
        (table(|_| ()), "=B2R2", "NOT_KEEPING", "no tiles to keep are to be chosen now"),
        (acquire(|_| ()), "6B", "NO_SUCH_FACTORY", "this table has no factory display 6"),
        (acquire(|_| ()), "1R", "COLOR_ABSENT", "no red tiles there"),
        (
            wild,
            "1P",
            "WILD_NOT_ALONE",
            "a wild tile can be chosen only if there are no other colors",
        ),
        (covered, "R1:R1", "SPACE_COVERED", "space 1 of the red star is covered"),
        (hand("B"), "R1:B1", "COLOR_NOT_TAKEN", "the red star takes no blue tile"),
        (
            hand("R"),
            "R2:R1",
            "TOO_FEW_TILES",
            "the space costs 2 red tiles, and there are too few, wild ones included",
        ),
        (
            hand("R4"),
            "R2:R1",
            "NATURALS_OUT_OF_RANGE",
            "1 tiles of the color itself cannot be paid: 2 to 2",
        ),
        (bonus(|_| ()), "+O2", "BONUS_SIZE", "3 bonus tiles are due, not 2"),
        (bonus(|_| ()), "+R3", "NOT_IN_SUPPLY", "the supply does not hold R3"),
        (keep(|_| ()), "=B3", "KEEP_SIZE", "exactly four tiles are kept, not 3"),
        (keep(|_| ()), "=R4", "NOT_AT_HAND", "the player does not have R4"),
    ]
}

#[test]
fn every_illegal_move_of_summer_pavilion_breaks_a_rule_by_name() {
    for (message, text, rule, words) in broken_rules() {
        let state = state(message);
        let mut typed = written(&state, "");
        let action: Move = text.parse().unwrap();
        typed.action = Some(Action::Move(Position::to_wire(action)));

        for request in [written(&state, text), typed] {
            let refused = apply(&request).expect_err(rule);
            assert_eq!((refused.reason(), refused.rule()), ("ILLEGAL_MOVE", Some(rule)), "{text}");
            assert!(refused.to_string().ends_with(&format!(": {words}")), "{refused}");
        }
    }
}
