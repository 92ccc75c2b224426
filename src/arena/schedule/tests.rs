use super::*;
use std::collections::{BTreeMap, BTreeSet};

fn schedule(format: Format, engines: usize, rounds: u64, games: u64) -> Schedule {
    Schedule {
        format,
        engines,
        rounds,
        games,
        repeat: 2,
        duplicate: false,
        swap: true,
        reverse: false,
        policy: None,
        seed: 7,
    }
}

fn pairing(schedule: &Schedule, number: u64) -> Pairing {
    match schedule.game(number, &Results::new()) {
        Next::Play(pairing) => pairing,
        other => panic!("{number}: {other:?}"),
    }
}

#[test]
fn pairs_share_an_opening_with_colours_changed() {
    let schedule = schedule(Format::RoundRobin, 2, 3, 2);
    assert_eq!(schedule.total(), Some(6));
    for pair in 0..3 {
        let (one, two) = (pairing(&schedule, 2 * pair + 1), pairing(&schedule, 2 * pair + 2));
        assert_eq!((one.pair, one.opening), (two.pair, two.opening));
        assert_eq!((one.opening, one.round, one.pair), (pair, pair + 1, pair + 1));
        assert_eq!((one.engines, two.engines), ([0, 1], [1, 0]));
    }
    assert_eq!(schedule.game(7, &Results::new()), Next::Over);
    assert_eq!(schedule.game(0, &Results::new()), Next::Over);
    let long = Schedule { repeat: 2, games: 10, rounds: 1, ..schedule.clone() };
    let openings: Vec<u64> = (1..=10).map(|number| pairing(&long, number).opening).collect();
    assert_eq!(openings, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    let locked = Schedule { swap: false, ..schedule };
    assert!((1..=6).all(|number| pairing(&locked, number).engines == [0, 1]));
}

#[test]
fn no_two_games_share_dice_and_cards_but_those_of_a_pair_where_that_is_wanted() {
    let formats = [Format::RoundRobin, Format::Gauntlet { seeds: 2 }, Format::Swiss, Format::Knockout];
    for (format, repeat, duplicate) in formats
        .into_iter()
        .flat_map(|f| [(f, 1, false), (f, 2, false), (f, 3, false), (f, 3, true), (f, 2, true)])
    {
        let schedule = Schedule { repeat, duplicate, ..schedule(format, 4, 3, 4) };
        let (played, _) = play_all(&schedule, true);
        let mut dealt: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for pairing in &played {
            dealt.entry(pairing.seed).or_default().insert(pairing.pair);
        }
        let pairs: BTreeSet<u64> = played.iter().map(|pairing| pairing.pair).collect();
        assert!(dealt.values().all(|pairs| pairs.len() == 1), "{format:?}");
        assert_eq!(dealt.len(), if duplicate { pairs.len() } else { played.len() }, "{format:?}, {repeat}");
        assert!(!dealt.contains_key(&schedule.openings_seed()));
        // The same match gives the same games, and another seed gives others.
        assert_eq!(play_all(&schedule, true).0, played);
        let other = Schedule { seed: 8, ..schedule };
        assert!(play_all(&other, true).0.iter().all(|pairing| !dealt.contains_key(&pairing.seed)));
    }
}

#[test]
fn everybody_meets_everybody_once_a_round_and_early() {
    for engines in 2..=9 {
        let schedule = schedule(Format::RoundRobin, engines, 2, 2);
        let total = schedule.total().unwrap();
        let mut met = BTreeMap::new();
        for number in 1..=total {
            let pairing = pairing(&schedule, number);
            assert_ne!(pairing.engines[0], pairing.engines[1]);
            *met.entry(pairing.engines).or_insert(0) += 1;
        }
        assert_eq!(met.len(), engines * (engines - 1));
        assert!(met.values().all(|times| *times == 2), "{engines}: {met:?}");
        // The first games of the first round show all engines but one at most.
        let early: BTreeSet<usize> =
            (1..=engines as u64 / 2 * 2).flat_map(|number| pairing(&schedule, number).engines).collect();
        assert!(early.len() >= engines - 1);
        // Pairs are numbered without gaps.
        let pairs: BTreeSet<u64> = (1..=total).map(|number| pairing(&schedule, number).pair).collect();
        assert_eq!(pairs, (1..=total / 2).collect());
    }
}

#[test]
fn single_games_change_colours_from_round_to_round() {
    let schedule = schedule(Format::RoundRobin, 2, 4, 1);
    let whites: Vec<usize> = (1..=4).map(|number| pairing(&schedule, number).engines[0]).collect();
    assert_eq!(whites, [0, 1, 0, 1]);
}

#[test]
fn a_gauntlet_is_run_by_its_seeds() {
    let schedule = schedule(Format::Gauntlet { seeds: 2 }, 5, 1, 2);
    assert_eq!(schedule.total(), Some(12));
    for number in 1..=12 {
        let engines = pairing(&schedule, number).engines;
        assert_eq!(engines.iter().filter(|engine| **engine < 2).count(), 1);
    }
}

/// Plays a whole match in which the engine earlier in the list wins, or draws with its neighbour if `draws`.
fn play_all(schedule: &Schedule, draws: bool) -> (Vec<Pairing>, Results) {
    let mut results = Results::new();
    let mut played = Vec::new();
    for number in 1.. {
        match schedule.game(number, &results) {
            Next::Play(pairing) => {
                // A game of the next phase must wait.
                let [white, black] = pairing.engines;
                let half = if draws && white.abs_diff(black) == 1 {
                    1
                } else if white < black {
                    2
                } else {
                    0
                };
                results.insert(number, half);
                played.push(pairing);
            }
            Next::Over => return (played, results),
            Next::Wait => panic!("everything before {number} is known"),
        }
    }
    unreachable!()
}

#[test]
fn the_games_of_a_part_are_counted_without_looking_at_each() {
    for (games, repeat) in [(1, 1), (2, 2), (3, 2), (7, 3), (4, 9), (5, 1)] {
        let schedule = Schedule { repeat, ..schedule(Format::RoundRobin, 3, 4, games) };
        let total = schedule.total().unwrap();
        for parts in 1..=total + 3 {
            for part in 1..=parts {
                let ours = (1..=total).filter(|&n| (pairing(&schedule, n).pair - 1) % parts == part - 1);
                let (ours, told) = (ours.count() as u64, schedule.total_of_part(part, parts));
                assert_eq!(told, Some(ours), "part {part} of {parts}, {games} games, {repeat} a pair");
            }
        }
    }
}

#[test]
fn swiss_rounds_wait_pair_equals_and_never_twice_the_same() {
    for engines in 4..=9 {
        let schedule = schedule(Format::Swiss, engines, 3, 2);
        let a_round = engines as u64 / 2 * 2;
        assert_eq!(schedule.game(a_round + 1, &Results::new()), Next::Wait);
        let (played, _) = play_all(&schedule, false);
        assert_eq!(Some(played.len() as u64), schedule.total());
        let mut met = BTreeSet::new();
        for pairing in played.iter().filter(|pairing| pairing.number % 2 == 1) {
            let mut engines = pairing.engines;
            engines.sort_unstable();
            assert!(met.insert(engines), "{engines:?} met twice");
        }
        for round in 1..=3 {
            let busy: Vec<usize> =
                played.iter().filter(|p| p.round == round).flat_map(|pairing| pairing.engines).collect();
            assert!((0..engines).all(|one| [0, 2].contains(&busy.iter().filter(|e| **e == one).count())));
        }
    }
    // The two who have won twice meet in round three.
    let (played, _) = play_all(&schedule(Format::Swiss, 8, 3, 1), false);
    let last: BTreeSet<usize> = played[8].engines.into_iter().collect();
    assert_eq!(last, BTreeSet::from([0, 1]));
}

#[test]
fn knockout_ends_with_one_and_plays_draws_again() {
    let (played, _) = play_all(&schedule(Format::Knockout, 5, 1, 2), false);
    // Five engines: one first-round encounter, two semifinals, a final.
    assert_eq!(played.len(), 8);
    assert_eq!(played.last().unwrap().engines, [1, 0]);
    let schedule = schedule(Format::Knockout, 2, 1, 2);
    let mut results = Results::from_iter([(1, 1), (2, 1)]);
    assert!(matches!(schedule.game(3, &results), Next::Play(p) if p.opening == 1), "a drawn encounter");
    results.extend([(3, 2), (4, 1)]);
    assert_eq!(schedule.game(5, &results), Next::Over);
    // When all games are drawn, the better seed goes on in the end.
    let (played, _) = play_all(&schedule, true);
    assert_eq!(played.len(), 2 * 9);
}

#[test]
fn who_stood_in_which_stage_and_who_won() {
    let schedule = schedule(Format::Knockout, 5, 1, 2);
    assert_eq!(schedule.knocked_out(&Results::new()).1, None);
    let (_, results) = play_all(&schedule, false);
    let stages = LiteMap::from_iter([(0, 4), (1, 3), (2, 2), (3, 2), (4, 1)]);
    assert_eq!(schedule.knocked_out(&results), (stages, Some(0)));
    // Drawn encounters are repeated, which makes no further stage.
    let (played, results) = play_all(&schedule, true);
    assert!(played.len() > 8);
    let (stages, winner) = schedule.knocked_out(&results);
    assert_eq!((stages[&2], stages[&3], winner), (2, 2, Some(0)));
}

#[test]
fn free_rounds_count_when_they_are_over() {
    let schedule = schedule(Format::Swiss, 5, 3, 2);
    assert!(schedule.byes(&Results::new()).is_empty());
    let (_, results) = play_all(&schedule, false);
    let free = schedule.byes(&results);
    assert_eq!((free.len(), free.values().sum::<u64>()), (3, 6), "three rounds, three engines: {free:?}");
    let first: Results = results.into_iter().filter(|(number, _)| *number <= 4).collect();
    assert_eq!(schedule.byes(&first), LiteMap::from_iter([(4, 2)]));
}
