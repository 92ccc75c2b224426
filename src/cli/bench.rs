//! `carom bench`: fixed positions, fixed depth, one thread. The sum of nodes is the signature: a change that is not
//! meant to change play leaves it as it is.

use crate::game::{Playable, Rules};
use crate::notation::parse_position;
use crate::search::{self, Control, Limits, STACK, Table, Task, WallClock};
use crate::variants::{self, Visitor};
use anyhow::{Context, anyhow};
use clap::Args;
use std::io::Write;
use std::time::{Duration, Instant};

/// Positions beside the start, and the depth all are searched to.
const POSITIONS: [(&str, u32, &[&str]); 4] = [
    (
        "chess",
        7,
        &[
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        ],
    ),
    (
        "alapo",
        6,
        &[
            "rlb1q1lr/wsfk1fsw/3b4/5k2/7q/3K1SF1/WSF1K2W/RLBQQBLR w - - 0 1",
            "1rbqqbl1/2fk1fsr/ws5w/4F2k/1S5Q/B1lFL3/W1K2QSW/R4BR1 w - - 0 1",
            "3k4/2K1K3/8/8/8/8/8/4K3 w - - 0 40",
        ],
    ),
    ("alapo-demotion", 6, &["rlb1q1lr/wsfk1fsw/3b4/5k2/7q/3K1SF1/WSF1K2W/RLBQQBLR w - - 0 1"]),
    (
        "rollerball",
        8,
        &[
            "2r1p2/1b1k3/r1***2/2***1B/P1***2/1P1K1R1/5R1 w - 0 1",
            "3P3/2kP3/2***2/2***2/R1***2/3p1K1/1r1p3 w - 0 1",
            "2K4/7/r1***2/2***1b/2***R1/7/3k3 w - 0 1",
        ],
    ),
];

#[derive(Args, Debug)]
pub struct Bench {
    /// Only this game
    #[arg(long, short, value_name = "NAME")]
    game: Option<String>,
    /// Search so much deeper (or, negative, less deep) than usual; the signature is another then
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    deeper: i32,
}

impl Bench {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let only = self.game.as_deref().map(variants::find).transpose();
        let only = only.map_err(|error| super::BadInput(error.to_string()))?;
        writeln!(out, "{:<16} {:>12} {:>10} {:>12}", "game", "nodes", "seconds", "nodes/s")?;
        let mut signature = 0;
        for facts in variants::all() {
            if only.is_some_and(|only| !std::ptr::eq(only, facts)) {
                continue;
            }
            let listed = POSITIONS.iter().find(|(name, ..)| *name == facts.name);
            let (_, depth, positions) = listed.copied().unwrap_or((facts.name, 4, &[]));
            let depth = depth.saturating_add_signed(self.deeper).max(1);
            let (nodes, time) = variants::visit(facts.name, Searches { positions, depth })??;
            let speed = nodes as f64 / time.as_secs_f64();
            writeln!(out, "{:<16} {nodes:>12} {:>10.3} {speed:>12.0}", facts.name, time.as_secs_f64())?;
            out.flush()?;
            signature += nodes;
        }
        writeln!(out, "signature {signature}")?;
        Ok(())
    }
}

struct Searches {
    positions: &'static [&'static str],
    depth: u32,
}

impl Visitor for Searches {
    type Output = anyhow::Result<(u64, Duration)>;

    fn visit<G: Playable>(self) -> Self::Output {
        let mut states = vec![G::start(&Rules::default())];
        for text in self.positions {
            states.push(
                G::read(&parse_position(text)?, &Rules::default()).with_context(|| (*text).to_owned())?,
            );
        }
        let table = Table::new(16)?;
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        let search_all = move || {
            let begun = Instant::now();
            let mut nodes = 0;
            for state in &states {
                table.clear();
                let task = Task {
                    state,
                    history: &[],
                    limits: &limits,
                    only: &[],
                    table: &table,
                    control: &Control::default(),
                    clock: &WallClock(begun),
                    threads: 1,
                };
                nodes += search::search(&task, |_, _| ()).nodes;
            }
            (nodes, begun.elapsed())
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(search_all)?;
        thread.join().map_err(|_| anyhow!("the search of {} panicked", G::facts().name))
    }
}
