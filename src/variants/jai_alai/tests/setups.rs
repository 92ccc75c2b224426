//! Positions that are read, and those that are refused with a reason.

use super::*;

const PIECES: &str = "1d1mrm1d1/1a1bkb1a1/gpppspppg/9/9/GPPPSPPPG/1A1BKB1A1/1D1MRM1D1";

#[track_caller]
fn refused(text: &str, field: &str, reason: &str) {
    let error = State::read(&parse_position(text).unwrap(), &Rules::default()).unwrap_err();
    assert_eq!((error.field, error.reason.as_str()), (field, reason), "{text}");
}

#[test]
fn counters_and_hand_may_be_missing() {
    for (given, canonical) in [
        (format!("{PIECES}[TTTTtttt] w"), format!("{PIECES}[TTTTtttt] w 0 1")),
        (format!("{PIECES}[TTTTtttt] b 7"), format!("{PIECES}[TTTTtttt] b 7 1")),
        (format!("{PIECES}[ttTtTtT] w 7 12"), format!("{PIECES}[TTTtttt] w 7 12")),
        (format!("{PIECES}[2T3t] w 7 12"), format!("{PIECES}[TTttt] w 7 12")),
        (format!("{PIECES} w"), format!("{PIECES}[] w 0 1")),
        (format!("{PIECES}[] w"), format!("{PIECES}[] w 0 1")),
        (format!("{PIECES}[-] w"), format!("{PIECES}[] w 0 1")),
    ] {
        let Ok(syntax) = parse_position(&given) else { continue };
        assert_eq!(
            State::read(&syntax, &Rules::default()).unwrap().write().to_string(),
            canonical,
            "{given}"
        );
    }
}

#[test]
fn fields_are_checked() {
    refused(&format!("{PIECES}[]"), "side to move", "it is missing: `w` or `b`");
    refused(&format!("{PIECES}[] x"), "side to move", "`x` is neither `w` nor `b`");
    refused(&format!("{PIECES}[] w - 1"), "quiet plies", "`-` is no number from 0 to 9999");
    refused(&format!("{PIECES}[] w 10000 1"), "quiet plies", "`10000` is no number from 0 to 9999");
    refused(&format!("{PIECES}[] w +5 1"), "quiet plies", "`+5` is no number from 0 to 9999");
    refused(&format!("{PIECES}[] w 0 0"), "move number", "`0` is no number from 1 to 9999");
    refused(&format!("{PIECES}[] w 0 1 2"), "fields", "nothing may follow the move number, but `2` does");
}

#[test]
fn hands_are_checked() {
    refused(&format!("{PIECES}[TTTTT] w 0 1"), "hand", "White has more than 4 Statues in hand");
    let too_many = "White has more than 8 Statues on the board and in hand";
    refused("3tkt3/9/9/9/9/9/T7T/TTT5K[TTTT] w 0 1", "hand", too_many);
    refused(&format!("{PIECES}[Gt] w 0 1"), "hand", "`G`: only Statues (T, t) are held in hand");
}

/// Found by the fuzzer: four Statues on the board and one in hand were accepted, and what its drop made of
/// them was not.
#[test]
fn statues_that_are_dropped_can_be_read_back() {
    let mut position = at("8k/9/9/9/TTTT5/tttt5/9/8K[TTTTtttt] w 0 1");
    for token in ["T@a1", "T@a8", "T@b1", "T@b8", "T@c1", "T@c8", "T@d1", "T@d8"] {
        position = after(&position, token);
        let written = position.write().to_string();
        assert_eq!(at(&written).write().to_string(), written);
    }
    assert!(position.write().to_string().contains("[]"), "all hands were dropped");
}

#[test]
fn boards_are_checked() {
    refused(
        "8/8/8/8/8/8/8/8[] w 0 1",
        "board",
        "it must be 9 files wide and 8 ranks high, this one is 8 by 8",
    );
    let with_kings = |rank: &str| format!("8k/9/9/9/{rank}/9/9/8K[TTTTtttt] w 0 1");
    refused(&with_kings("4*4"), "board", "e4 is no hole");
    refused(&with_kings("4+P4"), "board", "the piece on e4 has no use for a `+`");
    refused(&with_kings("4Q4"), "board", "`Q` on e4 is no piece of this game");
    refused(&with_kings("4K4"), "board", "White has 2 pieces of the kind King, more than 1");
    refused(&with_kings("2rr5"), "board", "Black has 2 pieces of the kind Reducer, more than 1");
    refused(&with_kings("GGG6"), "board", "White has 3 pieces of the kind Guard, more than 2");
    refused(&with_kings("PPPSSSSS1"), "board", "White has more than 7 Boys and Superballs");
    refused("8k/9/9/9/9/9/9/9[TTTTtttt] w 0 1", "board", "White has no King");
    refused(
        "P7k/9/9/9/9/9/9/8K[TTTTtttt] w 0 1",
        "board",
        "a White Boy on its last rank would be a Superball",
    );
    refused(
        "8k/9/9/9/9/9/9/p7K[TTTTtttt] w 0 1",
        "board",
        "a Black Boy on its last rank would be a Superball",
    );
}

#[test]
fn r78_positions_that_cannot_be() {
    refused("8k/9/9/9/9/9/9/7GK[tttt] w 0 1", "board", "White owns two pieces or fewer and has lost");
    refused("8k/9/9/9/9/9/9/8K[TTTTt] w 0 1", "board", "Black owns two pieces or fewer and has lost");
    refused("7Gk/9/9/9/9/9/9/8K[TTTTtttt] w 0 1", "board", "Black's King is attacked and White is to move");
    refused("9/9/9/3kK4/9/9/9/9[TTTTtttt] w 0 1", "board", "Black's King is attacked and White is to move");
}

#[test]
fn switches() {
    assert_eq!(rules(&[("minimum-first-leg", "1"), ("layout", "standard")]), Rules::default());
    assert!(Rules::default().set(&FACTS, "layout", "alt-4").is_err());
    let once = rules(&[("minimum-first-leg", "0")]);
    assert_ne!(State::start(&once).key(), State::start(&Rules::default()).key());
}

#[test]
fn xboard_is_shown_the_same_board() {
    let setup = FACTS.xboard.setup.unwrap();
    let table = setup.strip_prefix('(').and_then(|rest| rest.split(')').next()).unwrap();
    // A letter for each of XBoard's types and side; the Statue comes first.
    assert_eq!(table.len() % 2, 0);
    let (white, black) = table.split_at(table.len() / 2);
    assert_eq!(white.to_ascii_lowercase(), black);
    assert!(white.starts_with('T'));
    let letters: String = white.chars().filter(char::is_ascii_alphabetic).collect();
    assert_eq!(letters.len(), 10);
    assert!(super::super::Kind::ALL.iter().all(|kind| letters.contains(char::from(kind.letter()))));
}
