//! The corpora of the fuzz targets, and inputs like them, on any toolchain.
//!
//! `cargo test` replays the corpora and tries the same few changed inputs every time. `CAROM_FUZZ_SECONDS=15` tries new
//! ones for so long for each target (see `.ci/fuzz`), `CAROM_FUZZ_SEED` the same ones again. An input that fails is left
//! in `target/fuzz-failure`.

use crate::protocols::fuzz::mutation::{Mutator, corpus};
use crate::protocols::fuzz::{TARGETS, Target};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant, SystemTime};

/// What is being tried, for each target.
static TRIED: Mutex<Vec<(&str, Vec<u8>)>> = Mutex::new(Vec::new());

/// A panic may happen in any thread, and others may wait for that one: what failed is saved, and the process ends.
fn end_with_the_first_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(move |panic| {
            // Not `eprintln`, which the test harness keeps to itself.
            let mut error = std::io::stderr();
            let _ = writeln!(error, "{panic}");
            for (target, input) in TRIED.lock().unwrap().iter() {
                let path = concat!(env!("CARGO_MANIFEST_DIR"), "/target/fuzz-failure");
                let _ = std::fs::write(format!("{path}-{target}"), input);
                let _ = writeln!(error, "while {target} had {path}-{target}: \"{}\"", input.escape_ascii());
            }
            std::process::abort();
        }));
    });
}

fn attempt((name, run): Target, input: Vec<u8>) {
    let forget = |tried: &mut Vec<(&str, Vec<u8>)>| tried.retain(|(other, _)| *other != name);
    let mut tried = TRIED.lock().unwrap();
    forget(&mut tried);
    tried.push((name, input.clone()));
    drop(tried);
    run(&input);
    forget(&mut TRIED.lock().unwrap());
}

fn replay(target: Target, changed: usize) {
    end_with_the_first_panic();
    let seeds = corpus(target.0);
    let seconds = std::env::var("CAROM_FUZZ_SECONDS").ok().map(|text| text.parse().unwrap());
    let Some(seconds) = seconds else {
        seeds.iter().for_each(|input| attempt(target, input.clone()));
        let mut mutator = Mutator::new(seeds, 1);
        return (0..changed).for_each(|_| attempt(target, mutator.input()));
    };
    let seed = std::env::var("CAROM_FUZZ_SEED").map_or_else(
        |_| SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64,
        |text| text.parse().unwrap(),
    );
    let _ = writeln!(std::io::stderr(), "{}: seed {seed}", target.0);
    let (mut mutator, end, mut number) =
        (Mutator::new(seeds, seed), Instant::now() + Duration::from_secs(seconds), 0_u64);
    while Instant::now() < end {
        attempt(target, mutator.input());
        number += 1;
    }
    let _ = writeln!(std::io::stderr(), "{}: {number} inputs in {seconds} s", target.0);
}

/// Replays a target in a process of its own: other tests beside it have searches of their own, and panics.
fn replay_alone(target: Target, changed: usize) {
    const ALONE: &str = "CAROM_FUZZ_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return replay(target, changed);
    }
    let test = format!("{}::{}", module_path!().split_once("::").unwrap().1, target.0);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([&test, "--exact", "--nocapture"]).env(ALONE, "1").stdout(Stdio::piped());
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{test}: {}, {text}", output.status);
}

#[test]
fn text() {
    replay_alone(TARGETS[0], 2000);
}

#[test]
fn protocols() {
    replay_alone(TARGETS[1], 3000);
}

#[test]
fn sessions() {
    replay_alone(TARGETS[2], 200);
}
