//! The game as the engine has been told it, with rules where they are ours: what it may play, and how its moves are written.

use crate::engine::ForeignSearch;
use crate::engine::options::is_registered;
use crate::game::{Facts, Rules};
use crate::session::chance::Chance;
use crate::session::xboard_spelling;
use crate::session::{self, OpaqueSession, Session, SessionError};

/// Follows the games of searches.
pub struct Follower {
    session: Box<dyn Session>,
    rules: Rules,
    start: Option<String>,
    tokens: Vec<String>,
    /// The same as XBoard writes it, if that is wanted.
    written: Option<Vec<String>>,
}

fn open(facts: &'static Facts, rules: &Rules) -> Box<dyn Session> {
    if is_registered(facts) {
        // Whatever chance said stands in the tokens.
        session::open(facts, rules.clone(), Chance::Referee)
    } else {
        Box::new(OpaqueSession::new(facts))
    }
}

/// How many words two lists have in common from the first on.
fn common(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

impl Follower {
    /// At the start of a game.
    pub fn new(facts: &'static Facts, rules: &Rules) -> Self {
        Self {
            session: open(facts, rules),
            rules: rules.clone(),
            start: None,
            tokens: Vec::new(),
            written: None,
        }
    }

    /// The same, that also keeps the turns as XBoard writes them.
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

    /// True when our rules are known here.
    pub fn has_rules(&self) -> bool {
        is_registered(self.session.facts())
    }

    /// Goes to the position of `search`.
    ///
    /// # Errors
    /// When the game cannot be played here, which is then at some position before.
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

    /// The engine's word as our rules have it, if they allow it.
    ///
    /// # Errors
    /// Why they do not.
    pub fn vet(&self, word: &str) -> Result<String, SessionError> {
        match self.session.check(word) {
            Ok(()) => Ok(word.to_owned()),
            Err(error) => {
                // Some engines write the piece of a promotion in capitals.
                let lower = word.to_ascii_lowercase();
                if lower != word && self.session.check(&lower).is_ok() { Ok(lower) } else { Err(error) }
            }
        }
    }

    /// A word our rules allow as they write it.
    pub fn canonical(&mut self, word: &str) -> String {
        let written = if self.session.play(word).is_ok() { self.session.last_token() } else { None };
        self.session.rewind(self.tokens.len());
        written.unwrap_or_else(|| word.to_owned())
    }

    /// Shows `look` the game after each of `words` in turn, before the next is played; goes back afterwards. `look` gives the
    /// word as it is to be played, or nothing to end there.
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
