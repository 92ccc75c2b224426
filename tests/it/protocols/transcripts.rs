//! Plays the scripts of `fixtures/transcripts` against the real binary; `tests/transcript` tells how they are written.

use crate::common::transcript::fits;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn play(path: &Path) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    crate::common::transcript::play(&name, 1, &std::fs::read_to_string(path).unwrap());
}

fn scripts(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/transcripts").join(folder);
    let mut found: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

/// Plays all of a folder, several at a time, and names those that failed.
fn play_all(folder: &str, least: usize) {
    let scripts = scripts(folder);
    assert!(scripts.len() >= least);
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(path) = scripts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if std::panic::catch_unwind(|| play(path)).is_err() {
                        failed.lock().unwrap().push(path);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn uci_transcripts() {
    play_all("uci", 40);
}

#[test]
fn ugi_transcripts() {
    play_all("ugi", 8);
}

#[test]
fn there_are_enough_of_them() {
    let count: usize = ["uci", "ugi", "xboard"].into_iter().map(|folder| scripts(folder).len()).sum();
    assert!(count >= 60, "{count}");
}

#[test]
fn xboard_transcripts() {
    play_all("xboard", 8);
}

#[test]
fn patterns() {
    assert!(fits("bestmove …", "bestmove e2e4"));
    assert!(fits("bestmove …,=… ponder …", "bestmove a1b2,=4 ponder c3"));
    assert!(
        fits("a", "a") && !fits("a", "ab") && !fits("ab…", "a") && !fits("…b", "abc") && fits("…b…", "abc")
    );
}

/// The commands of each protocol. A word that only follows others stands behind the one it follows.
const UCI: [&str; 33] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "go searchmoves",
    "go ponder",
    "go wtime",
    "go btime",
    "go winc",
    "go binc",
    "go movestogo",
    "go depth",
    "go nodes",
    "go mate",
    "go movetime",
    "go infinite",
    "go perft",
    "d",
    "eval",
    "bench",
    "flip",
    "help",
    "query",
    "ugi",
    "uginewgame",
    "position fen",
];
const XBOARD: [&str; 54] = [
    "xboard",
    "protover",
    "accepted",
    "rejected",
    "new",
    "variant",
    "quit",
    "random",
    "force",
    "go",
    "playother",
    "level",
    "st",
    "sd",
    "nps",
    "time",
    "otim",
    "usermove",
    "?",
    "ping",
    "draw",
    "result",
    "setboard",
    "edit",
    "hint",
    "bk",
    "undo",
    "remove",
    "hard",
    "easy",
    "post",
    "nopost",
    "analyze",
    ".",
    "exit",
    "exclude",
    "exclude all",
    "include",
    "include all",
    "name",
    "rating",
    "computer",
    "pause",
    "resume",
    "memory",
    "cores",
    "option",
    "lift",
    "put",
    "hover",
    "white",
    "black",
    "ics",
    "setscore",
];

#[test]
fn every_command_and_every_option_is_in_one() {
    let said = |folders: &[&str]| -> Vec<String> {
        let all = folders.iter().flat_map(|folder| scripts(folder));
        let texts: Vec<String> = all.map(|path| std::fs::read_to_string(path).unwrap()).collect();
        texts
            .iter()
            .flat_map(|text| text.lines())
            .filter_map(|line| line.strip_prefix("> "))
            .map(str::to_owned)
            .collect()
    };
    let (uci, xboard) = (said(&["uci", "ugi"]), said(&["xboard"]));
    let has = |lines: &[String], command: &str| {
        lines.iter().any(|line| {
            let mut words = line.split_whitespace();
            let mut wanted = command.split_whitespace();
            words.next() == wanted.next() && wanted.all(|want| words.clone().any(|word| word == want))
        })
    };
    let lacking: Vec<&str> = UCI.into_iter().filter(|command| !has(&uci, command)).collect();
    assert!(lacking.is_empty(), "UCI: {lacking:?}");
    let lacking: Vec<&str> = XBOARD.into_iter().filter(|command| !has(&xboard, command)).collect();
    assert!(lacking.is_empty(), "XBoard: {lacking:?}");
    let mut greeting = crate::common::conversation::Conversation::begin(&[], "uci");
    greeting.hear_start("uciok");
    let names =
        greeting.heard().iter().filter_map(|line| line.strip_prefix("option name ")?.split(" type ").next());
    for name in names {
        let set = format!("setoption name {name}");
        assert!(uci.iter().any(|line| line.starts_with(&set)), "no transcript sets {name}");
    }
}
