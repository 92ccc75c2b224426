//! The slow generator of HanniBall against the fast one. `CAROM_REFERENCE_POSITIONS` says on how many
//! positions.
use crate::base::{Color, Rng};
use crate::game::{Actor, Decisions, Game, GenType, Notation, Rules, perft, read_token};
use crate::notation::{Token, parse_position, parse_token};
use crate::variants::hanniball::{State, Step};
use std::collections::BTreeSet;

mod slow;

use slow::State as Slow;

fn rules(red_card: bool) -> Rules {
    let mut rules = Rules::default();
    rules.set(State::GAMES[0], "red-card", if red_card { "on" } else { "off" }).unwrap();
    rules
}

fn text(position: &State, step: Step) -> String {
    let legs = position.legs(step);
    if legs.is_empty() { ".".to_owned() } else { Token { legs, open: false }.to_string() }
}

fn listed(position: &State) -> Vec<(String, Step)> {
    let mut list = Decisions::new();
    position.decisions(GenType::All, &mut list);
    assert_eq!(list.len() as u64, position.count());
    let mut texts: Vec<_> = list.iter().map(|&step| (text(position, step), step)).collect();
    texts.sort();
    texts
}

/// Pieces anywhere they may stand, sometimes crowded around the ball so that leaps are blocked and clusters
/// arise.
fn random_set_up(rng: &mut Rng) -> String {
    let mut cells = vec![vec![String::new(); 9]; 15];
    let exists = |x: usize, y: usize| (1..14).contains(&y) || (3..6).contains(&x);
    let crowded = rng.below(2) == 0;
    let spread = 1 + rng.below(2) as i32;
    let near_a_goal = rng.below(2) == 0;
    let centre = if near_a_goal {
        (2 + rng.below(5), [2, 12][rng.below(2)])
    } else {
        (rng.below(9), 1 + rng.below(13))
    };
    let near =
        |rng: &mut Rng, middle: usize| middle as i32 - spread + rng.below(2 * spread as usize + 1) as i32;
    let free = |rng: &mut Rng, cells: &Vec<Vec<String>>| loop {
        let (x, y) = if crowded && rng.below(4) > 0 {
            (near(rng, centre.0), near(rng, centre.1))
        } else {
            (rng.below(9) as i32, rng.below(15) as i32)
        };
        if !(0..9).contains(&x) || !(0..15).contains(&y) || !exists(x as usize, y as usize) {
            continue;
        }
        if cells[y as usize][x as usize].is_empty() {
            return (x as usize, y as usize);
        }
    };
    for (white, letters) in [(true, "LLEEEEHHHH"), (false, "lleeeehhhh")] {
        if rng.below(8) > 0 {
            let home = if white { [0, 1, 2] } else { [14, 13, 12] };
            let row = rng.below(3);
            let (x, y) = if row == 0 { (3 + rng.below(3), home[0]) } else { (2 + rng.below(5), home[row]) };
            cells[y][x] = if white { "M" } else { "m" }.to_owned();
        }
        for letter in letters.chars() {
            if rng.below(4) > 0 {
                let (x, y) = free(rng, &cells);
                cells[y][x] = letter.to_string();
            }
        }
    }
    let on_field = |cells: &Vec<Vec<String>>, taken: bool| {
        let all = (1..14).flat_map(|y| (0..9).map(move |x| (x, y)));
        all.filter(|&(x, y)| cells[y][x].is_empty() != taken).collect::<Vec<_>>()
    };
    let held = rng.below(3) > 0;
    let mut places = on_field(&cells, held);
    if crowded && rng.below(4) > 0 {
        let distance = |(x, y): (usize, usize)| centre.0.abs_diff(x).max(centre.1.abs_diff(y));
        let least = places.iter().map(|&place| distance(place)).min();
        places.retain(|&place| Some(distance(place)) == least);
    }
    let (x, y) = *rng.pick(&places).unwrap_or(&(4, 7));
    let cell = &mut cells[y][x];
    *cell = if cell.is_empty() { "o".to_owned() } else { format!("+{cell}") };
    let line = |y: usize| {
        let cell = |x: usize| if exists(x, y) { cells[y][x].clone() } else { "*".to_owned() };
        let mut line = String::new();
        for cell in (0..9).map(cell) {
            match (cell.as_str(), line.pop()) {
                ("", Some(last @ '1'..='8')) => line.push((last as u8 + 1) as char),
                ("", last) => line.extend(last.into_iter().chain(['1'])),
                (other, last) => {
                    line.extend(last);
                    line += other;
                }
            }
        }
        line
    };
    let lines: Vec<String> = (0..15).rev().map(line).collect();
    let side = ["w 4", "b 4", "w 4", "b 4", "w 2"][rng.below(5)];
    format!("{} {side} 0 1", lines.join("/"))
}

#[derive(Default)]
struct Seen {
    positions: usize,
    mid_turn: usize,
    penalties: usize,
    ricochets: usize,
    captures: usize,
    goals: usize,
    forbidden: usize,
    ended_early: usize,
}

/// Compares along a random walk from `position` of at most `most` decisions.
fn walk(position: &mut State, state: &mut Slow, rng: &mut Rng, most: usize, seen: &mut Seen) {
    for _ in 0..most {
        let fast = listed(position);
        let slow = state.decisions();
        let texts: Vec<&String> = fast.iter().map(|(text, _)| text).collect();
        let context = || format!("{} used {} of the turn from {:?}", state.board(), state.used, state.start);
        assert_eq!(texts, slow.iter().collect::<Vec<_>>(), "{}", context());
        let shown = position.write().to_string();
        let side = if state.white_moves { "w" } else { "b" };
        let fields = [state.board(), side.to_owned(), (state.used + state.left).to_string()];
        assert_eq!(shown.split(' ').take(3).collect::<Vec<_>>(), fields, "{}", context());
        seen.positions += 1;
        seen.mid_turn += usize::from(state.used > 0);
        seen.forbidden +=
            usize::from(state.raw_steps().len() + usize::from(slow.contains(&".".to_owned())) > slow.len());
        seen.penalties += usize::from(slow.iter().any(|step| step.starts_with('X')));
        seen.ricochets += usize::from(slow.iter().any(|step| step.contains(",O@")));
        match state.winner {
            Some(white) => {
                let winner = if white { Color::White } else { Color::Black };
                assert_eq!(position.actor(), Actor::Nobody);
                assert_eq!(position.decided().unwrap().winner, Some(winner));
                seen.goals += 1;
                return;
            }
            None => {
                let side = if state.white_moves { Color::White } else { Color::Black };
                assert_eq!(position.actor(), Actor::Player(side));
                assert_eq!(position.between_turns(), state.used == 0);
            }
        }
        // What is rare by chance is what the rules are about: prefer it at times.
        let wished = rng.below(8);
        let special = |text: &str| {
            let after = state.after_step(text);
            match wished {
                0 => after.field == state.start,
                1 | 2 => after.field.pieces.len() < state.field.pieces.len(),
                3 => text.contains(",O@"),
                4 => after.field.ball != state.field.ball && after.winner.is_none(),
                5 => after.winner.is_some() && rng.clone().below(2) == 0,
                _ => false,
            }
        };
        let wanted: Vec<_> = fast.iter().filter(|(text, _)| text != "." && special(text)).collect();
        let Some((text, step)) = rng.pick(&wanted).copied().or_else(|| rng.pick(&fast)) else { return };
        let (pieces, left) = (state.field.pieces.len(), state.left);
        state.apply(text);
        seen.ended_early += usize::from(text != "." && left > 1 && state.used == 0 && state.winner.is_none());
        position.apply(*step);
        seen.captures += usize::from(state.field.pieces.len() < pieces && !text.starts_with('X'));
    }
}

#[test]
fn agrees_with_the_fast_generator() {
    let wanted = std::env::var("CAROM_REFERENCE_POSITIONS").map_or(300, |n| n.parse().unwrap());
    let mut rng = Rng::new(2009);
    let mut seen = Seen::default();
    let mut round = 0;
    while seen.positions < wanted {
        let red_card = round % 2 == 0;
        let text = random_set_up(&mut rng);
        let mut position = State::read(&parse_position(&text).unwrap(), &rules(red_card)).unwrap();
        let mut state = Slow::read(&text, red_card);
        walk(&mut position, &mut state, &mut rng, 12, &mut seen);
        if round % 8 == 0 {
            // A game from the start as well.
            let mut position = State::start(&rules(red_card));
            let mut state = Slow::read(State::GAMES[0].start, red_card);
            walk(&mut position, &mut state, &mut rng, 40, &mut seen);
        }
        round += 1;
    }
    println!(
        "{} positions, {} in the middle of a turn, {} with a penalty, {} with ricochets, {} with steps that R11 \
         forbids, {} captures, {} goals",
        seen.positions,
        seen.mid_turn,
        seen.penalties,
        seen.ricochets,
        seen.forbidden,
        seen.captures,
        seen.goals
    );
    let rare = [seen.mid_turn, seen.penalties, seen.ricochets, seen.captures, seen.forbidden];
    assert!(rare.iter().all(|&n| n > 0), "the walks met everything worth comparing");
}

#[test]
fn agrees_where_only_stopping_is_left() {
    // Pieces shut in, alone or nearly: turns that end by themselves, which random set-ups hardly meet.
    let boards = [
        "***1m1***/9/9/9/9/9/9/4o4/9/9/9/1e7/2e6/H8/***3***",
        "***1m1***/9/9/9/9/9/9/8o/9/1e1e5/ee2l4/9/H3l4/9/***h2***",
        "***1m1***/9/9/9/9/9/9/4o4/9/9/1h7/lh7/EE7/9/***1M1***",
    ];
    let mut seen = Seen::default();
    for (board, side) in boards.iter().flat_map(|board| ["w 4", "b 4", "w 2"].map(|side| (board, side))) {
        for red_card in [false, true] {
            let text = format!("{board} {side} 0 1");
            for seed in 0..20 {
                let mut position = State::read(&parse_position(&text).unwrap(), &rules(red_card)).unwrap();
                walk(&mut position, &mut Slow::read(&text, red_card), &mut Rng::new(seed), 12, &mut seen);
            }
        }
    }
    assert!(seen.ended_early > 0, "turns ended by themselves before their last step");
}

#[test]
fn counts_agree() {
    let start = State::GAMES[0].start;
    let position = State::start(&Rules::default());
    let slow = Slow::read(start, false);
    for steps in 0..=2 {
        assert_eq!(perft::steps(&position, steps), slow.sequences(steps), "{steps} steps");
    }
    let mut found = BTreeSet::new();
    slow.results(&mut found);
    assert_eq!(perft::results(&position), found.len() as u64);
}

#[test]
fn counts_agree_with_few_pieces() {
    // Penalties, ricochets and goals within the turn.
    for (text, red_card) in [
        ("***1m1***/4+L4/9/9/9/9/9/9/9/9/9/9/9/9/***1M1*** w 2 0 1", false),
        ("***1m1***/9/9/9/9/9/9/3eo4/2eee4/9/9/9/7H1/9/***1M1*** w 2 0 1", true),
        ("***3***/4+H4/9/9/9/9/9/9/9/9/9/9/9/9/***3*** w 4 0 1", false),
    ] {
        let position = State::read(&parse_position(text).unwrap(), &rules(red_card)).unwrap();
        let slow = Slow::read(text, red_card);
        for steps in 1..=3 {
            assert_eq!(perft::steps(&position, steps), slow.sequences(steps), "{steps} steps from {text}");
        }
        let mut found = BTreeSet::new();
        slow.results(&mut found);
        assert_eq!(perft::results(&position), found.len() as u64, "{text}");
    }
}

#[test]
fn reading_a_listed_text_gives_the_listed_step() {
    let mut rng = Rng::new(15);
    for _ in 0..40 {
        let text = random_set_up(&mut rng);
        let position = State::read(&parse_position(&text).unwrap(), &rules(false)).unwrap();
        for (step_text, step) in listed(&position) {
            let token = parse_token(&format!("{step_text},")).unwrap();
            let reading = read_token(&position, &token).unwrap();
            assert_eq!(reading.decisions.as_slice(), [step], "{step_text} in {text}");
        }
    }
}

/// In how many steps the side to move can score within its turn, by the slow generator: every step, each
/// field once.
fn steps_to_goal(state: &Slow) -> Option<i32> {
    let (mut level, mut seen, most) = (vec![state.clone()], BTreeSet::new(), state.left);
    for steps in 1..=most {
        let mut grown = Vec::new();
        for state in &level {
            for step in state.raw_steps() {
                let after = state.after_step(&step);
                match after.winner {
                    Some(winner) if winner == state.white_moves => return Some(steps),
                    None if steps < most && seen.insert(after.field.clone()) => grown.push(after),
                    _ => {}
                }
            }
        }
        level = grown;
    }
    None
}

/// Takes minutes; the list is the same each time. `search.rs` shows what the search makes of it.
#[test]
#[ignore = "slow"]
fn the_goals_that_the_search_must_find_are_there() {
    let mut rng = Rng::new(77);
    let (mut counts, mut list) = ([0; 5], String::new());
    while counts.iter().sum::<i32>() < 200 {
        let text = random_set_up(&mut rng);
        let slow = Slow::read(&text, false);
        let (_, rank) = slow.field.ball;
        // From farther away hardly any can be made, and to know that takes longest.
        if (if slow.white_moves { 15 - rank } else { rank - 1 }) > 7 {
            continue;
        }
        if let Some(steps) = steps_to_goal(&slow)
            && steps >= 2
            && counts[steps as usize] < 80
        {
            counts[steps as usize] += 1;
            list += &format!("{steps} {text}\n");
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/positions/hanniball-goals.txt");
    assert_eq!(std::fs::read_to_string(path).unwrap(), list);
}
