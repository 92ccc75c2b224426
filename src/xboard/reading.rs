//! Reads plies that come in by what they lead to: among the decisions that a game allows, those that
//! XBoard's board may show.

use super::board::Board;
use super::mirror::{Change, Mirror, Point, Shown};
use crate::base::Color;
use crate::game::Actor;
use crate::notation::{Leg, Legs};
use crate::session::xboard_spelling::Ply;
use crate::session::{Look, Session};

/// How many of the last plies may be the beginning of something, although they looked complete.
const LONGEST_BEGINNING: usize = 4;
/// How many of the last positions are searched for the present one, when a client takes plies back without
/// `undo`.
const FURTHEST_BACK: usize = 64;

/// The decisions that XBoard's board shows beyond the present point of the game. `None` when there are none.
pub(super) fn change(mirror: &Mirror, session: &dyn Session) -> Option<Change> {
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
        // Where a roll begins the next turn, that turn is the other side's.
        let rolls = successor.actor() == Actor::Chance && successor.between_turns();
        let next = decider.player().filter(|_| rolls).map(Color::other);
        let side = mirror.closes(successor).or(successor.actor().player()).or(next);
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
pub(super) fn beginning(mirror: &Mirror, session: &dyn Session) -> Option<Point> {
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
pub(super) fn earlier(mirror: &Mirror, session: &dyn Session) -> Option<Point> {
    let same = |board: &Board| board.side == mirror.board.side && board.looks_like(&mirror.board);
    let mut earlier = mirror.shown.iter().rev().skip(1).take(FURTHEST_BACK);
    let point = earlier.find(|shown| same(&shown.board)).map(|shown| shown.before)?;
    mirror.goal_at(session, point).is_shown(&mirror.board).then_some(point)
}

/// The actor that made the decision after the first `from`, or is to make it now.
fn decider(session: &dyn Session, from: usize) -> Actor {
    session.last_of(from + 1).map_or(session.actor(), |next| next.by())
}

/// True when nothing is done: a player declines or stops.
pub(super) fn is_silent(legs: &Legs) -> bool {
    legs.iter().all(|leg| *leg == Leg::Pass)
}
