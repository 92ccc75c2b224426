//! Files that are ours carry a mark; others are never written or taken away.

use anyhow::Context;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Stands in each of our files, as a comment.
pub const MARK: &str = "written by carom install";

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
        Ok(about) if about.is_file() => !fs::read(path).is_ok_and(|bytes| has_mark(&bytes)),
        Ok(_) => true,
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

fn has_mark(bytes: &[u8]) -> bool {
    bytes.windows(MARK.len()).any(|window| window == MARK.as_bytes())
}

/// Writes one of our files, and the folders it is in; false where what stands there is not ours, and is left alone.
pub fn write(path: &Path, content: &[u8]) -> anyhow::Result<bool> {
    let ours = !is_foreign(path);
    if ours {
        replace(path, content)?;
    }
    Ok(ours)
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

/// Takes one of our files away, and the folder it was in if nothing else is there; false where what stands there is not ours.
pub fn remove(path: &Path) -> anyhow::Result<bool> {
    if !path.exists() {
        return Ok(true);
    }
    if is_foreign(path) {
        return Ok(false);
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
    Ok(true)
}
