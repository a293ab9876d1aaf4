//! Requests broken at random: never a panic, always an answer that can be used.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;

use azulejo_tests::Random;

use crate::fuzz_calls::{Call, Fate, make};
use crate::fuzz_requests::good_requests;
use crate::{fuzz_bytes, fuzz_tree};

/// Runs of both tests together; `AZULEJO_FUZZ_RUNS` overrides it.
const RUNS: u64 = 100_000;

/// Runs that failed once always come first.
const KEPT_BYTES: [u64; 0] = [];
const KEPT_NUMBERS: [u64; 0] = [];

static GOOD: LazyLock<Vec<(Call, Vec<Vec<u8>>)>> = LazyLock::new(good_requests);

type Fates = BTreeMap<Call, BTreeMap<Fate, u64>>;

#[expect(clippy::disallowed_methods, reason = "the one setting of this suite")]
pub(crate) fn runs() -> u64 {
    let given = std::env::var("AZULEJO_FUZZ_RUNS");
    given.map_or(RUNS, |runs| runs.parse().expect("AZULEJO_FUZZ_RUNS is a number"))
}

/// One run: a good request, broken, and the call made with it. All of it follows from the number.
fn run(number: u64, broken: impl Fn(&[u8], &[u8], &mut Random) -> Vec<u8>) -> (Call, Fate) {
    let mut random = Random::new(number);
    let (call, requests) = &GOOD[random.below(GOOD.len())];
    let request = &requests[random.below(requests.len())];
    let other = &requests[random.below(requests.len())];
    let mut bytes = request.clone();
    while bytes == *request {
        bytes = broken(request, other, &mut random);
    }
    let made = catch_unwind(AssertUnwindSafe(|| make(*call, &bytes)));
    match made {
        Ok(fate) => (*call, fate),
        Err(panic) => {
            eprintln!("run {number} of {call:?} fails with the request {bytes:02x?}");
            resume_unwind(panic)
        }
    }
}

fn run_all(kept: &[u64], broken: impl Fn(&[u8], &[u8], &mut Random) -> Vec<u8>) -> Fates {
    let mut fates = Fates::new();
    let runs = runs() / 2;
    for number in kept.iter().copied().chain(0..runs) {
        let (call, fate) = run(number, &broken);
        *fates.entry(call).or_default().entry(fate).or_default() += 1;
    }
    for (call, fates) in &fates {
        eprintln!("{call:?}: {fates:?}");
    }
    fates
}

/// Runs that always fail in the same place would prove little: one in `accepted` changed requests must
/// succeed, and there must be at least this many different outcomes.
fn assert_varied(fates: &Fates, accepted: u64, ends: usize) {
    if runs() < RUNS {
        return;
    }
    let mut met: BTreeMap<Fate, u64> = BTreeMap::new();
    // ListRulesets has no fields, so its requests are always valid.
    for (_, fates) in fates.iter().filter(|&(&call, _)| call != Call::ListRulesets) {
        for (&fate, &times) in fates {
            *met.entry(fate).or_default() += times;
        }
    }
    let all: u64 = met.values().sum();
    eprintln!("{all} runs, {} fates: {met:?}", met.len());
    assert!(met[&Fate::Done] > all / accepted, "too few requests are accepted");
    assert!(met.len() >= ends, "only {} outcomes", met.len());
    assert!(fates.values().all(|fates| fates.contains_key(&Fate::Done)), "a call never succeeds");
}

#[test]
fn requests_of_good_bytes_succeed() {
    for (call, requests) in GOOD.iter() {
        for request in requests {
            assert_eq!(make(*call, request), Fate::Done, "{call:?}");
        }
    }
}

#[test]
fn requests_with_bytes_changed_at_random_are_answered() {
    let fates = run_all(&KEPT_BYTES, |request, other, random| {
        fuzz_bytes::changed(request.to_vec(), other, random)
    });

    assert_varied(&fates, 50, 30);
}

#[test]
fn requests_with_numbers_changed_at_random_are_answered() {
    let fates = run_all(&KEPT_NUMBERS, |request, _, random| fuzz_tree::changed(request, random));

    assert_varied(&fates, 5, 50);
}
