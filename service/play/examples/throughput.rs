//! Nanoseconds a step takes, by ruleset: random playouts, and batches of 1,024 games with observations
//! and masks. Processor time, the minimum of seven runs of each.
//!
//! ```sh
//! cargo run --release -p azulejo-play --example throughput -- azul-colored-2
//! ```

#![allow(clippy::print_stdout, reason = "figures")]
#![allow(clippy::cast_precision_loss, reason = "figures")]

use azulejo_play::{Arrays, Batch, BatchOptions, Game, Observations, PlayError, Ruleset, Start};
use rustix::time::{ClockId, clock_gettime};

const RUNS: usize = 7;
const GAMES: usize = 1_024;
const STEPS: usize = 100;
const PLAYOUTS: u64 = 1_500;

fn main() -> Result<(), PlayError> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    for ruleset in Ruleset::all() {
        let key = ruleset.key();
        if !named.is_empty() && !named.contains(&key) {
            continue;
        }
        let playout = playout(&key)?;
        let (raw, scaled) = (batch(&key, true)?, batch(&key, false)?);
        let (to_raw, to_scaled) = (raw / playout, scaled / playout);
        println!(
            "{key:28} playout {playout:6.1}  raw {raw:6.1} ({to_raw:.2})  \
             scaled {scaled:6.1} ({to_scaled:.2})"
        );
    }
    Ok(())
}

/// The shortest of some runs, which return their steps.
fn fastest(mut run: impl FnMut() -> Result<u64, PlayError>) -> Result<f64, PlayError> {
    let mut fastest = f64::MAX;
    for _ in 0..RUNS {
        let began = nanoseconds();
        let steps = run()?;
        fastest = fastest.min((nanoseconds() - began) as f64 / steps as f64);
    }
    Ok(fastest)
}

/// Processor time of this thread: it does not count what other programs do meanwhile.
fn nanoseconds() -> i64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

fn playout(key: &str) -> Result<f64, PlayError> {
    let start = Game::new(key, Start::default())?;
    fastest(|| Ok((0..PLAYOUTS).map(|seed| u64::from(start.clone().play_out(seed))).sum()))
}

fn batch(key: &str, is_raw: bool) -> Result<f64, PlayError> {
    let mut batch = Batch::new(key, GAMES, &BatchOptions::default())?;
    let size = GAMES * batch.observation_size();
    let (mut raw, mut scaled) = (vec![0; size], vec![0.0; size]);
    let mut masks = vec![0; GAMES * batch.action_count()];
    let (mut seats, mut ends) = (vec![0; GAMES], vec![0; GAMES]);
    let mut rewards = vec![0.0; GAMES * batch.players()];
    let mut actions = vec![0i64; GAMES];
    let mut begun = false;
    fastest(|| {
        for _ in 0..STEPS {
            if begun {
                batch.sample(&masks, &mut actions)?;
            }
            let observations = if is_raw {
                Observations::Raw(&mut raw)
            } else {
                Observations::Scaled(&mut scaled)
            };
            let mut arrays = Arrays {
                observations,
                masks: &mut masks,
                seats: &mut seats,
                rewards: &mut rewards,
                ends: &mut ends,
                last: None,
            };
            if begun {
                batch.step(&actions, &mut arrays)?;
            } else {
                batch.observe(&mut arrays)?;
                begun = true;
            }
        }
        Ok((STEPS * GAMES) as u64)
    })
}
