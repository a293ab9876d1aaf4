//! TLS on the public port: HTTP/2 and HTTP/1.1, as the client likes.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use rustls::ServerConfig;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt as _};

use crate::certificate::Certificate;

/// A client that has not shaken hands by then will not.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Connections that are ready and wait to be served.
const WAITING: usize = 64;

/// Shakes hands with this certificate, or the one that comes after it.
pub(crate) fn acceptor(certificate: Arc<Certificate>) -> Result<TlsAcceptor> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(certificate);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Connections after their handshake. Each shakes hands by itself, so that a slow one holds up
/// nobody.
pub(crate) fn shaken<S>(
    acceptor: TlsAcceptor,
    mut plain: S,
) -> impl Stream<Item = std::io::Result<TlsStream<TcpStream>>>
where
    S: Stream<Item = std::io::Result<TcpStream>> + Send + Unpin + 'static,
{
    let (ready, incoming) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        while let Some(connection) = plain.next().await {
            // A connection that cannot be accepted is the client's loss; the next one may do.
            let Ok(connection) = connection else { continue };
            if ready.is_closed() {
                break;
            }
            let (acceptor, ready) = (acceptor.clone(), ready.clone());
            tokio::spawn(async move {
                let shaken = tokio::time::timeout(HANDSHAKE, acceptor.accept(connection)).await;
                if let Ok(Ok(stream)) = shaken {
                    // If nobody takes it any more, the server stops.
                    let _taken = ready.send(Ok(stream)).await;
                }
            });
        }
    });
    ReceiverStream::new(incoming)
}
