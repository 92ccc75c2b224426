//! The settings of one engine.

mod engines_json;

use super::error::{SettingsError, refuse};
use super::given::EngineKeys;
use super::table::split;
use crate::arena::{Limits, PlayerSettings};
use crate::client::{Dialect, Protocol};
use crate::connection::wire::Address;
use crate::connection::{EngineCommand, Stderr};
use crate::session::TimeControl;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to run an engine, how to communicate with it, and its limits.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// How to start it; `None` for this very program.
    pub command: Option<EngineCommand>,
    /// Its protocol, if it is known.
    pub protocol: Option<Protocol>,
    /// How to communicate with it.
    pub player: PlayerSettings,
    /// Its time control and limits.
    pub limits: Limits,
    /// Whether to start it anew for each game.
    pub restart: bool,
    /// How long it may take to quit.
    pub quit_timeout: Duration,
}

/// The largest search depth that can be set.
const MOST_DEPTH: u64 = 120;
/// The default time margin in milliseconds: what a busy machine may need to pass on a line.
const MARGIN: u64 = 50;

/// Splits each `NAME=VALUE`.
pub(super) fn parted(list: &[String]) -> Vec<(String, String)> {
    let parted = list.iter().filter_map(|item| item.split_once('='));
    parted.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

impl EngineSettings {
    /// The file for its standard error, if there is one.
    pub fn stderr_file(&self) -> Option<&Path> {
        match &self.command.as_ref()?.stderr {
            Stderr::File(path) => Some(path),
            _ => None,
        }
    }

    /// The engines, and whether none was named. Then it is Carom against itself, over UCI and over the XBoard
    /// protocol.
    pub(super) fn read_all(
        engines: &[EngineKeys],
        each: &EngineKeys,
    ) -> Result<(Vec<Self>, bool), SettingsError> {
        if engines.is_empty() {
            let carom = |protocol: Protocol, name: &str| {
                let own = EngineKeys { name: Some(format!("Carom ({name})")), ..EngineKeys::default() };
                Ok(Self { protocol: Some(protocol), ..Self::read(&own, each, None)? })
            };
            return Ok((
                vec![carom(Protocol::Uci(Dialect::Uci), "UCI")?, carom(Protocol::Xboard, "XBoard")?],
                true,
            ));
        }
        if engines.len() == 1 {
            return refuse(
                "one -engine alone has nobody to play; name two, or none for Carom against itself",
            );
        }
        let read = |(place, own): (usize, &EngineKeys)| {
            let own = match own.conf.as_ref().or(each.conf.as_ref()) {
                Some(name) => own.over(&engines_json::named(name)?),
                None => own.clone(),
            };
            let started = own.over(&EngineKeys { option: vec![], init: vec![], ..each.clone() });
            Self::read(&own, each, command(&started, place)?)
        };
        let read: Vec<Self> = engines.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        let mut names: Vec<_> = engines.iter().filter_map(|engine| engine.name.as_ref()).collect();
        names.sort_unstable();
        match names.windows(2).find(|two| two[0] == two[1]) {
            Some(twice) => refuse(format!("two engines have the name `{}`", twice[0])),
            None => Ok((read, false)),
        }
    }

    /// The settings of one engine: its own values, then those of `each`.
    fn read(
        own: &EngineKeys,
        each: &EngineKeys,
        command: Option<EngineCommand>,
    ) -> Result<Self, SettingsError> {
        let usual = PlayerSettings::default();
        let scale = own.tscale.or(each.tscale).unwrap_or(1.0);
        let seconds = |own: Option<f64>, each: Option<f64>, usual: Duration| {
            own.or(each).map_or(usual, Duration::from_secs_f64).mul_f64(scale)
        };
        let player = PlayerSettings {
            name: own.name.clone().or_else(|| each.name.clone()),
            game: own.variant.clone().or_else(|| each.variant.clone()),
            positions: own.positions.or(each.positions).unwrap_or_default(),
            options: parted(&own.option),
            shared_options: parted(&each.option),
            init_lines: [each.init.as_slice(), &own.init].concat(),
            ponder: own.ponder.or(each.ponder).unwrap_or_default(),
            debug: own.debug.or(each.debug).unwrap_or_default(),
            white_scores: own.whitepov.or(each.whitepov).unwrap_or_default(),
            start: seconds(own.start, each.start, usual.start),
            kept: usual.kept,
            ready: seconds(own.ready, each.ready, usual.ready),
            hang: seconds(own.hang, each.hang, usual.hang),
            silence: seconds(own.silence, each.silence, usual.silence),
        };
        let quit_timeout = seconds(own.quit, each.quit, Duration::from_secs(2));
        Ok(Self {
            command: command.map(|command| EngineCommand { quit_timeout, ..command }),
            protocol: own.proto.or(each.proto),
            player,
            limits: limits(own, each)?,
            restart: own.restart.or(each.restart).unwrap_or_default(),
            quit_timeout,
        })
    }
}

/// The limits of an engine. Its own time control and limits take precedence over those of `each`.
fn limits(own: &EngineKeys, each: &EngineKeys) -> Result<Limits, SettingsError> {
    let mut control = None;
    for (keys, group) in [(each, "each"), (own, "engine")] {
        match (&keys.tc, keys.st) {
            (Some(tc), Some(st)) => {
                return refuse(format!("-{group} tc={tc} and st={st}: which shall it be?"));
            }
            (_, Some(0.0)) => return refuse(format!("-{group} st=0: it must be a number of seconds")),
            (_, Some(st)) => control = Some(TimeControl::PerTurn { time: Duration::from_secs_f64(st) }),
            (Some(tc), _) => control = Some(tc.parse().map_err(|error| SettingsError(format!("{error}")))?),
            (None, None) => {}
        }
        if let Some(depth) = keys.depth.filter(|depth| *depth > MOST_DEPTH) {
            return refuse(format!("-{group} depth={depth}: it can be 1 to {MOST_DEPTH}"));
        }
    }
    let depth = own.depth.or(each.depth).map(|depth| depth as u32);
    let nodes = own.nodes.or(each.nodes);
    let limited = depth.is_some() || nodes.is_some();
    let usual = TimeControl::Clock {
        turns: None,
        base: Duration::from_secs(10),
        increment: Duration::from_millis(100),
    };
    let control = control.unwrap_or(if limited { TimeControl::Untimed } else { usual });
    if control == TimeControl::Untimed && !limited {
        return refuse("tc=inf: an engine without a clock thinks for ever; give it depth= or nodes=");
    }
    let margin = Duration::from_millis(own.timemargin.or(each.timemargin).unwrap_or(MARGIN));
    Ok(Limits { control, margin, depth, nodes })
}

/// The command of an engine; `None` for this very program.
fn command(given: &EngineKeys, place: usize) -> Result<Option<EngineCommand>, SettingsError> {
    let Some(cmd) = &given.cmd else {
        return refuse(format!("engine {}: there is no cmd=", place + 1));
    };
    // A path with blanks is taken as it is if there is such a file.
    let mut words = if Path::new(cmd).is_file() { vec![cmd.clone()] } else { split(cmd)? };
    if words.is_empty() {
        return refuse(format!("engine {}: cmd= is empty", place + 1));
    }
    let program = words.remove(0);
    words.extend_from_slice(&given.arg);
    let wire = Address::is_meant(&program);
    if wire {
        program
            .parse::<Address>()
            .map_err(|error| SettingsError(format!("engine {}: {error}", place + 1)))?;
    }
    let plain = words.is_empty() && given.env.is_empty() && given.stderr.is_none() && given.dir.is_none();
    if program == "carom" && plain {
        return Ok(None);
    }
    // A program in the engine's folder takes precedence over one in ours; a short path may name either.
    let program = match &given.dir {
        Some(folder) if folder.join(&program).is_file() => absolute(&folder.join(&program)),
        _ if wire => PathBuf::from(program),
        _ if program.contains('/') => absolute(Path::new(&program)),
        _ => PathBuf::from(program),
    };
    let words = words.into_iter().map(OsString::from).collect();
    let mut command = EngineCommand::with_arguments(program, words);
    command.folder = given.dir.clone();
    command.environment =
        parted(&given.env).into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    command.stderr = match &given.stderr {
        None => Stderr::Inherit,
        Some(file) if file.as_os_str() == "none" => Stderr::Null,
        Some(file) => Stderr::File(file.clone()),
    };
    Ok(Some(command))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
