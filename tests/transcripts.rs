//! Plays the scripts of `fixtures/transcripts` against the real binary.
//!
//! ```text
//! # comment
//! > line sent
//! < line expected next or later; … stands for any text
//! << the very next line
//! ```
//!
//! At the end the input is closed and the program must end well.
#![allow(clippy::unwrap_used, missing_docs)]

mod conversation;
use conversation::Conversation;
use std::path::{Path, PathBuf};

/// True when `line` is `pattern`, `…` standing for any text.
fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

fn play(path: &Path) {
    let script = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let mut talk = None::<Conversation>;
    for (number, line) in script.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        let (mark, text) = line.split_once(' ').unwrap_or((line, ""));
        match mark {
            "" | "#" => {}
            ">" => match &mut talk {
                None => talk = Some(Conversation::begin(&[], text)),
                Some(talk) => talk.say(text),
            },
            "<" => {
                talk.as_mut().unwrap().hear(&format!("{place}: {text}"), |line| fits(text, line));
            }
            "<<" => {
                let heard = talk.as_mut().unwrap().hear(&place, |_| true);
                assert!(fits(text, &heard), "{place}: expected {text}, heard {heard}");
            }
            _ => panic!("{place}: what is `{line}`?"),
        }
    }
    let (heard, status) = talk.unwrap().end();
    assert!(status.success(), "{name}: {heard:?}");
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
