//! Endgame tables on disk. A file is read when it is first needed.
//!
//! ```text
//! "Carom's tables 2"
//! how many values, eight bytes
//! the checksum of each block of values, four bytes each
//! the checksum of the file's name and all that is above, four bytes
//! the values, a byte each
//! ```
//! All numbers are little-endian; checksums are CRC-32. Carom 0.1.0 wrote "Carom's tables 1" and the values.

use crate::base::files::open_regular;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What a table holds for a position, for the player to move there. Distances are in turns of both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableValue {
    /// The player wins in so many turns, and not in fewer against the best defence.
    Win(u32),
    /// The player loses in so many turns against the best play.
    Loss(u32),
    /// Neither player can force a win.
    Draw,
}

const MAGIC: &[u8; 16] = b"Carom's tables 2";
/// The first bytes of files without length and checksums.
const MAGIC_BEFORE: &[u8; 16] = b"Carom's tables 1";
/// The number of values that share a checksum.
const BLOCK: usize = 1 << 16;
/// The most files that a game may have.
const MOST_FILES: usize = 32;

/// What is wrong with the file of a table.
#[derive(Debug, thiserror::Error)]
pub enum TableFault {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It begins with something else than a table does.
    #[error("it is no endgame table of this program")]
    Foreign,
    /// It belongs to another game, or was cut off; the number of values expected.
    #[error("it does not have {0} values, as this table has")]
    Length(usize),
    /// Its head was changed, or the file was renamed.
    #[error("its head is damaged, or it is the table of another name")]
    Head,
    /// Some values were changed; the number of the block, from 1.
    #[error("it is damaged: the checksum of block {0} is wrong")]
    Block(usize),
}

impl TableFault {
    /// True when the file does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// The values of a table.
#[derive(Debug)]
pub struct Table {
    values: Box<[u8]>,
    /// The blocks of values; empty for files without checksums.
    blocks: Box<[Block]>,
    /// True when it has been reported that the table is damaged.
    reported: AtomicBool,
}

#[derive(Debug)]
struct Block {
    checksum: u32,
    /// One of the three constants below. (Two threads may check a block at the same time; they find the
    /// same.)
    state: AtomicU8,
}

const UNREAD: u8 = 0;
const SOUND: u8 = 1;
const DAMAGED: u8 = 2;

impl Table {
    /// Reads the `size` values of the table named `name` in `folder`. A block is checked when it is first
    /// used.
    ///
    /// # Errors
    /// When there is no such file, or it is not this table.
    pub fn read(folder: &Path, name: &str, size: usize) -> Result<Self, TableFault> {
        let mut file = open_regular(&folder.join(name))?;
        let mut magic = [0; MAGIC.len()];
        let mut fill = |bytes: &mut [u8]| {
            file.read_exact(bytes).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => TableFault::Length(size),
                _ => TableFault::Io(error),
            })
        };
        fill(&mut magic)?;
        let mut blocks = Vec::new();
        if magic == *MAGIC {
            let mut head = vec![0; 8 + 4 * size.div_ceil(BLOCK)];
            fill(&mut head)?;
            let (length, checksums) = head.split_at(8);
            if length != (size as u64).to_le_bytes() {
                return Err(TableFault::Length(size));
            }
            let mut checksum = [0; 4];
            fill(&mut checksum)?;
            if head_checksum(name, &head) != u32::from_le_bytes(checksum) {
                return Err(TableFault::Head);
            }
            let block = |&bytes| Block { checksum: u32::from_le_bytes(bytes), state: AtomicU8::new(UNREAD) };
            blocks.extend(checksums.as_chunks().0.iter().map(block));
        } else if magic != *MAGIC_BEFORE {
            return Err(TableFault::Foreign);
        }
        let mut values = vec![0; size].into_boxed_slice();
        fill(&mut values)?;
        if file.read(&mut [0])? != 0 {
            return Err(TableFault::Length(size));
        }
        Ok(Self { values, blocks: blocks.into(), reported: AtomicBool::new(false) })
    }

    /// The bytes that precede the values in the file of the table named `name`.
    pub fn head(name: &str, values: &[u8]) -> Vec<u8> {
        let mut head = (values.len() as u64).to_le_bytes().to_vec();
        head.extend(values.chunks(BLOCK).map(crc32fast::hash).flat_map(u32::to_le_bytes));
        let checksum = head_checksum(name, &head);
        [MAGIC.as_slice(), &head, &checksum.to_le_bytes()].concat()
    }

    /// The value at `index`; `None` where its block is damaged, or beyond the end.
    ///
    /// # Errors
    /// When a block is found to be damaged; only the first time for a table.
    fn get(&self, index: usize) -> Result<Option<u8>, TableFault> {
        let number = index / BLOCK;
        if let Some(block) = self.blocks.get(number) {
            let checked = match block.state.load(Ordering::Relaxed) {
                SOUND => Ok(()),
                DAMAGED => return Ok(None),
                _ => self.check(number),
            };
            match checked {
                Err(_) if self.reported.swap(true, Ordering::Relaxed) => return Ok(None),
                checked => checked?,
            }
        }
        Ok(self.values.get(index).copied())
    }

    #[cold]
    fn check(&self, number: usize) -> Result<(), TableFault> {
        let values = self.values.chunks(BLOCK).nth(number).unwrap_or_default();
        let block = &self.blocks[number];
        let sound = crc32fast::hash(values) == block.checksum;
        block.state.store(if sound { SOUND } else { DAMAGED }, Ordering::Relaxed);
        if sound { Ok(()) } else { Err(TableFault::Block(number + 1)) }
    }

    /// All values, checked.
    ///
    /// # Errors
    /// When some of them are damaged.
    pub fn into_values(self) -> Result<Vec<u8>, TableFault> {
        (0..self.blocks.len()).try_for_each(|number| self.check(number))?;
        Ok(self.values.into_vec())
    }
}

fn head_checksum(name: &str, head: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    [name.as_bytes(), head].into_iter().for_each(|bytes| hasher.update(bytes));
    hasher.finalize()
}

/// A folder of tables. Each file is kept in memory once a position has been looked up in it.
#[derive(Debug)]
pub struct Tables {
    folder: PathBuf,
    files: [OnceLock<Option<Table>>; MOST_FILES],
    faults: Mutex<Vec<(PathBuf, TableFault)>>,
}

impl Tables {
    /// The tables in `folder`; nothing is read yet.
    pub fn new(folder: &Path) -> Self {
        let files = [const { OnceLock::new() }; MOST_FILES];
        Self { folder: folder.to_owned(), files, faults: Mutex::default() }
    }

    /// The folder of the tables.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The value at `index` among the `size` values of the game's table `number` (below 32), whose file is
    /// named `name`. `None` when there is no such file, or it is damaged there; [`Tables::take_faults`] then
    /// reports this once.
    pub fn value(&self, number: usize, size: usize, name: impl Fn() -> String, index: usize) -> Option<u8> {
        let found = |fault| self.faults().push((self.folder.join(name()), fault));
        let read = || Table::read(&self.folder, &name(), size).map_err(found).ok();
        let table = self.files.get(number)?.get_or_init(read).as_ref()?;
        table.get(index).map_err(found).ok()?
    }

    /// What was found to be wrong with files since the last call, with the path of each file.
    pub fn take_faults(&self) -> Vec<(PathBuf, TableFault)> {
        std::mem::take(&mut self.faults())
    }

    fn faults(&self) -> std::sync::MutexGuard<'_, Vec<(PathBuf, TableFault)>> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    /// Values for two blocks and a part of a third.
    fn values() -> Vec<u8> {
        let mut rng = Rng::new(5);
        (0..2 * BLOCK + 100).map(|_| rng.bits() as u8).collect()
    }

    fn whole(name: &str, values: &[u8]) -> Vec<u8> {
        [&Table::head(name, values), values].concat()
    }

    #[test]
    fn tables_give_back_what_was_written_and_those_without_checksums_too() {
        let folder = tempfile::tempdir().unwrap();
        let values = values();
        std::fs::write(folder.path().join("new"), whole("new", &values)).unwrap();
        std::fs::write(folder.path().join("old"), [MAGIC_BEFORE, values.as_slice()].concat()).unwrap();
        let tables = Tables::new(folder.path());
        for (number, name) in ["new", "old"].into_iter().enumerate() {
            for index in [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 99] {
                let value = tables.value(number, values.len(), || name.into(), index);
                assert_eq!(value, Some(values[index]), "{name} {index}");
            }
            assert_eq!(tables.value(number, values.len(), || name.into(), values.len()), None);
            let table = Table::read(folder.path(), name, values.len()).unwrap();
            assert_eq!(table.into_values().unwrap(), values);
        }
        assert!(tables.take_faults().is_empty());
        assert_eq!(tables.value(99, values.len(), || "new".into(), 0), None);
    }

    /// Whatever is changed in a file, no value differs from what was written.
    #[test]
    fn no_byte_can_be_changed_unnoticed() {
        let folder = tempfile::tempdir().unwrap();
        let (values, mut rng) = (values(), Rng::new(7));
        let file = whole("a.table", &values);
        let head = file.len() - values.len();
        let some: Vec<_> = (0..60).map(|_| head + rng.below(values.len())).collect();
        for place in (0..head).chain(some) {
            let mut changed = file.clone();
            changed[place] ^= 1 << rng.below(8);
            std::fs::write(folder.path().join("a.table"), &changed).unwrap();
            let tables = Tables::new(folder.path());
            let value = |index| tables.value(0, values.len(), || "a.table".into(), index);
            let at = place.saturating_sub(head);
            assert_eq!(value(at), None, "byte {place}");
            let faults = tables.take_faults();
            assert_eq!(faults.len(), 1, "byte {place}");
            // Undamaged blocks are still used.
            let elsewhere = (at + BLOCK) % (2 * BLOCK);
            assert_eq!(value(elsewhere), (place >= head).then(|| values[elsewhere]), "byte {place}");
            // The damage is reported once.
            assert_eq!(value(at), None);
            assert!(tables.take_faults().is_empty());
            let whole = Table::read(folder.path(), "a.table", values.len()).and_then(Table::into_values);
            assert!(whole.is_err(), "byte {place}");
        }
    }

    #[test]
    fn what_is_not_this_table_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let file = whole("name", b"abc");
        std::fs::write(at("name"), &file).unwrap();
        assert!(Table::read(folder.path(), "name", 3).is_ok());
        for (name, bytes, fault) in [
            ("cut", &whole("cut", b"abc")[..file.len() - 2], "does not have 3 values"),
            ("begun", &file[..20], "does not have 3 values"),
            ("empty", b"", "does not have 3 values"),
            ("long", &[&whole("long", b"abc"), b"d".as_slice()].concat(), "does not have 3 values"),
            ("other", &whole("other", b"abcd"), "does not have 3 values"),
            ("renamed", &file, "another name"),
            ("foreign", b"Nobody's table 1abc", "no endgame table"),
            ("old and cut", b"Carom's tables 1ab", "does not have 3 values"),
        ] {
            std::fs::write(at(name), bytes).unwrap();
            let error = Table::read(folder.path(), name, 3).unwrap_err();
            assert!(error.to_string().contains(fault) && !error.is_missing(), "{name}: {error}");
        }
        assert!(Table::read(folder.path(), "missing", 3).unwrap_err().is_missing());
        std::fs::create_dir(at("folder")).unwrap();
        let error = Table::read(folder.path(), "folder", 3).unwrap_err().to_string();
        assert!(error.contains("no regular file"), "{error}");
    }
}
