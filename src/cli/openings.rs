//! The command `carom openings`: balanced positions to begin matches from. They are made by random turns, and
//! a search and games filter them.

use super::bad_input;
use super::position::Game;
use super::progress::Progress;
use crate::base::Rng;
use crate::base::threads::with_stack;
use crate::game::{Actor, ChanceOutcomes, Decisions, Facts, GenType, Playable, Rules};
use crate::notation::parse_position;
use crate::search::{self, Control, Limits, SearchTask, TranspositionTable, WallClock};
use crate::training::self_play::{SelfPlaySettings, Side, self_play};
use crate::variants::{self, Visitor};
use anyhow::bail;
use clap::Args;
use std::collections::HashSet;
use std::io::Write;
use std::time::Instant;

/// Prints positions, one a line, for `carom match -openings file=…`.
#[derive(Args, Debug)]
pub struct Openings {
    #[command(flatten)]
    game: Game,
    /// How many
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100)]
    count: usize,
    /// Random turns of both players together; every second position has one more, so that either side moves
    /// first in half of them
    #[arg(long, value_name = "N", default_value_t = 6)]
    plies: u32,
    /// Depth of the search that judges a position
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Positions it may look at
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
    /// How far from zero its score may be, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 60)]
    within: i32,
    /// Games of the engine against itself from each position, at 500 to 2,000 nodes a decision; it is kept
    /// where both sides score 40 %
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u32,
    /// The same seed gives the same positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Openings {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (facts, rules) = (self.game.facts()?, self.game.rules()?);
        let search = OpeningSearch { openings: self, rules };
        let found = with_stack(|| variants::visit(facts.name, search))?;
        let lines = found.map_err(bad_input)??;
        let Self { count, plies, depth, nodes, within, games, seed, .. } = self;
        let games = if *games > 0 { format!("--games {games} ") } else { String::new() };
        writeln!(
            out,
            "# carom openings --game {} --count {count} --plies {plies} --depth {depth} --nodes {nodes} --within {within} \
             {games}--seed {seed}",
            facts.name
        )?;
        for line in lines {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

struct OpeningSearch<'a> {
    openings: &'a Openings,
    rules: Rules,
}

impl Visitor for OpeningSearch<'_> {
    type Output = anyhow::Result<Vec<String>>;

    fn visit<G: Playable>(self, _: &'static Facts) -> Self::Output {
        let Self { openings: wanted, rules } = self;
        let mut rng = Rng::new(wanted.seed);
        let table = TranspositionTable::new(8)?;
        let limits = Limits { depth: Some(wanted.depth), nodes: Some(wanted.nodes), ..Limits::default() };
        let (control, clock) = (Control::default(), WallClock(Instant::now()));
        let progress = Progress::begin("positions", wanted.count as u64)?;
        progress.ends_at_interrupt()?;
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let most = wanted.count.saturating_mul(1000).max(100_000);
        for tries in 0..most {
            progress.now(format!("{tries} tried"));
            if found.len() == wanted.count {
                return Ok(found);
            }
            let turns = wanted.plies + (found.len() % 2) as u32;
            let Some(state) = walk(&G::start(&rules), turns, &mut rng) else { continue };
            // Only positions that are fully described by their text are used.
            let text = state.write().to_string();
            let again = parse_position(&text).ok().and_then(|position| G::read(&position, &rules).ok());
            if again.is_none_or(|again| again.key() != state.key()) || !seen.insert(state.key()) {
                continue;
            }
            let searched = |state: &G| {
                table.clear(1);
                let task = SearchTask::new(state, &limits, &table, &control, &clock);
                search::search(&task, &mut |_, _| ()).score
            };
            let score = judge(&state, &searched);
            if score.abs() <= wanted.within && even_in_games(&state, wanted.games, &mut rng, &table) {
                found.push(text);
                progress.add(1);
            }
        }
        bail!(
            "only {} such positions were found in {most} tries; allow more with --within or --plies",
            found.len()
        )
    }
}

/// The score of a position; where chance begins the turn, the mean of what may come.
fn judge<G: Playable>(state: &G, searched: &impl Fn(&G) -> i32) -> i32 {
    if state.actor() != Actor::Chance {
        return searched(state);
    }
    let mut outcomes = ChanceOutcomes::new();
    state.outcomes(&mut outcomes);
    let (mut sum, mut cases) = (0, 0);
    for (outcome, weight) in outcomes {
        sum += searched(&state.after(outcome)) * weight as i32;
        cases += weight as i32;
    }
    sum / cases.max(1)
}

/// Whether both sides score at least 40 % in this many games from the position.
fn even_in_games<G: Playable>(state: &G, games: u32, rng: &mut Rng, table: &TranspositionTable) -> bool {
    let white: u32 = (0..games)
        .map(|game| {
            let nodes = 500 + 1500 * u64::from(game) / u64::from(games);
            let settings = SelfPlaySettings { nodes, random_turns: 0, longest: 400, stray: usize::MAX };
            u32::from(self_play(state.clone(), rng, &settings, [Side::new(table); 2], &mut |_, _, _| ()))
        })
        .sum();
    // `white` is in half points, two for each game.
    white * 5 >= games * 4 && white * 5 <= games * 6
}

/// The state after `turns` random turns; `None` when the game ends before.
fn walk<G: Playable>(start: &G, turns: u32, rng: &mut Rng) -> Option<G> {
    let mut state = start.clone();
    let mut list = Decisions::new();
    let mut left = turns;
    while left > 0 {
        if state.outcome().is_some() {
            return None;
        }
        let decision = if state.actor() == Actor::Chance {
            state.draw(&mut |cases| rng.below(cases))?
        } else {
            list.clear();
            state.decisions(GenType::All, &mut list);
            *rng.pick(&list)?
        };
        state.apply(decision);
        left -= u32::from(state.between_turns());
    }
    (state.outcome().is_none() && state.actor() != Actor::Nobody).then_some(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::variants::chess;

    #[test]
    fn games_tell_even_positions_from_won_ones() {
        let table = TranspositionTable::new(1).unwrap();
        let even = |fen: &str| {
            let rules = Rules::of(chess::State::GAMES[0]);
            let state = chess::State::read(&parse_position(fen).unwrap(), &rules).unwrap();
            even_in_games(&state, 2, &mut Rng::new(1), &table)
        };
        assert!(even("4k2n/8/8/8/8/8/8/N3K3 w - - 0 1"));
        assert!(!even("4k3/8/8/8/8/8/8/3QK3 w - - 0 1"));
        assert!(!even("3qk3/8/8/8/8/8/8/4K3 w - - 0 1"));
    }
}
