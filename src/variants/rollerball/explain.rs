//! Explains why a move is not legal.

use super::lines::{KING, PAWN};
use super::square::{PROMOTION, Set, Square};
use super::state::{Kind, State};
use crate::base::Bits;
use crate::game::explain::{NOT_LEGAL, own_piece};
use crate::notation::{Leg, Suffix};

impl State {
    /// The first reason found, worded for a player, why `leg` is not legal here.
    pub(super) fn why_not(&self, leg: &Leg) -> String {
        let (from, to, suffix) = match *leg {
            Leg::Move { from, to, suffix } => (from, to, suffix),
            Leg::Put { .. } => return "nothing is put on the board in this game".into(),
            Leg::Pass => return "a player has to move".into(),
            Leg::Roll(_) | Leg::Play(_) | Leg::Draw(_) => return "chance plays no part in this game".into(),
        };
        let (Some(start), Some(end)) = (Square::named(from), Square::named(to)) else {
            return NOT_LEGAL.into();
        };
        let Some((color, kind)) = self.piece_on(start) else { return NOT_LEGAL.into() };
        if self.piece_on(end).is_some_and(|(owner, _)| owner == color) {
            return own_piece(self, to);
        }
        let (from, to) = (start, end);
        if let Some(reason) = self.out_of_reach(kind, from, to) {
            return reason;
        }
        let promotes = kind == Kind::Pawn && PROMOTION[color.index()] & to.bit() != 0;
        match (promotes, suffix) {
            (true, Some(Suffix::Letter(b'r' | b'b'))) | (false, None) => {}
            (true, _) => return "promotion needs r or b".into(),
            (false, Some(_)) => return "nothing promotes there".into(),
        }
        if self.king_attacked(color) {
            "your king would still be in check".into()
        } else {
            "your king would be in check".into()
        }
    }

    /// Says why a piece of this kind does not get from one square to the other, apart from checks.
    fn out_of_reach(&self, kind: Kind, from: Square, to: Square) -> Option<String> {
        let lines = self.lines();
        let (sources, path, name) = match kind {
            Kind::King if KING[from.index()] & to.bit() != 0 => return None,
            Kind::King => return Some("a king goes one step".into()),
            Kind::Pawn if PAWN[from.index()] & to.bit() != 0 => return None,
            Kind::Pawn => return Some("a pawn goes one step forward, straight or diagonally".into()),
            Kind::Rook => (&lines.rooks_to, &lines.rook_path, "rook"),
            Kind::Bishop => (&lines.bishops_to, &lines.bishop_path, "bishop"),
        };
        let joined = |target: Square| sources[target.index()] & from.bit() != 0;
        let occupied = self.pieces[0] | self.pieces[1];
        let free = |target: Square| path[target.index()][from.index()] & occupied == 0;
        if joined(to) {
            let between: Set = path[to.index()][from.index()];
            let blocker = Bits(between & occupied).map(Square::new).find(|&square| free(square))?;
            return Some(format!("{blocker} is in the way"));
        }
        // The target may lie further on in a direction in which this piece moves only one step.
        let ((file, rank), (to_file, to_rank)) = (from.place(), to.place());
        let (over, up) = ((to_file - file).signum(), (to_rank - rank).signum());
        let straight = file == to_file || rank == to_rank;
        let diagonal = (to_file - file).abs() == (to_rank - rank).abs();
        let own_way = if kind == Kind::Rook { straight } else { diagonal };
        let first = (file + over, rank + up);
        if own_way && super::square::exists(first) && joined(Square::at(first)) {
            let sideways =
                kind == Kind::Rook && super::square::outer(from.place()) != super::square::outer(first);
            let way = if sideways { "sideways" } else { "backward" };
            let hole = || {
                (1..7)
                    .map(|n| (file + n * over, rank + n * up))
                    .take_while(|&place| place != to.place())
                    .any(|place| !super::square::exists(place))
            };
            return Some(if hole() {
                "nothing goes over the hole".into()
            } else if sideways {
                format!("this rook goes one step {way} only")
            } else {
                format!("a {name} goes one step {way} only")
            });
        }
        Some(format!("a {name} on {from} does not reach {to}"))
    }
}
