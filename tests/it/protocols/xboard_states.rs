//! XBoard's protocol, every command in every state: always one `pong` per `ping`, a move only where one is due, and the
//! end at once when it is asked for.
use crate::common::conversation::Conversation;

/// A state, and the lines that lead to it (`?` waits for our move); the flag: we may be to move there.
const STATES: [(&str, &[&str], bool); 12] = [
    ("fresh", &[], false),
    ("idle", &["new"], false),
    ("waiting", &["new", "easy", "sd 1", "go", "?"], false),
    ("force", &["new", "force", "usermove e2e4", "usermove e7e5"], false),
    ("thinking", &["new", "st 600", "post", "usermove e2e4"], true),
    ("pondering", &["new", "hard", "post", "sd 1", "usermove e2e4", "?", "sd 0", "st 600"], false),
    ("analysing", &["new", "post", "analyze", "usermove e2e4"], false),
    ("editing", &["new", "force", "edit", "#", "Ke1"], false),
    ("paused while thinking", &["new", "st 600", "usermove e2e4", "pause"], true),
    ("paused while analysing", &["new", "analyze", "pause"], false),
    (
        "over",
        &["new", "force", "setboard 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "playother", "usermove f7g7"],
        false,
    ),
    ("broken off", &["new", "st 600", "usermove e2e4", "result * {stopped}"], false),
];

/// Every command XBoard may send, and some of the ways to get it wrong.
const COMMANDS: [&str; 75] = [
    "xboard",
    "protover 2",
    "protover 1",
    "accepted ping",
    "rejected highlight",
    "new",
    "variant rollerball",
    "variant nosuch",
    "random",
    "force",
    "go",
    "playother",
    "white",
    "black",
    "level 40 5 0",
    "level 0 0:01 1",
    "st 1",
    "st 0.1",
    "sd 1",
    "sd 0",
    "nps 0",
    "nps 1000",
    "time 100",
    "time -100",
    "otim 100",
    "usermove d2d4",
    "usermove d7d5",
    "usermove z9z9",
    "usermove @@@@",
    "d2d4",
    "?",
    "ping 77",
    "draw",
    "result 1-0 {White wins}",
    "result *",
    "setboard 4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
    "setboard nonsense",
    "edit",
    "#",
    "c",
    "Pa4",
    "xa4",
    "hint",
    "bk",
    "undo",
    "remove",
    "hard",
    "easy",
    "post",
    "nopost",
    "analyze",
    ".",
    "exit",
    "exclude e2e4",
    "exclude all",
    "include e2e4",
    "include all",
    "setscore 10 5",
    "name somebody",
    "rating 2000 1900",
    "computer",
    "pause",
    "resume",
    "memory 2",
    "cores 1",
    "egtpath nalimov /tables",
    "option Clear Hash",
    "option Resign=1",
    "option Nonsense=1",
    "lift e2",
    "put e4",
    "hover e4",
    "ics -",
    "nonsense",
    "usermove",
];

/// After each of these we play, or go on playing: a move may follow.
const SETS_US_TO_MOVE: [&str; 10] = [
    "go",
    "?",
    "usermove d2d4",
    "usermove d7d5",
    "d2d4",
    "resume",
    "remove",
    "include e2e4",
    "include all",
    "exclude e2e4",
];

#[test]
fn every_command_is_obeyed_or_refused_in_every_state() {
    let mut xboard = Conversation::begin(&[], "xboard");
    let mut pings = 0;
    for (state, lines, may_move) in STATES {
        for command in COMMANDS {
            for line in lines {
                xboard.say(line);
            }
            pings += 1;
            xboard.say(&format!("ping {pings}"));
            xboard.hear_start(&format!("pong {pings}"));
            let before = xboard.heard().len();
            xboard.say(command);
            pings += 1;
            xboard.say(&format!("ping {pings}"));
            xboard.hear_start(&format!("pong {pings}"));
            let said = &xboard.heard()[before..];
            let moves = said.iter().filter(|line| line.starts_with("move ")).count();
            // `?` in force, or a search cut short by the next command, moves nobody.
            let allowed = usize::from(may_move || SETS_US_TO_MOVE.contains(&command));
            assert!(moves <= allowed, "{state}, {command}: {said:?}");
            let pongs = said.iter().filter(|line| line.starts_with("pong ")).count();
            let asked = 1 + usize::from(command.starts_with("ping"));
            assert_eq!(pongs, asked, "{state}, {command}: {said:?}");
            assert!(
                said.iter().all(|line| !line.trim().is_empty() || command == "bk"),
                "{state}, {command}: {said:?}"
            );
        }
    }
    // Whatever happened: a new game is a new game.
    for line in ["force", "new", "variant normal", "nopost", "easy", "option Resign=0", "sd 1"] {
        xboard.say(line);
    }
    xboard.say("ping 0");
    xboard.hear_start("pong 0");
    xboard.say("usermove e2e4");
    xboard.hear_start("move ");
    xboard.say("quit");
    assert!(xboard.end().1.success());
}

#[test]
fn the_end_comes_at_once_in_every_state() {
    for (state, lines, _) in STATES {
        for last in [
            "",
            "quit\n",
            "?\nquit\n",
            "?\nping 1\nquit\n",
            "pause\nquit\n",
            "pause\n",
            "pause\n?\n",
            "edit\nquit\n",
        ] {
            let mut xboard = Conversation::begin(&[], "xboard");
            lines.iter().for_each(|line| xboard.say(line));
            xboard.send(last.as_bytes());
            let (heard, status) = xboard.end();
            assert!(status.success(), "{state}, {last:?}: {heard:?}");
        }
    }
}

/// Pondering began when there were a hundred hours on the clock; were they still counted on, the watchdog would bark.
#[test]
fn what_the_clock_shows_at_a_ponder_hit_counts() {
    let mut xboard = Conversation::begin(&[], "xboard");
    for line in ["level 0 6000 0", "time 36000000", "otim 36000000", "hard", "post", "go"] {
        xboard.say(line);
    }
    xboard.hear("thinking", |line| line.trim_start().starts_with("4 "));
    xboard.say("?");
    xboard.hear_start("move ");
    xboard.say("hint");
    let hint = xboard.hear_start("Hint: ");
    xboard.say("time 20");
    xboard.say("otim 36000000");
    xboard.say(&format!("usermove {}", hint.trim_start_matches("Hint: ")));
    xboard.hear_start("move ");
    xboard.say("quit");
    assert!(xboard.end().1.success());
}
