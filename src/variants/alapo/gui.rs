//! How XBoard shows the game, and the gesture for a demotion.

use super::state::Alapo;
use crate::base::Color;
use crate::game::gui::{
    Gesture, GuiBoard, Origin, Prompt, Signal, XboardView, all_decisions, as_at_start, moves_and_drops,
};
use crate::game::{Deed, DeedKind, Notation};
use crate::notation::{Coordinate, Position};
use crate::variants::chessboard::{Move, coordinate};

/// How XBoard shows the game. The letters are ours. They stand in slots from Sword on, which have no moves of
/// their own, so that XBoard writes every suffix into its game records. The King slot is never used: it
/// brings castling and adjudication. With XBoard's own pictures, each large piece looks like a taller version
/// of its small one:
///
/// | piece | slot | picture | | piece | slot | picture |
/// |---|---|---|---|---|---|---|
/// | R | PDragon | roofed rook | | W | PRook | rook |
/// | B | PBishop | bishop | | F | PCardinal | low bishop |
/// | Q | Mother | queen | | K | Monarch | king |
/// | L | Amazon | lance head | | S | Sword | sword |
pub(super) static VIEW: XboardView = XboardView {
    setup: Some(concat!(
        "(......................S......L................BW..KQ.....FR.",
        "......................s......l................bw..kq.....fr.) 8x8+0_fairy",
    )),
    removes: true,
    pieces: &["R& R", "B& B", "Q& Q", "L& BfR", "W& W", "F& F", "K& K", "S& FfW"],
    ..XboardView::KNOWN
};

const DEMOTION: Signal = Signal::new("demotion", DeedKind::Change);

impl<const WITH_DEMOTION: bool> GuiBoard for Alapo<WITH_DEMOTION> {
    fn shown(&self) -> Position {
        self.size.on_8x8(self.write())
    }

    fn read_shown(&self, shown: &Position) -> Option<Position> {
        let position = as_at_start(self.facts(), shown)?;
        Some(Position { placement: self.size.cut_out(&position.placement), ..position })
    }

    /// A large piece is demoted by putting it on the other of the two home rows. If it may also move there,
    /// the gesture carries a letter that tells the two apart.
    fn gestures(&self, _: &[Coordinate]) -> Vec<Gesture> {
        let mut found = moves_and_drops(self);
        for decision in self.demotions() {
            let at = coordinate(decision.from());
            let (_, rows) = self.size.files_and_rows();
            let both = if self.turn == Color::White { 1 + 2 } else { 2 * rows - 1 };
            let to = Coordinate::new(at.file, both - at.rank);
            let from = Origin::Square(at);
            let goes = found.iter().any(|gesture| gesture.from == from && gesture.to == to);
            let small = self.small_letter(decision);
            let signal = Gesture::signal(from, to, DEMOTION, vec![decision.into()]);
            found.push(Gesture { letter: goes.then_some(small), ..signal });
        }
        found
    }

    fn prompt(&self, _: &[Coordinate]) -> Option<Prompt> {
        self.demotions().next().map(|_| {
            Prompt::guide(
                "Move a piece, or make a large piece on your two home rows small.",
                "Move a piece, or click a large piece and then a white square to make it small",
            )
        })
    }

    fn deed(&self, decision: Move, _: &Self, shown: [&Position; 2]) -> Deed {
        let deed = Deed::of_legs(self.facts(), &self.legs(decision), shown);
        // A demotion is written like a drop.
        if deed.kind == DeedKind::Drop { Deed { kind: DeedKind::Change, ..deed } } else { deed }
    }
}

impl<const WITH_DEMOTION: bool> Alapo<WITH_DEMOTION> {
    fn demotions(&self) -> impl Iterator<Item = Move> + use<WITH_DEMOTION> {
        all_decisions(self).into_iter().filter(|decision| decision.from() == decision.to())
    }
}
