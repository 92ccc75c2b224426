//! XBoard's board and the plies that led to it, as a view of the session's history: each ply knows how many decisions the
//! board had shown when it was made.
//!
//! Where a game is shown step by step, each decision is a token of its own in the session. Between two decisions XBoard's
//! board looks like ours and it is the decider's ply. Whoever decides makes the plies that lead from one such point to the
//! next; so plies that come in are read by what they lead to. See `protocol-docs/xboard.md`.

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
    /// XBoard's board now.
    pub board: Board,
    /// What it should be.
    pub goal: Goal,
    entries: Vec<Entry>,
    /// Where the game stands.
    now: Mark,
    /// The last point of the game that XBoard's board has shown.
    settled: Mark,
    /// Men picked of a choice that takes several.
    pub picked: Vec<Coordinate>,
    /// What came about that the board does not show, since this was last taken.
    pub told: Vec<String>,
}

/// A point of the game: so many decisions, and whether the pass that ends a turn was shown behind them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mark {
    decisions: usize,
    end_shown: bool,
}

struct Entry {
    /// `None` for a token that is shown as a whole.
    ply: Option<Ply>,
    /// XBoard's board before.
    board: Board,
    /// The last point of the game that XBoard's board had shown before.
    before: Mark,
    /// That point was left: what was decided there was something else.
    left: bool,
}

/// How XBoard's board would look at some point of the game.
pub(super) struct Goal {
    pub board: Board,
    /// Whose ply it would be; `None` where that does not matter.
    pub side: Option<Color>,
    /// The colour whose turn is over but for the pass that shows it.
    pub ending: Option<Color>,
}

impl Goal {
    fn is_shown(&self, board: &Board) -> bool {
        board.looks_like(&self.board) && self.side.is_none_or(|side| side == board.side)
    }
}

/// What a ply said.
pub(super) enum Heard {
    /// Something; by a signal of the mouse, after which XBoard must take the ply back.
    Said(Option<Signal>),
    /// Nothing yet: more plies will.
    Begun,
    /// Nothing, and the ply is not there any more.
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

    /// How many decisions of one player are shown together.
    pub fn together(&self) -> usize {
        self.view.map_or(usize::MAX, |view| view.together)
    }

    /// How many plies XBoard has counted.
    pub fn plies(&self) -> usize {
        self.entries.len()
    }

    /// Who makes the pass that shows the end of a turn, when it ends by itself: a pass that ended one was shown.
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

    /// True when XBoard shows what it should.
    pub fn agrees(&self) -> bool {
        self.goal.is_shown(&self.board)
    }

    /// True when XBoard shows the game as it is, and the decider may decide.
    pub fn shows_all(&self) -> bool {
        self.goal.ending.is_none() && self.agrees()
    }

    /// A token was played and shown by a ply of its own. XBoard's board follows by itself where it knows the game, or nobody
    /// keeps it right; else it may still need plies (Alapo's removal) unless the game is over.
    pub fn note_token(&mut self, session: &dyn Session) {
        let ply = view::last_ply(session).filter(|_| session.facts().xboard.removes);
        let after = ply.filter(|_| session.outcome().is_none()).and_then(|ply| self.board.after(ply));
        let before = self.settled;
        self.arrive(session, Mark { decisions: session.tokens_played(), end_shown: true });
        self.settled = self.now;
        let board = std::mem::replace(&mut self.board, after.unwrap_or_else(|| self.goal.board.clone()));
        self.entries.push(Entry { ply, board, before, left: false });
    }

    /// Carries `ply` out if XBoard's board needs it before anybody goes on; where a man goes that vanishes does not matter. A
    /// pass may reach us as the `board` behind it.
    pub fn corrects(&mut self, ply: Ply, board: Option<&Board>) -> bool {
        let Some(&owed) = self.board.plies_to(&self.goal.board, self.goal.side).first() else { return false };
        let same = match (ply, owed) {
            (Ply::Move { from, letter: Some(NOBODY), .. }, Ply::Move { from: wanted, .. }) => from == wanted,
            _ => owed == ply && board.is_none_or(|board| board.looks_like(&self.board)),
        };
        same && self.show(owed)
    }

    /// Carries out a ply on XBoard's board; false when it cannot be.
    pub fn show(&mut self, ply: Ply) -> bool {
        let Some(after) = self.board.after(ply) else { return false };
        let board = std::mem::replace(&mut self.board, after);
        self.entries.push(Entry { ply: Some(ply), board, before: self.settled, left: false });
        true
    }

    /// Takes the last plies back; the game goes to where it was before them.
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

    /// Takes back two plies, as `remove` says, and in the game the last decision of `color` with all that came after.
    /// XBoard's board may need more plies to agree.
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

    /// Goes back to an earlier point of the game.
    fn go_to(&mut self, session: &mut dyn Session, mark: Mark) {
        session.rewind(mark.decisions);
        for entry in self.entries.iter_mut().filter(|entry| entry.before.decisions > mark.decisions) {
            entry.before = mark;
            entry.left = true;
        }
        self.settled = mark;
        self.arrive(session, mark);
    }

    /// The game stands elsewhere.
    fn arrive(&mut self, session: &dyn Session, mark: Mark) {
        self.now = mark;
        self.picked.clear();
        self.goal = self.goal_at(session, mark);
    }

    /// Plays the decisions of a path that are shown together, with what was rolled then; XBoard's board is to follow. Gives
    /// how many they are.
    pub fn decide(&mut self, session: &mut dyn Session, path: &[u32]) -> usize {
        let mut said = 0;
        // What the path says of chance takes the place of what was rolled, whatever that made of the turn.
        while said < path.len().min(self.together())
            && (said == 0 || !session.rolled().is_empty() || !session.between_turns())
        {
            self.step(session, path[said]);
            said += 1;
        }
        if said == path.len() || session.between_turns() {
            // What was rolled stands in the game like all else.
            session.rolled().into_iter().for_each(|decision| self.step(session, decision));
        }
        self.arrive(session, Mark { decisions: session.tokens_played(), end_shown: false });
        said
    }

    fn step(&mut self, session: &mut dyn Session, decision: u32) {
        if session.decide(decision) {
            self.told.extend(session.prospect(session.tokens_played()).and_then(|point| point.told));
        } else {
            // It was listed.
            log::error!("a decision is refused");
        }
    }

    /// Plays a path of decisions; gives the plies by which XBoard comes to show it.
    pub fn play(&mut self, session: &mut dyn Session, mut path: &[u32]) -> Vec<Ply> {
        let mut plies = Vec::new();
        while !path.is_empty() {
            path = &path[self.decide(session, path)..];
            plies.extend(self.settle(session));
        }
        plies
    }

    /// The plies that make XBoard show the game as it stands, already carried out on our picture of its board.
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

    /// True when the mouse may begin `gesture` on the square, which may lie beside the board.
    pub fn begins_on(&self, gesture: &Gesture, from: Coordinate) -> bool {
        match gesture.from {
            Origin::Square(at) => at == from,
            Origin::Anywhere => self.board.color_at(from) == Some(self.board.side),
            Origin::Hand => self.board.at(from).is_none(),
        }
    }

    /// Which of the gestures `ply` is: one that names its man goes before one that any man makes.
    pub fn gesture_of(&self, list: Vec<Gesture>, ply: Ply) -> Option<Gesture> {
        let Ply::Move { from, over, to, letter } = ply else { return None };
        let letter = letter.map(|letter| letter.to_ascii_uppercase());
        let fits = |g: &Gesture| {
            let same_letter = g.letter == letter || g.signal.is_some() && g.letter.is_none();
            g.to == to && g.via == over && same_letter && self.begins_on(g, from)
        };
        list.into_iter().filter(fits).min_by_key(|g| (g.from == Origin::Anywhere, g.letter != letter))
    }

    /// What the mouse says by `ply`, where XBoard shows the game.
    fn mouse(&self, session: &dyn Session, ply: Ply) -> Option<Gesture> {
        let shown = self.goal.side.is_some() && self.shows_all();
        shown.then(|| self.gesture_of(session.gestures(&self.picked), ply)).flatten()
    }

    /// A ply has come in; `by_mouse` when a person made it, whose other plies are ours to make.
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
            // Plies that begin to show something: their meaning comes with those that follow.
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
        // A step by the mouse, a throw announced among them, that we would show by other plies: its end will come, or we
        // are asked to play.
        let begins = |gesture: Gesture| gesture.signal.is_none() || gesture.letter.is_some();
        if self.mouse(session, ply).is_some_and(begins) && self.show(ply) {
            Heard::Begun
        } else {
            Heard::Nothing
        }
    }
}

/// True for declining and stopping.
pub(super) fn is_silent(legs: &Legs) -> bool {
    legs.iter().all(|leg| *leg == Leg::Pass)
}
