//! Games in PGN text, to go on with.

use crate::base::Color;
use crate::engine::Engine;
use crate::engine::options::Settings;
use crate::game::{Facts, Rules};
use crate::pgn::{PgnGame, read_pgn};
use crate::session::{Session, SessionError, set_up_epd};
use crate::variants;
use crate::variants::chess::san;

/// More variations of a game are passed over.
const MOST_VARIATIONS: usize = 50;

/// A game of a text, its words not yet played.
#[derive(Debug)]
pub struct LoadedGame {
    /// The game.
    pub facts: &'static Facts,
    /// Its rules.
    pub rules: Rules,
    /// The first position, if it is said.
    pub position: Option<String>,
    /// The turns, as they are written.
    pub words: Vec<String>,
    /// Those of its first variations, each from the first turn on.
    pub variations: Vec<Vec<String>>,
    /// White's name first.
    pub names: [String; 2],
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The seed of its dice and cards.
    pub seed: Option<u64>,
}

/// A game that was played from its first position.
pub struct OnBoard {
    /// Its session is at the end of the game.
    pub engine: Engine,
    /// Whose turns they were, in our writing.
    pub turns: Vec<(Color, String)>,
    /// What is wrong with the first turn that is not legal.
    pub wrong: Option<String>,
}

impl LoadedGame {
    fn read(game: &PgnGame<'_>) -> Result<Self, String> {
        let (facts, mut rules) = variants::find_with_rules(game.tag("Variant").unwrap_or("chess"))
            .map_err(|error| error.to_string())?;
        for (_, rule) in game.tags.iter().filter(|(name, _)| *name == "Rule") {
            let (name, value) = rule.split_once('=').unwrap_or((rule, ""));
            rules.set(facts, name, value).map_err(|error| error.to_string())?;
        }
        let words = |line: Vec<&str>| line.into_iter().map(str::to_owned).collect();
        let mut lines = game.lines(MOST_VARIATIONS).into_iter().map(words);
        let text = |name: &str| game.tag(name).unwrap_or("?").to_owned();
        Ok(Self {
            facts,
            rules,
            position: game.tag("FEN").map(str::to_owned),
            words: lines.next().unwrap_or_default(),
            variations: lines.collect(),
            names: [text("White"), text("Black")],
            result: game.tag("Result").or(game.terminator).unwrap_or("*").to_owned(),
            seed: game.tag("ChanceSeed").and_then(|seed| seed.parse().ok()),
        })
    }

    /// An engine with these settings, the first position of the game on its board.
    ///
    /// # Errors
    /// When that is not legal.
    pub fn engine(&self, settings: Settings) -> Result<Engine, String> {
        let mut engine = Engine::new();
        engine.settings = settings;
        engine.settings.game = self.facts;
        for (name, value) in self.rules.iter() {
            engine.set(name, value).map_err(|error| error.to_string())?;
        }
        engine.renew();
        // What the settings say of chance holds from the next position on.
        engine.set_up(None, &mut std::iter::empty()).map_err(|error| error.to_string())?;
        self.set_up(engine.session_mut())?;
        Ok(engine)
    }

    /// The game on the board of an engine, as far as it is legal; the file speaks for chance.
    ///
    /// # Errors
    /// When the first position is not legal.
    pub fn on_board(&self) -> Result<OnBoard, String> {
        let mut settings = Settings::default();
        settings.referee = true;
        let mut engine = self.engine(settings)?;
        let session = engine.session_mut();
        let mut turns = Vec::new();
        for (index, word) in self.words.iter().enumerate() {
            let owner = session.on_turn();
            if let Err(error) = play_word(session, word) {
                let wrong = Some(super::refused(index, word, &error));
                return Ok(OnBoard { engine, turns, wrong });
            }
            turns.push((owner, session.last_token().unwrap_or_else(|| word.clone())));
        }
        Ok(OnBoard { engine, turns, wrong: None })
    }

    /// Sets its first position up in `session`, which plays the same game.
    ///
    /// # Errors
    /// When it is no legal position.
    pub fn set_up(&self, session: &mut dyn Session) -> Result<(), String> {
        match &self.position {
            Some(text) => set_up_epd(text, session).map(drop),
            None => session.set_up(None, &mut std::iter::empty()).map_err(|error| error.to_string()),
        }
    }
}

/// The game of that number (from 1 on) in a PGN text, and how many there are.
///
/// # Errors
/// When there is none of that number, or it is of no game that is played here; and when it has neither tags nor a turn that can
/// be played, as any text could be read like that.
pub fn load_game(text: &str, number: usize) -> Result<(LoadedGame, usize), String> {
    let count = read_pgn(text).count();
    let game = number.checked_sub(1).and_then(|number| read_pgn(text).nth(number));
    if count == 0 {
        return Err("no game in PGN stands there".to_owned());
    }
    let fault = |fault: String| format!("game {number}: {fault}");
    let game = game.ok_or_else(|| fault(format!("the file has {count}")))?;
    let loaded = LoadedGame::read(&game).map_err(fault)?;
    if game.tags.is_empty() && loaded.on_board().map_err(fault)?.turns.is_empty() {
        return Err(fault("no game in PGN: there are neither tags nor a turn that can be played".to_owned()));
    }
    Ok((loaded, count))
}

/// Plays what a person or a file says: our own writing, and in chess the short one, too.
///
/// # Errors
/// Why our writing says nothing legal here.
pub fn play_word(session: &mut dyn Session, word: &str) -> Result<(), SessionError> {
    let played = session.play(word);
    if played.is_err()
        && session.facts().is_chess()
        && let Some(token) = san::token(&session.position(), word)
    {
        return session.play(&token);
    }
    played
}
