//! Runs work that takes milliseconds: one task per worker, a short queue, and `Overloaded` for the
//! rest. Calls that take microseconds do not use it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use thiserror::Error;
use tokio::sync::Semaphore;

use crate::{Deadline, deadline};

/// Tasks that wait for each worker. Enough to bridge the gaps between calls; more would only add
/// latency.
const QUEUE_PER_WORKER: usize = 4;

#[derive(Clone, Debug)]
pub struct CpuPool {
    permits: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    queue: usize,
    call_timeout: Duration,
}

/// The queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("overloaded; try again in {} ms", retry_after.as_millis())]
pub struct Overloaded {
    pub retry_after: Duration,
}

impl Overloaded {
    pub(crate) const SOON: Self = Self { retry_after: Duration::from_millis(100) };
}

impl CpuPool {
    #[must_use]
    pub fn new(workers: NonZeroUsize, call_timeout: Duration) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(workers.get())),
            waiting: Arc::default(),
            queue: workers.get() * QUEUE_PER_WORKER,
            call_timeout,
        }
    }

    /// When the caller with these headers stops waiting: working longer is useless.
    #[must_use]
    pub fn deadline(&self, headers: &http::HeaderMap) -> Deadline {
        Deadline::within(deadline::allowed(headers), self.call_timeout)
    }

    /// Runs the work on another thread, or refuses it at once.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Overloaded> {
        let permit = if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            permit
        } else {
            let _place = self.queue_up()?;
            let permit = Arc::clone(&self.permits).acquire_owned().await;
            permit.map_err(|_| Overloaded::SOON)?
        };
        let work = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        match work.await {
            Ok(done) => Ok(done),
            // Continues the panic here, where it becomes an error response.
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

/// A place in the queue, free again when dropped.
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
        let pool = CpuPool::new(NonZeroUsize::MIN, Duration::from_secs(10));
        let (finish, wait) = std::sync::mpsc::channel::<()>();
        let wait = std::sync::Mutex::new(wait);
        let busy = tokio::spawn({
            let pool = pool.clone();
            async move { pool.run(move || wait.lock().unwrap().recv().ok()).await }
        });
        while pool.permits.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let queued: Vec<_> = (0..QUEUE_PER_WORKER)
            .map(|number| {
                let pool = pool.clone();
                tokio::spawn(async move { pool.run(move || number).await })
            })
            .collect();
        while pool.waiting.load(Ordering::Relaxed) < QUEUE_PER_WORKER {
            tokio::task::yield_now().await;
        }

        assert_eq!(pool.run(|| ()).await, Err(Overloaded::SOON));

        finish.send(()).unwrap();
        busy.await.unwrap().unwrap();
        for (number, work) in queued.into_iter().enumerate() {
            assert_eq!(work.await.unwrap(), Ok(number));
        }
        assert_eq!(pool.run(|| 7).await, Ok(7));
        assert_eq!(pool.waiting.load(Ordering::Relaxed), 0);
    }
}
