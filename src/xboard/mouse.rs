//! The user's mouse: the squares a piece may go to, the letters it may become there, and what its ply
//! expresses.

use super::Xboard;
use crate::game::gui::{Gesture, Origin, letter_at, name_of};
use crate::game::{DeedKind, Facts, Man};
use crate::notation::{Cell, Coordinate, Leg, Placement, parse_coordinate};
use crate::protocol::xboard::Reply;
use crate::session::xboard_spelling::Ply;
use std::cmp::Reverse;

/// The colours of XBoard's `highlight`.
mod paint {
    pub const CAPTURE: u8 = b'R';
    pub const QUIET: u8 = b'Y';
    /// The user chooses what the piece becomes.
    pub const CHOICE: u8 = b'M';
    /// The engine chooses what the piece becomes.
    pub const FIXED: u8 = b'B';
    /// More legs follow.
    pub const MORE: u8 = b'C';
    /// This is no move of the piece, but a sign to the engine.
    pub const SIGN: u8 = b'W';
    /// An object goes there (the ball), and the piece stays.
    pub const THING: u8 = b'G';
    /// A piece that will be captured there; the square is no destination.
    pub const VICTIM: u8 = b'g';
    /// Where our pieces went in the turn that was just shown, and (`LEFT`) where they came from; these are no
    /// destinations.
    pub const BEEN: u8 = b'g';
    pub const LEFT: u8 = b'd';
}

/// The piece that the mouse holds.
#[derive(Clone, Copy, Default)]
pub(super) struct Lifted {
    /// The square it was lifted from.
    from: Option<Coordinate>,
    /// The square of the first of two legs that was clicked.
    via: Option<Coordinate>,
}

impl Xboard {
    /// All gestures that the mouse can make now. XBoard's board must agree with the game.
    pub(super) fn gestures(&self) -> Vec<Gesture> {
        let session = self.engine.session();
        let mut list = session.gestures(&self.mirror.picked);
        if self.mirror.view.is_none() && session.facts().xboard.steps.is_some() {
            // Tokens are whole turns here: a gesture that is neither a token nor the beginning of one cannot
            // be expressed.
            list.retain_mut(|gesture| {
                let Origin::Square(from) = gesture.from else { return gesture.from == Origin::Hand };
                let Gesture { via: over, to, letter, .. } = *gesture;
                let says = |letter: &Option<u8>| {
                    let token = Ply::Move { from, over, to, letter: *letter }.to_string();
                    session.decisions_of(&token).is_some_and(|said| said.starts_with(&gesture.decisions))
                };
                let told = [None, letter].into_iter().find(says).filter(|_| gesture.signal.is_none());
                gesture.letter = told.flatten();
                told.is_some()
            });
        }
        list
    }

    /// Handles `lift`: marks the squares that the piece may go to.
    pub(super) fn lift(&mut self, square: &str) {
        self.game.turn_marked = false;
        let square = place(square);
        // The next leg begins where the first one ended; the piece itself has not moved.
        if square.is_none() || square != self.game.lifted.via {
            self.game.lifted = Lifted { from: square, via: None };
        }
        let Some(from) = self.game.lifted.from else { return };
        if self.mirror.shows_all() {
            let colors = self.colors(from);
            self.highlight(&colors);
            if let Some(meaning) = self.meaning(from, &colors) {
                return self.guide(&meaning);
            }
        }
        self.ask();
    }

    /// The colour of every square for the piece lifted from `from`, bottom rank first; 0 where it cannot go.
    fn colors(&self, from: Coordinate) -> Vec<u8> {
        let via = self.game.lifted.via;
        let (facts, shown) = (self.engine.session().facts(), self.engine.session().shown());
        let mut list = self.gestures();
        list.retain(|g| self.mirror.begins_on(g, from));
        let color = |at: Coordinate| {
            let here = |g: &&Gesture| g.to == at && g.via == via;
            let chosen = list.iter().filter(here).filter(|g| g.from != Origin::Anywhere).count() > 1;
            let begins = |g: &Gesture| via.is_none() && g.via == Some(at);
            match list.iter().rfind(|g| here(g) || begins(g)) {
                None => 0,
                Some(g) if begins(g) => paint::MORE,
                Some(_) if chosen => paint::CHOICE,
                Some(Gesture { letter: Some(_), .. }) => paint::FIXED,
                Some(Gesture { signal: Some(signal), .. }) => match signal.kind {
                    DeedKind::Remove | DeedKind::GiveUp | DeedKind::Name => paint::CAPTURE,
                    DeedKind::Throw => paint::THING,
                    _ => paint::SIGN,
                },
                Some(_) if letter_at(facts, &shown, at).is_some() => paint::CAPTURE,
                Some(_) if !self.victims(&list, from, at).is_empty() => paint::CAPTURE,
                Some(_) => paint::QUIET,
            }
        };
        self.mirror.board.squares().map(color).collect()
    }

    /// Explains the marks that are more than plain destinations; `None` where there are no such marks.
    fn meaning(&self, from: Coordinate, colors: &[u8]) -> Option<String> {
        if colors.contains(&paint::MORE) {
            return Some(
                "Cyan: a man that can be taken on the way; click it, then the square to stop on".into(),
            );
        }
        if self.game.lifted.via.is_some() {
            return Some("Now click the square to stop on".into());
        }
        if colors.contains(&paint::CHOICE) {
            return Some("Magenta: press the button there, hold it and pull down to choose".into());
        }
        // A user who is shown the rest of the turn reads that instead.
        let list = self.gestures();
        let sign = list.iter().filter(|g| g.from == Origin::Square(from)).find_map(|g| g.signal);
        sign.filter(|_| self.prompt().is_none()).map(|signal| format!("White: {}", signal.name))
    }

    /// Marks where we have been in a turn of several plies, since XBoard itself marks only the last ply.
    pub(super) fn mark_turn(&mut self, legs: &[Leg]) {
        let color = |at: Coordinate| {
            let been = |leg: &Leg| matches!(*leg, Leg::Move { to, .. } | Leg::Put { at: to, .. } if to == at);
            let left = |leg: &Leg| matches!(*leg, Leg::Move { from, .. } if from == at);
            match () {
                () if legs.iter().any(been) => paint::BEEN,
                () if legs.iter().any(left) => paint::LEFT,
                () => 0,
            }
        };
        let colors: Vec<u8> = self.mirror.board.squares().map(color).collect();
        self.highlight(&colors);
        self.game.turn_marked = true;
    }

    /// Removes these marks where no click does.
    pub(super) fn unmark_turn(&mut self) {
        if std::mem::take(&mut self.game.turn_marked) {
            self.highlight(&vec![0; self.mirror.board.squares().count()]);
        }
    }

    /// Sends the colours of all squares, bottom rank first; 0 for none.
    fn highlight(&mut self, colors: &[u8]) {
        let cell = |&color: &u8| match color {
            0 => Cell::Empty,
            letter => Cell::Piece { letter, plus: false },
        };
        let Facts { files, ranks, .. } = *self.engine.session().facts();
        let board = Placement { files, ranks, cells: colors.iter().map(cell).collect() };
        self.out.say(Reply::Highlight(&board.to_string()));
    }

    /// Handles `hover`: sends the marks again, with the pieces that would be captured elsewhere (en passant).
    pub(super) fn hover(&mut self, square: &str) {
        let (Some(from), Some(to)) = (self.game.lifted.from, place(square)) else { return };
        let victims = self.victims(&self.gestures(), from, to);
        if !victims.is_empty() {
            let mark = |(at, color)| if victims.contains(&at) { paint::VICTIM } else { color };
            let colors: Vec<u8> = self.mirror.board.squares().zip(self.colors(from)).map(mark).collect();
            self.highlight(&colors);
        }
    }

    /// The squares of pieces that would vanish if the piece on `from` went to the empty square `to`. Its own
    /// square does not count. Empty unless it can go there in exactly one way.
    fn victims(&self, list: &[Gesture], from: Coordinate, to: Coordinate) -> Vec<Coordinate> {
        let (session, start) = (self.engine.session(), Origin::Square(from));
        let goes = |g: &&Gesture| g.from == start && g.to == to && g.via.is_none() && g.signal.is_none();
        let mut ways = list.iter().filter(goes);
        let (Some(Gesture { letter: None, decisions, .. }), None) = (ways.next(), ways.next()) else {
            return Vec::new();
        };
        let empty = letter_at(session.facts(), &session.shown(), to).is_none();
        let deed = decisions.first().filter(|_| empty).and_then(|&decision| session.deed(decision));
        deed.map_or_else(Vec::new, |deed| deed.gone)
    }

    /// Handles `put`: offers the letters to choose from, if the piece may become one of several there, or a
    /// single other one. The letter that comes first is shown at once.
    pub(super) fn put(&mut self, square: &str) {
        let via = self.game.lifted.via.take();
        let (Some(from), Some(to)) = (self.game.lifted.from, place(square)) else { return };
        let list = self.gestures();
        let session = self.engine.session();
        let facts = session.facts();
        let own = letter_at(facts, &session.shown(), from);
        let here = |g: &&Gesture| {
            g.to == to && g.via == via && g.from != Origin::Anywhere && self.mirror.begins_on(g, from)
        };
        let mut letters: Vec<u8> = list.iter().filter(here).filter_map(|g| g.letter.or(own)).collect();
        // The piece as it is, then others by worth, and those with the ball first; last the ball alone.
        letters.sort_by_key(|&letter| {
            let man = facts.man(letter);
            let ball = man.is_some_and(Man::is_ball);
            (
                Some(letter) != own,
                ball,
                Reverse(man.map(|man| man.shape)),
                man.is_none_or(|man| man.beside.is_none()),
            )
        });
        letters.dedup();
        if letters.iter().any(|letter| Some(*letter) != own) {
            let names: Vec<String> = letters.iter().filter_map(|&letter| name_of(facts, letter)).collect();
            self.out.say(Reply::Choice(&String::from_utf8_lossy(&letters)));
            if letters.len() > 1 {
                self.guide(&format!("Pull down to choose: {}", names.join(", ")));
            }
        }
        let goes_on = |g: &Gesture| g.from == Origin::Square(from) && g.via == Some(to);
        self.game.lifted.via = (via.is_none() && list.iter().any(goes_on)).then_some(to);
    }
}

fn place(square: &str) -> Option<Coordinate> {
    parse_coordinate(square).ok()
}
