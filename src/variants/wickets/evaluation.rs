//! A simple, cheap judgement: material, a little for good squares, who has the ball, whose wicket is in
//! danger.

use super::board::{Board, Kind};
use super::cells::{
    BETWEEN, KING_STEPS, KNIGHT_JUMPS, NOWHERE, bit, file, is_wicket, rank, slanted, straight, wicket,
};
use super::decision::{Choice, Said};
use super::state::{Phase, State};
use crate::base::{Bits, Color};
use crate::game::network::{Network, embedded};
use crate::game::see::exchange_brings;
use crate::game::{Evaluation, Game, Selectivity};
use crate::variants::chessboard::mop_up;

/// Centipawns by kind; the king has no price.
const WORTH: [i32; 6] = [100, 320, 330, 500, 900, 0];
/// A carried ball can be thrown at once.
const CARRIED: i32 = 40;
/// A ball that can never be used again.
const DEAD: i32 = -180;
/// A Defender who sees makes the wicket dear.
const SEEN: i32 = 60;
/// A Defender who stands in its wicket keeps every ball out.
const INSIDE: i32 = 40;
/// The king as Defender may lose the game by one throw.
const KING_DEFENDS: i32 = -120;
/// A ball in the hands of a piece with a free line to the wicket, by halves when the wicket is seen.
const AIMED: i32 = 50;

const ORIGINS: usize = 6;
const CELLS_AND_REST: usize = 67;

impl Evaluation for State {
    const HISTORY_SIZE: usize = 2 * ORIGINS * CELLS_AND_REST + 2 * 4 * CELLS_AND_REST;

    const SELECTIVITY: Selectivity = Selectivity {
        aspiration: 15,
        aspiration_growth: 150,
        correction_history: true,
        ..Selectivity::STANDARD
    };
    const INPUTS: usize = 2 * 6 * 68 + 4 * 68 + 8;
    const BUCKETS: usize = 3;

    fn network() -> Option<&'static Network> {
        embedded!(State, "network.bin")
    }

    fn inputs(&self, mut input: impl FnMut(Color, usize)) {
        let board = &self.board;
        for side in [Color::White, Color::Black] {
            let black = u8::from(side == Color::Black);
            let seen = |cell: u8| {
                usize::from(match cell {
                    0..=63 => cell ^ (56 * black),
                    64 | 65 => cell ^ black,
                    _ => cell,
                })
            };
            for (theirs, color) in [side, side.other()].into_iter().enumerate() {
                for kind in Kind::ALL {
                    for cell in Bits(board.pieces_of(color, kind)) {
                        input(side, (theirs * 6 + kind as usize) * 68 + seen(cell));
                    }
                }
                for inside in [64, 65] {
                    if let Some(piece) = board.piece_at(inside).filter(|piece| piece.side == color) {
                        input(side, (theirs * 6 + piece.kind as usize) * 68 + seen(inside));
                    }
                }
                input(side, (12 + theirs) * 68 + seen(board.ball(color)));
                input(side, (14 + theirs) * 68 + seen(board.defender(color)));
            }
            input(side, 16 * 68 + self.mode as usize);
        }
    }

    /// By what has to be decided.
    fn bucket(&self) -> usize {
        match self.turn.phase {
            Phase::Move => 0,
            Phase::Throw | Phase::Place => 1,
            _ => 2,
        }
    }

    fn perspective(&self) -> Color {
        self.actor().player().unwrap_or(self.board.side())
    }

    fn classical_eval(&self) -> i32 {
        let value = |side| side_value(&self.board, side) + lone_king(&self.board, side);
        value(Color::White) - value(Color::Black)
    }

    fn mvv_lva(&self, decision: Choice) -> i32 {
        let (us, them) = self.sides();
        let board = &self.board;
        match decision.said() {
            Said::Move { from, to, promotion } => {
                let moved = board.piece_at(from).map_or(0, |piece| WORTH[piece.kind as usize]);
                let victim_at = if to == board.en_passant() { to ^ 8 } else { to };
                let victim = board.piece_at(victim_at).filter(|piece| piece.side == them);
                let mut gain = victim.map_or(0, |piece| WORTH[piece.kind as usize] - moved / 16);
                if victim.is_some() && board.ball_carrier(them) == victim_at {
                    gain += CARRIED;
                }
                if board.loose(us) == to {
                    gain += CARRIED;
                }
                gain + promotion.map_or(0, |kind| WORTH[kind as usize] - WORTH[0])
            }
            Said::Throw(cell) if cell == wicket(them) && !board.is_piece(us, cell) => {
                if self.seen() {
                    self.prize() / 2
                } else {
                    self.prize()
                }
            }
            Said::Sacrifice(set) => {
                let price: i32 =
                    set.iter().filter_map(|&cell| board.piece_at(cell)).map(|p| WORTH[p.kind as usize]).sum();
                (self.prize() - price).max(0)
            }
            _ => 0,
        }
    }

    /// Of moves of pieces without promotion; a ball that changes hands is not counted.
    fn see_ge(&self, decision: Choice, threshold: i32) -> bool {
        let board = &self.board;
        let Said::Move { from, to, promotion: None } = decision.said() else { return true };
        if is_wicket(to) || is_wicket(from) || to == board.en_passant() {
            return true;
        }
        let worth = |cell| board.piece_at(cell).map_or(0, |piece| WORTH[piece.kind as usize]);
        let mut occupied = board.occupied() & !bit(from) | bit(to);
        exchange_brings((worth(to), worth(from)), threshold, board.side(), |side| {
            let attackers = |side| board.attackers(to, side, occupied) & occupied & !bit(to);
            let ours = attackers(side);
            let mut takers = Kind::ALL.into_iter().map(|kind| (kind, ours & board.pieces_of(side, kind)));
            let (kind, taker) = takers.find(|(_, taker)| *taker != 0)?;
            // The king takes only what is not guarded.
            if kind == Kind::King && attackers(side.other()) != 0 {
                return None;
            }
            occupied &= !(taker & taker.wrapping_neg());
            Some(WORTH[kind as usize])
        })
    }

    fn in_check(&self) -> bool {
        let mover_decides = matches!(self.turn.phase, Phase::Move | Phase::Place | Phase::Throw);
        mover_decides && !self.board.is_safe(self.board.side())
    }

    /// Denied where the piece neither leaves nor reaches a line to the king or a square a knight's move from
    /// it.
    fn gives_check(&self) -> impl Fn(Choice) -> Option<bool> {
        let board = &self.board;
        let (us, king) = (board.side(), board.king(board.side().other()));
        let near = KNIGHT_JUMPS[usize::from(king)]
            | KING_STEPS[usize::from(king)]
            | straight(king, 0)
            | slanted(king, 0);
        let away = move |cell| is_wicket(cell) || near & bit(cell) == 0;
        move |decision| {
            let Said::Move { from, to, .. } = decision.said() else { return None };
            let special = from == board.king(us) || to == board.en_passant();
            (!special && away(from) && away(to)).then_some(false)
        }
    }

    fn null_move(&self) -> Option<Self> {
        let board = &self.board;
        let us = board.side();
        let pieces = board.pieces(us) & !board.pieces_of(us, Kind::Pawn) & !board.pieces_of(us, Kind::King);
        (self.turn.phase == Phase::Move && pieces != 0).then(|| {
            let mut passed = *self;
            passed.board.set_en_passant(NOWHERE);
            passed.end_turn();
            passed
        })
    }

    fn correction_keys(&self) -> [u64; 3] {
        self.board.correction_keys()
    }

    fn history_index(&self, decision: Choice) -> usize {
        let (us, _) = self.sides();
        let moves = 2 * ORIGINS * CELLS_AND_REST;
        let later =
            |row: usize, cell: u8| moves + (us.index() * 4 + row) * CELLS_AND_REST + usize::from(cell);
        match decision.said() {
            Said::Move { from, to, .. } => {
                let kind = self.board.piece_at(from).map_or(0, |piece| piece.kind as usize);
                (us.index() * ORIGINS + kind) * CELLS_AND_REST + usize::from(to)
            }
            Said::Place(cell) => later(0, cell),
            Said::Call(cell) => later(1, cell),
            Said::Throw(cell) => later(2, cell),
            Said::Sacrifice([first, ..]) => later(3, first),
            Said::Play(number) | Said::Draw(Some(number)) => later(0, number),
            Said::Decline | Said::Roll(_) | Said::Draw(None) => later(3, NOWHERE),
        }
    }
}

impl State {
    /// What lifting off the other side's Defender is worth.
    fn prize(&self) -> i32 {
        if self.ends_with_defender() {
            return 10_000;
        }
        let (_, them) = self.sides();
        self.board.piece_at(self.board.defender(them)).map_or(0, |piece| WORTH[piece.kind as usize])
    }
}

fn side_value(board: &Board, us: Color) -> i32 {
    let mut value = 0;
    for kind in Kind::ALL {
        let pieces = board.pieces_of(us, kind);
        value += WORTH[kind as usize] * pieces.count_ones() as i32;
        value += Bits(pieces).map(|cell| placing(kind, cell, us)).sum::<i32>();
    }
    for inside in [64, 65] {
        value += board.piece_at(inside).filter(|p| p.side == us).map_or(0, |p| WORTH[p.kind as usize] - 10);
    }
    value + ball_value(board, us) + wicket_value(board, us)
}

/// What drives a lone king of the other side to the edge, where a rook, a queen or two pieces mate it.
fn lone_king(board: &Board, us: Color) -> i32 {
    let (lone, hunter) = (board.king(us.other()), board.king(us));
    if board.pieces(us.other()) != bit(lone) || is_wicket(lone) || is_wicket(hunter) {
        return 0;
    }
    let major = board.pieces_of(us, Kind::Queen) | board.pieces_of(us, Kind::Rook);
    let minor = board.pieces_of(us, Kind::Bishop) | board.pieces_of(us, Kind::Knight);
    if major != 0 || minor.count_ones() >= 2 { mop_up(lone, hunter) } else { 0 }
}

/// A few centipawns for pieces towards the middle and pawns on their way; a king stays home while queens are
/// about.
fn placing(kind: Kind, cell: u8, us: Color) -> i32 {
    let file = i32::from(file(cell));
    let rank = if us == Color::White { i32::from(rank(cell)) } else { 9 - i32::from(rank(cell)) };
    let off_centre = (2 * file - 7).abs().max((2 * rank - 9).abs());
    match kind {
        Kind::Pawn => [0, 0, 0, 4, 10, 20, 35, 60, 0][rank as usize] + if off_centre == 1 { 8 } else { 0 },
        Kind::Knight | Kind::Bishop => 14 - 4 * off_centre + if rank == 1 { -6 } else { 0 },
        Kind::Rook if rank == 7 => 15,
        Kind::Rook => 0,
        Kind::Queen => 4 - off_centre,
        Kind::King if rank == 1 => 10,
        Kind::King => -4 * (8 - off_centre),
    }
}

fn ball_value(board: &Board, us: Color) -> i32 {
    let them = us.other();
    let at = board.ball(us);
    if at == NOWHERE {
        return 0;
    }
    let carrier = board.ball_carrier(us);
    if carrier == NOWHERE {
        return if at == wicket(us) { DEAD } else { 0 };
    }
    // The nearer the other wicket, the sooner it is attempted.
    let goal = wicket(them);
    let mut value = CARRIED;
    if !is_wicket(carrier) {
        let line = BETWEEN[usize::from(carrier)][usize::from(goal)] & board.occupied() == 0;
        let aligned = board.reaches_wicket(Kind::Queen, carrier, goal);
        if line && aligned && board.is_vacant(goal) {
            value += if board.is_seen(them) { AIMED / 2 } else { AIMED };
        }
    }
    value
}

fn wicket_value(board: &Board, us: Color) -> i32 {
    let defender = board.defender(us);
    if defender == NOWHERE {
        return 0;
    }
    let goal = wicket(us);
    if board.ball(us) == goal {
        // A dead ball seals it.
        return SEEN;
    }
    let mut value = 0;
    if defender == board.king(us) {
        value += KING_DEFENDS;
    }
    if defender == goal {
        value += INSIDE + SEEN;
    } else if board.is_seen(us) {
        value += SEEN;
    }
    value
}
