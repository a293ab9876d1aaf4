//! A copy of a store in a file, also of one that is in use.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use super::super::StoreError;
use super::{PATIENCE, private};

/// Everything that is in the store at one moment, in a new file. Whoever works with the store goes
/// on.
pub async fn copy(store: &Path, to: &Path) -> Result<(), StoreError> {
    if to.exists() {
        return Err(StoreError::Conflict(format!("{} is there already", to.display())));
    }
    // It gets its name when it is whole: whatever ends this in the middle, nobody takes a part of a
    // copy for a copy.
    let part = PathBuf::from(format!("{}.part", to.display()));
    make_empty(&part).map_err(|problem| at(&part, problem))?;
    let copied = write(store, &part).await;
    let copied = copied.and_then(|()| rename(&part, to).map_err(|problem| at(to, problem)));
    if copied.is_err() {
        let _gone = fs::remove_file(&part);
    }
    copied
}

/// SQLite takes an empty file for a new one: so it is never anybody else's to read.
fn make_empty(part: &Path) -> io::Result<()> {
    // One that was ended in the middle may have left it behind.
    let _gone = fs::remove_file(part);
    private(OpenOptions::new().write(true).create_new(true)).open(part).map(|_file| ())
}

async fn write(store: &Path, part: &Path) -> Result<(), StoreError> {
    let name = part.to_str().ok_or_else(|| at(part, "this name is no text"))?;
    let options = SqliteConnectOptions::new().filename(store).busy_timeout(PATIENCE);
    let mut reader = options.connect().await.map_err(|problem| at(store, problem))?;
    let copied = sqlx::query("VACUUM INTO ?").bind(name).execute(&mut reader).await;
    copied.map(|_done| ()).map_err(|problem| at(store, problem))
}

fn rename(part: &Path, to: &Path) -> io::Result<()> {
    fs::rename(part, to)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn at(place: &Path, problem: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!("{}: {problem}", place.display()))
}
