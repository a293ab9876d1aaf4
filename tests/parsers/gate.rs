//! Positions that are nearly right: tiles moved from heap to heap, turns, rounds and phases
//! changed. The gate refuses them, or they can be played on and never leave the gate again.

use azulejo_rules::parts::{Seat, SeatSet, TileColor, Tiles};
use azulejo_rules::{azul, pavilion};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::{AZUL, PAVILION, check_playable, config, pick};

type Change = (u8, u8, u8, u8);

/// Moves a tile, if the one heap has it and the other has room.
fn move_tile<C: TileColor>(heaps: &mut [&mut Tiles<C>], from: u8, to: u8, color: u8) {
    let color = C::ALL[usize::from(color) % C::ALL.len()];
    let (from, to) = (usize::from(from) % heaps.len(), usize::from(to) % heaps.len());
    if heaps[from].holds(color) && heaps[to].count(color) < C::EACH {
        heaps[from].remove(color, 1);
        heaps[to].put(color, 1);
    }
}

fn seat(number: u8) -> Seat {
    Seat::ALL[usize::from(number) % 4]
}

fn change_azul(setup: &mut azul::Setup, (kind, one, two, three): Change) {
    use azul::{GameEnd, Phase};
    let boards = setup.boards.len();
    match kind % 10 {
        0 => setup.turn = seat(one),
        1 => setup.start = seat(one),
        2 => setup.marker = (one % 5 < 4).then(|| seat(one)),
        3 => setup.round = one % 8,
        4 => setup.drawn = u32::from(one) + u32::from(two % 2) * 100,
        5 => {
            let ends = [GameEnd::RowCompleted, GameEnd::RoundLimit, GameEnd::NoTiles];
            let over = Phase::Over(ends[usize::from(two) % 3]);
            setup.phase = [Phase::Deal, Phase::Offer, Phase::Tiling, over][usize::from(one) % 4];
        }
        6 => setup.boards[usize::from(one) % boards].points = u16::from(two),
        7 => {
            let board = &mut setup.boards[usize::from(one) % boards];
            board.lines[usize::from(two) % 5] = match three % 6 {
                0 => None,
                tiles => Some((azul::Color::ALL[usize::from(three) % 5], tiles)),
            };
        }
        _ => {
            let azul::Setup { bag, lid, center, factories, boards, .. } = setup;
            let floors = boards.iter_mut().map(|board| &mut board.floor);
            let mut heaps: Vec<_> =
                [bag, lid, center].into_iter().chain(factories).chain(floors).collect();
            move_tile(&mut heaps, one, two, three);
        }
    }
}

fn change_pavilion(setup: &mut pavilion::Setup, (kind, one, two, three): Change) {
    use pavilion::Phase;
    let boards = setup.boards.len();
    match kind % 10 {
        0 => setup.turn = seat(one),
        1 => setup.start = seat(one),
        2 => setup.token = (one % 5 < 4).then(|| seat(one)),
        3 => setup.round = one % 8,
        4 => setup.drawn = u32::from(one) + u32::from(two % 2) * 100,
        5 => {
            let due = two % 5;
            setup.phase = [
                Phase::Deal,
                Phase::Acquire,
                Phase::Play,
                Phase::Bonus { due },
                Phase::Keep,
                Phase::TopUp,
                Phase::Over,
            ][usize::from(one) % 7];
        }
        6 => setup.boards[usize::from(one) % boards].points = u16::from(two),
        7 => {
            let seats = Seat::ALL.into_iter().filter(|seat| one >> seat.index() & 1 == 1);
            setup.passed = seats.collect::<SeatSet>();
        }
        _ => {
            let pavilion::Setup { bag, tower, supply, center, factories, boards, .. } = setup;
            let hands = boards.iter_mut().map(|board| &mut board.hand);
            let mut heaps: Vec<_> =
                [bag, tower, supply, center].into_iter().chain(factories).chain(hands).collect();
            move_tile(&mut heaps, one, two, three);
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_azul_setup_that_passes_the_gate_never_leaves_it_again(
        number: usize, changes in vec(any::<Change>(), 1..6),
    ) {
        let text = pick(&AZUL.positions, number);
        let mut setup: azul::Setup = text.parse().unwrap();
        for change in changes {
            change_azul(&mut setup, change);
        }
        if let Ok(position) = azul::Position::try_from(&setup) {
            prop_assert_eq!(azul::Setup::from(&position), setup);
            check_playable(position, text)?;
        }
    }

    #[test]
    fn a_summer_pavilion_setup_that_passes_the_gate_never_leaves_it_again(
        number: usize, changes in vec(any::<Change>(), 1..6),
    ) {
        let text = pick(&PAVILION.positions, number);
        let mut setup: pavilion::Setup = text.parse().unwrap();
        for change in changes {
            change_pavilion(&mut setup, change);
        }
        if let Ok(position) = pavilion::Position::try_from(&setup) {
            prop_assert_eq!(pavilion::Setup::from(&position), setup);
            check_playable(position, text)?;
        }
    }
}
