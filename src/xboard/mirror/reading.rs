//! What plies mean that come in from elsewhere: they are read by what they lead to. Guesses look at the session's history and
//! leave the game alone.

use super::{Mark, Mirror, is_silent};
use crate::game::Actor;
use crate::notation::Leg;
use crate::session::xboard_spelling::Ply;
use crate::session::{Look, Session};
use crate::xboard::board::Board;

/// So many plies may look like something else that is complete.
const LONGEST_BEGINNING: usize = 4;
/// So many plies, at most, are taken back one by one by somebody who does not say so.
const FURTHEST_BACK: usize = 64;

impl Mirror {
    /// Finds what the plies so far mean and plays that. False when they mean nothing yet.
    pub(super) fn read(&mut self, session: &mut dyn Session) -> bool {
        let passed = self.goal.ending.is_some_and(|mover| self.board.side != mover)
            && self.board.looks_like(&self.goal.board);
        if passed {
            // The pass that shows the end of a turn.
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
        // What looked like the end of a turn was not: more of it comes.
        if !session.prospect(here).is_some_and(|last| is_silent(&last.legs)) {
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

    /// Goes back to where the game has been, if the last plies have led XBoard's board there: something was taken back.
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

    /// Takes the last ply back if it is the only one of which the game does not know yet what it says.
    pub fn take_back_unread(&mut self) -> Option<Ply> {
        let unread = !self.agrees();
        let last = self.entries.pop_if(|last| unread && self.goal.is_shown(&last.board))?;
        self.board = last.board;
        last.ply
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
    pub(super) fn may_begin(&mut self, session: &mut dyn Session) -> bool {
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
        let plies: Vec<Ply> = self.entries[first..].iter().filter_map(|entry| entry.ply).collect();
        let before = &self.entries[first].board;
        if !before.looks_like(&self.goal_at(session, from).board) {
            // In the middle of something.
            return false;
        }
        let mut possible = false;
        session.explore(from.decisions, &mut |path, prospect| {
            let side = prospect.actor.player().unwrap_or(before.side);
            let goal = Board::new(session.facts(), &prospect.shown, side);
            // Where much differs, the plies are not worth computing.
            if before.differences(&goal) <= 12 && before.plies_to(&goal, Some(side)).starts_with(&plies) {
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
