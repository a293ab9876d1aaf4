//! Waiting for a condition, with a time limit.

use std::future::Future;
use std::time::{Duration, Instant};

/// Longer than any successful operation takes.
pub const PATIENCE: Duration = Duration::from_secs(20);

const PAUSE: Duration = Duration::from_millis(5);

/// Polls until there is a value, and panics with `what` when the time is up.
#[track_caller]
pub fn until<T>(what: &str, longest: Duration, mut poll: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = poll() {
            return found;
        }
        assert!(start.elapsed() < longest, "{what}: not within {longest:?}");
        std::thread::sleep(PAUSE);
    }
}

/// The same with an asynchronous condition.
pub async fn until_async<T, F: Future<Output = Option<T>>>(
    what: &str,
    longest: Duration,
    mut poll: impl FnMut() -> F,
) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = poll().await {
            return found;
        }
        assert!(start.elapsed() < longest, "{what}: not within {longest:?}");
        tokio::time::sleep(PAUSE).await;
    }
}

/// The result of a future, which must be ready within [`PATIENCE`].
pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    let result = tokio::time::timeout(PATIENCE, future).await;
    result.unwrap_or_else(|_| panic!("{what}: not within {PATIENCE:?}"))
}
