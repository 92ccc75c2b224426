//! The numbers of the community's own engine: legal first moves with one, two and three dice, and how likely
//! the next roll takes a king. Only the lengths of its lists of moves stand here.

use crate::game::{Chance, ChanceOutcomes, Decisions, Game, GenType, Notation, Rules, perft};
use crate::notation::parse_position;
use crate::variants::dice_chess::{Decision, State};

fn read(text: &str) -> State {
    State::read(&parse_position(text).unwrap(), &Rules::default())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Positions with the dice that are left, and how many moves may come first; none where the turn passes.
const FIRST_MOVES: &[(&str, usize)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 P", 16),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 R", 0),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 K", 5),
    ("rnbqkbnr/pppppppp/8/8/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1 Q", 15),
    ("rnbqkbnr/ppp1pppp/8/3pP3/2B5/5Q2/PPPP1PPP/RNB1K1NR w KQkq d6 0 1 P", 13),
    ("r1bqk2r/ppp2ppp/2n1pn2/3pP3/1bP5/1P3Q1N/PB1P1PPP/RN2KB1R w KQkq d6 0 1 P", 10),
    ("5k2/3P4/2K5/8/8/8/8/8 w - - 0 1 P", 4),
    ("5k2/3P4/2K5/8/8/8/8/8 w - - 0 1 K", 7),
    ("4k3/3P4/8/2K5/8/8/8/8 w - - 0 1 P", 5),
    ("rnbqkbnr/1p1p1ppp/8/pPpPp3/P3P3/2N2Q1N/2P2PPP/1RB1KB1R w Kkq a6c6e6 0 1 P", 8),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PN", 20),
    ("r1b1k1nr/pppp1ppp/2n1pq2/8/1bB1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1 RK", 6),
    ("r1bqk1nr/ppppbppp/2n5/6B1/3Q4/5N2/PPP1PPPP/R3KBNR w KQkq - 0 1 RK", 6),
    ("3k4/5P2/2P5/8/5K2/8/8/8 w - - 0 1 PN", 1),
    ("3k4/5P2/2P5/8/5K2/8/8/8 w - - 0 1 PB", 1),
    ("3k4/5P2/2P5/8/5K2/8/8/8 w - - 0 1 PR", 1),
    ("3k4/5P2/2P5/8/5K2/8/8/8 w - - 0 1 PQ", 1),
    ("8/3k1P2/2P5/8/5K2/8/8/8 w - - 0 1 PN", 2),
    ("8/3k1P2/2P5/8/5K2/8/8/8 w - - 0 1 PB", 2),
    ("8/3k1P2/2P5/8/5K2/8/8/8 w - - 0 1 PR", 2),
    ("8/3k1P2/2P5/8/5K2/8/8/8 w - - 0 1 PQ", 2),
    ("4k3/8/8/8/8/6b1/8/4K2R w K - 0 1 RK", 15),
    ("4k3/8/8/8/1b6/8/8/R3K3 w Q - 0 1 RK", 16),
    ("4k3/8/8/2b5/8/8/8/4K2R w K - 0 1 RK", 15),
    ("4k3/8/8/6b1/8/8/8/R3K3 w Q - 0 1 RK", 16),
    ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1 RK", 25),
    ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1 RK", 25),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 RK", 26),
    ("rnbqkbnr/pppppppp/8/8/1P6/8/P1PPPPPP/RNBQKBNR w KQkq - 0 1 PR", 4),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB", 12),
    ("k2n1q2/1p2Pp2/4r3/2pP4/8/8/1PK5/8 w - c6 0 1 PPP", 17),
    ("r1bqk2r/ppppbppp/2n1pn2/1B6/3PP3/2N5/PPP2PPP/R1BQK1NR b KQkq - 0 1 brk", 10),
    ("8/4P3/5K2/8/2k5/8/1P6/8 w - - 0 1 PNB", 2),
    ("8/4P3/5K2/8/2k5/8/1P6/8 w - - 0 1 PNR", 2),
    ("8/4P3/5K2/8/2k5/8/1P6/8 w - - 0 1 PNQ", 2),
    ("8/4P3/5K2/8/2k5/8/1P6/8 w - - 0 1 PNK", 8),
    ("8/4P3/5K2/8/2k5/8/1P6/8 w - - 0 1 PPN", 3),
    ("rnq1k2r/pppbpp1p/3p2pQ/8/2BPP3/2N2N2/PPPK1PPP/1R5R b kq - 0 1 BKK", 9),
    ("8/P7/8/8/8/8/8/k6K w - - 0 1 PPP", 4),
];

/// Positions with the side to roll, and with how many of the 216 rolls it takes the king.
const KING_TAKEN: &[(&str, u32)] = &[
    ("4k3/8/8/8/8/8/8/4K3 b - -", 0), // kings at a distance
    ("rnbqkbnr/pppppBpp/8/8/4P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 91), // at least one bishop
    ("rnb1qbnr/pppppkpp/8/6N1/8/4PQ2/PPPP1PPP/RNB1K2R w KQ - 0 1", 152), // at least one of two pieces
    ("rnbq1bnr/ppppkppp/8/4p3/1P6/B7/P1PPPPPP/R3KBNR w KQ - 0 1", 30), // two pieces (different)
    ("rnbqkbnr/pppppppp/8/8/2B1P3/8/PPPP1PPP/RNB1K1NR w KQ - 0 1", 16), // two identical pieces (doubles)
    ("rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR w KQ - 0 1", 1), // three identical pieces (triplets)
    ("rnbq1bnr/ppppkppp/4p3/3N4/3P3B/Q7/PPP1PPPP/R3KBNR w KQ - 0 1", 189), // one of three pieces
    ("rnbq1bnr/ppppkppp/8/3N2B1/P2P4/Q3R3/1PP1PPPP/4KBNR w K - 0 1", 208), // one of four pieces
    ("4R3/8/8/Q3k3/3P4/5N2/7B/6K1 w - - 0 1", 215), // one of five pieces
    ("rnbq1bnr/pppppkpp/8/3N4/2P5/1B1P2P1/PP2PP1P/R1B1K2R w KQ - 0 1", 6), // three different pieces
    ("rnbq1bnr/pppppkpp/8/8/8/2P5/PP1PPPPP/R1B1KB1R w KQ - 0 1", 3), // two identical pieces + one different piece
    ("rnbqkbnr/pppppppp/8/1B6/4P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 32), // queen and Bishop threatening the King
    ("rnbqkbnr/pppppBpp/8/8/4P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 1", 92),     // a bishop and the three queens
    ("rnbq1bnr/ppppkppp/8/4p3/1P6/B7/P1PPPPPP/RN1QKBNR w KQ - 0 1", 31),    // two pieces or queens
];

/// Single dice, after which the other side has the same one: plies and move counts.
const ONE_DIE: &[(&str, [&str; 2], u64)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ["P", ""], 16),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ["N", ""], 4),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ["N", "n"], 16),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", ["P", ""], 8),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", ["N", ""], 11),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", ["B", ""], 11),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", ["R", ""], 5),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", ["Q", ""], 9),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", ["P", "p"], 63),
];

fn decisions(state: &State) -> Decisions<Decision> {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    list
}

#[test]
fn as_many_moves_come_first_as_elsewhere() {
    for &(text, count) in FIRST_MOVES {
        let state = read(text);
        let found = decisions(&state).iter().filter(|&&step| step != Decision::PASS).count();
        assert_eq!(found, count, "{text}");
    }
}

#[test]
fn the_king_is_taken_as_often_as_elsewhere() {
    for &(text, rolls) in KING_TAKEN {
        let mut outcomes = ChanceOutcomes::new();
        let state = read(text);
        state.outcomes(&mut outcomes);
        let takes = |roll| {
            let after = state.after(roll);
            !after.must_pass() && after.takes_king_within(3)
        };
        let found: u32 = outcomes.into_iter().filter(|(roll, _)| takes(*roll)).map(|(_, ways)| ways).sum();
        assert_eq!(found, rolls, "{text}");
    }
}

#[test]
fn single_dice_are_counted_as_elsewhere() {
    for &(text, [first, second], count) in ONE_DIE {
        let state = read(&format!("{text} {first}"));
        let found: u64 = match second {
            "" => perft::turns(&state, 1),
            dice => {
                let after = |&step| read(&format!("{} {dice}", state.after(step).write()));
                decisions(&state).iter().map(after).map(|after| perft::turns(&after, 1)).sum()
            }
        };
        assert_eq!(found, count, "{text} {first} {second}");
    }
    // Bishops, rooks, queen and king cannot move at first. (The source counts 4 moves of the king in the
    // second position: its count does not ask for the rook's die. With both dice there are the 2 steps, 2
    // castlings and 5 moves of rooks.)
    for dice in ["B", "R", "Q", "K"] {
        assert!(read(&format!("{} {dice}", ONE_DIE[0].0)).must_pass());
    }
    assert_eq!(perft::turns(&read(&format!("{} K", ONE_DIE[3].0)), 1), 2);
    assert_eq!(decisions(&read(&format!("{} KR", ONE_DIE[3].0))).len(), 9);
}
