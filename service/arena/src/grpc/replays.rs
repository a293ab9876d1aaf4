//! Replays of stored matches that a call of a bot or a watcher needs: on threads of low priority, so
//! that turns and clocks do not wait for them, and only a few at the same time.

use std::num::NonZero;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tonic::Status;

#[derive(Clone, Debug)]
pub(super) struct Replays(Arc<Semaphore>);

impl Default for Replays {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self(Arc::new(Semaphore::new(cores)))
    }
}

impl Replays {
    /// Runs this work when it is its turn. It is finished, and counts, also if its caller no longer
    /// waits.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        replay: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Status> {
        let turn = Arc::clone(&self.0).acquire_owned().await;
        let turn = turn.map_err(|_closed| azulejo_runtime::internal())?;
        let replayed = azulejo_runtime::at_low_priority(move || {
            let _until_done = turn;
            replay()
        });
        // A panic is logged where it happens.
        replayed.await.map_err(|_panicked| azulejo_runtime::internal())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn as_many_replays_run_as_there_are_cores_also_if_their_callers_have_gone() {
        let replays = Replays(Arc::new(Semaphore::new(1)));
        let (end, ended) = mpsc::channel::<()>();
        let mut first = Box::pin(replays.run(move || ended.recv().is_ok()));
        assert!(first.as_mut().now_or_never().is_none());
        drop(first);
        let mut second = Box::pin(replays.run(|| std::thread::current().id()));
        assert!(second.as_mut().now_or_never().is_none(), "the first one has not ended");
        end.send(()).unwrap();
        assert_ne!(second.await.unwrap(), std::thread::current().id());
    }

    #[tokio::test]
    async fn a_replay_that_panics_is_an_error() {
        let replays = Replays::default();
        let failed = replays.run(|| panic!("a defect")).await.unwrap_err();
        assert_eq!(failed.code(), tonic::Code::Internal);
    }
}
