//! What the user's program says to the engine.

use crate::protocol::Moves;
use crate::protocol::words::{OneLine, write_optional};
use std::fmt;

/// Which words are used for what UCI and UGI both have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// UCI.
    Uci,
    /// UGI (K. Z. Porter's), for games of any kind: `ugi`, `ugiok`, `uginewgame`, `p1time`.
    Ugi,
}

/// One line from the user's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `uci`: say who you are and which options you have.
    Uci,
    /// `ugi` (UGI): the same, and UGI's ways from now on.
    Ugi,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer `readyok`, at once, also while searching.
    IsReady,
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        /// As written; compare with [`same_words`](crate::protocol::same_words).
        name: &'a str,
        /// The text after `value`: `Some("")` for nothing or `<empty>`, `None` without the word.
        value: Option<&'a str>,
    },
    /// `register …`.
    Register(Register<'a>),
    /// `ucinewgame`: what follows belongs to another game.
    UciNewGame,
    /// `uginewgame` (UGI): `ucinewgame` under another name.
    UgiNewGame,
    /// `position …`.
    Position(Position<'a>),
    /// `go …`.
    Go(Go<'a>),
    /// `stop`: end the search and say the best move.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
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
        /// What is asked: `gameover`.
        question: &'a str,
        /// The words behind it.
        arguments: &'a str,
    },
    /// `help` (dialect).
    Help,
    /// A line without any command, blanks at its ends cut off.
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
    /// `later`.
    Later,
    /// `name NAME code CODE`, either of which may be absent, not both.
    Now {
        /// Who registers.
        name: Option<&'a str>,
        /// The code they were given.
        code: Option<&'a str>,
    },
}

/// The arguments of `position`: a complete game so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<'a> {
    /// Where the game began.
    pub start: Start<'a>,
    /// The turns since, as text.
    pub moves: Moves<'a>,
}

/// Where a game began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start<'a> {
    /// `startpos`: the start of the chosen game.
    Startpos,
    /// `fen F`: everything between `fen` and `moves`, as written.
    Fen(&'a str),
    /// Neither was said.
    Unsaid,
}

/// The arguments of `go`. What is absent has no influence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// `searchmoves`: consider only these, or turns that begin with them.
    pub search_moves: Option<Moves<'a>>,
    /// `ponder`: the last move of the position is the expected one; wait for `ponderhit`.
    pub ponder: bool,
    /// `wtime` (in UGI `p1time`): White's clock in milliseconds. Negative when overstepped.
    pub white_time: Option<i64>,
    /// `btime` (in UGI `p2time`): Black's clock in milliseconds. Negative when overstepped.
    pub black_time: Option<i64>,
    /// `winc` (in UGI `p1inc`): what White gets per move, in milliseconds.
    pub white_increment: Option<i64>,
    /// `binc` (in UGI `p2inc`): what Black gets per move, in milliseconds.
    pub black_increment: Option<i64>,
    /// `movestogo`: moves to the next time control; absent means the whole game.
    pub moves_to_go: Option<u32>,
    /// `depth`: plies.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `mate`: look for a win in so many moves.
    pub mate: Option<u32>,
    /// `movetime`: exactly so many milliseconds.
    pub move_time: Option<u64>,
    /// `infinite`: until `stop`.
    pub infinite: bool,
    /// `perft` (dialect): count turns to this depth instead of searching.
    pub perft: Option<u32>,
}

impl Command<'_> {
    /// The line in this dialect. (As [`Display`](fmt::Display) has it, it is UCI's.)
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
        // Last, because many engines take the list to run to the end of the line.
        write_value(out, "searchmoves", go.search_moves)
    }
}

/// ` keyword value`, or nothing.
pub(super) fn write_value<T: fmt::Display>(
    out: &mut fmt::Formatter<'_>,
    keyword: &str,
    value: Option<T>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(out, " {keyword} {value}"))
}

/// ` keyword text` with the text on one line, or nothing.
pub(super) fn write_text(out: &mut fmt::Formatter<'_>, keyword: &str, text: Option<&str>) -> fmt::Result {
    write_value(out, keyword, text.map(OneLine))
}
