//! Dirichlet noise.

use azulejo_bots::Dice;

/// Shares that sum to 1: Dirichlet with the same parameter for all.
pub(super) fn dirichlet(count: usize, alpha: f32, dice: &mut Dice) -> Vec<f32> {
    let mut shares: Vec<f32> = (0..count).map(|_| gamma(alpha, dice)).collect();
    let sum: f32 = shares.iter().sum();
    for share in &mut shares {
        *share = if sum > 0.0 { *share / sum } else { 1.0 / count as f32 };
    }
    shares
}

/// A gamma variable with scale 1, by the method of Marsaglia and Tsang.
fn gamma(alpha: f32, dice: &mut Dice) -> f32 {
    // The method is for parameters of at least 1; smaller ones are reached by a power.
    if alpha < 1.0 {
        return gamma(alpha + 1.0, dice) * positive(dice).powf(1.0 / alpha);
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(dice);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && positive(dice).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A standard normal variable, by the method of Box and Muller.
fn normal(dice: &mut Dice) -> f32 {
    let radius = (-2.0 * positive(dice).ln()).sqrt();
    radius * (std::f32::consts::TAU * dice.share()).cos()
}

/// A number above 0, up to 1.
fn positive(dice: &mut Dice) -> f32 {
    1.0 - dice.share()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_one_and_a_small_parameter_makes_them_uneven() {
        let mut dice = Dice::new(1);
        let mut largest = [0.0, 0.0];
        for (largest, alpha) in largest.iter_mut().zip([0.1, 10.0]) {
            for _ in 0..200 {
                let shares = dirichlet(10, alpha, &mut dice);
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{shares:?}");
                *largest += shares.iter().copied().fold(0.0, f32::max) / 200.0;
            }
        }
        assert!(largest[0] > 0.5 && largest[1] < 0.25, "{largest:?}");
    }
}
