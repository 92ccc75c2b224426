//! What holds on every system; this test program plays the engine, too.

use super::{EngineCommand, Process, ProcessError, Stderr};
use std::fs::File;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The file that whoever is started locks as long as he lives.
const FILE: &str = "CAROM_TEST_LOCK";

/// This program as an engine that plays `part`.
fn engine(part: &str, file: &Path) -> EngineCommand {
    let mut command = EngineCommand::new(std::env::current_exe().unwrap());
    let part = format!("process::everywhere::{part}");
    command.arguments = ["--ignored", "--exact", &part, "--nocapture"].into_iter().map(Into::into).collect();
    command.environment = vec![(FILE.into(), file.into())];
    command.stderr = Stderr::Null;
    command.quit_timeout = Duration::from_millis(50);
    command
}

fn file() -> Option<PathBuf> {
    std::env::var_os(FILE).map(PathBuf::from)
}

#[test]
#[ignore = "played by what other tests start"]
fn locks_a_file_and_stays() {
    let Some(path) = file() else { return };
    let file = File::open(path).unwrap();
    file.lock().unwrap();
    println!("\nlocked");
    stdout().flush().unwrap();
    loop {
        std::thread::park();
    }
}

#[test]
#[ignore = "played by what other tests start"]
fn starts_another() {
    let Some(path) = file() else { return };
    let command = engine("locks_a_file_and_stays", &path);
    let mut child = std::process::Command::new(command.program).args(command.arguments).spawn().unwrap();
    child.wait().unwrap();
}

fn wait_until_locked(process: &mut Process) {
    process.wait_for(Duration::from_secs(60), |line| (line == "locked").then_some(())).unwrap();
}

#[test]
fn what_an_engine_has_started_ends_with_it() {
    let path = std::env::temp_dir().join(format!("carom-tree-{}", std::process::id()));
    let file = File::create(&path).unwrap();
    let mut process = Process::start(&engine("starts_another", &path)).unwrap();
    wait_until_locked(&mut process);
    assert!(file.try_lock().is_err());
    drop(process);
    // Killed is not yet gone: the system does the rest in its own time.
    let gone = (0..1_000_000).any(|_| {
        std::thread::yield_now();
        file.try_lock().is_ok()
    });
    assert!(gone, "it lives on");
    drop(file);
    let _ = std::fs::remove_file(path);
}

#[test]
fn an_engine_that_does_not_read_is_given_up_at_the_deadline() {
    let path = std::env::temp_dir().join(format!("carom-deaf-{}", std::process::id()));
    File::create(&path).unwrap();
    let mut process = Process::start(&engine("locks_a_file_and_stays", &path)).unwrap();
    wait_until_locked(&mut process);
    let soon = Instant::now() + Duration::from_millis(20);
    assert_eq!(process.pipes.write(&"x".repeat(1 << 20), soon), Err(ProcessError::TimedOut));
    // Nor is its end waited for.
    process.kill();
    drop(process);
    let _ = std::fs::remove_file(path);
}
