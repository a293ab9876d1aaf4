//! Why a server cannot start, or did not stop as it should.

use std::error::Error as _;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use rustls::pki_types::pem;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ServerError {
    #[error("cannot listen on {address}; choose another address with {flag}")]
    Listen { flag: &'static str, address: SocketAddr, source: io::Error },
    #[error("{flag}: cannot read {}", file.display())]
    Pem { flag: &'static str, file: PathBuf, source: pem::Error },
    #[error("--tls-cert and --tls-key: certificate and key do not match")]
    KeyPair(#[source] rustls::Error),
    #[error("cannot set up TLS")]
    Tls(#[from] rustls::Error),
    #[error("--log {filter:?} is not a valid log filter")]
    LogFilter { filter: String, source: tracing_subscriber::filter::ParseError },
    #[error("--otlp-endpoint {endpoint:?}")]
    Otlp { endpoint: String, source: opentelemetry_otlp::ExporterBuildError },
    #[error("the descriptors of the services do not fit together")]
    Descriptors(#[from] prost_reflect::DescriptorError),
    #[error("reflection is not available")]
    Reflection(#[from] tonic_reflection::server::Error),
    #[error("invalid metric")]
    Metric(#[from] prometheus::Error),
    #[error("cannot listen for {signal}")]
    Signal { signal: &'static str, source: io::Error },
    #[error("cannot start threads")]
    Threads(#[source] io::Error),
    #[error("cannot read the address of a port")]
    Address(#[from] io::Error),
    #[error("the server failed")]
    Transport(#[from] tonic::transport::Error),
    #[error("a task of the server failed")]
    Task(#[from] tokio::task::JoinError),
}

impl ServerError {
    /// The message with all its causes, for the log.
    pub(crate) fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        text
    }
}
