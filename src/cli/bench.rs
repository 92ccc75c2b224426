//! The command `carom bench`: the table of [`engine::Bench`] as text, and the speed by which OpenBench scales clocks;
//! or how many positions searches visit until they see wins that are proved.

use super::bad_input;
use super::position::GameName;
use super::progress::Progress;
use super::terminal::read_text;
use crate::base::score::SURE_WIN;
use crate::engine::{self, Engine, SearchEvent, SearchRequest};
use crate::game::Facts;
use crate::search::{Bound, Control, Limits, STACK, WallClock};
use crate::variants;
use anyhow::anyhow;
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
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
    /// Search positions that are won, one a line, until the win is seen
    #[arg(long, value_name = "FILE", conflicts_with = "deeper")]
    solve: Option<PathBuf>,
    /// The most positions that a search visits for one of them
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "solve", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

impl Bench {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(path) = &self.solve {
            return self.solve(path, out);
        }
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

impl Bench {
    /// Searches the positions of a file with one thread, each as the first of a game, until the search sees that who
    /// decides wins. What is not seen counts with all that was allowed, so that less is better.
    fn solve(&self, path: &Path, out: &mut impl Write) -> anyhow::Result<()> {
        let facts = self.only.facts()?.ok_or_else(|| {
            bad_input("the game of the positions is needed: `carom bench GAME --solve FILE`")
        })?;
        let text = read_text(path)?;
        let positions = || {
            let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
            lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        };
        let progress = Progress::begin("positions", positions().count() as u64)?;
        progress.ends_at_interrupt()?;
        let mut engine = Engine::new();
        engine.choose(facts.name)?;
        let (mut solved, mut nodes) = (0, Vec::new());
        let begun = Instant::now();
        for (line, position) in positions() {
            engine.new_game()?;
            engine
                .set_up(Some(position), &mut std::iter::empty())
                .map_err(|error| bad_input(format!("{}: line {line}: {error}", path.display())))?;
            let seen = nodes_to_win(&mut engine, self.nodes)?;
            solved += u64::from(seen.is_some());
            nodes.push(seen.unwrap_or(self.nodes));
            progress.add(1);
            progress.now(format!("{solved} solved"));
        }
        drop(progress);
        nodes.sort_unstable();
        let Some(median) = nodes.get(nodes.len() / 2) else {
            return Err(bad_input(format!("{}: no position", path.display())));
        };
        let (count, all, seconds) = (nodes.len(), nodes.iter().sum::<u64>(), begun.elapsed().as_secs_f64());
        writeln!(
            out,
            "{}: {solved} of {count} solved, {all} nodes, median {median}, {seconds:.1} s",
            facts.name
        )?;
        Ok(())
    }
}

/// How many positions a search visits until it sees that who decides wins; `None` if it has not seen that after
/// `most`. The number depends on nothing but the position and the engine's options.
fn nodes_to_win(engine: &mut Engine, most: u64) -> anyhow::Result<Option<u64>> {
    let limits = Limits { nodes: Some(most), ..Limits::default() };
    let search = engine.search(SearchRequest { limits, ..SearchRequest::default() }, Instant::now())?;
    let mut seen = None;
    for (id, event) in engine.events() {
        match event {
            _ if id != search.id => {}
            SearchEvent::Info(line) => {
                let report = line.report;
                if seen.is_none() && report.score >= SURE_WIN && report.bound != Bound::Upper {
                    seen = Some(report.nodes);
                    search.stop();
                }
            }
            SearchEvent::Failed(reason) => return Err(anyhow!("a search panicked: {reason}")),
            SearchEvent::BestMove(_) => return Ok(seen),
            _ => {}
        }
    }
    Err(anyhow!("the search thread is gone"))
}
