//! The values of the options.

use crate::base::score::Score;
use crate::game::{Facts, Rules};
use crate::search::Player;
use crate::variants;
use crate::variants::chess::CHESS960;
use std::collections::BTreeMap;
use std::time::Duration;

/// The largest transposition table, in MB.
pub const MOST_HASH: u64 = 65_536;
/// The largest number of threads.
pub const MOST_THREADS: u64 = 256;

/// The largest seed: XBoard holds numbers in 32 bits.
pub const MOST_SEED: u64 = i32::MAX as u64;

/// The values of the options.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Size of the transposition table in MB.
    pub hash: usize,
    /// Threads to search with.
    pub threads: usize,
    /// How many best lines to search (`MultiPV`).
    pub lines: usize,
    /// The client may let the engine think on the opponent's time.
    pub ponder: bool,
    /// Time lost between engine and clock with every move.
    pub overhead: Duration,
    /// The game that is chosen.
    pub game: &'static Facts,
    /// True while the user analyses.
    pub analysing: bool,
    /// Show the chances of winning, drawing and losing with every score.
    pub show_wdl: bool,
    /// Play below strength.
    pub limit_strength: bool,
    /// The Elo to play at, if below strength.
    pub elo: u32,
    /// The algorithm that chooses the moves.
    pub player: Player,
    /// The folder of endgame tables; empty for none.
    pub tables_path: String,
    /// The opponent, as UCI sends it: title, rating, kind and name. Empty when it was not sent.
    pub opponent: String,
    /// A referee writes the outcome of chance into the moves.
    pub referee: bool,
    /// The seed of the engine's own dice and cards; 0 for a new one in every game.
    pub seed: u64,
    /// Send `piece` lines to XBoard.
    pub piece_lines: bool,
    /// How to deal with draws by agreement.
    pub draw_offers: DrawOffers,
    /// How much less than 0 a draw by agreement is worth, in centipawns.
    pub contempt: i32,
    /// Turns of both sides that must have been played before a draw is agreed to.
    pub draw_after: usize,
    /// Resign lost games.
    pub resign: bool,
    /// How far behind the engine must be for a game to count as lost, in centipawns.
    pub resign_score: i32,
    /// For how many of its own turns in a row it must be so.
    pub resign_moves: u32,
    /// How turns of several steps are written in the XBoard protocol; takes effect with the next game.
    pub turn_view: TurnView,
    /// How much is shown to a user who plays by mouse, in the XBoard protocol.
    pub prompts: Prompts,
    /// The values of rule switches, by name.
    pub(super) switches: BTreeMap<&'static str, String>,
}

/// How to deal with draws by agreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawOffers {
    /// Accept an offer when the engine expects nothing better.
    Accept,
    /// Accept offers and make them, too.
    Offer,
    /// Neither offer nor accept.
    Ignore,
}

/// How much is shown to a user who plays by mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prompts {
    /// What may be decided is shown in a line of thinking.
    Brief,
    /// It is also shown in a box when it comes up for the first time.
    Full,
    /// Only what must be answered is shown.
    None,
}

/// How turns of several steps are written in the XBoard protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnView {
    /// Step by step for a program that lets us guide the user's mouse, otherwise whole.
    Auto,
    /// A turn is one token.
    Whole,
    /// A step is a ply, with further plies that make XBoard's board agree.
    Steps,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            lines: 1,
            ponder: false,
            overhead: Duration::from_millis(10),
            game: variants::all()[0],
            analysing: false,
            show_wdl: false,
            limit_strength: false,
            elo: 1500,
            player: Player::Search,
            tables_path: String::new(),
            opponent: String::new(),
            referee: false,
            seed: 0,
            piece_lines: false,
            draw_offers: DrawOffers::Accept,
            contempt: 0,
            draw_after: 20,
            resign: false,
            resign_score: 900,
            resign_moves: 3,
            turn_view: TurnView::Auto,
            prompts: Prompts::Brief,
            switches: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// Makes the engine play at this Elo, or at full strength when `elo` is `None`.
    pub fn play_at(&mut self, elo: Option<u32>) {
        self.limit_strength = elo.is_some();
        self.elo = elo.unwrap_or(self.elo);
    }

    /// True when the engine, which thinks `score` of its position, accepts a draw after this number of
    /// tokens.
    pub fn accepts_draw(&self, score: Score, tokens_played: usize) -> bool {
        tokens_played >= self.draw_after && score <= -self.contempt
    }

    /// Chooses between plain chess and Chess960.
    pub fn set_chess960(&mut self, on: bool) {
        self.switches.insert(CHESS960, on.to_string());
    }

    /// The rules by which the chosen game is played.
    pub fn rules(&self) -> Rules {
        let mut rules = Rules::of(self.game);
        for switch in self.game.switches {
            if let Some(value) = self.switches.get(switch.name)
                && let Err(error) = rules.set(self.game, switch.name, value)
            {
                log::warn!("{error}");
            }
        }
        rules
    }
}
