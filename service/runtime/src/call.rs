//! A call on its way: measured, admitted, in time.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;

use tonic::codegen::BoxFuture;
use tracing::Instrument as _;

use crate::admission::Admission;
use crate::front::FrontConfig;
use crate::methods::{Kind, Method};
use crate::observe::Begun;
use crate::within::{Interrupted, within};
use crate::{Deadline, Response, explain, refusal};

/// A call that a service is ready to answer.
pub(crate) struct Call {
    pub(crate) method: Arc<Method>,
    pub(crate) begun: Begun,
    /// When the answer is due, if the caller set a deadline.
    pub(crate) due: Option<Deadline>,
    /// When the caller's stream ends.
    pub(crate) until: Option<Deadline>,
    pub(crate) answer: BoxFuture<Response, Infallible>,
}

impl Call {
    pub(crate) async fn answered(self, config: &FrontConfig) -> Response {
        let Self { method, begun, due, until, answer } = self;
        let answer = async {
            match within(answer, due, config.call_timeout).await {
                Ok(response) => response,
                Err(Interrupted::Panicked) => refusal::panicked().into_http(),
                Err(Interrupted::Late) => refusal::deadline_exceeded().into_http(),
            }
        };
        let answer = admitted(answer, &config.admission, &method, until);
        let mut response = match &begun.span {
            None => answer.await,
            Some(span) => answer.instrument(span.clone()).await,
        };
        let code = explain::with_reason(&mut response);
        config.observer.end(begun, &method, code);
        response
    }
}

async fn admitted(
    answer: impl Future<Output = Response>,
    admission: &Admission,
    method: &Method,
    until: Option<Deadline>,
) -> Response {
    // Health checks are answered even when the server is full.
    if method.service == Kind::Health {
        return answer.await;
    }
    let place = match admission.enter() {
        Ok(place) => place,
        Err(full) => return full.into_http(),
    };
    let response = answer.await;
    if method.is_unary {
        // The body is complete: there is nothing left to wait for.
        return response;
    }
    admission.held(response, place, until)
}
