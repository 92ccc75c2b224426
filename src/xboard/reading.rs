//! What the plies mean that come in. They are read by what they lead to: among the decisions that a game
//! allows, those that XBoard's board may show.

use super::board::{Board, VANISH};
use super::mirror::{Mirror, Point, Shown, is_silent};
use crate::game::Actor;
use crate::game::gui::{Gesture, Origin, Signal};
use crate::notation::Leg;
use crate::session::xboard_spelling::{self, Ply};
use crate::session::{Look, Session};

/// How many of the last plies may be the beginning of something, although they looked complete.
const LONGEST_BEGINNING: usize = 4;
/// How many of the last positions are searched for the present one, when a client takes plies back without
/// `undo`.
const FURTHEST_BACK: usize = 64;

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

impl Mirror {
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
            return self.obey(ply, gesture);
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
            if let Some(point) = beginning(self, session) {
                return Heard::Incomplete(Change { back: Some(point), ..Change::default() });
            }
            if let Some(point) = earlier(self, session) {
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

    fn obey(&mut self, ply: Ply, gesture: Gesture) -> Heard {
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
        change(self, session)
    }
}

/// The decisions that XBoard's board shows beyond the present point of the game. `None` when there are none.
fn change(mirror: &Mirror, session: &dyn Session) -> Option<Change> {
    if mirror.goal.ending.is_some() {
        return None;
    }
    let here = mirror.now.decisions;
    if let Some(path) = find(mirror, session, here) {
        return Some(Change { back: None, path, shown: true });
    }
    // What looked like the end of a turn may not have been one: more of the turn follows.
    if !session.last_of(here).is_some_and(|last| is_silent(&last.legs())) {
        return None;
    }
    let before = Point { decisions: here - 1, end_shown: true };
    let stands = mirror.goal_at(session, before).is_shown(&mirror.board);
    let path = if stands { Vec::new() } else { find(mirror, session, here - 1)? };
    Some(Change { back: Some(before), path, shown: true })
}

/// The decisions after the first `from` that lead to what XBoard's board shows.
fn find(mirror: &Mirror, session: &dyn Session, from: usize) -> Option<Vec<u32>> {
    let board = &mirror.board;
    let decider = decider(session, from);
    decider.player()?;
    let (mut found, mut won) = (None, None);
    session.explore_after(from, &mut |path, successor| {
        // Cards are not shown on the board.
        if matches!(successor.legs().first(), Some(Leg::Play(_))) {
            return Look::Skip;
        }
        let after = Board::new(session.facts(), &successor.shown(), board.side);
        let alike = board.looks_like(&after);
        if successor.actor() == Actor::Nobody {
            won = won.take().or(alike.then(|| path.to_vec()));
            return Look::Skip;
        }
        let side = mirror.closes(successor).or(successor.actor().player());
        if alike && side == Some(board.side) {
            found = Some(path.to_vec());
            return Look::End;
        }
        let goes_on = (successor.actor() == decider && !successor.between_turns())
            || successor.actor() == Actor::Chance;
        // In the middle of a token, the board differs from the goal by no more than a throw, a sacrifice and
        // a Defender can change.
        let plausible = path.len() < mirror.together && board.differences(&after) <= 8;
        if goes_on && plausible { Look::Deeper } else { Look::Skip }
    });
    found.or(won)
}

/// The point to which the game returns when the last plies are the beginning of those that show some legal
/// decision, so that it is too early to read them: the one before them, since they may have looked like
/// something complete.
fn beginning(mirror: &Mirror, session: &dyn Session) -> Option<Point> {
    let begins = |&first: &usize| begins_at(mirror, session, first);
    let first = (0..mirror.plies()).rev().take(LONGEST_BEGINNING).find(begins)?;
    Some(mirror.shown[first].before)
}

/// True when the plies from number `first` on are the beginning of those that show some decision.
fn begins_at(mirror: &Mirror, session: &dyn Session, first: usize) -> bool {
    let Shown { board: before, before: from, .. } = &mirror.shown[first];
    if !before.looks_like(&mirror.goal_at(session, *from).board) {
        // That would begin in the middle of something.
        return false;
    }
    let decider = decider(session, from.decisions);
    let plies: Vec<Ply> = mirror.shown[first..].iter().filter_map(|shown| shown.ply).collect();
    let mut possible = false;
    session.explore_after(from.decisions, &mut |path, successor| {
        let side = successor.actor().player().unwrap_or(before.side);
        let goal = Board::new(session.facts(), &successor.shown(), side);
        // Where much differs, the plies are not worth computing.
        if before.differences(&goal) <= 12 && before.plies_to(&goal, Some(side)).starts_with(&plies) {
            possible = true;
            return Look::End;
        }
        let goes_on = successor.actor() == decider || successor.actor() == Actor::Chance;
        let deeper = goes_on && !successor.between_turns() && path.len() < mirror.together.min(2);
        if deeper { Look::Deeper } else { Look::Skip }
    });
    possible
}

/// The earlier point of the game to which the last plies have led XBoard's board back, if there is one: a
/// decision was taken back.
fn earlier(mirror: &Mirror, session: &dyn Session) -> Option<Point> {
    let same = |board: &Board| board.side == mirror.board.side && board.looks_like(&mirror.board);
    let mut earlier = mirror.shown.iter().rev().skip(1).take(FURTHEST_BACK);
    let point = earlier.find(|shown| same(&shown.board)).map(|shown| shown.before)?;
    mirror.goal_at(session, point).is_shown(&mirror.board).then_some(point)
}

/// The actor that made the decision after the first `from`, or is to make it now.
fn decider(session: &dyn Session, from: usize) -> Actor {
    session.last_of(from + 1).map_or(session.actor(), |next| next.by())
}
