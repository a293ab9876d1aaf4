//! Summer Pavilion: an illegal setup never becomes a position.

use azulejo_rules::parts::{Factory, PlayerCount, Seat};
use azulejo_rules::pavilion::{BadPosition, Color, Display, Phase, Position, Setup, Space, Star};
use rstest::rstest;

use crate::pavilion_table::{Table, colored, gray};
use crate::table::tiles;

const ACQUIRE: Phase = Phase::Acquire;
const DEAL: Phase = Phase::Deal;

fn two() -> Table {
    colored(PlayerCount::Two)
}

fn over() -> Table {
    two().round(6).phase(Phase::Over)
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
#[case::round_zero(two().round(0).setup(), BadPosition::RoundOutOfRange { round: 0 })]
#[case::round_seven(two().round(7).setup(), BadPosition::RoundOutOfRange { round: 7 })]
#[case::turn(two().turn(Seat::Third).setup(), BadPosition::TurnSeat { seat: Seat::Third })]
#[case::start(two().with(|table| table.start = Seat::Fourth).setup(),
    BadPosition::StartSeat { seat: Seat::Fourth })]
#[case::token(two().token(Seat::Third).setup(), BadPosition::TokenSeat { seat: Seat::Third })]
#[case::passed(two().passed(&[Seat::Third]).setup(),
    BadPosition::PassedSeat { seat: Seat::Third })]
fn a_pavilion_table_must_be_complete(#[case] setup: Setup, #[case] expected: BadPosition) {
    assert_eq!(refusal(&setup), expected);
}

#[rstest]
#[case::five_on_a_factory(two().phase(ACQUIRE).factories("- B3R2").setup(),
    BadPosition::FactoryOverfull { factory: Factory::F2, tiles: 5 })]
#[case::too_many_in_the_center(two().phase(ACQUIRE).factories("B4").center("B7R6").setup(),
    BadPosition::CenterOverfull { tiles: 13, most: 12 })]
#[case::eleven_in_the_supply(two().supply("B5R6").setup(),
    BadPosition::SupplyOverfull { tiles: 11 })]
#[case::a_tile_too_few(broken(two(), |table| table.bag.remove(Color::Red, 1)),
    BadPosition::TilesNotConserved { color: Color::Red, found: 21 })]
#[case::a_tile_too_many(broken(two(), |table| table.tower = tiles("P")),
    BadPosition::TilesNotConserved { color: Color::Purple, found: 23 })]
#[case::too_few_drawn(broken(two(), |table| table.drawn = 9),
    BadPosition::DrawnOutOfRange { drawn: 9, least: 10, most: 30 })]
#[case::too_many_drawn(broken(two(), |table| table.drawn = 31),
    BadPosition::DrawnOutOfRange { drawn: 31, least: 10, most: 30 })]
fn pavilion_tiles_are_neither_made_nor_lost(#[case] setup: Setup, #[case] expected: BadPosition) {
    assert_eq!(refusal(&setup), expected);
}

#[rstest]
#[case::no_points_at_all(two().points(Seat::Second, 0).setup(),
    BadPosition::PointsOutOfRange { seat: Seat::Second, points: 0, most: 5 })]
#[case::more_than_the_stars_bring(
    two().star(Seat::First, Star::Red, "RR....").points(Seat::First, 9).setup(),
    BadPosition::PointsOutOfRange { seat: Seat::First, points: 9, most: 8 })]
#[case::a_color_on_the_wrong_star(two().star(Seat::First, Star::Red, "..B...").setup(),
    BadPosition::StarColor {
        seat: Seat::First, star: Star::Red, space: Space::Three, color: Color::Blue })]
#[case::a_color_twice_in_the_center(two().star(Seat::First, Star::Center, "B....B").setup(),
    BadPosition::StarColor {
        seat: Seat::First, star: Star::Center, space: Space::Six, color: Color::Blue })]
#[case::a_gray_star_of_neither_kind(
    gray(PlayerCount::Two).star(Seat::First, Star::Red, "BBR...").setup(),
    BadPosition::StarColor {
        seat: Seat::First, star: Star::Red, space: Space::Three, color: Color::Red })]
#[case::five_tiles_kept(two().hand(Seat::Second, "B5").passed(&[Seat::Second]).setup(),
    BadPosition::TooManyKept { seat: Seat::Second, tiles: 5 })]
fn a_pavilion_board_obeys_its_own_rules(#[case] setup: Setup, #[case] expected: BadPosition) {
    assert_eq!(refusal(&setup), expected);
}

#[rstest]
#[case::nothing_to_take(two().phase(ACQUIRE).setup(), BadPosition::OfferEmpty)]
#[case::tiles_left_in_phase_2(two().factories("B4").setup(), BadPosition::OfferNotEmpty)]
#[case::supply_short_in_phase_1(two().phase(ACQUIRE).factories("B4").supply("B9").setup(),
    BadPosition::SupplyShort { tiles: 9 })]
#[case::supply_short_in_phase_2(two().supply("B9").setup(), BadPosition::SupplyShort { tiles: 9 })]
#[case::deal_that_is_done(two().phase(DEAL).factories("B4 R4 Y4 G4 P4").setup(),
    BadPosition::NothingToDeal)]
#[case::top_up_of_a_full_supply(two().phase(Phase::TopUp).setup(), BadPosition::NothingToDeal)]
#[case::deal_out_of_order(two().phase(DEAL).factories("- B4").setup(),
    BadPosition::DealOutOfOrder { display: Display::Factory(Factory::F2) })]
#[case::factories_before_the_supply(two().phase(DEAL).supply("B9").factories("B4").setup(),
    BadPosition::DealOutOfOrder { display: Display::Factory(Factory::F1) })]
#[case::passed_before_phase_2(
    two().phase(ACQUIRE).factories("B4").passed(&[Seat::Second]).setup(),
    BadPosition::PassedTooEarly)]
#[case::to_move_after_a_pass(two().passed(&[Seat::First]).setup(),
    BadPosition::TurnPassed { seat: Seat::First })]
#[case::token_taken_before_the_deal(two().phase(DEAL).token(Seat::First).setup(),
    BadPosition::TokenNotReturned)]
#[case::deal_with_another_turn(two().phase(DEAL).turn(Seat::Second).setup(),
    BadPosition::TurnNotStart)]
#[case::four_bonus_tiles(two().phase(Phase::Bonus { due: 4 }).setup(),
    BadPosition::BonusOutOfRange { due: 4 })]
#[case::no_bonus_tile(two().phase(Phase::Bonus { due: 0 }).setup(),
    BadPosition::BonusOutOfRange { due: 0 })]
#[case::bonus_for_nothing(two().phase(Phase::Bonus { due: 1 }).setup(),
    BadPosition::BonusNotEarned { seat: Seat::First, due: 1 })]
#[case::nothing_to_choose(two().phase(Phase::Keep).hand(Seat::First, "B2R2").setup(),
    BadPosition::NothingToKeep { seat: Seat::First })]
#[case::one_color_to_choose_from(two().phase(Phase::Keep).hand(Seat::First, "B6").setup(),
    BadPosition::NothingToKeep { seat: Seat::First })]
#[case::over_in_round_5(over().round(5).setup(), BadPosition::EndNotReached)]
#[case::over_with_a_seat_that_has_passed(over().passed(&[Seat::First]).setup(),
    BadPosition::PassedTooEarly)]
#[case::over_with_all_seats_passed(over().passed(&[Seat::First, Seat::Second]).setup(),
    BadPosition::PassedTooEarly)]
#[case::over_with_the_token_taken(over().token(Seat::First).setup(),
    BadPosition::TokenNotReturned)]
#[case::over_with_another_turn(over().turn(Seat::Second).setup(), BadPosition::TurnNotStart)]
#[case::over_with_tiles_on_the_table(over().factories("B4").setup(), BadPosition::OfferNotEmpty)]
#[case::over_with_five_tiles_kept(over().hand(Seat::Second, "B5").setup(),
    BadPosition::TooManyKept { seat: Seat::Second, tiles: 5 })]
fn a_pavilion_phase_has_its_own_conditions(#[case] setup: Setup, #[case] expected: BadPosition) {
    assert_eq!(refusal(&setup), expected);
}

#[rstest]
#[case::acquire(two().phase(ACQUIRE).factories("B4").setup())]
#[case::deal(two().phase(DEAL).factories("B4 R4").setup())]
#[case::play(two().hand(Seat::First, "B4R4").setup())]
#[case::bonus(
    two().phase(Phase::Bonus { due: 3 }).star(Seat::First, Star::Red, "....RR").setup())]
#[case::keep(two().phase(Phase::Keep).hand(Seat::First, "B4R").setup())]
#[case::top_up(two().phase(Phase::TopUp).supply("B7").setup())]
#[case::over(over().setup())]
#[case::over_with_four_tiles_kept(over().hand(Seat::First, "B2R2").start(Seat::Second).setup())]
fn a_legal_pavilion_setup_becomes_the_position_it_describes(#[case] setup: Setup) {
    let position = Position::try_from(&setup).unwrap();

    assert_eq!(Setup::from(&position), setup);
}
