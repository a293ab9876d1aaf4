//! A TCP proxy between a bot and its arena that can delay, throttle and cut connections.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

/// Delay and bandwidth of a link.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinkQuality {
    /// For every byte, in each direction.
    pub(super) delay: Duration,
    /// In each direction; 0 for no limit.
    pub(super) bytes_per_second: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Link {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    target: Mutex<SocketAddr>,
    quality: LinkQuality,
    cuts: watch::Sender<u32>,
}

impl Link {
    pub(super) async fn to(arena: SocketAddr, quality: LinkQuality) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Shared { target: Mutex::new(arena), quality, cuts: watch::Sender::new(0) };
        let shared = Arc::new(shared);
        let accepting = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((bot, _)) = listener.accept().await {
                tokio::spawn(forward(bot, Arc::clone(&accepting)));
            }
        });
        Ok(Self { address, shared })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Closes all connections. New ones are accepted.
    pub(super) fn cut(&self) {
        self.shared.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// New connections are forwarded to this address.
    pub(super) fn set_target(&self, arena: SocketAddr) {
        *self.shared.target.lock().unwrap_or_else(PoisonError::into_inner) = arena;
    }
}

async fn forward(bot: TcpStream, shared: Arc<Shared>) {
    let mut cuts = shared.cuts.subscribe();
    let to = *shared.target.lock().unwrap_or_else(PoisonError::into_inner);
    // If no arena listens, the connection is closed.
    let Ok(arena) = TcpStream::connect(to).await else { return };
    let _small_packets = (bot.set_nodelay(true), arena.set_nodelay(true));
    let (from_bot, to_bot) = bot.into_split();
    let (from_arena, to_arena) = arena.into_split();
    // A half-closed connection stays open in the other direction.
    let both = async {
        tokio::join!(
            copy(from_bot, to_arena, shared.quality),
            copy(from_arena, to_bot, shared.quality)
        )
    };
    tokio::select! { _ = both => {}, _ = cuts.changed() => {} }
}

/// Copies bytes in one direction, delayed and throttled.
async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    quality: LinkQuality,
) {
    let (sender, mut arriving) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    let read = async move {
        let mut buffer = vec![0; 4096];
        while let Ok(length @ 1..) = from.read(&mut buffer).await {
            if sender.send((Instant::now() + quality.delay, buffer[..length].to_vec())).is_err() {
                return;
            }
        }
    };
    let write = async {
        while let Some((due, bytes)) = arriving.recv().await {
            tokio::time::sleep_until(due.into()).await;
            if quality.bytes_per_second > 0 {
                let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                tokio::time::sleep(Duration::from_secs(1) * length / quality.bytes_per_second)
                    .await;
            }
            if to.write_all(&bytes).await.is_err() {
                return;
            }
        }
    };
    // After the last read, the bytes in transit are still written; a failed write ends both.
    tokio::pin!(write);
    tokio::select! { () = &mut write => {}, () = read => write.await }
}
