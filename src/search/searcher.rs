//! One thread's part of a search: what it remembers, and when it must end.

use super::control::{Clock, Control};
use super::correction::CorrectionHistory;
use super::history::History;
use super::limits::{Deadlines, Limits};
use super::pvs::for_player;
use super::reductions::Reductions;
use super::root::{MAX_PLY, SearchTask};
use super::tt::TranspositionTable;
use crate::base::Color;
use crate::base::score::{DRAW, SURE_WIN, Score, lost_in, won_in};
use crate::game::accumulator::Accumulators;
use crate::game::{Evaluation, Selectivity, TableValue, Tables, WinModel};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub tt: &'a TranspositionTable,
    pub tables: Option<&'a Tables>,
    /// That of the task, or nothing where a win is to be proved.
    pub selectivity: &'a Selectivity,
    /// How its scores are averaged where chance decides.
    pub win_model: WinModel,
    pub control: &'a Control,
    pub clock: &'a dyn Clock,
    pub limits: &'a Limits,
    /// As the search began; see [`Shared::deadlines`].
    pub planned: Option<Deadlines>,
    /// Positions visited by all threads, brought up to date every `CHECK_EVERY` of a thread's own.
    pub nodes: AtomicU64,
    /// The first thread has ended, and so shall the others. (The stop flag is not ours to raise: a word of
    /// several decisions takes several searches.)
    pub done: AtomicBool,
}

impl<'a> Shared<'a> {
    pub fn new<G: Evaluation>(task: &SearchTask<'a, G>) -> Self {
        let &SearchTask { limits, table, tables, win_model, control, clock, .. } = task;
        let selectivity = if limits.win_in.is_some() { &Selectivity::NONE } else { task.selectivity };
        let planned = limits.budget.deadlines(limits.overhead);
        let (nodes, done) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { tt: table, tables, selectivity, win_model, control, clock, limits, planned, nodes, done }
    }

    /// What holds now; `None` when time does not matter.
    pub fn deadlines(&self) -> Option<&Deadlines> {
        self.control.deadlines().or(self.planned.as_ref())
    }
}

/// What the search knows of each ply of the line it follows.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// Complete turns since the root: what distances to the end are counted in.
    pub turns: i32,
    /// Who decides there; `None` where chance does.
    pub player: Option<Color>,
    /// The static evaluation as that player sees it; `None` in check.
    pub static_eval: Option<Score>,
    /// The [`Evaluation::history_index`] of the decision being tried there; `None` for chance and for a null
    /// move.
    pub history_index: Option<usize>,
    /// See [`Evaluation::turn_key`].
    pub turn_key: Option<u64>,
    /// What is left out there, to learn whether anything else is as good.
    pub excluded: Option<u32>,
    /// A null move is being tried there.
    pub null_move: bool,
    /// Where the window is empty: a refutation is expected there.
    pub cut_node: bool,
}

/// One thread's part of a search.
pub(super) struct Searcher<'a, G: Evaluation> {
    pub shared: &'a Shared<'a>,
    pub history: History<G::Decision>,
    pub selectivity: &'a Selectivity,
    pub reductions: Reductions,
    pub stack: Box<[StackEntry]>,
    /// What stood on the board earlier in the turn that is in progress at the root
    /// ([`Evaluation::turn_key`]).
    turn_keys: Vec<u64>,
    /// Repetition keys of the game, from the last change that cannot be undone to the root, each with its
    /// place; sorted.
    game_keys: Vec<(u64, usize)>,
    /// Those of the search, from the root to the present position.
    pub keys: Vec<u64>,
    /// How many of `keys` stood before the last null move of the line. After it no earlier position comes up
    /// again: nobody can pass in the game.
    pub passed_at: Option<usize>,
    /// The principal variation from each ply.
    pub pv: Vec<Vec<G::Decision>>,
    /// The evaluations of positions met lately, with their keys: a network takes longer than a look here.
    evals: Box<[(u64, Score)]>,
    pub correction: CorrectionHistory,
    /// The network's sums along the line that is being searched.
    accumulators: Accumulators,
    pub nodes: u64,
    /// Of the iteration that is going on.
    pub root_depth: i32,
    reported: u64,
    pub seldepth: usize,
    /// Set once the search was broken off: values found from then on mean nothing.
    pub aborted: bool,
    /// The first thread looks at the clock and the node limit; the others only at the stop flag.
    pub leads: bool,
}

/// Evaluations that are remembered, a power of two.
const EVALS: usize = 1 << 14;

/// How often a thread looks at the clock and the stop flag; and where whole turns are searched, whose ends
/// are asked whether the other side wins at once, which may take as long as a hundred positions.
const CHECK_EVERY: [u64; 2] = [512, 32];

/// The large things that a thread works in.
struct Workspace<D> {
    history: History<D>,
    pv: Vec<Vec<D>>,
    evals: Box<[(u64, Score)]>,
    correction: CorrectionHistory,
    reductions: Reductions,
}

impl<'a, G: Evaluation> Searcher<'a, G> {
    pub fn new(shared: &'a Shared<'a>, history: &[u64], turn_keys: &[u64], leads: bool) -> Self {
        let workspace = match shared.tt.workspace::<Workspace<G::Decision>>() {
            Some(mut used) => {
                used.history.age(shared.selectivity.history_kept);
                used.evals.fill((0, 0));
                if !used.reductions.fits(shared.selectivity) {
                    used.reductions = Reductions::new(shared.selectivity);
                }
                *used
            }
            None => Workspace {
                history: History::new(G::HISTORY_SIZE),
                pv: vec![Vec::new(); MAX_PLY + 1],
                evals: vec![(0, 0); EVALS].into_boxed_slice(),
                correction: CorrectionHistory::new::<G>(),
                reductions: Reductions::new(shared.selectivity),
            },
        };
        let mut game_keys: Vec<_> = history.iter().copied().zip(0..).collect();
        game_keys.sort_unstable();
        Self {
            shared,
            history: workspace.history,
            selectivity: shared.selectivity,
            reductions: workspace.reductions,
            stack: vec![StackEntry::default(); MAX_PLY + 1].into_boxed_slice(),
            turn_keys: turn_keys.to_vec(),
            game_keys,
            keys: Vec::with_capacity(MAX_PLY),
            passed_at: None,
            pv: workspace.pv,
            evals: workspace.evals,
            correction: workspace.correction,
            accumulators: Accumulators::default(),
            nodes: 0,
            root_depth: 0,
            reported: 0,
            seldepth: 0,
            aborted: false,
            leads,
        }
    }

    /// Keeps what it worked in for a later search.
    pub fn keep_workspace(self) {
        let Self { history, pv, evals, correction, reductions, .. } = self;
        self.shared.tt.keep_workspace(Box::new(Workspace { history, pv, evals, correction, reductions }));
    }

    /// The evaluation of a position with this key, as `player` sees it. `ply` says from which sums of the
    /// network to begin; the value does not depend on it.
    #[inline]
    pub fn static_eval(&mut self, state: &G, key: u64, player: Color, ply: usize) -> Score {
        let entry = &mut self.evals[key as usize % EVALS];
        if entry.0 != key {
            let eval = self.accumulators.static_eval(state, ply);
            *entry = (key, eval.clamp(1 - SURE_WIN, SURE_WIN - 1));
        }
        for_player(entry.1, player)
    }

    /// True where the evaluation is corrected. Not in an ending for which it is known what to aim for: there a
    /// correction may outweigh a step towards the mate.
    #[inline]
    pub fn is_corrected(&self, state: &G) -> bool {
        G::SELECTIVITY.correction_history
            && self.selectivity.correction_history
            && state.endgame_eval().is_none()
    }

    /// The static evaluation, corrected by what searches have found in positions like this one.
    #[inline]
    pub fn corrected_eval(&mut self, state: &G, key: u64, player: Color, ply: usize) -> Score {
        let mut eval = self.static_eval(state, key, player, ply);
        if self.is_corrected(state) {
            eval += self.correction.at(&CorrectionHistory::entries(state, player, &self.stack, ply));
        }
        eval.clamp(1 - SURE_WIN, SURE_WIN - 1)
    }

    /// Counts a position and looks, now and then, whether to break off.
    #[inline]
    pub fn count_node(&mut self) {
        self.nodes += 1;
        if self.leads
            && let Some(most) = self.shared.limits.nodes
            && self.shared.nodes.load(Ordering::Relaxed) + (self.nodes - self.reported) >= most
        {
            self.aborted = true;
        }
        // The first thread waits for the others before it answers.
        if !self.leads && self.shared.done.load(Ordering::Relaxed) {
            self.aborted = true;
        }
        if self.nodes - self.reported >= CHECK_EVERY[usize::from(G::SELECTIVITY.whole_turns)] {
            self.check_limits();
        }
    }

    /// Looks at the stop flag and the clock.
    #[cold]
    fn check_limits(&mut self) {
        self.share_nodes();
        self.shared.control.wait_while_paused();
        if self.is_stopped() || self.leads && self.is_late(|deadlines| deadlines.hard) {
            self.aborted = true;
        }
    }

    /// What endgame tables say of a position, `turns` turns below the root, to who decides there.
    #[inline]
    pub fn probe_tables(&self, state: &G, turns: i32) -> Option<Score> {
        let value = state.probe(self.shared.tables?)?;
        Some(match value {
            TableValue::Win(more) => won_in(turns + more as i32),
            TableValue::Loss(more) => lost_in(turns + more as i32),
            TableValue::Draw => DRAW,
        })
    }

    /// True when this thread shall end.
    pub fn is_stopped(&self) -> bool {
        self.shared.control.is_stopped() || !self.leads && self.shared.done.load(Ordering::Relaxed)
    }

    pub fn share_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.reported, Ordering::Relaxed);
        self.reported = self.nodes;
    }

    /// True when the clock, if it runs, has passed the deadline.
    pub fn is_late(&self, which: impl Fn(&Deadlines) -> std::time::Duration) -> bool {
        let control = self.shared.control;
        match self.shared.deadlines() {
            Some(deadlines) if !control.is_pondering() => {
                self.shared.clock.elapsed().saturating_sub(control.clock_began()) >= which(deadlines)
            }
            _ => false,
        }
    }

    /// `decisions` begin the best line from `ply`; what follows them was found one ply deeper.
    pub fn update_pv(&mut self, decisions: &[G::Decision], ply: usize) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.extend_from_slice(decisions);
        line.extend_from_slice(&lower[0]);
    }

    /// True when what `next`, one decision below `ply`, has on its board stood there before in the same turn:
    /// the steps since then were wasted.
    pub fn is_wasted(&self, next: &G, ply: usize) -> bool {
        let Some(key) = next.turn_key().filter(|_| !next.between_turns()) else { return false };
        let turns = self.stack[ply].turns;
        let turn = self.stack[..=ply].iter().rev().take_while(|entry| entry.turns == turns);
        let from_root = turns == self.stack[0].turns;
        turn.filter_map(|entry| entry.turn_key).any(|earlier| earlier == key)
            || from_root && self.turn_keys.contains(&key)
    }

    /// How often the position with this key stands among the last `span` ones, since the last null move.
    pub fn occurrences(&self, key: u64, span: usize) -> Occurrences {
        let span = self.passed_at.map_or(span, |at| span.min(self.keys.len() - at));
        let recent = &self.keys[self.keys.len().saturating_sub(span)..];
        let in_search = recent.iter().filter(|&&earlier| earlier == key).count() as u32;
        // A game may be long, and this is asked at every position: no walking through it.
        let from = self.game_keys.len().saturating_sub(span - recent.len());
        let begin = self.game_keys.partition_point(|&earlier| earlier < (key, from));
        let in_game =
            self.game_keys[begin..].iter().take_while(|(earlier, _)| *earlier == key).take(2).count();
        Occurrences { all: in_search + in_game as u32, in_search }
    }
}

pub(super) struct Occurrences {
    /// In the game up to 2 are counted: more change nothing.
    pub all: u32,
    pub in_search: u32,
}

impl Occurrences {
    pub fn any(&self) -> bool {
        self.in_search > 0 || self.all >= 2
    }
}
