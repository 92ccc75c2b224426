//! The command `carom perft`.

use super::position::{Begun, Start};
use super::progress::Progress;
use crate::base::threads::with_stack;
use crate::engine::options::MOST_THREADS;
use crate::game::{Facts, Playable, perft};
use crate::session::turn_text;
use crate::variants::{self, Visitor};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    start: Start,
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
        let begun = self.start.begun()?;
        variants::visit(begun.facts.name, Count { perft: self, begun, out })?
    }
}

struct Count<'a, W> {
    perft: &'a Perft,
    begun: Begun,
    out: &'a mut W,
}

impl<W: Write> Visitor for Count<'_, W> {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, _: &'static Facts) -> Self::Output {
        let Perft { depth, divide, threads, unit, .. } = self.perft;
        let (depth, threads) = (*depth, *threads as usize);
        let session = self.begun.open::<G>()?;
        let state = session.history().now();
        let begun = Instant::now();
        let counted = match unit {
            Unit::Turns if *divide => {
                let never = AtomicBool::new(false);
                let counted = Counted::begin()?;
                let watch = |count, of| counted.part(depth, count, of);
                let turns = || perft::divide_watched(state, &[], depth, threads, &never, &watch);
                let turns = with_stack(turns)?.unwrap_or_default();
                drop(counted);
                for (path, count) in &turns {
                    writeln!(self.out, "{} {count}", turn_text(state, path))?;
                }
                let total = turns.iter().map(|(_, count)| count).sum();
                writeln!(self.out, "{total}")?;
                total
            }
            Unit::Turns => self.each_depth(depth, &|depth, counted| {
                perft::turns_watched(state, depth, threads, &|count, of| counted.part(depth, count, of))
            })?,
            Unit::Steps => self.each_depth(depth, &|depth, _| perft::steps(state, depth))?,
            Unit::Results => {
                let counted = Counted::begin()?;
                let total = with_stack(|| perft::results(state))?;
                drop(counted);
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
    fn each_depth(self, depth: u32, count: &(dyn Fn(u32, &Counted) -> u64 + Sync)) -> anyhow::Result<u64> {
        let mut sum = 0;
        let counted = Counted::begin()?;
        for depth in 1..=depth {
            counted.depth(depth);
            let number = with_stack(|| count(depth, &counted))?;
            counted.progress.write(|| {
                writeln!(self.out, "{depth} {number}")?;
                self.out.flush()
            })?;
            sum += number;
        }
        Ok(sum)
    }
}

/// What has been counted of the present depth.
struct Counted {
    progress: Progress,
    parts: AtomicU64,
    sum: AtomicU64,
}

impl Counted {
    fn begin() -> anyhow::Result<Self> {
        let progress = Progress::begin("parts", 0)?;
        progress.ends_at_interrupt()?;
        Ok(Self { progress, parts: AtomicU64::new(0), sum: AtomicU64::new(0) })
    }

    fn depth(&self, depth: u32) {
        self.parts.store(0, Ordering::Relaxed);
        self.sum.store(0, Ordering::Relaxed);
        self.progress.set(0, 0);
        self.progress.now(format!("depth {depth}"));
    }

    fn part(&self, depth: u32, count: u64, of: usize) {
        let parts = self.parts.fetch_add(1, Ordering::Relaxed) + 1;
        let sum = self.sum.fetch_add(count, Ordering::Relaxed) + count;
        self.progress.set(parts, of as u64);
        self.progress.now(format!("depth {depth}: {sum}"));
    }
}
