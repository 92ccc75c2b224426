//! Commands: the messages that XBoard sends to the engine.

use super::outcome::Outcome;
use crate::protocol::words::{OneLine, write_optional};
use std::fmt;

/// A line from XBoard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `xboard`: selects this protocol.
    XBoard,
    /// `protover N`: the version of the protocol; the engine should answer with its features.
    ProtocolVersion(u32),
    /// `accepted FEATURE`: XBoard supports this feature.
    Accepted(&'a str),
    /// `rejected FEATURE`: XBoard does not support this feature; a value that it rejects may follow.
    Rejected(&'a str),
    /// `new`: a new game of chess, in which the engine plays Black.
    New,
    /// `variant NAME`: selects the game.
    Variant(&'a str),
    /// `quit`: end the program.
    Quit,
    /// `random`: play with some randomness (historical).
    Random,
    /// `force`: play neither side.
    Force,
    /// `go`: play the side to move.
    Go,
    /// `playother`: play the side that is not to move.
    PlayOther,
    /// `white` (obsolete): White to move, the engine plays Black.
    White,
    /// `black` (obsolete): Black to move, the engine plays White.
    Black,
    /// `level …`: the time control.
    Level(Level),
    /// `st SECONDS`: the time for each move, here in milliseconds; fractions are read and written.
    MoveTime(u64),
    /// `sd PLIES`: the depth limit.
    Depth(u32),
    /// `nps N`: measure time in nodes, at N nodes to the second; 0 stands for processor time.
    NodeRate(u64),
    /// `time N`: the engine's clock in centiseconds. Negative when the time is exceeded.
    Time(i64),
    /// `otim N`: the opponent's clock in centiseconds. Negative when the time is exceeded.
    OpponentTime(i64),
    /// `usermove MOVE`: the opponent's move.
    UserMove(&'a str),
    /// A move without `usermove`: a single word that looks like a move in coordinates.
    BareMove(&'a str),
    /// `?`: move now.
    MoveNow,
    /// `ping N`: to be answered with `pong N` when everything before it is done.
    Ping(i64),
    /// `draw`: the opponent offers a draw.
    Draw,
    /// `result …`: the game is over.
    Result(Outcome<'a>),
    /// `setboard FEN`: sets up a position.
    SetBoard(&'a str),
    /// `edit`: the lines up to `.` describe the board; see [`EditLine`](super::EditLine).
    Edit,
    /// `hint`: asks for a move that the engine would play for the user.
    Hint,
    /// `bk`: asks for the moves in the opening book.
    Book,
    /// `undo`: take back one move.
    Undo,
    /// `remove`: take back two moves.
    Remove,
    /// `hard`: ponder (think on the opponent's time).
    Hard,
    /// `easy`: do not ponder.
    Easy,
    /// `post`: send thinking output.
    Post,
    /// `nopost`: do not send thinking output.
    NoPost,
    /// `analyze`: enter analysis.
    Analyze,
    /// `.` (analysis): asks for the progress of the search.
    Status,
    /// `exit`: leave analysis.
    Exit,
    /// `exclude MOVE` or `exclude all`: do not search these moves at the root.
    Exclude(Selection<'a>),
    /// `include MOVE` or `include all`: search these moves at the root again.
    Include(Selection<'a>),
    /// `setscore SCORE DEPTH`: use this score for the position in searches up to this depth.
    SetScore {
        /// The score in centipawns, for the side to move.
        score: i32,
        /// The depth in plies.
        depth: u32,
    },
    /// `name X`: the opponent's name.
    Name(&'a str),
    /// `rating OWN OPPONENT`: the players' ratings; 0 for unrated.
    Rating {
        /// The engine's rating.
        own: i32,
        /// The opponent's rating.
        opponent: i32,
    },
    /// `computer`: the opponent is a program.
    Computer,
    /// `pause`: stop thinking; all clocks stop.
    Pause,
    /// `resume`: go on after `pause`.
    Resume,
    /// `memory N`: use at most so many megabytes.
    Memory(u64),
    /// `cores N`: use at most so many threads.
    Cores(u32),
    /// `egtpath TYPE PATH`: the location of endgame tables.
    TablePath {
        /// The format of the tables.
        kind: &'a str,
        /// The path, which may contain blanks.
        path: &'a str,
    },
    /// `option NAME[=VALUE]`: sets an option.
    Option {
        /// The name as it was declared; may contain blanks.
        name: &'a str,
        /// The value, which may be empty; `None` for buttons.
        value: Option<&'a str>,
    },
    /// `lift SQUARE`: the user picked a piece up.
    Lift(&'a str),
    /// `put SQUARE`: the user put the piece down.
    Put(&'a str),
    /// `hover SQUARE`: the user's mouse is over a marked square.
    Hover(&'a str),
    /// `ics HOST`: the game is on this chess server; `None`, written `-`, for a local game.
    Ics(Option<&'a str>),
    /// `partner NAME` (bughouse): the partner's name; `None` when the partner left.
    Partner(Option<&'a str>),
    /// `ptell TEXT` (bughouse): a message from the partner.
    PartnerTells(&'a str),
    /// `holding …` (bughouse): the pieces in hand, as written.
    Holding(&'a str),
    /// Anything else, without the blanks at its ends. This includes the answer to `askuser TAG …`, which
    /// begins with the tag.
    Unknown(&'a str),
}

/// The commands without arguments.
pub(super) const PLAIN: [(&str, Command<'static>); 26] = [
    ("xboard", Command::XBoard),
    ("new", Command::New),
    ("quit", Command::Quit),
    ("random", Command::Random),
    ("force", Command::Force),
    ("go", Command::Go),
    ("playother", Command::PlayOther),
    ("white", Command::White),
    ("black", Command::Black),
    ("?", Command::MoveNow),
    ("draw", Command::Draw),
    ("edit", Command::Edit),
    ("hint", Command::Hint),
    ("bk", Command::Book),
    ("undo", Command::Undo),
    ("remove", Command::Remove),
    ("hard", Command::Hard),
    ("easy", Command::Easy),
    ("post", Command::Post),
    ("nopost", Command::NoPost),
    ("analyze", Command::Analyze),
    (".", Command::Status),
    ("exit", Command::Exit),
    ("computer", Command::Computer),
    ("pause", Command::Pause),
    ("resume", Command::Resume),
];

/// The time control: `level MOVES BASE INCREMENT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The number of moves in a session; 0 when the time is for the whole game.
    pub moves: u32,
    /// The time for a session, in milliseconds (written in minutes, or minutes and seconds).
    pub base: u64,
    /// The time added for each move, in milliseconds (written in seconds).
    pub increment: u64,
}

/// A selection of moves at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection<'a> {
    /// All moves.
    All,
    /// This move.
    One(&'a str),
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ProtocolVersion(version) => write!(out, "protover {version}"),
            Self::Accepted(feature) => write!(out, "accepted {}", OneLine(feature)),
            Self::Rejected(feature) => write!(out, "rejected {}", OneLine(feature)),
            Self::Variant(name) => write!(out, "variant {name}"),
            Self::Level(level) => level.fmt(out),
            Self::MoveTime(time) => write!(out, "st {}", Seconds(time)),
            Self::Depth(depth) => write!(out, "sd {depth}"),
            Self::NodeRate(rate) => write!(out, "nps {rate}"),
            Self::Time(time) => write!(out, "time {time}"),
            Self::OpponentTime(time) => write!(out, "otim {time}"),
            Self::UserMove(text) => write!(out, "usermove {text}"),
            Self::BareMove(text) => out.write_str(text),
            Self::Ping(number) => write!(out, "ping {number}"),
            Self::Result(outcome) => write!(out, "result {outcome}"),
            Self::SetBoard(text) => write!(out, "setboard {}", OneLine(text)),
            Self::Exclude(selection) => write!(out, "exclude {selection}"),
            Self::Include(selection) => write!(out, "include {selection}"),
            Self::SetScore { score, depth } => write!(out, "setscore {score} {depth}"),
            Self::Name(name) => write_optional(out, "name", name),
            Self::Rating { own, opponent } => write!(out, "rating {own} {opponent}"),
            Self::Memory(megabytes) => write!(out, "memory {megabytes}"),
            Self::Cores(threads) => write!(out, "cores {threads}"),
            Self::TablePath { kind, path } => write!(out, "egtpath {kind} {}", OneLine(path)),
            Self::Option { name, value: None } => write!(out, "option {}", OneLine(name)),
            Self::Option { name, value: Some(value) } => {
                write!(out, "option {}={}", OneLine(name), OneLine(value))
            }
            Self::Lift(square) => write!(out, "lift {square}"),
            Self::Put(square) => write!(out, "put {square}"),
            Self::Hover(square) => write!(out, "hover {square}"),
            Self::Ics(host) => write!(out, "ics {}", host.unwrap_or("-")),
            Self::Partner(partner) => write_optional(out, "partner", partner.unwrap_or_default()),
            Self::PartnerTells(text) => write_optional(out, "ptell", text),
            Self::Holding(text) => write_optional(out, "holding", text),
            Self::Unknown(text) => OneLine(text).fmt(out),
            plain => {
                PLAIN.iter().find(|(_, own)| *own == plain).map_or(Ok(()), |(word, _)| out.write_str(word))
            }
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (minutes, rest) = (self.base / 60_000, self.base % 60_000);
        write!(out, "level {} {minutes}", self.moves)?;
        if rest > 0 {
            let tens = if rest < 10_000 { "0" } else { "" };
            write!(out, ":{tens}{}", Seconds(rest))?;
        }
        write!(out, " {}", Seconds(self.increment))
    }
}

impl fmt::Display for Selection<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::All => "all",
            Self::One(text) => text,
        })
    }
}

/// Milliseconds, written as seconds with as few decimals as needed.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, thousandths) = (self.0 / 1000, self.0 % 1000);
        match thousandths {
            0 => write!(out, "{whole}"),
            _ if thousandths % 100 == 0 => write!(out, "{whole}.{}", thousandths / 100),
            _ if thousandths % 10 == 0 => write!(out, "{whole}.{:02}", thousandths / 10),
            _ => write!(out, "{whole}.{thousandths:03}"),
        }
    }
}
