//! The connection to the server, and the classification of its errors.

use std::pin::Pin;
use std::time::Duration;

use azulejo_wire::arena::v1 as pb;
use azulejo_wire::engine::v1::engine_service_client::EngineServiceClient;
use pb::bots_service_client::BotsServiceClient;
use thiserror::Error;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::Options;

/// Deadline of a call. It is then retried.
const CALL: Duration = Duration::from_secs(10);

/// Attempts to register.
const REGISTER_ATTEMPTS: u32 = 4;

/// An error that a retry cannot fix.
#[derive(Debug, Error)]
pub enum Error {
    #[error("invalid server address: {0}")]
    Address(#[from] tonic::transport::Error),
    #[error("the token contains invalid characters")]
    Token,
    #[error("the trace context contains invalid characters")]
    TraceParent,
    #[error("the server refused the call: {} ({})", .0.message(), reason(.0).unwrap_or_default())]
    Refused(Box<Status>),
}

/// The stable reason of an error.
#[must_use]
pub fn reason(status: &Status) -> Option<String> {
    status.get_details_error_info().map(|info| info.reason)
}

/// Whether the same call may succeed later. The transport itself raises CANCELLED, UNKNOWN and
/// INTERNAL, without a reason, when a server disconnects in the middle of a call.
#[expect(clippy::wildcard_enum_match_arm, reason = "all other codes are meant")]
pub(crate) fn is_passing(status: &Status) -> bool {
    match status.code() {
        Code::Unavailable | Code::DeadlineExceeded | Code::ResourceExhausted => true,
        Code::Cancelled | Code::Unknown | Code::Internal => reason(status).is_none(),
        _ => false,
    }
}

/// The delay before the attempt with this number: exponential, with jitter.
pub(crate) fn backoff(attempt: u32, status: Option<&Status>) -> Duration {
    let asked = status.and_then(|status| status.get_details_retry_info()?.retry_delay);
    let base = Duration::from_millis(50 << attempt.min(7));
    let mut dice = [0; 2];
    let _no_dice = getrandom::fill(&mut dice);
    let jitter = 0.5 + f64::from(u16::from_le_bytes(dice)) / f64::from(u16::MAX);
    asked.unwrap_or_default().max(base.min(Duration::from_secs(5))).mul_f64(jitter)
}

#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) channel: Channel,
    bearer: MetadataValue<Ascii>,
    traceparent: Option<MetadataValue<Ascii>>,
}

impl Link {
    /// A new channel: one whose server has stopped may never recover.
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let bearer = format!("Bearer {}", options.token.0).parse().map_err(|_| Error::Token)?;
        let traceparent = options.traceparent.as_deref().map(str::parse).transpose();
        let traceparent = traceparent.map_err(|_| Error::TraceParent)?;
        Ok(Self { channel: channel(&options.server)?, bearer, traceparent })
    }

    pub(crate) fn call<T>(&self, message: T) -> Request<T> {
        let mut request = self.stream(message);
        request.set_timeout(CALL);
        request
    }

    pub(crate) fn stream<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.metadata_mut().insert("authorization", self.bearer.clone());
        if let Some(traceparent) = &self.traceparent {
            request.metadata_mut().insert("traceparent", traceparent.clone());
        }
        request
    }
}

/// The endpoint of a server. For `https://…` its certificate must be signed by a CA of the system
/// or of the file in `SSL_CERT_FILE`.
pub fn endpoint(server: &str) -> Result<Endpoint, Error> {
    let endpoint = Endpoint::from_shared(server.to_owned())?;
    if endpoint.uri().scheme_str() == Some("https") {
        return Ok(endpoint.tls_config(ClientTlsConfig::new().with_native_roots())?);
    }
    Ok(endpoint)
}

/// A connection that is being opened.
type Connecting = Pin<Box<dyn Future<Output = Result<Channel, tonic::transport::Error>> + Send>>;

/// Connects to an [`endpoint`].
// Boxed, so that the client is compiled in this crate and not in each that awaits this.
#[must_use]
pub fn connect(endpoint: Endpoint) -> Connecting {
    Box::pin(async move { endpoint.connect().await })
}

fn channel(server: &str) -> Result<Channel, Error> {
    let endpoint = endpoint(server)?
        .connect_timeout(Duration::from_secs(5))
        .tcp_nodelay(true)
        .http2_keep_alive_interval(Duration::from_secs(10))
        .keep_alive_timeout(Duration::from_secs(5))
        .keep_alive_while_idle(true);
    Ok(endpoint.connect_lazy())
}

/// A client of a server's engine: every call of `EngineService`, typed. It connects on the first
/// call and reconnects when needed.
///
/// To look ahead, a Rust bot needs no server: [`Table`](crate::engine::Table) is the same engine.
pub fn engine_client(server: &str) -> Result<EngineClient, Error> {
    Ok(EngineServiceClient::new(channel(server)?))
}

/// A client of the engine.
pub type EngineClient = EngineServiceClient<Channel>;

/// Registers a bot of a new owner. If a response is lost, the request is repeated with the same id,
/// so that no name is taken by a bot whose token never arrived.
pub async fn register(
    server: &str,
    owner: &str,
    name: &str,
    invitation: &str,
) -> Result<pb::RegisterBotResponse, Error> {
    let mut client = BotsServiceClient::new(channel(server)?);
    let message = pb::RegisterBotRequest {
        owner: owner.to_owned(),
        name: name.to_owned(),
        invitation: invitation.to_owned(),
        request_id: Uuid::new_v4().to_string(),
    };
    let mut attempt = 0;
    loop {
        let mut request = Request::new(message.clone());
        request.set_timeout(CALL);
        let status = match client.register_bot(request).await {
            Ok(registered) => return Ok(registered.into_inner()),
            Err(status) => status,
        };
        attempt += 1;
        // A quota stays used up; an overload passes.
        let has_no_quota = reason(&status).as_deref() == Some("QUOTA");
        if attempt == REGISTER_ATTEMPTS || has_no_quota || !is_passing(&status) {
            return Err(Error::Refused(Box::new(status)));
        }
        tokio::time::sleep(backoff(attempt, Some(&status))).await;
    }
}
