//! The arena in a server: opened before the first call, closed after the last.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use azulejo_arena::desk::{Arena, Desk, Stopped};
use azulejo_arena::grpc::Services;
use azulejo_runtime::ServerOptions;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use super::{ArenaOptions, demo};

/// An arena that is open but does nothing yet.
pub(super) struct House {
    desk: Desk,
    pub(super) services: Services,
    /// Shown once, at the very first start.
    pub(super) admin_token: Option<String>,
    /// Bots of the demo, by name, with their tokens.
    bots: Vec<(&'static demo::Fighter, String)>,
}

/// An arena at work.
pub(super) struct Kept {
    pub(super) arena: Arena,
    desk: JoinHandle<Result<(), Stopped>>,
    bots: Vec<JoinHandle<()>>,
    close: CancellationToken,
}

impl House {
    pub(super) async fn open(
        arena: &ArenaOptions,
        options: &ServerOptions,
        demo: bool,
    ) -> Result<Self> {
        let given = arena.admin_token()?;
        let mut desk = arena.open(given.as_deref()).await?;
        let admin_token = match given {
            None => desk.first_admin().await?,
            Some(token) => {
                desk.trust_admin(&token);
                None
            }
        };
        let mut bots = Vec::new();
        if demo {
            for fighter in &demo::FIGHTERS {
                let token = desk.house_bot(fighter.name).await?;
                bots.push((fighter, token.context("a house bot has no name")?));
            }
        }
        let most = options.max_request_bytes.get();
        let services = Services::new(desk.arena(), most, options.call_timeout);
        Ok(Self { desk, services, admin_token, bots })
    }

    /// What the port shows to a browser.
    pub(super) fn pages(&self) -> Routes {
        Routes::from(azulejo_web::pages(self.desk.arena()))
    }

    /// Lets it work until it is closed. If it has to stop by itself, so does the server.
    pub(super) fn keep(self, public: SocketAddr, stop: CancellationToken) -> Kept {
        let Self { desk, bots, .. } = self;
        let close = CancellationToken::new();
        let arena = desk.arena();
        tell_when_stopping(arena.clone(), stop.clone());
        let bots = bots
            .into_iter()
            .map(|(fighter, token)| demo::enter(fighter, &token, public, stop.clone()))
            .collect();
        // On a thread of its own: while it works through a batch, connections are still read.
        let desk = tokio::task::spawn_blocking({
            let (close, runtime) = (close.clone(), Handle::current());
            move || {
                let ended = runtime.block_on(desk.run(close));
                stop.cancel();
                ended
            }
        });
        Kept { arena, desk, bots, close }
    }
}

/// Whoever listens hears it before the streams end.
pub(crate) fn tell_when_stopping(arena: Arena, stop: CancellationToken) {
    tokio::spawn(async move {
        stop.cancelled().await;
        arena.going_away();
    });
}

impl Kept {
    /// Ends after the last call: nothing can come any more.
    pub(super) async fn close(self) -> Result<()> {
        self.close.cancel();
        for bot in self.bots {
            bot.abort();
        }
        Ok(self.desk.await??)
    }
}
