//! What a referee asks of an engine in a game, whatever its protocol.

use super::Fault;
use crate::base::Color;
use crate::game::{Facts, Rules};
use crate::protocol::xboard::Score;
use crate::session::parts::Part;
use crate::session::{PlayerClock, Session, TimeControl};
use std::time::Duration;

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
    pub control: TimeControl,
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
    /// Positions a second, as the engine reports them.
    pub nodes_per_second: Option<u64>,
    /// How full its hash table is, in thousandths.
    pub hash_full: Option<u32>,
    /// The number of positions found in endgame tables.
    pub table_hits: Option<u64>,
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
