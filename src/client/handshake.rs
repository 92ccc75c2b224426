//! Starting an engine and reading its introduction, in any of the protocols.

use super::Fault;
use crate::connection::{EngineCommand, Interpreter, LineHook, Process, ProcessError};
use crate::game::{Facts, Rules};
use crate::protocol::uci::{self, Dialect, Translator};
use crate::protocol::xboard::{Command, Feature, FeatureValue, Reply};
use crate::protocol::{EngineOption, Protocol};
use crate::variants;
use litemap::LiteMap;
use std::time::{Duration, Instant};

/// How long an engine may take at the first try to answer a greeting in a protocol that it may not speak.
const FIRST_TRY: Duration = Duration::from_secs(3);
/// How long an engine may stay silent, by the protocol, before it is taken for one of version 1. Any feature,
/// `done=0` among them, extends this once to the time that every engine has to start.
const FEATURES: Duration = Duration::from_secs(2);
/// The largest handshake that is read, in bytes. Engines with hundreds of games and options stay below a
/// hundredth of it.
const MOST_BYTES: usize = 1 << 20;
/// The largest number of options that an engine may declare.
const MOST_OPTIONS: usize = 1000;

impl Interpreter for Translator {
    fn say(&mut self, line: &str) -> String {
        self.command_from_uci(line)
    }

    fn hear(&mut self, line: &str) -> String {
        self.reply_to_uci(line)
    }
}

/// How an engine introduced itself.
pub enum Greeting {
    /// In UCI or UGI.
    Uci(Dialect, UciGreeting),
    /// In the XBoard protocol.
    Xboard(Features),
}

/// How an engine introduces itself in UCI.
#[derive(Default)]
pub struct UciGreeting {
    /// The engine's name.
    pub name: String,
    /// The engine's authors.
    pub author: String,
    /// The options that it declared.
    pub options: Vec<EngineOption>,
}

/// How an engine introduces itself in the XBoard protocol.
#[derive(Default)]
pub struct Features {
    /// The engine's name.
    pub name: String,
    /// The features with a number as value, and whether that was 1.
    flags: LiteMap<String, bool>,
    /// The games that it plays, if it listed them.
    variants: Option<Vec<String>>,
    /// The options that it declared.
    pub options: Vec<EngineOption>,
    /// Whether the engine has announced that no more features follow.
    done: bool,
}

/// Starts the engine and greets it. Without a `protocol` it tries UCI, XBoard and UGI, each in a fresh
/// process, and takes the first that the engine answers. `hook` gets the lines that are exchanged.
///
/// # Errors
/// When the engine does not start, or answers in no protocol.
pub fn connect(
    command: &EngineCommand,
    protocol: Option<Protocol>,
    patience: Duration,
    hook: impl Fn() -> Option<LineHook>,
) -> Result<(Process, Greeting), Fault> {
    let quick = patience.min(FIRST_TRY);
    let tries = match protocol {
        Some(protocol) => vec![(protocol, patience)],
        None => {
            // A slow engine has all its time at the second try.
            let waits = if quick < patience { vec![quick, patience] } else { vec![patience] };
            waits.into_iter().flat_map(|wait| Protocol::ALL.map(|protocol| (protocol, wait))).collect()
        }
    };
    let mut always_ended = true;
    for (index, (tried, wait)) in tries.into_iter().enumerate() {
        if index == Protocol::ALL.len() {
            if always_ended {
                // Waiting longer would not help.
                break;
            }
            let more = (patience * Protocol::ALL.len() as u32).as_secs_f64();
            log::warn!(
                "`{command}` answers neither to `uci` nor to `xboard` nor to `ugi` yet; it is given {more} s more"
            );
        }
        let mut process = Process::start(command)
            .map_err(|error| Fault::Unfit(format!("`{command}` does not start: {error}")))?;
        hook().into_iter().for_each(|hook| process.set_hook(hook));
        let greeting = match tried {
            Protocol::Uci(dialect) => {
                if let Some(translator) = Translator::new(dialect) {
                    process.set_interpreter(Box::new(translator));
                }
                greet_uci(&mut process, dialect, wait).map(|said| Greeting::Uci(dialect, said))
            }
            Protocol::Xboard => greet_xboard(&mut process, protocol.is_some(), wait).map(Greeting::Xboard),
        };
        match greeting {
            Ok(greeting) => return Ok((process, greeting)),
            // The engine was asked for this protocol alone, or it speaks it but cannot be used.
            Err(fault) if protocol.is_some() || matches!(fault, Fault::Unfit(_)) => return Err(fault),
            Err(fault) => {
                always_ended &= fault == Fault::Process(ProcessError::Disconnected);
                process.kill();
            }
        }
    }
    if always_ended {
        return Err(Fault::Unfit(format!("`{command}` ends instead of answering `uci`, `xboard` or `ugi`")));
    }
    Err(Fault::Unfit(format!("`{command}` answers neither to `uci` nor to `xboard` nor to `ugi`")))
}

/// Greets the engine in UCI or UGI.
///
/// # Errors
/// When the engine does not answer `uciok`.
pub fn greet_uci(process: &mut Process, dialect: Dialect, patience: Duration) -> Result<UciGreeting, Fault> {
    use uci::Reply;
    process.send(&uci::Command::Uci.to_line(dialect))?;
    let mut said = UciGreeting::default();
    let mut handshake = Handshake::new(patience);
    loop {
        let line = handshake.receive(process, handshake.deadline)?;
        let Ok(Some(parsed)) = Reply::parse(&line) else { continue };
        match (parsed.message, dialect) {
            (Reply::UgiOk, Dialect::Ugi) => return Ok(said),
            (Reply::UciOk, dialect) if dialect != Dialect::Ugi => return Ok(said),
            (Reply::IdName(own), _) => own.clone_into(&mut said.name),
            (Reply::IdAuthor(own), _) => own.clone_into(&mut said.author),
            (Reply::Option(declared), _) => declare(&mut said.options, declared)?,
            _ => {}
        }
    }
}

/// Greets the engine in the XBoard protocol. An engine that announces no features is accepted only if `sure`.
///
/// # Errors
/// When nothing shows that the engine speaks the protocol.
pub fn greet_xboard(process: &mut Process, sure: bool, patience: Duration) -> Result<Features, Fault> {
    process.send_all(&["xboard", "protover 2"])?;
    let mut features = Features::default();
    let mut handshake = Handshake::new(patience.max(FEATURES));
    let silent_until = if sure { Instant::now() + FEATURES } else { handshake.deadline };
    let mut any = false;
    while !features.done {
        let until = if any { handshake.deadline } else { silent_until };
        let line = match handshake.receive(process, until) {
            Ok(line) => line,
            Err(Fault::Process(ProcessError::TimedOut)) if sure && !any => break,
            Err(fault) => return Err(fault),
        };
        let Ok(Some(parsed)) = Reply::parse(&line) else { continue };
        let Reply::Features(said) = parsed.message else { continue };
        any = true;
        process.send_all(&features.hear(&said)?)?;
    }
    Ok(features)
}

/// Adds an option that the engine has declared.
fn declare(options: &mut Vec<EngineOption>, declared: EngineOption) -> Result<(), Fault> {
    if options.len() == MOST_OPTIONS {
        return Err(Fault::Unfit(format!("it declares more than {MOST_OPTIONS} options")));
    }
    options.push(declared);
    Ok(())
}

/// A handshake under way. Nothing that an engine sends extends the limits of time and bytes.
struct Handshake {
    deadline: Instant,
    bytes: usize,
}

impl Handshake {
    fn new(patience: Duration) -> Self {
        Self { deadline: Instant::now() + patience, bytes: 0 }
    }

    /// The next line, at the latest at `until` or at the deadline of the handshake.
    fn receive(&mut self, process: &mut Process, until: Instant) -> Result<String, Fault> {
        let (line, _) = process.receive(until.min(self.deadline))?;
        self.bytes += line.len() + 1;
        if self.bytes > MOST_BYTES {
            return Err(Fault::Unfit(format!("its handshake is longer than {MOST_BYTES} bytes")));
        }
        Ok(line)
    }
}

impl Features {
    /// True when the engine has a feature; without an announcement, the protocol's default holds.
    pub fn has(&self, name: &str) -> bool {
        self.flags.get(name).copied().unwrap_or(matches!(name, "time" | "reuse" | "analyze"))
    }

    /// False when it has listed its games, and not this one.
    pub fn may_play(&self, name: &str) -> bool {
        self.variants.as_ref().is_none_or(|names| names.iter().any(|own| own == name))
    }

    /// The names of the games that it plays.
    pub fn games(&self) -> Vec<&str> {
        match &self.variants {
            None => vec!["normal"],
            Some(names) => names.iter().map(String::as_str).collect(),
        }
    }

    /// The option of this name. A rule switch may be declared with its game in front, as Carom does.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        let find = |name: &str| EngineOption::find(&self.options, name);
        find(name).or_else(|| find(&variants::switch_label(name)?))
    }

    /// The line that sends a move to the engine.
    pub fn move_line(&self, text: &str) -> String {
        if self.has("usermove") { Command::UserMove(text).to_string() } else { text.to_owned() }
    }

    /// The lines that set those of the engine's options that `facts` and `rules` decide.
    pub fn rule_lines(&self, facts: &Facts, rules: &Rules) -> Vec<String> {
        let options = rule_options(facts, rules, |name| self.option(name));
        let line = |(option, value): (&EngineOption, String)| {
            Command::Option { name: &option.name, value: Some(&value) }.to_string()
        };
        options.into_iter().map(line).collect()
    }

    /// Takes in a line of features and returns the lines to answer.
    fn hear(&mut self, said: &[Feature<'_>]) -> Result<Vec<String>, Fault> {
        let mut replies = Vec::new();
        for feature in said {
            let on = feature.value == FeatureValue::Number(1);
            match (feature.name, feature.value) {
                ("myname", FeatureValue::Text(own)) => own.clone_into(&mut self.name),
                ("variants", FeatureValue::Text(text)) => {
                    let names = text.split(',').map(|word| word.trim().to_owned());
                    self.variants = Some(names.collect());
                }
                ("option", FeatureValue::Text(text)) => {
                    if let Ok(Some(parsed)) = EngineOption::parse_xboard(text) {
                        declare(&mut self.options, parsed.message)?;
                    }
                }
                ("done", FeatureValue::Number(0)) => {}
                ("done", _) => self.done = true,
                (name, _) => drop(self.flags.insert(name.to_owned(), on)),
            }
            // We send coordinates only, and have no mouse.
            let refused = matches!(feature.name, "san" | "highlight") && on;
            replies.push(format!("{} {}", if refused { "rejected" } else { "accepted" }, feature.name));
        }
        Ok(replies)
    }
}

/// The options that an engine must set for a game, among those that `find` finds, and their values in the
/// engine's spelling. Another Carom is asked to leave chance to us and to write a turn of several steps as
/// one token; the rule switches follow.
pub fn rule_options<'o>(
    facts: &Facts,
    rules: &Rules,
    find: impl Fn(&str) -> Option<&'o EngineOption>,
) -> Vec<(&'o EngineOption, String)> {
    let switches = facts.switches.iter().map(|own| (own.name, rules.get(own.name).unwrap_or(own.default())));
    let named = [("Chance", "referee"), ("Turn View", "whole")].into_iter().chain(switches);
    named.filter_map(|(name, value)| find(name).map(|option| (option, option.spelled(value)))).collect()
}
