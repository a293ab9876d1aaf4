//! An arena inside this process. It has its own runtime, so that stopping it ends all its tasks.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use azulejo_arena::arena_loop::{Arena, ArenaLoop};
use azulejo_arena::command::{CreateInvitations, Organiser, RegisterBot};
use azulejo_arena::grpc::Services;
use azulejo_arena::names::{BotId, Owner};
use azulejo_arena::record::Bytes32;
use azulejo_arena::state::Settings;
use azulejo_runtime::{App, CpuPool, FastPath, LogFormat, Registry, ServerOptions, Telemetry};
use azulejo_wire::served::arena::play_service_server::PlayServiceServer;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use super::fault_proxy::{FaultInjector, FaultProxy};
use super::{Fault, Journal};

/// The owner of all bots of a run. Registration is by invitation only.
const OWNER: &str = "you";

/// The store of a local arena, and the address that it listens on.
#[derive(Clone, Debug)]
pub(crate) struct LocalArenaConfig {
    pub(crate) store: String,
    /// Port 0: any free port.
    pub(crate) listen: SocketAddr,
}

impl LocalArenaConfig {
    /// Nothing on disk, any free port.
    pub(crate) fn in_memory() -> Self {
        Self { store: "memory".to_owned(), listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)) }
    }
}

/// A running arena.
#[derive(Debug)]
pub(crate) struct LocalArena {
    pub(crate) arena: Arena,
    pub(crate) public: SocketAddr,
    pub(crate) journal: Arc<Journal>,
    injector: Arc<FaultInjector>,
    stop: CancellationToken,
    server: Option<JoinHandle<Result<()>>>,
    runtime: Option<Runtime>,
}

impl LocalArena {
    /// Starts an arena whose calls are logged in the journal.
    pub(crate) async fn start(config: &LocalArenaConfig, journal: Arc<Journal>) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("cannot start the arena")?;
        let stop = CancellationToken::new();
        let injector = Arc::<FaultInjector>::default();
        let startup = Startup {
            options: options(config.listen),
            config: config.clone(),
            journal: Arc::clone(&journal),
            injector: Arc::clone(&injector),
            stop: stop.clone(),
        };
        let started = runtime.spawn(startup.run()).await;
        let (arena, public, server) = match started.map_err(Into::into).flatten() {
            Ok(started) => started,
            Err(error) => {
                // Dropping a runtime blocks, which is not allowed in asynchronous code.
                runtime.shutdown_background();
                return Err(error);
            }
        };
        Ok(Self {
            arena,
            public,
            journal,
            injector,
            stop,
            server: Some(server),
            runtime: Some(runtime),
        })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.public)
    }

    /// Injects this fault from now on.
    pub(crate) fn set_fault(&self, fault: Fault) {
        self.injector.set(fault);
    }

    /// Registers a bot and returns its token.
    pub(crate) async fn register(&self, name: &str, is_first: bool) -> Result<(BotId, String)> {
        let owner: Owner = OWNER.parse()?;
        let invitation = if is_first { Some(self.invite().await?) } else { None };
        let by = if is_first { None } else { Some(owner.clone()) };
        let bot = BotId::new(&owner, name)?;
        let command = RegisterBot { by, bot: bot.clone(), invitation, request: None };
        Ok((bot, self.arena.call(command).await?.token))
    }

    async fn invite(&self) -> Result<Bytes32> {
        let by = Organiser::with_store();
        let codes = self.arena.call(CreateInvitations { by, count: 1 }).await?;
        let code = codes.first().context("no invitation")?;
        Ok(Bytes32::hash_of(code.as_bytes()))
    }

    /// Stops gracefully, as a server does: connected bots are notified first.
    pub(crate) async fn stop(&mut self) {
        self.stop.cancel();
        if let Some(server) = self.server.take() {
            const STOP_TIMEOUT: Duration = Duration::from_secs(3);
            let _late = tokio::time::timeout(STOP_TIMEOUT, server).await;
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for LocalArena {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

struct Startup {
    options: ServerOptions,
    config: LocalArenaConfig,
    journal: Arc<Journal>,
    injector: Arc<FaultInjector>,
    stop: CancellationToken,
}

impl Startup {
    async fn run(self) -> Result<(Arena, SocketAddr, JoinHandle<Result<()>>)> {
        let Self { options, config, journal, injector, stop } = self;
        let telemetry = Telemetry::start(&options, "azulejo")?;
        let bound = azulejo_runtime::bind(&options).await?;
        let public = bound.public()?;
        // No limits: it is the author's own machine.
        let settings = Settings {
            invited_only: true,
            concurrent_challenges: usize::MAX,
            challenges_per_minute: usize::MAX,
            versions_per_day: usize::MAX,
            resumes_per_day: usize::MAX,
            ..Settings::default()
        };
        let store = azulejo_arena::store::open(&config.store).await?;
        let arena_loop = ArenaLoop::open(store, settings).await?;
        let arena = arena_loop.arena();
        let max_bytes = options.max_request_bytes.get();
        let services = Services::new(arena.clone(), max_bytes, options.call_timeout);
        let proxy = FaultProxy::new(services.clone(), arena.clone(), journal, injector);
        let pool = CpuPool::new(options.workers(), options.call_timeout);
        let pages = Routes::from(azulejo_web::pages(arena.clone()));
        let play = PlayServiceServer::new(proxy).max_decoding_message_size(max_bytes);
        let app = App {
            fast_path: FastPath::new(play),
            others: azulejo_engine::grpc::add_to(services.add_to(pages), pool, max_bytes),
            descriptors: vec![azulejo_wire::DESCRIPTORS],
            heavy: &[],
            sessions: azulejo_arena::grpc::SESSIONS,
            metrics: Registry::new(),
            ready: arena.holds_store(),
            // Every caller is the author's own.
            identify: None,
        };
        let close = CancellationToken::new();
        let looping = tokio::spawn(arena_loop.run(close.clone()));
        tokio::spawn({
            let (arena, stop) = (arena.clone(), stop.clone());
            async move {
                stop.cancelled().await;
                arena.going_away();
            }
        });
        let server = tokio::spawn(async move {
            let served = bound.serve(app, &telemetry, stop).await;
            close.cancel();
            looping.await??;
            Ok(served?)
        });
        Ok((arena, public, server))
    }
}

/// The defaults of a server, but local, with short delays and without logs.
fn options(listen: SocketAddr) -> ServerOptions {
    const MIB: usize = 1 << 20;
    ServerOptions {
        listen,
        admin_listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        tls_cert: None,
        tls_key: None,
        max_calls: NonZeroUsize::MIN.saturating_add(1023),
        max_calls_per_peer: None,
        max_connections: None,
        idle_timeout: Duration::from_mins(5),
        write_timeout: Duration::from_secs(30),
        workers: None,
        call_timeout: Duration::from_secs(10),
        max_connection_age: None,
        max_request_bytes: NonZeroUsize::MIN.saturating_add(MIB - 1),
        drain: Duration::ZERO,
        grace: Duration::from_millis(500),
        log_format: LogFormat::Pretty,
        log: "off".to_owned(),
        otlp_endpoint: None,
    }
}
