//! Summer Pavilion: "End of the game".

use azulejo_rules::parts::{PlayerCount, Seat};
use azulejo_rules::pavilion::{Color, Event, GameEnd, Phase, Setup, Star, star_bonus};
use rstest::rstest;

use crate::pavilion_table::{FULL_BOARD, Table, colored, play};

const ALL_ONES: [&str; 7] = ["O.....", "R.....", "B.....", "Y.....", "G.....", "P.....", "O....."];

fn last_round() -> Table {
    colored(PlayerCount::Two).round(6)
}

fn over() -> Table {
    last_round().phase(Phase::Over)
}

/// Situation 58.
#[test]
fn each_tile_left_in_the_last_round_costs_a_point() {
    let mut position = last_round().hand(Seat::First, "G2R").position();

    let events = play(&mut position, "pass pass");

    let score = position.score();
    assert_eq!((score.seats[0].leftover, score.seats[0].total()), (3, 5 - 3));
    assert_eq!(score.seats[1].total(), 5);
    assert_eq!(score.end, Some(GameEnd::SixRounds));
    let seat = Seat::First;
    assert!(events.contains(&Event::FinalScore { seat, stars: 0, numbers: 0, lost: 3 }));
}

/// Situation 59. The other order would leave 5 points.
#[test]
fn bonuses_come_before_the_tiles_in_the_corners() {
    let mut position = last_round()
        .points(Seat::First, 2)
        .stars(Seat::First, ALL_ONES)
        .hand(Seat::First, "G4")
        .position();

    play(&mut position, "pass pass");

    assert_eq!(position.score().seats[0].total(), 2);
}

/// Ruling E-14: what finds no room in the corners costs at once, before the bonuses.
#[test]
fn the_last_pass_costs_its_surplus_before_the_bonuses() {
    let mut position = last_round()
        .points(Seat::First, 2)
        .stars(Seat::First, ALL_ONES)
        .hand(Seat::First, "G9")
        .position();

    play(&mut position, "pass pass");

    // From 2 to the lowest space, 1; then 4 for all ones, and 4 off for the corners.
    assert_eq!((position.board(Seat::First).points(), position.score().seats[0].total()), (1, 1));
}

#[test]
fn the_final_score_never_drops_below_one() {
    let mut position = last_round().points(Seat::First, 3).hand(Seat::First, "G4").position();

    play(&mut position, "pass pass");

    assert_eq!(position.score().seats[0].total(), 1);
}

/// Situation 60.
#[rstest]
#[case::without_the_center("......", 0)]
#[case::with_the_center("O.....", 4)]
fn a_number_pays_only_when_all_seven_stars_have_it_covered(
    #[case] center: &str,
    #[case] bonus: u16,
) {
    let table = over().stars(Seat::First, ALL_ONES).star(Seat::First, Star::Center, center);

    let score = table.position().seat_score(Seat::First);

    assert_eq!(score.number_points(), bonus);
    assert_eq!(score.total(), 5 + bonus);
}

/// Situation 60.
#[rstest]
#[case::red(Star::Red, 14)]
#[case::blue(Star::Blue, 15)]
#[case::yellow(Star::Yellow, 16)]
#[case::orange(Star::Orange, 17)]
#[case::green(Star::Green, 18)]
#[case::purple(Star::Purple, 20)]
#[case::center(Star::Center, 12)]
fn a_full_star_brings_its_bonus(#[case] star: Star, #[case] bonus: u16) {
    let full = FULL_BOARD[star.index()];
    let but_one = format!("{}.", &full[..5]);

    let complete = over().star(Seat::First, star, full).position();
    let unfinished = over().star(Seat::First, star, &but_one).position();

    assert_eq!(complete.seat_score(Seat::First).star_points(), bonus);
    assert_eq!(unfinished.seat_score(Seat::First).star_points(), 0);
}

/// Situation 60.
#[test]
fn equal_totals_share_the_victory() {
    let position = over()
        .stars(Seat::First, ALL_ONES)
        .points(Seat::First, 5)
        .star(Seat::Second, Star::Red, "RRR...")
        .points(Seat::Second, 9)
        .position();

    let score = position.score();

    assert_eq!(score.winners.as_slice(), [Seat::First, Seat::Second]);
    assert_eq!(score.ranks.as_slice(), [1, 1]);
}

#[rstest]
#[case::ones(0, 4)]
#[case::twos(1, 8)]
#[case::threes(2, 12)]
#[case::fours(3, 16)]
#[case::fives(4, 0)]
#[case::sixes(5, 0)]
fn ones_to_fours_bring_4_8_12_and_16(#[case] number: usize, #[case] bonus: u16) {
    let drawings = FULL_BOARD.map(|full| {
        let cell = |(index, letter)| if index == number { letter } else { '.' };
        full.chars().enumerate().map(cell).collect::<String>()
    });
    let table = over().stars(Seat::First, drawings.each_ref().map(String::as_str));

    assert_eq!(table.position().seat_score(Seat::First).number_points(), bonus);
}

#[test]
fn the_highest_score_is_304() {
    let position = over().stars(Seat::First, FULL_BOARD).points(Seat::First, 152).position();

    let score = position.seat_score(Seat::First);

    assert_eq!((score.star_points(), score.number_points()), (112, 40));
    assert_eq!(score.total(), 304);
    assert_eq!(Color::ALL.map(star_bonus).iter().sum::<u16>(), 100);
}

#[test]
fn a_game_lasts_six_rounds() {
    let mut position = last_round().token(Seat::Second).position();

    play(&mut position, "pass pass");

    assert_eq!((position.phase(), position.round()), (Phase::Over, 6));
    // As before another round: the holder of the token would start it.
    let last = Setup::from(&position);
    assert_eq!((last.turn, last.start, last.token), (Seat::Second, Seat::Second, None));
    assert!(last.passed.is_empty());
    assert_eq!(position.to_move(), None);
    assert_eq!(position.legal_moves().len(), 0);
}
