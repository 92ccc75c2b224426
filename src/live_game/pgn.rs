//! Games read from PGN, to be continued.

use crate::base::Color;
use crate::engine::Engine;
use crate::engine::options::Settings;
use crate::game::{Facts, Rules};
use crate::pgn::{PgnGame, read_pgn};
use crate::session::{Session, SessionError, set_up_epd};
use crate::variants;
use crate::variants::chess::san;

/// The most variations of a game that are read.
const MOST_VARIATIONS: usize = 50;

/// A game read from a text, its turns not yet played.
#[derive(Debug)]
pub struct LoadedGame {
    /// The game that is played.
    pub facts: &'static Facts,
    /// The rule switches that are set.
    pub rules: Rules,
    /// The first position, if it is given.
    pub position: Option<String>,
    /// The turns as they are written.
    pub words: Vec<String>,
    /// The turns of its first variations, each from the first turn of the game on.
    pub variations: Vec<Vec<String>>,
    /// The players' names, White's first.
    pub names: [String; 2],
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The seed of its dice and cards, if it is given.
    pub seed: Option<u64>,
}

/// A game that was played through from its first position.
pub struct OnBoard {
    /// The engine, with its session at the end of the game.
    pub engine: Engine,
    /// The turns in Carom's notation, each with its side.
    pub turns: Vec<(Color, String)>,
    /// Why the first illegal turn is not legal, if there is one.
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

    /// An engine with these settings and the first position of the game.
    ///
    /// # Errors
    /// When that position is not legal.
    pub fn engine(&self, settings: Settings) -> Result<Engine, String> {
        let mut engine = Engine::new();
        engine.settings = settings;
        engine.settings.game = self.facts;
        for (name, value) in self.rules.iter() {
            engine.set(name, value).map_err(|error| error.to_string())?;
        }
        engine.renew();
        // The settings for dice and cards take effect from the next position on.
        engine.set_up(None, &mut std::iter::empty()).map_err(|error| error.to_string())?;
        self.set_up(engine.session_mut())?;
        Ok(engine)
    }

    /// Plays the game on an engine as far as it is legal. Dice and cards are those of the file.
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

    /// Sets up the first position in `session`, which must be of the same game.
    ///
    /// # Errors
    /// When the position is not legal.
    pub fn set_up(&self, session: &mut dyn Session) -> Result<(), String> {
        match &self.position {
            Some(text) => set_up_epd(text, session).map(drop),
            None => session.set_up(None, &mut std::iter::empty()).map_err(|error| error.to_string()),
        }
    }
}

/// The game with this number (from 1 on) in a PGN text, and the number of games.
///
/// # Errors
/// When there is no game with this number, or it is of a game that Carom does not play. Also when it has
/// neither tags nor a playable turn, since any text could be read like that.
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

/// Plays a turn that a person or a file gives: in Carom's notation, or in chess also in algebraic notation.
///
/// # Errors
/// When the turn is not legal; the reason is that of Carom's own notation.
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
