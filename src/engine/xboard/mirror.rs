//! XBoard's board and the plies that led to it, as a view of the session's history: each ply knows how many decisions the
//! board had shown when it was made.
//!
//! Where a game is shown step by step, each decision is a token of its own in the session. Between two decisions XBoard's
//! board looks like ours and it is the decider's ply. Whoever decides makes the plies that lead from one such point to the
//! next; so plies that come in are read by what they lead to. See `protocol-docs/xboard.md`.

use super::board::{Board, Ply};
use crate::base::Color;
use crate::game::Actor;
use crate::game::gui::StepView;
use crate::notation::{Coordinate, Leg, Legs};
use crate::session::{Look, Prospect, Session};

/// So many plies may look like something else that is complete.
const LONGEST_BEGINNING: usize = 4;

/// The game as a series of plies.
pub(super) struct Mirror {
    /// How the game is shown step by step; `None` when a ply is a whole token.
    pub view: Option<&'static StepView>,
    /// XBoard's board before the first ply.
    start: Board,
    /// XBoard's board now, where the game is shown step by step.
    pub board: Board,
    entries: Vec<Entry>,
    /// The last point of the game that XBoard's board has shown.
    settled: Mark,
    /// The pass that shows the end of the last turn was made.
    end_shown: bool,
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
}

impl Mirror {
    pub fn new(session: &dyn Session, view: Option<&'static StepView>) -> Self {
        let side = session.actor().player().unwrap_or(Color::White);
        let start = Board::new(session.facts(), &session.shown(), side);
        Self {
            view,
            board: start.clone(),
            start,
            entries: Vec::new(),
            settled: Mark { decisions: 0, end_shown: false },
            end_shown: false,
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

    /// The colour whose turn is over but for the pass that shows it.
    pub fn ending(&self, session: &dyn Session) -> Option<Color> {
        let last = session.prospect(session.tokens_played()).filter(|_| !self.end_shown)?;
        self.closes(&last)
    }

    /// Who makes the pass that shows the end of a turn, when it ends by itself: a pass that ended one was shown.
    fn closes(&self, prospect: &Prospect) -> Option<Color> {
        let over = prospect.actor == Actor::Nobody;
        let passes = self.view.is_some_and(|view| view.closing_pass) && prospect.between_turns && !over;
        prospect.by.player().filter(|_| passes && !is_silent(&prospect.legs))
    }

    /// What XBoard should show now.
    pub fn goal(&self, session: &dyn Session) -> Goal {
        let side = self.ending(session).or(session.actor().player());
        let board = Board::new(session.facts(), &session.shown(), side.unwrap_or(self.board.side));
        Goal { board: self.picked.iter().fold(board, |board, &at| board.without(at)), side }
    }

    /// What XBoard should show at an earlier point.
    fn goal_at(&self, session: &dyn Session, mark: Mark) -> Goal {
        let Some(point) = session.prospect(mark.decisions) else {
            return Goal { board: self.start.clone(), side: Some(self.start.side) };
        };
        let closing = self.closes(&point).filter(|_| !mark.end_shown);
        let side = closing.or(point.actor.player());
        Goal { board: Board::new(session.facts(), &point.shown, self.board.side), side }
    }

    fn shows(&self, goal: &Goal) -> bool {
        self.board.looks_like(&goal.board) && goal.side.is_none_or(|side| side == self.board.side)
    }

    /// True when XBoard shows what it should.
    pub fn agrees(&self, session: &dyn Session) -> bool {
        self.shows(&self.goal(session))
    }

    /// Notes a token that XBoard shows by a ply of its own, `before` tokens having been played before it.
    pub fn show_token(&mut self, before: usize) {
        self.entries.push(Entry {
            ply: None,
            before: Mark { decisions: before, end_shown: true },
            left: false,
        });
    }

    /// Notes a ply that only corrects XBoard's board.
    pub fn show_correction(&mut self, session: &dyn Session, ply: Ply) {
        let before = Mark { decisions: session.tokens_played(), end_shown: true };
        self.entries.push(Entry { ply: Some(ply), before, left: false });
    }

    /// How many plies have corrected XBoard's board since the last token.
    pub fn corrections_shown(&self) -> usize {
        self.entries.iter().rev().take_while(|entry| entry.ply.is_some()).count()
    }

    /// Carries out a ply on XBoard's board; false when it cannot be.
    pub fn show(&mut self, ply: Ply) -> bool {
        let done = self.board.apply(ply);
        if done {
            self.entries.push(Entry { ply: Some(ply), before: self.settled, left: false });
        }
        done
    }

    /// XBoard's board before ply number `number`, from the first on.
    fn board_before(&self, number: usize) -> Board {
        let mut board = self.start.clone();
        for ply in self.entries[..number].iter().filter_map(|entry| entry.ply) {
            board.apply(ply);
        }
        board
    }

    /// Takes the last plies back; the game goes to where it was before them.
    pub fn take_back(&mut self, session: &mut dyn Session, plies: usize) {
        for _ in 0..plies {
            let Some(entry) = self.entries.pop() else { return };
            self.go_to(session, entry.before);
            if self.view.is_some() {
                self.board = self.board_before(self.entries.len());
                if entry.left {
                    self.read(session);
                }
            }
        }
    }

    /// Takes back two plies, as `remove` says, and in the game the last decision of `color` with all that came after.
    /// XBoard's board may need more plies to agree.
    pub fn retract(&mut self, session: &mut dyn Session, color: Color) {
        let mut target = session.tokens_played();
        while let Some(point) = session.prospect(target) {
            target -= 1;
            if point.by == Actor::Player(color) {
                break;
            }
        }
        self.entries.truncate(self.entries.len().saturating_sub(2));
        self.board = self.board_before(self.entries.len());
        self.go_to(session, Mark { decisions: target, end_shown: true });
    }

    /// Goes back to an earlier point of the game.
    fn go_to(&mut self, session: &mut dyn Session, mark: Mark) {
        session.rewind(mark.decisions);
        for entry in self.entries.iter_mut().filter(|entry| entry.before.decisions > mark.decisions) {
            *entry = Entry { before: mark, left: true, ..*entry };
        }
        self.end_shown = mark.end_shown;
        self.settled = mark;
        self.picked.clear();
    }

    /// Plays decisions; XBoard's board is to follow.
    pub fn decide(&mut self, session: &mut dyn Session, path: &[u32]) {
        for &decision in path {
            self.step(session, decision);
        }
        self.accept_luck(session);
    }

    /// What was rolled stands in the game like all else.
    pub fn accept_luck(&mut self, session: &mut dyn Session) {
        for decision in session.rolled() {
            self.step(session, decision);
        }
    }

    /// Plays one decision; luck that follows is still open.
    pub fn step(&mut self, session: &mut dyn Session, decision: u32) {
        self.picked.clear();
        if !session.decide(decision) {
            // It was listed.
            return log::error!("a decision is refused");
        }
        self.end_shown = false;
        self.told.extend(session.prospect(session.tokens_played()).and_then(|point| point.told));
    }

    /// The plies that make XBoard show the game as it stands, already carried out on our picture of its board.
    pub fn settle(&mut self, session: &dyn Session) -> Vec<Ply> {
        let mut plies = Vec::new();
        loop {
            let goal = self.goal(session);
            // Whoever's ply it is then.
            let sides = Color::ALL.into_iter().filter(|&side| goal.side.is_none_or(|own| own == side));
            let ways = sides.map(|side| self.board.plies_to(&goal.board.clone().of(side)));
            for ply in ways.min_by_key(Vec::len).unwrap_or_default() {
                self.show(ply);
                plies.push(ply);
            }
            self.settle_here(session);
            if self.ending(session).is_none() {
                return plies;
            }
            self.show(Ply::Pass);
            plies.push(Ply::Pass);
            self.end_shown = true;
            self.settle_here(session);
        }
    }

    /// XBoard's board shows the game.
    fn settle_here(&mut self, session: &dyn Session) {
        self.settled = Mark { decisions: session.tokens_played(), end_shown: self.end_shown };
    }

    /// Finds what the plies so far mean and plays that. False when they mean nothing yet.
    pub fn read(&mut self, session: &mut dyn Session) -> bool {
        let read = self.agrees(session) || self.read_end(session) || self.read_decisions(session);
        if read {
            self.settle_here(session);
        }
        read
    }

    /// The pass that shows the end of a turn.
    fn read_end(&mut self, session: &dyn Session) -> bool {
        let Some(mover) = self.ending(session) else { return false };
        self.end_shown = self.board.side != mover && self.board.looks_like(&self.goal(session).board);
        self.end_shown
    }

    fn read_decisions(&mut self, session: &mut dyn Session) -> bool {
        if self.ending(session).is_some() {
            return false;
        }
        let here = session.tokens_played();
        if let Some(path) = self.find(session, here) {
            self.decide(session, &path);
            return true;
        }
        // What looked like the end of a turn was not: more of it comes.
        if !session.prospect(here).is_some_and(|last| is_silent(&last.legs)) {
            return false;
        }
        let before = Mark { decisions: here - 1, end_shown: true };
        let path = match self.shows(&self.goal_at(session, before)) {
            true => Vec::new(),
            false => match self.find(session, here - 1) {
                Some(path) => path,
                None => return false,
            },
        };
        self.go_to(session, before);
        self.decide(session, &path);
        true
    }

    /// Goes back to where the game has been, if the last plies have led XBoard's board there: something was taken back.
    pub fn go_back(&mut self, session: &mut dyn Session) -> bool {
        let mut board = self.start.clone();
        let mut same = None;
        let last = self.entries.len().saturating_sub(1);
        for (number, entry) in self.entries[..last].iter().enumerate() {
            if board.side == self.board.side && board.looks_like(&self.board) && number + 65 > last {
                same = Some(entry.before);
            }
            entry.ply.map(|ply| board.apply(ply));
        }
        let Some(mark) = same.filter(|&mark| self.shows(&self.goal_at(session, mark))) else { return false };
        self.go_to(session, mark);
        true
    }

    /// Takes the last ply back if it is the only one of which the game does not know yet what it says.
    pub fn take_back_unread(&mut self, session: &dyn Session) -> Option<Ply> {
        let last = self.entries.len().checked_sub(1).filter(|_| !self.agrees(session))?;
        let before = self.board_before(last);
        let now = std::mem::replace(&mut self.board, before);
        if self.agrees(session) {
            return self.entries.pop()?.ply;
        }
        self.board = now;
        None
    }

    /// The decisions behind the first `from` after which XBoard should show what it shows.
    fn find(&self, session: &dyn Session, from: usize) -> Option<Vec<u32>> {
        let speaker = decider(session, from);
        speaker.player()?;
        let (mut found, mut won) = (None, None);
        session.explore(from, &mut |path, prospect| {
            // Cards are not on the board.
            if matches!(prospect.legs.first(), Some(Leg::Play(_))) {
                return Look::Aside;
            }
            let board = Board::new(session.facts(), &prospect.shown, self.board.side);
            let alike = self.board.looks_like(&board);
            if prospect.actor == Actor::Nobody {
                won = won.take().or(alike.then(|| path.to_vec()));
                return Look::Aside;
            }
            let side = self.closes(prospect).or(prospect.actor.player());
            if alike && side == Some(self.board.side) {
                found = Some(path.to_vec());
                return Look::End;
            }
            let goes_on =
                (prospect.actor == speaker && !prospect.between_turns) || prospect.actor == Actor::Chance;
            // In the middle of a word it is not further from what is shown than a throw, a sacrifice and a Defender make it.
            let plausible = path.len() < self.together() && self.board.differences(&board) <= 8;
            if goes_on && plausible { Look::Deeper } else { Look::Aside }
        });
        found.or(won)
    }

    /// True when nobody can tell yet what the last plies mean, but they are how something legal begins to be shown. They
    /// may have looked like something else that was complete.
    pub fn may_begin(&mut self, session: &mut dyn Session) -> bool {
        let begins = |&first: &usize| self.begins_at(session, first);
        let first = (0..self.entries.len()).rev().take(LONGEST_BEGINNING).find(begins);
        if let Some(first) = first {
            let mark = self.entries[first].before;
            self.go_to(session, mark);
        }
        first.is_some()
    }

    /// True when the plies from number `first` on are the first of those that show some decision.
    fn begins_at(&self, session: &dyn Session, first: usize) -> bool {
        let from = self.entries[first].before;
        let speaker = decider(session, from.decisions);
        let plies = self.entries[first..].iter().filter_map(|entry| entry.ply);
        let before = self.board_before(first);
        if !before.looks_like(&self.goal_at(session, from).board) {
            // In the middle of something.
            return false;
        }
        let mut possible = false;
        session.explore(from.decisions, &mut |path, prospect| {
            let side = prospect.actor.player().unwrap_or(before.side);
            let goal = Board::new(session.facts(), &prospect.shown, side);
            // Where much differs, the plies are not worth computing.
            if before.differences(&goal) <= 12
                && before.plies_to(&goal).into_iter().take(plies.clone().count()).eq(plies.clone())
            {
                possible = true;
                return Look::End;
            }
            let goes_on = prospect.actor == speaker || prospect.actor == Actor::Chance;
            let deeper = goes_on && !prospect.between_turns && path.len() < self.together().min(2);
            if deeper { Look::Deeper } else { Look::Aside }
        });
        possible
    }
}

/// Who decided behind the first `tokens` tokens, or decides now.
fn decider(session: &dyn Session, tokens: usize) -> Actor {
    session.prospect(tokens + 1).map_or(session.actor(), |next| next.by)
}

/// True for declining and stopping.
pub(super) fn is_silent(legs: &Legs) -> bool {
    legs.iter().all(|leg| *leg == Leg::Pass)
}
