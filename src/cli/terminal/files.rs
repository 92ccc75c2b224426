//! Files of games: reading, and saving.

use crate::base::files::{read_at_most, replace};
use crate::cli::bad_input;
use anyhow::Context;
use std::path::{Path, PathBuf};

/// The most bytes that are read, since a device need not end.
const MOST_BYTES: u64 = 1 << 30;

/// The text of a file in any encoding; invalid UTF-8 is replaced.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes =
        read_at_most(path, MOST_BYTES).map_err(|error| bad_input(format!("{}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A file to which a game is saved repeatedly, after its previous content.
#[derive(Debug)]
pub struct SavedTo {
    path: PathBuf,
    before: String,
}

impl SavedTo {
    /// Reads the previous content.
    pub fn new(path: PathBuf) -> anyhow::Result<Self> {
        let before = if path.exists() { read_text(&path)? } else { String::new() };
        let gap = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n\n" };
        Ok(Self { path, before: before + gap })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the game in place of the one saved before.
    pub fn save(&self, game: &str) -> anyhow::Result<()> {
        let write = |out: &mut dyn std::io::Write| {
            out.write_all(self.before.as_bytes())?;
            out.write_all(game.as_bytes())
        };
        replace(&self.path, write).with_context(|| format!("cannot save to {}", self.path.display()))
    }
}
