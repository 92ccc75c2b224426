//! USI, for Shogi, and UCCI, for Xiangqi: UCI with other words, squares and positions. A translator stands
//! between a conversation in one of them and everything here that speaks UCI.

use super::Dialect;
use super::squares::{Squares, hand_from_fen, hand_to_fen};
use litemap::LiteMap;

/// Translates the lines of one conversation, in both directions. A line that becomes nothing is an empty text,
/// and one that becomes several has line breaks.
#[derive(Debug)]
pub struct Translator {
    is_usi: bool,
    /// The size of the board, by the last position or by what the engine says of its game.
    size: [u32; 2],
    /// The game that the engine was told last. What it says of another, which it was told before, comes too late.
    variant: Option<String>,
    /// Black is to move in the last position. UCCI's clocks are those of the side to move.
    black: bool,
    /// The factor of UCCI's times: seconds, or milliseconds.
    unit: i64,
    /// The engine has declared that it can be told to count milliseconds, and has not been told so.
    owes_unit: bool,
    /// The names of options in UCI, by those in the dialect.
    names: LiteMap<String, String>,
}

/// Options of UCI that USI has other names for.
const USI_NAMES: [(&str, &str); 3] =
    [("Hash", "USI_Hash"), ("Ponder", "USI_Ponder"), ("UCI_Variant", "USI_Variant")];
/// UCCI's score of a mate on the board.
const MATE: i64 = 30_000;
/// What stands for a mate of unknown length.
const FAR_MATE: i64 = 100;

impl Translator {
    /// A translator for a dialect; `None` for one that is spoken here as it is.
    #[must_use]
    pub fn new(dialect: Dialect) -> Option<Self> {
        let is_usi = match dialect {
            Dialect::Usi => true,
            Dialect::Ucci => false,
            Dialect::Uci | Dialect::Ugi => return None,
        };
        let (size, names) = (usual_size(is_usi), LiteMap::new());
        Some(Self { is_usi, size, variant: None, black: false, unit: 1000, owes_unit: false, names })
    }

    /// The board has this size, until a position says otherwise.
    pub fn set_size(&mut self, files: u32, ranks: u32) {
        self.size = [files, ranks].map(|number| number.clamp(1, 26));
    }

    /// A command of the dialect in UCI.
    pub fn command_to_uci(&mut self, line: &str) -> String {
        let (word, rest) = first_word(line);
        match word {
            "usi" | "ucci" => "uci".to_owned(),
            "usinewgame" => "ucinewgame".to_owned(),
            "gameover" => String::new(),
            "position" => {
                let (start, moves) = rest.split_once("moves").unwrap_or((rest, ""));
                let start = self.position_to_uci(start.trim());
                self.position_line(&start, moves, true)
            }
            "setoption" if self.is_usi => {
                let (name, value) =
                    rest.trim_start_matches("name ").split_once(" value ").unwrap_or((rest, ""));
                let name = name.trim().trim_start_matches("name ");
                let known = USI_NAMES.iter().find(|names| names.1 == name).map_or(name, |names| names.0);
                format!("setoption name {known} value {value}")
            }
            "setoption" => match first_word(rest) {
                ("newgame", _) => "ucinewgame".to_owned(),
                ("usemillisec", value) => {
                    self.unit = if value == "true" { 1 } else { 1000 };
                    String::new()
                }
                (name, value) => {
                    let known = self.names.get(name).map_or(name, String::as_str);
                    format!("setoption name {known} value {value}")
                }
            },
            "go" => self.go_to_uci(rest),
            _ => line.to_owned(),
        }
    }

    /// A command of UCI in the dialect.
    pub fn command_from_uci(&mut self, line: &str) -> String {
        let (word, rest) = first_word(line);
        let text = match word {
            "uci" => return if self.is_usi { "usi" } else { "ucci" }.to_owned(),
            "ucinewgame" if self.is_usi => "usinewgame".to_owned(),
            "ucinewgame" if self.names.contains_key("newgame") => "setoption newgame".to_owned(),
            "ucinewgame" => String::new(),
            "setoption" => {
                let (name, value) =
                    rest.strip_prefix("name ").unwrap_or(rest).split_once(" value ").unwrap_or((rest, ""));
                if name == "UCI_Variant" {
                    self.variant = Some(value.to_owned());
                    self.size = usual_size(self.is_usi);
                }
                let theirs =
                    self.names.iter().find(|names| names.1 == name).map_or(name, |names| names.0.as_str());
                if self.is_usi {
                    format!("setoption name {theirs} value {value}")
                } else {
                    format!("setoption {theirs} {value}")
                }
            }
            "position" => {
                let (start, moves) = rest.split_once("moves").unwrap_or((rest, ""));
                let start = self.position_from_uci(start.trim());
                self.position_line(&start, moves, false)
            }
            "go" => self.go_from_uci(rest),
            _ => line.to_owned(),
        };
        if std::mem::take(&mut self.owes_unit) {
            return format!("setoption usemillisec true\n{text}");
        }
        text
    }

    /// A reply in the dialect, in UCI.
    pub fn reply_to_uci(&mut self, line: &str) -> String {
        let (word, rest) = first_word(line);
        match word {
            "usiok" | "ucciok" => "uciok".to_owned(),
            "bye" => String::new(),
            "nobestmove" => NO_MOVE.to_owned(),
            "bestmove" => {
                let mut words = rest.split_whitespace();
                match (words.next(), words.next(), words.next()) {
                    (None | Some("resign" | "win" | "none" | "null" | "(none)"), ..) => NO_MOVE.to_owned(),
                    (Some(best), Some("ponder"), Some(reply)) => {
                        format!("bestmove {} ponder {}", self.token(best, true), self.token(reply, true))
                    }
                    (Some(best), ..) => format!("bestmove {}", self.token(best, true)),
                }
            }
            "option" if self.is_usi => {
                let (name, kind) =
                    rest.strip_prefix("name ").unwrap_or(rest).split_once(" type ").unwrap_or((rest, ""));
                let ours = USI_NAMES.iter().find(|names| names.1 == name).map_or(name, |names| names.0);
                self.names.insert(name.to_owned(), ours.to_owned());
                let kind =
                    kind.strip_prefix("filename").map_or(kind.to_owned(), |rest| format!("string{rest}"));
                format!("option name {ours} type {kind}")
            }
            "option" => {
                let (name, kind) = first_word(rest);
                self.owes_unit |= name == "usemillisec";
                self.names.insert(name.to_owned(), name.to_owned());
                // Nobody else is to choose what its clock counts.
                if matches!(name, "usemillisec" | "newgame") {
                    String::new()
                } else {
                    format!("option name {name} {kind}")
                }
            }
            "info" => self.info(rest, true),
            _ => line.to_owned(),
        }
    }

    /// A reply of UCI in the dialect.
    pub fn reply_from_uci(&mut self, line: &str) -> String {
        let (word, rest) = first_word(line);
        match word {
            "uciok" if self.is_usi => "usiok".to_owned(),
            "uciok" => "option usemillisec type check default false\nucciok".to_owned(),
            "bestmove" => match rest.split_whitespace().collect::<Vec<_>>().as_slice() {
                [] | ["(none)" | "0000", ..] => {
                    if self.is_usi { "bestmove resign" } else { "nobestmove" }.to_owned()
                }
                [best, "ponder", reply, ..] => {
                    format!("bestmove {} ponder {}", self.token(best, false), self.token(reply, false))
                }
                [best, ..] => format!("bestmove {}", self.token(best, false)),
            },
            "option" => {
                let (name, kind) =
                    rest.strip_prefix("name ").unwrap_or(rest).split_once(" type ").unwrap_or((rest, ""));
                if self.is_usi {
                    let theirs = USI_NAMES.iter().find(|names| names.0 == name).map_or(name, |names| names.1);
                    return format!("option name {theirs} type {kind}");
                }
                let theirs = name.replace(' ', "_");
                self.names.insert(theirs.clone(), name.to_owned());
                format!("option {theirs} type {kind}")
            }
            "info" => self.info(rest, false),
            _ => line.to_owned(),
        }
    }

    fn position_line(&mut self, start: &str, moves: &str, to_uci: bool) -> String {
        let moves: Vec<String> = moves.split_whitespace().map(|token| self.token(token, to_uci)).collect();
        self.black ^= moves.len() % 2 == 1;
        let behind = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        format!("position {start}{behind}")
    }

    /// Notes the size of a board and the side to move, as the fields of FEN tell them.
    fn note(&mut self, board: &str, side: &str) {
        let first = board.split(['/', '[']).next().unwrap_or_default();
        let mut files = 0;
        let mut number = 0;
        for c in first.chars().filter(|c| !matches!(c, '+' | '~')) {
            match c.to_digit(10) {
                Some(digit) => number = (number * 10 + digit).min(26),
                None => {
                    files += number + 1;
                    number = 0;
                }
            }
        }
        self.set_size(files + number, board.matches('/').count() as u32 + 1);
        self.black = side == "b";
    }

    fn position_to_uci(&mut self, start: &str) -> String {
        let fields: Vec<&str> = start.split_whitespace().collect();
        match fields.as_slice() {
            ["sfen", board, side, hand, more @ ..] => {
                let side = if *side == "b" { "w" } else { "b" };
                self.note(board, side);
                let plies: u32 = more.first().and_then(|number| number.parse().ok()).unwrap_or(1);
                format!("fen {board}[{}] {side} - - 0 {}", hand_to_fen(hand), plies.max(1).div_ceil(2))
            }
            ["fen", board, side, more @ ..] => {
                let side = if *side == "b" { "b" } else { "w" };
                self.note(board, side);
                ["fen", *board, side].iter().chain(more).copied().collect::<Vec<_>>().join(" ")
            }
            _ => {
                self.black = false;
                start.to_owned()
            }
        }
    }

    fn position_from_uci(&mut self, start: &str) -> String {
        let fields: Vec<&str> = start.split_whitespace().collect();
        let ["fen", board, side, more @ ..] = fields.as_slice() else {
            self.black = false;
            return start.to_owned();
        };
        self.note(board, side);
        if !self.is_usi {
            return start.to_owned();
        }
        let (squares, hand) = board.trim_end_matches(']').split_once('[').unwrap_or((board, ""));
        let number: u32 = more.last().and_then(|number| number.parse().ok()).unwrap_or(1);
        let plies = number.max(1).saturating_mul(2) - u32::from(!self.black);
        format!("sfen {squares} {} {} {plies}", if self.black { "w" } else { "b" }, hand_from_fen(hand))
    }

    fn go_to_uci(&self, rest: &str) -> String {
        let mut words = rest.split_whitespace();
        let mut said = String::from("go");
        // White's time and increment, then Black's.
        let mut clocks: [Option<i64>; 4] = [None; 4];
        let mut byoyomi = 0;
        let (own, other) = if self.black { (2, 0) } else { (0, 2) };
        while let Some(word) = words.next() {
            let place = match (self.is_usi, word) {
                (true, "btime") => 0,
                (true, "binc") => 1,
                (true, "wtime") => 2,
                (true, "winc") => 3,
                (false, "time") => own,
                (false, "increment") => own + 1,
                (false, "opptime") => other,
                (false, "oppincrement") => other + 1,
                (true, "byoyomi") => {
                    byoyomi = words.next().and_then(|number| number.parse().ok()).unwrap_or(0);
                    continue;
                }
                _ => {
                    said.push(' ');
                    said.push_str(&self.token(word, true));
                    continue;
                }
            };
            let number: Option<i64> = words.next().and_then(|number| number.parse().ok());
            clocks[place] =
                number.map(|number| if self.is_usi { number } else { number.saturating_mul(self.unit) });
        }
        if byoyomi > 0 && clocks[0].unwrap_or(0) <= 0 && clocks[2].unwrap_or(0) <= 0 {
            return format!("{said} movetime {byoyomi}");
        }
        if byoyomi > 0 {
            // Every turn has this time of its own: as if it came back after each.
            for (time, increment) in [(0, 1), (2, 3)] {
                clocks[time] = Some(clocks[time].unwrap_or(0).saturating_add(byoyomi));
                clocks[increment] = Some(byoyomi);
            }
        }
        for (name, number) in ["wtime", "winc", "btime", "binc"].iter().zip(clocks) {
            said.push_str(&number.map_or(String::new(), |number| format!(" {name} {number}")));
        }
        said
    }

    fn go_from_uci(&self, rest: &str) -> String {
        let mut words = rest.split_whitespace();
        let mut said = String::from("go");
        let own = if self.black { "b" } else { "w" };
        while let Some(word) = words.next() {
            let name = match (self.is_usi, word) {
                (true, "wtime") => "btime",
                (true, "btime") => "wtime",
                (true, "winc") => "binc",
                (true, "binc") => "winc",
                (true, "movetime") => "btime 0 wtime 0 byoyomi",
                (true, "movestogo") => {
                    words.next();
                    continue;
                }
                (false, "wtime" | "btime") => {
                    if word.starts_with(own) {
                        "time"
                    } else {
                        "opptime"
                    }
                }
                (false, "winc" | "binc") => {
                    if word.starts_with(own) {
                        "increment"
                    } else {
                        "oppincrement"
                    }
                }
                (false, "movetime") => "movestogo 1 time",
                (_, word) => &self.token(word, false),
            };
            said.push(' ');
            said.push_str(name);
        }
        said
    }

    fn info(&mut self, rest: &str, to_uci: bool) -> String {
        let (said, text) = match rest.find("string ") {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        if let ["string", "variant", name, "files", files, "ranks", ranks, ..] =
            text.split_whitespace().collect::<Vec<_>>().as_slice()
            && self.variant.as_ref().is_none_or(|variant| variant == name)
            && let (Ok(files), Ok(ranks)) = (files.parse::<u32>(), ranks.parse::<u32>())
        {
            self.set_size(files, ranks);
        }
        let mut words = said.split_whitespace().peekable();
        let mut line = String::from("info");
        while let Some(word) = words.next() {
            line.push(' ');
            if word == "score" {
                let kind = words.next_if(|word| matches!(*word, "cp" | "mate")).unwrap_or("cp");
                let number = words.next().unwrap_or("0");
                line.push_str("score ");
                line.push_str(&self.score(kind, number, to_uci));
            } else {
                line.push_str(&self.token(word, to_uci));
            }
        }
        if text.is_empty() { line } else { format!("{line} {text}") }
    }

    /// A score with its kind: USI counts plies to mate, UCCI knows one kind alone.
    fn score(&self, kind: &str, number: &str, to_uci: bool) -> String {
        let mate = match number {
            "+" => FAR_MATE,
            "-" => -FAR_MATE,
            number => number.trim_start_matches('+').parse().unwrap_or(0),
        };
        let lost = number.starts_with('-') || mate == 0;
        match (kind, self.is_usi) {
            ("mate", true) if to_uci && lost => format!("mate {}", mate / 2),
            ("mate", true) if to_uci => format!("mate {}", mate / 2 + mate % 2),
            ("mate", true) if lost => format!("mate -{}", mate.unsigned_abs().saturating_mul(2)),
            ("mate", true) => format!("mate {}", mate.saturating_mul(2) - 1),
            ("mate", false) if !to_uci && lost => format!("{}", -MATE - mate),
            ("mate", false) if !to_uci => format!("{}", MATE - mate),
            (_, false) if !to_uci => number.to_owned(),
            _ => format!("{kind} {number}"),
        }
    }

    fn token(&self, text: &str, to_uci: bool) -> String {
        self.squares().token(text, to_uci)
    }

    fn squares(&self) -> Squares {
        Squares { is_usi: self.is_usi, size: self.size }
    }
}

/// Files and ranks of Shogi and of Xiangqi.
const fn usual_size(is_usi: bool) -> [u32; 2] {
    if is_usi { [9, 9] } else { [9, 10] }
}

/// UCI's words for no move.
const NO_MOVE: &str = "bestmove (none)";

/// The first word of a line, and the rest.
fn first_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim_start()))
}
