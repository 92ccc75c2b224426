//! What the network sees of a position, from each side: the pieces with how many kinds of piece attack and
//! guard them, what the next roll may take, the squares around the kings, and how far each kind of piece
//! reaches, since a die that shows a kind that cannot move is lost.

use super::State;
use super::attacks::Attacks;
use crate::base::{Bits, Color};
use crate::variants::chessboard::board::Kind;
use crate::variants::chessboard::rays::KING;

/// A piece on a square, own kinds before the other side's.
const PIECE: usize = 0;
/// A piece by how many kinds of the other side attack it, none to three or more, and whether its own side guards it.
const ATTACKED: usize = PIECE + 12 * 64;
/// How many of the 216 rolls take the other king, in steps of nine, and the own king.
const THREAT: usize = ATTACKED + 12 * 8;
/// Squares around the own king, by their place as seen from it and by how many kinds of the other side attack
/// them; then those around the other king.
const RING: usize = THREAT + 2 * 25;
/// How many squares the own pieces of a kind attack that none of their side holds; then the other side's.
const REACH: usize = RING + 2 * 9 * 4;
const MOST_REACHED: usize = 20;

/// How many inputs there are.
pub(super) const INPUTS: usize = REACH + 2 * 6 * MOST_REACHED;

/// A square as `side` sees it, whose pieces begin below.
const fn seen(square: u8, side: Color) -> usize {
    (match side {
        Color::White => square,
        Color::Black => square ^ 56,
    }) as usize
}

impl State {
    /// Names the inputs that are on. `threats` has, by colour, how many of the 216 rolls take the other king.
    #[inline]
    pub(super) fn name_inputs(
        &self,
        attacks: &Attacks,
        threats: [i32; 2],
        mut input: impl FnMut(Color, usize),
    ) {
        let board = &self.board;
        for owner in Color::ALL {
            let mut both = |group: usize, size: usize, number: usize| {
                input(owner, group + number);
                input(!owner, group + size + number);
            };
            both(THREAT, 25, (threats[owner.index()] / 9) as usize);
            for (number, kind) in Kind::ALL.into_iter().enumerate() {
                let reached = (attacks.of(owner, kind) & !board.of(owner)).count_ones() as usize;
                both(REACH, 6 * MOST_REACHED, number * MOST_REACHED + reached.min(MOST_REACHED - 1));
            }
            let king = board.king(owner);
            for square in Bits(KING[usize::from(king)]) {
                let attacked = attacks.attacking_kinds(!owner, square).min(3);
                for side in Color::ALL {
                    let (here, there) = (seen(square, side), seen(king, side));
                    // Rows and files from the king, -1 to 1, as a number from 0 to 8.
                    let place = (here / 8 + 1 - there / 8) * 3 + (here % 8 + 1 - there % 8);
                    input(side, RING + (usize::from(side != owner) * 9 + place) * 4 + attacked);
                }
            }
            for square in Bits(board.of(owner)) {
                let attacked = attacks.attacking_kinds(!owner, square).min(3);
                let guarded = usize::from(attacks.attacking_kinds(owner, square) > 0);
                for side in Color::ALL {
                    let sort = board.code(square) - 1 + 6 * usize::from(side != owner);
                    input(side, PIECE + sort * 64 + seen(square, side));
                    input(side, ATTACKED + sort * 8 + attacked * 2 + guarded);
                }
            }
        }
    }
}
