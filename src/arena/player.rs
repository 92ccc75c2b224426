//! What the referee asks of an engine, whatever its protocol.

use super::greeting::{Greeting, connect};
use super::{UciPlayer, XboardPlayer};
use crate::base::Color;
use crate::game::{Facts, Rules};
use crate::process::{EngineCommand, Process, ProcessError};
use crate::protocol::xboard::Score;
use crate::protocol::{OptionValueError, Protocol};
use crate::session::PlayerClock;
use crate::session::Session;
use crate::session::parts::Part;
use serde::Deserialize;
use std::time::{Duration, Instant};

/// A game about to begin, as one player may see it.
#[derive(Clone)]
pub struct NewGame<'a> {
    /// The game that is played.
    pub facts: &'static Facts,
    /// The rule switches that are set.
    pub rules: &'a Rules,
    /// The first position, unless it is the game's own and nothing in it is hidden.
    pub position: Option<String>,
    /// Whether what is sent to the player must be kept out of files that others may read.
    pub secret: bool,
}

impl NewGame<'_> {
    /// Checks that the engine has an option for every rule switch that is set; `known` decides which options
    /// it has.
    ///
    /// # Errors
    /// When the engine lacks one of them.
    pub fn check_rules(&self, known: impl Fn(&str) -> bool) -> Result<(), Fault> {
        match self.rules.iter().find(|(name, _)| !known(name)) {
            Some((name, value)) => Err(Fault::Unfit(format!("it has no option for the rule {name}={value}"))),
            None => Ok(()),
        }
    }
}

/// The limits of one player.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time control.
    pub control: crate::session::TimeControl,
    /// How far the player may overstep the time before it counts as a loss.
    pub margin: Duration,
    /// The largest search depth.
    pub depth: Option<u32>,
    /// The largest number of positions to search.
    pub nodes: Option<u64>,
}

/// Both clocks as the player to move sees them, and that player's other limits.
pub struct Clocks {
    /// The player's own clock.
    pub own: PlayerClock,
    /// The opponent's clock.
    pub other: PlayerClock,
    /// The player's limits.
    pub limits: Limits,
}

/// A request to a player for its next move.
pub struct MoveRequest<'a> {
    /// The referee's session, at the present position.
    pub session: &'a dyn Session,
    /// The side that the player moves for.
    pub color: Color,
    /// The game as the player may see it.
    pub new_game: &'a NewGame<'a>,
    /// All parts of the turns so far, the opening included.
    pub parts: &'a [Part],
    /// The same as one line of tokens, masked for the player. It ends with a comma when the player continues
    /// its turn.
    pub heard: &'a str,
    /// The clocks and the player's limits.
    pub clocks: Clocks,
    /// Whether the opponent offers a draw.
    pub draw_offered: bool,
}

impl MoveRequest<'_> {
    /// True when the pass `0000` is legal.
    pub fn has_pass(&self) -> bool {
        has_pass(self.session)
    }
}

/// True when the pass `0000` is legal.
pub(super) fn has_pass(session: &dyn Session) -> bool {
    session.continuations().iter().any(|legs| legs == "0000")
}

/// An engine's opinion of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// The score from the engine's own side.
    pub score: Option<Score>,
    /// The search depth.
    pub depth: u32,
    /// The selective search depth: the plies of the longest line.
    pub selective_depth: Option<u32>,
    /// The number of positions searched.
    pub nodes: Option<u64>,
    /// The time that the engine reports to have used.
    pub time: Option<Duration>,
}

/// Writes `+0.15/12`, as in the comments of game records; nothing when there is no score.
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

/// A player's answer to a [`MoveRequest`].
#[derive(Clone, Debug)]
pub struct MoveReply {
    /// The token, as the engine sent it, in the spelling that its protocol demands.
    pub token: String,
    /// The engine's opinion of the position.
    pub search_info: SearchInfo,
    /// The time from the sending of the request to the arrival of the answer.
    pub spent: Duration,
    /// The reply that the engine expects, if it announced one.
    pub expects: Option<String>,
    /// Whether the engine offers a draw or accepts one.
    pub draw: bool,
}

/// Why a player cannot go on with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its process ended, does not answer, or writes without end.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// It could not be started again, or cannot play this game.
    #[error("cannot play: {0}")]
    Unfit(String),
    /// The player resigned.
    #[error("resigns")]
    Resigned,
    /// It makes no legal move, although there are some.
    #[error("makes an illegal move: {0} (there are legal ones)")]
    NoMove(String),
    /// It claims that the game is over when it is not.
    #[error("claims wrongly: {0}")]
    FalseClaim(String),
    /// It refused a legal move.
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
    /// Its name in the record.
    fn name(&self) -> &str;
    /// True when the engine needs turns in XBoard's notation ([`Part::written`]).
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
    fn ponder(&mut self, _question: &MoveRequest<'_>, _expected: &str) {}
    /// Ends the game with this result line. Returns false when the engine cannot play another game.
    fn end(&mut self, result: &str) -> bool;
}

/// How to communicate with one engine.
#[derive(Clone, Debug)]
pub struct PlayerSettings {
    /// The name that the user gave it; `None` to take the engine's own.
    pub name: Option<String>,
    /// The name by which the engine knows the game, if not by ours.
    pub game: Option<String>,
    /// How the engine reads positions.
    pub positions: PositionFormat,
    /// Options that the engine must have, with their values.
    pub options: Vec<(String, String)>,
    /// Options that are set if the engine has them, with their values.
    pub shared_options: Vec<(String, String)>,
    /// Lines to send unchanged after the handshake.
    pub init_lines: Vec<String>,
    /// Whether the engine may think on the opponent's time.
    pub ponder: bool,
    /// How long the engine may take to start.
    pub start: Duration,
    /// How long the engine may take to get ready for a game.
    pub ready: Duration,
    /// How long to wait for the engine after its time has run out.
    pub hang: Duration,
    /// How long the engine may be silent when it has no clock.
    pub silence: Duration,
}

/// How positions are written for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PositionFormat {
    /// As Carom writes them.
    #[default]
    Own,
    /// Board and side as Carom writes them, then `- - 0 1`, for programs that take every game for a chess
    /// variant.
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
    /// The position `text` in this format.
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
    /// The options to set; `known` decides which ones the engine has.
    ///
    /// # Errors
    /// When the engine lacks an option that it must have.
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

/// Waits for the lines of an answer until the time has run out; then it sends the engine a command to hurry
/// and waits a little longer. So a late answer is a loss on time, and no answer is a hang.
pub struct MoveDeadline {
    deadline: Instant,
    hang: Duration,
    /// Without a clock, every line shows that the engine is alive.
    silence: Option<Duration>,
    hurried: bool,
}

impl MoveDeadline {
    /// The deadline for a request that was sent at `asked`.
    pub fn new(settings: &PlayerSettings, clocks: &Clocks, asked: Instant) -> Self {
        let timed = clocks.own.flag().map(|left| left + clocks.limits.margin);
        let silence = timed.is_none().then_some(settings.silence);
        let wait = timed.unwrap_or(settings.silence);
        Self { deadline: asked + wait, hang: settings.hang, silence, hurried: false }
    }

    /// The next line. `hurry` is sent when the time has run out.
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

/// Starts the engine; without a `protocol`, in the one that it answers. Also returns the protocol.
///
/// # Errors
/// When the engine does not start, answers in no protocol, or lacks an option that it must have.
pub fn launch(
    command: &EngineCommand,
    protocol: Option<Protocol>,
    settings: &PlayerSettings,
) -> Result<(Box<dyn Player + Send>, Protocol), Fault> {
    let (process, greeting) = connect(command, protocol, settings.start, || None)?;
    let settings = settings.clone();
    Ok(match greeting {
        Greeting::Uci(dialect, said) => {
            (Box::new(UciPlayer::new(process, dialect, said, settings)?), Protocol::Uci(dialect))
        }
        Greeting::Xboard(features) => {
            (Box::new(XboardPlayer::new(process, features, settings)?), Protocol::Xboard)
        }
    })
}
