//! Random games: what must hold in every position. `CAROM_RANDOM_GAMES` says how many games of each setting.

use super::{list, rules, text};
use crate::base::{Color, Rng};
use crate::game::{
    Actor, Decisions, Evaluation, Game, GenType, Notation, Record, read_token, turns_text, write_token,
};
use crate::notation::{Token, parse_position, parse_token};
use crate::variants::hanniball::board::Kind;
use crate::variants::hanniball::decision::{Deed, Step};
use crate::variants::hanniball::field::{GOALS, HOME, SQUARES, file_of, has, row_of, square_at};
use crate::variants::hanniball::{State, board::Board};
use std::collections::HashSet;

fn games(plain: usize) -> usize {
    std::env::var("CAROM_RANDOM_GAMES").map_or(plain, |number| number.parse().unwrap())
}

/// A game by a player who now and then captures what is in reach: uniformly random ones hardly ever come near
/// a goal.
fn random_game(red_card: bool, rng: &mut Rng, mut watch: impl FnMut(&State, &[Step])) -> Record<State> {
    let mut record = Record::new(State::start(&rules(red_card)));
    let aimless = rng.below(8) == 0;
    while record.outcome().is_none() {
        assert!(record.len() < 5_000, "200 turns of each side are fewer steps");
        let position = record.now().clone();
        let listed = list(&position);
        watch(&position, &listed);
        let best =
            |value: &dyn Fn(Step) -> i32| listed.iter().copied().max_by_key(|&step| value(step)).unwrap();
        let step = match rng.below(8) {
            _ if aimless => *rng.pick(&listed).unwrap(),
            0 => best(&|step| position.mvv_lva(step)),
            1 | 2 => best(&|step| {
                let mut after = position.clone();
                after.apply(step);
                if position.side == Color::White { after.static_eval() } else { -after.static_eval() }
            }),
            _ => *rng.pick(&listed).unwrap(),
        };
        record.play(step);
    }
    record
}

fn record_of(start: State, decisions: &[Step]) -> Record<State> {
    let mut record = Record::new(start);
    decisions.iter().for_each(|&decision| record.play(decision));
    record
}

#[test]
fn every_game_ends_by_a_named_rule_and_keeps_the_invariants() {
    for red_card in [false, true] {
        let mut rng = Rng::new(if red_card { 33 } else { 32 });
        let mut ends = std::collections::BTreeMap::<&str, usize>::new();
        for _ in 0..games(10) {
            let record = random_game(red_card, &mut rng, |position, listed| {
                check_list(position, listed);
                check_invariants(position);
            });
            let outcome = record.outcome().unwrap();
            assert!(["R26", "O11", "O12"].contains(&outcome.rule));
            *ends.entry(outcome.rule).or_default() += 1;
            check_texts_of_the_game(&record);
        }
        assert!(ends.contains_key("R26"), "{ends:?}");
    }
}

fn check_list(position: &State, listed: &[Step]) {
    let all: HashSet<_> = listed.iter().collect();
    assert_eq!(all.len(), listed.len(), "each once");
    assert_eq!(position.count(), listed.len() as u64);
    let keys: HashSet<_> = listed.iter().map(|&step| u32::from(step)).collect();
    assert_eq!(keys.len(), listed.len());
    let ends_at_once = |step: Step| {
        let mut after = position.clone();
        after.apply(step);
        after.actor() == Actor::Nobody
    };
    let mut noisy = Decisions::new();
    position.decisions(GenType::Noisy, &mut noisy);
    assert!(noisy.iter().all(|step| all.contains(step)));
    for &step in listed {
        assert!(position.history_index(step) < State::HISTORY_SIZE);
        let mut after = position.clone();
        after.apply(step);
        if position.in_check() {
            let safe = after.actor() == Actor::Nobody || !after.scores_in_one(!position.side);
            let lost =
                after.actor() == Actor::Nobody && after.decided().unwrap().winner != Some(position.side);
            assert_eq!(noisy.contains(&step), safe && !lost, "{step:?}");
        } else {
            let takes = after.board.occupied().count_ones() < position.board.occupied().count_ones();
            assert_eq!(noisy.contains(&step), takes || ends_at_once(step), "{step:?}");
            assert!(position.mvv_lva(step) > 0 || !takes);
        }
    }
}

fn check_invariants(position: &State) {
    let board = &position.board;
    // In the middle of a turn, too, the board's key is that of the same board set up anew.
    let again = State::read(&position.write(), &rules(position.red_card)).unwrap();
    assert_eq!(again.board.key(), board.key());
    assert!(board.ball() < SQUARES);
    assert!(!has(GOALS, board.ball()), "R26: play does not go on with the ball in a goal");
    for color in Color::ALL {
        for kind in Kind::ALL {
            let pieces = board.of_kind(color, kind);
            assert!(pieces.count_ones() <= kind.most());
            assert!(kind != Kind::Monkey || pieces & !HOME[color.index()] == 0, "R17");
        }
        let kinds: u32 = Kind::ALL.map(|kind| board.of_kind(color, kind).count_ones()).iter().sum();
        assert_eq!(kinds, board.pieces(color).count_ones(), "every piece is of one kind");
    }
    assert_eq!(board.pieces(Color::White) & board.pieces(Color::Black), 0, "R8");
    assert_eq!(position.between_turns(), position.used == 0);
    assert!(position.left > 0 && position.used + position.left <= 4);
    assert_eq!(list(position).contains(&Step::STOP), position.used > 0 && position.board != position.start);
}

/// The whole game as text, position by position and turn by turn, gives the same game.
fn check_texts_of_the_game(record: &Record<State>) {
    let decisions: Vec<_> = record.decisions().collect();
    let mut at = record.start().clone();
    for token in turns_text(record.start(), &decisions) {
        let rules = rules(at.red_card);
        let shown = at.write().to_string();
        let again = State::read(&parse_position(&shown).unwrap(), &rules).unwrap();
        assert_eq!(again.key(), at.key(), "{shown}");
        assert_eq!(again.write().to_string(), shown);
        let token_text = token.to_string();
        let token = parse_token(&token_text).unwrap();
        let from_text = read_token(&again, &token).unwrap();
        assert_eq!(write_token(&again, &from_text.decisions).to_string(), token_text);
        at = read_token(&at, &token).unwrap().after;
        assert_eq!(from_text.after.key(), at.key());
    }
    assert_eq!(at.key(), record.now().key());
}

fn across(square: u8) -> u8 {
    square_at(8 - file_of(square) as i8, row_of(square) as i8)
}

fn turned(square: u8) -> u8 {
    SQUARES - 1 - square
}

fn mapped(step: Step, map: fn(u8) -> u8) -> Step {
    match step.deed() {
        Deed::Go { from, to } => Step::go(map(from), map(to)),
        Deed::Leave { from, to } => Step::leave(map(from), map(to)),
        Deed::Shoot { first, to } => Step::shoot(map(first), map(to)),
        Deed::SendOff(at) => Step::send_off(map(at)),
        Deed::Stop => Step::STOP,
    }
}

fn image(position: &State, map: fn(u8) -> u8, swap: bool) -> State {
    assert_eq!(position.used, 0);
    let mut board = Board::EMPTY;
    for square in 0..SQUARES {
        if let Some((color, kind)) = position.board.piece_at(square) {
            board.put(if swap { !color } else { color }, kind, map(square));
        }
    }
    board.set_ball(map(position.board.ball()));
    let side = if swap { !position.side } else { position.side };
    State::new(board, side, position.left, position.red_card, position.quiet, position.turn)
}

#[test]
fn mirrored_positions_have_mirrored_lists() {
    let mut rng = Rng::new(8);
    for round in 0..games(6) {
        let record = random_game(round % 2 == 0, &mut rng, |_, _| {});
        let decisions: Vec<_> = record.decisions().collect();
        let mut images = Vec::new();
        let mut at = record.start().clone();
        for &decision in &decisions {
            if at.between_turns() {
                images = vec![(image(&at, across, false), across as fn(u8) -> u8, 1)];
                // Only White has a first turn of two steps.
                if at.left == 4 {
                    images.push((image(&at, turned, true), turned, -1));
                }
            }
            let own: Vec<Step> = list(&at).into_iter().collect();
            for (image, map, sign) in &mut images {
                let mut wanted: Vec<_> = own.iter().map(|&step| mapped(step, *map)).collect();
                let mut found: Vec<_> = list(image).into_iter().collect();
                wanted.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, wanted);
                assert_eq!(image.classical_eval(), *sign * at.classical_eval());
                // The network treats left and right as alike only where the Ball tells them apart.
                if file_of(at.board.ball()) != 4 {
                    assert_eq!(image.static_eval(), *sign * at.static_eval());
                }
                image.apply(mapped(decision, *map));
            }
            at.apply(decision);
        }
    }
}

/// Every text that is one letter away from `text`.
fn edits(text: &str) -> Vec<String> {
    const LETTERS: &str = "abcdefghijklmnopxOX0123456789@-,=+?#";
    let mut edits = Vec::new();
    for at in 0..=text.len() {
        let (before, behind) = text.split_at(at);
        for letter in LETTERS.chars() {
            edits.push(format!("{before}{letter}{behind}"));
            if !behind.is_empty() {
                edits.push(format!("{before}{letter}{}", &behind[1..]));
            }
        }
        if !behind.is_empty() {
            edits.push(format!("{before}{}", &behind[1..]));
        }
    }
    edits
}

#[test]
fn texts_that_are_not_listed_are_refused_with_a_reason() {
    let mut rng = Rng::new(21);
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..games(6) {
        let mut draw = Rng::new(round as u64);
        random_game(round % 2 == 0, &mut rng, |position, listed| {
            if draw.below(60) > 0 {
                return;
            }
            let texts: HashSet<String> = listed.iter().map(|&step| text(position, step)).collect();
            let Some(&step) = draw.pick(listed) else { return };
            let open = if step == Step::STOP { return } else { format!("{},", text(position, step)) };
            for edit in edits(&open) {
                let Ok(token) = parse_token(&edit) else { continue };
                match read_token(position, &token) {
                    Ok(reading) => {
                        let first = text(position, reading.decisions[0]);
                        assert!(texts.contains(&first), "{edit}");
                        assert_eq!(
                            write_token(position, &reading.decisions).legs,
                            token.legs,
                            "{edit} is read as what it says"
                        );
                        assert!(edit.to_lowercase().starts_with(&first.to_lowercase()));
                        accepted += 1;
                    }
                    Err(illegal) => {
                        assert!(!illegal.reason.is_empty());
                        assert_ne!(illegal.reason, "it is not legal here", "{edit} in {}", position.write());
                        let says_a_listed =
                            token.legs.len() == 1 && token.open && texts.contains(edit.trim_end_matches(','));
                        // A comma behind the last step of a turn is one too many.
                        let closed = read_token(position, &Token { open: false, ..token.clone() });
                        let ends = closed.is_ok_and(|reading| reading.after.actor() != position.actor());
                        assert!(!says_a_listed || ends, "{edit}: {}", illegal.reason);
                        refused += 1;
                    }
                }
            }
        });
    }
    assert!(refused > 1_000 && accepted > 100, "{refused} refused, {accepted} accepted");
}

#[test]
fn keys_tell_states_apart() {
    let mut rng = Rng::new(5);
    let mut known = std::collections::HashMap::new();
    for _ in 0..4 {
        let record = random_game(true, &mut rng, |_, _| {});
        let mut at = record.start().clone();
        for decision in record.decisions() {
            at.apply(decision);
            if at.actor() == Actor::Nobody {
                continue;
            }
            let mid_turn = (at.used > 0).then_some(at.start);
            let state = format!("{:?} {mid_turn:?} {:?} {} {}", at.board, at.side, at.left, at.penalty);
            assert_eq!(*known.entry(at.key()).or_insert_with(|| state.clone()), state);
        }
    }
    assert!(known.len() > 500);
}

#[test]
fn a_record_replays_to_the_same_end() {
    let mut rng = Rng::new(6);
    let record = random_game(false, &mut rng, |_, _| {});
    let decisions: Vec<_> = record.decisions().collect();
    let again = record_of(record.start().clone(), &decisions);
    assert_eq!(again.outcome(), record.outcome());
    assert_eq!(again.now().key(), record.now().key());
}
