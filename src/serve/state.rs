//! What the page is told of a game in progress, by who looks.

use super::legal_decisions::{LegalDecision, legal_decisions};
use super::view::{self, Board, Branch, Hand, Said};
use super::web_game::WebGame;
use crate::base::Color;
use crate::game::{Actor, Roles};
use crate::live_game::{LiveGame, Seat, Viewer, cards_hidden};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Everything of a game in progress.
#[derive(Serialize)]
struct State<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    /// The name to join it by.
    session: &'a str,
    game: &'static str,
    rules: BTreeMap<&'static str, &'static str>,
    seats: [&'static str; 2],
    level: String,
    tc: String,
    /// Who looks: `all`, `white`, `black`, or `nobody` before the next player is alone.
    viewer: &'static str,
    /// Who decides, in the words of `query actor`.
    actor: &'static str,
    /// Whose turn it is: `white`, `black`.
    turn: &'static str,
    /// Somebody at the page decides.
    yours: bool,
    /// How many tokens have been played.
    at: usize,
    result: Option<Ended>,
    /// The question, in a sentence.
    prompt: String,
    /// What dice or cards brought, last.
    told: Vec<String>,
    board: Board,
    legal: Vec<LegalDecision>,
    steps: Option<(u8, u8)>,
    turns: Vec<Said>,
    variations: Vec<Branch>,
    /// Who has the ball and the like.
    roles: Vec<String>,
    /// The position as the viewer may know it.
    fen: String,
    cards: Option<[Hand; 2]>,
    clocks: Option<[u64; 2]>,
    /// Whose clock runs.
    running: Option<&'static str>,
    /// What the engine is doing: `play`, `hint`, `analyse`.
    thinking: Option<&'static str>,
    analysing: usize,
    paused: bool,
    roll: bool,
}

#[derive(Serialize)]
struct Ended {
    result: &'static str,
    reason: String,
}

impl WebGame {
    /// Who looks.
    pub fn viewer(&self) -> Viewer {
        self.live.viewer(self.trusted)
    }

    pub(super) fn position(&self) -> crate::notation::Position {
        let session = self.live.session();
        match self.viewer() {
            Viewer::All => session.position(),
            Viewer::Player(color) => session.position_for(color),
            Viewer::Nobody => cards_hidden(&session.position()),
        }
    }

    /// The board after so many tokens of the game, or of a variation; and what may be decided there instead.
    pub(super) fn look(&self, at: usize, variation: Option<usize>) -> Result<Value, String> {
        let line = match variation {
            Some(number) if self.viewer() == Viewer::All => self.variations.get(number)?,
            Some(_) => return Err("a variation would show hidden cards".into()),
            None => &self.live.line(),
        };
        let words = line.words.get(..at).ok_or("the game has not come so far")?;
        // What is hidden in the words is not on the board.
        let then = self.live.replay(words)?;
        let session = then.session();
        let rolls = self.live.engine.settings.referee;
        let yours = self.viewer() == Viewer::All && then.seat_to_decide() == Some(Seat::Person);
        let legal = if yours { legal_decisions(session, rolls) } else { Vec::new() };
        Ok(json!({
            "type": "look", "at": at, "variation": variation, "board": last_turn(&then).0, "legal": legal,
            "steps": session.steps().filter(|_| yours),
        }))
    }

    /// What the page is told of the game.
    pub fn state(&self) -> Value {
        let session = self.live.session();
        let (viewer, ending) = (self.viewer(), self.live.ending());
        let now = session.tokens_played();
        let turns = self.live.turns(viewer);
        let facts = session.facts();
        let (board, told) = last_turn(&self.live);
        let rolls = self.live.engine.settings.referee;
        let person = self.live.seat_to_decide() == Some(Seat::Person)
            || rolls && ending.is_none() && session.actor() == Actor::Chance;
        let yours = person && viewer != Viewer::Nobody;
        let roles = facts.roles.map_or_else(Roles::default, |roles| roles(&session.position()));
        let spent = self.since.elapsed();
        let clocks =
            Color::ALL.map(|color| self.live.time_left(color, spent).map(|left| left.as_millis() as u64));
        let position = self.position();
        let said = turns.iter().map(|turn| Said {
            by: view::word(turn.owner),
            text: turn.text.clone(),
            end: turn.end,
            score: self.scores.get(&turn.end).copied().filter(|_| viewer == Viewer::All),
        });
        let state = State {
            kind: "state",
            session: &self.name,
            game: facts.name,
            rules: session.rules().iter().collect(),
            seats: self.live.seats.map(|seat| if seat == Seat::Person { "person" } else { "engine" }),
            level: self.level.to_string(),
            tc: self.live.clocks[0].control().to_string(),
            viewer: match viewer {
                Viewer::All => "all",
                Viewer::Player(color) => view::word(color),
                Viewer::Nobody => "nobody",
            },
            actor: view::actor(session, ending.is_some()),
            turn: view::word(session.on_turn()),
            yours,
            at: now,
            prompt: self.prompt(yours),
            told,
            result: ending.map(|ending| Ended { result: ending.result(), reason: ending.reason.clone() }),
            board,
            legal: if yours { legal_decisions(session, rolls) } else { Vec::new() },
            steps: session.steps().filter(|_| yours),
            turns: said.collect(),
            variations: if viewer == Viewer::All {
                self.variations.tree(&self.live.line())
            } else {
                Vec::new()
            },
            roles: roles.lines,
            cards: view::hands(&position),
            fen: position.to_string(),
            clocks: clocks[0].zip(clocks[1]).map(|(white, black)| [white, black]),
            running: self.live.to_decide().filter(|_| clocks[0].is_some()).map(view::word),
            thinking: self.purpose(),
            analysing: self.lines,
            paused: self.paused,
            roll: rolls,
        };
        serde_json::to_value(state).unwrap_or_else(|error| {
            log::error!("a state that cannot be told: {error}");
            Value::Null
        })
    }

    fn prompt(&self, yours: bool) -> String {
        let session = self.live.session();
        if let Some(ending) = self.live.ending() {
            return format!("{} · {}", ending.result(), ending.reason);
        }
        let Some(color) = self.live.to_decide() else {
            return "Roll the die. What does it show?".to_owned();
        };
        if self.viewer() == Viewer::Nobody {
            return format!("{color} decides next, and nobody else may look at the screen.");
        }
        if !yours {
            let what = if self.paused { "stands still" } else { "is thinking" };
            return format!("Carom ({color}) {what}.");
        }
        let lone = self.live.lone_person().is_some();
        match session.question() {
            Some(question) if lone => question,
            Some(question) => format!("{color}: {question}"),
            None if lone => "Your move.".to_owned(),
            None => format!("{color} to move."),
        }
    }
}

/// The board as it is, with what the last turn did; and what dice and cards brought in it.
fn last_turn(live: &LiveGame) -> (Board, Vec<String>) {
    let session = live.session();
    let begin = live.turns(Viewer::All).iter().rev().nth(1).map_or(0, |turn| turn.end);
    let made = session.made(begin, session.tokens_played());
    let before = session.shown_after(begin);
    let board = view::board(session.facts(), &session.shown(), before.as_ref(), &made);
    (board, made.iter().filter_map(|prospect| prospect.told.clone()).collect())
}
