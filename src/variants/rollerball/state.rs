//! What stands where, what a move changes, how games end.

use super::decision::{Move, Promotion};
use super::square::{LINE, SLOTS, Set, Square, THRONE};
use crate::base::{Bits, Color, key_for, key_table};
use crate::game::{
    Actor, Chance, Decisions, Game, Hidden, Outcome, Perft, Repetition, RepetitionKey, Wanted,
};

/// A game of Rollerball between two moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// By colour, kings included.
    pub(super) men: [Set; 2],
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
    /// The number of the move, one for both players.
    pub(super) number: u16,
}

/// What a man is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `K`
    King,
    /// `R`
    Rook,
    /// `B`
    Bishop,
    /// `P`
    Pawn,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::King, Self::Rook, Self::Bishop, Self::Pawn];

    pub(super) const fn letter(self) -> u8 {
        match self {
            Self::King => b'K',
            Self::Rook => b'R',
            Self::Bishop => b'B',
            Self::Pawn => b'P',
        }
    }
}

const SWITCH: u8 = 4;

/// By colour, kind, square.
static MEN_KEYS: [[[u64; SLOTS]; 4]; 2] = {
    let mut keys = [[[0; SLOTS]; 4]; 2];
    let mut table = 0;
    while table < 8 {
        keys[table / 4][table % 4] = key_table(u64::from_be_bytes(*b"rollball") + table as u64);
        table += 1;
    }
    keys
};
/// By the flags.
static FLAG_KEYS: [u64; 8] = key_table(u64::from_be_bytes(*b"rollmark"));
/// Black to move.
const TURN_KEY: u64 = key_for(u64::from_be_bytes(*b"rollturn"), 0);

impl State {
    /// A board with two kings and nothing else; White moves, no marks.
    pub(super) const fn with_kings(kings: [Square; 2], clockwise_sideways: bool) -> Self {
        Self {
            men: [kings[0].bit(), kings[1].bit()],
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

    /// Puts a man, not a king, on a free square. The key must be set afterwards.
    pub(super) fn put(&mut self, color: Color, kind: Kind, square: Square) {
        let bit = square.bit();
        self.men[color.index()] |= bit;
        match kind {
            Kind::King => {}
            Kind::Rook => self.rooks |= bit,
            Kind::Bishop => self.bishops |= bit,
            Kind::Pawn => self.pawns |= bit,
        }
    }

    /// The same with the other side to move.
    pub(super) fn passed(&self) -> Self {
        let mut state = *self;
        state.key ^= TURN_KEY;
        state.turn = self.turn.other();
        state.quiet = self.quiet.saturating_add(1);
        state
    }

    /// Switches a king's clockwise mark on (R36). The key must be set afterwards.
    pub(super) const fn put_mark(&mut self, color: Color) {
        self.flags |= 1 << color.index();
    }

    pub(super) fn set_key(&mut self) {
        self.key = self.key_from_nothing();
    }

    fn key_from_nothing(&self) -> u64 {
        let mut key = FLAG_KEYS[usize::from(self.flags & 7)];
        if self.turn == Color::Black {
            key ^= TURN_KEY;
        }
        for color in Color::ALL {
            for square in Bits(self.men[color.index()]).map(Square::new) {
                key ^= MEN_KEYS[color.index()][self.kind_of(square) as usize][square.index()];
            }
        }
        key
    }

    /// The king's clockwise mark (R36).
    #[inline]
    pub(super) const fn marked(&self, color: Color) -> bool {
        self.flags >> color.index() & 1 == 1
    }

    /// The rule switch (OQ1): long sideways lines only with the flow.
    #[inline]
    pub(super) const fn clockwise_sideways(&self) -> bool {
        self.flags & SWITCH != 0
    }

    /// The king of this colour stands on his throne and came clockwise (R36).
    #[inline]
    pub(super) fn on_throne(&self, color: Color) -> bool {
        self.marked(color) && self.kings[color.index()] == THRONE[color.index()]
    }

    /// The game ended by a king on his throne.
    #[inline]
    pub(super) fn finished(&self) -> bool {
        self.flags & 3 != 0 && (self.on_throne(Color::White) || self.on_throne(Color::Black))
    }

    /// What the man on an occupied square is.
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

    /// Whose man stands on a square, and what it is.
    pub(super) const fn man_on(&self, square: Square) -> Option<(Color, Kind)> {
        let color = if self.men[0] & square.bit() != 0 {
            Color::White
        } else if self.men[1] & square.bit() != 0 {
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
        let [before, behind] = LINE[us];
        let crossed = from.bit() & (before | behind) != 0;
        if crossed {
            let old = self.flags;
            if from.bit() & before != 0 && to.bit() & behind != 0 {
                self.flags |= 1 << us;
            } else if from.bit() & behind != 0 && to.bit() & before != 0 {
                self.flags &= !(1 << us);
            }
            self.key ^= FLAG_KEYS[usize::from(old & 7)] ^ FLAG_KEYS[usize::from(self.flags & 7)];
        }
    }

    /// The pawn of the mover that has just arrived on `at` becomes something else (R31).
    #[inline]
    fn promote(&mut self, at: Square, promotion: Promotion) {
        let kind = match promotion {
            Promotion::Rook => Kind::Rook,
            Promotion::Bishop => Kind::Bishop,
        };
        let keys = &MEN_KEYS[self.turn.index()];
        self.key ^= keys[Kind::Pawn as usize][at.index()] ^ keys[kind as usize][at.index()];
        self.pawns ^= at.bit();
        match promotion {
            Promotion::Rook => self.rooks ^= at.bit(),
            Promotion::Bishop => self.bishops ^= at.bit(),
        }
    }
}

impl Game for State {
    type Decision = Move;

    #[inline]
    fn actor(&self) -> Actor {
        if self.finished() { Actor::Nobody } else { Actor::Player(self.turn) }
    }

    /// R36: never both kings, the second cannot get there in play, and the reader refuses it. R35.
    #[inline]
    fn ending(&self, stuck: bool) -> Option<Outcome> {
        if self.finished() {
            return Some(if self.on_throne(Color::White) {
                Outcome::win(Color::White, "R36", "White king reached d6")
            } else {
                Outcome::win(Color::Black, "R36", "Black king reached d2")
            });
        }
        stuck.then(|| match (self.king_attacked(self.turn), self.turn) {
            (false, _) => Outcome::draw("R35", "Stalemate"),
            (true, Color::Black) => Outcome::win(Color::White, "R35", "White mates"),
            (true, Color::White) => Outcome::win(Color::Black, "R35", "Black mates"),
        })
    }

    fn decisions(&self, wanted: Wanted, list: &mut Decisions<Move>) {
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
        if self.men[them] & to.bit() != 0 {
            let victim = self.kind_of(to);
            self.key ^= MEN_KEYS[them][victim as usize][to.index()];
            self.men[them] ^= to.bit();
            self.rooks &= !to.bit();
            self.bishops &= !to.bit();
            self.pawns &= !to.bit();
            self.quiet = 0;
        }
        let keys = &MEN_KEYS[us][kind as usize];
        self.key ^= keys[from.index()] ^ keys[to.index()];
        self.men[us] ^= both;
        match kind {
            Kind::Rook => self.rooks ^= both,
            Kind::Bishop => self.bishops ^= both,
            Kind::King => self.move_king(from, to),
            Kind::Pawn => {
                self.pawns ^= both;
                self.quiet = 0;
                if let Some(promotion) = decision.promotion() {
                    self.promote(to, promotion);
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
    /// R39, OQ7.
    const THIRD_OCCURRENCE: Option<Outcome> = Some(Outcome::draw("R39", "Threefold repetition"));

    /// R39: men, side to move and both marks, which is all the key holds. Neither a capture nor a pawn's step can be
    /// undone.
    fn repetition(&self) -> Option<RepetitionKey> {
        Some(RepetitionKey { key: self.key, span: u32::from(self.quiet) })
    }
}
