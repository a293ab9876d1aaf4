//! gRPC clients.

pub(crate) use azulejo_tests::grpc::{assert_refused, channel, refusal};
use azulejo_tests::waiting::{PATIENCE, soon, until_async};
use azulejo_wire::engine::v1::engine_service_client::EngineServiceClient;
use tonic::metadata::MetadataValue;
use tonic::transport::Channel;
use tonic::{Request, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::{ServerReflectionRequest, ServerReflectionResponse};

use crate::process::Server;

pub(crate) type Engine = EngineServiceClient<Channel>;

pub(crate) async fn engine(server: &Server) -> Engine {
    over(channel(server.url()).await)
}

pub(crate) fn over(channel: Channel) -> Engine {
    EngineServiceClient::new(channel).max_decoding_message_size(64 << 20)
}

/// A request with this header.
pub(crate) fn with<T>(message: T, name: &'static str, value: &str) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert(name, MetadataValue::try_from(value).unwrap());
    request
}

/// The health of a service at this address.
pub(crate) async fn health(url: String, service: &str) -> Result<ServingStatus, Status> {
    let channel = Channel::from_shared(url).unwrap().connect().await;
    let channel = channel.map_err(|away| Status::unavailable(away.to_string()))?;
    let request = HealthCheckRequest { service: service.to_owned() };
    let answer = soon("health", HealthClient::new(channel).check(request)).await?;
    Ok(answer.into_inner().status())
}

/// The service has this health now or soon.
pub(crate) async fn assert_health(url: &str, service: &str, expected: ServingStatus) {
    until_async(&format!("{service} is {expected:?}"), PATIENCE, async || {
        let status = health(url.to_owned(), service).await.unwrap();
        (status == expected).then_some(())
    })
    .await;
}

/// A stream that stays open until one side ends it.
pub(crate) struct OpenStream {
    /// The request stream stays open until this is dropped.
    questions: tokio::sync::mpsc::Sender<ServerReflectionRequest>,
    answers: tonic::Streaming<ServerReflectionResponse>,
}

impl OpenStream {
    /// Opens a reflection stream; one request is sent and answered.
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

    /// Sends one more request and awaits its response.
    pub(crate) async fn ask(&mut self) -> Result<(), Status> {
        let list = Some(MessageRequest::ListServices(String::new()));
        let question = ServerReflectionRequest { host: String::new(), message_request: list };
        self.questions.send(question).await.unwrap();
        let answer = soon("an answer on the stream", self.answers.message()).await?;
        assert!(answer.unwrap().message_response.is_some());
        Ok(())
    }

    /// How the server ends it: normally, or with a status.
    pub(crate) async fn end(mut self) -> Result<(), Status> {
        match soon("the stream ends", self.answers.message()).await {
            Ok(None) => Ok(()),
            Ok(Some(unasked)) => panic!("an unexpected response: {unasked:?}"),
            Err(status) => Err(status),
        }
    }
}
