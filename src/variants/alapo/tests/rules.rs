//! Alapo 8x8 and its demotion game: every rule R1 to R25 and every worked example of the rules by name, what
//! readers refuse, and what must hold in all random games.

use crate::base::{Color, Rng};
use crate::game::{
    Actor, Decisions, Evaluation, Game, GenType, Notation, Outcome, Playable, Record, Repetition, Rules,
    perft, playout, read_token, write_token,
};
use crate::notation::{Cell, Coordinate, Leg, parse_position, parse_token};
use crate::variants::alapo::{Demotion, Move, Standard};

const START: &str = "rlbqqblr/wsfkkfsw/8/8/8/8/WSFKKFSW/RLBQQBLR w - - 0 1";

fn try_read<G: Playable>(text: &str) -> Result<G, String> {
    G::read(&parse_position(text).unwrap(), &Rules::default()).map_err(|error| error.to_string())
}

fn read<G: Playable>(text: &str) -> G {
    try_read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn decision<G: Playable>(state: &G, word: &str) -> Result<G::Decision, String> {
    let reading = read_token(state, &parse_token(word).unwrap()).map_err(|illegal| illegal.reason)?;
    assert_eq!(reading.decisions.len(), 1);
    Ok(reading.decisions[0])
}

/// Plays the moves of a text from `start`.
fn play<G: Playable>(start: &str, words: &str) -> Record<G> {
    let mut record = Record::new(read::<G>(start));
    for word in words.split_whitespace() {
        assert_eq!(record.outcome(), None, "over before {word}");
        let decision = decision(record.now(), word).unwrap_or_else(|reason| panic!("{word}: {reason}"));
        record.play(decision);
    }
    record
}

fn text<G: Playable>(record: &Record<G>) -> String {
    record.now().write().to_string()
}

fn board<G: Playable>(record: &Record<G>) -> String {
    text(record).split(' ').next().unwrap().to_owned()
}

fn refused<G: Playable>(position: &str, word: &str) -> String {
    decision(&read::<G>(position), word).expect_err(word)
}

fn all<G: Playable>(state: &G) -> Vec<G::Decision> {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    list.to_vec()
}

fn words<G: Playable>(state: &G, list: &[G::Decision]) -> Vec<String> {
    let mut words: Vec<_> = list.iter().map(|&d| write_token(state, &[d]).to_string()).collect();
    words.sort();
    words
}

/// The squares to which the piece on `from` may go, sorted.
fn targets<G: Playable>(position: &str, from: &str) -> Vec<String> {
    let state = read::<G>(position);
    let words = words(&state, &all(&state));
    words.iter().filter(|w| w.starts_with(from)).map(|w| w[2..].to_owned()).collect()
}

fn sorted(squares: &str) -> Vec<String> {
    let mut squares: Vec<_> = squares.split(' ').map(str::to_owned).collect();
    squares.sort();
    squares
}

#[track_caller]
fn won<G: Playable>(record: &Record<G>, winner: Color, rule: &str) {
    let outcome = record.outcome().expect("the game is over");
    assert_eq!((outcome.winner, outcome.rule), (Some(winner), rule), "{outcome}");
}

#[track_caller]
fn goes_on<G: Playable>(record: &Record<G>) {
    assert_eq!(record.outcome(), None, "{}", text(record));
}

use Color::{Black, White};

#[test]
fn r1_white_begins_and_nobody_passes() {
    let state = Standard::start(&Rules::default());
    assert_eq!(state.actor(), Actor::Player(White));
    assert_eq!(refused::<Standard>(START, "0000"), "there is no passing");
}

#[test]
fn r2_every_piece_moves_as_listed() {
    // From d4 on an otherwise free board (the other side's piece stands out of the way).
    let reach = |piece: &str| {
        let white = targets::<Standard>(&format!("8/8/7k/8/3{piece}4/8/8/8 w - - 0 1"), "d4");
        let black = format!("8/8/7K/8/3{}4/8/8/8 b - - 0 1", piece.to_lowercase());
        (white, targets::<Standard>(&black, "d4"))
    };
    let both = |squares: &str| (sorted(squares), sorted(squares));
    let rook = "d1 d2 d3 d5 d6 d7 d8 a4 b4 c4 e4 f4 g4 h4";
    let bishop = "a1 b2 c3 e5 f6 g7 h8 a7 b6 c5 e3 f2 g1";
    assert_eq!(reach("R"), both(rook));
    assert_eq!(reach("B"), both(bishop));
    assert_eq!(reach("Q"), both(&format!("{rook} {bishop}")));
    let lance = |ahead: &str| sorted(&format!("{bishop} {ahead}"));
    assert_eq!(reach("L"), (lance("d5 d6 d7 d8"), lance("d3 d2 d1")));
    assert_eq!(reach("W"), both("d5 d3 c4 e4"));
    assert_eq!(reach("F"), both("c5 e5 c3 e3"));
    assert_eq!(reach("K"), both("d5 d3 c4 e4 c5 e5 c3 e3"));
    assert_eq!(reach("S"), (sorted("d5 c5 e5 c3 e3"), sorted("d3 c5 e5 c3 e3")));
}

#[test]
fn r3_nobody_jumps_and_captures_are_by_moving() {
    let position = "8/8/8/3w4/1W1R2k1/8/8/8 w - - 0 1";
    assert_eq!(targets::<Standard>(position, "d4"), sorted("d5 c4 e4 f4 g4 d3 d2 d1"));
    assert_eq!(refused::<Standard>(position, "d4d6"), "the way is blocked");
    assert_eq!(refused::<Standard>(position, "d4a4"), "the way is blocked");
    assert_eq!(refused::<Standard>(position, "d4b4"), "your own small square stands on b4");
    assert_eq!(board(&play::<Standard>(position, "d4d5")), "8/8/8/3R4/1W4k1/8/8/8");
    // Capturing is optional: quiet moves are legal beside it.
    assert_eq!(targets::<Standard>(position, "b4"), sorted("b5 b3 a4 c4"));
}

#[test]
fn r4_setup() {
    for text in [Standard::start(&Rules::default()).write(), Demotion::start(&Rules::default()).write()] {
        assert_eq!(text.to_string(), START);
    }
    assert_eq!(Standard::start(&Rules::default()), read::<Standard>(START));
}

#[test]
fn r5_r6_a_runner_must_be_captured_with_the_very_next_move() {
    let start = "3k4/2K5/8/8/8/8/8/4K3 w - - 0 40";
    let arrived = play::<Standard>(start, "c7c8");
    goes_on(&arrived);
    // Any move is legal ...
    assert_eq!(arrived.now().count(), 5);
    assert!(arrived.now().in_check());
    // ... but every other reply loses.
    for word in ["d8d7", "d8e8", "d8c7", "d8e7"] {
        won(&play::<Standard>(start, &format!("c7c8 {word}")), White, "R6");
    }
    goes_on(&play::<Standard>(start, "c7c8 d8c8"));
    let outcome = play::<Standard>(start, "c7c8 d8e7").outcome().unwrap();
    assert_eq!(outcome.to_string(), "1-0 {Black did not capture the runner}");
}

#[test]
fn r7_an_arrival_that_cannot_be_captured_decides_at_once() {
    let record = play::<Standard>("k7/8/8/8/8/8/8/R6K w - - 0 1", "a1a8");
    won(&record, White, "R10");
    let record = play::<Standard>("k7/8/8/8/8/8/8/R6K w - - 0 1", "h1h2 a8b8 a1a8");
    goes_on(&record);
    let record = play::<Standard>("k7/8/8/8/8/8/8/1R5K w - - 0 1", "b1b2 a8a7 b2b1 a7a6 b1b8");
    won(&record, White, "R6");
    assert_eq!(record.now().actor(), Actor::Nobody);
    assert_eq!(record.now().count(), 0);
    assert_eq!(record.outcome().unwrap().to_string(), "1-0 {White's runner is safe on the last row}");
    // The piece that arrives may open the line on which it is captured.
    let record = play::<Standard>("8/1W6/8/1r6/8/8/8/7K w - - 0 1", "b7b8");
    goes_on(&record);
    goes_on(&play::<Standard>("8/1W6/8/1r6/8/8/8/7K w - - 0 1", "b7b8 b5b8"));
    // The same for Black, found when the position is read.
    let read = read::<Standard>("7k/8/8/8/8/8/4K3/r7 w - a1 1 9");
    assert_eq!(read.outcome(), Some(Outcome::win(Black, "R6", "Black's runner is safe on the last row")));
}

#[test]
fn r8_a_counter_arrival_is_no_answer() {
    let record = play::<Standard>("3k4/2K5/8/8/8/8/5q2/4K3 w - - 0 40", "c7c8 f2f1");
    won(&record, White, "R6");
    assert!(try_read::<Standard>("K2kK3/8/8/8/8/8/8/8 b - - 0 1").unwrap_err().contains("two runners"));
}

#[test]
fn r9_a_recapture_on_the_last_row_is_a_new_runner() {
    let record = play::<Standard>("3k4/2K1K3/8/8/8/8/8/4K3 w - - 0 40", "c7c8 d8c8 e7d8");
    goes_on(&record);
    assert!(record.now().in_check());
}

#[test]
fn r10_no_piece_loses() {
    let record = play::<Standard>("8/8/8/8/4k3/8/8/K3R3 w - - 0 1", "e1e4");
    won(&record, White, "R10");
    assert_eq!(record.outcome().unwrap().reason, "Black has no piece left");
}

/// Adds to `pieces` what must stand there so that the pieces on `to_do` cannot move: every piece goes
/// straight all four ways or diagonally all four ways (or both), so either set of neighbours must hold pieces
/// of its own side; others could be captured. `None` when that takes more than `most` pieces.
fn shut_in(pieces: u64, to_do: &[u32], most: u32) -> Option<u64> {
    if pieces.count_ones() > most {
        return None;
    }
    let Some((&square, rest)) = to_do.split_first() else { return Some(pieces) };
    let (file, row) = ((square % 8) as i32, (square / 8) as i32);
    [[(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]].into_iter().find_map(|steps| {
        let mut more = pieces;
        let mut to_do = rest.to_vec();
        for (file_step, row_step) in steps {
            let (file, row) = (file + file_step, row + row_step);
            let square = (row * 8 + file) as u32;
            if (0..8).contains(&file) && (0..8).contains(&row) && more >> square & 1 == 0 {
                more |= 1 << square;
                to_do.push(square);
            }
        }
        shut_in(more, &to_do, most)
    })
}

#[test]
fn r11_no_move_loses_but_sixteen_pieces_are_never_without() {
    let state = read::<Demotion>("8/8/8/3k4/8/8/8/K7 b - - 0 1");
    assert_eq!(state.ending(true), Some(Outcome::win(White, "R11", "Black has no move")));
    // Even if it were never allowed to demote.
    assert!((0..64).all(|square| shut_in(1 << square, &[square], 16).is_none()));
}

#[test]
fn example_1_repetition_from_the_start() {
    let record = play::<Standard>(START, "c2b3 c7b6 b3c2 b6c7 c2b3 c7b6 b3c2 b6c7");
    assert_eq!(text(&record), "rlbqqblr/ws1kkfsw/8/8/8/8/WS1KKFSW/RLBQQBLR w - - 0 5");
    goes_on(&record);
}

#[test]
fn example_2_safe_runner() {
    let record = play::<Standard>("3k4/1K6/8/8/8/8/8/4K3 w b7 d8 2 41", "b7a8");
    won(&record, White, "R6");
}

#[test]
fn example_3_runner_captured() {
    let record = play::<Standard>("3k4/2K5/8/8/8/8/8/4K3 w - - 0 40", "c7c8 d8c8");
    assert_eq!(text(&record), "2k5/8/8/8/8/8/8/4K3 w - c8 0 41");
}

#[test]
fn example_4_counter_arrival_does_not_help() {
    won(&play::<Standard>("3k4/2K5/8/8/8/8/5q2/4K3 w - - 0 40", "c7c8 f2g1"), White, "R6");
}

#[test]
fn example_5_new_runner_by_recapture() {
    let start = "3k4/2K1K3/8/8/8/8/8/4K3 w - - 0 40";
    let words = "c7c8 d8c8 e7d8";
    let mut noisy = Decisions::new();
    let record = play::<Standard>(start, words);
    record.now().decisions(GenType::Noisy, &mut noisy);
    assert_eq!(self::words(record.now(), &noisy), ["c8d8"]);
    goes_on(&play::<Standard>(start, &format!("{words} c8d8")));
    won(&play::<Standard>(start, &format!("{words} c8b7")), White, "R6");
}

#[test]
fn example_6_both_last_pieces_removed() {
    let words = "a1b1 d5e5 b1a1 e5d5 a1b1 d5e5 b1a1 e5d5";
    let record = play::<Standard>("8/8/8/3k4/8/8/8/K7 w - - 0 60", words);
    won(&record, White, "R14");
    assert_eq!(board(&record), "8/8/8/8/8/8/8/8");
    // The same with the colours exchanged.
    let words = "d4e4 a8b8 e4d4 b8a8 d4e4 a8b8 e4d4 b8a8";
    won(&play::<Standard>("k7/8/8/8/3K4/8/8/8 w - - 0 60", words), White, "R14");
    let words = "a8b8 d4e4 b8a8 e4d4 a8b8 d4e4 b8a8 e4d4";
    won(&play::<Standard>("k7/8/8/8/3K4/8/8/8 b - - 0 60", words), Black, "R14");
}

#[test]
fn example_7_fifty_moves() {
    let record = play::<Standard>("8/8/8/3k4/3r4/8/8/K6R w a1 d5 98 60", "h1h2 d5e5");
    assert_eq!(text(&record), "8/8/8/8/3r4/8/8/K7 w - - 0 61");
    goes_on(&record);
}

#[test]
fn example_8_fifty_moves_and_a_runner() {
    // R18: the capturable runner goes, and with it the threat.
    let record = play::<Standard>("3k4/2K5/8/8/8/8/6w1/W7 w c7 d8 99 60", "c7c8");
    assert_eq!(text(&record), "8/8/8/8/8/8/6w1/W7 b - - 0 60");
    goes_on(&record);
    assert!(!record.now().in_check());
    // Test 1 comes before test 4.
    let record = play::<Standard>("3k4/2K5/8/8/8/8/6w1/W7 w c7 d8 98 60", "c7c8 g2h2");
    won(&record, White, "R6");
}

#[test]
fn example_9_lances() {
    let large = targets::<Standard>("8/8/8/3L4/8/7k/8/8 w - - 0 1", "d5");
    assert_eq!(large, sorted("a2 b3 c4 e6 f7 g8 a8 b7 c6 e4 f3 g2 h1 d6 d7 d8"));
    let small = targets::<Standard>("8/8/8/8/8/8/3s3K/8 b - - 0 1", "d2");
    assert_eq!(small, sorted("c1 e1 c3 e3 d1"));
}

#[test]
fn example_10_demotion() {
    let record = play::<Demotion>(START, "W@a1 W@h8");
    assert_eq!(text(&record), "rlbqqblw/wsfkkfsw/8/8/8/8/WSFKKFSW/WLBQQBLR w a1 h8 2 2");
}

#[test]
fn example_11_demotion_goal() {
    won(&play::<Demotion>("3k4/2K5/8/8/8/8/6w1/W6R w - - 0 60", "c7c8"), White, "R21");
}

#[test]
fn example_12_demotion_last_small_piece() {
    let record = play::<Demotion>("8/8/8/8/4k3/8/8/K3R3 w - - 0 60", "e1e4");
    won(&record, White, "R22");
    assert_eq!(record.outcome().unwrap().reason, "Black has no small piece left");
}

#[test]
fn r12_removal_needs_the_third_occurrence_and_the_same_side() {
    let seven = "c2b3 c7b6 b3c2 b6c7 c2b3 c7b6 b3c2";
    let record = play::<Standard>(START, seven);
    assert_eq!(board(&record), "rlbqqblr/ws1kkfsw/1f6/8/8/8/WSFKKFSW/RLBQQBLR");
    // The same pieces with the other side to move are another position: White loses a move by a triangle of
    // steps.
    let rounds = "a1b1 d5e5 b1b2 e5d5 b2a1 d5e5 a1b1 e5d5 b1b2 d5e5 b2a1 e5d5";
    let position = "8/8/8/3k4/8/8/8/K6R w - - 0 60";
    let record = play::<Standard>(position, "a1b1 d5e5 b1b2 e5d5 b2a1 d5e5");
    assert_eq!(board(&record), "8/8/8/4k3/8/8/8/K6R");
    let record = play::<Standard>(position, rounds);
    // After twelve single moves the start stands for the second time only.
    assert_eq!(text(&record), "8/8/8/3k4/8/8/8/K6R w a1 d5 12 66");
}

#[test]
fn r13_the_movers_piece_is_the_one_just_moved() {
    // The third occurrence is completed with another piece than the one moved before.
    let words = "a1b1 d5e5 h1h2 e5d5 b1a1 d5e5 h2h1 e5d5 a1b1 d5e5 h1h2 e5d5 b1a1 d5e5 h2h1 e5d5";
    let record = play::<Standard>("8/8/1r6/3k4/8/8/8/K6W w - - 0 60", words);
    assert_eq!(text(&record), "8/8/1r6/8/8/8/8/K7 w - - 0 68");
}

#[test]
fn r14_one_side_left_without_pieces_loses() {
    let words = "a1b1 d5e5 b1a1 e5d5 a1b1 d5e5 b1a1 e5d5";
    won(&play::<Standard>("8/8/8/3k4/8/8/8/K6R w - - 0 60", words), White, "R14");
    won(&play::<Standard>("8/8/1r6/3k4/8/8/8/K7 w - - 0 60", words), Black, "R14");
    // By the counter, both: White completed it.
    won(&play::<Standard>("8/8/8/3k4/8/8/8/K7 w a1 d5 99 60", "a1a2"), Black, "R14");
}

#[test]
fn r15_the_set_up_position_is_the_first_occurrence() {
    let record = play::<Standard>("8/8/1r6/3k4/8/8/8/K6R w - - 0 60", "a1b1 d5e5 b1a1 e5d5");
    assert_eq!(text(&record), "8/8/1r6/3k4/8/8/8/K6R w a1 d5 4 62");
    // Marks and counter are no part of it: the third time comes although they differ.
    let record =
        play::<Standard>("8/8/1r6/3k4/8/8/8/K6R w - - 0 60", "a1b1 d5e5 b1a1 e5d5 a1b1 d5e5 b1a1 e5d5");
    assert_eq!(text(&record), "8/8/1r6/8/8/8/8/7R w - - 0 64");
}

#[test]
fn r16_after_a_removal_all_starts_afresh() {
    let round = "h1h2 b6b5 h2h1 b5b6";
    let pieces = "8/8/1r6/3k4/8/8/8/K6R w - - 0 60";
    let removed = "a1b1 d5e5 b1a1 e5d5 a1b1 d5e5 b1a1 e5d5";
    // After the removal the position stands for the first time; two rounds later for the third.
    let record = play::<Standard>(pieces, &format!("{removed} {round}"));
    assert_eq!(text(&record), "8/8/1r6/8/8/8/8/7R w h1 b6 4 66");
    won(&play::<Standard>(pieces, &format!("{removed} {round} {round}")), White, "R14");
    // A capture starts the counter afresh.
    let record = play::<Standard>("8/8/8/8/8/3r3k/8/K2R4 w - - 57 60", "d1d3");
    assert_eq!(text(&record), "8/8/8/8/8/3R3k/8/K7 b d3 - 0 60");
    assert_eq!(record.now().repetition().unwrap().span, 0);
}

#[test]
fn r17_a_side_without_a_mark_loses_nobody() {
    let record = play::<Standard>("8/8/8/3k4/3r4/8/8/K6R w - - 99 60", "h1h2");
    assert_eq!(text(&record), "8/8/8/3k4/3r4/8/8/K7 b - - 0 60");
    // A captured piece takes its mark with it.
    let record = play::<Standard>("8/8/8/3r4/8/8/3R3k/K7 w d2 d5 3 60", "d2d5");
    assert_eq!(text(&record), "8/8/8/3R4/8/8/7k/K7 b d5 - 0 60");
}

#[test]
fn r20_demotion_of_large_pieces_on_the_two_nearest_rows() {
    let position = "r7/8/2k5/8/8/R7/1Q6/L1B4K w - - 0 1";
    let state = read::<Demotion>(position);
    let demotions: Vec<_> = words(&state, &all(&state)).into_iter().filter(|w| w.contains('@')).collect();
    assert_eq!(demotions, ["F@c1", "K@b2", "S@a1"]);
    let record = play::<Demotion>(position, "S@a1 W@a8 F@c1 c6d6 K@b2");
    assert_eq!(board(&record), "w7/8/3k4/8/8/R7/1K6/S1F4K");
    assert_eq!(
        refused::<Demotion>(position, "W@a3"),
        "only large pieces on your two nearest rows can be demoted"
    );
    assert_eq!(refused::<Demotion>(position, "W@h1"), "the small circle is small already");
    assert_eq!(refused::<Demotion>(position, "W@b2"), "a large circle becomes a small circle: K");
    assert_eq!(refused::<Demotion>(position, "W@a8"), "the large square on a8 is Black's");
    assert_eq!(refused::<Demotion>(position, "W@d4"), "there is no piece on d4");
    assert_eq!(refused::<Standard>(position, "S@a1"), "nothing is put on the board in this game");
    // A piece that has returned may be demoted too.
    assert!(decision(play::<Demotion>(position, "a3a2 c6d6").now(), "W@a2").is_ok());
    assert_eq!(Standard::start(&Rules::default()).count(), 18);
    assert_eq!(Demotion::start(&Rules::default()).count(), 26);
}

#[test]
fn r21_large_pieces_arrive_without_effect() {
    let record = play::<Demotion>("3k4/8/8/8/8/8/6w1/W6R w - - 0 60", "h1h8");
    goes_on(&record);
    assert!(!record.now().in_check());
    // A small piece wins as well, for Black too.
    won(&play::<Demotion>("3k4/8/8/8/8/8/6w1/W6R b - - 0 60", "g2g1"), Black, "R21");
}

#[test]
fn r22_large_pieces_that_could_be_demoted_do_not_save() {
    won(&play::<Demotion>("r7/8/8/8/4k3/8/8/K3R3 w - - 0 60", "e1e4"), White, "R22");
}

#[test]
fn r23_a_demotion_is_a_move_for_counter_and_mark() {
    let record = play::<Demotion>("8/8/8/3k4/3w4/8/8/KQ5R w a1 d5 98 60", "K@b1");
    assert_eq!(text(&record), "8/8/8/3k4/3w4/8/8/KK5R b b1 d5 99 60");
    // The demoted piece is the one that goes.
    let record = play::<Demotion>("8/8/8/3k4/3w4/8/8/KQ5R w a1 d5 99 60", "K@b1");
    assert_eq!(text(&record), "8/8/8/8/3w4/8/8/K6R b - - 0 60");
}

#[test]
fn r24_small_pieces_count_after_a_removal() {
    // Black keeps a large piece, but no small one.
    won(&play::<Demotion>("8/8/8/3k4/3r4/8/8/KK6 w a1 d5 99 60", "b1b2"), White, "R24");
    // Neither side has a small piece left: White completed the condition.
    won(&play::<Demotion>("8/8/8/3k4/3r4/8/8/K6R w a1 d5 99 60", "a1a2"), Black, "R24");
}

#[test]
fn r25_order_of_tests() {
    // Arrival by capturing the last small piece: the goal is named first.
    won(&play::<Demotion>("1wr5/K7/8/8/8/8/8/8 w - - 0 60", "a7b8"), White, "R21");
    // Arrival goes before removal.
    won(&play::<Demotion>("3r4/K7/8/8/8/8/w7/8 w a7 a2 99 60", "a7a8"), White, "R21");
}

#[test]
fn section_5_order_of_tests() {
    // Test 1 before test 3: see R8. Test 1 before test 4: see example 8.
    // Test 2 before test 3.
    won(&play::<Standard>("1w6/K7/8/8/8/8/8/8 w - - 0 1", "a7b8"), White, "R10");
    // Test 3 before test 4.
    won(&play::<Standard>("8/K7/8/8/8/8/6w1/8 w a7 g2 99 60", "a7a8"), White, "R6");
}

#[test]
fn positions_that_cannot_be_are_refused_by_field() {
    let standard = |text: &str| try_read::<Standard>(text).expect_err(text);
    let demotion = |text: &str| try_read::<Demotion>(text).expect_err(text);
    let pieces = "8/8/8/3k4/8/8/8/K7";
    for (text, reason) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "board: White has no piece: that game is over"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "board: Black has no piece: that game is over"),
        ("7/7/7/3k3/7/7/K6 w - - 0 1", "board: must be 8x8, not 7x7"),
        ("8/8/8/3k4/8/8/8/K6* w - - 0 1", "board: h1 must be a square, not a hole"),
        ("8/8/8/3k4/8/8/8/+K7 w - - 0 1", "board: no `+` here (a1)"),
        ("8/8/8/3k4/8/8/8/P7 w - - 0 1", "board: no piece is called `P`"),
        ("8/8/8/3k4/8/8/KKKKKKKK/KKKKKKKK w - - 0 1", ""),
        ("8/8/8/3k4/8/7K/KKKKKKKK/KKKKKKKK w - - 0 1", "board: White has 17 pieces, more than 16"),
        (
            "2Q5/8/8/8/8/8/8/q1b4R b - - 0 1",
            "board: Black's piece on a1 was not captured: Black has won already",
        ),
    ] {
        if reason.is_empty() {
            assert!(try_read::<Standard>(text).is_ok());
        } else {
            assert_eq!(standard(text), reason);
        }
    }
    for (fields, reason) in [
        ("", "side to move: missing"),
        ("x - - 0 1", "side to move: must be `w` or `b`, not `x`"),
        ("w", "White's last moved piece: missing (`-` for none)"),
        ("w -", "Black's last moved piece: missing (`-` for none)"),
        ("w b1 - 0 1", "White's last moved piece: no piece of White's on b1"),
        ("w d5 - 0 1", "White's last moved piece: no piece of White's on d5"),
        ("w - a1 0 1", "Black's last moved piece: no piece of Black's on a1"),
        ("w - z9 0 1", "Black's last moved piece: must be a square or `-`, not `z9`"),
        ("w - - 100 1", "quiet moves: must be a number from 0 to 99, not `100`"),
        ("w - - +5 1", "quiet moves: must be a number from 0 to 99, not `+5`"),
        ("w - - 0 0", "move number: must be a number from 1 to 65535, not `0`"),
        ("w - - 0 1 x", "end: `x` is one field too many"),
    ] {
        assert_eq!(standard(format!("{pieces} {fields}").trim()), reason);
    }
    let with_hand = parse_position("8/8/8/3k4/8/8/8/K7[K] w - - 0 1").unwrap();
    assert_eq!(Standard::read(&with_hand, &Rules::default()).unwrap_err().field, "hand");
    assert_eq!(
        demotion("3k4/8/8/8/8/8/8/R7 w - - 0 1"),
        "board: White has no small piece: that game is over"
    );
    assert_eq!(demotion("K2k4/8/8/8/8/8/8/8 b - - 0 1"), "board: White's small piece on a8 has won already");
    // Missing counters are 0 and 1.
    assert_eq!(
        read::<Standard>(&format!("{pieces} w A1 -")).write().to_string(),
        format!("{pieces} w a1 - 0 1")
    );
}

#[test]
fn illegal_words_are_explained() {
    for (word, reason) in [
        ("e5e6", "there is no piece on e5"),
        ("a7a6", "the small square on a7 is Black's"),
        ("a2b3", "a small square steps one square along row or file"),
        ("a2a4", "a small square steps one square along row or file"),
        ("c2c3", "a small triangle steps one square diagonally"),
        ("d2d4", "a small circle steps one square in any direction"),
        ("b2a2", "a small lance steps one square diagonally or straight forward"),
        ("a1b2", "a large square runs along row or file"),
        ("c1c4", "a large triangle runs diagonally"),
        ("d1e3", "a large circle runs in the eight directions"),
        ("b1a1", "a large lance runs diagonally or straight forward"),
        ("a1a3", "the way is blocked"),
        ("a1a2", "your own small square stands on a2"),
        ("a2a3q", "a move has no suffix"),
        ("a2a2", "the small square already stands on a2"),
        ("i2i3", "there is no square i2"),
        ("a2a9", "there is no square a9"),
        ("=4", "a move is two squares, as in c2b3"),
    ] {
        let state = read::<Standard>(START);
        let illegal = read_token(&state, &parse_token(word).unwrap()).expect_err(word);
        assert_eq!(illegal.reason, reason, "{word}");
    }
    // One player never moves twice.
    let state = read::<Standard>(START);
    assert_eq!(read_token(&state, &parse_token("a2a3,b2b3").unwrap()).expect_err("two moves").legs_read, 1);
    let over = play::<Standard>("3k4/1K6/8/8/8/8/8/4K3 w b7 d8 2 41", "b7a8");
    assert_eq!(
        decision(over.now(), "d8e8").unwrap_err(),
        "the game is over: 1-0 {White's runner is safe on the last row}"
    );
}

/// The same position with colours and rows exchanged, files kept or exchanged too.
fn mirrored<G: Playable>(state: &G, flip_files: bool, swap_colors: bool) -> G {
    let mut position = state.write();
    let old = position.placement.clone();
    let turn = |file: u8, row: u8| {
        (if flip_files { 7 - file } else { file }, if swap_colors { 7 - row } else { row })
    };
    for file in 0..8 {
        for row in 0..8 {
            let cell = match old.at(file, row) {
                Cell::Piece { letter, plus } if swap_colors => Cell::Piece { letter: letter ^ 0x20, plus },
                cell => cell,
            };
            let (file, row) = turn(file, row);
            position.placement.set(file, row, cell);
        }
    }
    for mark in &mut position.fields[1..3] {
        if let &[file, rank] = mark.as_bytes() {
            let (file, row) = turn(file - b'a', rank - b'1');
            *mark = Coordinate::new(file, row + 1).to_string();
        }
    }
    if swap_colors {
        position.fields.swap(1, 2);
        position.fields[0] = if position.fields[0] == "w" { "b" } else { "w" }.to_owned();
    }
    G::read(&position, &Rules::default()).unwrap()
}

fn mirrored_words<G: Playable>(state: &G, flip_files: bool, swap_colors: bool) -> Vec<String> {
    let turn = |at: Coordinate| {
        let file = if flip_files { 7 - at.file } else { at.file };
        Coordinate::new(file, if swap_colors { 9 - at.rank } else { at.rank })
    };
    let word = |&decision: &G::Decision| match state.legs(decision)[0] {
        Leg::Move { from, to, suffix } => Leg::Move { from: turn(from), to: turn(to), suffix }.to_string(),
        Leg::Put { letter, at } => Leg::Put { letter, at: turn(at) }.to_string(),
        other => panic!("{other}"),
    };
    let mut words: Vec<_> = all(state).iter().map(word).collect();
    words.sort();
    words
}

fn noisy_is_right<G: Playable>(state: &G, list: &[G::Decision]) {
    let mut noisy = Decisions::new();
    state.decisions(GenType::Noisy, &mut noisy);
    let mut unique: Vec<_> = noisy.to_vec();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), noisy.len());
    assert!(noisy.iter().all(|d| list.contains(d)));
    let turn = state.actor().player().unwrap();
    for decision in list {
        let mut after = state.clone();
        after.apply(*decision);
        let wins = after.decided().is_some_and(|outcome| outcome.winner == Some(turn));
        let by_removal = after.decided().is_some_and(|outcome| ["R14", "R24"].contains(&outcome.rule));
        // What wins at once is listed, and nothing is a capture and not listed unless something is
        // threatened.
        if wins && !by_removal {
            assert!(noisy.contains(decision), "{} {decision:?}", state.write());
        }
        let arrives = after.decided().is_some_and(|outcome| ["R6", "R21"].contains(&outcome.rule)) && wins;
        assert_eq!(state.mvv_lva(*decision) >= 10_000, arrives, "{} {decision:?}", state.write());
        if !state.in_check() {
            assert_eq!(
                noisy.contains(decision),
                state.mvv_lva(*decision) > 0,
                "{} {decision:?}",
                state.write()
            );
        }
        if state.in_check() && !noisy.contains(decision) {
            // It answers nothing: the enemy has won, or wins with the next move.
            let enemy_wins = |end: Option<Outcome>| end.is_some_and(|o| o.winner == Some(!turn));
            let next = all(&after).into_iter().any(|reply| {
                let mut later = after.clone();
                later.apply(reply);
                enemy_wins(later.decided())
            });
            assert!(enemy_wins(after.outcome()) || next, "{} {decision:?}", state.write());
        }
    }
}

fn random_games<G: Playable<Decision = Move> + PartialEq + std::fmt::Debug>(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut positions = 0;
    for _ in 0..20 {
        playout(G::start(&Rules::default()), &mut rng, 300, |record, list| {
            let state = record.now();
            positions += 1;
            let mut unique = list.to_vec();
            unique.sort();
            unique.dedup();
            assert_eq!(unique.len(), list.len());
            assert_eq!(state.count(), list.len() as u64);
            let text = state.write().to_string();
            assert_eq!(&read::<G>(&text), state);
            for &decision in list {
                let mut after = state.clone();
                after.apply(decision);
                let token = write_token(state, &[decision]);
                let reading = read_token(state, &parse_token(&token.to_string()).unwrap()).unwrap();
                assert_eq!(reading.decisions[..], [decision]);
                assert_eq!(reading.after, after);
                assert!(state.history_index(decision) < G::HISTORY_SIZE);
                if after.decided().is_none() {
                    assert_eq!(read::<G>(&after.write().to_string()), after);
                }
            }
            for (flip_files, swap_colors) in [(true, false), (false, true), (true, true)] {
                let mirror = mirrored(state, flip_files, swap_colors);
                let words = words(&mirror, &all(&mirror));
                assert_eq!(words, mirrored_words(state, flip_files, swap_colors), "{text}");
                let sign = if swap_colors { -1 } else { 1 };
                assert_eq!(mirror.classical_eval(), sign * state.classical_eval(), "{text}");
                // The network tells left from right.
                if !flip_files {
                    assert_eq!(mirror.static_eval(), -state.static_eval(), "{text}");
                }
            }
            assert!(state.static_eval().abs() < 20_000);
            noisy_is_right(state, list);
        });
    }
    assert!(positions > 500, "{positions}");
}

#[test]
fn what_holds_in_every_standard_game() {
    random_games::<Standard>(1);
}

#[test]
fn what_holds_in_every_demotion_game() {
    random_games::<Demotion>(2);
}

#[test]
fn keys_tell_counters_apart_only_when_they_matter() {
    let key = |mark: &str, quiet: u32| {
        read::<Standard>(&format!("8/8/8/3k3r/8/8/8/K6R w a1 {mark} {quiet} 60")).key()
    };
    assert_eq!(key("d5", 3), key("h5", 79));
    assert_ne!(key("d5", 80), key("d5", 81));
    assert_ne!(key("d5", 99), key("h5", 99));
    let other_side = read::<Standard>("8/8/8/3k3r/8/8/8/K6R b a1 d5 3 60");
    assert_ne!(other_side.key(), key("d5", 3));
}

#[test]
fn divide_of_the_start_at_depth_three() {
    // From an outside engine (Fairy-Stockfish with the game's rules in its variant file) and a Python
    // generator.
    let expected = [
        ("a2a3", 378),
        ("b2a3", 450),
        ("b2b3", 378),
        ("b2c3", 486),
        ("c2b3", 466),
        ("c2d3", 396),
        ("d2c3", 593),
        ("d2d3", 540),
        ("d2e3", 557),
    ];
    let state = Standard::start(&Rules::default());
    for (word, count) in expected {
        let mut after = state;
        after.apply(decision(&state, word).unwrap());
        assert_eq!(perft::turns(&after, 2), count, "{word}");
    }
}

const PAGE: &str = include_str!("../../../../protocol-docs/rules/alapo.md");

#[test]
fn diagrams_of_the_rules_page_are_right() {
    // Three diagrams side by side, 24 columns each, a line of titles above.
    let lines: Vec<&str> = PAGE.lines().collect();
    let mut seen = String::new();
    for (at, titles) in lines.iter().enumerate() {
        for column in (0..72).step_by(24) {
            let cut = |line: &str| line.get(column..).map(|rest| rest.chars().take(24).collect::<String>());
            let Some(title) = cut(titles).filter(|t| t.contains("large ") || t.contains("small ")) else {
                continue;
            };
            let Some((piece, "  ")) = title.chars().next().zip(title.get(1..3)) else { continue };
            let rows = lines[at + 1..at + 9].iter().map(|line| cut(line).unwrap());
            let mut shown = Vec::new();
            for row in rows {
                let (rank, cells) = row.trim_end().split_at(3);
                for (file, cell) in cells.split(' ').enumerate() {
                    match cell {
                        "x" => {
                            shown.push(Coordinate::new(file as u8, rank.trim().parse().unwrap()).to_string())
                        }
                        "." => {}
                        cell => assert_eq!((cell, rank, file), (piece.to_string().as_str(), "4  ", 3)),
                    }
                }
            }
            shown.sort();
            // The other side needs a piece; on a2 it stands on no line from d4.
            let (other, side) = if piece.is_ascii_uppercase() { ('k', 'w') } else { ('K', 'b') };
            let position = format!("8/8/8/8/3{piece}4/8/{other}7/8 {side} - - 0 1");
            assert_eq!(targets::<Standard>(&position, "d4"), shown, "{title}");
            seen.push(piece);
        }
    }
    assert_eq!(seen, "RBQLlWFKS");
}

#[test]
fn positions_of_the_rules_page_can_be_read() {
    let quoted = PAGE
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| word.matches('/').count() == 7 && !word.contains('\n'));
    let mut seen = 0;
    for position in quoted {
        let text = if position.contains(' ') { position.to_owned() } else { format!("{position} w - - 0 1") };
        assert_eq!(read::<Standard>(&text).write().to_string(), text);
        seen += 1;
    }
    assert_eq!(seen, 14);
}
