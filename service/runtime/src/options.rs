//! Configuration. An invalid value is an error at the start.

#![allow(clippy::doc_markdown, reason = "the comments are the text of --help")]

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

/// Addresses, limits and telemetry of a server.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Server")]
pub struct ServerOptions {
    /// Address of the public port: gRPC, and the same calls as HTTP with JSON.
    #[arg(long, env = "AZULEJO_LISTEN", default_value = "127.0.0.1:7700")]
    pub listen: SocketAddr,
    /// Address of the admin port: health, metrics, version. Always plaintext; keep it private.
    #[arg(long, env = "AZULEJO_ADMIN_LISTEN", default_value = "127.0.0.1:7701")]
    pub admin_listen: SocketAddr,
    /// PEM file with the certificate chain. With it and --tls-key the public port speaks TLS. Both
    /// are read again when they change.
    #[arg(long, env = "AZULEJO_TLS_CERT", requires = "tls_key", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// PEM file with the private key.
    #[arg(long, env = "AZULEJO_TLS_KEY", requires = "tls_cert", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Calls and open streams served at once; more are refused with RESOURCE_EXHAUSTED. With an
    /// arena: as many of bots, of callers without a token, and of their streams.
    #[arg(long, env = "AZULEJO_MAX_CALLS", default_value = "1024")]
    pub max_calls: NonZeroUsize,
    /// With an arena: calls, and open streams, of one address at once without a token. Raise it
    /// behind a proxy. Default: an eighth of --max-calls.
    #[arg(long, env = "AZULEJO_MAX_CALLS_PER_PEER", value_name = "CALLS")]
    pub max_calls_per_peer: Option<NonZeroUsize>,
    /// Connections at once; more are closed. Default: as many as the process may open files, less
    /// an eighth, up to 16384.
    #[arg(long, env = "AZULEJO_MAX_CONNECTIONS", value_name = "CONNECTIONS")]
    pub max_connections: Option<NonZeroUsize>,
    /// Close connections without a call for this long. Milliseconds.
    #[arg(long, env = "AZULEJO_IDLE_TIMEOUT_MS", default_value = "300000", value_parser = millis)]
    pub idle_timeout: Duration,
    /// Close connections whose peer does not read its responses for this long. Milliseconds.
    #[arg(long, env = "AZULEJO_WRITE_TIMEOUT_MS", default_value = "30000", value_parser = millis)]
    pub write_timeout: Duration,
    /// Threads for calls that take milliseconds (playouts, batches). Default: one per core.
    #[arg(long, env = "AZULEJO_WORKERS", value_parser = threads)]
    pub workers: Option<NonZeroUsize>,
    /// A call that takes longer is answered with DEADLINE_EXCEEDED, whatever the caller allows.
    /// Milliseconds.
    #[arg(long, env = "AZULEJO_CALL_TIMEOUT_MS", default_value = "10000", value_parser = millis)]
    pub call_timeout: Duration,
    /// Close connections older than this (GOAWAY) when their calls have ended, so that new replicas
    /// get their share. For engines, which have no long streams. Milliseconds. Default: never.
    #[arg(long, env = "AZULEJO_MAX_CONNECTION_AGE_MS", value_parser = millis, value_name = "AGE")]
    pub max_connection_age: Option<Duration>,
    /// The largest request, in bytes.
    #[arg(long, env = "AZULEJO_MAX_REQUEST_BYTES", default_value = "1048576")]
    pub max_request_bytes: NonZeroUsize,
    /// After a stop signal: milliseconds to report "not ready" before new calls are refused.
    #[arg(long, env = "AZULEJO_DRAIN_MS", default_value = "0", value_parser = millis_or_none)]
    pub drain: Duration,
    /// After that: milliseconds for running calls to end before they are aborted.
    #[arg(long, env = "AZULEJO_GRACE_MS", default_value = "10000", value_parser = millis)]
    pub grace: Duration,
    /// Format of the log.
    #[arg(long, env = "AZULEJO_LOG_FORMAT", value_enum, default_value = "pretty")]
    pub log_format: LogFormat,
    /// Log filter: a level, or levels by module as in "info,azulejo_runtime=debug".
    #[arg(long, env = "AZULEJO_LOG", default_value = "info")]
    pub log: String,
    /// Send traces and metrics by OTLP over gRPC to this address, for example
    /// http://127.0.0.1:4317. Default: do not send.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp_endpoint: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Pretty,
    /// One JSON object per line.
    Json,
}

impl ServerOptions {
    /// Threads for work that takes milliseconds.
    #[must_use]
    pub fn workers(&self) -> NonZeroUsize {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.workers.unwrap_or_else(cores)
    }
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    const MOST: usize = 1024;
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST);
    threads.ok_or_else(|| format!("not a number of threads from 1 to {MOST}"))
}

fn millis(text: &str) -> Result<Duration, String> {
    let time = millis_or_none(text)?;
    if time.is_zero() { Err("must be at least 1 millisecond".to_owned()) } else { Ok(time) }
}

fn millis_or_none(text: &str) -> Result<Duration, String> {
    const LONGEST: Duration = Duration::from_hours(24);
    let time = text.parse().map(Duration::from_millis);
    time.ok()
        .filter(|&time| time <= LONGEST)
        .ok_or_else(|| "not a number of milliseconds, up to 86400000 (a day)".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        options: ServerOptions,
    }

    fn refused(arguments: &[&str]) -> String {
        let arguments = [&["azulejo"], arguments].concat();
        Command::try_parse_from(arguments).map(|ok| ok.options).unwrap_err().to_string()
    }

    #[test]
    fn wrong_values_stop_the_start_and_are_named() {
        for (flag, value) in [
            ("--listen", "localhost"),
            ("--max-calls", "0"),
            ("--max-calls-per-peer", "0"),
            ("--max-connections", "0"),
            ("--idle-timeout", "0"),
            ("--write-timeout", "0"),
            ("--workers", "0"),
            ("--call-timeout-ms", "10"),
            ("--call-timeout", "0"),
            ("--call-timeout", "99999999999"),
            ("--grace", "soon"),
            ("--max-connection-age", "0"),
            ("--max-request-bytes", "0"),
            ("--log-format", "xml"),
        ] {
            assert!(refused(&[flag, value]).contains(flag), "{flag} {value}");
        }
    }

    #[test]
    fn a_certificate_without_its_key_is_refused() {
        assert!(refused(&["--tls-cert", "cert.pem"]).contains("--tls-key"));
    }
}
