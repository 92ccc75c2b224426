//! What XBoard says to the engine.

use super::outcome::Outcome;
use crate::protocol::words::{OneLine, write_optional};
use std::fmt;

/// One line from XBoard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `xboard`: this is the protocol.
    XBoard,
    /// `protover N`: its version; features are expected.
    ProtocolVersion(u32),
    /// `accepted FEATURE`.
    Accepted(&'a str),
    /// `rejected FEATURE`, possibly followed by the value that was not liked.
    Rejected(&'a str),
    /// `new`: a new game of chess, the engine plays Black.
    New,
    /// `variant NAME`.
    Variant(&'a str),
    /// `quit`.
    Quit,
    /// `random`: for engines that play alike every time; historical.
    Random,
    /// `force`: play neither side.
    Force,
    /// `go`: play the side on move.
    Go,
    /// `playother`: play the side not on move.
    PlayOther,
    /// `white` (obsolete): White to move, the engine plays Black.
    White,
    /// `black` (obsolete): Black to move, the engine plays White.
    Black,
    /// `level …`: time control.
    Level(Level),
    /// `st SECONDS`: time for each move, in milliseconds here; fractions are read and written.
    MoveTime(u64),
    /// `sd PLIES`: depth limit.
    Depth(u32),
    /// `nps N`: count time in nodes, N to the second; 0 means processor time.
    NodeRate(u64),
    /// `time N`: the engine's clock in centiseconds. Negative when overstepped.
    Time(i64),
    /// `otim N`: the opponent's clock in centiseconds. Negative when overstepped.
    OpponentTime(i64),
    /// `usermove MOVE`.
    UserMove(&'a str),
    /// A move without `usermove`: one word that looks like a move in coordinates.
    BareMove(&'a str),
    /// `?`: move now.
    MoveNow,
    /// `ping N`: answer `pong N` when all before is done.
    Ping(i64),
    /// `draw`: the opponent offers a draw.
    Draw,
    /// `result …`: the game is over.
    Result(Outcome<'a>),
    /// `setboard FEN`.
    SetBoard(&'a str),
    /// `edit`: the lines up to `.` describe the board, see [`EditLine`](super::EditLine).
    Edit,
    /// `hint`: which move would you play for the user?
    Hint,
    /// `bk`: what does the opening book say?
    Book,
    /// `undo`: take one move back.
    Undo,
    /// `remove`: take two moves back.
    Remove,
    /// `hard`: think on the opponent's time.
    Hard,
    /// `easy`: do not.
    Easy,
    /// `post`: show what you think.
    Post,
    /// `nopost`: do not.
    NoPost,
    /// `analyze`: enter analysis.
    Analyze,
    /// `.` (analysis): how far are you?
    Status,
    /// `exit`: leave analysis.
    Exit,
    /// `exclude MOVE` or `exclude all`.
    Exclude(Selection<'a>),
    /// `include MOVE` or `include all`.
    Include(Selection<'a>),
    /// `setscore SCORE DEPTH`: take this position to be worth so many centipawns for searches up to the depth.
    SetScore {
        /// Centipawns for the side on move.
        score: i32,
        /// Plies.
        depth: u32,
    },
    /// `name X`: the opponent's name.
    Name(&'a str),
    /// `rating OWN OPPONENT`; 0 for unrated.
    Rating {
        /// The engine's.
        own: i32,
        /// The opponent's.
        opponent: i32,
    },
    /// `computer`: the opponent is a program.
    Computer,
    /// `pause`: stop thinking, all clocks stand.
    Pause,
    /// `resume`.
    Resume,
    /// `memory N`: use at most so many megabytes.
    Memory(u64),
    /// `cores N`: use at most so many threads.
    Cores(u32),
    /// `egtpath TYPE PATH`: where endgame tables are.
    TablePath {
        /// Their format.
        kind: &'a str,
        /// Where they are; may hold blanks.
        path: &'a str,
    },
    /// `option NAME[=VALUE]`.
    Option {
        /// As declared; may hold blanks.
        name: &'a str,
        /// `None` for buttons; may be empty.
        value: Option<&'a str>,
    },
    /// `lift SQUARE`: the user picked a piece up.
    Lift(&'a str),
    /// `put SQUARE`: the user put the piece down.
    Put(&'a str),
    /// `hover SQUARE`: the user is over a marked square.
    Hover(&'a str),
    /// `ics HOST`: play on a chess server; `None` is written `-`: play at home.
    Ics(Option<&'a str>),
    /// `partner NAME` (bughouse); `None` when the partner left.
    Partner(Option<&'a str>),
    /// `ptell TEXT` (bughouse): the partner says something.
    PartnerTells(&'a str),
    /// `holding …` (bughouse): what is in hand, as written.
    Holding(&'a str),
    /// Anything else, blanks at its ends cut off. Also the answer to `askuser TAG …`, which begins with the tag.
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

/// `level MOVES BASE INCREMENT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Moves in one session; 0 means the whole game.
    pub moves: u32,
    /// Time for a session, in milliseconds (written in minutes, or minutes and seconds).
    pub base: u64,
    /// Time added for each move, in milliseconds (written in seconds).
    pub increment: u64,
}

/// Which moves at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection<'a> {
    /// Every one.
    All,
    /// This one.
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

/// Milliseconds, written as seconds with as few decimals as it takes.
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
