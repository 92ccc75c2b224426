//! Files: opened only if they are regular, read up to a limit, and written as a whole or not at all.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Opens a regular file, or the regular file that a link leads to.
///
/// # Errors
/// Those of the system, and one for anything that is not a regular file: opening a pipe can block for ever,
/// and reading a device need not end.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file");
    // Checked before it is opened: opening a pipe would block until some program writes to it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(refused());
    }
    let file = File::open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(refused()) }
}

/// Reads a regular file.
///
/// # Errors
/// As for [`open_regular`].
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file, or a pipe, of at most `most` bytes.
///
/// # Errors
/// Those of the system, and one for a longer file.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("it has more than {most} bytes, which is as much as is read");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

/// Follows links to the path they lead to, whether or not a file is there.
///
/// # Errors
/// When there are 40 links or more, as in a loop.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut at = path.to_owned();
    for _ in 0..40 {
        let Ok(to) = std::fs::read_link(&at) else { return Ok(at) };
        at = at.with_file_name(to);
    }
    Err(io::Error::other("it leads from link to link"))
}

/// Makes a file that is created with these options readable by its owner alone.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Writes a new file next to `path` and then renames it to `path`, so readers see either the old file or the
/// new one. The new file gets an unused name and is removed if it cannot be written. Links stay links.
/// Anything that is not a regular file (a pipe, a device) is written to in place.
///
/// # Errors
/// Those of the system; the old file is then kept.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    put(path, Box::new(write), true)
}

/// Like [`replace`], for files that can be made again: it does not wait until the data is on the disk.
///
/// # Errors
/// As for [`replace`].
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, Box::new(|file| file.write_all(bytes)), false)
}

/// What writes the file. It is boxed, so that [`put`] is compiled once and not for every game.
type Writing<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

fn put(path: &Path, write: Writing<'_>, synced: bool) -> io::Result<()> {
    let old = std::fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return write(&mut OpenOptions::new().write(true).open(path)?);
    }
    let path = resolved(path)?;
    let (beside, file) = fresh_file(&path)?;
    let written = (|| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        if synced {
            file.sync_data()?;
        }
        std::fs::rename(&beside, &path)
    })();
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Creates a file in the folder of `path` under an unused name.
fn fresh_file(path: &Path) -> io::Result<(PathBuf, File)> {
    for number in 0..1000 {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}-{number}.new", std::process::id()));
        let beside = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (beside, file)),
        }
    }
    Err(io::Error::other("there is no name for a new file beside it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_a_bound_and_folders_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("five");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_at_most(&path, 5).unwrap(), b"12345");
        assert!(read_at_most(&path, 4).unwrap_err().to_string().contains("more than 4 bytes"));
        assert_eq!(read_regular(&path).unwrap(), b"12345");
        assert!(open_regular(folder.path()).unwrap_err().to_string().contains("no regular file"));
        assert_eq!(open_regular(&folder.path().join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_cannot_be_written_leaves_what_was_there_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("picture.svg");
        let fails = |out: &mut dyn Write| {
            out.write_all(b"half of it")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        let there = || std::fs::read_dir(folder.path()).unwrap().count();
        assert!(replace(&path, fails).is_err());
        assert_eq!(there(), 0);
        replace(&path, |out| out.write_all(b"whole")).unwrap();
        assert!(replace(&path, fails).is_err());
        assert_eq!((there(), std::fs::read(&path).unwrap()), (1, b"whole".to_vec()));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_also_where_nothing_is_behind_them() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("below")).unwrap();
        symlink("below/second", at("first")).unwrap();
        symlink("../third", at("below/second")).unwrap();
        for text in ["one", "two"] {
            write_whole(&at("first"), text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(at("third")).unwrap(), text);
            assert!(at("first").is_symlink() && at("below/second").is_symlink() && !at("third").is_symlink());
        }
        symlink("loop", at("loop")).unwrap();
        assert!(write_whole(&at("loop"), b"x").is_err());
    }

    /// Nothing is ever written to this pipe, so opening it would block for ever.
    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for path in [pipe, link] {
            assert!(open_regular(&path).unwrap_err().to_string().contains("no regular file"));
        }
    }
}
