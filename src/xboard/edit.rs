//! `edit`: a position set up piece by piece, for programs that do not use `setboard`; and `white` and
//! `black`, which only change whose turn it is.

use super::{Mode, Xboard};
use crate::base::Color;
use crate::game::Facts;
use crate::notation::{Cell, Position, parse_coordinate};
use crate::protocol::xboard::{Command, EditLine};
use crate::session::Session;
use std::ops::ControlFlow;

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
pub(super) fn in_our_letters(session: &dyn Session, shown: &Position) -> String {
    session.read_shown(shown).as_ref().unwrap_or(shown).to_string()
}

impl Editor {
    /// Carries out a line; the error says why it cannot be done.
    fn obey(&mut self, line: EditLine<'_>, facts: &Facts) -> Result<(), &'static str> {
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
            _ => Cell::Piece { letter: self.color.dress(piece as u8), plus: false },
        };
        board.set(at.file, row, cell);
        Ok(())
    }

    fn give(&mut self, piece: char, number: &str, facts: &Facts) -> Result<(), &'static str> {
        let number: u8 = number.parse().ok().filter(|n| *n < 100).ok_or("no such number of pieces")?;
        let letter = self.color.dress(piece as u8);
        if facts.hand == 0 && number > 0 {
            return Err("no pieces are in hand in this game");
        }
        let hand = self.shown.hand.get_or_insert_default();
        hand.retain(|&(other, _)| other != letter);
        hand.extend((number > 0).then_some((letter, number)));
        Ok(())
    }
}

impl Xboard {
    pub(super) fn begin_editing(&mut self) {
        self.interrupt();
        let session = self.engine.session();
        let turn = session.actor().player().unwrap_or(Color::White);
        self.editor = Some(Editor { shown: shown(session, turn), color: Color::White });
    }

    /// Handles a line while a position is being set up.
    pub(super) fn edit_line(&mut self, mut editor: Editor, line: &str) -> ControlFlow<()> {
        let problem = match EditLine::parse(line).map(|parsed| parsed.map(|parsed| parsed.message)) {
            Ok(Some(EditLine::Done)) => {
                self.set_up(&[in_our_letters(self.engine.session(), &editor.shown)]);
                return ControlFlow::Continue(());
            }
            Ok(Some(message)) => editor.obey(message, self.engine.session().facts()).err().map(str::to_owned),
            Ok(None) => None,
            Err(problem) => Some(problem.to_string()),
        };
        self.editor = Some(editor);
        let Some(problem) = problem else { return ControlFlow::Continue(()) };
        // Any other command ends the editing without a full stop: the board stays as it was.
        match Command::parse(line).map(|parsed| parsed.map(|parsed| parsed.message)) {
            Err(_) | Ok(None | Some(Command::Unknown(_) | Command::BareMove(_))) => {
                self.error(problem, line);
                ControlFlow::Continue(())
            }
            Ok(Some(ping @ Command::Ping(_))) => self.obey(ping),
            Ok(Some(command)) => {
                self.editor = None;
                self.analyze_again();
                self.obey(command)
            }
        }
    }

    /// Handles `white` and `black`: `side` is to move, and we play the other one.
    pub(super) fn give_turn(&mut self, side: Color) {
        self.interrupt();
        self.mode = Mode::Plays(!side);
        let session = self.engine.session();
        if session.actor().player() == Some(side) {
            return;
        }
        let mut position = session.position();
        if let Some(turn) = position.fields.first_mut() {
            *turn = side.letter().to_string();
        }
        // Something that only the other side could do next (en passant) may make the position illegal.
        self.set_up(&[position.to_string(), in_our_letters(session, &shown(session, side))]);
    }

    /// Goes on from the first of `positions` that is legal; reports an error if none is.
    pub(super) fn set_up(&mut self, positions: &[String]) {
        let session = self.engine.session_mut();
        let mut result = Ok(());
        for text in positions {
            result = session.set_up(Some(text), &mut std::iter::empty());
            if result.is_ok() {
                break;
            }
        }
        match result {
            Ok(()) => self.begin(),
            Err(problem) => self.tell_error(&format!("Illegal position: {problem}")),
        }
        self.analyze_again();
    }
}
