//! Listening and serving, from the first call to the last.

use std::future::ready;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use prometheus::Registry;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::Server;

use crate::admission::Admission;
use crate::background::{Background, Priority};
use crate::budget::Budget;
use crate::certificate::Certificate;
use crate::connection::Timeouts;
use crate::connections::{Connections, incoming};
use crate::front::{FrontConfig, FrontLayer, HEADER_BYTES};
use crate::health::Health;
use crate::methods::Methods;
use crate::metrics::Metrics;
use crate::observe::Observer;
use crate::{FastPath, Identify, ServerError, ServerOptions, Telemetry, admin, tls};

/// Streams on one connection; beyond them a client waits, as HTTP/2 provides.
const STREAMS_PER_CONNECTION: u32 = 256;
/// Calls per page that can be served at the same time.
const PAGES_SHARE: usize = 4;
/// How many times as many pages are served as to one address.
const PAGES_OF_ONE: usize = 2;
/// Streams that a client may open and reset before they are accepted.
const RAPID_RESETS: usize = 20;
/// The services to serve, and the descriptors of all their methods.
#[derive(Debug)]
pub struct App {
    /// The service that is called most; it bypasses the router.
    pub fast_path: FastPath,
    pub others: Routes,
    pub descriptors: Vec<&'static [u8]>,
    /// Methods that take long or have large responses: they run in the background.
    pub heavy: &'static [&'static str],
    /// Methods by which bots wait for their events: they have places of their own.
    pub sessions: &'static [&'static str],
    /// Metrics of the services.
    pub metrics: Registry,
    /// Whether the services can carry out calls; reported as health.
    pub ready: watch::Receiver<bool>,
    /// Who makes a call. Without it all callers are the same.
    pub identify: Option<Identify>,
}

/// Services that are always ready.
#[must_use]
pub fn always_ready() -> watch::Receiver<bool> {
    watch::channel(true).1
}

/// Both ports are open; connections wait in the backlog.
pub struct Bound {
    options: ServerOptions,
    public: TcpListener,
    admin: TcpListener,
    tls: Option<TlsAcceptor>,
}

impl std::fmt::Debug for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Not the key.
        f.debug_struct("Bound").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Opens both ports, and reads the certificate if there is one.
pub async fn bind(options: &ServerOptions) -> Result<Bound, ServerError> {
    let tls = match (&options.tls_cert, &options.tls_key) {
        (Some(certificate), Some(key)) => {
            Some(tls::acceptor(Certificate::watch_files(certificate, key)?)?)
        }
        _ => None,
    };
    Ok(Bound {
        tls,
        options: options.clone(),
        public: listen("--listen", options.listen).await?,
        admin: listen("--admin-listen", options.admin_listen).await?,
    })
}

async fn listen(flag: &'static str, address: SocketAddr) -> Result<TcpListener, ServerError> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|source| ServerError::Listen { flag, address, source })
}

impl Bound {
    pub fn public(&self) -> Result<SocketAddr, ServerError> {
        Ok(self.public.local_addr()?)
    }

    pub fn admin(&self) -> Result<SocketAddr, ServerError> {
        Ok(self.admin.local_addr()?)
    }

    /// Serves until `stop`, then lets running calls end within the grace time.
    // Boxed, so that the server is compiled in this crate and not in each that awaits it.
    pub fn serve(
        self,
        app: App,
        telemetry: &Telemetry,
        stop: CancellationToken,
    ) -> BoxFuture<'_, Result<(), ServerError>> {
        self.serve_until(app, telemetry, stop).boxed()
    }

    async fn serve_until(
        self,
        app: App,
        telemetry: &Telemetry,
        stop: CancellationToken,
    ) -> Result<(), ServerError> {
        let Self { options, public, admin, tls } = self;
        let timeouts = Timeouts { idle: options.idle_timeout, write: options.write_timeout };
        let most = options.max_connections.map(NonZeroUsize::get);
        let connections = Connections::new(most, app.identify.is_some(), timeouts);
        let health = Health::starting().await;
        let ending = CancellationToken::new();
        let config = Arc::new(front_config(&options, &app, telemetry, &ending)?);
        let routes = with_reflection(app.others, &app.descriptors)?.add_service(health.service());
        let admin_routes = admin::routes(&health, Arc::clone(&config));
        let mut server =
            public_server(&options).layer(FrontLayer { config, fast_path: app.fast_path });
        let router = server.add_routes(routes.prepare());
        let ended = ending.clone().cancelled_owned();
        let public = incoming(public);
        let public = match tls {
            None => public.filter_map(move |plain| ready(connections.plain(plain))).boxed(),
            Some(tls) => tls::accept_tls(tls, connections, public).boxed(),
        };
        let public = router.serve_with_incoming_shutdown(public, ended);
        let admin = Server::builder()
            .accept_http1(true)
            .add_routes(admin_routes.prepare())
            .serve_with_incoming_shutdown(incoming(admin), ending.clone().cancelled_owned());
        let admin = tokio::spawn(admin);
        let is_ready = *app.ready.borrow();
        // Before the first call can be answered.
        health.set_ready(is_ready).await;
        let public = tokio::spawn(public);
        health.follow(app.ready, &stop).await;
        health.set_ready(false).await;
        tracing::info!(drain = ?options.drain, "stopping");
        tokio::time::sleep(options.drain).await;
        ending.cancel();
        health.close().await;
        let ended = async {
            public.await??;
            admin.await??;
            Ok(())
        };
        match tokio::time::timeout(options.grace, ended).await {
            Ok(ended) => ended,
            Err(_late) => {
                tracing::warn!("grace period over; aborting the remaining calls");
                Ok(())
            }
        }
    }
}

fn public_server(options: &ServerOptions) -> Server {
    let server = match options.max_connection_age {
        // Without a grace period: with one, tonic 0.14.9 closes without GOAWAY.
        Some(age) => Server::builder().max_connection_age(age),
        None => Server::builder(),
    };
    server
        .accept_http1(true)
        .max_concurrent_streams(STREAMS_PER_CONNECTION)
        .http2_max_header_list_size(u32::try_from(HEADER_BYTES).ok())
        .http2_max_pending_accept_reset_streams(Some(RAPID_RESETS))
}

fn front_config(
    options: &ServerOptions,
    app: &App,
    telemetry: &Telemetry,
    ending: &CancellationToken,
) -> Result<FrontConfig, ServerError> {
    let mut sets = app.descriptors.clone();
    sets.extend([
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
    ]);
    let max_calls = options.max_calls.get();
    let per_peer = options.max_calls_per_peer.map(NonZeroUsize::get);
    let pages = max_calls.div_ceil(PAGES_SHARE);
    let priority = if app.identify.is_some() { Priority::Low } else { Priority::Normal };
    let metrics = Metrics::new(app.metrics.clone(), max_calls, telemetry.histograms())?;
    Ok(FrontConfig {
        methods: Methods::of(&sets, app.fast_path.name, app.heavy, app.sessions, &metrics)?,
        observer: Observer::new(metrics.clone(), telemetry.is_traced()),
        metrics,
        admission: Admission::new(max_calls, per_peer, app.identify.clone()),
        pages: Budget::new(pages, pages.div_ceil(PAGES_OF_ONE)),
        ending: ending.clone(),
        background: Background::start(priority).map_err(ServerError::Threads)?,
        call_timeout: options.call_timeout,
        max_request_bytes: options.max_request_bytes.get(),
    })
}

fn with_reflection(routes: Routes, descriptors: &[&[u8]]) -> Result<Routes, ServerError> {
    let builder = || {
        let sets = descriptors.iter().copied().chain([tonic_health::pb::FILE_DESCRIPTOR_SET]);
        sets.fold(tonic_reflection::server::Builder::configure(), |builder, set| {
            builder.register_encoded_file_descriptor_set(set)
        })
    };
    // v1alpha is for older tools.
    Ok(routes.add_service(builder().build_v1()?).add_service(builder().build_v1alpha()?))
}
