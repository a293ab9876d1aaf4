//! Confidence intervals.

/// For a 95 % confidence interval, in standard errors.
pub const Z: f64 = 1.959_964;

/// The Wilson score interval of a rate, which is also valid near 0 and 1.
#[must_use]
pub fn wilson(rate: f64, games: f64) -> [f64; 2] {
    let z2 = Z * Z;
    let center = rate + z2 / (2.0 * games);
    let spread = Z * (rate * (1.0 - rate) / games + z2 / (4.0 * games * games)).sqrt();
    let scale = 1.0 + z2 / games;
    [((center - spread) / scale).max(0.0), ((center + spread) / scale).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::wilson;

    /// Newcombe 1998, method 3: 81 of 263 is 0.2553 to 0.3662.
    #[test]
    fn the_interval_matches_a_published_value() {
        let [low, high] = wilson(81.0 / 263.0, 263.0);
        assert!((low - 0.2553).abs() < 0.0001 && (high - 0.3662).abs() < 0.0001, "{low} {high}");
    }
}
