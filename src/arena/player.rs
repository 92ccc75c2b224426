//! What the referee asks of an engine, whatever protocol it speaks.

use super::greeting::{Greeting, connect};
use super::{UciPlayer, XboardPlayer};
use crate::base::Color;
use crate::game::{Facts, Rules};
use crate::process::{EngineCommand, Process, ProcessError};
use crate::protocol::OptionValueError;
use crate::protocol::uci::Dialect;
use crate::protocol::xboard::Score;
use crate::session::PlayerClock;
use crate::session::Session;
use crate::session::parts::Part;
use serde::Deserialize;
use std::time::{Duration, Instant};

/// A game about to begin, as one player may know it.
#[derive(Clone)]
pub struct NewGame<'a> {
    /// Which.
    pub facts: &'static Facts,
    /// Its rules.
    pub rules: &'a Rules,
    /// The first position, if it is not the game's own or if cards are hidden in it.
    pub position: Option<String>,
    /// What is said to the player must not be written down where others might read it.
    pub secret: bool,
}

impl NewGame<'_> {
    /// That the engine has an option for every rule switch that is set, `known` telling which it has.
    ///
    /// # Errors
    /// When it lacks one.
    pub fn check_rules(&self, known: impl Fn(&str) -> bool) -> Result<(), Fault> {
        match self.rules.iter().find(|(name, _)| !known(name)) {
            Some((name, value)) => Err(Fault::Unfit(format!("it has no option for the rule {name}={value}"))),
            None => Ok(()),
        }
    }
}

/// What limits one player.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The clock.
    pub control: crate::session::TimeControl,
    /// How far the flag may have fallen before it counts.
    pub margin: Duration,
    /// Depth to search at most.
    pub depth: Option<u32>,
    /// Positions to search at most.
    pub nodes: Option<u64>,
}

/// Both clocks as the player to move sees them, and what else limits the search.
pub struct Clocks {
    /// The player's own.
    pub own: PlayerClock,
    /// The opponent's.
    pub other: PlayerClock,
    /// The player's limits.
    pub limits: Limits,
}

/// What a player is asked.
pub struct MoveRequest<'a> {
    /// The referee's own game, at the present position.
    pub session: &'a dyn Session,
    /// Whom the player speaks for.
    pub color: Color,
    /// The game as the player may know it.
    pub new_game: &'a NewGame<'a>,
    /// Everything said so far, the first turns of the opening included.
    pub parts: &'a [Part],
    /// The same as one line of tokens, as the player may hear it; ends with a comma when the player goes on.
    pub heard: &'a str,
    /// Clocks and limits.
    pub clocks: Clocks,
    /// The opponent offers a draw.
    pub draw_offered: bool,
}

impl MoveRequest<'_> {
    /// True when `0000` is something to say.
    pub fn has_pass(&self) -> bool {
        has_pass(self.session)
    }
}

/// True when `0000` is something to say.
pub(super) fn has_pass(session: &dyn Session) -> bool {
    session.continuations().iter().any(|legs| legs == "0000")
}

/// What an engine thinks of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// Its score, from its own side.
    pub score: Option<Score>,
    /// Depth of the search.
    pub depth: u32,
    /// Plies of the longest line.
    pub selective_depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// The time it says it has used.
    pub time: Option<Duration>,
}

/// `+0.15/12`, as in the comments of game records; nothing when there is no score.
impl std::fmt::Display for SearchInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let depth = self.depth;
        match self.score {
            None => Ok(()),
            Some(Score::Centipawns(score)) => write!(f, "{:+.2}/{depth}", f64::from(score) / 100.0),
            Some(Score::Wins(turns)) => write!(f, "+M{turns}/{depth}"),
            Some(Score::Loses(turns)) => write!(f, "-M{turns}/{depth}"),
        }
    }
}

/// What a player answered.
#[derive(Clone, Debug)]
pub struct MoveReply {
    /// Its word, as it came but for the spelling its protocol demands.
    pub token: String,
    /// Its opinion of the position.
    pub search_info: SearchInfo,
    /// From when the question was handed over to when the answer came.
    pub spent: Duration,
    /// What it expects the opponent to say.
    pub expects: Option<String>,
    /// It offers a draw with it, or agrees to one.
    pub draw: bool,
}

/// How a player breaks off a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its process ended, does not answer, or writes without end.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// It could not be started again, or cannot play this game.
    #[error("cannot play: {0}")]
    Unfit(String),
    /// It gave up.
    #[error("resigns")]
    Resigned,
    /// It offers nothing to play though there is something.
    #[error("makes an illegal move: {0} (there are legal ones)")]
    NoMove(String),
    /// It says the game is over when it is not.
    #[error("claims wrongly: {0}")]
    FalseClaim(String),
    /// It refused what is legal.
    #[error("refuses a legal move: {0}")]
    Refused(String),
}

impl From<OptionValueError> for Fault {
    fn from(error: OptionValueError) -> Self {
        Self::Unfit(error.to_string())
    }
}

/// An engine in a game.
pub trait Player {
    /// Its name for the record.
    fn name(&self) -> &str;
    /// True when it must hear turns in XBoard's writing ([`Part::written`]).
    fn reads_xboard(&self) -> bool {
        false
    }
    /// A new game begins, in which it has what `allowance` says.
    ///
    /// # Errors
    /// When it cannot be got ready.
    fn begin(&mut self, new_game: &NewGame<'_>, clocks: &Clocks) -> Result<(), Fault>;
    /// It is to speak.
    ///
    /// # Errors
    /// When it does not answer with a move.
    fn go(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Fault>;
    /// It may think while the opponent does; `expected` is legal now.
    fn ponder(&mut self, _question: &MoveRequest<'_>, _expected: &str) {}
    /// The game is over, with this result line. False when it cannot play another one.
    fn end(&mut self, result: &str) -> bool;
}

/// How one engine is to be spoken to.
#[derive(Clone, Debug)]
pub struct PlayerSettings {
    /// What the user calls it; `None`: by its own name.
    pub name: Option<String>,
    /// The name it knows the game by, if not by ours.
    pub game: Option<String>,
    /// How it reads positions.
    pub positions: PositionFormat,
    /// Options it must have.
    pub options: Vec<(String, String)>,
    /// Options it gets if it has them.
    pub shared_options: Vec<(String, String)>,
    /// Lines sent to it after the handshake, as they are.
    pub init_lines: Vec<String>,
    /// Let it think on the opponent's time.
    pub ponder: bool,
    /// How long it may take to start.
    pub start: Duration,
    /// How long it may take to get ready.
    pub ready: Duration,
    /// How long after the fall of its flag it is still waited for.
    pub hang: Duration,
    /// How long it may be silent when it has no clock.
    pub silence: Duration,
}

/// How an engine reads positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PositionFormat {
    /// As we write them.
    #[default]
    Own,
    /// Board and side as we write them, then `- - 0 1`, as programs want it that take every game for a chess variant.
    Fen,
}

impl Default for PlayerSettings {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            name: None,
            game: None,
            positions: PositionFormat::Own,
            options: Vec::new(),
            shared_options: Vec::new(),
            init_lines: Vec::new(),
            ponder: false,
            start: seconds(10),
            ready: seconds(15),
            hang: seconds(10),
            silence: seconds(600),
        }
    }
}

impl PositionFormat {
    /// The position as the engine reads it.
    pub fn write(self, text: &str) -> String {
        match self {
            Self::Own => text.to_owned(),
            Self::Fen => {
                let mut words = text.split_whitespace();
                let (board, side) = (words.next().unwrap_or_default(), words.next().unwrap_or("w"));
                format!("{board} {side} - - 0 1")
            }
        }
    }
}

impl PlayerSettings {
    /// Which options to set, `known` telling which the engine has.
    ///
    /// # Errors
    /// When it lacks one that it must have.
    pub fn chosen_options(
        &self,
        known: impl Fn(&str) -> bool,
    ) -> Result<impl Iterator<Item = (&str, &str)>, Fault> {
        if let Some((name, _)) = self.options.iter().find(|(name, _)| !known(name)) {
            return Err(Fault::Unfit(format!("it has no option `{name}`")));
        }
        let shared_options: Vec<_> = self.shared_options.iter().filter(|(name, _)| known(name)).collect();
        let both = shared_options.into_iter().chain(&self.options);
        Ok(both.map(|(name, value)| (name.as_str(), value.as_str())))
    }
}

/// Waits for the lines of an answer: until the flag has fallen, then, the engine being told to hurry, a little longer. So
/// a late answer is a loss on time, none at all a hang.
pub struct MoveDeadline {
    deadline: Instant,
    hang: Duration,
    /// Without a clock every line shows that the engine is alive.
    silence: Option<Duration>,
    hurried: bool,
}

impl MoveDeadline {
    /// For a question handed over at `asked`.
    pub fn new(settings: &PlayerSettings, clocks: &Clocks, asked: Instant) -> Self {
        let timed = clocks.own.flag().map(|left| left + clocks.limits.margin);
        let silence = timed.is_none().then_some(settings.silence);
        let wait = timed.unwrap_or(settings.silence);
        Self { deadline: asked + wait, hang: settings.hang, silence, hurried: false }
    }

    /// The next line. `hurry` is sent when the time is over.
    ///
    /// # Errors
    /// As [`Process::receive`].
    pub fn next_line(
        &mut self,
        process: &mut Process,
        hurry: &str,
    ) -> Result<(String, Instant), ProcessError> {
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

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// UCI.
    Uci,
    /// The XBoard protocol.
    Cecp,
    /// UGI.
    Ugi,
}

/// Starts the engine; with no `protocol` given, in the one it answers to. Also says which it was.
///
/// # Errors
/// When it does not start, answers to none, or lacks an option it must have.
pub fn launch(
    command: &EngineCommand,
    protocol: Option<Protocol>,
    settings: &PlayerSettings,
) -> Result<(Box<dyn Player + Send>, Protocol), Fault> {
    let (process, greeting) = connect(command, protocol, settings.start, || None)?;
    let settings = settings.clone();
    Ok(match greeting {
        Greeting::Uci(dialect, said) => {
            let protocol = if dialect == Dialect::Ugi { Protocol::Ugi } else { Protocol::Uci };
            (Box::new(UciPlayer::new(process, dialect, said, settings)?), protocol)
        }
        Greeting::Xboard(features) => {
            (Box::new(XboardPlayer::new(process, features, settings)?), Protocol::Cecp)
        }
    })
}
