//! A call on its way: watched, admitted, in time.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt as _;
use tonic::codegen::BoxFuture;
use tracing::Instrument as _;

use crate::admission::Admission;
use crate::front::Rules;
use crate::methods::{Kind, Method};
use crate::observe::Begun;
use crate::{Deadline, Response, explain, refusal};

/// A call that a service is ready to answer.
pub(crate) struct Call {
    pub(crate) method: Arc<Method>,
    pub(crate) begun: Begun,
    /// When a caller who says how long he waits has to be answered.
    pub(crate) due: Option<Deadline>,
    /// When his stream ends.
    pub(crate) until: Option<Deadline>,
    pub(crate) answer: BoxFuture<Response, Infallible>,
}

impl Call {
    /// Its answer: watched, admitted, in time.
    pub(crate) async fn answered(self, rules: &Rules) -> Response {
        let Self { method, begun, due, until, answer } = self;
        let answer = in_time(answer, due, rules.call_timeout);
        let answer = admitted(answer, &rules.admission, &method, until);
        let mut response = match &begun.span {
            None => answer.await,
            Some(span) => answer.instrument(span.clone()).await,
        };
        let code = explain::with_reason(&mut response);
        rules.observer.end(begun, &method, code);
        response
    }
}

async fn admitted(
    answer: impl Future<Output = Response>,
    admission: &Admission,
    method: &Method,
    until: Option<Deadline>,
) -> Response {
    // Whoever asks whether the server lives must be told so even when it is full.
    if method.service == Kind::Health {
        return answer.await;
    }
    let place = match admission.enter() {
        Ok(place) => place,
        Err(full) => return full.into_http(),
    };
    let response = answer.await;
    if method.is_unary {
        // The body of the answer is there with it: nothing is left to wait for.
        return response;
    }
    admission.held(response, place, until)
}

async fn in_time(
    answer: BoxFuture<Response, Infallible>,
    due: Option<Deadline>,
    cap: Duration,
) -> Response {
    let mut answer = AssertUnwindSafe(answer).catch_unwind();
    // Most calls are answered at once: only those that are not need a clock.
    let mut clock = None;
    let answered = poll_fn(|cx| {
        if let Poll::Ready(answered) = answer.poll_unpin(cx) {
            return Poll::Ready(Some(answered));
        }
        let due = due.unwrap_or_else(|| Deadline::after(cap));
        let (due, clock) = clock
            .get_or_insert_with(|| (due, Box::pin(tokio::time::sleep_until(due.instant().into()))));
        // Whoever woke us: when it is time, it is time.
        if due.has_passed() {
            return Poll::Ready(None);
        }
        clock.as_mut().poll(cx).map(|()| None)
    });
    match answered.await {
        Some(Ok(Ok(response))) => response,
        Some(Ok(Err(never))) => match never {},
        Some(Err(panic)) => explain::panicked(&*panic),
        None => refusal::deadline_exceeded().into_http(),
    }
}
