//! Positions that random play hardly ever reaches.

mod azul;
mod pavilion;

use std::fmt::Debug;

use azulejo_rules::parts::{TileColor, Tiles};
use azulejo_tests::Random;

pub(crate) use azul::{full_floors, full_walls, last_tiles};
pub(crate) use pavilion::full_boards;

/// A number below `n`, which is small.
fn below<N: TryFrom<usize, Error: Debug>>(random: &mut Random, n: usize) -> N {
    random.below(n).try_into().unwrap()
}

/// Some of these tiles.
fn some<C: TileColor>(tiles: Tiles<C>, random: &mut Random) -> Tiles<C> {
    let mut chosen = Tiles::EMPTY;
    for (color, count) in tiles.iter() {
        chosen.put(color, below(random, usize::from(count) + 1));
    }
    chosen
}

/// Takes tiles out of a heap blindly, at most as many as it has.
fn grab<C: TileColor>(heap: &mut Tiles<C>, tiles: u8, random: &mut Random) -> Tiles<C> {
    let mut grabbed = Tiles::EMPTY;
    for _ in 0..tiles.min(heap.total()) {
        let there: Vec<C> = heap.iter().map(|(color, _)| color).collect();
        let color = random.pick(&there);
        heap.remove(color, 1);
        grabbed.put(color, 1);
    }
    grabbed
}
