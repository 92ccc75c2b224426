//! Turns of several steps in a program that knows none: what XBoard shows, ply by ply, and what of the game that is.
//!
//! The game is decided step by step here: each decision is a token of its own in the session. Between two decisions
//! XBoard's board looks like ours and it is the decider's ply. Whoever decides makes the plies that lead from one such
//! point to the next; so plies that come in are read by what they lead to. See `protocol-docs/xboard.md`.

use super::plies::{Ply, Shown};
use crate::base::Color;
use crate::game::{Actor, Facts, StepView};
use crate::notation::{Leg, Legs, Position};
use crate::session::{Look, Prospect, Session};

/// One word of a player is never more decisions than this.
const LONGEST_WORD: usize = 5;
/// So many plies may look like something else that is complete.
const LONGEST_BEGINNING: usize = 4;

/// The game as a series of plies.
pub(super) struct Steps {
    pub view: &'static StepView,
    /// XBoard's board now.
    pub shown: Shown,
    /// The plies that led to it.
    entries: Vec<Entry>,
    /// Points of the game that were reached, whether or not they still count; the first is the start.
    moments: Vec<Moment>,
    /// The present one.
    now: usize,
    /// The last one that XBoard's board has shown.
    settled: usize,
    /// What the die showed since this was last taken: its face, and whether the wicket was taken.
    pub rolls: Vec<(char, bool)>,
    /// Men marked to be given up, of a choice that takes several.
    pub marked: Vec<Leg>,
}

struct Entry {
    ply: Ply,
    before: Shown,
    /// The last moment that XBoard's board had shown.
    moment: usize,
}

#[derive(Clone, Copy)]
struct Moment {
    /// The moment before, and what was decided there; a pass that only shows the end of a turn decides nothing.
    from: Option<(usize, Option<u32>)>,
    /// Decisions since the start.
    depth: usize,
    /// The turn of this colour is over, but the pass that shows it is still to come.
    ending: Option<Color>,
    /// Whose decision led here.
    by: Option<Color>,
    /// It was to decline, which is not seen on the board.
    silent: bool,
}

/// How XBoard's board would look at some point of the game.
pub(super) struct Goal {
    pub board: Shown,
    /// Whose ply it would be; `None` where that does not matter.
    pub side: Option<Color>,
}

impl Steps {
    pub fn new(session: &dyn Session, view: &'static StepView) -> Self {
        let facts = session.facts();
        let side = session.actor().player().unwrap_or(Color::White);
        Self {
            view,
            shown: Shown::new(facts, &(view.show)(&session.position()), side),
            entries: Vec::new(),
            moments: vec![Moment { from: None, depth: 0, ending: None, by: None, silent: false }],
            now: 0,
            settled: 0,
            rolls: Vec::new(),
            marked: Vec::new(),
        }
    }

    fn moment(&self) -> Moment {
        self.moments[self.now]
    }

    /// The colour whose turn is over but for the pass that shows it.
    pub fn ending(&self) -> Option<Color> {
        self.moment().ending
    }

    /// How many plies XBoard has counted.
    pub fn plies(&self) -> usize {
        self.entries.len()
    }

    pub fn draw(&self, facts: &Facts, position: &Position, side: Color) -> Shown {
        Shown::new(facts, &(self.view.show)(position), side)
    }

    /// What XBoard should show now.
    pub fn goal(&self, session: &dyn Session) -> Goal {
        let side = match (self.moment().ending, session.actor()) {
            (Some(mover), _) => Some(mover),
            (None, actor) => actor.player(),
        };
        let mut board = self.draw(session.facts(), &session.position(), side.unwrap_or(self.shown.side));
        for leg in &self.marked {
            if let Leg::Put { at, .. } = leg {
                board = board.without(*at);
            }
        }
        Goal { board, side }
    }

    /// True when XBoard shows what it should.
    pub fn agrees(&self, session: &dyn Session) -> bool {
        let goal = self.goal(session);
        self.shown.looks_like(&goal.board) && goal.side.is_none_or(|side| side == self.shown.side)
    }

    /// Carries out a ply on XBoard's board; false when it cannot be.
    pub fn show(&mut self, ply: Ply) -> bool {
        let before = self.shown.clone();
        let done = self.shown.carry_out(ply);
        if done {
            self.entries.push(Entry { ply, before, moment: self.settled });
        }
        done
    }

    /// Takes the last plies back; the game goes to where it was before them.
    pub fn take_back(&mut self, session: &mut dyn Session, plies: usize) {
        for _ in 0..plies {
            if let Some(entry) = self.entries.pop() {
                self.shown = entry.before;
                self.restore(session, entry.moment);
            }
        }
    }

    /// Takes back two plies, as `remove` says, and in the game the last decision of `color` with all that came after.
    /// XBoard's board may need a burst to agree.
    pub fn retract(&mut self, session: &mut dyn Session, color: Color) {
        let mut target = self.now;
        while let Some((before, decision)) = self.moments[target].from {
            let by = self.moments[target].by;
            target = before;
            if by == Some(color) && decision.is_some() {
                break;
            }
        }
        self.take_back(session, 2);
        if self.path_to(self.now) != self.path_to(target) {
            self.restore(session, target);
        }
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
        self.marked.clear();
        let by = session.actor().player();
        if !session.decide(decision) {
            // It was listed.
            return log::error!("a decision is refused");
        }
        let said = session.last_token().unwrap_or_default();
        let silent = matches!(said.trim_end_matches(','), "" | "0000");
        let (over, ended) = (session.actor() == Actor::Nobody, session.between_turns());
        if let Some(face) = rolled_face(&said) {
            self.rolls.push((face, over || (!ended && session.actor().player() != self.mover())));
        }
        // A turn that ends by itself is shown to end all the same; the pass that ended one was shown.
        let ending = by.filter(|_| self.view.each && ended && !over && !silent);
        let depth = self.moment().depth + 1;
        self.moments.push(Moment { from: Some((self.now, Some(decision))), depth, ending, by, silent });
        self.now = self.moments.len() - 1;
    }

    /// Who made the last decision that was a player's.
    fn mover(&self) -> Option<Color> {
        let mut at = self.now;
        while let Some((before, _)) = self.moments[at].from {
            if self.moments[at].by.is_some() {
                return self.moments[at].by;
            }
            at = before;
        }
        None
    }

    /// The pass that shows the end of a turn was made.
    pub fn end_shown(&mut self) {
        let moment = self.moment();
        self.moments.push(Moment { from: Some((self.now, None)), ending: None, ..moment });
        self.now = self.moments.len() - 1;
        self.settled = self.now;
    }

    /// The plies that make XBoard show the game as it stands, already carried out on our picture of its board.
    pub fn settle(&mut self, session: &dyn Session) -> Vec<Ply> {
        let mut plies = Vec::new();
        loop {
            let goal = self.goal(session);
            let burst = match goal.side {
                Some(side) => self.shown.burst(&goal.board.of(side)),
                // Whoever's ply it is then.
                None => {
                    let mut ways = Color::ALL.map(|side| self.shown.burst(&goal.board.clone().of(side)));
                    ways.sort_by_key(Vec::len);
                    let [shorter, _] = ways;
                    shorter
                }
            };
            for ply in burst {
                self.show(ply);
                plies.push(ply);
            }
            self.settled = self.now;
            if self.ending().is_none() {
                return plies;
            }
            self.show(Ply::Pass);
            plies.push(Ply::Pass);
            self.end_shown();
        }
    }

    fn path_to(&self, moment: usize) -> Vec<u32> {
        let mut path = Vec::with_capacity(self.moments[moment].depth);
        let mut at = moment;
        while let Some((before, decision)) = self.moments[at].from {
            path.extend(decision);
            at = before;
        }
        path.reverse();
        path
    }

    fn restore(&mut self, session: &mut dyn Session, moment: usize) {
        let (here, there) = (self.path_to(self.now), self.path_to(moment));
        let common = here.iter().zip(&there).take_while(|(one, other)| one == other).count();
        session.rewind(common);
        for &decision in &there[common..] {
            session.decide(decision);
        }
        self.now = moment;
        self.settled = moment;
        self.marked.clear();
    }

    /// Finds what the plies so far mean and plays that. False when they mean nothing yet.
    pub fn read(&mut self, session: &mut dyn Session) -> bool {
        let read = self.try_to_read(session);
        if read {
            self.settled = self.now;
        }
        read
    }

    fn try_to_read(&mut self, session: &mut dyn Session) -> bool {
        if self.agrees(session) {
            return true;
        }
        if let Some(mover) = self.ending() {
            let ended = self.shown.looks_like(&self.goal(session).board) && self.shown.side != mover;
            if ended {
                self.end_shown();
            }
            return ended;
        }
        if let Some(path) = self.find(session) {
            self.decide(session, &path);
            return true;
        }
        // What looked like the end of a turn was not: more of it comes.
        if self.moment().silent
            && let Some((before, _)) = self.moment().from
        {
            let (here, settled) = (self.now, self.settled);
            self.restore(session, before);
            if self.agrees(session) {
                return true;
            }
            if let Some(path) = self.find(session) {
                self.decide(session, &path);
                return true;
            }
            self.restore(session, here);
            self.settled = settled;
        }
        false
    }

    /// Goes back to where the game has been, if the last plies have led XBoard's board there: something was taken back.
    pub fn go_back(&mut self, session: &mut dyn Session) -> bool {
        let earlier = self.entries.iter().rev().skip(1).take(64);
        let mut same =
            earlier.filter(|e| e.before.side == self.shown.side && e.before.looks_like(&self.shown));
        let Some(moment) = same.next().map(|entry| entry.moment) else { return false };
        let (here, settled) = (self.now, self.settled);
        self.restore(session, moment);
        if self.agrees(session) {
            return true;
        }
        self.restore(session, here);
        self.settled = settled;
        false
    }

    /// Takes the last ply back if it is the only one of which the game does not know yet what it says.
    pub fn take_back_unread(&mut self, session: &dyn Session) -> Option<Ply> {
        let goal = self.goal(session);
        let alone = |entry: &mut Entry| {
            entry.before.looks_like(&goal.board) && goal.side.is_none_or(|side| side == entry.before.side)
        };
        if self.agrees(session) {
            return None;
        }
        let entry = self.entries.pop_if(alone)?;
        self.shown = entry.before;
        Some(entry.ply)
    }

    /// The decisions after which XBoard should show what it shows.
    fn find(&self, session: &dyn Session) -> Option<Vec<u32>> {
        let facts = session.facts();
        let speaker = session.actor();
        let mover = speaker.player()?;
        let (mut found, mut won) = (None, None);
        session.explore(&mut |path, prospect| {
            // Cards are not on the board.
            if matches!(prospect.legs.first(), Some(Leg::Play(_))) {
                return Look::Aside;
            }
            let board = self.draw(facts, &prospect.position, self.shown.side);
            let alike = self.shown.looks_like(&board);
            let over = prospect.actor == Actor::Nobody;
            if over {
                if alike && won.is_none() {
                    won = Some(path.to_vec());
                }
                return Look::Aside;
            }
            let stopped = is_silent(&prospect.legs) && prospect.by == speaker;
            if self.view.each {
                let side = if stopped { !mover } else { mover };
                if alike && side == self.shown.side {
                    found = Some(path.to_vec());
                    return Look::End;
                }
                return Look::Aside;
            }
            if alike && prospect.actor.player() == Some(self.shown.side) {
                found = Some(path.to_vec());
                return Look::End;
            }
            let goes_on =
                (prospect.actor == speaker && !prospect.between_turns) || prospect.actor == Actor::Chance;
            if goes_on && path.len() < LONGEST_WORD && self.plausible(&board) {
                Look::Deeper
            } else {
                Look::Aside
            }
        });
        found.or(won)
    }

    /// False when `board`, in the middle of a word, is further from what is shown than a throw, a sacrifice and a
    /// Defender can make it.
    fn plausible(&self, board: &Shown) -> bool {
        self.shown.differences(board) <= 8
    }

    /// True when nobody can tell yet what the last plies mean, but they are how something legal begins to be shown. They
    /// may have looked like something else that was complete.
    pub fn may_begin(&mut self, session: &mut dyn Session) -> bool {
        let (here, settled) = (self.now, self.settled);
        for back in 1..=LONGEST_BEGINNING.min(self.entries.len()) {
            let first = self.entries.len() - back;
            let moment = self.entries[first].moment;
            if moment != self.now {
                self.restore(session, moment);
            }
            if self.begins_at(session, first) {
                return true;
            }
        }
        self.restore(session, here);
        self.settled = settled;
        false
    }

    /// True when the plies from number `first` on are the first of those that show some decision.
    fn begins_at(&self, session: &dyn Session, first: usize) -> bool {
        let (facts, speaker) = (session.facts(), session.actor());
        let plies = self.entries[first..].iter().map(|entry| entry.ply);
        let before = &self.entries[first].before;
        let start = self.draw(facts, &session.position(), before.side);
        if !before.looks_like(&start) {
            // In the middle of something.
            return false;
        }
        let mut possible = false;
        session.explore(&mut |path, prospect| {
            let side = prospect.actor.player().unwrap_or(before.side);
            let goal = self.draw(facts, &prospect.position, side);
            // Where much differs, the burst is not worth computing.
            if before.differences(&goal) <= 12
                && before.burst(&goal).into_iter().take(plies.len()).eq(plies.clone())
            {
                possible = true;
                return Look::End;
            }
            let goes_on = prospect.actor == speaker || prospect.actor == Actor::Chance;
            let deeper = goes_on && !self.view.each && !prospect.between_turns && path.len() < 2;
            if deeper { Look::Deeper } else { Look::Aside }
        });
        possible
    }
}

/// True for declining and stopping.
pub(super) fn is_silent(legs: &Legs) -> bool {
    legs.iter().all(|leg| *leg == Leg::Pass)
}

/// True when the next thing to be said is a card.
pub(super) fn decides_by_cards(session: &dyn Session) -> bool {
    let mut cards = false;
    session.explore(&mut |_, prospect: &Prospect| {
        cards = matches!(prospect.legs.first(), Some(Leg::Play(_)));
        if cards || !is_silent(&prospect.legs) { Look::End } else { Look::Aside }
    });
    cards
}

/// The face of the die in a token that is nothing else.
fn rolled_face(token: &str) -> Option<char> {
    let mut text = token.trim_end_matches(',').strip_prefix('=')?.chars();
    text.next().filter(|face| face.is_ascii_digit() && text.next().is_none())
}
