//! What can be wrong with a position that is set up, and what all games read the same way.

use crate::base::Color;
use crate::notation::Position;
use std::ops::RangeInclusive;

/// Why a position that is set up is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct SetupError {
    /// The kind of mistake.
    pub kind: SetupErrorKind,
    /// The part of the text: `board`, `hand`, `side to move`, …
    pub field: &'static str,
    /// What is wrong with that part, as text.
    pub reason: String,
}

/// The kinds of mistakes in positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SetupErrorKind {
    /// The squares of the board are not those of the game.
    Squares,
    /// A letter or mark does not stand for a piece of the game.
    UnknownPiece,
    /// There are too many or too few pieces of a kind: no king, nine pawns, two balls.
    PieceCount,
    /// A piece stands where it can never stand.
    Misplaced,
    /// A required field is missing.
    Missing,
    /// A field cannot be read.
    Malformed,
    /// Something that the game does not have: pieces in hand, one field more.
    Unexpected,
    /// Fields contradict each other: a right to castle without the rook.
    Contradiction,
    /// The side that has just moved left its king in check.
    KingCapturable,
    /// The game would be over already.
    Over,
}

impl SetupErrorKind {
    /// The error for this mistake in `field`.
    pub fn at(self, field: &'static str, reason: impl Into<String>) -> SetupError {
        SetupError { kind: self, field, reason: reason.into() }
    }
}

/// The fields after the board, for a game without pieces in hand; `wrong` is the reason given if there are
/// any.
///
/// # Errors
/// When there are pieces in hand.
pub fn fields_without_hand<'a>(
    position: &'a Position,
    wrong: &str,
) -> Result<impl Iterator<Item = &'a str> + use<'a>, SetupError> {
    if position.hand.as_ref().is_some_and(|hand| !hand.is_empty()) {
        return Err(SetupErrorKind::Unexpected.at("hand", wrong));
    }
    Ok(position.fields.iter().map(String::as_str))
}

/// Refuses a field after the last one.
///
/// # Errors
/// When there is such a field.
pub fn nothing_more(field: Option<&str>) -> Result<(), SetupError> {
    field.map_or(Ok(()), |extra| {
        Err(SetupErrorKind::Unexpected.at("end", format!("`{extra}` is one field too many")))
    })
}

/// The usual reason that [`side_to_move`] gives.
pub fn neither_side(text: Option<&str>) -> String {
    text.map_or("missing".to_owned(), |other| format!("must be `w` or `b`, not `{other}`"))
}

/// The usual reason that [`counter`] gives.
pub fn not_in_range(text: &str, least: u16, most: u16) -> String {
    format!("must be a number from {least} to {most}, not `{text}`")
}

/// Reads the side to move; `wrong` makes the reason given for a wrong field.
///
/// # Errors
/// When the field is neither `w` nor `b`.
pub fn side_to_move(text: Option<&str>, wrong: impl Fn(Option<&str>) -> String) -> Result<Color, SetupError> {
    match text {
        Some("w") => Ok(Color::White),
        Some("b") => Ok(Color::Black),
        Some(_) => Err(SetupErrorKind::Malformed.at("side to move", wrong(text))),
        None => Err(SetupErrorKind::Missing.at("side to move", wrong(text))),
    }
}

/// Reads a counter; if it is missing, it is the least number of the range. `wrong` makes the reason of an
/// error from the text found and the bounds of the range.
///
/// # Errors
/// When it is not a number of that range in plain digits.
pub fn counter(
    field: &'static str,
    text: Option<&str>,
    range: RangeInclusive<u16>,
    wrong: impl Fn(&str, u16, u16) -> String,
) -> Result<u16, SetupError> {
    let Some(text) = text else { return Ok(*range.start()) };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits && range.contains(&number) => Ok(number),
        _ => Err(SetupErrorKind::Malformed.at(field, wrong(text, *range.start(), *range.end()))),
    }
}
