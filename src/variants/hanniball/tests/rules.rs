//! The worked examples of the rules and one case for each ruling.

use super::{list, play, read, rules, set_up, text, texts, texts_from, try_play};
use crate::base::Color;
use crate::game::{Actor, Evaluation, Game, Notation, Record, perft};
use crate::variants::hanniball::State;
use std::collections::HashSet;

fn count(list: &[String], wanted: impl Fn(&str) -> bool) -> usize {
    list.iter().filter(|text| wanted(text)).count()
}

fn start() -> State {
    State::start(&rules(false))
}

fn winner(position: &State) -> Option<Color> {
    assert_eq!(position.actor(), Actor::Nobody);
    assert_eq!(position.decided().unwrap().rule, "R26");
    assert!(texts(position).is_empty());
    position.decided().unwrap().winner
}

#[test]
fn start_is_the_diagram_and_its_own_mirror_image() {
    // R6.
    assert_eq!(start().write().to_string(), State::GAMES[0].start);
    let text = State::GAMES[0].start.split(' ').next().unwrap();
    let turned: Vec<_> = text.split('/').rev().map(|line| line.chars().rev().collect::<String>()).collect();
    assert_eq!(turned.join("/").to_lowercase(), text.to_lowercase());
}

#[test]
fn first_turn_is_counted_out() {
    // Section 11: the first 59 by pieces, then the sequences and results.
    let first = texts(&start());
    let of = |squares: &[&str]| count(&first, |text| squares.contains(&&text[..2]));
    assert_eq!(of(&["b3", "d3", "f3", "h3"]), 24);
    assert_eq!(of(&["b4", "d4", "f4", "h4"]), 18);
    assert_eq!(of(&["c2", "g2"]), 12);
    assert_eq!(of(&["e1"]), 5);
    assert_eq!(first.len(), 59);
    let four_steps = read(&State::GAMES[0].start.replace("w 2", "w 4"), false);
    assert_eq!([1, 2, 3].map(|steps| perft::steps(&four_steps, steps)), [59, 3_564, 219_088]);
    assert_eq!(perft::results(&start()), 1_871);
    assert_eq!([1, 2, 3].map(|steps| perft::steps(&start(), steps)), [59, 3_564, 0], "R10: two steps only");
}

#[test]
fn lion_before_the_goal() {
    // W Me1 Le13, B Me14, Ball e13: 75 steps.
    let position = set_up("Me1 Le13 me14", "e13", "w 4", false);
    let all = texts(&position);
    assert_eq!(all.len(), 75);
    assert_eq!(count(&all, |t| t.starts_with("e1") && !t.starts_with("e13")), 9);
    assert_eq!(count(&all, |t| t.starts_with("e13") && !t.ends_with('-')), 15);
    assert_eq!(count(&all, |t| t.starts_with("e13") && t.ends_with('-')), 15);
    assert_eq!(count(&all, |t| t.starts_with("O@") && !t.contains(',')), 15);
    let ricochets: Vec<_> = all.iter().filter_map(|t| t.strip_prefix("O@e14,O@")).collect();
    let mut wanted = "a10 a14 b11 b14 c12 c14 d13 d14 e9 e10 e11 e12 e13 f13 f14 g12 g14 h11 h14 i10 i14"
        .split(' ')
        .collect::<Vec<_>>();
    wanted.sort_unstable();
    assert_eq!(ricochets, wanted);
    let scores = |t: &&String| play(&position, &format!("{t},")).actor() == Actor::Nobody;
    assert_eq!(all.iter().filter(scores).collect::<Vec<_>>(), ["O@d15", "O@f15", "e13d15", "e13f15"]);
    assert_eq!(winner(&play(&position, "O@d15")), Some(Color::White));
    assert_eq!(winner(&play(&position, "e13f15")), Some(Color::White));
}

#[test]
fn monkey_with_the_ball() {
    // W Me2, B Me15 Hh8, Ball e2: 10 carries, 3 of them lose, and 14 shots; R17: no leaving; R22, O3, O4.
    let position = set_up("Me2 me15 hh8", "e2", "w 4", false);
    let all = texts(&position);
    assert_eq!(all.len(), 24);
    assert_eq!(count(&all, |t| t.starts_with("e2")), 10);
    assert_eq!(count(&all, |t| t.ends_with('-')), 0);
    let shots: Vec<_> = all.iter().filter_map(|t| t.strip_prefix("O@")).collect();
    let mut wanted = "a2 b2 h2 i2 c4 b5 a6 g4 h5 i6 e4 e5 e6 e7".split(' ').collect::<Vec<_>>();
    wanted.sort_unstable();
    assert_eq!(shots, wanted);
    for own_goal in ["e2d1", "e2e1", "e2f1"] {
        assert_eq!(winner(&play(&position, own_goal)), Some(Color::Black), "{own_goal}");
    }
}

#[test]
fn leap_past_the_goal_post_is_never_blocked() {
    // W Me1 Hb2, B Me15 Ec2, Ball h9 (R14, O14).
    let position = set_up("Me1 Hb2 me15 ec2", "h9", "w 4", false);
    assert_eq!(texts_from(&position, "b2"), ["b2a4", "b2c4", "b2d1", "b2d3"]);
}

#[test]
fn horse_between_others() {
    // W Me1 He8, B Me15 Ed9 Ee9 Hf9, Ball e8 (R13).
    let position = set_up("Me1 He8 me15 ed9 ee9 hf9", "e8", "w 4", false);
    let all = texts(&position);
    let go = ["e8c7", "e8c9", "e8d6", "e8f6", "e8g7", "e8g9"];
    assert_eq!(count(&all, |t| t.starts_with("e8")), 12);
    assert!(go.iter().all(|t| all.contains(&(*t).to_owned()) && all.contains(&format!("{t}-"))));
    assert_eq!(count(&all, |t| t.starts_with("O@")), 8);
}

#[test]
fn horse_captures_who_has_the_ball() {
    // W Me1 Hd6, B Me15 Ee8, Ball e8 (R18), and without the ball it may not.
    let position = set_up("Me1 Hd6 me15 ee8", "e8", "w 4", false);
    let after = play(&position, "d6e8,");
    assert_eq!(after.write().to_string().matches('e').count(), 0, "the Elephant is gone");
    assert!(after.write().to_string().contains("+H"), "the Horse has the ball");
    let elsewhere = set_up("Me1 Hd6 me15 ee8", "e9", "w 4", false);
    assert!(!texts(&elsewhere).contains(&"d6e8".to_owned()));
}

/// The number of steps of the turn after which a piece of the side to move can have the ball.
fn ball_taken_after(position: &State) -> Option<u8> {
    let mover = position.side;
    let mut seen = HashSet::new();
    let mut layer = vec![position.clone()];
    for step in 1..=position.left {
        let mut next = Vec::new();
        for at in &layer {
            for decision in list(at) {
                let mut after = at.clone();
                after.apply(decision);
                if after.board.controls(mover) {
                    return Some(step);
                }
                if after.side == mover && seen.insert(after.board.key()) {
                    next.push(after);
                }
            }
        }
        layer = next;
    }
    None
}

#[test]
fn white_cannot_reach_the_ball_first_but_black_can() {
    // Section 11: a Horse needs three steps; White has two in the first turn, Black four.
    assert_eq!(ball_taken_after(&start()), None);
    assert_eq!(ball_taken_after(&play(&start(), "b3a3")), Some(3));
}

#[test]
fn horse_runs_from_the_centre_into_the_goal() {
    // Section 11: 2 + 2 + 2 + 1 rows.
    let position = set_up("Me1 He8 me15", "e8", "w 4", false);
    assert_eq!(winner(&play(&position, "e8f10,f10e12,e12f14,f14d15")), Some(Color::White));
}

#[test]
fn turns_have_four_steps_but_the_first_two() {
    // R9, R10.
    let after = play(&start(), "b4c6,c6e7");
    assert_eq!((after.actor(), after.between_turns()), (Actor::Player(Color::Black), true));
    let three = play(&after, "b12c10,c10d8,d8e6,");
    assert_eq!((three.actor(), three.between_turns()), (Actor::Player(Color::Black), false));
    let four = play(&three, "e6d8");
    assert_eq!((four.actor(), four.between_turns()), (Actor::Player(Color::White), true));
    assert_eq!(four.write().fields, ["w", "4", "2", "2"]);
    let stopped = play(&after, "b12c10");
    assert_eq!(stopped.write().fields, ["w", "4", "2", "2"]);
    assert!(try_play(&start(), "b4c6,c6e7,e7e8").is_err(), "a third step");
}

#[test]
fn a_turn_must_change_something() {
    // R11: no passing, no turn that undoes itself, though it may on the way.
    assert!(!texts(&start()).contains(&".".to_owned()));
    let out = play(&start(), "e1d1,");
    assert!(texts(&out).contains(&".".to_owned()));
    assert!(!texts(&out).contains(&"d1e1".to_owned()), "the second of two steps");
    assert_eq!(try_play(&out, "d1e1").unwrap_err(), "the turn would end where it began");
    let four = read(&State::GAMES[0].start.replace("w 2", "w 4"), false);
    let back = play(&four, "e1d1,d1e1,");
    assert!(!texts(&back).contains(&".".to_owned()), "no stopping where it began");
    assert_eq!(texts(&back).len(), 59);
    // From d1: b2 and e1 are left out, one because it is outside the goal area, the other because it undoes.
    assert_eq!(texts_from(&play(&back, "e1d1,"), "d1"), ["d1c3", "d1d2", "d1e2", "d1e3", "d1f2"]);
}

#[test]
fn a_turn_that_undoes_itself_in_another_order_is_none() {
    // R11, the steps of two pieces transposed.
    let four = read(&State::GAMES[0].start.replace("w 2", "w 4"), false);
    let last = play(&four, "b3a3,d3c3,a3b3,");
    assert!(!texts(&last).contains(&"c3d3".to_owned()));
    assert!(texts(&last).contains(&".".to_owned()));
    assert!(texts(&last).contains(&"b3a3".to_owned()), "another last step will do");
    let shots = play(&set_up("Me1 Hd5 He6 me15", "d5", "w 4", false), "O@e6,O@d5,O@e6,");
    assert!(!texts(&shots).contains(&"O@d5".to_owned()));
    assert!(texts(&shots).contains(&"O@d6".to_owned()));
    let leave = play(&set_up("Me1 Ee8 me15", "e8", "w 4", false), "e8f8-,f8e8,e8f8-,");
    assert!(!texts(&leave).contains(&"f8e8".to_owned()));
}

#[test]
fn swapping_like_pieces_is_no_change() {
    // O10: two Elephants change places, and a Horse and an Elephant do.
    let elephants = play(&set_up("Me1 Ed5 Ee5 me15", "i9", "w 4", false), "d5d6,e5d5,d6e6,");
    assert!(!texts(&elephants).contains(&"e6e5".to_owned()));
    let lion = play(&set_up("Me1 Ld5 Ee5 me15", "i9", "w 4", false), "d5d6,e5d5,d6e6,");
    assert!(texts(&lion).contains(&"e6e5".to_owned()));
}

#[test]
fn a_ricochet_home_is_a_step_but_no_turn() {
    // R11 and R24: the ball may come back to the shooter, which changes nothing.
    let mut position = set_up("Me1 Le13 me14", "e13", "w 4", false);
    for _ in 0..3 {
        assert!(texts(&position).contains(&"O@e14,O@e13".to_owned()));
        position = play(&position, "O@e14,O@e13,");
        assert!(!texts(&position).contains(&".".to_owned()));
    }
    assert_eq!(texts(&position).len(), 74);
    assert!(!texts(&position).contains(&"O@e14,O@e13".to_owned()));
    assert_eq!(try_play(&position, "O@e14,O@e13").unwrap_err(), "the turn would end where it began");
}

#[test]
fn moves_on_a_free_field() {
    // R13, R15, R16.
    for (piece, targets) in [("H", 8), ("E", 8), ("L", 16)] {
        let position = set_up(&format!("Me1 {piece}e8 me15"), "b2", "w 4", false);
        assert_eq!(texts_from(&position, "e8").len(), targets, "{piece}");
    }
}

#[test]
fn a_loose_ball_blocks_nobody() {
    // O1: e9 and d9 lie between e8 and d10.
    let loose = set_up("Me1 He8 me15 ed9", "e9", "w 4", false);
    assert!(texts(&loose).contains(&"e8d10".to_owned()));
    let held = set_up("Me1 He8 me15 ed9 ee9", "e9", "w 4", false);
    assert!(!texts(&held).contains(&"e8d10".to_owned()));
    let mine = set_up("Me1 He8 Ee9 me15 ed9", "i2", "w 4", false);
    assert!(!texts(&mine).contains(&"e8d10".to_owned()), "either colour blocks");
}

#[test]
fn monkeys_keep_to_their_13_squares() {
    // R17.
    let position = set_up("Mc3 me15", "i9", "w 4", false);
    assert_eq!(texts_from(&position, "c3"), ["c3c2", "c3d1", "c3d2", "c3d3", "c3e2"]);
    let black = set_up("Me1 mf13", "i9", "b 4", false);
    assert_eq!(
        texts_from(&black, "f13"),
        ["f13d14", "f13e13", "f13e14", "f13e15", "f13f14", "f13g13", "f13g14"]
    );
}

#[test]
fn the_ball_is_taken_carried_and_left() {
    // R12, R18, O16.
    let position = set_up("Me1 Hd6 me15", "e8", "w 4", false);
    let taken = play(&position, "d6e8,");
    assert!(taken.write().to_string().contains("4+H4"));
    let left = play(&taken, "e8g9-,");
    assert!(left.write().to_string().contains("/6H2/4o4/"));
    let again = play(&left, "g9e8,");
    assert_eq!(again.write().placement, taken.write().placement);
    let carried = play(&again, "e8g9");
    assert!(carried.write().to_string().contains("/6+H2/9/"));
}

#[test]
fn monkeys_capture_and_are_captured() {
    // R19, R30: play goes on.
    let takes = play(&set_up("Me1 me15 hd2", "d2", "w 4", false), "e1d2,");
    assert!(takes.write().to_string().contains("3+M5"));
    let taken = play(&set_up("Me1 Ld13 me14", "e14", "w 4", false), "d13e14,");
    assert!(!taken.write().to_string().contains('m'));
    assert_eq!(taken.actor(), Actor::Player(Color::White));
}

#[test]
fn shooting_at_an_enemy_and_capturing_him() {
    // R20, R23.
    let position = set_up("Me1 Hd5 Hd4 me15 ee6", "d5", "w 4", false);
    assert!(!texts(&position).contains(&"d4e6".to_owned()));
    let after = play(&position, "O@e6,d4e6");
    assert!(!after.write().to_string().contains('e'));
    assert_eq!(after.write().fields, ["b", "4", "0", "1"], "a capture resets the count of quiet turns");
}

#[test]
fn shots_fly_over_pieces() {
    // R21, R22, O3: blocking is about moving only.
    let around = "hd9 he9 hf9 ed8 ef8 ed7 ee7 lf7";
    let elephant = set_up(&format!("Me1 Ee8 me15 {around}"), "e8", "w 4", false);
    assert!(texts_from(&elephant, "e8").is_empty());
    assert_eq!(
        texts_from(&elephant, "O@"),
        ["O@c7", "O@c9", "O@d10", "O@d6", "O@f10", "O@f6", "O@g7", "O@g9"]
    );
    let horse = set_up(&format!("Me1 He8 me15 {around}"), "e8", "w 4", false);
    assert!(texts_from(&horse, "e8").is_empty());
    assert_eq!(texts_from(&horse, "O@"), ["O@d7", "O@d8", "O@d9", "O@e7", "O@e9", "O@f7", "O@f8", "O@f9"]);
    let monkey = set_up("Me2 me15 ee3 ee4 ee5", "e2", "w 4", false);
    assert!(texts(&monkey).contains(&"O@e6".to_owned()));
}

#[test]
fn whoever_stands_where_the_ball_lands_has_it() {
    // R23, O15: a turn may end with the ball loose, with one's own or with the enemy.
    let position = set_up("Me1 He8 Lf9 me15 ed9", "e8", "w 4", false);
    for (shot, shown) in [("O@f9", "+L"), ("O@d9", "+e"), ("O@e9", "o")] {
        let after = play(&position, shot);
        assert!(after.write().to_string().contains(shown), "{shot}");
        assert_eq!(after.actor(), Actor::Player(Color::Black));
    }
}

#[test]
fn ones_own_monkey_sends_the_ball_on_too() {
    // R24: 5 up, 4 to each side and along each diagonal, none into the goal; on pieces, too.
    let position = set_up("Me2 He3 me15 ha6", "e3", "w 4", false);
    let ricochets = texts_from(&position, "O@e2,");
    assert_eq!(ricochets.len(), 21);
    assert!(!texts(&position).contains(&"O@e2".to_owned()), "it never stays with the Monkey");
    assert!(try_play(&position, "O@e2,").is_err(), "the first leg alone is no step");
    assert!(play(&position, "O@e2,O@a6").write().to_string().contains("+h"));
    assert!(play(&position, "O@e2,O@d3").write().to_string().contains('o'), "the goal area is no goal");
}

#[test]
fn goals_and_own_goals() {
    // R26: at once, in the middle of a turn, shot or carried.
    let position = set_up("Me1 Hc2 me15 ed2", "c2", "w 4", false);
    let own = play(&position, "O@d1,");
    assert_eq!(winner(&own), Some(Color::Black));
    assert_eq!(own.decided().unwrap().reason, "White brought the ball into its own goal");
    let black = set_up("Me1 me15 hd2", "d2", "b 4", false);
    assert_eq!(winner(&play(&black, "O@d1")), Some(Color::Black));
    let ec3 = set_up("Me1 me15 ec3", "c3", "b 4", false);
    assert_eq!(winner(&play(&ec3, "O@d1")), Some(Color::Black));
    assert_eq!(winner(&play(&ec3, "c3c2,c2d1")), Some(Color::Black));
}

#[test]
fn a_goal_ends_the_turn_in_the_written_position() {
    // R26, R9: side to move, steps, turns since a capture and turn number are those after the turn.
    let position = set_up("Me1 Hc3 me15 ed2", "c3", "w 4", false);
    assert_eq!(play(&position, "c3d1").write().fields, ["b", "4", "1", "1"]);
    let captures = set_up("Me1 Hc3 me15 ed2", "d2", "w 4", false);
    assert_eq!(play(&captures, "e1d2,d2d1").write().fields, ["b", "4", "0", "1"]);
    let black = set_up("Me1 me15 hd2", "d2", "b 4", false);
    assert_eq!(play(&black, "e15e14,O@d1").write().fields, ["w", "4", "1", "2"]);
    let first = set_up("Me1 Le13 me15", "e13", "w 2", false);
    assert_eq!(play(&first, "O@d15").write().fields, ["b", "4", "1", "1"]);
}

#[test]
fn a_turn_ends_by_itself_when_only_stopping_is_left() {
    // A shut-in Horse: after the penalty no step is left, or the way that it opened.
    let shut_in = set_up("Ha2 me15 eb4 ec3 hh12", "e8", "w 4", true);
    assert_eq!(penalties(&shut_in), ["X@b4", "X@c3", "X@h12"]);
    let after = play(&shut_in, "X@h12");
    assert_eq!((after.actor(), after.used), (Actor::Player(Color::Black), 0));
    assert!(try_play(&shut_in, "X@h12,").is_err(), "nothing can follow");
    assert_eq!(texts(&play(&shut_in, "X@b4,")), [".", "a2b4"]);
    // R11: of the last step's choices only the way back is there, and that is none.
    let to_and_fro = set_up("Ha2 me15 eb4 eb5 ed5 ea4 le4 le2 hd1", "i9", "w 4", false);
    assert_eq!(texts(&play(&to_and_fro, "a2c3,")), [".", "c3a2"]);
    let after = play(&to_and_fro, "a2c3,c3a2,a2c3");
    assert_eq!((after.actor(), after.used), (Actor::Player(Color::Black), 0));
    assert!(try_play(&to_and_fro, "a2c3,c3a2,a2c3,").is_err());
}

#[test]
fn the_enemy_goal_is_a_safe_place() {
    // R27: Black's only way to have the ball on d15 is to lose.
    let position = set_up("Me1 Hd15 mf13 ld14", "d14", "b 4", false);
    assert!(!texts(&position).iter().any(|text| text.ends_with("d15") && !text.starts_with('O')));
    assert_eq!(winner(&play(&position, "O@d15")), Some(Color::White));
}

#[test]
fn a_piece_in_the_goal_stops_a_carry_only() {
    // R28.
    let position = set_up("Me1 Le14 me13 hd15", "e14", "w 4", false);
    let all = texts(&position);
    assert!(all.contains(&"O@d15".to_owned()) && all.contains(&"e14f15".to_owned()));
    assert!(!all.contains(&"e14d15".to_owned()));
    assert_eq!(winner(&play(&position, "O@d15")), Some(Color::White));
}

#[test]
fn a_monkey_in_the_goal_guards_its_square() {
    // R29, O2.
    let position = set_up("Me1 Le14 me15", "e14", "w 4", false);
    let all = texts(&position);
    assert!(!all.contains(&"O@e15".to_owned()) && !all.contains(&"e14e15".to_owned()));
    assert_eq!(texts_from(&position, "O@e15,").len(), 13);
    assert!(all.contains(&"O@d15".to_owned()));
}

#[test]
fn own_goals_are_open_to_ones_pieces() {
    // O13, O14.
    let position = set_up("Me1 Ld2 me15", "i9", "w 4", false);
    assert!(texts(&position).contains(&"d2d1".to_owned()) && texts(&position).contains(&"d2f1".to_owned()));
    let shot = set_up("Me1 Hc2 me15", "c2", "w 4", false);
    assert!(texts(&shot).contains(&"O@d1".to_owned()));
}

fn penalties(position: &State) -> Vec<String> {
    texts_from(position, "X@")
}

#[test]
fn four_squares_make_a_cluster() {
    // R32 (b), R35, R37.
    let four = "Me1 Hb2 me15 he8 ed8 ef8 ee9";
    assert_eq!(penalties(&set_up(four, "e8", "w 4", true)), ["X@d8", "X@e8", "X@e9", "X@f8"]);
    assert!(penalties(&set_up(four, "e8", "w 4", false)).is_empty(), "the switch is off by default");
    let loose = set_up("Me1 Hb2 me15 ee9 ee10 ee11", "e8", "w 4", true);
    assert_eq!(penalties(&loose), ["X@e10", "X@e11", "X@e9"]);
    let diagonal = set_up("Me1 Hb2 me15 he8 ed8 ef8 ld9 le10", "e8", "w 4", true);
    assert_eq!(penalties(&diagonal).len(), 5, "the Lion on d9 stands above d8");
    let diagonal = set_up("Me1 Hb2 me15 he8 ed8 ee9 lf7", "e8", "w 4", true);
    assert!(penalties(&diagonal).is_empty(), "three squares, a Lion touching only diagonally");
    let elsewhere = set_up("Me1 Hb2 me15 he8 ed8 ef8 ee9", "b9", "w 4", true);
    assert!(penalties(&elsewhere).is_empty(), "O5: it must contain the ball");
    let mine = set_up("Me1 He8 me15 ed8 ef8 ee9 ee10", "e8", "w 4", true);
    assert!(penalties(&mine).is_empty(), "O5: not when one's own piece has the ball");
    let monkey = set_up("Me1 Hb2 me14 ed14 ef14", "e13", "w 4", true);
    assert_eq!(penalties(&monkey), ["X@d14", "X@f14"], "O5: the Monkey counts, and is not taken (R33)");
}

#[test]
fn a_ball_out_of_reach_is_blocked() {
    // R32 (a), R36, O6.
    let walled = set_up("Me1 Hb2 me15 eg13 eh12", "i14", "w 4", true);
    assert_eq!(penalties(&walled), ["X@g13", "X@h12"]);
    let elephant = set_up("Me1 Hb2 Eb3 me15 eg13 eh12", "i14", "w 4", true);
    assert!(penalties(&elephant).is_empty(), "the Elephant gets there");
    let only_monkey = set_up("Me1 me15 eg13 eh12", "i14", "w 4", true);
    assert!(penalties(&only_monkey).is_empty(), "a lone Monkey has no such right");
    let shut_in = set_up("Me1 Ha2 me15 eb4 ec3", "e8", "w 4", true);
    assert_eq!(penalties(&shut_in), ["X@b4", "X@c3"]);
    let own_in_the_way = set_up("Mc3 Ha2 me15 eb4", "e8", "w 4", true);
    assert!(penalties(&own_in_the_way).is_empty(), "one's own pieces could step aside");
    let monkey_can = set_up("Me1 Ha2 me15 eb4 ec3", "d2", "w 4", true);
    assert!(penalties(&monkey_can).is_empty(), "the Monkey is searched too");
}

#[test]
fn one_penalty_a_turn_at_any_step() {
    // R33, R34, O7, O8, O9.
    let position = set_up("Me1 Hb2 me15 he8 ed8 ef8 ee9", "e8", "w 4", true);
    let later = play(&position, "b2d3,d3b2,");
    assert_eq!(penalties(&later).len(), 4, "fixed at the start of the turn");
    let taken = play(&later, "X@e8,");
    assert!(penalties(&taken).is_empty(), "once");
    assert!(taken.write().to_string().contains("3eoe3"), "the ball stays, loose");
    assert!(texts(&taken).contains(&".".to_owned()), "a removal is a change");
    let black = play(&position, "b2d3");
    assert!(penalties(&black).is_empty());
    assert_eq!(penalties(&play(&black, "e15d15")).len(), 4, "judged afresh");
    assert_eq!(play(&position, "X@d8").write().fields, ["b", "4", "1", "1"], "a penalty is no capture");
}

#[test]
fn no_legal_turn_loses() {
    // O11.
    let nobody = set_up("me15 he8", "b2", "w 4", false);
    assert_eq!(nobody.count(), 0);
    let outcome = nobody.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.rule), (Some(Color::Black), "O11"));
    assert_eq!(nobody.actor(), Actor::Player(Color::White), "the board itself has not ended it");
    let walled_in = set_up("Ha2 me15 eb4 ec3", "i9", "w 4", false);
    assert_eq!(walled_in.outcome().unwrap().winner, Some(Color::Black));
}

fn play_all(record: &mut Record<State>, tokens: &str) {
    for token in tokens.split(' ') {
        let after = play(record.now(), token);
        let reading = crate::game::read_token(record.now(), &token.parse().unwrap()).unwrap();
        reading.decisions.iter().for_each(|&decision| record.play(decision));
        assert_eq!(record.now().key(), after.key());
    }
}

#[test]
fn third_occurrence_is_a_draw() {
    // O12: the first turn never counts.
    let round = "e1d1 e15d15 d1e1 d15e15";
    let mut record = Record::new(start());
    play_all(&mut record, round);
    play_all(&mut record, round);
    assert_eq!(record.outcome(), None, "twice with four steps, once with two");
    play_all(&mut record, "e1d1 e15d15 d1e1");
    let outcome = record.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.rule), (None, "O12"));
    assert_eq!(record.now().write().fields, ["b", "4", "11", "6"], "the third time with Black to move");
}

#[test]
fn two_hundred_turns_a_side() {
    // O12.
    let near_end = "***1m1***/9/9/9/9/9/9/9/9/9/9/9/9/5+h3/***1M1***".replace("5+h3", "2+h6");
    let text = format!("{near_end} w 4 0 200");
    let white = read(&text, false);
    assert_eq!(white.outcome(), None);
    let black = play(&white, "e1e2");
    assert_eq!(black.outcome(), None);
    let over = play(&black, "e15e14");
    let outcome = over.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.rule), (None, "O12"));
    assert_eq!(over.actor(), Actor::Player(Color::White), "counting goes on");
    assert_eq!(winner(&play(&black, "O@d1")), Some(Color::Black), "a goal in the last turn counts");
}

#[test]
fn evaluation_sees_the_ball_and_the_pieces() {
    let value = |pieces: &str, ball: &str, side: &str| set_up(pieces, ball, side, false).classical_eval();
    assert!(value("Me1 Le8 me15", "e8", "w 4") > value("Me1 Le8 me15", "i2", "w 4"));
    assert!(value("Me1 Le10 me15 ee2", "e10", "b 4") > value("Me1 Le10 me15 ee2", "e8", "b 4"));
    // The side whose piece has the Ball where the other side can take it loses a piece.
    assert!(value("Me1 Le10 me15 lf13", "e10", "b 4") < value("Me1 Le10 me15 lf13", "e9", "b 4"));
    assert_eq!(
        value("Me1 Le10 Hb3 me15 lf5", "e10", "w 4"),
        -value("Me1 Lf11 me15 le6 hb13", "e6", "b 4"),
        "the other way up"
    );
    // Black scores from e2 unless White, before the last step of the turn, does something about it.
    let last = play(&set_up("Me1 Lb9 me15 lc2", "c2", "w 4", false), "b9b8,b8b9,b9b8,");
    assert!(last.in_check());
    let mut noisy = crate::game::Decisions::new();
    last.decisions(crate::game::GenType::Noisy, &mut noisy);
    let answers: Vec<_> = noisy.iter().map(|&d| text(&last, d)).collect();
    assert!(
        !answers.is_empty() && answers.iter().all(|answer| !play(&last, answer).scores_in_one(Color::Black))
    );
}
