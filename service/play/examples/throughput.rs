//! Nanoseconds per step: random playouts, and batches with observations and masks.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::cast_precision_loss, missing_docs)]
use azulejo_play::*;
use std::time::Instant;

fn best(mut run: impl FnMut() -> f64) -> f64 {
    (0..7).map(|_| run()).fold(f64::MAX, f64::min)
}

fn main() {
    for ruleset in Ruleset::all() {
        let key = ruleset.key();
        if std::env::args().nth(1).is_some_and(|only| only != key) {
            continue;
        }
        let start = Game::new(&key, Start::default()).unwrap();
        let playout = best(|| {
            let began = Instant::now();
            let mut steps = 0;
            for seed in 0..1500 {
                steps += start.clone().play_out(seed);
            }
            began.elapsed().as_nanos() as f64 / f64::from(steps)
        });
        let n = 1024;
        let mut results = vec![];
        for kind in 0..3 {
            let mut batch = Batch::new(&key, n, &BatchOptions::default()).unwrap();
            let (o, m, p) = (batch.observation_size(), batch.action_count(), batch.players());
            let (mut f, mut r) = (vec![0f32; n * o], vec![0u8; n * o]);
            let (mut masks, mut seats, mut rewards, mut ends) =
                (vec![0u8; n * m], vec![0u8; n], vec![0f32; n * p], vec![0u8; n]);
            let mut actions = vec![0i64; n];
            {
                let obs = if kind == 0 {
                    Observations::Raw(&mut r)
                } else {
                    Observations::Scaled(&mut f)
                };
                let mut a = Arrays {
                    observations: obs,
                    masks: &mut masks,
                    seats: &mut seats,
                    rewards: &mut rewards,
                    ends: &mut ends,
                    last: None,
                };
                batch.observe(&mut a).unwrap();
            }
            results.push(best(|| {
                let began = Instant::now();
                let steps = 100;
                for _ in 0..steps {
                    if kind == 2 {
                        for (a, m) in actions.iter_mut().zip(masks.chunks(m)) {
                            *a = m.iter().position(|&b| b == 1).unwrap() as i64;
                        }
                    } else {
                        batch.sample(&masks, &mut actions).unwrap();
                    }
                    let obs = if kind == 0 {
                        Observations::Raw(&mut r)
                    } else {
                        Observations::Scaled(&mut f)
                    };
                    let mut a = Arrays {
                        observations: obs,
                        masks: &mut masks,
                        seats: &mut seats,
                        rewards: &mut rewards,
                        ends: &mut ends,
                        last: None,
                    };
                    batch.step(&actions, &mut a).unwrap();
                }
                began.elapsed().as_nanos() as f64 / (steps * n) as f64
            }));
        }
        println!(
            "{key:28} playout {playout:6.1}  raw {:6.1} ({:.2})  scaled {:6.1} ({:.2})",
            results[0],
            results[0] / playout,
            results[1],
            results[1] / playout
        );
    }
}
