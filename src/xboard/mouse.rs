//! The user's mouse: the squares a piece may go to, the letters it may become there, and what its ply
//! expresses.

use super::game::Game;
use crate::base::order::sort_by_cached_key;
use crate::game::gui::{Gesture, Origin, letter_at, name_of};
use crate::game::{DeedKind, Facts, Piece};
use crate::notation::{Cell, Coordinate, Leg, Placement, parse_coordinate};
use crate::protocol::xboard::Reply;
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

/// The piece that the mouse holds, and the marks on XBoard's board.
#[derive(Clone, Copy, Default)]
pub(super) struct Mouse {
    /// The square the piece was lifted from.
    from: Option<Coordinate>,
    /// The square of the first of two legs that was clicked.
    via: Option<Coordinate>,
    /// True while XBoard shows the marks of our last turn.
    turn_marked: bool,
}

impl Mouse {
    /// Lifts the piece on a square, whose name may be no square's. Returns where it was lifted from.
    pub fn lift(&mut self, square: &str) -> Option<Coordinate> {
        self.turn_marked = false;
        let square = place(square);
        // The next leg begins where the first one ended; the piece itself has not moved.
        if square.is_none() || square != self.via {
            (self.from, self.via) = (square, None);
        }
        self.from
    }

    /// Marks the squares that the piece lifted from `from` may go to. Returns what explains the marks, if
    /// they are more than plain destinations.
    pub fn mark_ways(&self, from: Coordinate, game: &mut Game) -> Option<String> {
        let list = game.gestures();
        let colors = self.colors(&list, from, game);
        highlight(&colors, game);
        if colors.contains(&paint::MORE) {
            return Some(
                "Cyan: a piece that can be taken on the way; click it, then the square to stop on".into(),
            );
        }
        if self.via.is_some() {
            return Some("Now click the square to stop on".into());
        }
        if colors.contains(&paint::CHOICE) {
            return Some("Magenta: press the button there, hold it and pull down to choose".into());
        }
        // A user who is shown the rest of the turn reads that instead.
        let sign = list.iter().filter(|g| g.from == Origin::Square(from)).find_map(|g| g.signal);
        sign.filter(|_| game.prompt().is_none()).map(|signal| format!("White: {}", signal.name))
    }

    /// The colour of every square for the piece lifted from `from`, bottom rank first; 0 where it cannot go.
    fn colors(&self, list: &[Gesture], from: Coordinate, game: &Game) -> Vec<u8> {
        let via = self.via;
        let (facts, shown) = (game.session().facts(), game.session().shown());
        let ways: Vec<&Gesture> = list.iter().filter(|g| game.mirror.begins_on(g, from)).collect();
        let color = |at: Coordinate| {
            let here = |g: &&&Gesture| g.to == at && g.via == via;
            let chosen = ways.iter().filter(here).filter(|g| g.from != Origin::Anywhere).count() > 1;
            let begins = |g: &Gesture| via.is_none() && g.via == Some(at);
            match ways.iter().rfind(|g| here(g) || begins(g)) {
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
                Some(_) if !victims(list, from, at, game).is_empty() => paint::CAPTURE,
                Some(_) => paint::QUIET,
            }
        };
        game.mirror.board.squares().map(color).collect()
    }

    /// Marks where we have been in a turn of several plies, since XBoard itself marks only the last ply. A
    /// mark would hide the piece on its square, so only empty squares are marked.
    pub fn mark_turn(&mut self, legs: &[Leg], game: &mut Game) {
        let color = |at: Coordinate| {
            if game.mirror.board.at(at).is_some() {
                return 0;
            }
            let been = |leg: &Leg| matches!(*leg, Leg::Move { to, .. } | Leg::Put { at: to, .. } if to == at);
            let left = |leg: &Leg| matches!(*leg, Leg::Move { from, .. } if from == at);
            match () {
                () if legs.iter().any(been) => paint::BEEN,
                () if legs.iter().any(left) => paint::LEFT,
                () => 0,
            }
        };
        let colors: Vec<u8> = game.mirror.board.squares().map(color).collect();
        highlight(&colors, game);
        self.turn_marked = true;
    }

    /// Removes these marks where no click does.
    pub fn unmark_turn(&mut self, game: &mut Game) {
        if std::mem::take(&mut self.turn_marked) {
            highlight(&vec![0; game.mirror.board.squares().count()], game);
        }
    }

    /// Handles `hover`: sends the marks again, with the pieces that would be captured elsewhere (en passant).
    pub fn hover(&self, square: &str, game: &mut Game) {
        let (Some(from), Some(to)) = (self.from, place(square)) else { return };
        let list = game.gestures();
        let victims = victims(&list, from, to, game);
        if !victims.is_empty() {
            let colors = self.colors(&list, from, game);
            let mark = |(at, color)| if victims.contains(&at) { paint::VICTIM } else { color };
            let colors: Vec<u8> = game.mirror.board.squares().zip(colors).map(mark).collect();
            highlight(&colors, game);
        }
    }

    /// Handles `put`: offers the letters to choose from, if the piece may become one of several there, or a
    /// single other one. The letter that comes first is shown at once. Returns what explains the choice, if
    /// there is one.
    pub fn put(&mut self, square: &str, game: &mut Game) -> Option<String> {
        let via = self.via.take();
        let (from, to) = (self.from?, place(square)?);
        let session = game.session();
        let list = game.mirror.gestures(session);
        let facts = session.facts();
        let own = letter_at(facts, &session.shown(), from);
        let here = |g: &&Gesture| {
            g.to == to && g.via == via && g.from != Origin::Anywhere && game.mirror.begins_on(g, from)
        };
        let mut letters: Vec<u8> = list.iter().filter(here).filter_map(|g| g.letter.or(own)).collect();
        // The piece as it is, then others by worth, and those with the ball first; last the ball alone.
        sort_by_cached_key(&mut letters, |&letter| {
            let piece = facts.piece(letter);
            let (ball, bare) =
                (piece.is_some_and(Piece::is_ball), piece.is_none_or(|piece| piece.beside.is_none()));
            (Some(letter) != own, ball, Reverse(piece.map(|piece| piece.shape)), bare)
        });
        letters.dedup();
        let goes_on = |g: &Gesture| g.from == Origin::Square(from) && g.via == Some(to);
        self.via = (via.is_none() && list.iter().any(goes_on)).then_some(to);
        if letters.iter().all(|letter| Some(*letter) == own) {
            return None;
        }
        let names: Vec<String> = letters.iter().filter_map(|&letter| name_of(facts, letter)).collect();
        game.out.say(Reply::Choice(&String::from_utf8_lossy(&letters)));
        (letters.len() > 1).then(|| format!("Pull down to choose: {}", names.join(", ")))
    }
}

/// Sends the colours of all squares, bottom rank first; 0 for none.
fn highlight(colors: &[u8], game: &mut Game) {
    let cell = |&color: &u8| match color {
        0 => Cell::Empty,
        letter => Cell::Piece { letter, plus: false },
    };
    let Facts { files, ranks, .. } = *game.session().facts();
    let board = Placement { files, ranks, cells: colors.iter().map(cell).collect() };
    game.out.say(Reply::Highlight(&board.to_string()));
}

/// The squares of pieces that would vanish if the piece on `from` went to the empty square `to`. Its own
/// square does not count. Empty unless it can go there in exactly one way.
fn victims(list: &[Gesture], from: Coordinate, to: Coordinate, game: &Game) -> Vec<Coordinate> {
    let (session, start) = (game.session(), Origin::Square(from));
    let goes = |g: &&Gesture| g.from == start && g.to == to && g.via.is_none() && g.signal.is_none();
    let mut ways = list.iter().filter(goes);
    let (Some(Gesture { letter: None, decisions, .. }), None) = (ways.next(), ways.next()) else {
        return Vec::new();
    };
    let empty = letter_at(session.facts(), &session.shown(), to).is_none();
    let deed = decisions.first().filter(|_| empty).and_then(|&decision| session.deed(decision));
    deed.map_or_else(Vec::new, |deed| deed.gone)
}

fn place(square: &str) -> Option<Coordinate> {
    parse_coordinate(square).ok()
}
