//! Actions as text, and why some are refused.

use super::decision::Action;
use super::geometry::{ADJACENT, CORNERS, FILES, LAST_RANK, RANKS, bit, name};
use super::movegen::reach;
use super::piece::Kind;
use super::setup;
use super::state::State;
use crate::base::Bits;
use crate::game::explain::{NOT_LEGAL, own_piece};
use crate::game::{Facts, Notation, Rules, SetupError};
use crate::notation::{Coordinate, Leg, Legs, Position};

impl Notation for State {
    const GAMES: &'static [&'static Facts] = &[&super::FACTS];

    fn read(position: &Position, rules: &Rules) -> Result<Self, SetupError> {
        setup::read(position, rules)
    }

    fn write(&self) -> Position {
        setup::write(self)
    }

    fn start(rules: &Rules) -> Self {
        setup::start(rules)
    }

    /// Such as `b3b5` or `T@f4`. A Deer's capture is the victim, then the stop: `b2b5,b5b4`.
    fn legs(&self, action: Action) -> Legs {
        let mut legs = Legs::new();
        let to = coordinate(action.to());
        match (action.from().map(coordinate), action.victim_ahead().map(coordinate)) {
            (None, _) => legs.push(Leg::Put { letter: Kind::Statue.letter(), at: to }),
            (Some(from), None) => legs.push(Leg::step(from, to)),
            (Some(from), Some(victim)) => legs.extend([Leg::step(from, victim), Leg::step(victim, to)]),
        }
        legs
    }

    fn reads(&self, action: Action, legs: &[Leg]) -> usize {
        // Most actions begin elsewhere; this is checked before anything is written out.
        if let (Some(Leg::Move { from: said, .. }), Some(from)) = (legs.first(), action.from())
            && *said != coordinate(from)
        {
            return 0;
        }
        let own = self.legs(action);
        if legs.starts_with(&own) { own.len() } else { 0 }
    }

    fn explain(&self, legs: &[Leg]) -> String {
        match *legs {
            [Leg::Put { letter, at }, ..] => self.why_no_drop(letter, at),
            [Leg::Move { from, to, suffix }, ref rest @ ..] => match (square(from), square(to)) {
                (Some(from), Some(to)) => {
                    self.why_no_move(from, to, suffix.is_some(), rest).unwrap_or_else(|reason| reason)
                }
                _ => NOT_LEGAL.into(),
            },
            [Leg::Pass, ..] => "nobody may pass".into(),
            _ => "dice and cards have no part in this game".into(),
        }
    }
}

pub(super) fn coordinate(square: u8) -> Coordinate {
    Coordinate::new(square % FILES, square / FILES + 1)
}

fn square(coordinate: Coordinate) -> Option<u8> {
    let inside = coordinate.file < FILES && (1..=RANKS).contains(&coordinate.rank);
    inside.then(|| (coordinate.rank - 1) * FILES + coordinate.file)
}

const IN_CHECK: &str = "your King would be in check";

impl State {
    fn why_no_drop(&self, letter: u8, at: Coordinate) -> String {
        let Some(to) = square(at) else { return format!("there is no square {at}") };
        if letter != Kind::Statue.letter() {
            "only Statues are dropped".into()
        } else if self.hands[self.side.index()] == 0 {
            "you have no Statue in hand".into()
        } else if self.board.occupied() & bit(to) != 0 {
            format!("{at} is not empty")
        } else {
            IN_CHECK.into()
        }
    }

    /// Never `Ok`: the `?` returns the first reason found.
    fn why_no_move(&self, from: u8, to: u8, suffix: bool, rest: &[Leg]) -> Result<String, String> {
        let (board, us) = (&self.board, self.side);
        let kind = board.kind_at(from).ok_or(NOT_LEGAL)?;
        let piece = format!("the {} on {}", kind.name(), name(from));
        if kind == Kind::Statue {
            return Err("a Statue never moves".into());
        }
        if suffix {
            let promotes = kind == Kind::Boy && LAST_RANK[us.index()] & bit(to) != 0;
            let reason = if promotes {
                "a Boy becomes a Superball without a letter"
            } else {
                "no letter belongs here"
            };
            return Err(reason.into());
        }
        let reach = self.reach(from);
        if kind == Kind::Deer {
            self.why_no_approach(from, to, reach.approach, rest)?;
        }
        if (reach.quiet | reach.takes) & bit(to) != 0 {
            return Err(IN_CHECK.into());
        }
        self.why_no_capture(kind, from, to)?;
        Err(self.why_out_of_reach(kind, from, to, &piece))
    }

    /// A Deer's two legs: to the victim, then back to the stop.
    fn why_no_approach(&self, from: u8, victim: u8, stops: u128, rest: &[Leg]) -> Result<(), String> {
        if self.board.pieces(!self.side) & bit(victim) == 0
            || self.cannot_take(Kind::Deer, from, victim).is_some()
        {
            return Ok(());
        }
        let found = Bits(stops).find(|stop| Action::approach(from, *stop).victim_ahead() == Some(victim));
        let Some(stop) = found else { return Ok(()) };
        let written = matches!(rest, [Leg::Move { from: again, to, suffix: None }, ..]
            if square(*again) == Some(victim) && square(*to) == Some(stop));
        if written {
            return Err(IN_CHECK.into());
        }
        let (from, victim, stop) = (name(from), name(victim), name(stop));
        Err(format!("a Deer takes from the square before its victim: {from}{victim},{victim}{stop}"))
    }

    fn why_no_capture(&self, kind: Kind, from: u8, to: u8) -> Result<(), String> {
        if self.board.pieces(self.side) & bit(to) != 0 {
            return Err(match (kind, self.board.kind_at(to)) {
                (Kind::Guard, Some(Kind::King)) => "not even a Guard takes its own King".into(),
                (Kind::King | Kind::Guard, _) => format!("{} is too far away", name(to)),
                _ => own_piece(self, coordinate(to)),
            });
        }
        match self.cannot_take(kind, from, to) {
            Some(reason) => Err(reason.into()),
            None => Ok(()),
        }
    }

    /// Says why a piece of `kind` on `from` cannot capture the kind of enemy that stands on `to`, wherever it
    /// stood.
    fn cannot_take(&self, kind: Kind, from: u8, to: u8) -> Option<&'static str> {
        let victim = self.board.kind_at(to)?;
        match (kind, victim) {
            (Kind::King, Kind::Statue) => Some("a King takes no enemy Statue"),
            (Kind::Reducer, _) => Some("a Reducer takes nothing"),
            (Kind::Ball | Kind::Diagball | Kind::Deer | Kind::Boy, Kind::Reducer) => {
                Some("only a King, Guard, Superball or distant Mage-Apprentice takes a Reducer")
            }
            (Kind::Mage, Kind::Reducer) if CORNERS[usize::from(from)] & bit(to) != 0 => {
                Some("a Mage-Apprentice takes no Reducer that is next to it")
            }
            _ => None,
        }
    }

    fn why_out_of_reach(&self, kind: Kind, from: u8, to: u8, piece: &str) -> String {
        let (board, us) = (&self.board, self.side);
        let free = reach(board, us, kind, from, false, self.at_once);
        let goal = bit(to);
        let able = free.quiet | free.takes;
        let approached =
            Bits(free.approach).any(|stop| Action::approach(from, stop).victim_ahead() == Some(to));
        if kind.can_be_reduced() && board.reduced(us) & bit(from) != 0 && (able & goal != 0 || approached) {
            return format!("{piece} is reduced");
        }
        if board.pieces(!us) & goal != 0 {
            match kind {
                Kind::Ball | Kind::Diagball => {
                    return format!("{piece} takes only after a rebound off a friend");
                }
                Kind::Superball => return format!("{piece} takes only after a rebound"),
                Kind::Deer if ADJACENT[usize::from(from)] & goal != 0 => {
                    return format!("{piece} must come from a distance to take");
                }
                Kind::Boy => return format!("{piece} takes one step diagonally forward"),
                _ => {}
            }
        }
        format!("{piece} cannot go to {}", name(to))
    }
}
