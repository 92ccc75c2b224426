//! The game as the engine knows it, with our rules where it is a registered game: which moves are legal, and
//! how they are written.

use crate::engine::ForeignSearch;
use crate::engine::options::is_registered;
use crate::game::{Facts, Rules};
use crate::session::chance::Chance;
use crate::session::xboard_spelling;
use crate::session::{self, OpaqueSession, Session, SessionError};

/// Follows the games of searches, from one position to the next.
pub struct Follower {
    session: Box<dyn Session>,
    rules: Rules,
    start: Option<String>,
    tokens: Vec<String>,
    /// The same turns as XBoard writes them, if they are wanted.
    written: Option<Vec<String>>,
}

fn open(facts: &'static Facts, rules: &Rules) -> Box<dyn Session> {
    if is_registered(facts) {
        // Every outcome of chance is part of the tokens.
        session::open(facts, rules.clone(), Chance::Referee)
    } else {
        Box::new(OpaqueSession::new(facts))
    }
}

/// How many tokens two lists have in common at their beginning.
fn common(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

impl Follower {
    /// A follower at the start of a game.
    pub fn new(facts: &'static Facts, rules: &Rules) -> Self {
        Self {
            session: open(facts, rules),
            rules: rules.clone(),
            start: None,
            tokens: Vec::new(),
            written: None,
        }
    }

    /// A follower that also keeps the turns as XBoard writes them.
    pub fn writing(facts: &'static Facts, rules: &Rules) -> Self {
        Self { written: Some(Vec::new()), ..Self::new(facts, rules) }
    }

    /// The turns as XBoard writes them.
    pub fn written(&self) -> &[String] {
        self.written.as_deref().unwrap_or(&[])
    }

    /// The game, at the position that was followed last.
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// True when the rules of the game are known here.
    pub fn has_rules(&self) -> bool {
        is_registered(self.session.facts())
    }

    /// Goes to the position of `search`.
    ///
    /// # Errors
    /// When a token is not legal. The game then stands at some earlier position.
    pub fn follow(&mut self, search: &ForeignSearch) -> Result<(), SessionError> {
        let same = std::ptr::eq(self.session.facts(), search.facts) && self.rules == search.rules;
        if !same {
            let written = self.written.take().map(|_| Vec::new());
            *self = Self { written, ..Self::new(search.facts, &search.rules) };
        }
        if !same || self.start != search.start {
            self.tokens.clear();
            self.start.clone_from(&search.start);
            self.written.iter_mut().for_each(Vec::clear);
            self.session.set_up(search.start.as_deref(), &mut std::iter::empty())?;
        }
        let kept = common(&self.tokens, &search.tokens);
        self.session.rewind(kept);
        self.tokens.truncate(kept);
        self.written.iter_mut().for_each(|written| written.truncate(kept));
        for token in &search.tokens[kept..] {
            self.session.play(token)?;
            self.tokens.push(token.clone());
            if let Some(written) = &mut self.written {
                written.push(xboard_spelling::write_last(&*self.session, token));
            }
        }
        Ok(())
    }

    /// Checks a move of the engine, and returns it as our rules read it.
    ///
    /// # Errors
    /// When it is not legal; the error says why.
    pub fn vet(&self, word: &str) -> Result<String, SessionError> {
        match self.session.check(word) {
            Ok(()) => Ok(word.to_owned()),
            Err(error) => {
                // Some engines write the piece of a promotion in upper case.
                let lower = word.to_ascii_lowercase();
                if lower != word && self.session.check(&lower).is_ok() { Ok(lower) } else { Err(error) }
            }
        }
    }

    /// Writes a legal move the way our rules write it.
    pub fn canonical(&mut self, word: &str) -> String {
        let written = if self.session.play(word).is_ok() { self.session.last_token() } else { None };
        self.session.rewind(self.tokens.len());
        written.unwrap_or_else(|| word.to_owned())
    }

    /// Plays the engine's `words` one after the other, and goes back afterwards. `look` sees the game before
    /// each of them, and returns the token to be played, or `None` to end there. Returns the tokens that were
    /// played.
    pub fn walk<'a>(
        &mut self,
        words: impl Iterator<Item = &'a str>,
        mut look: impl FnMut(&dyn Session, &str) -> Option<String>,
    ) -> Vec<String> {
        let mut played = Vec::new();
        for word in words {
            let Some(token) = look(&*self.session, word) else { break };
            if self.session.play(&token).is_err() {
                break;
            }
            played.push(token);
        }
        self.session.rewind(self.tokens.len());
        played
    }
}
