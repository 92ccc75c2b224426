//! What processes and their pipes must do.

mod everywhere;
#[cfg(feature = "serve")]
mod wires;

use super::pipes::Transport;
use super::*;
use std::process::{Command, Stdio};

fn shell(script: &str) -> EngineCommand {
    let mut command = EngineCommand::new("sh");
    command.arguments = vec!["-c".into(), script.into()];
    command.quit_timeout = Duration::from_millis(50);
    command
}

/// What both kinds of pipes must do.
macro_rules! pipes_behave {
    ($pipes:ty) => {
        let start = |script: &str| {
            let mut child = Command::new("sh")
                .args(["-c", script])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let pipes = <$pipes>::new(&mut child).unwrap();
            (child, pipes)
        };
        let later = || Instant::now() + Duration::from_secs(20);
        let (mut child, mut pipes) =
            start("read a; echo \"$a\"; printf 'b\\r\\n\\n\\tc\\033[2J\\0d\\re\\t\\nlast'");
        assert_eq!(pipes.next_line(Instant::now()), Err(ProcessError::TimedOut));
        pipes.write("hello\n", later()).unwrap();
        for line in ["hello", "b", "", " c\u{fffd}[2J\u{fffd}d", "e", "last"] {
            assert_eq!(pipes.next_line(later()).unwrap().0, line);
        }
        assert_eq!(pipes.next_line(later()), Err(ProcessError::Disconnected));
        child.wait().unwrap();
        // Programs that other tests start hold the other end for a moment.
        let fault = loop {
            if let Err(fault) = pipes.write("anybody?\n", later()) {
                break fault;
            }
        };
        assert_eq!(fault, ProcessError::Disconnected);
        let (mut child, mut pipes) = start("yes 'info string flood'");
        let fault = loop {
            if let Err(fault) = pipes.next_line(later()) {
                break fault;
            }
        };
        assert_eq!(fault, ProcessError::Flooded);
        child.kill().unwrap();
        child.wait().unwrap();
        let (mut child, mut pipes) = start("tr '\\0' x </dev/zero");
        assert_eq!(pipes.next_line(later()), Err(ProcessError::Flooded), "a line without end");
        child.kill().unwrap();
        child.wait().unwrap();
    };
}

#[test]
fn pipes_carry_lines_and_see_ends_and_floods() {
    pipes_behave!(Pipes<Own>);
}

#[test]
fn threaded_pipes_do_the_same() {
    pipes_behave!(Pipes<threaded::Threaded>);
}

#[test]
fn an_engine_that_does_not_read_is_a_fault_and_not_a_hang() {
    fn stalls<T: Transport>() {
        let mut child =
            Command::new("sleep").arg("100").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut pipes = Pipes::<T>::new(&mut child).unwrap();
        let long = "x".repeat(1 << 20);
        let soon = || Instant::now() + Duration::from_millis(20);
        assert_eq!(pipes.write(&long, soon()), Err(ProcessError::TimedOut));
        assert_eq!(pipes.write("more", soon()), Err(ProcessError::TimedOut));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    stalls::<Own>();
    stalls::<threaded::Threaded>();
}

#[test]
fn the_whole_group_ends_and_nothing_is_left() {
    // The grandchild neither reads nor writes; it prints its number and would sleep on.
    let mut process = Process::start(&shell("sleep 1000 & echo $!; wait")).unwrap();
    let grandchild = process.receive(Instant::now() + Duration::from_secs(20)).unwrap().0;
    let ids = [process.id().to_string(), grandchild];
    drop(process);
    assert_gone(&ids);
}

#[cfg(target_os = "linux")]
#[test]
fn who_left_the_group_ends_as_well() {
    let script = "setsid sh -c 'sleep 1000 & echo $!; wait' & echo $!; wait";
    let mut process = Process::start(&shell(script)).unwrap();
    let later = Instant::now() + Duration::from_secs(20);
    let ids = [(); 2].map(|()| process.receive(later).unwrap().0);
    drop(process);
    assert_gone(&ids);
}

/// Processes that an engine has started may hold its pipes open. That the engine itself has ended is noticed
/// all the same.
#[cfg(target_os = "linux")]
#[test]
fn the_end_of_an_engine_is_noticed_while_others_hold_its_pipes() {
    let later = || Instant::now() + Duration::from_secs(600);
    let all = "setsid sleep 1000 <&0 & echo $!; printf last";
    let mut process = Process::start(&shell(all)).unwrap();
    let child = process.receive(later()).unwrap().0;
    assert_eq!(process.receive(later()).unwrap().0, "last", "what it said before is heard");
    assert_eq!(process.receive(later()), Err(ProcessError::Disconnected));
    // This is never read.
    assert_eq!(process.pipes.write(&"x".repeat(1 << 20), later()), Err(ProcessError::Disconnected));
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(child.parse().unwrap()).unwrap(),
        rustix::process::Signal::KILL,
    )
    .unwrap();
}

#[test]
fn a_line_stays_one_line_whatever_is_in_it() {
    let mut process = Process::start(&shell("head -n 3 | tr '\\r\\033' 'RE'; cat")).unwrap();
    process.send_all(&["one\rquit\n\x1b[2J", "two\tthree", "four"]).unwrap();
    let later = Instant::now() + Duration::from_secs(20);
    let lines = [(); 3].map(|()| process.receive(later).unwrap().0);
    assert_eq!(lines, ["one\u{fffd}quit\u{fffd}\u{fffd}[2J", "two three", "four"]);
}

fn assert_gone(ids: &[String]) {
    // A killed process is not gone at once: the system does the rest in its own time.
    for id in ids {
        // Orphans are reaped by the process that adopted them: a killed one may still be listed as a zombie.
        let is_gone = || {
            let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            let state = state.rsplit(") ").next().unwrap_or_default();
            state.is_empty() || state.starts_with(['Z', 'X'])
        };
        let gone = (0..1_000_000).any(|_| {
            std::thread::yield_now();
            is_gone()
        });
        assert!(gone, "{id} lives on");
    }
}

#[test]
fn folder_environment_and_error_file_are_used() {
    let folder = std::env::temp_dir().join(format!("carom-process-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = shell("pwd; echo $WHO; printf 'oops\\r\\033[2J\\n\\na\\tb' >&2");
    command.folder = Some(folder.clone());
    command.environment = vec![("WHO".into(), "me".into())];
    command.stderr = Stderr::File(folder.join("errors"));
    let mut process = Process::start(&command).unwrap();
    let later = Instant::now() + Duration::from_secs(20);
    assert!(process.receive(later).unwrap().0.ends_with(folder.file_name().unwrap().to_str().unwrap()));
    assert_eq!(process.receive(later).unwrap().0, "me");
    assert_eq!(process.receive(later), Err(ProcessError::Disconnected));
    drop(process);
    assert_eq!(std::fs::read_to_string(folder.join("errors")).unwrap(), "oops\n\u{fffd}[2J\na b\n");
    std::fs::remove_dir_all(folder).unwrap();
    assert!(Process::start(&EngineCommand::new("/no/such/program")).is_err());
}
