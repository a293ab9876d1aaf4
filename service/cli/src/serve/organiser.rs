//! The first organiser's token. It is written to a file and never printed: output of a server often
//! ends up in a log that many can read.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Where the organiser's token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Organiser {
    /// It was provided, or created by an earlier start.
    Existing,
    /// It was created now, and is in this file.
    Created(PathBuf),
    /// There is none, and no place to write one to.
    Missing,
}

/// Writes a token to a file that only its owner can read.
pub(super) fn write(file: &Path, token: &str) -> Result<()> {
    let name = file.display();
    remove_old(file)?;
    let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    let mut created = created.with_context(|| {
        format!("cannot write the organiser's token to {name}; choose --first-admin-token-file")
    })?;
    let written = writeln!(created, "{token}").and_then(|()| created.sync_all());
    written.with_context(|| format!("cannot write the organiser's token to {name}"))
}

/// Removes the token of a store that no longer exists, but no other file.
fn remove_old(file: &Path) -> Result<()> {
    let name = file.display();
    match fs::read(file) {
        Err(absent) if absent.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(problem) => Err(problem).with_context(|| format!("cannot read {name}")),
        Ok(text) if text.is_empty() || text.starts_with(b"aza_") => {
            fs::remove_file(file).with_context(|| format!("cannot replace {name}"))
        }
        Ok(_) => bail!(
            "{name} exists and is not an organiser's token; choose another file with \
             --first-admin-token-file"
        ),
    }
}
