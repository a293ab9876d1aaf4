//! Reads and pages run on threads of low priority: however many readers there are, the scheduler
//! prefers turns and clocks.

use std::convert::Infallible;
use std::io;

use tokio::runtime::{Builder, Runtime};
use tokio_util::task::AbortOnDropHandle;
use tonic::codegen::BoxFuture;
use tracing::Instrument as _;

use crate::{Response, refusal};

/// How nice the threads are to others, from 0 to 19.
const NICE: i32 = 10;

#[derive(Debug)]
pub(crate) struct Background(Option<Runtime>);

impl Background {
    pub(crate) fn start() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .thread_name("background")
            .enable_all()
            .on_thread_start(|| {
                // On Linux, a thread has a priority of its own. Without one it works too.
                let _unchanged = rustix::process::setpriority_process(None, NICE);
            })
            .build()?;
        Ok(Self(Some(runtime)))
    }

    /// The same answer, computed in the background. It is cancelled when the caller stops waiting.
    pub(crate) fn run(
        &self,
        answer: BoxFuture<Response, Infallible>,
    ) -> BoxFuture<Response, Infallible> {
        let Some(runtime) = self.0.as_ref().map(|runtime| runtime.handle().clone()) else {
            return answer;
        };
        Box::pin(async move {
            let task = AbortOnDropHandle::new(runtime.spawn(answer.in_current_span()));
            match task.await {
                Ok(answered) => answered,
                // Continues the panic here, where it becomes an error response.
                Err(failed) => match failed.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(_stopping) => Ok(refusal::going_away().into_http()),
                },
            }
        })
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // A runtime that is dropped in an asynchronous task would panic.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_comes_from_another_thread_with_a_lower_priority() {
        let background = Background::start().unwrap();
        let answer = background.run(Box::pin(async {
            let nice = rustix::process::getpriority_process(None).unwrap();
            let mut response = http::Response::new(tonic::body::Body::empty());
            response.extensions_mut().insert((nice, std::thread::current().id()));
            Ok(response)
        }));
        let Ok(response) = answer.await;
        let own = rustix::process::getpriority_process(None).unwrap();
        let (nice, thread) = *response.extensions().get::<(i32, std::thread::ThreadId)>().unwrap();
        assert!(nice > own && thread != std::thread::current().id(), "{nice} {own}");
    }

    #[tokio::test]
    #[should_panic(expected = "a defect")]
    async fn a_panic_reaches_the_caller() {
        let background = Background::start().unwrap();
        let Ok(_never) = background.run(Box::pin(async { panic!("a defect") })).await;
    }
}
