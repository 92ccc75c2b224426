//! Rules R1 to R63: board, army, pieces, Reducer, Statues. Expected squares are worked out by hand.

use super::*;
use crate::variants::jai_alai::Kind;
use std::collections::HashSet;

const START: &str = "1d1mrm1d1/1a1bkb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BKB1A1/1D1MRM1D1[TTTTtttt] w 0 1";

#[test]
fn r1_to_r5_board_and_army() {
    let start = State::start(&Rules::default());
    assert_eq!(text(&start), START);
    assert_eq!((FACTS.files, FACTS.ranks, FACTS.first_rank, FACTS.start), (9, 8, 1, START));
    for color in Color::ALL {
        let army = [1, 2, 1, 2, 2, 2, 2, 1, 6, 0];
        assert_eq!(Kind::ALL.map(|kind| start.board.of(color, kind).count_ones()), army, "{color}");
    }
}

#[test]
fn r6_mirrored_and_turned_are_the_same() {
    let start = State::start(&Rules::default());
    let board = START.split('[').next().unwrap();
    let mirrored: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    assert_eq!(mirrored.join("/"), board);
    assert_eq!(start.board.pieces(Color::White).count_ones(), 19);
}

#[test]
fn r7_layouts_are_data() {
    let expected = [
        ("standard", START),
        ("alt-1", "d1m1r1m1d/a1b1k1b1a/gpppspppg/9/9/GPPPSPPPG/A1B1K1B1A/D1M1R1M1D[TTTTtttt] w 0 1"),
        ("alt-2", "2dmrmd2/2abkba2/gpppspppg/9/9/GPPPSPPPG/2ABKBA2/2DMRMD2[TTTTtttt] w 0 1"),
        ("alt-3", "1d1mkm1d1/1a1brb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BRB1A1/1D1MKM1D1[TTTTtttt] w 0 1"),
    ];
    for (layout, start) in expected {
        let rules = rules(&[("layout", layout)]);
        let position = State::start(&rules);
        assert_eq!(text(&position), start);
        assert_eq!(State::read(&parse_position(start).unwrap(), &rules).unwrap(), position, "{layout}");
    }
}

#[test]
fn r8_r9_hands_and_turns() {
    let start = State::start(&Rules::default());
    assert_eq!(
        (start.hands[Color::White.index()], start.hands[Color::Black.index()], start.side),
        (4, 4, Color::White)
    );
    let dropped = after(&start, "T@e5");
    assert_eq!(
        (dropped.hands[Color::White.index()], dropped.hands[Color::Black.index()], dropped.side),
        (3, 4, Color::Black)
    );
    assert_eq!(refusal(&start, "0000"), "nobody may pass");
    assert_eq!(refusal(&start, "b6b5"), "the Boy on b6 is Black's");
}

#[test]
fn r10_no_castling_no_en_passant() {
    let start = State::start(&Rules::default());
    assert!(!allowed(&start, "e2c2") && !allowed(&start, "e2g2"));
    // The Boy b4 that goes to c5, over which the other has just made its double step, takes nothing.
    let position = after(&at("8k/9/2p6/9/1P7/9/9/8K[TTTTtttt] b 0 1"), "c6c4");
    assert_eq!(moves(&position, "b4"), sorted("a4 a5 b5 c5"));
    assert!(text(&after(&position, "b4c5")).starts_with("8k/9/9/2P6/2p6/"));
}

#[test]
fn r12_every_piece_blocks() {
    // A Reducer, a Deer and a Ball, each walled in by a Statue or its own King.
    expect_moves("k8/9/9/9/9/PPP6/TRK6/TTT6[tttt] w 0 1", "b2", "");
    expect_moves("k8/9/9/9/9/ppp6/tAt6/KTt6[TTtttt] w 0 1", "b2", "");
    expect_moves("k8/9/9/9/9/1T7/TBT6/KT7[tttt] w 0 1", "b2", "");
}

#[test]
fn r13_the_taken_leave_for_good() {
    let position = at("8k/9/9/9/3t5/3G5/9/8K[TTTTttt] w 0 1");
    assert_eq!(text(&after(&position, "d3d4")), "8k/9/9/9/3G5/9/9/8K[TTTTttt] b 0 1");
    let position = at("8k/9/9/9/3T5/3G5/9/8K[TTTttt] w 0 1");
    assert_eq!(text(&after(&position, "d3d4")), "8k/9/9/9/3G5/9/9/8K[TTTttt] b 0 1");
}

#[test]
fn r14_only_king_and_guard_take_friends() {
    let text = "8k/9/9/9/4P4/3PSP3/3GKD3/3BMA3[TTTTtttt] w 0 1";
    let position = at(text);
    let eaters: HashSet<_> = listed(&position)
        .iter()
        .filter(|action| position.board.pieces(Color::White) & bit(action.to()) != 0)
        .map(|action| action.from().map(name).unwrap())
        .collect();
    assert_eq!(eaters, HashSet::from(["d2".to_owned(), "e2".to_owned()]));
    assert_eq!(refusal(&position, "e3e4"), "your own Boy stands on e4");
}

#[test]
fn r15_two_routes_are_one_move() {
    // c4 by b4 (wall b5) and by c2 (wall d2).
    let position = at("8k/9/9/1P7/9/9/1B1P5/8K[TTTTtttt] w 0 1");
    let turns = turns(&position);
    assert_eq!(turns.iter().filter(|turn| *turn == "b2c4").count(), 1);
    assert_eq!(moves(&position, "b2"), sorted("a2 c2 b1 b3 b4 a4 c4 d4 e4 f4 g4 h4 i4 c1 c3 c5 c6 c7 c8"));
    let different: HashSet<_> = turns.iter().collect();
    assert_eq!(different.len(), turns.len());
}

#[test]
fn r16_walls() {
    // The edge is no wall: slides only.
    expect_moves("8k/9/9/9/9/9/1B7/8K[TTTTtttt] w 0 1", "b2", "a2 c2 d2 e2 f2 g2 h2 i2 b1 b3 b4 b5 b6 b7 b8");
    // An enemy is a wall for a Superball only; King and Statues are walls.
    let slides = "a2 c2 d2 e2 f2 g2 h2 i2 b1 b3 b4";
    expect_moves("8k/9/9/1p7/9/9/1B7/8K[TTTTtttt] w 0 1", "b2", slides);
    let rebound = format!("{slides} a4 c4 d4 e4 f4 g4 h4 i4");
    for wall in ["K", "T", "G", "R"] {
        let king = if wall == "K" { "9" } else { "8K" };
        expect_moves(&format!("8k/9/9/1{wall}7/9/9/1B7/{king}[TTTTtttt] w 0 1"), "b2", &rebound);
    }
    expect_moves("9/9/9/1t7/9/9/1S7/K7k[TTTTtttt] w 0 1", "b2", &format!("{rebound} a3 c1 c3"));
    expect_moves("8k/9/9/1P7/9/9/1S7/8K[TTTTtttt] w 0 1", "b2", &format!("{rebound} a1 a3 c1 c3"));
    // One turn only: the second leg ends at the friend on e4.
    expect_moves("8k/9/9/1P7/4P4/9/1B7/8K[TTTTtttt] w 0 1", "b2", &format!("{slides} a4 c4 d4"));
}

#[test]
fn r17_the_second_leg_takes() {
    // The victim touches the turning square b4.
    expect_moves("8k/9/9/1P7/2g6/9/1B7/8K[TTTTtttt] w 0 1", "b2", "a2 c2 d2 e2 f2 g2 h2 i2 b1 b3 b4 a4 xc4");
    // A piece met on the first leg is never taken, not even by a Superball, nor one that stands next to it.
    let position = at("8k/9/9/9/1p7/2p6/1Sp6/8K[TTTTtttt] w 0 1");
    for victim in ["b2b4", "b2c2"] {
        assert_eq!(refusal(&position, victim), "the Superball on b2 takes only after a rebound", "{victim}");
    }
    // With the wall b4 it turns on b3 and takes c3 on the second leg, without it nothing.
    assert!(allowed(&position, "b2c3"));
    assert!(!allowed(&at("8k/9/9/9/9/2p6/1Sp6/8K[TTTTtttt] w 0 1"), "b2c3"));
}

#[test]
fn q1_first_leg_of_no_length() {
    // White's Superball could turn on its own square and take at once: the reason for the ruling.
    let start = State::start(&Rules::default());
    assert!(!allowed(&start, "e3e6"));
    let start = State::start(&rules(&[("minimum-first-leg", "0")]));
    assert!(allowed(&start, "e3e6"));
}

#[test]
fn r20_r21_boys() {
    // Forward, its diagonals and sideways, never back; takes on the forward diagonals only.
    expect_moves("8k/9/9/2ppp4/2pPp4/3p5/9/8K[TTTTtttt] w 0 1", "d4", "xc5 xe5");
    expect_moves("8k/9/9/9/3P5/9/9/8K[TTTTtttt] w 0 1", "d4", "c4 e4 c5 d5 e5");
    expect_moves("8K/9/9/9/3p5/9/9/8k[TTTTtttt] b 0 1", "d4", "c4 e4 c3 d3 e3");
    let position = at("8k/9/9/3p5/3Pp4/9/9/8K[TTTTtttt] w 0 1");
    assert_eq!(refusal(&position, "d4d5"), "the Boy on d4 takes one step diagonally forward");
    assert_eq!(refusal(&position, "d4d3"), "the Boy on d4 cannot go to d3");
}

#[test]
fn r22_double_step() {
    expect_moves("8k/9/9/9/9/3P5/9/8K[TTTTtttt] w 0 1", "d3", "c3 e3 c4 d4 e4 d5");
    expect_moves("8k/9/3p5/9/9/9/9/8K[TTTTtttt] b 0 1", "d6", "c6 e6 c5 d5 e5 d4");
    // Both squares empty; nothing is jumped or taken.
    expect_moves("8k/9/9/3p5/9/3P5/9/8K[TTTTtttt] w 0 1", "d3", "c3 e3 c4 d4 e4");
    expect_moves("8k/9/9/9/3p5/3P5/9/8K[TTTTtttt] w 0 1", "d3", "c3 e3 c4 e4");
    // From that rank only, and a Boy that moved along it keeps the right.
    let position = after(&at("8k/9/9/9/9/3P5/9/8K[TTTTtttt] w 0 1"), "d3c3 i8i7");
    assert!(allowed(&position, "c3c5"));
    assert!(!allowed(&after(&position, "c3c4 i7i8"), "c4c6"));
}

#[test]
fn r23_promotion_is_forced_and_without_limit() {
    let position = at("9/P7k/9/9/9/9/SSSSSS3/8K[TTTTtttt] w 0 1");
    let after = after(&position, "a7a8");
    assert_eq!(after.board.of(Color::White, Kind::Superball).count_ones(), 7);
    assert_eq!(after.board.kind(Kind::Boy), 0);
    assert_eq!(refusal(&position, "a7a8s"), "a Boy becomes a Superball without a letter");
    let black = at("8K/9/9/9/9/9/p7k/9[TTTTtttt] b 0 1");
    assert_eq!(text(&super::after(&black, "a2b1")), "8K/9/9/9/9/9/8k/1s7[TTTTtttt] w 0 2");
}

#[test]
fn r24_r25_balls_take_only_by_rebound() {
    let position = at("8k/9/9/9/2pp5/2p6/2pB5/2D5K[TTTTtttt] w 0 1");
    assert_eq!(refusal(&position, "d2c2"), "the Ball on d2 takes only after a rebound off a friend");
    // The Diagball's orthogonal step takes nothing, and the Ball that touches it is no wall.
    assert_eq!(moves(&position, "c1"), sorted("b1 d1 b2 a3"));
}

#[test]
fn r28_r29_deer() {
    // Both turns to b4 exist; an enemy that touches the Deer cannot be taken along that line.
    let position = at("8k/9/9/1g7/9/9/1Ag6/8K[TTTTtttt] w 0 1");
    assert!(allowed(&position, "b2b4") && allowed(&position, "b2b5,b5b4"));
    assert_eq!(text(&after(&position, "b2b5,b5b4")), "8k/9/9/9/1A7/9/2g6/8K[TTTTtttt] b 0 1");
    assert_eq!(text(&after(&position, "b2b4")), "8k/9/9/1g7/1A7/9/2g6/8K[TTTTtttt] b 1 1");
    assert_eq!(refusal(&position, "b2b5"), "a Deer takes from the square before its victim: b2b5,b5b4");
    assert_eq!(refusal(&position, "b2c2"), "the Deer on b2 must come from a distance to take");
    // One victim, dead ahead: the other neighbours of b4 stay.
    let position = at("8k/9/9/ppp6/p1p6/9/1A7/8K[TTTTtttt] w 0 1");
    assert_eq!(text(&after(&position, "b2b5,b5b4")), "8k/9/9/p1p6/pAp6/9/9/8K[TTTTtttt] b 0 1");
}

#[test]
fn r29_reduced_deer_checks_at_two_squares_only() {
    for (text, check) in [
        ("9/4k4/9/4A4/3r5/9/9/8K[TTTTtttt] b 0 1", true),
        ("9/4k4/9/9/4A4/3r5/9/8K[TTTTtttt] b 0 1", false),
        ("9/4k4/9/9/4A4/9/9/8K[TTTTtttt] b 0 1", true),
    ] {
        assert_eq!(at(text).attacked(Color::Black), check, "{text}");
    }
}

#[test]
fn r32_a_mage_never_takes_the_adjacent_reducer() {
    // Freed by its own Reducer on c4; the enemy's on e5 is a diagonal neighbour.
    let position = at("8k/9/9/4r4/2RM5/9/9/8K[TTTTtttt] w 0 1");
    assert_eq!(refusal(&position, "d4e5"), "a Mage-Apprentice takes no Reducer that is next to it");
}

#[test]
fn r40_r41_king() {
    // Own Statue yes, enemy Statue no, own piece yes.
    expect_moves("k8/9/9/9/9/9/tTB6/1K7[TTTtttt] w 0 1", "b1", "a1 c1 xb2 xc2");
    let position = at("k8/9/9/9/9/9/tTB6/1K7[TTTtttt] w 0 1");
    assert_eq!(refusal(&position, "b1a2"), "a King takes no enemy Statue");
}

#[test]
fn r42_guard() {
    let position = at("k8/9/9/9/9/9/9/1GK6[TTTTtttt] w 0 1");
    assert_eq!(refusal(&position, "b1c1"), "not even a Guard takes its own King");
    // Next to an enemy Reducer it does all it ever does, and takes it.
    expect_moves("k8/9/9/9/9/9/1r7/1GP5K[TTTTtttt] w 0 1", "b1", "a1 a2 c2 xb2 xc1");
}

#[test]
fn r43_reducer_takes_nothing() {
    let position = at("k8/9/9/3p5/9/9/9/3R4K[TTTTtttt] w 0 1");
    assert_eq!(moves(&position, "d1"), sorted("a1 b1 c1 e1 f1 g1 h1 d2 d3 d4 c2 b3 a4 e2 f3 g4 h5 i6"));
    assert_eq!(refusal(&position, "d1d5"), "a Reducer takes nothing");
}

#[test]
fn r44_statues_never_move() {
    let position = at("k8/9/9/9/9/9/9/T7K[TTTtttt] w 0 1");
    assert_eq!(moves(&position, "a1"), "");
    assert_eq!(refusal(&position, "a1a2"), "a Statue never moves");
}

#[test]
fn r50_r51_who_is_reduced() {
    // Own Reducers reduce nothing; a touching one frees.
    expect_moves(
        "8k/9/9/9/9/2R6/1B7/8K[TTTTtttt] w 0 1",
        "b2",
        "a2 b1 b3 b4 b5 b6 b7 b8 c2 d2 e2 f2 g2 h2 i2",
    );
    let position = at("8k/9/9/9/9/2r6/1B7/8K[TTTTtttt] w 0 1");
    assert_eq!(refusal(&position, "b2b5"), "the Ball on b2 is reduced");
    // The King is immune.
    expect_moves("8k/9/9/9/9/2r6/1K7/9[TTTTtttt] w 0 1", "b2", "a1 a2 a3 b1 b3 c1 c2 xc3");
}

#[test]
fn r50_freed_but_no_taker_of_the_reducer() {
    // The Ball b2 is freed by c2; turning on b3 its second leg ends at the Reducer c3.
    let position = at("8k/9/9/9/1P7/2r6/1BR6/8K[TTTTtttt] w 0 1");
    assert_eq!(moves(&position, "b2"), sorted("a2 b1 b3 a3"));
    assert!(refusal(&position, "b2c3").starts_with("only a King, Guard, Superball or distant Mage"));
}

#[test]
fn r52_the_state_before_the_move_counts() {
    // The Ball passes b5 next to the Reducer c5 and goes on.
    expect_moves(
        "8k/9/9/2r6/9/9/1B7/8K[TTTTtttt] w 0 1",
        "b2",
        "a2 b1 b3 b4 b5 b6 b7 b8 c2 d2 e2 f2 g2 h2 i2",
    );
    // Reduced on its own square, it may not go far even away from the Reducer.
    expect_moves("8k/9/9/9/9/1r7/1B7/8K[TTTTtttt] w 0 1", "b2", "a2 b1 c2");
}

#[test]
fn r53_reduced_pieces_do_not_check() {
    let free = at("9/1P4k2/9/9/9/9/1B7/8K[TTTTtttt] b 0 1");
    assert!(!free.attacked(Color::Black), "b6 turns, and g6 is not g7");
    let check = at("9/1P7/6k2/9/9/9/1B7/8K[TTTTtttt] b 0 1");
    assert!(check.attacked(Color::Black));
    let reduced = at("9/1P7/6k2/9/9/9/1B7/2r5K[TTTTtttt] b 0 1");
    assert!(!reduced.attacked(Color::Black));
    assert_eq!(refusal(&reduced, "c1i7"), "your King would be in check");
    assert!(allowed(&reduced, "c1c2"));
}

#[test]
fn r54_who_takes_a_reducer() {
    for (piece, takes) in [('K', true), ('G', true), ('P', false)] {
        let king = if piece == 'K' { "9" } else { "8K" };
        let position = at(&format!("8k/9/9/4r4/3{piece}5/9/9/{king}[TTTTtttt] w 0 1"));
        assert_eq!(allowed(&position, "d4e5"), takes, "{piece}");
    }
    // A Diagball by rebound and a Deer by approach do not; a Superball does.
    assert!(!allowed(&at("8k/9/9/4P4/9/4r4/9/D7K[TTTTtttt] w 0 1"), "a1e3"));
    assert!(!allowed(&at("8k/9/9/3r5/9/9/3A5/8K[TTTTtttt] w 0 1"), "d2d5,d5d4"));
    assert!(allowed(&at("8k/9/1P7/5r3/9/9/1S7/8K[TTTTtttt] w 0 1"), "b2f5"));
    // The own one is eaten by King and Guard.
    let position = at("8k/9/9/9/9/9/7G1/7RK[TTTTtttt] w 0 1");
    assert!(allowed(&position, "i1h1") && allowed(&position, "h2h1"));
}

#[test]
fn r55_a_reduced_reducer_keeps_its_effects() {
    // The Reducers d4 and e5 reduce each other; d4 still holds the Ball c3 down.
    let position = at("8k/9/9/4r4/3R5/2bP5/9/8K[TTTTtttt] b 0 1");
    assert_eq!(moves(&position, "c3"), sorted("b3 c2 c4"));
    assert_eq!(moves(&position, "e5"), sorted("d5 d6 e4 e6 f4 f5 f6"));
}

#[test]
fn r60_to_r63_statues() {
    let position = at("8k/9/9/9/9/9/9/7GK[Tttt] w 0 1");
    // Every empty square, first and last rank included.
    assert_eq!(turns(&position).iter().filter(|turn| turn.starts_with("T@")).count(), 69);
    let none = after(&position, "T@a1 T@a8");
    assert_eq!((none.hands[Color::White.index()], none.hands[Color::Black.index()]), (0, 2));
    assert_eq!(refusal(&none, "T@b2"), "you have no Statue in hand");
    assert_eq!(refusal(&position, "T@i8"), "i8 is not empty");
    assert_eq!(refusal(&position, "G@b2"), "only Statues are dropped");
    assert_eq!(refusal(&position, "T@j1"), "there is no square j1");
    assert_eq!(refusal(&position, "T@a9"), "there is no square a9");
    // Each kind that takes may take it in its own way, the King apart.
    assert!(allowed(&at("8k/9/9/3t5/2P6/9/9/8K[TTTTttt] w 0 1"), "c4d5"));
    assert!(allowed(&at("8k/9/9/3t5/2M6/9/9/8K[TTTTttt] w 0 1"), "c4d5"));
    assert!(allowed(&at("8k/9/9/3t5/9/9/3A5/8K[TTTTttt] w 0 1"), "d2d5,d5d4"));
    assert!(allowed(&at("8k/9/1P7/5t3/9/9/1B7/8K[TTTTttt] w 0 1"), "b2f5"));
}

#[test]
fn r60_a_drop_may_mate_through_walls() {
    // From f4 the Statue turns the Ball b4 on e4 towards the King. Statues and the Reducer, which the Guard
    // covers, shut the King in, and e7 lies on the same line.
    let position = at("3TkT3/3T1R3/6G2/9/1B7/9/t8/t7K[T] w 0 1");
    let mates: Vec<_> = turns(&position)
        .into_iter()
        .filter(|turn| ended(&after(&position, turn)) == Some(("R72", Some(Color::White))))
        .collect();
    // The Reducer can be that wall, too: the Guard covers f7 as well.
    assert_eq!(mates, ["T@f4", "f7f4"]);
    // On e7 the Statue only takes away the King's last square.
    assert_eq!(ended(&after(&position, "T@e7")), Some(("R75", None)));
}

#[test]
fn reasons_of_other_refusals() {
    let start = State::start(&Rules::default());
    assert_eq!(refusal(&start, "e4e5"), "there is no piece on e4");
    assert_eq!(refusal(&start, "e3e9"), "there is no square e9");
    assert_eq!(refusal(&start, "j3e4"), "there is no square j3");
    assert_eq!(refusal(&start, "b3b4q"), "no letter belongs here");
    assert_eq!(refusal(&start, "b3b3"), "the Boy already stands on b3");
    assert_eq!(refusal(&start, "e2e4"), "the King on e2 cannot go to e4");
    assert_eq!(refusal(&start, "=4"), "dice and cards have no part in this game");
}
