//! A file with the tokens of a bot and of its owner, one per line.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The bot's token in the file; `None` if the file is missing or empty.
pub(super) fn read(path: &Path) -> Result<Option<String>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| cannot("read", path)),
    };
    let token = text.split_whitespace().find(|word| word.starts_with("azb_"));
    if token.is_none() && !text.trim().is_empty() {
        bail!("--keep: {} contains no bot's token (azb_…); choose another file", path.display());
    }
    Ok(token.map(str::to_owned))
}

/// Creates the file, readable by its owner only. Called before registering, so that no tokens are
/// created that cannot be stored.
pub(super) fn create(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.append(true).create(true).open(path).with_context(|| cannot("write", path))
}

pub(super) fn write(mut file: File, tokens: &[&str]) -> io::Result<()> {
    for token in tokens {
        writeln!(file, "{token}")?;
    }
    file.sync_all()
}

fn cannot(what: &str, path: &Path) -> String {
    format!("--keep: cannot {what} {}", path.display())
}
