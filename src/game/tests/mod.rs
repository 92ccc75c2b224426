//! What can be done with any game, tested on the runners' duel.

pub(super) mod sample_game;

use super::*;
use crate::base::{Color, Rng};
use crate::notation::{Token, parse_position, parse_token};
use sample_game::{Choice, Duel};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

fn start() -> Duel {
    Duel::start(&Rules::default())
}

fn read(text: &str) -> Duel {
    Duel::read(&parse_position(text).unwrap(), &Rules::default()).unwrap()
}

/// The state after these tokens.
fn after(tokens: &str) -> Duel {
    say(&start(), tokens)
}

fn say(from: &Duel, tokens: &str) -> Duel {
    let token = |text: &str| parse_token(text).unwrap();
    tokens
        .split_whitespace()
        .fold(from.clone(), |state, text| read_token(&state, &token(text)).unwrap().after)
}

fn refusal(state: &Duel, token: &str) -> String {
    let illegal = read_token(state, &parse_token(token).unwrap()).unwrap_err();
    format!("{}: {illegal}", illegal.legs_read)
}

fn listed(state: &Duel) -> Vec<Choice> {
    let mut list = Decisions::new();
    state.sorted_decisions(&mut list);
    list.to_vec()
}

fn divide(state: &Duel, depth: u32, threads: usize) -> Vec<(Vec<Choice>, u64)> {
    perft::divide(state, depth, threads, &AtomicBool::new(false)).unwrap()
}

/// Every sequence of complete turns, one by one, which counting must agree with.
fn lines(state: &Duel, turns: u32) -> Vec<Vec<Choice>> {
    let mut unfinished = vec![(Vec::new(), state.clone(), 0)];
    let mut finished = Vec::new();
    while let Some((line, state, complete)) = unfinished.pop() {
        if complete == turns {
            finished.push(line);
            continue;
        }
        for choice in listed(&state) {
            let (mut line, mut next) = (line.clone(), state.clone());
            next.apply(choice);
            line.push(choice);
            let turn_over = next.between_turns() || next.actor() == Actor::Nobody;
            unfinished.push((line, next, complete + u32::from(turn_over)));
        }
    }
    finished
}

#[test]
fn counts_made_by_hand() {
    // a1b1, then c3c2 or c3b3. In one turn an attack leads to giving in and `again` ways to go on (doing
    // nothing included), or to the card: it holds (4 cards may come, 2 places for the attacker) or not (4
    // cards, and again).
    let attack = |again: u64| again + 4 * 2 + 4 * again;
    // From b2: b1, c2, b3 or nothing. From c1: b1, c2 or nothing.
    let (b2, c1) = (1 + attack(4), 1 + attack(3));
    // Black on b3: White on a1 or c1, or on b2 side by side. Black on c2: a1, or side by side on c1 or b2.
    let counts: Vec<u64> = (0..=3).map(|depth| perft::turns(&start(), depth)).collect();
    assert_eq!(counts, [1, 1, 2, (2 + b2) + (1 + c1 + b2)]);

    let state = after("a1b1 c3b3");
    let steps: Vec<u64> = (0..=7).map(|steps| perft::steps(&state, steps)).collect();
    assert_eq!(steps, [1, 3, 2, 2, 4 + 2, 4 + 4, 4 * 2 + 4 * 4, 0]);
    // All of them end differently: by where White stands, and by the card drawn.
    assert_eq!(perft::results(&state), 2 + b2);

    // Without cards only giving in is left.
    let bare = read("1b1/*2/1W1 w W=Ac/B= - 0 0");
    assert_eq!((perft::turns(&bare, 1), perft::results(&bare)), (2 + 1 + 4, 2 + 1 + 4));
}

#[test]
fn different_ways_to_the_same_end_are_one_result() {
    // Black already stands on a3. b1, c2; b3 and stop; or attack and then b2, c3 (won) or nothing, which
    // leaves the same position as stopping.
    let state = read("b2/*W1/3 w W=/B= - 0 0");
    assert_eq!((perft::turns(&state, 1), perft::results(&state)), (2 + 1 + 3, 2 + 3));
}

#[test]
fn counts_agree_with_written_out_lines() {
    let states = ["", "a1b1", "a1b1 c3b3", "a1b1 c3b3 b1b2,X@b3 0000 b2b3", "a1b1 c3b3 b1b2,X@b3 =2c,=6,+Ad"];
    for tokens in states {
        let state = after(tokens);
        for depth in 0..=5 {
            let all = lines(&state, depth);
            assert_eq!(perft::turns(&state, depth), all.len() as u64, "{tokens} {depth}");
            assert_eq!(perft::turns_threaded(&state, depth, 3), all.len() as u64, "{tokens} {depth}");
            let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
            assert_eq!(perft::turns_until(&state, depth, &go), Some(all.len() as u64));
            // It is stopped wherever there is something to count.
            let stopped = perft::turns_until(&state, depth, &stop);
            let nothing = depth == 0 || listed(&state).is_empty();
            assert_eq!(stopped, nothing.then_some(all.len() as u64));
            let mut sorted: Vec<_> = all.clone();
            sorted.sort();
            sorted.dedup();
            assert_eq!(sorted.len(), all.len());

            let divided = divide(&state, depth, 2);
            for length in 1..=3 {
                // The turns below the first decisions of each turn, with the same counts.
                let beginnings: BTreeSet<_> =
                    divided.iter().map(|(turn, _)| &turn[..length.min(turn.len())]).collect();
                for beginning in beginnings {
                    let wanted: Vec<_> =
                        divided.iter().filter(|(turn, _)| turn.starts_with(beginning)).cloned().collect();
                    let found = perft::divide_below(&state, &[beginning.to_vec()], depth, 1, &go);
                    assert_eq!(found.unwrap(), wanted, "{tokens} {depth} {beginning:?}");
                }
            }
            for (turn, count) in &divided {
                assert_eq!(
                    *count,
                    all.iter().filter(|line| line.starts_with(turn)).count() as u64,
                    "{turn:?}"
                );
            }
            assert_eq!(
                divided.iter().map(|(_, count)| count).sum::<u64>(),
                if depth == 0 { 0 } else { all.len() as u64 }
            );
        }
    }
}

#[test]
fn complete_turns_are_the_lines_of_one_turn() {
    let state = after("a1b1 c3b3");
    let mut found = Vec::new();
    perft::complete_turns(&state, &mut Vec::new(), &mut |turn, after| {
        let mut replayed = state.clone();
        turn.iter().for_each(|&choice| replayed.apply(choice));
        assert_eq!(&replayed, after);
        found.push(turn.to_vec());
    });
    let mut all = lines(&state, 1);
    all.sort();
    let in_listed_order = found.clone();
    found.sort();
    assert_eq!(found, all);
    let divided: Vec<_> = divide(&state, 1, 2).into_iter().map(|(turn, _)| turn).collect();
    assert_eq!(divided, in_listed_order);
}

#[test]
fn a_game_won_in_the_middle_of_a_turn() {
    // White on c3 has already won: there is nothing to count and nothing to play.
    let won = read("2W/*2/1b1 b W=Ac/B=2c - 0 9");
    assert_eq!((won.actor(), perft::turns(&won, 1)), (Actor::Nobody, 0));
    assert_eq!(won.outcome().unwrap().to_string(), "1-0 {the runner arrived}");

    let state = read("1W1/*b1/3 w W=Ac/B= - 0 9");
    let arrived = say(&state, "b3c3");
    assert_eq!((arrived.actor(), arrived.outcome().unwrap().rule), (Actor::Nobody, "D1"));
    // The other turn is b3a3; the won one has nothing below.
    assert_eq!(perft::turns(&state, 1), 2);
    assert_eq!(divide(&state, 2, 1)[1], (vec![Choice::Step(8)], 0));
    assert_eq!(perft::turns(&state, 2), lines(&state, 2).len() as u64);

    // The second step of a turn wins as well, and the turn never ends.
    let state = read("3/*b1/2W w W=Ac/B= - 0 9");
    let arrived = say(&state, "c1c2,X@b2,c2c3");
    assert_eq!((arrived.actor(), arrived.between_turns()), (Actor::Nobody, false));
    assert_eq!(arrived.outcome().unwrap().rule, "D1");
    let decisions = [Choice::Step(5), Choice::Attack, Choice::Step(8)];
    assert!(divide(&state, 1, 1).contains(&(decisions.to_vec(), 1)));
    assert_eq!(turns_text(&state, &decisions), [parse_token("c1c2,X@b2,c2c3").unwrap()]);
}

#[test]
fn mate_goes_before_the_counter() {
    let stuck = read("bW1/*2/3 b W=Ac/B=2c - 5 120");
    assert_eq!(stuck.decided().unwrap().rule, "D9");
    assert_eq!(stuck.outcome().unwrap(), Outcome::win(Color::White, "D2", "no step is left"));
    assert_eq!(read("W1b/*2/3 b W=Ac/B=2c - 5 120").outcome().unwrap().rule, "D9");
    assert_eq!(read("W1b/*2/3 b W=Ac/B=2c - 5 119").outcome(), None);
}

#[test]
fn a_record_remembers() {
    let mut record = Record::new(start());
    assert!(record.is_empty() && !record.undo());
    let shuffle = [Choice::Step(1), Choice::Step(7), Choice::Step(0), Choice::Step(8)];
    for (index, choice) in shuffle.into_iter().cycle().take(8).enumerate() {
        assert_eq!(record.outcome(), None, "after {index}");
        record.play(choice);
    }
    // The first position now occurs for the third time.
    assert_eq!(record.outcome(), Some(Outcome::draw("D9", "third occurrence")));
    assert_eq!((record.len(), record.decisions().count()), (8, 8));
    assert_eq!(record.recent_keys().len(), 9);
    assert_eq!(record.recent_keys().iter().filter(|key| **key == record.now().key()).count(), 3);
    assert_eq!(record.recent_keys()[0], record.start().key());

    assert!(record.undo());
    assert_eq!(record.outcome(), None);
    record.play(Choice::Step(8));
    assert!(record.outcome().is_some());
    record.rewind(20);
    assert_eq!(record.len(), 8);
    record.rewind(4);
    assert_eq!((record.len(), record.outcome()), (4, None));
    assert_eq!(record.now().key(), record.start().key());
    assert_eq!(record.state_after(1).unwrap(), &after("a1b1"));
    assert!(record.state_after(5).is_none());
    record.rewind(0);
    assert_eq!(record.now(), &start());
}

#[test]
fn what_cannot_come_back_is_forgotten() {
    let mut record = Record::new(start());
    // White at b2 attacks, Black's card does not hold, White stops: no earlier position can recur.
    let turn =
        [Choice::Step(4), Choice::Attack, Choice::Play(1), Choice::Fail, Choice::Draw(4), Choice::Decline];
    for choice in [Choice::Step(1), Choice::Step(7)].into_iter().chain(turn) {
        record.play(choice);
    }
    assert_eq!(record.recent_keys(), [record.now().key()]);
    record.play(Choice::Step(7));
    record.play(Choice::Decline);
    assert_eq!(record.recent_keys().len(), 2);
    // In the middle of a turn nothing counts, but what the turn leads to may repeat everything before it.
    record.rewind(3);
    assert_eq!(record.now().repetition(), None);
    assert_eq!(record.recent_keys().len(), 3);
    record.rewind(2);
    assert_eq!(record.recent_keys().len(), 3);
}

#[test]
fn random_games_end_and_replay() {
    let mut ends = std::collections::BTreeMap::<&str, u32>::new();
    for seed in 0..300 {
        let played = playout(start(), &mut Rng::new(seed), 2000, |record, list| {
            assert_eq!(list, listed(record.now()));
            assert_eq!(list.len() as u64, record.now().count());
            assert!(record.outcome().is_none());
        });
        let outcome = played.outcome.unwrap();
        *ends.entry(outcome.rule).or_default() += 1;
        assert_eq!(played.record.outcome(), Some(outcome));
        let mut state = start();
        played.record.decisions().for_each(|choice| state.apply(choice));
        assert_eq!(&state, played.record.now());
    }
    assert_eq!(ends.keys().copied().collect::<Vec<_>>(), ["D1", "D2", "D9"], "{ends:?}");
    let broken_off = playout(start(), &mut Rng::new(1), 3, |_, _| {});
    assert_eq!((broken_off.record.len(), broken_off.outcome), (3, None));
}

#[test]
fn chance_is_drawn_by_its_weights() {
    // 2c holds if the die shows 1 or 2.
    let state = after("a1b1 c3b3 b1b2,X@b3 =2c");
    let mut rng = Rng::new(5);
    let held = (0..3000).filter(|_| {
        let played = playout(state.clone(), &mut rng, 1, |_, _| {});
        played.record.decisions().next() == Some(Choice::Hold)
    });
    // 1000 expected, standard deviation 26.
    assert!((870..1130).contains(&held.count()));
}

#[test]
fn turns_are_written_and_read_back() {
    for seed in 0..200 {
        let played = playout(start(), &mut Rng::new(seed), 60, |_, _| {});
        let decisions: Vec<Choice> = played.record.decisions().collect();
        let mut at = 0;
        let mut state = start();
        for token in turns_text(&start(), &decisions) {
            // The tokens go through text, as a client sees them.
            let token: Token = token.to_string().parse().unwrap();
            let reading = read_token(&state, &token).unwrap();
            assert_eq!(reading.decisions.as_slice(), &decisions[at..at + reading.decisions.len()], "{token}");
            assert_eq!(write_token(&state, &reading.decisions), token);
            at += reading.decisions.len();
            state = reading.after;
        }
        assert_eq!((at, &state), (decisions.len(), played.record.now()));
    }
}

#[test]
fn each_speaker_has_a_token_of_his_own() {
    let decisions = [
        Choice::Step(1),
        Choice::Step(7),
        Choice::Step(4),
        Choice::Attack,
        Choice::Play(1),
        Choice::Fail,
        Choice::Draw(4),
        Choice::Decline,
        Choice::Step(7),
        Choice::Decline,
    ];
    let text = |decisions: &[Choice]| {
        turns_text(&start(), decisions).iter().map(Token::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(text(&decisions), "a1b1 c3b3 b1b2,X@b3 =2c,=6,+2d 0000 a3b3");
    // Unfinished turns: the token is open while White must still decide whether to attack, and closed where
    // Black or chance comes next.
    assert_eq!(text(&decisions[..3]), "a1b1 c3b3 b1b2,");
    assert_eq!(text(&decisions[..4]), "a1b1 c3b3 b1b2,X@b3");
    assert_eq!(text(&decisions[..5]), "a1b1 c3b3 b1b2,X@b3 =2c");
    assert_eq!(text(&decisions[..7]), "a1b1 c3b3 b1b2,X@b3 =2c,=6,+2d");
    let mut held = decisions[..7].to_vec();
    held[5] = Choice::Hold;
    assert_eq!(text(&held), "a1b1 c3b3 b1b2,X@b3 =2c,=1,+2d,");
    held.push(Choice::Place(6));
    assert_eq!(text(&held), "a1b1 c3b3 b1b2,X@b3 =2c,=1,+2d,W@a3");
    assert_eq!(text(&[]), "");
}

#[test]
fn tokens_are_completed_by_what_is_not_written() {
    let state = after("a1b1 c3b3");
    let reading = |token: &str| read_token(&state, &parse_token(token).unwrap()).unwrap();
    // The end of the token declines the attack; an open token leaves that undecided.
    assert_eq!(reading("b1b2").decisions.as_slice(), [Choice::Step(4), Choice::Decline]);
    assert_eq!(reading("b1b2").after.actor(), Actor::Player(Color::Black));
    assert_eq!(reading("b1b2,").decisions.as_slice(), [Choice::Step(4)]);
    assert_eq!(reading("b1b2,").after.actor(), Actor::Player(Color::White));
    assert!(!reading("b1b2,").after.between_turns());
    // After Black's token, declining is written.
    let again = say(&state, "b1b2,X@b3 0000");
    assert_eq!(refusal(&again, "b2a3"), "0: a step or nothing is due");
    assert!(say(&again, "0000").between_turns());
    // The decisions of chance may come leg by leg.
    let held = say(&state, "b1b2,X@b3 =2c =1");
    assert_eq!(say(&held, "+3d W@a3"), say(&state, "b1b2,X@b3 =2c,=1,+3d,W@a3"));
    assert_eq!(say(&held, "+3d,W@a3"), say(&state, "b1b2,X@b3 =2c,=1,+3d,W@a3"));
    // The die may show any number that means the same.
    let rolled = say(&state, "b1b2,X@b3 =2c");
    assert_eq!(say(&rolled, "=1"), say(&rolled, "=2"));
    assert_eq!(say(&rolled, "=3"), say(&rolled, "=6"));
    // A token may run over the end of a turn: Black holds, draws, puts White away and makes a move.
    let both = say(&state, "b1b2,X@b3 =2c,=1,+3d,W@a1,b3b2");
    assert_eq!(both, say(&state, "b1b2,X@b3 =2c,=1,+3d,W@a1 b3b2"));
}

#[test]
fn illegal_tokens_say_why() {
    let state = after("a1b1 c3b3");
    assert_eq!(refusal(&state, "b1b3"), "0: a step is due");
    assert_eq!(refusal(&state, "b1b2,X@a1"), "1: attack or stop");
    assert_eq!(refusal(&state, "b1b2,0000"), "1: 0000 is not written here: what is not said is declined");
    assert_eq!(refusal(&after("a1b1 c3b3 b1b2,X@b3 =2c"), "+Ad"), "0: chance decides here");
    // A token holds no decision of the other player, neither after the player's own turn nor in the middle of
    // it.
    assert_eq!(refusal(&state, "b1a1,b3b2"), "1: the turn is complete, Black speaks next");
    assert_eq!(refusal(&state, "b1b2,b3a3"), "1: attack or stop");
    assert_eq!(refusal(&state, "b1b2,X@b3,0000"), "2: Black speaks next");
    // A token that stops where its player must go on.
    let attacked = after("a1b1 c3b3 b1b2,X@b3");
    assert_eq!(refusal(&attacked, "=2c,=1,+3d"), "3: the turn is not finished");
    assert_eq!(refusal(&attacked, "=2c,=1,+3d,b3b2"), "3: the attacker must be put somewhere");
    assert_eq!(refusal(&attacked, "=2c,=1,+3d,W@b1"), "3: the attacker must be put somewhere");
    assert!(read_token(&attacked, &parse_token("=2c,=1,+3d,").unwrap()).is_ok());
    // After the end of the game.
    let won = read("1W1/*b1/3 w W=Ac/B= - 0 9");
    assert_eq!(refusal(&won, "b3c3,c3b3"), "1: the game is over: 1-0 {the runner arrived}");
}

#[test]
fn positions_are_written_and_read_back() {
    assert_eq!(start().write().to_string(), Duel::GAMES[0].start);
    for seed in 0..50 {
        playout(start(), &mut Rng::new(seed), 200, |record, _| {
            let state = record.now();
            if state.between_turns() {
                let text = state.write().to_string();
                assert_eq!(&read(&text), state);
            }
        });
    }
}

#[test]
fn a_sample_looks_like_what_was_seen() {
    for seed in 0..100 {
        let mut rng = Rng::new(1000 + seed);
        playout(start(), &mut Rng::new(seed), 200, |record, list| {
            let state = record.now();
            for viewer in Color::ALL {
                let view = state.view(viewer);
                assert_eq!(view.view(viewer), view);
                let sample = view.sample(&mut rng);
                assert_eq!(sample.view(viewer), view);
                if state.actor() == Actor::Player(viewer) {
                    assert_eq!(listed(&sample), list);
                    assert_eq!(listed(&view), list);
                }
            }
        });
    }
}

#[test]
fn a_view_follows_what_it_is_told() {
    // Black sees the cards drawn for Black; White sees only that a card was drawn.
    let told = ["a1b1", "c3b3", "b1b2,X@b3", "=2c,=6,+2d", "0000", "a3b3"];
    let blind = ["a1b1", "c3b3", "b1b2,X@b3", "=2c,=6,+?", "0000", "a3b3"];
    let full = say(&start(), &told.join(" "));
    assert_eq!(say(&start().view(Color::White), &blind.join(" ")), full.view(Color::White));
    assert_eq!(say(&start().view(Color::White), &told.join(" ")), full.view(Color::White));
    assert_eq!(say(&start().view(Color::Black), &told.join(" ")), full.view(Color::Black));
    assert_eq!(full.view(Color::White).write().to_string(), "1b1/*W1/3 w W=Ac/B=?1 2c 1 4");
    // Samples of it hold each of the four cards Black may have drawn.
    let mut rng = Rng::new(3);
    let seen: std::collections::HashSet<u64> =
        (0..100).map(|_| full.view(Color::White).sample(&mut rng).key()).collect();
    assert_eq!(seen.len(), 4);
}
