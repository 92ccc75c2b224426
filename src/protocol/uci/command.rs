//! Commands: the messages that the GUI sends to the engine, how they are read and how they are written.

use crate::base::grammar::{Grammar, Parse};
use crate::protocol::field::{Field, Value};
use crate::protocol::line::{self, Line};
use crate::protocol::table::{arguments, messages};
use crate::protocol::words::{
    OneLine, any_text, keyword, number, one_of, remainder, required, some_word, some_words, word,
};
use crate::protocol::{Moves, ParseError, Parsed};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{not, opt, peek, success, value};
use nom::sequence::preceded;
use std::fmt::{self, Display, Formatter};

/// The names that are used for what UCI and UGI have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The names of UCI.
    Uci,
    /// The names of UGI (by K. Z. Porter), for games of any kind: `ugi`, `ugiok`, `uginewgame`, `p1time`.
    Ugi,
    /// USI, for Shogi: a [`Translator`](super::Translator) makes UCI of it.
    Usi,
    /// UCCI, for Xiangqi: a [`Translator`](super::Translator) makes UCI of it.
    Ucci,
}

impl Dialect {
    /// The one game that programs of this dialect know.
    #[must_use]
    pub const fn own_game(self) -> Option<&'static str> {
        match self {
            Self::Uci | Self::Ugi => None,
            Self::Usi => Some("shogi"),
            Self::Ucci => Some("xiangqi"),
        }
    }
}

messages! {
    /// A line from the GUI.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Command<'a> {
        /// Asks for the engine's name and options.
        "uci" => Uci,
        /// UGI: like `uci`, and selects UGI from then on.
        "ugi" => Ugi,
        /// Whether to send additional output for debugging.
        "debug" => Debug(on: bool => debug),
        /// To be answered with `readyok` at once, even during a search.
        "isready" => IsReady,
        /// Registers the user or postpones that.
        "register" => Register(register: Register<'a> => register),
        /// What follows belongs to another game.
        "ucinewgame" => UciNewGame,
        /// UGI's name for `ucinewgame`.
        "uginewgame" => UgiNewGame,
        /// Sets up a position.
        "position" => Position(position: Position<'a> => position),
        /// Starts a search.
        "go" => Go(go: Go<'a> => go),
        /// End the search and send the best move.
        "stop" => Stop,
        /// The expected move was played.
        "ponderhit" => PonderHit,
        /// End the program.
        "quit" => Quit,
        /// Dialect: show the position.
        "d" => Show,
        /// Dialect: show the evaluation of the position.
        "eval" => Evaluation,
        /// Dialect: a fixed search, with arguments as written.
        "bench" => Bench(arguments: &'a str = any_text),
        /// Dialect: the same position seen from the other side.
        "flip" => Flip,
        /// UGI: asks something about the game in progress; answered by one `response`.
        "query" => Query {
            /// What is asked, such as `gameover`.
            question: &'a str = some_word("a question, such as `gameover`"),
            /// The rest of the line.
            arguments: &'a str = any_text,
        },
        /// Dialect: list the commands.
        "help" => Help,
        else
        /// `setoption name NAME [value VALUE]`: sets an option.
        SetOption {
            /// The name as written; compare it with [`same_words`](crate::protocol::same_words).
            name: &'a str,
            /// The text after `value`: `Some("")` for nothing or `<empty>`, `None` without `value`.
            value: Option<&'a str>,
        },
        /// A line without any command, without the blanks at its ends.
        Unknown(&'a str),
    }
}

/// The arguments of `register`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register<'a> {
    /// `register later`: the user will register later.
    Later,
    /// `register name NAME code CODE`; either may be absent, but not both.
    Now {
        /// The user's name.
        name: Option<&'a str>,
        /// The code that the user was given.
        code: Option<&'a str>,
    },
}

/// The arguments of `position`: the whole game so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<'a> {
    /// The first position of the game.
    pub start: Start<'a>,
    /// The turns since then, as text.
    pub moves: Moves<'a>,
}

/// The first position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start<'a> {
    /// `startpos`: the start of the chosen game.
    Startpos,
    /// `fen F`: everything between `fen` and `moves`, as written.
    Fen(&'a str),
    /// The command says neither.
    Unsaid,
}

arguments! {
    /// The arguments of `go`. An absent argument has no influence.
    pub struct Go<'a> {
        /// The last move of the position is the expected one; wait for `ponderhit`.
        "ponder" => ponder: bool = flag;
        /// White's clock in milliseconds. Negative when the time is exceeded.
        "wtime" / "p1time" => white_time: Option<i64> = number;
        /// Black's clock in milliseconds. Negative when the time is exceeded.
        "btime" / "p2time" => black_time: Option<i64> = number;
        /// White's increment per move, in milliseconds.
        "winc" / "p1inc" => white_increment: Option<i64> = number;
        /// Black's increment per move, in milliseconds.
        "binc" / "p2inc" => black_increment: Option<i64> = number;
        /// The number of moves to the next time control; absent when the time is for the whole game.
        "movestogo" => moves_to_go: Option<u32> = number;
        /// The depth to search, in plies.
        "depth" => depth: Option<u32> = number;
        /// The number of nodes to search.
        "nodes" => nodes: Option<u64> = number;
        /// Search for a win in so many moves.
        "mate" => mate: Option<u32> = number;
        /// Search for exactly so many milliseconds.
        "movetime" => move_time: Option<u64> = number;
        /// Search until `stop`.
        "infinite" => infinite: bool = flag;
        /// Dialect: count turns to this depth instead of searching.
        "perft" => perft: Option<u32> = number;
        // This comes last, because many engines read the list to the end of the line.
        /// Search only these turns, or turns that begin with them.
        "searchmoves" => search_moves: Option<Moves<'a>> = some_moves;
    }
}

fn flag<'a>(_: &'static str) -> impl Grammar<'a, ()> {
    success(())
}

fn some_moves<'a>(parameter: &'static str) -> impl Grammar<'a, Moves<'a>> {
    some_words(parameter, "a move", Go::is_word).map(Moves::new)
}

impl<'a> Command<'a> {
    /// Reads one line; `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When an argument of a known command is missing, malformed or out of range.
    pub fn parse(line: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        line::parse(line, command)
    }

    /// True when `line` is a `go`, whether or not its arguments can be understood.
    #[must_use]
    pub fn is_go(line: &str) -> bool {
        let mut words = line.split_ascii_whitespace();
        let first = words.clone().next().unwrap_or_default();
        !is_dialect(first) && words.find(|word| is_command(word)) == Some("go")
    }
}

/// The words that are commands wherever they stand.
fn is_command(word: &str) -> bool {
    word == "setoption" || Command::WORDS.contains(&word) && !is_dialect(word)
}

/// The words that are commands only at the start of a line: they are too common to be looked for after other
/// words.
fn is_dialect(word: &str) -> bool {
    matches!(word, "d" | "eval" | "bench" | "flip" | "help" | "ugi" | "uginewgame" | "query")
}

fn command<'a>(line: &mut Line<'a>, start: &'a str) -> Parse<'a, Command<'a>> {
    let (_, first) = word(start)?;
    let at = if is_dialect(first) { start } else { seek(line, start, is_command) };
    let (rest, word) = word(at)?;
    match word {
        "setoption" => set_option(line, rest),
        _ => match Command::message(line, word, rest)? {
            (rest, Some(command)) => Ok((rest, command)),
            _ => remainder.map(Command::Unknown).parse(start),
        },
    }
}

/// Skips words until one is among `wanted`; that word is left to be read. If there is none, nothing is
/// skipped.
fn seek<'a>(line: &mut Line<'a>, input: &'a str, wanted: impl Fn(&str) -> bool) -> &'a str {
    let mut rest = input;
    while let Ok((after, word)) = word(rest) {
        if wanted(word) {
            line.skip(input, rest);
            return rest;
        }
        rest = after;
    }
    input
}

fn debug<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, bool> {
    let at = seek(line, input, |word| matches!(word, "on" | "off"));
    required("debug", "`on` or `off`", one_of(&[("on", true), ("off", false)])).parse(at)
}

fn set_option<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Command<'a>> {
    let at = seek(line, input, |word| word == "name");
    let name = some_words("name", "the name of an option", |word| word == "value");
    let value = preceded(keyword("value"), remainder.map(text_of));
    preceded(required("setoption", "`name`", keyword("name")), (name, opt(value)))
        .map(|(name, value)| Command::SetOption { name, value })
        .parse(at)
}

fn register<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Register<'a>> {
    let at = seek(line, input, |word| matches!(word, "later" | "name" | "code"));
    if let Ok((rest, _)) = keyword("later").parse(at) {
        return Ok((rest, Register::Later));
    }
    required("register", "`later`, `name` or `code`", alt((keyword("name"), keyword("code")))).parse(at)?;
    let (mut name, mut code) = (None, None);
    let text = |parameter, expected| some_words(parameter, expected, |word| matches!(word, "name" | "code"));
    let (rest, ()) = line.arguments(at, |line, from, word, rest| match word {
        "name" => Some(line.store(&mut name, from, text("name", "a name").parse(rest))),
        "code" => Some(line.store(&mut code, from, text("code", "a code").parse(rest))),
        _ => None,
    })?;
    Ok((rest, Register::Now { name, code }))
}

fn position<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Position<'a>> {
    let at = seek(line, input, |word| matches!(word, "startpos" | "fen" | "moves"));
    let fen = some_words("fen", "a position", |word| word == "moves");
    let start = alt((
        value(Start::Startpos, keyword("startpos")),
        preceded(keyword("fen"), fen).map(Start::Fen),
        value(Start::Unsaid, alt((peek(keyword("moves")).map(drop), not(word)))),
    ));
    let (rest, start) = required("position", "`startpos`, `fen` or `moves`", start).parse(at)?;
    let at = seek(line, rest, |word| word == "moves");
    let moves = preceded(keyword("moves"), remainder).or(success(""));
    moves.map(|moves| Position { start, moves: Moves::new(moves) }).parse(at)
}

/// Reads the arguments of `go`, in any order. Unknown words are skipped.
fn go<'a>(line: &mut Line<'a>, input: &'a str) -> Parse<'a, Go<'a>> {
    let mut go = Go::default();
    let (rest, ()) = line.arguments(input, |line, from, word, rest| go.argument(line, from, word, rest))?;
    Ok((rest, go))
}

impl Command<'_> {
    /// The line in this dialect. ([`Display`](fmt::Display) writes UCI.)
    #[must_use]
    pub fn to_line(&self, dialect: Dialect) -> String {
        match (*self, dialect) {
            (Self::Uci, Dialect::Ugi) => Self::Ugi.to_string(),
            (Self::UciNewGame, Dialect::Ugi) => Self::UgiNewGame.to_string(),
            (Self::Go(go), Dialect::Ugi) => InDialect(go, dialect).to_string(),
            _ => self.to_string(),
        }
    }

    fn write_other(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::SetOption { name, value } => {
                write!(out, "setoption name {}", OneLine(name))?;
                value.map(text_or_empty).write_named(out, "value")
            }
            Self::Unknown(text) => OneLine(text).fmt(out),
            // The others stand in the table.
            _ => Ok(()),
        }
    }
}

/// The spelling of an empty text.
const EMPTY: &str = "<empty>";

/// A text as UCI writes it where it may be empty.
pub(super) fn text_or_empty(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

/// The text that UCI wrote where it may be empty.
pub(super) fn text_of(written: &str) -> &str {
    if written == EMPTY { "" } else { written }
}

impl Value for bool {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(if *self { " on" } else { " off" })
    }
}

impl Value for Register<'_> {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Later => out.write_str(" later"),
            Self::Now { name, code } => {
                name.write_named(out, "name")?;
                code.write_named(out, "code")
            }
        }
    }
}

impl Value for Position<'_> {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.start {
            Start::Startpos => out.write_str(" startpos")?,
            Start::Fen(text) => write!(out, " fen {}", OneLine(text))?,
            Start::Unsaid => {}
        }
        Some(self.moves).filter(|moves| !moves.is_empty()).write_named(out, "moves")
    }
}

impl Value for Go<'_> {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.write_arguments(out, Dialect::Uci as usize)
    }
}

/// A `go` with the words of a dialect.
struct InDialect<'a>(Go<'a>, Dialect);

impl Display for InDialect<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("go")?;
        self.0.write_arguments(out, self.1 as usize)
    }
}
