//! The position: what it holds, how a move changes it, how games end.

use super::decision::Move;
use super::square::{SLOTS, Set, Square, THRONE, mark_after};
use crate::base::{Bits, Color, key_for, key_table, table};
use crate::game::{
    Actor, Chance, Decisions, Game, GenType, Hidden, Outcome, Perft, Repetition, RepetitionKey,
};

/// A position of Rollerball.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The pieces of each colour, kings included.
    pub(super) pieces: [Set; 2],
    pub(super) rooks: Set,
    pub(super) bishops: Set,
    pub(super) pawns: Set,
    key: u64,
    pub(super) kings: [Square; 2],
    pub(super) turn: Color,
    /// Bits 0 and 1: White's and Black's clockwise mark (R36). Bit 2: the switch `clockwise-sideways`.
    flags: u8,
    /// Single moves since the last capture or pawn move.
    pub(super) quiet: u16,
    /// The move number, one for both players.
    pub(super) number: u16,
}

/// The kind of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// King, letter `K`.
    King,
    /// Rook, letter `R`.
    Rook,
    /// Bishop, letter `B`.
    Bishop,
    /// Pawn, letter `P`.
    Pawn,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::King, Self::Rook, Self::Bishop, Self::Pawn];

    /// The kinds a pawn may promote to (R31).
    pub(super) const PROMOTIONS: [Self; 2] = [Self::Rook, Self::Bishop];

    pub(super) const fn letter(self) -> u8 {
        b"KRBP"[self as usize]
    }
}

const SWITCH: u8 = 4;

/// Indexed by colour, kind, square.
static PIECES_KEYS: [[[u64; SLOTS]; 4]; 2] = table!(color => table!(kind => {
    key_table(u64::from_be_bytes(*b"rollball") + (4 * color + kind) as u64)
}));
/// Indexed by `flags`.
static FLAG_KEYS: [u64; 8] = key_table(u64::from_be_bytes(*b"rollmark"));
/// In the key when Black is to move.
const TURN_KEY: u64 = key_for(u64::from_be_bytes(*b"rollturn"), 0);

impl State {
    /// A board with two kings and nothing else; White moves, no marks.
    pub(super) const fn with_kings(kings: [Square; 2], clockwise_sideways: bool) -> Self {
        Self {
            pieces: [kings[0].bit(), kings[1].bit()],
            rooks: 0,
            bishops: 0,
            pawns: 0,
            key: 0,
            kings,
            turn: Color::White,
            flags: if clockwise_sideways { SWITCH } else { 0 },
            quiet: 0,
            number: 1,
        }
    }

    /// Puts a piece other than a king on an empty square. The key must be set afterwards.
    pub(super) fn put(&mut self, color: Color, kind: Kind, square: Square) {
        self.pieces[color.index()] |= square.bit();
        self.toggle(kind, square.bit());
    }

    /// Toggles pieces of this kind, kings excepted, on the squares of `set`: they appear where there are none
    /// and vanish where there are.
    #[inline]
    fn toggle(&mut self, kind: Kind, set: Set) {
        match kind {
            Kind::King => {}
            Kind::Rook => self.rooks ^= set,
            Kind::Bishop => self.bishops ^= set,
            Kind::Pawn => self.pawns ^= set,
        }
    }

    /// The position after a null move: the other side is to move.
    pub(super) fn passed(&self) -> Self {
        let mut state = *self;
        state.key ^= TURN_KEY;
        state.turn = self.turn.other();
        state.quiet = self.quiet.saturating_add(1);
        state
    }

    /// Sets a king's clockwise mark (R36). The key must be set afterwards.
    pub(super) const fn put_mark(&mut self, color: Color) {
        self.flags |= 1 << color.index();
    }

    pub(super) fn set_key(&mut self) {
        let mut key = FLAG_KEYS[usize::from(self.flags & 7)];
        if self.turn == Color::Black {
            key ^= TURN_KEY;
        }
        for color in Color::ALL {
            for square in Bits(self.pieces[color.index()]).map(Square::new) {
                key ^= PIECES_KEYS[color.index()][self.kind_of(square) as usize][square.index()];
            }
        }
        self.key = key;
    }

    /// True when the king of `color` has its clockwise mark (R36).
    #[inline]
    pub(super) const fn marked(&self, color: Color) -> bool {
        self.flags >> color.index() & 1 == 1
    }

    /// The rule switch (OQ1): true when long sideways lines go only with the flow.
    #[inline]
    pub(super) const fn clockwise_sideways(&self) -> bool {
        self.flags & SWITCH != 0
    }

    /// True when the king of this colour stands on its throne and came clockwise (R36).
    #[inline]
    pub(super) fn on_throne(&self, color: Color) -> bool {
        self.marked(color) && self.kings[color.index()] == THRONE[color.index()]
    }

    /// True when a king on its throne has ended the game.
    #[inline]
    pub(super) fn finished(&self) -> bool {
        self.flags & 3 != 0 && (self.on_throne(Color::White) || self.on_throne(Color::Black))
    }

    /// The kind of the piece on an occupied square.
    #[inline]
    pub(super) const fn kind_of(&self, square: Square) -> Kind {
        let bit = square.bit();
        if self.rooks & bit != 0 {
            Kind::Rook
        } else if self.bishops & bit != 0 {
            Kind::Bishop
        } else if self.pawns & bit != 0 {
            Kind::Pawn
        } else {
            Kind::King
        }
    }

    /// The colour and kind of the piece on a square, if any.
    pub(super) const fn piece_on(&self, square: Square) -> Option<(Color, Kind)> {
        let color = if self.pieces[0] & square.bit() != 0 {
            Color::White
        } else if self.pieces[1] & square.bit() != 0 {
            Color::Black
        } else {
            return None;
        };
        Some((color, self.kind_of(square)))
    }

    #[inline]
    fn move_king(&mut self, from: Square, to: Square) {
        let us = self.turn.index();
        self.kings[us] = to;
        let marked = self.marked(self.turn);
        if mark_after(self.turn, marked, from, to) != marked {
            self.key ^= FLAG_KEYS[usize::from(self.flags & 7)];
            self.flags ^= 1 << us;
            self.key ^= FLAG_KEYS[usize::from(self.flags & 7)];
        }
    }

    /// Promotes the mover's pawn that has just arrived on `at` (R31).
    #[inline]
    fn promote(&mut self, at: Square, promoted: Kind) {
        let keys = &PIECES_KEYS[self.turn.index()];
        self.key ^= keys[Kind::Pawn as usize][at.index()] ^ keys[promoted as usize][at.index()];
        self.toggle(Kind::Pawn, at.bit());
        self.toggle(promoted, at.bit());
    }
}

impl Game for State {
    type Decision = Move;

    #[inline]
    fn actor(&self) -> Actor {
        if self.finished() { Actor::Nobody } else { Actor::Player(self.turn) }
    }

    /// R36 comes first, then R35. Both kings are never on their thrones: the second cannot get there in play,
    /// and the position reader refuses it.
    #[inline]
    fn ending(&self, stuck: bool) -> Option<Outcome> {
        if self.finished() {
            let winner = if self.on_throne(Color::White) { Color::White } else { Color::Black };
            return Some(Outcome::win_of(winner, "R36", ["White king reached d6", "Black king reached d2"]));
        }
        stuck.then(|| match self.king_attacked(self.turn) {
            false => Outcome::draw("R35", "Stalemate"),
            true => Outcome::win_of(!self.turn, "R35", ["White mates", "Black mates"]),
        })
    }

    fn decisions(&self, wanted: GenType, list: &mut Decisions<Move>) {
        self.list_moves(wanted, list);
    }

    fn count(&self) -> u64 {
        self.count_moves()
    }

    #[inline]
    fn apply(&mut self, decision: Move) {
        let (us, them) = (self.turn.index(), self.turn.other().index());
        let (from, to) = (decision.from(), decision.to());
        let kind = self.kind_of(from);
        let both = from.bit() | to.bit();
        self.key ^= TURN_KEY;
        self.quiet = self.quiet.saturating_add(1);
        if self.pieces[them] & to.bit() != 0 {
            let victim = self.kind_of(to);
            self.key ^= PIECES_KEYS[them][victim as usize][to.index()];
            self.pieces[them] ^= to.bit();
            self.rooks &= !to.bit();
            self.bishops &= !to.bit();
            self.pawns &= !to.bit();
            self.quiet = 0;
        }
        let keys = &PIECES_KEYS[us][kind as usize];
        self.key ^= keys[from.index()] ^ keys[to.index()];
        self.pieces[us] ^= both;
        match kind {
            Kind::Rook => self.rooks ^= both,
            Kind::Bishop => self.bishops ^= both,
            Kind::King => self.move_king(from, to),
            Kind::Pawn => {
                self.pawns ^= both;
                self.quiet = 0;
                if let Some(promoted) = decision.promotion() {
                    self.promote(to, promoted);
                }
            }
        }
        self.number = self.number.saturating_add(us as u16);
        self.turn = self.turn.other();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}

impl Perft for State {}
impl Chance for State {}
impl Hidden for State {}

impl Repetition for State {
    /// R39, OQ7: a draw without a claim.
    const THIRD_OCCURRENCE: Option<Outcome> = Some(Outcome::draw("R39", "Threefold repetition"));

    /// R39: pieces, side to move and both marks count, which is all the key holds. Neither a capture nor a
    /// pawn's step can be undone.
    fn repetition(&self) -> Option<RepetitionKey> {
        Some(RepetitionKey { key: self.key, span: u32::from(self.quiet) })
    }
}
