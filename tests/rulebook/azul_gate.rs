//! Azul: an illegal setup never becomes a position.

use azulejo_rules::azul::{BadPosition, Color, Column, GameEnd, Phase, Position, Row, Setup};
use azulejo_rules::parts::{Factory, PlayerCount, Seat};
use rstest::rstest;

use crate::azul_table::{Table, colored, gray};
use crate::table::tiles;

const DEAL: Phase = Phase::Deal;
const ROW_COMPLETED: Phase = Phase::Over(GameEnd::RowCompleted);
const FULL_ROW: [&str; 5] = ["BYRKW", ".....", ".....", ".....", "....."];

fn two() -> Table {
    colored(PlayerCount::Two).factories("B2RY")
}

/// A table of two at which nothing lies in the offer.
fn bare() -> Table {
    colored(PlayerCount::Two)
}

/// Changed after the tiles were put into the bag.
fn broken(table: Table, change: impl FnOnce(&mut Setup)) -> Setup {
    let mut setup = table.setup();
    change(&mut setup);
    setup
}

fn refusal(setup: &Setup) -> BadPosition {
    Position::try_from(setup).unwrap_err()
}

#[rstest]
#[case::boards(broken(two(), |table| table.boards.truncate(1)),
    BadPosition::BoardCount { players: PlayerCount::Two, found: 1 })]
#[case::factories(broken(two(), |table| table.factories.truncate(4)),
    BadPosition::FactoryCount { players: PlayerCount::Two, found: 4 })]
#[case::no_rounds(two().round(1, 0).setup(), BadPosition::NoRounds)]
#[case::round_zero(two().round(0, 50).setup(),
    BadPosition::RoundOutOfRange { round: 0, limit: 50 })]
#[case::round_beyond_the_limit(two().round(6, 5).setup(),
    BadPosition::RoundOutOfRange { round: 6, limit: 5 })]
#[case::turn(two().turn(Seat::Third).setup(), BadPosition::TurnSeat { seat: Seat::Third })]
#[case::start(two().with(|table| table.start = Seat::Fourth).setup(),
    BadPosition::StartSeat { seat: Seat::Fourth })]
#[case::marker(two().marker(Seat::Third).setup(), BadPosition::MarkerSeat { seat: Seat::Third })]
fn a_table_must_be_complete(#[case] setup: Setup, #[case] expected: BadPosition) {
    assert_eq!(refusal(&setup), expected);
}

#[rstest]
#[case::five_on_a_factory(bare().factories("- B3R2").setup(),
    BadPosition::FactoryOverfull { factory: Factory::F2, tiles: 5 })]
#[case::too_many_in_the_center(two().center("B7R6").setup(),
    BadPosition::CenterOverfull { tiles: 13, most: 12 })]
#[case::a_tile_too_few(broken(two(), |table| table.bag.remove(Color::White, 1)),
    BadPosition::TilesNotConserved { color: Color::White, found: 19 })]
#[case::a_tile_too_many(broken(two(), |table| table.lid = tiles("K")),
    BadPosition::TilesNotConserved { color: Color::Black, found: 21 })]
#[case::too_few_drawn(broken(two(), |table| table.drawn = 3),
    BadPosition::DrawnOutOfRange { drawn: 3, least: 4, most: 100 })]
#[case::too_many_drawn(broken(two(), |table| table.drawn = 101),
    BadPosition::DrawnOutOfRange { drawn: 101, least: 4, most: 100 })]
fn tiles_are_neither_made_nor_lost(#[case] setup: Setup, #[case] expected: BadPosition) {
    assert_eq!(refusal(&setup), expected);
}

#[rstest]
#[case::points(two().points(Seat::Second, 1).setup(),
    BadPosition::PointsOutOfRange { seat: Seat::Second, points: 1, most: 0 })]
#[case::a_color_in_the_wrong_place(
    two().wall(Seat::First, ["Y....", ".....", ".....", ".....", "....."]).setup(),
    BadPosition::WallColorMisplaced {
        seat: Seat::First, row: Row::First, column: Column::First, color: Color::Yellow })]
#[case::a_color_twice_in_a_row(
    gray(PlayerCount::Two).wall(Seat::First, ["Y..Y.", ".....", ".....", ".....", "....."]).setup(),
    BadPosition::ColorTwiceInRow { seat: Seat::First, row: Row::First, color: Color::Yellow })]
#[case::a_color_twice_in_a_column(
    gray(PlayerCount::Two).wall(Seat::First, ["Y....", ".....", "Y....", ".....", "....."]).setup(),
    BadPosition::ColorTwiceInColumn {
        seat: Seat::First, column: Column::First, color: Color::Yellow })]
#[case::a_line_too_long(two().line(Seat::First, Row::Second, "B3").setup(),
    BadPosition::LineLength { seat: Seat::First, row: Row::Second, tiles: 3 })]
#[case::a_line_of_no_tiles(
    two().with(|table| table.boards[0].lines[1] = Some((Color::Red, 0))).setup(),
    BadPosition::LineLength { seat: Seat::First, row: Row::Second, tiles: 0 })]
#[case::a_line_whose_color_is_laid(
    two().wall(Seat::First, FULL_ROW).line(Seat::First, Row::First, "B").setup(),
    BadPosition::LineColorOnWall { seat: Seat::First, row: Row::First, color: Color::Blue })]
#[case::eight_on_the_floor(two().floor(Seat::Second, "B4R4").setup(),
    BadPosition::FloorOverfull { seat: Seat::Second, tiles: 8 })]
fn a_board_obeys_its_own_rules(#[case] setup: Setup, #[case] expected: BadPosition) {
    assert_eq!(refusal(&setup), expected);
}

#[rstest]
#[case::nothing_to_take(bare().setup(), BadPosition::OfferEmpty)]
#[case::row_complete_in_the_offer(two().wall(Seat::Second, FULL_ROW).setup(),
    BadPosition::RowAlreadyComplete { seat: Seat::Second })]
#[case::deal_with_tiles_in_the_center(bare().phase(DEAL).center("B").setup(),
    BadPosition::OfferNotEmpty)]
#[case::deal_that_is_done(
    bare().phase(DEAL).factories("B4 R4 Y4 K4 W4").setup(), BadPosition::NothingToDeal)]
#[case::deal_out_of_order(bare().phase(DEAL).factories("- B4").setup(),
    BadPosition::DealOutOfOrder { factory: Factory::F2 })]
#[case::deal_before_tiling(bare().phase(DEAL).line(Seat::First, Row::Second, "B2").setup(),
    BadPosition::LineNotTiled { seat: Seat::First, row: Row::Second })]
#[case::deal_before_the_floor_is_cleared(bare().phase(DEAL).floor(Seat::Second, "B").setup(),
    BadPosition::FloorNotCleared { seat: Seat::Second })]
#[case::deal_without_the_marker(bare().phase(DEAL).marker(Seat::First).setup(),
    BadPosition::MarkerNotReturned)]
#[case::deal_with_another_turn(bare().phase(DEAL).turn(Seat::Second).setup(),
    BadPosition::TurnNotStart)]
#[case::tiling_on_the_colored_wall(
    bare().phase(Phase::Tiling).line(Seat::First, Row::First, "B").setup(),
    BadPosition::TilingOnColoredWall)]
#[case::tiling_without_a_line(gray(PlayerCount::Two).phase(Phase::Tiling).setup(),
    BadPosition::NothingToPlace { seat: Seat::First })]
#[case::over_without_a_row(bare().phase(ROW_COMPLETED).setup(),
    BadPosition::EndNotReached { end: GameEnd::RowCompleted })]
#[case::over_before_the_limit(bare().phase(Phase::Over(GameEnd::RoundLimit)).setup(),
    BadPosition::EndNotReached { end: GameEnd::RoundLimit })]
#[case::over_with_tiles_left(bare().phase(Phase::Over(GameEnd::NoTiles)).setup(),
    BadPosition::EndNotReached { end: GameEnd::NoTiles })]
fn a_phase_has_its_own_conditions(#[case] setup: Setup, #[case] expected: BadPosition) {
    assert_eq!(refusal(&setup), expected);
}

#[rstest]
#[case::offer(two().setup())]
#[case::deal(bare().phase(DEAL).factories("B4 R4").setup())]
#[case::tiling(gray(PlayerCount::Two).phase(Phase::Tiling).line(Seat::First, Row::First, "B").setup())]
#[case::over(bare().phase(ROW_COMPLETED).wall(Seat::First, FULL_ROW).setup())]
fn a_legal_setup_becomes_the_position_it_describes(#[case] setup: Setup) {
    let position = Position::try_from(&setup).unwrap();

    assert_eq!(Setup::from(&position), setup);
}
