//! Commands and events in every possible order.

use super::*;
use crate::engine::tests::faulty::{ALL, Faulty};

/// What is sent: a few ways to begin something that soon ends by itself, and what may come while it runs.
const COMMANDS: [&str; 7] = [
    "go depth 1",
    "go infinite depth 1",
    "go ponder depth 1",
    "go depth x",
    "go perft 1",
    "stop",
    "ponderhit",
];

/// A conversation in which search events arrive when the test allows it.
struct Slow {
    uci: Uci,
}

impl Slow {
    fn new() -> Self {
        Self { uci: Uci::new(Engine::new()) }
    }

    fn say(&mut self, line: &str) {
        assert!(self.uci.line(line, Instant::now()).is_continue());
    }

    /// Handles all events, until nothing runs or what runs has ended and is held.
    fn settle(&mut self) {
        while self.uci.search.as_ref().is_some_and(|search| !search.held || search.best.is_none()) {
            let (id, event) = self.uci.events().recv().unwrap();
            self.uci.event(id, event);
        }
    }
}

/// How many `go`s that ask for a best move may be answered once the commands of `said` were sent.
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

/// Every conversation of four commands, with the events of its search arriving after any of them: each `go`
/// gets one best move, and none comes too early.
#[test]
fn every_go_gets_its_best_move_whenever_the_events_arrive() {
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
                    best += slow.uci.out.take().matches("bestmove ").count();
                    assert_eq!(best, answerable(&said[..=place]), "{said:?}, events behind {settling:b}");
                }
            }
            slow.say("stop");
            slow.settle();
            best += slow.uci.out.take().matches("bestmove ").count();
            assert!(slow.uci.search.is_none() && slow.uci.waiting.is_empty(), "{said:?}, {settling:b}");
            let all = said.iter().filter(|line| line.starts_with("go") && !line.contains("perft")).count();
            assert_eq!(best, all, "{said:?}, events behind {settling:b}");
        }
    }
}

/// The answer to `line` in a game that panics, with one thread and with three.
fn answers<const EVALUATIONS: i64, const LISTS: i64>(line: &str) -> [String; 2] {
    [1, 3].map(|threads| {
        let mut slow = Slow::new();
        slow.uci.engine.load_game::<Faulty<EVALUATIONS, LISTS>>();
        slow.say("setoption name Hash value 1");
        slow.say(&format!("setoption name Threads value {threads}"));
        slow.say("position startpos moves e2e4");
        slow.say(line);
        slow.settle();
        let said = slow.uci.out.take();
        assert!(said.contains(&format!("info string {} in the search: ", options::MISTAKE)), "{said}");
        assert!(said.lines().all(|line| line != "quit"), "one line is one line: {said}");
        assert_eq!(slow.uci.engine.session().tokens_played(), 1, "the game is kept");
        said
    })
}

#[test]
fn a_search_that_panics_is_told_of_and_answered_with_a_legal_move() {
    for said in [answers::<0, ALL>("go depth 9"), answers::<20_000, ALL>("go depth 99")].concat() {
        let best: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        let [best] = best[..] else { panic!("{said}") };
        let best = best.split(' ').next().unwrap();
        let mut uci = Slow::new();
        uci.say(&format!("position startpos moves e2e4 {best}"));
        assert_eq!(uci.uci.engine.session().tokens_played(), 2, "{said}");
        // The best move is what was found before the panic.
        let last = said.lines().rfind(|line| line.contains(" pv "));
        assert!(last.is_none_or(|line| line.contains(&format!(" pv {best}"))), "{said}");
    }
    let asked_for = answers::<0, ALL>("go depth 9 searchmoves h7h6");
    assert!(asked_for.iter().all(|said| said.contains("bestmove h7h6")), "{asked_for:?}");
}

#[test]
fn where_the_rules_panic_every_go_is_answered_and_the_next_game_is_played() {
    // Reading `e2e4` takes two lists of moves; the search has none left.
    for said in answers::<ALL, 2>("go depth 9") {
        assert!(said.contains("bestmove (none)"), "{said}");
    }
    for said in answers::<ALL, 40>("go perft 4") {
        assert!(said.contains("perft was stopped") && !said.contains("Nodes searched"), "{said}");
    }
    let mut slow = Slow::new();
    slow.uci.engine.load_game::<Faulty<ALL, 0>>();
    slow.say("go depth 1");
    slow.settle();
    slow.say("setoption name UCI_Variant value alapo");
    slow.say("go depth 1");
    slow.settle();
    let said = slow.uci.out.take();
    assert_eq!(said.matches("bestmove ").count(), 2, "{said}");
    assert_eq!(said.matches("bestmove (none)").count(), 1, "{said}");
}
