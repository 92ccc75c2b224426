//! The state of a game (R7) and the course of turns (R9 to R11, section 7 of the rules).

use super::board::Board;
use super::decision::{Deed, Step};
use super::field::{enemy_goal, has};
use super::movegen::{Which, range, reach};
use super::penalty;
use crate::base::{Color, MIX, key_for, key_table};
use crate::game::{Actor, Chance, Decisions, Game, GenType, Hidden, Outcome, Repetition, RepetitionKey};

/// The number of steps in a turn (R9).
pub(super) const STEPS: u8 = 4;
/// The number of steps in White's first turn (R10).
pub(super) const FIRST_STEPS: u8 = 2;
/// After this many turns of each side the game is drawn (O12).
pub(super) const MOST_TURNS: u16 = 200;
/// From this turn on the turn number is part of the key.
const LATE_TURN: u16 = MOST_TURNS - 10;

static STEPS_LEFT_KEYS: [u64; 8] = key_table(3);
const BLACK_KEY: u64 = key_for(4, 0);
const PENALTY_KEY: u64 = key_for(4, 1);
const RED_CARD_KEY: u64 = key_for(4, 2);
const OVER_KEY: u64 = key_for(4, 3);

/// A state of the game, between turns or in the middle of one.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) board: Board,
    /// The board when the turn began (R11).
    pub(super) start: Board,
    pub(super) side: Color,
    /// The number of steps made in this turn.
    pub(super) used: u8,
    /// The number of steps this turn still allows.
    pub(super) left: u8,
    /// True while the right of R33 is open.
    pub(super) penalty: bool,
    /// True when the switch `red-card` is on (R37).
    pub(super) red_card: bool,
    over: bool,
    /// True when a piece was captured in this turn.
    captured: bool,
    /// True when a piece left the board in this turn, captured or sent off.
    thinned: bool,
    /// The turn number, counted for each side, the present turn included: 1 at the start.
    pub(super) turn: u16,
    /// Single turns since the last capture.
    pub(super) quiet: u16,
    /// Single turns since a piece last left the board, as far as known here: how far back a position can
    /// recur.
    span: u16,
}

impl State {
    /// The position at the start of a turn.
    pub(super) fn new(board: Board, side: Color, steps: u8, red_card: bool, quiet: u16, turn: u16) -> Self {
        Self {
            board,
            start: board,
            side,
            used: 0,
            left: steps,
            penalty: red_card && penalty::is_due(&board, side),
            red_card,
            over: false,
            captured: false,
            thinned: false,
            turn,
            quiet,
            span: 0,
        }
    }

    /// The number of steps the present turn allows in all.
    pub(super) const fn steps_allowed(&self) -> u8 {
        self.used + self.left
    }

    /// R9, R11: true when the turn may end here.
    fn may_stop(&self) -> bool {
        self.used > 0 && self.board != self.start
    }

    /// True when the only choice left is to stop, so that the turn ends by itself. This is rare: of two
    /// moves, or of the shots of a piece that has the Ball, R11 takes away one at most.
    #[inline]
    fn must_stop(&self) -> bool {
        !self.board.controls(self.side)
            && !self.board.has_two_moves(self.side)
            && self.may_stop()
            && self.count() == 1
    }

    /// R11: true when `step` would end the turn where it began. Only the last step can: after any other there
    /// is still a step that changes something.
    pub(super) fn undoes(&self, step: Step) -> bool {
        if self.left != 1 || step == Step::STOP {
            return false;
        }
        let mut after = self.board;
        after.carry_out(self.side, step);
        after == self.start
    }

    /// A quick test: when false, no single step leads back to the start of the turn.
    #[inline]
    fn may_undo(&self) -> bool {
        self.left == 1
            && self.board.pieces(!self.side) == self.start.pieces(!self.side)
            && (self.board.pieces(self.side) ^ self.start.pieces(self.side)).count_ones() <= 2
    }

    /// R11 for a list of steps: removes those that would end the turn where it began.
    fn drop_undoing(&self, list: &mut Decisions<Step>) {
        let moved = self.board.pieces(self.side) ^ self.start.pieces(self.side);
        list.retain(|step| match step.deed() {
            Deed::Go { from, to } | Deed::Leave { from, to } => {
                !(has(moved, from) && has(moved, to) && self.undoes(*step))
            }
            Deed::Shoot { to, .. } => !(moved == 0 && to == self.start.ball() && self.undoes(*step)),
            Deed::SendOff(_) | Deed::Stop => true,
        });
    }

    fn end_turn(&mut self) {
        self.quiet = if self.captured { 0 } else { self.quiet.saturating_add(1) };
        self.span = if self.thinned { 0 } else { self.span.saturating_add(1) };
        if self.side == Color::Black {
            self.turn = self.turn.saturating_add(1);
        }
        self.side = !self.side;
        self.start = self.board;
        self.used = 0;
        self.left = STEPS;
        self.captured = false;
        self.thinned = false;
        // R34: judged afresh at the start of every turn; O7: and only there.
        self.penalty = self.red_card && penalty::is_due(&self.board, self.side);
    }

    /// True before the last step of a turn when the other player could score with the first step of the next
    /// turn.
    pub(super) fn must_answer(&self) -> bool {
        !self.over && self.left == 1 && self.scores_in_one(!self.side)
    }

    /// True when `step`, the last of its turn, wins or leaves the other player without a goal in one step.
    fn answers(&self, step: Step) -> bool {
        let mut after = self.clone();
        after.apply(step);
        if after.over { after.board.winner() == Some(self.side) } else { !after.scores_in_one(!self.side) }
    }

    /// True when `color`, if to move, could bring the Ball into the enemy's goal with a single step.
    pub(super) fn scores_in_one(&self, color: Color) -> bool {
        let board = &self.board;
        if !board.controls(color) {
            return false;
        }
        let kind = board.kind_of(color, board.ball());
        let goal = enemy_goal(color);
        let shots = range(color, kind, board.ball()) & !board.monkeys();
        let carries = reach(color, kind, board.ball(), board.occupied()) & !board.occupied();
        (shots | carries) & goal != 0
    }
}

impl Game for State {
    type Decision = Step;

    fn actor(&self) -> Actor {
        if self.over { Actor::Nobody } else { Actor::Player(self.side) }
    }

    #[inline]
    fn ending(&self, stuck: bool) -> Option<Outcome> {
        if self.over {
            // The turn that brought the Ball there has ended, so the other side is to move.
            return self.board.winner().map(|winner| {
                let reasons = if winner == self.side {
                    ["Black brought the ball into its own goal", "White brought the ball into its own goal"]
                } else {
                    ["White brought the ball into the goal", "Black brought the ball into the goal"]
                };
                Outcome::win_of(winner, "R26", reasons)
            });
        }
        if stuck {
            let reasons = ["Black has no legal turn", "White has no legal turn"];
            return Some(Outcome::win_of(!self.side, "O11", reasons));
        }
        (self.turn > MOST_TURNS).then_some(Outcome::draw("O12", "200 turns of each side"))
    }

    fn decisions(&self, wanted: GenType, list: &mut Decisions<Step>) {
        if self.over {
            return;
        }
        let answers_only = wanted == GenType::Noisy && self.must_answer();
        let all = wanted == GenType::All || answers_only;
        let which = if all { Which::All } else { Which::Sharp };
        self.board.each_step(self.side, self.penalty, which, |step| list.push(step));
        if all && self.may_stop() {
            list.push(Step::STOP);
        }
        if self.may_undo() {
            self.drop_undoing(list);
        }
        if answers_only {
            list.retain(|step| self.answers(*step));
        }
    }

    fn count(&self) -> u64 {
        if self.over {
            return 0;
        }
        if self.may_undo() {
            let mut list = Decisions::new();
            self.decisions(GenType::All, &mut list);
            return list.len() as u64;
        }
        self.board.count_steps(self.side, self.penalty) + u64::from(self.may_stop())
    }

    fn apply(&mut self, step: Step) {
        if step == Step::STOP {
            self.end_turn();
            return;
        }
        let captured = self.board.carry_out(self.side, step);
        self.used += 1;
        self.left -= 1;
        self.captured |= captured;
        self.thinned |= captured;
        if let Deed::SendOff(_) = step.deed() {
            self.thinned = true;
            self.penalty = false;
        }
        self.over = self.board.winner().is_some();
        if self.over || self.left == 0 || self.must_stop() {
            self.end_turn();
        }
    }

    fn key(&self) -> u64 {
        if self.over {
            return self.board.key() ^ OVER_KEY;
        }
        let mut key = self.board.key() ^ STEPS_LEFT_KEYS[usize::from(self.left & 7)];
        if self.side == Color::Black {
            key ^= BLACK_KEY;
        }
        if self.penalty {
            key ^= PENALTY_KEY;
        }
        if self.red_card {
            key ^= RED_CARD_KEY;
        }
        if self.used > 0 {
            // What may follow depends on where the turn began (R11).
            key ^= (self.start.key() ^ OVER_KEY).wrapping_mul(MIX).rotate_left(29);
        }
        if self.turn > LATE_TURN {
            key ^= key_for(5, u64::from(self.turn));
        }
        key
    }

    fn between_turns(&self) -> bool {
        self.over || self.used == 0
    }
}

impl Chance for State {}
impl Hidden for State {}

impl Repetition for State {
    const THIRD_OCCURRENCE: Option<Outcome> = Some(Outcome::draw("O12", "third occurrence of the position"));

    fn repetition(&self) -> Option<RepetitionKey> {
        // O12: White's first turn never counts.
        let counts = !self.over && self.used == 0 && self.left == STEPS;
        counts.then(|| {
            let side = if self.side == Color::Black { BLACK_KEY } else { 0 };
            RepetitionKey { key: self.board.key() ^ side, span: u32::from(self.span) }
        })
    }
}

// Copied at every step.
const _: () = assert!(size_of::<State>() <= 192);
