//! A game whose rules are not known here: its turns are tokens without meaning, and the players alternate.

use super::board::Board;
use super::chance::Chance;
use super::contract::{LegalTokens, Session, Views};
use super::error::SessionError;
use super::successor::Successor;
use crate::base::Color;
use crate::game::gui::XboardView;
use crate::game::{Actor, Deed, DeedKind, Facts, Outcome, Rules};
use crate::notation::{Legs, Placement, Position, parse_position};
use std::sync::Arc;

/// What an engine announces of a game that is not ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// The name of the game.
    pub name: String,
    /// The width of the board.
    pub files: u8,
    /// The height of the board.
    pub ranks: u8,
    /// The most pieces a hand may hold.
    pub hand: u8,
    /// The start position; empty when the engine did not announce one.
    pub start: String,
    /// The argument of XBoard's `setup` command, without the position; `None` where XBoard knows the game.
    pub setup: Option<String>,
}

impl Announcement {
    /// The facts of the game. They are never freed, so make them only once for each game.
    #[must_use]
    pub fn into_facts(self) -> &'static Facts {
        let text = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
        let setup = self.setup.map(text);
        let name = text(self.name);
        Box::leak(Box::new(Facts {
            name,
            title: name,
            files: self.files,
            ranks: self.ranks,
            hand: self.hand,
            start: text(self.start),
            xboard: Box::leak(Box::new(XboardView { setup, ..XboardView::KNOWN })),
            ..Facts::PLAIN
        }))
    }
}

/// The length of the longest text that is accepted as a turn, in bytes.
const LONGEST_TURN: usize = 64;

/// What somebody who knows the rules says of a game as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The legal turns.
    pub legal: Vec<String>,
    /// How the game has ended, if it has.
    pub outcome: Option<Outcome>,
}

/// Somebody who knows the rules: another program.
pub trait Judge: Send + Sync {
    /// What is to be said after these turns from `start`, the usual one if it is `None`.
    fn verdict(&self, start: Option<&str>, turns: &[String]) -> Verdict;
}

/// A game in progress of which only the tokens are known, perhaps with a judge who knows more.
#[derive(Clone)]
pub struct OpaqueSession {
    judge: Option<Arc<dyn Judge>>,
    facts: &'static Facts,
    rules: Rules,
    /// The start position as it was given; `None` for the usual one.
    start: Option<String>,
    tokens: Vec<String>,
}

impl OpaqueSession {
    /// A session at the start of the game that `facts` describes.
    #[must_use]
    pub fn new(facts: &'static Facts) -> Self {
        Self { judge: None, facts, rules: Rules::of(facts), start: None, tokens: Vec::new() }
    }

    /// The same with a judge, who decides what is legal and when the game is over.
    #[must_use]
    pub fn judged(facts: &'static Facts, judge: Arc<dyn Judge>) -> Self {
        Self { judge: Some(judge), ..Self::new(facts) }
    }

    fn verdict(&self) -> Option<Verdict> {
        Some(self.judge.as_ref()?.verdict(self.start.as_deref(), &self.tokens))
    }

    fn start_text(&self) -> &str {
        self.start.as_deref().unwrap_or(self.facts.start)
    }

    fn starter(&self) -> Color {
        if self.start_text().split_whitespace().nth(1) == Some("b") { Color::Black } else { Color::White }
    }

    fn mover_after(&self, tokens: usize) -> Color {
        if tokens.is_multiple_of(2) { self.starter() } else { !self.starter() }
    }

    /// The first position, as far as it can be drawn.
    fn drawn_start(&self) -> Position {
        parse_position(self.start_text()).unwrap_or_else(|_| {
            let side = self.starter().letter().to_string();
            let placement = Placement::new(self.facts.files.clamp(1, 16), self.facts.ranks.clamp(1, 17));
            Position { placement, hand: None, fields: vec![side] }
        })
    }
}

/// Checks that `token` has the form of a turn.
fn look_at(token: &str) -> Result<(), SessionError> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"@,-=+*:;!'".contains(&byte);
    if token.is_empty() || token.len() > LONGEST_TURN || !token.bytes().all(allowed) {
        return Err(SessionError::Illegal("this is no turn in coordinates".into()));
    }
    Ok(())
}

/// A turn of which only the players are known.
struct Turn {
    by: Color,
    actor: Color,
    shown: Position,
    token: String,
}

impl Successor for Turn {
    fn legs(&self) -> Legs {
        Legs::new()
    }

    fn by(&self) -> Actor {
        Actor::Player(self.by)
    }

    fn actor(&self) -> Actor {
        Actor::Player(self.actor)
    }

    fn between_turns(&self) -> bool {
        true
    }

    fn shown(&self) -> Position {
        self.shown.clone()
    }

    fn deed(&self) -> Deed {
        Deed::new(DeedKind::Move, &*self.token)
    }
}

impl Session for OpaqueSession {
    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn set_chance(&mut self, _chance: Chance) {}

    fn set_up(
        &mut self,
        position: Option<&str>,
        tokens: &mut dyn Iterator<Item = &str>,
    ) -> Result<(), SessionError> {
        let mut played = Vec::new();
        for (index, token) in tokens.enumerate() {
            look_at(token).map_err(|reason| SessionError::InList {
                token: token.chars().take(LONGEST_TURN).collect(),
                number: index + 1,
                reason: Box::new(reason),
            })?;
            played.push(token.to_owned());
        }
        self.start = position.map(str::to_owned);
        self.tokens = played;
        Ok(())
    }

    fn play(&mut self, token: &str) -> Result<(), SessionError> {
        self.check(token)?;
        self.tokens.push(token.to_owned());
        Ok(())
    }

    fn tokens_played(&self) -> usize {
        self.tokens.len()
    }

    fn rewind(&mut self, tokens: usize) {
        self.tokens.truncate(tokens);
    }

    fn actor(&self) -> Actor {
        Actor::Player(self.on_turn())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.verdict()?.outcome
    }

    fn position(&self) -> Position {
        self.drawn_start().with_turn(self.on_turn())
    }

    fn usual_start(&self) -> Position {
        Self::new(self.facts).drawn_start()
    }

    fn position_after(&self, tokens: usize) -> Option<Position> {
        (tokens <= self.tokens.len()).then(|| self.drawn_start())
    }

    fn on_turn(&self) -> Color {
        self.mover_after(self.tokens.len())
    }

    fn flip(&mut self) -> Result<(), SessionError> {
        Err(SessionError::Unable("the rules of this game are not known here".into()))
    }

    fn last_token(&self) -> Option<String> {
        self.tokens.last().cloned()
    }

    fn between_turns(&self) -> bool {
        true
    }
}

impl LegalTokens for OpaqueSession {
    fn continuations(&self) -> Vec<String> {
        self.verdict().map(|verdict| verdict.legal).unwrap_or_default()
    }

    fn check(&self, token: &str) -> Result<(), SessionError> {
        look_at(token)?;
        match self.verdict() {
            Some(verdict) if !verdict.legal.iter().any(|legal| legal == token) => {
                Err(SessionError::Illegal("the referee does not list it".into()))
            }
            _ => Ok(()),
        }
    }
}

impl Views for OpaqueSession {
    fn position_for(&self, _viewer: Color) -> Position {
        self.position()
    }

    fn known_to(&self, _players: &[Color]) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn seen_by(&self, _player: Color) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn start_for(&self, _viewer: Color) -> Position {
        self.drawn_start()
    }

    fn as_text(&self) -> (Option<String>, Vec<String>) {
        (self.start.clone(), self.tokens.clone())
    }
}

impl Board for OpaqueSession {
    fn shown(&self) -> Position {
        self.position()
    }

    fn shown_after(&self, tokens: usize) -> Option<Position> {
        self.position_after(tokens)
    }

    fn last_of(&self, tokens: usize) -> Option<Box<dyn Successor + '_>> {
        let before = tokens.checked_sub(1).filter(|_| tokens <= self.tokens.len())?;
        let (by, actor) = (self.mover_after(before), self.mover_after(tokens));
        let token = self.tokens[before].clone();
        Some(Box::new(Turn { by, actor, shown: self.drawn_start(), token }))
    }

    fn typed(&self, _word: &str) -> Result<u32, String> {
        Err("the rules of this game are not known here".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_as_they_come_and_sides_alternate() {
        let facts = Announcement {
            name: "odd".into(),
            files: 10,
            ranks: 10,
            hand: 2,
            start: "not a board b".into(),
            setup: Some("10x10+2_fairy".into()),
        };
        let mut session = OpaqueSession::new(facts.into_facts());
        assert_eq!(session.actor(), Actor::Player(Color::White), "the board is text nobody reads");
        session.set_up(Some("8/8/8/8/8/8/8/8[QQ+] b 1+1"), &mut ["a1a10", "P@b2"].into_iter()).unwrap();
        assert_eq!(session.actor(), Actor::Player(Color::Black));
        session.play("e7e8+,e8a1").unwrap();
        let (start, tokens) = session.as_text();
        assert_eq!(start.as_deref(), Some("8/8/8/8/8/8/8/8[QQ+] b 1+1"));
        assert_eq!(tokens, ["a1a10", "P@b2", "e7e8+,e8a1"]);
        assert_eq!(session.position_after(3).is_some(), session.last_of(3).is_some());
        let game: &mut dyn Session = &mut session;
        assert!(game.take_back() && game.tokens_played() == 2);
        for no_turn in ["", "a b", "{x}", "<none>", &"a1".repeat(40)] {
            assert!(session.play(no_turn).is_err(), "{no_turn}");
        }
    }
}
