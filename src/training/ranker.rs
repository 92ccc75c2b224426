//! Learning which steps of a turn are worth following: softmax over the steps of a moment, of which a search
//! chose one.

use super::games::PlayedGame;
use crate::base::{Color, Rng};
use crate::game::step_ranker::{PARTS_OF_A_CENTIPAWN, StepRanker};
use crate::game::{Decisions, GenType, Playable, Rules};
use std::ops::Range;

/// Where a search found more than that, in centipawns, the game is decided and many turns are as good.
const MOST_SCORE: i16 = 2_000;
/// One game in so many is held back.
const HELD_BACK: usize = 20;
/// How many logarithms of odds a pawn of the terms is worth at first.
const FIRST_SLOPE: f32 = 2.0;
/// Steps this likely to be right, or wrong, teach nothing.
const SURE: f32 = 1e-3;

/// The settings of a training run.
#[derive(Clone, Copy, Debug)]
pub struct RankerSettings {
    /// Times every step is seen.
    pub epochs: u32,
    /// The step size, which Adagrad (J. Duchi et al. 2011) makes smaller for each weight as it changes.
    pub rate: f32,
    /// Seed of the order of the games.
    pub seed: u64,
}

/// How far learning has come.
#[derive(Clone, Copy, Debug)]
pub enum RankerProgress {
    /// So many games have been played again.
    Game {
        /// Those that are done.
        done: u64,
        /// All, in all epochs.
        of: u64,
    },
    /// Every step was seen once more.
    Epoch {
        /// The number of the epoch, from 1 on.
        number: u32,
        /// How well the steps that are held back are predicted.
        unseen: Accuracy,
    },
}

/// How well steps are predicted.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Accuracy {
    /// The number of choices.
    pub choices: u64,
    /// The sum of the logarithms of the chosen steps' probabilities, negated.
    pub loss: f64,
    /// How often the chosen step came first.
    pub first: u64,
    /// The same by the terms set by hand alone.
    pub first_by_terms: u64,
}

/// A step that could have been chosen: the inputs that are on afterwards, as the player sees them, and what the
/// terms set by hand say, in pawns.
struct Candidate {
    inputs: Range<usize>,
    eval: f32,
}

/// The steps of a moment of which one was chosen. The room is used again for the next.
#[derive(Default)]
struct Choice {
    inputs: Vec<u16>,
    candidates: Vec<Candidate>,
    chosen: usize,
    bucket: usize,
}

impl Choice {
    /// Steps of `state` that lead to the middle of the turn, or to its end, whichever `decision` does. False where
    /// there is nothing to learn.
    fn read<G: Playable>(&mut self, player: Color, state: &G, decision: G::Decision) -> bool {
        self.inputs.clear();
        self.candidates.clear();
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        let chosen = state.after(decision);
        if chosen.decided().is_some() {
            return false;
        }
        self.bucket = chosen.bucket();
        for &step in &list {
            let after = state.after(step);
            if after.decided().is_some() || after.between_turns() != chosen.between_turns() {
                continue;
            }
            if step == decision {
                self.chosen = self.candidates.len();
            }
            let from = self.inputs.len();
            let terms =
                after.inputs_seen_by_and_classical_eval(player, |input| self.inputs.push(input as u16));
            let eval = if player == Color::White { terms } else { -terms } as f32 / 100.0;
            self.candidates.push(Candidate { inputs: from..self.inputs.len(), eval });
        }
        self.candidates.len() > 1
    }
}

/// The weights of one bucket, and the sums of the squares of their gradients.
struct Weights {
    inputs: Vec<f32>,
    squares: Vec<f32>,
    /// What a pawn of the terms counts.
    slope: f32,
    slope_square: f32,
}

impl Weights {
    fn new(inputs: usize) -> Self {
        Self {
            inputs: vec![0.0; inputs],
            squares: vec![0.01; inputs],
            slope: FIRST_SLOPE,
            slope_square: 0.01,
        }
    }

    /// How each candidate is ranked.
    fn ranks<'a>(&'a self, choice: &'a Choice) -> impl Iterator<Item = f32> + 'a {
        choice.candidates.iter().map(move |candidate| {
            let sum: f32 = choice.inputs[candidate.inputs.clone()]
                .iter()
                .map(|&input| self.inputs[usize::from(input)])
                .sum();
            sum + self.slope * candidate.eval
        })
    }

    /// The probability of each candidate, in `probable`.
    fn probabilities(&self, choice: &Choice, probable: &mut Vec<f32>) {
        probable.clear();
        probable.extend(self.ranks(choice));
        let most = probable.iter().copied().fold(f32::MIN, f32::max);
        probable.iter_mut().for_each(|rank| *rank = (*rank - most).exp());
        let sum: f32 = probable.iter().sum();
        probable.iter_mut().for_each(|rank| *rank /= sum);
    }

    /// A step of Adagrad for one choice.
    fn learn(&mut self, choice: &Choice, rate: f32, room: &mut Room) {
        self.probabilities(choice, &mut room.probable);
        let mut slope = 0.0;
        for (index, (candidate, &probable)) in choice.candidates.iter().zip(&room.probable).enumerate() {
            let error = probable - f32::from(u8::from(index == choice.chosen));
            if error.abs() < SURE {
                continue;
            }
            slope += error * candidate.eval;
            for &input in &choice.inputs[candidate.inputs.clone()] {
                let gradient = &mut room.gradient[usize::from(input)];
                if *gradient == 0.0 {
                    room.touched.push(input);
                }
                *gradient += error;
            }
        }
        for input in room.touched.drain(..) {
            let gradient = std::mem::take(&mut room.gradient[usize::from(input)]);
            let square = &mut self.squares[usize::from(input)];
            *square += gradient * gradient;
            self.inputs[usize::from(input)] -= rate * gradient / square.sqrt();
        }
        self.slope_square += slope * slope;
        self.slope -= rate * slope / self.slope_square.sqrt();
    }

    /// Adds how one choice is predicted.
    fn judge(&self, choice: &Choice, room: &mut Room, accuracy: &mut Accuracy) {
        self.probabilities(choice, &mut room.probable);
        let likely = room.probable[choice.chosen];
        accuracy.choices += 1;
        accuracy.loss -= f64::from(likely.max(f32::MIN_POSITIVE).ln());
        accuracy.first += u64::from(room.probable.iter().all(|&other| other <= likely));
        let best = choice.candidates[choice.chosen].eval;
        accuracy.first_by_terms += u64::from(choice.candidates.iter().all(|other| other.eval <= best));
    }

    /// The weights beside terms in centipawns, as a ranker holds them.
    fn numbers(&self) -> impl Iterator<Item = i16> + '_ {
        // With hardly any slope the terms would count for nothing.
        let scale = 100.0 * PARTS_OF_A_CENTIPAWN as f32 / self.slope.max(0.1);
        self.inputs.iter().map(move |weight| (weight * scale).round() as i16)
    }
}

/// Room to work in.
struct Room {
    probable: Vec<f32>,
    /// 0 but for the inputs that are `touched`.
    gradient: Vec<f32>,
    touched: Vec<u16>,
}

/// Learns from the steps that were chosen in these games, each of which is played by its own rules; games of
/// one-step turns teach nothing. `None` where the game has no inputs.
pub fn train_ranker<G: Playable>(
    games: &[(PlayedGame, Rules)],
    settings: RankerSettings,
    mut listen: impl FnMut(RankerProgress),
) -> Option<StepRanker> {
    let mut weights: Vec<_> = (0..G::BUCKETS).map(|_| Weights::new(G::INPUTS)).collect();
    let mut room = Room { probable: Vec::new(), gradient: vec![0.0; G::INPUTS], touched: Vec::new() };
    let mut choice = Choice::default();
    let mut rng = Rng::new(settings.seed);
    let (held_back, mut learned): (Vec<_>, Vec<_>) =
        (0..games.len()).partition(|number| number % HELD_BACK == HELD_BACK - 1);
    let of = games.len() as u64 * u64::from(settings.epochs);
    let mut done = 0;
    for number in 1..=settings.epochs {
        for index in (1..learned.len()).rev() {
            learned.swap(index, rng.below(index + 1));
        }
        let mut unseen = Accuracy::default();
        for (game, learns) in
            learned.iter().map(|&game| (game, true)).chain(held_back.iter().map(|&game| (game, false)))
        {
            let (game, rules) = &games[game];
            game.replay(rules, &mut |(player, _), state: &G, decision, score| {
                let decided = score.abs() > MOST_SCORE || state.wins_now();
                if decided || !choice.read(player, state, decision) {
                    return;
                }
                let weights = &mut weights[choice.bucket];
                if learns {
                    weights.learn(&choice, settings.rate, &mut room);
                } else {
                    weights.judge(&choice, &mut room, &mut unseen);
                }
            });
            done += 1;
            listen(RankerProgress::Game { done, of });
        }
        listen(RankerProgress::Epoch { number, unseen });
    }
    StepRanker::new(weights.iter().flat_map(Weights::numbers).collect(), (G::BUCKETS, G::INPUTS))
}
