//! Files that are ours carry a mark; others are never written or taken away.

use anyhow::Context;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Stands in each of our files, as a comment.
pub const MARK: &str = "written by carom install";

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is as it was wanted.
    Done,
    /// It has no mark, and was left alone.
    NotOurs,
}

/// What is in a file; `None` where there is none.
pub fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).with_context(|| format!("{} is no text", path.display()))?;
            Ok(Some(text))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// What stands at `path` is not ours.
fn is_foreign(path: &Path) -> bool {
    // A link could lead to what somebody else wrote; a folder, or what cannot be read, is not ours either.
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => !fs::read(path).is_ok_and(|bytes| contains(&bytes, MARK.as_bytes())),
        Ok(_) => true,
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

fn contains(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark)
}

/// Writes one of our files, and the folders it is in.
pub fn write(path: &Path, content: &[u8]) -> anyhow::Result<Fate> {
    if is_foreign(path) {
        return Ok(Fate::NotOurs);
    }
    replace(path, content)?;
    Ok(Fate::Done)
}

/// Puts `content` into the place of a file, at once.
pub fn replace(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    // Where a link leads stays where it is.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let cannot = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(cannot)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    fs::write(&beside, content).with_context(cannot)?;
    if let Ok(about) = fs::metadata(path) {
        fs::set_permissions(&beside, about.permissions()).with_context(cannot)?;
    }
    fs::rename(&beside, path).with_context(cannot)
}

/// Takes one of our files away, and the folder it was in if nothing else is there.
pub fn remove(path: &Path) -> anyhow::Result<Fate> {
    if !path.exists() {
        return Ok(Fate::Done);
    }
    if is_foreign(path) {
        return Ok(Fate::NotOurs);
    }
    fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))?;
    // Only an empty folder can be removed.
    let own = |folder: &Path| folder.ends_with("carom/xboard") || folder.ends_with("carom/winboard");
    let ours = |folder: &&Path| folder.ends_with("carom") || folder.ancestors().any(own);
    for folder in path.ancestors().skip(1).take_while(ours) {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(Fate::Done)
}
