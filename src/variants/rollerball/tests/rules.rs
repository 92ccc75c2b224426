//! Rollerball as its users meet it: positions and moves as text, counts, ends of games.

use crate::base::{Color, Rng};
use crate::game::{
    Actor, Decisions, Evaluation, Game, GenType, Notation, Outcome, Playout, Record, Rules, perft, playout,
    read_token, write_token,
};
use crate::notation::{parse_position, parse_token};
use crate::variants::rollerball::State;

const START: &str = "2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w - 0 1";

fn rules(switches: &[&str]) -> Rules {
    let mut rules = Rules::default();
    for switch in switches {
        rules.set(State::GAMES[0], switch, "on").unwrap();
    }
    rules
}

fn try_read(text: &str) -> Result<State, String> {
    State::read(&parse_position(text).unwrap(), &Rules::default()).map_err(|error| error.to_string())
}

fn state(text: &str) -> State {
    try_read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn words(state: &State, wanted: GenType) -> Vec<String> {
    let mut list = Decisions::new();
    state.decisions(wanted, &mut list);
    let mut words: Vec<_> =
        list.iter().map(|&decision| write_token(state, &[decision]).to_string()).collect();
    words.sort();
    words
}

/// The moves whose text begins so, without that beginning.
fn targets(text: &str, from: &str) -> String {
    let all = words(&state(text), GenType::All);
    all.iter().filter_map(|word| word.strip_prefix(from)).collect::<Vec<_>>().join(" ")
}

fn play(state: &State, words: &str) -> State {
    words.split(' ').fold(*state, |state, word| {
        read_token(&state, &parse_token(word).unwrap())
            .unwrap_or_else(|error| panic!("{word}: {error}"))
            .after
    })
}

fn after(text: &str, words: &str) -> State {
    play(&state(text), words)
}

fn refusal(text: &str, word: &str) -> String {
    read_token(&state(text), &parse_token(word).unwrap()).unwrap_err().reason
}

#[test]
fn r7_black_to_move_counts_the_same() {
    let black = state("2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 b - 0 1");
    assert_eq!([1, 2, 3, 4, 5].map(|depth| perft::turns(&black, depth)), [7, 49, 507, 5251, 65182]);
}

#[test]
fn r8_r9_r10_the_start() {
    let start = State::start(&Rules::default());
    assert_eq!(start.write().to_string(), START);
    assert_eq!(start, state(START));
    assert_eq!(words(&start, GenType::All).join(" "), "c1b1 c1b2 c2b1 c2b2 c2b3 e1f1 e2f2");
    assert_eq!(start.actor(), Actor::Player(Color::White));
}

#[test]
fn r11_r13_captures_are_moves_and_lines_stop() {
    // White: rook e1, bishop c2, pawn b1; Black: rook a4, pawn d2.
    let text = "6k/7/2***2/r1***2/2***2/2Bp3/1P2R1K w - 0 1";
    assert_eq!(targets(text, "e1"), "c1 d1 e2 f1");
    assert_eq!(targets(text, "c2"), "a4 b3 d1");
    // The rook on a4 is taken like any free square is entered, and is gone.
    assert!(!after(text, "c2a4").write().to_string().contains('r'));
}

#[test]
fn r12_direction_is_fixed_by_the_square_of_departure() {
    // Through b2, where forward turns north, the rook goes on west.
    assert_eq!(targets("6k/7/2***2/2***2/2***2/5R1/6K w - 0 1", "f2"), "a2 b2 c2 d2 e2 f1 f3 g2");
}

#[test]
fn r14_corner_point_of_the_hole_does_not_stop() {
    assert_eq!(targets("6k/7/2***2/2***2/2***2/2K4/7 w - 0 1", "c2"), "b1 b2 b3 c1 d1 d2");
}

#[test]
fn r16_to_r22_rook() {
    let on = |board: &str, from: &str| targets(&format!("{board} w - 0 1"), from);
    // R17: one rebound; R18: a rook on a corner may still rebound; R19: one step back; R20: no sideways from
    // a corner.
    assert_eq!(on("7/7/2***2/2***2/k1***2/7/K5R", "g1"), "b1 c1 d1 e1 f1 g2");
    assert_eq!(on("7/7/2***2/2***2/2***k1/7/R3K2", "a1"), "a2 a3 a4 a5 a6 a7 b1 b7 c7 d7 e7 f7 g7");
    // R21: with the flow, and OQ1: against it.
    assert_eq!(on("6k/7/2***2/2***2/2***2/7/1R4K", "b1"), "a1 a2 a3 a4 a5 a6 a7 b2 b3 b4 b5 b6 b7 c1");
    let against = "7/7/2***2/2***2/k1***2/7/K4R1 w - 0 1";
    assert_eq!(targets(against, "f1"), "b1 c1 d1 e1 f2 f3 f4 f5 f6 f7 g1");
    let cut = State::read(&parse_position(against).unwrap(), &rules(&["clockwise-sideways"])).unwrap();
    let words: Vec<_> = words(&cut, GenType::All).into_iter().filter(|word| word.starts_with("f1")).collect();
    assert_eq!(words.join(" "), "f1b1 f1c1 f1d1 f1e1 f1f2 f1g1");
    // With the switch the rook no longer checks along that line either (R34).
    assert!(try_read("5k1/7/2***2/2***2/2***2/7/K4R1 w - 0 1").is_err());
    let text = parse_position("5k1/7/2***2/2***2/2***2/7/K4R1 w - 0 1").unwrap();
    assert!(State::read(&text, &rules(&["clockwise-sideways"])).is_ok());
}

#[test]
fn r23_to_r26_bishop() {
    let on = |board: &str, from: &str| targets(&format!("{board} w - 0 1"), from);
    assert_eq!(on("6k/7/2***2/2***2/2***2/7/3B2K", "d1"), "a4 b3 b5 c2 c6 d7 e2");
    assert_eq!(on("6k/7/2***2/2***2/2***2/4B2/6K", "e2"), "a4 b3 c2 d1 f1 f3");
    // R26: backward is one step; OQ2: from a corner by the corner point of the hole.
    assert_eq!(on("6k/7/2***2/2***2/2***2/7/1B4K", "b1"), "a2 b3 c2");
    assert_eq!(on("6k/7/2***2/2***2/2***2/7/B5K", "a1"), "a3 b2");
}

#[test]
fn r29_r30_r31_r32_pawns() {
    let on = |board: &str, from: &str| targets(&format!("{board} w - 0 1"), from);
    assert_eq!(on("6k/7/2***2/2***2/2***2/2P4/6K", "c2"), "b1 b2 b3");
    // R31: e6 and e7, with and without capture, to rook or bishop, never to nothing.
    assert_eq!(on("3Pr2/7/2***2/2***2/2***2/k6/5K1", "d7"), "e6b e6r e7b e7r");
    let black = state("k6/7/2***2/2***2/2***2/2Pp3/6K b - 0 1");
    let moves: Vec<_> =
        words(&black, GenType::All).into_iter().filter(|word| word.starts_with("d2")).collect();
    assert_eq!(moves.join(" "), "d2c1b d2c1r d2c2b d2c2r");
    let promoted = after("3Pr2/7/2***2/2***2/2***2/k6/5K1 w - 0 1", "d7e7b");
    assert_eq!(promoted.write().to_string(), "4B2/7/2***2/2***2/2***2/k6/5K1 b - 0 1");
    // R32, OQ9: a pawn set on its own promotion square stays a pawn and moves on.
    assert_eq!(on("7/4P2/2***2/2***2/2***2/k6/6K", "e6"), "f5 f6 f7");
    assert_eq!(on("6P/7/2***2/2***2/2***2/k6/6K", "g7"), "f6 g6");
    // R30: the square straight ahead of a pawn is attacked too: b4 as well as a4.
    assert_eq!(on("7/7/1K***2/2***2/1p***2/7/6k", "b5"), "a5 a6 b6 c6");
}

#[test]
fn r34_checks_must_be_answered() {
    // The rook on b1 checks along its long sideways line; a piece may step between (b3) or the king aside
    // (c6).
    let checked = "7/1k5/2***2/b1***2/2***2/7/1R4K b - 0 1";
    assert!(state(checked).in_check());
    assert_eq!(words(&state(checked), GenType::All).join(" "), "a4b3 a4b5 b6a5 b6a6 b6a7 b6c6 b6c7");
    // A pinned piece stays on its line: the rook b4 goes along the file only, not to a4.
    let pinned = "7/1k5/2***2/1r***2/2***2/7/1R4K b - 0 1";
    assert_eq!(targets(pinned, "b4"), "b3 b5");
    // Two lines check and meet on b3 (b1-b5, and d1-a4-b5 with its rebound): one piece there closes both,
    // while a4 and the capture on b1 answer only one of them.
    let twice = "7/7/1k***2/2***2/2***2/b6/1R1B2K b - 0 1";
    assert!(state(twice).in_check());
    assert_eq!(targets(twice, "a2"), "b3");
    // A piece pinned on one of them closes the other without leaving its own.
    assert_eq!(targets("7/7/1k***2/2***2/2***2/1r5/1R1B2K b - 0 1", "b2"), "b3");
}

#[test]
fn r35_mate_and_stalemate() {
    // T26 and caption 6: a lone rook on b1 mates the king on b4.
    let mate = state("6K/7/2***2/1k***2/2***2/7/1R5 b - 0 1");
    assert_eq!(mate.outcome(), Some(Outcome::win(Color::White, "R35", "White mates")));
    let mate = state("5r1/7/2***2/2***K1/2***2/7/k6 w - 0 1");
    assert_eq!(mate.outcome(), Some(Outcome::win(Color::Black, "R35", "Black mates")));
    // T45.
    let stalemate = state("7/7/2***2/2***2/2***2/1R5/k1K4 b - 0 1");
    assert_eq!(stalemate.outcome(), Some(Outcome::draw("R35", "Stalemate")));
    // A player who merely has no move is still the actor (counting goes by that).
    assert_eq!(stalemate.actor(), Actor::Player(Color::Black));
}

#[test]
fn r36_r37_r38_thrones() {
    let won = Some(Outcome::win(Color::White, "R36", "White king reached d6"));
    // T39, T40.
    let marked = "2K4/7/2***2/2***2/2***2/7/6k w K 0 1";
    assert_eq!(state(marked).count(), 5);
    let end = after(marked, "c7d6");
    assert_eq!((end.outcome(), end.actor(), end.count()), (won, Actor::Nobody, 0));
    let unmarked = "2K4/7/2***2/2***2/2***2/7/6k w - 0 1";
    assert_eq!(state(unmarked).count(), 5);
    let goes_on = after(unmarked, "c7d6");
    assert_eq!((goes_on.outcome(), goes_on.actor()), (None, Actor::Player(Color::Black)));
    // R38: nor does it win by staying there, or by stepping off and on again.
    assert_eq!(play(&goes_on, "g1f1 d6d7 f1g1 d7d6").outcome(), None);
    // T41: the throne is attacked.
    let attacked = "2K4/1r5/2***2/2***2/2***2/7/6k w K 0 1";
    assert_eq!(words(&state(attacked), GenType::All).join(" "), "c7b6 c7d7");
    // T42: by capture. T43: from the other side.
    assert_eq!(after("2K4/3b3/2***2/2***2/2***2/7/6k w K 0 1", "c7d6").outcome(), won);
    assert_eq!(after("7/4K2/2***2/2***2/2***2/7/6k w K 0 1", "e6d6").outcome(), won);
    let black = after("6K/7/2***2/2***2/2***2/7/4k2 b k 0 1", "e1d2");
    assert_eq!(black.outcome(), Some(Outcome::win(Color::Black, "R36", "Black king reached d2")));
    // Out of check.
    assert_eq!(after("2KR3/7/r1***2/2***1b/2***2/7/4k2 w K 0 1", "c7d6").outcome(), won);
}

#[test]
fn r36_marks() {
    // T44.
    let kings = "7/3k3/2***2/2***2/2***2/3K3/7 w - 0 1";
    let marks = |words: &str| after(kings, words).write().fields[1].clone();
    assert_eq!(marks("d2c1"), "K");
    assert_eq!(marks("d2c1 d6e7"), "Kk");
    assert_eq!(marks("d2c1 d6e7 c1d1"), "k");
    assert_eq!(marks("d2c1 d6e7 c1d1 e7d7"), "-");
    // Along the line nothing changes, and a king's mark is not changed on the other side of the board.
    assert_eq!(marks("d2d1 d6d7 d1e1 d7c7"), "-");
    assert_eq!(after("7/3K3/2***2/2***2/2***2/3k3/7 w - 0 1", "d6e6 d2c2").write().fields[1], "-");
    // All the way round.
    let round = after("k6/7/2***2/2***2/2***2/3K3/7 w - 0 1", "d2c2 a7a6 c2b3 a6a7 b3b4 a7b7 b4b5 b7c7");
    assert_eq!(round.write().fields[1], "K");
}

#[test]
fn r39_third_occurrence() {
    let mut record = Record::new(state("k6/7/2***2/2***2/2***2/7/5K1 w - 0 1"));
    let play = |record: &mut Record<State>, words: &str| {
        for word in words.split(' ') {
            assert_eq!(record.outcome(), None, "before {word}");
            let reading = read_token(record.now(), &parse_token(word).unwrap()).unwrap();
            reading.decisions.into_iter().for_each(|decision| record.play(decision));
        }
    };
    play(&mut record, "f1g1 a7a6 g1f1 a6a7 f1g1 a7a6 g1f1 a6a7");
    assert_eq!(record.outcome(), Some(Outcome::draw("R39", "Threefold repetition")));
    // The mark makes another position: c1 without the mark occurs once only, or the eighth ply would end it.
    let mut record = Record::new(state("k6/7/2***2/2***2/2***2/7/2K4 w - 0 1"));
    play(&mut record, "c1d1 a7a6 d1c1 a6a7 c1d1 a7a6 d1c1 a6a7 c1d1");
    assert_eq!(record.outcome(), Some(Outcome::draw("R39", "Threefold repetition")));
    assert_eq!(record.now().write().fields[1], "-");
}

#[test]
fn r40_no_other_draws() {
    // Two kings may go on, also after hundreds of quiet moves.
    let text = "k6/7/2***2/2***2/2***2/7/5K1 w - 400 300";
    assert_eq!(state(text).outcome(), None);
    assert_eq!(after(text, "f1g1").write().to_string(), "k6/7/2***2/2***2/2***2/7/6K b - 401 300");
}

#[test]
fn r41_throne_before_mate() {
    // The king's step also uncovers a mate by the rook.
    let board = "1RK3k/4P2/2***2/2***2/2***2/7/7";
    let mates = after(&format!("{board} w - 0 1"), "c7d6");
    assert_eq!(mates.outcome().map(|outcome| outcome.rule), Some("R35"));
    let reaches = after(&format!("{board} w K 0 1"), "c7d6");
    assert_eq!(reaches.outcome().map(|outcome| outcome.rule), Some("R36"));
}

#[test]
fn positions_that_are_read() {
    for (text, written) in [
        (START, START),
        ("2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w -", START),
        ("2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2[] w - 0", START),
        ("k6/7/2***2/2***2/2***2/7/5K1 b Kk 07 65535", "k6/7/2***2/2***2/2***2/7/5K1 b Kk 7 65535"),
        // OQ9: a finished game.
        ("6k/3K3/2***2/2***2/2***2/7/7 b K 0 1", "6k/3K3/2***2/2***2/2***2/7/7 b K 0 1"),
        // Sixteen pieces.
        (
            "k5K/7/2***2/2***2/2***1P/PPPPPPP/PPPPPPP w - 0 1",
            "k5K/7/2***2/2***2/2***1P/PPPPPPP/PPPPPPP w - 0 1",
        ),
    ] {
        assert_eq!(state(text).write().to_string(), written);
    }
    let finished = state("6k/3K3/2***2/2***2/2***2/7/7 b K 0 1");
    assert_eq!((finished.actor(), finished.count()), (Actor::Nobody, 0));
}

#[test]
fn positions_that_are_refused() {
    for (text, error) in [
        ("8/8/8/8/8/8/8/8 w - 0 1", "board: the board is 7x7, not 8x8"),
        ("k6/7/7/2***2/2***2/7/5K1 w - 0 1", "board: there is no square c5: `*` belongs there"),
        ("k6/7/2*P*2/2***2/2***2/7/5K1 w - 0 1", "board: there is no square d5: `*` belongs there"),
        ("k6/*6/2***2/2***2/2***2/7/5K1 w - 0 1", "board: a6 is a square: only c3-e5 is missing"),
        ("k6/7/2***2/2***2/2***2/7/4QK1 w - 0 1", "board: e1: no piece is called `Q`"),
        ("k6/7/2***2/2***2/2***2/7/4+RK1 w - 0 1", "board: e1: no piece is called `+R`"),
        ("k6/7/2***2/2***2/2***2/7/7 w - 0 1", "board: White has no king"),
        ("k6/k6/2***2/2***2/2***2/7/5K1 w - 0 1", "board: Black has 2 kings"),
        ("k5K/7/2***2/2***2/2***PP/PPPPPPP/PPPPPPP w - 0 1", "board: White has 17 pieces; 16 is the most"),
        ("k6/7/2***2/2***2/2***2/7/5K1[r] w - 0 1", "hand: this game has no pieces in hand"),
        ("k6/7/2***2/2***2/2***2/7/5K1", "side to move: missing: w or b"),
        ("k6/7/2***2/2***2/2***2/7/5K1 x - 0 1", "side to move: `x` should be w or b"),
        ("k6/7/2***2/2***2/2***2/7/5K1 w", "clockwise marks: missing: -, K, k or Kk"),
        ("k6/7/2***2/2***2/2***2/7/5K1 w kK 0 1", "clockwise marks: `kK` should be -, K, k or Kk"),
        ("k6/7/2***2/2***2/2***2/7/5K1 w - x 1", "quiet moves: `x` is not a number from 0 to 65535"),
        ("k6/7/2***2/2***2/2***2/7/5K1 w - +1 1", "quiet moves: `+1` is not a number from 0 to 65535"),
        ("k6/7/2***2/2***2/2***2/7/5K1 w - 0 0", "move number: `0` is not a number from 1 to 65535"),
        ("k6/7/2***2/2***2/2***2/7/5K1 w - 0 65536", "move number: `65536` is not a number from 1 to 65535"),
        ("k6/7/2***2/2***2/2***2/7/5K1 w - 0 1 5", "end: `5` is one field too many"),
        // OQ9.
        (
            "k6/7/2***2/2***2/R1***2/7/5K1 w - 0 1",
            "side to move: Black's king on a7 is attacked, and it is White's move",
        ),
        (
            "kK5/7/2***2/2***2/2***2/7/7 b - 0 1",
            "side to move: White's king on b7 is attacked, and it is Black's move",
        ),
        ("7/3K3/2***2/2***2/2***2/3k3/7 w Kk 0 1", "clockwise marks: both kings cannot have won"),
    ] {
        assert_eq!(try_read(text).map(|state| state.write().to_string()), Err(error.to_owned()), "{text}");
    }
}

#[test]
fn illegal_moves_are_explained() {
    let busy = "2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w - 0 1";
    let checked = "6k/7/2***2/2***2/2***2/4K2/6r w - 0 1";
    for (text, word, reason) in [
        (busy, "b2b3", "there is no piece on b2"),
        (busy, "c6b6", "the Rook on c6 is Black's"),
        (busy, "d4d5", "there is no square d4"),
        (busy, "d2d3", "there is no square d3"),
        (busy, "h1h2", "there is no square h1"),
        (busy, "c2c2", "the Pawn already stands on c2"),
        (busy, "d1c2", "your own Pawn stands on c2"),
        (busy, "e1b1", "d1 is in the way"),
        (busy, "d1b3", "c2 is in the way"),
        (busy, "d2f2", "a king goes one step"),
        (busy, "c2d1", "your own Bishop stands on d1"),
        (busy, "c2c6", "a pawn goes one step forward, straight or diagonally"),
        (busy, "e1g1", "a rook goes one step backward only"),
        (busy, "e1g4", "a rook on e1 does not reach g4"),
        (busy, "e1e7", "nothing goes over the hole"),
        (busy, "e2e7", "a rook on e2 does not reach e7"),
        (busy, "e2g4", "a rook on e2 does not reach g4"),
        (busy, "c2b2r", "nothing promotes there"),
        (busy, "R@b2", "nothing is put on the board in this game"),
        (busy, "0000", "a player has to move"),
        (busy, "=4", "chance plays no part in this game"),
        ("3Pr2/7/2***2/2***2/2***2/k6/5K1 w - 0 1", "d7e7", "promotion needs r or b"),
        ("3Pr2/7/2***2/2***2/2***2/k6/5K1 w - 0 1", "d7e7q", "promotion needs r or b"),
        ("6k/7/2***2/2***2/2***2/3B3/6K w - 0 1", "d2f4", "a bishop on d2 does not reach f4"),
        ("6k/7/2***2/2***2/2***2/7/3BK2 w - 0 1", "d1f3", "a bishop goes one step backward only"),
        (checked, "e2d1", "your king would be in check"),
        ("7/7/2***2/k1***2/2***2/7/KR3r1 w - 0 1", "b1b2", "your king would be in check"),
        ("7/7/2***2/k1***2/2***2/1R5/K3r2 w - 0 1", "b2b3", "your king would still be in check"),
        ("2K4/7/2***2/2***2/2***2/7/6k w K 0 1", "c7c8", "there is no square c8"),
    ] {
        assert_eq!(refusal(text, word), reason, "{text} {word}");
    }
    let cut = State::read(
        &parse_position("6k/7/2***2/2***2/2***2/7/K4R1 w - 0 1").unwrap(),
        &rules(&["clockwise-sideways"]),
    );
    let reason = read_token(&cut.unwrap(), &parse_token("f1f4").unwrap()).unwrap_err().reason;
    assert_eq!(reason, "this rook goes one step sideways only");
    let over = refusal("6k/3K3/2***2/2***2/2***2/7/7 b K 0 1", "g7g6");
    assert_eq!(over, "the game is over: 1-0 {White king reached d6}");
}

/// The position a half turn away with the colours exchanged (R7).
fn mirrored(state: &State) -> State {
    let text = state.write().to_string();
    let fields: Vec<_> = text.split(' ').collect();
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let board: String = fields[0].chars().rev().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let marks = match fields[2] {
        "K" => "k",
        "k" => "K",
        other => other,
    };
    self::state(&format!("{board} {side} {marks} {} {}", fields[3], fields[4]))
}

fn mirrored_word(word: &str) -> String {
    word.bytes()
        .enumerate()
        .map(|(index, byte)| match index {
            0 | 2 => char::from(b'a' + b'g' - byte),
            1 | 3 => char::from(b'1' + b'7' - byte),
            _ => char::from(byte),
        })
        .collect()
}

#[test]
fn random_games_keep_every_promise() {
    let mut rng = Rng::new(22);
    let mut ends = std::collections::BTreeMap::new();
    for _ in 0..300 {
        let watch = |record: &Record<State>, list: &[<State as Game>::Decision]| {
            let now = record.now();
            assert_eq!(now.count(), list.len() as u64);
            let mut sorted = list.to_vec();
            sorted.sort();
            sorted.dedup();
            assert_eq!(sorted.len(), list.len(), "a decision twice");
            let (mut noisy, mut quiet) = (Decisions::new(), 0);
            now.decisions(GenType::Noisy, &mut noisy);
            for &decision in list {
                let mut next = *now;
                next.apply(decision);
                assert_ne!(next.key(), now.key());
                assert!(now.history_index(decision) < State::HISTORY_SIZE);
                let token = write_token(now, &[decision]);
                let reading = read_token(now, &parse_token(&token.to_string()).unwrap()).unwrap();
                assert_eq!(reading.decisions[..], [decision]);
                let taken = next
                    .write()
                    .placement
                    .cells
                    .iter()
                    .filter(|c| **c != crate::notation::Cell::Empty)
                    .count()
                    != now
                        .write()
                        .placement
                        .cells
                        .iter()
                        .filter(|c| **c != crate::notation::Cell::Empty)
                        .count();
                let loud = taken || token.to_string().len() == 5 || next.actor() == Actor::Nobody;
                assert_eq!(now.mvv_lva(decision) > 0, loud, "{token}");
                assert_eq!(noisy.contains(&decision), loud || now.in_check(), "{token}");
                quiet += usize::from(!loud);
            }
            assert!(noisy.len() + quiet >= list.len());
            let text = now.write().to_string();
            let back = state(&text);
            assert_eq!((&back, back.write().to_string()), (now, text));
            let mirror = mirrored(now);
            let mut expected: Vec<_> =
                words(now, GenType::All).iter().map(|word| mirrored_word(word)).collect();
            expected.sort();
            assert_eq!(words(&mirror, GenType::All), expected);
            assert_eq!(mirror.static_eval(), -now.static_eval());
        };
        let Playout { outcome, .. } = playout(State::start(&Rules::default()), &mut rng, 300, watch);
        *ends.entry(outcome.map(|outcome| outcome.reason)).or_insert(0) += 1;
    }
    for reason in ["White mates", "Black mates", "White king reached d6", "Black king reached d2"] {
        assert!(ends.contains_key(&Some(reason)), "no game ended so: {reason}; {ends:?}");
    }
}

#[test]
fn threats_are_checks_and_kings_before_their_thrones() {
    assert!(!state(START).in_check());
    // Black's king steps on d2 next, unless something attacks it.
    assert!(state("6K/7/2***2/2***2/2***2/7/4k2 w k 0 1").in_check());
    assert!(!state("6K/7/2***2/2***2/2***2/7/4k2 w - 0 1").in_check());
    assert!(!state("6K/7/2***2/2***2/2***2/4P2/4k2 w k 0 1").in_check());
}

#[test]
fn what_is_taken_first() {
    let position = state("k6/7/2***2/2***2/2***2/1r2R2/3b2K w - 0 1");
    let gain = |word: &str| {
        let reading = read_token(&position, &parse_token(word).unwrap()).unwrap();
        position.mvv_lva(reading.decisions[0])
    };
    assert!(gain("e2b2") > gain("e2d2"));
    assert_eq!(gain("e2d2"), 0);
}
