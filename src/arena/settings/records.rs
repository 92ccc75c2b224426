//! The settings of what a match writes and shows.

use super::error::SettingsError;
use super::imitated::Imitated;
use crate::client::Kept;
use serde::Deserialize;
use std::path::PathBuf;

/// The most parts of a match.
const MOST_PARTS: u64 = 1_000_000;

/// What to write and show, and how much to play at once.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Records {
    /// The number of games to play at the same time; `None` for one.
    pub concurrency: Option<usize>,
    /// The part of the match to play, if not all of it.
    pub shard: Option<Shard>,
    /// The journal file.
    pub journal: Option<PathBuf>,
    /// The PGN file of the games.
    pub pgnout: Option<PgnOut>,
    /// The EPD file of the final positions.
    pub epdout: Option<PathBuf>,
    /// The HTML file of the cross table.
    pub html: Option<PathBuf>,
    /// The `Event` tag in PGN.
    pub event: Option<String>,
    /// The `Site` tag in PGN.
    pub site: Option<String>,
    /// The number of games between two tables; `None` for 10, 0 for a table at the end only.
    pub ratinginterval: Option<u64>,
    /// Whether to draw the running game.
    pub watch: bool,
    /// The number of games between two scores of two engines; `None` for 1, 0 for one at the end only.
    pub scoreinterval: Option<u64>,
    /// How long a worker waits between two games, in milliseconds.
    pub wait: Option<u64>,
    /// The processors to which engines are bound: `true` for all, else a list.
    #[serde(rename = "use-affinity")]
    pub affinity: Option<String>,
    /// The program whose defaults are taken, and whose lines are printed.
    pub imitate: Option<Imitated>,
    /// The program whose lines are printed.
    pub output: OutputKeys,
    /// Whether a match goes on after an engine has ended, where a program is imitated that asks for that.
    pub recover: bool,
    /// Whether the first warning ends the match.
    pub strict: bool,
    /// Whether to log what engines are sent and say: `true`, or `all`.
    pub debug: Option<String>,
    /// Whether to show results only.
    pub quiet: bool,
    /// Whether to check the settings without playing.
    pub check: bool,
}

/// How games are written as PGN.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PgnOut {
    /// The path of the file.
    pub file: PathBuf,
    /// The notation of chess turns: `san` or `uci`.
    pub notation: Option<String>,
    /// Whether to leave out all comments but the reason of the result.
    #[serde(default)]
    pub min: bool,
    /// Whether comments give the number of positions searched.
    #[serde(default)]
    pub nodes: bool,
    /// Whether comments give the selective depth.
    #[serde(default)]
    pub seldepth: bool,
    /// False to begin the file anew.
    pub append: Option<bool>,
    /// Whether comments give positions a second.
    #[serde(default)]
    pub nps: bool,
    /// Whether comments tell how full the hash table is.
    #[serde(default)]
    pub hashfull: bool,
    /// Whether comments give the positions found in endgame tables.
    #[serde(default)]
    pub tbhits: bool,
    /// Whether comments give the time left.
    #[serde(default)]
    pub timeleft: bool,
    /// Whether comments tell how much longer the turn took by our clock than by the engine's.
    #[serde(default)]
    pub latency: bool,
    /// Whether comments give the line that the engine expects.
    #[serde(default)]
    pub pv: bool,
    /// Regular expressions for lines of the engine that comments are to contain.
    #[serde(default)]
    pub match_line: Vec<String>,
}

/// The program whose lines are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputKeys {
    format: Option<Imitated>,
}

impl Records {
    /// The program whose lines are printed; `None` for our own.
    pub fn lines(&self) -> Option<Imitated> {
        self.output.format.or(self.imitate)
    }

    /// What is to be kept of the engines' thinking.
    ///
    /// # Errors
    /// When a regular expression is none.
    pub(super) fn kept(&self) -> Result<Kept, SettingsError> {
        let Some(pgnout) = &self.pgnout else { return Ok(Kept::default()) };
        let compiled = |text: &String| {
            let wrong = |error| SettingsError(format!("-pgnout match_line={text}: {error}"));
            regex_lite::Regex::new(text).map_err(wrong)
        };
        let lines = pgnout.match_line.iter().map(compiled).collect::<Result<Vec<_>, _>>()?;
        let more = pgnout.nps || pgnout.hashfull || pgnout.tbhits || pgnout.pv || !lines.is_empty();
        Ok(Kept { more, lines })
    }

    /// True when an engine that ends or hangs ends the match.
    pub const fn ends_at_a_crash(&self) -> bool {
        self.imitate.is_some() && !self.recover
    }

    /// The name of the event, or the default.
    pub fn event(&self) -> &str {
        self.event.as_deref().unwrap_or("Carom match")
    }
}

/// A part of a match, to be played on a machine of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Shard {
    /// The number of the part, from 1 on.
    pub part: u64,
    /// The number of parts.
    pub parts: u64,
}

impl Shard {
    /// True when this pair of games belongs to the part.
    pub const fn has(self, pair: u64) -> bool {
        pair.wrapping_sub(1) % self.parts == self.part - 1
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.map(|(part, parts)| Self { part, parts });
        shard
            .filter(|shard| shard.parts <= MOST_PARTS && (1..=shard.parts).contains(&shard.part))
            .ok_or_else(|| format!("-shard {text}: it must be I/N with I from 1 to N, and N to {MOST_PARTS}"))
    }
}
