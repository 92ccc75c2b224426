//! Games of the engine against itself at a fixed number of nodes.

use crate::base::score::SURE_WIN;
use crate::base::{Color, Rng};
use crate::game::{Actor, Decisions, Playable, Record};
use crate::search::{Control, Limits, SearchResult, SearchTask, TranspositionTable, WallClock, search};
use std::time::Instant;

/// How the games are played.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlaySettings {
    /// Positions the search visits for each decision.
    pub nodes: u64,
    /// So many turns at the beginning are drawn at random.
    pub random_turns: u32,
    /// Of a game, decisions; whatever stands then is a draw.
    pub longest: usize,
    /// One in so many decisions is drawn at random.
    pub stray: usize,
}

/// Plays one game from `start`; what White has of it, in half points. `watch` sees every search: who searched, from what
/// that player could see, what was found. `table` is cleared for the game.
pub fn self_play<G: Playable>(
    start: G,
    rng: &mut Rng,
    settings: &SelfPlaySettings,
    table: &TranspositionTable,
    mut watch: impl FnMut(Color, &G, &SearchResult<G::Decision>),
) -> u8 {
    table.clear(1);
    let points = |winner: Option<Color>| match winner {
        Some(Color::White) => 2,
        Some(Color::Black) => 0,
        None => 1,
    };
    let (control, clock) = (Control::default(), WallClock(Instant::now()));
    let limits = Limits { nodes: Some(settings.nodes), ..Limits::default() };
    let mut record = Record::new(start);
    let mut turns = 0;
    let mut turn_keys = Vec::new();
    while record.len() < settings.longest {
        if let Some(outcome) = record.outcome() {
            return points(outcome.winner);
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
        if turns <= settings.random_turns || rng.below(settings.stray) == 0 {
            let mut list = Decisions::new();
            now.sorted_decisions(&mut list);
            match rng.pick(&list) {
                Some(&decision) => record.play(decision),
                None => break,
            }
            continue;
        }
        let state = now.view(player).sample(rng);
        let keys = record.recent_keys();
        let task = SearchTask {
            history: &keys,
            turn_keys: &turn_keys,
            ..SearchTask::new(&state, &limits, table, &control, &clock)
        };
        let found = search(&task, &mut |_, _| ());
        let Some(&best) = found.line.first() else { break };
        if found.score.abs() >= SURE_WIN {
            return points(Some(if found.score > 0 { player } else { !player }));
        }
        watch(player, &state, &found);
        turn_keys.extend(state.turn_key());
        record.play(best);
        if record.now().between_turns() {
            turn_keys.clear();
        }
    }
    1
}
