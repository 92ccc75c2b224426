//! Reads plies that come in by what they lead to. Guessing only looks at the session's history and leaves the
//! game alone.

use super::{Mark, Mirror, is_silent};
use crate::game::Actor;
use crate::notation::Leg;
use crate::session::xboard_spelling::Ply;
use crate::session::{Look, Session};
use crate::xboard::board::Board;

/// How many of the last plies may be the beginning of something, although they looked complete.
const LONGEST_BEGINNING: usize = 4;
/// How many of the last positions are searched for the present one, when a client takes plies back without
/// `undo`.
const FURTHEST_BACK: usize = 64;

impl Mirror {
    /// Finds out what the plies so far mean, and plays that. False when they mean nothing yet.
    pub(super) fn read(&mut self, session: &mut dyn Session) -> bool {
        let passed = self.goal.ending.is_some_and(|mover| self.board.side != mover)
            && self.board.looks_like(&self.goal.board);
        if passed {
            // The ply was the pass that shows the end of a turn.
            self.arrive(session, Mark { end_shown: true, ..self.now });
        }
        let read = passed || self.agrees() || self.read_decisions(session);
        if read {
            self.settled = self.now;
        }
        read
    }

    fn read_decisions(&mut self, session: &mut dyn Session) -> bool {
        if self.goal.ending.is_some() {
            return false;
        }
        let here = self.now.decisions;
        if let Some(path) = self.find(session, here) {
            self.decide(session, &path);
            return true;
        }
        // What looked like the end of a turn may not have been one: more of the turn follows.
        if !session.last_of(here).is_some_and(|last| is_silent(&last.legs())) {
            return false;
        }
        let before = Mark { decisions: here - 1, end_shown: true };
        let stands = self.goal_at(session, before).is_shown(&self.board);
        let path = if stands { Some(Vec::new()) } else { self.find(session, here - 1) };
        let Some(path) = path else { return false };
        self.go_to(session, before);
        if !stands {
            self.decide(session, &path);
        }
        true
    }

    /// Goes back to an earlier point of the game, if the last plies have led XBoard's board there: a decision
    /// was taken back.
    pub(super) fn go_back(&mut self, session: &mut dyn Session) -> bool {
        let same = |board: &Board| board.side == self.board.side && board.looks_like(&self.board);
        let mut earlier = self.entries.iter().rev().skip(1).take(FURTHEST_BACK);
        let mark = earlier.find(|entry| same(&entry.board)).map(|entry| entry.before);
        let Some(mark) = mark.filter(|&mark| self.goal_at(session, mark).is_shown(&self.board)) else {
            return false;
        };
        self.go_to(session, mark);
        true
    }

    /// Takes back the last ply if it is the only one that the game has not understood yet.
    pub fn take_back_unread(&mut self) -> Option<Ply> {
        let unread = !self.agrees();
        let last = self.entries.pop_if(|last| unread && self.goal.is_shown(&last.board))?;
        self.board = last.board;
        last.ply
    }

    /// The decisions after the first `from` that lead to what XBoard's board shows.
    fn find(&self, session: &dyn Session, from: usize) -> Option<Vec<u32>> {
        let speaker = decider(session, from);
        speaker.player()?;
        let (mut found, mut won) = (None, None);
        session.explore(from, &mut |path, prospect| {
            // Cards are not shown on the board.
            if matches!(prospect.legs().first(), Some(Leg::Play(_))) {
                return Look::Skip;
            }
            let board = Board::new(session.facts(), &prospect.shown(), self.board.side);
            let alike = self.board.looks_like(&board);
            if prospect.actor() == Actor::Nobody {
                won = won.take().or(alike.then(|| path.to_vec()));
                return Look::Skip;
            }
            let side = self.closes(prospect).or(prospect.actor().player());
            if alike && side == Some(self.board.side) {
                found = Some(path.to_vec());
                return Look::End;
            }
            let goes_on = (prospect.actor() == speaker && !prospect.between_turns())
                || prospect.actor() == Actor::Chance;
            // In the middle of a token, the board differs from the goal by no more than a throw, a sacrifice
            // and a Defender can change.
            let plausible = path.len() < self.together() && self.board.differences(&board) <= 8;
            if goes_on && plausible { Look::Deeper } else { Look::Skip }
        });
        found.or(won)
    }

    /// True when the last plies are the beginning of those that show some legal decision, so that it is too
    /// early to read them. The game goes back to before them, since they may have looked like something
    /// complete.
    pub(super) fn may_begin(&mut self, session: &mut dyn Session) -> bool {
        let begins = |&first: &usize| self.begins_at(session, first);
        let first = (0..self.entries.len()).rev().take(LONGEST_BEGINNING).find(begins);
        if let Some(first) = first {
            let mark = self.entries[first].before;
            self.go_to(session, mark);
        }
        first.is_some()
    }

    /// True when the plies from number `first` on are the beginning of those that show some decision.
    fn begins_at(&self, session: &dyn Session, first: usize) -> bool {
        let from = self.entries[first].before;
        let speaker = decider(session, from.decisions);
        let plies: Vec<Ply> = self.entries[first..].iter().filter_map(|entry| entry.ply).collect();
        let before = &self.entries[first].board;
        if !before.looks_like(&self.goal_at(session, from).board) {
            // That would begin in the middle of something.
            return false;
        }
        let mut possible = false;
        session.explore(from.decisions, &mut |path, prospect| {
            let side = prospect.actor().player().unwrap_or(before.side);
            let goal = Board::new(session.facts(), &prospect.shown(), side);
            // Where much differs, the plies are not worth computing.
            if before.differences(&goal) <= 12 && before.plies_to(&goal, Some(side)).starts_with(&plies) {
                possible = true;
                return Look::End;
            }
            let goes_on = prospect.actor() == speaker || prospect.actor() == Actor::Chance;
            let deeper = goes_on && !prospect.between_turns() && path.len() < self.together().min(2);
            if deeper { Look::Deeper } else { Look::Skip }
        });
        possible
    }
}

/// The actor that made the decision after the first `tokens` tokens, or is to make it now.
fn decider(session: &dyn Session, tokens: usize) -> Actor {
    session.last_of(tokens + 1).map_or(session.actor(), |next| next.by())
}
