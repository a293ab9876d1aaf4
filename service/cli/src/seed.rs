//! The seed of a game: given, or made here and told.

use anyhow::{Context, Result};
use azulejo_rules::parts::Seed;

/// A seed as 64 hexadecimal digits or as a plain number; none given, a new one.
pub(crate) fn seed_from(text: Option<&str>) -> Result<Seed> {
    match text {
        None => fresh(),
        Some(text) if text.len() == 64 => text.parse().context("--seed"),
        Some(text) => {
            let number = text.parse().map(Seed::from_number);
            number.context("--seed takes a number up to 2^64 - 1, or 64 hexadecimal digits")
        }
    }
}

fn fresh() -> Result<Seed> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context("the operating system gave no random bytes")?;
    Ok(Seed::new(bytes))
}

/// A number for the bots' own choices: it must not tell them the deals.
pub(crate) fn bot_seed(seed: &Seed) -> u64 {
    seed.bytes().iter().fold(0x6f74_7562, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(29)
    })
}
