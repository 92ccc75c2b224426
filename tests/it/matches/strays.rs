//! What an engine has started ends with the command that runs the engine, and that the engine itself has ended is noticed at
//! once, whoever holds its pipes open.
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The commands that run engines, each with the file `engine.sh` as the engine. Nothing waits for less than the watchdog of a
/// test would.
const COMMANDS: [&str; 3] = [
    "match -quiet -games 1 -each tc=6000 start=6000 -engine name=A cmd=sh arg=engine.sh -engine name=B cmd=sh arg=engine.sh",
    "bridge --as uci --patience 3600 -- sh engine.sh",
    "comply --timeout 3600 --only U01,U12 -- sh engine.sh",
];

/// A folder of this test's own, with `engine.sh` in it.
fn folder(name: &str, script: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("carom-strays-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("engine.sh"), script).unwrap();
    folder
}

/// Runs one of [`COMMANDS`]; what reads its input (the bridge) is asked for a move.
fn carom(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(folder).args(words.split(' ')).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = b"uci\nisready\nposition startpos\ngo depth 1\nquit\n";
    // Whoever does not read that may have ended.
    let _ = child.stdin.take().unwrap().write_all(lines);
    child.wait_with_output().unwrap()
}

/// That none of the processes whose numbers stand in the file lives.
fn assert_gone(file: &Path, what: &str) {
    let pids = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(pids.lines().count() > 0, "{what}: nothing was started");
    for id in pids.lines() {
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let state = state.rsplit(") ").next().unwrap_or_default();
        assert!(state.is_empty() || state.starts_with(['Z', 'X']), "{what}: {id} lives on: {state}");
    }
}

/// An engine that starts a daemon, in a session of its own and without a parent, whenever it hears the word. It ends by itself
/// at `quit` and at the end of its input.
fn forks_at(word: &str) -> String {
    let fork = "(setsid sleep 1000 & echo $! >>pids)";
    format!(
        "at() {{ case $1 in {word}) {fork};; esac; }}\n\
         at start\n\
         while read -r word rest; do\n\
           at \"$word\"\n\
           case $word in\n\
             uci) echo 'id name Shell'; echo 'id author Nobody'; echo uciok;;\n\
             isready) echo readyok;;\n\
             go) echo bestmove e2e4;;\n\
             quit) exit;;\n\
           esac\n\
         done\n\
         at end\n"
    )
}

#[test]
fn no_daemon_of_an_engine_survives_whenever_it_was_started() {
    for word in ["start", "uci", "isready", "go", "quit|end"] {
        for command in COMMANDS {
            let what = format!("at {word}: {command}");
            let folder = folder("fork", &forks_at(word));
            let output = carom(&folder, command);
            assert!(!output.stdout.is_empty(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
            assert_gone(&folder.join("pids"), &what);
            std::fs::remove_dir_all(folder).unwrap();
        }
    }
}

#[test]
fn an_engine_that_has_ended_is_not_waited_for_whoever_holds_its_pipes() {
    // It leaves a child behind that has its input and its output; nothing comes from there.
    let script = "setsid sleep 1000 <&0 & echo $! >>pids";
    for (command, complaint) in COMMANDS.into_iter().zip([
        "`sh engine.sh` ends instead of answering `uci`, `xboard` or `ugi`",
        "`sh engine.sh` ends instead of answering `uci`, `xboard` or `ugi`",
        "sh speaks neither UCI nor the XBoard protocol",
    ]) {
        let folder = folder("dead", script);
        let output = carom(&folder, command);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.contains(complaint), "{command}: {err}");
        assert_eq!(output.status.code(), Some(1), "{command}: {err}");
        assert_gone(&folder.join("pids"), command);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
