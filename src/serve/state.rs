//! The state of a game in progress as the page receives it, depending on the viewer.

use super::places::Place;
use super::story;
use super::thinking::arrows;
use super::view::{self, Said, legal_decisions};
use super::web_game::WebGame;
use crate::base::Color;
use crate::engine::query;
use crate::game::{Actor, Roles};
use crate::live_game::{Played, Progress, Seat, Viewer, progress};
use serde_json::{Value, json};

/// The most tokens of a line that nobody has played.
const MOST_FURTHER: usize = 100;

impl WebGame {
    /// What the page of the players may show.
    pub fn viewer(&self) -> Viewer {
        self.table.viewer()
    }

    /// What a page in this place may show.
    pub(super) fn viewer_at(&self, place: Place) -> Viewer {
        match place {
            Place::Sits(color) => self.table.viewer_at(Some(color)),
            Place::Watches => self.table.viewer_at(None),
            Place::Plays => self.viewer(),
        }
    }

    /// True when the next decision is for a page in this place.
    pub(super) fn may_decide(&self, place: Place) -> bool {
        match place {
            Place::Watches => false,
            Place::Sits(color) => self.table.to_decide() == Some(color) && !self.keys.has_free_seat(),
            Place::Plays => {
                let chance = self.table.session().actor() == Actor::Chance && self.table.ending().is_none();
                self.table.seat_to_decide() == Some(Seat::Person) || self.table.rolls() && chance
            }
        }
    }

    /// The board after the first `at` tokens of the game or of a variation, and the legal decisions there.
    pub(super) fn look(
        &self,
        at: usize,
        variation: Option<usize>,
        further: &[String],
        place: Place,
    ) -> Result<Value, String> {
        let line = match variation {
            Some(number) if self.viewer_at(place) == Viewer::All => self.variations.get(number)?,
            Some(_) => return Err("a variation would show hidden cards".into()),
            None => &self.table.played().line(),
        };
        let mut tokens = line.tokens.get(..at).ok_or("the game has not come so far")?.to_vec();
        if !further.is_empty() && (self.viewer_at(place) != Viewer::All || further.len() > MOST_FURTHER) {
            return Err("further: expected a few tokens, where no cards are hidden".into());
        }
        tokens.extend_from_slice(further);
        // What the tokens hide is not on the board.
        let then = self.table.played().replay(&tokens)?;
        let session = then.session();
        let rolls = self.table.rolls();
        let goes_on = place == Place::Plays && self.viewer() == Viewer::All && !self.table.was_shown();
        let decides = session.actor().player().filter(|_| session.outcome().is_none());
        let person = decides.is_some_and(|color| self.table.seats()[color.index()] == Seat::Person);
        let yours = goes_on && person && further.is_empty();
        let legal = if yours { legal_decisions(session, rolls) } else { Vec::new() };
        Ok(json!({
            "type": "look", "at": at, "variation": variation, "walk": (!further.is_empty()).then_some(further), "board": last_turn(&then).0, "legal": legal,
            "steps": session.steps().filter(|_| yours),
        }))
    }

    /// The state of the game for a page in this place.
    pub fn state(&self, place: Place) -> Value {
        let session = self.table.session();
        let facts = session.facts();
        let (viewer, ending) = (self.viewer_at(place), self.table.ending());
        let (board, reports) = last_turn(self.table.played());
        let rolls = self.table.rolls();
        let yours = self.may_decide(place) && viewer != Viewer::Nobody;
        // What the page receives of the present position is computed from what its viewer may know.
        let known = viewer.known(session);
        let position = known.position();
        let roles = facts.roles.map_or_else(Roles::default, |roles| roles(&position));
        let now = self.now();
        let left = |color| self.table.time_left(color, now).map(|left| left.as_millis() as u64);
        let clocks = left(Color::White).zip(left(Color::Black));
        let actor = match ending {
            Some(_) => "nobody".to_owned(),
            None => query::answer(session, "actor", "").response,
        };
        let turns = self.table.played().turns(viewer).into_iter().map(|turn| Said {
            score: self.scores.get(&turn.end).copied().filter(|_| viewer == Viewer::All),
            words: self.words.of(turn.end).map(|own| own.words.clone()),
            san: self.words.of(turn.end).and_then(|own| own.san.clone()),
            ..turn.into()
        });
        let mut variations = match viewer {
            Viewer::All => self.variations.tree(&self.table.played().line()),
            _ => Vec::new(),
        };
        for branch in &mut variations {
            let line = self.variations.get(branch.number).ok();
            let short = line.and_then(|line| story::short_line(session, line)).unwrap_or_default();
            let before = short.len().saturating_sub(branch.turns.len());
            for (turn, san) in branch.turns.iter_mut().zip(short.into_iter().skip(before)) {
                turn.san = Some(san);
            }
        }
        json!({
            "type": "state", "session": self.name, "key": self.keys.key_of(place), "game": facts.name,
            "rules": view::object(session.rules().iter()),
            "seats": self.table.seats(),
            "level": self.table.level.to_string(),
            "tc": self.table.clocks().control().to_string(),
            "seat": match place {
                Place::Sits(color) => Some(view::word(color)),
                _ => None,
            },
            "friends": self.is_for_two().then(|| json!({
                "names": self.names, "present": self.present, "invitation": self.keys.invitation(place),
                "proposal": self.proposal.map(|(what, by)| json!({"what": what, "by": view::word(by)})),
            })),
            "viewer": match viewer {
                Viewer::All => "all",
                Viewer::Player(color) => view::word(color),
                Viewer::Nobody => "nobody",
            },
            "actor": actor,
            "turn": view::word(session.on_turn()),
            "yours": yours,
            "at": session.tokens_played(),
            "result": ending.map(|ending| json!({"result": ending.result(), "reason": ending.reason})),
            "prompt": self.prompt(viewer, place, yours),
            "check": session.checked_king().map(|king| king.to_string()),
            "told": reports,
            "board": board,
            "legal": if yours { legal_decisions(&*known, rolls) } else { Vec::new() },
            "steps": session.steps().filter(|_| yours),
            "turns": turns.collect::<Vec<_>>(),
            "variations": variations,
            "story": story::story(self.table.played()),
            "lesson": self.lesson(),
            "roles": roles.lines,
            "cards": known.deal().map(|deal| view::hands(&deal)),
            "fen": position.to_string(),
            "clocks": clocks,
            "running": self.table.running().map(view::word),
            "thinking": self.wanted(),
            "analysing": self.lines, "paused": self.paused, "roll": rolls,
        })
    }

    /// The task that is being done, and how far it has come.
    fn lesson(&self) -> Option<Value> {
        let (course, number) = self.lesson?;
        let lesson = course.lessons.get(number)?;
        let progress = match progress(lesson, self.table.played()) {
            Progress::Open => "open",
            Progress::Done => "done",
            Progress::Missed => "missed",
        };
        Some(json!({
            "game": course.game, "number": number, "of": course.lessons.len(), "task": lesson.task,
            "praise": lesson.praise, "way": lesson.way, "arrows": arrows(lesson.way), "progress": progress,
        }))
    }

    fn prompt(&self, viewer: Viewer, place: Place, yours: bool) -> String {
        let session = self.table.session();
        if let Some(ending) = self.table.ending() {
            return format!("{} · {}", ending.result(), ending.reason);
        }
        let Some(color) = self.table.to_decide() else {
            return "Roll the die. What does it show?".to_owned();
        };
        if viewer == Viewer::Nobody && place == Place::Plays {
            return format!("{color} decides next, and nobody else may look at the screen.");
        }
        if place.plays() && self.keys.has_free_seat() {
            return "Waiting for your friend.".to_owned();
        }
        if !yours && self.table.seat_to_decide() == Some(Seat::Person) {
            let name = self.names[color.index()].as_ref().filter(|_| self.is_for_two());
            return name
                .map_or_else(|| format!("{color} to move."), |name| format!("{name} ({color}) to move."));
        }
        if !yours {
            let what = if self.paused { "stands still" } else { "is thinking" };
            return format!("Carom ({color}) {what}.");
        }
        let lone = self.table.lone_person().is_some() || self.is_for_two();
        let check = session.checked_king().is_some();
        match viewer.known(session).prompt(&[]) {
            Some(prompt) if lone && check => format!("You are in check. {}", prompt.question),
            Some(prompt) if lone => prompt.question,
            Some(prompt) if check => format!("{color} is in check. {}", prompt.question),
            Some(prompt) => format!("{color}: {}", prompt.question),
            None if lone && check => "You are in check.".to_owned(),
            None if lone => "Your move.".to_owned(),
            None if check => format!("{color} to move, in check."),
            None => format!("{color} to move."),
        }
    }
}

/// The present board with what the last turn did, and the results of dice and cards in it.
fn last_turn(played: &Played) -> (Value, Vec<String>) {
    let session = played.session();
    let begin = played.turns(Viewer::All).iter().rev().nth(1).map_or(0, |turn| turn.end);
    let made = session.made(begin, session.tokens_played());
    let board = view::board(session.facts(), &session.shown(), &made);
    (board, made.iter().filter_map(|decision| decision.note()).collect())
}
