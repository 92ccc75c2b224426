//! Commands: the messages that XBoard sends to the engine, how they are read and how they are written.

use super::outcome::{Outcome, some_outcome};
use crate::base::grammar::{Grammar, Mismatch, Parse, Problem};
use crate::protocol::field::{Value, displayed};
use crate::protocol::line::{self, Line};
use crate::protocol::table::messages;
use crate::protocol::words::{
    OneLine, any_text, is_blank, number, remainder, required, some_text, some_word, word,
};
use crate::protocol::{ParseError, Parsed};
use nom::Parser;
use nom::bytes::complete::take_till;
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, not, opt, verify};
use nom::sequence::{preceded, terminated};
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

messages! {
    /// A line from XBoard.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Command<'a> {
        /// Selects this protocol.
        "xboard" => XBoard,
        /// The version of the protocol; the engine should answer with its features.
        "protover" => ProtocolVersion(version: u32 = number),
        /// XBoard supports this feature.
        "accepted" => Accepted(feature: &'a str = some_text("the name of a feature")),
        /// XBoard does not support this feature; a value that it rejects may follow.
        "rejected" => Rejected(feature: &'a str = some_text("the name of a feature")),
        /// A new game of chess, in which the engine plays Black.
        "new" => New,
        /// Selects the game.
        "variant" => Variant(name: &'a str = some_word("the name of a game")),
        /// End the program.
        "quit" => Quit,
        /// Play with some randomness (historical).
        "random" => Random,
        /// Play neither side.
        "force" => Force,
        /// Play the side to move.
        "go" => Go,
        /// Play the side that is not to move.
        "playother" => PlayOther,
        /// Obsolete: White to move, the engine plays Black.
        "white" => White,
        /// Obsolete: Black to move, the engine plays White.
        "black" => Black,
        /// The time control: `MOVES BASE INCREMENT`.
        "level" => Level(level: Level = level),
        /// The time for each move, in seconds with decimals.
        "st" => MoveTime(time: Duration = move_time),
        /// The depth limit in plies.
        "sd" => Depth(plies: u32 = number),
        /// Measure time in nodes, at so many nodes to the second; 0 stands for processor time.
        "nps" => NodeRate(rate: u64 = number),
        /// The engine's clock in centiseconds. Negative when the time is exceeded.
        "time" => Time(time: i64 = number),
        /// The opponent's clock in centiseconds. Negative when the time is exceeded.
        "otim" => OpponentTime(time: i64 = number),
        /// The opponent's move.
        "usermove" => UserMove(text: &'a str = some_word("a move")),
        /// Move now.
        "?" => MoveNow,
        /// To be answered with `pong` and the number when everything before it is done.
        "ping" => Ping(number: i64 = number),
        /// The opponent offers a draw.
        "draw" => Draw,
        /// The game is over.
        "result" => Result(outcome: Outcome<'a> = some_outcome("`1-0`, `0-1`, `1/2-1/2` or `*`")),
        /// Sets up a position.
        "setboard" => SetBoard(position: &'a str = some_text("a position")),
        /// The lines up to `.` describe the board; see [`EditLine`](super::EditLine).
        "edit" => Edit,
        /// Asks for a move that the engine would play for the user.
        "hint" => Hint,
        /// Asks for the moves in the opening book.
        "bk" => Book,
        /// Take back one move.
        "undo" => Undo,
        /// Take back two moves.
        "remove" => Remove,
        /// Ponder (think on the opponent's time).
        "hard" => Hard,
        /// Do not ponder.
        "easy" => Easy,
        /// Send thinking output.
        "post" => Post,
        /// Do not send thinking output.
        "nopost" => NoPost,
        /// Enter analysis.
        "analyze" => Analyze,
        /// Analysis: asks for the progress of the search.
        "." => Status,
        /// Leave analysis.
        "exit" => Exit,
        /// Do not search these moves at the root.
        "exclude" => Exclude(moves: Selection<'a> = selection("a move or `all`")),
        /// Search these moves at the root again.
        "include" => Include(moves: Selection<'a> = selection("a move or `all`")),
        /// Use this score for the position in searches up to this depth.
        "setscore" => SetScore {
            /// The score in centipawns, for the side to move.
            score: i32 = number,
            /// The depth in plies.
            depth: u32 = number,
        },
        /// The opponent's name.
        "name" => Name(name: &'a str = any_text),
        /// The players' ratings; 0 for unrated.
        "rating" => Rating {
            /// The engine's rating.
            own: i32 = number,
            /// The opponent's rating.
            opponent: i32 = number,
        },
        /// The opponent is a program.
        "computer" => Computer,
        /// Stop thinking; all clocks stop.
        "pause" => Pause,
        /// Go on after `pause`.
        "resume" => Resume,
        /// Use at most so many megabytes.
        "memory" => Memory(megabytes: u64 = number),
        /// Use at most so many threads.
        "cores" => Cores(threads: u32 = number),
        /// The location of endgame tables.
        "egtpath" => TablePath {
            /// The format of the tables.
            kind: &'a str = some_word("a table format"),
            /// The path, which may contain blanks.
            path: &'a str = some_text("a path"),
        },
        /// The user picked a piece up from this square.
        "lift" => Lift(square: &'a str = some_word("a square")),
        /// The user put the piece down.
        "put" => Put(square: &'a str = some_word("a square")),
        /// The user's mouse is over a marked square.
        "hover" => Hover(square: &'a str = some_word("a square")),
        /// The game is on this chess server; `-` for a local game.
        "ics" => Ics(host: &'a str = some_word("a host name or `-`")),
        /// Bughouse: the partner's name; empty when the partner left.
        "partner" => Partner(name: &'a str = any_text),
        /// Bughouse: a message from the partner.
        "ptell" => PartnerTells(text: &'a str = any_text),
        /// Bughouse: the pieces in hand, as written.
        "holding" => Holding(pieces: &'a str = any_text),
        else
        /// `option NAME[=VALUE]`: sets an option.
        Option {
            /// The name as it was declared; may contain blanks.
            name: &'a str,
            /// The value, which may be empty; `None` for buttons.
            value: Option<&'a str>,
        },
        /// A move without `usermove`: a single word that looks like a move in coordinates.
        BareMove(&'a str),
        /// Anything else, without the blanks at its ends. This includes the answer to `askuser TAG …`, which
        /// begins with the tag.
        Unknown(&'a str),
    }
}

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

impl<'a> Command<'a> {
    /// Reads one line; `Ok(None)` when it is blank.
    ///
    /// # Errors
    /// When an argument of a known command is missing, malformed or out of range.
    pub fn parse(line: &'a str) -> Result<Option<Parsed<'a, Self>>, ParseError> {
        line::parse(line, command)
    }
}

fn command<'a>(line: &mut Line<'a>, start: &'a str) -> Parse<'a, Command<'a>> {
    let (rest, first) = word(start)?;
    match first {
        "option" => option(rest),
        _ => match Command::message(line, first, rest)? {
            (rest, Some(command)) => Ok((rest, command)),
            _ => {
                let kind = |text| {
                    if looks_like_move(text) { Command::BareMove(text) } else { Command::Unknown(text) }
                };
                remainder.map(kind).parse(start)
            }
        },
    }
}

/// True for a single word in the form of a move in coordinates: it begins with a file and a rank (`e2e4`,
/// `e2e4,e4e5`, `e4xe5-e6`), or with a piece letter and `@`, or it is a null move or castling. Only the game
/// knows whether it is a move.
fn looks_like_move(text: &str) -> bool {
    if matches!(text, "@@@@" | "--" | "pass" | "null" | "O-O" | "O-O-O") {
        return true;
    }
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"@,-=+;:".contains(&byte);
    let mut bytes = text.bytes();
    let (first, second) = (bytes.next(), bytes.next());
    let moves = first.is_some_and(|byte| byte.is_ascii_lowercase())
        && second.is_some_and(|byte| byte.is_ascii_digit());
    let drops = first.is_some_and(|byte| byte.is_ascii_alphabetic()) && second == Some(b'@');
    // `e4` alone is a pawn move in algebraic notation, which we do not request.
    (moves || drops) && text.len() >= 4 && text.bytes().all(allowed)
}

fn selection<'a>(parameter: &'static str, expected: &'static str) -> impl Grammar<'a, Selection<'a>> {
    some_word(parameter, expected).map(
        |text| {
            if text == "all" { Selection::All } else { Selection::One(text) }
        },
    )
}

fn option(input: &str) -> Parse<'_, Command<'_>> {
    let name = take_till(|character| character == '=').map(|name: &str| name.trim_matches(is_blank));
    let name = required("option", "the name of an option", verify(name, |name: &str| !name.is_empty()));
    let value = opt(preceded(char('='), remainder));
    (name, value).map(|(name, value)| Command::Option { name, value }).parse(input)
}

fn move_time<'a>(parameter: &'static str) -> impl Grammar<'a, Duration> {
    time(parameter, "seconds, such as `5` or `0.5`", seconds).map(Duration::from_millis)
}

fn level<'a>(parameter: &'static str) -> impl Grammar<'a, Level> {
    let base = time(parameter, "minutes, or minutes and seconds such as `4:30`", minutes);
    let increment = time(parameter, "seconds, such as `12` or `0.1`", seconds);
    (number(parameter), base, increment).map(|(moves, base, increment)| Level { moves, base, increment })
}

/// Reads a word that is a time in milliseconds. A parser that returns `None` has read a time that is too
/// large.
fn time<'a>(
    parameter: &'static str,
    expected: &'static str,
    parser: impl Fn(&'a str) -> Parse<'a, Option<u64>>,
) -> impl Grammar<'a, u64> {
    move |input: &'a str| {
        let (rest, text) = some_word(parameter, expected).parse(input)?;
        let problem = match all_consuming(&parser).parse(text) {
            Ok((_, Some(time))) => return Ok((rest, time)),
            Ok((_, None)) => Problem::Range,
            Err(_) => Problem::Form,
        };
        Err(nom::Err::Failure(Mismatch { rest: input, parameter, expected, problem }))
    }
}

/// Minutes, or minutes and seconds. The specification reserves what follows for future use, so it is ignored:
/// `25+5` is 25 minutes.
fn minutes(input: &str) -> Parse<'_, Option<u64>> {
    let reserved = (not(nom::character::complete::one_of(":.")), nom::combinator::rest);
    let time = (digit1, opt(preceded(char(':'), seconds)));
    let sum = |(minutes, seconds): (&str, Option<_>)| {
        minutes.parse::<u64>().ok()?.checked_mul(60_000)?.checked_add(seconds.unwrap_or(Some(0))?)
    };
    terminated(time.map(sum), reserved).parse(input)
}

/// Seconds with any number of decimals, rounded down to milliseconds.
fn seconds(input: &str) -> Parse<'_, Option<u64>> {
    let sum = |(whole, decimals): (&str, Option<&str>)| {
        let digits = decimals.unwrap_or_default().bytes().chain(*b"000").take(3);
        let thousandths = digits.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
        whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(thousandths)
    };
    (digit1, opt(preceded(char('.'), digit1))).map(sum).parse(input)
}

impl Command<'_> {
    fn write_other(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Option { name, value: None } => write!(out, "option {}", OneLine(name)),
            Self::Option { name, value: Some(value) } => {
                write!(out, "option {}={}", OneLine(name), OneLine(value))
            }
            Self::BareMove(text) | Self::Unknown(text) => OneLine(text).fmt(out),
            // The others stand in the table.
            _ => Ok(()),
        }
    }
}

displayed!(Level, Selection<'_>);

impl Value for Duration {
    fn write(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, " {}", Seconds(self.as_millis() as u64))
    }
}

impl Display for Level {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (minutes, rest) = (self.base / 60_000, self.base % 60_000);
        write!(out, "{} {minutes}", self.moves)?;
        if rest > 0 {
            let tens = if rest < 10_000 { "0" } else { "" };
            write!(out, ":{tens}{}", Seconds(rest))?;
        }
        write!(out, " {}", Seconds(self.increment))
    }
}

impl Display for Selection<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::All => "all",
            Self::One(text) => text,
        })
    }
}

/// Milliseconds, written as seconds with as few decimals as needed.
struct Seconds(u64);

impl Display for Seconds {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (whole, thousandths) = (self.0 / 1000, self.0 % 1000);
        match thousandths {
            0 => write!(out, "{whole}"),
            _ if thousandths % 100 == 0 => write!(out, "{whole}.{}", thousandths / 100),
            _ if thousandths % 10 == 0 => write!(out, "{whole}.{:02}", thousandths / 10),
            _ => write!(out, "{whole}.{thousandths:03}"),
        }
    }
}
