//! Commands: the messages that the GUI sends to the engine.

use crate::protocol::Moves;
use crate::protocol::words::{OneLine, write_optional};
use std::fmt;

/// The names that are used for what UCI and UGI have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The names of UCI.
    Uci,
    /// The names of UGI (by K. Z. Porter), for games of any kind: `ugi`, `ugiok`, `uginewgame`, `p1time`.
    Ugi,
}

/// A line from the GUI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `uci`: asks for the engine's name and options.
    Uci,
    /// `ugi` (UGI): like `uci`, and selects UGI from then on.
    Ugi,
    /// `debug on` or `debug off`: whether to send additional output for debugging.
    Debug(bool),
    /// `isready`: to be answered with `readyok` at once, even during a search.
    IsReady,
    /// `setoption name NAME [value VALUE]`: sets an option.
    SetOption {
        /// The name as written; compare it with [`same_words`](crate::protocol::same_words).
        name: &'a str,
        /// The text after `value`: `Some("")` for nothing or `<empty>`, `None` without `value`.
        value: Option<&'a str>,
    },
    /// `register …`: registers the user or postpones that.
    Register(Register<'a>),
    /// `ucinewgame`: what follows belongs to another game.
    UciNewGame,
    /// `uginewgame` (UGI): UGI's name for `ucinewgame`.
    UgiNewGame,
    /// `position …`: sets up a position.
    Position(Position<'a>),
    /// `go …`: starts a search.
    Go(Go<'a>),
    /// `stop`: end the search and send the best move.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`: end the program.
    Quit,
    /// `d` (dialect): show the position.
    Show,
    /// `eval` (dialect): show the evaluation of the position.
    Evaluation,
    /// `bench …` (dialect): a fixed search, with arguments as written.
    Bench(&'a str),
    /// `flip` (dialect): the same position seen from the other side.
    Flip,
    /// `query …` (UGI): asks something about the game in progress; answered by one `response`.
    Query {
        /// What is asked, such as `gameover`.
        question: &'a str,
        /// The rest of the line.
        arguments: &'a str,
    },
    /// `help` (dialect): list the commands.
    Help,
    /// A line without any command, without the blanks at its ends.
    Unknown(&'a str),
}

/// The commands without arguments.
pub(super) const PLAIN: [(&str, Command<'static>); 12] = [
    ("uci", Command::Uci),
    ("isready", Command::IsReady),
    ("ucinewgame", Command::UciNewGame),
    ("ugi", Command::Ugi),
    ("uginewgame", Command::UgiNewGame),
    ("stop", Command::Stop),
    ("ponderhit", Command::PonderHit),
    ("quit", Command::Quit),
    ("d", Command::Show),
    ("eval", Command::Evaluation),
    ("flip", Command::Flip),
    ("help", Command::Help),
];

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
    /// Neither was given.
    Unsaid,
}

/// The arguments of `go`. An absent argument has no influence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// `searchmoves`: search only these turns, or turns that begin with them.
    pub search_moves: Option<Moves<'a>>,
    /// `ponder`: the last move of the position is the expected one; wait for `ponderhit`.
    pub ponder: bool,
    /// `wtime` (in UGI `p1time`): White's clock in milliseconds. Negative when the time is exceeded.
    pub white_time: Option<i64>,
    /// `btime` (in UGI `p2time`): Black's clock in milliseconds. Negative when the time is exceeded.
    pub black_time: Option<i64>,
    /// `winc` (in UGI `p1inc`): White's increment per move, in milliseconds.
    pub white_increment: Option<i64>,
    /// `binc` (in UGI `p2inc`): Black's increment per move, in milliseconds.
    pub black_increment: Option<i64>,
    /// `movestogo`: the number of moves to the next time control; absent when the time is for the whole game.
    pub moves_to_go: Option<u32>,
    /// `depth`: the depth to search, in plies.
    pub depth: Option<u32>,
    /// `nodes`: the number of nodes to search.
    pub nodes: Option<u64>,
    /// `mate`: search for a win in so many moves.
    pub mate: Option<u32>,
    /// `movetime`: search for exactly so many milliseconds.
    pub move_time: Option<u64>,
    /// `infinite`: search until `stop`.
    pub infinite: bool,
    /// `perft` (dialect): count turns to this depth instead of searching.
    pub perft: Option<u32>,
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
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Debug(on) => write!(out, "debug {}", if on { "on" } else { "off" }),
            Self::SetOption { name, value } => {
                write!(out, "setoption name {}", OneLine(name))?;
                match value {
                    None => Ok(()),
                    Some("") => out.write_str(" value <empty>"),
                    Some(value) => write!(out, " value {}", OneLine(value)),
                }
            }
            Self::Register(Register::Later) => out.write_str("register later"),
            Self::Register(Register::Now { name, code }) => {
                out.write_str("register")?;
                write_text(out, "name", name)?;
                write_text(out, "code", code)
            }
            Self::Query { question, arguments } => {
                out.write_str("query ")?;
                write_optional(out, question, arguments)
            }
            Self::Position(position) => position.fmt(out),
            Self::Go(go) => go.fmt(out),
            Self::Bench(arguments) => write_optional(out, "bench", arguments),
            Self::Unknown(text) => OneLine(text).fmt(out),
            plain => {
                PLAIN.iter().find(|(_, own)| *own == plain).map_or(Ok(()), |(word, _)| out.write_str(word))
            }
        }
    }
}

impl fmt::Display for Position<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("position")?;
        match self.start {
            Start::Startpos => out.write_str(" startpos")?,
            Start::Fen(text) => write!(out, " fen {}", OneLine(text))?,
            Start::Unsaid => {}
        }
        if self.moves.is_empty() { Ok(()) } else { write!(out, " moves {}", self.moves) }
    }
}

impl fmt::Display for Go<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        InDialect(*self, Dialect::Uci).fmt(out)
    }
}

/// A `go` whose clocks have the names of a dialect.
struct InDialect<'a>(Go<'a>, Dialect);

impl fmt::Display for InDialect<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let go = &self.0;
        let [white_time, black_time, white_increment, black_increment] = match self.1 {
            Dialect::Uci => ["wtime", "btime", "winc", "binc"],
            Dialect::Ugi => ["p1time", "p2time", "p1inc", "p2inc"],
        };
        out.write_str("go")?;
        if go.ponder {
            out.write_str(" ponder")?;
        }
        write_value(out, white_time, go.white_time)?;
        write_value(out, black_time, go.black_time)?;
        write_value(out, white_increment, go.white_increment)?;
        write_value(out, black_increment, go.black_increment)?;
        write_value(out, "movestogo", go.moves_to_go)?;
        write_value(out, "depth", go.depth)?;
        write_value(out, "nodes", go.nodes)?;
        write_value(out, "mate", go.mate)?;
        write_value(out, "movetime", go.move_time)?;
        if go.infinite {
            out.write_str(" infinite")?;
        }
        write_value(out, "perft", go.perft)?;
        // This comes last, because many engines read the list to the end of the line.
        write_value(out, "searchmoves", go.search_moves)
    }
}

/// Writes ` keyword value`, or nothing for `None`.
pub(super) fn write_value<T: fmt::Display>(
    out: &mut fmt::Formatter<'_>,
    keyword: &str,
    value: Option<T>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(out, " {keyword} {value}"))
}

/// Writes ` keyword text` with the text on one line, or nothing for `None`.
pub(super) fn write_text(out: &mut fmt::Formatter<'_>, keyword: &str, text: Option<&str>) -> fmt::Result {
    write_value(out, keyword, text.map(OneLine))
}
