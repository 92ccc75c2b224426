//! Threads and stack that cannot be had: fewer are used, and nobody waits for an answer.
use crate::common::conversation::Conversation;
use std::process::Command;

/// The counts of every game that are deepest, begun and stopped: the way down is all that is needed of stack.
#[test]
fn the_deepest_count_that_is_allowed_fits_on_the_stack_in_every_game() {
    let mut uci = Conversation::begin(&[], "uci");
    uci.hear_start("uciok");
    for facts in carom::variants::all() {
        uci.say(&format!("setoption name UCI_Variant value {}", facts.name));
        for threads in [1, 2] {
            uci.say(&format!("setoption name Threads value {threads}"));
            for depth in [60, 61, 100_000, u32::MAX] {
                uci.say(&format!("go perft {depth}"));
                if depth > 60 {
                    assert_eq!(
                        uci.hear_start("info string perft"),
                        "info string perft counts 60 turns at most"
                    );
                    uci.hear_start("bestmove (none)");
                } else {
                    uci.say("stop");
                    uci.hear_start("info string perft was stopped");
                }
            }
        }
    }
    assert!(uci.end().1.success());
}

#[test]
fn numbers_of_threads_and_turns_have_an_upper_bound() {
    for (arguments, complaint) in [
        (["perft", "--threads", "100000"], "100000 is not in 1..=256"),
        (["perft", "--threads", "0"], "0 is not in 1..=256"),
        (["perft", "--depth", "61"], "61 is not in 1..=60"),
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).output().unwrap();
        assert_eq!(run.status.code(), Some(2));
        let said = String::from_utf8(run.stderr).unwrap();
        assert!(said.contains(complaint), "{said}");
    }
}

/// The output and the complaints of a shell's `script` that runs `$CAROM` in 400 MB of address space.
#[cfg(target_os = "linux")]
fn in_little_memory(script: &str) -> (String, String) {
    let script = format!("ulimit -v 400000; {script}");
    let run =
        Command::new("sh").args(["-c", &script]).env("CAROM", env!("CARGO_BIN_EXE_carom")).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn with_fewer_threads_than_wanted_everything_is_counted_and_searched_and_the_log_says_so_once() {
    let lines =
        "uci\\nsetoption name Threads value 256\\ngo perft 2\\ngo perft 3\\ngo depth 4\\ngo depth 5\\n";
    let (said, log) = in_little_memory(&format!("printf '{lines}' | \"$CAROM\""));
    assert!(said.contains("Nodes searched: 400\n") && said.contains("Nodes searched: 8902\n"), "{said}");
    assert_eq!(said.matches("bestmove ").count(), 2, "{said}");
    assert_eq!(log.matches("of 256 threads can be had").count(), 1, "{log}");
    let (said, log) = in_little_memory("\"$CAROM\" perft --depth 3 --threads 256");
    assert_eq!(said, "1 20\n2 400\n3 8902\n");
    assert_eq!(log.matches("of 256 threads can be had").count(), 1, "{log}");
}

/// The tables are divided among as many threads as are wanted, and built by those that there are.
#[cfg(target_os = "linux")]
#[test]
fn with_fewer_threads_than_wanted_tables_are_built_and_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let build = |threads: u32| {
        let to = folder.path().join(threads.to_string());
        let command =
            format!("\"$CAROM\" tables build rollerball {} --pieces 2 --threads {threads}", to.display());
        let (said, log) = in_little_memory(&command);
        let [table] = std::fs::read_dir(to).unwrap().collect::<Vec<_>>().try_into().unwrap();
        (said, log, std::fs::read(table.unwrap().path()).unwrap())
    };
    let (said, log, table) = build(256);
    assert_eq!(log.matches("of 256 threads can be had").count(), 1, "{log}");
    let (alone, _, same) = build(1);
    assert_eq!((said, table), (alone, same));
}

/// Where not even one thread more can be had, a word is answered all the same.
#[cfg(target_os = "linux")]
#[test]
fn with_no_thread_to_search_on_the_first_legal_move_is_played() {
    let begin =
        "echo uci; echo setoption name Hash value 1; echo position startpos moves e2e4; echo go depth 3";
    let mut without = 0;
    // What the program itself takes differs from system to system: somewhere between nothing and enough.
    for kilobytes in (10_000..60_000).step_by(2000) {
        let script = format!("ulimit -v {kilobytes}; ({begin}) | \"$CAROM\"");
        // Not enough to begin at all, perhaps.
        let Ok((said, _)) = std::panic::catch_unwind(|| in_little_memory(&script)) else { continue };
        assert_eq!(said.matches("bestmove ").count(), said.matches("uciok").count(), "{kilobytes}: {said}");
        if said.contains("info string no thread to search on: ") {
            assert!(said.contains("bestmove a7a6"), "{kilobytes}: {said}");
            without += 1;
        }
    }
    assert!(without > 0, "nowhere was there too little for a thread");
}
