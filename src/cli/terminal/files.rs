//! Files of games: read, and saved to.

use crate::base::files::{read_at_most, replace};
use crate::cli::bad_input;
use anyhow::Context;
use std::path::{Path, PathBuf};

/// More is not read: a device need not end.
const MOST_BYTES: u64 = 1 << 30;

/// The text of a file, whatever it is encoded in.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes =
        read_at_most(path, MOST_BYTES).map_err(|error| bad_input(format!("{}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A file that a game is saved to, again and again, behind what stood there before.
#[derive(Debug)]
pub struct SavedTo {
    path: PathBuf,
    before: String,
}

impl SavedTo {
    /// Reads what stands there.
    pub fn new(path: PathBuf) -> anyhow::Result<Self> {
        let before = if path.exists() { read_text(&path)? } else { String::new() };
        let gap = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n\n" };
        Ok(Self { path, before: before + gap })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the game in place of what was saved before.
    pub fn save(&self, game: &str) -> anyhow::Result<()> {
        let write = |out: &mut dyn std::io::Write| {
            out.write_all(self.before.as_bytes())?;
            out.write_all(game.as_bytes())
        };
        replace(&self.path, write).with_context(|| format!("cannot save to {}", self.path.display()))
    }
}
