//! What was played in a game: its session, and each token with the side whose turn it was.

use super::Viewer;
use crate::base::Color;
use crate::game::Actor;
use crate::session::chance::Chance;
use crate::session::{DECLINED, Session, SessionError, open, play_entered, play_recorded};

/// A game as far as it was played.
pub struct Played {
    session: Box<dyn Session>,
    tokens: Vec<PlayedToken>,
}

/// A token that was played.
struct PlayedToken {
    text: String,
    by: Actor,
    /// The side whose turn it was, also for dice and cards.
    owner: Color,
}

/// The tokens of one player's turn, dice and cards included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The side whose turn it was.
    pub owner: Color,
    /// The text as the viewer may read it, with a comma at the end while the turn goes on.
    pub text: String,
    /// The number of tokens played up to its end.
    pub end: usize,
}

/// A line from the first position on, which was played or might be played instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The tokens as they were played.
    pub tokens: Vec<String>,
    /// The turns as they are shown.
    pub turns: Vec<Turn>,
}

impl Played {
    /// A game that begins at the present position of `session`.
    pub const fn new(session: Box<dyn Session>) -> Self {
        Self { session, tokens: Vec::new() }
    }

    /// The game in progress.
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// Plays a turn of a file, or what the engine decided.
    ///
    /// # Errors
    /// When it is not legal. Nothing has changed then.
    pub fn play(&mut self, text: &str) -> Result<(), SessionError> {
        self.add(text, play_recorded)
    }

    /// Plays what a person enters: see [`play_entered`].
    ///
    /// # Errors
    /// When it is not legal. Nothing has changed then.
    pub fn enter(&mut self, text: &str) -> Result<(), SessionError> {
        self.add(text, play_entered)
    }

    fn add(
        &mut self,
        text: &str,
        play: fn(&mut dyn Session, &str) -> Result<(), SessionError>,
    ) -> Result<(), SessionError> {
        let (actor, begins_turn) = (self.session.actor(), self.session.between_turns());
        let (on_turn, number) = (self.session.on_turn(), self.session.tokens_played());
        play(&mut *self.session, text)?;
        // Chance within a turn continues that turn.
        let last = self.tokens.last().map(|token| token.owner).filter(|_| !begins_turn);
        let owner = actor.player().or(last).unwrap_or(on_turn);
        // A token that begins with a roll is the player's as soon as the player decides something in it.
        let decided = |by: Actor| by == Actor::Player(owner);
        let by = if self.session.made(number, number + 1).iter().any(|made| decided(made.by())) {
            Actor::Player(owner)
        } else {
            actor
        };
        let text = self.session.last_token().unwrap_or_else(|| text.to_owned());
        self.tokens.push(PlayedToken { text, by, owner });
        Ok(())
    }

    /// True when the last token ended a turn, as far as clocks go: another player decides next.
    pub(super) fn is_turn_complete(&self) -> bool {
        let (session, next) = (&self.session, self.session.actor());
        let goes_on = |token: &PlayedToken| next == Actor::Chance || next == Actor::Player(token.owner);
        session.between_turns() || session.outcome().is_some() || !self.tokens.last().is_some_and(goes_on)
    }

    /// Takes back all tokens after the first `tokens`. Dice and cards are then drawn anew.
    pub(super) fn retract(&mut self, tokens: usize) {
        self.tokens.truncate(tokens);
        self.session.retract(tokens);
    }

    /// True when `actor` has decided something.
    pub fn has_decided(&self, actor: Actor) -> bool {
        self.before_last(|by| by == actor).is_some()
    }

    /// The number of tokens before the last one whose actor `wanted` accepts.
    pub(super) fn before_last(&self, wanted: impl Fn(Actor) -> bool) -> Option<usize> {
        self.tokens.iter().rposition(|token| wanted(token.by))
    }

    /// The tokens, each with the side whose turn it was.
    pub fn tokens(&self) -> impl DoubleEndedIterator<Item = (Color, &str)> + ExactSizeIterator {
        self.tokens.iter().map(|token| (token.owner, &*token.text))
    }

    /// The last token as `viewer` may read it, and the side whose turn it was.
    pub fn last(&self, viewer: Viewer) -> Option<(Color, String)> {
        self.tokens().next_back().map(|(owner, text)| (owner, viewer.reads(text, owner)))
    }

    /// What the decisions between two numbers of tokens did: `Horse e10 to g9, takes the ball; shoots to d7`.
    /// Nothing in it is hidden from anybody: a card that is drawn is not named.
    pub fn in_words(&self, from: usize, end: usize) -> String {
        let made = self.session.made(from, end);
        let said: Vec<String> =
            made.iter().filter_map(|made| made.deed().report).filter(|words| !words.is_empty()).collect();
        let text = if said.is_empty() { "ends the turn".to_owned() } else { said.join("; ") };
        let mut letters = text.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }

    /// The turns as `viewer` may read them.
    pub fn turns(&self, viewer: Viewer) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        for (index, (owner, text)) in self.tokens().enumerate() {
            let text = viewer.reads(text, owner);
            match turns.last_mut() {
                Some(turn) if turn.owner == owner => {
                    turn.text.truncate(turn.text.trim_end_matches(',').len());
                    // A declined offer is not shown.
                    if text != DECLINED {
                        turn.text.push(',');
                        turn.text.push_str(&text);
                    }
                    turn.end = index + 1;
                }
                _ => turns.push(Turn { owner, text, end: index + 1 }),
            }
        }
        let session = self.session();
        if let Some(turn) = turns.last_mut()
            && !session.between_turns()
            && session.actor() == Actor::Player(turn.owner)
            && !turn.text.ends_with(',')
        {
            // The turn goes on.
            turn.text.push(',');
        }
        turns
    }

    /// The line that was played, so that one can return to it.
    pub fn line(&self) -> Line {
        Line {
            tokens: self.tokens().map(|(_, text)| text.to_owned()).collect(),
            turns: self.turns(Viewer::All),
        }
    }

    /// The game with these tokens from its first position on, instead of those that were played.
    ///
    /// # Errors
    /// The first token that is not legal, and why.
    pub fn replay(&self, tokens: &[String]) -> Result<Self, String> {
        let session = self.session();
        // The tokens contain the results of dice and cards.
        let mut again = open(session.facts(), session.rules().clone(), Chance::Referee);
        let start = session.position_after(0).map(|position| position.to_string());
        again.set_up(start.as_deref(), &mut std::iter::empty()).map_err(|error| error.to_string())?;
        let mut again = Self::new(again);
        match again.play_all(tokens) {
            Some(wrong) => Err(wrong),
            None => Ok(again),
        }
    }

    /// Plays as many of these turns as are legal, and returns what is wrong with the first that is not.
    pub(super) fn play_all(&mut self, turns: &[String]) -> Option<String> {
        let refused = |(index, turn): (usize, &String)| {
            self.play(turn).err().map(|error| format!("turn {} ({turn}): {error}", index + 1))
        };
        turns.iter().enumerate().find_map(refused)
    }
}
