//! A game in progress with a searcher behind it, whatever the game.

use super::search_thread::{Event, SearchThread, Think};
use crate::game::{
    Actor, Decisions, Facts, Outcome, Playable, Record, Rules, SetupError, Wanted, read_token, write_token,
};
use crate::notation::{Position, SyntaxError, parse_position, parse_token};
use crate::search::{Clock, Control, Table};
use crossbeam_channel::Sender;
use std::sync::Arc;

/// What the protocol rooms see of a game in progress.
pub trait Session: Send {
    /// The game.
    fn facts(&self) -> &'static Facts;
    /// Its rule switches.
    fn rules(&self) -> &Rules;
    /// Begins again, from `position` or from the start, and plays `tokens`; on an error nothing has changed.
    ///
    /// # Errors
    /// When the text is no legal position of this game, or a token says nothing legal.
    fn set_up(
        &mut self,
        position: Option<&str>,
        tokens: &mut dyn Iterator<Item = &str>,
    ) -> Result<(), SessionError>;
    /// Plays what the token says; on an error nothing has changed.
    ///
    /// # Errors
    /// When it says nothing legal here.
    fn play(&mut self, token: &str) -> Result<(), SessionError>;
    /// Takes back the last `play`; false at the start.
    fn take_back(&mut self) -> bool;
    /// How many `play`s lie behind.
    fn tokens_played(&self) -> usize;
    /// Goes back to the first `tokens` of them.
    fn rewind(&mut self, tokens: usize);
    /// Who decides next.
    fn actor(&self) -> Actor;
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The present position, for drawing and for text.
    fn position(&self) -> Position;
    /// The position after the first `tokens` tokens; `None` beyond the present.
    fn position_after(&self, tokens: usize) -> Option<Position>;
    /// All that may be said next, each as a complete token, sorted.
    fn legal_tokens(&self) -> Vec<String>;
    /// The evaluation of the position, nothing searched, in centipawns for White.
    fn evaluation(&self) -> i32;
    /// Starts to count the sequences of `depth` turns from here; the end comes as the event `id`. The search before
    /// must have ended.
    fn count(&mut self, depth: u32, id: u64, threads: usize, clock: Arc<dyn Clock>) -> Arc<Control>;
    /// Starts to search the present position; what is found comes as events. The search before must have ended.
    ///
    /// # Errors
    /// When a token of `think.only` is not legal.
    fn think(&mut self, think: Think, table: Arc<Table>) -> Result<Arc<Control>, SessionError>;
    /// The most recently played token, as text.
    fn last_token(&self) -> Option<String>;
}

/// Why a session refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// The text of a position is not in the grammar.
    #[error("position: {0}")]
    PositionText(SyntaxError),
    /// It is, but means no legal position.
    #[error("position: {0}")]
    Position(#[from] SetupError),
    /// The text of a turn is not in the grammar.
    #[error("{0}")]
    TokenText(SyntaxError),
    /// It is, but is not legal here.
    #[error("{0}")]
    Illegal(String),
    /// One of a list of turns is no good.
    #[error("Illegal move ({reason}): {token} (number {number} of the list)")]
    InList {
        /// The word.
        token: String,
        /// 1 for the first.
        number: usize,
        /// What is wrong with it.
        reason: Box<SessionError>,
    },
}

/// Begins a session of one game; what its searches find is sent to `events`.
pub fn open<G: Playable>(rules: Rules, events: Sender<Event>) -> Box<dyn Session> {
    Box::new(GameSession::<G>::new(rules, events))
}

struct GameSession<G: Playable> {
    rules: Rules,
    record: Record<G>,
    /// After each token, the number of decisions in the record.
    ends: Vec<usize>,
    searcher: SearchThread<G>,
}

impl<G: Playable> GameSession<G> {
    fn new(rules: Rules, events: Sender<Event>) -> Self {
        let record = Record::new(G::start(&rules));
        Self { rules, record, ends: Vec::new(), searcher: SearchThread::start(events) }
    }

    fn read(&self, text: &str) -> Result<Vec<G::Decision>, SessionError> {
        let token = parse_token(text).map_err(SessionError::TokenText)?;
        let reading = read_token(self.record.now(), &token).map_err(|i| SessionError::Illegal(i.reason))?;
        Ok(reading.decisions.to_vec())
    }

    fn decisions_before(&self, tokens: usize) -> usize {
        tokens.checked_sub(1).map_or(0, |last| self.ends[last])
    }
}

/// Plays what `token` says.
fn say<G: Playable>(record: &mut Record<G>, token: &str) -> Result<(), SessionError> {
    let token = parse_token(token).map_err(SessionError::TokenText)?;
    let reading =
        read_token(record.now(), &token).map_err(|illegal| SessionError::Illegal(illegal.reason))?;
    for &decision in &reading.decisions {
        record.play(decision);
    }
    Ok(())
}

impl<G: Playable> Session for GameSession<G> {
    fn facts(&self) -> &'static Facts {
        G::facts()
    }

    fn rules(&self) -> &Rules {
        &self.rules
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
        let mut record = Record::new(start);
        let mut ends = Vec::new();
        for (index, token) in tokens.enumerate() {
            say(&mut record, token).map_err(|reason| SessionError::InList {
                token: token.chars().take(60).collect(),
                number: index + 1,
                reason: Box::new(reason),
            })?;
            ends.push(record.len());
        }
        (self.record, self.ends) = (record, ends);
        Ok(())
    }

    fn play(&mut self, token: &str) -> Result<(), SessionError> {
        say(&mut self.record, token)?;
        self.ends.push(self.record.len());
        Ok(())
    }

    fn take_back(&mut self) -> bool {
        let possible = self.ends.pop().is_some();
        if possible {
            self.record.rewind(self.decisions_before(self.ends.len()));
        }
        possible
    }

    fn tokens_played(&self) -> usize {
        self.ends.len()
    }

    fn rewind(&mut self, tokens: usize) {
        if tokens < self.ends.len() {
            self.ends.truncate(tokens);
            self.record.rewind(self.decisions_before(tokens));
        }
    }

    fn actor(&self) -> Actor {
        self.record.now().actor()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    fn position(&self) -> Position {
        self.record.now().write()
    }

    fn position_after(&self, tokens: usize) -> Option<Position> {
        let decisions = if tokens > self.ends.len() { return None } else { self.decisions_before(tokens) };
        Some(self.record.state_after(decisions)?.write())
    }

    fn legal_tokens(&self) -> Vec<String> {
        legal_tokens(self.record.now())
    }

    fn evaluation(&self) -> i32 {
        self.record.now().evaluate()
    }

    fn count(&mut self, depth: u32, id: u64, threads: usize, clock: Arc<dyn Clock>) -> Arc<Control> {
        self.searcher.count(self.record.now().clone(), depth, id, threads, clock)
    }

    fn think(&mut self, think: Think, table: Arc<Table>) -> Result<Arc<Control>, SessionError> {
        let mut only = Vec::with_capacity(think.only.len());
        for token in &think.only {
            only.extend(self.read(token)?.first().copied());
        }
        Ok(self.searcher.search(self.record.now().clone(), self.record.recent_keys(), only, think, table))
    }

    fn last_token(&self) -> Option<String> {
        let last = self.ends.len().checked_sub(1)?;
        let begin = self.decisions_before(last);
        let decisions: Vec<_> = self.record.decisions().skip(begin).collect();
        Some(write_token(self.record.state_after(begin)?, &decisions).to_string())
    }
}

/// Everything the actor may say from `state` until somebody else speaks or the turn is complete, sorted.
pub fn legal_tokens<G: Playable>(state: &G) -> Vec<String> {
    fn collect<G: Playable>(from: &G, at: &G, path: &mut Vec<G::Decision>, found: &mut Vec<String>) {
        let mut list = Decisions::new();
        at.decisions(Wanted::All, &mut list);
        for &decision in &list {
            let mut next = at.clone();
            next.apply(decision);
            path.push(decision);
            if next.actor() == from.actor() && !next.between_turns() {
                collect(from, &next, path, found);
            } else {
                found.push(write_token(from, path).to_string());
            }
            path.pop();
        }
    }
    let mut found = Vec::new();
    collect(state, state, &mut Vec::new(), &mut found);
    found.sort_unstable();
    found.dedup();
    found
}
