//! XBoard's board and the plies that led to it, as a view of the session's history: each ply knows how many
//! decisions the board had shown when it was made.
//!
//! Where a game is shown step by step, each decision is a token of its own in the session. Between two
//! decisions XBoard's board looks like ours, and the ply belongs to the side that decides. That side makes
//! the plies that lead from one such point to the next, so plies that come in are read by what they lead to.
//! See `protocol-docs/xboard.md`.

mod reading;

use super::board::{Board, NOBODY};
use super::view;
use crate::base::Color;
use crate::game::Actor;
use crate::game::gui::{Gesture, Origin, Signal, StepView};
use crate::notation::{Coordinate, Leg, Legs};
use crate::session::xboard_spelling::Ply;
use crate::session::{Prospect, Session};

/// The game as a series of plies.
pub(super) struct Mirror {
    /// How the game is shown step by step; `None` when a ply is a whole token.
    pub view: Option<&'static StepView>,
    /// XBoard's board as it is now.
    pub board: Board,
    /// The board that XBoard should show.
    pub goal: Goal,
    entries: Vec<Entry>,
    /// The point at which the game stands.
    now: Mark,
    /// The last point of the game that XBoard's board has shown.
    settled: Mark,
    /// The squares picked so far, where a choice takes several pieces.
    pub picked: Vec<Coordinate>,
    /// Events that the board does not show, as text for the user, since this was last taken.
    pub told: Vec<String>,
}

/// A point of the game: the number of decisions, and whether the pass that ends a turn was shown after them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mark {
    decisions: usize,
    end_shown: bool,
}

struct Entry {
    /// The ply; `None` for a token that is shown as a whole.
    ply: Option<Ply>,
    /// XBoard's board before it.
    board: Board,
    /// The last point of the game that XBoard's board had shown before it.
    before: Mark,
    /// True if the game has since gone back and taken another course from there.
    left: bool,
}

/// How XBoard's board should look at some point of the game.
pub(super) struct Goal {
    pub board: Board,
    /// The side to make the next ply; `None` where that does not matter.
    pub side: Option<Color>,
    /// The colour whose turn is over, except for the pass that shows it.
    pub ending: Option<Color>,
}

impl Goal {
    fn is_shown(&self, board: &Board) -> bool {
        board.looks_like(&self.board) && self.side.is_none_or(|side| side == board.side)
    }
}

/// What a ply meant.
pub(super) enum Heard {
    /// The ply was complete, and played. With a signal of the mouse, XBoard must take the ply back.
    Said(Option<Signal>),
    /// The ply is incomplete: more plies will follow.
    Begun,
    /// The ply meant nothing, and was taken back.
    Nothing,
}

impl Mirror {
    pub fn new(session: &dyn Session, view: Option<&'static StepView>) -> Self {
        let side = session.actor().player().unwrap_or(Color::White);
        let board = Board::new(session.facts(), &session.shown(), side);
        let now = Mark { decisions: 0, end_shown: false };
        Self {
            view,
            goal: Goal { board: board.clone(), side: Some(side), ending: None },
            board,
            entries: Vec::new(),
            now,
            settled: now,
            picked: Vec::new(),
            told: Vec::new(),
        }
    }

    /// How many decisions of one player are shown together, at most.
    pub fn together(&self) -> usize {
        self.view.map_or(usize::MAX, |view| view.together)
    }

    /// How many plies XBoard has counted.
    pub fn plies(&self) -> usize {
        self.entries.len()
    }

    /// The side that has to show by a pass that a turn has ended. A turn that was ended by a pass needs no
    /// other.
    fn closes(&self, prospect: &Prospect) -> Option<Color> {
        let over = prospect.actor == Actor::Nobody;
        let passes = self.view.is_some_and(|view| view.closing_pass) && prospect.between_turns && !over;
        prospect.by.player().filter(|_| passes && !is_silent(&prospect.legs))
    }

    fn goal_at(&self, session: &dyn Session, mark: Mark) -> Goal {
        let Some(point) = session.prospect(mark.decisions) else {
            let start = self.entries.first().map_or(&self.board, |first| &first.board);
            return Goal { board: start.clone(), side: Some(start.side), ending: None };
        };
        let ending = self.closes(&point).filter(|_| !mark.end_shown);
        let side = ending.or(point.actor.player());
        let board = Board::new(session.facts(), &point.shown, side.unwrap_or(self.board.side));
        Goal { board, side, ending }
    }

    /// True when XBoard's board looks as it should.
    pub fn agrees(&self) -> bool {
        self.goal.is_shown(&self.board)
    }

    /// True when XBoard shows the game as it is, so that the next decision may be made.
    pub fn shows_all(&self) -> bool {
        self.goal.ending.is_none() && self.agrees()
    }

    /// Notes a token that was played, and shown by a ply of its own. Normally XBoard's board is taken to
    /// follow by itself. Only in games where pieces are taken off where none moves to (Alapo) may it need
    /// more plies, unless the game is over.
    pub fn note_token(&mut self, session: &dyn Session) {
        let ply = view::last_ply(session).filter(|_| session.facts().xboard.removes);
        let after = ply.filter(|_| session.outcome().is_none()).and_then(|ply| self.board.after(ply));
        let before = self.settled;
        self.arrive(session, Mark { decisions: session.tokens_played(), end_shown: true });
        self.settled = self.now;
        let board = std::mem::replace(&mut self.board, after.unwrap_or_else(|| self.goal.board.clone()));
        self.entries.push(Entry { ply, board, before, left: false });
    }

    /// Carries `ply` out if XBoard's board needs it before the game goes on. Where a piece goes that vanishes
    /// does not matter. A pass may reach us as the `board` after it.
    pub fn corrects(&mut self, ply: Ply, board: Option<&Board>) -> bool {
        let Some(&owed) = self.board.plies_to(&self.goal.board, self.goal.side).first() else { return false };
        let same = match (ply, owed) {
            (Ply::Move { from, letter: Some(NOBODY), .. }, Ply::Move { from: wanted, .. }) => from == wanted,
            _ => owed == ply && board.is_none_or(|board| board.looks_like(&self.board)),
        };
        same && self.show(owed)
    }

    /// Carries out a ply on XBoard's board; false when that is not possible.
    pub fn show(&mut self, ply: Ply) -> bool {
        let Some(after) = self.board.after(ply) else { return false };
        let board = std::mem::replace(&mut self.board, after);
        self.entries.push(Entry { ply: Some(ply), board, before: self.settled, left: false });
        true
    }

    /// Takes back the last plies. The game returns to where it was before them.
    pub fn take_back(&mut self, session: &mut dyn Session, plies: usize) {
        for _ in 0..plies {
            let Some(entry) = self.entries.pop() else { return };
            self.board = entry.board;
            session.retract(entry.before.decisions);
            self.go_to(session, entry.before);
            if entry.left {
                self.read(session);
            }
        }
    }

    /// Takes back two plies, as `remove` demands, and in the game the last decision of `color` with
    /// everything after it. XBoard's board may need more plies to agree.
    pub fn retract(&mut self, session: &mut dyn Session, color: Color) {
        let made =
            |&tokens: &usize| session.prospect(tokens).is_some_and(|point| point.by == Actor::Player(color));
        let last = (1..=session.tokens_played()).rev().find(made).unwrap_or(1);
        if let Some(first) = self.entries.drain(self.entries.len().saturating_sub(2)..).next() {
            self.board = first.board;
        }
        session.retract(last - 1);
        self.go_to(session, Mark { decisions: last - 1, end_shown: true });
    }

    /// Returns to an earlier point of the game.
    fn go_to(&mut self, session: &mut dyn Session, mark: Mark) {
        session.rewind(mark.decisions);
        for entry in self.entries.iter_mut().filter(|entry| entry.before.decisions > mark.decisions) {
            entry.before = mark;
            entry.left = true;
        }
        self.settled = mark;
        self.arrive(session, mark);
    }

    /// Notes that the game now stands at `mark`.
    fn arrive(&mut self, session: &dyn Session, mark: Mark) {
        self.now = mark;
        self.picked.clear();
        self.goal = self.goal_at(session, mark);
    }

    /// Plays the decisions at the head of `path` that are shown together, and whatever is then rolled.
    /// XBoard's board is to follow. Returns how many decisions of the path were played.
    pub fn decide(&mut self, session: &mut dyn Session, path: &[u32]) -> usize {
        let mut said = 0;
        // A chance outcome in the path replaces what was rolled, whatever that made of the turn.
        while said < path.len().min(self.together())
            && (said == 0 || !session.rolled().is_empty() || !session.between_turns())
        {
            self.step(session, path[said]);
            said += 1;
        }
        if said == path.len() || session.between_turns() {
            // A roll is part of the game like any decision.
            session.rolled().into_iter().for_each(|decision| self.step(session, decision));
        }
        self.arrive(session, Mark { decisions: session.tokens_played(), end_shown: false });
        said
    }

    fn step(&mut self, session: &mut dyn Session, decision: u32) {
        if session.decide(decision) {
            let last = session.prospect(session.tokens_played());
            self.told.extend(last.as_ref().and_then(Prospect::chance_report).map(str::to_owned));
        } else {
            // This cannot happen, since the decision was listed as legal.
            log::error!("a decision is refused");
        }
    }

    /// Plays a path of decisions, and returns the plies by which XBoard comes to show it.
    pub fn play(&mut self, session: &mut dyn Session, mut path: &[u32]) -> Vec<Ply> {
        let mut plies = Vec::new();
        while !path.is_empty() {
            path = &path[self.decide(session, path)..];
            plies.extend(self.settle(session));
        }
        plies
    }

    /// The plies that make XBoard show the game as it stands. They are already carried out on our copy of its
    /// board.
    pub fn settle(&mut self, session: &dyn Session) -> Vec<Ply> {
        let mut plies = Vec::new();
        loop {
            let way = self.board.plies_to(&self.goal.board, self.goal.side);
            plies.extend(way.into_iter().filter(|&ply| self.show(ply)));
            self.settled = self.now;
            if self.goal.ending.is_none() {
                return plies;
            }
            self.show(Ply::Pass);
            plies.push(Ply::Pass);
            self.arrive(session, Mark { end_shown: true, ..self.now });
            self.settled = self.now;
        }
    }

    /// True when the mouse may begin `gesture` on this square, which may lie beside the board.
    pub fn begins_on(&self, gesture: &Gesture, from: Coordinate) -> bool {
        match gesture.from {
            Origin::Square(at) => at == from,
            Origin::Anywhere => self.board.color_at(from) == Some(self.board.side),
            Origin::Hand => self.board.at(from).is_none(),
        }
    }

    /// The gesture that `ply` makes. One that starts from a certain square comes before one that starts
    /// anywhere.
    pub fn gesture_of(&self, list: Vec<Gesture>, ply: Ply) -> Option<Gesture> {
        let Ply::Move { from, over, to, letter } = ply else { return None };
        let letter = letter.map(|letter| letter.to_ascii_uppercase());
        let fits = |g: &Gesture| {
            let same_letter = g.letter == letter || g.signal.is_some() && g.letter.is_none();
            g.to == to && g.via == over && same_letter && self.begins_on(g, from)
        };
        list.into_iter().filter(fits).min_by_key(|g| (g.from == Origin::Anywhere, g.letter != letter))
    }

    /// The gesture that `ply` makes, where XBoard shows the game as it is.
    fn mouse(&self, session: &dyn Session, ply: Ply) -> Option<Gesture> {
        let shown = self.goal.side.is_some() && self.shows_all();
        shown.then(|| self.gesture_of(session.gestures(&self.picked), ply)).flatten()
    }

    /// Handles a ply that has come in. With `by_mouse` a user made it, and its further plies are ours to
    /// make.
    pub fn hear(&mut self, session: &mut dyn Session, ply: Ply, by_mouse: bool) -> Heard {
        if by_mouse && let Some(gesture) = self.mouse(session, ply) {
            if gesture.signal.is_none() {
                self.show(ply);
            }
            match gesture.from {
                Origin::Square(at) if gesture.decisions.is_empty() => {
                    self.picked.push(at);
                    self.goal.board = self.goal.board.clone().without(at);
                }
                _ => {
                    self.decide(session, &gesture.decisions);
                }
            }
            return Heard::Said(gesture.signal);
        }
        let pending = !self.agrees();
        if !self.show(ply) {
            return Heard::Nothing;
        }
        if self.read(session) {
            return Heard::Said(None);
        }
        if !by_mouse {
            // The plies may be the first of several; then the meaning comes with those that follow.
            if self.may_begin(session) {
                return Heard::Begun;
            }
            if self.go_back(session) {
                return Heard::Said(None);
            }
            if pending {
                return Heard::Begun;
            }
        }
        self.take_back(session, 1);
        // This is a step by the mouse, or the announcement of a throw, that we would show by other plies. Its
        // end will come, or we are asked to play.
        let begins = |gesture: Gesture| gesture.signal.is_none() || gesture.letter.is_some();
        if self.mouse(session, ply).is_some_and(begins) && self.show(ply) {
            Heard::Begun
        } else {
            Heard::Nothing
        }
    }
}

/// True when nothing is done: a player declines or stops.
pub(super) fn is_silent(legs: &Legs) -> bool {
    legs.iter().all(|leg| *leg == Leg::Pass)
}
