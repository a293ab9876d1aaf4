//! How much a fit follows its own blocks. Each block pulls the ratings of its bots towards itself, so
//! it looks less surprising than it is, and replicas vary less than they should: by the share of a
//! bot's blocks that one block is. What is missing is worked out here.

use super::games::Sorted;

/// No block counts as more than this: where there are so few, the belief decides anyway.
const MOST: f64 = 0.5;

/// By player: so much further than the replicas say, the truth may be.
pub(super) fn stretches(sorted: &Sorted) -> Vec<f64> {
    let blocks: Vec<Vec<usize>> = sorted
        .games
        .chunk_by(|a, b| a.block == b.block)
        .map(|games| {
            let seats = games.iter().flat_map(|game| &game.seats);
            let mut players: Vec<usize> = seats.map(|(player, _)| *player as usize).collect();
            players.sort_unstable();
            players.dedup();
            players
        })
        .collect();
    let mut counts = vec![0.0; sorted.players.len()];
    for &player in blocks.iter().flatten() {
        counts[player] += 1.0;
    }
    let mut sums = vec![0.0; counts.len()];
    for block in &blocks {
        let pull: f64 = block.iter().map(|&player| 1.0 / counts[player]).sum();
        for &player in block {
            sums[player] += 1.0 / (1.0 - pull.min(MOST));
        }
    }
    sums.iter().zip(&counts).map(|(sum, count): (&f64, &f64)| libm::sqrt(sum / count)).collect()
}
