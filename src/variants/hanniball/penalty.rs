//! The red card: when a player may send an enemy piece off (R32 to R36).

use super::board::{Board, Kind};
use super::field::{ALL, BESIDE, HOME, NEIGHBOURS, Squares, bit, look};
use super::movegen::open_leaps;
use crate::base::{Bits, Color};

/// True when `player`, at the start of a turn, may send one enemy piece off in it.
pub(super) fn is_due(board: &Board, player: Color) -> bool {
    is_cluster(board, player) || is_blocked(board, player)
}

/// R32(b), R35: enemy pieces and the Ball cover four squares or more, joined along ranks and files.
fn is_cluster(board: &Board, player: Color) -> bool {
    if board.controls(player) {
        return false;
    }
    let enemies = board.pieces(!player);
    let mut cluster = bit(board.ball());
    loop {
        let grown = Bits(cluster).fold(cluster, |set, square| set | look(&BESIDE, square) & enemies);
        if grown.count_ones() >= 4 {
            return true;
        }
        if grown == cluster {
            return false;
        }
        cluster = grown;
    }
}

/// R32(a), R36: no piece of `player` gets to the Ball in any number of moves. Enemies and Ball stand still,
/// and the player's own pieces are never in the way.
fn is_blocked(board: &Board, player: Color) -> bool {
    let monkey = board.of_kind(player, Kind::Monkey);
    if board.pieces(player) == monkey {
        return false;
    }
    let enemies = board.pieces(!player);
    let open = ALL & !enemies | bit(board.ball());
    !Kind::ALL.into_iter().any(|kind| {
        let open = if kind == Kind::Monkey { open & HOME[player.index()] } else { open };
        reaches_ball(board.of_kind(player, kind), kind, open, enemies, bit(board.ball()))
    })
}

/// True when a piece of one kind, moving alone, gets from one of `from` to `ball` over `open` squares.
fn reaches_ball(from: Squares, kind: Kind, open: Squares, enemies: Squares, ball: Squares) -> bool {
    let (mut reached, mut fresh) = (from, from);
    while fresh != 0 && reached & ball == 0 {
        let mut next = 0;
        for square in Bits(fresh) {
            if kind != Kind::Horse {
                next |= look(&NEIGHBOURS, square);
            }
            if kind != Kind::Elephant {
                next |= open_leaps(square, enemies);
            }
        }
        fresh = next & open & !reached;
        reached |= fresh;
    }
    reached & ball != 0
}
