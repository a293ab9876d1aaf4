//! A door in front of arenas, as a load balancer is one: bots know its address alone.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Door {
    address: SocketAddr,
    leads_to: Arc<Mutex<SocketAddr>>,
}

impl Door {
    pub(crate) async fn to(arena: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let leads_to = Arc::new(Mutex::new(arena));
        let current = Arc::clone(&leads_to);
        tokio::spawn(async move {
            while let Ok((mut outside, _)) = listener.accept().await {
                let arena = *current.lock().unwrap();
                tokio::spawn(async move {
                    // Nobody behind it: the connection just ends.
                    let mut inside = TcpStream::connect(arena).await?;
                    outside.set_nodelay(true)?;
                    inside.set_nodelay(true)?;
                    tokio::io::copy_bidirectional(&mut outside, &mut inside).await
                });
            }
        });
        Self { address, leads_to }
    }

    /// Whoever comes from now on is led there; whoever is inside stays.
    pub(crate) fn lead_to(&self, arena: SocketAddr) {
        *self.leads_to.lock().unwrap() = arena;
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}
