//! Waiting for something to happen: often looked at, never for ever.

use std::future::Future;
use std::time::{Duration, Instant};

/// Longer than anything takes that works.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

const PAUSE: Duration = Duration::from_millis(5);

/// Looks until there is something, and fails with `what` when the time is up.
#[track_caller]
pub(crate) fn until<T>(what: &str, longest: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < longest, "{what}: not within {longest:?}");
        std::thread::sleep(PAUSE);
    }
}

/// The same where looking is a call.
pub(crate) async fn until_async<T, F: Future<Output = Option<T>>>(
    what: &str,
    longest: Duration,
    mut look: impl FnMut() -> F,
) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(begun.elapsed() < longest, "{what}: not within {longest:?}");
        tokio::time::sleep(PAUSE).await;
    }
}

/// The answer, which must come before the patience ends.
pub(crate) async fn soon<T>(what: &str, answer: impl Future<Output = T>) -> T {
    let answer = tokio::time::timeout(PATIENCE, answer).await;
    answer.unwrap_or_else(|_| panic!("{what}: not within {PATIENCE:?}"))
}
