//! Small boards of Breakthrough solved whole: who wins from a position, and how soon.

use super::Work;
use super::shortest::counted;
use crate::base::{Color, Rng};
use crate::cli::progress::Progress;
use crate::game::{Actor, Facts, Game, Notation};
use crate::variants::breakthrough::{Solution, State};
use anyhow::bail;
use std::io::Write;
use std::time::Instant;

/// How many positions are checked by the rules.
const CHECKED: u64 = 1_000_000;
/// Where the random numbers for them begin.
const SEED: u64 = 1;

impl<W: Write> Work<'_, W> {
    /// Works out all positions of a small board, a ply deeper at a time, and says within how many plies a side wins
    /// from the one that was asked for.
    pub fn solved(self, facts: &'static Facts) -> anyhow::Result<()> {
        let (header, root) = self.header::<State>(facts)?;
        let sides = if self.prove.side.is_some() { vec![header.winner] } else { Color::ALL.to_vec() };
        let progress = Progress::begin("plies", 0)?;
        progress.ends_at_interrupt()?;
        let begun = Instant::now();
        let threads = self.prove.threads as usize;
        let mut solution = Solution::new(&self.rules)?;
        let (mut found, mut goes_on) = (None, true);
        while goes_on && found.is_none() {
            progress.now(format!("within {}", counted(solution.plies() + 1)));
            goes_on = solution.deepen(threads);
            // A side ends the game with its own move.
            for &side in &sides {
                let within = solution.plies();
                if (root.actor() == Actor::Player(side)) == within.is_multiple_of(2) {
                    continue;
                }
                if solution.wins(&root, side) == Some(true) {
                    found = Some((side, within));
                    break;
                }
                let line = format!("{side} does not win within {}", counted(within));
                progress.write(|| writeln!(self.out, "{line}"))?;
                progress.write(|| self.out.flush())?;
            }
        }
        while goes_on {
            progress.now(format!("the longest win, within {}", counted(solution.plies() + 1)));
            goes_on = solution.deepen(threads);
        }
        progress.now("checking");
        // The last two plies changed nothing.
        let longest = counted(solution.plies() - 2);
        let wrong = solution.check(&mut Rng::new(SEED), CHECKED);
        drop(progress);
        if let Some(state) = wrong {
            bail!("{}: its moves do not lead to what was worked out for it", state.write());
        }
        match found {
            Some((winner, within)) => {
                writeln!(self.out, "{winner} wins within {}, and not sooner", counted(within))?;
            }
            None => writeln!(self.out, "{} does not win", sides[0])?,
        }
        let (positions, seconds) = (solution.positions(), begun.elapsed().as_secs_f64());
        eprintln!("{positions} positions, with either side to move, worked out in {seconds:.1} s");
        eprintln!("the longest win among them takes {longest}");
        eprintln!("{CHECKED} of them, drawn at random, agree with what their moves lead to");
        Ok(())
    }
}
