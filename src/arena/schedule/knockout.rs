//! Knockout: the list of engines is the seeding. A drawn encounter is repeated with other openings until one
//! side is ahead.

use super::{Phase, Results, Schedule};
use litemap::LiteMap;

/// The number of repetitions of a drawn encounter after which the better seed goes on.
const REPLAYS: usize = 8;

/// A knockout, as far as it has been played.
#[derive(Default)]
pub struct Knockout {
    /// What comes next, if anything does: the next round, or a repetition of this one's drawn encounters.
    pub next: Option<(u64, Vec<[usize; 2]>)>,
    /// The engine that has won the knockout.
    pub winner: Option<usize>,
    /// The last stage that each engine reached; repetitions of drawn encounters do not count.
    pub stages: LiteMap<usize, u64>,
}

/// Replays the knockout from its finished `phases`.
pub fn walk(schedule: &Schedule, phases: &[Phase], results: &Results) -> Knockout {
    let mut knockout = Knockout::default();
    let mut field = bracket(schedule.engines);
    let mut phases = phases.iter();
    let mut round = 0;
    let mut stage = 0;
    loop {
        stage += 1;
        for &engine in field.iter().flatten() {
            knockout.stages.insert(engine, stage);
        }
        if let [winner] = field.as_slice() {
            knockout.winner = *winner;
            return knockout;
        }
        let meetings: Vec<[Option<usize>; 2]> = field.chunks_exact(2).map(|two| [two[0], two[1]]).collect();
        // An engine without an opponent goes on.
        let mut winners: Vec<Option<usize>> =
            meetings.iter().map(|two| if two[1].is_none() { two[0] } else { None }).collect();
        let mut replays = 0;
        loop {
            let open: Vec<usize> = (0..meetings.len()).filter(|&at| winners[at].is_none()).collect();
            if open.is_empty() {
                break;
            }
            round += 1;
            let encounters = open.iter().filter_map(|&at| Some([meetings[at][0]?, meetings[at][1]?]));
            let Some(phase) = phases.next() else {
                knockout.next = Some((round, encounters.collect()));
                return knockout;
            };
            replays += 1;
            for (number, &at) in open.iter().enumerate() {
                let [one, other] = schedule.score(phase, number, results);
                let [first, second] = meetings[at];
                winners[at] = match one.cmp(&other) {
                    std::cmp::Ordering::Greater => first,
                    std::cmp::Ordering::Less => second,
                    std::cmp::Ordering::Equal if replays > REPLAYS => first.min(second),
                    std::cmp::Ordering::Equal => None,
                };
            }
        }
        field = winners;
    }
}

/// The seeds in the order in which neighbours meet, such that 1 and 2 can meet only in the last round.
/// Missing seeds are `None` and stand second.
fn bracket(engines: usize) -> Vec<Option<usize>> {
    let mut order = vec![0];
    while order.len() < engines {
        let size = order.len() * 2;
        order = order.iter().flat_map(|&seed| [seed, size - 1 - seed]).collect();
    }
    order.into_iter().map(|seed| (seed < engines).then_some(seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_last() {
        assert_eq!(bracket(4), [0, 3, 1, 2].map(Some));
        assert_eq!(bracket(3), [Some(0), None, Some(1), Some(2)]);
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5].map(Some));
    }
}
