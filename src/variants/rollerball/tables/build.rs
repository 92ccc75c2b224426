//! Builds the tables backwards from the ends of games (retrograde analysis, K. Thompson 1986).

use super::super::lines::{KING, LINES, Lines, PAWNS_TO};
use super::super::square::{ALL, PROMOTION, Set, Square, mark_after};
use super::super::state::{Kind, State};
use super::{DRAWN, ILLEGAL, LONGEST, Pieces, Placed, file_name, find, number, size, title, value};
use crate::base::Bits;
use crate::base::files::replace;
use crate::base::threads::parallel_map;
use crate::game::{Decisions, Game, GenType, Table, TableFault, TableValue};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

/// Marks a position with a decision that draws or wins, so that it is never lost.
const NEVER_LOST: u8 = u8::MAX;

/// The tables built so far.
#[derive(Debug)]
pub struct Build {
    /// The rule switch of OQ1.
    pub clockwise_sideways: bool,
    /// The number of threads that do the work, at least 1.
    pub threads: usize,
    /// The tables by their number; `None` for those not built or read yet.
    pub tables: Vec<Option<Vec<u8>>>,
}

/// The results of a table, counted.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The number of positions that the side to move wins.
    pub won: u64,
    /// The number of positions that the side to move loses.
    pub lost: u64,
    /// The number of drawn positions.
    pub drawn: u64,
    /// The longest win, in single turns, those of both players counted.
    pub longest: u32,
    /// The first position with a win of that length.
    pub example: Option<State>,
}

/// Why a table cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// A table it is built from is missing.
    #[error("{0} needs a table that is not there")]
    Missing(String),
    /// A win is too long for a byte; the highest bytes have other meanings.
    #[error("{0} has wins that are longer than {LONGEST} turns")]
    TooLong(String),
}

impl Build {
    /// A build without any table yet, on at least one thread.
    pub fn new(clockwise_sideways: bool, threads: usize) -> Self {
        Self { clockwise_sideways, threads: threads.max(1), tables: vec![None; 32] }
    }

    /// Reads a table that was built before. Returns false when it is not in `folder`.
    ///
    /// # Errors
    /// When the file is no such table, or is damaged.
    pub fn read(&mut self, folder: &Path, pieces: &Pieces) -> Result<bool, TableFault> {
        let name = file_name(pieces, self.clockwise_sideways);
        match Table::read(folder, &name, size(pieces.len())).and_then(Table::into_values) {
            Ok(values) => self.tables[number(pieces)] = Some(values),
            Err(fault) if fault.is_missing() => return Ok(false),
            Err(fault) => return Err(fault),
        }
        Ok(true)
    }

    /// Writes a finished table into `folder` under its name, whole or not at all. Does nothing when the table
    /// has not been built.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, folder: &Path, pieces: &Pieces) -> io::Result<()> {
        let Some(values) = &self.tables[number(pieces)] else { return Ok(()) };
        let name = file_name(pieces, self.clockwise_sideways);
        replace(&folder.join(&name), |out| {
            out.write_all(&Table::head(&name, values))?;
            out.write_all(values)
        })
    }

    /// Counts the won, lost and drawn positions of a table, as seen by the side to move, and finds the first
    /// with the longest win.
    pub fn summary(&self, pieces: &Pieces) -> Summary {
        let mut summary = Summary::default();
        for (index, &byte) in self.tables[number(pieces)].iter().flatten().enumerate() {
            match value(byte) {
                Some(TableValue::Win(turns)) => {
                    summary.won += 1;
                    if turns > summary.longest {
                        summary.longest = turns;
                        summary.example =
                            Placed::at(index, pieces.len()).state(pieces, self.clockwise_sideways);
                    }
                }
                Some(TableValue::Loss(_)) => summary.lost += 1,
                Some(TableValue::Draw) => summary.drawn += 1,
                None => {}
            }
        }
        summary
    }

    /// The byte of a position in a finished table; [`ILLEGAL`] when there is none.
    pub(super) fn byte(&self, state: &State) -> u8 {
        let found = find(state).and_then(|(pieces, placed)| {
            let table = self.tables[number(&pieces)].as_ref()?;
            table.get(placed.index(pieces.len())).copied()
        });
        found.unwrap_or(ILLEGAL)
    }

    /// Calls `work` with parts of the positions of a table, one for each thread.
    pub(super) fn in_parts<T: Send>(
        &self,
        positions: usize,
        work: impl Fn(std::ops::Range<usize>) -> T + Sync,
    ) -> Vec<T> {
        let part = positions.div_ceil(self.threads).max(1);
        let parts = (0..positions).step_by(part).map(|begin| begin..(begin + part).min(positions));
        parallel_map(self.threads, parts, &work)
    }
}

/// Builds the table of `pieces`. The tables with fewer pieces, and those with fewer pawns, must exist
/// already.
///
/// # Errors
/// When one of them is missing, or a win is too long to store.
pub fn build(build: &mut Build, pieces: &Pieces) -> Result<(), TableError> {
    let positions = size(pieces.len());
    let parts = build.in_parts(positions, |part| {
        let begun: Result<Vec<_>, _> = part.map(|index| begin(build, pieces, index)).collect();
        begun
    });
    let mut value = Vec::with_capacity(positions);
    let mut left = Vec::with_capacity(positions);
    let mut least_loss = Vec::with_capacity(positions);
    for part in parts {
        for begun in part? {
            value.push(AtomicU8::new(begun.value));
            left.push(AtomicU8::new(begun.left));
            least_loss.push(begun.least_loss);
        }
    }
    let work = Work { pieces, lines: &LINES[usize::from(build.clockwise_sideways)], value, left, least_loss };
    // Every position decided in `distance` turns tells something about the positions before it.
    for distance in 0..=LONGEST {
        build.in_parts(positions, |part| part.for_each(|index| work.go_back(index, distance)));
    }
    let bytes: Vec<u8> = work.value.into_iter().map(AtomicU8::into_inner).collect();
    if bytes.iter().any(|byte| (LONGEST + 1..DRAWN).contains(byte)) {
        return Err(TableError::TooLong(title(pieces)));
    }
    build.tables[number(pieces)] = Some(bytes);
    Ok(())
}

/// What is known of a position before anything is known of the others in its table.
struct Begun {
    value: u8,
    /// The number of decisions within the table that are not yet known to lose.
    left: u8,
    /// The longest loss among the decisions that leave the table.
    least_loss: u8,
}

fn begin(build: &Build, pieces: &Pieces, index: usize) -> Result<Begun, TableError> {
    let begun = |value| Begun { value, left: NEVER_LOST, least_loss: 0 };
    let placed = Placed::at(index, pieces.len());
    let Some(state) = placed.state(pieces, build.clockwise_sideways) else { return Ok(begun(ILLEGAL)) };
    let waiting = state.turn.other();
    if state.king_attacked(waiting) || state.on_throne(state.turn) {
        return Ok(begun(ILLEGAL));
    }
    // R36: the enemy king on its throne has won.
    if state.on_throne(waiting) {
        return Ok(begun(0));
    }
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    if list.is_empty() {
        // R35: mate or stalemate.
        return Ok(begun(if state.king_attacked(state.turn) { 0 } else { DRAWN }));
    }
    let (mut win, mut left, mut least_loss, mut drawn) = (DRAWN, 0, 0, false);
    let occupied = state.pieces[0] | state.pieces[1];
    for decision in list {
        if occupied & decision.to().bit() == 0 && decision.promotion().is_none() {
            left += 1;
            continue;
        }
        let mut next = state;
        next.apply(decision);
        match build.byte(&next) {
            ILLEGAL => return Err(TableError::Missing(title(pieces))),
            DRAWN => drawn = true,
            lost if lost % 2 == 0 => win = win.min(lost + 1),
            won => least_loss = least_loss.max(won + 1),
        }
    }
    if win < DRAWN || drawn {
        return Ok(begun(win));
    }
    Ok(Begun { value: if left == 0 { least_loss } else { DRAWN }, left, least_loss })
}

struct Work<'a> {
    pieces: &'a Pieces,
    lines: &'a Lines,
    value: Vec<AtomicU8>,
    left: Vec<AtomicU8>,
    least_loss: Vec<u8>,
}

impl Work<'_> {
    /// If the position is decided in `distance` turns, updates the positions it may have come from.
    fn go_back(&self, index: usize, distance: u8) {
        if self.value[index].load(Ordering::Relaxed) != distance {
            return;
        }
        let lost = distance.is_multiple_of(2);
        self.before(&Placed::at(index, self.pieces.len()), |before| {
            let value = &self.value[before];
            let known = value.load(Ordering::Relaxed);
            if known == ILLEGAL {
                return;
            }
            if lost {
                value.fetch_min(distance + 1, Ordering::Relaxed);
            } else if known == DRAWN && self.left[before].load(Ordering::Relaxed) != NEVER_LOST {
                // That was the last decision not known to lose.
                if self.left[before].fetch_sub(1, Ordering::Relaxed) == 1 {
                    value.store((distance + 1).max(self.least_loss[before]), Ordering::Relaxed);
                }
            }
        });
    }

    /// Calls `found` with the positions of the same table from which one move leads to `after`.
    fn before(&self, after: &Placed, mut found: impl FnMut(usize)) {
        let mover = after.turn.other();
        let us = mover.index();
        let count = self.pieces.len();
        let squares = after.kings.iter().chain(&after.pieces[..count]);
        let occupied = squares.fold(0, |set: Set, square| set | square.bit());
        let mut before = Placed { turn: mover, ..*after };

        let to = after.kings[us];
        for from in Bits(KING[to.index()] & ALL & !occupied).map(Square::new) {
            before.kings[us] = from;
            // A step over the line does not say what the mark was before, only what it must be afterwards.
            let same = |&mark: &bool| mark_after(mover, mark, from, to) == after.marks[us];
            for mark in [false, true].into_iter().filter(same) {
                before.marks[us] = mark;
                found(before.index(count));
            }
        }
        before.kings = after.kings;
        before.marks = after.marks;

        for (number, &(color, kind)) in self.pieces.iter().enumerate() {
            if color != mover {
                continue;
            }
            let to = after.pieces[number];
            let at = to.index();
            let (sources, paths) = match kind {
                Kind::Rook => (self.lines.rooks_to[at], Some(&self.lines.rook_path[at])),
                Kind::Bishop => (self.lines.bishops_to[at], Some(&self.lines.bishop_path[at])),
                // R31: a piece that arrives there is no longer a pawn.
                Kind::Pawn if PROMOTION[us] & to.bit() != 0 => continue,
                Kind::Pawn | Kind::King => (PAWNS_TO[at], None),
            };
            for from in Bits(sources & !occupied).map(Square::new) {
                if paths.is_none_or(|paths| paths[from.index()] & occupied == 0) {
                    before.pieces[number] = from;
                    found(before.index(count));
                }
            }
            before.pieces = after.pieces;
        }
    }
}
