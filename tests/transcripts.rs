//! Plays the scripts of `fixtures/transcripts` against the real binary; `tests/transcript` tells how they are written.
#![allow(clippy::unwrap_used, missing_docs)]

mod conversation;
mod transcript;

use std::path::{Path, PathBuf};
use transcript::fits;

fn play(path: &Path) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    transcript::play(&name, 1, &std::fs::read_to_string(path).unwrap());
}

fn scripts(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/transcripts").join(folder);
    let mut found: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn uci_transcripts() {
    let scripts = scripts("uci");
    assert!(scripts.len() >= 40);
    scripts.iter().for_each(|path| play(path));
}

#[test]
fn ugi_transcripts() {
    let scripts = scripts("ugi");
    assert!(scripts.len() >= 8);
    scripts.iter().for_each(|path| play(path));
}

#[test]
fn there_are_enough_of_them() {
    let count: usize = ["uci", "ugi", "xboard"].into_iter().map(|folder| scripts(folder).len()).sum();
    assert!(count >= 60, "{count}");
}

#[test]
fn xboard_transcripts() {
    let scripts = scripts("xboard");
    assert!(scripts.len() >= 8);
    scripts.iter().for_each(|path| play(path));
}

#[test]
fn patterns() {
    assert!(fits("bestmove …", "bestmove e2e4"));
    assert!(fits("bestmove …,=… ponder …", "bestmove a1b2,=4 ponder c3"));
    assert!(
        fits("a", "a") && !fits("a", "ab") && !fits("ab…", "a") && !fits("…b", "abc") && fits("…b…", "abc")
    );
}
