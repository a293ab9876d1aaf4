//! A copy of a store in a file, also of one that is in use.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use super::super::StoreError;
use super::{PATIENCE, private};

/// Everything that is in the store at one moment, in a new file. Whoever works with the store goes
/// on.
pub async fn copy(store: &Path, to: &Path) -> Result<(), StoreError> {
    let name = to.to_str().ok_or_else(|| at(to, "this name is no text"))?;
    // SQLite takes an empty file for a new one: so it is never anybody else's to read.
    let file = private(OpenOptions::new().write(true).create_new(true)).open(to);
    let file = file.map_err(|problem| at(to, problem))?;
    let copied = write(store, name, &file).await;
    if copied.is_err() {
        // A part of a copy is worse than none.
        let _gone = fs::remove_file(to);
    }
    copied
}

async fn write(store: &Path, to: &str, file: &File) -> Result<(), StoreError> {
    let options = SqliteConnectOptions::new().filename(store).busy_timeout(PATIENCE);
    let mut reader = options.connect().await.map_err(|problem| at(store, problem))?;
    let copied = sqlx::query("VACUUM INTO ?").bind(to).execute(&mut reader).await;
    copied.map_err(|problem| at(store, problem))?;
    // SQLite leaves it to the system when the copy is on the disk.
    file.sync_all().map_err(|problem: io::Error| at(Path::new(to), problem))
}

fn at(place: &Path, problem: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!("{}: {problem}", place.display()))
}
