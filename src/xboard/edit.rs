//! `edit`: a position set up piece by piece, for programs that do not use `setboard`; and `white` and
//! `black`, which only change whose turn it is.

use crate::base::Color;
use crate::game::Facts;
use crate::notation::{Cell, Position, parse_coordinate};
use crate::protocol::xboard::EditLine;
use crate::session::Session;

/// A position that is being set up.
pub(super) struct Editor {
    /// The position in XBoard's letters; the side on turn does not change.
    shown: Position,
    /// The colour of the pieces that come next.
    color: Color,
}

/// The position that is shown, with `turn` to decide. All else a position holds is as at the start of a game.
fn shown(session: &dyn Session, turn: Color) -> Position {
    let Position { placement, hand, .. } = session.shown();
    Position { placement, hand: Some(hand.unwrap_or_default()), fields: vec![turn.letter().to_string()] }
}

/// A position in XBoard's letters, written in ours.
fn in_our_letters(session: &dyn Session, shown: &Position) -> String {
    session.read_shown(shown).as_ref().unwrap_or(shown).to_string()
}

impl Editor {
    /// An editor of the present position. White's pieces come first.
    pub fn new(session: &dyn Session) -> Self {
        let turn = session.actor().player().unwrap_or(Color::White);
        Self { shown: shown(session, turn), color: Color::White }
    }

    /// Handles a line. Returns the position when it is complete; the error says why the line cannot be
    /// carried out.
    pub fn line(&mut self, line: &str, session: &dyn Session) -> Result<Option<String>, String> {
        match EditLine::parse(line).map_err(|problem| problem.to_string())?.map(|parsed| parsed.message) {
            Some(EditLine::Done) => Ok(Some(in_our_letters(session, &self.shown))),
            Some(message) => Ok(self.handle(message, session.facts()).map(|()| None)?),
            None => Ok(None),
        }
    }

    fn handle(&mut self, line: EditLine<'_>, facts: &Facts) -> Result<(), &'static str> {
        match line {
            EditLine::Clear => {
                for cell in self.shown.placement.cells.iter_mut().filter(|cell| **cell != Cell::Hole) {
                    *cell = Cell::Empty;
                }
                self.shown.hand = Some(Vec::new());
            }
            EditLine::OtherColor => self.color = !self.color,
            EditLine::Put { piece, square } => match square.strip_prefix('@') {
                Some(number) => self.give(piece, number, facts)?,
                None => self.put(piece, square, facts)?,
            },
            EditLine::Done => {}
        }
        Ok(())
    }

    fn put(&mut self, piece: char, square: &str, facts: &Facts) -> Result<(), &'static str> {
        let board = &mut self.shown.placement;
        // XBoard marks promoted pieces by a plus, which no game here needs.
        let at = parse_coordinate(square.trim_end_matches('+')).map_err(|_| "no such square")?;
        let row = at.rank.checked_sub(facts.first_rank);
        let row = row.filter(|&row| row < board.ranks && at.file < board.files).ok_or("no such square")?;
        let cell = match (piece, board.at(at.file, row)) {
            ('*', Cell::Hole) => return Ok(()),
            ('*', _) => return Err("there is a square"),
            (_, Cell::Hole) => return Err("no such square"),
            ('x', _) => Cell::Empty,
            _ => Cell::Piece { letter: self.color.cased(piece as u8), plus: false },
        };
        board.set(at.file, row, cell);
        Ok(())
    }

    fn give(&mut self, piece: char, number: &str, facts: &Facts) -> Result<(), &'static str> {
        let number: u8 = number.parse().ok().filter(|n| *n < 100).ok_or("no such number of pieces")?;
        let letter = self.color.cased(piece as u8);
        if facts.hand == 0 && number > 0 {
            return Err("no pieces are in hand in this game");
        }
        let hand = self.shown.hand.get_or_insert_default();
        hand.retain(|&(other, _)| other != letter);
        hand.extend((number > 0).then_some((letter, number)));
        Ok(())
    }
}

/// The texts of the present position with `side` to decide; the first that is legal counts. Something that
/// only the other side could do next (en passant) may make the position illegal.
pub(super) fn with_side(session: &dyn Session, side: Color) -> [String; 2] {
    let position = session.position().with_turn(side);
    [position.to_string(), in_our_letters(session, &shown(session, side))]
}
