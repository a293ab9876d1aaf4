//! Where work is done that takes milliseconds: as much at once as there are cores, a short queue,
//! and a quick refusal for the rest. Calls that take microseconds never wait for it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use thiserror::Error;
use tokio::sync::Semaphore;

use crate::{Deadline, deadline};

/// How many wait for each that works. Enough to bridge the gaps between calls; more would only make
/// everyone wait.
const QUEUE_A_WORKER: usize = 4;

#[derive(Clone, Debug)]
pub struct Workshop {
    benches: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    queue: usize,
    call_timeout: Duration,
}

/// More work than can be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the server has more to do than it can; try again in {} ms", retry_after.as_millis())]
pub struct Overloaded {
    pub retry_after: Duration,
}

impl Overloaded {
    pub(crate) const SOON: Self = Self { retry_after: Duration::from_millis(100) };
}

impl Workshop {
    #[must_use]
    pub fn new(workers: NonZeroUsize, call_timeout: Duration) -> Self {
        Self {
            benches: Arc::new(Semaphore::new(workers.get())),
            waiting: Arc::default(),
            queue: workers.get() * QUEUE_A_WORKER,
            call_timeout,
        }
    }

    /// Until when the caller with these headers waits: nobody should work for longer.
    #[must_use]
    pub fn deadline(&self, headers: &http::HeaderMap) -> Deadline {
        Deadline::within(deadline::allowed(headers), self.call_timeout)
    }

    /// Does the work on a thread of its own, or refuses it at once.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Overloaded> {
        let bench = if let Ok(bench) = Arc::clone(&self.benches).try_acquire_owned() {
            bench
        } else {
            let _place = self.queue_up()?;
            let bench = Arc::clone(&self.benches).acquire_owned().await;
            bench.map_err(|_| Overloaded::SOON)?
        };
        let work = tokio::task::spawn_blocking(move || {
            let _bench = bench;
            work()
        });
        match work.await {
            Ok(done) => Ok(done),
            // The panic goes on here, where it becomes an answer.
            Err(failed) => match failed.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(Overloaded::SOON),
            },
        }
    }

    fn queue_up(&self) -> Result<Place, Overloaded> {
        let place = Place(Arc::clone(&self.waiting));
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.queue {
            return Err(Overloaded::SOON);
        }
        Ok(place)
    }
}

/// A place in the queue; given up when dropped, however that comes about.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn work_beyond_the_queue_is_refused_at_once_and_places_come_free_again() {
        let workshop = Workshop::new(NonZeroUsize::MIN, Duration::from_secs(10));
        let (finish, wait) = std::sync::mpsc::channel::<()>();
        let wait = std::sync::Mutex::new(wait);
        let busy = tokio::spawn({
            let workshop = workshop.clone();
            async move { workshop.run(move || wait.lock().unwrap().recv().ok()).await }
        });
        while workshop.benches.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let queued: Vec<_> = (0..QUEUE_A_WORKER)
            .map(|number| {
                let workshop = workshop.clone();
                tokio::spawn(async move { workshop.run(move || number).await })
            })
            .collect();
        while workshop.waiting.load(Ordering::Relaxed) < QUEUE_A_WORKER {
            tokio::task::yield_now().await;
        }

        assert_eq!(workshop.run(|| ()).await, Err(Overloaded::SOON));

        finish.send(()).unwrap();
        busy.await.unwrap().unwrap();
        for (number, work) in queued.into_iter().enumerate() {
            assert_eq!(work.await.unwrap(), Ok(number));
        }
        assert_eq!(workshop.run(|| 7).await, Ok(7));
        assert_eq!(workshop.waiting.load(Ordering::Relaxed), 0);
    }
}
