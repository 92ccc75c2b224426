//! A small engine that plays one fixed game of chess at once, in UCI, UGI or the XBoard protocol, and may misbehave. For
//! tests of the match runner.
//!
//! It does not know the rules: turn number N of the game is always the same. Its habits are told in `HABITS`.

use std::io::{BufRead, Write};

/// A legal game without an end, for whoever plays it.
pub const GAME: &str = "b1c3 b8c6 g1f3 g8f6 d2d4 d7d5 c1e3 c8e6 f3g5 e6f5 g5f3 d8d6 f3h4 f5g4 h2h3 g4e6 h4f3 a8d8 \
    f3g5 e6f5 g2g4 f5g6 f1g2 e7e5 d4e5 d6e5 g5f3 e5e6 f3g5 e6d7 e1g1 f8e7 c3a4 d5d4 e3f4 f6d5 g2d5 d7d5 g5f3 b7b5 \
    c2c4 d5c4 a1c1 c4a4 c1c6 d4d3 d1a4 b5a4 e2d3 d8d3 f3e5 d3d4 e5g6 h7g6 f4e5 d4e4 f2f4 h8h3 c6c7 h3g3 g1f2 g3g4 \
    c7a7 f7f5 f1c1 g6g5 c1c8 e8f7 c8c7 g4f4 e5f4 e4f4 f2g2 f4e4 b2b4 a4b3 a2b3 g5g4 g2g3 g7g5 c7c3 f7e6 g3f2 e7d6";

/// Characters that do something to a terminal, a line, a string; in UTF-8 and outside it. A carriage return is a line end to
/// many programs.
pub const BAD: &[u8] =
    b"\x1b[2J\x07\x08\x0b\x0c\x00\x7f\xc2\x85\xc2\x9b31m\xe2\x80\xa8\xff\x9b\t\x1b]0;t\x07";

/// Says lines in which `~` stands for [`BAD`] and `^` for a carriage return, as they are.
fn say_raw(text: &str) {
    let mut bytes = Vec::new();
    for byte in text.bytes() {
        match byte {
            b'~' => bytes.extend_from_slice(BAD),
            b'^' => bytes.push(b'\r'),
            byte => bytes.push(byte),
        }
    }
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(&bytes).and_then(|()| out.flush());
}

struct Engine {
    habit: String,
    /// The misbehaviour is to be shown once: this file tells that it was.
    once: Option<String>,
    moves: Vec<&'static str>,
    /// Turns made in this game.
    turns: u32,
    /// Turns the game began with.
    given: Option<usize>,
    /// XBoard's game so far, and whether it is our turn to speak when it is told a move.
    told: usize,
    playing: bool,
    /// It thinks on the opponent's time.
    ponders: bool,
    /// It was told of a file of games.
    learned: bool,
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(format!("{line}\n").as_bytes());
    let _ = out.flush();
}

/// Says lines until nobody listens.
fn endless(line: impl Fn(usize) -> String) -> ! {
    let mut out = std::io::stdout().lock();
    for number in 0_usize.. {
        if out.write_all(format!("{}\n", line(number)).as_bytes()).is_err() {
            break;
        }
    }
    std::process::exit(0)
}

/// Sleeps until somebody kills us.
fn hang() -> ! {
    loop {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}

impl Engine {
    /// True when the habit named is to be shown now.
    fn shows(&self, habit: &str) -> bool {
        if self.habit != habit || self.turns != 2 {
            return false;
        }
        match &self.once {
            None => true,
            // Of two engines that come to it at the same time, one shows it.
            Some(path) => std::fs::File::create_new(path).is_ok(),
        }
    }

    /// The turn after `plies`, with how this protocol says it; or something else.
    fn answer(&mut self, plies: usize, word: &str) {
        self.given.get_or_insert(plies);
        self.turns += 1;
        let token = self.moves.get(plies).copied().unwrap_or("0000");
        let is_xboard = word == "move";
        if self.shows("illegal") {
            return say(&format!("{word} e2e5"));
        }
        if self.shows("null") {
            return say(&format!("{word} {}", if is_xboard { "@@@@" } else { "0000" }));
        }
        if self.shows("none") {
            return say(&format!("{word} (none)"));
        }
        if self.shows("empty") {
            return say(word);
        }
        if self.shows("garbage") {
            let _ = std::io::stdout().write_all(b"\xff\xfe\x00{{{\r\n\n\t\n");
            return say(&format!("{word} \u{1F4A9}!!"));
        }
        if self.shows("crash") {
            std::process::exit(1);
        }
        if self.shows("early-exit") {
            say(&format!("{word} {token}"));
            std::process::exit(0);
        }
        if self.shows("hang") {
            hang();
        }
        if self.shows("flood") {
            let mut out = std::io::stdout().lock();
            let line = "info string blah blah\n".repeat(1000);
            while out.write_all(line.as_bytes()).is_ok() {}
            std::process::exit(0);
        }
        if self.shows("long-line") {
            let mut out = std::io::stdout().lock();
            while out.write_all(&[b'x'; 4096]).is_ok() {}
            std::process::exit(0);
        }
        if self.shows("late") {
            // Answers only when it is told to hurry.
            let hurry = if is_xboard { "?" } else { "stop" };
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                if line == hurry {
                    return say(&format!("{word} {token}"));
                }
            }
        }
        if self.shows("claim") {
            return say("1-0 {I say so}");
        }
        if self.shows("refuse") {
            return say(&format!("Illegal move: {}", self.moves[plies - 1]));
        }
        if self.shows("resign") {
            return say("resign");
        }
        if self.habit == "moody" && self.turns == 2 && self.given.is_some_and(|given| given % 3 == 0) {
            return say(&format!("{word} e2e5"));
        }
        if let Some(words) = self.hostile_words(word) {
            let _ = std::io::stderr().write_all(&[b"errors ", BAD, b"\rmore\n", BAD].concat());
            say_raw(&words);
            if self.habit == "hostile-half" {
                std::process::exit(0);
            }
            if self.habit != "hostile-talk" {
                return;
            }
        }
        if self.habit == "noise" {
            say("\u{7}nonsense = ; info\n\ninfo depth x score cp\nfeature what");
            say(&format!("info depth 3 score cp 12 time 0 nodes 5 pv {token}"));
        }
        if is_xboard && self.habit == "noise" {
            say("2 12 0 5 e2e4");
        }
        let expected = self.moves.get(plies + 1).copied().unwrap_or_default();
        match self.habit.as_str() {
            // It thinks about the right turn, or, once, about a wrong one that is legal as well.
            "ponder" => return say(&format!("{word} {token} ponder {expected}")),
            "wrong-guess" if plies < 2 => {
                return say(&format!("{word} {token} ponder {}", ["h7h6", "h2h3"][plies]));
            }
            _ => {}
        }
        // Both at once: one that came late could not be told from an answer to the next question.
        let times = if self.habit == "twice" { 2 } else { 1 };
        say(&vec![format!("{word} {token}"); times].join("\n"));
    }

    /// What a hostile engine says instead of its second turn, or before every turn. It wants to get commands through to
    /// its opponent, and controls into whatever is written about it.
    fn hostile_words(&self, word: &str) -> Option<String> {
        let is_xboard = word == "move";
        if self.habit == "hostile-talk" {
            let thinking = if is_xboard {
                "3 12 0 5 e2e4 ~\ntelluser ~a^quit\ntellics ~\n# ~"
            } else {
                "info depth 3 score cp 12 pv e2e4 ~"
            };
            return Some(format!("info string ~^info string ~^\n{thinking}\nError (~^quit^): nothing\n"));
        }
        if !self.habit.starts_with("hostile") || self.turns != 2 {
            return None;
        }
        Some(match (self.habit.as_str(), is_xboard) {
            ("hostile-move", _) => format!(
                "{word} e2e5~quit~^quit^option UCI_LimitStrength=1^setoption name UCI_Elo value 600\n"
            ),
            ("hostile-refusal", true) => {
                "Illegal move (x~)^option UCI_LimitStrength=1^option UCI_Elo=600^quit^: e2e4~ } 1-0 {\n"
                    .to_owned()
            }
            ("hostile-claim", true) => "1-0 {I say~ so } quit {^quit^\n".to_owned(),
            ("hostile-claim" | "hostile-refusal", false) => format!("{word} ~^quit^\n"),
            // Half a line, and then nothing more.
            (_, _) => format!("{word} e2e5~^quit^half a li~"),
        })
    }

    fn hear(&mut self, line: &str) {
        if self.habit.starts_with("hostile")
            && matches!(line, "uci" | "ugi" | "protover 2" | "quit" | "isready" | "new")
        {
            // What it calls itself and its options, and words that come late or too early.
            say_raw(match line {
                "uci" => {
                    "id name Odd~^quit^\nid author ~\noption name Style~ type combo default a~ var a~ var b\n\
                     option name Path type string default ~^setoption\n"
                }
                "protover 2" => {
                    "feature variants=\"normal,~\" myname=\"Odd~\"\nfeature option=\"Style~ -combo a~ /// b\"\n\
                     feature ~=~ myfeature=\"~\"\n"
                }
                _ => "bestmove e2e4~^quit^\nmove e7e5~^quit^\n1/2-1/2 {~}\n\ntellall ~\nfeature ~\n",
            });
        }
        let mut words = line.split_whitespace();
        match words.next().unwrap_or_default() {
            // Handshakes without end.
            "uci" if self.habit == "endless-options" => {
                endless(|number| format!("option name a{number} type string"))
            }
            "protover" if self.habit == "endless-options" => {
                endless(|number| format!("feature option=\"a{number} -string b\""));
            }
            "uci" if self.habit == "endless-lines" => endless(|_| format!("id name {}", "x".repeat(10_000))),
            "protover" if self.habit == "endless-lines" => {
                endless(|_| format!("feature myname=\"{}\"", "x".repeat(10_000)))
            }
            "uci" | "protover" if self.habit == "endless-wait" => say("id name Odd\nfeature done=0"),
            // Whoever answers a feature gives it time for the next one.
            "accepted" if self.habit == "endless-wait" => say("feature done=0"),
            "uci" if self.habit == "learner" => {
                // It knows another game once it was told of a file.
                let more = if self.learned { " var other" } else { "" };
                say(&format!(
                    "id name Odd\noption name UCI_Variant type combo default chess var chess{more}"
                ));
                say(
                    "option name VariantPath type string default <empty>\noption name Ponder type check default false",
                );
                say("option name Hash type spin default 16 min 1 max 64\nuciok");
            }
            "uci" if self.habit == "shuttle" => {
                say("option name UCI_Variant type string default chess\nuciok")
            }
            "setoption" | "option" => {
                self.learned |=
                    line.contains("VariantPath value games.ini") || line == "option VariantPath=games.ini"
            }
            "uci" if self.habit.starts_with("hostile") => say("uciok"),
            "uci" => say("id name Odd\noption name Ponder type check default false\nuciok"),
            "ugi" => say("id name Odd\nugiok"),
            "xboard" | "accepted" | "rejected" => {}
            "protover" if self.habit == "learner" => say(&format!(
                "feature ping=1 usermove=1 myname=\"Odd\" memory=1 option=\"Style -combo bold /// *calm\" \
                 option=\"Contempt -spin 0 -50 50\" option=\"Book -check 1\" option=\"VariantPath -string \" \
                 variants=\"normal{}\" done=1",
                if self.learned { ",other" } else { "" }
            )),
            "protover" if self.habit.starts_with("hostile") => say("feature ping=1 usermove=1 done=1"),
            "protover" => say("feature ping=1 usermove=1 myname=\"Odd\" done=1"),
            "isready" => say("readyok"),
            "ucinewgame" | "uginewgame" | "new" => {
                (self.turns, self.given, self.told, self.playing) = (0, None, 0, false);
                self.ponders = false;
                if self.habit == "crash-at-start" {
                    std::process::exit(3);
                }
            }
            "ping" => say(&format!("pong {}", words.next().unwrap_or_default())),
            "position" if self.habit == "shuttle" => self.moves = vec![shuttle(line)],
            "position" => self.told = plies(line),
            "go" if line == "go" => {
                self.playing = true;
                self.answer(self.told, "move");
                self.told += 1;
            }
            "go" if line.starts_with("go ponder") => self.ponders = true,
            // Whoever guesses every turn need not be asked after the first.
            "go" if self.habit == "ponder" && self.turns > 0 => say("bestmove 0000"),
            "go" => self.answer(self.told, "bestmove"),
            "ponderhit" if self.ponders => {
                self.ponders = false;
                self.answer(self.told, "bestmove");
            }
            // Nobody wants to know what it found.
            "stop" if self.ponders => {
                self.ponders = false;
                say("bestmove a1a1");
            }
            "usermove" => {
                self.told += 1;
                if self.playing {
                    self.answer(self.told, "move");
                    self.told += 1;
                }
            }
            "force" | "result" => self.playing = false,
            "quit" if self.habit == "stubborn" => hang(),
            "quit" => std::process::exit(0),
            _ => {}
        }
    }
}

/// A turn of Alapo to and fro, for the board of a `position fen` line that tells no turns.
fn shuttle(line: &str) -> &'static str {
    let mut fields = line.split_whitespace().skip(2);
    let rows: Vec<String> = fields
        .next()
        .unwrap_or_default()
        .split('/')
        .map(|row| {
            let cells = row.chars().map(|c| c.to_digit(10).map_or(c.to_string(), |n| "-".repeat(n as usize)));
            cells.collect()
        })
        .collect();
    let stands = |turn: &&str| {
        let at = turn.as_bytes();
        rows.get(usize::from(b'8' - at[1]))
            .is_some_and(|row| row.as_bytes()[usize::from(at[0] - b'a')] != b'-')
    };
    let turns = match fields.next() {
        Some("b") => ["b6c7", "c7b6", "g6f7", "f7g6"],
        _ => ["b3c2", "c2b3", "g3f2", "f2g3"],
    };
    if line.contains(" moves ") { "0000" } else { turns.iter().copied().find(stands).unwrap_or("0000") }
}

/// How many plies of the game a `position` line tells. Some runners begin with a later position, which tells its number.
fn plies(line: &str) -> usize {
    let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let fields: Vec<&str> = start.split_whitespace().collect();
    let before = match fields.as_slice() {
        ["position", "fen", _, side, _, _, _, number] => {
            2 * (number.parse().unwrap_or(1_usize).max(1) - 1) + usize::from(*side == "b")
        }
        _ => 0,
    };
    before + moves.split_whitespace().count()
}

/// Plays until `quit` or the end of its input.
pub fn run(habit: &str, once: Option<String>) -> ! {
    let mut engine = Engine {
        habit: habit.to_owned(),
        once,
        moves: GAME.split_whitespace().collect(),
        turns: 0,
        given: None,
        told: 0,
        playing: false,
        ponders: false,
        learned: false,
    };
    let mut line = Vec::new();
    let heard = std::env::var_os("ODD_HEARD");
    // Line by line and unlocked between, so that a habit may read as well.
    while matches!(std::io::stdin().lock().read_until(b'\n', &mut line), Ok(read) if read > 0) {
        if let Some(path) = &heard {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
            let _ = file.and_then(|mut file| file.write_all(&line));
        }
        engine.hear(String::from_utf8_lossy(&line).trim());
        line.clear();
    }
    if engine.habit == "stubborn" {
        hang();
    }
    std::process::exit(0)
}
