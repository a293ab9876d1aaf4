//! Azul: states with one defect each.

use azulejo_wire::game::v1 as pb;

use crate::azul_table::{FULL_ROW, dealing, lines, offer, over, table, tiles, tiling, wall};

/// A state with one defect, its reason and the field that is to blame within it.
pub(crate) struct Spoiled {
    pub(crate) state: pb::AzulState,
    pub(crate) reason: &'static str,
    pub(crate) field: &'static str,
    pub(crate) message: &'static str,
}

/// A good state, spoiled after its tiles were counted.
pub(crate) fn after(
    mut state: pb::AzulState,
    change: impl FnOnce(&mut pb::AzulState),
) -> pb::AzulState {
    change(&mut state);
    state
}

fn gray(change: impl FnOnce(&mut pb::AzulState)) -> pb::AzulState {
    offer(|state| {
        state.rules.as_mut().unwrap().side = pb::BoardSide::Gray.into();
        change(state);
    })
}

pub(crate) fn spoiled() -> Vec<Spoiled> {
    let one = |state, reason, field, message| Spoiled { state, reason, field, message };
    let mut all = vec![
        one(
            after(offer(|_| ()), |table| table.round = 51),
            "ROUND_OUT_OF_RANGE",
            "round",
            "round 51 is not between 1 and the limit of 50",
        ),
        one(
            table(|table| table.factories[1] = tiles("B3R2")),
            "FACTORY_OVERFULL",
            "factories[1]",
            "factory display 2 holds 5 tiles, more than four",
        ),
        one(
            offer(|table| table.center = Some(tiles("B7R6"))),
            "CENTER_OVERFULL",
            "center",
            "the center holds 13 tiles, more than 12: three from each empty factory display",
        ),
        one(
            after(offer(|_| ()), |table| table.bag.as_mut().unwrap().white = 19),
            "TILES_NOT_CONSERVED",
            "",
            "there are 19 white tiles, not 20",
        ),
        one(
            after(offer(|_| ()), |table| table.lid = Some(tiles("K"))),
            "TILES_NOT_CONSERVED",
            "",
            "there are 21 black tiles, not 20",
        ),
        one(
            after(offer(|_| ()), |table| table.drawn = 101),
            "DRAWN_OUT_OF_RANGE",
            "drawn",
            "101 tiles drawn so far cannot be: 4 to 100",
        ),
        one(
            after(offer(|_| ()), |table| table.drawn = u32::MAX),
            "DRAWN_OUT_OF_RANGE",
            "drawn",
            "4294967295 tiles drawn so far cannot be: 4 to 100",
        ),
    ];
    all.extend(spoiled_boards(one));
    all.extend(spoiled_phases(one));
    all.extend(spoiled_ends(one));
    all
}

type One = fn(pb::AzulState, &'static str, &'static str, &'static str) -> Spoiled;

#[expect(clippy::too_many_lines, reason = "a list, and nothing else")]
fn spoiled_boards(one: One) -> [Spoiled; 7] {
    [
        one(
            offer(|table| table.boards[1].points = 1),
            "POINTS_OUT_OF_RANGE",
            "boards[1].points",
            "Second seat has 1 points, more than the 0 that its wall can score",
        ),
        one(
            offer(|table| {
                table.boards[1].wall = wall([".....", "..B..", ".....", ".....", "....."]);
            }),
            "WALL_COLOR_MISPLACED",
            "boards[1].wall[7]",
            "Second seat's colored wall has no blue in row 2, column 3",
        ),
        one(
            gray(|table| {
                table.boards[0].wall = wall(["Y..Y.", ".....", ".....", ".....", "....."]);
            }),
            "COLOR_TWICE_IN_ROW",
            "boards[0].wall",
            "First seat's wall shows yellow twice in row 1",
        ),
        one(
            gray(|table| {
                table.boards[0].wall = wall([".Y...", ".....", ".Y...", ".....", "....."]);
            }),
            "COLOR_TWICE_IN_COLUMN",
            "boards[0].wall",
            "First seat's wall shows yellow twice in column 2",
        ),
        one(
            offer(|table| table.boards[0].lines = lines(["-", "B3", "-", "-", "-"])),
            "LINE_LENGTH",
            "boards[0].lines[1]",
            "First seat's pattern line 2 cannot hold 3 tiles",
        ),
        one(
            offer(|table| {
                table.boards[1].wall = wall(["B....", ".....", ".....", ".....", "....."]);
                table.boards[1].lines = lines(["B", "-", "-", "-", "-"]);
            }),
            "LINE_COLOR_ON_WALL",
            "boards[1].lines[0]",
            "Second seat's pattern line 1 holds blue, which its row of the wall shows already",
        ),
        one(
            offer(|table| table.boards[1].floor = Some(tiles("B4R4"))),
            "FLOOR_OVERFULL",
            "boards[1].floor",
            "Second seat's floor line holds 8 tiles, more than seven",
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a list, and nothing else")]
fn spoiled_phases(one: One) -> [Spoiled; 12] {
    let full = |table: &mut pb::AzulState| table.factories = vec![tiles("BYRK"); 5];
    [
        one(
            table(|_| ()),
            "OFFER_EMPTY",
            "phase",
            "factory displays and center are empty, so no tile can be taken",
        ),
        one(
            dealing(|table| table.center = Some(tiles("B"))),
            "OFFER_NOT_EMPTY",
            "phase",
            "factory displays and center must be empty now",
        ),
        one(
            tiling(|table| table.center = Some(tiles("B"))),
            "OFFER_NOT_EMPTY",
            "phase",
            "factory displays and center must be empty now",
        ),
        one(
            dealing(full),
            "NOTHING_TO_DEAL",
            "phase",
            "the deal is done: no factory display waits for tiles",
        ),
        one(
            dealing(|table| table.factories[1] = tiles("B4")),
            "DEAL_OUT_OF_ORDER",
            "factories[1]",
            "factory display 2 is not filled in order",
        ),
        one(
            offer(|table| table.boards[1].wall = wall(FULL_ROW)),
            "ROW_ALREADY_COMPLETE",
            "boards[1].wall",
            "Second seat has a complete row, so the game is over",
        ),
        one(
            dealing(|table| table.boards[0].lines = lines(["-", "B2", "-", "-", "-"])),
            "LINE_NOT_TILED",
            "boards[0].lines[1]",
            "First seat has a complete pattern line left after the tiling",
        ),
        one(
            dealing(|table| table.boards[1].floor = Some(tiles("B"))),
            "FLOOR_NOT_CLEARED",
            "boards[1].floor",
            "Second seat's floor line is not cleared after the tiling",
        ),
        one(
            dealing(|table| table.boards[0].has_marker = true),
            "MARKER_NOT_RETURNED",
            "boards",
            "the marker must lie in the center now",
        ),
        one(
            dealing(|table| table.turn_seat = 1),
            "TURN_NOT_START",
            "turn_seat",
            "the turn must be the start seat's now",
        ),
        one(
            tiling(|table| table.rules.as_mut().unwrap().side = pb::BoardSide::Colored.into()),
            "TILING_ON_COLORED_WALL",
            "phase",
            "a column is chosen on the gray wall only",
        ),
        one(
            tiling(|table| table.boards[0].lines.clear()),
            "NOTHING_TO_PLACE",
            "boards[0].lines",
            "First seat is to place a tile, but has none that fits",
        ),
    ]
}

/// A finished game is as if the next round were to start.
fn spoiled_ends(one: One) -> [Spoiled; 5] {
    [
        one(
            over(|table| table.boards[1].has_marker = true),
            "MARKER_NOT_RETURNED",
            "boards",
            "the marker must lie in the center now",
        ),
        one(
            over(|table| table.turn_seat = 1),
            "TURN_NOT_START",
            "turn_seat",
            "the turn must be the start seat's now",
        ),
        one(
            over(|table| table.boards[0].wall.clear()),
            "END_NOT_REACHED",
            "end",
            "the game did not end this way",
        ),
        one(
            over(|table| table.end = pb::AzulGameEnd::RoundLimit.into()),
            "END_NOT_REACHED",
            "end",
            "the game did not end this way",
        ),
        one(
            over(|table| table.end = pb::AzulGameEnd::NoTiles.into()),
            "END_NOT_REACHED",
            "end",
            "the game did not end this way",
        ),
    ]
}
