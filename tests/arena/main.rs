//! The arena in a simulated world: bots of all characters, a network that delays, loses and
//! doubles, a store that fails, arenas that die and take over from each other. One seed, one run;
//! a seed that fails is printed with the command that runs it again.
//!
//! `AZULEJO_SIM_RUNS`: how many seeds; `AZULEJO_SIM_SEED`: the first, or the only one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test")]
#![allow(clippy::wildcard_enum_match_arm, reason = "an onlooker looks at some things only")]

mod bot;
mod character;
mod conduct;
mod dice;
mod durable;
mod ending;
mod hearing;
mod judge;
mod ledger;
mod mischief;
mod net;
mod policies;
mod resuming;
mod server;
mod setting;
mod shadow;
mod store;
mod tables;
mod tally;
mod wires;
mod world;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tally::Tally;
use world::World;

/// Enough that everything that may happen does.
const RUNS: u64 = 500;

#[expect(clippy::disallowed_methods, reason = "a test has no other configuration")]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

#[test]
fn whatever_fails_the_arena_keeps_its_word() {
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
                println!("seed {seed} fails; again: AZULEJO_SIM_SEED={seed} tests/run arena");
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
        assert_eq!(total.missing(), Vec::<&str>::new(), "a simulation that reaches too little");
    }
}

#[test]
fn a_seed_says_everything() {
    for seed in 0..6 {
        assert_eq!(World::new(seed).traced(), World::new(seed).traced(), "seed {seed}");
    }
    assert_ne!(World::new(1).traced(), World::new(2).traced());
}
