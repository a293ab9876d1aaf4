//! A file with the tokens of a bot and of its owner, one a line.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The bot's token that is kept there; none if nothing is.
pub(super) fn find(path: &Path) -> Result<Option<String>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(problem) => return Err(problem).with_context(|| cannot("read", path)),
    };
    let token = text.split_whitespace().find(|word| word.starts_with("azb_"));
    if token.is_none() && !text.trim().is_empty() {
        bail!("--keep: {} is there, and holds no bot's token (azb_…)", path.display());
    }
    Ok(token.map(str::to_owned))
}

/// The file in which tokens will be kept, for its owner alone. Made before there are any: what
/// cannot be kept shall not be asked for.
pub(super) fn make(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.append(true).create(true).open(path).with_context(|| cannot("write", path))
}

pub(super) fn keep(mut file: File, tokens: &[&str]) -> io::Result<()> {
    for token in tokens {
        writeln!(file, "{token}")?;
    }
    file.sync_all()
}

fn cannot(what: &str, path: &Path) -> String {
    format!("--keep: cannot {what} {}", path.display())
}
