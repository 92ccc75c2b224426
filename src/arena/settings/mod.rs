//! The settings of a match.
//!
//! Words (from the command line, a TOML file or a journal) are [`Entry`]s; [`Settings::read`] makes typed settings of them
//! and refuses what is unknown or contradictory with the reason.

mod engine;
mod entry;
pub mod keys;
#[cfg(test)]
mod tests;

pub use engine::EngineSettings;
pub use entry::{Entry, from_toml};
pub use keys::Effect;

use super::schedule::{Format, Schedule};
use super::statistics::{Model, Sprt};
use super::{Adjudication, DrawRule, ResignRule};
use crate::base::{is_control, without_controls};
use crate::game::Horizon;
use crate::game::{Facts, Rules};
use crate::variants;
use std::path::PathBuf;
use std::str::FromStr;

/// Settings that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(pub String);

/// Everything about a match.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The words they were made from, the seed always among them.
    pub entries: Vec<Entry>,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsFile {
    /// The file.
    pub file: PathBuf,
    /// Shuffled by the seed.
    pub random: bool,
    /// How many to pass over.
    pub skip: u64,
    /// Turns to play of each at most.
    pub plies: Option<usize>,
}

/// What to write and show.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Games at the same time.
    pub concurrency: usize,
    /// Which part of how many, the first being 1.
    pub shard: Option<(u64, u64)>,
    /// The journal.
    pub journal: Option<PathBuf>,
    /// Games as PGN.
    pub pgn: Option<PathBuf>,
    /// Chess turns in coordinates.
    pub pgn_coordinates: bool,
    /// No comments.
    pub pgn_minimal: bool,
    /// Final positions.
    pub epd: Option<PathBuf>,
    /// A cross table.
    pub html: Option<PathBuf>,
    /// For PGN.
    pub event: String,
    /// For PGN.
    pub site: String,
    /// Games between two tables; 0: only at the end.
    pub interval: u64,
    /// Draw the running game.
    pub watch: bool,
    /// Results only.
    pub quiet: bool,
    /// Play nothing: the settings were only to be read.
    pub check: bool,
}

/// Turns after which a game is a draw, unless the user says otherwise.
const MOST_TURNS: usize = 1000;

/// The last value given for a setting.
fn last<'a>(entries: &'a [Entry], group: &str, name: &str) -> Option<&'a Entry> {
    entries.iter().rev().find(|entry| entry.group == group && entry.name == name)
}

fn value<T: FromStr>(entry: &Entry) -> Result<T, SettingsError> {
    entry.value.trim().parse().map_err(|_| wrong(entry))
}

/// The value is not what the table says.
fn wrong(entry: &Entry) -> SettingsError {
    let wanted = match entry.key().map_or("", |key| key.value) {
        "" | "BOOL" => "true or false",
        "N" => "a whole number",
        "MS" => "a whole number of milliseconds",
        "CP" => "a whole number of centipawns",
        "SECONDS" => "a number of seconds",
        "ELO" | "P" => "a number",
        shape => shape,
    };
    SettingsError(format!("{}: it must be {wanted}", entry.spoken()))
}

fn truth(entry: &Entry) -> Result<bool, SettingsError> {
    match entry.value.as_str() {
        "true" | "on" | "1" | "yes" | "" => Ok(true),
        "false" | "off" | "0" | "no" => Ok(false),
        _ => Err(wrong(entry)),
    }
}

/// A setting that is a number above 0.
fn positive(entry: &Entry) -> Result<u64, SettingsError> {
    let wrong = || SettingsError(format!("{}: it must be a whole number from 1 on", entry.spoken()));
    value(entry).ok().filter(|number| *number > 0).ok_or_else(wrong)
}

/// A setting that is a number from 1 to `most`.
fn up_to(entry: &Entry, most: u64) -> Result<u64, SettingsError> {
    let wrong = || SettingsError(format!("{}: it must be a whole number from 1 to {most}", entry.spoken()));
    value(entry).ok().filter(|number| (1..=most).contains(number)).ok_or_else(wrong)
}

/// The most games of a match, and of whatever is counted in games, turns or openings: nobody sees their end, and all sums
/// and products of them can be told.
const MOST: u64 = 1_000_000_000;
/// The most games at the same time; each takes two engines.
const MOST_CONCURRENCY: u64 = 1024;
/// The most parts of a match.
const MOST_PARTS: u64 = 1_000_000;
/// The most turns a forced win is looked for.
const MOST_EXACT_TURNS: u64 = 30;

impl Settings {
    /// Makes settings of `entries`. Of a setting given twice the last counts. `fresh_seed` is the seed of a match that
    /// names none; it becomes one of the entries.
    ///
    /// # Errors
    /// When something is unknown, no value, or contradicts something else.
    pub fn read(mut entries: Vec<Entry>, fresh_seed: u64) -> Result<Self, SettingsError> {
        // From the command line, a file or a journal: some of it is sent to engines and written into records.
        if let Some(entry) =
            entries.iter().find(|entry| entry.name.contains(is_control) || entry.value.contains(is_control))
        {
            return Err(SettingsError(format!(
                "{}: there is a control character in it",
                without_controls(&entry.spoken())
            )));
        }
        let given_seed = last(&entries, "", "seed").map(value::<u64>).transpose()?.filter(|seed| *seed != 0);
        let seed = given_seed.unwrap_or(fresh_seed);
        entries.retain(|entry| !(entry.group.is_empty() && entry.name == "seed"));
        entries.push(Entry::new("", 0, "seed", &seed.to_string())?);
        let entries = entries;
        let one = |group: &str, name: &str| last(&entries, group, name);
        let flag = |name: &str| one("", name).map_or(Ok(false), truth);
        let path = |group: &str, name: &str| one(group, name).map(|entry| PathBuf::from(&entry.value));

        let game = one("", "game").map_or("chess", |entry| entry.value.as_str());
        let facts = variants::find(game).map_err(|error| SettingsError(error.to_string()))?;
        let mut rules = Rules::of(facts);
        for entry in entries.iter().filter(|entry| entry.group.is_empty() && entry.name == "rule") {
            let (name, value) = entry.value.split_once('=').unwrap_or((&entry.value, ""));
            rules.set(facts, name, value).map_err(|error| SettingsError(error.to_string()))?;
        }

        let (engines, alone) = EngineSettings::read_all(&entries)?;
        let number = |group: &str, name: &str, or: u64, most: u64| {
            one(group, name).map_or(Ok(or), |entry| up_to(entry, most))
        };
        let schedule = Schedule {
            format: format(&entries, engines.len())?,
            engines: engines.len(),
            rounds: number("", "rounds", 1, MOST)?,
            games: number("", "games", 2, MOST)?,
            repeat: one("", "repeat")
                .map_or(Ok(2), |e| if e.value == "true" { Ok(2) } else { up_to(e, MOST) })?,
            swap: !flag("noswap")?,
            seed,
        };
        if schedule.total().is_some_and(|total| total > MOST) {
            return Err(SettingsError(format!("-rounds and -games: that is more than {MOST} games")));
        }
        let openings = match path("openings", "file") {
            None => match entries.iter().find(|entry| entry.group == "openings") {
                Some(entry) => return Err(SettingsError(format!("{}: no file is named", entry.spoken()))),
                None => None,
            },
            Some(file) => Some(OpeningsFile {
                file,
                random: match one("openings", "order") {
                    None => false,
                    Some(entry) => match entry.value.as_str() {
                        "random" => true,
                        "sequential" => false,
                        _ => return Err(wrong(entry)),
                    },
                },
                skip: number("openings", "start", 1, MOST)? - 1,
                plies: one("openings", "plies").map(value).transpose()?,
            }),
        };
        let position = one("", "position").map(|entry| entry.value.clone()).filter(|text| text != "startpos");
        if position.is_some() && openings.is_some() {
            return Err(SettingsError("-position and -openings: which shall it be?".to_owned()));
        }
        let sprt = sprt(&entries)?;
        let records = Records {
            concurrency: number("", "concurrency", 1, MOST_CONCURRENCY)? as usize,
            shard: one("", "shard").map(shard).transpose()?,
            journal: path("", "journal"),
            pgn: path("pgnout", "file"),
            pgn_coordinates: match one("pgnout", "notation") {
                None => false,
                Some(entry) => match entry.value.as_str() {
                    "san" => false,
                    "uci" => true,
                    _ => return Err(wrong(entry)),
                },
            },
            pgn_minimal: one("pgnout", "min").map_or(Ok(false), truth)?,
            epd: path("", "epdout"),
            html: path("", "html"),
            event: one("", "event").map_or("Carom match".to_owned(), |entry| entry.value.clone()),
            site: one("", "site").map_or("?".to_owned(), |entry| entry.value.clone()),
            interval: one("", "ratinginterval").map_or(Ok(10), value)?,
            watch: flag("watch")?,
            quiet: flag("quiet")?,
            check: flag("check")?,
        };
        if records.pgn.is_none()
            && let Some(entry) = entries.iter().find(|entry| entry.group == "pgnout")
        {
            return Err(SettingsError(format!("{}: no file is named", entry.spoken())));
        }
        if records.shard.is_some() {
            if !schedule.is_fixed() {
                let why = "a part of a Swiss or knockout match cannot be played alone: who plays whom depends on all";
                return Err(SettingsError(format!("-shard: {why}")));
            }
            if given_seed.is_none() {
                return Err(SettingsError(
                    "-shard: name a -seed, so that all parts have the same".to_owned(),
                ));
            }
            if sprt.is_some() {
                let why = "one part cannot tell when to stop; test the joined parts with `carom merge`";
                return Err(SettingsError(format!("-shard with -sprt: {why}")));
            }
        }
        if records.watch && records.quiet {
            return Err(SettingsError("-watch and -quiet: which shall it be?".to_owned()));
        }
        if sprt.is_some() && engines.len() != 2 {
            return Err(SettingsError(format!("-sprt compares two engines, not {}", engines.len())));
        }
        let adjudication = adjudication(&entries)?;
        Ok(Self {
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
            entries,
        })
    }

    /// The entries that two parts of the same match must share: everything the games depend on, and with `machine` how
    /// the engines are run as well. `;` in a value cannot confuse them: they are compared as entries.
    pub fn identity(entries: &[Entry], machine: bool) -> Vec<Entry> {
        let counts = |entry: &&Entry| match entry.effect() {
            Effect::Games => true,
            Effect::Machine => machine,
            Effect::Records => false,
        };
        let mut own: Vec<Entry> = entries.iter().filter(counts).cloned().collect();
        own.sort_by(|one, other| {
            (&one.group, one.place, &one.name).cmp(&(&other.group, other.place, &other.name))
        });
        own
    }
}

fn format(entries: &[Entry], engines: usize) -> Result<Format, SettingsError> {
    let seeds = last(entries, "", "seeds");
    let form = last(entries, "", "tournament");
    match form.map_or("roundrobin", |entry| entry.value.as_str()) {
        "gauntlet" => {
            let count = seeds.map_or(Ok(1), positive)? as usize;
            if count >= engines {
                return Err(SettingsError(format!("-seeds {count}: there are only {engines} engines")));
            }
            Ok(Format::Gauntlet { seeds: count })
        }
        _ if seeds.is_some() => Err(SettingsError("-seeds is for -tournament gauntlet".to_owned())),
        "roundrobin" | "round-robin" | "match" => Ok(Format::RoundRobin),
        "swiss" => Ok(Format::Swiss),
        "knockout" if last(entries, "", "rounds").is_some() => {
            Err(SettingsError("-rounds: a knockout has as many as it needs".to_owned()))
        }
        "knockout" => Ok(Format::Knockout),
        other => Err(SettingsError(format!(
            "-tournament {other}: it can be roundrobin, gauntlet, swiss or knockout"
        ))),
    }
}

fn adjudication(entries: &[Entry]) -> Result<Adjudication, SettingsError> {
    let has = |group: &str| entries.iter().any(|entry| entry.group == group);
    fn number<T: FromStr>(entries: &[Entry], group: &str, name: &str, or: T) -> Result<T, SettingsError> {
        last(entries, group, name).map_or(Ok(or), value)
    }
    let most = last(entries, "", "most-turns").map(value::<usize>).transpose()?;
    let moves = last(entries, "", "maxmoves").map(value::<usize>).transpose()?;
    let length = match (most, moves) {
        (Some(_), Some(_)) => {
            return Err(SettingsError("-maxmoves and -most-turns: which shall it be?".to_owned()));
        }
        (None, Some(moves)) => moves.saturating_mul(2),
        (most, None) => most.unwrap_or(MOST_TURNS),
    };
    Ok(Adjudication {
        draw: has("draw")
            .then(|| {
                Ok(DrawRule {
                    turn: number(entries, "draw", "movenumber", 40)?,
                    count: number(entries, "draw", "movecount", 8)?,
                    score: number(entries, "draw", "score", 10)?,
                })
            })
            .transpose()?,
        resign: has("resign")
            .then(|| {
                Ok(ResignRule {
                    count: number(entries, "resign", "movecount", 4)?,
                    score: number(entries, "resign", "score", 600)?,
                    both: last(entries, "resign", "twosided").map_or(Ok(false), truth)?,
                })
            })
            .transpose()?,
        length: Some(length).filter(|length| *length > 0),
        exact: has("exact")
            .then(|| {
                let turns = last(entries, "exact", "turns")
                    .map_or(Ok(3), |entry| up_to(entry, MOST_EXACT_TURNS))?
                    as u32;
                Ok(Horizon { turns, positions: number(entries, "exact", "positions", 20_000)? })
            })
            .transpose()?,
    })
}

fn sprt(entries: &[Entry]) -> Result<Option<Sprt>, SettingsError> {
    if !entries.iter().any(|entry| entry.group == "sprt") {
        return Ok(None);
    }
    let needed = |name: &str| {
        let missing = || SettingsError(format!("-sprt needs {name}="));
        last(entries, "sprt", name).ok_or_else(missing).and_then(value::<f64>)
    };
    let risk = |name: &str| match last(entries, "sprt", name) {
        None => Ok(0.05),
        Some(entry) => value(entry)
            .ok()
            .filter(|p| *p > 0.0 && *p < 0.5)
            .ok_or_else(|| SettingsError(format!("{}: a risk lies between 0 and 0.5", entry.spoken()))),
    };
    let model = match last(entries, "sprt", "model") {
        None => Model::Normalized,
        Some(entry) => value(entry)?,
    };
    let test = Sprt::new(model, needed("elo0")?, needed("elo1")?, risk("alpha")?, risk("beta")?);
    test.map(Some).map_err(|error| SettingsError(format!("-sprt: {error}")))
}

fn shard(entry: &Entry) -> Result<(u64, u64), SettingsError> {
    let parts =
        entry.value.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    parts.filter(|(part, of)| *of <= MOST_PARTS && (1..=*of).contains(part)).ok_or_else(|| {
        SettingsError(format!("{}: it must be I/N with I from 1 to N, and N to {MOST_PARTS}", entry.spoken()))
    })
}
