//! Games of the engine against itself at a fixed number of nodes.

use crate::base::score::{SURE_WIN, Score};
use crate::base::{Color, Rng};
use crate::game::{Actor, Decisions, Game, Playable, Record, Selectivity};
use crate::search::{Control, Limits, SearchTask, TranspositionTable, WallClock, search};
use std::time::Instant;

/// How the games are played.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlaySettings {
    /// Positions the search visits for each decision.
    pub nodes: u64,
    /// So many turns at the beginning are drawn at random.
    pub random_turns: u32,
    /// The most turns of a game, those of both players counted; a longer one is a draw.
    pub longest: u32,
    /// One in so many decisions is drawn at random.
    pub stray: usize,
}

/// One of two engines that play each other.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// What it remembers in.
    pub table: &'a TranspositionTable,
    /// The numbers of its search; `None` for those of the game.
    pub selectivity: Option<&'a Selectivity>,
}

impl<'a> Side<'a> {
    /// The engine as it is.
    pub const fn new(table: &'a TranspositionTable) -> Self {
        Self { table, selectivity: None }
    }
}

/// Sees every decision of a game before it is made: the state, the decision, and the score that a search
/// found, as who decides sees it; none where it was drawn.
pub type Watch<'a, G> = dyn FnMut(&G, <G as Game>::Decision, Option<Score>) + 'a;

/// Plays one game from `start`; what White has of it, in half points. The tables of White and Black are
/// cleared for the game.
pub fn self_play<G: Playable>(
    start: G,
    rng: &mut Rng,
    settings: &SelfPlaySettings,
    sides: [Side<'_>; 2],
    watch: &mut Watch<'_, G>,
) -> u8 {
    sides.iter().for_each(|side| side.table.clear(1));
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
    loop {
        if let Some(outcome) = record.outcome() {
            return points(outcome.winner);
        }
        let now = record.now();
        turns += u32::from(now.between_turns());
        if turns > settings.longest {
            return 1;
        }
        let Actor::Player(player) = now.actor() else {
            match now.draw(&mut |cases| rng.below(cases)) {
                Some(decision) => {
                    watch(now, decision, None);
                    record.play(decision);
                }
                None => return 1,
            }
            continue;
        };
        if turns <= settings.random_turns || rng.below(settings.stray) == 0 {
            let mut list = Decisions::new();
            now.sorted_decisions(&mut list);
            match rng.pick(&list) {
                Some(&decision) => {
                    watch(now, decision, None);
                    record.play(decision);
                }
                None => return 1,
            }
            continue;
        }
        let state = now.view(player).for_search(rng);
        let keys = record.recent_keys();
        let task = SearchTask {
            history: &keys,
            turn_keys: &turn_keys,
            selectivity: sides[player.index()].selectivity.unwrap_or(&G::SELECTIVITY),
            ..SearchTask::new(&state, &limits, sides[player.index()].table, &control, &clock)
        };
        let found = search(&task, &mut |_, _| ());
        let Some(&best) = found.line.first() else { return 1 };
        if found.score.abs() >= SURE_WIN {
            return points(Some(if found.score > 0 { player } else { !player }));
        }
        watch(record.now(), best, Some(found.score));
        turn_keys.extend(state.turn_key());
        record.play(best);
        if record.now().between_turns() {
            turn_keys.clear();
        }
    }
}
