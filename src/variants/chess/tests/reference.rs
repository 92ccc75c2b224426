//! The fast move generator of chess against a slow one written from the rules a second time.
mod slow;

use crate::base::Rng;
use crate::game::{Decisions, Game, GenType, Notation, Rules, playout};
use crate::variants::chess::State;
use std::collections::BTreeMap;

fn read(text: &str) -> Option<State> {
    State::read(&text.parse().unwrap(), &Rules::default()).ok()
}

/// The moves of both generators from the same text, each with the position it leads to.
fn compare(state: &State) {
    let text = state.write().to_string();
    let slow = slow::Position::read(&text);
    let legal = slow.legal();
    let expected: BTreeMap<String, String> = legal.iter().map(|m| (m.text(), slow.play(m).text())).collect();
    assert_eq!(expected.len(), legal.len());

    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    let found: BTreeMap<String, String> = list
        .iter()
        .map(|&decision| {
            let mut after = *state;
            after.apply(decision);
            let [leg] = state.legs(decision)[..] else { panic!("{decision:?} is not one leg") };
            (leg.to_string(), after.write().to_string())
        })
        .collect();
    assert_eq!(found, expected, "{text}");
    assert_eq!(state.count(), expected.len() as u64, "{text}");
    assert_eq!(state.is_check(), slow.is_check(), "{text}");
    if expected.is_empty() {
        let rule = match state.decided() {
            _ if slow.is_check() => "FIDE 5.1.1",
            Some(counted) => counted.rule,
            None => "FIDE 5.2.1",
        };
        assert_eq!(state.outcome().unwrap().rule, rule, "{text}");
    }
}

#[test]
fn in_random_games() {
    let mut rng = Rng::new(77);
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    ];
    for round in 0..20 {
        let start = read(starts[round % starts.len()]).unwrap();
        playout(start, &mut rng, 120, |record, _| {
            // Every third one: neighbours in a game have much in common.
            if record.len() % 3 == 0 {
                compare(record.now());
            }
        });
    }
}

/// Pieces thrown on the board: more pins, checks and en passant captures than games show.
#[test]
fn in_random_positions() {
    let mut rng = Rng::new(78);
    let mut compared = 0;
    let mut in_passing = 0;
    let mut checks = 0;
    while compared < 1500 {
        let mut board = [[' '; 8]; 8];
        let pieces = (0..rng.below(9)).map(|_| char::from(*rng.pick(b"QRBNPqrbnp").unwrap()));
        let pieces: Vec<char> = "KkPPPppp".chars().chain(pieces).collect();
        for piece in pieces {
            let rank = if piece.eq_ignore_ascii_case(&'p') { 1 + rng.below(6) } else { rng.below(8) };
            let file = rng.below(8);
            if board[rank][file] == ' ' {
                board[rank][file] = piece;
            }
        }
        let side = *rng.pick(&['w', 'b']).unwrap();
        // A pawn of the other side that may just have gone two squares.
        let (from, over, at, pawn) = if side == 'w' { (6, 5, 4, 'p') } else { (1, 2, 3, 'P') };
        let passed = (0..8)
            .find(|&file| board[from][file] == ' ' && board[over][file] == ' ' && board[at][file] == pawn);
        let square = passed.map_or("-".to_owned(), |file| {
            format!("{}{}", (b'a' + file as u8) as char, if side == 'w' { 6 } else { 3 })
        });
        // Not every throw is a position: kings may have fallen on each other.
        let Some(state) = read(&format!("{} {side} - {square} 0 1", slow::diagram(&board))) else { continue };
        compare(&state);
        compared += 1;
        in_passing += usize::from(state.en_passant().is_some());
        checks += usize::from(state.is_check());
    }
    assert!(in_passing > 20 && checks > 100, "{in_passing} captures in passing, {checks} checks");
}

/// The slow one is held to published counts too.
#[test]
fn the_reference_counts_as_published() {
    fn count(position: &slow::Position, depth: u32) -> usize {
        let legal = position.legal();
        if depth == 1 { legal.len() } else { legal.iter().map(|m| count(&position.play(m), depth - 1)).sum() }
    }
    for (text, depth, expected) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, 400),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2039),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2812),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 2, 264),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2, 1486),
    ] {
        assert_eq!(count(&slow::Position::read(text), depth), expected, "{text}");
    }
}
