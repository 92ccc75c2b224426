//! Games of the engine against itself from random openings, to learn from.

use super::games::{PlayedGame, name_with_rules};
use super::self_play::{SelfPlaySettings, Side, self_play};
use crate::base::Rng;
use crate::base::score::Score;
use crate::game::{Decisions, Playable, Rules};
use crate::search::TranspositionTable;

/// Plays one game by `rules`. The same seed plays the same game; at least half of the random turns are drawn.
/// `table` is cleared for it.
pub fn play_game<G: Playable>(
    rules: &Rules,
    seed: u64,
    settings: &SelfPlaySettings,
    table: &TranspositionTable,
) -> PlayedGame {
    let mut rng = Rng::new(seed);
    let random_turns = settings.random_turns / 2 + rng.below(settings.random_turns as usize / 2 + 1) as u32;
    let settings = SelfPlaySettings { random_turns, ..*settings };
    let start = G::start(rules);
    let name = name_with_rules(start.facts(), rules);
    let mut decisions = Vec::new();
    let watch = &mut |state: &G, decision, score: Option<Score>| {
        let mut list = Decisions::new();
        state.sorted_decisions(&mut list);
        let number = list.iter().position(|own| *own == decision).unwrap_or(list.len());
        decisions.push((number as u16, score.map(|score| score as i16)));
    };
    let points = self_play(start, &mut rng, &settings, [Side::new(table); 2], watch);
    PlayedGame { name, points, decisions }
}
