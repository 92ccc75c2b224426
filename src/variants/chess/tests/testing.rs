//! What the tests of this folder share.

use crate::game::{Notation, Record, Rules, SetupError, read_token};
use crate::notation::{Cell, Placement, Position, Token};
use crate::variants::chess::{Decision, State};

/// The state a text describes, or what is wrong with it.
pub fn try_state(text: &str) -> Result<State, SetupError> {
    State::read(&text.parse().unwrap(), &Rules::default())
}

/// The state a text describes.
pub fn state(text: &str) -> State {
    try_state(text).unwrap()
}

/// A game from a position, with its moves.
pub fn game(start: &str, moves: &str) -> Record<State> {
    let mut record = Record::new(state(start));
    for word in moves.split_whitespace() {
        let token: Token = word.parse().unwrap();
        let reading = read_token(record.now(), &token).unwrap_or_else(|error| panic!("{word}: {error}"));
        record.play(reading.decisions[0]);
    }
    record
}

/// The same position with colours exchanged and the board upside down, made from its text.
pub fn mirror(state: &State) -> State {
    let text = state.write();
    let mut placement = Placement::new(8, 8);
    for row in 0..8 {
        for file in 0..8 {
            let cell = match text.placement.at(file, row) {
                Cell::Piece { letter, plus } => Cell::Piece { letter: letter ^ 0x20, plus },
                other => other,
            };
            placement.set(file, 7 - row, cell);
        }
    }
    let mut fields = text.fields.clone();
    fields[0] = state.turn().other().letter().to_string();
    fields[1] = fields[1].chars().map(|c| char::from(c as u8 ^ if c == '-' { 0 } else { 0x20 })).collect();
    fields[2] = fields[2].replace('3', "9").replace('6', "3").replace('9', "6");
    State::read(&Position { placement, hand: None, fields }, &Rules::default()).unwrap()
}

/// The same move in the mirrored position.
pub fn mirror_decision(decision: Decision) -> Decision {
    let (from, to) = (decision.from() ^ 56, decision.to() ^ 56);
    decision.promoted().map_or(Decision::step(from, to), |kind| Decision::promotion(from, to, kind))
}
