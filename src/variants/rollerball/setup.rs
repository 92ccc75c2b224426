//! Positions as text.

use super::square::{SQUARES, Square, exists};
use super::state::{Kind, State};
use super::{CLOCKWISE_SIDEWAYS, FACTS};
use crate::base::Color;
use crate::game::SetupErrorKind::{
    KingCapturable, Malformed, Missing, Over, PieceCount, Squares, Unexpected, UnknownPiece,
};
use crate::game::setup::{counter, nothing_more, side_to_move};
use crate::game::{Rules, SetupError, SetupErrorKind};
use crate::notation::{Cell, Coordinate, Placement, Position};

/// The most men a side may have; more could have more moves than a list holds.
const MOST_MEN: u32 = 16;

pub(super) fn read(position: &Position, rules: &Rules) -> Result<State, SetupError> {
    let mut state = read_board(&position.placement, rules.is_on(CLOCKWISE_SIDEWAYS))?;
    if position.hand.as_ref().is_some_and(|hand| !hand.is_empty()) {
        return Err(Unexpected.at("hand", "this game has no pieces in hand"));
    }
    let mut fields = position.fields.iter().map(String::as_str);
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

pub(super) fn write(state: &State) -> Position {
    let mut placement = Placement::new(FACTS.files, FACTS.ranks);
    for row in 0..FACTS.ranks {
        for file in 0..FACTS.files {
            if !exists((file as i8 + 1, row as i8 + 1)) {
                placement.set(file, row, Cell::Hole);
            }
        }
    }
    for square in (0..SQUARES as u8).map(Square::new) {
        if let Some((color, kind)) = state.man_on(square) {
            let at = square.name();
            let letter = color.dress(kind.letter());
            placement.set(at.file, at.rank - 1, Cell::Piece { letter, plus: false });
        }
    }
    let marks = match Color::ALL.map(|color| state.marked(color)) {
        [false, false] => "-",
        [true, false] => "K",
        [false, true] => "k",
        [true, true] => "Kk",
    };
    let fields =
        [state.turn.letter().to_string(), marks.into(), state.quiet.to_string(), state.number.to_string()];
    Position { placement, hand: None, fields: fields.into() }
}

/// Men where there are squares, holes exactly where there are none, one king a side.
fn read_board(placement: &Placement, clockwise_sideways: bool) -> Result<State, SetupError> {
    let fail = |kind: SetupErrorKind, reason: String| Err(kind.at("board", reason));
    if (placement.files, placement.ranks) != (FACTS.files, FACTS.ranks) {
        return fail(Squares, format!("the board is 7x7, not {}x{}", placement.files, placement.ranks));
    }
    let mut men = Vec::new();
    for row in 0..FACTS.ranks {
        for file in 0..FACTS.files {
            let name = Coordinate::new(file, row + 1);
            match (placement.at(file, row), Square::named(name)) {
                (Cell::Hole, None) | (Cell::Empty, Some(_)) => {}
                (Cell::Hole, Some(_)) => {
                    return fail(Squares, format!("{name} is a square: only c3-e5 is missing"));
                }
                (_, None) => return fail(Squares, format!("there is no square {name}: `*` belongs there")),
                (Cell::Piece { letter, plus }, Some(square)) => {
                    let kind = Kind::ALL.into_iter().find(|k| k.letter() == letter.to_ascii_uppercase());
                    let (Some(kind), false) = (kind, plus) else {
                        let plus = if plus { "+" } else { "" };
                        return fail(
                            UnknownPiece,
                            format!("{name}: no piece is called `{plus}{}`", char::from(letter)),
                        );
                    };
                    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                    men.push((color, kind, square));
                }
            }
        }
    }
    let mut kings = [Square::new(0); 2];
    for color in Color::ALL {
        let own: Vec<_> =
            men.iter().filter(|man| man.0 == color && man.1 == Kind::King).map(|man| man.2).collect();
        match own[..] {
            [king] => kings[color.index()] = king,
            [] => return fail(PieceCount, format!("{color} has no king")),
            _ => return fail(PieceCount, format!("{color} has {} kings", own.len())),
        }
    }
    let mut state = State::with_kings(kings, clockwise_sideways);
    for (color, kind, square) in men {
        state.put(color, kind, square);
    }
    for color in Color::ALL {
        let own = state.men[color.index()].count_ones();
        if own > MOST_MEN {
            return fail(PieceCount, format!("{color} has {own} men; {MOST_MEN} is the most"));
        }
    }
    Ok(state)
}

/// OQ9.
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
