//! The legs of decisions, and positions as text.

use super::board::Kind;
use super::cells::{NOWHERE, coordinate, from_coordinate};
use super::decision::{Choice, Said, card, card_number, ordered};
use super::facts;
use super::setup;
use super::state::{Phase, State};
use crate::base::Color;
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Leg, Legs, Position, Suffix, exchange_castling, mirror_ranks};

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &facts::ALL;

    fn facts(&self) -> &'static Facts {
        self.mode.facts()
    }

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        setup::read(position, rules)
    }

    fn write(&self) -> Position {
        setup::write(self)
    }

    fn with_colors_exchanged(position: &Position) -> Position {
        let mut twin = position.with_colors_exchanged(false);
        // Ranks 0 to 9: mirrors the squares of the en passant and role fields.
        for (index, field) in twin.fields.iter_mut().enumerate().skip(1) {
            match index {
                1 => *field = exchange_castling(field),
                2 => *field = mirror_ranks(field, 9),
                3 => {
                    *field = mirror_ranks(field, 9);
                    if let Some((white, black)) = field.split_once('/') {
                        *field = format!("{black}/{white}");
                    }
                }
                6 => {
                    let words: Vec<&str> = field.split('/').collect();
                    if let [white, black, rest @ ..] = words.as_slice()
                        && let (Some(white), Some(black)) =
                            (white.strip_prefix("W="), black.strip_prefix("B="))
                    {
                        *field = format!("W={black}/B={white}/{}", rest.join("/"));
                    }
                }
                _ => {}
            }
        }
        twin
    }

    fn legs(&self, decision: Choice) -> Legs {
        let put = |letter, cell| Leg::Put { letter, at: coordinate(cell) };
        let one = |leg| Legs::from_iter([leg]);
        match decision.said() {
            Said::Move { from, to, promotion } => one(Leg::Move {
                from: coordinate(from),
                to: coordinate(to),
                suffix: promotion.map(|kind| Suffix::Letter(kind.letter().to_ascii_lowercase())),
            }),
            Said::Place(cell) | Said::Throw(cell) => one(put(b'O', cell)),
            Said::Call(cell) => one(put(b'D', cell)),
            // Written only where its absence would be ambiguous: after the other side or chance has acted.
            Said::Decline if self.turn.answered => one(Leg::Pass),
            Said::Decline => Legs::new(),
            Said::Roll(face) => one(Leg::Roll(face.into())),
            Said::Sacrifice(set) => {
                set.into_iter().filter(|&cell| cell != NOWHERE).map(|cell| put(b'X', cell)).collect()
            }
            Said::Play(number) => one(Leg::Play(card(number))),
            Said::Draw(number) => one(Leg::Draw(number.map(card))),
        }
    }

    fn reads(&self, decision: Choice, legs: &[Leg]) -> usize {
        if let Said::Sacrifice(set) = decision.said() {
            // The order in which pieces are given up does not matter.
            let wanted = set.iter().filter(|&&cell| cell != NOWHERE).count();
            return if given_up(&legs[..wanted.min(legs.len())]) == Some(set) { wanted } else { 0 };
        }
        let own = self.legs(decision);
        if legs.starts_with(&own) { own.len() } else { 0 }
    }

    fn reads_unlisted(&self, legs: &[Leg]) -> Option<(Choice, usize)> {
        let said = match (self.turn.phase, legs.first()?) {
            (Phase::Roll, &Leg::Roll(face @ 1..=6)) => Said::Roll(face as u8),
            (Phase::LeadDraw | Phase::FollowDraw, &Leg::Draw(Some(drawn))) => {
                let number = card_number(drawn);
                let side = self.drawer()?;
                self.cards.as_ref().filter(|cards| cards.may_name(side, number))?;
                Said::Draw(Some(number))
            }
            _ => return None,
        };
        Some((Choice::new(said), 1))
    }

    fn explain(&self, legs: &[Leg]) -> String {
        self.reason_against(legs)
    }

    fn explain_end(&self, decision: Choice, legs: &[Leg]) -> Option<String> {
        self.reason_for_end(decision, legs)
    }
}

impl State {
    /// The side that draws a card now, if any.
    pub(super) fn drawer(&self) -> Option<Color> {
        let (us, them) = self.sides();
        match self.turn.phase {
            Phase::LeadDraw => Some(us),
            Phase::FollowDraw => Some(them),
            _ => None,
        }
    }
}

/// The cells of up to three different sacrifices, in order.
pub(super) fn given_up(legs: &[Leg]) -> Option<[u8; 3]> {
    let mut set = [NOWHERE; 3];
    if legs.len() > set.len() {
        return None;
    }
    for (index, leg) in legs.iter().enumerate() {
        let &Leg::Put { letter: b'X', at } = leg else { return None };
        let cell = from_coordinate(at)?;
        if set.contains(&cell) {
            return None;
        }
        set[index] = cell;
    }
    Some(ordered(set))
}

/// The kind that a promotion letter names, if a pawn may promote to it.
pub(super) fn promotion_of(suffix: Suffix) -> Option<Kind> {
    match suffix {
        Suffix::Letter(letter) => Kind::from_letter(letter).filter(|kind| Kind::PROMOTIONS.contains(kind)),
        Suffix::Leave => None,
    }
}
