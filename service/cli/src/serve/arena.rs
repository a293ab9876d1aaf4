//! The arena of a server: opened before the first call, closed after the last one.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use azulejo_arena::arena_loop::{Arena, ArenaLoop};
use azulejo_arena::grpc::Services;
use azulejo_arena::store::StoreLock;
use azulejo_runtime::ServerOptions;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use super::organiser::{self, Organiser};
use super::{ArenaOptions, demo};

/// An arena that is open but not running yet.
pub(super) struct OpenArena {
    arena_loop: ArenaLoop,
    pub(super) services: Services,
    pub(super) organiser: Organiser,
    lock: Option<StoreLock>,
    /// The demo bots and their tokens.
    demo_bots: Vec<(&'static demo::DemoBot, String)>,
}

/// A running arena.
pub(super) struct RunningArena {
    pub(super) arena: Arena,
    arena_loop: JoinHandle<Result<()>>,
    demo_bots: Vec<JoinHandle<()>>,
    close: CancellationToken,
    /// Held until the arena has closed.
    _lock: Option<StoreLock>,
}

impl OpenArena {
    pub(super) async fn open(
        arena: &ArenaOptions,
        options: &ServerOptions,
        demo: bool,
    ) -> Result<Self> {
        let from_file = arena.admin_token()?;
        let (mut arena_loop, lock) = arena.open(from_file.as_deref()).await?;
        let organiser = match (from_file, arena.first_token_file()) {
            (Some(token), _) => {
                arena_loop.trust_admin(&token);
                Organiser::Existing
            }
            (None, _) if arena_loop.has_admin() => Organiser::Existing,
            (None, None) => Organiser::Missing,
            (None, Some(file)) => {
                arena_loop.kept_admin(|token| organiser::write(&file, token)).await?;
                Organiser::Created(file)
            }
        };
        let mut demo_bots = Vec::new();
        if demo {
            for bot in &demo::DEMO_BOTS {
                let token = arena_loop.house_bot(bot.name).await?;
                demo_bots.push((bot, token.context("cannot register a demo bot")?));
            }
        }
        let max_bytes = options.max_request_bytes.get();
        let services = Services::new(arena_loop.arena(), max_bytes, options.call_timeout);
        let services = services.with_limits(arena.quotas.calls());
        Ok(Self { arena_loop, services, organiser, lock, demo_bots })
    }

    /// The web UI.
    pub(super) fn pages(&self) -> Routes {
        Routes::from(azulejo_web::pages(self.arena_loop.arena()))
    }

    /// Runs the arena until it is closed. If it fails, it stops the server.
    pub(super) fn run(self, public: SocketAddr, stop: CancellationToken) -> RunningArena {
        let Self { arena_loop, demo_bots, lock, .. } = self;
        let close = CancellationToken::new();
        let arena = arena_loop.arena();
        notify_on_stop(arena.clone(), stop.clone());
        let demo_bots = demo_bots
            .into_iter()
            .map(|(bot, token)| demo::start(bot, &token, public, stop.clone()))
            .collect();
        // On its own thread and runtime: a long batch does not delay the connections, and busy
        // connections do not delay the timers of the loop.
        let arena_loop = tokio::task::spawn_blocking({
            let close = close.clone();
            move || {
                // However the loop ends, also by a panic: without it nothing works.
                let _stop = stop.drop_guard();
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                let ended = runtime.map(|runtime| runtime.block_on(arena_loop.run(close)));
                Ok(ended??)
            }
        });
        RunningArena { arena, arena_loop, demo_bots, close, _lock: lock }
    }
}

/// Notifies connected clients before the server closes their streams.
fn notify_on_stop(arena: Arena, stop: CancellationToken) {
    tokio::spawn(async move {
        stop.cancelled().await;
        arena.going_away();
    });
}

impl RunningArena {
    /// Stops the arena. To be called after the last call has ended.
    pub(super) async fn close(self) -> Result<()> {
        self.close.cancel();
        for bot in self.demo_bots {
            bot.abort();
        }
        self.arena_loop.await?
    }
}
