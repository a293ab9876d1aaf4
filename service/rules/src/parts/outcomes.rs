use super::{Multisets, TileColor, Tiles};

/// Every outcome of one deal, each with its exact probability.
///
/// At most 70 for a factory display of Azul, 126 for one of Summer Pavilion.
#[derive(Clone, Debug)]
pub struct Outcomes<C: TileColor> {
    sure: Tiles<C>,
    pool: Tiles<C>,
    all_ways: u64,
    multisets: Multisets<C>,
}

/// One outcome, with probability `ways` / `all_ways`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome<C: TileColor> {
    pub tiles: Tiles<C>,
    pub ways: u64,
    pub all_ways: u64,
}

impl<C: TileColor> Outcome<C> {
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a probability to the precision of an f64")]
    pub fn probability(&self) -> f64 {
        self.ways as f64 / self.all_ways as f64
    }
}

impl<C: TileColor> Outcomes<C> {
    /// `sure` tiles come in any case, and `size` more from `pool` by chance.
    pub(super) fn new(sure: Tiles<C>, pool: Tiles<C>, size: u8) -> Self {
        let all_ways = binomial(pool.total(), size);
        Self { sure, pool, all_ways, multisets: pool.multisets(size) }
    }
}

impl<C: TileColor> Iterator for Outcomes<C> {
    type Item = Outcome<C>;

    fn next(&mut self) -> Option<Outcome<C>> {
        let drawn = self.multisets.next()?;
        let ways =
            drawn.iter().map(|(color, count)| binomial(self.pool.count(color), count)).product();
        Some(Outcome { tiles: self.sure + drawn, ways, all_ways: self.all_ways })
    }
}

/// In how many ways `k` of `n` can be chosen. The largest asked for, 10 of 132, fits easily.
fn binomial(n: u8, k: u8) -> u64 {
    (1..=u64::from(k)).fold(1, |ways, step| ways * (u64::from(n) + 1 - step) / step)
}
