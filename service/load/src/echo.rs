//! The baseline of `load engine`: a bare tonic server that reads bytes and returns bytes.

use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};

use anyhow::Result;
use bytes::Bytes;
use clap::Args;
use tokio::net::TcpListener;
use tonic::body::Body;
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};
use tower::Service;

use super::raw::Raw;

pub(super) const PATH: &str = "/azulejo.load.Echo/Echo";

/// Answer every call with this many bytes. Started by `load engine`, as a separate process.
#[derive(Debug, Args)]
pub(super) struct Echo {
    #[arg(long)]
    answer_bytes: usize,
}

impl Echo {
    pub(super) async fn run(self) -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        say!("http://{}", listener.local_addr()?);
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        let service = EchoService { answer: Bytes::from(vec![0; self.answer_bytes]) };
        Ok(Server::builder().add_service(service).serve_with_incoming(incoming).await?)
    }
}

#[derive(Clone, Debug)]
struct EchoService {
    answer: Bytes,
}

impl NamedService for EchoService {
    const NAME: &'static str = "azulejo.load.Echo";
}

impl Service<http::Request<Body>> for EchoService {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let answer = Answer(self.answer.clone());
        Box::pin(async move { Ok(Grpc::new(Raw).unary(answer, request).await) })
    }
}

struct Answer(Bytes);

impl UnaryService<Bytes> for Answer {
    type Response = Bytes;
    type Future = Ready<Result<Response<Bytes>, Status>>;

    fn call(&mut self, _request: Request<Bytes>) -> Self::Future {
        ready(Ok(Response::new(self.0.clone())))
    }
}
