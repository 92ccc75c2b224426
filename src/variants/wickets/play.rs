//! The contract of a game, carried out.

use super::board::Kind;
use super::cards::Cards;
use super::cells::{Cells, one, wicket};
use super::choice::{Choice, Said};
use super::decide::{FAILING_FACE, WINNING_FACE};
use super::moves::Sink;
use super::state::{Phase, State};
use crate::base::{Bits, Color, Rng};
use crate::game::{Actor, Decisions, Game, Outcome, Repetition, Wanted};
use std::sync::atomic::AtomicBool;

/// 50 moves by each side (R71).
const FIFTY_MOVES: u16 = 100;

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

/// Counts decisions.
struct Number(u64);

impl Sink for Number {
    fn turns(&mut self, _: u8, targets: u64) {
        self.0 += u64::from(targets.count_ones());
    }
    fn promotions(&mut self, _: u8, targets: u64) {
        self.0 += 4 * u64::from(targets.count_ones());
    }
    fn opens(&mut self, _: Choice, _: State) {
        self.0 += 1;
    }
}

/// Counts complete turns.
struct Turns(u64);

impl Sink for Turns {
    #[inline]
    fn turns(&mut self, _: u8, targets: u64) {
        self.0 += u64::from(targets.count_ones());
    }
    #[inline]
    fn promotions(&mut self, _: u8, targets: u64) {
        self.0 += 4 * u64::from(targets.count_ones());
    }
    fn opens(&mut self, _: Choice, mut after: State) {
        after.settle();
        self.0 += after.rest_of_turn();
    }
}

/// Moves of interest to a quiescence search.
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
    /// How many ways there are to complete the turn in progress; 1 when it is complete.
    fn rest_of_turn(&self) -> u64 {
        match self.turn.phase {
            Phase::Move | Phase::NobodyToCall | Phase::WicketOfKing => 1,
            Phase::Throw => {
                let goal = one(wicket(self.board.side().other()));
                let throws = self.throws();
                let hold = u64::from(self.may_hold());
                let quiet = u64::from((throws & !goal).count_ones()) + hold;
                if throws & goal == 0 {
                    quiet
                } else {
                    let mut attempt = *self;
                    attempt.apply(Choice::new(Said::Throw(wicket(self.board.side().other()))));
                    quiet + attempt.rest_of_turn()
                }
            }
            _ => {
                let mut list = Decisions::new();
                self.branches(&mut list);
                let after = |&choice: &Choice| {
                    let mut next = *self;
                    next.apply(choice);
                    next.rest_of_turn()
                };
                list.iter().map(after).sum()
            }
        }
    }

    /// The mover's king is safe without a throw.
    fn may_hold(&self) -> bool {
        self.board.is_safe(self.board.side())
    }

    /// The decisions of all phases but the first.
    fn later_decisions(&self, list: &mut Decisions<Choice>) {
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

    fn decided(&self) -> Option<Outcome> {
        let (_, them) = self.sides();
        match self.turn.phase {
            Phase::NobodyToCall => Some(Outcome::win(them, "R32", "no piece is left to be Defender")),
            Phase::WicketOfKing => Some(Outcome::win(them, "R53", "wicket taken from a king as Defender")),
            Phase::Move if self.half_moves >= FIFTY_MOVES => Some(Outcome::draw("R71", "50-move rule")),
            _ => None,
        }
    }

    fn stuck(&self) -> Outcome {
        let us = self.board.side();
        if self.board.is_safe(us) {
            Outcome::draw("R45", "stalemate")
        } else {
            Outcome::win(us.other(), "R45", "checkmate")
        }
    }

    fn decisions(&self, wanted: Wanted, list: &mut Decisions<Choice>) {
        let (us, them) = self.sides();
        let all = wanted == Wanted::All || !self.board.is_safe(us);
        match self.turn.phase {
            Phase::Move if all => self.find_moves(&mut List(list)),
            Phase::Move => {
                let prey = self.board.all_men(them);
                let goal = one(wicket(them));
                self.find_moves(&mut Loud { list, prey, goal });
            }
            _ if wanted == Wanted::All => self.later_decisions(list),
            // A player who is content with the board as it is may leave it so; what is loud is to win at once.
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

    fn count(&self) -> u64 {
        if self.turn.phase == Phase::Move {
            let mut number = Number(0);
            self.find_moves(&mut number);
            return number.0;
        }
        let mut list = Decisions::new();
        self.later_decisions(&mut list);
        list.len() as u64
    }

    /// A contest with cards may go on for ever, equal round after equal round; it counts as its two results, as a die
    /// does.
    fn branches(&self, list: &mut Decisions<Choice>) {
        if self.turn.phase != Phase::Lead {
            return self.decisions(Wanted::All, list);
        }
        list.extend([FAILING_FACE, WINNING_FACE].map(|face| Choice::new(Said::Roll(face))));
        if self.may_stop() {
            list.push(Choice::DECLINE);
        }
    }

    fn count_turns(&self) -> u64 {
        if self.turn.phase != Phase::Move {
            return self.rest_of_turn();
        }
        let mut turns = Turns(0);
        self.find_moves(&mut turns);
        turns.0
    }

    fn count_turns_until(&self, _stop: &AtomicBool) -> Option<u64> {
        Some(self.count_turns())
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
                let attempts = cell == wicket(them) && !self.board.is_man(us, cell);
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
        self.whole_key()
    }

    fn fresh_key(&self) -> u64 {
        self.whole_fresh_key()
    }

    fn between_turns(&self) -> bool {
        self.turn.phase == Phase::Move
    }

    fn repetition(&self) -> Option<Repetition> {
        // R73: the board with roles and rights; not the cards.
        self.between_turns().then(|| Repetition { key: self.board.key(), span: self.half_moves.into() })
    }

    fn on_occurrence(&mut self, times: u32) -> Option<Outcome> {
        (times >= 3).then(|| Outcome::draw("R71", "third occurrence of the position"))
    }

    fn weight(&self, decision: Choice) -> u32 {
        match decision.said() {
            Said::Roll(FAILING_FACE) => u32::from(self.winning_from()) - 1,
            Said::Roll(WINNING_FACE) => 7 - u32::from(self.winning_from()),
            _ => 1,
        }
    }

    fn view(&self, viewer: Color) -> Self {
        let mut seen = *self;
        if let Some(cards) = &mut seen.cards {
            *cards = cards.view(viewer);
        }
        seen
    }

    fn sample(&self, rng: &mut Rng) -> Self {
        let mut full = *self;
        if let Some(cards) = &mut full.cards {
            *cards = cards.sample(rng);
        }
        full
    }
}
