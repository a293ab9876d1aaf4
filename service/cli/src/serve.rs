//! `azulejo serve` and `azulejo engine`: the rules over the network.

use std::net::SocketAddr;

use anyhow::Result;
use azulejo_runtime::{App, ServerOptions, Telemetry, Workshop};
use clap::Args;
use tokio_util::sync::CancellationToken;

/// Serve everything in one process: for now the engine, over gRPC and over HTTP with JSON.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    server: ServerOptions,
}

/// Serve the engine alone: stateless, as many of them side by side as you like.
#[derive(Debug, Args)]
pub(crate) struct Engine {
    #[command(flatten)]
    server: ServerOptions,
}

impl Serve {
    pub(crate) fn run(self) -> Result<()> {
        serve(&self.server)
    }
}

impl Engine {
    pub(crate) fn run(self) -> Result<()> {
        serve(&self.server)
    }
}

fn serve(options: &ServerOptions) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let telemetry = Telemetry::start(options, "azulejo")?;
        let bound = azulejo_runtime::bind(options).await?;
        greet(options, bound.public()?, bound.admin()?);
        let stop = CancellationToken::new();
        tokio::spawn({
            let stop = stop.clone();
            async move {
                if let Err(error) = azulejo_runtime::signal().await {
                    tracing::error!(%error, "stopping, as nobody could tell me to later");
                }
                stop.cancel();
            }
        });
        let app = App {
            direct: azulejo_engine::grpc::service(
                Workshop::new(options.workers(), options.call_timeout),
                options.max_request_bytes.get(),
            ),
            others: azulejo_engine::grpc::pages(),
            descriptors: vec![azulejo_wire::DESCRIPTORS],
        };
        bound.serve(app, &telemetry, stop).await?;
        telemetry.finish();
        Ok(())
    })
}

/// Where to look, and what to try first.
fn greet(options: &ServerOptions, public: SocketAddr, admin: SocketAddr) {
    let scheme = if options.tls_cert.is_some() { "https" } else { "http" };
    let url = format!("{scheme}://{public}");
    say!("Azulejo listens.");
    say!("  gRPC, and HTTP with JSON   {url}");
    say!("  health and metrics         http://{admin}/metrics");
    say!();
    say!("Try, in another terminal:");
    say!("  curl -H 'content-type: application/json' \\");
    say!(
        "    -d '{{\"ruleset\":{{\"azul\":{{\"side\":\"BOARD_SIDE_COLORED\",\"players\":2}}}}}}' \\"
    );
    say!("    {url}/azulejo.engine.v1.EngineService/NewGame");
    say!();
    say!("Ctrl-C stops it.");
}
