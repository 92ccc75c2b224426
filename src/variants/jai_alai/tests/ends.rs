//! Rules R70 to R77: check and the ends of the game.

use super::*;
use crate::base::Rng;
use crate::game::{Outcome, Playout, Record, Repetition, playout};

#[test]
fn r70_who_attacks() {
    for (position, attacked) in [
        ("9/9/9/4k4/3G5/9/9/8K[TTTTtttt] b 0 1", true),
        ("9/9/9/4k4/3P5/9/9/8K[TTTTtttt] b 0 1", true),
        ("9/9/9/4k4/4P4/9/9/8K[TTTTtttt] b 0 1", false),
        ("9/9/9/3Pk4/9/9/9/8K[TTTTtttt] b 0 1", false),
        ("9/9/9/4k4/3M5/9/9/8K[TTTTtttt] b 0 1", true),
        ("9/9/9/4k4/9/9/3M5/8K[TTTTtttt] b 0 1", true),
        ("9/9/9/4k4/9/4t4/3M5/8K[TTTTttt] b 0 1", false),
        ("9/9/9/4k4/9/9/4A4/8K[TTTTtttt] b 0 1", true),
        ("9/9/9/4k4/4T4/9/9/8K[TTTTtttt] b 0 1", false),
        ("9/9/9/4k4/4R4/9/9/8K[TTTTtttt] b 0 1", false),
        // A Ball or Superball beside the King or on its line does nothing without a rebound.
        ("9/9/9/3Bk4/9/9/9/8K[TTTTtttt] b 0 1", false),
        ("9/9/9/3Sk4/9/9/4S4/8K[TTTTtttt] b 0 1", false),
        ("9/9/9/4k4/9/9/1B3P3/8K[TTTTtttt] b 0 1", true),
        ("9/9/9/4k4/9/9/1B3p3/8K[TTTTtttt] b 0 1", false),
        ("9/9/9/4k4/9/9/1S3p3/8K[TTTTtttt] b 0 1", true),
        ("9/9/5P3/4k4/9/9/1D7/8K[TTTTtttt] b 0 1", false),
        ("9/9/4k1P2/9/9/9/2D6/8K[TTTTtttt] b 0 1", true),
    ] {
        assert_eq!(at(position).attacked(Color::Black), attacked, "{position}");
    }
}

#[test]
fn r70_kings_never_touch() {
    let position = at("9/9/9/4k4/9/4K4/9/9[TTTTtttt] w 0 1");
    assert_eq!(moves(&position, "e3"), sorted("d2 d3 e2 f2 f3"));
}

#[test]
fn r71_no_action_leaves_the_king_attacked() {
    // The Guard stays on the Deer's line; a capture that would win does not help.
    let position = at("k8/9/9/a8/9/9/G7P/K6gt[TTTT] w 0 1");
    assert_eq!(moves(&position, "a2"), "a3");
    let winning = at("k3a4/9/9/9/9/9/4G4/4Kg3[TTTT] w 0 1");
    assert_eq!(winning.owned(Color::Black), 3);
    assert_eq!(refusal(&winning, "e2f1"), "your King would be in check");
    assert_eq!(ended(&after(&winning, "e1f1")), Some(("R73", Some(Color::White))));
}

#[test]
fn r72_checkmate() {
    // The King covers d7, e7 and f7, the Guard g7 covers f7 and f8, and the moving one d8.
    let position = at("4k4/6G2/3GK4/9/9/9/t8/t8[TTTT] w 0 1");
    let mates: Vec<_> = turns(&position)
        .into_iter()
        .filter(|turn| ended(&after(&position, turn)) == Some(("R72", Some(Color::White))))
        .collect();
    assert_eq!(mates, ["d6d7", "d6e7"]);
    // With a Statue in hand the same attack from afar could be blocked.
    let mated = at("3TkT3/3T1R3/6G2/9/1B3T3/9/t8/t7K[] b 0 1");
    assert_eq!(ended(&mated), Some(("R72", Some(Color::White))));
    assert_eq!(mated.outcome().map(|o| o.to_string()).as_deref(), Some("1-0 {White mates}"));
    let saved = at("3TkT3/3T1R3/6G2/9/1B3T3/9/t8/t7K[t] b 0 1");
    assert_eq!(turns(&saved).join(" "), "T@c4 T@d4 T@e4 T@e5 T@e6 T@e7");
}

#[test]
fn r73_r74_everything_owned_counts() {
    // King, one piece and one Statue in hand are three.
    let position = at("7k1/9/r8/2g6/9/3M5/9/8K[TTTTt] w 0 1");
    let after = after(&position, "d3c5");
    assert_eq!((after.owned(Color::Black), ended(&after)), (3, None));
    // A Statue taken on the board counts as well.
    let position = at("7k1/9/9/2t6/9/3M5/9/8K[TTTTt] w 0 1");
    let over = super::after(&position, "d3c5");
    assert_eq!(ended(&over), Some(("R73", Some(Color::White))));
    assert_eq!(over.actor(), crate::game::Actor::Nobody);
    assert!(turns(&over).is_empty());
    assert_eq!(over.outcome().map(|o| o.to_string()).as_deref(), Some("1-0 {Black is down to two pieces}"));
}

#[test]
fn r75_stalemate() {
    // Enemy Statues on all three squares next to the White King, and nothing in hand.
    let position_text = "k8/9/9/9/9/9/T6tt/T6tK[tt] w 0 1";
    let stalemate = at(position_text);
    assert_eq!(turns(&stalemate), Vec::<String>::new());
    assert_eq!(ended(&stalemate), Some(("R75", None)));
    // R75 is looked at before R77.
    assert_eq!(ended(&at(&position_text.replace(" w 0 ", " w 100 "))), Some(("R75", None)));
}

fn play(record: &mut Record<State>, tokens: &str) {
    for token in tokens.split_whitespace() {
        let reading = read_token(record.now(), &parse_token(token).unwrap()).unwrap();
        record.play(reading.decisions[0]);
    }
}

#[test]
fn r76_third_occurrence() {
    let mut record = Record::new(at("8k/9/9/9/9/3P5/9/8K[TTTTtttt] w 0 1"));
    // A Boy that steps aside and back repeats the position too.
    play(&mut record, "d3e3 i8i7 e3d3 i7i8");
    assert_eq!(record.outcome(), None);
    play(&mut record, "i1i2 i8i7 i2i1");
    assert_eq!(record.outcome(), None);
    play(&mut record, "i7i8");
    assert_eq!(record.outcome(), Some(Outcome::draw("R76", "third occurrence of the position")));
    // Not when it is the other's turn or a hand differs.
    let mut record = Record::new(at("8k/9/9/9/9/9/9/G7K[TTTTtttt] w 0 1"));
    play(&mut record, "a1a2 i8i7 a2a1 T@e5 a1a2 i7i8 a2a1 i8i7 a1a2 i7i8");
    assert_eq!(record.outcome(), None);
    play(&mut record, "a2a1 i8i7 a1a2 i7i8");
    assert!(record.outcome().is_some_and(|outcome| outcome.rule == "R76"));
}

#[test]
fn r76_the_span_reaches_back_to_what_cannot_be_undone() {
    let spans = |tokens: &str| {
        let end = after(&at("8k/9/3p5/9/9/3P4G/8T/8K[TTTTtttt] w 0 1"), tokens);
        end.repetition().map(|repetition| repetition.span)
    };
    assert_eq!(spans("i1h1 i8h8 d3c3 d6e6"), Some(4));
    assert_eq!(spans("i1h1 i8h8 d3d4"), Some(0));
    assert_eq!(spans("i1h1 i8h8 T@a1 h8i8"), Some(1));
    assert_eq!(spans("i1h1 i8h8 i3i2"), Some(0));
}

#[test]
fn r77_hundred_quiet_plies() {
    let position = at("8k/9/9/9/9/3P5/9/8K[TTTTtttt] w 99 60");
    assert_eq!(ended(&position), None);
    let drawn = after(&position, "i1i2");
    assert_eq!(ended(&drawn), Some(("R77", None)));
    assert_eq!(
        drawn.outcome().map(|outcome| outcome.to_string()).as_deref(),
        Some("1/2-1/2 {100 moves without capture, Boy move or drop}")
    );
    // A Boy's step aside, a drop and a capture of a friend begin the count anew.
    for token in ["d3e3", "T@a1"] {
        assert_eq!(after(&position, token).quiet, 0, "{token}");
    }
    let friends = at("8k/9/9/9/9/9/8G/8K[TTTTtttt] w 99 60");
    assert_eq!(after(&friends, "i1i2").quiet, 0);
    // Counting the tree goes on (R77 is no end on the board).
    assert!(drawn.count() > 0);
}

#[test]
fn order_of_the_tests() {
    // Mate on the hundredth ply is mate.
    let position = at("3TkT3/3T1R3/6G2/9/1B7/5G3/t8/t7K[] w 99 60");
    let mated = after(&position, "f3f4");
    assert_eq!((mated.quiet, ended(&mated)), (100, Some(("R72", Some(Color::White)))));
    // A capture that leaves two pieces wins before anything else is looked at.
    let position = at("7k1/9/r8/2t6/9/3M5/9/8K[TTTT] w 99 60");
    assert_eq!(ended(&after(&position, "d3c5")), Some(("R73", Some(Color::White))));
}

#[test]
fn random_games_end_by_several_rules() {
    let mut rules = std::collections::BTreeSet::new();
    let mut rng = Rng::new(5);
    for _ in 0..30 {
        let start = State::start(&Rules::default());
        let Playout { outcome, .. } = playout(start, &mut rng, 5_000, |_, _| {});
        rules.insert(outcome.unwrap().rule);
    }
    assert!(rules.len() > 1, "{rules:?}");
}
