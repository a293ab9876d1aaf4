use azulejo_rules::azul::{BoardSetup, Color, Phase, Position, Rules, Setup};
use azulejo_rules::parts::{PerSeat, PlayerCount, Seat, Side, Tiles};
use azulejo_tests::Random;

use super::{below, grab, some};

/// A table before its first deal in this round.
fn table(side: Side, players: PlayerCount, round: u8, boards: PerSeat<BoardSetup>) -> Setup {
    Setup {
        rules: Rules::new(side, players),
        phase: Phase::Deal,
        round,
        turn: Seat::First,
        start: Seat::First,
        marker: None,
        bag: Tiles::EMPTY,
        lid: Tiles::EMPTY,
        drawn: 100,
        center: Tiles::EMPTY,
        factories: vec![Tiles::EMPTY; 1 + 2 * players.seats()].into_iter().collect(),
        boards,
    }
}

/// Walls with most of their cells, so that columns and colors are completed too.
pub(crate) fn full_walls(side: Side, players: PlayerCount, random: &mut Random) -> Position {
    let mut left = Tiles::full_box();
    let boards = players.iter().map(|_| board(side, &mut left, random)).collect();
    let lid = some(left, random);
    let start = random.pick(&Seat::ALL[..players.seats()]);
    let setup = Setup {
        turn: start,
        start,
        bag: left - lid,
        lid,
        ..table(side, players, 6 + below::<u8>(random, 9), boards)
    };
    Position::try_from(&setup).unwrap()
}

fn board(side: Side, left: &mut Tiles<Color>, random: &mut Random) -> BoardSetup {
    // Few points, so that equal totals are frequent.
    let points = below(random, 5);
    let mut board = BoardSetup { points, ..Default::default() };
    for row in 0..5 {
        let free = random.below(5);
        for column in (0..5).filter(|&column| column != free) {
            let color = match side {
                Side::Colored => Color::ALL[(column + 5 - row) % 5],
                Side::Gray => random.pick(&Color::ALL),
            };
            let taken = board.wall[row].contains(&Some(color))
                || board.wall.iter().any(|cells| cells[column] == Some(color));
            if !taken && left.count(color) > 0 && random.below(8) > 0 {
                board.wall[row][column] = Some(color);
                left.remove(color, 1);
            }
        }
        let color = random.pick(&Color::ALL);
        let tiles = below::<u8>(random, row + 1).min(left.count(color));
        // The box must not run empty: a game without tiles would be over.
        if tiles > 0 && tiles < left.total() && !board.wall[row].contains(&Some(color)) {
            board.lines[row] = Some((color, tiles));
            left.remove(color, tiles);
        }
    }
    board
}

/// In the middle of a round, the marker still in the center and floor lines with no room for it.
pub(crate) fn full_floors(side: Side, players: PlayerCount, random: &mut Random) -> Position {
    let mut bag = Tiles::full_box();
    let emptied = 2 * players.seats() - 1;
    // Two of their tiles are in the center; the floor lines have the others.
    let mut taken = u8::try_from(4 * emptied - 2).unwrap();
    let mut boards: PerSeat<BoardSetup> = players.iter().map(|_| BoardSetup::default()).collect();
    let first = random.below(players.seats());
    for seat in 0..players.seats() {
        let floor = grab(&mut bag, taken.min(7), random);
        taken -= floor.total();
        boards[(first + seat) % players.seats()].floor = floor;
    }
    let mut setup = table(side, players, 1, boards);
    for factory in setup.factories.iter_mut().skip(emptied) {
        *factory = grab(&mut bag, 4, random);
    }
    setup.phase = Phase::Offer;
    setup.turn = Seat::ALL[emptied % players.seats()];
    setup.center = grab(&mut bag, 2, random);
    setup.drawn = u32::from((Tiles::<Color>::full_box() - bag).total());
    setup.bag = bag;
    Position::try_from(&setup).unwrap()
}

/// Four walls that lack a cell a row, two tiles in the bag and all the others on pattern lines:
/// often the round leaves nothing to draw. Half of the games may go no further than this round.
pub(crate) fn last_tiles(side: Side, random: &mut Random) -> Position {
    let mut left = Tiles::full_box();
    let mut boards: PerSeat<BoardSetup> = PerSeat::new();
    for seat in 0..4 {
        let mut board = BoardSetup::default();
        for (row, color) in (0..5).flat_map(|row| Color::ALL.map(|color| (row, color))) {
            if color.index() != (row + seat) % 5 {
                board.wall[row][(color.index() + row) % 5] = Some(color);
                left.remove(color, 1);
            }
        }
        boards.push(board);
    }
    for (seat, board) in boards.iter_mut().enumerate() {
        // One more tile completes none of these lines.
        for (row, room) in (1..5).zip(0_u8..) {
            let color = Color::ALL[(row + seat) % 5];
            let tiles = room.min(left.count(color)).min(left.total() - 2);
            if tiles > 0 {
                board.lines[row] = Some((color, tiles));
                left.remove(color, tiles);
            }
        }
    }
    let mut setup = table(side, PlayerCount::Four, 8, boards);
    setup.bag = left;
    setup.rules.round_limit = random.pick(&[setup.round, setup.rules.round_limit]);
    Position::try_from(&setup).unwrap()
}
