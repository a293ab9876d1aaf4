//! Runs work that takes milliseconds: one task per worker, a short queue, and `Overloaded` for the
//! rest. Calls that take microseconds do not use it.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use crate::background::lower_priority;
use crate::budget::Budget;
use crate::{Deadline, Share, deadline};

/// Tasks that wait for each worker. Enough to bridge the gaps between calls; more would only add
/// latency.
const QUEUE_PER_WORKER: usize = 4;

/// How many times as many tasks the pool accepts as of one caller.
const CALLERS_SHARE: usize = 2;

#[derive(Clone, Debug)]
pub struct CpuPool {
    permits: Arc<Semaphore>,
    /// Tasks that run or wait.
    places: Arc<Budget>,
    /// Threads of low priority; without them, those of the caller's runtime.
    threads: Option<Arc<Threads>>,
    call_timeout: Duration,
}

#[derive(Debug)]
struct Threads(Option<Runtime>);

impl Drop for Threads {
    fn drop(&mut self) {
        // A runtime that is dropped in an asynchronous task would panic.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
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
        let places = workers.get() * (1 + QUEUE_PER_WORKER);
        Self {
            permits: Arc::new(Semaphore::new(workers.get())),
            places: Budget::new(places, places.div_ceil(CALLERS_SHARE)),
            threads: None,
            call_timeout,
        }
    }

    /// The same on threads of low priority, beside work that must not wait: turns and clocks.
    pub fn in_background(self) -> io::Result<Self> {
        // Only blocking threads do work; they are started when they are needed.
        let threads = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("cpu-pool")
            .on_thread_start(lower_priority)
            .build()?;
        Ok(Self { threads: Some(Arc::new(Threads(Some(threads)))), ..self })
    }

    /// When the caller with these headers stops waiting: working longer is useless.
    #[must_use]
    pub fn deadline(&self, headers: &http::HeaderMap) -> Deadline {
        Deadline::within(deadline::allowed(headers), self.call_timeout)
    }

    /// Runs the work on another thread, or refuses it at once: if the queue is full, or if this
    /// caller has used up its share.
    pub async fn run<T: Send + 'static>(
        &self,
        share: Option<Share>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Overloaded> {
        let place = self.places.enter(share).ok_or(Overloaded::SOON)?;
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|_| Overloaded::SOON)?;
        let work = move || {
            let _held = (permit, place);
            work()
        };
        let threads = self.threads.as_ref().and_then(|threads| threads.0.as_ref());
        let work = match threads {
            Some(threads) => threads.spawn_blocking(work),
            None => tokio::task::spawn_blocking(work),
        };
        match work.await {
            Ok(done) => Ok(done),
            // Continues the panic here, where it becomes an error response.
            Err(failed) => match failed.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(Overloaded::SOON),
            },
        }
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
            async move { pool.run(None, move || wait.lock().unwrap().recv().ok()).await }
        });
        while pool.permits.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let queued: Vec<_> = (0..QUEUE_PER_WORKER)
            .map(|number| {
                let pool = pool.clone();
                tokio::spawn(async move { pool.run(None, move || number).await })
            })
            .collect();
        while pool.places.taken() < 1 + QUEUE_PER_WORKER {
            tokio::task::yield_now().await;
        }

        assert_eq!(pool.run(None, || ()).await, Err(Overloaded::SOON));

        finish.send(()).unwrap();
        busy.await.unwrap().unwrap();
        for (number, work) in queued.into_iter().enumerate() {
            assert_eq!(work.await.unwrap(), Ok(number));
        }
        assert_eq!(pool.run(None, || 7).await, Ok(7));
        assert_eq!(pool.places.taken(), 0);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn one_caller_takes_at_most_half_of_the_places() {
        let pool =
            CpuPool::new(NonZeroUsize::MIN, Duration::from_secs(10)).in_background().unwrap();
        let greedy = Some(Share::Holder(1));
        let (finish, wait) = std::sync::mpsc::channel::<()>();
        let wait = Arc::new(std::sync::Mutex::new(wait));
        let busy: Vec<_> = (0..3)
            .map(|_| {
                let (pool, wait) = (pool.clone(), Arc::clone(&wait));
                tokio::spawn(async move {
                    pool.run(greedy, move || wait.lock().unwrap().recv().ok()).await
                })
            })
            .collect();
        while pool.places.taken() < 3 {
            tokio::task::yield_now().await;
        }

        assert_eq!(pool.run(greedy, || ()).await, Err(Overloaded::SOON));

        let other = tokio::spawn({
            let pool = pool.clone();
            async move { pool.run(Some(Share::Holder(2)), || 7).await }
        });
        for _ in 0..3 {
            finish.send(()).unwrap();
        }
        assert_eq!(other.await.unwrap(), Ok(7));
        for work in busy {
            work.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn work_in_the_background_has_a_low_priority() {
        let pool =
            CpuPool::new(NonZeroUsize::MIN, Duration::from_secs(10)).in_background().unwrap();
        let nice = || rustix::process::getpriority_process(None).unwrap();
        assert!(pool.run(None, nice).await.unwrap() > nice());
    }
}
