//! A wrong field of a state or a move of Azul is named, with what is wrong and what would be right.

use azulejo_engine::EngineError;
use azulejo_wire::engine::v1::apply_request::Action;
use azulejo_wire::game::v1 as pb;
use rstest::rstest;

use crate::azul_table::{offer, over, state, tiles};
use crate::caller::{apply, assert_refused, legal_moves, written};

fn broken(change: impl FnOnce(&mut pb::AzulState)) -> EngineError {
    let mut message = offer(|_| ());
    change(&mut message);
    legal_moves(&state(message)).unwrap_err()
}

fn ended(change: impl FnOnce(&mut pb::AzulState)) -> EngineError {
    let mut message = over(|_| ());
    change(&mut message);
    legal_moves(&state(message)).unwrap_err()
}

fn rules(state: &mut pb::AzulState) -> &mut pb::AzulRules {
    state.rules.as_mut().unwrap()
}

fn line(color: i32, tiles: u32) -> Vec<pb::AzulPatternLine> {
    let mut lines = vec![pb::AzulPatternLine::default(); 5];
    lines[2] = pb::AzulPatternLine { color, tiles };
    lines
}

#[rstest]
#[case::no_rules(broken(|table| table.rules = None),
    "rules", "FIELD_MISSING", "this field is required")]
#[case::version_2(broken(|table| rules(table).version = 2), "rules.version",
    "UNKNOWN_RULES_VERSION",
    "version 2 of the rules is unknown: this engine plays by version 1")]
#[case::no_side(broken(|table| rules(table).side = 0),
    "rules.side", "FIELD_MISSING", "this field is required")]
#[case::unknown_side(broken(|table| rules(table).side = 3),
    "rules.side", "NO_SUCH_ENUM_VALUE", "unknown BoardSide value: 3")]
#[case::one_player(broken(|table| rules(table).players = 1),
    "rules.players", "OUT_OF_RANGE", "1 is not between 2 and 4")]
#[case::five_players(broken(|table| rules(table).players = 5),
    "rules.players", "OUT_OF_RANGE", "5 is not between 2 and 4")]
#[case::round_limit_256(broken(|table| rules(table).round_limit = 256),
    "rules.round_limit", "OUT_OF_RANGE", "256 is not between 1 and 255")]
#[case::no_phase(broken(|table| table.phase = 0),
    "phase", "FIELD_MISSING", "this field is required")]
#[case::unknown_phase(broken(|table| table.phase = 5),
    "phase", "NO_SUCH_ENUM_VALUE", "unknown AzulPhase value: 5")]
#[case::negative_phase(broken(|table| table.phase = -1),
    "phase", "NO_SUCH_ENUM_VALUE", "unknown AzulPhase value: -1")]
#[case::round_0(broken(|table| table.round = 0),
    "round", "OUT_OF_RANGE", "0 is not between 1 and 255")]
#[case::round_256(broken(|table| table.round = 256),
    "round", "OUT_OF_RANGE", "256 is not between 1 and 255")]
#[case::turn(broken(|table| table.turn_seat = 2),
    "turn_seat", "OUT_OF_RANGE", "2 is not between 0 and 1")]
#[case::start(broken(|table| table.start_seat = u32::MAX),
    "start_seat", "OUT_OF_RANGE", "4294967295 is not between 0 and 1")]
#[case::two_markers(broken(|table| table.boards.iter_mut().for_each(|board| board.has_marker = true)),
    "boards[1].has_marker", "HELD_TWICE", "another board holds it already")]
#[case::end_too_early(broken(|table| table.end = 1),
    "end", "FIELD_NOT_OF_THIS_PHASE", "this field must not be set in this phase")]
#[case::unknown_end(broken(|table| table.end = 4),
    "end", "NO_SUCH_ENUM_VALUE", "unknown AzulGameEnd value: 4")]
#[case::over_without_an_end(ended(|table| table.end = 0),
    "end", "FIELD_MISSING", "this field is required")]
fn a_wrong_field_of_the_table_is_named(
    #[case] refused: EngineError,
    #[case] field: &str,
    #[case] reason: &str,
    #[case] problem: &str,
) {
    let path = format!("state.azul.{field}");
    assert_refused(&refused, &path, reason, &format!("{path}: {problem}"));
}

#[rstest]
#[case::too_few_boards(broken(|table| table.boards.truncate(1)),
    "boards", "WRONG_COUNT", "1 entries, but 2 are expected")]
#[case::too_many_boards(broken(|table| table.boards.push(pb::AzulBoard::default())),
    "boards", "WRONG_COUNT", "3 entries, but 2 are expected")]
#[case::too_few_factories(broken(|table| table.factories.truncate(4)),
    "factories", "WRONG_COUNT", "4 entries, but 5 are expected")]
#[case::too_many_factories(broken(|table| table.factories.push(tiles("-"))),
    "factories", "WRONG_COUNT", "6 entries, but 5 are expected")]
#[case::bag(broken(|table| table.bag.as_mut().unwrap().black = 21),
    "bag.black", "OUT_OF_RANGE", "21 is not between 0 and 20")]
#[case::lid(broken(|table| table.lid = Some(pb::AzulTiles { white: 300, ..tiles("-") })),
    "lid.white", "OUT_OF_RANGE", "300 is not between 0 and 20")]
#[case::center(broken(|table| table.center = Some(pb::AzulTiles { yellow: 21, ..tiles("-") })),
    "center.yellow", "OUT_OF_RANGE", "21 is not between 0 and 20")]
#[case::factory(broken(|table| table.factories[3].red = 21),
    "factories[3].red", "OUT_OF_RANGE", "21 is not between 0 and 20")]
#[case::floor(
    broken(|table| table.boards[1].floor = Some(pb::AzulTiles { blue: 99, ..tiles("-") })),
    "boards[1].floor.blue", "OUT_OF_RANGE", "99 is not between 0 and 20")]
#[case::points(broken(|table| table.boards[1].points = 65_536),
    "boards[1].points", "OUT_OF_RANGE", "65536 is not between 0 and 65535")]
#[case::short_wall(broken(|table| table.boards[1].wall = vec![0; 24]),
    "boards[1].wall", "WRONG_COUNT", "24 entries, but 25 are expected")]
#[case::long_wall(broken(|table| table.boards[1].wall = vec![0; 26]),
    "boards[1].wall", "WRONG_COUNT", "26 entries, but 25 are expected")]
#[case::wall_color(broken(|table| {
        table.boards[0].wall = vec![0; 25];
        table.boards[0].wall[7] = 6;
    }), "boards[0].wall[7]", "NO_SUCH_ENUM_VALUE", "unknown AzulColor value: 6")]
#[case::four_lines(broken(|table| table.boards[0].lines = line(1, 1)[..4].to_vec()),
    "boards[0].lines", "WRONG_COUNT", "4 entries, but 5 are expected")]
#[case::tiles_without_a_color(broken(|table| table.boards[0].lines = line(0, 2)),
    "boards[0].lines[2].color", "FIELD_MISSING", "this field is required")]
#[case::a_color_without_tiles(broken(|table| table.boards[0].lines = line(2, 0)),
    "boards[0].lines[2].tiles", "OUT_OF_RANGE", "0 is not between 1 and 5")]
#[case::six_tiles_on_a_line(broken(|table| table.boards[0].lines = line(2, 6)),
    "boards[0].lines[2].tiles", "OUT_OF_RANGE", "6 is not between 1 and 5")]
#[case::unknown_color_on_a_line(broken(|table| table.boards[0].lines = line(-3, 1)),
    "boards[0].lines[2].color", "NO_SUCH_ENUM_VALUE", "unknown AzulColor value: -3")]
fn a_wrong_heap_or_board_is_named(
    #[case] refused: EngineError,
    #[case] field: &str,
    #[case] reason: &str,
    #[case] problem: &str,
) {
    let path = format!("state.azul.{field}");
    assert_refused(&refused, &path, reason, &format!("{path}: {problem}"));
}

fn played(action: pb::azul_move::Move) -> EngineError {
    let action = pb::AzulMove { r#move: Some(action) };
    let action = pb::Move { game: Some(pb::r#move::Game::Azul(action)) };
    let mut request = written(&state(offer(|_| ())), "");
    request.action = Some(Action::Move(action));
    apply(&request).unwrap_err()
}

fn take(change: impl FnOnce(&mut pb::AzulTake)) -> EngineError {
    let mut take = pb::AzulTake {
        source: Some(pb::azul_take::Source::Factory(1)),
        color: pb::AzulColor::Blue.into(),
        destination: Some(pb::azul_take::Destination::Line(2)),
    };
    change(&mut take);
    played(pb::azul_move::Move::Take(take))
}

fn place(row: u32, column: u32) -> EngineError {
    played(pb::azul_move::Move::PlaceTile(pb::AzulPlaceTile { row, column }))
}

#[rstest]
#[case::no_source(take(|take| take.source = None),
    "take.source", "FIELD_MISSING", "this field is required")]
#[case::factory_0(take(|take| take.source = Some(pb::azul_take::Source::Factory(0))),
    "take.factory", "OUT_OF_RANGE", "0 is not between 1 and 9")]
#[case::factory_10(take(|take| take.source = Some(pb::azul_take::Source::Factory(10))),
    "take.factory", "OUT_OF_RANGE", "10 is not between 1 and 9")]
#[case::no_color(take(|take| take.color = 0),
    "take.color", "FIELD_MISSING", "this field is required")]
#[case::unknown_color(take(|take| take.color = 6),
    "take.color", "NO_SUCH_ENUM_VALUE", "unknown AzulColor value: 6")]
#[case::no_destination(take(|take| take.destination = None),
    "take.destination", "FIELD_MISSING", "this field is required")]
#[case::line_0(take(|take| take.destination = Some(pb::azul_take::Destination::Line(0))),
    "take.line", "OUT_OF_RANGE", "0 is not between 1 and 5")]
#[case::line_6(take(|take| take.destination = Some(pb::azul_take::Destination::Line(6))),
    "take.line", "OUT_OF_RANGE", "6 is not between 1 and 5")]
#[case::row_0(place(0, 1), "place_tile.row", "OUT_OF_RANGE", "0 is not between 1 and 5")]
#[case::column_6(place(5, 6), "place_tile.column", "OUT_OF_RANGE", "6 is not between 1 and 5")]
fn a_wrong_field_of_a_move_is_named(
    #[case] refused: EngineError,
    #[case] field: &str,
    #[case] reason: &str,
    #[case] problem: &str,
) {
    let path = format!("move.azul.{field}");
    assert_refused(&refused, &path, reason, &format!("{path}: {problem}"));
}
