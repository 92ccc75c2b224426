//! What a graphical board needs to know of a game: what it shows, what can be decided by mouse, what the user
//! must be shown or asked.

pub use super::shown::{change, holes, letter_at, name_of};
pub use super::xboard_view::{StepView, XboardView};
use super::{Actor, Decisions, Deed, DeedKind, Facts, GenType, Notation, read_token};
use crate::notation::{Coordinate, Leg, Position, parse_position, parse_token};

/// A way to make decisions by mouse: from a square to a square, perhaps by way of a third.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gesture {
    /// Where the mouse begins.
    pub from: Origin,
    /// A square on the way, with a piece that is captured besides what stands on the last square.
    pub via: Option<Coordinate>,
    /// The square where it ends.
    pub to: Coordinate,
    /// The upper-case letter that the piece has afterwards; `None` if it keeps its letter.
    pub letter: Option<u8>,
    /// `None` for a move of the piece; otherwise what the gesture means instead.
    pub signal: Option<Signal>,
    /// The numbers of the decisions; empty for one of several pieces that are picked together.
    pub decisions: Vec<u32>,
}

/// Where a gesture begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// On the piece that stands on this square.
    Square(Coordinate),
    /// On any of the player's own pieces.
    Anywhere,
    /// On the pieces in hand, beside the board.
    Hand,
}

/// What a gesture means that moves no piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signal {
    /// A short name: `end of turn`.
    pub name: &'static str,
    /// The kind of the decision.
    pub kind: DeedKind,
}

/// What the player who decides must be shown or asked, because the board does not show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prompt {
    /// How it is shown.
    pub kind: PromptKind,
    /// The question in a sentence that assumes no particular board: `Throw the ball, or keep it.`
    pub question: String,
    /// How it is answered at XBoard's board, or by typing: `Throw: click a piece, then the square`. Further
    /// lines explain the first.
    pub how: String,
}

/// How a [`Prompt`] is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PromptKind {
    /// Where it does not get in the way: what may be done next.
    Guide,
    /// In a box, after something unexpected.
    Tell,
    /// As a question that the user answers by typing: see [`GuiBoard::typed`].
    Ask,
}

/// What a graphical board needs of a game. The defaults fit a game in which a turn is one move or drop.
pub trait GuiBoard: Notation {
    /// The board in the letters with which it is drawn (XBoard's).
    fn shown(&self) -> Position {
        self.write()
    }

    /// Converts a position in those letters to one of our own. What it does not show is as at the start.
    /// `None` when it cannot be read so.
    fn read_shown(&self, shown: &Position) -> Option<Position> {
        as_at_start(self.facts(), shown)
    }

    /// All gestures of the player who decides now. `picked` holds the pieces already picked in a choice that
    /// takes several.
    fn gestures(&self, _picked: &[Coordinate]) -> Vec<Gesture> {
        moves_and_drops(self)
    }

    /// What the player who decides now must be shown or asked; `None` for a plain move. `picked` holds the
    /// pieces already picked in a choice that takes several.
    fn prompt(&self, _picked: &[Coordinate]) -> Option<Prompt> {
        None
    }

    /// The decision that `word`, typed by the user, means.
    ///
    /// # Errors
    /// Why it means none.
    fn typed(&self, word: &str) -> Result<Self::Decision, String> {
        decision_said(self, word)
    }

    /// What a decision does that leads to `after`; `shown` is the board as it is shown before and after it.
    fn deed(&self, decision: Self::Decision, _after: &Self, shown: [&Position; 2]) -> Deed {
        Deed::of_legs(self.facts(), &self.legs(decision), shown)
    }

    /// The square of the king that is in check, if the player who decides has one.
    fn checked_king(&self) -> Option<Coordinate> {
        None
    }

    /// How many steps of this turn have been made, and how many it allows; `None` where turns are not counted
    /// in steps.
    fn steps(&self) -> Option<(u8, u8)> {
        None
    }
}

impl Gesture {
    /// A move of a piece; `letter` is the one it has afterwards, if that differs.
    pub fn step<D: Into<u32>>(from: Coordinate, to: Coordinate, letter: Option<u8>, decision: D) -> Self {
        let decisions = vec![decision.into()];
        Self { from: Origin::Square(from), via: None, to, letter, signal: None, decisions }
    }

    /// A gesture that is a signal.
    pub fn signal(from: Origin, to: Coordinate, signal: Signal, decisions: Vec<u32>) -> Self {
        Self { from, via: None, to, letter: None, signal: Some(signal), decisions }
    }
}

impl Signal {
    /// A signal named `name` for a decision of this kind.
    pub const fn new(name: &'static str, kind: DeedKind) -> Self {
        Self { name, kind }
    }
}

impl Prompt {
    /// A prompt that is shown where it does not get in the way.
    pub fn guide(question: impl Into<String>, how: impl Into<String>) -> Self {
        Self { kind: PromptKind::Guide, question: question.into(), how: how.into() }
    }

    /// True when the user answers by typing.
    pub fn is_typed(&self) -> bool {
        self.kind == PromptKind::Ask
    }
}

/// A shown position with all that it does not show as at the start.
pub fn as_at_start(facts: &Facts, shown: &Position) -> Option<Position> {
    let start = parse_position(facts.start).ok()?;
    let mut fields = vec![shown.fields.first()?.clone()];
    fields.extend(start.fields.iter().skip(1).cloned());
    let hand = shown.hand.clone().filter(|_| facts.hand > 0);
    Some(Position { placement: shown.placement.clone(), hand, fields })
}

/// The gestures of those decisions that are a move or a drop.
pub fn moves_and_drops<G: GuiBoard>(state: &G) -> Vec<Gesture> {
    let before = state.shown();
    let gesture = |decision: G::Decision| {
        let step = |from, to| {
            let letter = change(state.facts(), (&before, from), (&shown_after(state, decision), to));
            Gesture::step(from, to, letter, decision)
        };
        match *state.legs(decision).as_slice() {
            [Leg::Move { from, to, .. }] => Some(step(from, to)),
            [Leg::Move { from, to: via, .. }, Leg::Move { to, .. }] => {
                Some(Gesture { via: Some(via), ..step(from, to) })
            }
            [Leg::Put { at: to, .. }] if letter_at(state.facts(), &before, to).is_none() => {
                Some(Gesture { from: Origin::Hand, ..Gesture::step(to, to, None, decision) })
            }
            _ => None,
        }
    };
    all_decisions(state).into_iter().filter_map(gesture).collect()
}

/// All legal decisions in `state`; empty when no player decides.
pub fn all_decisions<G: GuiBoard>(state: &G) -> Decisions<G::Decision> {
    let mut list = Decisions::new();
    if matches!(state.actor(), Actor::Player(_)) {
        state.decisions(GenType::All, &mut list);
    }
    list
}

/// The board as it is shown after `decision`.
pub fn shown_after<G: GuiBoard>(state: &G, decision: G::Decision) -> Position {
    state.after(decision).shown()
}

/// The decision in `state` that `word` means in our notation.
///
/// # Errors
/// Why it means none.
pub fn decision_said<G: GuiBoard>(state: &G, word: &str) -> Result<G::Decision, String> {
    let token = parse_token(word).map_err(|error| error.to_string())?;
    // Declining is not written elsewhere; here it is `0000`.
    let says = |decision: &G::Decision| {
        let legs = state.legs(*decision);
        if legs.is_empty() { *token.legs == [Leg::Pass] } else { legs == token.legs }
    };
    all_decisions(state).into_iter().find(says).ok_or_else(|| {
        read_token(state, &token).err().map_or("not in single steps".to_owned(), |illegal| illegal.reason)
    })
}
