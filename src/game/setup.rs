//! What can be wrong with a set-up, and what all games read the same way.

use crate::base::Color;
use crate::notation::Position;
use std::ops::RangeInclusive;

/// A set-up that is no legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct SetupError {
    /// The sort of mistake.
    pub kind: SetupErrorKind,
    /// Which part of the text: `board`, `hand`, `side to move`, …
    pub field: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

/// The sorts of mistakes in set-ups.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SetupErrorKind {
    /// The board has other squares than the game's.
    Squares,
    /// A letter or mark that is no piece of the game.
    UnknownPiece,
    /// Too many or too few: no king, nine pawns, two balls.
    PieceCount,
    /// A piece where it can never stand.
    Misplaced,
    /// A field that must be there is not.
    Missing,
    /// A field that cannot be read.
    Malformed,
    /// What the game does not have: pieces in hand, one field more.
    Unexpected,
    /// Fields that cannot be true together: a right to castle without the rook.
    Contradiction,
    /// The side that has just moved left its king to be taken.
    KingCapturable,
    /// The game would be over already.
    Over,
}

impl SetupErrorKind {
    /// This mistake in `field`.
    pub fn at(self, field: &'static str, reason: impl Into<String>) -> SetupError {
        SetupError { kind: self, field, reason: reason.into() }
    }
}

/// The words behind the board, one after the other, where the game has no pieces in hand; `wrong` words that.
///
/// # Errors
/// When there are any.
pub fn fields_without_hand<'a>(
    position: &'a Position,
    wrong: &str,
) -> Result<impl Iterator<Item = &'a str> + use<'a>, SetupError> {
    if position.hand.as_ref().is_some_and(|hand| !hand.is_empty()) {
        return Err(SetupErrorKind::Unexpected.at("hand", wrong));
    }
    Ok(position.fields.iter().map(String::as_str))
}

/// Refuses a field behind the last one.
///
/// # Errors
/// When there is one.
pub fn nothing_more(field: Option<&str>) -> Result<(), SetupError> {
    field.map_or(Ok(()), |extra| {
        Err(SetupErrorKind::Unexpected.at("end", format!("`{extra}` is one field too many")))
    })
}

/// The usual words for [`side_to_move`].
pub fn neither_side(text: Option<&str>) -> String {
    text.map_or("missing".to_owned(), |other| format!("must be `w` or `b`, not `{other}`"))
}

/// The usual words for [`counter`].
pub fn not_in_range(text: &str, least: u16, most: u16) -> String {
    format!("must be a number from {least} to {most}, not `{text}`")
}

/// Whose turn a field says it is; `wrong` words what it should be.
///
/// # Errors
/// When it is neither `w` nor `b`.
pub fn side_to_move(text: Option<&str>, wrong: impl Fn(Option<&str>) -> String) -> Result<Color, SetupError> {
    match text {
        Some("w") => Ok(Color::White),
        Some("b") => Ok(Color::Black),
        Some(_) => Err(SetupErrorKind::Malformed.at("side to move", wrong(text))),
        None => Err(SetupErrorKind::Missing.at("side to move", wrong(text))),
    }
}

/// A counter; a missing one is the least it can be. `wrong` words the mistake, with what was found and the range.
///
/// # Errors
/// When it is no number of that range in plain digits.
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
