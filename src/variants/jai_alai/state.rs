//! The position, its actions and how games end.

use super::board::Board;
use super::decision::Action;
use super::geometry::{EAST, LAST_RANK, SQUARES, bit, next};
use super::piece::Kind;
use super::safety::attacked;
use crate::base::{Bits, Color, key_for, key_table, table};
use crate::game::{
    Actor, Chance, Decisions, Game, GenType, Hidden, Outcome, Perft, Repetition, RepetitionKey,
};

/// R77: this many plies in a row without capture, Boy move or drop are a draw.
pub const QUIET_LIMIT: u16 = 100;
/// From this many quiet plies on they change the key, as a search may then reach the limit.
const QUIET_MATTERS: u16 = QUIET_LIMIT - 24;
/// R73: a side with this many pieces or fewer has lost.
pub const TOO_FEW: u32 = 2;

/// A position between two turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) board: Board,
    pub(super) side: Color,
    pub(super) hands: [u8; 2],
    /// The side that was brought down to two pieces (R73), if any.
    pub(super) loser: Option<Color>,
    /// True when the switch `minimum-first-leg` is at 0.
    pub(super) at_once: bool,
    /// Plies since the last capture, Boy move or drop (R77).
    pub(super) quiet: u16,
    /// Plies since the last action that cannot be undone. A Boy may step aside and back, so this differs from
    /// `quiet`.
    undoable: u16,
    pub(super) number: u16,
    key: u64,
}

impl State {
    /// A position that has not been checked. `quiet` and `number` are as in the text.
    pub fn new(board: Board, side: Color, hands: [u8; 2], at_once: bool, quiet: u16, number: u16) -> Self {
        let mut position =
            Self { board, side, hands, loser: None, at_once, quiet, undoable: quiet, number, key: 0 };
        position.key = position.computed_key();
        position
    }

    /// R73: the number of pieces `color` still owns, King and Statues in hand included.
    pub const fn owned(&self, color: Color) -> u32 {
        self.board.pieces(color).count_ones() + self.hands[color.index()] as u32
    }

    /// True when the King of `color` is attacked (R70).
    #[inline]
    pub fn attacked(&self, color: Color) -> bool {
        attacked(&self.board, color, self.board.king(color), self.at_once)
    }

    /// The position after a null move: the other side is to move.
    pub(super) fn passed(&self) -> Self {
        let mut passed = *self;
        passed.key ^= SIDE_KEY;
        passed.side = !self.side;
        passed.quiet = self.quiet.saturating_add(1);
        passed.undoable = self.undoable.saturating_add(1);
        passed
    }

    fn computed_key(&self) -> u64 {
        let mut key = if self.at_once { AT_ONCE_KEY } else { 0 };
        for color in Color::ALL {
            for kind in Kind::ALL {
                key = Bits(self.board.of(color, kind)).fold(key, |key, at| key ^ piece_key(color, kind, at));
            }
            key ^= HAND_KEYS[color.index()][usize::from(self.hands[color.index()] & 7)];
        }
        if self.side == Color::Black { key ^ SIDE_KEY } else { key }
    }

    /// The key of the quiet plies near the limit.
    #[inline]
    fn quiet_key(&self) -> u64 {
        if self.quiet < QUIET_MATTERS {
            0
        } else {
            key_for(STREAM + 4, u64::from(self.quiet.min(QUIET_LIMIT)))
        }
    }
}

/// The first key stream of this game: pieces, hands, side, switch, quiet plies.
const STREAM: u64 = 0x4a41_4900;
static PIECE_KEYS: [u64; 2 * 10 * SQUARES] = key_table(STREAM);
static HAND_KEYS: [[u64; 8]; 2] =
    table!(side => table!(held => key_for(STREAM + 1, 8 * side as u64 + held as u64)));
const SIDE_KEY: u64 = key_for(STREAM + 2, 0);
const AT_ONCE_KEY: u64 = key_for(STREAM + 3, 0);

#[inline]
fn piece_key(color: Color, kind: Kind, square: u8) -> u64 {
    PIECE_KEYS[(color.index() * 10 + kind.index()) * SQUARES + square as usize]
}

impl Game for State {
    type Decision = Action;

    #[inline]
    fn actor(&self) -> Actor {
        if self.loser.is_some() { Actor::Nobody } else { Actor::Player(self.side) }
    }

    /// The order of the rules: R73, then R72 and R75, then R77.
    #[inline]
    fn ending(&self, stuck: bool) -> Option<Outcome> {
        match (self.loser, stuck) {
            (Some(loser), _) => Some(Outcome::win_of(
                !loser,
                "R73",
                ["Black is down to two pieces", "White is down to two pieces"],
            )),
            (None, true) if self.attacked(self.side) => {
                Some(Outcome::win_of(!self.side, "R72", ["White mates", "Black mates"]))
            }
            (None, true) => Some(Outcome::draw("R75", "stalemate")),
            (None, false) => (self.quiet >= QUIET_LIMIT)
                .then_some(Outcome::draw("R77", "100 moves without capture, Boy move or drop")),
        }
    }

    fn decisions(&self, wanted: GenType, list: &mut Decisions<Action>) {
        // The limits of the position reader keep every position far below the room there is (see `setup`), so
        // nothing is lost.
        self.each_legal(wanted == GenType::Noisy, |action, from, targets| {
            for to in Bits(targets) {
                let _ = list.try_push(action(from, to));
            }
        });
    }

    fn count(&self) -> u64 {
        let mut count = 0;
        self.each_legal(false, |_, _, targets| count += u64::from(targets.count_ones()));
        count
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        let (us, to) = (self.side, action.to());
        let mut final_action = false;
        match action.from() {
            None => {
                let hand = self.hands[us.index()];
                self.key ^= HAND_KEYS[us.index()][usize::from(hand & 7)];
                self.hands[us.index()] = hand.saturating_sub(1);
                self.key ^= HAND_KEYS[us.index()][usize::from(self.hands[us.index()] & 7)];
                self.key ^= piece_key(us, Kind::Statue, to);
                self.board.put(to, us, Kind::Statue);
                (self.quiet, final_action) = (0, true);
            }
            Some(from) => {
                let Some(kind) = self.board.kind_at(from) else { return };
                let victim = action.victim_ahead().unwrap_or(to);
                self.quiet = self.quiet.saturating_add(1);
                if let Some(owner) = self.board.color_at(victim) {
                    if let Some(taken) = self.board.kind_at(victim) {
                        self.key ^= piece_key(owner, taken, victim);
                    }
                    self.board.remove(victim);
                    (self.quiet, final_action) = (0, true);
                    // R73, R74. Only this side's number changes.
                    if self.owned(owner) <= TOO_FEW {
                        self.loser = Some(owner);
                    }
                }
                let arrives = if kind == Kind::Boy {
                    self.quiet = 0;
                    let aside = to == next(from, EAST) || from == next(to, EAST);
                    final_action |= !aside;
                    if LAST_RANK[us.index()] & bit(to) != 0 { Kind::Superball } else { Kind::Boy }
                } else {
                    kind
                };
                self.key ^= piece_key(us, kind, from) ^ piece_key(us, arrives, to);
                self.board.relocate(us, kind, from, to);
            }
        }
        self.undoable = if final_action { 0 } else { self.undoable.saturating_add(1) };
        if us == Color::Black {
            self.number = self.number.saturating_add(1);
        }
        self.side = !us;
        self.key ^= SIDE_KEY;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key ^ self.quiet_key()
    }

    fn counter_room(&self) -> Option<u32> {
        Some(QUIET_LIMIT.saturating_sub(self.quiet).into())
    }
}

impl Perft for State {}
impl Chance for State {}
impl Hidden for State {}

impl Repetition for State {
    const THIRD_OCCURRENCE: Option<Outcome> = Some(Outcome::draw("R76", "third occurrence of the position"));

    /// R76: board, hands and side to move; the quiet plies do not matter.
    fn repetition(&self) -> Option<RepetitionKey> {
        Some(RepetitionKey { key: self.key, span: u32::from(self.undoable) })
    }
}
