//! The command `carom bench`: the table of [`engine::Bench`] as text, and the speed by which OpenBench scales clocks.

use super::position::GameName;
use super::progress::Progress;
use crate::engine;
use crate::game::Facts;
use crate::search::{Control, STACK, WallClock};
use crate::variants;
use anyhow::anyhow;
use clap::Args;
use std::io::{self, Write};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The least time over which the speed is measured: shorter ones say more of the machine's other work than of ours.
const LEAST_TIME: Duration = Duration::from_secs(3);

#[derive(Args, Debug)]
pub struct Bench {
    #[command(flatten)]
    only: GameName,
    /// Search so much deeper (or, negative, less deep) than usual; the signature is another then
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    deeper: i32,
}

impl Bench {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let game = self.only.facts()?;
        let bench = engine::Bench { game, deeper: self.deeper };
        let games = if game.is_some() { 1 } else { variants::all().len() as u64 };
        // The seconds are the time to the depth; `branching` is the factor for one more depth.
        let head = ["game", "depth", "nodes", "seconds", "nodes/s", "branching"];
        let [game, depth, nodes, seconds, speed, branching] = head;
        writeln!(out, "{game:<16} {depth:>5} {nodes:>12} {seconds:>10} {speed:>12} {branching:>10}")?;
        let (sender, results) = channel();
        let searches = move || {
            // The receiver is gone if the output could not be written.
            let tell = |result| sender.send(result).unwrap_or_default();
            let (control, clock) = (Control::default(), WallClock(Instant::now()));
            bench.run(&control, &clock, tell)?;
            // OpenBench plays chess, so the speed is that of chess where chess is searched.
            let mut measured = (0, Duration::ZERO);
            let measures = bench.deeper == 0 && bench.game.is_none_or(Facts::is_chess);
            let chess =
                engine::Bench { game: variants::all().into_iter().find(|facts| facts.is_chess()), deeper: 0 };
            while measures && measured.1 < LEAST_TIME {
                chess.run(&control, &clock, |result| {
                    measured = (measured.0 + result.nodes, measured.1 + result.time);
                })?;
            }
            Ok::<_, engine::BenchError>(measured)
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(searches)?;
        let progress = Progress::begin("games", games)?;
        progress.ends_at_interrupt()?;
        let (mut signature, mut total) = (0, 0.0);
        let written: io::Result<()> =
            results.iter().try_for_each(|engine::BenchResult { game, depth, nodes, time, branching }| {
                let (seconds, name) = (time.as_secs_f64(), game.name);
                signature += nodes;
                total += seconds;
                let speed = nodes as f64 / seconds;
                progress.add(1);
                progress.write(|| {
                    writeln!(
                        out,
                        "{name:<16} {depth:>5} {nodes:>12} {seconds:>10.3} {speed:>12.0} {branching:>10.2}"
                    )?;
                    out.flush()
                })
            });
        drop(progress);
        written?;
        let (nodes, time) = thread.join().map_err(|_| anyhow!("a search panicked"))??;
        writeln!(out, "signature {signature}")?;
        let speed = if nodes > 0 { nodes as f64 / time.as_secs_f64() } else { signature as f64 / total };
        // The line that OpenBench reads.
        writeln!(out, "{signature} nodes {speed:.0} nps")?;
        Ok(())
    }
}
