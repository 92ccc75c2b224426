//! Positions and steps as text: what is read, what is refused, and what the reasons are.

use super::{play, read, rules, set_up, try_play};
use crate::game::{Actor, Game, Notation};
use crate::notation::parse_position;
use crate::variants::hanniball::State;

fn refusal(text: &str) -> (&'static str, String) {
    let error = State::read(&parse_position(text).unwrap(), &rules(false)).err().unwrap();
    (error.field, error.reason)
}

fn start_with(from: &str, to: &str) -> String {
    let text = State::GAMES[0].start;
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn other_spellings_are_read_and_written_the_one_way() {
    let start = State::GAMES[0].start;
    let board = start.split(' ').next().unwrap();
    for other in [
        format!("{board} w 2"),
        format!("{board} w 2 0"),
        format!("{board}[] w 2 0 1"),
        format!("{board}[-] w 2 0 1"),
        start.replace('m', "k").replace('M', "K"),
        start.replace('o', "O"),
    ] {
        assert_eq!(read(&other, false).write().to_string(), start, "{other}");
    }
    let held = "***1m1***/9/9/9/9/9/4+l4/9/9/9/9/9/9/9/***1+M1***";
    assert_eq!(refusal(&format!("{held} w 4 0 1")).1, "there are two balls, on e1 and e9");
    let held = "***1m1***/9/9/9/9/9/4+l4/9/9/9/9/9/9/9/***1M1*** b 4 7 31";
    assert_eq!(read(held, false).write().to_string(), held);
}

#[test]
fn set_ups_are_refused_with_the_field_and_the_reason() {
    for (text, field, reason) in [
        ("8/8 w 2 0 1".to_owned(), "board", "8 files and 2 ranks instead of 9 and 15"),
        (start_with("***1m1***", "9"), "board", "a15 is no square: write `*`"),
        (start_with("/9/", "/*8/"), "board", "a11 is a square, not a `*`"),
        (
            start_with("4o4", "9"),
            "board",
            "there is no ball: `o` lying loose, or `+` before the piece that has it",
        ),
        (start_with("/9/", "/o8/"), "board", "there are two balls, on e8 and a11"),
        (start_with("4o4", "4+o4"), "board", "e8: a `+` stands before a piece that has the ball"),
        (start_with("/9/", "/q8/"), "board", "`q` on a11 is no piece of HanniBall (M L E H)"),
        (start_with("/9/", "/M8/"), "board", "White has more than 1 of the piece Monkey"),
        (start_with("/9/", "/l8/"), "board", "Black has more than 2 of the piece Lion"),
        (start_with("/9/", "/E8/"), "board", "White has more than 4 of the piece Elephant"),
        (
            start_with("1M1", "3").replacen("/9/", "/M8/", 1),
            "board",
            "White's Monkey on a11 is outside its goal and goal area",
        ),
        (
            start_with("1M1", "o2").replacen("4o4", "9", 1),
            "board",
            "the ball lies in the goal on d1: the game is over",
        ),
        (
            start_with("1M1", "1+M1").replacen("4o4", "9", 1),
            "board",
            "the ball lies in the goal on e1: the game is over",
        ),
        (start_with(" w", "[L] w"), "hand", "there are no pieces in hand in HanniBall"),
        (start_with(" w 2 0 1", ""), "side to move", "missing: `w` or `b`"),
        (start_with(" w", " W"), "side to move", "`W` is neither `w` nor `b`"),
        (start_with(" w 2 0 1", " w"), "steps", "missing: 4, or 2 in White's first turn"),
        (start_with(" w 2", " w 3"), "steps", "`3` is neither 2 nor 4"),
        (start_with(" w 2", " b 2"), "steps", "only White's first turn has 2 steps"),
        (start_with("2 0 1", "2 -1 1"), "turns since capture", "`-1` is no number from 0 to 65535"),
        (start_with("2 0 1", "2 +1 1"), "turns since capture", "`+1` is no number from 0 to 65535"),
        (start_with("2 0 1", "2 0 0"), "turn number", "`0` is no number from 1 to 65535"),
        (start_with("2 0 1", "4 0 65536"), "turn number", "`65536` is no number from 1 to 65535"),
        (start_with("2 0 1", "2 0 2"), "turn number", "2 steps are for White's first turn, so it must be 1"),
        (start_with("2 0 1", "2 0 1 x"), "end of text", "`x` is one field too many"),
    ] {
        assert_eq!(refusal(&text), (field, reason.to_owned()), "{text}");
    }
}

#[test]
fn illegal_steps_are_explained() {
    let usual = set_up("Me1 Hd6 Ed7 Le4 me15 ee8 hf5 lb2", "e8", "w 4", false);
    let mine = set_up("Me1 He8 Ed9 Lf9 He9 me15 hc7", "e8", "w 4", false);
    let monkey = set_up("Me2 Hb2 me15", "e2", "w 4", false);
    let lion = set_up("Me1 Le13 me14", "e13", "w 4", false);
    let no_offence = set_up("Me1 Hb2 me15 he8", "e8", "w 4", true);
    let first = set_up("Me1 me15 hb4", "e8", "w 2", false);
    let shut_in = set_up("Ha2 me15 eb4 ec3 hh12", "e8", "w 4", true);
    let offence = set_up("Me1 Hb2 me15 he8 ed8 ef8 ee9", "e8", "w 4", true);
    for (position, token, reason) in [
        (&usual, "a1b3,", "there is no square a1"),
        (&usual, "d6j8,", "there is no square j8"),
        (&usual, "d6d16,", "there is no square d16"),
        (&usual, "O@a15,", "there is no square a15"),
        (&usual, "c3c4,", "there is no piece on c3"),
        (&usual, "f5g7,", "the Horse on f5 is Black's"),
        (&usual, "d6d6,", "the Horse already stands on d6"),
        (&usual, "d6d8,", "a Horse does not go from d6 to d8"),
        (&usual, "d7e5,", "an Elephant does not go from d7 to e5"),
        (&usual, "e4d6,", "your own Horse stands on d6"),
        (&usual, "e4f5,", "the Horse on f5 does not have the ball, so it cannot be captured"),
        (&usual, "d6e8-,", "the Horse on d6 does not have the ball, so it cannot leave it behind"),
        (&usual, "d6e8q,", "there is no promotion in HanniBall"),
        (&usual, "O@e9,", "you do not have the ball"),
        (&usual, "X@e8,", "there are no penalties: the rule switch red-card is off"),
        (&usual, "D@e8,", "`D@` means nothing in HanniBall: O shoots the ball, X is the penalty"),
        (&usual, "0000,", "a player may not pass: a turn must change something"),
        (&usual, "=3,", "there is no die in HanniBall"),
        (&usual, "=3h,", "there are no cards in HanniBall"),
        (&usual, "+?,", "there are no cards in HanniBall"),
        (&usual, "e1e4,", "the Monkey may not leave its goal and goal area"),
        (&mine, "e8d10,", "both squares between e8 and d10 are occupied"),
        (&mine, "O@e10,", "the Horse on e8 cannot shoot to e10"),
        (&monkey, "e2e3-,", "a Monkey may not leave the ball behind"),
        (&monkey, "O@e3,", "a Monkey must shoot the ball out of its goal area"),
        (&monkey, "O@e8,", "the Monkey on e2 cannot shoot to e8"),
        (&lion, "O@e14,", "the ball flies on from the Monkey on e14: say where to, as in O@e14,O@SQUARE"),
        (
            &lion,
            "O@e14,e13e12,",
            "the ball flies on from the Monkey on e14: say where to, as in O@e14,O@SQUARE",
        ),
        (&lion, "O@e14,O@d15,", "a ricochet may not end in a goal"),
        (&lion, "O@e14,O@e8,", "a ricochet from e14 goes one to five squares in a straight line, not to e8"),
        (&lion, "O@e14,O@a15,", "there is no square a15"),
        (&offence, "X@e15,", "a penalty cannot take the Monkey"),
        (&offence, "X@b2,", "a penalty takes an enemy piece"),
        (&offence, "X@b3,", "there is no enemy piece on b3"),
        (&offence, "X@e8,X@d8,", "a penalty is taken once in a turn"),
        (&no_offence, "X@e8,", "you have no penalty to take"),
        (&play(&lion, "e13d15"), "e14e13", "the game is over: 1-0 {White brought the ball into the goal}"),
        (&lion, "e1e2,e2e1", "the turn is not finished"),
        (&lion, "e1e2,e2e1,e1e2,e2e3,e14e13", "a turn has four steps at most"),
        (&first, "e1e2,e2e3,e3e2", "White's first turn has two steps at most"),
        (&shut_in, "X@h12,a2b4", "no other step is legal, so the turn has ended"),
        (&usual, "d6c8,0000", "0000 is not written here: what is not said is declined"),
    ] {
        let found = try_play(position, token).err().unwrap_or_else(|| panic!("{token} is legal"));
        assert_eq!(found, reason, "{token}");
    }
}

#[test]
fn the_text_of_the_notation_page_is_understood() {
    // The example of a whole turn: Lion with the ball to d5, shot to a Horse on f6, its shot to f7, an
    // Elephant steps.
    let position = set_up("Me1 Lc3 Hf6 Ee2 me15", "c3", "w 4", false);
    let after = play(&position, "c3d5,O@f6,O@f7,e2e3");
    assert_eq!(after.actor(), Actor::Player(crate::base::Color::Black));
    assert_eq!(after.write().to_string(), "***1m1***/9/9/9/9/9/9/9/5o3/5H3/3L5/9/4E4/9/***1M1*** b 4 1 1");
    let left = play(&position, "c3d5-,");
    assert_eq!(left.write().to_string(), "***1m1***/9/9/9/9/9/9/9/9/5H3/3L5/9/2o6/4E4/***1M1*** w 4 0 1");
    assert!(!left.between_turns());
}
