//! Small games solved: who wins from a position, and how soon.

use super::file::{Entry, Header};
use super::{Work, bad_input, tree};
use crate::base::Color;
use crate::base::files::replace;
use crate::base::threads::with_stack;
use crate::cli::progress::Progress;
use crate::game::winning::Winning;
use crate::game::{Actor, Facts, Playable};
use crate::search::proof::{MOST_DECISIONS, ProvedStep, ShortestWin};
use anyhow::Context;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

impl<W: Write> Work<'_, W> {
    /// Searches for the shortest win from a position on, and writes its steps.
    pub fn shortest<G: Playable>(self, facts: &'static Facts) -> anyhow::Result<()> {
        let (mut header, root) = self.header::<G>(facts)?;
        if let Some(path) =
            self.output.filter(|path| std::fs::metadata(path).is_ok_and(|there| there.len() > 0))
        {
            return Err(bad_input(format!("{}: it is there already", path.display())));
        }
        let sides = if self.prove.side.is_some() { vec![header.winner] } else { Color::ALL.to_vec() };
        let megabytes = self.prove.hash as usize / sides.len();
        let mut searches = Vec::new();
        for side in sides {
            searches.push((side, ShortestWin::<G>::new(side, megabytes, self.prove.most)?));
        }
        let progress = Progress::begin("plies", 0)?;
        progress.ends_at_interrupt()?;
        let begun = Instant::now();
        let room = root.counter_room().unwrap_or(MOST_DECISIONS);
        let (mut found, mut spent) = (None, false);
        // Nearly always a side ends the game with its own decision, so each is searched at every second depth.
        'deeper: for within in 1..=room.min(MOST_DECISIONS) {
            for (side, search) in &mut searches {
                let decides = root.actor() == Actor::Player(*side);
                if decides == within.is_multiple_of(2) {
                    continue;
                }
                progress.now(format!("{side} within {within}"));
                match with_stack(|| search.wins(&root, within))? {
                    Some(true) => {
                        let sooner = with_stack(|| search.wins(&root, within - 1))? == Some(true);
                        found = Some((*side, within - u32::from(sooner)));
                        break 'deeper;
                    }
                    Some(false) => {
                        let line = format!("{side} does not win within {}", counted(within));
                        progress.write(|| writeln!(self.out, "{line}"))?;
                        progress.write(|| self.out.flush())?;
                    }
                    None => {
                        spent = true;
                        break 'deeper;
                    }
                }
            }
        }
        let mut line = match found {
            Some((winner, within)) => format!("{winner} wins within {}, and not sooner", counted(within)),
            None if spent => format!("open: it takes more than {} positions", self.prove.most),
            None => "open: it would take more plies".to_owned(),
        };
        if let (Some((winner, within)), Some(path)) = (found, self.output)
            && let Some((_, search)) = searches.iter_mut().find(|(side, _)| *side == winner)
        {
            progress.now("writing the steps");
            header.winner = winner;
            match with_stack(|| steps(search, &root, winner, within))? {
                Some((first, steps)) => write(path, &header, first, steps)?,
                None => line.push_str("; more positions than allowed are needed for its steps"),
            }
        }
        drop(progress);
        writeln!(self.out, "{line}")?;
        let searched: u64 = searches.iter().map(|(_, search)| search.nodes()).sum();
        let seconds = begun.elapsed().as_secs_f64();
        eprintln!("{searched} searched in {seconds:.1} s: {:.0} a second", searched as f64 / seconds);
        Ok(())
    }
}

pub fn counted(plies: u32) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// The positions where the winner decides first, and the steps from them on.
fn steps<G: Playable>(
    search: &mut ShortestWin<G>,
    root: &G,
    winner: Color,
    within: u32,
) -> Option<(Vec<G>, Vec<ProvedStep<G>>)> {
    let first = if root.actor() == Actor::Player(winner) {
        vec![root.clone()]
    } else {
        tree::after_all(root, &Winning::new(winner, None))?
    };
    let steps = search.steps(&first, within)?;
    Some((first, steps))
}

/// Writes the file of the proof.
fn write<G: Playable>(
    path: &Path,
    header: &Header,
    first: Vec<G>,
    mut steps: Vec<ProvedStep<G>>,
) -> anyhow::Result<()> {
    let written = replace(path, |file| {
        writeln!(file, "{}", header.line())?;
        // The steps stand before the first position that rests on them.
        for state in first {
            file.write_all(Entry::Won(state, std::mem::take(&mut steps)).lines().as_bytes())?;
        }
        Ok(())
    });
    written.with_context(|| format!("cannot write {}", path.display()))
}
