//! Wins that are proved, against slow solvers written here, and steps that prove nothing.
use carom::base::{Color, Rng};
use carom::game::winning::{Fault, Step, Winning, identity};
use carom::game::{Actor, Decisions, Facts, Game, GenType, Notation, Playable, Rules, playout};
use carom::notation::parse_position;
use carom::search::proof::{MOST_DECISIONS, ProvedStep, Prover, ShortestWin, Verdict};
use carom::variants::{Visitor, alapo, breakthrough, rollerball};
use std::collections::{HashMap, HashSet};
use std::path::Path;

fn decisions<G: Game>(state: &G) -> Vec<G::Decision> {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    list.into_iter().collect()
}

/// Whether `winner` wins within so many decisions: plain minimax.
fn wins_within<G: Game>(state: &G, winner: Color, most: u32) -> bool {
    if let Some(outcome) = state.outcome() {
        return outcome.winner == Some(winner);
    }
    if most == 0 {
        return false;
    }
    let wins = |decision: &G::Decision| wins_within(&state.after(*decision), winner, most - 1);
    if state.actor() == Actor::Player(winner) {
        decisions(state).iter().any(wins)
    } else {
        decisions(state).iter().all(wins)
    }
}

fn read<G: Playable>(facts: &'static Facts, text: &str) -> G {
    G::read(&parse_position(text).unwrap(), &Rules::of(facts)).unwrap()
}

/// Checks a proof by the rules: every step, and that the first position is won.
fn check<G: Playable>(state: &G, winner: Color, steps: &[ProvedStep<G>]) -> Option<u32> {
    let mut known = Winning::new(winner, None);
    steps.iter().for_each(|own| known.add(identity(&own.state), own.step));
    for ProvedStep { state, step } in steps {
        assert_eq!(known.check(state, step), Ok(()), "{}", state.write());
    }
    if state.actor() == Actor::Player(winner) {
        return known.wins_from(state);
    }
    let mut replies = decisions(state).into_iter().map(|reply| known.wins_from(&state.after(reply)));
    replies.try_fold(0, |longest, own| Some(longest.max(own? + 1)))
}

/// Positions near the end of random games, where plain minimax sees a win and where it sees none within its reach.
#[test]
fn what_plain_minimax_sees_is_proved() {
    struct Compare(u32);
    impl Visitor for Compare {
        type Output = ();
        fn visit<G: Playable>(self, facts: &'static Facts) {
            let (mut won, mut looked) = (0, 0);
            for seed in 0..400 {
                let mut positions = Vec::new();
                let game = playout(G::start(&Rules::of(facts)), &mut Rng::new(seed), 400, |record, _| {
                    positions.push(record.now().clone());
                });
                if game.outcome.is_none_or(|outcome| outcome.winner.is_none()) {
                    continue;
                }
                for state in positions.iter().rev().take(5) {
                    let Some(winner) = state.actor().player() else { continue };
                    let known = Winning::new(winner, None);
                    let mut prover = Prover::new(winner, 4).unwrap();
                    let least = (1..=self.0).find(|&most| wins_within(state, winner, most));
                    let found = prover.prove(state, &known, if least.is_some() { 1_000_000 } else { 300 });
                    looked += 1;
                    match (&found, least) {
                        (Verdict::Won(distance, steps), least) => {
                            assert!(
                                *distance >= least.unwrap_or(self.0 + 1),
                                "{}: {distance}",
                                state.write()
                            );
                            assert!(check(state, winner, steps).is_some_and(|own| own <= *distance));
                            won += 1;
                        }
                        (_, Some(least)) => panic!("{}: won in {least}, not found", state.write()),
                        (_, None) => {}
                    }
                }
                if won >= 40 && looked > won + 10 {
                    return;
                }
            }
            panic!("{}: {won} won of {looked}", facts.name);
        }
    }
    for (name, reach) in
        [("rollerball", 3), ("breakthrough", 3), ("alapo", 3), ("alapo-demotion", 3), ("jai-alai", 3)]
    {
        carom::variants::visit(name, Compare(reach)).unwrap();
    }
    // Random games of chess hardly end by mate.
    let chess = carom::variants::find("chess").unwrap();
    for (text, plies) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 98 90", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 3),
    ] {
        let state: carom::variants::chess::State = read(chess, text);
        let found = Prover::new(Color::White, 16).unwrap().prove(
            &state,
            &Winning::new(Color::White, None),
            2_000_000,
        );
        let Verdict::Won(distance, steps) = found else { panic!("{text}: {found:?}") };
        assert!(wins_within(&state, Color::White, plies) && !wins_within(&state, Color::White, plies - 1));
        assert!(distance >= plies && check(&state, Color::White, &steps).is_some(), "{text}: {distance}");
    }
}

/// The positions that `carom bench --solve` searches: a hundredth of them is proved once more, and the proof checked.
#[test]
fn the_wins_to_be_seen_are_wins() {
    struct Prove<'a>(&'a [&'a str]);
    impl Visitor for Prove<'_> {
        type Output = ();
        fn visit<G: Playable>(self, facts: &'static Facts) {
            for text in self.0.iter().step_by(100) {
                let state: G = read(facts, text);
                let winner = state.actor().player().unwrap();
                let known = Winning::new(winner, None);
                let found = Prover::new(winner, 16).unwrap().prove(&state, &known, 30_000);
                let Verdict::Won(distance, steps) = found else {
                    panic!("{}: {text} is not proved", facts.name)
                };
                assert!(check(&state, winner, &steps).is_some_and(|own| own <= distance), "{text}");
            }
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/wins");
    let mut games = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let positions: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(positions.iter().collect::<HashSet<_>>().len(), 1_000, "{}", path.display());
        carom::variants::visit(path.file_stem().unwrap().to_str().unwrap(), Prove(&positions)).unwrap();
        games += 1;
    }
    assert_eq!(games, 6);
}

/// All positions of Rollerball that may follow `first`, and those of them that White wins: from the ends backwards.
fn solved(first: &rollerball::State) -> (HashMap<u64, rollerball::State>, HashSet<u64>) {
    let mut all = HashMap::from([(identity(first), *first)]);
    let mut next = vec![*first];
    while let Some(state) = next.pop() {
        if state.outcome().is_none() {
            for decision in decisions(&state) {
                let after = state.after(decision);
                if all.insert(identity(&after), after).is_none() {
                    next.push(after);
                }
            }
        }
    }
    let mut won = HashSet::new();
    loop {
        let wins = |state: &&rollerball::State| {
            if let Some(outcome) = state.outcome() {
                return outcome.winner == Some(Color::White);
            }
            let wins = |decision: &rollerball::Move| won.contains(&identity(&state.after(*decision)));
            if state.actor() == Actor::Player(Color::White) {
                decisions(*state).iter().any(wins)
            } else {
                decisions(*state).iter().all(wins)
            }
        };
        let more: Vec<u64> =
            all.values().filter(wins).map(identity).filter(|own| !won.contains(own)).collect();
        if more.is_empty() {
            return (all, won);
        }
        won.extend(more);
    }
}

/// Two kings alone go round and round: what is not won there is so because positions repeat. The same for every position,
/// whichever way it was reached.
#[test]
fn positions_that_go_round_in_circles_are_won_or_not_as_a_full_solution_says() {
    let first = read(&rollerball::FACTS, "7/2k4/2***2/2***2/2***2/4K2/7 w - 0 1");
    let (all, won) = solved(&first);
    assert!(
        all.len() > 5_000 && won.len() > 1_000 && won.len() + 1_000 < all.len(),
        "{} {}",
        all.len(),
        won.len()
    );
    let mut keys: Vec<u64> = all.keys().copied().collect();
    keys.sort_unstable();
    let mut prover = Prover::new(Color::White, 16).unwrap();
    let known = Winning::new(Color::White, None);
    let mut counts = [0; 3];
    for state in keys.iter().step_by(61).map(|key| &all[key]) {
        if state.outcome().is_some() {
            continue;
        }
        let is_won = won.contains(&identity(state));
        // That a position is not won rests on many lines, and takes long.
        let found = prover.prove(state, &known, if is_won { 20_000_000 } else { 50_000 });
        match found {
            Verdict::Won(distance, steps) => {
                assert!(is_won, "{}", state.write());
                assert!(check(state, Color::White, &steps).is_some_and(|own| own <= distance));
                counts[0] += 1;
            }
            Verdict::NotWon => {
                assert!(!is_won, "{}", state.write());
                counts[1] += 1;
            }
            Verdict::Open => {
                assert!(!is_won, "{}", state.write());
                counts[2] += 1;
            }
        }
    }
    assert!(counts[0] > 10 && counts[1] > 50, "{counts:?}");
}

/// A proof of a win in several turns, one step of which is changed in every way that could deceive.
#[test]
fn a_forged_step_is_refused() {
    let state: rollerball::State = read(&rollerball::FACTS, "2r4/2k4/2***2/2***2/2***2/2K1R2/2BRP2 w - 0 1");
    let found =
        Prover::new(Color::White, 64).unwrap().prove(&state, &Winning::new(Color::White, None), 2_000_000);
    let Verdict::Won(_, steps) = found else { panic!("{found:?}") };
    assert!(steps.len() > 50 && check(&state, Color::White, &steps).is_some());
    let with = |steps: &[ProvedStep<rollerball::State>], own: &ProvedStep<rollerball::State>| {
        let mut known = Winning::new(Color::White, None);
        steps.iter().for_each(|own| known.add(identity(&own.state), own.step));
        known.check(&own.state, &own.step)
    };
    let last = steps.last().unwrap();
    // A step that others lead to is missing.
    for missing in (0..steps.len() - 1).step_by(9) {
        let rest: Vec<_> = [&steps[..missing], &steps[missing + 1..]].concat();
        let mut known = Winning::new(Color::White, None);
        rest.iter().for_each(|own| known.add(identity(&own.state), own.step));
        let refused = rest.iter().any(|own| known.check(&own.state, &own.step) == Err(Fault::Unanswered));
        assert!(refused, "{missing}");
    }
    // The distance does not fall, so that the game could go round.
    let shorter = ProvedStep { step: Step { distance: last.step.distance - 2, ..last.step }, ..last.clone() };
    assert_eq!(
        with(&[&steps[..steps.len() - 1], std::slice::from_ref(&shorter)].concat(), &shorter),
        Err(Fault::Unanswered)
    );
    // Another decision than the one that was proved, and one that is not legal.
    let others = decisions(&last.state).into_iter().filter(|&own| own != last.step.decision);
    let refused = others.filter(|&decision| {
        let other = ProvedStep { step: Step { decision, ..last.step }, ..last.clone() };
        with(&steps[..steps.len() - 1], &other) == Err(Fault::Unanswered)
    });
    assert!(refused.count() > 0);
    let elsewhere = decisions(&last.state.after(last.step.decision))[0];
    let illegal = ProvedStep { step: Step { decision: elsewhere, ..last.step }, ..last.clone() };
    assert_eq!(with(&steps, &illegal), Err(Fault::NotLegal));
    // The other side decides.
    let theirs = last.state.after(last.step.decision);
    let theirs = ProvedStep { state: theirs, step: Step { decision: decisions(&theirs)[0], distance: 50 } };
    assert_eq!(with(&steps, &theirs), Err(Fault::NotToDecide));
}

/// What a search has found stays for the next one, of the same position or of another.
#[test]
fn a_position_that_was_left_open_is_not_begun_anew() {
    let state: rollerball::State = read(&rollerball::FACTS, "2r4/2k4/2***2/2***2/2***2/2K1R2/2BRP2 w - 0 1");
    let known = Winning::new(Color::White, None);
    let mut at_once = Prover::new(Color::White, 16).unwrap();
    assert!(matches!(at_once.prove(&state, &known, 2_000_000), Verdict::Won(..)));
    let part = at_once.nodes() / 8;
    let mut in_parts = Prover::new(Color::White, 16).unwrap();
    let found = (0..12).map(|_| in_parts.prove(&state, &known, part));
    let won = found.enumerate().find_map(|(number, found)| match found {
        Verdict::Won(_, steps) => Some((number, steps)),
        Verdict::NotWon => panic!("it is won"),
        Verdict::Open => None,
    });
    let (number, steps) = won.expect("as much in parts as at once");
    assert!(number > 4 && check(&state, Color::White, &steps).is_some(), "{number}");
}

/// The fifty-move rule of chess ends a game before a mate that would take longer.
#[test]
fn a_counter_that_strikes_before_the_win_makes_it_no_win() {
    let chess = carom::variants::find("chess").unwrap();
    let prove = |quiet: u32| {
        let state: carom::variants::chess::State =
            read(chess, &format!("kbK5/pp6/1P6/8/8/8/8/R7 w - - {quiet} 90"));
        let mut known = Winning::new(Color::White, None);
        let found = Prover::new(Color::White, 16).unwrap().prove(&state, &known, 100_000);
        if let Verdict::Won(_, steps) = &found {
            steps.iter().for_each(|own| known.add(identity(&own.state), own.step));
            assert!(steps.iter().all(|own| known.check(&own.state, &own.step).is_ok()));
            // What was proved with room for it says nothing where there is none.
            let late: carom::variants::chess::State = read(chess, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 98 90");
            assert_eq!(known.wins_from(&late), None);
        }
        matches!(found, Verdict::Won(..))
    };
    assert!(prove(0) && prove(90) && !prove(98));
}

/// A proof that is too long for the counter does not hide a shorter one.
#[test]
fn what_was_proved_with_more_room_is_no_answer_where_there_is_less() {
    let chess = carom::variants::find("chess").unwrap();
    let known = Winning::new(Color::White, None);
    let mut prover = Prover::new(Color::White, 16).unwrap();
    let (mut longest, mut won) = (0, 0);
    for quiet in 0..100 {
        let text = format!("8/8/8/8/8/2k5/6R1/K6R w - - {quiet} 90");
        let state: carom::variants::chess::State = read(chess, &text);
        let within = |prover: &mut Prover<_>| match prover.prove(&state, &known, 200_000) {
            Verdict::Won(distance, _) => Some(distance),
            Verdict::NotWon => panic!("{text}: what a counter does is no proof"),
            Verdict::Open => None,
        };
        let anew = within(&mut Prover::new(Color::White, 16).unwrap());
        assert_eq!(within(&mut prover).is_some(), anew.is_some(), "{text}");
        longest = longest.max(anew.unwrap_or(0));
        won += usize::from(anew.is_some());
    }
    assert!(won > 20 && won < 100 && longest > 10, "{won} {longest}");
}

/// The rules of a small board.
fn small(facts: &'static Facts, size: &str) -> Rules {
    let mut rules = Rules::of(facts);
    rules.set(facts, "board-size", size).unwrap();
    rules
}

/// How many decisions the game takes from here if the winner hurries and the loser delays, and who wins: all that follows
/// looked at, each position once.
fn value_of<G: Playable>(state: &G, seen: &mut HashMap<u64, (Color, u32)>) -> (Color, u32) {
    if let Some(outcome) = state.outcome() {
        return (outcome.winner.unwrap(), 0);
    }
    if let Some(&known) = seen.get(&state.key()) {
        return known;
    }
    let player = state.actor().player().unwrap();
    let after: Vec<_> = decisions(state).into_iter().map(|d| value_of(&state.after(d), seen)).collect();
    let own = after.iter().filter(|(winner, _)| *winner == player).map(|(_, plies)| *plies).min();
    let found = match own {
        Some(plies) => (player, plies + 1),
        None => (!player, 1 + after.iter().map(|(_, plies)| *plies).max().unwrap()),
    };
    seen.insert(state.key(), found);
    found
}

/// Breakthrough, in which no position comes back, on the smallest board: every position that is met in random games.
#[test]
fn the_shortest_win_is_that_of_a_full_solution() {
    let facts = breakthrough::State::GAMES[0];
    let start = breakthrough::State::start(&small(facts, "4x4"));
    let mut seen = HashMap::new();
    assert_eq!(value_of(&start, &mut seen), (Color::Black, 14));
    assert!(seen.len() > 100_000, "{}", seen.len());
    let mut searches = Color::ALL.map(|color| ShortestWin::new(color, 16, u64::MAX).unwrap());
    let mut looked = 0;
    for seed in 0..60 {
        playout(start, &mut Rng::new(seed), 200, |record, _| {
            let state = record.now();
            let (winner, plies) = value_of(state, &mut seen);
            let [own, other] = [winner, !winner].map(|color| color.index());
            assert_eq!(searches[own].wins(state, plies), Some(true), "{}", state.write());
            assert_eq!(searches[own].wins(state, plies - 1), Some(false), "{}", state.write());
            assert_eq!(searches[other].wins(state, MOST_DECISIONS), Some(false), "{}", state.write());
            looked += 1;
        });
    }
    assert!(looked > 300, "{looked}");
    let replies: Vec<_> = decisions(&start).into_iter().map(|decision| start.after(decision)).collect();
    let steps = searches[Color::Black.index()].steps(&replies, 13).unwrap();
    assert_eq!(check(&start, Color::Black, &steps), Some(14));
}

/// Every position of the smallest board that can follow its start: who wins, and how soon.
#[test]
fn a_small_board_solved_whole_is_that_of_a_full_solution() {
    let facts = breakthrough::State::GAMES[0];
    let rules = small(facts, "4x4");
    let start = breakthrough::State::start(&rules);
    let mut seen = HashMap::new();
    value_of(&start, &mut seen);
    let mut states = HashMap::from([(start.key(), start)]);
    let mut next = vec![start];
    while let Some(state) = next.pop() {
        for decision in decisions(&state) {
            let after = state.after(decision);
            if states.insert(after.key(), after).is_none() {
                next.push(after);
            }
        }
    }
    let mut solution = breakthrough::Solution::new(&rules).unwrap();
    let (mut looked, mut goes_on) = (0, true);
    while goes_on {
        goes_on = solution.deepen(2);
        for state in states.values() {
            let (winner, plies) = value_of(state, &mut seen);
            for color in Color::ALL {
                if let Some(wins) = solution.wins(state, color) {
                    assert_eq!(wins, color == winner && plies <= solution.plies(), "{}", state.write());
                    looked += 1;
                }
            }
        }
    }
    for state in states.values() {
        assert_eq!(solution.winner(state), value_of(state, &mut seen).0, "{}", state.write());
    }
    assert!(looked > 100_000, "{looked}");
}

/// Games that go round in circles, and one that is mostly won by what the other side leaves undone.
#[test]
fn the_shortest_win_is_that_of_plain_minimax() {
    fn compare<G: Playable>(start: &G, reach: u32) {
        let (mut won, mut looked) = (0, 0);
        for seed in 0..60 {
            let mut positions = Vec::new();
            playout(start.clone(), &mut Rng::new(seed), 200, |record, _| {
                positions.push(record.now().clone())
            });
            for state in positions.iter().rev().skip(1).take(4) {
                for color in Color::ALL {
                    let least = (0..=reach).find(|&most| wins_within(state, color, most));
                    let mut search = ShortestWin::new(color, 1, u64::MAX).unwrap();
                    let found = (0..=reach).find(|&most| search.wins(state, most).unwrap());
                    assert_eq!(found, least, "{color}: {}", state.write());
                    looked += 1;
                    let Some(plies) = found else { continue };
                    won += 1;
                    let steps = if state.actor() == Actor::Player(color) {
                        search.steps(std::slice::from_ref(state), plies).unwrap()
                    } else {
                        let replies: Vec<_> = decisions(state).into_iter().map(|d| state.after(d)).collect();
                        let replies: Vec<_> =
                            replies.into_iter().filter(|after| after.outcome().is_none()).collect();
                        search.steps(&replies, plies - 1).unwrap()
                    };
                    let ends = |d: G::Decision| state.after(d).outcome().is_some();
                    let over =
                        state.actor() != Actor::Player(color) && decisions(state).into_iter().any(ends);
                    assert!(over || check(state, color, &steps) == Some(plies), "{}", state.write());
                }
            }
        }
        assert!(won > 20 && won < looked, "{won} of {looked}");
    }
    let alapo = alapo::Standard::GAMES[0];
    compare(&alapo::Standard::start(&small(alapo, "4x4")), 3);
    let demotion = alapo::Demotion::GAMES[0];
    compare(&alapo::Demotion::start(&small(demotion, "4x4")), 3);
    compare(&rollerball::State::start(&Rules::default()), 2);
}
