//! A correction for leverage. Each block pulls the fitted ratings of its bots towards its own result,
//! so its residual is too small, and the bootstrap underestimates the deviations. The leverage of a
//! block is approximated by the share that it has in the blocks of its bots.

use super::games::Sorted;

/// Cap on the leverage of a block. With so few blocks the prior dominates anyway.
const MAX_LEVERAGE: f64 = 0.5;

/// By player: the factor by which the bootstrap deviation has to be inflated.
pub(super) fn inflation_factors(sorted: &Sorted) -> Vec<f64> {
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
        let leverage: f64 = block.iter().map(|&player| 1.0 / counts[player]).sum();
        for &player in block {
            sums[player] += 1.0 / (1.0 - leverage.min(MAX_LEVERAGE));
        }
    }
    sums.iter().zip(&counts).map(|(sum, count): (&f64, &f64)| libm::sqrt(sum / count)).collect()
}
