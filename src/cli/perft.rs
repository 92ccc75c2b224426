//! The command `carom perft`.

use super::position::{self, Game};
use crate::base::threads::with_stack;
use crate::engine::options::MOST_THREADS;
use crate::game::{Facts, Playable, Rules, perft};
use crate::session::turn_text;
use crate::variants::{self, Visitor};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What is counted.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Unit {
    /// Sequences of complete turns
    Turns,
    /// Sequences of decisions within one turn
    Steps,
    /// Distinct positions in which one turn may end
    Results,
}

#[derive(Args, Debug)]
pub struct Perft {
    #[command(flatten)]
    game: Game,
    /// Position to count from, as text [default: the start]
    #[arg(long, short, value_name = "TEXT")]
    position: Option<String>,
    /// Turns (or steps) to count to
    #[arg(long, short, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=i64::from(perft::MOST_DEPTH)))]
    depth: u32,
    /// Count for each turn separately
    #[arg(long)]
    divide: bool,
    /// Threads to count with
    #[arg(long, short, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MOST_THREADS))]
    threads: u64,
    /// What to count
    #[arg(long, value_enum, default_value = "turns")]
    unit: Unit,
}

impl Perft {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let rules = self.game.rules()?;
        variants::visit(self.game.facts()?.name, Count { perft: self, rules, out })?
    }
}

struct Count<'a, W> {
    perft: &'a Perft,
    rules: Rules,
    out: &'a mut W,
}

impl<W: Write> Visitor for Count<'_, W> {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, _: &'static Facts) -> Self::Output {
        let Perft { position, depth, divide, threads, unit, .. } = self.perft;
        let (depth, threads) = (*depth, *threads as usize);
        let session = position::open::<G>(position.as_deref(), &self.rules)?;
        let state = session.history().now();
        let begun = Instant::now();
        let counted = match unit {
            Unit::Turns if *divide => {
                let never = AtomicBool::new(false);
                let turns = with_stack(|| perft::divide(state, depth, threads, &never))?.unwrap_or_default();
                for (path, count) in &turns {
                    writeln!(self.out, "{} {count}", turn_text(state, path))?;
                }
                let total = turns.iter().map(|(_, count)| count).sum();
                writeln!(self.out, "{total}")?;
                total
            }
            Unit::Turns => self.each_depth(depth, |depth| perft::turns_threaded(state, depth, threads))?,
            Unit::Steps => self.each_depth(depth, |depth| perft::steps(state, depth))?,
            Unit::Results => {
                let total = with_stack(|| perft::results(state))?;
                writeln!(self.out, "1 {total}")?;
                total
            }
        };
        let seconds = begun.elapsed().as_secs_f64();
        eprintln!("{counted} in {seconds:.3} s: {:.1} million a second", counted as f64 / seconds / 1e6);
        Ok(())
    }
}

impl<W: Write> Count<'_, W> {
    /// Writes a line for every depth, and returns the sum of all counts.
    fn each_depth(self, depth: u32, count: impl Fn(u32) -> u64 + Sync) -> anyhow::Result<u64> {
        let mut sum = 0;
        for depth in 1..=depth {
            let number = with_stack(|| count(depth))?;
            writeln!(self.out, "{depth} {number}")?;
            self.out.flush()?;
            sum += number;
        }
        Ok(sum)
    }
}
