//! The state of a game: the board, what the turn in progress remembers, the counters, the cards.

use super::board::{Board, Kind, Piece};
use super::cards::Cards;
use super::cells::{NOWHERE, bit, wicket};
use super::decide::{FAILING_FACE, WINNING_FACE};
use super::decision::{Choice, Said};
use super::mode::Mode;
use crate::base::{Color, Rng, key_for};
use crate::game::{
    Actor, Chance, ChanceOutcomes, Deal, Decisions, Game, GenType, Hidden, Outcome, Repetition, RepetitionKey,
};

/// Single moves that make 50 by each side (R71).
const FIFTY_MOVES: u16 = 100;

/// The decision that comes next (section 11 of the rules).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Phase {
    /// The side to move moves a piece.
    Move,
    /// The mover puts down the ball of the carrier it captured (R25).
    Place,
    /// The other side names a new Defender (R30).
    Call,
    /// The mover throws the ball or holds it (R11).
    Throw,
    /// The mover gives up pieces for a wicket, or not (R66, R68, R69).
    Sacrifice,
    /// The die is cast (R65).
    Roll,
    /// The mover plays a card (R62).
    Lead,
    /// The mover draws a card.
    LeadDraw,
    /// The other side answers with a card.
    Follow,
    /// The other side draws a card.
    FollowDraw,
    /// The side that has just moved has won: the side to move has no piece left to name as Defender (R32).
    NobodyToCall,
    /// The side that has just moved has won: the king was Defender and the wicket was taken (R53).
    WicketOfKing,
}

/// The role of the piece that a move has captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Captured {
    /// No piece, or one without a role.
    NoRole,
    /// The piece with the other side's ball.
    Carrier,
    /// The other side's Defender.
    Defender,
}

/// What the turn in progress remembers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The decision that comes next.
    pub phase: Phase,
    /// The cell of the moved piece; after castling, that of the piece of the pair with the ball.
    pub at: u8,
    /// The cell of the other piece of a castling pair, if the ball may start from there too (R47).
    pub partner: u8,
    /// The role of the captured piece.
    pub captured: Captured,
    /// True when the moved piece carried the ball before the move (R11).
    pub may_throw: bool,
    /// The cell of a pawn that has just made its double step.
    pub double_step: u8,
    /// True when the turn resets the 50-move counter (R72).
    pub resets: bool,
    /// True when the other side or chance has acted since the mover's last decision, so that declining is
    /// written.
    pub answered: bool,
    /// True when a wicket was taken in this turn, after which the turn ends.
    pub taken: bool,
    /// True during the second attempt at the wicket (R67, R68).
    pub second: bool,
    /// True when the contest goes on after a round of equal cards, so that another card must be played.
    pub drawn_round: bool,
}

impl Turn {
    /// A turn that has not begun.
    pub const FRESH: Self = Self {
        phase: Phase::Move,
        at: NOWHERE,
        partner: NOWHERE,
        captured: Captured::NoRole,
        may_throw: false,
        double_step: NOWHERE,
        resets: false,
        answered: false,
        taken: false,
        second: false,
        drawn_round: false,
    };

    /// A key of the whole turn; 0 for a turn that has not begun.
    #[inline]
    fn key(&self) -> u64 {
        if self.phase == Phase::Move {
            return 0;
        }
        let flags = [self.may_throw, self.resets, self.answered, self.taken, self.second, self.drawn_round];
        let bytes = [self.phase as u8, self.at, self.partner, self.captured as u8, self.double_step];
        let packed = flags.iter().fold(0, |sum, &flag| sum << 1 | u64::from(flag));
        key_for(0x5750, bytes.iter().fold(packed, |sum, &byte| sum << 8 | u64::from(byte)))
    }
}

/// The state of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) board: Board,
    pub(super) turn: Turn,
    /// Turns since the last one that cannot be undone (R72).
    pub(super) half_moves: u16,
    /// The move number, one for White's and Black's turn together.
    pub(super) number: u16,
    pub(super) no_seal: bool,
    pub(super) mode: Mode,
    /// The cards; `None` in games without them.
    pub(super) cards: Option<Cards>,
}

impl State {
    /// The side that moves in this turn, and the other side.
    #[inline]
    pub(super) const fn sides(&self) -> (Color, Color) {
        let us = self.board.side();
        (us, us.other())
    }

    /// Moves a piece, with capture, promotion, picking up the ball and castling. The next phase of the turn
    /// is not settled yet.
    #[inline]
    pub(super) fn carry(&mut self, from: u8, to: u8, promotion: Option<Kind>) {
        let (us, them) = self.sides();
        let board = &mut self.board;
        let Some(piece) = board.piece_at(from) else { return };
        let mut turn = Turn { at: to, ..Turn::FRESH };
        let carrier = board.ball(us) == from;
        turn.may_throw = carrier;
        let pawn = piece.kind == Kind::Pawn;
        turn.resets = pawn;
        let passed = board.en_passant();
        if passed != NOWHERE {
            board.set_en_passant(NOWHERE);
        }
        let victim_at = if pawn && to == passed { to ^ 8 } else { to };
        if let Some(victim) = board.piece_at(victim_at) {
            board.take(victim, victim_at);
            board.touch(victim_at);
            turn.resets = true;
            if board.ball(them) == victim_at {
                turn.captured = Captured::Carrier;
                board.set_ball(them, NOWHERE);
            } else if board.defender(them) == victim_at {
                turn.captured = Captured::Defender;
                board.set_defender(them, NOWHERE);
            }
        }
        board.touch(from);
        board.take(piece, from);
        board.put(Piece { kind: promotion.unwrap_or(piece.kind), ..piece }, to);
        // A loose ball of ours on `to` needs no update: it is carried because one of our pieces is there
        // (R21).
        if carrier {
            board.set_ball(us, to);
        }
        if board.defender(us) == from {
            board.set_defender(us, to);
        }
        if pawn && from.abs_diff(to) == 16 {
            turn.double_step = to;
        } else if piece.kind == Kind::King && from.abs_diff(to) == 2 {
            self.castle_rook(&mut turn, from, to);
        }
        self.turn = turn;
    }

    /// Moves the castling rook, and decides which of the two may throw (R47).
    fn castle_rook(&mut self, turn: &mut Turn, from: u8, to: u8) {
        let (us, _) = self.sides();
        let (corner, beside) = if to > from { (from + 3, from + 1) } else { (from - 4, from - 1) };
        let rook = Piece { side: us, kind: Kind::Rook };
        self.board.take(rook, corner);
        self.board.put(rook, beside);
        if self.board.defender(us) == corner {
            self.board.set_defender(us, beside);
        }
        let rook_carried = self.board.ball(us) == corner;
        if rook_carried {
            self.board.set_ball(us, beside);
            turn.may_throw = true;
        }
        let (carrier, other) = if rook_carried { (beside, to) } else { (to, beside) };
        turn.at = carrier;
        if self.board.defender(us) != other {
            turn.partner = other;
        }
    }

    /// Settles which decision follows a move.
    #[inline]
    pub(super) fn settle(&mut self) {
        match self.turn.captured {
            Captured::NoRole => self.open_throw(),
            Captured::Carrier => self.turn.phase = Phase::Place,
            Captured::Defender => self.open_call(),
        }
    }

    /// Opens the call after the other side has lost its Defender: it names another, or has lost (R30, R32).
    pub(super) fn open_call(&mut self) {
        let (_, them) = self.sides();
        if self.board.callable(them) == 0 {
            self.end_game(Phase::NobodyToCall);
        } else {
            self.turn.phase = Phase::Call;
        }
    }

    /// Ends the game and the turn: the mover has won in the middle of it.
    pub(super) fn end_game(&mut self, won: Phase) {
        self.end_turn();
        self.turn.phase = won;
    }

    /// Lets the mover throw, if the rules allow it and there is a target; otherwise ends the turn.
    #[inline]
    pub(super) fn open_throw(&mut self) {
        if self.turn.may_throw && self.throws() != 0 {
            self.turn.phase = Phase::Throw;
        } else {
            self.end_turn();
        }
    }

    /// Takes a piece of either side off the board (R49, R53, R54).
    pub(super) fn remove(&mut self, cell: u8) {
        if let Some(piece) = self.board.piece_at(cell) {
            self.board.take(piece, cell);
            self.board.touch(cell);
            self.turn.resets = true;
        }
    }

    /// Ends the turn: updates the counters, the en passant square and the side to move.
    #[inline]
    pub(super) fn end_turn(&mut self) {
        let (us, them) = self.sides();
        let stepped = self.turn.double_step;
        if stepped != NOWHERE {
            let passed = if us == Color::White { stepped - 8 } else { stepped + 8 };
            let file = stepped & 7;
            let left = if file > 0 { bit(stepped - 1) } else { 0 };
            let right = if file < 7 { bit(stepped + 1) } else { 0 };
            // R48, R73: the pawn is still there, the square behind it is empty, and an enemy pawn stands
            // ready.
            if self.board.pieces_of(us, Kind::Pawn) & bit(stepped) != 0
                && self.board.occupied() & bit(passed) == 0
                && self.board.pieces_of(them, Kind::Pawn) & (left | right) != 0
            {
                self.board.set_en_passant(passed);
            }
        }
        self.half_moves = if self.turn.resets { 0 } else { self.half_moves.saturating_add(1) };
        if us == Color::Black {
            self.number = self.number.saturating_add(1);
        }
        self.board.pass_turn();
        self.turn = Turn::FRESH;
        if let Some(cards) = &mut self.cards {
            cards.end_turn();
        }
    }
}

impl Game for State {
    type Decision = Choice;

    fn actor(&self) -> Actor {
        let (us, them) = self.sides();
        match self.turn.phase {
            Phase::Move | Phase::Place | Phase::Throw | Phase::Sacrifice | Phase::Lead => Actor::Player(us),
            Phase::Call | Phase::Follow => Actor::Player(them),
            Phase::Roll | Phase::LeadDraw | Phase::FollowDraw => Actor::Chance,
            Phase::NobodyToCall | Phase::WicketOfKing => Actor::Nobody,
        }
    }

    #[inline]
    fn ending(&self, stuck: bool) -> Option<Outcome> {
        let (us, them) = self.sides();
        match self.turn.phase {
            Phase::NobodyToCall => Some(Outcome::win(them, "R32", "no piece is left to be Defender")),
            Phase::WicketOfKing => Some(Outcome::win(them, "R53", "wicket taken from a king as Defender")),
            _ if stuck && !self.board.is_safe(us) => Some(Outcome::win(them, "R45", "checkmate")),
            Phase::Move if self.half_moves >= FIFTY_MOVES => Some(Outcome::draw("R71", "50-move rule")),
            _ => stuck.then_some(Outcome::draw("R45", "stalemate")),
        }
    }

    fn decisions(&self, wanted: GenType, list: &mut Decisions<Choice>) {
        self.list_decisions(wanted, list);
    }

    fn count(&self) -> u64 {
        self.count_decisions()
    }

    fn apply(&mut self, decision: Choice) {
        let (us, them) = self.sides();
        match decision.said() {
            Said::Move { from, to, promotion } => {
                self.carry(from, to, promotion);
                self.settle();
            }
            Said::Place(cell) => {
                self.board.set_ball(them, cell);
                self.open_throw();
            }
            Said::Call(cell) => {
                self.board.set_defender(them, cell);
                self.turn.answered = true;
                // R53: nothing follows a taken wicket. R33: after a capture the mover may still throw.
                if self.turn.taken { self.end_turn() } else { self.open_throw() }
            }
            Said::Throw(cell) => {
                self.turn.answered = false;
                let attempts = cell == wicket(them) && !self.board.is_piece(us, cell);
                self.board.set_ball(us, cell);
                // R16: a pass to a piece in the wicket is no attempt.
                if attempts { self.attempt() } else { self.end_turn() }
            }
            Said::Decline => self.end_turn(),
            Said::Roll(face) => self.roll(face),
            Said::Sacrifice(set) => {
                self.turn.answered = false;
                self.sacrifice(set);
            }
            Said::Play(number) => self.play(number),
            Said::Draw(number) => self.draw(number),
        }
    }

    fn key(&self) -> u64 {
        self.board.key() ^ self.turn.key() ^ self.cards.as_ref().map_or(0, |cards| cards.key())
    }

    fn between_turns(&self) -> bool {
        self.turn.phase == Phase::Move
    }
}

impl Chance for State {
    fn outcomes(&self, list: &mut ChanceOutcomes<Choice>) {
        if self.turn.phase == Phase::Roll {
            let cases = [FAILING_FACE, WINNING_FACE].into_iter().zip(self.weights());
            let cases = cases.filter(|&(_, weight)| weight > 0);
            list.extend(cases.map(|(face, weight)| (Choice::new(Said::Roll(face)), weight)));
        } else {
            let mut draws = Decisions::new();
            self.later_decisions(&mut draws);
            list.extend(draws.into_iter().map(|draw| (draw, 1)));
        }
    }
}

impl Hidden for State {
    fn view(&self, viewer: Color) -> Self {
        Self { cards: self.cards.map(|cards| cards.view(viewer)), ..*self }
    }

    fn deal(&self) -> Option<Deal> {
        self.cards.as_ref().map(Cards::deal)
    }

    fn sample(&self, rng: &mut Rng) -> Self {
        Self { cards: self.cards.map(|cards| cards.sample(rng)), ..*self }
    }

    /// A deal would let the search know cards that no player knows. So chance decides contests, unless a
    /// player whose hand is hidden is about to choose a card.
    fn for_search(&self, rng: &mut Rng) -> Self {
        let (us, them) = self.sides();
        let chooses = match self.turn.phase {
            Phase::Lead => Some(us),
            Phase::Follow => Some(them),
            _ => None,
        };
        let knows_its_hand = |cards: &Cards| chooses.is_none_or(|side| cards.is_known(side));
        let hides_a_hand = |cards: &Cards| !(cards.is_known(us) && cards.is_known(them));
        match self.cards.filter(|cards| hides_a_hand(cards) && knows_its_hand(cards)) {
            Some(cards) => Self { cards: Some(cards.left_to_chance()), ..*self },
            None => self.sample(rng),
        }
    }

    fn reshuffled(&self, now: &Self, rng: &mut Rng) -> Option<Self> {
        let (cards, left) = self.cards.zip(now.cards)?;
        Some(Self { cards: Some(cards.reshuffled(&left, rng)), ..*self })
    }
}

impl Repetition for State {
    const THIRD_OCCURRENCE: Option<Outcome> = Some(Outcome::draw("R71", "third occurrence of the position"));

    /// R73: the board with roles and rights, but not the cards.
    fn repetition(&self) -> Option<RepetitionKey> {
        self.between_turns().then(|| RepetitionKey { key: self.board.key(), span: self.half_moves.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use crate::game::{Notation, Rules, playout};

    #[test]
    fn keys_are_those_of_the_same_state_made_anew_in_the_middle_of_a_turn_too() {
        for facts in State::GAMES {
            let (mut within, mut rng) = (0, Rng::new(11));
            for _ in 0..12 {
                playout(State::start(&Rules::of(facts)), &mut rng, 400, |record, list| {
                    for &choice in list {
                        let mut after = *record.now();
                        after.apply(choice);
                        assert_eq!(after.board.key(), after.board.key_from_nothing(), "{choice:?}");
                        if let Some(cards) = &after.cards {
                            assert_eq!(cards.key(), cards.key_from_nothing(), "{choice:?}");
                        }
                        within += usize::from(!after.between_turns());
                    }
                });
            }
            assert!(within > 1000, "{}: {within}", facts.name);
        }
    }
}
