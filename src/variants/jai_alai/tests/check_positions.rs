//! The check positions V1 to V28 of the rules file and the sizes of the first trees.

use super::*;
use crate::game::perft;

#[test]
fn tree_of_the_start() {
    let start = State::start(&Rules::default());
    assert_eq!(perft::turns(&start, 1), 110);
    assert_eq!(perft::turns(&start, 2), 11_846);
    assert_eq!(perft::turns(&start, 3), 1_277_597);
}

#[test]
fn first_turns_of_every_layout() {
    for (layout, count) in [("standard", 110), ("alt-1", 114), ("alt-2", 100), ("alt-3", 107)] {
        let start = State::start(&rules(&[("layout", layout)]));
        assert_eq!(perft::turns(&start, 1), count, "{layout}");
    }
}

/// The counts by kind of piece that stand beside the 110.
#[test]
fn first_turns_by_kind() {
    let start = State::start(&Rules::default());
    let mut counts = [0; 10];
    let mut takes = [0; 10];
    for action in listed(&start) {
        let kind =
            action.from().map_or(super::super::Kind::Statue, |from| start.board.kind_at(from).unwrap());
        counts[kind.index()] += 1;
        let taken = action.from().is_some() && start.board.pieces(Color::White) & bit(action.to()) != 0;
        takes[kind.index()] += i32::from(taken);
    }
    // K G S B D A M R P T
    assert_eq!(counts, [8, 10, 12, 4, 8, 8, 2, 0, 24, 34]);
    assert_eq!(takes, [8, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn v1_ball_rebounds() {
    expect_moves("8k/9/1P7/5a3/9/9/1B2g4/8K[TTTTtttt] w 0 1", "b2", "a2 b1 b3 b4 b5 c2 d2 a5 c5 d5 e5 xf5");
}

#[test]
fn v2_wall_touches_the_ball() {
    let text = "8k/9/9/1a7/9/9/PB7/8K[TTTTtttt] w 0 1";
    let expected = "b1 b3 b4 c2 d2 e2 f2 g2 h2 i2";
    expect_moves(text, "b2", expected);
    assert_eq!(moves(&at_once(text), "b2"), sorted(&format!("{expected} xb5")));
}

#[test]
fn v3_superball_off_enemies() {
    expect_moves(
        "8k/9/1p7/5t3/9/9/1S2g4/8K[TTTTtttt] w 0 1",
        "b2",
        "a2 b1 b3 b4 b5 c2 d2 a1 a3 c1 c3 a5 c5 d5 e5 xf5 d1 d3 d4 d6 d7 d8",
    );
}

#[test]
fn v4_superball_takes_a_reducer_and_a_ball_does_not() {
    let slides = "a2 b1 b3 b4 b5 c2 d2 e2 f2 g2 h2 i2 a5 c5 d5 e5";
    expect_moves("8k/9/1p7/5r3/9/9/1S7/8K[TTTTtttt] w 0 1", "b2", &format!("{slides} a1 a3 c1 c3 xf5"));
    expect_moves("8k/9/1P7/5r3/9/9/1B7/8K[TTTTtttt] w 0 1", "b2", slides);
}

#[test]
fn v5_diagball() {
    expect_moves(
        "8k/9/5P3/9/9/9/1D5a1/8K[TTTTtttt] w 0 1",
        "b2",
        "a1 a3 c1 c3 d4 e5 a2 b1 b3 c2 d6 c7 b8 f4 g3 xh2",
    );
}

#[test]
fn v6_deer() {
    expect_moves(
        "k8/9/9/1g3p3/9/9/1A3r3/8K[TTTTtttt] w 0 1",
        "b2",
        "b3 b4 b4xb5 c2 d2 e2 b1 a2 c3 d4 e5 f6 g7 h8 c1 a1 a3",
    );
}

#[test]
fn v7_deer_reduced() {
    expect_moves("8k/9/9/9/1g7/2r6/1A7/8K[TTTTtttt] w 0 1", "b2", "a1 a2 a3 b1 c1 c2 b3 b3xb4");
}

#[test]
fn v8_mage() {
    expect_moves(
        "8k/9/9/9/4M4/9/9/8K[TTTTtttt] w 0 1",
        "e4",
        "d3 d5 f3 f5 d6 d7 f6 f7 d2 d1 f2 f1 c5 b5 c3 b3 g5 h5 g3 h3",
    );
}

#[test]
fn v9_mage_blocked() {
    expect_moves("8k/9/9/3p1P3/4M4/5p3/9/8K[TTTTtttt] w 0 1", "e4", "d3 c3 b3 d2 d1 xd5 xf3");
}

#[test]
fn v10_mage_takes_a_reducer_from_afar() {
    expect_moves(
        "8k/9/4r4/9/3M5/9/9/8K[TTTTtttt] w 0 1",
        "d4",
        "c3 c5 e3 e5 c6 c7 xe6 c2 c1 e2 e1 b5 a5 b3 a3 f5 g5 f3 g3",
    );
}

#[test]
fn v11_mage_reduced() {
    expect_moves("8k/9/9/3r5/3M5/2p1p4/9/8K[TTTTtttt] w 0 1", "d4", "c5 e5 xc3 xe3");
}

#[test]
fn v12_mage_freed() {
    expect_moves(
        "8k/9/9/4r4/2RM5/9/9/8K[TTTTtttt] w 0 1",
        "d4",
        "c3 c5 e3 c6 c7 c2 c1 e2 e1 b5 a5 b3 a3 f3 g3",
    );
}

#[test]
fn v13_boy() {
    expect_moves("8k/9/9/9/p8/1P7/9/8K[TTTTtttt] w 0 1", "b3", "a3 c3 b4 c4 b5 xa4");
}

#[test]
fn v14_boy_reduced() {
    expect_moves("8k/9/9/9/2r6/1P7/9/8K[TTTTtttt] w 0 1", "b3", "a3 c3 a4 b4");
}

#[test]
fn v15_promotion() {
    let position = at("p7k/1P7/9/9/9/9/9/8K[TTTTtttt] w 0 1");
    assert_eq!(moves(&position, "b7"), sorted("a7 c7 b8 c8 xa8"));
    for (to, letter) in [("a7", 'P'), ("c7", 'P'), ("b8", 'S'), ("c8", 'S'), ("a8", 'S')] {
        let after = text(&after(&position, &format!("b7{to}")));
        assert_eq!(after.matches(['P', 'S']).collect::<String>(), letter.to_string(), "{to}");
    }
}

#[test]
fn v16_king() {
    expect_moves("8k/9/9/9/9/9/6Tt1/6GKr[TTTTtttt] w 0 1", "h1", "i2 xg1 xg2 xi1");
}

#[test]
fn v17_guard() {
    expect_moves("8k/9/9/9/3t5/3Gr4/3S5/8K[TTTTtttt] w 0 1", "d3", "c2 c3 c4 e2 e4 xd2 xd4 xe3");
}

#[test]
fn v18_ball_reduced_and_freed() {
    expect_moves("8k/9/1P7/5a3/9/2r6/1B7/8K[TTTTtttt] w 0 1", "b2", "a2 b1 b3 c2");
    expect_moves("8k/9/1P7/5a3/9/2r6/1BR6/8K[TTTTtttt] w 0 1", "b2", "a2 b1 b3 b4 b5 a5 c5 d5 e5 xf5");
}

#[test]
fn v19_diagball_reduced() {
    expect_moves("8k/9/9/9/9/2r6/1D7/8K[TTTTtttt] w 0 1", "b2", "a1 a2 a3 b1 b3 c1 c2");
}

#[test]
fn v20_superball_immune() {
    expect_moves(
        "8k/9/1p7/9/9/2r6/1S7/8K[TTTTtttt] w 0 1",
        "b2",
        "a2 b1 b3 b4 b5 c2 d2 e2 f2 g2 h2 i2 a1 a3 c1 a5 c5 d5 e5 f5 g5 h5 i5",
    );
}

#[test]
fn v21_reducers_touch() {
    expect_moves("8k/9/9/9/3rR4/9/9/8K[TTTTtttt] w 0 1", "e4", "d3 d5 e3 e5 f3 f4 f5");
}

#[test]
fn v22_releasing_a_deer() {
    let position = at("8k/3Ra4/9/9/9/4K4/9/9[TTTTtttt] w 0 1");
    assert_eq!(moves(&position, "d7"), "d6 d8 e6 e8");
    assert_eq!(refusal(&position, "d7d1"), "your King would be in check");
}

#[test]
fn v23_drop_opens_a_line() {
    let position = at("8k/9/9/9/1s7/9/9/4K4[TTTTtttt] w 0 1");
    let drops: Vec<_> = turns(&position).into_iter().filter(|turn| turn.starts_with('T')).collect();
    // 72 squares less three pieces less f4.
    assert_eq!(drops.len(), 68);
    assert!(!drops.contains(&"T@f4".to_owned()));
    assert_eq!(refusal(&position, "T@f4"), "your King would be in check");
}

#[test]
fn v24_drop_gives_check() {
    let position = at("9/4k4/9/9/1B7/9/9/8K[TTTTtttt] w 0 1");
    let checks: Vec<_> = turns(&position)
        .into_iter()
        .filter(|turn| turn.starts_with('T') && after(&position, turn).attacked(Color::Black))
        .collect();
    assert_eq!(checks, ["T@b8", "T@f4"]);
}

#[test]
fn v25_meeting_that_check() {
    let position = at("9/4k4/9/9/1B3T3/9/9/8K[TTTTttt] b 0 1");
    assert!(position.attacked(Color::Black));
    assert_eq!(turns(&position).join(" "), "T@c4 T@d4 T@e4 T@e5 T@e6 e7d6 e7d7 e7d8 e7f6 e7f7 e7f8");
}

#[test]
fn v26_two_pieces_left() {
    let position = at("7k1/9/r8/2t6/9/3M5/9/8K[TTTT] w 0 1");
    let won = after(&position, "d3c5");
    assert_eq!(ended(&won), Some(("R73", Some(Color::White))));
    let position = at("7k1/9/r8/2t6/9/3M5/9/8K[TTTTt] w 0 1");
    assert_eq!(ended(&after(&position, "d3c5")), None);
}

#[test]
fn v27_eating_oneself() {
    let position = at("7k1/9/9/9/9/9/8R/7TK[tttt] w 0 1");
    for turn in ["i1h1", "i1i2"] {
        assert_eq!(ended(&after(&position, turn)), Some(("R73", Some(Color::Black))), "{turn}");
    }
}

#[test]
fn v28_deer_and_king() {
    assert!(!at("9/9/9/4k4/4A4/9/9/8K[TTTTtttt] b 0 1").attacked(Color::Black));
    assert!(at("9/9/9/4k4/9/4A4/9/8K[TTTTtttt] b 0 1").attacked(Color::Black));
}
