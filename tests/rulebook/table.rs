//! What the tables of both games share.

use azulejo_rules::parts::{Seed, TileColor, Tiles, Word};

/// Tiles as the notation writes them: `B2R`, `-` for none.
pub(crate) fn tiles<C: TileColor>(text: &str) -> Tiles<C> {
    Word { text, at: 1 }.tiles().unwrap()
}

/// Heaps of tiles with spaces between them.
pub(crate) fn heaps<C: TileColor>(text: &str) -> impl Iterator<Item = Tiles<C>> {
    text.split_whitespace().map(tiles)
}

/// A row of cells or spaces: `.` is free, a letter is a tile.
pub(crate) fn drawn<C: TileColor, const N: usize>(drawing: &str) -> [Option<C>; N] {
    let cells: Vec<Option<C>> = drawing
        .chars()
        .map(|letter| (letter != '.').then(|| C::from_letter(letter).unwrap()))
        .collect();
    cells.try_into().unwrap()
}

/// The chance of every test in which it does not matter what is drawn.
pub(crate) fn any_seed() -> Seed {
    Seed::from_number(7)
}
