//! The driver of an engine that speaks the XBoard protocol (CECP).

use super::driver::{Driver, Heard};
use super::handshake::{Features, greet_xboard};
use super::request::{Clocks, MoveRequest, NewGame, SearchInfo, has_pass};
use super::settings::ITS_OWN_GAME;
use super::{Fault, PlayerSettings, PositionFormat};
use crate::connection::Process;
use crate::engine::options::is_registered;
use crate::protocol::Protocol;
use crate::protocol::same_words;
use crate::protocol::xboard::{Command, Level, Reply};
use crate::session::{Session, TimeControl, xboard_spelling};
use crate::variants::chess::{CHESS960, FISCHERANDOM};
use std::time::Duration;

/// An engine that speaks the XBoard protocol.
pub struct XboardDriver {
    /// What it has announced.
    pub features: Features,
    /// The name by which it knows the game, if not by ours.
    game: Option<String>,
    positions: PositionFormat,
    /// It may think on the opponent's time.
    pub ponders: bool,
    /// Whether it has been sent `go`; before that it only listens.
    begun: bool,
    /// The number of parts that it has been sent or has sent itself.
    heard: usize,
    pings: i64,
}

/// The move that an engine means, which may mark checks or write castling as `O-O`.
pub fn coordinate_move(session: &dyn Session, text: &str) -> String {
    // In games that are not ours a `+` is a promotion, as in Shogi.
    let marks: &[char] = if is_registered(session.facts()) { &['+', '#'] } else { &['#'] };
    xboard_spelling::read_move(session, text.trim_end_matches(marks))
}

/// True for a ply that only corrects the board of a program without rules: it removes a piece that the rules
/// take off, or it is a pass that gives the move back (see `protocol-docs/xboard.md`). Our own engine sends
/// such plies after its turns and the opponent's.
pub fn corrects_board(session: &dyn Session, text: &str) -> bool {
    session.facts().xboard.removes && (text.ends_with('z') || text == "@@@@" && !has_pass(session))
}

impl XboardDriver {
    /// The driver of an engine that has introduced itself.
    pub fn new(features: Features, settings: &PlayerSettings) -> Self {
        let PlayerSettings { game, positions, ponder, .. } = settings;
        Self {
            features,
            game: game.clone(),
            positions: *positions,
            ponders: *ponder,
            begun: false,
            heard: 0,
            pings: 0,
        }
    }

    /// The line that sets an option: two of them have commands of their own. `None` when it has no such
    /// option.
    pub fn option_line(&self, name: &str, value: Option<&str>) -> Option<String> {
        if let Some(option) = self.features.option(name) {
            let value = value.map(|value| option.spelled(value));
            return Some(Command::Option { name: &option.name, value: value.as_deref() }.to_string());
        }
        let command = match () {
            () if same_words(name, "Hash") && self.features.has("memory") => "memory",
            () if same_words(name, "Threads") && self.features.has("smp") => "cores",
            () => return None,
        };
        Some(format!("{command} {}", value?))
    }

    /// The line that allows or forbids thinking on the opponent's time.
    pub fn pondering_line(&self) -> String {
        if self.ponders { Command::Hard } else { Command::Easy }.to_string()
    }

    /// The lines that limit a search to so many nodes; `None` when it does not count them.
    pub fn node_lines(&self, nodes: u64) -> Option<[String; 2]> {
        // With `nps` the engine takes this many nodes for a second of its clock.
        let lines = [Command::NodeRate(nodes), Command::MoveTime(Duration::from_secs(1))];
        self.features.has("nps").then(|| lines.map(|command| command.to_string()))
    }

    /// The lines for both clocks; none when it does not want them.
    pub fn clock_lines(&self, own: Duration, other: Duration) -> Vec<String> {
        let centiseconds = |time: Duration| (time.as_millis() / 10) as i64;
        if !self.features.has("time") {
            return Vec::new();
        }
        let lines = [Command::Time(centiseconds(own)), Command::OpponentTime(centiseconds(other))];
        lines.map(|command| command.to_string()).to_vec()
    }

    /// The lines that send the time control and the limits.
    fn time_lines(&self, clocks: &Clocks) -> Result<Vec<String>, Fault> {
        let milliseconds = |time: Duration| time.as_millis() as u64;
        let own = &clocks.own;
        let level = |moves, base, increment| Command::Level(Level { moves, base, increment }).to_string();
        let mut lines = vec![match own.control() {
            TimeControl::Clock { turns, base, increment } => {
                level(turns.unwrap_or(0), milliseconds(base), milliseconds(increment))
            }
            // The protocol has neither an hourglass nor a game without clocks; the time left is sent at every
            // turn.
            TimeControl::Hourglass { .. } | TimeControl::Untimed => level(0, milliseconds(own.left()), 0),
            TimeControl::PerTurn { time } => Command::MoveTime(time).to_string(),
        }];
        lines.extend(clocks.limits.depth.map(|depth| Command::Depth(depth).to_string()));
        if let Some(nodes) = clocks.limits.nodes {
            let why = "it cannot be limited to nodes (it has no feature nps=1)";
            lines.extend(self.node_lines(nodes).ok_or_else(|| Fault::Unfit(why.to_owned()))?);
        }
        Ok(lines)
    }

    /// The name of its variant for a game; `None` for chess, which need not be named.
    fn variant<'a>(&'a self, new_game: &NewGame<'a>, chess960: bool) -> Result<Option<&'a str>, Fault> {
        let facts = new_game.facts;
        match &self.game {
            Some(name) if name == ITS_OWN_GAME => Ok(None),
            None if chess960 => Ok(Some(FISCHERANDOM)),
            Some(name) if self.features.may_play(name) => Ok(Some(name)),
            None if facts.is_chess() => Ok(None),
            None if self.features.games().iter().any(|own| facts.answers_to(own)) => Ok(Some(facts.name)),
            own => {
                let name = own.as_deref().unwrap_or(facts.name);
                let known = self.features.games().join(", ");
                Err(Fault::Unfit(format!("it does not know the game {name} (its feature variants: {known})")))
            }
        }
    }
}

impl Driver for XboardDriver {
    fn name(&self) -> &str {
        &self.features.name
    }

    fn protocol(&self) -> Protocol {
        Protocol::Xboard
    }

    fn has_option(&self, name: &str) -> bool {
        self.option_line(name, Some("1")).is_some()
    }

    fn find_game(&mut self, process: &mut Process, patience: Duration) {
        let is_missing =
            self.game.as_deref().is_some_and(|name| name != ITS_OWN_GAME && !self.features.may_play(name));
        if is_missing && let Ok(again) = greet_xboard(process, false, patience) {
            self.features = again;
        }
    }

    fn set(&self, name: &str, value: &str) -> Result<String, Fault> {
        match self.features.option(name) {
            Some(option) => option.takes(value)?,
            None if value.parse().is_ok_and(|n: u32| n > 0) => {}
            None => {
                let why = format!("option {name}={value}: it must be a whole number from 1 on");
                return Err(Fault::Unfit(why));
            }
        }
        self.option_line(name, Some(value)).ok_or_else(|| Fault::Unfit(format!("it has no option `{name}`")))
    }

    fn allow_pondering(&mut self, allowed: bool) -> Option<String> {
        // It is said with each new game.
        self.ponders = allowed;
        None
    }

    fn ask_ready(&mut self) -> Option<String> {
        if !self.features.has("ping") {
            return None;
        }
        self.pings += 1;
        Some(Command::Ping(self.pings).to_string())
    }

    fn begin(&mut self, new_game: &NewGame<'_>, clocks: &Clocks) -> Result<Vec<String>, Fault> {
        self.begun = false;
        self.heard = 0;
        // Chess960 is a variant of its own in this protocol.
        let chess960 = new_game.rules.is_on(CHESS960) && self.features.games().contains(&FISCHERANDOM);
        let has_option = |name: &str| self.features.option(name).is_some();
        new_game.check_rules(|name| chess960 && name == CHESS960 || has_option(name))?;
        let mut lines = self.features.rule_lines(new_game.facts, new_game.rules);
        lines.push(Command::New.to_string());
        lines.extend(self.variant(new_game, chess960)?.map(|name| Command::Variant(name).to_string()));
        lines.push(Command::Force.to_string());
        if let Some(text) = &new_game.position {
            if !self.features.has("setboard") {
                return Err(Fault::Unfit("it cannot set up positions (it has no feature setboard=1)".into()));
            }
            lines.push(Command::SetBoard(&self.positions.write(text)).to_string());
        }
        lines.extend(self.time_lines(clocks)?);
        lines.push(Command::Post.to_string());
        lines.push(self.pondering_line());
        Ok(lines)
    }

    fn go(&mut self, request: &MoveRequest<'_>) -> Result<Vec<String>, Fault> {
        let (color, clocks) = (request.color, &request.clocks);
        let mut lines = self.clock_lines(clocks.own.left(), clocks.other.left());
        if request.draw_offered && self.begun {
            lines.push(Command::Draw.to_string());
        }
        // Everything since its last turn, dice and cards included; before its first turn, everything from
        // both sides.
        let before = lines.len();
        for (index, part) in request.parts.iter().enumerate().skip(self.heard) {
            if part.speaker == Some(color) && !part.given {
                continue;
            }
            let text: &str = match &part.written {
                Some(written) => written,
                None => part.heard_by(color),
            };
            // Its own die or card, after which it continues its turn.
            let goes_on = part.speaker.is_none() && part.owner == color && index + 1 == request.parts.len();
            lines.push(self.features.move_line(&if goes_on { format!("{text},") } else { text.to_owned() }));
        }
        self.heard = request.parts.len();
        if !std::mem::replace(&mut self.begun, true) {
            // This is its first turn: until now it only listened.
            lines.push(Command::Go.to_string());
        }
        if lines.len() == before {
            return Err(Fault::NoMove("nothing".to_owned()));
        }
        Ok(lines)
    }

    fn ask_end(&mut self, request: &MoveRequest<'_>) -> Option<Vec<String>> {
        // It has claimed by itself what it claims of its own turn, and has not been sent its opponent's yet.
        let has_moved = request.session.actor().player() != Some(request.color);
        has_moved.then(|| self.ask_ready()).flatten().map(|ping| vec![ping])
    }

    fn hurry(&self) -> &'static str {
        "?"
    }

    fn hear<'l>(&mut self, line: &'l str) -> Heard<'l> {
        if line.split_whitespace().next().is_some_and(|word| word.parse::<u32>().is_ok()) {
            return Heard::Thinking { best: true };
        }
        let Ok(Some(parsed)) = Reply::parse(line) else { return Heard::Nothing };
        match parsed.message {
            Reply::Pong(number) if number == self.pings => Heard::Ready,
            Reply::Move(text) if text.ends_with(',') => Heard::Legs(text),
            Reply::Move(text) => Heard::Move { text, expects: None },
            Reply::OfferDraw => Heard::DrawOffer,
            Reply::Resign => Heard::Resign,
            Reply::Result(claim) => Heard::Claim(claim),
            Reply::IllegalMove { .. } => Heard::Refusal,
            Reply::Error { command, .. } => Heard::Error(command),
            _ => Heard::Nothing,
        }
    }

    fn read_move(&self, session: &dyn Session, text: &str) -> String {
        coordinate_move(session, text)
    }

    fn search_info(&self, line: &str) -> SearchInfo {
        let Ok(Some(parsed)) = Reply::parse(line) else { return SearchInfo::default() };
        let Reply::Thinking(thinking) = parsed.message else { return SearchInfo::default() };
        SearchInfo {
            score: Some(thinking.score),
            depth: thinking.ply,
            selective_depth: thinking.counts.map(|counts| counts.selective_depth).filter(|depth| *depth > 0),
            nodes: Some(thinking.nodes),
            time: Some(Duration::from_millis(thinking.time.saturating_mul(10))),
            nodes_per_second: None,
            hash_full: None,
            table_hits: thinking.counts.map(|counts| counts.table_hits),
        }
    }

    fn expected_line<'l>(&self, line: &'l str) -> Option<&'l str> {
        match Reply::parse(line).ok()??.message {
            Reply::Thinking(thinking) => Some(thinking.pv),
            _ => None,
        }
    }

    fn end(&mut self, result: &str) -> Vec<String> {
        vec![format!("result {result}"), Command::Force.to_string()]
    }

    fn is_reusable(&self) -> bool {
        self.features.has("reuse")
    }
}
