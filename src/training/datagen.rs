//! Positions to learn from: of games of the engine against itself from random openings.

use super::sample::Sample;
use super::self_play::{SelfPlaySettings, self_play};
use crate::base::score::Score;
use crate::base::{Color, Rng};
use crate::game::{Playable, Rules};
use crate::search::TranspositionTable;

/// What is worth more is as good as decided: how much more teaches nothing, and it need not be true.
const DECIDED: Score = 2500;

/// Plays one game and appends the positions worth learning from to `out`; their number. The same seed plays the same
/// game; at least half of the random turns are drawn. `table` is cleared for it; `sample` says what is kept of a position
/// and the score that the search found.
pub fn play_game<G: Playable>(
    rules: &Rules,
    seed: u64,
    settings: &SelfPlaySettings,
    table: &TranspositionTable,
    sample: impl Fn(&G, Score) -> Sample,
    out: &mut Vec<u8>,
) -> u64 {
    let mut rng = Rng::new(seed);
    let random_turns = settings.random_turns / 2 + rng.below(settings.random_turns as usize / 2 + 1) as u32;
    let settings = SelfPlaySettings { random_turns, ..*settings };
    let mut samples: Vec<(Color, Sample)> = Vec::new();
    let points = self_play(G::start(rules), &mut rng, &settings, table, |player, state: &G, found| {
        let quiet = found.line.first().is_some_and(|&best| !state.in_check() && state.mvv_lva(best) <= 0);
        if quiet && found.score.abs() <= DECIDED {
            samples.push((player, sample(state, found.score)));
        }
    });
    let positions = samples.len() as u64;
    for (player, mut sample) in samples {
        sample.points = if player == Color::White { points } else { 2 - points };
        sample.write(out);
    }
    positions
}
