//! Moves and positions as text.

use super::decision::Move;
use super::square::Square;
use super::state::{Kind, State};
use super::{CLOCKWISE_SIDEWAYS, FACTS};
use crate::base::Color;
use crate::game::SetupErrorKind::{
    KingCapturable, Malformed, Missing, Over, PieceCount, Squares, UnknownPiece,
};
use crate::game::setup::{counter, fields_without_hand, nothing_more, side_to_move};
use crate::game::{Facts, Notation, Rules, SetupError, SetupErrorKind};
use crate::notation::{Cell, Coordinate, Leg, Legs, Placement, Position, Suffix};

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        let mut state = read_board(&position.placement, rules.is_on(CLOCKWISE_SIDEWAYS))?;
        let mut fields = fields_without_hand(position, "this game has no pieces in hand")?;
        state.turn = side_to_move(fields.next(), |text| should_be("w or b", text))?;
        match fields.next() {
            Some("-") => {}
            Some("K") => state.put_mark(Color::White),
            Some("k") => state.put_mark(Color::Black),
            Some("Kk") => Color::ALL.into_iter().for_each(|color| state.put_mark(color)),
            found => {
                let kind = if found.is_none() { Missing } else { Malformed };
                return Err(kind.at("clockwise marks", should_be("-, K, k or Kk", found)));
            }
        }
        let wrong = |text: &str, least, most| format!("`{text}` is not a number from {least} to {most}");
        state.quiet = counter("quiet moves", fields.next(), 0..=u16::MAX, wrong)?;
        state.number = counter("move number", fields.next(), 1..=u16::MAX, wrong)?;
        nothing_more(fields.next())?;
        state.set_key();
        check_kings(&state)?;
        Ok(state)
    }

    fn write(&self) -> Position {
        let cell = |file, row| match Square::named(Coordinate::new(file, row + 1)) {
            Some(square) => Cell::of(self.piece_on(square).map(|(color, kind)| color.cased(kind.letter()))),
            None => Cell::Hole,
        };
        let placement = Placement::drawn(FACTS.files, FACTS.ranks, cell);
        let marks = match Color::ALL.map(|color| self.marked(color)) {
            [false, false] => "-",
            [true, false] => "K",
            [false, true] => "k",
            [true, true] => "Kk",
        };
        let fields = format!("{} {marks} {} {}", self.turn.letter(), self.quiet, self.number);
        Position::new(placement, &fields)
    }

    /// The ring runs one way round, so Black's view is a half turn (R7), not a mirror image.
    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(true);
        if let Some(marks) = twin.fields.get_mut(1) {
            match marks.as_str() {
                "K" => "k".clone_into(marks),
                "k" => "K".clone_into(marks),
                _ => {}
            }
        }
        twin
    }

    fn legs(&self, decision: Move) -> Legs {
        Legs::from_iter([leg(decision)])
    }

    fn reads(&self, decision: Move, legs: &[Leg]) -> usize {
        usize::from(legs.first() == Some(&leg(decision)))
    }

    fn explain(&self, legs: &[Leg]) -> String {
        legs.first().map_or_else(String::new, |leg| self.why_not(leg))
    }
}

fn leg(decision: Move) -> Leg {
    let suffix =
        decision.promotion().map(|promotion| Suffix::Letter(promotion.letter().to_ascii_lowercase()));
    Leg::Move { from: decision.from().name(), to: decision.to().name(), suffix }
}

/// The most pieces a side may have. More pieces could have more moves than a list holds.
const MOST_PIECES: u32 = 16;

/// Reads the board: holes exactly where there are no squares, and one king a side.
fn read_board(placement: &Placement, clockwise_sideways: bool) -> Result<State, SetupError> {
    let fail = |kind: SetupErrorKind, reason: String| Err(kind.at("board", reason));
    if (placement.files, placement.ranks) != (FACTS.files, FACTS.ranks) {
        return fail(Squares, format!("the board is 7x7, not {}x{}", placement.files, placement.ranks));
    }
    let mut pieces = Vec::new();
    for (file, row, cell) in placement.places() {
        let name = Coordinate::new(file, row + 1);
        match (cell, Square::named(name)) {
            (Cell::Hole, None) | (Cell::Empty, Some(_)) => {}
            (Cell::Hole, Some(_)) => {
                return fail(Squares, format!("{name} is a square: only c3-e5 is missing"));
            }
            (_, None) => return fail(Squares, format!("there is no square {name}: `*` belongs there")),
            (Cell::Piece { letter, plus }, Some(square)) => {
                let kind = Kind::ALL.into_iter().find(|k| k.letter() == letter.to_ascii_uppercase());
                let (Some(kind), false) = (kind, plus) else {
                    let plus = if plus { "+" } else { "" };
                    let letter = char::from(letter);
                    return fail(UnknownPiece, format!("{name}: no piece is called `{plus}{letter}`"));
                };
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                pieces.push((color, kind, square));
            }
        }
    }
    let mut kings = [Square::new(0); 2];
    for color in Color::ALL {
        let own: Vec<_> = pieces
            .iter()
            .filter(|piece| piece.0 == color && piece.1 == Kind::King)
            .map(|piece| piece.2)
            .collect();
        match own[..] {
            [king] => kings[color.index()] = king,
            [] => return fail(PieceCount, format!("{color} has no king")),
            _ => return fail(PieceCount, format!("{color} has {} kings", own.len())),
        }
    }
    let mut state = State::with_kings(kings, clockwise_sideways);
    for (color, kind, square) in pieces {
        state.put(color, kind, square);
    }
    for color in Color::ALL {
        let own = state.pieces[color.index()].count_ones();
        if own > MOST_PIECES {
            return fail(PieceCount, format!("{color} has {own} pieces; {MOST_PIECES} is the most"));
        }
    }
    Ok(state)
}

/// OQ9: refuses positions in which both kings have won, or the side not to move is in check.
fn check_kings(state: &State) -> Result<(), SetupError> {
    if Color::ALL.into_iter().all(|color| state.on_throne(color)) {
        return Err(Over.at("clockwise marks", "both kings cannot have won"));
    }
    let waiting = state.turn.other();
    if state.king_attacked(waiting) {
        let king = state.kings[waiting.index()];
        let reason = format!("{}'s king on {king} is attacked, and it is {}'s move", waiting, state.turn);
        return Err(KingCapturable.at("side to move", reason));
    }
    Ok(())
}

fn should_be(wanted: &str, found: Option<&str>) -> String {
    found.map_or_else(|| format!("missing: {wanted}"), |found| format!("`{found}` should be {wanted}"))
}
