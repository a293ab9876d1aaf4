//! Summer Pavilion: states with one defect each.

use azulejo_wire::game::v1 as pb;

use crate::pavilion_table::{
    CENTER, RED, acquire, bonus, dealing, keep, over, spaces, table, tiles, top_up,
};

/// A state with one defect, its reason and the field that is to blame within it.
pub(crate) struct Spoiled {
    pub(crate) state: pb::SummerPavilionState,
    pub(crate) reason: &'static str,
    pub(crate) field: &'static str,
    pub(crate) message: &'static str,
}

/// A good state, spoiled after its tiles were counted.
pub(crate) fn after(
    mut state: pb::SummerPavilionState,
    change: impl FnOnce(&mut pb::SummerPavilionState),
) -> pb::SummerPavilionState {
    change(&mut state);
    state
}

type One = fn(pb::SummerPavilionState, &'static str, &'static str, &'static str) -> Spoiled;

pub(crate) fn spoiled() -> Vec<Spoiled> {
    let one: One = |state, reason, field, message| Spoiled { state, reason, field, message };
    let mut all = Vec::from(spoiled_tables(one));
    all.extend(spoiled_boards(one));
    all.extend(spoiled_deals(one));
    all.extend(spoiled_phases(one));
    all.extend(spoiled_ends(one));
    all
}

fn spoiled_tables(one: One) -> [Spoiled; 6] {
    [
        one(
            after(table(|_| ()), |table| table.round = 7),
            "ROUND_OUT_OF_RANGE",
            "round",
            "round 7 is not between 1 and 6",
        ),
        one(
            acquire(|table| table.factories[1] = tiles("B3R2")),
            "FACTORY_OVERFULL",
            "factories[1]",
            "factory display 2 holds 5 tiles, more than four",
        ),
        one(
            acquire(|table| table.center = Some(tiles("B7R6"))),
            "CENTER_OVERFULL",
            "center",
            "the center holds 13 tiles, more than 12: three from each empty factory display",
        ),
        one(
            table(|table| table.supply = Some(tiles("O11"))),
            "SUPPLY_OVERFULL",
            "supply",
            "the supply holds 11 tiles, more than ten",
        ),
        one(
            after(table(|_| ()), |table| table.bag.as_mut().unwrap().red = 21),
            "TILES_NOT_CONSERVED",
            "",
            "there are 21 red tiles, not 22",
        ),
        one(
            after(table(|_| ()), |table| table.drawn = 9),
            "DRAWN_OUT_OF_RANGE",
            "drawn",
            "9 tiles drawn so far cannot be: 10 to 30",
        ),
    ]
}

fn spoiled_boards(one: One) -> [Spoiled; 5] {
    let two_red = |table: &mut pb::SummerPavilionState| {
        table.boards[0].spaces = spaces(&[(RED, "RR....")]);
        table.boards[0].points = 9;
    };
    let twice = spaces(&[(CENTER, "B....B")]);
    [
        one(
            table(|table| table.boards[1].points = 0),
            "POINTS_OUT_OF_RANGE",
            "boards[1].points",
            "Second seat has 0 points; its stars score 1 to 5",
        ),
        one(
            table(two_red),
            "POINTS_OUT_OF_RANGE",
            "boards[0].points",
            "First seat has 9 points; its stars score 1 to 8",
        ),
        one(
            table(|table| table.boards[1].spaces = spaces(&[(RED, "..B...")])),
            "STAR_COLOR",
            "boards[1].spaces[8]",
            "Second seat's red star cannot hold blue on space 3",
        ),
        one(
            table(|table| table.boards[0].spaces = twice),
            "STAR_COLOR",
            "boards[0].spaces[41]",
            "First seat's center star cannot hold blue on space 6",
        ),
        one(
            table(|table| {
                table.boards[1].hand = Some(tiles("B5"));
                table.passed_seats = vec![1];
            }),
            "TOO_MANY_KEPT",
            "boards[1].hand",
            "Second seat has passed with 5 tiles, more than four",
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a list, and nothing else")]
fn spoiled_deals(one: One) -> [Spoiled; 8] {
    [
        one(
            dealing(|table| table.factories = vec![tiles("BYRG"); 5]),
            "NOTHING_TO_DEAL",
            "phase",
            "nothing waits to be filled",
        ),
        one(
            top_up(|table| table.supply = Some(tiles("O10"))),
            "NOTHING_TO_DEAL",
            "phase",
            "nothing waits to be filled",
        ),
        one(
            dealing(|table| table.factories[1] = tiles("B4")),
            "DEAL_OUT_OF_ORDER",
            "factories[1]",
            "factory 2 is not filled in order",
        ),
        one(
            dealing(|table| {
                table.supply = Some(tiles("O9"));
                table.factories[0] = tiles("B4");
            }),
            "DEAL_OUT_OF_ORDER",
            "factories[0]",
            "factory 1 is not filled in order",
        ),
        one(
            dealing(|table| (table.round, table.center) = (2, Some(tiles("B")))),
            "OFFER_NOT_EMPTY",
            "phase",
            "factory displays and center must be empty now",
        ),
        one(
            dealing(|table| table.passed_seats = vec![0]),
            "PASSED_TOO_EARLY",
            "passed_seats",
            "a seat has passed, but this is not phase 2",
        ),
        one(
            dealing(|table| table.boards[0].has_token = true),
            "TOKEN_NOT_RETURNED",
            "boards",
            "the token must lie in the center now",
        ),
        one(
            dealing(|table| table.turn_seat = 1),
            "TURN_NOT_START",
            "turn_seat",
            "the turn must be the start seat's now",
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a list, and nothing else")]
fn spoiled_phases(one: One) -> [Spoiled; 9] {
    [
        one(
            acquire(|table| table.factories[0] = tiles("-")),
            "OFFER_EMPTY",
            "phase",
            "factory displays and center are empty, so no tile can be taken",
        ),
        one(
            acquire(|table| table.passed_seats = vec![1]),
            "PASSED_TOO_EARLY",
            "passed_seats",
            "a seat has passed, but this is not phase 2",
        ),
        one(
            acquire(|table| table.supply = Some(tiles("O9"))),
            "SUPPLY_SHORT",
            "supply",
            "the supply holds 9 tiles and must have been topped up",
        ),
        one(
            table(|table| table.supply = Some(tiles("O9"))),
            "SUPPLY_SHORT",
            "supply",
            "the supply holds 9 tiles and must have been topped up",
        ),
        one(
            table(|table| table.factories[0] = tiles("B4")),
            "OFFER_NOT_EMPTY",
            "phase",
            "factory displays and center must be empty now",
        ),
        one(
            table(|table| table.passed_seats = vec![0]),
            "TURN_PASSED",
            "turn_seat",
            "First seat is to move and has passed",
        ),
        one(
            bonus(|table| table.supply = Some(tiles("O2"))),
            "BONUS_OUT_OF_RANGE",
            "bonus_due",
            "3 bonus tiles cannot be due: 1 to 3, and no more than the supply has",
        ),
        one(
            bonus(|table| table.boards[0].spaces.clear()),
            "BONUS_NOT_EARNED",
            "bonus_due",
            "First seat's board earns no 3 bonus tiles",
        ),
        one(
            keep(|table| table.boards[0].hand = Some(tiles("B2R2"))),
            "NOTHING_TO_KEEP",
            "boards[0].hand",
            "First seat has no choice what to keep",
        ),
    ]
}

/// A finished game is as if the next round were to start.
fn spoiled_ends(one: One) -> [Spoiled; 7] {
    [
        one(
            over(|table| table.round = 5),
            "END_NOT_REACHED",
            "phase",
            "the game is over only when all have passed in round 6",
        ),
        one(
            over(|table| table.passed_seats = vec![1]),
            "PASSED_TOO_EARLY",
            "passed_seats",
            "a seat has passed, but this is not phase 2",
        ),
        one(
            over(|table| table.passed_seats = vec![0, 1]),
            "PASSED_TOO_EARLY",
            "passed_seats",
            "a seat has passed, but this is not phase 2",
        ),
        one(
            over(|table| table.boards[1].has_token = true),
            "TOKEN_NOT_RETURNED",
            "boards",
            "the token must lie in the center now",
        ),
        one(
            over(|table| table.turn_seat = 1),
            "TURN_NOT_START",
            "turn_seat",
            "the turn must be the start seat's now",
        ),
        one(
            over(|table| table.boards[0].hand = Some(tiles("B5"))),
            "TOO_MANY_KEPT",
            "boards[0].hand",
            "First seat has passed with 5 tiles, more than four",
        ),
        one(
            over(|table| table.center = Some(tiles("B"))),
            "OFFER_NOT_EMPTY",
            "phase",
            "factory displays and center must be empty now",
        ),
    ]
}
