//! Positions and moves in text (sections 7 and 8 of the rules).

use super::board::{Board, bit, two_nearest_rows};
use super::kind::Kind;
use super::state::Alapo;
use super::{FACTS, FACTS_DEMOTION, setup};
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Leg, Legs, Position, mirror_ranks};
use crate::variants::chessboard::{Move, coordinate, square};

impl<const DEMOTION: bool> Notation for Alapo<DEMOTION> {
    const GAMES: &'static [&'static Facts] = if DEMOTION { &[&FACTS_DEMOTION] } else { &[&FACTS] };

    fn read(position: &Position, _: &Rules) -> Result<Self, SetupError> {
        setup::read(position)
    }

    fn write(&self) -> Position {
        setup::write(self)
    }

    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(false);
        if let [_, white, black, ..] = twin.fields.as_mut_slice() {
            std::mem::swap(white, black);
            for mark in [white, black] {
                *mark = mirror_ranks(mark, 9);
            }
        }
        twin
    }

    fn legs(&self, decision: Move) -> Legs {
        Legs::from_iter([self.leg(decision)])
    }

    fn reads(&self, decision: Move, legs: &[Leg]) -> usize {
        usize::from(legs.first() == Some(&self.leg(decision)))
    }

    fn explain(&self, legs: &[Leg]) -> String {
        match legs.first() {
            Some(&Leg::Move { from, to, suffix }) => match (square(from), square(to)) {
                (None, _) => format!("{} is not on the board", from),
                (_, None) => format!("{} is not on the board", to),
                (Some(from), Some(to)) => self.explain_move(from, to, suffix.is_some()),
            },
            Some(&Leg::Put { letter, at }) => match square(at) {
                None => format!("{} is not on the board", at),
                Some(_) if !DEMOTION => "nothing is put on the board in this game".to_owned(),
                Some(square) => self.explain_demotion(letter, square),
            },
            Some(Leg::Pass) => "there is no passing".to_owned(),
            _ => "a move is two squares, as in c2b3".to_owned(),
        }
    }
}

impl<const DEMOTION: bool> Alapo<DEMOTION> {
    fn leg(&self, decision: Move) -> Leg {
        let at = coordinate(decision.from());
        if decision.from() == decision.to() {
            Leg::Put { letter: self.small_letter(decision), at }
        } else {
            Leg::step(at, coordinate(decision.to()))
        }
    }

    /// What the man demoted by `decision` becomes.
    pub(super) fn small_letter(&self, decision: Move) -> u8 {
        Kind(self.board.kind_bits(decision.from())).small().letter()
    }

    /// The own man on `square`, or why there is none.
    fn own_man(&self, square: u8) -> Result<Kind, String> {
        match self.board.man_on(square) {
            None => Err(format!("no man on {}", coordinate(square))),
            Some((color, _)) if color != self.turn => Err(format!("that is {color}'s man")),
            Some((_, kind)) => Ok(kind),
        }
    }

    fn explain_move(&self, from: u8, to: u8, suffix: bool) -> String {
        let kind = match self.own_man(from) {
            Ok(kind) => kind,
            Err(reason) => return reason,
        };
        let targets = Board::reach(self.turn, kind, from, 0);
        if from == to {
            "a man cannot stay where it is".to_owned()
        } else if targets & bit(to) == 0 {
            kind.rule().to_owned()
        } else if Board::reach(self.turn, kind, from, self.board.occupied()) & bit(to) == 0 {
            "the way is blocked".to_owned()
        } else if self.board.men(self.turn) & bit(to) != 0 {
            format!("your own man stands on {}", coordinate(to))
        } else if suffix {
            "a move has no suffix".to_owned()
        } else {
            // The move itself is fine, so something that follows is not.
            "a turn is one move".to_owned()
        }
    }

    fn explain_demotion(&self, letter: u8, square: u8) -> String {
        match self.own_man(square) {
            Err(reason) => reason,
            Ok(kind) if !kind.is_large() => format!("the {} is small already", kind.name()),
            Ok(_) if bit(square) & two_nearest_rows(self.turn) == 0 => {
                "only large men on your two nearest rows can be demoted".to_owned()
            }
            Ok(kind) if kind.small().letter() != letter => {
                format!(
                    "a {} becomes a {}: {}",
                    kind.name(),
                    kind.small().name(),
                    char::from(kind.small().letter())
                )
            }
            Ok(_) => "a turn is one demotion".to_owned(),
        }
    }
}
