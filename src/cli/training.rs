//! The commands `carom datagen`, `carom train` and `carom tune`: games of the engine against itself, and
//! learning from them.

use super::position::{Game, GameBefore};
use super::progress::Progress;
use super::{BadInput, bad_input, unreadable};
use crate::base::files::{open_regular, read_regular, write_whole};
use crate::base::threads::helpers;
use crate::game::network::Network;
use crate::game::{Facts, Playable, Rules, WinModel};
use crate::search::TranspositionTable;
use crate::training::datagen::play_game;
use crate::training::fit::{Fit, win_model};
use crate::training::games::{self, Choice, PlayedGame, ReplayedGame};
use crate::training::sample::Sample;
use crate::training::self_play::SelfPlaySettings;
use crate::training::train::{Start, Step, TrainSettings, train};
use crate::training::tune::tune;
use crate::variants::{self, Visitor};
use anyhow::{Context, bail};
use clap::Args;
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
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
    /// A game with more turns, those of both players counted, is a draw
    #[arg(long, value_name = "N", default_value_t = 400)]
    longest: u32,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// The seed of the first game; the next have the next numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Datagen {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let facts = self.game.facts()?;
        let play = variants::visit(facts.name, Play).map_err(|error| BadInput(error.to_string()))?;
        let (games, positions) = self.play(play)?;
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

/// Finds [`play_game`] of a game, so that the rest is compiled once.
struct Play;

type PlayGame = fn(&Rules, u64, &SelfPlaySettings, &TranspositionTable) -> PlayedGame;

impl Visitor for Play {
    type Output = PlayGame;

    fn visit<G: Playable>(self, _: &'static Facts) -> PlayGame {
        play_game::<G>
    }
}

impl Datagen {
    /// Plays the games; the numbers of games and of positions.
    fn play(&self, play_game: PlayGame) -> anyhow::Result<(u64, u64)> {
        let Self { game, output, games, nodes, random_turns, stray, longest, threads, seed } = self;
        let rules = game.rules()?;
        let settings = SelfPlaySettings {
            nodes: *nodes,
            random_turns: *random_turns,
            stray: *stray.max(&1),
            longest: *longest,
        };
        let mut begin = Vec::new();
        if let Ok(there) = open_regular(output) {
            there.take(16).read_to_end(&mut begin).map_err(|error| unreadable(output, &error))?;
        }
        if !games::holds_games(&begin) {
            return Err(no_games(output));
        }
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
                let played = play_game(&rules, seed.wrapping_add(number), &settings, &table);
                let found = played.searches() as u64;
                let all = positions.fetch_add(found, Ordering::Relaxed) + found;
                let mut file = file.lock().map_err(|_| anyhow::anyhow!("another thread has failed"))?;
                file.write_all(&played.to_bytes())?;
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

/// What is said of a file of something else.
fn no_games(file: &Path) -> anyhow::Error {
    bad_input(format!(
        "{}: no games of `carom datagen` (before version 0.2.0 it wrote positions, which are not read now): make new ones",
        file.display()
    ))
}

/// Says how many games of a file are left out, and why.
pub(super) fn left_out(file: &Path, why: &str, number: usize) {
    if number > 0 {
        super::complain(&format!("{}: left out, {why}: {number} games", file.display()));
    }
}

/// The games of a file of `carom datagen`; says what is left out as it is damaged.
pub(super) fn played_games(file: &Path) -> anyhow::Result<Vec<PlayedGame>> {
    let bytes = read_regular(file).map_err(|error| unreadable(file, &error))?;
    let (found, damaged) = games::read_games(&bytes);
    if found.is_empty() && !games::holds_games(&bytes) {
        return Err(no_games(file));
    }
    left_out(file, "as they are damaged or break off", damaged);
    Ok(found)
}

/// What is said of a file with a game of another kind.
pub(super) fn of_another(file: &Path, game: &PlayedGame, facts: &Facts) -> anyhow::Error {
    bad_input(format!("{}: games of {}, not of {}", file.display(), game.name, facts.name))
}

/// Refuses a game without inputs for a network.
pub(super) fn learns<G: Playable>(facts: &Facts) -> Result<(), BadInput> {
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
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    outcome: Outcome,
    /// The width of the hidden layer, in parts of 32 neurons; by default 1, or as wide as the network of
    /// --from, which can only become wider
    #[arg(long, value_name = "N")]
    parts: Option<usize>,
    /// Begin with this network instead of random weights; a smaller --rate keeps more of it
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

impl Train {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (facts, _, files) = self.game.split(&self.words)?;
        let (start, by_king) =
            variants::visit(facts.name, Begin(self)).map_err(|error| BadInput(error.to_string()))??;
        let (samples, k) = self.outcome.read_samples(facts, files, false, out)?;
        let Self { epochs, batch, rate, result, seed, .. } = *self;
        let settings =
            TrainSettings { epochs, batch: batch.max(1), rate, result, k: k as f32, seed, by_king };
        let progress = Progress::begin("steps", 0)?;
        progress.ends_at_interrupt()?;
        let network = train(start, &samples, &settings, |step| match step {
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

/// Finds out where learning begins.
struct Begin<'a>(&'a Train);

impl Visitor for Begin<'_> {
    /// Also the first of the inputs by king bucket.
    type Output = anyhow::Result<(Start, usize)>;

    fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
        learns::<G>(facts)?;
        let Some(file) = &self.0.from else {
            let (inputs, buckets, parts) = (G::INPUTS, G::BUCKETS, self.0.parts.unwrap_or(1).max(1));
            return Ok((Start::Random { inputs, buckets, parts }, G::BY_KING));
        };
        let bytes = read_regular(file).map_err(|error| unreadable(file, &error))?;
        let other =
            || bad_input(format!("{}: no network of {}, or a damaged one", file.display(), facts.name));
        let network = Network::from_bytes::<G>(&bytes).ok_or_else(other)?;
        let had = network.parts.len();
        let parts = self.0.parts.unwrap_or(had);
        if parts < had {
            return Err(bad_input(format!(
                "--parts {parts}: the network in {} has {had}, and none can be left out",
                file.display()
            )));
        }
        Ok((Start::Network { network, parts }, G::BY_KING))
    }
}

/// Where the results say nothing: see [`Fit::k`].
const USUAL_SLOPE: f64 = 400.0;

fn slope(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(k) if (1.0..=100_000.0).contains(&k) => Ok(k),
        _ => Err("a number from 1 to 100000 is needed".to_owned()),
    }
}

fn part(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(part) if (0.0..=1.0).contains(&part) => Ok(part),
        _ => Err("a number from 0 to 1 is needed".to_owned()),
    }
}

/// What the positions of games that were played are taken to have come to.
#[derive(Args, Debug)]
struct Outcome {
    /// The score in centipawns that is expected to bring 73 % of the points; fitted to the results if not
    /// given
    #[arg(long, value_name = "X", value_parser = slope)]
    k: Option<f64>,
    /// How much of a result is left for every turn before it, 0 to 1; the rest is what later searches found
    /// (TD(lambda))
    #[arg(long, value_name = "X", value_parser = part, default_value_t = 1.0)]
    lambda: f64,
    /// Learn from the mirror image of each position too, in games that know no left and right
    #[arg(long)]
    mirrored: bool,
    /// Learn only from positions where a search of one decision finds the same score up to so many centipawns
    #[arg(long, value_name = "CP")]
    noise: Option<u16>,
}

impl Outcome {
    /// The positions of what `carom datagen` wrote, with inputs or `terms`, and the slope from scores to
    /// results that fits them; prints a summary.
    fn read_samples(
        &self,
        facts: &Facts,
        files: &[PathBuf],
        terms: bool,
        out: &mut impl Write,
    ) -> anyhow::Result<(Vec<Sample>, f64)> {
        let replay =
            variants::visit(facts.name, Replay { terms }).map_err(|error| BadInput(error.to_string()))?;
        let games = self.replay(facts, files, &*replay)?;
        let scores = || games.iter().flat_map(ReplayedGame::scores);
        let came = |least: f64, most: f64| scores().filter(|own| (least..=most).contains(&own.1)).count();
        let [lost, drew, won] = [came(0.0, 0.0), came(0.5, 0.5), came(1.0, 1.0)];
        let positions = lost + drew + won;
        if positions == 0 {
            return Err(bad_input("there are no positions to learn from in what was named"));
        }
        writeln!(out, "{positions} positions; who decides lost {lost}, drew {drew}, won {won}")?;
        let fit = Fit::of(scores());
        if let Some(Fit { k, explained }) = fit {
            let percent = explained * 100.0;
            writeln!(out, "a score predicts {percent:.1} % of the result (R²), with K = {k:.0}")?;
        }
        if let Some(WinModel { even, spread }) = win_model(scores()) {
            writeln!(
                out,
                "a win is 50 % likely at a score of {even:.0}, and 73 % likely {spread:.0} above that"
            )?;
        }
        let k = self.k.unwrap_or(fit.map_or(USUAL_SLOPE, |fit| fit.k));
        Ok((games.into_iter().flat_map(|game| game.samples(k, self.lambda)).collect(), k))
    }
}

/// Plays a game again.
type PlayAgain = dyn Fn(&PlayedGame, &Choice<'_>) -> Result<Option<ReplayedGame>, OtherGame>;

/// A file has games of another kind.
struct OtherGame;

/// Finds what plays a game again, so that the rest is compiled once.
struct Replay {
    /// Terms are noted, not inputs.
    terms: bool,
}

impl Visitor for Replay {
    type Output = Box<PlayAgain>;

    fn visit<G: Playable>(self, _: &'static Facts) -> Box<PlayAgain> {
        let sample = if self.terms { Sample::of_terms::<G> } else { Sample::new::<G> };
        Box::new(move |game, choice| {
            let rules = game.rules(G::GAMES).ok_or(OtherGame)?;
            Ok(ReplayedGame::of::<G>(game, &rules, sample, choice))
        })
    }
}

impl Outcome {
    /// Plays the games of files again.
    fn replay(
        &self,
        facts: &Facts,
        files: &[PathBuf],
        play_again: &PlayAgain,
    ) -> anyhow::Result<Vec<ReplayedGame>> {
        let table = TranspositionTable::new(1)?;
        let noise = self.noise.map(|most| (most.into(), &table));
        let choice = Choice { mirrored: self.mirrored, noise };
        let mut all = Vec::new();
        for file in files {
            let found = played_games(file)?;
            let before = all.len();
            let total = found.len();
            for game in found {
                let replayed =
                    play_again(&game, &choice).map_err(|OtherGame| of_another(file, &game, facts))?;
                all.extend(replayed);
            }
            left_out(file, "as they were played by other rules", total - (all.len() - before));
        }
        Ok(all)
    }
}

/// Learns the worths of a game's terms from what `carom datagen` wrote.
#[derive(Args, Debug)]
pub struct Tune {
    #[command(flatten)]
    game: GameBefore,
    /// Which game, and what `carom datagen` wrote
    #[arg(value_name = "GAME FILE", required = true)]
    words: Vec<PathBuf>,
    /// How often every position is seen
    #[arg(long, value_name = "N", default_value_t = 40)]
    epochs: u32,
    /// The part of the game's result in what is learned, 0 to 1; the rest is what the search found
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    result: f64,
    #[command(flatten)]
    outcome: Outcome,
}

impl Tune {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (facts, _, files) = self.game.split(&self.words)?;
        struct Terms;
        impl Visitor for Terms {
            type Output = Result<&'static [i32], BadInput>;
            fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
                terms_of::<G>(facts)
            }
        }
        let terms = variants::visit(facts.name, Terms).map_err(|error| BadInput(error.to_string()))??;
        let (samples, k) = self.outcome.read_samples(facts, files, true, out)?;
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
