//! The lock of a store in a file: only one server uses it at a time. The kernel releases the lock when
//! its process ends, however that happens.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::sqlite::owner_only;

/// The longest description of a holder.
const MOST_BYTES: u64 = 200;

/// Why a store cannot be locked.
#[derive(Debug, Error)]
pub enum LockError {
    #[error("{} is in use by {holder}", store.display())]
    InUse { store: PathBuf, holder: String },
    #[error("{}: cannot lock the store: {problem}", file.display())]
    Failed { file: PathBuf, problem: io::Error },
}

/// Exclusive use of the file of a store, until this is dropped.
#[derive(Debug)]
pub struct StoreLock {
    _file: Arc<File>,
}

impl StoreLock {
    /// Locks the store in this file, unless another process has.
    pub fn acquire(store: &Path) -> Result<Self, LockError> {
        let (name, file) = open(store)?;
        match file.try_lock() {
            Ok(()) => {
                describe_holder(&file);
                Ok(Self { _file: Arc::new(file) })
            }
            Err(TryLockError::WouldBlock) => {
                Err(LockError::InUse { store: store.to_owned(), holder: holder(&file) })
            }
            Err(TryLockError::Error(problem)) => Err(LockError::Failed { file: name, problem }),
        }
    }

    /// Locks the store in this file as soon as it is free. Until then its holder uses it, which ends
    /// when another arena takes over the store.
    pub fn take_over(store: &Path) -> Result<Self, LockError> {
        match Self::acquire(store) {
            Err(LockError::InUse { holder, .. }) => {
                tracing::warn!(%holder, "taking over the store");
            }
            acquired => return acquired,
        }
        let file = Arc::new(open(store)?.1);
        let waiting = Arc::clone(&file);
        std::thread::spawn(move || match waiting.lock() {
            Ok(()) => describe_holder(&waiting),
            Err(problem) => tracing::warn!(%problem, "cannot lock the store"),
        });
        Ok(Self { _file: file })
    }
}

/// Opens the file beside the store that is locked. SQLite has its own locks on the store itself.
fn open(store: &Path) -> Result<(PathBuf, File), LockError> {
    // One store has one lock, by whatever path it is opened.
    let mut name = store.canonicalize().unwrap_or_else(|_| store.to_owned()).into_os_string();
    name.push(".lock");
    let name = PathBuf::from(name);
    let opened = owner_only(OpenOptions::new().read(true).write(true).create(true)).open(&name);
    match opened {
        Ok(file) => Ok((name, file)),
        Err(problem) => Err(LockError::Failed { file: name, problem }),
    }
}

/// Writes who holds the lock, for people. Without it the lock works too.
fn describe_holder(file: &File) {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let text = match host.trim() {
        "" => format!("process {}", std::process::id()),
        host => format!("process {} on {host}", std::process::id()),
    };
    let mut file = file;
    let _unwritten = file.set_len(0).and_then(|()| file.rewind());
    let _unwritten = file.write_all(text.as_bytes());
}

fn holder(file: &File) -> String {
    let mut text = String::new();
    let _unreadable = file.take(MOST_BYTES).read_to_string(&mut text);
    if text.is_empty() { "another process".to_owned() } else { text }
}
