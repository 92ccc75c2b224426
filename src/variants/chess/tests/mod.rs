//! Chess as a whole: random games, ends of games, valid and invalid texts.

mod king_buckets;
mod reference;
pub(super) mod testing;

use super::*;
use crate::base::Rng;
use crate::game::{
    Decisions, Evaluation, Game, GenType, Notation, Outcome, Reading, Rules, playout, read_token, write_token,
};
use crate::notation::Token;
use testing::{game, mirror, mirror_decision, state, try_state};

const ENDLESS: &str = "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1";

fn listed(state: &State, wanted: GenType) -> Vec<Decision> {
    let mut list = Decisions::new();
    state.decisions(wanted, &mut list);
    list.to_vec()
}

fn sorted(mut list: Vec<Decision>) -> Vec<Decision> {
    list.sort_unstable();
    list
}

/// Everything that must hold in any state.
fn check(now: &State, list: &[Decision]) {
    let text = now.write().to_string();
    assert_eq!(state(&text), *now, "{text}");
    assert_eq!(now.count(), list.len() as u64, "{text}");
    let all = sorted(list.to_vec());
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "twice the same move in {text}");

    let mirrored = mirror(now);
    let in_the_mirror = listed(&mirrored, GenType::All).into_iter().map(mirror_decision).collect();
    assert_eq!(sorted(in_the_mirror), all, "{text}");

    let is_noisy = |d: &Decision| now.in_check() || d.promoted().is_some() || captured(now, *d) != 0;
    let noisy: Vec<_> = all.iter().copied().filter(is_noisy).collect();
    assert_eq!(sorted(listed(now, GenType::Noisy)), noisy, "{text}");

    for &decision in list {
        let mut next = *now;
        next.apply(decision);
        assert_eq!(next.checkers(now.turn()), 0, "{decision:?} leaves the king in check in {text}");
        assert_eq!(
            next.board().occupied().count_ones() + captured(now, decision),
            now.board().occupied().count_ones(),
            "{decision:?} in {text}"
        );
        assert_eq!(now.mvv_lva(decision) > 0, captured(now, decision) != 0 || decision.promoted().is_some());
        assert!(now.history_index(decision) < State::HISTORY_SIZE);
        let token = write_token(now, &[decision]);
        assert_eq!(token.to_string(), format!("{decision:?}"));
        let Reading { decisions, after } = read_token(now, &token.to_string().parse().unwrap()).unwrap();
        assert_eq!((&decisions[..], after), (&[decision][..], next));
    }
}

/// The number of pieces the decision captures.
fn captured(state: &State, decision: Decision) -> u32 {
    let pawn = state.board().piece(decision.from()).is_some_and(|(_, kind)| kind == Kind::Pawn);
    let in_passing = pawn && state.en_passant() == Some(decision.to());
    u32::from(in_passing || state.board().piece(decision.to()).is_some())
}

#[test]
fn random_games_hold_together() {
    let mut rng = Rng::new(2024);
    let starts = [
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    ];
    let mut ended = 0;
    for round in 0..24 {
        let start = state(starts[round % starts.len()]);
        let played = playout(start, &mut rng, 300, |record, list| check(record.now(), list));
        ended += usize::from(played.outcome.is_some());
    }
    assert!(ended > 0);
}

#[test]
fn keys_tell_positions_apart() {
    let texts = [
        ENDLESS,
        "4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1",
        "4k2r/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k2r/8/8/8/8/8/8/R3K3 w k - 0 1",
        "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k2r/8/8/8/8/8/8/R3K3 w - - 80 1",
        "4k2r/8/8/8/8/8/8/R3K3 w - - 81 1",
        "4k2r/8/8/8/8/8/8/1R2K3 w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
    ];
    let mut keys: Vec<_> = texts.iter().map(|text| state(text).key()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), texts.len());
    // Far from the fifty moves the counters are left out.
    assert_eq!(state(ENDLESS).key(), state("4k2r/8/8/8/8/8/8/R3K3 w Qk - 79 60").key());
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 64, "{}", size_of::<State>());
}

fn outcome(start: &str, moves: &str) -> Option<Outcome> {
    game(start, moves).outcome()
}

#[test]
fn checkmate_wins() {
    let mate = outcome(START, "f2f3 e7e5 g2g4 d8h4").unwrap();
    assert_eq!((mate.rule, mate.to_string().as_str()), ("FIDE 5.1.1", "0-1 {Black mates}"));
    let mate = outcome(START, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7").unwrap();
    assert_eq!(mate.to_string(), "1-0 {White mates}");
    assert_eq!(outcome(START, "e2e4 e7e5 d1h5 b8c6 h5f7"), None, "the king takes");
}

#[test]
fn stalemate_draws() {
    let stalemate = outcome("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6").unwrap();
    assert_eq!((stalemate.rule, stalemate.to_string().as_str()), ("FIDE 5.2.1", "1/2-1/2 {Stalemate}"));
    assert_eq!(outcome("7k/8/8/6Q1/8/8/7p/K7 w - - 0 1", "g5g6"), None, "the pawn can move");
    // A pinned pawn has no move, so it is stalemate all the same.
    let pinned = state("k7/1pK5/8/8/8/8/6B1/6B1 b - - 0 1");
    assert_eq!(pinned.outcome().map(|o| o.reason), Some("Stalemate"));
    assert_eq!(state("k7/1pK5/8/8/8/8/8/6B1 b - - 0 1").count(), 2);
}

#[test]
fn the_third_time_draws() {
    let there_and_back = "g1f3 g8f6 f3g1 f6g8";
    let twice = format!("{there_and_back} {there_and_back}");
    let draw = outcome(START, &twice).unwrap();
    assert_eq!((draw.rule, draw.to_string().as_str()), ("FIDE 9.2", "1/2-1/2 {Threefold repetition}"));
    assert_eq!(outcome(START, there_and_back), None);
    assert_eq!(outcome(START, twice.rsplit_once(' ').unwrap().0), None, "seven moves");
    // The same pieces on the same squares, but not the same side to move, is another position.
    let triangles = "a1b1 h8g8 b1b2 g8h8 b2a1 h8g8 a1b1 g8g7 b1a1 g7h8";
    assert_eq!(outcome("7k/8/8/8/8/8/P7/K7 w - - 0 1", triangles), None);
}

#[test]
fn lost_rights_to_castle_make_another_position() {
    // With both rights, then without White's: the first position does not count (FIDE 9.2.3.2).
    let round = "a1b1 e8e7 b1a1 e7e8";
    let rights = format!("{round} {round}");
    assert_eq!(outcome(ENDLESS, &rights), None);
    assert!(outcome(ENDLESS, &format!("{rights} {round}")).is_some());
    assert!(outcome("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", &rights).is_some());
}

#[test]
fn a_capture_in_passing_makes_another_position() {
    let round = "g8f8 g1f1 f8g8 f1g1";
    // d4 could take on e3 the first time (FIDE 9.2.3.1).
    let free = "6k1/8/8/8/3p4/8/4P3/6K1 w - - 0 1";
    assert_eq!(outcome(free, &format!("e2e4 {round} {round}")), None);
    assert!(outcome(free, &format!("e2e4 {round} {round} {round}")).is_some());
    // Here d4 is bound to its king by the rook, so nothing changes when the moment has gone.
    let pinned = "8/8/8/8/R2p2k1/8/4P3/6K1 w - - 0 1";
    let round = "g4g5 g1f1 g5g4 f1g1";
    assert_eq!(game(pinned, "e2e4").now().en_passant(), None, "the rook on a4 would give check");
    assert!(outcome(pinned, &format!("e2e4 {round} {round}")).is_some());
}

#[test]
fn fifty_moves_draw_but_mate_goes_first() {
    let draw = outcome("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a2").unwrap();
    assert_eq!(draw.rule, "FIDE 9.3");
    assert_eq!(draw.to_string(), "1/2-1/2 {Fifty moves without capture or pawn move}");
    assert_eq!(outcome("7k/8/6K1/8/8/8/8/R7 w - - 98 80", "a1a2"), None);
    assert_eq!(outcome("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8").unwrap().reason, "White mates");
    assert_eq!(outcome("7k/8/6K1/8/8/8/p7/R7 w - - 99 80", "a1a2"), None, "a capture");
    assert_eq!(outcome("7k/8/6K1/8/8/8/P7/R7 w - - 99 80", "a2a3"), None, "a pawn move");
    // Counting goes on behind the draw.
    let after = state("7k/8/6K1/8/8/8/8/R7 w - - 100 80");
    assert_eq!(after.count(), listed(&after, GenType::All).len() as u64);
    assert!(after.count() > 10 && after.decided().is_some());
}

#[test]
fn too_little_material_draws() {
    let short = |board: &str| state(&format!("{board} w - - 0 1")).decided();
    for board in [
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4KN2",
        "4kn2/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4KB2",
        "4kb2/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/B1B1K3",
        "4kb2/8/8/8/8/8/8/2B1K3",
        "4kb2/8/7b/8/5B2/8/8/B1B1K3",
    ] {
        assert_eq!(short(board).map(|o| o.reason), Some("Insufficient material"), "{board}");
    }
    for board in [
        "4k3/8/8/8/8/8/P7/4K3",
        "4k3/8/8/8/8/8/8/4K2R",
        "4k3/8/8/8/8/8/8/3QK3",
        "4k3/8/8/8/8/8/8/4KNN1",
        "4kn2/8/8/8/8/8/8/4KN2",
        "4kn2/8/8/8/8/8/8/4KB2",
        "4k3/8/8/8/8/8/8/4KBN1",
        "4k3/8/8/8/8/8/8/4KBB1",
        "4kb2/8/8/8/8/8/8/4KB2",
    ] {
        assert_eq!(short(board), None, "{board}");
    }
    assert_eq!(outcome("4k3/8/8/8/8/8/5p2/4K3 w - - 0 1", "e1f2").unwrap().rule, "FIDE 5.2.2");
}

#[test]
fn castling_moves_both_and_spends_the_right() {
    let both = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (moves, after) in [
        ("e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
        ("e1c1 e8g8", "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2"),
        ("a1b1 e8c8", "2kr3r/8/8/8/8/8/8/1R2K2R w K - 2 2"),
        ("h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1"),
        ("e1e2 h8h7", "r3k3/7r/8/8/8/8/4K3/R6R w q - 2 2"),
    ] {
        assert_eq!(game(both, moves).now().write().to_string(), after, "{moves}");
    }
}

#[test]
fn start_is_the_text_in_the_facts() {
    let start = State::start(&Rules::default());
    assert_eq!(start, state(State::GAMES[0].start));
    assert_eq!(start.write().to_string(), START);
}

#[test]
fn missing_counters_are_those_of_a_new_game() {
    for text in ["8/8/4k3/8/8/4K2P/8/8 b - -", "8/8/4k3/8/8/4K2P/8/8 b - - 0"] {
        assert_eq!(state(text).write().to_string(), "8/8/4k3/8/8/4K2P/8/8 b - - 0 1");
    }
    // A square that no legal capture can use is not kept.
    assert_eq!(
        state("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").write().to_string(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    );
    let kept = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
    assert_eq!(state(kept).write().to_string(), kept);
    // The rights are printed in one order.
    assert_eq!(state("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1").write().fields[1], "KQkq");
}

#[test]
fn counters_stop_where_reading_does() {
    let record = game("4k2r/8/8/8/8/8/8/R3K3 b - - 9999 9999", "e8e7");
    let text = record.now().write().to_string();
    assert_eq!(text, "7r/4k3/8/8/8/8/8/R3K3 w - - 9999 9999");
    assert_eq!(state(&text), *record.now());
}

#[test]
fn impossible_positions_are_refused_with_the_reason() {
    for (text, error) in [
        ("9/9/9 w - - 0 1", "board: a chess board is 8x8, this is 9x3"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "board: White has 0 kings, must have one"),
        ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "board: Black has 2 kings, must have one"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "board: a pawn cannot stand on h8"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "board: a pawn cannot stand on a1"),
        ("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "board: chess has no piece `x` (on d5)"),
        ("4k3/8/8/3+N4/8/8/8/4K3 w - - 0 1", "board: chess has no piece `+N` (on d5)"),
        ("4k3/8/8/3*4/8/8/8/4K3 w - - 0 1", "board: d5 cannot be a hole"),
        ("4k3/8/8/QQQQQQQQ/QQQQQQQQ/8/8/4K3 w - - 0 1", "board: White has 17 pieces, more than 16"),
        ("4k3/8/p7/pppppppp/8/8/8/4K3 w - - 0 1", "board: Black has 9 pawns, more than 8"),
        ("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "hand: chess has no pieces in hand"),
        ("4k3/8/8/8/8/8/8/4K3", "side to move: expected `w` or `b`, found nothing"),
        ("4k3/8/8/8/8/8/8/4K3 white - - 0 1", "side to move: expected `w` or `b`, found `white`"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "side to move: White is to move and could take the king"),
        ("8/8/8/8/8/8/4k3/4K3 b - - 0 1", "side to move: Black is to move and could take the king"),
        ("4k3/8/8/8/8/8/8/4K3 w", "castling rights: expected `-` or some of `KQkq`, found nothing"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling rights: `K` needs White's rook on h1"),
        ("r4k2/8/8/8/8/8/8/4K3 w q - 0 1", "castling rights: `q` needs Black's king on e8"),
        (
            "r3k3/8/8/8/8/8/8/4K3 w qq - 0 1",
            "castling rights: expected `-` or some of `KQkq`, each once, found `qq`",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w -", "en passant square: expected `-` or a square, found nothing"),
        ("4k3/8/8/8/8/8/8/4K3 w - j6 0 1", "en passant square: expected `-` or a square, found `j6`"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
            "en passant square: with White to move it must be on rank 6, not e3",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant square: e6 needs Black's pawn on e5"),
        (
            "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1",
            "en passant square: a pawn cannot have passed e6: e7 is occupied",
        ),
        (
            "4k3/8/8/8/4P3/4n3/8/6K1 b - e3 0 1",
            "en passant square: a pawn cannot have passed e3: e3 is occupied",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock: expected a number from 0 to 9999, found `x`"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 10000 1",
            "halfmove clock: expected a number from 0 to 9999, found `10000`",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - +5 1", "halfmove clock: expected a number from 0 to 9999, found `+5`"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number: expected a number from 1 to 9999, found `0`"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999",
            "move number: expected a number from 1 to 9999, found `99999999999`",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves", "end: nothing may follow the move number, found `moves`"),
    ] {
        assert_eq!(try_state(text).unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn the_most_moves_fit_the_list() {
    // The most moves that are known (N. Petrović, 1964).
    let petrovic = state("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_eq!(petrovic.count(), 218);
    assert_eq!(listed(&petrovic, GenType::All).len(), 218);
}

fn reason(text: &str, word: &str) -> String {
    let token: Token = word.parse().unwrap();
    read_token(&state(text), &token).unwrap_err().reason
}

#[test]
fn illegal_moves_are_explained() {
    let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (text, word, why) in [
        (START, "e5e6", "there is no piece on e5"),
        (START, "e7e5", "the Pawn on e7 is Black's"),
        (START, "a1a2", "your own Pawn stands on a2"),
        (START, "e1e1", "the King already stands on e1"),
        (START, "j1j2", "there is no square j1"),
        (START, "a1a9", "there is no square a9"),
        (START, "a2a0", "there is no square a0"),
        (START, "b1d2", "your own Pawn stands on d2"),
        (START, "b1d3", "a knight does not move like that"),
        (START, "e2e5", "a pawn does not move like that"),
        (START, "e2d2", "your own Pawn stands on d2"),
        (START, "e2d3", "there is nothing to capture on d3"),
        (START, "f1c4", "the way is blocked"),
        (START, "a1b3", "a rook does not move like that"),
        (START, "e1g1", "your own Knight stands on g1"),
        (START, "e2e4q", "there is no promotion in this move"),
        (START, "e2e4-", "a piece leaves nothing behind in chess"),
        (START, "N@e4", "nothing is put on the board in chess"),
        (START, "=4", "there is no chance in chess"),
        (START, "+6h", "there is no chance in chess"),
        (START, "0000", "nobody may pass in chess"),
        ("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "e3e4", "the way is blocked"),
        ("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e4", "the way is blocked"),
        ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5", "a pawn does not move like that"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "promotion piece missing"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", "a pawn cannot become `k`, only q, r, b or n"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8x", "a pawn cannot become `x`, only q, r, b or n"),
        ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", "your king would be in check"),
        ("4r1k1/8/8/8/8/8/8/2N1K3 w - - 0 1", "c1b3", "you are in check"),
        ("4r1k1/8/8/8/8/8/8/2N1K3 w - - 0 1", "e1e2", "your king would be in check"),
        ("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "you are in check"),
        ("5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "your king would pass through check on f1"),
        ("k5r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "your king would be in check"),
        ("4k3/8/8/8/8/8/8/Rn2K3 w Q - 0 1", "e1c1", "the way is blocked"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1", "castling to that side is no longer possible"),
        (castle, "e1g1q", "there is no promotion in this move"),
        (castle, "e1e3", "a king does not move like that"),
        ("k2r4/8/8/8/3pP3/8/8/3K4 b - e3 0 1", "d4e3n", "there is no promotion in this move"),
        ("8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1", "d4e3", "no capture in passing is possible on e3"),
        ("7k/8/8/8/3pP3/8/8/4K3 b - - 0 1", "d4e3", "no capture in passing is possible on e3"),
        ("7k/8/6KQ/8/8/8/8/8 b - - 0 1", "h8g7", "your king would be in check"),
        ("7k/7Q/6K1/8/8/8/8/8 b - - 0 1", "h8g8", "the game is over: 1-0 {White mates}"),
    ] {
        assert_eq!(reason(text, word), why, "{word} in {text}");
    }
}

/// Every token of two squares is legal or gets a reason; nothing panics.
#[test]
fn every_word_is_answered() {
    for text in [START, ENDLESS, "8/P3k3/8/8/3pP3/8/8/4K3 b - e3 0 1", "7k/8/6KQ/8/8/8/8/8 b - - 0 1"] {
        let now = state(text);
        let legal: Vec<String> = listed(&now, GenType::All).iter().map(|d| format!("{d:?}")).collect();
        for from in 0..64 {
            for to in 0..64 {
                let word = format!("{:?}", Decision::step(from, to));
                let answer = read_token(&now, &word.parse().unwrap());
                assert_eq!(answer.is_ok(), legal.contains(&word), "{word} in {text}");
            }
        }
    }
}
