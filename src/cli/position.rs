//! The arguments that name a game, its rules and a position, shared by several commands.

use super::bad_input;
use crate::engine::Engine;
use crate::engine::options::Settings;
use crate::game::{Facts, Playable, Rules};
use crate::session::{GameSession, Session, SessionError, chance::Chance};
use crate::variants;
use clap::Args;

/// A game and its rules.
#[derive(Args, Debug, Clone)]
pub struct Game {
    /// Which game (see `carom games`)
    #[arg(long, short, value_name = "NAME", default_value = "chess")]
    pub game: String,
    /// Set a rule switch of the game
    #[arg(long = "rule", value_name = "SWITCH[=VALUE]")]
    pub rules: Vec<String>,
}

impl Game {
    pub fn facts(&self) -> anyhow::Result<&'static Facts> {
        variants::find(&self.game).map_err(bad_input)
    }

    pub fn rules(&self) -> anyhow::Result<Rules> {
        let facts = self.facts()?;
        let mut rules = Rules::of(facts);
        for rule in &self.rules {
            let (name, value) = rule.split_once('=').unwrap_or((rule, ""));
            rules.set(facts, name, value).map_err(bad_input)?;
        }
        Ok(rules)
    }
}

/// A game, its rules and how far it has gone, for commands that are about one game.
#[derive(Args, Debug, Clone)]
pub struct Start {
    /// Which game (see `carom games`)
    #[arg(value_name = "GAME", default_value = "chess")]
    game: String,
    /// Set a rule switch of the game
    #[arg(long = "rule", value_name = "SWITCH[=VALUE]")]
    rules: Vec<String>,
    /// Position to begin with, as text [default: the start]
    #[arg(long, short, visible_alias = "fen", value_name = "TEXT")]
    position: Option<String>,
    /// Turns to play first, separated by blanks
    #[arg(long, short, value_name = "TURNS", num_args = 1.., default_value = "", hide_default_value = true)]
    moves: Vec<String>,
}

impl Start {
    fn game(&self) -> Game {
        Game { game: self.game.clone(), rules: self.rules.clone() }
    }

    fn facts(&self) -> anyhow::Result<&'static Facts> {
        self.game().facts()
    }

    /// Chooses the game and its rules in `settings`, which keep their other values.
    pub fn choose(&self, settings: &mut Settings) -> anyhow::Result<()> {
        settings.game = self.facts()?;
        for (name, value) in self.game().rules()?.iter() {
            settings.set(name, value).map_err(bad_input)?;
        }
        Ok(())
    }

    /// The position to begin with, if it is not the start.
    pub fn position(&self) -> Option<&str> {
        self.position.as_deref().filter(|text| *text != "startpos")
    }

    /// Passes to `play` each turn that is to be played first.
    pub fn play(&self, play: impl FnMut(&str) -> Result<(), SessionError>) -> anyhow::Result<()> {
        play_words(&self.moves, play)
    }
}

/// Passes to `play` each of the turns that are to be played first; they are separated by blanks.
pub fn play_words(
    words: &[String],
    mut play: impl FnMut(&str) -> Result<(), SessionError>,
) -> anyhow::Result<()> {
    for (index, word) in words.join(" ").split_whitespace().enumerate() {
        play(word).map_err(|error| bad_input(format!("move {} ({word}): {error}", index + 1)))?;
    }
    Ok(())
}

/// The game from the position `text`, or from its start. The caller supplies the results of dice and cards.
pub fn open<G: Playable>(text: Option<&str>, rules: &Rules) -> anyhow::Result<GameSession<G>> {
    let mut session = GameSession::new(rules.clone(), Chance::Referee);
    let text = text.filter(|text| *text != "startpos");
    session.set_up(text, &mut std::iter::empty()).map_err(bad_input)?;
    Ok(session)
}

/// Sets the engine options given on the command line: `NAME=VALUE`, or `NAME` alone to switch one on.
pub fn set_options(engine: &mut Engine, options: &[String]) -> anyhow::Result<()> {
    for option in options {
        let (name, value) = option.split_once('=').unwrap_or((option, "true"));
        engine.set(name, value).map_err(bad_input)?;
    }
    Ok(())
}
