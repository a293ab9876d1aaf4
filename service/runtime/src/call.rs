//! A call on its way: measured, admitted, in time.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;

use tonic::codegen::BoxFuture;
use tracing::Instrument as _;

use crate::admission::Entrance;
use crate::front::FrontConfig;
use crate::methods::{Kind, Method};
use crate::observe::Begun;
use crate::sent::Answer;
use crate::stream_end::ended_early;
use crate::within::{Interrupted, within};
use crate::{Deadline, Response, explain, refusal};

/// A call that a service is ready to answer.
pub(crate) struct Call {
    pub(crate) method: Arc<Method>,
    pub(crate) begun: Begun,
    /// Where it has to enter, if it needs a place.
    pub(crate) entrance: Option<Entrance>,
    /// When the answer is due, if the caller set a deadline.
    pub(crate) due: Option<Deadline>,
    /// When the caller's stream ends.
    pub(crate) until: Option<Deadline>,
    pub(crate) answer: BoxFuture<Response, Infallible>,
}

impl Call {
    pub(crate) async fn answered(self, config: &FrontConfig) -> Answer {
        let Self { method, begun, entrance, due, until, answer } = self;
        let answer = async {
            match within(answer, due, config.call_timeout).await {
                Ok(response) => response,
                Err(Interrupted::Panicked) => refusal::internal().into_http(),
                Err(Interrupted::Late) => refusal::deadline_exceeded().into_http(),
            }
        };
        let answer = admitted(answer, entrance);
        let mut answer = match &begun.span {
            None => answer.await,
            Some(span) => answer.instrument(span.clone()).await,
        };
        // Watching the health of a stopping server ends by itself, with its last state.
        if !method.is_unary && method.service != Kind::Health {
            answer.response = ended_early(answer.response, until, &config.ending);
        }
        let code = explain::with_reason(&mut answer.response);
        config.observer.end(begun, &method, code);
        answer
    }
}

async fn admitted(answer: impl Future<Output = Response>, entrance: Option<Entrance>) -> Answer {
    match entrance.map(|entrance| entrance.enter()).transpose() {
        Ok(place) => Answer { response: answer.await, place },
        Err(full) => full.into_http().into(),
    }
}
