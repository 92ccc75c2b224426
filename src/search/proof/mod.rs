//! Wins proved by proof numbers (df-pn, A. Nagai 2002), with nothing left out.
//!
//! Where the winner decides, one decision that wins is enough; where the other side decides, every decision
//! must lose. What a position still needs is told by two numbers: how many positions must at least be shown
//! to be won until it is (its proof number), and how many must be shown not to be until it is not (its
//! disproof number). The search goes to where the least is needed.
//!
//! **Repetition.** A position that already stands on the line from the first position counts as not won
//! there. So a proof never rests on the line by which it was found: it holds wherever its position comes up,
//! and may be kept. That a position is *not* won may rest on the line, and is then forgotten with it, unless
//! the repeated position is the position itself or comes after it: the other side can go round for ever, in
//! any game that is drawn then. (The interaction of the past and the table of numbers: A. Kishimoto,
//! M. Müller 2004.)

mod numbers;
mod record;
mod shortest;
mod table;

use super::TableError;
use crate::base::Color;
use crate::game::winning::{Winning, identity};
use crate::game::{Actor, Decisions, Evaluation, GenType, TableValue};
use numbers::{INFINITE, NEVER, Numbers};
pub use record::ProvedStep;
pub use shortest::{MOST_DECISIONS, ShortestWin};
use table::NumberTable;

/// No line is followed further than this.
const LONGEST_LINE: usize = 1_000;

/// What a search found out.
#[derive(Debug)]
pub enum Verdict<G: Evaluation> {
    /// The winner wins by force, within so many decisions of both players. The steps are those positions of
    /// the winner that are not known yet, each after the positions it leads to; where a decision wins at once
    /// there is no step.
    Won(u32, Vec<ProvedStep<G>>),
    /// The other side can avoid it for ever.
    NotWon,
    /// It would take more positions, or rests on a rule that a proof cannot rest on: what a repetition or a
    /// counter does.
    Open,
}

/// Searches for proofs, one position after the other.
pub struct Prover<G: Evaluation> {
    winner: Color,
    table: NumberTable,
    /// Positions searched since the last one was begun, and the most that are allowed.
    nodes: u64,
    most: u64,
    /// The most decisions from the first position of a line.
    longest: usize,
    /// The identities of the positions on the line.
    line: Vec<u64>,
    /// The children of all positions on the line.
    children: Vec<Child<G::Decision>>,
    /// What is known of each of them.
    numbers: Vec<Numbers>,
}

/// A position one decision ahead.
#[derive(Clone, Copy)]
struct Child<D> {
    decision: D,
    position: u64,
}

impl<G: Evaluation> Prover<G> {
    /// A prover for wins of `winner`, with a table of numbers of so many mebibytes.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(winner: Color, megabytes: usize) -> Result<Self, TableError> {
        Ok(Self {
            winner,
            table: NumberTable::new(megabytes)?,
            nodes: 0,
            most: 0,
            longest: 0,
            line: Vec::new(),
            children: Vec::new(),
            numbers: Vec::new(),
        })
    }

    /// How many positions the last proof took.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks whether `state`, as the first position of a game, is won, searching at most `nodes` positions.
    /// What is `known`, also from endgame tables, is not searched. The search goes on from what earlier ones left
    /// in the table, so the result depends on them; a position with room for fewer decisions than the one before
    /// it begins with an empty table.
    pub fn prove(&mut self, state: &G, known: &Winning<'_, G::Decision>, nodes: u64) -> Verdict<G> {
        (self.nodes, self.most) = (0, nodes);
        // A counter never strikes in what is searched: positions are told apart without it.
        let room = state.counter_room().map_or(LONGEST_LINE, |room| room as usize);
        let before = std::mem::replace(&mut self.longest, LONGEST_LINE.min(room));
        if self.longest < before {
            // What was proved with more room may take too long now.
            self.table.forget();
        }
        let found = self.search(state, known);
        if found.is_proved() {
            self.record(state, known).unwrap_or(Verdict::Open)
        } else if found == Numbers::DISPROVED {
            Verdict::NotWon
        } else {
            Verdict::Open
        }
    }

    /// What is found of a position with no past.
    fn search(&mut self, state: &G, known: &Winning<'_, G::Decision>) -> Numbers {
        self.begin_line();
        let found = self.look(state, identity(state), known);
        if found.is_settled() { found } else { self.visit(state, known, [INFINITE; 2]) }
    }

    /// The next position is the first of a line.
    fn begin_line(&mut self) {
        self.line.clear();
        self.children.clear();
        self.numbers.clear();
    }

    /// Whether the search must come to an end.
    const fn is_spent(&self) -> bool {
        self.nodes >= self.most
    }

    /// What is known of a position at the end of the line, without searching it.
    fn look(&self, state: &G, position: u64, known: &Winning<'_, G::Decision>) -> Numbers {
        let not_won =
            if state.actor() == Actor::Nobody { Numbers::DISPROVED } else { Numbers::refuted_by(NEVER) };
        match state.decided() {
            Some(outcome) if outcome.winner == Some(self.winner) => return Numbers::proved(0),
            Some(outcome) if outcome.winner.is_some() => return Numbers::DISPROVED,
            // A draw by a counter says nothing of the position with another counter.
            Some(_) => return not_won,
            None => {}
        }
        if let Some(place) = self.place_on_line(state, position) {
            let goes_round = G::THIRD_OCCURRENCE.is_some_and(|outcome| outcome.winner.is_none());
            return Numbers::refuted_by(if goes_round { place as i32 } else { NEVER });
        }
        let decides = state.actor() == Actor::Player(self.winner);
        if let Some(value) = known.table_value(state) {
            return match value {
                TableValue::Win(turns) if decides => Numbers::proved(turns),
                TableValue::Loss(turns) if !decides => Numbers::proved(turns),
                _ => Numbers::DISPROVED,
            };
        }
        if decides && let Some(step) = known.step(position) {
            return Numbers::proved(step.distance);
        }
        if let Some(numbers) = self.table.get(position) {
            return numbers;
        }
        match state.count() {
            0 => {
                let won = state.ending(true).is_some_and(|outcome| outcome.winner == Some(self.winner));
                if won { Numbers::proved(0) } else { Numbers::DISPROVED }
            }
            // Who has many ways to go on is harder to refute.
            count => Numbers::of_new(decides, count),
        }
    }

    /// Where on the line the position stands.
    fn place_on_line(&self, state: &G, position: u64) -> Option<usize> {
        let span = state.repetition()?.span as usize;
        let first = self.line.len().saturating_sub(span);
        self.line[first..].iter().rposition(|&earlier| earlier == position).map(|place| first + place)
    }

    /// Searches a position until one of its numbers reaches its limit.
    fn visit(&mut self, state: &G, known: &Winning<'_, G::Decision>, limits: [u32; 2]) -> Numbers {
        let ply = self.line.len();
        if ply >= self.longest {
            return Numbers::refuted_by(NEVER);
        }
        let (position, begun) = (identity(state), self.nodes);
        self.nodes += 1;
        let decides = state.actor() == Actor::Player(self.winner);
        let base = self.children.len();
        self.line.push(position);
        self.expand(state, known, decides);
        let mut found = Numbers::of_children(&self.numbers[base..], decides);
        while !found.is_settled() && !found.reaches(limits) && !self.is_spent() {
            let (best, second, open) = self.best_two(base, decides);
            let child = self.children[base + best];
            // Another line may have led there in between.
            let now = self.table.get(child.position).filter(|now| *now != self.numbers[base + best]);
            self.numbers[base + best] = now.unwrap_or_else(|| {
                let limits = Numbers::limits_of_child(limits, second, open, decides);
                self.visit(&state.after(child.decision), known, limits)
            });
            found = Numbers::of_children(&self.numbers[base..], decides);
        }
        self.children.truncate(base);
        self.numbers.truncate(base);
        self.line.pop();
        let found = found.seen_from(ply as i32);
        self.table.put(position, &found, self.nodes - begun);
        found
    }

    /// Appends the children of the position at the end of the line, up to one that settles it.
    fn expand(&mut self, state: &G, known: &Winning<'_, G::Decision>, decides: bool) {
        let mut list = Decisions::new();
        state.decisions(GenType::All, &mut list);
        for &decision in &list {
            let after = state.after(decision);
            let position = identity(&after);
            let numbers = self.look(&after, position, known);
            self.children.push(Child { decision, position });
            self.numbers.push(numbers);
            if if decides { numbers.is_proved() } else { numbers.is_disproved() } {
                break;
            }
        }
    }

    /// The child to search, what the second best needs, and how many children are open in the other number.
    fn best_two(&self, base: usize, decides: bool) -> (usize, u32, u32) {
        let (mut best, mut first, mut second, mut open) = (0, u32::MAX, INFINITE, 0);
        for (index, numbers) in self.numbers[base..].iter().enumerate() {
            let needs = numbers.needs(decides);
            open += u32::from(numbers.needs(!decides) > 0);
            if needs < first {
                (best, second, first) = (index, first.min(INFINITE), needs);
            } else {
                second = second.min(needs);
            }
        }
        (best, second, open)
    }
}
