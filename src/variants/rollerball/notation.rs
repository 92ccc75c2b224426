//! Positions and moves as text.

use super::decision::Move;
use super::square::{SQUARES, Square, exists};
use super::state::{Kind, State};
use super::{CLOCKWISE_SIDEWAYS, FACTS};
use crate::base::Color;
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Cell, Coordinate, Leg, Legs, Placement, Position, Suffix};

/// The most men a side may have; more could have more moves than a list holds.
const MOST_MEN: u32 = 16;

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&FACTS];

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        let mut state = read_board(&position.placement, rules.is_on(CLOCKWISE_SIDEWAYS))?;
        if position.hand.as_ref().is_some_and(|hand| !hand.is_empty()) {
            return Err(SetupError::new("hand", "this game has no pieces in hand"));
        }
        let mut fields = position.fields.iter().map(String::as_str);
        state.turn = match fields.next() {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            found => return Err(unexpected("side to move", "w or b", found)),
        };
        match fields.next() {
            Some("-") => {}
            Some("K") => state.put_mark(Color::White),
            Some("k") => state.put_mark(Color::Black),
            Some("Kk") => Color::ALL.into_iter().for_each(|color| state.put_mark(color)),
            found => return Err(unexpected("clockwise marks", "-, K, k or Kk", found)),
        }
        state.quiet = read_number(fields.next(), "quiet moves", 0)?;
        state.number = read_number(fields.next(), "move number", 1)?;
        if let Some(extra) = fields.next() {
            return Err(SetupError::new("end", format!("`{extra}` is one field too many")));
        }
        state.set_key();
        check_kings(&state)?;
        Ok(state)
    }

    fn write(&self) -> Position {
        let mut placement = Placement::new(FACTS.files, FACTS.ranks);
        for row in 0..FACTS.ranks {
            for file in 0..FACTS.files {
                if !exists((file as i8 + 1, row as i8 + 1)) {
                    placement.set(file, row, Cell::Hole);
                }
            }
        }
        for square in (0..SQUARES as u8).map(Square::new) {
            if let Some((color, kind)) = self.man_on(square) {
                let at = square.name();
                let letter = color.dress(kind.letter());
                placement.set(at.file, at.rank - 1, Cell::Piece { letter, plus: false });
            }
        }
        let marks = match Color::ALL.map(|color| self.marked(color)) {
            [false, false] => "-",
            [true, false] => "K",
            [false, true] => "k",
            [true, true] => "Kk",
        };
        let fields =
            [self.turn.letter().to_string(), marks.into(), self.quiet.to_string(), self.number.to_string()];
        Position { placement, hand: None, fields: fields.into() }
    }

    /// The ring runs one way round, so Black's view is half a turn away (R7), not a mirror image.
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

    fn start(rules: &Rules) -> Self {
        let mut state = Self::with_kings([(4, 2), (4, 6)].map(Square::at), rules.is_on(CLOCKWISE_SIDEWAYS));
        // R8; Black's men stand half a turn away.
        for color in Color::ALL {
            for (kind, place) in [
                (Kind::Bishop, (4, 1)),
                (Kind::Rook, (5, 1)),
                (Kind::Rook, (5, 2)),
                (Kind::Pawn, (3, 1)),
                (Kind::Pawn, (3, 2)),
            ] {
                state.put(color, kind, Square::at(place).seen_by(color));
            }
        }
        state.set_key();
        state
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
    let suffix = decision.promotion().map(|promotion| Suffix::Letter(promotion.letter()));
    Leg::Move { from: decision.from().name(), to: decision.to().name(), suffix }
}

/// Men where there are squares, holes exactly where there are none, one king a side.
fn read_board(placement: &Placement, clockwise_sideways: bool) -> Result<State, SetupError> {
    let fail = |reason: String| Err(SetupError::new("board", reason));
    if (placement.files, placement.ranks) != (FACTS.files, FACTS.ranks) {
        return fail(format!("the board is 7x7, not {}x{}", placement.files, placement.ranks));
    }
    let mut men = Vec::new();
    for row in 0..FACTS.ranks {
        for file in 0..FACTS.files {
            let name = Coordinate::new(file, row + 1);
            match (placement.at(file, row), Square::named(name)) {
                (Cell::Hole, None) | (Cell::Empty, Some(_)) => {}
                (Cell::Hole, Some(_)) => return fail(format!("{name} is a square: only c3-e5 is missing")),
                (_, None) => return fail(format!("there is no square {name}: `*` belongs there")),
                (Cell::Piece { letter, plus }, Some(square)) => {
                    let kind = Kind::ALL.into_iter().find(|k| k.letter() == letter.to_ascii_uppercase());
                    let (Some(kind), false) = (kind, plus) else {
                        let plus = if plus { "+" } else { "" };
                        return fail(format!("{name}: no piece is called `{plus}{}`", char::from(letter)));
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
            [] => return fail(format!("{color} has no king")),
            _ => return fail(format!("{color} has {} kings", own.len())),
        }
    }
    let mut state = State::with_kings(kings, clockwise_sideways);
    for (color, kind, square) in men {
        state.put(color, kind, square);
    }
    for color in Color::ALL {
        let own = state.men[color.index()].count_ones();
        if own > MOST_MEN {
            return fail(format!("{color} has {own} men; {MOST_MEN} is the most"));
        }
    }
    Ok(state)
}

/// OQ9.
fn check_kings(state: &State) -> Result<(), SetupError> {
    if Color::ALL.into_iter().all(|color| state.on_throne(color)) {
        return Err(SetupError::new("clockwise marks", "both kings cannot have won"));
    }
    let waiting = state.turn.other();
    if state.king_attacked(waiting) {
        let king = state.kings[waiting.index()];
        let reason = format!("{}'s king on {king} is attacked, and it is {}'s move", waiting, state.turn);
        return Err(SetupError::new("side to move", reason));
    }
    Ok(())
}

fn unexpected(field: &'static str, wanted: &str, found: Option<&str>) -> SetupError {
    let reason = match found {
        Some(found) => format!("`{found}` should be {wanted}"),
        None => format!("missing: {wanted}"),
    };
    SetupError::new(field, reason)
}

/// A counter; missing ones are the least they can be.
fn read_number(text: Option<&str>, field: &'static str, least: u16) -> Result<u16, SetupError> {
    let Some(text) = text else { return Ok(least) };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits && number >= least => Ok(number),
        _ => Err(SetupError::new(field, format!("`{text}` is not a number from {least} to {}", u16::MAX))),
    }
}
