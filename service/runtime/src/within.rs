//! Waits for an answer until its deadline, and survives its panics.

use std::any::Any;
use std::convert::Infallible;
use std::future::{Future as _, poll_fn};
use std::panic::AssertUnwindSafe;
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt as _;
use tonic::codegen::BoxFuture;

use crate::{Deadline, Response};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interrupted {
    Panicked,
    Late,
}

/// The answer, due at `due` or, without one, within `cap` from when it first has to be waited for.
pub(crate) async fn within(
    answer: BoxFuture<Response, Infallible>,
    due: Option<Deadline>,
    cap: Duration,
) -> Result<Response, Interrupted> {
    let mut answer = AssertUnwindSafe(answer).catch_unwind();
    // Most calls are answered at once: only those that are not need a timer.
    let mut timer = None;
    let answered = poll_fn(|cx| {
        if let Poll::Ready(answered) = answer.poll_unpin(cx) {
            return Poll::Ready(Some(answered));
        }
        let due = due.unwrap_or_else(|| Deadline::after(cap));
        let (due, timer) = timer
            .get_or_insert_with(|| (due, Box::pin(tokio::time::sleep_until(due.instant().into()))));
        // The answer itself may have woken this task after the deadline, before the timer.
        if due.has_passed() {
            return Poll::Ready(None);
        }
        timer.as_mut().poll(cx).map(|()| None)
    });
    match answered.await {
        Some(Ok(Ok(response))) => Ok(response),
        Some(Ok(Err(never))) => match never {},
        Some(Err(panic)) => {
            log(&*panic);
            Err(Interrupted::Panicked)
        }
        None => Err(Interrupted::Late),
    }
}

/// A panic is a defect of the server: it is logged, and the client learns nothing of it.
fn log(panic: &(dyn Any + Send)) {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    tracing::error!(panic = message.unwrap_or("of unknown kind"), "a call panicked");
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAP: Duration = Duration::from_millis(20);

    fn response() -> Response {
        http::Response::new(tonic::body::Body::empty())
    }

    #[tokio::test]
    async fn an_answer_in_time_is_returned() {
        assert!(within(Box::pin(async { Ok(response()) }), None, CAP).await.is_ok());
    }

    #[tokio::test]
    async fn an_answer_that_takes_too_long_is_given_up() {
        let late = within(Box::pin(std::future::pending()), None, CAP).await;
        assert_eq!(late.err(), Some(Interrupted::Late));
    }

    #[tokio::test]
    async fn a_panic_stays_in_its_call() {
        let panics = Box::pin(async { panic!("a defect") });
        assert_eq!(within(panics, None, CAP).await.err(), Some(Interrupted::Panicked));
    }
}
