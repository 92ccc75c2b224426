//! The command `carom prove`: wins that are proved, and proofs that are checked.

mod file;
mod shortest;
mod solved;
mod tree;
mod verify;

use super::position::GameBefore;
use super::progress::Progress;
use super::{bad_input, complain};
use crate::arena::settings::Shard;
use crate::base::Color;
use crate::base::order::sort_by_cached_key;
use crate::base::threads::with_stack;
use crate::game::winning::{Winning, identity};
use crate::game::{Actor, Facts, Notation, Playable, Rules, Tables};
use crate::search::proof::{Prover, Verdict};
use crate::search::{Control, Limits, SearchTask, TranspositionTable, WallClock, search};
use crate::variants::breakthrough::{self, Solution};
use crate::variants::{self, Visitor};
use anyhow::Context;
use clap::{Args, ValueEnum};
use file::{Entry, Header, Reader};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tree::{Choices, Tree};
use verify::shares;

/// The most memory that a search may have, in MB.
const MOST_MEMORY: u32 = 1 << 20;

/// Proves that a side wins by force: one decision of its own in each position, and every reply.
///
/// The first turns follow the engine's choice; then each position they lead to is proved by itself, first
/// with few positions searched, then with twice as many, and so on. What is proved is written at once, so
/// that the program can be ended at any moment, and goes on from its file. The proof is checked by the rules
/// alone with --verify. With --shortest all is searched at once, for wins of either side, one decision deeper
/// at a time: that finds out who wins small games, and how soon. Where --hash leaves room for it, all positions
/// of a small board of Breakthrough are worked out instead, unless a file is to be written. Games with dice,
/// with cards, or with turns of several steps are not for this.
#[derive(Args, Debug)]
pub struct Prove {
    #[command(flatten)]
    game: GameBefore,
    /// Which game; with --verify or --merge, the files
    #[arg(value_name = "GAME | FILE", required = true)]
    words: Vec<PathBuf>,
    /// Where to write the proof; a proof that is there goes on
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Position to begin with, as text [default: the start]
    #[arg(long, short, visible_alias = "fen", value_name = "TEXT")]
    position: Option<String>,
    /// Who is to win [default: who decides first]
    #[arg(long = "for", value_name = "SIDE")]
    side: Option<Side>,
    /// How many turns of both sides together come before the positions that are proved by themselves. A
    /// file may go on with another number; with a smaller one, other first turns may win by what it holds
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(..=40))]
    plies: u32,
    /// Positions to search for each of them at first
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Leave open what takes more positions [default: go on until all is settled]
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    most: u64,
    /// Positions the engine visits for each decision of the first turns
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    choose: u64,
    /// Search for the shortest win, of either side unless --for names one
    #[arg(long, conflicts_with_all = ["merge", "verify", "shard", "tables"])]
    shortest: bool,
    /// Prove one part of N of the positions, to be joined with the others by --merge
    #[arg(long, value_name = "I/N", value_parser = |text: &str| Shard::try_from(text.to_owned()))]
    shard: Option<Shard>,
    /// A folder with endgame tables, which are taken as true
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    /// How many threads work out all positions of a small board
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Memory for the search, in MB
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_MEMORY)))]
    hash: u32,
    /// Join the files of several shards in --output
    #[arg(long, conflicts_with = "verify", requires = "output")]
    merge: bool,
    /// Check files by the rules alone, together where they are several, and tell how much they prove
    #[arg(long)]
    verify: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    White,
    Black,
}

impl Prove {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let tables = self.tables.as_deref().map(Tables::new);
        let done = if self.verify {
            verify::verify(&self.words, tables.as_ref(), out)
        } else if self.merge {
            let output = self.output.as_deref().unwrap_or(Path::new(""));
            verify::merge(&self.words, output, out)
        } else {
            self.prove(tables.as_ref(), out)
        };
        for (path, fault) in tables.as_ref().map(Tables::take_faults).unwrap_or_default() {
            complain(&format!("{}: {fault}", path.display()));
        }
        done
    }

    fn prove(&self, tables: Option<&Tables>, out: &mut impl Write) -> anyhow::Result<()> {
        let (facts, rules, rest) = self.game.split(&self.words)?;
        if let Some(word) = rest.first() {
            return Err(bad_input(format!(
                "`{}` is no game; a file stands behind -o, --verify or --merge",
                word.display()
            )));
        }
        let output = match &self.output {
            Some(output) => Some(output.as_path()),
            None if self.shortest => None,
            None => return Err(bad_input("a file is needed for the proof: `carom prove GAME -o FILE`")),
        };
        let work = Work { prove: self, rules, tables, output, out };
        // The sets hold who wins, not the moves that a file is made of, and are not searched position by position.
        if self.shortest && output.is_none() && self.most == u64::MAX && work.is_solved_whole(facts)? {
            return work.solved(facts);
        }
        variants::visit(facts.name, work).map_err(bad_input)?
    }
}

/// The refusal of a game with dice, with cards, or with turns of several steps, for which nothing is compiled.
fn not_for(facts: &Facts) -> anyhow::Error {
    let why = "only games without dice and cards, whose turns are one step, can be proved";
    bad_input(format!("{}: {why}", facts.name))
}

struct Work<'a, W> {
    prove: &'a Prove,
    rules: Rules,
    tables: Option<&'a Tables>,
    /// None where only the result is asked for.
    output: Option<&'a Path>,
    out: &'a mut W,
}

/// A proof in progress.
struct Run<'a, G: Playable> {
    root: G,
    known: Winning<'a, G::Decision>,
    choices: Choices<G>,
    /// How many positions were searched for a position, without a result.
    tried: HashMap<u64, u64>,
    file: File,
    /// How many positions were searched by this program.
    searched: u64,
}

impl<G: Playable> Run<'_, G> {
    /// Whether it is known that the first position is not won.
    fn is_not_won(&self) -> bool {
        let decides = self.root.actor() == Actor::Player(self.known.winner());
        let not_won = |state: &G| self.choices.not_won.contains(&identity(state));
        if decides {
            return not_won(&self.root);
        }
        tree::after_all(&self.root, &self.known).is_none_or(|replies| replies.iter().any(not_won))
    }

    /// Keeps an entry for the run.
    fn learn(&mut self, entry: &Entry<G>) {
        match entry {
            Entry::Choice(state, decision) => self.choices.add(state, *decision),
            Entry::Won(_, steps) => {
                steps.iter().for_each(|own| self.known.add(identity(&own.state), own.step));
            }
            Entry::NotWon(state) => drop(self.choices.not_won.insert(identity(state))),
            Entry::Tried(state, nodes) => {
                let tried = self.tried.entry(identity(state)).or_default();
                *tried = (*nodes).max(*tried);
            }
        }
    }

    /// Keeps an entry for the run and in the file.
    fn tell(&mut self, entry: &Entry<G>) -> anyhow::Result<()> {
        self.learn(entry);
        self.file.write_all(entry.lines().as_bytes()).context("cannot write the proof")
    }
}

impl<'a, W: Write> Work<'a, W> {
    /// Whether this is a small board of Breakthrough, and all of its positions fit into the memory of the search.
    fn is_solved_whole(&self, facts: &'static Facts) -> anyhow::Result<bool> {
        if !std::ptr::eq(facts, breakthrough::State::GAMES[0]) {
            return Ok(false);
        }
        let needed = Solution::bytes(&self.rules).map(|bytes| bytes.div_ceil(1 << 20));
        let Some(needed) = needed.filter(|needed| *needed <= MOST_MEMORY.into()) else { return Ok(false) };
        let (_, root) = self.header::<breakthrough::State>(facts)?;
        let (has_place, fits) = (Solution::has_place(&root), needed <= self.prove.hash.into());
        if has_place && !fits {
            complain(&format!("with `--hash {needed}` all positions are worked out instead"));
        }
        Ok(has_place && fits)
    }

    /// What is to be proved, from which position on.
    fn header<G: Playable>(&self, facts: &'static Facts) -> anyhow::Result<(Header, G)> {
        let start = G::start(&self.rules).write().to_string();
        let position = self.prove.position.clone().filter(|text| text != "startpos").unwrap_or(start);
        let mut header = Header { facts, rules: self.rules.clone(), winner: Color::White, position };
        let root: G = header.state(&header.position).map_err(bad_input)?;
        let mover = match root.actor() {
            Actor::Player(color) if root.outcome().is_none() => color,
            _ => return Err(bad_input("the game is over in this position")),
        };
        header.winner = match self.prove.side {
            Some(Side::White) => Color::White,
            Some(Side::Black) => Color::Black,
            None => mover,
        };
        header.position = root.write().to_string();
        Ok((header, root))
    }

    /// Opens the file of the run, or begins one.
    fn open<G: Playable>(&self, facts: &'static Facts, path: &Path) -> anyhow::Result<Run<'a, G>> {
        let (header, root) = self.header::<G>(facts)?;
        let cannot = || format!("cannot write {}", path.display());
        let there = std::fs::metadata(path).is_ok_and(|there| there.len() > 0);
        let mut opened = OpenOptions::new().create(true).append(true).open(path).with_context(cannot)?;
        if !there {
            opened.write_all((header.line() + "\n").as_bytes()).with_context(cannot)?;
        }
        let (known, choices) = (Winning::new(header.winner, self.tables), Choices::default());
        let mut run = Run { root, known, choices, tried: HashMap::new(), file: opened, searched: 0 };
        if there {
            let mut reader = Reader::open(path)?;
            if reader.header.line() != header.line() {
                let why = "it proves something else: another game, side or position";
                return Err(bad_input(format!("{}: {why}", path.display())));
            }
            while let Some(entry) = reader.next()? {
                run.learn(&entry);
            }
            // What was being written when the program ended.
            run.file.set_len(reader.whole).with_context(cannot)?;
        }
        Ok(run)
    }

    /// Asks the engine for a decision in `state` that is not refuted, and adds it; false where there is none,
    /// which is then known as not won.
    fn find<G: Playable>(
        &self,
        state: &G,
        known: &Winning<'_, G::Decision>,
        choices: &mut Choices<G>,
        file: &mut File,
    ) -> anyhow::Result<bool> {
        let only: Vec<Vec<G::Decision>> =
            choices.left(state, known).into_iter().map(|decision| vec![decision]).collect();
        let entry = if only.is_empty() {
            choices.not_won.insert(identity(state));
            Entry::NotWon(state.clone())
        } else {
            let limits = Limits { nodes: Some(self.prove.choose), ..Limits::default() };
            let (table, control) = (TranspositionTable::new(16)?, Control::new(false));
            let clock = WallClock(Instant::now());
            let task = SearchTask {
                only: &only,
                tables: self.tables,
                ..SearchTask::new(state, &limits, &table, &control, &clock)
            };
            let found = with_stack(|| search(&task, &mut |_, _| ()))?;
            let decision = found.line.first().copied().unwrap_or(only[0][0]);
            choices.add(state, decision);
            Entry::Choice(state.clone(), decision)
        };
        file.write_all(entry.lines().as_bytes()).context("cannot write the proof")?;
        Ok(!only.is_empty())
    }

    /// The first turns, as the engine chooses; `None` where a position on the way turns out not to be won.
    fn tree<G: Playable>(
        &self,
        run: &mut Run<'_, G>,
        progress: &Progress,
    ) -> anyhow::Result<Option<Tree<G>>> {
        let (before, mut asked) = (run.choices.not_won.len(), 0);
        let Run { root, known, choices, file, .. } = run;
        let known = &*known;
        let tree = Tree::grow(root, self.prove.plies as usize, known, choices, &mut |state, choices| {
            asked += 1;
            progress.now(format!("choosing decision {asked}"));
            self.find(state, known, choices, file)
        })?;
        Ok((before == run.choices.not_won.len()).then_some(tree))
    }

    /// Proves the positions after the first turns, with more and more positions searched for each; true when
    /// one of them turned out not to be won, so that other first turns are needed.
    fn prove_all<G: Playable>(
        &mut self,
        tree: &Tree<G>,
        run: &mut Run<'_, G>,
        prover: &mut Prover<G>,
        progress: &Progress,
    ) -> anyhow::Result<bool> {
        let nodes = &self.prove.nodes;
        let budgets = std::iter::successors(Some(*nodes), |budget| budget.checked_mul(2));
        for budget in budgets.take_while(|budget| *budget <= self.prove.most) {
            let mut spent = false;
            progress.now(format!("{budget} searched for each"));
            let mut own = tree.open_leaves(&run.known);
            own.retain(|(number, _)| self.prove.shard.is_none_or(|shard| shard.has(1 + *number as u64)));
            // The prover forgets what it found where there was more room.
            sort_by_cached_key(&mut own, |(_, state)| state.counter_room());
            for (number, (_, state)) in own.iter().copied().enumerate() {
                progress.set(number as u64, own.len() as u64);
                if run.known.wins_from(state).is_some() {
                    continue;
                }
                if run.tried.get(&identity(state)).is_some_and(|tried| *tried >= budget) {
                    spent = true;
                    continue;
                }
                let known = &run.known;
                let verdict = with_stack(|| prover.prove(state, known, budget))?;
                run.searched += prover.nodes();
                match verdict {
                    Verdict::Won(_, steps) => run.tell(&Entry::Won(state.clone(), steps))?,
                    Verdict::NotWon => {
                        run.tell(&Entry::NotWon(state.clone()))?;
                        return Ok(true);
                    }
                    Verdict::Open => {
                        spent |= prover.nodes() >= budget;
                        run.tell(&Entry::Tried(state.clone(), budget))?;
                    }
                }
            }
            progress.set(own.len() as u64, own.len() as u64);
            let shares = shares(tree, &run.known);
            progress.write(|| writeln!(self.out, "{budget} searched for each: {shares}"))?;
            progress.write(|| self.out.flush())?;
            if !spent {
                break;
            }
        }
        Ok(false)
    }
}

impl<W: Write> Visitor for Work<'_, W> {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
        if const { G::ONE_DECISION_A_TURN } { self.run::<G>(facts) } else { Err(not_for(facts)) }
    }
}

impl<W: Write> Work<'_, W> {
    fn run<G: Playable>(mut self, facts: &'static Facts) -> anyhow::Result<()> {
        let Some(path) = self.output.filter(|_| !self.prove.shortest) else {
            return self.shortest::<G>(facts);
        };
        let mut run = self.open::<G>(facts, path)?;
        let mut prover = Prover::new(run.known.winner(), self.prove.hash as usize)?;
        let progress = Progress::begin("positions", 0)?;
        progress.ends_at_interrupt()?;
        let begun = Instant::now();
        let tree = loop {
            if run.is_not_won() {
                drop(progress);
                return Ok(writeln!(self.out, "{} cannot force a win", run.known.winner())?);
            }
            let Some(tree) = self.tree(&mut run, &progress)? else { continue };
            if !self.prove_all(&tree, &mut run, &mut prover, &progress)? {
                break tree;
            }
        };
        drop(progress);
        writeln!(self.out, "{}", verify::result(&tree, &run.root, &run.known))?;
        let seconds = begun.elapsed().as_secs_f64();
        let Run { searched, .. } = run;
        eprintln!("{searched} searched in {seconds:.1} s: {:.0} a second", searched as f64 / seconds);
        Ok(())
    }
}
