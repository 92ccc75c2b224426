//! The command `carom train-ranker`: which steps of a turn are worth following.

use super::position::GameBefore;
use super::progress::Progress;
use super::training::{learns, left_out, of_another, played_games};
use super::{BadInput, bad_input};
use crate::base::files::write_whole;
use crate::game::step_ranker::StepRanker;
use crate::game::{Facts, Playable};
use crate::training::ranker::{Accuracy, RankerProgress, RankerSettings, train_ranker};
use crate::variants::{self, Visitor};
use anyhow::Context;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// Learns from what `carom datagen` wrote which steps of a turn are worth following, for games whose turns have
/// several.
#[derive(Args, Debug)]
pub struct TrainRanker {
    #[command(flatten)]
    game: GameBefore,
    /// Which game, and what `carom datagen` wrote
    #[arg(value_name = "GAME FILE", required = true)]
    words: Vec<PathBuf>,
    /// The ranker
    #[arg(long, short = 'o', value_name = "FILE")]
    output: PathBuf,
    /// How often every step is seen
    #[arg(long, value_name = "N", default_value_t = 3)]
    epochs: u32,
    /// The step size
    #[arg(long, value_name = "X", default_value_t = 0.05)]
    rate: f32,
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl TrainRanker {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (facts, _, files) = self.game.split(&self.words)?;
        let progress = Progress::begin("games", 0)?;
        progress.ends_at_interrupt()?;
        let learn = Learn { train: self, files, progress: &progress, out };
        let ranker = variants::visit(facts.name, learn).map_err(|error| BadInput(error.to_string()))??;
        drop(progress);
        write_whole(&self.output, &ranker.to_bytes())
            .with_context(|| format!("cannot write {}", self.output.display()))
    }
}

/// Learns, now that the game is known.
struct Learn<'a, W> {
    train: &'a TrainRanker,
    files: &'a [PathBuf],
    progress: &'a Progress,
    out: &'a mut W,
}

impl<W: Write> Visitor for Learn<'_, W> {
    type Output = anyhow::Result<StepRanker>;

    fn visit<G: Playable>(self, facts: &'static Facts) -> Self::Output {
        learns::<G>(facts)?;
        // Nothing is compiled for the other games.
        if const { G::SELECTIVITY.whole_turns } {
            self.learn::<G>(facts)
        } else {
            Err(bad_input(format!("a turn of {} has one step: there is nothing to rank", facts.name)))
        }
    }
}

impl<W: Write> Learn<'_, W> {
    fn learn<G: Playable>(self, facts: &'static Facts) -> anyhow::Result<StepRanker> {
        let Self { train, files, progress, out } = self;
        let mut games = Vec::new();
        for file in files {
            let found = played_games(file)?;
            let (before, total) = (games.len(), found.len());
            for game in found {
                let rules = game.rules(&[facts]).ok_or_else(|| of_another(file, &game, facts))?;
                if game.is_legal::<G>(&rules) {
                    games.push((game, rules));
                }
            }
            left_out(file, "as they were played by other rules", total - (games.len() - before));
        }
        if games.is_empty() {
            return Err(bad_input("there are no games to learn from in what was named"));
        }
        let TrainRanker { epochs, rate, seed, .. } = *train;
        let settings = RankerSettings { epochs, rate, seed };
        let ranker = train_ranker::<G>(&games, settings, |step| match step {
            RankerProgress::Game { done, of } => progress.set(done, of),
            RankerProgress::Epoch { number, unseen } => progress.write(|| {
                // The output may be closed.
                let _ = writeln!(out, "epoch {number}: {}", summary(unseen));
                let _ = out.flush();
            }),
        });
        ranker.ok_or_else(|| bad_input(format!("{} has no inputs to learn from", facts.name)))
    }
}

/// How well the steps that are held back are predicted.
fn summary(Accuracy { choices, loss, first, first_by_terms }: Accuracy) -> String {
    let of = choices.max(1) as f64;
    let share = |count: u64| count as f64 * 100.0 / of;
    format!(
        "of {choices} steps held back {:.1} % come first, by the terms alone {:.1} %; error {:.4}",
        share(first),
        share(first_by_terms),
        loss / of
    )
}
