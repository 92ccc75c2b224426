//! Files that are ours carry a mark; others are never written or taken away.

use super::{DesktopError, cannot};
use crate::base::files::{read_regular, write_whole};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Stands in each of our files, as a comment.
pub const MARK: &str = "written by carom install";

/// What is in a regular file; `None` where there is none.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, DesktopError> {
    match read_regular(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot("read", path)(error)),
    }
}

/// Refuses a file whose folder cannot be made, as something else stands in its way.
pub fn check_folder(path: &Path) -> Result<(), DesktopError> {
    let there = path.ancestors().skip(1).find(|folder| fs::symlink_metadata(folder).is_ok());
    match there {
        Some(there) if !there.is_dir() => Err(DesktopError::NoFolder(there.display().to_string())),
        _ => Ok(()),
    }
}

/// What stands at `path` is not ours.
fn is_foreign(path: &Path) -> bool {
    // A link could lead to what somebody else wrote; a folder, or what cannot be read, is not ours either.
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => !fs::read(path).is_ok_and(|bytes| has_mark(&bytes)),
        Ok(_) => true,
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

fn has_mark(bytes: &[u8]) -> bool {
    bytes.windows(MARK.len()).any(|window| window == MARK.as_bytes())
}

/// Writes one of our files, and the folders it is in; false where what stands there is not ours, and is left alone.
pub fn write(path: &Path, content: &[u8]) -> Result<bool, DesktopError> {
    let ours = !is_foreign(path);
    if ours {
        replace(path, content)?;
    }
    Ok(ours)
}

/// Puts `content` into the place of a regular file, at once.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), DesktopError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot("write", path))?;
    }
    write_whole(path, content).map_err(cannot("write", path))
}

/// Takes one of our files away, and the folder it was in if nothing else is there; false where what stands there is not ours.
pub fn remove(path: &Path) -> Result<bool, DesktopError> {
    if !path.exists() {
        return Ok(true);
    }
    if is_foreign(path) {
        return Ok(false);
    }
    fs::remove_file(path).map_err(cannot("remove", path))?;
    // Only an empty folder can be removed.
    let own = |folder: &Path| folder.ends_with("carom/xboard") || folder.ends_with("carom/winboard");
    let ours = |folder: &&Path| folder.ends_with("carom") || folder.ancestors().any(own);
    for folder in path.ancestors().skip(1).take_while(ours) {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(true)
}
