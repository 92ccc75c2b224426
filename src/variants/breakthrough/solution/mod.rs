//! Small boards solved whole: within how many plies White wins, for every position.
//!
//! A piece on the row before the last wins with its next move, so it must be captured at once. Positions with
//! such a piece need no place of their own, as Tasmanian Devil found for 5x5 (Little Golem's forum, 3 December
//! 2006): White's pieces then stand on all rows but the last two, and Black's on all but the first two. So each
//! side has two rows of its own, and both share the rows in the middle.
//!
//! For each middle and each placement of White's own rows there is a [`Set`] of the placements of Black's own
//! rows with which White wins within so many plies, one for either side to move. From the sets for a ply less
//! come those for a ply more. What Black wins is what White wins with the board turned round. Of two middles that
//! mirror each other one is kept.

mod layout;
mod sets;
#[cfg(test)]
mod tests;

use super::State;
use crate::base::threads::parallel_map;
use crate::base::{Color, Rng};
use crate::game::{Decisions, Game, GenType, Rules};
use crate::variants::chessboard::Size;
use layout::{Layout, Middle, beside, digit, place, squares};
use sets::Set;
use std::collections::TryReserveError;

/// The sets of all positions with the same middle: one for each placement of White's own rows, in a row.
type Slab = Box<[u64]>;

/// Which positions White wins within a number of plies that grows.
pub struct Solution {
    layout: Layout,
    /// By slab.
    white_to_move: Vec<Slab>,
    black_to_move: Vec<Slab>,
    plies: u32,
    /// How many of the last plies changed nothing.
    unchanged: u32,
}

impl Solution {
    /// How many bytes the sets of a board take; `None` where it is too large.
    pub fn bytes(rules: &Rules) -> Option<u64> {
        Layout::new(Size::of(rules)).map(|layout| layout.bytes())
    }

    /// Nothing is won yet but what is over.
    ///
    /// # Errors
    /// When there is no memory for it.
    ///
    /// # Panics
    /// When [`Solution::bytes`] says that the board is too large.
    pub fn new(rules: &Rules) -> Result<Self, TryReserveError> {
        let Some(layout) = Layout::new(Size::of(rules)) else { panic!("the board is too large") };
        let words = layout.placements() * layout.words();
        let slabs = || -> Result<Vec<Slab>, TryReserveError> {
            let slab = |_| {
                let mut slab = Vec::new();
                slab.try_reserve_exact(words)?;
                slab.resize(words, 0);
                Ok(slab.into_boxed_slice())
            };
            (0..layout.order.len()).map(slab).collect()
        };
        let (white_to_move, mut black_to_move) = (slabs()?, slabs()?);
        // R6: where Black has no piece, White has won.
        for Middle { white: own, black, slab, .. } in &layout.middles {
            for (white, set) in black_to_move[*slab].chunks_exact_mut(layout.words()).enumerate() {
                set[0] |= u64::from(*black == 0 && (*own != 0 || white != 0));
            }
        }
        Ok(Self { layout, white_to_move, black_to_move, plies: 0, unchanged: 0 })
    }

    /// The number of plies that were looked at.
    pub const fn plies(&self) -> u32 {
        self.plies
    }

    /// Looks one ply further, in so many threads. False when neither this ply nor the one before it changed
    /// anything, so that none will.
    pub fn deepen(&mut self, threads: usize) -> bool {
        self.plies += 1;
        let to_move = if self.plies % 2 == 1 { Color::White } else { Color::Black };
        let mut changed = false;
        // Sets rest on those of the same side to move, with fewer pieces in the middle and two plies less: these
        // must still stand. A slab is written when it is whole, and those with fewer pieces come later.
        let slab = vec![0; self.layout.words() * self.layout.placements()];
        let mut whole = vec![slab; threads.clamp(1, self.layout.order.len())];
        for at_once in self.layout.order.clone().chunks(whole.len()) {
            let this = &*self;
            let work = |middle, slab: &mut [u64]| match this.layout.words() {
                4 => this.deepen_slab::<4>(to_move, middle, slab),
                16 => this.deepen_slab::<16>(to_move, middle, slab),
                _ => this.deepen_slab::<64>(to_move, middle, slab),
            };
            parallel_map(threads, at_once.iter().zip(&mut whole), &|(&middle, slab)| work(middle, slab));
            let own = if to_move == Color::White { &mut self.white_to_move } else { &mut self.black_to_move };
            for (&middle, slab) in at_once.iter().zip(&whole) {
                let before = &mut own[self.layout.middles[middle].slab];
                changed |= **before != **slab;
                before.copy_from_slice(slab);
            }
        }
        self.unchanged = if changed { 0 } else { self.unchanged + 1 };
        self.unchanged < 2
    }

    /// Writes the sets of a middle for one ply more.
    fn deepen_slab<const WORDS: usize>(&self, to_move: Color, middle: usize, slab: &mut [u64]) {
        for (white, words) in slab.chunks_exact_mut(WORDS).enumerate() {
            let set = match to_move {
                Color::White => self.white_moves::<WORDS>(middle, white),
                Color::Black => self.black_moves::<WORDS>(middle, white),
            };
            words.copy_from_slice(&set.0);
        }
    }

    #[inline]
    fn set<const WORDS: usize>(&self, to_move: Color, middle: usize, white: usize) -> Set<WORDS> {
        let Middle { slab, mirrored, .. } = self.layout.middles[middle];
        let white = if mirrored { self.layout.mirror[white] } else { white };
        let set =
            self.slabs(to_move)[slab][white * WORDS..].first_chunk().map_or(Set::NONE, |words| Set(*words));
        if mirrored { set.mirrored(self.layout.files) } else { set }
    }

    fn slabs(&self, to_move: Color) -> &[Slab] {
        if to_move == Color::White { &self.white_to_move } else { &self.black_to_move }
    }

    /// White to move wins where one of its moves wins.
    fn white_moves<const WORDS: usize>(&self, middle: usize, white: usize) -> Set<WORDS> {
        let files = self.layout.files;
        let mut won = self.set(Color::White, middle, white);
        for from in squares(white >> files) {
            for to in beside(from, files).filter(|to| white >> to & 1 == 0) {
                won |= self.set(Color::Black, middle, white ^ 1 << (files + from) ^ 1 << to);
            }
        }
        for from in squares(white & ((1 << files) - 1)) {
            won |= self.white_goes_on([middle, middle], white ^ 1 << from, from, 0);
        }
        for from in squares(self.layout.middles[middle].white as usize) {
            let left = [middle, middle - digit(from)];
            won |= self.white_goes_on(left, white, from % files, from / files + 1);
        }
        won
    }

    /// A white piece goes to this row of the middle, or to the row before the last. It has left its square, which
    /// changed the middle from the first to the second.
    fn white_goes_on<const WORDS: usize>(
        &self,
        [before, middle]: [usize; 2],
        white: usize,
        file: usize,
        row: usize,
    ) -> Set<WORDS> {
        let files = self.layout.files;
        let Middle { white: own, black: enemies, .. } = self.layout.middles[before];
        let mut won = Set::NONE;
        for to in beside(file, files) {
            if row < self.layout.rows - 4 {
                let square = row * files + to;
                let (enemy, straight) = (enemies >> square & 1 == 1, to == file);
                if own >> square & 1 == 0 && !(enemy && straight) {
                    let number = if enemy { middle - digit(square) } else { middle + digit(square) };
                    won |= self.set(Color::Black, number, white);
                }
                continue;
            }
            let mut wins = Set::NONE;
            if self.plies >= 3 {
                // Black must take the piece with one of its last row, and White wins where it cannot.
                wins = Set::ALL;
                let after = self.set::<WORDS>(Color::White, middle, white).once_occupied(to);
                for from in beside(to, files).filter(|&from| from != to).map(|from| files + from) {
                    wins &= after.once_empty(from).or_where(from, false);
                }
            }
            if to == file {
                wins &= Set::NONE.or_where(to, false);
            } else if enemies == 0 {
                // R6: it may have taken Black's last piece.
                wins.0[0] |= 1 << (1 << to);
            }
            won |= wins;
        }
        won
    }

    /// Black to move has lost where all of its moves lose.
    fn black_moves<const WORDS: usize>(&self, middle: usize, white: usize) -> Set<WORDS> {
        let files = self.layout.files;
        let Middle { white: own, black: enemies, .. } = self.layout.middles[middle];
        if white == 0 && own == 0 {
            return Set::NONE;
        }
        let mut won = Set::ALL;
        let unmoved = self.set::<WORDS>(Color::White, middle, white);
        for from in 0..files {
            let after = unmoved.once_empty(files + from);
            for to in beside(from, files) {
                won &= after.once_occupied(to).or_where(files + from, false).or_where(to, true);
            }
            let after = self.black_goes_on::<WORDS>([middle, middle], white, from, self.layout.rows - 4);
            won &= after.once_empty(from).or_where(from, false);
        }
        for from in squares(enemies as usize) {
            let left = [middle, middle - 2 * digit(from)];
            won &= self.black_goes_on(left, white, from % files, from / files);
        }
        won
    }

    /// A black piece goes to the row below this one, of the middle or White's second row. It has left its square,
    /// which changed the middle from the first to the second.
    fn black_goes_on<const WORDS: usize>(
        &self,
        [before, middle]: [usize; 2],
        white: usize,
        file: usize,
        row: usize,
    ) -> Set<WORDS> {
        let files = self.layout.files;
        let Middle { white: enemies, black: own, .. } = self.layout.middles[before];
        let mut won = Set::ALL;
        for to in beside(file, files) {
            if let Some(row) = row.checked_sub(1) {
                let square = row * files + to;
                let (enemy, straight) = (enemies >> square & 1 == 1, to == file);
                if own >> square & 1 == 0 && !(enemy && straight) {
                    let number = middle + digit(square) * if enemy { 1 } else { 2 };
                    won &= self.set(Color::White, number, white);
                }
                continue;
            }
            if to == file && white >> to & 1 == 1 {
                continue;
            }
            // White must take the piece with one of its first row, and Black wins where it cannot.
            let mut saved = Set::NONE;
            for from in beside(to, files).filter(|&from| from != to && white >> (files + from) & 1 == 1) {
                saved |= self.set(Color::Black, middle, (white | 1 << to) ^ 1 << (files + from));
            }
            won &= saved;
        }
        won
    }

    /// Whether a position has a place of its own: the game goes on, and no piece stands on the row before the last.
    pub fn has_place(state: &State) -> bool {
        place(state, false).is_some()
    }

    /// Whether a side wins within the plies that were looked at; `None` for a position of another board, and where
    /// [`Solution::has_place`] is false.
    pub fn wins(&self, state: &State, winner: Color) -> Option<bool> {
        let place = place(state, winner == Color::Black).filter(|_| state.size == self.layout.size)?;
        let Middle { slab, mirrored, .. } = self.layout.middles[place.middle];
        let [white, black] =
            [place.white, place.black].map(|own| if mirrored { self.layout.mirror[own] } else { own });
        let word = self.slabs(place.to_move)[slab][white * self.layout.words() + black / 64];
        Some(word >> (black % 64) & 1 == 1)
    }

    /// Who wins, once [`Solution::deepen`] has said that nothing changes any more. A position without a place of
    /// its own is searched, as far as the captures that it forces.
    pub fn winner(&self, state: &State) -> Color {
        if let Some(outcome) = state.decided() {
            return outcome.winner.unwrap_or(state.turn);
        }
        if let Some(white) = self.wins(state, Color::White) {
            return if white { Color::White } else { Color::Black };
        }
        // R5: the side to move wins with its own piece before the last row, and loses to one of the other side
        // that it does not capture.
        if state.pieces[state.turn.index()] & state.size.row_before(state.turn) != 0 {
            return state.turn;
        }
        let mut captures = Decisions::new();
        state.decisions(GenType::Noisy, &mut captures);
        let wins = captures.iter().any(|&capture| self.winner(&state.after(capture)) == state.turn);
        if wins { state.turn } else { !state.turn }
    }

    /// Draws positions at random and compares who wins each, once nothing changes any more, with who wins after
    /// its moves, which the rules make; one that does not agree.
    pub fn check(&self, random: &mut Rng, positions: u64) -> Option<State> {
        let mut draw = || loop {
            let state = self.state(random);
            if Self::has_place(&state) {
                return state;
            }
        };
        (0..positions).map(|_| draw()).find(|state| {
            let mut moves = Decisions::new();
            state.decisions(GenType::All, &mut moves);
            let wins = moves.iter().any(|&own| self.winner(&state.after(own)) == state.turn);
            wins != (self.winner(state) == state.turn)
        })
    }

    /// A random position, each square of which is as likely to hold any piece that may stand there.
    fn state(&self, random: &mut Rng) -> State {
        let mut pieces = [0; 2];
        for row in 0..self.layout.rows {
            let may = [row < self.layout.rows - 2, row >= 2];
            for square in (0..self.layout.files).map(|file| 8 * row + file) {
                match random.below(3) {
                    color @ 0..=1 if may[color] => pieces[color] |= 1 << square,
                    _ => {}
                }
            }
        }
        let turn = if random.below(2) == 0 { Color::White } else { Color::Black };
        State::new(self.layout.size, pieces, turn, 0, 1)
    }

    /// How many positions have a place of their own, pieces of both sides, and the same side to move.
    pub fn positions(&self) -> u64 {
        let of = |pieces: u32| self.layout.placements() as u64 - u64::from(pieces == 0);
        self.layout.middles.iter().map(|middle| of(middle.white) * of(middle.black)).sum()
    }
}
