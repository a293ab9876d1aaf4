//! Ratings that were computed with another formula are recomputed from the results.

use crate::rating::{FORMULA, Ladder};
use crate::store::{Epoch, Saved, Store, StoreError, Write};

/// Results per read.
const PAGE_SIZE: u32 = 1_000;

/// What is stored, with ratings of today's formula. They are stored too.
pub(super) async fn up_to_date(
    store: &dyn Store,
    epoch: Epoch,
    mut saved: Saved,
) -> Result<Saved, StoreError> {
    if saved.rating_formula == FORMULA {
        return Ok(saved);
    }
    let ladder = recomputed(store).await?;
    let standings = ladder.pools().flat_map(|(pool, table)| {
        table.iter().map(move |(player, standing)| (pool, player.clone(), *standing))
    });
    saved.standings = standings.collect();
    let rating = |(pool, player, standing): &(_, crate::names::Player, _)| Write::LiveRating {
        pool: *pool,
        player: player.clone(),
        standing: *standing,
    };
    let mut writes: Vec<Write> = saved.standings.iter().map(rating).collect();
    writes.push(Write::RatingFormula(FORMULA));
    store.commit(epoch, &writes).await?;
    // A new store has none.
    if !saved.standings.is_empty() {
        tracing::info!(
            from = saved.rating_formula,
            to = FORMULA,
            ratings = saved.standings.len(),
            "ratings recomputed with another formula"
        );
    }
    saved.rating_formula = FORMULA;
    Ok(saved)
}

/// The ladder of all results, read page by page.
async fn recomputed(store: &dyn Store) -> Result<Ladder, StoreError> {
    let (mut ladder, mut after) = (Ladder::default(), 0);
    loop {
        let page = store.outcomes(after, PAGE_SIZE).await?;
        let Some(last) = page.last() else { return Ok(ladder) };
        after = last.seq;
        ladder.add_all(&page);
    }
}
