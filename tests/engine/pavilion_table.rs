//! A state of Summer Pavilion laid out for a test, as a message: what is not mentioned lies in the
//! bag, and the supply holds ten orange tiles.

use azulejo_rules::parts::{TileColor, Tiles, Word};
use azulejo_rules::pavilion::Color;
use azulejo_wire::game::v1 as pb;

pub(crate) const RED: usize = 1;
pub(crate) const CENTER: usize = 6;

/// Tiles as the notation writes them.
pub(crate) fn tiles(text: &str) -> pb::SummerPavilionTiles {
    let tiles: Tiles<Color> = Word { text, at: 1 }.tiles().unwrap();
    tiles.into()
}

/// The 42 spaces of a board on which only these stars have tiles; `.` is free.
pub(crate) fn spaces(stars: &[(usize, &str)]) -> Vec<i32> {
    let mut spaces = vec![0; 42];
    for &(star, drawing) in stars {
        for (space, letter) in drawing.chars().enumerate().filter(|&(_, letter)| letter != '.') {
            let color = Color::from_letter(letter).unwrap().index();
            spaces[star * 6 + space] = i32::try_from(color).unwrap() + 1;
        }
    }
    spaces
}

/// Two players on the colored side, round 1 (purple is wild), phase 2, the first seat to play.
pub(crate) fn table(change: impl FnOnce(&mut pb::SummerPavilionState)) -> pb::SummerPavilionState {
    let rules =
        pb::SummerPavilionRules { version: 1, side: pb::BoardSide::Colored.into(), players: 2 };
    let board = pb::SummerPavilionBoard { points: 5, ..pb::SummerPavilionBoard::default() };
    let mut state = pb::SummerPavilionState {
        rules: Some(rules),
        phase: pb::SummerPavilionPhase::Play.into(),
        round: 1,
        supply: Some(tiles("O10")),
        factories: vec![pb::SummerPavilionTiles::default(); 5],
        boards: vec![board; 2],
        ..pb::SummerPavilionState::default()
    };
    change(&mut state);
    fill_bag(&mut state);
    state
}

/// Phase 1, with B2YG on the first factory display.
pub(crate) fn acquire(
    change: impl FnOnce(&mut pb::SummerPavilionState),
) -> pb::SummerPavilionState {
    table(|state| {
        state.phase = pb::SummerPavilionPhase::Acquire.into();
        state.factories[0] = tiles("B2YG");
        change(state);
    })
}

/// The first seat has covered a window and takes three bonus tiles.
pub(crate) fn bonus(change: impl FnOnce(&mut pb::SummerPavilionState)) -> pb::SummerPavilionState {
    table(|state| {
        state.phase = pb::SummerPavilionPhase::Bonus.into();
        state.bonus_due = 3;
        state.boards[0].spaces = spaces(&[(RED, "....RR")]);
        change(state);
    })
}

/// The first seat has passed with B4R and chooses four of them.
pub(crate) fn keep(change: impl FnOnce(&mut pb::SummerPavilionState)) -> pb::SummerPavilionState {
    table(|state| {
        state.phase = pb::SummerPavilionPhase::Keep.into();
        state.boards[0].hand = Some(tiles("B4R"));
        change(state);
    })
}

/// The supply is full, and the first factory display waits.
pub(crate) fn dealing(
    change: impl FnOnce(&mut pb::SummerPavilionState),
) -> pb::SummerPavilionState {
    table(|state| {
        state.phase = pb::SummerPavilionPhase::Deal.into();
        change(state);
    })
}

/// In the middle of phase 2 three tiles are missing in the supply.
pub(crate) fn top_up(change: impl FnOnce(&mut pb::SummerPavilionState)) -> pb::SummerPavilionState {
    table(|state| {
        state.phase = pb::SummerPavilionPhase::TopUp.into();
        state.supply = Some(tiles("O7"));
        change(state);
    })
}

pub(crate) fn over(change: impl FnOnce(&mut pb::SummerPavilionState)) -> pb::SummerPavilionState {
    table(|state| {
        state.phase = pb::SummerPavilionPhase::Over.into();
        state.round = 6;
        change(state);
    })
}

pub(crate) fn state(state: pb::SummerPavilionState) -> pb::GameState {
    pb::GameState { game: Some(pb::game_state::Game::SummerPavilion(state)) }
}

pub(crate) fn displays(texts: &[&str]) -> pb::Displays {
    let displays = texts.iter().map(|text| tiles(text)).collect();
    let displays = pb::SummerPavilionDisplays { displays };
    pb::Displays { game: Some(pb::displays::Game::SummerPavilion(displays)) }
}

/// The bonuses in the order of the enum of the stars and of the numbers.
pub(crate) fn bonus_points(bonuses: &pb::SummerPavilionBonuses) -> ([u32; 7], [u32; 4]) {
    let pb::SummerPavilionStarBonuses { orange, red, blue, yellow, green, purple, center } =
        bonuses.stars.unwrap();
    let pb::SummerPavilionNumberBonuses { ones, twos, threes, fours } = bonuses.numbers.unwrap();
    ([orange, red, blue, yellow, green, purple, center], [ones, twos, threes, fours])
}

fn counts(tiles: pb::SummerPavilionTiles) -> [u32; 6] {
    [tiles.orange, tiles.red, tiles.blue, tiles.yellow, tiles.green, tiles.purple]
}

/// Puts all other tiles into the bag, and counts what was drawn without any reshuffle.
fn fill_bag(state: &mut pb::SummerPavilionState) {
    let mut outside = [0; 6];
    let mut add = |tiles: [u32; 6]| outside.iter_mut().zip(tiles).for_each(|(all, n)| *all += n);
    let heaps = state.factories.iter().copied().chain(state.center).chain(state.supply);
    heaps.chain(state.boards.iter().filter_map(|board| board.hand)).map(counts).for_each(&mut add);
    for &color in state.boards.iter().flat_map(|board| &board.spaces) {
        let mut one = [0; 6];
        if let Some(color) = usize::try_from(color).unwrap().checked_sub(1) {
            one[color] = 1;
        }
        add(one);
    }
    let discards = counts(state.tower.unwrap_or_default());
    add(discards);
    state.drawn = outside.iter().sum::<u32>() - discards.iter().sum::<u32>();
    let [orange, red, blue, yellow, green, purple] = outside.map(|count| 22 - count);
    state.bag = Some(pb::SummerPavilionTiles { orange, red, blue, yellow, green, purple });
}
