//! Fixed positions, fixed depth, one thread: `carom bench` on the command line and `bench` in UCI. The sum of
//! nodes is the signature: a change that is not meant to alter play must leave it as it is.

use crate::game::{Facts, Playable, Rules};
use crate::notation::parse_position;
use crate::search::{self, Clock, Control, Limits, SearchTask, TranspositionTable};
use crate::session::chance::draw;
use crate::variants::{self, Visitor};
use std::time::Duration;

/// For each game, the depth of all searches and the positions that are searched besides the start.
const POSITIONS: [(&str, u32, &[&str]); 9] = [
    (
        "chess",
        10,
        &[
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        ],
    ),
    (
        "alapo",
        9,
        &[
            "rlb1q1lr/wsfk1fsw/3b4/5k2/7q/3K1SF1/WSF1K2W/RLBQQBLR w - - 0 1",
            "1rbqqbl1/2fk1fsr/ws5w/4F2k/1S5Q/B1lFL3/W1K2QSW/R4BR1 w - - 0 1",
            "3k4/2K1K3/8/8/8/8/8/4K3 w - - 0 40",
        ],
    ),
    ("alapo-demotion", 9, &["rlb1q1lr/wsfk1fsw/3b4/5k2/7q/3K1SF1/WSF1K2W/RLBQQBLR w - - 0 1"]),
    (
        "rollerball",
        12,
        &[
            "2r1p2/1b1k3/r1***2/2***1B/P1***2/1P1K1R1/5R1 w - 0 1",
            "3P3/2kP3/2***2/2***2/R1***2/3p1K1/1r1p3 w - 0 1",
            "2K4/7/r1***2/2***1b/2***R1/7/3k3 w - 0 1",
        ],
    ),
    (
        "breakthrough",
        10,
        &[
            "p1ppp1pp/1pp2p1p/3pp3/1p4p1/2P2P2/P2P3P/1PP1PP1P/PP1P2PP w - - 0 9",
            "8/1pp2p2/4p3/2P2p2/3P2P1/8/1P2P3/8 b - - 0 28",
        ],
    ),
    (
        "jai-alai",
        7,
        &[
            "1d1mrm1d1/1a1bkb1a1/gpppsp1pg/4tp2S/5T3/GPPP1PPPG/1A1BKBTA1/1D1MRMtD1[TTtt] w 0 4",
            "1d1mrm1d1/1a1bkb1a1/gppps1p1g/6p1p/1P7/tG1PSPPPG/1A1BKB1A1/D2MRM1D1[TTTTttt] w 0 4",
        ],
    ),
    (
        "hanniball",
        5,
        &[
            "***3***/2e1m1l2/1e2le1e1/1h1h1h1h1/9/9/9/4oH3/9/9/1H7/1H3H3/E4E1E1/2LE3L1/***1M1*** b 4 3 2",
            "***1m1***/2l1h4/1e1ele1e1/5h3/9/h5h2/9/4o4/9/9/H6H1/7H1/1E3E1E1/2LEHML2/***3*** b 4 3 2",
        ],
    ),
    (
        "wickets-det",
        8,
        &["****1***/rnbq1bnr/pppp1kpp/8/4pp2/8/2N1P3/PPPPBPPP/R1BQK1NR/****1*** w KQ - e1:d1/f8:d8 0 4"],
    ),
    (
        "wickets-dice",
        8,
        &[
            "****1***/rnbqkbnr/pp1p1p1p/2p1p3/6p1/4P3/N1P5/PP1P1PPP/R1BQKBNR/****1*** w KQkq - e1:d1/e8:d8 0 4",
        ],
    ),
];

/// Which searches to run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bench {
    /// The only game to search; `None` for all.
    pub game: Option<&'static Facts>,
    /// Plies added to the usual depth of each game; negative for shallower searches.
    pub deeper: i32,
}

/// The totals of one game's searches.
#[derive(Clone, Copy, Debug)]
pub struct BenchResult {
    /// The game that was searched.
    pub game: &'static Facts,
    /// The depth in plies to which all its positions were searched.
    pub depth: u32,
    /// Positions visited, in all searches together.
    pub nodes: u64,
    /// How long all its searches took together.
    pub time: Duration,
    /// The effective branching factor: by what factor one more ply multiplies the nodes, on average over the
    /// later half of the depths. 0 at depth 1, where there is no later half.
    pub branching: f64,
}

/// Why the searches could not be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    /// An argument is neither a number nor the name of a game.
    #[error("bench takes the name of a game and by how much to search deeper, not `{0}`")]
    Word(String),
    /// A position of the list is not legal in its game.
    #[error("{game}: {position}: {reason}")]
    Position {
        /// The name of the game.
        game: &'static str,
        /// The position as text.
        position: String,
        /// What is wrong with the position.
        reason: String,
    },
    /// There is not enough memory for a transposition table.
    #[error("{0}")]
    Memory(String),
    /// A search panicked; the text is its message.
    #[error("a search panicked: {0}")]
    Panicked(String),
}

impl Bench {
    /// Reads the arguments of `bench`: the name of a game and a number of plies to search deeper, both or
    /// neither, in any order.
    ///
    /// # Errors
    /// When an argument is neither.
    pub fn parse(arguments: &str) -> Result<Self, BenchError> {
        let mut bench = Self::default();
        for word in arguments.split_ascii_whitespace() {
            match (word.parse(), variants::find(word)) {
                (Ok(deeper), _) => bench.deeper = deeper,
                (_, Ok(game)) => bench.game = Some(game),
                _ => return Err(BenchError::Word(word.to_owned())),
            }
        }
        Ok(bench)
    }

    /// Searches on this thread, which needs [`crate::search::STACK`] bytes of stack. `listen` is called with
    /// the result of each game when it is done. Once `control` has stopped the searches, it is not called
    /// again.
    ///
    /// # Errors
    /// When a position cannot be read, or there is no memory for a transposition table.
    pub fn run(
        &self,
        control: &Control,
        clock: &dyn Clock,
        mut listen: impl FnMut(BenchResult),
    ) -> Result<(), BenchError> {
        for facts in variants::all() {
            if self.game.is_some_and(|only| !std::ptr::eq(only, facts)) {
                continue;
            }
            let listed = POSITIONS.iter().find(|(name, ..)| *name == facts.name);
            let (_, depth, positions) = listed.copied().unwrap_or((facts.name, 4, &[]));
            let depth = depth.saturating_add_signed(self.deeper).max(1);
            let searches = Searches { positions, depth, control, clock };
            let Ok(result) = variants::visit(facts.name, searches) else { continue };
            let result = result?;
            if control.is_stopped() {
                break;
            }
            listen(result);
        }
        Ok(())
    }
}

struct Searches<'a> {
    positions: &'static [&'static str],
    depth: u32,
    control: &'a Control,
    clock: &'a dyn Clock,
}

impl Visitor for Searches<'_> {
    type Output = Result<BenchResult, BenchError>;

    fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
        let rules = Rules::of(facts);
        let start = G::start(&rules);
        // Where chance begins, the first roll is made.
        let begun = draw(&start, 1, 0, 0).map(|roll| start.after(roll));
        let mut states = vec![begun.unwrap_or(start)];
        for text in self.positions {
            let fail = |reason: String| BenchError::Position {
                game: facts.name,
                position: (*text).to_owned(),
                reason,
            };
            let position = parse_position(text).map_err(|error| fail(error.to_string()))?;
            states.push(G::read(&position, &rules).map_err(|error| fail(error.to_string()))?);
        }
        let table = TranspositionTable::new(16).map_err(|error| BenchError::Memory(error.to_string()))?;
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        let begun = self.clock.elapsed();
        let (mut nodes, mut early) = (0, 0);
        let half = self.depth.div_ceil(2);
        for state in &states {
            if self.control.is_stopped() {
                break;
            }
            table.clear(1);
            let task = SearchTask::new(state, &limits, &table, self.control, self.clock);
            let mut nodes_to_half = 0;
            nodes += search::search(&task, &mut |report, _| {
                if report.depth <= half {
                    nodes_to_half = report.nodes;
                }
            })
            .nodes;
            early += nodes_to_half;
        }
        let later = self.depth - half;
        let branching =
            if later == 0 { 0.0 } else { (nodes as f64 / early.max(1) as f64).powf(1.0 / f64::from(later)) };
        let time = self.clock.elapsed().saturating_sub(begun);
        Ok(BenchResult { game: facts, depth: self.depth, nodes, time, branching })
    }
}
