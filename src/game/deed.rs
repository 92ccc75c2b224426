//! What a decision does, as the game says it: for marks, arrows, lists, pictures and words.

use super::shown::{change, letter_at, name_of};
use super::{DeedKind, Facts, Piece};
use crate::notation::{Cell, Coordinate, Leg, Position, Suffix};

/// What one decision does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    /// What happens: a move, a drop, a throw.
    pub kind: DeedKind,
    /// Where a piece or ball begins, turns and ends; a single square for what happens there; empty where
    /// nothing happens on the board, or pieces only leave it.
    pub path: Vec<Coordinate>,
    /// The squares of the pieces that leave the board, other than one that is captured at the end of the
    /// path.
    pub gone: Vec<Coordinate>,
    /// The upper-case letter of the piece at the end of the path, if it was another at the beginning, or
    /// none.
    pub becomes: Option<u8>,
    /// The decision as one of several to choose from: `Lion c2-d3, leaving the ball`, `Ball to d5`. For an
    /// outcome of chance, what it leads to: `wicket taken (needed 4)`.
    pub label: String,
    /// What has happened, in words for a list of moves or a screen reader: `Horse c9 to e8, takes the ball`,
    /// `shoots to d5`, `Dice: 4, wicket taken (needed 4)`. `None` where there is nothing to say.
    pub report: Option<String>,
}

impl Deed {
    /// A decision that changes nothing on the board.
    pub fn new(kind: DeedKind, label: impl Into<String>) -> Self {
        let (path, gone) = (Vec::new(), Vec::new());
        Self { kind, path, gone, becomes: None, label: label.into(), report: None }
    }

    /// The same, with what is said of it afterwards.
    pub fn reported(self, report: impl Into<String>) -> Self {
        Self { report: Some(report.into()), ..self }
    }

    /// The same, on these squares.
    pub fn along(self, path: impl Into<Vec<Coordinate>>) -> Self {
        Self { path: path.into(), ..self }
    }

    /// The same with squares before the last one where the piece turns.
    pub fn bending(mut self, bends: impl IntoIterator<Item = Coordinate>) -> Self {
        let end = self.path.len().saturating_sub(1);
        self.path.splice(end..end, bends);
        self
    }

    /// The deed of a plain move, of a move by way of a captured piece, of a drop or of stopping, given its
    /// legs and the boards as they are shown before and after it.
    pub fn of_legs(facts: &Facts, legs: &[Leg], shown: [&Position; 2]) -> Self {
        match *legs {
            [Leg::Move { from, to, suffix }] => moved(facts, (from, None, to), suffix, shown),
            [Leg::Move { from, to: via, .. }, Leg::Move { to, suffix, .. }] => {
                moved(facts, (from, Some(via), to), suffix, shown)
            }
            [Leg::Put { letter, at }, ..] => {
                let label = format!("{} on {at}", named(facts, Some(letter)));
                let deed = Self::new(DeedKind::Drop, &*label).along([at]).reported(label);
                Self { becomes: Some(letter), ..deed }
            }
            [Leg::Roll(face), ..] => Self::new(DeedKind::Roll, face.to_string()),
            [Leg::Play(card), ..] => {
                Self::new(DeedKind::Play, format!("Play {card}")).reported(format!("plays {card}"))
            }
            [Leg::Draw(_), ..] => Self::new(DeedKind::Draw, "Draw a card"),
            _ => Self::new(DeedKind::Stop, "Stop"),
        }
    }

    /// All squares where something happens.
    pub fn squares(&self) -> impl Iterator<Item = Coordinate> + '_ {
        self.path.iter().chain(&self.gone).copied()
    }

    /// The path of a piece or ball that goes from square to square.
    pub fn way(&self) -> Option<&[Coordinate]> {
        Some(&*self.path).filter(|path| path.len() > 1)
    }
}

fn moved(
    facts: &Facts,
    (from, via, to): (Coordinate, Option<Coordinate>, Coordinate),
    suffix: Option<Suffix>,
    shown: [&Position; 2],
) -> Deed {
    let [before, after] = shown;
    let neutral = facts.xboard.steps.as_ref().and_then(|steps| steps.neutral);
    let takes = letter_at(facts, before, to).filter(|&letter| Some(letter) != neutral).is_some();
    let more = match suffix {
        Some(Suffix::Leave) => ", leaving the ball".to_owned(),
        Some(Suffix::Letter(letter)) => format!(", becomes {}", named(facts, Some(letter))),
        None => String::new(),
    };
    let letter = letter_at(facts, before, from);
    let piece = named(facts, letter);
    let over = via.map_or_else(String::new, |via| format!("x{via}"));
    let label = format!("{piece} {from}{over}{}{to}{more}", if takes { 'x' } else { '-' });
    // Castling moves a second piece; only where there are fewer pieces than before has one left the board.
    let [stood, stand] = shown.map(|board| squares(facts, board).count());
    let (gone, captured) = (stood.saturating_sub(stand), usize::from(takes));
    let left =
        squares(facts, before).filter(|&at| at != from && at != to && letter_at(facts, after, at).is_none());
    let becomes = change(facts, (before, from), (after, to));
    let has_ball =
        |letter: Option<u8>| letter.and_then(|letter| facts.piece(letter)).is_some_and(Piece::has_ball);
    let mut words = match (letter_at(facts, before, to).filter(|_| takes), via) {
        (Some(victim), _) => format!("{piece} {from} takes the {} on {to}", named(facts, Some(victim))),
        (None, Some(via)) => {
            let victim = named(facts, letter_at(facts, before, via));
            format!("{piece} {from} takes the {victim} on {via} and goes to {to}")
        }
        (None, None) => format!("{piece} {from} to {to}"),
    };
    words.push_str(if has_ball(becomes) && !has_ball(letter) { ", takes the ball" } else { &more });
    Deed {
        kind: if takes { DeedKind::Capture } else { DeedKind::Move },
        path: vec![from, to],
        gone: if gone > captured { left.collect() } else { Vec::new() },
        becomes,
        report: Some(words),
        label,
    }
}

/// The name of the piece with this letter.
fn named(facts: &Facts, letter: Option<u8>) -> String {
    letter.and_then(|letter| name_of(facts, letter)).unwrap_or_else(|| "piece".to_owned())
}

/// The squares on which something stands.
fn squares<'a>(facts: &'a Facts, board: &'a Position) -> impl Iterator<Item = Coordinate> + 'a {
    let pieces = board.placement.places().filter(|(.., cell)| matches!(cell, Cell::Piece { .. }));
    pieces.map(|(file, row, _)| Coordinate::new(file, row + facts.first_rank))
}
