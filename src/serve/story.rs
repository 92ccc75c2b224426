//! What has happened, step by step: for a page that shows it in order, lists it in words, or reads it out.

use super::view;
use crate::base::Color;
use crate::game::{Actor, DeedKind, Facts};
use crate::live_game::{Line, Played, Turn, Viewer};
use crate::notation::{Leg, Position};
use crate::session::{Look, Session, Successor};
use crate::variants::chess;
use litemap::LiteMap;
use serde_json::{Map, Value, json};

/// How many turns are told step by step: that of each side.
const TURNS: usize = 2;

/// The board before the last turns, and each decision since. Nothing in it is hidden from anybody: what a
/// player draws is not named.
pub fn story(played: &Played) -> Value {
    let session = played.session();
    let turns = played.turns(Viewer::All);
    let first = turns.len().saturating_sub(TURNS);
    let begin = first.checked_sub(1).map_or(0, |before| turns[before].end);
    let Some(mut shown) = session.shown_after(begin) else { return Value::Null };
    let facts = session.facts();
    let start = view::pieces(facts, &shown);
    let mut steps = Vec::new();
    let mut from = begin;
    for turn in &turns[first..] {
        for tokens in from + 1..=turn.end {
            for made in session.made(tokens - 1, tokens) {
                steps.push(step(facts, turn.owner, tokens, &*made, &mut shown));
            }
        }
        from = turn.end;
    }
    json!({"pieces": start, "steps": steps})
}

/// The decisions of `moves`, played from the present position of a figure: as [`story`] tells them.
pub fn told(facts: &Facts, start: &Position, made: &[Box<dyn Successor + '_>]) -> Value {
    let mut shown = start.clone();
    let owner = |made: &dyn Successor| made.by().player().unwrap_or(Color::White);
    let steps: Vec<Value> =
        made.iter().map(|made| step(facts, owner(&**made), 0, &**made, &mut shown)).collect();
    json!({"pieces": view::pieces(facts, start), "steps": steps})
}

/// One decision: what is drawn of it, how the board changes, and what is said of it.
fn step(facts: &Facts, owner: Color, at: usize, made: &dyn Successor, shown: &mut Position) -> Value {
    let (deed, after) = (made.deed(), made.shown());
    let (before, now) = (view::pieces(facts, shown), view::pieces(facts, &after));
    let mut change = Map::new();
    for square in before.keys().chain(now.keys()) {
        if before.get(square) != now.get(square) {
            let letter = now.get(square).map_or_else(|| "".into(), Value::clone);
            change.insert(square.clone(), letter);
        }
    }
    *shown = after;
    let chance = made.by() == Actor::Chance;
    // A card that is drawn is nobody's business.
    let what = made.legs().first().and_then(|leg| match leg {
        Leg::Roll(face) => Some(face.to_string()),
        Leg::Play(card) => Some(card.to_string()),
        _ => None,
    });
    json!({
        "by": view::word(owner), "at": at, "drawn": view::drawn(&deed), "change": change,
        "kind": kind(deed.kind), "what": what, "chance": chance, "words": words(made),
    })
}

const fn kind(kind: DeedKind) -> &'static str {
    match kind {
        DeedKind::Roll => "roll",
        DeedKind::Draw => "draw",
        DeedKind::Play => "card",
        DeedKind::Stop => "stop",
        DeedKind::Throw => "throw",
        _ => "move",
    }
}

/// What is said of a decision; empty where there is nothing to say.
fn words(made: &dyn Successor) -> String {
    made.deed().report.unwrap_or_default()
}

/// What is said of each turn, by the number of tokens before its end. Only what is new is worked out.
#[derive(Default)]
pub struct Words(LiteMap<usize, Description>);

/// A turn as a person reads it.
pub struct Description {
    text: String,
    /// In words.
    pub words: String,
    /// In short algebraic notation, where the game has it.
    pub san: Option<String>,
}

impl Words {
    /// Brings the sentences up to date with what was played.
    pub fn follow(&mut self, played: &Played) {
        let turns = played.turns(Viewer::All);
        let ends: Vec<usize> = turns.iter().map(|turn| turn.end).collect();
        self.0.retain(|end, _| ends.contains(end));
        let mut from = 0;
        for turn in &turns {
            if self.0.get(&turn.end).is_none_or(|own| own.text != turn.text) {
                let (words, san) = (played.in_words(from, turn.end), short(played, from, turn));
                self.0.insert(turn.end, Description { text: turn.text.clone(), words, san });
            }
            from = turn.end;
        }
    }

    /// What is said of the turn that ends there.
    pub fn of(&self, end: usize) -> Option<&Description> {
        self.0.get(&end)
    }
}

/// The turns of a line from the first position of `session` on in short algebraic notation: that is chess's.
pub fn short_line(session: &dyn Session, line: &Line) -> Option<Vec<String>> {
    if session.facts().name != chess::FACTS.name {
        return None;
    }
    let start = session.position_after(0)?.to_string();
    chess::san::write_line(&start, line.turns.iter().map(|turn| &*turn.text))
}

/// The turn that begins after `from` tokens in short algebraic notation: that is chess's.
fn short(played: &Played, from: usize, turn: &Turn) -> Option<String> {
    let session = played.session();
    if session.facts().name != chess::FACTS.name {
        return None;
    }
    let before = session.position_after(from)?.to_string();
    chess::san::write_line(&before, [&*turn.text])?.pop()
}

/// What is said of `token`, if it were played now.
pub fn of_token(session: &dyn Session, token: &str) -> Option<String> {
    let path = session.decisions_of(token)?;
    let mut said = Vec::new();
    session.explore(&mut |way, successor| {
        if !path.starts_with(way) {
            return Look::Skip;
        }
        said.push(words(successor));
        if way.len() == path.len() { Look::End } else { Look::Deeper }
    });
    said.retain(|words| !words.is_empty());
    (!said.is_empty()).then(|| sentence(&said))
}

fn sentence(said: &[String]) -> String {
    let text = said.join("; ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
