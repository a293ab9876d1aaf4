//! `azulejo serve`, `azulejo engine` and `azulejo arena`: the engine, the arena, or both.

mod arena;
mod demo;
mod greeting;
mod organiser;
mod quotas;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use azulejo_arena::arena_loop::{ArenaLoop, Retention};
use azulejo_arena::grpc::Services;
use azulejo_arena::record::Bytes32;
use azulejo_arena::store::{Address, Store, StoreLock};
use azulejo_runtime::{App, CpuPool, Registry, ServerOptions, Telemetry};
use clap::{Args, ValueEnum};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use arena::OpenArena;
use greeting::Greeting;
use quotas::Quotas;

/// Start the engine, the arena and the web UI in one process.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Also start house bots of different strengths that play on the ladder.
    #[arg(long, env = "AZULEJO_DEMO")]
    demo: bool,
    #[command(flatten)]
    arena: ArenaOptions,
    #[command(flatten)]
    server: ServerOptions,
}

/// Start only the engine. It is stateless, so any number can run in parallel.
#[derive(Debug, Args)]
pub(crate) struct Engine {
    #[command(flatten)]
    server: ServerOptions,
}

/// Start only the arena and the web UI. Only one arena can own a store: a second one is refused if the
/// store is an SQLite file, and takes over if it is a PostgreSQL database.
#[derive(Debug, Args)]
pub(crate) struct Arena {
    #[command(flatten)]
    arena: ArenaOptions,
    #[command(flatten)]
    server: ServerOptions,
}

/// Options of the arena.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Arena")]
pub(crate) struct ArenaOptions {
    #[command(flatten)]
    store: StoreArgs,
    /// Who may register bots.
    #[arg(long, env = "AZULEJO_REGISTRATION", value_enum, default_value = "open")]
    registration: Registration,
    /// File with the organiser's token, `aza_…`, for example a mounted secret. Default: if the store
    /// has no organiser's token, create one and write it to `--first-admin-token-file`.
    #[arg(long, env = "AZULEJO_ADMIN_TOKEN_FILE", value_name = "FILE")]
    admin_token_file: Option<PathBuf>,
    /// File to write the organiser's token to, if one is created. Only its owner can read it. Default:
    /// beside an SQLite file, with `.admin-token` after its name. For other stores there is no default,
    /// and without this option none is created.
    #[arg(long, env = "AZULEJO_FIRST_ADMIN_TOKEN_FILE", value_name = "FILE")]
    first_admin_token_file: Option<PathBuf>,
    /// Take over an SQLite file that another server uses, which then stops. Default: refuse to start.
    #[arg(long, env = "AZULEJO_TAKE_OVER")]
    take_over: bool,
    /// Compress the events of a match into one row this many seconds after its end. Readers notice no
    /// difference.
    #[arg(long, env = "AZULEJO_ARCHIVE_AFTER", value_name = "SECONDS", default_value = "600")]
    archive_after: u64,
    /// Delete challenges, which are unrated, this many days after their end. 0: never. Matches of the
    /// ladder are never deleted.
    #[arg(long, env = "AZULEJO_KEEP_CHALLENGES", value_name = "DAYS", default_value = "30",
        value_parser = clap::value_parser!(u64).range(0..=36_500))]
    keep_challenges: u64,
    #[command(flatten)]
    quotas: Quotas,
}

/// Location of the store.
#[derive(Debug, Clone, Args)]
pub(crate) struct StoreArgs {
    /// Location of the data: an SQLite file, `memory` (lost at the end), or a PostgreSQL database,
    /// `postgres://USER@HOST/DATABASE?sslmode=require`. Put a password into `AZULEJO_STORE`, `PGPASSWORD`
    /// or `~/.pgpass`: arguments are visible to all users of the machine.
    #[arg(
        long = "store",
        env = "AZULEJO_STORE",
        hide_env_values = true,
        default_value = "azulejo.db",
        value_name = "FILE|URL"
    )]
    pub(crate) address: Address,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Registration {
    /// Anyone.
    Open,
    /// Only with an invitation from `azulejo admin invite`.
    Invite,
}

impl Serve {
    pub(crate) fn run(self) -> Result<()> {
        if self.demo && self.server.tls_cert.is_some() {
            bail!("--demo cannot be combined with --tls-cert: the demo bots connect without TLS");
        }
        let parts = Parts { engine: true, arena: Some(self.arena), demo: self.demo };
        serve(&self.server, &parts)
    }
}

impl Engine {
    pub(crate) fn run(self) -> Result<()> {
        serve(&self.server, &Parts { engine: true, arena: None, demo: false })
    }
}

impl Arena {
    pub(crate) fn run(self) -> Result<()> {
        serve(&self.server, &Parts { engine: false, arena: Some(self.arena), demo: false })
    }
}

/// The parts to start.
struct Parts {
    engine: bool,
    arena: Option<ArenaOptions>,
    demo: bool,
}

fn serve(options: &ServerOptions, parts: &Parts) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(serve_until_signal(options, parts));
    // Do not wait for tasks that still hang.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn serve_until_signal(options: &ServerOptions, parts: &Parts) -> Result<()> {
    let stop = stop_on_signal()?;
    let telemetry = Telemetry::start(options, "azulejo")?;
    let bound = azulejo_runtime::bind(options).await?;
    let (public, admin) = (bound.public()?, bound.admin()?);
    let arena = match &parts.arena {
        Some(arena) => Some(OpenArena::open(arena, options, parts.demo).await?),
        None => None,
    };
    let organiser = arena.as_ref().map(|arena| arena.organiser.clone());
    let services = arena.as_ref().map(|arena| arena.services.clone());
    let pages = arena.as_ref().map_or_else(azulejo_engine::grpc::pages, OpenArena::pages);
    let store = parts.arena.as_ref().map(|arena| arena.store.address.clone());
    let demo = parts.demo;
    Greeting { options, public, admin, store, organiser, demo }.print();
    let running = arena.map(|arena| arena.run(public, stop.clone()));
    let metrics = running.as_ref().map(|running| running.arena.metrics().registry().clone());
    let metrics = metrics.unwrap_or_default();
    let ready = running.as_ref().map(|running| running.arena.holds_store());
    let ready = ready.unwrap_or_else(azulejo_runtime::always_ready);
    let app = app(options, parts, services, pages, (metrics, ready))?;
    let served = bound.serve(app, &telemetry, stop).await;
    let closed = match running {
        Some(running) => running.close().await,
        None => Ok(()),
    };
    telemetry.finish().await;
    closed?;
    Ok(served?)
}

/// The services of the engine, of the arena, or of both.
fn app(
    options: &ServerOptions,
    parts: &Parts,
    services: Option<Services>,
    pages: Routes,
    (metrics, ready): (Registry, watch::Receiver<bool>),
) -> Result<App> {
    let pool = CpuPool::new(options.workers(), options.call_timeout);
    // Turns and clocks of an arena must not wait for the work of the engine.
    let pool = if services.is_some() { pool.in_background()? } else { pool };
    let engine = azulejo_engine::grpc::fast_path(pool, options.max_request_bytes.get());
    let identify = services.as_ref().map(Services::identify);
    let (fast_path, others, descriptors) = match services {
        None => (engine, pages, azulejo_wire::ENGINE_DESCRIPTORS),
        Some(services) if parts.engine => {
            (engine, services.add_to(pages), azulejo_wire::DESCRIPTORS)
        }
        Some(services) => {
            (services.fast_path(), services.add_to(pages), azulejo_wire::ARENA_DESCRIPTORS)
        }
    };
    let (descriptors, heavy) = (vec![descriptors], azulejo_engine::grpc::HEAVY);
    let sessions = azulejo_arena::grpc::SESSIONS;
    Ok(App { fast_path, others, descriptors, heavy, sessions, metrics, ready, identify })
}

/// Cancelled when the process receives SIGTERM or Ctrl-C.
fn stop_on_signal() -> Result<CancellationToken> {
    let stop = CancellationToken::new();
    let signal = azulejo_runtime::signal()?;
    tokio::spawn({
        let stop = stop.clone();
        async move {
            signal.await;
            stop.cancel();
        }
    });
    Ok(stop)
}

impl ArenaOptions {
    /// Opens the arena. `admin_token` is the token from `--admin-token-file`.
    async fn open(&self, admin_token: Option<&str>) -> Result<(ArenaLoop, Option<StoreLock>)> {
        // First, because opening may migrate the store.
        let lock = if self.take_over { self.store.take_over()? } else { self.store.lock()? };
        let store = self.store.open().await?;
        // If it is revoked in the store, a restart would make it valid again.
        if let Some(token) = admin_token
            && store.has_token(&Bytes32::hash_of(token.as_bytes())).await?
        {
            bail!("--admin-token-file: this token is or was in the store; use a new one");
        }
        let invited_only = self.registration == Registration::Invite;
        let settings = self.quotas.settings(invited_only);
        let arena_loop = ArenaLoop::open(store, settings).await?;
        Ok((arena_loop.with_retention(self.retention()), lock))
    }

    fn retention(&self) -> Retention {
        let days = self.keep_challenges;
        let keep_challenges = (days > 0).then(|| Duration::from_hours(24 * days));
        Retention { archive_after: Duration::from_secs(self.archive_after), keep_challenges }
    }

    /// Where to write the organiser's token if one is created.
    fn first_token_file(&self) -> Option<PathBuf> {
        self.first_admin_token_file.clone().or_else(|| {
            let mut beside = self.store.address.file()?.into_os_string();
            beside.push(".admin-token");
            Some(beside.into())
        })
    }

    /// The token from `--admin-token-file`.
    fn admin_token(&self) -> Result<Option<String>> {
        self.admin_token_file.as_deref().map(read_admin_token).transpose()
    }
}

/// Reads an organiser's token, and refuses one that is easy to guess.
fn read_admin_token(path: &Path) -> Result<String> {
    const MIN_SECRET_CHARS: usize = 32;
    let file = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("--admin-token-file: cannot read {file}"))?;
    let token = text.trim();
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    match token.strip_prefix("aza_") {
        Some(rest) if rest.len() >= MIN_SECRET_CHARS && rest.chars().all(is_allowed) => {
            Ok(token.to_owned())
        }
        Some(_) | None => bail!(
            "--admin-token-file: {file} contains no valid organiser's token: `aza_` and at least \
             {MIN_SECRET_CHARS} letters or digits; create one with `echo aza_$(openssl rand -hex 32)`"
        ),
    }
}

impl StoreArgs {
    /// Locks the store, so that no server uses it at the same time.
    pub(crate) fn lock(&self) -> Result<Option<StoreLock>> {
        self.address.lock().context(
            "cannot use the store: stop the other process, choose another store with --store, or let \
             a server take it over with --take-over",
        )
    }

    fn take_over(&self) -> Result<Option<StoreLock>> {
        self.address.take_over_lock().context("cannot take over the store")
    }

    pub(crate) async fn open(&self) -> Result<Arc<dyn Store>> {
        let opened = self.address.open().await;
        // The error contains the address, without its password.
        opened.context("cannot open the store; choose another one with --store")
    }
}
