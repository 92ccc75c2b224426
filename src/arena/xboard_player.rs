//! An engine spoken to in the XBoard protocol (CECP).

use super::player::{
    Clocks, Handshake, MoveDeadline, MoveReply, MoveRequest, NewGame, Player, PlayerSettings, SearchInfo,
};
use super::{Fault, TimeControl};
use crate::engine::xboard_reading;
use crate::process::{EngineCommand, Process, ProcessError};
use crate::protocol::xboard::{Command, Declaration, Feature, FeatureValue, Level, Reply, Verdict};
use crate::protocol::{EngineOption, same_words};
use crate::session::Session;
use crate::variants;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// An engine spoken to in the XBoard protocol.
pub struct XboardPlayer {
    process: Process,
    settings: PlayerSettings,
    name: String,
    features: Features,
    /// It was told to go; before, it only listens.
    begun: bool,
    /// How many words it has been told or has said itself.
    told: usize,
    pings: i64,
}

/// What an engine says of itself in the XBoard protocol.
#[derive(Default)]
pub struct Features {
    /// Its name.
    pub name: String,
    /// What it announced with a number, and whether that was 1.
    flags: BTreeMap<String, bool>,
    /// The games it plays, if it said which.
    pub variants: Option<Vec<String>>,
    /// Its options.
    pub options: Vec<EngineOption>,
    /// It said that it will say no more.
    pub done: bool,
}

impl Features {
    /// Whether it has a feature; those it has by the protocol unless it says otherwise among them.
    pub fn has(&self, name: &str) -> bool {
        self.flags.get(name).copied().unwrap_or(matches!(name, "time" | "reuse" | "analyze"))
    }

    /// Takes in a line of features; gives what is to be answered.
    ///
    /// # Errors
    /// When there is one option too many.
    fn hear(&mut self, said: &[Feature<'_>], handshake: &mut Handshake) -> Result<Vec<String>, Fault> {
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
                    handshake.count_option()?;
                    if let Ok(Some(parsed)) = Declaration::parse(text) {
                        self.options.push(parsed.message.into());
                    }
                }
                ("done", FeatureValue::Number(0)) => {}
                ("done", _) => self.done = true,
                (name, _) => drop(self.flags.insert(name.to_owned(), on)),
            }
            // We write coordinates only, and have no mouse.
            let refused = matches!(feature.name, "san" | "highlight") && on;
            replies.push(format!("{} {}", if refused { "rejected" } else { "accepted" }, feature.name));
        }
        Ok(replies)
    }
}

/// How long an engine that says nothing is given, by the protocol, before it is taken for one of version 1.
/// `done=0` gives it more, as does any feature: the time that any engine has to start, once.
const FEATURES: Duration = Duration::from_secs(2);

/// Greets the engine. One without features is taken as it is, unless `sure` is false.
///
/// # Errors
/// When it gives no sign of speaking the protocol.
pub fn greet_xboard(process: &mut Process, sure: bool, timeout: Duration) -> Result<Features, Fault> {
    process.send_all(&["xboard", "protover 2"])?;
    let mut features = Features::default();
    let mut handshake = Handshake::new(timeout.max(FEATURES));
    let silent_until = if sure { Instant::now() + FEATURES } else { handshake.deadline() };
    let mut any = false;
    while !features.done {
        let until = if any { handshake.deadline() } else { silent_until };
        let line = match handshake.receive(process, until) {
            Ok(line) => line,
            Err(Fault::Process(ProcessError::TimedOut)) if sure && !any => break,
            Err(fault) => return Err(fault),
        };
        let Ok(Some(parsed)) = Reply::parse(&line) else { continue };
        let Reply::Features(said) = parsed.message else { continue };
        any = true;
        let replies = features.hear(&said, &mut handshake)?;
        process.send_all(&replies)?;
    }
    Ok(features)
}

impl XboardPlayer {
    /// Starts the engine and shakes hands. An engine without features is taken as it is, unless `sure` is false.
    ///
    /// # Errors
    /// When it cannot be started, gives no sign of speaking the protocol, or lacks an option it must have.
    pub fn start(command: &EngineCommand, sure: bool, settings: PlayerSettings) -> Result<Self, Fault> {
        let mut process = Process::start(command).map_err(|error| Fault::no_start(command, &error))?;
        let features = greet_xboard(&mut process, sure, settings.start)?;
        let name = settings.name.clone().unwrap_or_else(|| features.name.clone());
        let mut player = Self { process, settings, name, features, begun: false, told: 0, pings: 0 };
        let mut lines = player.settings.init_lines.clone();
        for (name, value) in player.settings.chosen_options(|name| player.takes(name))? {
            player.check(name, value)?;
            lines.push(player.option_line(name, value));
        }
        player.get_ready(lines)?;
        Ok(player)
    }

    /// The option of this name; a rule switch may be declared with its game in front, as Carom does.
    fn option(&self, name: &str) -> Option<&EngineOption> {
        let find = |name: &str| EngineOption::find(&self.features.options, name);
        find(name).or_else(|| find(&variants::switch_label(name)?))
    }

    fn has_option(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    fn takes(&self, name: &str) -> bool {
        self.has_option(name)
            || same_words(name, "Hash") && self.features.has("memory")
            || same_words(name, "Threads") && self.features.has("smp")
    }

    /// That an option it takes has this value.
    fn check(&self, name: &str, value: &str) -> Result<(), Fault> {
        match self.option(name) {
            Some(option) => Ok(option.takes(value)?),
            None if value.parse().is_ok_and(|n: u32| n > 0) => Ok(()),
            None => Err(Fault::Unfit(format!("option {name}={value}: it must be a whole number from 1 on"))),
        }
    }

    /// An option as the engine wants it: two have commands of their own, and checks are numbers.
    fn option_line(&self, name: &str, value: &str) -> String {
        let Some(option) = self.option(name) else {
            return format!("{} {value}", if same_words(name, "Hash") { "memory" } else { "cores" });
        };
        let value = match value {
            "true" => "1",
            "false" => "0",
            other => other,
        };
        Command::Option { name: &option.name, value: Some(value) }.to_string()
    }

    fn get_ready(&mut self, mut lines: Vec<String>) -> Result<(), ProcessError> {
        if !self.features.has("ping") {
            return if lines.is_empty() { Ok(()) } else { self.process.send_all(&lines).map(drop) };
        }
        self.pings += 1;
        let number = self.pings;
        lines.push(Command::Ping(number).to_string());
        self.process.send_all(&lines)?;
        self.process.wait_for(self.settings.ready, |line| {
            matches!(Reply::parse(line), Ok(Some(parsed)) if parsed.message == Reply::Pong(number))
                .then_some(())
        })
    }

    /// The lines that say how much time there is.
    fn time_lines(&self, clocks: &Clocks) -> Result<Vec<String>, Fault> {
        let milliseconds = |time: Duration| time.as_millis() as u64;
        let own = &clocks.own;
        let level = |moves, base, increment| Command::Level(Level { moves, base, increment }).to_string();
        let mut lines = vec![match own.control() {
            TimeControl::Clock { turns, base, increment } => {
                level(turns.unwrap_or(0), milliseconds(base), milliseconds(increment))
            }
            // The protocol has no hourglass and no game without clocks; the clock itself is sent at every turn.
            TimeControl::Hourglass { .. } | TimeControl::Untimed => level(0, milliseconds(own.left()), 0),
            TimeControl::PerTurn { time } => Command::MoveTime(milliseconds(time)).to_string(),
        }];
        if let Some(depth) = clocks.limits.depth {
            lines.push(Command::Depth(depth).to_string());
        }
        if let Some(nodes) = clocks.limits.nodes {
            if !self.features.has("nps") {
                return Err(Fault::Unfit("it cannot be limited to nodes (it has no feature nps=1)".into()));
            }
            // With `nps` the engine takes so many nodes for a second of its clock.
            lines.push(Command::NodeRate(nodes).to_string());
            lines.push(Command::MoveTime(1000).to_string());
        }
        Ok(lines)
    }

    fn move_line(&self, text: &str) -> String {
        if self.features.has("usermove") { Command::UserMove(text).to_string() } else { text.to_owned() }
    }
}

/// How the lines begin that matter while an engine is to move.
const KEYWORDS: [&str; 8] =
    ["move", "resign", "offer draw", "Illegal move", "Error", "1-0", "0-1", "1/2-1/2"];

/// What an engine means, that may mark checks and write castling in words.
pub fn coordinate_move(session: &dyn Session, text: &str) -> String {
    xboard_reading(session, text.trim_end_matches(['+', '#']))
}

impl Player for XboardPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn reads_xboard(&self) -> bool {
        true
    }

    fn begin(&mut self, new_game: &NewGame<'_>, clocks: &Clocks) -> Result<(), Fault> {
        self.begun = false;
        self.told = 0;
        let facts = new_game.facts;
        let mut lines = Vec::new();
        // A Carom is to leave chance to us, and to write a turn of several steps as one word.
        for (name, value) in [("Chance", "referee"), ("Turn View", "whole")] {
            if self.has_option(name) {
                lines.push(self.option_line(name, value));
            }
        }
        for (name, value) in new_game.switches(|name| self.has_option(name))? {
            lines.push(self.option_line(name, value));
        }
        lines.push(Command::New.to_string());
        let normal = ["normal".to_owned()];
        let known = self.features.variants.as_deref().unwrap_or(&normal);
        match &self.settings.game {
            Some(name) => lines.push(Command::Variant(name).to_string()),
            None if facts.answers_to("normal") => {}
            None if known.iter().any(|own| facts.answers_to(own)) => {
                lines.push(Command::Variant(facts.name).to_string());
            }
            None => {
                let known = known.join(", ");
                let why = format!("it does not know the game {} (its feature variants: {known})", facts.name);
                return Err(Fault::Unfit(why));
            }
        }
        lines.push(Command::Force.to_string());
        if let Some(text) = &new_game.position {
            if !self.features.has("setboard") {
                return Err(Fault::Unfit("it cannot set up positions (it has no feature setboard=1)".into()));
            }
            lines.push(Command::SetBoard(&self.settings.position(text)).to_string());
        }
        lines.extend(self.time_lines(clocks)?);
        lines.push(Command::Post.to_string());
        lines.push(if self.settings.ponder { Command::Hard } else { Command::Easy }.to_string());
        Ok(self.get_ready(lines)?)
    }

    fn go(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        let (color, clocks) = (request.color, &request.clocks);
        // A claim it made meanwhile comes first: the game is not over.
        while let Some(line) = self.process.pending() {
            match Reply::parse(&line) {
                Ok(Some(parsed)) => match parsed.message {
                    Reply::Resign => return Err(Fault::Resigned),
                    Reply::Result(claim) if claim.verdict != Verdict::Open => {
                        return Err(Fault::FalseClaim(claim.to_string()));
                    }
                    Reply::IllegalMove { .. } => return Err(Fault::Refused(line)),
                    Reply::Move(_) => log::warn!("{} speaks out of turn: {line}", self.name),
                    _ => {}
                },
                _ => continue,
            }
        }
        let mut lines = Vec::new();
        if self.features.has("time") {
            let centiseconds = |time: Duration| (time.as_millis() / 10) as i64;
            lines.push(Command::Time(centiseconds(clocks.own.left())).to_string());
            lines.push(Command::OpponentTime(centiseconds(clocks.other.left())).to_string());
        }
        if request.draw_offered && self.begun {
            lines.push(Command::Draw.to_string());
        }
        // What the others said since it last spoke, chance included, and what both said before it ever did.
        let before = lines.len();
        for (index, word) in request.parts.iter().enumerate().skip(self.told) {
            if word.speaker == Some(color) && !word.given {
                continue;
            }
            let text: &str = match &word.written {
                Some(written) => written,
                None => word.heard_by(color),
            };
            // Its own die or card, after which it goes on.
            let goes_on = word.speaker.is_none() && word.owner == color && index + 1 == request.parts.len();
            lines.push(self.move_line(&if goes_on { format!("{text},") } else { text.to_owned() }));
        }
        self.told = request.parts.len();
        if !self.begun {
            // Its first turn: until now it only listened.
            lines.push(Command::Go.to_string());
            self.begun = true;
        }
        if lines.len() == before {
            return Err(Fault::NoMove("nothing".to_owned()));
        }
        let asked = self.process.send_all(&lines)?;
        let mut deadline = MoveDeadline::new(&self.settings, clocks, asked);
        let mut move_info = None;
        let mut draw = false;
        let mut legs = String::new();
        loop {
            let (line, came) = deadline.next_line(&mut self.process, "?")?;
            if line.split_whitespace().next().is_some_and(|word| word.parse::<u32>().is_ok()) {
                // Thinking, of which only the last counts.
                move_info = Some(line);
                continue;
            }
            // Most of what engines say is for people.
            if !KEYWORDS.iter().any(|word| line.trim_start().starts_with(word)) {
                continue;
            }
            let Ok(Some(parsed)) = Reply::parse(&line) else { continue };
            match parsed.message {
                // Plies that only correct the board of a program without rules; see `protocol-docs/xboard.md`.
                Reply::Move(text)
                    if request.session.facts().xboard.removes
                        && (text.ends_with('z') || text == "@@@@" && !request.has_pass()) => {}
                Reply::Move(text @ ("@@@@" | "0000")) if !request.has_pass() => {
                    return Err(Fault::NoMove(text.to_owned()));
                }
                // A leg, and more to come.
                Reply::Move(text) if text.ends_with(',') => legs.push_str(text),
                Reply::Move(text) => {
                    let text = if legs.is_empty() { text.to_owned() } else { format!("{legs}{text}") };
                    return Ok(MoveReply {
                        token: coordinate_move(request.session, &text),
                        search_info: move_info.as_deref().map(search_info).unwrap_or_default(),
                        spent: came.saturating_duration_since(asked),
                        expects: None,
                        draw,
                    });
                }
                Reply::OfferDraw => draw = true,
                Reply::Resign => return Err(Fault::Resigned),
                Reply::Result(claim) if claim.verdict != Verdict::Open => {
                    return Err(Fault::FalseClaim(claim.to_string()));
                }
                Reply::IllegalMove { .. } => return Err(Fault::Refused(line)),
                // An error about a move is a refusal; old engines complain so of commands they do not know.
                Reply::Error { command, .. }
                    if request.parts.iter().any(|w| command.contains(w.heard_by(color))) =>
                {
                    return Err(Fault::Refused(line));
                }
                _ => {}
            }
        }
    }

    fn end(&mut self, result: &str) -> bool {
        // Claims of this game must not be read as claims of the next.
        let lines = vec![format!("result {result}"), Command::Force.to_string()];
        self.get_ready(lines).is_ok() && self.features.has("reuse")
    }
}

/// What a line of thinking says.
fn search_info(line: &str) -> SearchInfo {
    let Ok(Some(parsed)) = Reply::parse(line) else { return SearchInfo::default() };
    let Reply::Thinking(thinking) = parsed.message else { return SearchInfo::default() };
    SearchInfo {
        score: Some(thinking.score),
        depth: thinking.ply,
        nodes: Some(thinking.nodes),
        time: Some(Duration::from_millis(thinking.time.saturating_mul(10))),
    }
}
