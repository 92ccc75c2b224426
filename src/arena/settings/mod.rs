//! The settings of a match.
//!
//! The arguments of the command line, a TOML file or a journal become one [`SettingsTable`].
//! [`Settings::read`] makes typed settings of it, and gives the reason when it must refuse them.

mod engine;
mod error;
mod given;
mod imitated;
mod key;
pub mod keys;
mod records;
mod table;
#[cfg(test)]
mod tests;
pub mod words;

pub use engine::EngineSettings;
pub use error::SettingsError;
pub use given::{Imitated, OpeningsFile, OpeningsFormat, Order, PgnOut, Records, Shard};
pub use key::{Effect, Key};
pub use table::{Setting, SettingsTable};

use super::schedule::{Format, Schedule};
use super::{Adjudication, DrawRule, ResignRule};
use crate::base::fnv1a;
use crate::client::{DrawRules, RefereeSettings};
use crate::connection::EngineCommand;
use crate::game::Horizon;
use crate::game::{Facts, Rules};
use crate::session::Announcement;
use crate::statistics::{Model, Sprt};
use crate::variants;
use error::refuse;
use given::{MatchKeys, RefereeKeys, SprtKeys};

/// All settings of a match.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The settings as they were given, always with the seed.
    pub given: SettingsTable,
    /// The game that is played.
    pub facts: &'static Facts,
    /// The rule switches that are set.
    pub rules: Rules,
    /// Who knows the rules of a game that is not ours.
    pub referee: Option<RefereeSettings>,
    /// Whether games also end when the engines say so.
    pub claims: bool,
    /// The engines, at least two.
    pub engines: Vec<EngineSettings>,
    /// Whether no engine was named, so that Carom plays itself.
    pub alone: bool,
    /// The schedule: who plays whom.
    pub schedule: Schedule,
    /// The position that games begin with when there are no openings; `None` for the game's own.
    pub position: Option<String>,
    /// The file of openings, if there is one.
    pub openings: Option<OpeningsFile>,
    /// When to end games early.
    pub adjudication: Adjudication,
    /// Whether games are counted in pairs.
    pub pentanomial: bool,
    /// The sequential test that may end the match early.
    pub sprt: Option<Sprt>,
    /// What to write and show.
    pub records: Records,
}

/// The number of turns after which a game is a draw, unless the user sets another.
const MOST_TURNS: usize = 1000;
/// The most games of a match. No one would see the end of more, and all sums and products of such numbers are
/// safe from overflow.
const MOST_GAMES: u64 = 1_000_000_000;

/// Converts a table whose values were checked already: serde can only complain of a missing value, or of a
/// text that is not among the few allowed. It goes by way of JSON, whose values take less code for each type.
fn typed<T: serde::de::DeserializeOwned>(table: toml::Table) -> Result<T, SettingsError> {
    serde_json::to_value(table)
        .and_then(serde_json::from_value)
        .map_err(|error| SettingsError(error.to_string()))
}

impl Settings {
    /// Makes settings of what was `given`. `fresh_seed` becomes the seed of a match that names none.
    ///
    /// # Errors
    /// When a setting is unknown, has no valid value, or contradicts another.
    pub fn read(given: &SettingsTable, fresh_seed: u64) -> Result<Self, SettingsError> {
        let mut checked = SettingsTable::default();
        checked.add(given)?;
        if let Some(program) = checked.get("imitate").and_then(|name| Imitated::named(&name)) {
            program.add_defaults(&mut checked)?;
        }
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
            matches!(name, "pgnout" | "output")
                || keys::find("", name).is_some_and(|key| key.effect == Effect::Records)
        };
        let (records, games) = checked.0.clone().into_iter().partition(|(name, _)| is_record(name));
        let (records, games): (Records, MatchKeys) = (typed(records)?, typed(games)?);
        let given_seed = games.seed.as_deref().filter(|seed| names_seed(seed));
        let seed = given_seed.map_or_else(|| fresh_seed.to_string(), str::to_owned);
        checked.set("", 0, "seed", &seed)?;

        let named = |error: &dyn std::error::Error| SettingsError(error.to_string());
        let game = games.game.as_deref().unwrap_or("chess");
        let claims = games.referee.as_ref().is_some_and(|keys| keys.engines);
        let referee = games.referee.as_ref().map(|keys| keys.read(game)).transpose()?.flatten();
        let (facts, mut rules) = match (variants::find_with_rules(game), &games.referee) {
            (Err(_), Some(_)) => {
                let (name, start) = (game.to_owned(), String::new());
                let unknown = Announcement { name, files: 8, ranks: 8, hand: 0, start, setup: None };
                let facts = unknown.into_facts();
                (facts, Rules::of(facts))
            }
            (Ok(_), Some(_)) => return refuse(format!("-referee: Carom knows the rules of {game} itself")),
            (found, None) => found.map_err(|error| {
                let more = "; with -referee cmd=… another program can know its rules";
                SettingsError(format!("{error}{more}"))
            })?,
        };
        for rule in &games.rule {
            let (name, value) = rule.split_once('=').unwrap_or((rule, ""));
            rules.set(facts, name, value).map_err(|error| named(&error))?;
        }
        let (mut engines, alone) = EngineSettings::read_all(&games.engine, &games.each)?;
        let kept = records.kept()?;
        engines.iter_mut().for_each(|engine| engine.player.kept = kept.clone());
        if games.referee.is_some() {
            // The engines may know it only once they have read a file, and are asked again for it by its name.
            engines.iter_mut().for_each(|engine| {
                engine.player.game.get_or_insert_with(|| game.to_owned());
            });
        }
        if games.duplicate {
            // An engine that has played a deal from one side must not remember it on the other.
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
            reverse: games.reverse,
            policy: games.openings.as_ref().and_then(|openings| openings.policy),
            seed: mixed(&seed),
        };
        if schedule.total().is_some_and(|total| total > MOST_GAMES) {
            return refuse(format!("-rounds and -games: that is more than {MOST_GAMES} games"));
        }
        let adjudication = adjudication(&games)?;
        let sprt = games.sprt.as_ref().map(sprt).transpose()?;
        let by_games = records.lines() == Some(Imitated::Cutechess);
        let pentanomial = games.report.penta.unwrap_or(!by_games);
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
        if let Some(processors) = records.affinity.as_deref().filter(|text| *text != "true") {
            super::affinity::listed(processors)?;
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
            referee,
            claims,
            engines,
            alone,
            schedule,
            position,
            openings,
            adjudication,
            pentanomial,
            sprt,
            records,
        })
    }
}

/// True when the text is a seed; 0 asks for a new one.
pub fn names_seed(text: &str) -> bool {
    !matches!(text.trim(), "" | "0")
}

/// The 64-bit seed that a text of any kind stands for.
fn mixed(text: &str) -> u64 {
    fnv1a(text.trim().bytes())
}

/// A number of turns; one that is too large to count is never reached.
fn turns(number: u64) -> usize {
    if number < key::LARGEST { number as usize } else { usize::MAX }
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
        "pyramid" => Ok(Format::Pyramid),
        "swiss" => Ok(Format::Swiss),
        "knockout" if games.rounds.is_some() => refuse("-rounds: a knockout has as many as it needs"),
        "knockout" => Ok(Format::Knockout),
        other => {
            refuse(format!("-tournament {other}: it can be roundrobin, gauntlet, pyramid, swiss or knockout"))
        }
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
    let usual = (DrawRule::default(), ResignRule::default());
    let draw = games.draw.map(|keys| DrawRule {
        turn: keys.movenumber.unwrap_or(usual.0.turn),
        count: keys.movecount.unwrap_or(usual.0.count),
        score: keys.score.unwrap_or(usual.0.score),
    });
    let resign = games.resign.map(|keys| ResignRule {
        count: keys.movecount.unwrap_or(usual.1.count),
        score: keys.score.unwrap_or(usual.1.score),
        both: keys.twosided.unwrap_or(usual.1.both),
    });
    Ok(Adjudication { draw, resign, length: Some(length).filter(|most| *most > 0), exact })
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

impl RefereeKeys {
    fn read(&self, game: &str) -> Result<Option<RefereeSettings>, SettingsError> {
        let Some(cmd) = &self.cmd else {
            let others = [
                self.variant.is_some(),
                self.repetition.is_some(),
                self.perpetual.is_some(),
                self.moves.is_some(),
            ];
            if self.engines && self.option.is_empty() && others == [false; 4] {
                return Ok(None);
            }
            return refuse("-referee: there is no cmd=");
        };
        let mut words = table::split(cmd)?.into_iter().map(std::ffi::OsString::from);
        let Some(program) = words.next() else { return refuse("-referee: cmd= is empty") };
        Ok(Some(RefereeSettings {
            command: EngineCommand::with_arguments(program, words.collect()),
            variant: self.variant.clone().unwrap_or_else(|| game.to_owned()),
            options: engine::parted(&self.option),
            draws: DrawRules {
                repetition: match self.repetition.as_deref().unwrap_or("3") {
                    "none" => None,
                    number => match number.parse() {
                        Ok(times) if times > 1 => Some(times),
                        _ => {
                            return refuse(format!(
                                "-referee repetition={number}: it must be none or a number from 2 on"
                            ));
                        }
                    },
                },
                perpetual: self.perpetual.unwrap_or(false),
                moves: self.moves,
            },
        }))
    }
}
