//! Tuning of the search's numbers by games (SPSA, J. Spall 1992): all are changed at once in a random
//! direction, two engines that differ by it play, and all move a little towards the better one. How far,
//! follows OpenBench's conventions, so that its lists of parameters mean the same here.

use super::self_play::{SelfPlaySettings, Side, self_play};
use crate::base::{Rng, key_for};
use crate::game::{Playable, Rules, Selectivity};
use crate::search::TranspositionTable;

/// A number that is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// Its name in [`Selectivity::parameters`].
    pub name: String,
    /// The value as it is now; with fractions, though the search uses whole numbers.
    pub value: f64,
    /// The least value allowed.
    pub min: f64,
    /// The greatest value allowed.
    pub max: f64,
    /// How far it is changed for the games of the last iteration.
    pub step: f64,
    /// How far it moves after a win in the last iteration, in parts of the step (OpenBench's `R_end`).
    pub rate: f64,
}

/// How long tuning takes and how its games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// The number of iterations.
    pub iterations: u64,
    /// Pairs of games in each iteration.
    pub pairs: u64,
    /// The seed of directions and openings.
    pub seed: u64,
}

/// How fast the changes shrink (Spall's recommendation), and how fast what is learned from them.
const GAMMA: f64 = 0.101;
const ALPHA: f64 = 0.602;
/// The part of all iterations for which learning is held back at first.
const STABILITY: f64 = 0.1;

/// One iteration: the direction in which each number is changed, and the two engines that come of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// 1 or -1 for each number.
    pub signs: Vec<f64>,
    /// With the numbers changed in that direction, and in the opposite one.
    pub engines: [Selectivity; 2],
}

/// How far a number is changed in iteration `done` (from 0 on), and how far it then moves after a pair won by
/// two games to none.
fn sizes(tuned: &Tuned, schedule: &Schedule, done: u64) -> (f64, f64) {
    let (all, now) = (schedule.iterations.max(1) as f64, done as f64 + 1.0);
    let stability = STABILITY * all;
    let change = tuned.step * (all / now).powf(GAMMA);
    let gain = tuned.rate * tuned.step * tuned.step * ((stability + all) / (stability + now)).powf(ALPHA);
    (change, gain / change)
}

/// `base` with the values of `tuned`, each changed by what `change` gives for its number.
pub fn with_values(base: &Selectivity, tuned: &[Tuned], change: impl Fn(usize) -> f64) -> Selectivity {
    let mut found = *base;
    for (number, own) in tuned.iter().enumerate() {
        let value = (own.value + change(number)).clamp(own.min, own.max);
        found.set(&own.name, value.round() as i32);
    }
    found
}

/// The iteration after `done` others. The same seed gives the same.
pub fn iteration(base: &Selectivity, tuned: &[Tuned], schedule: &Schedule, done: u64) -> Iteration {
    let mut rng = Rng::new(key_for(schedule.seed, done));
    let signs: Vec<f64> = tuned.iter().map(|_| if rng.below(2) == 0 { -1.0 } else { 1.0 }).collect();
    let engine = |side: f64| {
        with_values(base, tuned, |number| side * signs[number] * sizes(&tuned[number], schedule, done).0)
    };
    Iteration { engines: [engine(1.0), engine(-1.0)], signs }
}

/// Moves the numbers after the games of an iteration, which followed `done` others; `wins` are the games that
/// the first engine has won more than the second, drawn ones counting nothing.
pub fn learn(tuned: &mut [Tuned], schedule: &Schedule, done: u64, iteration: &Iteration, wins: f64) {
    for (own, sign) in tuned.iter_mut().zip(&iteration.signs) {
        let (_, gain) = sizes(own, schedule, done);
        own.value = (own.value + gain * wins * sign).clamp(own.min, own.max);
    }
}

/// The result of two games from one opening with colours changed: half points of the first engine, 0 to 4.
/// Both have a table.
pub fn play_pair<G: Playable>(
    rules: &Rules,
    seed: u64,
    settings: &SelfPlaySettings,
    engines: &[Selectivity; 2],
    tables: [&TranspositionTable; 2],
) -> u8 {
    let [first, second] = [0, 1].map(|own| Side { table: tables[own], selectivity: Some(&engines[own]) });
    let as_white =
        self_play(G::start(rules), &mut Rng::new(seed), settings, [first, second], &mut |_, _, _| ());
    let as_black =
        self_play(G::start(rules), &mut Rng::new(seed), settings, [second, first], &mut |_, _, _| ());
    as_white + 2 - as_black
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuned(name: &str, value: f64) -> Tuned {
        Tuned { name: name.to_owned(), value, min: 1.0, max: 500.0, step: 10.0, rate: 0.002 }
    }

    #[test]
    fn the_last_iteration_changes_by_the_step_and_moves_by_the_rate() {
        let schedule = Schedule { iterations: 1_000, pairs: 1, seed: 1 };
        let own = tuned("delta", 200.0);
        let (change, gain) = sizes(&own, &schedule, 999);
        assert!((change - 10.0).abs() < 1e-9 && (gain - 0.02).abs() < 1e-9, "{change} {gain}");
        let (earlier, faster) = sizes(&own, &schedule, 0);
        assert!(earlier > 19.0 && faster > gain, "{earlier} {faster}");
    }

    #[test]
    fn an_iteration_changes_every_number_both_ways_and_is_the_same_again() {
        let base = Selectivity::STANDARD;
        let schedule = Schedule { iterations: 100, pairs: 1, seed: 7 };
        let all = [tuned("delta", 200.0), tuned("futility", 90.0), tuned("aspiration", 30.0)];
        let found = iteration(&base, &all, &schedule, 3);
        assert_eq!(found, iteration(&base, &all, &schedule, 3));
        assert_ne!(found.signs, iteration(&base, &all, &schedule, 4).signs);
        for (number, own) in all.iter().enumerate() {
            let [one, other] = found.engines.each_ref().map(|engine| engine.get(&own.name).unwrap());
            assert_eq!(f64::from(one - other).signum(), found.signs[number], "{}", own.name);
            assert!((f64::from(one + other) / 2.0 - own.value).abs() <= 0.5, "{one} {other}");
        }
    }

    /// Games whose result depends on how far a number is from its best value: tuning finds it.
    #[test]
    fn numbers_move_to_where_games_are_won() {
        let schedule = Schedule { iterations: 4_000, pairs: 4, seed: 3 };
        let mut all = [tuned("delta", 120.0), tuned("futility", 160.0)];
        let best = [210.0, 90.0];
        let mut rng = Rng::new(5);
        for done in 0..schedule.iterations {
            let found = iteration(&Selectivity::STANDARD, &all, &schedule, done);
            let [one, other] = found.engines.each_ref().map(|engine| {
                all.iter()
                    .zip(best)
                    .map(|(own, best)| {
                        let distance = f64::from(engine.get(&own.name).unwrap()) - best;
                        -distance * distance / 400.0
                    })
                    .sum::<f64>()
            });
            let chance = 1.0 / (1.0 + (other - one).exp());
            let wins = (0..2 * schedule.pairs)
                .map(|_| if (rng.below(1 << 20) as f64) < chance * f64::from(1 << 20) { 1.0 } else { -1.0 });
            learn(&mut all, &schedule, done, &found, wins.sum());
        }
        for (own, best) in all.iter().zip(best) {
            assert!((own.value - best).abs() < 12.0, "{all:?}");
        }
    }

    #[test]
    fn no_number_leaves_its_range() {
        let schedule = Schedule { iterations: 10, pairs: 1, seed: 2 };
        let mut all = [Tuned { min: 199.0, max: 201.0, ..tuned("delta", 200.0) }];
        for done in 0..10 {
            let found = iteration(&Selectivity::STANDARD, &all, &schedule, done);
            assert!(found.engines.iter().all(|own| (199..=201).contains(&own.get("delta").unwrap())));
            learn(&mut all, &schedule, done, &found, 1_000.0);
            assert!((199.0..=201.0).contains(&all[0].value));
        }
    }
}
