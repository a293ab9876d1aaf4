use super::{TileColor, Tiles};

/// In how many ways `size` tiles can be chosen from `colors` colors without limit.
pub(crate) const fn multiset_count(colors: usize, size: usize) -> usize {
    if colors == 0 {
        return if size == 0 { 1 } else { 0 };
    }
    // C(colors + size - 1, size), exact at every step.
    let mut ways = 1;
    let mut step = 1;
    while step <= size {
        ways = ways * (colors - 1 + step) / step;
        step += 1;
    }
    ways
}

/// The most colors and tiles of the multisets that have numbers.
const COLORS: usize = 6;
const SIZES: usize = 5;

/// How many multisets with more tiles of a color come before those with `count`: by the number of
/// colors behind it, the tiles left for it and those, and `count`.
static MORE: [[[u8; SIZES]; SIZES]; COLORS] = {
    let mut table = [[[0; SIZES]; SIZES]; COLORS];
    let mut index = 0;
    while index < COLORS * SIZES * SIZES {
        let (behind, size, count) = (index / 25, index / 5 % 5, index % 5);
        let mut more = count + 1;
        while more <= size {
            table[behind][size][count] += multiset_count(behind, size - more) as u8;
            more += 1;
        }
        index += 1;
    }
    table
};

/// The number of `tiles`, at most four, among all multisets of its size, as [`Tiles::multisets`]
/// would list them from a pool without limit.
pub(crate) fn multiset_rank<C: TileColor>(tiles: Tiles<C>) -> usize {
    let mut size = usize::from(tiles.total());
    let mut rank = 0;
    for (index, &color) in C::ALL.iter().enumerate() {
        let count = usize::from(tiles.count(color));
        rank += usize::from(MORE[C::ALL.len() - index - 1][size][count]);
        size -= count;
    }
    rank
}

/// The multiset of this size with this number.
pub(crate) fn multiset_at<C: TileColor>(size: usize, rank: usize) -> Option<Tiles<C>> {
    let mut tiles = Tiles::EMPTY;
    let (mut size, mut rank) = (size, rank);
    for (index, &color) in C::ALL.iter().enumerate() {
        let behind = C::ALL.len() - index - 1;
        let mut count = size;
        loop {
            let here = multiset_count(behind, size - count);
            if rank < here {
                break;
            }
            rank -= here;
            count = count.checked_sub(1)?;
        }
        tiles.put(color, u8::try_from(count).ok()?);
        size -= count;
    }
    Some(tiles)
}
