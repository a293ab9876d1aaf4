//! A deterministic simulation of the arena: bots of all characters, a network that delays, loses and
//! duplicates, a store that fails, arenas that crash and take over from each other. A seed determines
//! the whole run; a seed that fails is printed with the command that runs it again.
//!
//! `AZULEJO_SIM_RUNS`: number of seeds; `AZULEJO_SIM_SEED`: the first seed, or the only one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test")]
#![allow(clippy::wildcard_enum_match_arm, reason = "the checks look at some values only")]

mod bot;
mod bot_actions;
mod bot_behaviour;
mod character;
mod checker;
mod delivery;
mod dice;
mod durable;
mod edge;
mod final_checks;
mod net;
mod observed;
mod output_checks;
mod pairing_checks;
mod policies;
mod server;
mod setup;
mod shadow;
mod snapshot_checks;
mod store;
mod tally;
mod world;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tally::Tally;
use world::World;

/// Enough for everything in [`tally`] to happen.
const RUNS: u64 = 500;

#[expect(clippy::disallowed_methods, reason = "a test has no other configuration")]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

#[test]
fn the_arena_keeps_its_promises_whatever_fails() {
    let (seed, runs) = (number("AZULEJO_SIM_SEED"), number("AZULEJO_SIM_RUNS"));
    let first = seed.unwrap_or(0);
    let runs = runs.unwrap_or(if seed.is_some() { 1 } else { RUNS });
    let next = AtomicU64::new(first);
    let total = Mutex::new(Tally::default());
    let failed = Mutex::new(Vec::new());
    let began = std::time::Instant::now();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + runs || failed.lock().unwrap().len() > 4 {
                return;
            }
            if let Ok(tally) = std::panic::catch_unwind(|| World::new(seed).run()) {
                total.lock().unwrap().merge(&tally);
            } else {
                println!("seed {seed} fails; to repeat: AZULEJO_SIM_SEED={seed} tests/run arena");
                failed.lock().unwrap().push(seed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let (total, failed) = (total.into_inner().unwrap(), failed.into_inner().unwrap());
    println!("{}", total.table());
    println!("{runs} seeds in {:.1} s", began.elapsed().as_secs_f64());
    assert!(failed.is_empty(), "seeds that fail: {failed:?}");
    if runs >= RUNS {
        assert_eq!(total.missing(), Vec::<&str>::new(), "the simulation covers too little");
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for seed in 0..6 {
        assert_eq!(World::new(seed).traced(), World::new(seed).traced(), "seed {seed}");
    }
    assert_ne!(World::new(1).traced(), World::new(2).traced());
}
