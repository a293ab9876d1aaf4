//! A wrong field of a state or a move of Summer Pavilion is named, with what is wrong.

use azulejo_engine::EngineError;
use azulejo_wire::engine::v1::apply_request::Action;
use azulejo_wire::game::v1 as pb;
use pb::summer_pavilion_move::Move;
use rstest::rstest;

use crate::caller::{apply, assert_refused, legal_moves, written};
use crate::pavilion_table::{acquire, bonus, state, tiles};

fn broken(change: impl FnOnce(&mut pb::SummerPavilionState)) -> EngineError {
    let mut message = acquire(|_| ());
    change(&mut message);
    legal_moves(&state(message)).unwrap_err()
}

fn with_bonus(due: u32) -> EngineError {
    let mut message = bonus(|_| ());
    message.bonus_due = due;
    legal_moves(&state(message)).unwrap_err()
}

fn rules(state: &mut pb::SummerPavilionState) -> &mut pb::SummerPavilionRules {
    state.rules.as_mut().unwrap()
}

fn five_blue_too_many() -> pb::SummerPavilionTiles {
    pb::SummerPavilionTiles { blue: 27, ..tiles("-") }
}

#[rstest]
#[case::no_rules(broken(|table| table.rules = None),
    "rules", "FIELD_MISSING", "this field is required")]
#[case::version_2(broken(|table| rules(table).version = 2), "rules.version",
    "UNKNOWN_RULES_VERSION",
    "version 2 of the rules is unknown: this engine plays by version 1")]
#[case::no_side(broken(|table| rules(table).side = 0),
    "rules.side", "FIELD_MISSING", "this field is required")]
#[case::players(broken(|table| rules(table).players = 0),
    "rules.players", "OUT_OF_RANGE", "0 is not between 2 and 4")]
#[case::no_phase(broken(|table| table.phase = 0),
    "phase", "FIELD_MISSING", "this field is required")]
#[case::unknown_phase(broken(|table| table.phase = 8),
    "phase", "NO_SUCH_ENUM_VALUE", "unknown SummerPavilionPhase value: 8")]
#[case::round_0(broken(|table| table.round = 0),
    "round", "OUT_OF_RANGE", "0 is not between 1 and 255")]
#[case::turn(broken(|table| table.turn_seat = 2),
    "turn_seat", "OUT_OF_RANGE", "2 is not between 0 and 1")]
#[case::start(broken(|table| table.start_seat = 7),
    "start_seat", "OUT_OF_RANGE", "7 is not between 0 and 1")]
#[case::two_tokens(broken(|table| table.boards.iter_mut().for_each(|board| board.has_token = true)),
    "boards[1].has_token", "HELD_TWICE", "another board holds it already")]
#[case::passed(broken(|table| table.passed_seats = vec![0, 2]),
    "passed_seats[1]", "OUT_OF_RANGE", "2 is not between 0 and 1")]
#[case::passed_three_times(broken(|table| table.passed_seats = vec![1, 1, 1]),
    "passed_seats", "TOO_MANY", "3 entries are more than 2")]
#[case::bonus_in_another_phase(broken(|table| table.bonus_due = 1),
    "bonus_due", "FIELD_NOT_OF_THIS_PHASE", "this field must not be set in this phase")]
#[case::no_bonus(with_bonus(0), "bonus_due", "OUT_OF_RANGE", "0 is not between 1 and 3")]
#[case::bonus_of_four(with_bonus(4), "bonus_due", "OUT_OF_RANGE", "4 is not between 1 and 3")]
#[case::too_few_boards(broken(|table| table.boards.clear()),
    "boards", "WRONG_COUNT", "0 entries, but 2 are expected")]
#[case::too_many_factories(broken(|table| table.factories.push(tiles("-"))),
    "factories", "WRONG_COUNT", "6 entries, but 5 are expected")]
#[case::bag(broken(|table| table.bag = Some(five_blue_too_many())),
    "bag.blue", "OUT_OF_RANGE", "27 is not between 0 and 22")]
#[case::tower(broken(|table| table.tower = Some(five_blue_too_many())),
    "tower.blue", "OUT_OF_RANGE", "27 is not between 0 and 22")]
#[case::supply(broken(|table| table.supply = Some(five_blue_too_many())),
    "supply.blue", "OUT_OF_RANGE", "27 is not between 0 and 22")]
#[case::center(broken(|table| table.center = Some(five_blue_too_many())),
    "center.blue", "OUT_OF_RANGE", "27 is not between 0 and 22")]
#[case::factory(broken(|table| table.factories[4].purple = 23),
    "factories[4].purple", "OUT_OF_RANGE", "23 is not between 0 and 22")]
#[case::hand(broken(|table| table.boards[1].hand = Some(five_blue_too_many())),
    "boards[1].hand.blue", "OUT_OF_RANGE", "27 is not between 0 and 22")]
#[case::points(broken(|table| table.boards[0].points = 70_000),
    "boards[0].points", "OUT_OF_RANGE", "70000 is not between 0 and 65535")]
#[case::spaces(broken(|table| table.boards[1].spaces = vec![0; 41]),
    "boards[1].spaces", "WRONG_COUNT", "41 entries, but 42 are expected")]
#[case::space_color(broken(|table| {
        table.boards[1].spaces = vec![0; 42];
        table.boards[1].spaces[41] = 7;
    }), "boards[1].spaces[41]", "NO_SUCH_ENUM_VALUE", "unknown SummerPavilionColor value: 7")]
fn a_wrong_field_of_a_pavilion_is_named(
    #[case] refused: EngineError,
    #[case] field: &str,
    #[case] reason: &str,
    #[case] problem: &str,
) {
    let path = format!("state.summer_pavilion.{field}");
    assert_refused(&refused, &path, reason, &format!("{path}: {problem}"));
}

fn played(action: Option<Move>) -> EngineError {
    let action = pb::SummerPavilionMove { r#move: action };
    let action = pb::Move { game: Some(pb::r#move::Game::SummerPavilion(action)) };
    let mut request = written(&state(acquire(|_| ())), "");
    request.action = Some(Action::Move(action));
    apply(&request).unwrap_err()
}

fn take(source: impl Into<Option<pb::summer_pavilion_take::Source>>, color: i32) -> EngineError {
    played(Some(Move::Take(pb::SummerPavilionTake { source: source.into(), color })))
}

fn from(factory: u32) -> pb::summer_pavilion_take::Source {
    pb::summer_pavilion_take::Source::Factory(factory)
}

fn place(star: i32, space: u32, color: i32, naturals: u32) -> EngineError {
    played(Some(Move::Place(pb::SummerPavilionPlace { star, space, color, naturals })))
}

fn take_bonus(tiles: Option<pb::SummerPavilionTiles>) -> EngineError {
    played(Some(Move::TakeBonus(pb::SummerPavilionTakeBonus { tiles })))
}

fn keep(tiles: Option<pb::SummerPavilionTiles>) -> EngineError {
    played(Some(Move::Keep(pb::SummerPavilionKeep { tiles })))
}

#[rstest]
#[case::no_move(played(None), "move", "FIELD_MISSING", "this field is required")]
#[case::no_source(take(None, 1), "take.source", "FIELD_MISSING", "this field is required")]
#[case::factory_0(take(from(0), 1), "take.factory", "OUT_OF_RANGE", "0 is not between 1 and 9")]
#[case::factory_10(take(from(10), 1), "take.factory", "OUT_OF_RANGE", "10 is not between 1 and 9")]
#[case::no_color(take(from(1), 0), "take.color", "FIELD_MISSING", "this field is required")]
#[case::unknown_color(
    take(from(1), 7),
    "take.color",
    "NO_SUCH_ENUM_VALUE",
    "unknown SummerPavilionColor value: 7"
)]
#[case::no_star(place(0, 1, 1, 1), "place.star", "FIELD_MISSING", "this field is required")]
#[case::unknown_star(
    place(8, 1, 1, 1),
    "place.star",
    "NO_SUCH_ENUM_VALUE",
    "unknown SummerPavilionStar value: 8"
)]
#[case::space_0(place(1, 0, 1, 1), "place.space", "OUT_OF_RANGE", "0 is not between 1 and 6")]
#[case::space_7(place(1, 7, 1, 1), "place.space", "OUT_OF_RANGE", "7 is not between 1 and 6")]
#[case::no_color_laid(place(1, 1, 0, 1), "place.color", "FIELD_MISSING", "this field is required")]
#[case::no_naturals(
    place(1, 1, 1, 0),
    "place.naturals",
    "OUT_OF_RANGE",
    "0 is not between 1 and 6"
)]
#[case::seven_naturals(
    place(1, 1, 1, 7),
    "place.naturals",
    "OUT_OF_RANGE",
    "7 is not between 1 and 6"
)]
#[case::no_bonus_tiles(
    take_bonus(None),
    "take_bonus.tiles",
    "FIELD_MISSING",
    "this field is required"
)]
#[case::too_many_bonus_tiles(
    take_bonus(Some(five_blue_too_many())),
    "take_bonus.tiles.blue",
    "OUT_OF_RANGE",
    "27 is not between 0 and 22"
)]
#[case::nothing_kept(keep(None), "keep.tiles", "FIELD_MISSING", "this field is required")]
#[case::too_much_kept(
    keep(Some(five_blue_too_many())),
    "keep.tiles.blue",
    "OUT_OF_RANGE",
    "27 is not between 0 and 22"
)]
fn a_wrong_field_of_a_pavilion_move_is_named(
    #[case] refused: EngineError,
    #[case] field: &str,
    #[case] reason: &str,
    #[case] problem: &str,
) {
    let path = format!("move.summer_pavilion.{field}");
    assert_refused(&refused, &path, reason, &format!("{path}: {problem}"));
}
