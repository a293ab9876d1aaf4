//! An arena inside this process, on a runtime of its own: stopping it ends everything that it did.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use azulejo_arena::desk::{Arena, Desk};
use azulejo_arena::grpc::Services;
use azulejo_arena::hall::{Answer, Request, Settings};
use azulejo_arena::names::{BotId, Owner};
use azulejo_arena::record::Bytes32;
use azulejo_runtime::{App, LogFormat, Registry, ServerOptions, Telemetry, Workshop};
use azulejo_wire::served::arena::play_service_server::PlayServiceServer;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use super::front::{Front, Mischief};
use super::{Fault, Journal};

/// Who owns the bots of a run; nobody else can register.
const OWNER: &str = "you";

/// Where an arena keeps everything, and where it listens.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) store: String,
    /// Port 0: any.
    pub(crate) listen: SocketAddr,
}

impl Place {
    /// Nothing on disk, and any port.
    pub(crate) fn in_memory() -> Self {
        Self { store: "memory".to_owned(), listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)) }
    }
}

/// An arena at work.
#[derive(Debug)]
pub(crate) struct LocalArena {
    pub(crate) arena: Arena,
    pub(crate) public: SocketAddr,
    pub(crate) journal: Arc<Journal>,
    mischief: Arc<Mischief>,
    stop: CancellationToken,
    served: Option<JoinHandle<Result<()>>>,
    runtime: Option<Runtime>,
}

impl LocalArena {
    /// Opens it; what it sees goes into the journal.
    pub(crate) async fn open(place: &Place, journal: Arc<Journal>) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("cannot start the arena")?;
        let stop = CancellationToken::new();
        let mischief = Arc::<Mischief>::default();
        let opening = Opening {
            options: options(place.listen),
            place: place.clone(),
            journal: Arc::clone(&journal),
            mischief: Arc::clone(&mischief),
            stop: stop.clone(),
        };
        let opened = runtime.spawn(opening.open()).await;
        let (arena, public, served) = match opened.map_err(Into::into).flatten() {
            Ok(opened) => opened,
            Err(error) => {
                // It may not be dropped where others wait.
                runtime.shutdown_background();
                return Err(error);
            }
        };
        Ok(Self {
            arena,
            public,
            journal,
            mischief,
            stop,
            served: Some(served),
            runtime: Some(runtime),
        })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.public)
    }

    /// From now on.
    pub(crate) fn set(&self, fault: Fault) {
        self.mischief.set(fault);
    }

    /// A new bot of the run, with its token.
    pub(crate) async fn register(&self, name: &str, is_first: bool) -> Result<(BotId, String)> {
        let owner: Owner = OWNER.parse()?;
        let invitation = if is_first { Some(self.invite().await?) } else { None };
        let by = if is_first { None } else { Some(owner.clone()) };
        let request = Request::Register {
            by,
            owner: owner.clone(),
            name: name.to_owned(),
            invitation,
            request: None,
        };
        let Answer::Registered(registered) = self.arena.ask(request).await? else {
            bail!("the arena answered something else");
        };
        Ok((BotId::new(&owner, name)?, registered.token))
    }

    async fn invite(&self) -> Result<Bytes32> {
        let Answer::Invitation(code) = self.arena.ask(Request::Invite).await? else {
            bail!("the arena answered something else");
        };
        Ok(Bytes32::hash_of(code.as_bytes()))
    }

    /// Stops as a server does: whoever listens is told, then everything ends.
    pub(crate) async fn stop(mut self) {
        self.halt().await;
    }

    /// The same for one that is about to be replaced.
    pub(crate) async fn halt(&mut self) {
        self.stop.cancel();
        if let Some(served) = self.served.take() {
            const LONGEST: Duration = Duration::from_secs(3);
            let _late = tokio::time::timeout(LONGEST, served).await;
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

struct Opening {
    options: ServerOptions,
    place: Place,
    journal: Arc<Journal>,
    mischief: Arc<Mischief>,
    stop: CancellationToken,
}

impl Opening {
    async fn open(self) -> Result<(Arena, SocketAddr, JoinHandle<Result<()>>)> {
        let Self { options, place, journal, mischief, stop } = self;
        let telemetry = Telemetry::start(&options, "azulejo")?;
        let bound = azulejo_runtime::bind(&options).await?;
        let public = bound.public()?;
        // However many games at once: it is the author's own machine.
        let settings =
            Settings { invited_only: true, challenges_at_once: usize::MAX, ..Settings::default() };
        let desk = Desk::open(azulejo_arena::store::open(&place.store).await?, settings).await?;
        let arena = desk.arena();
        let most = options.max_request_bytes.get();
        let services = Services::new(arena.clone(), most, options.call_timeout);
        let front = Front::new(services.clone(), arena.clone(), journal, mischief);
        let workshop = Workshop::new(options.workers(), options.call_timeout);
        let engine = azulejo_engine::grpc::service(workshop, most);
        let pages = Routes::from(azulejo_web::pages(arena.clone()));
        let app = App {
            direct: PlayServiceServer::new(front).max_decoding_message_size(most),
            others: services.add_to(pages).add_service(engine),
            descriptors: vec![azulejo_wire::DESCRIPTORS],
            metrics: Registry::new(),
        };
        let close = CancellationToken::new();
        let kept = tokio::spawn(desk.run(close.clone()));
        crate::serve::tell_when_stopping(arena.clone(), stop.clone());
        let served = tokio::spawn(async move {
            let served = bound.serve(app, &telemetry, stop).await;
            close.cancel();
            kept.await??;
            served
        });
        Ok((arena, public, served))
    }
}

/// As a server has them, but for one machine, and silent.
fn options(listen: SocketAddr) -> ServerOptions {
    const MIB: usize = 1 << 20;
    ServerOptions {
        listen,
        admin_listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        tls_cert: None,
        tls_key: None,
        max_calls: NonZeroUsize::MIN.saturating_add(1023),
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
