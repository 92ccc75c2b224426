//! Games read from PGN, to be continued.

use super::Played;
use crate::game::{Facts, Rules};
use crate::pgn::{PgnGame, read_pgn};
use crate::session::chance::Chance;
use crate::session::{Session, open, set_up_epd};
use crate::variants;

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
    pub turns: Vec<String>,
    /// The turns of its first variations, each from the first turn of the game on.
    pub variations: Vec<Vec<String>>,
    /// The players' names, White's first.
    pub names: [String; 2],
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The seed of its dice and cards, if it is given.
    pub seed: Option<u64>,
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
            turns: lines.next().unwrap_or_default(),
            variations: lines.collect(),
            names: [text("White"), text("Black")],
            result: game.tag("Result").or(game.terminator).unwrap_or("*").to_owned(),
            seed: game.tag("ChanceSeed").and_then(|seed| seed.parse().ok()),
        })
    }

    /// The first position of the game.
    ///
    /// # Errors
    /// When it is not legal.
    pub(super) fn open(&self, chance: Chance) -> Result<Box<dyn Session>, String> {
        let mut session = open(self.facts, self.rules.clone(), chance);
        if let Some(text) = &self.position {
            set_up_epd(text, &mut *session)?;
        }
        Ok(session)
    }

    /// Plays the game as far as it is legal, with the dice and cards of the file. Returns also what is wrong
    /// with the first turn that is not legal.
    ///
    /// # Errors
    /// When the first position is not legal.
    pub fn play(&self) -> Result<(Played, Option<String>), String> {
        let mut played = Played::new(self.open(Chance::Referee)?);
        let wrong = played.play_all(&self.turns);
        Ok((played, wrong))
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
    if game.tags.is_empty() && loaded.play().map_err(fault)?.0.tokens().next().is_none() {
        return Err(fault("no game in PGN: there are neither tags nor a turn that can be played".to_owned()));
    }
    Ok((loaded, count))
}
