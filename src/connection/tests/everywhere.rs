//! What holds on every system. This test program plays the engine, too.

use crate::connection::{EngineCommand, Process, ProcessError, Stderr};
use crossbeam_channel::{Receiver, unbounded};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The file that every process started here locks for as long as it lives.
const FILE: &str = "CAROM_TEST_LOCK";

/// This program as an engine that plays `part`, and the lines of its standard error.
fn engine(part: &str, file: &Path) -> (EngineCommand, Receiver<String>) {
    let (sender, said) = unbounded();
    let mut command = EngineCommand::new(std::env::current_exe().unwrap());
    // The test program names its tests without the crate.
    let (_, module) = module_path!().split_once("::").unwrap();
    let part = format!("{module}::{part}");
    command.arguments = ["--ignored", "--exact", &part, "--nocapture"].into_iter().map(Into::into).collect();
    command.environment = vec![(FILE.into(), file.into())];
    command.stderr = Stderr::Lines(sender);
    command.quit_timeout = Duration::from_millis(50);
    (command, said)
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
    eprintln!("\nlocked");
    loop {
        std::thread::park();
    }
}

#[test]
#[ignore = "played by what other tests start"]
fn starts_another() {
    let Some(path) = file() else { return };
    let (command, _) = engine("locks_a_file_and_stays", &path);
    let mut child = std::process::Command::new(command.program).args(command.arguments).spawn().unwrap();
    child.wait().unwrap();
}

fn wait_until_locked(said: &Receiver<String>) {
    assert!(said.iter().any(|line| line == "locked"), "it has ended");
}

#[test]
fn what_an_engine_has_started_ends_with_it() {
    let path = std::env::temp_dir().join(format!("carom-tree-{}", std::process::id()));
    let file = File::create(&path).unwrap();
    let (command, said) = engine("starts_another", &path);
    let process = Process::start(&command).unwrap();
    drop(command);
    wait_until_locked(&said);
    assert!(file.try_lock().is_err());
    drop(process);
    // A killed process is not gone at once: the system does the rest in its own time.
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
    let (command, said) = engine("locks_a_file_and_stays", &path);
    let mut process = Process::start(&command).unwrap();
    drop(command);
    wait_until_locked(&said);
    let soon = Instant::now() + Duration::from_millis(20);
    assert_eq!(process.pipes.write(&"x".repeat(1 << 20), soon), Err(ProcessError::TimedOut));
    // Nor is its end waited for.
    process.kill();
    drop(process);
    let _ = std::fs::remove_file(path);
}
