//! Accepts connections: as many as there are file descriptors for, and of one address only a share
//! until a valid token came by them.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, StreamExt as _};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpStream};
use tonic::transport::server::TcpIncoming;

use crate::Share;
use crate::budget::Budget;
use crate::connection::{Connection, Peer, Timeouts};

/// TCP keepalive detects peers that have vanished. The pings of HTTP/2 would do the same, but they
/// cost time on every frame.
const KEEPALIVE: Duration = Duration::from_secs(20);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
const KEEPALIVE_RETRIES: u32 = 3;
/// When there are no file descriptors left, accepting again at once would fail again at once.
const PAUSE: Duration = Duration::from_millis(250);
/// The most connections by default: with the memory of a bot for each, less than 2 GB.
const MOST: usize = 16_384;
/// File descriptors for the store, the log, certificates and the admin port: an eighth, at least
/// this many.
const RESERVED: usize = 64;
const RESERVED_SHARE: usize = 8;
/// How many times as many connections are served as of one address without a token.
const PEERS_SHARE: usize = 2;

/// Lets the process open as many files as it may, and returns how many that are.
pub(crate) fn raise_file_limit() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: maximum, maximum };
    let limit = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => maximum,
        // It works with the lower limit too.
        Err(_) => current,
    };
    limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

/// The default of `--max-connections`.
fn most(files: usize) -> usize {
    files.saturating_sub((files / RESERVED_SHARE).max(RESERVED)).clamp(1, MOST)
}

#[derive(Clone, Debug)]
pub(crate) struct Connections {
    budget: Arc<Budget>,
    /// Whether addresses have shares.
    by_address: bool,
    pub(crate) timeouts: Timeouts,
}

impl Connections {
    /// `asked` is the most of them, if it is configured.
    pub(crate) fn new(asked: Option<usize>, by_address: bool, timeouts: Timeouts) -> Self {
        let files = raise_file_limit();
        let places = asked.unwrap_or_else(|| most(files));
        let share = if by_address { places.div_ceil(PEERS_SHARE) } else { places };
        Self { budget: Budget::new(places, share), by_address, timeouts }
    }

    /// A place for a connection; none if there is no more room for its address.
    pub(crate) fn admit(&self, stream: &TcpStream) -> Option<Peer> {
        let address = stream.peer_addr().ok()?.ip();
        let share = self.by_address.then(|| Share::of_address(address));
        Some(Peer::new(share, self.budget.enter(share)?))
    }

    /// A connection without TLS, if there is room for it.
    pub(crate) fn plain(&self, accepted: io::Result<TcpStream>) -> Option<io::Result<Connection>> {
        match accepted {
            Err(error) => Some(Err(error)),
            Ok(stream) => {
                let peer = self.admit(&stream)?;
                Some(Ok(Connection::plain(stream, peer, self.timeouts)))
            }
        }
    }
}

/// The connections of a port.
pub(crate) fn incoming(
    listener: TcpListener,
) -> impl Stream<Item = io::Result<TcpStream>> + Send + Unpin {
    // Responses are small: waiting to fill a packet would only delay them.
    TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .with_keepalive(Some(KEEPALIVE))
        .with_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .with_keepalive_retries(Some(KEEPALIVE_RETRIES))
        .then(|accepted| async move {
            if let Err(error) = &accepted
                && is_exhausted(error)
            {
                tracing::error!(%error, "cannot accept connections; trying again soon");
                tokio::time::sleep(PAUSE).await;
            }
            accepted
        })
        .boxed()
}

/// Whether the process or the system has no resources for another connection.
fn is_exhausted(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let code = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(code, Some(Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_files_are_reserved_and_there_is_always_room_for_a_connection() {
        assert_eq!(most(1024), 896);
        assert_eq!(most(256), 192);
        assert_eq!(most(10), 1);
        assert_eq!(most(usize::MAX), MOST);
    }

    #[test]
    fn the_limit_of_open_files_is_raised() {
        let files = raise_file_limit();
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        assert_eq!(current, maximum);
        assert_eq!(current.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap()), files);
    }
}
