//! The order of commands and of news, tried in every way.

use super::super::search_thread::Event;
use super::*;
use crossbeam_channel::{Receiver, unbounded};

/// What is said: a few ways to begin something that soon ends by itself, and what may come while it runs.
const COMMANDS: [&str; 7] = [
    "go depth 1",
    "go infinite depth 1",
    "go ponder depth 1",
    "go depth x",
    "go perft 1",
    "stop",
    "ponderhit",
];

/// A conversation in which news of searches arrive when the test says so.
struct Slow {
    uci: Uci,
    events: Receiver<Event>,
    out: Replies,
}

impl Slow {
    fn new() -> Self {
        let (to_us, events) = unbounded();
        Self { uci: Uci::new(to_us), events, out: Replies::default() }
    }

    fn say(&mut self, line: &str) {
        assert!(self.uci.line(line, Instant::now(), &mut self.out).is_continue());
    }

    /// Lets all news in, until nothing runs or what runs has ended and is held.
    fn settle(&mut self) {
        while self.uci.search.as_ref().is_some_and(|search| !search.held || search.choice.is_none()) {
            let event = self.events.recv().unwrap();
            assert!(self.uci.event(event, &mut self.out).is_continue());
        }
    }
}

/// How many of the `go`s that ask for a best move may be answered after `said`.
fn answerable(said: &[&str]) -> usize {
    let (mut due, mut held, mut infinite) = (0, false, false);
    for &line in said {
        match line {
            "stop" => held = false,
            "ponderhit" => held &= infinite,
            "go perft 1" => held = false,
            _ => {
                due += 1;
                infinite = line.contains("infinite");
                held = infinite || line.contains("ponder");
            }
        }
    }
    due - usize::from(held)
}

/// Every conversation of four commands, the news arriving behind any of them: one best move for every `go`, none before
/// its time.
#[test]
fn every_go_gets_its_best_move_whenever_the_news_arrive() {
    let mut slow = Slow::new();
    slow.say("setoption name Hash value 1");
    let length = 4;
    for number in 0..COMMANDS.len().pow(length) {
        let said: Vec<&str> =
            (0..length).map(|place| COMMANDS[number / COMMANDS.len().pow(place) % COMMANDS.len()]).collect();
        for settling in 0..1 << length {
            let mut best = 0;
            for (place, line) in said.iter().enumerate() {
                slow.say(line);
                if settling >> place & 1 == 1 {
                    slow.settle();
                    best += slow.out.take().matches("bestmove ").count();
                    assert_eq!(best, answerable(&said[..=place]), "{said:?}, news behind {settling:b}");
                }
            }
            slow.say("stop");
            slow.settle();
            best += slow.out.take().matches("bestmove ").count();
            assert!(slow.uci.search.is_none() && slow.uci.waiting.is_empty(), "{said:?}, {settling:b}");
            let all = said.iter().filter(|line| line.starts_with("go") && !line.contains("perft")).count();
            assert_eq!(best, all, "{said:?}, news behind {settling:b}");
        }
    }
}
