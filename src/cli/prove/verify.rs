//! Proofs checked by the rules alone, and files of several machines joined.

use super::file::{Entry, Header, Reader, last_line};
use super::not_for;
use super::tree::{Choices, Tree, after_all};
use crate::base::files::replace;
use crate::cli::bad_input;
use crate::game::winning::{Winning, identity};
use crate::game::{Facts, Playable, Tables};
use crate::search::proof::ProvedStep;
use crate::variants::{self, Visitor};
use anyhow::{Context, bail};
use std::collections::HashSet;
use std::convert::Infallible;
use std::io::Write;
use std::path::{Path, PathBuf};

/// How many of the positions after each reply are proved: `after 2 plies 5 of 18 won`.
pub fn shares<G: Playable>(tree: &Tree<G>, known: &Winning<'_, G::Decision>) -> String {
    let distances = tree.distances(known);
    let share = |(level, distances): (usize, &Vec<Option<u32>>)| {
        let won = distances.iter().flatten().count();
        let plies = tree.plies(level);
        (plies > 0).then(|| format!("after {plies} plies {won} of {} won", distances.len()))
    };
    distances.iter().enumerate().filter_map(share).collect::<Vec<_>>().join(", ")
}

/// What is known of the first position, as a sentence.
pub fn result<G: Playable>(tree: &Tree<G>, root: &G, known: &Winning<'_, G::Decision>) -> String {
    let winner = known.winner();
    // Where the other side decides first, all positions of the first level must be won.
    let mut all = tree.distances(known).into_iter().next().unwrap_or_default().into_iter();
    let longest = all.try_fold(0, |longest, own| Some(own?.max(longest)));
    let longest = longest.map(|longest| longest + tree.plies(0) as u32);
    // No position of the first level stands for a reply that ends the game without a win.
    let longest = longest.filter(|_| tree.plies(0) == 0 || after_all(root, known).is_some());
    match longest.filter(|longest| root.counter_room().is_none_or(|room| *longest <= room)) {
        Some(plies) => format!("proved: {winner} wins within {plies} plies"),
        None => format!("open: it is not proved that {winner} wins"),
    }
}

/// The header that all files share.
fn common_header(files: &[PathBuf]) -> anyhow::Result<Header> {
    let mut common: Option<Header> = None;
    for path in files {
        let header = Reader::open(path)?.header;
        if let Some(common) = common.as_ref().filter(|common| common.line() != header.line()) {
            let why = format!("it does not belong to a proof of `{}`", common.line().replace('\t', ", "));
            return Err(bad_input(format!("{}: {why}", path.display())));
        }
        common = Some(header);
    }
    common.ok_or_else(|| bad_input("a file is needed"))
}

/// Checks files, together.
pub fn verify(files: &[PathBuf], tables: Option<&Tables>, out: &mut impl Write) -> anyhow::Result<()> {
    let header = common_header(files)?;
    variants::visit(header.facts.name, Check { files, header, tables, out }).map_err(bad_input)?
}

struct Check<'a, W> {
    files: &'a [PathBuf],
    header: Header,
    tables: Option<&'a Tables>,
    out: &'a mut W,
}

impl<W: Write> Visitor for Check<'_, W> {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
        if const { G::ONE_DECISION_A_TURN } { self.run::<G>(facts) } else { Err(not_for(facts)) }
    }
}

impl<W: Write> Check<'_, W> {
    fn run<G: Playable>(self, facts: &'static Facts) -> anyhow::Result<()> {
        let root: G = self.header.state(&self.header.position).map_err(bad_input)?;
        if root.outcome().is_some() {
            return Err(bad_input("the game is over in the position that is to be proved"));
        }
        let mut known = Winning::new(self.header.winner, self.tables);
        let mut choices = Choices::default();
        let (mut steps, mut won) = (Vec::new(), Vec::new());
        for path in self.files {
            let mut reader = Reader::open(path)?;
            while let Some(entry) = reader.next::<G>()? {
                match entry {
                    Entry::Choice(state, decision) => choices.add(&state, decision),
                    Entry::Won(state, own) => {
                        own.iter().for_each(|own| known.add(identity(&own.state), own.step));
                        steps.extend(own);
                        won.push(state);
                    }
                    Entry::NotWon(_) | Entry::Tried(..) => {}
                }
            }
        }
        // Only the shortest step of a position counts, and each that counts is checked.
        let mut checked = 0;
        for ProvedStep { state, step } in &steps {
            if known.step(identity(state)) == Some(step) {
                if let Err(fault) = known.check(state, step) {
                    bail!("{}: {fault}", state.write());
                }
                checked += 1;
            }
        }
        for state in &won {
            if known.wins_from(state).is_none() {
                bail!("{}: nothing shows that it is won", state.write());
            }
        }
        let most = 2 * choices.len() + 1;
        let never = &mut |_: &G, _: &mut Choices<G>| Ok::<_, Infallible>(false);
        let Ok(tree) = Tree::grow(&root, most, &known, &mut choices, never);
        writeln!(self.out, "{checked} steps checked by the rules of {}", facts.name)?;
        if self.tables.is_some() {
            writeln!(self.out, "tables were taken as true: `carom tables verify` checks them")?;
        }
        let shares = shares(&tree, &known);
        if !shares.is_empty() {
            writeln!(self.out, "{shares}")?;
        }
        Ok(writeln!(self.out, "{}", result(&tree, &root, &known))?)
    }
}

/// Writes what stands in the files into one. Their positions are not looked at: that is for the check.
pub fn merge(files: &[PathBuf], output: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let header = common_header(files)?;
    let mut text = header.line() + "\n";
    let (mut seen, mut count) = (HashSet::new(), 0);
    for path in files {
        let mut reader = Reader::open(path)?;
        // Proofs of a file may rest on earlier ones of it, so nothing is left out but what stands twice.
        while let Some(lines) = reader.lines()? {
            if !seen.contains(&lines) {
                count += usize::from(last_line(&lines).starts_with("won\t"));
                text.push_str(&lines);
                seen.insert(lines);
            }
        }
    }
    let write = |file: &mut dyn Write| file.write_all(text.as_bytes());
    replace(output, write).with_context(|| format!("cannot write {}", output.display()))?;
    Ok(writeln!(out, "{count} proofs in {}", output.display())?)
}
