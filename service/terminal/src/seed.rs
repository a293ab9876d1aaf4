//! The seed of a game: given or random.

use anyhow::{Context, Result};
use azulejo_rules::parts::Seed;

/// Parses a seed: 64 hexadecimal digits, or a number. Random if there is no text.
pub fn seed_from(text: Option<&str>) -> Result<Seed> {
    match text {
        None => random(),
        Some(text) if text.len() == 64 => text.parse().context("--seed"),
        Some(text) => {
            let number = text.parse().map(Seed::from_number);
            number.context("--seed must be a number up to 2^64 - 1, or 64 hexadecimal digits")
        }
    }
}

fn random() -> Result<Seed> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context("cannot get random bytes from the operating system")?;
    Ok(Seed::new(bytes))
}

/// The seed of the bots' random choices, from which the deals cannot be derived.
pub fn bot_seed(seed: &Seed) -> u64 {
    seed.bytes().iter().fold(0x6f74_7562, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(29)
    })
}
