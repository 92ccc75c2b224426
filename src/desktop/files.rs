//! Our files carry a mark; other files are never overwritten or removed.

use super::error::{DesktopError, cannot};
use crate::base::files::{read_regular, write_whole};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The mark in each of our files, as a comment.
pub const MARK: &str = "written by carom install";

/// The content of a regular file; `None` if there is none.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, DesktopError> {
    match read_regular(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot("read", path)(error)),
    }
}

/// Refuses a path whose folder cannot be created because something else is in the way.
pub fn check_folder(path: &Path) -> Result<(), DesktopError> {
    let there = path.ancestors().skip(1).find(|folder| fs::symlink_metadata(folder).is_ok());
    match there {
        Some(there) if !there.is_dir() => Err(DesktopError::NoFolder(there.display().to_string())),
        _ => Ok(()),
    }
}

/// True when the path exists and is not a file of ours.
fn is_foreign(path: &Path) -> bool {
    // A link could lead to someone else's file. A folder, or a file that cannot be read, is not ours either.
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => !fs::read(path).is_ok_and(|bytes| has_mark(&bytes)),
        Ok(_) => true,
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

fn has_mark(bytes: &[u8]) -> bool {
    bytes.windows(MARK.len()).any(|window| window == MARK.as_bytes())
}

/// Writes one of our files and creates its folders. Returns false, and writes nothing, if the existing file
/// is not ours.
pub fn write(path: &Path, content: &[u8]) -> Result<bool, DesktopError> {
    let ours = !is_foreign(path);
    if ours {
        replace(path, content)?;
    }
    Ok(ours)
}

/// Replaces the content of a regular file in one step.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), DesktopError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot("write", path))?;
    }
    write_whole(path, content).map_err(cannot("write", path))
}

/// Removes one of our files, and its folder if that is empty then. Returns false if the file is not ours.
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
