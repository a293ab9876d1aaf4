//! Reads, pages and other work that takes longer runs on threads of low priority: however many
//! readers there are, the scheduler prefers turns and clocks. One caller occupies at most half of
//! the threads.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::BodyExt as _;
#[cfg(target_os = "linux")]
use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio_util::task::AbortOnDropHandle;
use tonic::body::Body;
use tonic::codegen::BoxFuture;
use tracing::Instrument as _;

use crate::{Response, Share, refusal};

/// How nice the threads are to others: 19 is the most.
const NICE: i32 = 19;
/// Threads per core: one caller may use as many threads as there are cores, and the scheduler
/// divides the cores among the callers.
const THREADS_PER_CORE: usize = 2;

/// Gives this thread the lowest priority: it takes what turns and clocks leave. Threads that it
/// starts, such as those of SQLite's connections, inherit it.
pub fn lower_priority() {
    // Others interrupt it at once. With niceness alone they would wait for a few milliseconds. Without
    // either it works too.
    #[cfg(target_os = "linux")]
    let _refused = thread_priority::set_thread_priority_and_policy(
        thread_priority::thread_native_id(),
        ThreadPriority::Min,
        ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle),
    );
    // On Linux, a thread has a niceness of its own.
    let _unchanged = rustix::process::setpriority_process(None, NICE);
}

/// Does this work on a thread of its own, at low priority. The result is lost if the work panics or
/// no thread can be started; both are logged.
pub fn at_low_priority<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> oneshot::Receiver<T> {
    let (sender, done) = oneshot::channel();
    let thread = std::thread::Builder::new().name("low-priority".to_owned());
    let started = thread.spawn(move || {
        lower_priority();
        // Fails only if the caller no longer waits.
        let _given_up = sender.send(work());
    });
    if let Err(problem) = started {
        tracing::error!(%problem, "cannot start a thread");
    }
    done
}

/// Low beside turns and clocks; without them nothing is gained by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    Low,
    Normal,
}

#[derive(Debug)]
pub(crate) struct Background {
    runtime: Option<Runtime>,
    callers: Arc<Callers>,
}

impl Background {
    pub(crate) fn start(priority: Priority) -> io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let runtime = Builder::new_multi_thread()
            .worker_threads(cores * THREADS_PER_CORE)
            .thread_name("background")
            .enable_all()
            .on_thread_start(move || match priority {
                Priority::Low => lower_priority(),
                Priority::Normal => {}
            })
            .build()?;
        let callers = Arc::new(Callers { share: cores, permits: Mutex::default() });
        Ok(Self { runtime: Some(runtime), callers })
    }

    /// The same answer, computed in the background. It is cancelled when the caller stops waiting.
    pub(crate) fn run(
        &self,
        answer: BoxFuture<Response, Infallible>,
        share: Option<Share>,
    ) -> BoxFuture<Response, Infallible> {
        let Some(threads) = self.threads() else { return answer };
        let callers = Arc::clone(&self.callers);
        Box::pin(async move {
            let permit = Callers::permit(&callers, share).await;
            let task = async move {
                let _permit = permit;
                answer.await
            };
            let stopping = |Stopping| Ok(refusal::going_away().into_http());
            finished(threads, task).await.unwrap_or_else(stopping)
        })
    }

    /// The same, with the whole body: messages are encoded in the background too. For responses
    /// that are not streams.
    pub(crate) fn run_whole(
        &self,
        answer: BoxFuture<Response, Infallible>,
        share: Option<Share>,
    ) -> BoxFuture<Response, Infallible> {
        let whole = async {
            let (head, body) = answer.await?.into_parts();
            Ok(match body.collect().await {
                Ok(collected) => http::Response::from_parts(head, Body::new(collected)),
                Err(status) => status.into_http(),
            })
        };
        self.run(Box::pin(whole), share)
    }

    fn threads(&self) -> Option<Handle> {
        self.runtime.as_ref().map(|runtime| runtime.handle().clone())
    }
}

/// The server stops.
struct Stopping;

async fn finished<T: Send + 'static>(
    threads: Handle,
    task: impl Future<Output = T> + Send + 'static,
) -> Result<T, Stopping> {
    let task = AbortOnDropHandle::new(threads.spawn(task.in_current_span()));
    match task.await {
        Ok(done) => Ok(done),
        // Continues the panic here, where it becomes an error response.
        Err(failed) => match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_stopping) => Err(Stopping),
        },
    }
}

/// Converts large messages in the background, in the share of one caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transcoder<'a> {
    pub(crate) background: &'a Background,
    pub(crate) share: Option<Share>,
}

impl Transcoder<'_> {
    /// Smaller messages take less time than passing them to another thread and back.
    const LARGE: usize = 16 * 1024;

    /// Runs `convert`, which takes time in proportion to `bytes`. None if the server stops.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        bytes: usize,
        convert: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        match self.background.threads() {
            Some(threads) if bytes >= Self::LARGE => {
                let permit = Callers::permit(&self.background.callers, self.share).await;
                let task = async move {
                    let _permit = permit;
                    convert()
                };
                finished(threads, task).await.ok()
            }
            _ => Some(convert()),
        }
    }
}

/// Limits how much of one caller runs at the same time; the rest waits.
#[derive(Debug)]
struct Callers {
    share: usize,
    permits: Mutex<HashMap<Share, Arc<Semaphore>>>,
}

/// Holds a permit of a caller.
struct Permit {
    held: Option<OwnedSemaphorePermit>,
    caller: Share,
    callers: Arc<Callers>,
}

impl Callers {
    async fn permit(this: &Arc<Self>, share: Option<Share>) -> Option<Permit> {
        let caller = share?;
        let semaphore = {
            let mut permits = this.permits.lock().unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(Semaphore::new(this.share));
            Arc::clone(permits.entry(caller).or_insert_with(new))
        };
        // Fails only if the semaphore was closed, which it never is.
        let held = semaphore.acquire_owned().await.ok();
        Some(Permit { held, caller, callers: Arc::clone(this) })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.held = None;
        let mut permits = self.callers.permits.lock().unwrap_or_else(PoisonError::into_inner);
        // No other call uses it or waits for it.
        if permits.get(&self.caller).is_some_and(|permits| Arc::strong_count(permits) == 1) {
            permits.remove(&self.caller);
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // A runtime that is dropped in an asynchronous task would panic.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_comes_from_another_thread_with_a_lower_priority() {
        let background = Background::start(Priority::Low).unwrap();
        let answer = background.run(
            Box::pin(async {
                let nice = rustix::process::getpriority_process(None).unwrap();
                let mut response = http::Response::new(tonic::body::Body::empty());
                response.extensions_mut().insert((nice, std::thread::current().id()));
                Ok(response)
            }),
            None,
        );
        let Ok(response) = answer.await;
        let own = rustix::process::getpriority_process(None).unwrap();
        let (nice, thread) = *response.extensions().get::<(i32, std::thread::ThreadId)>().unwrap();
        assert!(nice > own && thread != std::thread::current().id(), "{nice} {own}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_of_low_priority_is_interrupted_by_all_others() {
        let policy = || thread_priority::thread_schedule_policy().unwrap();
        let lowered = std::thread::spawn(move || {
            lower_priority();
            policy()
        });
        assert_ne!(lowered.join().unwrap(), policy());
    }

    #[tokio::test]
    #[should_panic(expected = "a defect")]
    async fn a_panic_reaches_the_caller() {
        let background = Background::start(Priority::Low).unwrap();
        let Ok(_never) = background.run(Box::pin(async { panic!("a defect") }), None).await;
    }
}
