//! Explains in text why a move is not legal.

use super::board::Kind;
use super::{State, rays};
use crate::base::{Color, lines};
use crate::game::explain::{NOT_LEGAL, own_piece};
use crate::notation::{Coordinate, Leg, Suffix};
use crate::variants::chessboard::{coordinate, square};

impl State {
    /// Says why no legal move begins with `legs`.
    pub(super) fn why_not(&self, legs: &[Leg]) -> String {
        match legs.first() {
            Some(&Leg::Move { from, to, suffix }) => self.why_not_move(from, to, suffix),
            Some(Leg::Put { .. }) => "nothing is put on the board in chess".to_owned(),
            Some(Leg::Roll(_) | Leg::Play(_) | Leg::Draw(_)) => "there is no chance in chess".to_owned(),
            Some(Leg::Pass) => "nobody may pass in chess".to_owned(),
            None => "a move is missing".to_owned(),
        }
    }

    fn why_not_move(&self, from: Coordinate, to: Coordinate, suffix: Option<Suffix>) -> String {
        let (Some(start), Some(goal)) = (square(from), square(to)) else { return NOT_LEGAL.to_owned() };
        let Some((color, kind)) = self.board.piece(start) else { return NOT_LEGAL.to_owned() };
        if self.castles_by(start, goal).is_some() {
            return self.why_no_chess960_castling(start, goal);
        }
        if self.board.of(color) >> goal & 1 == 1 {
            return own_piece(self, to);
        }
        let obstacle = match kind {
            Kind::Pawn => self.why_no_pawn_move(start, goal),
            Kind::King if self.is_castling_try(start, goal) => self.why_no_castling(start, goal),
            _ => self.why_no_piece_move(kind, start, goal),
        };
        if let Some(reason) = obstacle {
            return reason;
        }
        let last_rank = if color == Color::White { 8 } else { 1 };
        let promotes = kind == Kind::Pawn && to.rank == last_rank;
        match suffix {
            Some(Suffix::Leave) => return "a piece leaves nothing behind in chess".to_owned(),
            Some(Suffix::Letter(_)) if !promotes => return "there is no promotion in this move".to_owned(),
            Some(Suffix::Letter(letter)) => {
                let wanted = Kind::with_letter(letter);
                if !wanted.is_some_and(|kind| Kind::PROMOTIONS.contains(&kind)) {
                    return format!("a pawn cannot become `{}`, only q, r, b or n", char::from(letter));
                }
            }
            None if promotes => return "promotion piece missing".to_owned(),
            None => {}
        }
        if self.is_check() && kind != Kind::King {
            "you are in check".to_owned()
        } else {
            "your king would be in check".to_owned()
        }
    }

    fn why_no_pawn_move(&self, from: u8, to: u8) -> Option<String> {
        let white = self.turn == Color::White;
        let forward: i16 = if white { 8 } else { -8 };
        let step = i16::from(to) - i16::from(from);
        let at_home = from / 8 == if white { 1 } else { 6 };
        let occupied = self.board.occupied();
        if step == forward || step == 2 * forward && at_home {
            let crossed = (from + to) / 2;
            let on_the_way = 1_u64 << to | if step == forward { 0 } else { 1 << crossed };
            return (occupied & on_the_way != 0).then(|| "the way is blocked".to_owned());
        }
        if rays::PAWN[self.turn.index()][usize::from(from)] >> to & 1 == 0 {
            return Some("a pawn does not move like that".to_owned());
        }
        if occupied >> to & 1 == 1 || self.en_passant() == Some(to) {
            return None;
        }
        // The state keeps a double step only if an en passant capture is legal. The message holds in either
        // case.
        let neighbour = self.board.piece(to ^ 8);
        let what = if neighbour == Some((!self.turn, Kind::Pawn)) && from / 8 == (to ^ 8) / 8 {
            "no capture in passing is possible on"
        } else {
            "there is nothing to capture on"
        };
        Some(format!("{what} {}", coordinate(to)))
    }

    fn why_no_piece_move(&self, kind: Kind, from: u8, to: u8) -> Option<String> {
        let reach = |occupied: u64| match kind {
            Kind::Knight => rays::KNIGHT[usize::from(from)],
            Kind::Bishop => lines::along_diagonals(from, occupied),
            Kind::Rook => lines::orthogonal(from, occupied),
            Kind::Queen => lines::along_diagonals(from, occupied) | lines::orthogonal(from, occupied),
            Kind::King | Kind::Pawn => rays::KING[usize::from(from)],
        };
        if reach(0) >> to & 1 == 0 {
            Some(format!("a {} does not move like that", kind.name()))
        } else if reach(self.board.occupied()) >> to & 1 == 0 {
            Some("the way is blocked".to_owned())
        } else {
            None
        }
    }

    /// True for a move two squares sideways from the king's home square.
    fn is_castling_try(&self, from: u8, to: u8) -> bool {
        let home = if self.turn == Color::White { 4 } else { 60 };
        from == home && (to == home + 2 || to == home - 2)
    }

    fn why_no_chess960_castling(&self, king: u8, rook: u8) -> String {
        let rights = (0..4).filter(|right| self.rights >> right & 1 == 1);
        let held =
            rights.into_iter().any(|right| self.castling.rook(right) == rook && king & 56 == rook & 56);
        if !held {
            "castling with that rook is no longer possible".to_owned()
        } else if self.is_check() {
            "you are in check".to_owned()
        } else {
            "somebody stands in the way, or your king would pass through check".to_owned()
        }
    }

    fn why_no_castling(&self, from: u8, to: u8) -> Option<String> {
        let short = to > from;
        let right = usize::from(!short) + 2 * self.turn.index();
        let between = if short { 0b0110_0000 } else { 0b0000_1110_u64 } << (from & 56);
        let crossed = (from + to) / 2;
        let attacked =
            |square: u8| self.attackers(square, self.board.occupied()) & self.board.of(!self.turn) != 0;
        if self.rights >> right & 1 == 0 {
            Some("castling to that side is no longer possible".to_owned())
        } else if between & self.board.occupied() != 0 {
            Some("the way is blocked".to_owned())
        } else if self.is_check() {
            Some("you are in check".to_owned())
        } else if attacked(crossed) {
            Some(format!("your king would pass through check on {}", coordinate(crossed)))
        } else {
            None
        }
    }
}
