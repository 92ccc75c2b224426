//! A player: an engine that is asked for moves and has to answer in time.

use super::claims::is_mute;
use crate::base::Color;
use crate::client::{
    Clocks, Driver, Fault, Heard, MoveRequest, NewGame, PlayerSettings, Protocol, Said, Score, SearchInfo,
    connect, corrects_board, driver,
};
use crate::connection::{EngineCommand, Process, ProcessError};
use crate::pgn::MoreInfoRecord;
use std::time::{Duration, Instant};

/// A player's answer to a [`MoveRequest`].
#[derive(Clone, Debug)]
pub struct MoveReply {
    /// The token, in the spelling that the protocol of the engine demands.
    pub token: String,
    /// The engine's opinion of the position.
    pub search_info: SearchInfo,
    /// The time from the sending of the request to the arrival of the answer.
    pub spent: Duration,
    /// The reply that the engine expects, if it announced one.
    pub expects: Option<String>,
    /// Whether the engine offers a draw or accepts one.
    pub draw: bool,
    /// What else the records ask for.
    pub more: Option<Box<MoreInfoRecord>>,
}

/// A side in a game.
pub trait Player {
    /// Its name in the record.
    fn name(&self) -> &str;
    /// True when it needs turns in XBoard's notation ([`Part::written`](crate::session::parts::Part)).
    fn reads_xboard(&self) -> bool {
        false
    }
    /// Begins a new game, with the time and limits in `clocks`.
    ///
    /// # Errors
    /// When the engine cannot be made ready.
    fn begin(&mut self, new_game: &NewGame<'_>, clocks: &Clocks) -> Result<(), Fault>;
    /// Asks for a move.
    ///
    /// # Errors
    /// When the engine does not answer with a move.
    fn go(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Fault>;
    /// Lets the engine think while the opponent does; `expected` is a legal reply at this moment.
    fn ponder(&mut self, _request: &MoveRequest<'_>, _expected: &str) {}
    /// What it says of the game now: whether it is over.
    ///
    /// # Errors
    /// When it resigns or does not answer.
    fn ask_end(&mut self, _request: &MoveRequest<'_>) -> Result<Said, Fault> {
        Ok(Said::Nothing)
    }
    /// True when its protocol has no words for the end of a game.
    fn is_mute(&self) -> bool {
        false
    }
    /// Ends the game with this result line. Returns false when the engine cannot play another game.
    fn end(&mut self, result: &str) -> bool;
}

/// An engine in a process of its own.
pub struct EnginePlayer {
    process: Process,
    driver: Box<dyn Driver>,
    settings: PlayerSettings,
    name: String,
    /// The turns on which it ponders: all so far, and the one it expects.
    pondering: Option<String>,
}

impl EnginePlayer {
    /// Starts the engine; without a `protocol`, in the one that it answers.
    ///
    /// # Errors
    /// When the engine does not start, answers in no protocol, or lacks an option that it must have.
    pub fn launch(
        command: &EngineCommand,
        protocol: Option<Protocol>,
        settings: &PlayerSettings,
    ) -> Result<Self, Fault> {
        let (process, greeting) = connect(command, protocol, settings.start, || None)?;
        let driver = driver(greeting, settings);
        let name = settings.name.clone().unwrap_or_else(|| driver.name().to_owned());
        let mut player = Self { process, driver, settings: settings.clone(), name, pondering: None };
        let mut lines = settings.init_lines.clone();
        if settings.debug && matches!(player.driver.protocol(), Protocol::Uci(_)) {
            lines.push("debug on".to_owned());
        }
        // Some variants are known only after a file has been read, so these options come before the choice of
        // the game.
        for (name, value) in settings.chosen_options(|name| player.driver.has_option(name))? {
            lines.push(player.driver.set(name, value)?);
        }
        lines.extend(player.driver.allow_pondering(settings.ponder));
        player.get_ready(lines)?;
        player.driver.find_game(&mut player.process, settings.ready);
        Ok(player)
    }

    /// The protocol it speaks.
    pub fn protocol(&self) -> Protocol {
        self.driver.protocol()
    }

    /// The value of an option as the engine declared it.
    pub fn declared(&self, option: &str) -> Option<String> {
        self.driver.declared(option)
    }

    fn get_ready(&mut self, mut lines: Vec<String>) -> Result<(), ProcessError> {
        let Some(question) = self.driver.ask_ready() else {
            return if lines.is_empty() { Ok(()) } else { self.process.send_all(&lines).map(drop) };
        };
        lines.push(question);
        self.process.send_all(&lines)?;
        let driver = &mut self.driver;
        self.process.wait_for(self.settings.ready, |line| (driver.hear(line) == Heard::Ready).then_some(()))
    }

    /// Ends a search whose answer is not needed.
    fn stop_pondering(&mut self) -> Result<(), ProcessError> {
        if self.pondering.take().is_some() {
            self.process.send(self.driver.hurry())?;
            let driver = &mut self.driver;
            let is_move = |line: &str| matches!(driver.hear(line), Heard::Move { .. } | Heard::NoMove(_));
            let mut is_move = is_move;
            self.process.wait_for(self.settings.hang, |line| is_move(line).then_some(()))?;
        }
        Ok(())
    }

    /// Reads what it sent unasked. A claim in it counts: the game is not over.
    fn read_unasked(&mut self, request: &MoveRequest<'_>) -> Result<(), Fault> {
        while let Some(line) = self.process.pending() {
            let heard = self.driver.hear(&line);
            if let Some(fault) = heard.fault(&line) {
                return Err(fault);
            }
            match heard {
                Heard::Move { text, .. } if corrects_board(request.session, text) => {}
                Heard::Legs(_) | Heard::Move { .. } | Heard::NoMove(_) => {
                    log::warn!("{} speaks out of turn: {}", self.name, self.process.logged(&line));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the engine's lines up to its move.
    fn listen(&mut self, request: &MoveRequest<'_>, asked: Instant) -> Result<MoveReply, Fault> {
        let mut deadline = MoveDeadline::new(&self.settings, &request.clocks, asked);
        // Only the last opinion counts; the others need not be parsed.
        let mut thinking = None;
        let mut draw = false;
        let mut legs = String::new();
        let mut kept = Vec::new();
        loop {
            let (line, came) = deadline.next_line(&mut self.process, self.driver.hurry())?;
            if self.settings.kept.lines.iter().any(|wanted| wanted.is_match(&line)) {
                kept.push(line.clone());
            }
            let heard = self.driver.hear(&line);
            if let Some(fault) = heard.fault(&line) {
                return Err(fault);
            }
            match heard {
                Heard::Thinking { best: true } => thinking = Some(line),
                Heard::NoMove(text) => return Err(Fault::NoMove(text.to_owned())),
                Heard::Move { text, .. } if corrects_board(request.session, text) => {}
                Heard::Move { text: text @ ("@@@@" | "0000"), .. } if !request.has_pass() => {
                    return Err(Fault::NoMove(text.to_owned()));
                }
                Heard::Legs(text) => legs.push_str(text),
                Heard::Move { text, expects } => {
                    let text = if legs.is_empty() { text.to_owned() } else { format!("{legs}{text}") };
                    let mut search_info =
                        thinking.as_deref().map(|line| self.driver.search_info(line)).unwrap_or_default();
                    let pv = || self.driver.expected_line(thinking.as_deref()?).map(str::to_owned);
                    let more = self.settings.kept.more.then(|| {
                        Box::new(MoreInfoRecord {
                            nps: search_info.nodes_per_second,
                            hashfull: search_info.hash_full,
                            tbhits: search_info.table_hits,
                            pv: pv(),
                            lines: kept,
                        })
                    });
                    if self.settings.white_scores && request.color == Color::Black {
                        search_info.score = search_info.score.map(Score::reversed);
                    }
                    return Ok(MoveReply {
                        token: self.driver.read_move(request.session, &text),
                        search_info,
                        spent: came.saturating_duration_since(asked),
                        expects: expects.map(str::to_owned),
                        draw,
                        more,
                    });
                }
                Heard::DrawOffer => draw = true,
                // An error about a move is a refusal; old engines report commands they do not know in the
                // same way.
                Heard::Error(command)
                    if request.parts.iter().any(|part| command.contains(part.heard_by(request.color))) =>
                {
                    return Err(Fault::Refused(line));
                }
                _ => {}
            }
        }
    }
}

impl Player for EnginePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn reads_xboard(&self) -> bool {
        self.driver.protocol() == Protocol::Xboard
    }

    fn begin(&mut self, new_game: &NewGame<'_>, clocks: &Clocks) -> Result<(), Fault> {
        self.process.set_secret(new_game.secret);
        let lines = self.driver.begin(new_game, clocks)?;
        Ok(self.get_ready(lines)?)
    }

    fn go(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        if self.pondering.as_deref() == Some(request.heard) {
            self.pondering = None;
            let asked = self.process.send("ponderhit")?;
            return self.listen(request, asked);
        }
        self.stop_pondering()?;
        self.read_unasked(request)?;
        let lines = self.driver.go(request)?;
        let asked = self.process.send_all(&lines)?;
        self.listen(request, asked)
    }

    fn ponder(&mut self, request: &MoveRequest<'_>, expected: &str) {
        if let Some(lines) = self.driver.ponder(request, expected)
            && self.process.send_all(&lines).is_ok()
        {
            self.pondering = Some([request.heard, expected].join(" "));
        }
    }

    fn ask_end(&mut self, request: &MoveRequest<'_>) -> Result<Said, Fault> {
        let Some(lines) = self.driver.ask_end(request) else { return Ok(Said::Nothing) };
        self.process.send_all(&lines)?;
        let (driver, mut said) = (&mut self.driver, Said::Nothing);
        self.process.wait_for(self.settings.ready, |line| {
            let heard = driver.hear(line);
            said = match heard.fault(line) {
                Some(Fault::FalseClaim(claim)) => Said::Over(claim),
                Some(fault) => return Some(Err(fault)),
                None => heard.said(std::mem::replace(&mut said, Said::Nothing)),
            };
            (heard == Heard::Ready).then_some(Ok(()))
        })??;
        Ok(said)
    }

    fn is_mute(&self) -> bool {
        is_mute(self.driver.protocol())
    }

    fn end(&mut self, result: &str) -> bool {
        // Claims of this game must not be read as claims in the next.
        let lines = self.driver.end(result);
        self.stop_pondering().is_ok()
            && (lines.is_empty() || self.get_ready(lines).is_ok())
            && self.driver.is_reusable()
    }
}

/// Waits for the lines of an answer until the time has run out; then it sends the engine a command to hurry
/// and waits a little longer. So a late answer is a loss on time, and no answer is a hang.
struct MoveDeadline {
    deadline: Instant,
    hang: Duration,
    /// Without a clock, every line shows that the engine is alive.
    silence: Option<Duration>,
    hurried: bool,
}

impl MoveDeadline {
    /// The deadline for a request that was sent at `asked`.
    fn new(settings: &PlayerSettings, clocks: &Clocks, asked: Instant) -> Self {
        let timed = clocks.own.flag().map(|left| left + clocks.limits.margin);
        let silence = timed.is_none().then_some(settings.silence);
        let wait = timed.unwrap_or(settings.silence);
        Self { deadline: asked + wait, hang: settings.hang, silence, hurried: false }
    }

    /// The next line. `hurry` is sent when the time has run out.
    fn next_line(&mut self, process: &mut Process, hurry: &str) -> Result<(String, Instant), ProcessError> {
        loop {
            match process.receive(self.deadline) {
                Err(ProcessError::TimedOut) if !self.hurried => {
                    self.hurried = true;
                    self.deadline = Instant::now() + self.hang;
                    process.send(hurry)?;
                }
                Ok(got) => {
                    if let Some(silence) = self.silence.filter(|_| !self.hurried) {
                        self.deadline = got.1 + silence;
                    }
                    return Ok(got);
                }
                other => return other,
            }
        }
    }
}
