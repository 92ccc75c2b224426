//! What a page says to the server: one JSON object a message. `protocol-docs/web.md` tells what each means.

use crate::live_game::Seat;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A longer message ends the connection.
pub const LONGEST_MESSAGE: usize = 256 * 1024;

/// One message.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// A new game, in place of the one that is shown.
    New(Box<NewGame>),
    /// The game of a session that is kept.
    Join {
        /// Its name.
        session: String,
        /// What its first page was told: who says it plays, who does not looks on.
        key: Option<String>,
    },
    /// A decision, or a whole turn.
    Play {
        /// In our writing; a comma at the end where the turn goes on.
        word: String,
        /// How many tokens had been played when it was thought of.
        at: Option<usize>,
    },
    /// Back to the last decision of a person.
    Undo {},
    /// Back to the first tokens; the others are kept as a variation.
    Rewind {
        /// How many.
        to: usize,
    },
    /// The game goes on by a variation that is kept.
    Variation {
        /// Its number.
        number: usize,
        /// By how many of its tokens, from the first of the game on; by all where nobody says.
        to: Option<usize>,
    },
    /// The board as it was, or would be in a variation.
    Look {
        /// After so many tokens.
        at: usize,
        /// The number of the variation.
        variation: Option<usize>,
    },
    /// Whoever decides gives up.
    Resign {},
    /// A draw is offered; two persons have agreed on it.
    Draw {},
    /// Of two persons with hidden cards the one who decides is alone with the screen.
    Ready {},
    /// What would the engine play?
    Hint {},
    /// Shows the engine's best lines while a person decides.
    Analyse {
        /// How many; 0 ends it.
        lines: usize,
    },
    /// The engine plays what it has found.
    Hurry {},
    /// Where the engine plays both sides: stand still, go on.
    Pause {
        /// Stand still.
        on: bool,
    },
    /// Other players, another level.
    Seats {
        /// White's first.
        seats: [Seat; 2],
        /// As `carom play --level` takes it.
        level: Option<String>,
    },
    /// The game as PGN.
    Pgn {},
    /// Goes on with a game of a PGN text.
    Load {
        /// The text.
        pgn: String,
        /// Which game, from 1 on.
        #[serde(default = "first")]
        number: usize,
    },
    /// UCI's `query`.
    Query {
        /// `legal`, `fen`, …
        question: String,
        /// What stands behind it.
        #[serde(default)]
        arguments: String,
    },
    /// What a match's journal has got since.
    Journal {
        /// How many games of it are known.
        from: usize,
    },
    /// A game of the match that is watched.
    Game {
        /// Its number.
        number: u64,
    },
}

const fn first() -> usize {
    1
}

/// What is played, and by whom.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewGame {
    /// `carom games` lists them.
    pub game: String,
    /// Rule switches.
    pub rules: BTreeMap<String, String>,
    /// White's first; a person against the engine where nobody says.
    pub seats: Option<[Seat; 2]>,
    /// `depth=6`, `nodes=20000`, `time=2`, `elo=1500`.
    pub level: Option<String>,
    /// `300+2`, `40/60`, `inf`.
    pub tc: Option<String>,
    /// Where it begins, if not at the usual start.
    pub position: Option<String>,
    /// What has been played.
    pub moves: Vec<String>,
    /// What dice and cards bring.
    pub seed: Option<u64>,
    /// Persons roll, and tell what their dice show.
    pub roll: bool,
    /// Where the engine plays both sides: milliseconds between turns, at least.
    pub pace: Option<u64>,
}
