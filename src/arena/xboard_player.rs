//! An engine that speaks the XBoard protocol (CECP).

use super::player::{
    Clocks, MoveDeadline, MoveReply, MoveRequest, NewGame, Player, PlayerSettings, SearchInfo, has_pass,
};
use super::{Fault, Features};
use crate::process::{Process, ProcessError};
use crate::protocol::same_words;
use crate::protocol::xboard::{Command, Level, Reply, Verdict};
use crate::session::Session;
use crate::session::{TimeControl, xboard_spelling};
use crate::variants::chess::{CHESS960, FISCHERANDOM};
use std::time::Duration;

/// An engine that speaks the XBoard protocol.
pub struct XboardPlayer {
    process: Process,
    settings: PlayerSettings,
    name: String,
    features: Features,
    /// Whether it has been sent `go`; before that it only listens.
    begun: bool,
    /// The number of parts that it has been sent or has sent itself.
    told: usize,
    pings: i64,
}

impl XboardPlayer {
    /// Takes over an engine that has been greeted.
    ///
    /// # Errors
    /// When it lacks an option it must have, or does not get ready.
    pub fn new(process: Process, features: Features, settings: PlayerSettings) -> Result<Self, Fault> {
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

    fn takes(&self, name: &str) -> bool {
        self.features.option(name).is_some()
            || same_words(name, "Hash") && self.features.has("memory")
            || same_words(name, "Threads") && self.features.has("smp")
    }

    /// Checks that an option which it has can take this value.
    fn check(&self, name: &str, value: &str) -> Result<(), Fault> {
        match self.features.option(name) {
            Some(option) => Ok(option.takes(value)?),
            None if value.parse().is_ok_and(|n: u32| n > 0) => Ok(()),
            None => Err(Fault::Unfit(format!("option {name}={value}: it must be a whole number from 1 on"))),
        }
    }

    /// The line that sets an option: two of them have commands of their own.
    fn option_line(&self, name: &str, value: &str) -> String {
        match self.features.option(name) {
            Some(option) => {
                Command::Option { name: &option.name, value: Some(&option.spelled(value)) }.to_string()
            }
            None => format!("{} {value}", if same_words(name, "Hash") { "memory" } else { "cores" }),
        }
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
        if let Some(depth) = clocks.limits.depth {
            lines.push(Command::Depth(depth).to_string());
        }
        if let Some(nodes) = clocks.limits.nodes {
            if !self.features.has("nps") {
                return Err(Fault::Unfit("it cannot be limited to nodes (it has no feature nps=1)".into()));
            }
            // With `nps` the engine takes this many nodes for a second of its clock.
            lines.push(Command::NodeRate(nodes).to_string());
            lines.push(Command::MoveTime(Duration::from_secs(1)).to_string());
        }
        Ok(lines)
    }
}

/// The beginnings of the lines that matter while an engine is to move.
const KEYWORDS: [&str; 8] =
    ["move", "resign", "offer draw", "Illegal move", "Error", "1-0", "0-1", "1/2-1/2"];

/// The move that an engine means, which may mark checks or write castling as `O-O`.
pub fn coordinate_move(session: &dyn Session, text: &str) -> String {
    xboard_spelling::read_move(session, text.trim_end_matches(['+', '#']))
}

/// True for a ply that only corrects the board of a program without rules: it removes a piece that the rules
/// take off, or it is a pass that gives the move back (see `protocol-docs/xboard.md`). Our own engine sends
/// such plies after its turns and the opponent's.
pub fn corrects_board(session: &dyn Session, text: &str) -> bool {
    session.facts().xboard.removes && (text.ends_with('z') || text == "@@@@" && !has_pass(session))
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
        self.process.set_secret(new_game.secret);
        let facts = new_game.facts;
        let normal = ["normal".to_owned()];
        let known = self.features.variants.as_deref().unwrap_or(&normal);
        // Chess960 is a variant of its own in this protocol.
        let chess960 = new_game.rules.is_on(CHESS960) && known.iter().any(|own| own == FISCHERANDOM);
        new_game.check_rules(|name| chess960 && name == CHESS960 || self.features.option(name).is_some())?;
        let mut lines = self.features.rule_lines(facts, new_game.rules);
        lines.push(Command::New.to_string());
        match &self.settings.game {
            None if chess960 => lines.push(Command::Variant(FISCHERANDOM).to_string()),
            Some(name) => lines.push(Command::Variant(name).to_string()),
            None if facts.is_chess() => {}
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
            lines.push(Command::SetBoard(&self.settings.positions.write(text)).to_string());
        }
        lines.extend(self.time_lines(clocks)?);
        lines.push(Command::Post.to_string());
        lines.push(if self.settings.ponder { Command::Hard } else { Command::Easy }.to_string());
        Ok(self.get_ready(lines)?)
    }

    fn go(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        let (color, clocks) = (request.color, &request.clocks);
        // A claim that it has made meanwhile comes first: the game is not over.
        while let Some(line) = self.process.pending() {
            match Reply::parse(&line) {
                Ok(Some(parsed)) => match parsed.message {
                    Reply::Resign => return Err(Fault::Resigned),
                    Reply::Result(claim) if claim.verdict != Verdict::Open => {
                        return Err(Fault::FalseClaim(claim.to_string()));
                    }
                    Reply::IllegalMove { .. } => return Err(Fault::Refused(line)),
                    Reply::Move(text) if corrects_board(request.session, text) => {}
                    Reply::Move(_) => {
                        log::warn!("{} speaks out of turn: {}", self.name, self.process.logged(&line));
                    }
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
        // Everything since its last turn, dice and cards included; before its first turn, everything from
        // both sides.
        let before = lines.len();
        for (index, word) in request.parts.iter().enumerate().skip(self.told) {
            if word.speaker == Some(color) && !word.given {
                continue;
            }
            let text: &str = match &word.written {
                Some(written) => written,
                None => word.heard_by(color),
            };
            // Its own die or card, after which it continues its turn.
            let goes_on = word.speaker.is_none() && word.owner == color && index + 1 == request.parts.len();
            lines.push(self.features.move_line(&if goes_on { format!("{text},") } else { text.to_owned() }));
        }
        self.told = request.parts.len();
        if !self.begun {
            // This is its first turn: until now it only listened.
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
                // Thinking output, of which only the last line counts.
                move_info = Some(line);
                continue;
            }
            // Most of what engines print is meant for people.
            if !KEYWORDS.iter().any(|word| line.trim_start().starts_with(word)) {
                continue;
            }
            let Ok(Some(parsed)) = Reply::parse(&line) else { continue };
            match parsed.message {
                Reply::Move(text) if corrects_board(request.session, text) => {}
                Reply::Move(text @ ("@@@@" | "0000")) if !request.has_pass() => {
                    return Err(Fault::NoMove(text.to_owned()));
                }
                // A leg, with more to follow.
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
                // An error about a move is a refusal; old engines report commands they do not know in the
                // same way.
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
        // Claims of this game must not be read as claims in the next.
        let lines = vec![format!("result {result}"), Command::Force.to_string()];
        self.get_ready(lines).is_ok() && self.features.has("reuse")
    }
}

/// The opinion in a line of thinking output.
fn search_info(line: &str) -> SearchInfo {
    let Ok(Some(parsed)) = Reply::parse(line) else { return SearchInfo::default() };
    let Reply::Thinking(thinking) = parsed.message else { return SearchInfo::default() };
    SearchInfo {
        score: Some(thinking.score),
        depth: thinking.ply,
        selective_depth: thinking.counts.map(|counts| counts.selective_depth).filter(|depth| *depth > 0),
        nodes: Some(thinking.nodes),
        time: Some(Duration::from_millis(thinking.time.saturating_mul(10))),
    }
}
