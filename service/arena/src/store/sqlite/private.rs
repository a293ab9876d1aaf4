//! The files of a store are accessible only to their owner: they hold the secrets of running matches.

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::store::StoreError;

const OWNER_ONLY: u32 = 0o600;
const GROUP_AND_OTHERS: u32 = 0o077;

/// Creates the file of a store if it does not exist. SQLite creates its other files with the same
/// permissions.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    let opened = owner_only(OpenOptions::new().append(true).create(true)).open(path);
    opened.map_err(|problem| StoreError::Failed(format!("{}: {problem}", path.display())))?;
    tighten(path)
}

/// Makes created files accessible only to their owner.
pub(in crate::store) fn owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(OWNER_ONLY)
}

/// Takes access from the group and from others, which an older program or a copy may have given.
pub(super) fn tighten(path: &Path) -> Result<(), StoreError> {
    for file in [path.to_owned(), beside(path, "-wal"), beside(path, "-shm")] {
        tighten_file(&file).map_err(|(mode, problem)| {
            let file = file.display();
            StoreError::Failed(format!(
                "{file} contains secrets, but other users can access it (mode {mode:03o}), and this \
                 cannot be changed: {problem}; run `chmod 600 {file}` as its owner, or as root \
                 `chown` it to the user that runs this program"
            ))
        })?;
    }
    Ok(())
}

fn tighten_file(file: &Path) -> Result<(), (u32, io::Error)> {
    // A file that does not exist, or cannot be examined, fails when it is opened.
    let Ok(found) = fs::metadata(file) else { return Ok(()) };
    let mode = found.permissions().mode() & 0o777;
    if mode & GROUP_AND_OTHERS == 0 {
        return Ok(());
    }
    let tightened = fs::set_permissions(file, Permissions::from_mode(OWNER_ONLY));
    tightened.map_err(|problem| (mode, problem))?;
    tracing::warn!(
        file = %file.display(),
        "other users could access the store (mode {mode:03o}); now only its owner can"
    );
    Ok(())
}

/// The file with this ending after its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
