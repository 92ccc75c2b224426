//! The messages from a page to the server: one JSON object each. `protocol-docs/web.md` describes their
//! meaning.

use crate::base::Color;
use crate::live_game::Seat;
use litemap::LiteMap;
use serde::Deserialize;

/// The longest message in bytes; a longer one ends the connection.
pub const LONGEST_MESSAGE: usize = 256 * 1024;

/// A message from a page.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Begins a new game in place of the present one.
    New(Box<NewGame>),
    /// Joins the game of an existing session.
    Join {
        /// The name of the session.
        session: String,
        /// The key that the session's first page received: with it the page may play, without it the page
        /// only watches.
        key: Option<String>,
    },
    /// Plays a decision or a whole turn.
    Play {
        /// The token in Carom's notation, with a comma at the end if the turn goes on.
        word: String,
        /// The number of tokens that had been played when the player chose it.
        at: Option<usize>,
    },
    /// Takes back to the last decision of a person. A person at another page must agree.
    Undo {},
    /// Takes back to the first `to` tokens; the others are kept as a variation.
    Rewind {
        /// The number of tokens to keep.
        to: usize,
    },
    /// Continues the game with a variation.
    Variation {
        /// The number of the variation.
        number: usize,
        /// How many of its tokens to play, from the first one of the game on; all if absent.
        to: Option<usize>,
    },
    /// Shows an earlier board, or one of a variation.
    Look {
        /// The number of tokens before that board.
        at: usize,
        /// The number of the variation; the game itself if absent.
        variation: Option<usize>,
        /// Further tokens that nobody has played, as in a line of the engine.
        #[serde(default)]
        further: Vec<String>,
    },
    /// Resigns for the side to decide.
    Resign {},
    /// Offers a draw to the engine, or to a person at another page; two people at one page have agreed on it
    /// already.
    Draw {},
    /// With two pages: proposes another game with the sides exchanged, when this one is over.
    Rematch {},
    /// With two pages: answers what the other person proposes.
    Answer {
        /// Whether to agree.
        yes: bool,
    },
    /// With two pages: the name of the person who plays here.
    Name {
        /// The name.
        name: String,
    },
    /// With two people and hidden cards: the player to decide is alone with the screen.
    Ready {},
    /// Asks for the turn that the engine would play.
    Hint {},
    /// Shows the engine's best lines while a person decides.
    Analyse {
        /// The number of lines; 0 ends the analysis.
        lines: usize,
    },
    /// Makes the engine play the best turn it has found.
    Hurry {},
    /// Pauses the game or resumes it, where the engine plays both sides.
    Pause {
        /// Whether to pause.
        on: bool,
    },
    /// Changes the players or the engine's level.
    Seats {
        /// The players, White's first.
        seats: [Seat; 2],
        /// The level, as for `carom play --level`.
        level: Option<String>,
    },
    /// Asks for the game as PGN.
    Pgn {},
    /// Asks where the piece on a square may go, or could if it were its side's turn.
    Ways {
        /// The square.
        square: String,
    },
    /// Begins a task of the guided first game, in place of the present game.
    Learn {
        /// The name of the game.
        game: String,
        /// The number of the task, from 0 on.
        number: usize,
    },
    /// Continues a game of a PGN text.
    Load {
        /// The PGN text.
        pgn: String,
        /// The number of the game in the text, from 1 on.
        #[serde(default = "first")]
        number: usize,
    },
    /// UCI's `query` command.
    Query {
        /// The subject: `legal`, `fen`, …
        question: String,
        /// The arguments of the query.
        #[serde(default)]
        arguments: String,
    },
    /// Asks for what is new in a match's journal.
    Journal {
        /// The number of its games that the page knows.
        from: usize,
    },
    /// Asks for a game of the match being watched.
    Game {
        /// The number of the game.
        number: u64,
    },
}

const fn first() -> usize {
    1
}

/// A side of a game.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl Side {
    /// Its colour.
    pub const fn color(self) -> Color {
        match self {
            Self::White => Color::White,
            Self::Black => Color::Black,
        }
    }
}

/// The settings of a new game.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewGame {
    /// The name of the game; `carom games` lists them.
    pub game: String,
    /// Rule switches and their values.
    pub rules: LiteMap<String, String>,
    /// The players, White's first; a person against the engine if absent.
    pub seats: Option<[Seat; 2]>,
    /// The level of the engine: `depth=6`, `nodes=20000`, `time=2`, `elo=1500`.
    pub level: Option<String>,
    /// The time control: `300+2`, `40/60`, `inf`.
    pub tc: Option<String>,
    /// The first position, if it is not the game's own.
    pub position: Option<String>,
    /// The turns played already.
    pub moves: Vec<String>,
    /// The seed of dice and cards.
    pub seed: Option<u64>,
    /// Whether people roll the dice and enter the results.
    pub roll: bool,
    /// The least time between two turns in milliseconds, where the engine plays both sides.
    pub pace: Option<u64>,
    /// For a game with a friend at another page: the side of the person who asks.
    pub friend: Option<Side>,
}
