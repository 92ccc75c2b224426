//! The state of a game in progress as the page receives it, depending on the viewer.

use super::legal_decisions::legal_decisions;
use super::story;
use super::thinking::arrows;
use super::view::{self, Said};
use super::web_game::WebGame;
use crate::base::Color;
use crate::engine::query;
use crate::game::{Actor, Roles};
use crate::live_game::{Played, Progress, Seat, Viewer, progress};
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl WebGame {
    /// What the page of the players may show.
    pub fn viewer(&self) -> Viewer {
        self.table.viewer()
    }

    /// What a page may show that `plays`, or only watches.
    pub(super) fn viewer_who(&self, plays: bool) -> Viewer {
        if plays || self.viewer() == Viewer::All { self.viewer() } else { Viewer::Nobody }
    }

    /// The board after the first `at` tokens of the game or of a variation, and the legal decisions there.
    pub(super) fn look(&self, at: usize, variation: Option<usize>, plays: bool) -> Result<Value, String> {
        let line = match variation {
            Some(number) if self.viewer() == Viewer::All => self.variations.get(number)?,
            Some(_) => return Err("a variation would show hidden cards".into()),
            None => &self.table.played().line(),
        };
        let tokens = line.tokens.get(..at).ok_or("the game has not come so far")?;
        // What the tokens hide is not on the board.
        let then = self.table.played().replay(tokens)?;
        let session = then.session();
        let rolls = self.table.rolls();
        let goes_on = self.viewer() == Viewer::All && !self.table.was_shown();
        let decides = session.actor().player().filter(|_| session.outcome().is_none());
        let person = decides.is_some_and(|color| self.table.seats()[color.index()] == Seat::Person);
        let yours = plays && goes_on && person;
        let legal = if yours { legal_decisions(session, rolls) } else { Vec::new() };
        Ok(json!({
            "type": "look", "at": at, "variation": variation, "board": last_turn(&then).0, "legal": legal,
            "steps": session.steps().filter(|_| yours),
        }))
    }

    /// The state of the game for a page that `plays`, or only watches.
    pub fn state(&self, plays: bool) -> Value {
        let session = self.table.session();
        let facts = session.facts();
        let (viewer, ending) = (self.viewer_who(plays), self.table.ending());
        let (board, reports) = last_turn(self.table.played());
        let rolls = self.table.rolls();
        let person = self.table.seat_to_decide() == Some(Seat::Person)
            || rolls && ending.is_none() && session.actor() == Actor::Chance;
        let yours = plays && person && viewer != Viewer::Nobody;
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
            words: self.words.of(turn.end).map(str::to_owned),
            ..turn.into()
        });
        let variations = match viewer {
            Viewer::All => self.variations.tree(&self.table.played().line()),
            _ => Vec::new(),
        };
        json!({
            "type": "state", "session": self.name, "key": plays.then_some(&self.key), "game": facts.name,
            "rules": session.rules().iter().collect::<BTreeMap<_, _>>(),
            "seats": self.table.seats(),
            "level": self.table.level.to_string(),
            "tc": self.table.clocks().control().to_string(),
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
            "prompt": self.prompt(viewer, plays, yours),
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

    fn prompt(&self, viewer: Viewer, plays: bool, yours: bool) -> String {
        let session = self.table.session();
        if let Some(ending) = self.table.ending() {
            return format!("{} · {}", ending.result(), ending.reason);
        }
        let Some(color) = self.table.to_decide() else {
            return "Roll the die. What does it show?".to_owned();
        };
        if viewer == Viewer::Nobody && plays {
            return format!("{color} decides next, and nobody else may look at the screen.");
        }
        if !yours && self.table.seat_to_decide() == Some(Seat::Person) {
            return format!("{color} to move.");
        }
        if !yours {
            let what = if self.paused { "stands still" } else { "is thinking" };
            return format!("Carom ({color}) {what}.");
        }
        let lone = self.table.lone_person().is_some();
        match viewer.known(session).prompt(&[]) {
            Some(prompt) if lone => prompt.question,
            Some(prompt) => format!("{color}: {}", prompt.question),
            None if lone => "Your move.".to_owned(),
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
