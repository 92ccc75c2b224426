//! Swiss rounds: engines of similar score meet, no two meet twice, and none has two byes.

use super::{Phase, Results, Schedule};
use crate::base::order::sort_by_cached_key;

/// The round after the finished `phases`.
pub fn next(schedule: &Schedule, phases: &[Phase], results: &Results) -> Option<(u64, Vec<[usize; 2]>)> {
    let round = phases.len() as u64 + 1;
    if round > schedule.rounds {
        return None;
    }
    let engines = schedule.engines;
    let mut points = vec![0; engines];
    let mut met = vec![vec![false; engines]; engines];
    let mut was_free = vec![false; engines];
    for phase in phases {
        let mut plays = vec![false; engines];
        for (number, &[one, other]) in phase.encounters.iter().enumerate() {
            let score = schedule.score(phase, number, results);
            points[one] += score[0];
            points[other] += score[1];
            (met[one][other], met[other][one]) = (true, true);
            (plays[one], plays[other]) = (true, true);
        }
        if let Some(free) = plays.iter().position(|plays| !plays) {
            // A bye counts as won.
            points[free] += 2 * schedule.games as u32;
            was_free[free] = true;
        }
    }
    let mut order: Vec<usize> = (0..engines).collect();
    sort_by_cached_key(&mut order, |&engine| (std::cmp::Reverse(points[engine]), engine));
    if round == 1 {
        // The upper half plays the lower half, in the order of the list.
        let half = engines / 2;
        return Some((round, (0..half).map(|board| [board, board + half]).collect()));
    }
    if engines % 2 == 1 {
        // The lowest engine without a bye so far.
        let free = order.iter().rposition(|&engine| !was_free[engine]).unwrap_or(order.len() - 1);
        order.remove(free);
    }
    let mut encounters = Vec::new();
    let mut tries = 0;
    if !pair(&order, &points, &met, &mut encounters, &mut tries) {
        // With more rounds than opponents, some must meet again.
        encounters = order.chunks_exact(2).map(|two| [two[0], two[1]]).collect();
    }
    // Which engine is listed first changes, so that with single games the same side is not always White.
    if round.is_multiple_of(2) {
        encounters.iter_mut().for_each(|encounter| encounter.reverse());
    }
    Some((round, encounters))
}

/// Pairs the engines in `order`, which is sorted by points. In a group of equals the upper half meets the
/// lower half; where that fails, it backtracks.
fn pair(
    order: &[usize],
    points: &[u32],
    met: &[Vec<bool>],
    encounters: &mut Vec<[usize; 2]>,
    tries: &mut u32,
) -> bool {
    let Some((&first, rest)) = order.split_first() else { return true };
    let equals = rest.iter().take_while(|&&other| points[other] == points[first]).count();
    let half = equals.div_ceil(2).saturating_sub(1);
    for at in (half..equals).chain((0..half).rev()).chain(equals..rest.len()) {
        *tries += 1;
        if *tries > 1_000_000 {
            return false;
        }
        let other = rest[at];
        if !met[first][other] {
            let mut left = rest.to_vec();
            left.remove(at);
            encounters.push([first, other]);
            if pair(&left, points, met, encounters, tries) {
                return true;
            }
            encounters.pop();
        }
    }
    false
}
