//! Callers by gRPC, as programs call.

use azulejo_wire::engine::v1::engine_service_client::EngineServiceClient;
use tonic::metadata::MetadataValue;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::{ServerReflectionRequest, ServerReflectionResponse};
use tonic_types::StatusExt as _;

use crate::patience::{PATIENCE, soon, until_async};
use crate::process::Server;

pub(crate) type Engine = EngineServiceClient<Channel>;

pub(crate) async fn channel(url: String) -> Channel {
    soon("a connection", Channel::from_shared(url).unwrap().connect()).await.unwrap()
}

pub(crate) async fn engine(server: &Server) -> Engine {
    over(channel(server.url()).await)
}

pub(crate) fn over(channel: Channel) -> Engine {
    EngineServiceClient::new(channel).max_decoding_message_size(64 << 20)
}

/// The code and the reason of a refusal; every refusal of ours has one, in our domain.
#[track_caller]
pub(crate) fn refusal(status: &Status) -> (Code, String) {
    let info = status.get_details_error_info();
    let info = info.unwrap_or_else(|| panic!("a refusal without a reason: {status:?}"));
    assert_eq!(info.domain, "azulejo", "{status:?}");
    (status.code(), info.reason)
}

#[track_caller]
pub(crate) fn assert_refused<T: std::fmt::Debug>(
    answer: Result<T, Status>,
    code: Code,
    reason: &str,
) {
    assert_eq!(refusal(&answer.unwrap_err()), (code, reason.to_owned()));
}

/// The request with a header more.
pub(crate) fn with<T>(message: T, name: &'static str, value: &str) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert(name, MetadataValue::try_from(value).unwrap());
    request
}

/// What health says of a service, on the port at this address.
pub(crate) async fn health(url: String, service: &str) -> Result<ServingStatus, Status> {
    let channel = Channel::from_shared(url).unwrap().connect().await;
    let channel = channel.map_err(|away| Status::unavailable(away.to_string()))?;
    let request = HealthCheckRequest { service: service.to_owned() };
    let answer = soon("health", HealthClient::new(channel).check(request)).await?;
    Ok(answer.into_inner().status())
}

/// It is said of the service, at once or soon.
pub(crate) async fn assert_health(url: &str, service: &str, expected: ServingStatus) {
    until_async(&format!("{service} is {expected:?}"), PATIENCE, async || {
        let status = health(url.to_owned(), service).await.unwrap();
        (status == expected).then_some(())
    })
    .await;
}

/// A stream that stays open until somebody ends it.
pub(crate) struct OpenStream {
    /// While it lives, the caller has more to ask.
    questions: tokio::sync::mpsc::Sender<ServerReflectionRequest>,
    answers: tonic::Streaming<ServerReflectionResponse>,
}

impl OpenStream {
    /// By reflection; one question is asked and answered.
    pub(crate) async fn open(channel: Channel, timeout: Option<&str>) -> Result<Self, Status> {
        let (questions, asked) = tokio::sync::mpsc::channel(1);
        let asked = tokio_stream::wrappers::ReceiverStream::new(asked);
        let mut request = Request::new(asked);
        if let Some(timeout) = timeout {
            request.metadata_mut().insert("grpc-timeout", timeout.parse().unwrap());
        }
        let mut client = ServerReflectionClient::new(channel);
        let answers = soon("the stream begins", client.server_reflection_info(request)).await?;
        let mut stream = Self { questions, answers: answers.into_inner() };
        stream.ask().await?;
        Ok(stream)
    }

    /// One more question, and its answer.
    pub(crate) async fn ask(&mut self) -> Result<(), Status> {
        let list = Some(MessageRequest::ListServices(String::new()));
        let question = ServerReflectionRequest { host: String::new(), message_request: list };
        self.questions.send(question).await.unwrap();
        let answer = soon("an answer on the stream", self.answers.message()).await?;
        assert!(answer.unwrap().message_response.is_some());
        Ok(())
    }

    /// How the other side ends it: with nothing, or with a status.
    pub(crate) async fn end(mut self) -> Result<(), Status> {
        match soon("the stream ends", self.answers.message()).await {
            Ok(None) => Ok(()),
            Ok(Some(unasked)) => panic!("nobody asked for {unasked:?}"),
            Err(status) => Err(status),
        }
    }
}
