//! Replies: the messages that the engine sends to XBoard.

use super::feature::Feature;
use super::outcome::Outcome;
use super::thinking::Thinking;
use crate::protocol::words::{OneLine, write_optional};
use std::fmt;

/// A line from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `feature …`: what the engine supports.
    Features(Vec<Feature<'a>>),
    /// `pong N`: the answer to `ping N`.
    Pong(i64),
    /// `move MOVE`: the engine's move. A comma at the end means that more legs follow.
    Move(&'a str),
    /// `1-0 {…}`, `0-1 {…}`, `1/2-1/2 {…}`: the game is over by rule.
    Result(Outcome<'a>),
    /// `resign`: the engine resigns.
    Resign,
    /// `offer draw`: the engine offers a draw, or accepts an offer.
    OfferDraw,
    /// `Illegal move (REASON): MOVE`: the engine refuses a move.
    IllegalMove {
        /// The reason; may be empty.
        reason: &'a str,
        /// The move as it was received.
        text: &'a str,
    },
    /// `Error (REASON): COMMAND`: the engine refuses a command.
    Error {
        /// The reason; may be empty.
        reason: &'a str,
        /// The command as it was received.
        command: &'a str,
    },
    /// `setup …`: the start position of a game that XBoard does not know.
    Setup(Setup<'a>),
    /// `piece ID BETZA`: how a piece moves.
    Piece {
        /// The letter of the piece: a capital for White, lower case for Black, a capital with `&` for both.
        id: &'a str,
        /// The moves in Betza's notation.
        moves: &'a str,
    },
    /// `highlight FEN`: colours of squares, in the form of a board.
    Highlight(&'a str),
    /// `choice LETTERS`: the pieces to which the user may promote.
    Choice(&'a str),
    /// `click SQUARE`: as if the user had clicked there.
    Click(&'a str),
    /// `PLY SCORE TIME NODES … PV`: thinking output.
    Thinking(Thinking<'a>),
    /// `stat01: …`: the answer to `.`.
    Status(Status<'a>),
    /// `Hint: MOVE`: the answer to `hint`.
    Hint(&'a str),
    /// `telluser TEXT` and similar messages.
    Tell {
        /// The readers of the text.
        audience: Audience,
        /// The text.
        text: &'a str,
    },
    /// `askuser TAG TEXT`: the answer comes as a line that begins with the tag.
    AskUser {
        /// The tag, a single word.
        tag: &'a str,
        /// The question.
        text: &'a str,
    },
    /// `# TEXT`: a comment for the debug file.
    Comment(&'a str),
    /// A line that begins with a blank and is not thinking output: an answer to `bk` (which an empty line
    /// ends), or the continuation of a principal variation. It is written with a tab in front.
    Indented(&'a str),
    /// Anything else, without the blanks at its ends.
    Unknown(&'a str),
}

/// The arguments of `setup`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup<'a> {
    /// The letters of the pieces in the order of XBoard's pictures, without the parentheses.
    pub table: Option<&'a str>,
    /// The size of the board, and the game whose rules it resembles.
    pub geometry: Option<Geometry<'a>>,
    /// The start position, as text.
    pub position: &'a str,
}

/// The board of a game: `FILESxRANKS+HAND_PARENT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry<'a> {
    /// The width of the board.
    pub files: u32,
    /// The height of the board.
    pub ranks: u32,
    /// The number of kinds of pieces that may be in hand.
    pub hand: u32,
    /// A game that XBoard knows, such as `fairy` or `bughouse`.
    pub parent: &'a str,
}

/// The arguments of `stat01:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status<'a> {
    /// The time since the start of the search, in centiseconds.
    pub time: u64,
    /// The number of nodes searched so far.
    pub nodes: u64,
    /// The depth of the current iteration, in plies.
    pub ply: u32,
    /// The number of root moves still to be searched at this depth.
    pub moves_left: u32,
    /// The number of root moves.
    pub moves_total: u32,
    /// The move being searched.
    pub current: Option<&'a str>,
}

/// The readers of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// `telluser`: the user, in a box on the screen.
    User,
    /// `tellusererror`: the user, in a box that shows an error.
    UserError,
    /// `tellall`: everyone on the chess server.
    All,
    /// `tellothers`: everyone on the chess server except the opponent.
    Others,
    /// `tellopponent`: the opponent.
    Opponent,
    /// `tellics`: the chess server.
    Server,
    /// `tellicsnoalias`: the chess server, which must not expand aliases in it.
    ServerNoAlias,
}

/// The messages for them, in the order of [`Audience`].
pub(super) const AUDIENCES: [(&str, Audience); 7] = [
    ("telluser", Audience::User),
    ("tellusererror", Audience::UserError),
    ("tellall", Audience::All),
    ("tellothers", Audience::Others),
    ("tellopponent", Audience::Opponent),
    ("tellics", Audience::Server),
    ("tellicsnoalias", Audience::ServerNoAlias),
];

impl fmt::Display for Reply<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Features(features) => {
                out.write_str("feature")?;
                features.iter().try_for_each(|feature| write!(out, " {feature}"))
            }
            Self::Pong(number) => write!(out, "pong {number}"),
            Self::Move(text) => write!(out, "move {text}"),
            Self::Result(outcome) => outcome.fmt(out),
            Self::Resign => out.write_str("resign"),
            Self::OfferDraw => out.write_str("offer draw"),
            Self::IllegalMove { reason, text } => write_refusal(out, "Illegal move", reason, text),
            Self::Error { reason, command } => write_refusal(out, "Error", reason, command),
            Self::Setup(setup) => setup.fmt(out),
            Self::Piece { id, moves } => write!(out, "piece {id} {moves}"),
            Self::Highlight(board) => write!(out, "highlight {board}"),
            Self::Choice(letters) => write!(out, "choice {letters}"),
            Self::Click(square) => write!(out, "click {square}"),
            Self::Thinking(thinking) => thinking.fmt(out),
            Self::Status(status) => status.fmt(out),
            Self::Hint(text) => write!(out, "Hint: {text}"),
            Self::Tell { audience, text } => write_optional(out, AUDIENCES[*audience as usize].0, text),
            Self::AskUser { tag, text } => write!(out, "askuser {tag} {}", OneLine(text)),
            Self::Comment(text) => write_optional(out, "#", text),
            Self::Indented(text) => write!(out, "\t{}", OneLine(text)),
            Self::Unknown(text) => OneLine(text).fmt(out),
        }
    }
}

/// Writes `what (reason): subject`.
fn write_refusal(out: &mut fmt::Formatter<'_>, what: &str, reason: &str, subject: &str) -> fmt::Result {
    out.write_str(what)?;
    if !reason.is_empty() {
        write!(out, " ({})", OneLine(reason))?;
    }
    write!(out, ": {}", OneLine(subject))
}

impl fmt::Display for Setup<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("setup ")?;
        self.table.map_or(Ok(()), |table| write!(out, "({table}) "))?;
        self.geometry.map_or(Ok(()), |geometry| write!(out, "{geometry} "))?;
        OneLine(self.position).fmt(out)
    }
}

impl fmt::Display for Geometry<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}+{}_{}", self.files, self.ranks, self.hand, self.parent)
    }
}

impl fmt::Display for Status<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, nodes, ply, moves_left, moves_total, current } = self;
        write!(out, "stat01: {time} {nodes} {ply} {moves_left} {moves_total}")?;
        current.map_or(Ok(()), |text| write!(out, " {text}"))
    }
}
