//! The command `carom spsa`: the numbers of a game's search, tuned by games of the engine against itself.

use super::position::GameBefore;
use super::progress::Progress;
use super::{BadInput, unreadable};
use crate::base::files::{read_regular, write_whole};
use crate::base::{key_for, threads::helpers};
use crate::game::{Facts, Playable, Rules, Selectivity};
use crate::search::TranspositionTable;
use crate::statistics::{Counts, estimate};
use crate::training::self_play::SelfPlaySettings;
use crate::training::spsa::{Schedule, Tuned, iteration, learn, play_pair, with_values};
use crate::variants::{self, Visitor};
use anyhow::Context;
use clap::Args;
use litemap::LiteMap;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tunes the numbers of a game's search by games at fixed nodes.
#[derive(Args, Debug)]
pub struct Spsa {
    #[command(flatten)]
    game: GameBefore,
    /// Which game, and the file of the run; where it exists, the run goes on
    #[arg(value_name = "GAME FILE", required = true)]
    words: Vec<PathBuf>,
    /// Print the numbers of the game as OpenBench takes them (name, type, value, least, greatest, step,
    /// rate), and tune nothing
    #[arg(long)]
    list: bool,
    /// What to tune, and from which values: such a list, or a configuration of weather-factory; all that the
    /// game uses if not given
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
    /// Iterations in all
    #[arg(long, short = 'n', value_name = "N", default_value_t = 2_000)]
    iterations: u64,
    /// Pairs of games in each iteration
    #[arg(long, value_name = "N", default_value_t = 8)]
    pairs: u64,
    /// Positions visited for each decision
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    nodes: u64,
    /// The most random turns at the beginning
    #[arg(long, value_name = "N", default_value_t = 8)]
    random_turns: u32,
    /// A game with more turns, those of both players counted, is a draw
    #[arg(long, value_name = "N", default_value_t = 400)]
    longest: u32,
    /// Games at a time; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// The seed of the directions and of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Tune no further: play so many pairs of games of what was found against the values the game has now
    #[arg(long, value_name = "PAIRS")]
    verify: Option<u64>,
}

/// A run, as its file keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    game: String,
    nodes: u64,
    random_turns: u32,
    longest: u32,
    iterations: u64,
    pairs: u64,
    seed: u64,
    /// How many iterations are done.
    done: u64,
    parameters: LiteMap<String, Number>,
}

/// A number that is tuned, as weather-factory writes it; `rate` is ours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Number {
    value: f64,
    min_value: f64,
    max_value: f64,
    step: f64,
    #[serde(default = "usual_rate")]
    rate: f64,
}

/// The rate that OpenBench proposes.
fn usual_rate() -> f64 {
    0.002
}

/// The numbers that a game's search uses.
fn usual(selectivity: &Selectivity) -> LiteMap<String, Number> {
    let numbers = selectivity.parameters().map(|(own, value)| {
        let (min_value, max_value) = (own.range.0.into(), own.range.1.into());
        let number =
            Number { value: value.into(), min_value, max_value, step: own.step.into(), rate: usual_rate() };
        (own.name.to_owned(), number)
    });
    numbers.collect()
}

/// Reads numbers as OpenBench lists them, or as weather-factory does.
fn read_numbers(text: &str) -> Result<LiteMap<String, Number>, String> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| error.to_string());
    }
    let mut numbers = LiteMap::new();
    for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let wrong =
            || format!("line {}: `name, int, value, least, greatest, step, rate` is needed", line + 1);
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let [name, "int" | "float", rest @ ..] = &words[..] else { return Err(wrong()) };
        let values: Vec<f64> =
            rest.iter().map(|word| word.parse().ok()).collect::<Option<_>>().ok_or_else(wrong)?;
        let [value, min_value, max_value, step, rate] = values[..] else { return Err(wrong()) };
        numbers.insert((*name).to_owned(), Number { value, min_value, max_value, step, rate });
    }
    Ok(numbers)
}

/// Refuses numbers that the search does not have, and values that make no sense.
fn check(numbers: &LiteMap<String, Number>, selectivity: &Selectivity) -> Result<(), String> {
    for (name, own) in numbers {
        let Some((known, _)) = selectivity.parameters().find(|(known, _)| known.name == name) else {
            let known: Vec<_> = selectivity.parameters().map(|(own, _)| own.name).collect();
            return Err(format!(
                "the search of this game has no number `{name}`; it has: {}",
                known.join(", ")
            ));
        };
        let inside = f64::from(known.range.0)..=f64::from(known.range.1);
        let ordered = inside.contains(&own.min_value) && inside.contains(&own.max_value);
        if !ordered || !(own.min_value..=own.max_value).contains(&own.value) {
            let (least, most) = known.range;
            return Err(format!("{name}: least, value and greatest must rise, from {least} to {most}"));
        }
        // Less than half would change nothing, as the search uses whole numbers.
        if !(0.5..=1e6).contains(&own.step) || !(0.0..=1.0).contains(&own.rate) {
            return Err(format!("{name}: the step must be 0.5 at least, and the rate from 0 to 1"));
        }
    }
    if numbers.is_empty() { Err("the search of this game has no numbers to tune".to_owned()) } else { Ok(()) }
}

impl Spsa {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (facts, rules, files) = self.game.split(&self.words)?;
        let file = match files {
            [] if self.list => Path::new(""),
            [file] if !self.list => file,
            _ => {
                return Err(
                    BadInput("one file is needed for the run, and none with --list".to_owned()).into()
                );
            }
        };
        let engine = variants::visit(facts.name, FindEngine).map_err(|error| BadInput(error.to_string()))?;
        if self.list {
            for (name, own) in usual(engine.selectivity) {
                let Number { value, min_value, max_value, step, rate } = own;
                writeln!(out, "{name}, int, {value}, {min_value}, {max_value}, {step}, {rate}")?;
            }
            return Ok(());
        }
        let name = crate::training::games::name_with_rules(facts, &rules);
        let run = self.load(&name, file, engine.selectivity)?;
        let mut work = Work { spsa: self, engine, rules, file, out };
        match self.verify {
            Some(pairs) => work.verify(&run, pairs.max(1)),
            None => work.tune(run),
        }
    }

    /// The run of the file, or a new one.
    fn load(&self, name: &str, file: &Path, selectivity: &Selectivity) -> anyhow::Result<Run> {
        let new = Run {
            game: name.to_owned(),
            nodes: self.nodes,
            random_turns: self.random_turns,
            longest: self.longest,
            iterations: self.iterations,
            pairs: self.pairs.max(1),
            seed: self.seed,
            done: 0,
            parameters: LiteMap::new(),
        };
        let bad = |path: &Path, error: String| BadInput(format!("{}: {error}", path.display()));
        let read = |path: &Path| -> anyhow::Result<String> {
            let bytes = read_regular(path).map_err(|error| unreadable(path, &error))?;
            Ok(String::from_utf8(bytes).map_err(|error| bad(path, error.to_string()))?)
        };
        let run = if file.exists() {
            let run: Run =
                serde_json::from_str(&read(file)?).map_err(|error| bad(file, error.to_string()))?;
            let same = Run { done: run.done, parameters: run.parameters.clone(), ..new };
            if run != same {
                let why = "it was begun with other settings; a run goes on with those it began with";
                return Err(bad(file, why.to_owned()).into());
            }
            run
        } else {
            let parameters = match &self.parameters {
                Some(path) => read_numbers(&read(path)?).map_err(|error| bad(path, error))?,
                None => usual(selectivity),
            };
            Run { parameters, ..new }
        };
        check(&run.parameters, selectivity).map_err(|error| bad(file, error))?;
        Ok(run)
    }
}

impl Run {
    fn tuned(&self) -> Vec<Tuned> {
        let tuned = |(name, own): (&String, &Number)| {
            let &Number { value, min_value: min, max_value: max, step, rate } = own;
            Tuned { name: name.clone(), value, min, max, step, rate }
        };
        self.parameters.iter().map(tuned).collect()
    }

    fn save(&self, file: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        write_whole(file, text.as_bytes()).with_context(|| format!("cannot write {}", file.display()))
    }

    const fn schedule(&self) -> Schedule {
        Schedule { iterations: self.iterations, pairs: self.pairs, seed: self.seed }
    }
}

/// What tuning needs of a game. The rest is compiled once, not for each game.
struct Engine {
    /// The numbers of the game as they are.
    selectivity: &'static Selectivity,
    /// [`play_pair`] of the game.
    play_pair: PlayPair,
}

type PlayPair = fn(&Rules, u64, &SelfPlaySettings, &[Selectivity; 2], [&TranspositionTable; 2]) -> u8;

/// Finds the [`Engine`] of a game.
struct FindEngine;

impl Visitor for FindEngine {
    type Output = Engine;

    fn visit<G: Playable>(self, _: &'static Facts) -> Engine {
        Engine { selectivity: &G::SELECTIVITY, play_pair: play_pair::<G> }
    }
}

struct Work<'a, W> {
    spsa: &'a Spsa,
    engine: Engine,
    rules: Rules,
    file: &'a Path,
    out: &'a mut W,
}

impl Run {
    /// Plays pairs of games, from number `first` on; the half points of the first engine in each.
    fn play(
        &self,
        play_pair: PlayPair,
        (rules, threads): (&Rules, usize),
        engines: &[Selectivity; 2],
        (first, pairs): (u64, u64),
    ) -> anyhow::Result<Vec<u8>> {
        let settings = SelfPlaySettings {
            nodes: self.nodes,
            random_turns: self.random_turns,
            longest: self.longest,
            stray: usize::MAX,
        };
        let next = AtomicU64::new(0);
        let work = || -> anyhow::Result<Vec<(u64, u8)>> {
            let tables = [TranspositionTable::new(1)?, TranspositionTable::new(1)?];
            let mut found = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= pairs {
                    return Ok(found);
                }
                let seed = key_for(!self.seed, first + number);
                let points = play_pair(rules, seed, &settings, engines, tables.each_ref());
                found.push((number, points));
            }
        };
        let mut found = std::thread::scope(|scope| -> anyhow::Result<Vec<(u64, u8)>> {
            let jobs = helpers(scope, threads.max(1) + 1, &mut |_| Box::new(work));
            let mut all = Vec::new();
            for job in jobs {
                all.extend(job.join().map_err(|_| anyhow::anyhow!("a game failed"))??);
            }
            Ok(all)
        })?;
        anyhow::ensure!(found.len() as u64 == pairs, "no thread can be had for the games");
        found.sort_unstable();
        Ok(found.into_iter().map(|(_, points)| points).collect())
    }
}

impl<W: Write> Work<'_, W> {
    fn tune(&mut self, mut run: Run) -> anyhow::Result<()> {
        let progress = Progress::begin("iterations", run.iterations)?;
        progress.stops_at_interrupt()?;
        while run.done < run.iterations && !progress.stopped() {
            let mut tuned = run.tuned();
            let schedule = run.schedule();
            let now = iteration(self.engine.selectivity, &tuned, &schedule, run.done);
            let points = run.play(
                self.engine.play_pair,
                (&self.rules, self.spsa.threads),
                &now.engines,
                (run.done * run.pairs, run.pairs),
            )?;
            // A pair brings four half points; two are even, and each game won instead of lost is two more.
            let wins: f64 = points.iter().map(|&own| f64::from(own) - 2.0).sum();
            learn(&mut tuned, &schedule, run.done, &now, wins);
            for own in tuned {
                if let Some(number) = run.parameters.get_mut(&own.name) {
                    // As many digits as a file gives back exactly, so that a run that was interrupted stays
                    // the same.
                    number.value = (own.value * 1e6).round() / 1e6;
                }
            }
            run.done += 1;
            run.save(self.file)?;
            progress.set(run.done, run.iterations);
        }
        let stopped = run.done < run.iterations;
        drop(progress);
        let before = self.engine.selectivity;
        for (name, own) in &run.parameters {
            let was = before.get(name).unwrap_or_default();
            writeln!(self.out, "{name} {:.0} (was {was})", own.value)?;
        }
        if stopped {
            anyhow::bail!("stopped after {} iterations; the same command goes on", run.done);
        }
        Ok(())
    }

    fn verify(&mut self, run: &Run, pairs: u64) -> anyhow::Result<()> {
        let progress = Progress::begin("pairs", pairs)?;
        progress.stops_at_interrupt()?;
        let engines = [with_values(self.engine.selectivity, &run.tuned(), |_| 0.0), *self.engine.selectivity];
        let mut counts = [0; 5];
        let (mut played, some) = (0, 4 * self.spsa.threads.max(1) as u64);
        while played < pairs && !progress.stopped() {
            // Openings that no iteration has.
            let first = run.iterations * run.pairs + played;
            let Work { engine, rules, spsa, .. } = self;
            for points in run.play(
                engine.play_pair,
                (rules, spsa.threads),
                &engines,
                (first, some.min(pairs - played)),
            )? {
                counts[usize::from(points)] += 1;
                played += 1;
            }
            progress.set(played, pairs);
        }
        drop(progress);
        anyhow::ensure!(played > 0, "stopped before the first game ended");
        let found = estimate(&Counts::pentanomial(counts));
        let [ll, ld, even, dw, ww] = counts;
        writeln!(self.out, "pairs by half points: {ll}, {ld}, {even}, {dw}, {ww}")?;
        writeln!(
            self.out,
            "Elo {:+.1} ± {:.1} over {} games at {} nodes",
            found.elo,
            found.elo_error,
            2 * played,
            run.nodes
        )?;
        anyhow::ensure!(played == pairs, "stopped after {played} of {pairs} pairs");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_lists_are_read_and_what_is_wrong_is_said() {
        let openbench =
            read_numbers("delta, int, 200, 20, 1000, 30, 0.002\n\nfutility,int,90,10,400,10,0.01\n").unwrap();
        let weather = read_numbers(
            r#"{"delta": {"value": 200, "min_value": 20, "max_value": 1000, "step": 30},
                "futility": {"value": 90, "min_value": 10, "max_value": 400, "step": 10, "rate": 0.01}}"#,
        );
        assert_eq!(weather.unwrap(), openbench);
        assert!(check(&openbench, &Selectivity::STANDARD).is_ok());
        for (text, fault) in [
            ("delta, int, 200, 20, 1000, 30", "line 1"),
            ("delta, text, 200, 20, 1000, 30, 0.002", "line 1"),
            ("{\"delta\": 3}", "line 1"),
        ] {
            assert!(read_numbers(text).unwrap_err().contains(fault), "{text}");
        }
        for (text, fault) in [
            ("depth, int, 200, 20, 1000, 30, 0.002", "it has: reverse_futility"),
            ("singular, int, 6, 4, 12, 1, 0.002", "no number `singular`"),
            ("delta, int, 10, 20, 1000, 30, 0.002", "must rise"),
            ("delta, int, 200, 20, 5000, 30, 0.002", "must rise"),
            ("delta, int, nan, 20, 1000, 30, 0.002", "must rise"),
            ("delta, int, 200, 20, 1000, 0.1, 0.002", "0.5 at least"),
            ("", "no numbers"),
        ] {
            let error = check(&read_numbers(text).unwrap(), &Selectivity::STANDARD).unwrap_err();
            assert!(error.contains(fault), "{text}: {error}");
        }
    }

    #[test]
    fn the_list_of_a_game_is_one_that_can_be_read() {
        let usual = usual(&Selectivity::STANDARD);
        assert!(usual.len() > 8 && check(&usual, &Selectivity::STANDARD).is_ok());
    }
}
