//! The arguments that name a game, its rules and a position, shared by several commands.

use super::BadInput;
use crate::game::{Facts, Playable, Record, Rules, read_token};
use crate::notation::{parse_position, parse_token};
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
        Ok(variants::find(&self.game).map_err(|error| BadInput(error.to_string()))?)
    }

    pub fn rules(&self) -> anyhow::Result<Rules> {
        let facts = self.facts()?;
        let mut rules = Rules::of(facts);
        for rule in &self.rules {
            let (name, value) = rule.split_once('=').unwrap_or((rule, ""));
            rules.set(facts, name, value).map_err(|error| BadInput(error.to_string()))?;
        }
        Ok(rules)
    }
}

/// The position `text` says, or the start of the game.
pub fn read<G: Playable>(text: Option<&str>, rules: &Rules) -> anyhow::Result<G> {
    let Some(text) = text.filter(|text| *text != "startpos") else { return Ok(G::start(rules)) };
    let position = parse_position(text).map_err(|error| BadInput(format!("position: {error}")))?;
    Ok(G::read(&position, rules).map_err(|error| BadInput(format!("position: {error}")))?)
}

/// Plays `tokens` (separated by blanks).
pub fn play<G: Playable>(record: &mut Record<G>, tokens: &str) -> anyhow::Result<()> {
    for (index, word) in tokens.split_whitespace().enumerate() {
        let fault = |reason: String| BadInput(format!("move {} ({word}): {reason}", index + 1));
        let token = parse_token(word).map_err(|error| fault(error.to_string()))?;
        let reading = read_token(record.now(), &token).map_err(|error| fault(error.to_string()))?;
        for &decision in &reading.decisions {
            record.play(decision);
        }
    }
    Ok(())
}
