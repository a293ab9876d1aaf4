//! The way between a bot and its arena, as bad as it is told to be: slow, narrow, or cut.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

/// How good the way is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quality {
    /// For every byte, each way.
    pub(super) delay: Duration,
    /// Bytes a second, each way; 0: as many as there are.
    pub(super) width: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Link {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    leads_to: Mutex<SocketAddr>,
    quality: Quality,
    cuts: watch::Sender<u32>,
}

impl Link {
    pub(super) async fn to(arena: SocketAddr, quality: Quality) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Shared { leads_to: Mutex::new(arena), quality, cuts: watch::Sender::new(0) };
        let shared = Arc::new(shared);
        let accepting = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((bot, _)) = listener.accept().await {
                tokio::spawn(carry(bot, Arc::clone(&accepting)));
            }
        });
        Ok(Self { address, shared })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Ends every connection that there is; new ones are welcome.
    pub(super) fn cut(&self) {
        self.shared.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// Whoever comes from now on is led there.
    pub(super) fn lead_to(&self, arena: SocketAddr) {
        *self.shared.leads_to.lock().unwrap_or_else(PoisonError::into_inner) = arena;
    }
}

async fn carry(bot: TcpStream, shared: Arc<Shared>) {
    let mut cuts = shared.cuts.subscribe();
    let to = *shared.leads_to.lock().unwrap_or_else(PoisonError::into_inner);
    // Nobody there: the connection just ends.
    let Ok(arena) = TcpStream::connect(to).await else { return };
    let _small_packets = (bot.set_nodelay(true), arena.set_nodelay(true));
    let (from_bot, to_bot) = bot.into_split();
    let (from_arena, to_arena) = arena.into_split();
    // Where one side says no more, the other is told so, and may still finish what it has to say.
    let both = async {
        tokio::join!(
            one_way(from_bot, to_arena, shared.quality),
            one_way(from_arena, to_bot, shared.quality)
        )
    };
    tokio::select! { _ = both => {}, _ = cuts.changed() => {} }
}

/// Bytes are on their way for the delay, one after another where it is narrow.
async fn one_way(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    quality: Quality,
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
            if quality.width > 0 {
                let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                tokio::time::sleep(Duration::from_secs(1) * length / quality.width).await;
            }
            if to.write_all(&bytes).await.is_err() {
                return;
            }
        }
    };
    // What was read before the end is still on its way then; a writer that fails ends both.
    tokio::pin!(write);
    tokio::select! { () = &mut write => {}, () = read => write.await }
}
