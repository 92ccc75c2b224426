//! The settings of a match.
//!
//! Words (from the command line, a TOML file or a journal) become one [`SettingsTable`]; [`Settings::read`] makes typed
//! settings of it and refuses what is contradictory with the reason.

mod engine;
pub mod keys;
mod table;
#[cfg(test)]
mod tests;

pub use engine::EngineSettings;
pub use keys::Effect;
pub use table::{Setting, SettingsTable};

use super::schedule::{Format, Schedule};
use super::{Adjudication, DrawRule, ResignRule};
use crate::base::fnv1a;
use crate::game::Horizon;
use crate::game::{Facts, Rules};
use crate::statistics::{Model, Sprt};
use crate::variants;
use engine::EngineKeys;
use serde::Deserialize;
use std::path::PathBuf;

/// Settings that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(pub String);

fn refuse<T>(why: impl Into<String>) -> Result<T, SettingsError> {
    Err(SettingsError(why.into()))
}

/// Everything about a match.
#[derive(Clone, Debug)]
pub struct Settings {
    /// As they were given, the seed always among them.
    pub given: SettingsTable,
    /// The game.
    pub facts: &'static Facts,
    /// Its rules.
    pub rules: Rules,
    /// The engines, at least two.
    pub engines: Vec<EngineSettings>,
    /// No engine was named: Carom plays itself.
    pub alone: bool,
    /// Who plays whom.
    pub schedule: Schedule,
    /// The position games begin with, without openings.
    pub position: Option<String>,
    /// Openings.
    pub openings: Option<OpeningsFile>,
    /// When to end games early.
    pub adjudication: Adjudication,
    /// When to end the match early.
    pub sprt: Option<Sprt>,
    /// What to write and show.
    pub records: Records,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningsFile {
    /// The file.
    pub file: PathBuf,
    /// What it holds, if its name does not say it.
    pub format: Option<OpeningsFormat>,
    /// Whether they are shuffled.
    #[serde(default)]
    pub order: Order,
    /// With which to begin, from 1 on, if not with the first.
    pub start: Option<u64>,
    /// Turns to play of each at most.
    pub plies: Option<usize>,
}

/// What a file of openings holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningsFormat {
    /// A line each: positions, EPD, lists of turns.
    Epd,
    /// Games.
    Pgn,
}

impl OpeningsFile {
    /// What the file holds.
    pub fn format(&self) -> OpeningsFormat {
        let is_pgn = self.file.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
        self.format.unwrap_or(if is_pgn { OpeningsFormat::Pgn } else { OpeningsFormat::Epd })
    }
}

/// In what order openings are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As the file has them.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// What to write and show.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Records {
    /// Games at the same time, if more than one.
    pub concurrency: Option<usize>,
    /// Which part of how many, the first being 1.
    pub shard: Option<Shard>,
    /// The journal.
    pub journal: Option<PathBuf>,
    /// Games as PGN.
    pub pgnout: Option<PgnOut>,
    /// Final positions.
    pub epdout: Option<PathBuf>,
    /// A cross table.
    pub html: Option<PathBuf>,
    /// For PGN.
    pub event: Option<String>,
    /// For PGN.
    pub site: Option<String>,
    /// Games between two tables, if not 10; 0: only at the end.
    pub ratinginterval: Option<u64>,
    /// Draw the running game.
    pub watch: bool,
    /// Results only.
    pub quiet: bool,
    /// Play nothing: the settings were only to be read.
    pub check: bool,
}

/// How games are written as PGN.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PgnOut {
    /// The file.
    pub file: PathBuf,
    /// How chess turns are written: `san` or `uci`.
    pub notation: Option<String>,
    /// No comments.
    #[serde(default)]
    pub min: bool,
    /// How many positions were searched.
    #[serde(default)]
    pub nodes: bool,
    /// How long the longest line was.
    #[serde(default)]
    pub seldepth: bool,
}

impl Records {
    /// The name of the event.
    pub fn event(&self) -> &str {
        self.event.as_deref().unwrap_or("Carom match")
    }
}

/// One part of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Shard {
    /// Which, from 1 on.
    pub part: u64,
    /// Of how many.
    pub parts: u64,
}

impl Shard {
    /// True for the pairs of games that belong to it.
    pub const fn has(self, pair: u64) -> bool {
        pair.wrapping_sub(1) % self.parts == self.part - 1
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.map(|(part, parts)| Self { part, parts });
        shard
            .filter(|shard| shard.parts <= MOST_PARTS && (1..=shard.parts).contains(&shard.part))
            .ok_or_else(|| format!("-shard {text}: it must be I/N with I from 1 to N, and N to {MOST_PARTS}"))
    }
}

/// What the games depend on, as it was given.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MatchKeys {
    game: Option<String>,
    rule: Vec<String>,
    rounds: Option<u64>,
    games: Option<u64>,
    repeat: Option<u64>,
    duplicate: bool,
    noswap: bool,
    tournament: Option<String>,
    seeds: Option<usize>,
    seed: Option<String>,
    position: Option<String>,
    maxmoves: Option<u64>,
    #[serde(rename = "most-turns")]
    most_turns: Option<u64>,
    engine: Vec<EngineKeys>,
    each: EngineKeys,
    openings: Option<OpeningsFile>,
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    exact: Option<ExactKeys>,
    sprt: Option<SprtKeys>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExactKeys {
    turns: Option<u32>,
    positions: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SprtKeys {
    elo0: Option<f64>,
    elo1: Option<f64>,
    alpha: Option<f64>,
    beta: Option<f64>,
    model: Option<String>,
}

/// Turns after which a game is a draw, unless the user says otherwise.
const MOST_TURNS: usize = 1000;
/// The most games of a match: nobody sees their end, and all sums and products of them can be told.
const MOST_GAMES: u64 = 1_000_000_000;
/// The most parts of a match.
const MOST_PARTS: u64 = 1_000_000;

/// What serde has to say of a table that was checked is only that something is missing or one of a few texts.
fn typed<T: serde::de::DeserializeOwned>(table: toml::Table) -> Result<T, SettingsError> {
    table.try_into().map_err(|error: toml::de::Error| SettingsError(error.message().to_owned()))
}

impl Settings {
    /// Makes settings of what was `given`. `fresh_seed` is the seed of a match that names none; it becomes a part of it.
    ///
    /// # Errors
    /// When something is unknown, no value, or contradicts something else.
    pub fn read(given: &SettingsTable, fresh_seed: u64) -> Result<Self, SettingsError> {
        let mut checked = SettingsTable::default();
        checked.add(given)?;
        for group in ["openings", "pgnout"] {
            if let Some(toml::Value::Table(table)) = checked.0.get(group)
                && !table.contains_key("file")
                && let Some(first) =
                    checked.settings().into_iter().find(|own| own.spoken.starts_with(&format!("-{group} ")))
            {
                return refuse(format!("{}: no file is named", first.spoken));
            }
        }
        let is_record = |name: &str| {
            name == "pgnout" || keys::find("", name).is_some_and(|key| key.effect == Effect::Records)
        };
        let (records, games) = checked.0.clone().into_iter().partition(|(name, _)| is_record(name));
        let (records, games): (Records, MatchKeys) = (typed(records)?, typed(games)?);
        let given_seed = games.seed.as_deref().filter(|seed| names_seed(seed));
        let seed = given_seed.map_or_else(|| fresh_seed.to_string(), str::to_owned);
        checked.set("", 0, "seed", &seed)?;

        let named = |error: &dyn std::error::Error| SettingsError(error.to_string());
        let (facts, mut rules) = variants::find_with_rules(games.game.as_deref().unwrap_or("chess"))
            .map_err(|error| named(&error))?;
        for rule in &games.rule {
            let (name, value) = rule.split_once('=').unwrap_or((rule, ""));
            rules.set(facts, name, value).map_err(|error| named(&error))?;
        }
        let (mut engines, alone) = EngineSettings::read_all(&games.engine, &games.each)?;
        if games.duplicate {
            // Who has played a deal from one side must not remember it on the other.
            engines.iter_mut().for_each(|engine| engine.restart = true);
        }
        let schedule = Schedule {
            format: format(&games, engines.len())?,
            engines: engines.len(),
            rounds: games.rounds.unwrap_or(1),
            games: games.games.unwrap_or(2),
            repeat: games.repeat.unwrap_or(2),
            duplicate: games.duplicate,
            swap: !games.noswap,
            seed: mixed(&seed),
        };
        if schedule.total().is_some_and(|total| total > MOST_GAMES) {
            return refuse(format!("-rounds and -games: that is more than {MOST_GAMES} games"));
        }
        let adjudication = adjudication(&games)?;
        let sprt = games.sprt.as_ref().map(sprt).transpose()?;
        let openings = games.openings;
        let position = games.position.filter(|text| text != "startpos");
        if position.is_some() && openings.is_some() {
            return refuse("-position and -openings: which shall it be?");
        }
        if records.shard.is_some() {
            if !schedule.is_fixed() {
                return refuse(
                    "-shard: a part of a Swiss or knockout match cannot be played alone: who plays whom depends on all",
                );
            }
            if given_seed.is_none() {
                return refuse("-shard: name a -seed, so that all parts have the same");
            }
            if sprt.is_some() {
                return refuse(
                    "-shard with -sprt: one part cannot tell when to stop; test the joined parts with `carom merge`",
                );
            }
        }
        if records.watch && records.quiet {
            return refuse("-watch and -quiet: which shall it be?");
        }
        if sprt.is_some() && engines.len() != 2 {
            return refuse(format!("-sprt compares two engines, not {}", engines.len()));
        }
        Ok(Self {
            given: checked,
            facts,
            rules,
            engines,
            alone,
            schedule,
            position,
            openings,
            adjudication,
            sprt,
            records,
        })
    }
}

/// True when a seed is named; 0 asks for a new one.
pub fn names_seed(text: &str) -> bool {
    !matches!(text.trim(), "" | "0")
}

/// The 64 bits that a seed means, whatever its text is.
fn mixed(text: &str) -> u64 {
    fnv1a(text.trim().bytes())
}

/// A number of turns; what is more than can be counted is never reached.
fn turns(number: u64) -> usize {
    if number < keys::LARGEST { number as usize } else { usize::MAX }
}

fn format(games: &MatchKeys, engines: usize) -> Result<Format, SettingsError> {
    match games.tournament.as_deref().unwrap_or("roundrobin") {
        "gauntlet" => {
            let seeds = games.seeds.unwrap_or(1);
            if seeds >= engines {
                return refuse(format!("-seeds {seeds}: there are only {engines} engines"));
            }
            Ok(Format::Gauntlet { seeds })
        }
        _ if games.seeds.is_some() => refuse("-seeds is for -tournament gauntlet"),
        "roundrobin" | "round-robin" | "match" => Ok(Format::RoundRobin),
        "swiss" => Ok(Format::Swiss),
        "knockout" if games.rounds.is_some() => refuse("-rounds: a knockout has as many as it needs"),
        "knockout" => Ok(Format::Knockout),
        other => refuse(format!("-tournament {other}: it can be roundrobin, gauntlet, swiss or knockout")),
    }
}

fn adjudication(games: &MatchKeys) -> Result<Adjudication, SettingsError> {
    let length = match (games.most_turns.map(turns), games.maxmoves.map(turns)) {
        (Some(_), Some(_)) => return refuse("-maxmoves and -most-turns: which shall it be?"),
        (None, Some(moves)) => moves.saturating_mul(2),
        (most, None) => most.unwrap_or(MOST_TURNS),
    };
    let exact = games
        .exact
        .as_ref()
        .map(|keys| Horizon { turns: keys.turns.unwrap_or(3), positions: keys.positions.unwrap_or(20_000) });
    Ok(Adjudication {
        draw: games.draw,
        resign: games.resign,
        length: Some(length).filter(|most| *most > 0),
        exact,
    })
}

fn sprt(keys: &SprtKeys) -> Result<Sprt, SettingsError> {
    let needed =
        |name: &str, elo: Option<f64>| elo.ok_or_else(|| SettingsError(format!("-sprt needs {name}=")));
    let risk = |name: &str, risk: Option<f64>| match risk.unwrap_or(0.05) {
        risk if risk > 0.0 && risk < 0.5 => Ok(risk),
        risk => refuse(format!("-sprt {name}={risk}: a risk lies between 0 and 0.5")),
    };
    let wrong = |error: crate::statistics::SprtError| SettingsError(format!("-sprt: {error}"));
    let model = keys.model.as_deref().map_or(Ok(Model::Normalized), str::parse).map_err(wrong)?;
    let elo = [needed("elo0", keys.elo0)?, needed("elo1", keys.elo1)?];
    Sprt::new(model, elo[0], elo[1], risk("alpha", keys.alpha)?, risk("beta", keys.beta)?).map_err(wrong)
}
