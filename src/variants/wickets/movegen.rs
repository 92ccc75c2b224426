//! The first decision of a turn: moving a piece.
//!
//! A move that touches no role is a complete turn. It is judged by pins and checks as in chess, and such
//! moves are handed over as sets of squares. Any other move is carried out on a copy, because what follows it
//! (a ball put down or thrown) may block a check (R42, R44). These are moves that carry the ball, capture the
//! enemy's ball carrier or Defender, castle with the ball, capture en passant, or enter or leave a wicket.

use super::board::{Kind, Piece, long, short};
use super::cards::Cards;
use super::cells::{BETWEEN, Cells, KING_STEPS, NOWHERE, PAWN_ATTACKS, bit, is_wicket, one, wicket};
use super::decide::{FAILING_FACE, WINNING_FACE};
use super::decision::{Choice, Said};
use super::state::{Phase, State};
use crate::base::{Bits, Color};
use crate::game::{Decisions, GenType};

/// Receives the moves as they are found.
pub(super) trait Sink {
    /// Receives moves of the piece on `from` to each square of `targets`, each a complete and legal turn.
    fn turns(&mut self, from: u8, targets: u64);
    /// The same for a pawn that reaches the last rank: four turns for each target.
    fn promotions(&mut self, from: u8, targets: u64);
    /// Receives a move that can be completed legally, and the state after it, not settled yet.
    fn opens(&mut self, choice: Choice, after: State);
    /// The squares of the 8x8 part that are of interest.
    fn wanted(&self) -> u64 {
        u64::MAX
    }
}

/// The data that stays the same while the moves of one position are found.
struct Search<'a> {
    state: &'a State,
    us: Color,
    occupied: u64,
    /// Squares that our pieces may not enter: own pieces, the other side's ball, the other king (R9, R41).
    barred: u64,
    /// The squares of the other side's ball carrier and Defender.
    roles: u64,
    defender: u8,
    carrier: u8,
    own_ball: u64,
}

impl State {
    /// Finds every legal move.
    pub(super) fn find_moves(&self, sink: &mut impl Sink) {
        let (us, them) = self.sides();
        let board = &self.board;
        let carrier = board.ball_carrier(us);
        let search = Search {
            state: self,
            us,
            occupied: board.occupied(),
            barred: board.pieces(us) | bit(board.loose(them)) | bit(board.king(them)),
            roles: bit(board.ball_carrier(them)) | bit(board.defender(them)),
            defender: board.defender(us),
            carrier,
            own_ball: if carrier == NOWHERE { bit(board.ball(us)) } else { 0 },
        };
        search.run(sink);
    }
}

impl Search<'_> {
    #[inline]
    fn run(&self, sink: &mut impl Sink) {
        let board = &self.state.board;
        let king = board.king(self.us);
        let danger = board.danger(self.us);
        let answers = danger.answers(king);
        let wanted = sink.wanted();
        let plain = board.pieces(self.us) & !bit(self.carrier) & !bit(king);
        for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
            let piece = Piece { side: self.us, kind };
            for from in Bits(plain & board.pieces_of(self.us, kind)) {
                let reached = board.attacks(piece, from, self.occupied) & !self.no_go(from) & wanted;
                for to in Bits(reached & self.roles) {
                    self.try_move(sink, from, to, None);
                }
                let targets = reached & !self.roles & answers & danger.ray(from);
                if targets != 0 {
                    sink.turns(from, targets);
                }
            }
        }
        for from in Bits(plain & board.pieces_of(self.us, Kind::Pawn)) {
            let reached = self.pawn_targets(from) & wanted;
            let singled = reached & (self.roles | self.passed_square());
            for to in Bits(singled) {
                self.try_pawn(sink, from, to);
            }
            let targets = reached & !singled & answers & danger.ray(from);
            if targets != 0 {
                if targets & LAST_RANKS == 0 {
                    sink.turns(from, targets)
                } else {
                    sink.promotions(from, targets)
                }
            }
        }
        self.king_moves(sink, king, wanted);
        if danger.checkers == 0 && board.castling() != 0 {
            self.castling(sink, wanted);
        }
        self.carrier_moves(sink, wanted);
        self.wicket_moves(sink, wanted);
    }

    /// The squares of the 8x8 part that the piece on `from` may not enter; a Defender takes no ball (R22).
    #[inline]
    fn no_go(&self, from: u8) -> u64 {
        if from == self.defender { self.barred | self.own_ball } else { self.barred }
    }

    fn passed_square(&self) -> u64 {
        bit(self.state.board.en_passant())
    }

    #[inline]
    fn pawn_targets(&self, from: u8) -> u64 {
        let board = &self.state.board;
        let free = !self.occupied;
        let square = bit(from);
        let pushes = if self.us == Color::White {
            let one = square << 8 & free;
            one | (one & 0xff_0000) << 8 & free
        } else {
            let one = square >> 8 & free;
            one | (one & 0xff00_0000_0000) >> 8 & free
        };
        let prey = board.pieces(self.us.other()) | self.own_ball;
        let captures = PAWN_ATTACKS[self.us.index()][usize::from(from)] & prey & !self.no_go(from);
        let passing = PAWN_ATTACKS[self.us.index()][usize::from(from)] & self.passed_square();
        pushes | captures | passing
    }

    /// Moves of the king on the 8x8 part while it does not carry the ball.
    #[inline]
    fn king_moves(&self, sink: &mut impl Sink, king: u8, wanted: u64) {
        if king == self.carrier || is_wicket(king) {
            return;
        }
        let reached = KING_STEPS[usize::from(king)] & !self.no_go(king) & wanted;
        let without = self.occupied & !bit(king);
        let attacked = |to: u8| self.state.board.attackers(to, self.us.other(), without) != 0;
        let mut safe = 0;
        for to in Bits(reached) {
            if bit(to) & self.roles != 0 {
                self.try_move(sink, king, to, None);
            } else if !attacked(to) {
                safe |= bit(to);
            }
        }
        if safe != 0 {
            sink.turns(king, safe);
        }
    }

    /// R46: the rights, vacant squares, and no attack on start, crossing and arrival. The king is not in
    /// check here.
    fn castling(&self, sink: &mut impl Sink, wanted: u64) {
        let board = &self.state.board;
        let home = if self.us == Color::White { 4_u8 } else { 60 };
        let ways = [(short(self.us), 2_i8), (long(self.us), -2)];
        for (right, step) in ways {
            if board.castling() & right == 0 {
                continue;
            }
            let to = home.wrapping_add_signed(step);
            let crossed = home.wrapping_add_signed(step / 2);
            let corner = if step > 0 { home + 3 } else { home - 4 };
            let attacked = |cell| board.attackers(cell, self.us.other(), self.occupied) != 0;
            let path = BETWEEN[usize::from(home)][usize::from(corner)];
            if path & self.occupied != 0 || attacked(crossed) || attacked(to) || bit(to) & wanted == 0 {
                continue;
            }
            if self.carrier == home || self.carrier == corner {
                self.try_move(sink, home, to, None);
            } else {
                sink.turns(home, bit(to));
            }
        }
    }

    /// Moves on the 8x8 part of the piece with the ball, which may throw afterwards.
    fn carrier_moves(&self, sink: &mut impl Sink, wanted: u64) {
        let from = self.carrier;
        if is_wicket(from) {
            return;
        }
        let Some(piece) = self.state.board.piece_at(from) else { return };
        if piece.kind == Kind::Pawn {
            for to in Bits(self.pawn_targets(from) & wanted) {
                self.try_pawn(sink, from, to);
            }
        } else {
            let reached = self.state.board.attacks(piece, from, self.occupied) & !self.no_go(from);
            for to in Bits(reached & wanted) {
                self.try_move(sink, from, to, None);
            }
        }
    }

    /// Moves into and out of wickets (R17 to R20).
    fn wicket_moves(&self, sink: &mut impl Sink, wanted: u64) {
        let board = &self.state.board;
        let (us, them) = (self.us, self.us.other());
        for from in [64, 65] {
            let Some(piece) = board.piece_at(from).filter(|piece| piece.side == us) else { continue };
            for to in Bits(board.attacks(piece, from, self.occupied) & !self.no_go(from) & wanted) {
                self.try_move(sink, from, to, None);
            }
        }
        // R17: into its own wicket only the Defender; R18: into the other only the piece with the ball.
        self.try_enter(sink, self.defender, wicket(us));
        let goal = wicket(them);
        if self.carrier != NOWHERE {
            self.try_enter(sink, self.carrier, goal);
        } else if board.ball(us) == goal {
            // R19: any piece but the Defender fetches its own side's ball from there.
            for from in Bits(board.pieces(us) & !bit(self.defender)) {
                if board.piece_at(from).is_some_and(|piece| board.reaches_wicket(piece.kind, from, goal)) {
                    self.try_move(sink, from, goal, None);
                }
            }
        }
    }

    fn try_enter(&self, sink: &mut impl Sink, from: u8, to: u8) {
        let board = &self.state.board;
        let Some(piece) = board.piece_at(from) else { return };
        // Any ball bars the way, whichever side it belongs to; fetching one is handled above (R19).
        let open = match board.piece_at(to) {
            Some(other) => other.side != self.us && other.kind != Kind::King,
            None => board.is_vacant(to),
        };
        if open && from != to && board.reaches_wicket(piece.kind, from, to) {
            self.try_move(sink, from, to, None);
        }
    }

    fn try_pawn(&self, sink: &mut impl Sink, from: u8, to: u8) {
        if bit(to) & LAST_RANKS == 0 {
            self.try_move(sink, from, to, None);
        } else {
            for kind in Kind::PROMOTIONS {
                self.try_move(sink, from, to, Some(kind));
            }
        }
    }

    fn try_move(&self, sink: &mut impl Sink, from: u8, to: u8, promotion: Option<Kind>) {
        let mut after = *self.state;
        after.carry(from, to, promotion);
        if after.can_be_completed() {
            let choice = match promotion {
                Some(kind) => Choice::promotion(from, to, kind),
                None => Choice::step(from, to),
            };
            sink.opens(choice, after);
        }
    }
}

/// Ranks 1 and 8.
const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

struct List<'a>(&'a mut Decisions<Choice>);

impl Sink for List<'_> {
    fn turns(&mut self, from: u8, targets: u64) {
        self.0.extend(Bits(targets).map(|to| Choice::step(from, to)));
    }
    fn promotions(&mut self, from: u8, targets: u64) {
        for to in Bits(targets) {
            self.0.extend(Kind::PROMOTIONS.map(|kind| Choice::promotion(from, to, kind)));
        }
    }
    fn opens(&mut self, choice: Choice, _: State) {
        self.0.push(choice);
    }
}

/// Counts moves. Each counts as often as `count` returns for the state after it, which need not be settled
/// yet.
pub(super) struct Count<F> {
    pub sum: u64,
    pub count: F,
}

impl<F: Fn(State) -> u64> Sink for Count<F> {
    #[inline]
    fn turns(&mut self, _: u8, targets: u64) {
        self.sum += u64::from(targets.count_ones());
    }
    #[inline]
    fn promotions(&mut self, _: u8, targets: u64) {
        self.sum += 4 * u64::from(targets.count_ones());
    }
    fn opens(&mut self, _: Choice, after: State) {
        self.sum += (self.count)(after);
    }
}

/// Lists the moves of interest to a quiescence search.
struct Loud<'a> {
    list: &'a mut Decisions<Choice>,
    prey: Cells,
    goal: Cells,
}

impl Sink for Loud<'_> {
    fn turns(&mut self, from: u8, targets: u64) {
        self.list.extend(Bits(targets & self.prey as u64).map(|to| Choice::step(from, to)));
    }
    fn promotions(&mut self, from: u8, targets: u64) {
        self.list.extend(Bits(targets).map(|to| Choice::promotion(from, to, Kind::Queen)));
    }
    fn opens(&mut self, choice: Choice, after: State) {
        let promotes = matches!(choice.said(), Said::Move { promotion: Some(Kind::Queen), .. });
        let captures = matches!(choice.said(), Said::Move { to, .. } if self.prey & one(to) != 0);
        let aims = after.turn.may_throw && after.throws() & self.goal != 0;
        if promotes || captures || aims {
            self.list.push(choice);
        }
    }
}

impl State {
    pub(super) fn list_decisions(&self, wanted: GenType, list: &mut Decisions<Choice>) {
        let (us, them) = self.sides();
        let all = wanted == GenType::All || !self.board.is_safe(us);
        match self.turn.phase {
            Phase::Move if all => self.find_moves(&mut List(list)),
            Phase::Move => {
                let prey = self.board.all_pieces(them);
                let goal = one(wicket(them));
                self.find_moves(&mut Loud { list, prey, goal });
            }
            _ if wanted == GenType::All => self.later_decisions(list),
            // A player who is content with the board may leave it as it is. Only a throw that may win at once
            // counts as noisy.
            Phase::Throw if all => self.later_decisions(list),
            Phase::Throw if self.throws() & one(wicket(them)) != 0 => {
                list.push(Choice::new(Said::Throw(wicket(them))));
            }
            Phase::Sacrifice if self.ends_with_defender() => self.later_decisions(list),
            Phase::Place if all => self.later_decisions(list),
            Phase::Roll | Phase::LeadDraw | Phase::FollowDraw => self.later_decisions(list),
            _ => {}
        }
    }

    pub(super) fn count_decisions(&self) -> u64 {
        if self.turn.phase == Phase::Move {
            let mut moves = Count { sum: 0, count: |_| 1 };
            self.find_moves(&mut moves);
            return moves.sum;
        }
        let mut list = Decisions::new();
        self.later_decisions(&mut list);
        list.len() as u64
    }

    /// True when the mover's king is safe without a throw.
    pub(super) fn may_hold(&self) -> bool {
        self.board.is_safe(self.board.side())
    }

    /// The decisions of all phases but the first.
    pub(super) fn later_decisions(&self, list: &mut Decisions<Choice>) {
        let (us, them) = self.sides();
        let mut cells =
            |cells: Cells, say: fn(u8) -> Said| list.extend(Bits(cells).map(|cell| Choice::new(say(cell))));
        match self.turn.phase {
            Phase::Move | Phase::NobodyToCall | Phase::WicketOfKing => {}
            Phase::Place => cells(self.placements(), Said::Place),
            Phase::Call => cells(self.board.callable(them), Said::Call),
            Phase::Throw => {
                cells(self.throws(), Said::Throw);
                if self.may_hold() {
                    list.push(Choice::DECLINE);
                }
            }
            Phase::Sacrifice => {
                list.push(Choice::DECLINE);
                self.sacrifices(self.price(), |set| {
                    list.push(Choice::new(Said::Sacrifice(set)));
                    false
                });
            }
            Phase::Roll => {
                list.extend([FAILING_FACE, WINNING_FACE].map(|face| Choice::new(Said::Roll(face))))
            }
            Phase::Lead => {
                self.list_cards(us, list);
                if self.may_stop() {
                    list.push(Choice::DECLINE);
                }
            }
            Phase::Follow => self.list_cards(them, list),
            Phase::LeadDraw => self.list_draws(us, list),
            Phase::FollowDraw => self.list_draws(them, list),
        }
    }

    fn list_cards(&self, side: Color, list: &mut Decisions<Choice>) {
        let playable = self.of_cards(|cards| cards.playable(side));
        list.extend(Bits(playable).map(|number| Choice::new(Said::Play(number))));
    }

    fn list_draws(&self, side: Color, list: &mut Decisions<Choice>) {
        let drawable = self.of_cards(|cards| cards.drawable(side));
        if drawable == 0 {
            list.push(Choice::new(Said::Draw(None)));
        }
        list.extend(Bits(drawable).map(|number| Choice::new(Said::Draw(Some(number)))));
    }

    fn of_cards(&self, what: impl Fn(&Cards) -> u64) -> u64 {
        self.cards.as_ref().map_or(0, what)
    }
}
