//! Where a store is, in one line of text: a file, the memory, or a database somewhere.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use sqlx::postgres::PgConnectOptions;

use super::{Postgres, Sqlite, Store, StoreError};

/// What may follow the `?` of an address. Whatever else is there is refused, not passed over: it may
/// be a setting that somebody relies on.
const SETTINGS: [&str; 13] = [
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

/// The store at this address; made if it is not there, brought up to date if it is old.
///
/// `memory` (or `:memory:`) is gone with the process; `postgres://USER@HOST/DATABASE` is a database,
/// and everything else is a file, also as `sqlite:FILE`.
pub async fn open(address: &str) -> Result<Arc<dyn Store>, StoreError> {
    match Place::of(address)? {
        Place::Memory => Ok(Arc::new(Sqlite::in_memory().await?)),
        Place::File(path) => Ok(Arc::new(Sqlite::open(&path).await?)),
        Place::Database(options) => {
            let place = shown(&options);
            let opened = Postgres::open(*options).await;
            Ok(Arc::new(opened.map_err(|problem| at(&place, problem))?))
        }
    }
}

/// An address that may be shown: its password never is.
#[derive(Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// The store at this address.
    pub async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        open(&self.0).await
    }

    /// All of it, with its password: for the environment of a process, and nowhere else.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// The file that it is, if it is one.
    pub fn file(&self) -> Option<PathBuf> {
        match Place::of(&self.0) {
            Ok(Place::File(path)) => Some(path),
            Ok(Place::Memory | Place::Database(_)) | Err(_) => None,
        }
    }
}

/// What is wrong with it is told when it is opened: a reader of options would repeat it with its
/// password.
impl FromStr for Address {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Place::of(&self.0) {
            Ok(Place::Memory) => f.write_str("memory"),
            Ok(Place::File(path)) => path.display().fmt(f),
            Ok(Place::Database(options)) => f.write_str(&shown(&options)),
            Err(_) => f.write_str("an address that cannot be read"),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

enum Place {
    Memory,
    File(PathBuf),
    Database(Box<PgConnectOptions>),
}

impl Place {
    fn of(address: &str) -> Result<Self, StoreError> {
        let file = |path: &str| Self::File(Path::new(path).to_owned());
        if let Some(path) = address.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return match path {
                "" => Err(wrong("sqlite: lacks the name of a file")),
                ":memory:" => Ok(Self::Memory),
                path => Ok(file(path)),
            };
        }
        match (address, address.split_once("://")) {
            ("", _) => Err(wrong("it is empty")),
            ("memory" | ":memory:", _) => Ok(Self::Memory),
            (_, Some(("postgres" | "postgresql", rest))) => database(address, rest),
            (_, Some((scheme, _))) if is_scheme(scheme) => Err(wrong(&format!(
                "{scheme}:// is no kind of store; there are files and postgres://USER@HOST/DATABASE"
            ))),
            (path, _) => Ok(file(path)),
        }
    }
}

fn is_scheme(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

fn database(address: &str, rest: &str) -> Result<Place, StoreError> {
    let (place, settings) = rest.split_once('?').unwrap_or((rest, ""));
    let path = place.split_once('/').map_or("", |(_, path)| path);
    if path.contains('@') || address.contains('#') {
        return Err(wrong("in a password / ? # @ are written as %2F %3F %23 %40"));
    }
    for setting in settings.split('&').filter(|setting| !setting.is_empty()) {
        let key = setting.split_once('=').map_or(setting, |(key, _)| key);
        let known = SETTINGS.contains(&key) || key.starts_with("options[");
        if !known {
            return Err(wrong(&format!("there is no setting {key:?}")));
        }
    }
    // The reader's words name what is wrong, never the address.
    let options = PgConnectOptions::from_str(address);
    let options = options.map_err(|problem| wrong(&problem.to_string()))?;
    Ok(Place::Database(Box::new(options)))
}

fn wrong(what: &str) -> StoreError {
    StoreError::Failed(format!("the address of the store is wrong: {what}"))
}

fn at(place: &str, problem: StoreError) -> StoreError {
    match problem {
        StoreError::Failed(text) => StoreError::Failed(format!("{place}: {text}")),
        other @ (StoreError::Fenced | StoreError::Conflict(_)) => other,
    }
}

/// Where a database is, without who enters it and how.
fn shown(options: &PgConnectOptions) -> String {
    let database = options.get_database().unwrap_or(options.get_username());
    match options.get_socket() {
        Some(socket) => format!("postgres://{}/{database}", socket.display()),
        None => format!("postgres://{}:{}/{database}", options.get_host(), options.get_port()),
    }
}

#[cfg(test)]
mod tests;
