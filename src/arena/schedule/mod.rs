//! The schedule of a match: who plays whom in which game.
//!
//! Games are numbered from 1. In round robin and gauntlet the pairing depends on the number alone, so that
//! any part of a match can be played anywhere. Swiss and knockout go by phases: the pairings of a phase
//! depend on the results of the phases before it.

mod knockout;
mod swiss;

use crate::session::chance::seed_in_match;
use litemap::LiteMap;

/// The formats of a match. Two engines play a round robin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Every engine against every other.
    RoundRobin,
    /// Each of the first engines against all the others.
    Gauntlet {
        /// The number of engines at the head of the list.
        seeds: usize,
    },
    /// Every engine against all before it in the list.
    Pyramid,
    /// In every round against an engine of similar score, never twice against the same.
    Swiss,
    /// The loser of an encounter is out.
    Knockout,
}

/// When a new opening is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// For each encounter, and after so many games as share one.
    Default,
    /// For each encounter.
    Encounter,
    /// For each round.
    Round,
}

/// Everything that the pairings depend on.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The format of the match.
    pub format: Format,
    /// The number of engines, at least 2.
    pub engines: usize,
    /// The number of rounds.
    pub rounds: u64,
    /// The number of games of an encounter in each round.
    pub games: u64,
    /// The number of games in a row that share an opening.
    pub repeat: u64,
    /// Whether these games share dice and cards as well.
    pub duplicate: bool,
    /// Whether colours alternate between the games of an encounter.
    pub swap: bool,
    /// Whether each encounter begins with the other colours.
    pub reverse: bool,
    /// When a new opening is taken; `None`: all encounters of a round share the openings, with a new one
    /// after so many games as share one.
    pub policy: Option<Policy>,
    /// The seed of openings, dice and cards.
    pub seed: u64,
}

/// One game to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the game, from 1 on.
    pub number: u64,
    /// The number of the round, from 1 on.
    pub round: u64,
    /// The number of the pair (the games that share an opening), from 1 on.
    pub pair: u64,
    /// The index of the opening, from 0 on; after the end of the list it begins again.
    pub opening: u64,
    /// The engines' indices in the list, White's first.
    pub engines: [usize; 2],
    /// The seed of the game's dice and cards; not 0.
    pub seed: u64,
}

/// White's half points (2, 1 or 0) in the finished games, by game number.
pub type Results = LiteMap<u64, u32>;

/// The answer to a request for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The game can be played.
    Play(Pairing),
    /// The pairing depends on games that are not finished yet.
    Wait,
    /// The match has no such game.
    Over,
}

/// A part of a match whose encounters become known together.
struct Phase {
    round: u64,
    /// The number of games before this phase.
    before: u64,
    encounters: Vec<[usize; 2]>,
}

impl Schedule {
    /// The number of games; `None` when it depends on the results.
    pub fn total(&self) -> Option<u64> {
        let n = self.engines as u64;
        let encounters = match self.format {
            Format::RoundRobin | Format::Pyramid => n * (n - 1) / 2,
            Format::Gauntlet { seeds } => seeds as u64 * (n - seeds as u64),
            Format::Swiss => n / 2,
            Format::Knockout => return None,
        };
        Some(encounters.saturating_mul(self.games).saturating_mul(self.rounds))
    }

    /// The number of games in part `part` of `parts`, where pairs stay together.
    pub fn total_of_part(&self, part: u64, parts: u64) -> Option<u64> {
        let total = self.total()?;
        // All pairs of an encounter have `repeat` games, except the last, which may have fewer.
        let pairs = self.games.div_ceil(self.repeat);
        let missing = pairs * self.repeat - self.games;
        let encounters = total / self.games;
        // How many of 0, 1, …, count - 1 leave the remainder `part` - 1.
        let ours = |count: u64| (count + parts - part) / parts;
        let short = match missing {
            0 => 0,
            // Which encounters' last pairs are ours repeats after `parts` encounters.
            _ => {
                let is_ours = |encounter: &u64| (encounter * pairs + pairs - 1) % parts == part - 1;
                let (whole, rest) = (encounters / parts, encounters % parts);
                let in_rest = (0..rest).filter(is_ours).count() as u64;
                let in_all = if whole == 0 { 0 } else { (0..parts).filter(is_ours).count() as u64 };
                whole * in_all + in_rest
            }
        };
        Some(ours(encounters * pairs) * self.repeat - short * missing)
    }

    /// True when games come in pairs with colours reversed.
    pub const fn is_paired(&self) -> bool {
        self.repeat == 2 && self.swap && self.games.is_multiple_of(2)
    }

    /// True when the pairings do not depend on results.
    pub const fn is_fixed(&self) -> bool {
        matches!(self.format, Format::RoundRobin | Format::Pyramid | Format::Gauntlet { .. })
    }

    /// The game with this number, from 1 on.
    pub fn game(&self, number: u64, results: &Results) -> Next {
        let Some(index) = number.checked_sub(1) else { return Next::Over };
        if self.is_fixed() {
            let encounters = self.encounters();
            let a_round = encounters.len() as u64 * self.games;
            let round = index / a_round;
            if round >= self.rounds {
                return Next::Over;
            }
            return Next::Play(self.pairing(number, round + 1, index % a_round, &encounters));
        }
        let (finished, next) = self.phases(results);
        let over = if next.is_some() { Next::Wait } else { Next::Over };
        let holds = |phase: &&Phase| index < phase.before + phase.encounters.len() as u64 * self.games;
        finished.iter().chain(&next).find(holds).map_or(over, |phase| {
            Next::Play(self.pairing(number, phase.round, index - phase.before, &phase.encounters))
        })
    }

    /// The finished phases, and the phase after them.
    fn phases(&self, results: &Results) -> (Vec<Phase>, Option<Phase>) {
        let mut finished = Vec::new();
        let mut before = 0;
        while let Some((round, encounters)) = self.next_phase(&finished, results) {
            let games = encounters.len() as u64 * self.games;
            let phase = Phase { round, before, encounters };
            before += games;
            if !(phase.before + 1..=before).all(|number| results.contains_key(&number)) {
                return (finished, Some(phase));
            }
            finished.push(phase);
        }
        (finished, None)
    }

    /// The number of games in finished rounds that count as won because the engine had no opponent, in a
    /// Swiss match.
    pub fn byes(&self, results: &Results) -> LiteMap<usize, u64> {
        let mut byes = LiteMap::new();
        for phase in self.phases(results).0 {
            for engine in
                (0..self.engines).filter(|engine| !phase.encounters.iter().flatten().any(|e| e == engine))
            {
                *byes.entry(engine).or_default() += self.games;
            }
        }
        byes
    }

    /// The last stage of a knockout that each engine reached, and the winner.
    pub fn knocked_out(&self, results: &Results) -> (LiteMap<usize, u64>, Option<usize>) {
        let knockout = knockout::walk(self, &self.phases(results).0, results);
        (knockout.stages, knockout.winner)
    }

    /// The pairing of a game; `index` is its place in the round or phase, from 0 on.
    fn pairing(&self, number: u64, round: u64, index: u64, encounters: &[[usize; 2]]) -> Pairing {
        let [first, second] = encounters[(index / self.games) as usize];
        let game = index % self.games;
        let pairs_a_game = self.games.div_ceil(self.repeat);
        let pairs_before = (number - 1 - index) / self.games * pairs_a_game;
        let pair = pairs_before + index / self.games * pairs_a_game + game / self.repeat + 1;
        let opening = match self.policy {
            None => (round - 1) * pairs_a_game + game / self.repeat,
            Some(Policy::Default) => pair - 1,
            Some(Policy::Encounter) => (number - 1) / self.games,
            Some(Policy::Round) => round - 1,
        };
        // With one game per round, colours alternate from round to round.
        let swapped = self.swap && (game + if self.games == 1 { round - 1 } else { 0 }) % 2 == 1;
        let engines = if swapped != self.reverse { [second, first] } else { [first, second] };
        // What an engine saw in one game must reveal nothing about another.
        let dealt = if self.duplicate { number - game % self.repeat } else { number };
        Pairing { number, round, pair, opening, engines, seed: seed_in_match(self.seed, dealt) }
    }

    /// The seed of the order of the openings, which all players can see.
    pub fn openings_seed(&self) -> u64 {
        seed_in_match(self.seed, 0)
    }

    /// The encounters of a round of a fixed format.
    fn encounters(&self) -> Vec<[usize; 2]> {
        match self.format {
            Format::Gauntlet { seeds } => {
                (0..seeds).flat_map(|seed| (seeds..self.engines).map(move |other| [seed, other])).collect()
            }
            Format::Pyramid => {
                (1..self.engines).flat_map(|own| (0..own).map(move |other| [own, other])).collect()
            }
            _ => circle(self.engines),
        }
    }

    fn next_phase(&self, phases: &[Phase], results: &Results) -> Option<(u64, Vec<[usize; 2]>)> {
        match self.format {
            Format::Swiss => swiss::next(self, phases, results),
            _ => knockout::walk(self, phases, results).next,
        }
    }

    /// The half points of both sides of an encounter in a finished phase.
    fn score(&self, phase: &Phase, encounter: usize, results: &Results) -> [u32; 2] {
        let mut score = [0; 2];
        for game in 0..self.games {
            let index = encounter as u64 * self.games + game;
            let pairing = self.pairing(phase.before + index + 1, phase.round, index, &phase.encounters);
            let white = results.get(&pairing.number).copied().unwrap_or(1);
            let first = usize::from(pairing.engines[0] != phase.encounters[encounter][0]);
            score[first] += white;
            score[1 - first] += 2 - white;
        }
        score
    }
}

/// All encounters by the circle method (F. Berger's tables), in which every engine plays early.
fn circle(engines: usize) -> Vec<[usize; 2]> {
    let places = engines + engines % 2;
    let mut encounters = Vec::new();
    for round in 0..places.saturating_sub(1) {
        for board in 0..places / 2 {
            let seat = |at: usize| if at == 0 { 0 } else { (at - 1 + round) % (places - 1) + 1 };
            let (one, other) = (seat(board), seat(places - 1 - board));
            // The extra place of an odd number of engines is a bye.
            if one.max(other) < engines {
                encounters.push(if round % 2 == 1 && board == 0 { [other, one] } else { [one, other] });
            }
        }
    }
    encounters
}

#[cfg(test)]
mod tests;
