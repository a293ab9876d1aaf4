//! The address of a store: a file, memory, or a PostgreSQL database.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::postgres::PgConnectOptions;

use super::lock::{LockError, StoreLock};
use super::{Postgres, Sqlite, Store, StoreError};

/// Parameters that are allowed after the `?` of an address. Others are refused, not ignored: a user
/// may rely on them.
const PARAMETERS: [&str; 13] = [
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "statement-cache-capacity",
];

/// Opens the store at this address. Creates it if it does not exist, and migrates an old one.
///
/// | address | store |
/// |---|---|
/// | `memory`, `:memory:` | in memory, lost when the process ends |
/// | `postgres://USER@HOST/DATABASE` | a PostgreSQL database |
/// | anything else, or `sqlite:FILE` | an SQLite file |
// Boxed, so that the stores are compiled in this crate and not in each that awaits this.
pub fn open(address: &str) -> BoxFuture<'_, Result<Arc<dyn Store>, StoreError>> {
    open_at(address).boxed()
}

async fn open_at(address: &str) -> Result<Arc<dyn Store>, StoreError> {
    match Location::of(address)? {
        Location::Memory => Ok(Arc::new(Sqlite::in_memory().await?)),
        Location::File(path) => Ok(Arc::new(Sqlite::open(&path).await?)),
        Location::Database(options) => {
            let url = without_credentials(&options);
            let opened = Postgres::open(*options).await;
            Ok(Arc::new(opened.map_err(|problem| with_url(&url, problem))?))
        }
    }
}

/// An address that is displayed without its password.
#[derive(Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// Opens the store at this address.
    pub async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        open(&self.0).await
    }

    /// Locks the store, if it is a file: see [`StoreLock`].
    pub fn lock(&self) -> Result<Option<StoreLock>, LockError> {
        self.file().map(|path| StoreLock::acquire(&path)).transpose()
    }

    /// The same, but the holder of a locked file is replaced when this process takes over the store.
    pub fn take_over_lock(&self) -> Result<Option<StoreLock>, LockError> {
        self.file().map(|path| StoreLock::take_over(&path)).transpose()
    }

    /// The address with its password: only for the environment of a process.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// The path, if the store is a file.
    pub fn file(&self) -> Option<PathBuf> {
        match Location::of(&self.0) {
            Ok(Location::File(path)) => Some(path),
            Ok(Location::Memory | Location::Database(_)) | Err(_) => None,
        }
    }
}

/// Never fails. An invalid address is reported when it is opened: a parser of command-line arguments
/// would print it with its password.
impl FromStr for Address {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Location::of(&self.0) {
            Ok(Location::Memory) => f.write_str("memory"),
            Ok(Location::File(path)) => path.display().fmt(f),
            Ok(Location::Database(options)) => f.write_str(&without_credentials(&options)),
            Err(_) => f.write_str("an invalid address"),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

enum Location {
    Memory,
    File(PathBuf),
    Database(Box<PgConnectOptions>),
}

impl Location {
    fn of(address: &str) -> Result<Self, StoreError> {
        let file = |path: &str| Self::File(Path::new(path).to_owned());
        if let Some(path) = address.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return match path {
                "" => Err(invalid("sqlite: requires a file name")),
                ":memory:" => Ok(Self::Memory),
                path => Ok(file(path)),
            };
        }
        match (address, address.split_once("://")) {
            ("", _) => Err(invalid("it is empty")),
            ("memory" | ":memory:", _) => Ok(Self::Memory),
            (_, Some(("postgres" | "postgresql", rest))) => database(address, rest),
            (_, Some((scheme, _))) if is_scheme(scheme) => Err(invalid(&format!(
                "{scheme}:// is not supported; use a file or postgres://USER@HOST/DATABASE"
            ))),
            (path, _) => Ok(file(path)),
        }
    }
}

fn is_scheme(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

fn database(address: &str, rest: &str) -> Result<Location, StoreError> {
    let (server, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let path = server.split_once('/').map_or("", |(_, path)| path);
    if path.contains('@') || address.contains('#') {
        return Err(invalid("in a password, write / ? # @ as %2F %3F %23 %40"));
    }
    for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
        let key = parameter.split_once('=').map_or(parameter, |(key, _)| key);
        let known = PARAMETERS.contains(&key) || key.starts_with("options[");
        if !known {
            return Err(invalid(&format!("unknown parameter {key:?}")));
        }
    }
    // The parser's message names the problem, never the address.
    let options = PgConnectOptions::from_str(address);
    let options = options.map_err(|problem| invalid(&problem.to_string()))?;
    Ok(Location::Database(Box::new(options)))
}

fn invalid(problem: &str) -> StoreError {
    StoreError::Failed(format!("invalid store address: {problem}"))
}

fn with_url(url: &str, problem: StoreError) -> StoreError {
    match problem {
        StoreError::Failed(text) => StoreError::Failed(format!("{url}: {text}")),
        other @ (StoreError::Fenced | StoreError::Conflict(_) | StoreError::Unreadable(_)) => other,
    }
}

/// The URL of a database, without user and password.
fn without_credentials(options: &PgConnectOptions) -> String {
    let database = options.get_database().unwrap_or(options.get_username());
    match options.get_socket() {
        Some(socket) => format!("postgres://{}/{database}", socket.display()),
        None => format!("postgres://{}:{}/{database}", options.get_host(), options.get_port()),
    }
}

#[cfg(test)]
mod tests;
