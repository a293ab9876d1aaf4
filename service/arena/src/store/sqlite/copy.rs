//! Copies the file of a store, also while it is in use.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use super::super::StoreError;
use super::BUSY_TIMEOUT;
use super::private::owner_only;

/// Copies a consistent snapshot of the store to a new file. An arena may use the store meanwhile.
pub async fn copy(store: &Path, to: &Path) -> Result<(), StoreError> {
    if to.exists() {
        return Err(StoreError::Conflict(format!("{} already exists", to.display())));
    }
    // The file gets its name when it is complete, so that an interrupted copy is never mistaken for a
    // complete one.
    let part = PathBuf::from(format!("{}.part", to.display()));
    create_empty(&part).map_err(|problem| at(&part, problem))?;
    let copied = write(store, &part).await;
    let copied = copied.and_then(|()| rename(&part, to).map_err(|problem| at(to, problem)));
    if copied.is_err() {
        let _removed = fs::remove_file(&part);
    }
    copied
}

/// SQLite accepts an empty file as a new database, so the file has private permissions from the
/// start.
fn create_empty(part: &Path) -> io::Result<()> {
    // An interrupted copy may have left it behind.
    let _removed = fs::remove_file(part);
    owner_only(OpenOptions::new().write(true).create_new(true)).open(part).map(|_file| ())
}

async fn write(store: &Path, part: &Path) -> Result<(), StoreError> {
    let name = part.to_str().ok_or_else(|| at(part, "the path is not valid UTF-8"))?;
    let options = SqliteConnectOptions::new().filename(store).busy_timeout(BUSY_TIMEOUT);
    let mut reader = options.connect().await.map_err(|problem| at(store, problem))?;
    let copied = sqlx::query("VACUUM INTO ?").bind(name).execute(&mut reader).await;
    copied.map(|_done| ()).map_err(|problem| at(store, problem))
}

fn rename(part: &Path, to: &Path) -> io::Result<()> {
    fs::rename(part, to)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn at(path: &Path, problem: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!("{}: {problem}", path.display()))
}
