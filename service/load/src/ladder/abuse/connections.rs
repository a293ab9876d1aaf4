//! Connections on which nothing is ever called.

use std::time::Duration;

use anyhow::{Context as _, Result};
use tokio::net::TcpStream;

use super::{Abuser, Tally};

/// Connections of one client.
pub(super) const PER_CLIENT: usize = 500;
/// Between two attempts to open those that are closed.
const AGAIN: Duration = Duration::from_millis(200);

/// Opens connections, and opens new ones for those that the server closes.
pub(super) async fn idle(abuser: &Abuser, tally: &Tally) -> Result<()> {
    let host = abuser.url.strip_prefix("http://").context("the URL must begin with http://")?;
    let mut open: Vec<TcpStream> = Vec::with_capacity(PER_CLIENT);
    loop {
        open.retain(|stream| !is_closed(stream));
        while open.len() < PER_CLIENT {
            match TcpStream::connect(host).await {
                Ok(stream) => {
                    tally.answer();
                    open.push(stream);
                }
                Err(refused) => {
                    tally.refuse(&refused.into());
                    break;
                }
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

fn is_closed(stream: &TcpStream) -> bool {
    // An open HTTP/2 connection may have sent its settings, which are not read.
    matches!(stream.try_read(&mut [0; 64]), Ok(0))
}
