//! TLS on the public port: HTTP/2 and HTTP/1.1, as the client likes.

use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt as _};

use crate::certificate::Certificate;
use crate::connection::Connection;
use crate::connections::Connections;

/// A handshake that takes longer is given up.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Connections that are ready and wait to be served.
const WAITING: usize = 64;

/// Accepts connections with this certificate, or the one that replaces it.
pub(crate) fn acceptor(certificate: Arc<Certificate>) -> Result<TlsAcceptor, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(certificate);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Connections after their handshake. Handshakes run concurrently, so that a slow one delays no
/// other.
pub(crate) fn accept_tls<S>(
    acceptor: TlsAcceptor,
    connections: Connections,
    mut plain: S,
) -> impl Stream<Item = std::io::Result<Connection>>
where
    S: Stream<Item = std::io::Result<TcpStream>> + Send + Unpin + 'static,
{
    let (ready, incoming) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        while let Some(connection) = plain.next().await {
            // The next connection may be fine.
            let Ok(connection) = connection else { continue };
            if ready.is_closed() {
                break;
            }
            let Some(peer) = connections.admit(&connection) else { continue };
            let timeouts = connections.timeouts;
            let (acceptor, ready) = (acceptor.clone(), ready.clone());
            tokio::spawn(async move {
                let accepted =
                    tokio::time::timeout(HANDSHAKE_TIMEOUT, acceptor.accept(connection)).await;
                if let Ok(Ok(stream)) = accepted {
                    // Fails only when the server is stopping.
                    let _sent = ready.send(Ok(Connection::tls(stream, peer, timeouts))).await;
                }
            });
        }
    });
    ReceiverStream::new(incoming)
}
