//! The commands `carom datagen`, `carom train` and `carom tune`: games of the engine against itself, and
//! learning from them.

use super::position::{Game, GameBefore};
use super::progress::Progress;
use super::{BadInput, unreadable};
use crate::base::files::{read_regular, write_whole};
use crate::base::threads::helpers;
use crate::game::{Facts, Playable};
use crate::search::TranspositionTable;
use crate::training::datagen::play_game;
use crate::training::fit::Fit;
use crate::training::sample::{self, Sample};
use crate::training::self_play::SelfPlaySettings;
use crate::training::train::{Step, TrainSettings, train};
use crate::training::tune::tune;
use crate::variants::{self, Visitor};
use anyhow::{Context, bail};
use clap::Args;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Plays games of the engine against itself and appends what there is to learn to a file.
#[derive(Args, Debug)]
pub struct Datagen {
    #[command(flatten)]
    game: Game,
    /// Where to write; what is there is kept
    #[arg(long, short = 'o', value_name = "FILE")]
    output: PathBuf,
    /// How many games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1_000)]
    games: u64,
    /// Positions visited for each decision
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    nodes: u64,
    /// The most random turns at the beginning; at least half as many are played
    #[arg(long, value_name = "N", default_value_t = 8)]
    random_turns: u32,
    /// One in so many decisions is drawn at random
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    stray: usize,
    /// A game with more decisions is a draw
    #[arg(long, value_name = "N", default_value_t = 400)]
    longest: usize,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// The seed of the first game; the next have the next numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// For `carom tune`: keeps the terms that count, in place of the network's inputs
    #[arg(long)]
    terms: bool,
}

impl Datagen {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let facts = self.game.facts()?;
        let (games, positions) =
            variants::visit(facts.name, Play(self)).map_err(|error| BadInput(error.to_string()))??;
        let of = facts.name;
        if games < self.games {
            let (left, seed) = (self.games - games, self.seed.wrapping_add(games));
            bail!(
                "stopped after {games} games of {of}, {positions} positions; go on with --seed {seed} --games {left}"
            );
        }
        Ok(writeln!(out, "{games} games of {of}, {positions} positions")?)
    }
}

struct Play<'a>(&'a Datagen);

impl Visitor for Play<'_> {
    /// The numbers of games and of positions.
    type Output = anyhow::Result<(u64, u64)>;

    fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
        let Datagen { game, output, games, nodes, random_turns, stray, longest, threads, seed, terms } =
            self.0;
        let sample = if *terms {
            terms_of::<G>(facts)?;
            Sample::of_terms::<G>
        } else {
            learns::<G>(facts)?;
            Sample::new::<G>
        };
        let rules = game.rules()?;
        let settings = SelfPlaySettings {
            nodes: *nodes,
            random_turns: *random_turns,
            stray: *stray.max(&1),
            longest: *longest,
        };
        let file = OpenOptions::new().create(true).append(true).open(output);
        let file = Mutex::new(file.with_context(|| format!("cannot write {}", output.display()))?);
        let (next, positions) = (AtomicU64::new(0), AtomicU64::new(0));
        let progress = Progress::begin("games", *games)?;
        progress.stops_at_interrupt()?;
        let work = || -> anyhow::Result<()> {
            let table = TranspositionTable::new(1)?;
            loop {
                if progress.stopped() {
                    return Ok(());
                }
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= *games {
                    return Ok(());
                }
                let mut samples = Vec::new();
                let found =
                    play_game(&rules, seed.wrapping_add(number), &settings, &table, sample, &mut samples);
                let all = positions.fetch_add(found, Ordering::Relaxed) + found;
                let mut file = file.lock().map_err(|_| anyhow::anyhow!("another thread has failed"))?;
                file.write_all(&[sample::head(&samples), samples].concat())?;
                progress.add(1);
                progress.now(format!("{all} positions"));
            }
        };
        std::thread::scope(|scope| {
            let jobs = helpers(scope, threads.max(&1) + 1, &mut |_| Box::new(work));
            jobs.into_iter().try_for_each(|job| job.join().map_err(|_| anyhow::anyhow!("a game failed"))?)
        })?;
        // Each game that was begun is finished.
        Ok((next.into_inner().min(*games), positions.into_inner()))
    }
}

/// Refuses a game without inputs for a network.
fn learns<G: Playable>(facts: &Facts) -> Result<(), BadInput> {
    if G::INPUTS == 0 { Err(BadInput(format!("{} has no inputs for a network", facts.name))) } else { Ok(()) }
}

/// The terms of a game; refuses one that has none.
fn terms_of<G: Playable>(facts: &Facts) -> Result<&'static [i32], BadInput> {
    if G::TERMS.is_empty() {
        Err(BadInput(format!("{} has no terms to tune", facts.name)))
    } else {
        Ok(G::TERMS)
    }
}

/// Learns a network from what `carom datagen` wrote.
#[derive(Args, Debug)]
pub struct Train {
    #[command(flatten)]
    game: GameBefore,
    /// Which game, and what `carom datagen` wrote
    #[arg(value_name = "GAME FILE", required = true)]
    words: Vec<PathBuf>,
    /// The network
    #[arg(long, short = 'o', value_name = "FILE")]
    output: PathBuf,
    /// How often every position is seen
    #[arg(long, value_name = "N", default_value_t = 20)]
    epochs: u32,
    /// Positions per step
    #[arg(long, value_name = "N", default_value_t = 8_192)]
    batch: usize,
    /// The first step size
    #[arg(long, value_name = "X", default_value_t = 0.002)]
    rate: f32,
    /// The part of the game's result in what is learned, 0 to 1; the rest is what the search found
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    result: f32,
    /// The score in centipawns that is expected to bring 73 % of the points; fitted to the results if not given
    #[arg(long, value_name = "X", value_parser = slope)]
    k: Option<f32>,
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The width of the hidden layer, in parts of 32 neurons
    #[arg(long, value_name = "N", default_value_t = 1)]
    parts: usize,
}

impl Train {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (facts, _, files) = self.game.split(&self.words)?;
        struct Shape;
        impl Visitor for Shape {
            type Output = Result<(usize, usize), BadInput>;
            fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
                learns::<G>(facts)?;
                Ok((G::INPUTS, G::BUCKETS))
            }
        }
        let shape = variants::visit(facts.name, Shape).map_err(|error| BadInput(error.to_string()))??;
        let (samples, fitted) = read_samples(files, shape, out)?;
        let Self { epochs, batch, rate, result, k, seed, parts, .. } = *self;
        let k = k.unwrap_or(fitted as f32);
        let settings =
            TrainSettings { epochs, batch: batch.max(1), rate, result, k, seed, parts: parts.max(1) };
        let progress = Progress::begin("steps", 0)?;
        progress.ends_at_interrupt()?;
        let network = train(shape, &samples, &settings, |step| match step {
            Step::Batch { done, of } => progress.set(done, of),
            Step::Epoch { number, learned, unseen } => progress.write(|| {
                // The output may be closed.
                let _ =
                    writeln!(out, "epoch {number}: error {learned:.5}, of positions held back {unseen:.5}");
                let _ = out.flush();
            }),
        });
        drop(progress);
        write_whole(&self.output, &network.to_bytes())
            .with_context(|| format!("cannot write {}", self.output.display()))
    }
}

/// Where the results say nothing: see [`Fit::k`].
const USUAL_SLOPE: f64 = 400.0;

fn slope(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(k) if (1.0..=100_000.0).contains(&k) => Ok(k),
        _ => Err("a number from 1 to 100000 is needed".to_owned()),
    }
}

/// Reads what `carom datagen` wrote for a game with these numbers of inputs and output layers, and prints a
/// summary. With the positions comes the slope from scores to results that fits them.
fn read_samples(
    files: &[PathBuf],
    (inputs, buckets): (usize, usize),
    out: &mut impl Write,
) -> anyhow::Result<(Vec<Sample>, f64)> {
    let mut samples = Vec::new();
    for file in files {
        let bytes = read_regular(file).map_err(|error| unreadable(file, &error))?;
        let (found, damaged) = sample::read_file(&bytes);
        if damaged > 0 {
            super::complain(&format!(
                "{}: left out, as they are damaged or break off: {damaged} games",
                file.display()
            ));
        }
        samples.extend(found);
    }
    if samples.iter().any(|s| {
        s.inputs.iter().flatten().any(|&i| usize::from(i) >= inputs)
            || usize::from(s.bucket) >= buckets
            || s.points > 2
    }) {
        return Err(BadInput("these positions are of another game, or one kind is needed and the other given: `carom tune` needs `carom datagen --terms`, `carom train` the same without `--terms`".into()).into());
    }
    let points = |points| samples.iter().filter(|sample| sample.points == points).count();
    writeln!(
        out,
        "{} positions; who decides lost {}, drew {}, won {}",
        samples.len(),
        points(0),
        points(1),
        points(2)
    )?;
    let fit = Fit::of(&samples);
    if let Some(Fit { k, explained }) = fit {
        writeln!(out, "a score predicts {:.1} % of the result (R²), with K = {k:.0}", explained * 100.0)?;
    }
    Ok((samples, fit.map_or(USUAL_SLOPE, |fit| fit.k)))
}

/// Learns the worths of a game's terms from what `carom datagen` wrote.
#[derive(Args, Debug)]
pub struct Tune {
    #[command(flatten)]
    game: GameBefore,
    /// Which game, and what `carom datagen --terms` wrote
    #[arg(value_name = "GAME FILE", required = true)]
    words: Vec<PathBuf>,
    /// How often every position is seen
    #[arg(long, value_name = "N", default_value_t = 40)]
    epochs: u32,
    /// The part of the game's result in what is learned, 0 to 1; the rest is what the search found
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    result: f64,
}

impl Tune {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (facts, _, files) = self.game.split(&self.words)?;
        struct Terms;
        impl Visitor for Terms {
            type Output = Result<(&'static [i32], usize), BadInput>;
            fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
                Ok((terms_of::<G>(facts)?, G::BUCKETS))
            }
        }
        let (terms, buckets) =
            variants::visit(facts.name, Terms).map_err(|error| BadInput(error.to_string()))??;
        let (samples, k) = read_samples(files, (terms.len(), buckets), out)?;
        let progress = Progress::begin("steps", 0)?;
        progress.ends_at_interrupt()?;
        let tuned = tune(terms, &samples, self.epochs, self.result, k, |done, of| progress.set(done, of));
        drop(progress);
        let [learned, unseen] = tuned.before;
        writeln!(out, "error as it was {learned:.5}, of positions held back {unseen:.5}")?;
        let [learned, unseen] = tuned.after;
        writeln!(out, "now             {learned:.5}, of positions held back {unseen:.5}")?;
        for row in tuned.terms.chunks(8) {
            writeln!(out, "    {},", row.iter().map(i32::to_string).collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}
