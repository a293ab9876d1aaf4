//! Azul: the record game, played tile by tile.

use azulejo_rules::azul::{GameEnd, Phase, Position, Rules, SeatScore};
use azulejo_rules::parts::{PlayerCount, Seat, Side, Tiles};

use crate::azul_table::{deal, floor_loss, play, points_for_tiles};

/// Round by round: the factory displays, and the moves. The first seat completes all five lines in
/// every round and never pays; the second takes what is left to the floor line.
const ROUNDS: [(&str, &str); 5] = [
    ("BRKK BYRW YRKK BBKW YYYY", "2Y5 cBf cW1 1Rf 5Y5 3Yf cR2 4Kf cB3 cWf cK4"),
    ("BRRW YRRR RRRK YRWW YRKW", "2Yf 5K1 cWf cR4 4Rf cY2 1Bf cW3 3Kf cR5"),
    ("BBKW BYKW RKKK KKKW RKWW", "1Kf 3R1 cWf cB2 2Bf 4K3 5Rf cK5 cYf cW4"),
    ("BBBY BYYW YKWW YRWW BWWW", "1Yf 3Y1 cKf cW2 2Wf cB4 4Rf cY3 5Bf cW5"),
    ("BBBY BYYW BYRK RRRK BBYK", "1Yf 2B1 cWf 4R3 3Bf cK2 5Kf cB5 cRf cY4"),
];

/// Situation 22. 145 points for the tiles and 10 + 35 + 50 for rows, columns and colors.
#[test]
fn the_record_is_240_points_in_five_rounds() {
    let mut position = Position::new(Rules::new(Side::Colored, PlayerCount::Two), Seat::First);
    let mut placed = 0;

    for (factories, moves) in ROUNDS {
        deal(&mut position, factories);
        let events = play(&mut position, moves);
        placed += points_for_tiles(&events, Seat::First).iter().sum::<u16>();
        assert_eq!(floor_loss(&events, Seat::First), None);
    }

    assert_eq!(position.phase(), Phase::Over(GameEnd::RowCompleted));
    assert_eq!((position.round(), placed), (5, 145));
    assert_eq!(position.stock().bag, Tiles::EMPTY);
    let score = position.seat_score(Seat::First);
    let full = SeatScore { points: 145, complete_rows: 5, complete_columns: 5, complete_colors: 5 };
    assert_eq!(score, full);
    assert_eq!((score.bonus(), score.total()), (95, 240));
    assert_eq!(position.score().winners.as_slice(), [Seat::First]);
}
