//! A state of Azul laid out for a test, as a message: what is not mentioned lies in the bag.

use azulejo_rules::azul::Color;
use azulejo_rules::parts::{TileColor, Tiles, Word};
use azulejo_wire::game::v1 as pb;

pub(crate) const FULL_ROW: [&str; 5] = ["BYRKW", ".....", ".....", ".....", "....."];

/// Tiles as the notation writes them.
pub(crate) fn tiles(text: &str) -> pb::AzulTiles {
    let tiles: Tiles<Color> = Word { text, at: 1 }.tiles().unwrap();
    tiles.into()
}

/// Five rows from the top; `.` is free.
pub(crate) fn wall(rows: [&str; 5]) -> Vec<i32> {
    let color = |letter| match letter {
        '.' => 0,
        letter => i32::try_from(Color::from_letter(letter).unwrap().index()).unwrap() + 1,
    };
    rows.concat().chars().map(color).collect()
}

/// Five pattern lines from the top; `-` is empty.
pub(crate) fn lines(texts: [&str; 5]) -> Vec<pb::AzulPatternLine> {
    let line = |text| {
        let held: Option<(Color, u8)> = Word { text, at: 1 }.tiles().unwrap().iter().next();
        held.map_or_else(pb::AzulPatternLine::default, |(color, tiles)| pb::AzulPatternLine {
            color: i32::try_from(color.index()).unwrap() + 1,
            tiles: tiles.into(),
        })
    };
    texts.map(line).to_vec()
}

/// Two players on the colored side, round 5: late enough for any wall.
pub(crate) fn table(change: impl FnOnce(&mut pb::AzulState)) -> pb::AzulState {
    let rules = pb::AzulRules {
        version: 1,
        side: pb::BoardSide::Colored.into(),
        players: 2,
        round_limit: 50,
    };
    let mut state = pb::AzulState {
        rules: Some(rules),
        phase: pb::AzulPhase::Offer.into(),
        round: 5,
        factories: vec![pb::AzulTiles::default(); 5],
        boards: vec![pb::AzulBoard::default(); 2],
        ..pb::AzulState::default()
    };
    change(&mut state);
    fill_bag(&mut state);
    state
}

/// A table at which the first factory display holds B2YR and the first seat is to take.
pub(crate) fn offer(change: impl FnOnce(&mut pb::AzulState)) -> pb::AzulState {
    table(|state| {
        state.factories[0] = tiles("B2YR");
        change(state);
    })
}

/// A gray table at which the first seat is to lay a blue tile in the first row.
pub(crate) fn tiling(change: impl FnOnce(&mut pb::AzulState)) -> pb::AzulState {
    table(|state| {
        state.rules.as_mut().unwrap().side = pb::BoardSide::Gray.into();
        state.phase = pb::AzulPhase::Tiling.into();
        state.boards[0].lines = lines(["B", "-", "-", "-", "-"]);
        change(state);
    })
}

/// A table whose first factory display waits to be filled.
pub(crate) fn dealing(change: impl FnOnce(&mut pb::AzulState)) -> pb::AzulState {
    table(|state| {
        state.phase = pb::AzulPhase::Deal.into();
        change(state);
    })
}

/// A game that ended with a complete row.
pub(crate) fn over(change: impl FnOnce(&mut pb::AzulState)) -> pb::AzulState {
    table(|state| {
        state.phase = pb::AzulPhase::Over.into();
        state.end = pb::AzulGameEnd::RowCompleted.into();
        state.boards[0].wall = wall(FULL_ROW);
        change(state);
    })
}

pub(crate) fn state(state: pb::AzulState) -> pb::GameState {
    pb::GameState { game: Some(pb::game_state::Game::Azul(state)) }
}

pub(crate) fn displays(texts: &[&str]) -> pb::Displays {
    let displays = texts.iter().map(|text| tiles(text)).collect();
    pb::Displays { game: Some(pb::displays::Game::Azul(pb::AzulDisplays { displays })) }
}

fn counts(tiles: pb::AzulTiles) -> [u32; 5] {
    [tiles.blue, tiles.yellow, tiles.red, tiles.black, tiles.white]
}

/// Puts all other tiles into the bag, and counts what was drawn without any reshuffle.
fn fill_bag(state: &mut pb::AzulState) {
    let mut outside = [0; 5];
    let mut add = |tiles: [u32; 5]| outside.iter_mut().zip(tiles).for_each(|(all, n)| *all += n);
    let heaps = state.factories.iter().copied().chain(state.center);
    heaps.chain(state.boards.iter().filter_map(|board| board.floor)).map(counts).for_each(&mut add);
    for board in &state.boards {
        let wall = board.wall.iter().map(|&color| (color, 1));
        for (color, count) in wall.chain(board.lines.iter().map(|line| (line.color, line.tiles))) {
            let mut one = [0; 5];
            if let Some(color) = usize::try_from(color).unwrap().checked_sub(1) {
                one[color] = count;
            }
            add(one);
        }
    }
    let discards = counts(state.lid.unwrap_or_default());
    add(discards);
    state.drawn = outside.iter().sum::<u32>() - discards.iter().sum::<u32>();
    let [blue, yellow, red, black, white] = outside.map(|count| 20 - count);
    state.bag = Some(pb::AzulTiles { blue, yellow, red, black, white });
}
