//! Replies: the messages that the engine sends to XBoard, how they are read and how they are written.

use super::feature::{Feature, features};
use super::outcome::{Outcome, outcome};
use super::thinking::{Thinking, thinking};
use crate::base::grammar::{Grammar, Parse};
use crate::protocol::field::Value;
use crate::protocol::line::{self, Line};
use crate::protocol::table::messages;
use crate::protocol::words::{
    OneLine, blanks, is_blank, keyword, number, one_of, remainder, required, some_text, some_word, word,
};
use crate::protocol::{ParseError, Parsed};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while1};
use nom::character::complete::{char, u32 as unsigned};
use nom::combinator::{all_consuming, eof, opt, peek, value};
use nom::sequence::{delimited, preceded, terminated};
use std::fmt::{self, Display, Formatter};

messages! {
    /// A line from the engine.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Reply<'a> {
        /// What the engine supports.
        "feature" => Features(features: Vec<Feature<'a>> => features),
        /// The answer to `ping` and its number.
        "pong" => Pong(number: i64 = number),
        /// The engine's move. A comma at the end means that more legs follow.
        "move" => Move(text: &'a str = some_word("a move")),
        /// The engine resigns.
        "resign" => Resign,
        /// The start position of a game that XBoard does not know.
        "setup" => Setup(setup: Setup<'a> = setup),
        /// How a piece moves.
        "piece" => Piece {
            /// The letter of the piece: a capital for White, lower case for Black, a capital with `&` for
            /// both.
            id: &'a str = some_word("the letter of a piece"),
            /// The moves in Betza's notation.
            moves: &'a str = some_word("moves in Betza's notation"),
        },
        /// Colours of squares, in the form of a board.
        "highlight" => Highlight(board: &'a str = some_word("a board of colours")),
        /// The pieces to which the user may promote.
        "choice" => Choice(letters: &'a str = some_word("piece letters")),
        /// As if the user had clicked on this square.
        "click" => Click(square: &'a str = some_word("a square")),
        /// The answer to `.`.
        "stat01:" => Status(status: Status<'a> = status),
        /// The answer to `hint`.
        "Hint:" => Hint(text: &'a str = some_word("a move")),
        /// The answer comes as a line that begins with the tag.
        "askuser" => AskUser {
            /// The tag, a single word.
            tag: &'a str = some_word("a tag"),
            /// The question.
            text: &'a str = some_text("a question"),
        },
        else
        /// `1-0 {…}`, `0-1 {…}`, `1/2-1/2 {…}`: the game is over by rule.
        Result(Outcome<'a>),
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
        /// `PLY SCORE TIME NODES … PV`: thinking output.
        Thinking(Thinking<'a>),
        /// `telluser TEXT` and similar messages.
        Tell {
            /// The readers of the text.
            audience: Audience,
            /// The text.
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
const AUDIENCES: [(&str, Audience); 7] = [
    ("telluser", Audience::User),
    ("tellusererror", Audience::UserError),
    ("tellall", Audience::All),
    ("tellothers", Audience::Others),
    ("tellopponent", Audience::Opponent),
    ("tellics", Audience::Server),
    ("tellicsnoalias", Audience::ServerNoAlias),
];

impl<'a> Reply<'a> {
    /// Reads one line; `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When an argument of a known reply is missing, malformed or out of range.
    pub fn parse(line: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        let indented = line.starts_with(is_blank);
        line::parse(line, |notes, start| reply(notes, start, indented))
    }
}

fn reply<'a>(line: &mut Line<'a>, start: &'a str, indented: bool) -> Parse<'a, Reply<'a>> {
    if let Ok((rest, thinking)) = thinking(line, start) {
        return Ok((rest, Reply::Thinking(thinking)));
    }
    if indented {
        return remainder.map(Reply::Indented).parse(start);
    }
    let (rest, first) = word(start)?;
    if let (rest, Some(reply)) = Reply::message(line, first, rest)? {
        return Ok((rest, reply));
    }
    let illegal_move = preceded(alt((tag("Illegal move"), tag("illegal move"))), refusal);
    let tell = (one_of(&AUDIENCES), remainder);
    alt((
        preceded(char('#'), remainder).map(Reply::Comment),
        outcome.map(Reply::Result),
        illegal_move.map(|(reason, text)| Reply::IllegalMove { reason, text }),
        preceded(tag("Error"), refusal).map(|(reason, command)| Reply::Error { reason, command }),
        value(Reply::OfferDraw, (keyword("offer"), keyword("draw"))),
        tell.map(|(audience, text)| Reply::Tell { audience, text }),
        remainder.map(Reply::Unknown),
    ))
    .parse(start)
}

/// Reads ` (REASON): SUBJECT` after `Illegal move` or `Error`; old engines omit the reason or the colon. A
/// recoverable error where the word before goes on, or where nothing shows that this is a refusal.
fn refusal(input: &str) -> Parse<'_, (&str, &str)> {
    let reason = delimited((blanks, char('(')), alt((take_until("):"), take_until(")"))), char(')'));
    let reason = reason.map(|reason: &str| reason.trim_matches(is_blank));
    let no_reason = value("", peek(alt((take_while1(is_blank), tag(":"), eof))));
    terminated(alt((reason, no_reason)), opt((blanks, char(':')))).and(remainder).parse(input)
}

fn setup<'a>(parameter: &'static str) -> impl Grammar<'a, Setup<'a>> {
    let table = delimited(char('('), take_until(")"), char(')'));
    let table = preceded((blanks, peek(char('('))), required(parameter, "a closing parenthesis", table));
    (opt(table), opt(word.map_opt(geometry)), some_text(parameter, "a position"))
        .map(|(table, geometry, position)| Setup { table, geometry, position })
}

fn geometry(text: &str) -> Option<Geometry<'_>> {
    let parent = take_while1(|_: char| true);
    let grammar = (unsigned, char('x'), unsigned, char('+'), unsigned, char('_'), parent);
    let parsed: Parse<'_, _> = all_consuming(grammar).parse(text);
    let (_, (files, _, ranks, _, hand, _, parent)) = parsed.ok()?;
    Some(Geometry { files, ranks, hand, parent })
}

fn status<'a>(parameter: &'static str) -> impl Grammar<'a, Status<'a>> {
    let numbers =
        (number(parameter), number(parameter), number(parameter), number(parameter), number(parameter));
    (numbers, opt(word)).map(|((time, nodes, ply, moves_left, moves_total), current)| Status {
        time,
        nodes,
        ply,
        moves_left,
        moves_total,
        current,
    })
}

impl Reply<'_> {
    fn write_other(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Result(outcome) => outcome.fmt(out),
            Self::OfferDraw => out.write_str("offer draw"),
            Self::IllegalMove { reason, text } => write_refusal(out, "Illegal move", reason, text),
            Self::Error { reason, command } => write_refusal(out, "Error", reason, command),
            Self::Thinking(thinking) => thinking.fmt(out),
            Self::Tell { audience, text } => {
                out.write_str(AUDIENCES[*audience as usize].0)?;
                text.write(out)
            }
            Self::Comment(text) => {
                out.write_str("#")?;
                text.write(out)
            }
            Self::Indented(text) => write!(out, "\t{}", OneLine(text)),
            Self::Unknown(text) => OneLine(text).fmt(out),
            // The others stand in the table.
            _ => Ok(()),
        }
    }
}

/// Writes `what (reason): subject`.
fn write_refusal(out: &mut Formatter<'_>, what: &str, reason: &str, subject: &str) -> fmt::Result {
    out.write_str(what)?;
    if !reason.is_empty() {
        write!(out, " ({})", OneLine(reason))?;
    }
    write!(out, ": {}", OneLine(subject))
}

impl Value for Vec<Feature<'_>> {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|feature| write!(out, " {feature}"))
    }
}

impl Value for Setup<'_> {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.table.map_or(Ok(()), |table| write!(out, " ({table})"))?;
        self.geometry.map_or(Ok(()), |geometry| write!(out, " {geometry}"))?;
        self.position.write(out)
    }
}

impl Display for Geometry<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}+{}_{}", self.files, self.ranks, self.hand, self.parent)
    }
}

impl Value for Status<'_> {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self { time, nodes, ply, moves_left, moves_total, current } = self;
        write!(out, " {time} {nodes} {ply} {moves_left} {moves_total}")?;
        current.write(out)
    }
}
