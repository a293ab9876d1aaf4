//! Azul: "End of the game".

use azulejo_rules::azul::{Event, GameEnd, IllegalMove, Phase, Row, SeatScore};
use azulejo_rules::parts::{PlayerCount, Seat};
use rstest::rstest;

use crate::azul_table::{Table, colored, gray, play, refuse};

const ONE_ROW: [&str; 5] = ["BYRKW", ".BY.K", ".W.YR", "RKWB.", "Y.KWB"];
const TWO_ROWS: [&str; 5] = ["BYRKW", "WBYRK", "...YR", "RKW..", "Y.KWB"];
const THREE_ROWS: [&str; 5] = ["BYRKW", "WBYRK", "KWBYR", "...BY", ".RK.."];

fn over(players: PlayerCount) -> Table {
    colored(players).phase(Phase::Over(GameEnd::RowCompleted))
}

/// Situation 23. Walls without columns and colors: 2 points for each row come on top.
#[rstest]
#[case::more_rows_win((ONE_ROW, 58), (TWO_ROWS, 56), &[Seat::Second], [2, 1, 3])]
#[case::equal_rows_share((TWO_ROWS, 56), (TWO_ROWS, 56), &[Seat::First, Seat::Second], [1, 1, 3])]
fn complete_rows_break_a_tie_among_the_tied_players_only(
    #[case] first: ([&str; 5], u16),
    #[case] second: ([&str; 5], u16),
    #[case] winners: &[Seat],
    #[case] ranks: [u8; 3],
) {
    let position = over(PlayerCount::Three)
        .wall(Seat::First, first.0)
        .points(Seat::First, first.1)
        .wall(Seat::Second, second.0)
        .points(Seat::Second, second.1)
        .wall(Seat::Third, THREE_ROWS)
        .points(Seat::Third, 53)
        .position();

    let score = position.score();

    let totals: Vec<u16> = score.seats.iter().map(SeatScore::total).collect();
    assert_eq!(totals, [60, 60, 59]);
    assert_eq!(score.seats[2].complete_rows, 3);
    assert_eq!(score.winners.as_slice(), winners);
    assert_eq!(score.ranks.as_slice(), ranks);
    assert_eq!(score.end, Some(GameEnd::RowCompleted));
}

#[rstest]
#[case::a_row_2(["BYRKW", ".....", ".....", ".....", "....."], 2)]
#[case::a_column_7(["B....", "W....", "K....", "R....", "Y...."], 7)]
#[case::a_color_10(["B....", ".B...", "..B..", "...B.", "....B"], 10)]
#[case::nothing_unfinished(["BYRK.", "WB...", "K.B..", "R..B.", "....."], 0)]
fn rows_columns_and_colors_bring_2_7_and_10(#[case] wall: [&str; 5], #[case] bonus: u16) {
    let position = colored(PlayerCount::Two)
        .wall(Seat::Second, wall)
        .with(|table| {
            let row = !wall[0].contains('.');
            table.phase =
                Phase::Over(if row { GameEnd::RowCompleted } else { GameEnd::RoundLimit });
            table.rules.round_limit = 5;
        })
        .position();

    let score = position.seat_score(Seat::Second);

    assert_eq!((score.points, score.bonus(), score.total()), (0, bonus, bonus));
}

/// On the gray wall the five tiles of a color lie wherever their owner laid them.
#[test]
fn a_color_counts_anywhere_on_the_gray_wall() {
    let position = gray(PlayerCount::Two)
        .phase(Phase::Over(GameEnd::RoundLimit))
        .round(5, 5)
        .wall(Seat::First, ["..B..", "B....", "....B", ".B...", "...B."])
        .position();

    let score = position.seat_score(Seat::First);

    assert_eq!((score.complete_colors, score.bonus()), (1, 10));
}

#[test]
fn several_players_may_complete_rows_in_the_last_round() {
    let four_of_five = ["BYRK.", ".....", ".....", ".....", "....."];
    let mut position = colored(PlayerCount::Two)
        .wall(Seat::First, four_of_five)
        .wall(Seat::Second, four_of_five)
        .line(Seat::First, Row::First, "W")
        .turn(Seat::Second)
        .marker(Seat::First)
        .center("W")
        .position();

    let events = play(&mut position, "cW1");

    let bonus = |seat| Event::Bonus { seat, rows: 1, columns: 0, colors: 0, points: 2 };
    assert!(events.contains(&bonus(Seat::First)) && events.contains(&bonus(Seat::Second)));
    assert_eq!(position.phase(), Phase::Over(GameEnd::RowCompleted));
    // Five for the row each, and the marker costs its holder one.
    let totals: Vec<u16> = position.score().seats.iter().map(SeatScore::total).collect();
    assert_eq!(totals, [6, 7]);
}

/// So no game is shorter than five rounds.
#[test]
fn a_row_gets_at_most_one_tile_a_round() {
    let mut position = colored(PlayerCount::Two)
        .wall(Seat::First, ["BY...", ".....", ".....", ".....", "....."])
        .factories("R2W2 K4")
        .position();

    play(&mut position, "1R1 2K4");
    assert_eq!(refuse(&position, "cW1"), IllegalMove::LineComplete { row: Row::First });
    play(&mut position, "cWf");

    assert_eq!(position.board(Seat::First).wall().tiles(), 3);
}
