//! A match that runs or has run, from its journal.

use serde_json::{Value, json};
use std::path::PathBuf;

/// What is known of the journal.
pub struct Watch {
    path: PathBuf,
}

impl Watch {
    /// Nothing read yet.
    pub const fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// What it has got since `from` games were known.
    pub fn since(&mut self, from: usize) -> Result<Value, String> {
        Ok(json!({"type": "journal", "from": from, "path": self.path.display().to_string()}))
    }

    /// A game of it, every board.
    pub fn game(&mut self, number: u64) -> Result<Value, String> {
        Err(format!("game {number} is not there"))
    }
}
