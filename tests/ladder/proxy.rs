//! A TCP proxy in front of arenas, like a load balancer: bots know only its address.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Proxy {
    address: SocketAddr,
    target: Arc<Mutex<SocketAddr>>,
}

impl Proxy {
    pub(crate) async fn to(arena: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let target = Arc::new(Mutex::new(arena));
        let current = Arc::clone(&target);
        tokio::spawn(async move {
            while let Ok((mut outside, _)) = listener.accept().await {
                let arena = *current.lock().unwrap();
                tokio::spawn(async move {
                    // If no arena listens, the connection just ends.
                    let mut inside = TcpStream::connect(arena).await?;
                    outside.set_nodelay(true)?;
                    inside.set_nodelay(true)?;
                    tokio::io::copy_bidirectional(&mut outside, &mut inside).await
                });
            }
        });
        Self { address, target }
    }

    /// New connections go to this arena; open connections are not affected.
    pub(crate) fn switch_to(&self, arena: SocketAddr) {
        *self.target.lock().unwrap() = arena;
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}
