//! What the user's mouse can say at one point of a game of steps: which square to which, as which letter, and what that
//! decides. Decisions that move nothing are said by gestures: a move that XBoard is told to take back.

use super::plies::Shown;
use super::steps::{Steps, is_silent};
use crate::base::Color;
use crate::game::Facts;
use crate::notation::{Coordinate, Leg};
use crate::session::{Look, Prospect, Session};

/// Something the mouse can say.
pub(super) struct Meaning {
    pub from: Origin,
    /// On the way: a man taken beside the way's end.
    pub via: Option<Coordinate>,
    pub to: Coordinate,
    /// The letter that the man has afterwards, upper case; `None` for the one it has.
    pub letter: Option<u8>,
    /// Why XBoard is told to take the ply back; `None` for a ply that stands.
    pub gesture: Option<&'static str>,
    pub says: Says,
}

/// Where the mouse begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Square(Coordinate),
    /// Any man of one's own.
    Anywhere,
    /// The pieces beside the board.
    Hand,
}

/// What a meaning decides.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Says {
    Path(Vec<u32>),
    /// One of several that are chosen together.
    Mark(Leg),
}

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
    /// The end of a turn, no throw.
    pub const END: u8 = b'W';
    /// The ball goes, the piece stays.
    pub const BALL: u8 = b'G';
}

/// All that the mouse can say now. XBoard's board must agree with the game.
pub(super) fn meanings(session: &dyn Session, steps: &Steps) -> Vec<Meaning> {
    let Some(mover) = session.actor().player() else { return Vec::new() };
    let mut list = List { steps, facts: session.facts(), mover, found: Vec::new(), open: None };
    session.explore(&mut |path, prospect| list.add(path, prospect));
    list.found
}

struct List<'a> {
    steps: &'a Steps,
    facts: &'static Facts,
    mover: Color,
    found: Vec<Meaning>,
    /// The move after which a throw may follow.
    open: Option<Open>,
}

/// A move after which its player decides again.
#[derive(Clone, Copy)]
struct Open {
    /// Its number in the list.
    index: usize,
    to: Coordinate,
    /// The letter there when the ball is thrown.
    thrown: Option<u8>,
    /// It may also end the turn.
    holds: bool,
}

impl List<'_> {
    fn add(&mut self, path: &[u32], prospect: &Prospect) -> Look {
        if path.len() > 1 {
            return self.continue_move(path, prospect);
        }
        self.open = None;
        let path = || Says::Path(path.to_vec());
        let after = || self.steps.draw(self.facts, &prospect.position, self.mover);
        let shown = &self.steps.shown;
        match *prospect.legs.as_slice() {
            _ if is_silent(&prospect.legs) => {
                let reason = if self.steps.view.each { "end of turn" } else { "no more" };
                for to in self.holes(false) {
                    self.push(Origin::Anywhere, to, None, Some(reason), path());
                }
            }
            [Leg::Move { from, to, .. }] => {
                let letter = self.change(from, after().at(to));
                self.push(Origin::Square(from), to, letter, None, path());
                if !self.steps.view.each && prospect.actor == prospect.by && !prospect.between_turns {
                    self.open = Some(Open { index: self.found.len() - 1, to, thrown: None, holds: false });
                    return Look::Deeper;
                }
            }
            [Leg::Move { from, to: via, .. }, Leg::Move { to, .. }] => {
                let letter = self.change(from, after().at(to));
                self.push(Origin::Square(from), to, letter, None, path());
                if let Some(last) = self.found.last_mut() {
                    last.via = Some(via);
                }
            }
            [Leg::Put { letter: b'D', at }] => {
                for to in self.holes(true) {
                    self.push(Origin::Square(at), to, None, Some("Defender"), path());
                }
            }
            [Leg::Put { letter: b'X', at }] if self.steps.view.each => {
                self.push(Origin::Anywhere, at, None, Some("sent off"), path());
            }
            [Leg::Put { letter: b'X', .. }, ..] => self.add_sacrifice(&prospect.legs, path()),
            [Leg::Put { letter: b'O', .. }, ..] => {
                let Some(Leg::Put { at: to, .. }) = prospect.legs.last().copied() else { return Look::Aside };
                if !self.steps.view.each {
                    self.push(Origin::Anywhere, to, None, Some("ball"), path());
                } else if let Some(from) = self.shooter(&after(), to) {
                    let own = shown.color_at(to) == Some(self.mover);
                    let ball = if own && shown.at(to).is_some_and(|c| !c.eq_ignore_ascii_case(&b'O')) {
                        after().at(to).map_or(b'O', |letter| letter.to_ascii_uppercase())
                    } else {
                        b'O'
                    };
                    self.push(Origin::Square(from), to, Some(ball), None, path());
                }
            }
            [Leg::Put { at, .. }] => self.push(Origin::Hand, at, None, None, path()),
            _ => {}
        }
        Look::Aside
    }

    fn push(
        &mut self,
        from: Origin,
        to: Coordinate,
        letter: Option<u8>,
        gesture: Option<&'static str>,
        says: Says,
    ) {
        let known = self.found.iter().any(|m| {
            m.from == from && m.to == to && m.letter == letter && (m.says == says || m.via.is_none())
        });
        // Two ways to the same board (a shot and a ricochet) are one for the mouse.
        if !known || !self.steps.view.each {
            self.found.push(Meaning { from, via: None, to, letter, gesture, says });
        }
    }

    /// What follows a move after which its player still decides: to hold the ball, or to throw it.
    fn continue_move(&mut self, path: &[u32], prospect: &Prospect) -> Look {
        let Some(mut open) = self.open else { return Look::Aside };
        let known = open.thrown.is_some() && open.holds;
        if is_silent(&prospect.legs) {
            // Holding is the move as it is; throwing is told from it by the letter without the ball.
            let Some(meaning) = self.found.get_mut(open.index) else { return Look::Aside };
            let throw = std::mem::replace(&mut meaning.says, Says::Path(path.to_vec()));
            let (from, letter, gesture) = (meaning.from, open.thrown, Some("throw"));
            self.found.push(Meaning { from, via: None, to: open.to, letter, gesture, says: throw });
            open.holds = true;
        } else if let [Leg::Put { letter: b'O', .. }] = prospect.legs.as_slice()
            && open.thrown.is_none()
        {
            let board = self.steps.draw(self.facts, &prospect.position, self.mover);
            open.thrown = board.at(open.to).map(|letter| letter.to_ascii_uppercase());
        }
        if !known
            && open.holds
            && let Some(throw) = self.found.last_mut()
        {
            throw.letter = open.thrown;
        }
        self.open = Some(open);
        Look::Aside
    }

    fn add_sacrifice(&mut self, legs: &[Leg], path: Says) {
        let marked = &self.steps.marked;
        if !marked.iter().all(|leg| legs.contains(leg)) {
            return;
        }
        let open: Vec<Leg> = legs.iter().copied().filter(|leg| !marked.contains(leg)).collect();
        for leg in &open {
            let Leg::Put { at, .. } = *leg else { continue };
            let says = if open.len() == 1 { path.clone() } else { Says::Mark(*leg) };
            let from = Origin::Square(at);
            if !self.found.iter().any(|meaning| meaning.from == from && meaning.gesture == Some("given up")) {
                for to in self.holes(true) {
                    self.push(from, to, None, Some("given up"), says.clone());
                }
            }
        }
    }

    /// The letter on the destination, if it is not the one the man has where it stands.
    fn change(&self, from: Coordinate, to: Option<u8>) -> Option<u8> {
        let to = to?.to_ascii_uppercase();
        let now = self.steps.shown.at(from)?.to_ascii_uppercase();
        (to != now && to.is_ascii_uppercase()).then_some(to)
    }

    /// The piece that a ball leaves without moving.
    fn shooter(&self, after: &Shown, to: Coordinate) -> Option<Coordinate> {
        let shown = &self.steps.shown;
        shown
            .squares()
            .find(|&at| at != to && shown.color_at(at) == Some(self.mover) && shown.at(at) != after.at(at))
    }

    /// Squares that do not exist, to click on: the left half for "this one", the right half for "no more", all of them
    /// where only the end of a turn is said so.
    fn holes(&self, this_one: bool) -> Vec<Coordinate> {
        let half = self.facts.files / 2;
        let fits = |at: &Coordinate| self.steps.view.each || (at.file < half) == this_one;
        self.steps.shown.holes().filter(fits).collect()
    }
}

impl Meaning {
    fn begins_on(&self, from: Coordinate, steps: &Steps, mover: Color) -> bool {
        match self.from {
            Origin::Square(at) => at == from,
            Origin::Anywhere => steps.shown.color_at(from) == Some(mover),
            Origin::Hand => steps.shown.at(from).is_none(),
        }
    }
}

/// The meaning of a ply; one that names its man goes before one that any man has.
pub(super) fn meaning_of(
    list: Vec<Meaning>,
    steps: &Steps,
    mover: Color,
    ply: super::plies::Ply,
) -> Option<Meaning> {
    let super::plies::Ply::Move { from, over, to, letter } = ply else { return None };
    let letter = letter.map(|letter| letter.to_ascii_uppercase());
    let fits = |m: &Meaning| {
        let same_letter = m.letter == letter || (m.gesture.is_some() && m.letter.is_none());
        m.to == to && m.via == over && same_letter && m.begins_on(from, steps, mover)
    };
    let anywhere = |m: &Meaning| m.from == Origin::Anywhere;
    let mut fitting: Vec<Meaning> = list.into_iter().filter(fits).collect();
    fitting.sort_by_key(|m| (anywhere(m), m.letter != letter));
    fitting.into_iter().next()
}

/// The board of colours for the man lifted from `from`, after the leg to `via` if there was one.
pub(super) fn highlight(
    session: &dyn Session,
    steps: &Steps,
    from: Coordinate,
    via: Option<Coordinate>,
) -> Option<String> {
    let mover = session.actor().player()?;
    let list = meanings(session, steps);
    let mut colors = vec![0; steps.shown.size()];
    let matching: Vec<&Meaning> = list.iter().filter(|m| m.begins_on(from, steps, mover)).collect();
    for meaning in &matching {
        if via.is_none()
            && let Some(victim) = meaning.via
        {
            if let Some(place) = steps.shown.place(victim) {
                colors[place] = paint::MORE;
            }
            continue;
        }
        if meaning.via != via {
            continue;
        }
        let Some(place) = steps.shown.place(meaning.to) else { continue };
        let same =
            matching.iter().filter(|m| m.to == meaning.to && m.via == via && m.from != Origin::Anywhere);
        colors[place] = match meaning.gesture {
            _ if same.clone().count() > 1 => paint::CHOICE,
            _ if meaning.letter.is_some() => paint::FIXED,
            Some("end of turn" | "no more") => paint::END,
            Some("ball") => paint::BALL,
            Some(_) => paint::CAPTURE,
            None if steps.shown.color_at(meaning.to).is_some() => paint::CAPTURE,
            None => paint::QUIET,
        };
    }
    Some(super::targets::as_fen(&colors, session.facts()))
}

/// True when a click on `to` is the first of two legs of the man on `from`.
pub(super) fn goes_via(session: &dyn Session, steps: &Steps, from: Coordinate, to: Coordinate) -> bool {
    meanings(session, steps).iter().any(|m| m.from == Origin::Square(from) && m.via == Some(to))
}

/// The letters to choose from when the man lifted from `from` is put on `to`; the first is the one shown at once.
pub(super) fn choice(
    session: &dyn Session,
    steps: &Steps,
    from: Coordinate,
    via: Option<Coordinate>,
    to: Coordinate,
) -> Option<String> {
    const WORTH: &str = "FMQELRDJBCIN";
    let mover = session.actor().player()?;
    let own = steps.shown.at(from)?.to_ascii_uppercase();
    let list = meanings(session, steps);
    let here = |m: &&Meaning| {
        m.to == to && m.via == via && m.from != Origin::Anywhere && m.begins_on(from, steps, mover)
    };
    let mut letters: Vec<u8> = list.iter().filter(here).map(|m| m.letter.unwrap_or(own)).collect();
    letters.sort_by_key(|&letter| match letter {
        letter if letter == own => 0,
        b'O' => 99,
        letter => 1 + WORTH.find(char::from(letter)).unwrap_or(90),
    });
    letters.dedup();
    (letters != [own] && !letters.is_empty()).then(|| letters.into_iter().map(char::from).collect())
}
