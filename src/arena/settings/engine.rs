//! The settings of one engine.

use super::{Entry, SettingsError, last, positive, truth, value, wrong};
use crate::arena::{Limits, Manner, Positions, Protocol, TimeControl, parse_seconds};
use crate::process::{EngineCommand, Stderr};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to run an engine, how to speak to it, what limits it.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// How to start it; `None`: this very program.
    pub command: Option<EngineCommand>,
    /// Its protocol, if known.
    pub protocol: Option<Protocol>,
    /// How to speak to it.
    pub manner: Manner,
    /// What limits it.
    pub limits: Limits,
    /// Start it anew for each game.
    pub restart: bool,
    /// How long it may take to leave.
    pub quit_timeout: Duration,
}

/// How far a flag may have fallen before it counts, in milliseconds, at most.
const MOST_MARGIN: u64 = 1_000_000_000;
/// The same, usually: what a busy machine may need to pass a line on.
const MARGIN: Duration = Duration::from_millis(50);

impl EngineSettings {
    /// The file its standard error goes to.
    pub fn errors_file(&self) -> Option<&Path> {
        match &self.command.as_ref()?.stderr {
            Stderr::File(path) => Some(path),
            _ => None,
        }
    }

    /// The engines that `entries` name, and whether none is named: then it is Carom against itself, over UCI and over the
    /// XBoard protocol.
    pub(super) fn read_all(entries: &[Entry]) -> Result<(Vec<Self>, bool), SettingsError> {
        let count = entries.iter().filter(|e| e.group == "engine").map(|e| e.place + 1).max().unwrap_or(0);
        match count {
            0 => {
                let carom = |protocol: Protocol, name: &str| {
                    let mut engine = Self::read(entries, 0, true)?;
                    engine.protocol = Some(protocol);
                    engine.manner.name = Some(format!("Carom ({name})"));
                    Ok(engine)
                };
                Ok((vec![carom(Protocol::Uci, "UCI")?, carom(Protocol::Cecp, "XBoard")?], true))
            }
            1 => Err(SettingsError(
                "one -engine alone has nobody to play; name two, or none for Carom against itself".to_owned(),
            )),
            _ => {
                let engines: Result<Vec<Self>, _> =
                    (0..count).map(|place| Self::read(entries, place, false)).collect();
                let engines = engines?;
                let mut names: Vec<_> =
                    engines.iter().filter_map(|engine| engine.manner.name.as_ref()).collect();
                names.sort_unstable();
                if let Some(twice) = names.windows(2).find(|two| two[0] == two[1]) {
                    return Err(SettingsError(format!("two engines have the name `{}`", twice[0])));
                }
                Ok((engines, false))
            }
        }
    }

    /// The engine at `place`: its own settings, else those of `each`.
    fn read(entries: &[Entry], place: usize, alone: bool) -> Result<Self, SettingsError> {
        let own: Vec<Entry> =
            entries.iter().filter(|e| e.group == "engine" && e.place == place && !alone).cloned().collect();
        let each: Vec<Entry> = entries.iter().filter(|entry| entry.group == "each").cloned().collect();
        let one = |name: &str| last(&own, "engine", name).or_else(|| last(&each, "each", name));
        let seconds = |name: &str, or: Duration| match one(name) {
            None => Ok(or),
            Some(entry) => parse_seconds(&entry.value).map_err(|_| wrong(entry)),
        };
        let usual = Manner::default();
        let quit_timeout = seconds("quit", Duration::from_secs(2))?;
        let options = |entries: &[Entry]| -> Vec<(String, String)> {
            let named = entries.iter().filter_map(|e| Some((e.name.strip_prefix("option.")?, &e.value)));
            named.map(|(name, value)| (name.to_owned(), value.clone())).collect()
        };
        let lines = |entries: &[Entry]| -> Vec<String> {
            entries.iter().filter(|entry| entry.name == "init").map(|entry| entry.value.clone()).collect()
        };
        let protocol = match one("proto") {
            None => None,
            Some(entry) => Some(match entry.value.as_str() {
                "uci" => Protocol::Uci,
                "cecp" | "xboard" | "winboard" => Protocol::Cecp,
                "ugi" => Protocol::Ugi,
                "auto" => return Err(wrong(entry)),
                _ => return Err(wrong(entry)),
            }),
        };
        let restart = match one("restart") {
            None => false,
            Some(entry) if entry.value == "auto" => false,
            Some(entry) => truth(entry)?,
        };
        let manner = Manner {
            name: last(&own, "engine", "name").map(|entry| entry.value.clone()),
            game: one("variant").map(|entry| entry.value.clone()),
            positions: match one("positions") {
                None => Positions::Own,
                Some(entry) => match entry.value.as_str() {
                    "own" => Positions::Own,
                    "fen" => Positions::Fen,
                    _ => return Err(wrong(entry)),
                },
            },
            options: options(&own),
            wishes: options(&each),
            first_lines: [lines(&each), lines(&own)].concat(),
            ponder: one("ponder").map_or(Ok(false), truth)?,
            start: seconds("start", usual.start)?,
            ready: seconds("ready", usual.ready)?,
            hang: seconds("hang", usual.hang)?,
            silence: seconds("silence", usual.silence)?,
        };
        let command = if alone { None } else { command(&own, place)? };
        let command = command.map(|command| EngineCommand { quit_timeout, ..command });
        Ok(Self { command, protocol, manner, limits: limits(&own, &each)?, restart, quit_timeout })
    }
}

/// The limits: an engine's own time control and limits go before those of all.
fn limits(own: &[Entry], each: &[Entry]) -> Result<Limits, SettingsError> {
    let mut limits = Limits {
        control: TimeControl::Clock {
            turns: None,
            base: Duration::from_secs(10),
            increment: Duration::from_millis(100),
        },
        margin: MARGIN,
        depth: None,
        nodes: None,
    };
    let mut timed = false;
    for (entries, group) in [(each, "each"), (own, "engine")] {
        let one = |name: &str| last(entries, group, name);
        if let (Some(tc), Some(st)) = (one("tc"), one("st")) {
            let why = format!("{} and st={}: which shall it be?", tc.spoken(), st.value);
            return Err(SettingsError(why));
        }
        if let Some(entry) = one("tc") {
            limits.control = entry.value.parse().map_err(|error| SettingsError(format!("{error}")))?;
            timed = true;
        }
        if let Some(entry) = one("st") {
            let time = parse_seconds(&entry.value).ok().filter(|time| !time.is_zero());
            limits.control = TimeControl::PerTurn { time: time.ok_or_else(|| wrong(entry))? };
            timed = true;
        }
        if let Some(entry) = one("depth") {
            let depth = positive(entry)?;
            limits.depth = Some(
                u32::try_from(depth)
                    .ok()
                    .filter(|d| *d <= 120)
                    .ok_or_else(|| SettingsError(format!("{}: it can be 1 to 120", entry.spoken())))?,
            );
        }
        if let Some(entry) = one("nodes") {
            limits.nodes = Some(positive(entry)?);
        }
        if let Some(entry) = one("timemargin") {
            limits.margin = Duration::from_millis(
                value(entry).ok().filter(|ms| *ms <= MOST_MARGIN).ok_or_else(|| wrong(entry))?,
            );
        }
    }
    let limited = limits.depth.is_some() || limits.nodes.is_some();
    if limited && !timed {
        limits.control = TimeControl::Untimed;
    }
    if limits.control == TimeControl::Untimed && !limited {
        return Err(SettingsError(
            "tc=inf: an engine without a clock thinks for ever; give it depth= or nodes=".to_owned(),
        ));
    }
    Ok(limits)
}

/// The command; `None` for this very program.
fn command(own: &[Entry], place: usize) -> Result<Option<EngineCommand>, SettingsError> {
    let one = |name: &str| last(own, "engine", name);
    let Some(entry) = one("cmd") else {
        return Err(SettingsError(format!("engine {}: there is no cmd=", place + 1)));
    };
    let split = |text: &str| {
        shlex::split(text).ok_or_else(|| SettingsError(format!("`{text}`: a quotation mark is open")))
    };
    // A path with blanks in it is taken as it is if there is such a file.
    let mut words =
        if Path::new(&entry.value).is_file() { vec![entry.value.clone()] } else { split(&entry.value)? };
    if words.is_empty() {
        return Err(SettingsError(format!("engine {}: cmd= is empty", place + 1)));
    }
    let program = words.remove(0);
    let folder = one("dir").map(|entry| PathBuf::from(&entry.value));
    let mut arguments: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    for entry in own {
        match entry.name.as_str() {
            "arg" => arguments.push(entry.value.clone().into()),
            "args" => arguments.extend(split(&entry.value)?.into_iter().map(OsString::from)),
            _ => {}
        }
    }
    let environment = own
        .iter()
        .filter_map(|e| Some((e.name.strip_prefix("env.")?, &e.value)))
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    let errors = match one("stderr").map(|entry| entry.value.as_str()) {
        None => Stderr::Inherit,
        Some("none") => Stderr::Null,
        Some(file) => Stderr::File(file.into()),
    };
    let found = one("dir").is_some() || program.contains('/') || program != "carom";
    if !found && arguments.is_empty() && environment_is_plain(own) {
        return Ok(None);
    }
    // A program in the engine's folder is meant before one in ours; both may be named by a short path.
    let program = match &folder {
        Some(folder) if folder.join(&program).is_file() => absolute(&folder.join(&program)),
        _ if program.contains('/') => absolute(Path::new(&program)),
        _ => PathBuf::from(program),
    };
    let mut command = EngineCommand::new(program);
    command.arguments = arguments;
    command.folder = folder;
    command.environment = environment;
    command.stderr = errors;
    Ok(Some(command))
}

/// Nothing is said but how to call it.
fn environment_is_plain(own: &[Entry]) -> bool {
    !own.iter().any(|entry| entry.name.starts_with("env.") || entry.name == "stderr")
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
