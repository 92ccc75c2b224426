//! `edit`: a position told man by man, for programs that do not use `setboard`; and `white` and `black`, which only
//! change whose turn it is.

use super::{Mode, Xboard, error};
use crate::base::Color;
use crate::engine::controller::Replies;
use crate::game::Facts;
use crate::notation::{Cell, Placement, Position, parse_coordinate};
use crate::protocol::xboard::{Audience, Command, EditLine, Reply};
use crate::session::{Session, SessionError};
use std::ops::ControlFlow;
use std::time::Instant;

/// A position in the making.
pub(super) struct Editor {
    facts: &'static Facts,
    board: Placement,
    hand: Vec<(u8, u8)>,
    /// Whose turn it is; editing does not change that.
    turn: Color,
    /// Whose men come next.
    color: Color,
}

impl Editor {
    pub fn new(session: &dyn Session) -> Self {
        let position = session.shown();
        Self {
            facts: session.facts(),
            board: position.placement,
            hand: position.hand.unwrap_or_default(),
            turn: session.actor().player().unwrap_or(Color::White),
            color: Color::White,
        }
    }

    /// Does what the line says; an error says why it cannot.
    fn obey(&mut self, line: EditLine<'_>) -> Result<(), String> {
        match line {
            EditLine::Clear => {
                for cell in self.board.cells.iter_mut().filter(|cell| **cell != Cell::Hole) {
                    *cell = Cell::Empty;
                }
                self.hand.clear();
            }
            EditLine::OtherColor => self.color = !self.color,
            EditLine::Put { piece, square } => match square.strip_prefix('@') {
                Some(number) => self.give(piece, number)?,
                None => self.put(piece, square)?,
            },
            EditLine::Done => {}
        }
        Ok(())
    }

    fn letter(&self, piece: char) -> u8 {
        self.color.dress(piece as u8)
    }

    fn put(&mut self, piece: char, square: &str) -> Result<(), String> {
        // XBoard marks promoted men by a plus, which nobody here needs.
        let at = parse_coordinate(square.trim_end_matches('+')).map_err(|_| "no such square".to_owned())?;
        let row = at.rank.checked_sub(self.facts.first_rank);
        let row = row.filter(|&row| row < self.board.ranks && at.file < self.board.files);
        let row = row.ok_or("no such square")?;
        let cell = match (piece, self.board.at(at.file, row)) {
            ('*', Cell::Hole) => return Ok(()),
            ('*', _) => return Err("there is a square".into()),
            (_, Cell::Hole) => return Err("no such square".into()),
            ('x', _) => Cell::Empty,
            _ => Cell::Piece { letter: self.letter(piece), plus: false },
        };
        self.board.set(at.file, row, cell);
        Ok(())
    }

    fn give(&mut self, piece: char, number: &str) -> Result<(), String> {
        let number: u8 = number.parse().ok().filter(|n| *n < 100).ok_or("no such number of pieces")?;
        if self.facts.hand == 0 {
            return if number == 0 { Ok(()) } else { Err("no pieces are in hand in this game".into()) };
        }
        let letter = self.letter(piece);
        self.hand.retain(|&(other, _)| other != letter);
        if number > 0 {
            self.hand.push((letter, number));
        }
        Ok(())
    }

    /// The position: whose turn it is stays, what editing does not say is as at the start of a game.
    fn position(self) -> Position {
        let fields = vec![self.turn.letter().to_string()];
        Position { placement: self.board, hand: Some(self.hand), fields }
    }
}

impl Xboard {
    pub(super) fn begin_editing(&mut self, out: &mut Replies) {
        self.abandon(out);
        self.editor = Some(Editor::new(self.engine.session()));
    }

    /// A line while a position is being told.
    pub(super) fn edit_line(&mut self, line: &str, when: Instant, out: &mut Replies) -> ControlFlow<()> {
        let Some(mut editor) = self.editor.take() else { return ControlFlow::Continue(()) };
        let problem = match EditLine::parse(line).map(|parsed| parsed.map(|parsed| parsed.message)) {
            Ok(Some(EditLine::Done)) => {
                self.take_over(&editor.position(), when, out);
                return ControlFlow::Continue(());
            }
            Ok(Some(message)) => editor.obey(message).err(),
            Ok(None) => None,
            Err(problem) => Some(problem.to_string()),
        };
        self.editor = Some(editor);
        let Some(problem) = problem else { return ControlFlow::Continue(()) };
        // Whoever says something else has left without saying so: the board stays as it was.
        match Command::parse(line) {
            Ok(Some(parsed)) if !matches!(parsed.message, Command::Unknown(_) | Command::BareMove(_)) => {
                if !matches!(parsed.message, Command::Ping(_)) {
                    self.editor = None;
                    self.analyze_again(when, out);
                }
                return self.obey(parsed.message, when, out);
            }
            _ => error(out, &problem, line),
        }
        ControlFlow::Continue(())
    }

    /// `white` and `black`: `side` is to move, we play the other.
    pub(super) fn give_turn(&mut self, side: Color, when: Instant, out: &mut Replies) {
        self.abandon(out);
        self.mode = Mode::Plays(!side);
        if self.engine.session().actor().player() == Some(side) {
            return;
        }
        let editor = Editor { turn: side, ..Editor::new(self.engine.session()) };
        let mut position = self.engine.session().position();
        if let Some(turn) = position.fields.first_mut() {
            *turn = side.letter().to_string();
        }
        // What only the other side could do at once (en passant) may stand in the way.
        if self.engine.session_mut().set_up(Some(&position.to_string()), &mut std::iter::empty()).is_ok() {
            return self.begin();
        }
        self.take_over(&editor.position(), when, out);
    }

    /// Goes on from a position in XBoard's letters; says so if it is none.
    fn take_over(&mut self, shown: &Position, when: Instant, out: &mut Replies) {
        let text = self.engine.session().read_shown(shown).as_ref().unwrap_or(shown).to_string();
        let result = self.engine.session_mut().set_up(Some(&text), &mut std::iter::empty());
        self.set_up(result, when, out);
    }

    /// Goes on from the position that was set up; says so if it is none.
    pub(super) fn set_up(&mut self, result: Result<(), SessionError>, when: Instant, out: &mut Replies) {
        match result {
            Ok(()) => self.begin(),
            Err(problem) => out.say(Reply::Tell {
                audience: Audience::UserError,
                text: &format!("Illegal position: {problem}"),
            }),
        }
        self.analyze_again(when, out);
    }
}
