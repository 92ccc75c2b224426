//! Commands and search events in every possible order.

mod mirror;
mod simulator;
mod walk;

use super::board;
use super::mirror::Mirror;
use super::thinking::Search;
use super::*;
use crate::base::Rng;
use crate::engine::tests::faulty::{ALL, Faulty};
use crate::search::Limits;
use crate::session::xboard_spelling::{self, Ply};
use crate::variants;
use std::time::Duration;

/// What is sent while a search for a move is running; `e2e4` stands for some legal move.
const COMMANDS: [&str; 8] = ["?", "ping", "pause", "resume", "force", "go", "hard", "usermove e2e4"];

/// A conversation in which search events arrive when the test allows it.
struct Slow {
    xboard: Xboard,
    pings: i64,
    pongs: i64,
    moves: usize,
}

impl Slow {
    fn new() -> Self {
        let xboard = Xboard::new(Engine::new());
        let mut slow = Self { xboard, pings: 0, pongs: 0, moves: 0 };
        slow.say("protover 2");
        // These settings outlive `new`.
        slow.say("memory 1");
        slow.say("st 0");
        slow
    }

    fn say(&mut self, line: &str) {
        let line = match line {
            "ping" => {
                self.pings += 1;
                format!("ping {}", self.pings)
            }
            "usermove e2e4" => {
                let legal = self.xboard.play.game.engine.session().continuations();
                format!("usermove {}", legal.first().map_or("e2e4", String::as_str))
            }
            other => other.to_owned(),
        };
        assert!(self.xboard.line(&line, Instant::now()).is_continue());
        self.listen();
    }

    /// Checks that pongs come in the order of the pings.
    fn listen(&mut self) {
        for line in self.xboard.play.game.out.take().lines() {
            if let Some(number) = line.strip_prefix("pong ") {
                self.pongs += 1;
                assert_eq!(number.parse(), Ok(self.pongs));
            }
            self.moves += usize::from(line.starts_with("move "));
        }
    }

    /// Handles the events of the search for our own move.
    fn settle(&mut self) {
        let comes = |search: &Search| search.purpose == Purpose::Move;
        while !self.xboard.play.thinking.paused
            && self.xboard.play.thinking.search.as_ref().is_some_and(comes)
        {
            let (id, event) = self.xboard.events().recv().unwrap();
            self.xboard.event(id, event);
            self.listen();
        }
    }
}

/// Sends every four commands after the user's first move, with search events arriving after some of them at
/// random. Every ping is answered in its order, and afterwards a new game is begun and played.
#[test]
fn no_order_of_commands_leaves_it_stuck() {
    let mut slow = Slow::new();
    let mut rng = Rng::new(5);
    let length = 4;
    for number in 0..COMMANDS.len().pow(length) {
        let said: Vec<&str> =
            (0..length).map(|place| COMMANDS[number / COMMANDS.len().pow(place) % COMMANDS.len()]).collect();
        // Half of the sequences are read in one go.
        let settling = if rng.below(2) == 0 { 0 } else { rng.below(1 << length) };
        for line in ["easy", "new", "usermove e2e4"] {
            slow.say(line);
        }
        for (place, line) in said.iter().enumerate() {
            slow.say(line);
            if settling >> place & 1 == 1 {
                slow.settle();
            }
        }
        slow.say("resume");
        slow.settle();
        assert_eq!(slow.pings, slow.pongs, "{said:?}, news behind {settling:b}");
        for line in ["easy", "new", "usermove e2e4"] {
            slow.say(line);
        }
        let before = slow.moves;
        slow.settle();
        assert_eq!(slow.moves, before + 1, "{said:?}, news behind {settling:b}");
    }
}

/// The thinking lines shown in three turns of `game` while the other side decides. The lines `before` and
/// `behind` `new` say who that is.
fn shown_while_they_decide(game: &str, before: &[&str], behind: &[&str]) -> Vec<String> {
    let mut xboard = Xboard::new(Engine::new());
    let variant = format!("variant {game}");
    let begin = ["memory 1", "new", &variant, "sd 3", "post", "hard"];
    for line in ["protover 2"].iter().chain(before).chain(&begin).chain(behind) {
        assert!(xboard.line(line, Instant::now()).is_continue());
    }
    let mut rng = Rng::new(7);
    let mut shown = Vec::new();
    for _ in 0..3 {
        while xboard.play.game.is_theirs() && xboard.play.game.engine.session().outcome().is_none() {
            let legal = xboard.play.game.engine.session().continuations();
            let line = format!("usermove {}", rng.pick(&legal).unwrap());
            assert!(xboard.line(&line, Instant::now()).is_continue());
        }
        xboard.play.game.out.take();
        while let Some(search) = &xboard.play.thinking.search
            && search.finished.is_none()
        {
            let (id, event) = xboard.events().recv().unwrap();
            xboard.event(id, event);
            let said = xboard.play.game.out.take();
            let thoughts = said.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
            // Lines without numbers are sentences, and results are not thinking.
            let thoughts = thoughts.filter(|line| line.contains('\t') && !line.starts_with("1 0 0 0"));
            shown.extend(thoughts.filter(|_| xboard.play.game.is_theirs()).map(str::to_owned));
        }
    }
    shown
}

#[test]
fn a_person_who_decides_is_not_shown_what_is_pondered() {
    for facts in variants::all() {
        let name = if facts.name == "chess" { "normal" } else { facts.name };
        let shown = shown_while_they_decide(name, &["accepted highlight"], &[]);
        assert!(shown.is_empty(), "{name}: {shown:?}");
    }
    // Programs, and users who are not guided, are shown it as ever.
    for (before, behind) in [(&["accepted highlight"][..], &["computer"][..]), (&[], &[])] {
        assert!(!shown_while_they_decide("normal", before, behind).is_empty(), "{before:?} {behind:?}");
    }
}

/// What is sent after the user's first move in a game that panics.
fn answers<const EVALUATIONS: i64, const LISTS: i64>() -> String {
    let mut xboard = Xboard::new(Engine::new());
    xboard.play.game.engine.load_game::<Faulty<EVALUATIONS, LISTS>>();
    for line in ["protover 2", "memory 1", "new", "sd 9", "usermove e2e4"] {
        assert!(xboard.line(line, Instant::now()).is_continue());
    }
    xboard.play.game.out.take();
    while xboard.play.thinking.search.is_some() {
        let (id, event) = xboard.events().recv().unwrap();
        xboard.event(id, event);
    }
    xboard.play.game.out.take()
}

#[test]
fn a_search_that_panics_is_told_of_and_moves_and_without_a_move_it_resigns() {
    let said = answers::<0, ALL>();
    assert!(
        said.starts_with("tellusererror a mistake of this program") && said.contains("\nmove "),
        "{said}"
    );
    // Reading the move takes two lists of moves; the search has none left.
    let said = answers::<ALL, 2>();
    assert!(said.contains("tellusererror") && said.ends_with("\nresign\n"), "{said}");
}

/// The limits of the searches after `lines`.
fn limits_after(lines: &[&str]) -> Limits {
    let mut xboard = Xboard::new(Engine::new());
    for line in lines {
        assert!(xboard.line(line, Instant::now()).is_continue());
    }
    xboard.play.thinking.clock.limits(0)
}

#[test]
fn new_drops_a_time_that_was_said_in_nodes_and_keeps_one_in_seconds() {
    let fresh = limits_after(&["protover 2", "force"]);
    for time in ["st 5000", "level 0 90 0"] {
        assert!(limits_after(&["force", "nps 1", time]).nodes.is_some());
        assert_eq!(limits_after(&["force", "nps 1", time, "new", "force"]), fresh, "{time}");
        // A time that was set before `nps`, or under processor time, counts seconds.
        let kept = limits_after(&["force", time]);
        assert_ne!(kept, fresh);
        assert_eq!(limits_after(&["force", time, "nps 1", "new", "force"]), kept, "{time}");
        assert_eq!(limits_after(&["force", "nps 0", time, "new", "force"]), kept, "{time}");
        assert_eq!(limits_after(&["force", "nps 1", "st 7", "new", "force", time]), kept, "{time}");
    }
}

#[test]
fn times_at_the_ends_of_the_scale_are_limits_like_others() {
    for line in [
        "time 9223372036854775807",
        "time -9223372036854775808",
        "st 18446744073709551",
        "level 4294967295 4294967295:59 99999999",
        "level 0 300000000000000 99999999999999",
    ] {
        for rate in ["nps 0", "nps 18446744073709551615", "sd 4294967295"] {
            let limits = limits_after(&["force", rate, line]);
            let overhead = Duration::from_millis(10);
            assert!(limits.budget.deadlines(overhead).is_none_or(|d| d.soft <= d.hard), "{line}");
        }
    }
}

fn game(name: &str, position: &str) -> Engine {
    let mut engine = Engine::new();
    engine.choose(name).unwrap();
    engine.renew();
    engine.set_up(Some(position), &mut std::iter::empty()).unwrap();
    engine
}

/// The plies that XBoard's board needs after `token`.
fn corrections(name: &str, position: &str, token: &str) -> Vec<Ply> {
    let mut engine = game(name, position);
    let mut mirror = Mirror::new(engine.session(), false);
    engine.session_mut().play(token).unwrap();
    mirror.note_token(engine.session());
    mirror.settle(engine.session())
}

#[test]
fn demotion_is_a_capture_on_an_empty_square_and_back() {
    let start = "rlbqqblr/wsfkkfsw/8/8/8/8/WSFKKFSW/RLBQQBLR w - - 0 1";
    let engine = game("alapo-demotion", start);
    let write =
        |token| xboard_spelling::write_move(engine.session().facts(), &engine.session().position(), token);
    assert_eq!(write("W@a1"), "a1xa3-a1w");
    // Engines in a match get it from us as XBoard does, and it is read again.
    assert_eq!(xboard_spelling::read_move(engine.session(), "a1xa3-a1w"), "W@a1");
    assert_eq!(xboard_spelling::read_move(engine.session(), "a1a3,a3a1w"), "W@a1");
    assert_eq!(write("c2b3"), "c2b3");
}

#[test]
fn removed_pieces_vanish_in_the_opponents_ply_and_the_movers() {
    for (name, position, token, gone) in [
        ("alapo", "8/8/8/3k4/3r4/8/7R/K7 b h2 d5 99 60", "d5e5", &["h2", "e5"][..]),
        ("alapo-demotion", "7r/w7/8/8/8/8/8/W3K3 b e1 a7 99 60", "W@h8", &["e1", "h8"]),
        ("alapo", "8/8/8/3k4/3r4/8/7R/K7 b h2 d5 9 60", "d5e5", &[]),
    ] {
        let vanishes = |ply: Ply| match ply {
            Ply::Move { from, letter: Some(board::VANISH), .. } => from.to_string(),
            ply => ply.to_string(),
        };
        let found: Vec<String> = corrections(name, position, token).into_iter().map(vanishes).collect();
        assert_eq!(found, gone, "{position}");
    }
}

#[test]
fn what_xboard_knows_by_itself_is_not_corrected() {
    for (position, token) in
        [("4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "e8g8"), ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3")]
    {
        assert!(corrections("chess", position, token).is_empty(), "{token}");
    }
}

#[test]
fn positions_from_xboard_take_the_missing_fields_from_the_start() {
    let engine = game("rollerball", "2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w - 0 1");
    let shown = parse_position("2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 b - - 0 1").unwrap();
    let read = engine.session().read_shown(&shown).unwrap().to_string();
    assert_eq!(read, "2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 b - 0 1");
}
