//! What a turn did, for a picture: the paths of pieces and balls, and the pieces removed.

use crate::base::Color;
use crate::game::gui::GuiBoard;
use crate::game::{Facts, Man, Record, Repetition, Thing};
use crate::notation::{Cell, Coordinate, Leg, Position};

/// One event of a turn; they stand in the order in which they happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deed {
    /// A piece moved along these squares, of which there are at least two.
    Went(Vec<Coordinate>),
    /// A ball flew along these squares.
    Flew(Vec<Coordinate>),
    /// The piece on this square was removed.
    Gone(Coordinate),
    /// Something was put on this square.
    Put(Coordinate),
}

impl Deed {
    /// The squares involved.
    pub fn squares(&self) -> &[Coordinate] {
        match self {
            Self::Went(way) | Self::Flew(way) => way,
            Self::Gone(at) | Self::Put(at) => std::slice::from_ref(at),
        }
    }
}

/// The number of decisions before the last turn, or before the one under way.
fn last_turn<G: GuiBoard + Repetition>(record: &Record<G>) -> usize {
    let begins = |made: &usize| record.state_after(*made).is_some_and(G::between_turns);
    (0..record.len()).rev().find(begins).unwrap_or(0)
}

/// What happened in the last turn, or so far in the one under way.
pub fn deeds_of_last_turn<G: GuiBoard + Repetition>(record: &Record<G>) -> Vec<Deed> {
    let begin = last_turn(record);
    let mut deeds = Vec::new();
    for (made, decision) in record.decisions().enumerate().skip(begin) {
        if let (Some(before), Some(after)) = (record.state_after(made), record.state_after(made + 1)) {
            let shown = [&before.shown(), &after.shown()];
            deeds.extend(deeds_of(before.facts(), &before.legs(decision), &before.bends(decision), shown));
        }
    }
    deeds
}

/// The last turn as a single token.
pub fn text_of_last_turn<G: GuiBoard + Repetition>(record: &Record<G>) -> String {
    let begin = last_turn(record);
    let made = record.decisions().enumerate().skip(begin);
    let legs = made.filter_map(|(made, decision)| Some(record.state_after(made)?.legs(decision)));
    legs.flatten().map(|leg| leg.to_string()).collect::<Vec<_>>().join(",")
}

/// What one decision did, given its legs, the squares where its piece changed direction, and the boards shown
/// before and after it.
pub fn deeds_of(facts: &Facts, legs: &[Leg], bends: &[Coordinate], shown: [&Position; 2]) -> Vec<Deed> {
    let mut deeds = Vec::new();
    match *legs {
        [Leg::Move { from, to, .. }] => deeds.push(Deed::Went([&[from], bends, &[to]].concat())),
        // The piece stops beside the piece that it captures.
        [Leg::Move { from, to: victim, .. }, Leg::Move { to, .. }] => {
            deeds.extend([Deed::Went(vec![from, to]), Deed::Gone(victim)]);
        }
        _ => {
            let flown: Vec<_> = legs.iter().filter_map(|leg| put(leg, is_ball(facts))).collect();
            if !flown.is_empty() {
                let from = ball_that_left(facts, shown[0], shown[1]);
                match from.filter(|from| !flown.contains(from) || flown.len() > 1) {
                    Some(from) => deeds.push(Deed::Flew([&[from], flown.as_slice()].concat())),
                    None => deeds.extend(flown.into_iter().map(Deed::Put)),
                }
            }
            deeds.extend(legs.iter().filter_map(|leg| put(leg, |letter| letter == b'X')).map(Deed::Gone));
            let others = |letter| letter != b'X' && !is_ball(facts)(letter);
            deeds.extend(legs.iter().filter_map(|leg| put(leg, others)).map(Deed::Put));
        }
    }
    deeds
}

fn put(leg: &Leg, wanted: impl Fn(u8) -> bool) -> Option<Coordinate> {
    match *leg {
        Leg::Put { letter, at } if wanted(letter) => Some(at),
        _ => None,
    }
}

fn is_ball(facts: &Facts) -> impl Fn(u8) -> bool {
    let loose = facts.men.iter().filter(|man| man.is_ball()).map(|man| man.letter);
    let letter = loose.clone().next();
    move |put| Some(put) == letter
}

/// The square that a ball has left.
fn ball_that_left(facts: &Facts, before: &Position, after: &Position) -> Option<Coordinate> {
    let was = balls(facts, before);
    let is = balls(facts, after);
    // A ball that returns to its square has not left it; then it is the only one.
    was.iter().find(|ball| !is.contains(ball)).or(was.first()).map(|&(_, at)| at)
}

/// The balls on the board, each with its owner and its square.
fn balls(facts: &Facts, shown: &Position) -> Vec<(Option<Color>, Coordinate)> {
    squares(facts, shown)
        .filter_map(|(at, cell)| {
            let Cell::Piece { letter, .. } = cell else { return None };
            let (man, color) = (man_of(facts, letter)?, color_of(letter));
            match man.beside {
                Some(Thing::Ball) => Some((None, at)),
                Some(Thing::OwnBall) => Some((Some(color), at)),
                _ => man.is_ball().then(|| (man.owner(color), at)),
            }
        })
        .collect()
}

/// The piece shown by a letter.
pub(super) fn man_of(facts: &Facts, letter: u8) -> Option<&Man> {
    facts.men.iter().find(|man| man.letter == letter.to_ascii_uppercase())
}

pub(super) const fn color_of(letter: u8) -> Color {
    if letter.is_ascii_uppercase() { Color::White } else { Color::Black }
}

/// All places of the board with their contents.
pub(super) fn squares<'a>(
    facts: &'a Facts,
    position: &'a Position,
) -> impl Iterator<Item = (Coordinate, Cell)> + 'a {
    let files = usize::from(position.placement.files);
    position.placement.cells.iter().enumerate().map(move |(index, &cell)| {
        let rank = (index / files) as u8 + facts.first_rank;
        (Coordinate::new((index % files) as u8, rank), cell)
    })
}
