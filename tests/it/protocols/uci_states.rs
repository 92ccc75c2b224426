//! `stop`, `quit` and the end of input in every state a UCI conversation can be in. Nothing here waits for a time: each
//! step waits for a line, and the watchdog of the conversation catches what hangs.
use crate::common::conversation::Conversation;

/// The state, what leads there, and the start of a line that shows it was reached (empty: the next `readyok` does).
const STATES: [(&str, &[&str], &str); 16] = [
    ("idle", &[], ""),
    ("with a position", &["position startpos moves e2e4"], ""),
    ("searching", &["go depth 100"], "info depth 3"),
    ("searching without limits", &["go"], "info depth 3"),
    ("searching on a clock", &["go wtime 3600000 btime 3600000"], "info depth 3"),
    ("searching for a fixed time", &["go movetime 3600000"], "info depth 3"),
    ("infinite", &["go infinite"], "info depth 3"),
    ("infinite and all found", &["go infinite depth 2"], "info depth 2"),
    ("pondering", &["go ponder wtime 3600000 btime 3600000"], "info depth 3"),
    ("pondering and all found", &["go ponder depth 2"], "info depth 2"),
    ("after the ponder hit", &["go ponder wtime 3600000 btime 3600000", "ponderhit"], "info depth 3"),
    (
        "infinite in a game that is over",
        &["position startpos moves f2f3 e7e5 g2g4 d8h4", "go infinite"],
        "info depth 0",
    ),
    ("weak", &["setoption name UCI_LimitStrength value true", "go infinite"], "info depth 1"),
    ("counting", &["go perft 20"], ""),
    (
        "counting long turns",
        &["setoption name UCI_Variant value hanniball", "position startpos", "go perft 9"],
        "",
    ),
    ("bench", &["bench 20"], ""),
];

/// What is said in the state, and whether the conversation goes on behind it.
const LAST_WORDS: [&str; 6] =
    ["", "stop", "quit", "isready", "go depth 1", "setoption name UCI_Variant value alapo"];

fn owed(commands: &[&str], last: &str) -> usize {
    let is_search = |line: &&&str| line.starts_with("go") && !line.contains("perft");
    commands.iter().filter(is_search).count() + usize::from(last.starts_with("go"))
}

fn reach(protocol: &str, threads: u32, commands: &[&str], sign: &str) -> Conversation {
    let mut uci = Conversation::begin(&[], protocol);
    uci.say(&format!("setoption name Threads value {threads}"));
    for command in commands {
        uci.say(command);
    }
    if sign.is_empty() {
        uci.say("isready");
        uci.hear_start("readyok");
    } else {
        uci.hear_start(sign);
    }
    uci
}

fn best_moves(heard: &[String]) -> usize {
    heard.iter().filter(|line| line.starts_with("bestmove")).count()
}

#[test]
fn the_end_of_input_ends_every_state_after_its_last_word() {
    for (state, commands, sign) in STATES {
        for last in LAST_WORDS {
            let mut uci = reach("uci", 1, commands, sign);
            if !last.is_empty() {
                uci.say(last);
            }
            let (heard, status) = uci.end();
            assert!(status.success(), "{state}, {last:?}");
            assert_eq!(best_moves(&heard), owed(commands, last), "{state}, {last:?}: {heard:?}");
            assert!(
                !heard.last().unwrap().starts_with("info depth"),
                "{state}, {last:?}: a search had no end"
            );
        }
    }
}

#[test]
fn stop_ends_every_state_and_the_conversation_goes_on() {
    for protocol in ["uci", "ugi"] {
        for threads in [1, 3] {
            for (state, commands, sign) in STATES {
                let mut uci = reach(protocol, threads, commands, sign);
                uci.say("stop");
                // What ends a search, a count or a bench comes before anything later is answered by a search.
                uci.say("position startpos");
                uci.say("go depth 1 nodes 1");
                for _ in 0..=owed(commands, "") {
                    uci.hear_start("bestmove");
                }
                uci.say("stop");
                uci.say("isready");
                uci.hear_start("readyok");
                assert_eq!(best_moves(uci.heard()), 1 + owed(commands, ""), "{protocol} {threads} {state}");
                uci.say("quit");
                assert!(uci.end().1.success(), "{protocol} {threads} {state}");
            }
        }
    }
}

#[test]
fn a_count_and_a_bench_say_that_they_were_stopped() {
    for (commands, told) in [
        (["setoption name UCI_Variant value chess", "go perft 20"], "info string perft was stopped"),
        (["setoption name UCI_Variant value hanniball", "go perft 3"], "info string perft was stopped"),
        (["setoption name UCI_Variant value wickets-det", "go perft 9"], "info string perft was stopped"),
        (["setoption name UCI_Variant value chess", "bench 30"], "info string bench was stopped"),
    ] {
        let mut uci = reach("uci", 2, &commands, "");
        uci.say("stop");
        uci.hear_start(told);
        assert!(uci.end().1.success());
    }
}

#[test]
fn searches_counts_and_benches_wait_for_each_other_in_order() {
    let mut uci = Conversation::begin(&[], "uci");
    for line in ["go infinite", "bench rollerball -20", "go depth 1", "go perft 1", "go depth 1"] {
        uci.say(line);
    }
    uci.say("go depth x");
    // Each is stopped by the next, some before they have begun to find anything; the last is only explained.
    for sign in
        ["bestmove", "info string bench", "bestmove", "", "bestmove", "info string column", "bestmove (none)"]
    {
        match sign {
            "" => drop(uci.hear("the end of the count", |line| {
                line.starts_with("info string perft") || line.starts_with("Nodes searched")
            })),
            sign => drop(uci.hear_start(sign)),
        }
    }
    assert!(uci.end().1.success());
}
