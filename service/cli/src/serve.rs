//! `azulejo serve`, `azulejo engine` and `azulejo arena`: the same parts, together or alone.

mod demo;
mod greeting;
mod house;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use azulejo_arena::desk::Desk;
use azulejo_arena::hall::Settings;
use azulejo_arena::record::Bytes32;
use azulejo_arena::store::{Address, Store};
use azulejo_runtime::{App, ServerOptions, Telemetry, Workshop};
use clap::{Args, ValueEnum};
use tokio_util::sync::CancellationToken;

use greeting::Greeting;
use house::House;
pub(crate) use house::tell_when_stopping;

/// Serve everything in one process: the engine, the arena with its ladder, and the pages.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// House bots of different strength play on the ladder, as clients like any other.
    #[arg(long, env = "AZULEJO_DEMO")]
    demo: bool,
    #[command(flatten)]
    arena: ArenaOptions,
    #[command(flatten)]
    server: ServerOptions,
}

/// Serve the engine alone: stateless, as many of them side by side as you like.
#[derive(Debug, Args)]
pub(crate) struct Engine {
    #[command(flatten)]
    server: ServerOptions,
}

/// Serve the arena and its pages alone. One at a time holds a store: a second one takes over.
#[derive(Debug, Args)]
pub(crate) struct Arena {
    #[command(flatten)]
    arena: ArenaOptions,
    #[command(flatten)]
    server: ServerOptions,
}

/// Where an arena keeps everything, and who may join.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Arena")]
pub(crate) struct ArenaOptions {
    #[command(flatten)]
    kept: Kept,
    /// Who may register bots.
    #[arg(long, env = "AZULEJO_REGISTRATION", value_enum, default_value = "open")]
    registration: Registration,
    /// A file with the organiser's token, `aza_…`, such as a mounted secret. Without it, a start that
    /// finds no organiser's token in the store makes one, and shows it once.
    #[arg(long, env = "AZULEJO_ADMIN_TOKEN_FILE", value_name = "FILE")]
    admin_token_file: Option<PathBuf>,
}

/// Which store.
#[derive(Debug, Clone, Args)]
pub(crate) struct Kept {
    /// Where everything is kept: a file, `memory` (forgotten at the end), or a database of PostgreSQL,
    /// `postgres://USER@HOST/DATABASE?sslmode=require`. A password is better in `AZULEJO_STORE`,
    /// `PGPASSWORD` or `~/.pgpass` than here, where every user of the computer sees it.
    #[arg(
        long,
        env = "AZULEJO_STORE",
        hide_env_values = true,
        default_value = "azulejo.db",
        value_name = "FILE|URL"
    )]
    pub(crate) store: Address,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Registration {
    /// Anybody.
    Open,
    /// Whoever has an invitation: `azulejo admin invite`.
    Invite,
}

impl Serve {
    pub(crate) fn run(self) -> Result<()> {
        if self.demo && self.server.tls_cert.is_some() {
            bail!("--demo has no certificates to trust: leave --tls-cert out");
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

/// What is served.
struct Parts {
    engine: bool,
    arena: Option<ArenaOptions>,
    demo: bool,
}

fn serve(options: &ServerOptions, parts: &Parts) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(serve_until_told(options, parts));
    // Whatever still hangs somewhere is not waited for: nothing of it is needed any more.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn serve_until_told(options: &ServerOptions, parts: &Parts) -> Result<()> {
    let stop = until_told()?;
    let telemetry = Telemetry::start(options, "azulejo")?;
    let bound = azulejo_runtime::bind(options).await?;
    let (public, admin) = (bound.public()?, bound.admin()?);
    let house = match &parts.arena {
        Some(arena) => Some(House::open(arena, options, parts.demo).await?),
        None => None,
    };
    let first_token = house.as_ref().and_then(|house| house.admin_token.clone());
    let services = house.as_ref().map(|house| house.services.clone());
    let pages = house.as_ref().map_or_else(azulejo_engine::grpc::pages, House::pages);
    let store = parts.arena.as_ref().map(|arena| arena.kept.store.clone());
    let demo = parts.demo;
    Greeting { options, public, admin, store, first_token, demo }.print();
    let house = house.map(|house| house.keep(public, stop.clone()));
    let metrics = house.as_ref().map(|house| house.arena.metrics().registry().clone());
    let metrics = metrics.unwrap_or_default();
    let workshop = Workshop::new(options.workers(), options.call_timeout);
    let engine = azulejo_engine::grpc::service(workshop, options.max_request_bytes.get());
    let served = match services {
        None => {
            let others = pages;
            let descriptors = vec![azulejo_wire::ENGINE_DESCRIPTORS];
            bound
                .serve(App { direct: engine, others, descriptors, metrics }, &telemetry, stop)
                .await
        }
        Some(services) if parts.engine => {
            let others = services.add_to(pages);
            let descriptors = vec![azulejo_wire::DESCRIPTORS];
            bound
                .serve(App { direct: engine, others, descriptors, metrics }, &telemetry, stop)
                .await
        }
        Some(services) => {
            let others = services.add_to(pages);
            let descriptors = vec![azulejo_wire::ARENA_DESCRIPTORS];
            let direct = services.play();
            bound.serve(App { direct, others, descriptors, metrics }, &telemetry, stop).await
        }
    };
    let closed = match house {
        Some(house) => house.close().await,
        None => Ok(()),
    };
    telemetry.finish().await;
    closed?;
    served
}

/// Cancelled when somebody tells the process to stop.
fn until_told() -> Result<CancellationToken> {
    let stop = CancellationToken::new();
    let told = azulejo_runtime::signal()?;
    tokio::spawn({
        let stop = stop.clone();
        async move {
            told.await;
            stop.cancel();
        }
    });
    Ok(stop)
}

impl ArenaOptions {
    /// The arena, whose organiser may have this token.
    async fn open(&self, admin_token: Option<&str>) -> Result<Desk> {
        let store = self.kept.open().await?;
        // One from the store could be revoked there, and would be back with the next start.
        if let Some(token) = admin_token
            && store.has_token(&Bytes32::hash_of(token.as_bytes())).await?
        {
            bail!("--admin-token-file: the store has this token, or had it; give a new one");
        }
        let invited_only = self.registration == Registration::Invite;
        let settings = Settings { invited_only, ..Settings::default() };
        Ok(Desk::open(store, settings).await?)
    }

    /// The organiser's token that was given.
    fn admin_token(&self) -> Result<Option<String>> {
        self.admin_token_file.as_deref().map(read_admin_token).transpose()
    }
}

/// A token that is easily guessed is none.
fn read_admin_token(path: &Path) -> Result<String> {
    const SHORTEST: usize = 32;
    let file = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("--admin-token-file: cannot read {file}"))?;
    let token = text.trim();
    let is_usual = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    match token.strip_prefix("aza_") {
        Some(rest) if rest.len() >= SHORTEST && rest.chars().all(is_usual) => Ok(token.to_owned()),
        Some(_) | None => bail!(
            "--admin-token-file: {file} holds no organiser's token: `aza_` and at least {SHORTEST} \
             letters or digits, as in `echo aza_$(openssl rand -hex 32)`"
        ),
    }
}

impl Kept {
    pub(crate) async fn open(&self) -> Result<Arc<dyn Store>> {
        let opened = self.store.open().await;
        // What is wrong names the place, without its password.
        opened.context("cannot open the store; choose another with --store")
    }
}
