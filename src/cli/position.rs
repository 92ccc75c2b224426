//! The arguments that name a game, its rules and a position, shared by several commands.

use super::bad_input;
use super::terminal::read_text;
use crate::engine::Engine;
use crate::engine::options::Settings;
use crate::game::{Facts, Playable, Rules};
use crate::live_game::{LoadedGame, Played, load_game};
use crate::session::{GameSession, Session, SessionError, chance::Chance, play_recorded};
use crate::variants;
use clap::Args;
use std::path::{Path, PathBuf};

/// The game that a command is about: its first word, or `--game`.
#[derive(Args, Debug, Clone, Default)]
pub struct GameName {
    /// Which game (see `carom games`)
    #[arg(value_name = "GAME")]
    word: Option<String>,
    /// The same, behind a dash
    #[arg(long = "game", short = 'g', value_name = "GAME", conflicts_with = "word")]
    named: Option<String>,
}

impl GameName {
    /// What was given.
    pub fn text(&self) -> Option<&str> {
        self.word.as_deref().or(self.named.as_deref())
    }

    /// The game, if one was given.
    pub fn facts(&self) -> anyhow::Result<Option<&'static Facts>> {
        self.text().map(variants::find).transpose().map_err(bad_input)
    }
}

/// A game and its rules.
#[derive(Args, Debug, Clone)]
pub struct Game {
    #[command(flatten)]
    name: GameName,
    /// Set a rule switch of the game
    #[arg(long = "rule", value_name = "SWITCH[=VALUE]")]
    rules: Vec<String>,
}

impl Game {
    /// Chess where none is given.
    pub fn facts(&self) -> anyhow::Result<&'static Facts> {
        Ok(self.name.facts()?.unwrap_or(variants::all()[0]))
    }

    pub fn rules(&self) -> anyhow::Result<Rules> {
        read_rules(self.facts()?, &self.rules)
    }
}

fn read_rules(facts: &'static Facts, words: &[String]) -> anyhow::Result<Rules> {
    let mut rules = Rules::of(facts);
    for rule in words {
        let (name, value) = rule.split_once('=').unwrap_or((rule, ""));
        rules.set(facts, name, value).map_err(bad_input)?;
    }
    Ok(rules)
}

/// A game and its rules for commands whose other words are files: the game may stand before them.
#[derive(Args, Debug, Clone)]
pub struct GameBefore {
    /// Which game; it may also stand before the files
    #[arg(long = "game", short = 'g', value_name = "GAME")]
    named: Option<String>,
    /// Set a rule switch of the game
    #[arg(long = "rule", value_name = "SWITCH[=VALUE]")]
    rules: Vec<String>,
}

impl GameBefore {
    /// The game, its rules, and the words that are not its name.
    pub fn split<'a>(&self, words: &'a [PathBuf]) -> anyhow::Result<(&'static Facts, Rules, &'a [PathBuf])> {
        let first = words.first().and_then(|word| variants::find(word.to_str()?).ok());
        let (facts, files) = match (&self.named, first) {
            (Some(name), _) => (variants::find(name).map_err(bad_input)?, words),
            (None, Some(facts)) => (facts, &words[1..]),
            (None, None) => (variants::all()[0], words),
        };
        Ok((facts, read_rules(facts, &self.rules)?, files))
    }
}

/// A game, its rules and how far it has gone.
#[derive(Args, Debug, Clone)]
pub struct Start {
    #[command(flatten)]
    game: Game,
    /// Position to begin with, as text [default: the start]
    #[arg(long, short, visible_alias = "fen", value_name = "TEXT")]
    position: Option<String>,
    /// Turns to play first, separated by blanks; in chess also as `Nf3`
    #[arg(long, short, value_name = "TURNS", num_args = 1.., default_value = "", hide_default_value = true)]
    moves: Vec<String>,
    /// Go on where a game of this PGN file ends; the file says what is played
    #[arg(long, visible_alias = "load", value_name = "FILE", conflicts_with_all = ["word", "named", "position", "moves", "rules"])]
    pgn: Option<PathBuf>,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1, requires = "pgn")]
    number: usize,
}

/// What [`Start`] says, looked up: the game and its rules, the first position if it is not the start, and
/// turns.
pub struct Begun {
    pub facts: &'static Facts,
    pub rules: Rules,
    pub position: Option<String>,
    pub moves: Vec<String>,
}

impl Start {
    /// Chooses the game and its rules in `settings`, which keep their other values.
    pub fn choose(&self, settings: &mut Settings) -> anyhow::Result<()> {
        settings.game = self.game.facts()?;
        for (name, value) in self.game.rules()?.iter() {
            settings.set(name, value).map_err(bad_input)?;
        }
        Ok(())
    }

    /// The position to begin with, if it is not the start.
    pub fn position(&self) -> Option<&str> {
        self.position.as_deref().filter(|text| *text != "startpos")
    }

    /// Whether anything is given, if only the game.
    #[cfg(feature = "serve")]
    pub fn is_given(&self) -> bool {
        let played = self.moves.iter().any(|moves| !moves.trim().is_empty());
        self.game.name.text().is_some() || self.position.is_some() || self.pgn.is_some() || played
    }

    /// Passes to `play` each turn that is to be played first.
    pub fn play(&self, play: impl FnMut(&str) -> Result<(), SessionError>) -> anyhow::Result<()> {
        play_words(&self.moves, play)
    }

    /// The game of the PGN file, if one is named.
    pub fn loaded(&self) -> anyhow::Result<Option<(LoadedGame, &Path)>> {
        let Some(path) = &self.pgn else { return Ok(None) };
        let (game, _) = load_game(&read_text(path)?, self.number).map_err(bad_input)?;
        Ok(Some((game, path)))
    }

    /// The game of the PGN file, played to its end.
    pub fn replayed(&self) -> anyhow::Result<Option<Played>> {
        let Some((game, path)) = self.loaded()? else { return Ok(None) };
        let fault = |error: String| bad_input(format!("{}: game {}: {error}", path.display(), self.number));
        let (played, wrong) = game.play().map_err(fault)?;
        wrong.map_or(Ok(Some(played)), |wrong| Err(fault(wrong)))
    }

    /// What all of this says.
    pub fn begun(&self) -> anyhow::Result<Begun> {
        let Some(played) = self.replayed()? else {
            let (facts, rules) = (self.game.facts()?, self.game.rules()?);
            return Ok(Begun { facts, rules, position: self.position.clone(), moves: self.moves.clone() });
        };
        let session = played.session();
        Ok(Begun {
            facts: session.facts(),
            rules: session.rules().clone(),
            position: session.position_after(0).map(|position| position.to_string()),
            moves: played.tokens().map(|(_, token)| token.to_owned()).collect(),
        })
    }
}

impl Begun {
    /// The game up to there. The caller supplies the results of dice and cards.
    pub fn open<G: Playable>(&self) -> anyhow::Result<GameSession<G>> {
        let mut session = GameSession::new(self.rules.clone(), Chance::Referee);
        let text = self.position.as_deref().filter(|text| *text != "startpos");
        session.set_up(text, &mut std::iter::empty()).map_err(bad_input)?;
        play_words(&self.moves, |word| play_recorded(&mut session, word))?;
        Ok(session)
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

/// Sets the engine options given on the command line: `NAME=VALUE`, or `NAME` alone to switch one on.
pub fn set_options(engine: &mut Engine, options: &[String]) -> anyhow::Result<()> {
    for option in options {
        let (name, value) = option.split_once('=').unwrap_or((option, "true"));
        engine.set(name, value).map_err(bad_input)?;
    }
    Ok(())
}
