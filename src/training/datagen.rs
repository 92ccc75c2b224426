//! Games of the engine against itself at a fixed number of nodes, from random openings.

use super::sample::Sample;
use crate::base::score::{SURE_WIN, Score};
use crate::base::{Color, Rng};
use crate::game::{Actor, Decisions, Playable, Record, Rules};
use crate::search::{Control, Limits, SearchTask, TranspositionTable, WallClock, search};
use std::time::Instant;

/// What is worth more is as good as decided: how much more teaches nothing, and it need not be true.
const DECIDED: Score = 2500;

/// How the games are played.
#[derive(Clone, Copy, Debug)]
pub struct DatagenSettings {
    /// Positions the search visits for each decision.
    pub nodes: u64,
    /// The most turns of an opening that are drawn at random; at least half as many are.
    pub random_turns: u32,
    /// Of a game, decisions; whatever stands then is a draw.
    pub longest: usize,
    /// One in so many decisions is drawn at random.
    pub stray: usize,
}

/// Plays one game and appends the positions worth learning from to `out`; their number. The same seed plays the same
/// game; `table` is cleared for it.
pub fn play_game<G: Playable>(
    rules: &Rules,
    seed: u64,
    settings: &DatagenSettings,
    table: &TranspositionTable,
    out: &mut Vec<u8>,
) -> u64 {
    table.clear(1);
    let mut rng = Rng::new(seed);
    let mut record = Record::new(G::start(rules));
    let control = Control::default();
    let clock = WallClock(Instant::now());
    let random = settings.random_turns / 2 + rng.below(settings.random_turns as usize / 2 + 1) as u32;
    let mut turns = 0;
    let mut turn_keys = Vec::new();
    let mut samples: Vec<(Color, Sample)> = Vec::new();
    let mut points = 1; // White's, in halves
    while record.len() < settings.longest {
        if let Some(outcome) = record.outcome() {
            points = match outcome.winner {
                Some(Color::White) => 2,
                Some(Color::Black) => 0,
                None => 1,
            };
            break;
        }
        let now = record.now();
        turns += u32::from(now.between_turns());
        let Actor::Player(player) = now.actor() else {
            match now.draw(|cases| rng.below(cases)) {
                Some(decision) => record.play(decision),
                None => break,
            }
            continue;
        };
        if turns <= random || rng.below(settings.stray) == 0 {
            let mut list = Decisions::new();
            now.sorted_decisions(&mut list);
            match rng.pick(&list) {
                Some(&decision) => record.play(decision),
                None => break,
            }
            continue;
        }
        let state = now.view(player).sample(&mut rng);
        let keys = record.recent_keys();
        let limits = Limits { nodes: Some(settings.nodes), ..Limits::default() };
        let task = SearchTask {
            history: &keys,
            turn_keys: &turn_keys,
            ..SearchTask::new(&state, &limits, table, &control, &clock)
        };
        let found = search(&task, &mut |_, _| ());
        let Some(&best) = found.line.first() else { break };
        if found.score.abs() >= SURE_WIN {
            let wins = (found.score > 0) == (player == Color::White);
            points = if wins { 2 } else { 0 };
            break;
        }
        if found.score.abs() <= DECIDED && !state.in_check() && state.mvv_lva(best) <= 0 {
            samples.push((player, Sample::new(&state, found.score)));
        }
        turn_keys.extend(state.turn_key());
        record.play(best);
        if record.now().between_turns() {
            turn_keys.clear();
        }
    }
    let positions = samples.len() as u64;
    for (player, mut sample) in samples {
        sample.points = if player == Color::White { points } else { 2 - points };
        sample.write(out);
    }
    positions
}
