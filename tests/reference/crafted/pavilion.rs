use azulejo_rules::parts::{PlayerCount, Seat, SeatSet, Side, Tiles};
use azulejo_rules::pavilion::{BoardSetup, Color, Phase, Position, Rules, Setup};
use azulejo_tests::Random;

use super::{below, some};

/// Boards with most of their spaces, so that stars and numbers are completed too.
pub(crate) fn full_boards(side: Side, players: PlayerCount, random: &mut Random) -> Position {
    let mut left = Tiles::full_box();
    let boards = players.iter().map(|_| board(side, players, &mut left, random)).collect();
    let tower = some(left, random);
    let bag = left - tower;
    let start = random.pick(&Seat::ALL[..players.seats()]);
    let setup = Setup {
        rules: Rules::new(side, players),
        phase: Phase::Deal,
        round: 5 + below::<u8>(random, 2),
        turn: start,
        start,
        token: None,
        passed: SeatSet::NONE,
        bag,
        tower,
        drawn: u32::from((Tiles::<Color>::full_box() - bag).total()),
        supply: Tiles::EMPTY,
        center: Tiles::EMPTY,
        factories: vec![Tiles::EMPTY; 1 + 2 * players.seats()].into_iter().collect(),
        boards,
    };
    Position::try_from(&setup).unwrap()
}

fn board(
    side: Side,
    players: PlayerCount,
    left: &mut Tiles<Color>,
    random: &mut Random,
) -> BoardSetup {
    let points = 1 + below::<u16>(random, 5);
    let mut board = BoardSetup { points, ..Default::default() };
    for star in 0..7 {
        let single = match side {
            Side::Colored => star < 6,
            Side::Gray => random.below(2) == 0,
        };
        let first = match side {
            Side::Colored => star % 6,
            Side::Gray => random.below(6),
        };
        for space in 0..6 {
            let turned = if single { first } else { (first + space) % 6 };
            let color = Color::ALL[turned];
            // Large tables share the same box, so their boards have more gaps.
            if left.count(color) > 0 && random.below(12) >= 2 * players.seats() - 3 {
                board.stars[star][space] = Some(color);
                left.remove(color, 1);
            }
        }
    }
    let color = random.pick(&Color::ALL);
    let corners = left.count(color).min(below(random, 5));
    board.hand.put(color, corners);
    left.remove(color, corners);
    board
}
