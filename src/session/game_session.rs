//! A session of a game whose rules are known here.

use super::board::Board;
use super::chance::Chance;
use super::contract::{LegalTokens, Session, Views};
use super::error::SessionError;
use super::history::History;
use super::successor::{Look, Successor, odds, walk};
use super::tokens::{continuations, first_word, goes_to_somebody_else, tokens_from};
use crate::base::Color;
use crate::game::gui::{Gesture, Prompt};
use crate::game::{Actor, Deal, Facts, Horizon, Outcome, Playable, Rules, forced_win, read_token};
use crate::notation::{Coordinate, Position, parse_position, parse_token};
use std::sync::atomic::AtomicBool;

/// A session whose game is known by its type.
pub struct GameSession<G: Playable> {
    rules: Rules,
    chance: Chance,
    history: History<G>,
}

impl<G: Playable> GameSession<G> {
    /// A session at the start of a game.
    pub fn new(rules: Rules, chance: Chance) -> Self {
        let history = History::new(G::start(&rules), chance);
        Self { rules, chance, history }
    }

    /// The game so far.
    pub const fn history(&self) -> &History<G> {
        &self.history
    }

    /// The decisions of a token, or of the beginning of one: a comma at the end marks a beginning; without a
    /// comma the text may be either.
    ///
    /// # Errors
    /// When no legal token begins like this.
    pub fn beginning(&self, text: &str) -> Result<Vec<G::Decision>, SessionError> {
        let mut token = parse_token(text).map_err(SessionError::TokenText)?;
        let state = self.history.now();
        let whole = read_token(state, &token);
        token.open = true;
        let reading = whole.or_else(|illegal| read_token(state, &token).map_err(|_| illegal));
        let reading = reading.map_err(|illegal| SessionError::Illegal(illegal.reason))?;
        Ok(reading.decisions.to_vec())
    }

    /// The state after the first `tokens` tokens; after all of them, the present one.
    fn state_after(&self, tokens: usize) -> Option<&G> {
        let now = tokens == self.tokens_played();
        if now { Some(self.history.now()) } else { self.history.state_after(tokens) }
    }

    /// True when nothing may be played in `state`, which is the present one or follows it.
    fn is_over(&self, state: &G) -> bool {
        self.outcome().is_some() || state.outcome().is_some()
    }

    /// The state after the legs of `text`, without any unwritten decisions at their end, and the decisions
    /// they mean.
    fn behind(&self, text: &str) -> Result<(G, Vec<G::Decision>), SessionError> {
        let state = self.history.now();
        if text.is_empty() {
            return Ok((state.clone(), Vec::new()));
        }
        let mut token = parse_token(text).map_err(SessionError::TokenText)?;
        token.open = true;
        let open = read_token(state, &token).or_else(|illegal| {
            // A complete token: nothing can follow it.
            token.open = false;
            read_token(state, &token).map_err(|_| SessionError::Illegal(illegal.reason))
        })?;
        Ok((open.after, open.decisions.to_vec()))
    }
}

impl<G: Playable> Session for GameSession<G> {
    fn facts(&self) -> &'static Facts {
        self.history.now().facts()
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn set_chance(&mut self, chance: Chance) {
        self.chance = chance;
    }

    fn set_up(
        &mut self,
        position: Option<&str>,
        tokens: &mut dyn Iterator<Item = &str>,
    ) -> Result<(), SessionError> {
        let start = match position {
            None => G::start(&self.rules),
            Some(text) => {
                let position = parse_position(text).map_err(SessionError::PositionText)?;
                G::read(&position, &self.rules)?
            }
        };
        let mut history = History::new(start, self.chance);
        for (index, token) in tokens.enumerate() {
            history.say(token).map_err(|reason| SessionError::InList {
                token: token.chars().take(60).collect(),
                number: index + 1,
                reason: Box::new(reason),
            })?;
        }
        self.history = history;
        Ok(())
    }

    fn play(&mut self, token: &str) -> Result<(), SessionError> {
        self.history.say(token)
    }

    fn tokens_played(&self) -> usize {
        self.history.tokens()
    }

    fn rewind(&mut self, tokens: usize) {
        self.history.rewind(tokens);
    }

    fn retract(&mut self, tokens: usize) {
        self.history.retract(tokens);
    }

    fn actor(&self) -> Actor {
        self.history.now().actor()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.history.record().outcome()
    }

    fn position(&self) -> Position {
        self.history.now().write()
    }

    fn usual_start(&self) -> Position {
        G::start(&self.rules).write()
    }

    fn position_after(&self, tokens: usize) -> Option<Position> {
        Some(self.history.state_after(tokens)?.write())
    }

    fn on_turn(&self) -> Color {
        let state = self.history.now();
        match state.actor() {
            Actor::Chance if state.between_turns() => state.perspective(),
            Actor::Chance => self.history.last_player(),
            _ => self.history.next_player(),
        }
    }

    fn flip(&mut self) -> Result<(), SessionError> {
        let state = self.history.now();
        if !state.between_turns() {
            return Err(SessionError::Illegal("the turn is not finished".into()));
        }
        let twin = G::with_colors_exchanged(&state.write());
        self.set_up(Some(&twin.to_string()), &mut std::iter::empty())
    }

    fn last_token(&self) -> Option<String> {
        self.history.last_token()
    }

    fn forced_win(&self, horizon: Horizon, stop: &AtomicBool) -> Option<Color> {
        forced_win(self.history.record().clone(), horizon, stop)
    }

    fn between_turns(&self) -> bool {
        self.history.now().between_turns()
    }
}

impl<G: Playable> LegalTokens for GameSession<G> {
    fn continuations(&self) -> Vec<String> {
        continuations(self.history.now())
    }

    fn continuations_of(&self, beginning: &str) -> Result<Vec<String>, SessionError> {
        let (state, said) = self.behind(beginning)?;
        if !said.is_empty() && goes_to_somebody_else(self.history.now(), &state) {
            return Ok(Vec::new());
        }
        Ok(if self.is_over(&state) { Vec::new() } else { continuations(&state) })
    }

    fn tokens(&self, beginning: &str, most: usize) -> Result<Option<Vec<String>>, SessionError> {
        let (state, said) = self.behind(beginning)?;
        if self.is_over(&state) && said.is_empty() {
            return Ok(Some(Vec::new()));
        }
        Ok(tokens_from(self.history.now(), &state, said, most))
    }

    fn first_token(&self) -> Option<String> {
        let state = self.history.now();
        if self.is_over(state) { None } else { first_word(state) }
    }

    fn check(&self, token: &str) -> Result<(), SessionError> {
        self.history.check(token)
    }
}

impl<G: Playable> Views for GameSession<G> {
    fn start_for(&self, viewer: Color) -> Position {
        self.history.record().start().view(viewer).write()
    }

    fn position_for(&self, viewer: Color) -> Position {
        self.history.now().view(viewer).write()
    }

    fn public_start(&self) -> Position {
        self.history.record().start().public_view().write()
    }

    fn known_to(&self, players: &[Color]) -> Box<dyn Session> {
        let known = players.iter().fold(self.history.now().clone(), |state, &player| state.view(player));
        let (rules, chance) = (self.rules.clone(), Chance::Referee);
        Box::new(Self { rules, chance, history: History::new(known, chance) })
    }

    fn seen_by(&self, player: Color) -> Box<dyn Session> {
        let (rules, chance) = (self.rules.clone(), Chance::Referee);
        let whole = self.history.record().start().write();
        let mut copy = Box::new(Self { rules, chance, history: self.history.refereed() });
        if self.start_for(player) != whole {
            let (start, tokens) = self.as_text_for(player);
            if let Err(error) = copy.set_up(start.as_deref(), &mut tokens.iter().map(String::as_str)) {
                log::error!("what {player} knows of the game cannot be played again: {error}");
                return self.known_to(&[player]);
            }
        }
        copy
    }

    fn deal(&self) -> Option<Deal> {
        self.history.now().deal()
    }

    fn deal_after(&self, tokens: usize) -> Option<Deal> {
        self.state_after(tokens)?.deal()
    }

    fn as_text(&self) -> (Option<String>, Vec<String>) {
        let start = self.history.record().start().write();
        let start = (start != self.usual_start()).then(|| start.to_string());
        (start, self.history.token_texts(None))
    }

    fn as_text_for(&self, viewer: Color) -> (Option<String>, Vec<String>) {
        let start = self.start_for(viewer);
        let start = (start != self.usual_start()).then(|| start.to_string());
        (start, self.history.token_texts(Some(viewer)))
    }
}

impl<G: Playable> Board for GameSession<G> {
    fn odds(&self) -> Vec<(String, u32)> {
        odds(self.history.now())
    }

    fn decisions_of(&self, token: &str) -> Option<Vec<u32>> {
        let decisions = self.history.decisions_of(token)?;
        Some(decisions.into_iter().map(Into::into).collect())
    }

    fn decide(&mut self, decision: u32) -> bool {
        self.history.decide(decision)
    }

    fn rolled(&self) -> Vec<u32> {
        self.history.rolled()
    }

    fn explore(&self, look: &mut dyn FnMut(&[u32], &dyn Successor) -> Look) {
        walk(self.history.now(), &mut Vec::new(), look);
    }

    fn explore_after(&self, tokens: usize, look: &mut dyn FnMut(&[u32], &dyn Successor) -> Look) {
        walk(self.state_after(tokens).unwrap_or(self.history.now()), &mut Vec::new(), look);
    }

    fn last_of(&self, tokens: usize) -> Option<Box<dyn Successor + '_>> {
        Some(Box::new(self.history.step_to(tokens)?))
    }

    fn made(&self, from: usize, to: usize) -> Vec<Box<dyn Successor + '_>> {
        self.history.steps(from, to).map(|step| Box::new(step) as _).collect()
    }

    fn shown_after(&self, tokens: usize) -> Option<Position> {
        Some(self.state_after(tokens)?.shown())
    }

    fn shown(&self) -> Position {
        self.history.now().shown()
    }

    fn read_shown(&self, shown: &Position) -> Option<Position> {
        self.history.now().read_shown(shown)
    }

    fn gestures(&self, picked: &[Coordinate]) -> Vec<Gesture> {
        self.history.now().gestures(picked)
    }

    fn prompt(&self, picked: &[Coordinate]) -> Option<Prompt> {
        self.history.now().prompt(picked)
    }

    fn checked_king(&self) -> Option<Coordinate> {
        self.history.now().checked_king()
    }

    fn steps(&self) -> Option<(u8, u8)> {
        self.history.now().steps()
    }

    fn typed(&self, word: &str) -> Result<u32, String> {
        self.history.now().typed(word).map(Into::into)
    }
}
