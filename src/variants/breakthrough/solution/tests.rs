//! Sets against placements looked at one by one, and a board whose middles have mirror images.

use super::Solution;
use super::sets::Set;
use crate::base::{Color, Rng};
use crate::game::{Notation, Rules};
use crate::variants::breakthrough::{FACTS, State};

fn has<const WORDS: usize>(set: &Set<WORDS>, placement: usize) -> bool {
    set.0[placement / 64] >> (placement % 64) & 1 == 1
}

/// All that is done to sets of two rows of so many files.
fn compare<const WORDS: usize>(files: usize) {
    let mut random = Rng::new(files as u64);
    let set = Set::<WORDS>(std::array::from_fn(|_| random.bits()));
    let squares = 2 * files;
    let mirror = |placement: usize| -> usize {
        let other = |square: usize| square / files * files + files - 1 - square % files;
        (0..squares).filter(|square| placement >> square & 1 == 1).map(|square| 1 << other(square)).sum()
    };
    let mirrored = set.mirrored(files);
    for placement in 0..1 << squares {
        assert_eq!(has(&mirrored, placement), has(&set, mirror(placement)), "{files} {placement}");
    }
    for square in 0..squares {
        let (occupied, empty) = (set.once_occupied(square), set.once_empty(square));
        let with = [true, false].map(|there| set.or_where(square, there));
        for placement in 0..1 << squares {
            let (own, there) = (has(&set, placement), placement >> square & 1 == 1);
            assert_eq!(has(&occupied, placement), has(&set, placement | 1 << square));
            assert_eq!(has(&empty, placement), has(&set, placement & !(1 << square)));
            assert_eq!(with.map(|with| has(&with, placement)), [own || there, own || !there]);
        }
    }
}

#[test]
fn sets_hold_what_their_placements_say() {
    compare::<4>(4);
    compare::<16>(5);
    compare::<64>(6);
}

/// What others have found for 5x5 (Little Golem's forum, 3 December 2006): Black wins within 26 plies, and no win takes
/// more than 30.
#[test]
fn five_files_and_rows_are_solved_as_others_have() {
    let mut rules = Rules::of(&FACTS);
    rules.set(&FACTS, "board-size", "5x5").unwrap();
    let start = State::start(&rules);
    let mut solution = Solution::new(&rules).unwrap();
    let mut won = [None; 2];
    while solution.deepen(2) {
        for color in Color::ALL {
            if solution.wins(&start, color) == Some(true) {
                won[color.index()].get_or_insert(solution.plies());
            }
        }
    }
    assert_eq!((won, solution.plies() - 2), ([None, Some(26)], 30));
    assert_eq!(solution.winner(&start), Color::Black);
    assert_eq!(solution.check(&mut Rng::new(2), 100_000), None);
}
