//! Endgame tables on disk: which files there are, read when they are first asked for.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What a table says of a position, for whoever is to move there. Distances are turns of both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableValue {
    /// He wins in so many turns, and not in fewer against the best defence.
    Win(u32),
    /// He loses in so many.
    Loss(u32),
    /// Nobody can force anything.
    Draw,
}

/// What every file begins with.
pub const MAGIC: &[u8; 16] = b"Carom's tables 1";
/// How many files a game may have.
const MOST_FILES: usize = 32;

/// A folder of tables. Each file is kept in memory once a position was looked up in it.
#[derive(Debug)]
pub struct Tables {
    folder: PathBuf,
    files: [OnceLock<Option<Box<[u8]>>>; MOST_FILES],
}

impl Tables {
    /// The tables in `folder`; nothing is read yet.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), files: [const { OnceLock::new() }; MOST_FILES] }
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The `size` bytes of the game's file `number` (below 32), which is called `name`; `None` when there is no such file or it
    /// is something else, which the log tells once.
    pub fn file(&self, number: usize, size: usize, name: impl FnOnce() -> String) -> Option<&[u8]> {
        let read = || {
            let path = self.folder.join(name());
            read(&path, size).inspect_err(|error| log::warn!("{}: {error}", path.display())).ok()
        };
        self.files.get(number)?.get_or_init(read).as_deref()
    }
}

fn read(path: &Path, size: usize) -> std::io::Result<Box<[u8]>> {
    let mut file = std::fs::File::open(path)?;
    let mut magic = [0; MAGIC.len()];
    file.read_exact(&mut magic)?;
    let mut bytes = vec![0; size];
    file.read_exact(&mut bytes)?;
    if magic != *MAGIC || file.read(&mut [0])? != 0 {
        return Err(std::io::Error::other("no endgame table of this program and game"));
    }
    Ok(bytes.into_boxed_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_tables_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
        write("good", b"Carom's tables 1abc");
        write("short", b"Carom's tables 1ab");
        write("long", b"Carom's tables 1abcd");
        write("other", b"Nobody's table 1abc");
        let tables = Tables::new(folder.path());
        let found = ["good", "short", "long", "other", "missing"]
            .map(|name| tables.file(name.len() + usize::from(name == "long") * 20, 3, || name.into()));
        assert_eq!(found, [Some(b"abc".as_slice()), None, None, None, None]);
        assert_eq!(tables.file(99, 3, || "good".into()), None);
    }
}
