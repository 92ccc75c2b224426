//! XBoard's board and the plies that led to it, as a view of the session's history: each ply knows how many
//! decisions the board had shown when it was made.
//!
//! Decisions that are shown together make one step. Where a game is shown step by step, each decision is a
//! token of its own in the session. Between two steps XBoard's board looks like ours, and the ply belongs to
//! the side that decides. That side makes the plies that lead from one such point to the next, so plies that
//! come in are read by what they lead to ([`super::reading`]). Where turns are whole, all their decisions are
//! shown together, and a ply is the turn itself. See `protocol-docs/xboard.md`.
//!
//! The mirror only looks at the game; [`super::game`] plays what it has read.

use super::board::{Board, VANISH};
use super::reading::{self, is_silent};
use super::view;
use crate::base::Color;
use crate::game::Actor;
use crate::game::gui::{Gesture, Origin, Signal};
use crate::notation::Coordinate;
use crate::session::xboard_spelling::{self, Ply};
use crate::session::{Session, Successor};

/// The game as a series of plies.
pub(super) struct Mirror {
    /// How many decisions of one player are shown together, at most.
    pub together: usize,
    /// True when the mover ends a turn with a pass.
    closing_pass: bool,
    /// XBoard's board as it is now.
    pub board: Board,
    /// The board that XBoard should show.
    pub goal: Goal,
    pub shown: Vec<Shown>,
    /// The point at which the game stands.
    pub now: Point,
    /// The last point of the game that XBoard's board has shown.
    settled: Point,
    /// The squares picked so far, where a choice takes several pieces.
    pub picked: Vec<Coordinate>,
    /// Events that the board does not show, as text for the user, since this was last taken.
    pub news: Vec<String>,
}

/// A point of the game: the number of decisions, and whether the pass that ends a turn was shown after them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Point {
    pub decisions: usize,
    pub end_shown: bool,
}

/// A ply that XBoard has counted.
pub(super) struct Shown {
    /// The ply; `None` for a token that is shown as a whole.
    pub ply: Option<Ply>,
    /// XBoard's board before it.
    pub board: Board,
    /// The last point of the game that XBoard's board had shown before it.
    pub before: Point,
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

/// What a move of XBoard's means.
pub(super) enum Heard {
    /// A ply that XBoard's board still needed.
    Correction,
    /// A turn, to be played as it is written; it may be illegal.
    Turn(String),
    /// A turn of several steps that a program has sent at once.
    Steps(Vec<u32>),
    /// A complete step. With a signal of the mouse, XBoard must take the ply back.
    Step(Change, Option<Signal>),
    /// The ply is incomplete: more plies will follow.
    Incomplete(Change),
    /// The ply means nothing.
    Nothing,
}

/// What a board of XBoard's means.
pub(super) enum Sent {
    /// It is the present one: the game goes on.
    Present,
    /// The side on turn has passed.
    Pass,
    /// It is another position.
    Other,
}

/// How plies change the game: it goes back to a point, if there is one, and on by decisions.
#[derive(Default)]
pub(super) struct Change {
    pub back: Option<Point>,
    pub path: Vec<u32>,
    /// True if XBoard's board shows it already.
    pub shown: bool,
}

impl Goal {
    pub fn is_shown(&self, board: &Board) -> bool {
        board.looks_like(&self.board) && self.side.is_none_or(|side| side == board.side)
    }
}

impl Mirror {
    /// The mirror of a game at its start, with single steps if the game has them and they are wanted.
    pub fn new(session: &dyn Session, in_steps: bool) -> Self {
        let side = session.actor().player().unwrap_or(Color::White);
        let board = Board::new(session.facts(), &session.shown(), side);
        let now = Point { decisions: 0, end_shown: false };
        let view = session.facts().xboard.steps.as_ref().filter(|_| in_steps);
        Self {
            together: view.map_or(usize::MAX, |view| view.together),
            closing_pass: view.is_some_and(|view| view.closing_pass),
            goal: Goal { board: board.clone(), side: Some(side), ending: None },
            board,
            shown: Vec::new(),
            now,
            settled: now,
            picked: Vec::new(),
            news: Vec::new(),
        }
    }

    /// True when a turn may take several steps, each shown by plies of its own.
    pub const fn in_steps(&self) -> bool {
        self.together < usize::MAX
    }

    /// How many plies XBoard has counted.
    pub const fn plies(&self) -> usize {
        self.shown.len()
    }

    /// The side to play when we are asked to: in single steps the one whose ply XBoard counts, even in the
    /// middle of the other side's turn. That is how a user who has made one step of a turn asks for an
    /// opponent, and how Black gets `go` after White's first ply in a match of two engines.
    pub fn next_side(&self, actor: Actor) -> Option<Color> {
        if self.in_steps() { Some(self.board.side) } else { actor.player() }
    }

    /// The side that has to show by a pass that a turn has ended. A turn that was ended by a pass needs no
    /// other.
    pub fn closes(&self, last: &dyn Successor) -> Option<Color> {
        let ends = self.closing_pass && last.between_turns() && last.actor() != Actor::Nobody;
        last.by().player().filter(|_| ends && !is_silent(&last.legs()))
    }

    pub fn goal_at(&self, session: &dyn Session, point: Point) -> Goal {
        let Some(last) = session.last_of(point.decisions) else {
            let start = self.shown.first().map_or(&self.board, |first| &first.board);
            return Goal { board: start.clone(), side: Some(start.side), ending: None };
        };
        let ending = self.closes(&*last).filter(|_| !point.end_shown);
        let side = ending.or(last.actor().player());
        let board = Board::new(session.facts(), &last.shown(), side.unwrap_or(self.board.side));
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
        self.arrive(session, Point { decisions: session.tokens_played(), end_shown: true });
        self.settle_here();
        let board = std::mem::replace(&mut self.board, after.unwrap_or_else(|| self.goal.board.clone()));
        self.shown.push(Shown { ply, board, before, left: false });
    }

    /// Notes the decisions that were played since. XBoard's board is to follow.
    pub fn note_decisions(&mut self, session: &dyn Session) {
        let decisions = session.tokens_played();
        let played = (self.now.decisions + 1)..=decisions;
        self.news.extend(played.filter_map(|decision| session.last_of(decision)?.note()));
        self.arrive(session, Point { decisions, end_shown: false });
    }

    /// Notes that XBoard's board has come to show the present point of the game.
    pub const fn settle_here(&mut self) {
        self.settled = self.now;
    }

    /// Notes that the game has returned to an earlier point.
    pub fn go_to(&mut self, session: &dyn Session, point: Point) {
        for shown in self.shown.iter_mut().filter(|shown| shown.before.decisions > point.decisions) {
            shown.before = point;
            shown.left = true;
        }
        self.settled = point;
        self.arrive(session, point);
    }

    /// Notes that the game now stands at `point`.
    fn arrive(&mut self, session: &dyn Session, point: Point) {
        self.now = point;
        self.picked.clear();
        self.goal = self.goal_at(session, point);
    }

    /// Carries `ply` out if XBoard's board needs it before the game goes on. Where a piece goes that vanishes
    /// does not matter. A pass may reach us as the `board` after it.
    fn corrects(&mut self, ply: Ply, board: Option<&Board>) -> bool {
        let Some(&owed) = self.board.plies_to(&self.goal.board, self.goal.side).first() else { return false };
        let same = match (ply, owed) {
            (Ply::Move { from, letter: Some(VANISH), .. }, Ply::Move { from: wanted, .. }) => from == wanted,
            _ => owed == ply && board.is_none_or(|board| board.looks_like(&self.board)),
        };
        same && self.show(owed)
    }

    /// Carries out a ply on XBoard's board; false when that is not possible.
    pub fn show(&mut self, ply: Ply) -> bool {
        let Some(after) = self.board.after(ply) else { return false };
        let board = std::mem::replace(&mut self.board, after);
        self.shown.push(Shown { ply: Some(ply), board, before: self.settled, left: false });
        true
    }

    /// Takes back the last ply. Returns the point to which the game returns, and whether the plies that are
    /// left must be read anew, since the game had taken another course from there.
    pub fn take_back(&mut self) -> Option<(Point, bool)> {
        let last = self.shown.pop()?;
        self.board = last.board;
        Some((last.before, last.left))
    }

    /// Takes back two plies, as `remove` demands, and in the game the last decision of `color` with
    /// everything after it. XBoard's board may need more plies to agree. Returns the point to which the game
    /// returns.
    pub fn take_back_decision(&mut self, session: &dyn Session, color: Color) -> Point {
        let made = |&decision: &usize| {
            session.last_of(decision).is_some_and(|last| last.by() == Actor::Player(color))
        };
        let last = (1..=session.tokens_played()).rev().find(made).unwrap_or(1);
        if let Some(first) = self.shown.drain(self.shown.len().saturating_sub(2)..).next() {
            self.board = first.board;
        }
        Point { decisions: last - 1, end_shown: true }
    }

    /// Takes back the last ply if it is the only one that the game has not understood yet.
    pub fn take_back_unread(&mut self) -> Option<Ply> {
        let unread = self.in_steps() && !self.agrees();
        let last = self.shown.pop_if(|last| unread && self.goal.is_shown(&last.board))?;
        self.board = last.board;
        last.ply
    }

    /// True when the last plies are no complete step.
    pub fn is_unfinished(&self) -> bool {
        self.in_steps() && !self.agrees() && self.goal.ending.is_none()
    }

    /// The plies that make XBoard show the game as it stands. They are already carried out on our copy of its
    /// board.
    pub fn settle(&mut self, session: &dyn Session) -> Vec<Ply> {
        let mut plies = Vec::new();
        loop {
            let way = self.board.plies_to(&self.goal.board, self.goal.side);
            plies.extend(way.into_iter().filter(|&ply| self.show(ply)));
            self.settle_here();
            if self.goal.ending.is_none() {
                return plies;
            }
            self.show(Ply::Pass);
            plies.push(Ply::Pass);
            self.arrive(session, Point { end_shown: true, ..self.now });
            self.settle_here();
        }
    }

    /// Where plies are single steps, the ply by which XBoard would be shown `token`, or its beginning.
    pub fn first_ply(&self, session: &dyn Session, token: &str) -> Option<Ply> {
        let side = !self.board.side;
        let path = self.path(session, token)?;
        let goal = Board::new(session.facts(), &session.shown_behind(path.get(..1)?)?, side);
        self.board.plies_to(&goal, Some(side)).first().copied()
    }

    /// The decisions of `token`, where they are shown step by step.
    pub fn path(&self, session: &dyn Session, token: &str) -> Option<Vec<u32>> {
        self.in_steps().then(|| session.decisions_of(token))?
    }

    /// All gestures that the mouse can make now. XBoard's board must agree with the game.
    pub fn gestures(&self, session: &dyn Session) -> Vec<Gesture> {
        let mut list = session.gestures(&self.picked);
        if !self.in_steps() && session.facts().xboard.steps.is_some() {
            // Tokens are whole turns here: a gesture that is neither a token nor the beginning of one cannot
            // be expressed.
            list.retain_mut(|gesture| {
                let Origin::Square(from) = gesture.from else { return gesture.from == Origin::Hand };
                let Gesture { via: over, to, letter, .. } = *gesture;
                let says = |letter: &Option<u8>| {
                    let token = Ply::Move { from, over, to, letter: *letter }.to_string();
                    session.decisions_of(&token).is_some_and(|path| path.starts_with(&gesture.decisions))
                };
                let written = [None, letter].into_iter().find(says).filter(|_| gesture.signal.is_none());
                gesture.letter = written.flatten();
                written.is_some()
            });
        }
        list
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
    pub fn gesture_of(&self, session: &dyn Session, ply: Ply) -> Option<Gesture> {
        let Ply::Move { from, over, to, letter } = ply else { return None };
        let letter = letter.map(|letter| letter.to_ascii_uppercase());
        let fits = |g: &Gesture| {
            let same_letter = g.letter == letter || g.signal.is_some() && g.letter.is_none();
            g.to == to && g.via == over && same_letter && self.begins_on(g, from)
        };
        let fitting = self.gestures(session).into_iter().filter(fits);
        fitting.min_by_key(|g| (g.from == Origin::Anywhere, g.letter != letter))
    }

    /// The gesture that `ply` makes, where XBoard shows the game as it is.
    fn mouse(&self, session: &dyn Session, ply: Ply) -> Option<Gesture> {
        let shown = self.goal.side.is_some() && self.shows_all();
        shown.then(|| self.gesture_of(session, ply)).flatten()
    }

    /// What it means that XBoard sends the board `theirs`: it sends a null move so. With `plays` we play a
    /// side, and XBoard may have made the plies that we owe by itself.
    pub fn hear_board(&mut self, theirs: &Board, plays: bool) -> Sent {
        if self.in_steps() && theirs.looks_like(&self.board) {
            return if theirs.side == self.board.side { Sent::Present } else { Sent::Pass };
        }
        let is_goal = self.goal.side == Some(theirs.side) && theirs.looks_like(&self.goal.board);
        let goes_on = self.corrects(Ply::Pass, Some(theirs)) || plays && is_goal;
        if goes_on { Sent::Present } else { Sent::Other }
    }

    /// What a move means that has come in, for the game as it stands. With `by_mouse` a user made it, and its
    /// further plies are ours to make.
    pub fn hear(&mut self, session: &dyn Session, text: &str, by_mouse: bool) -> Heard {
        match Ply::parse(text) {
            Some(ply) if self.in_steps() => self.hear_ply(session, ply, by_mouse),
            None if self.in_steps() => session.decisions_of(text).map_or(Heard::Nothing, Heard::Steps),
            Some(ply) if self.corrects(ply, None) => Heard::Correction,
            _ => Heard::Turn(xboard_spelling::read_move(session, text)),
        }
    }

    /// What a ply means, where plies are single steps.
    pub fn hear_ply(&mut self, session: &dyn Session, ply: Ply, by_mouse: bool) -> Heard {
        if by_mouse && let Some(gesture) = self.mouse(session, ply) {
            return self.follow(ply, gesture);
        }
        let pending = !self.agrees();
        if !self.show(ply) {
            return Heard::Nothing;
        }
        if let Some(change) = self.read(session) {
            return Heard::Step(change, None);
        }
        if !by_mouse {
            // The plies may be the first of several; then the meaning comes with those that follow.
            if let Some(point) = reading::beginning(self, session) {
                return Heard::Incomplete(Change { back: Some(point), ..Change::default() });
            }
            if let Some(point) = reading::earlier(self, session) {
                return Heard::Step(Change { back: Some(point), ..Change::default() }, None);
            }
            if pending {
                return Heard::Incomplete(Change::default());
            }
        }
        if let Some((point, _)) = self.take_back() {
            self.go_to(session, point);
        }
        // This is a step by the mouse, or the announcement of a throw, that we would show by other plies. Its
        // end will come, or we are asked to play.
        let begins = |gesture: Gesture| gesture.signal.is_none() || gesture.letter.is_some();
        if self.mouse(session, ply).is_some_and(begins) && self.show(ply) {
            Heard::Incomplete(Change::default())
        } else {
            Heard::Nothing
        }
    }

    fn follow(&mut self, ply: Ply, gesture: Gesture) -> Heard {
        if gesture.signal.is_none() {
            self.show(ply);
        }
        if let Origin::Square(at) = gesture.from
            && gesture.decisions.is_empty()
        {
            self.picked.push(at);
            self.goal.board = self.goal.board.clone().without(at);
        }
        Heard::Step(Change { path: gesture.decisions, ..Change::default() }, gesture.signal)
    }

    /// Finds out what the plies so far mean for the game. `None` when they mean nothing yet.
    pub fn read(&mut self, session: &dyn Session) -> Option<Change> {
        let passed = self.goal.ending.is_some_and(|mover| self.board.side != mover)
            && self.board.looks_like(&self.goal.board);
        if passed {
            // The ply was the pass that shows the end of a turn.
            self.arrive(session, Point { end_shown: true, ..self.now });
        }
        if passed || self.agrees() {
            return Some(Change { shown: true, ..Change::default() });
        }
        reading::change(self, session)
    }
}
