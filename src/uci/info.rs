//! The results of a search as UCI's `info` lines.

use crate::base::score;
use crate::engine::{BestMove, PvLine, Replies, per_second};
use crate::game::WinModel;
use crate::protocol::uci::{Dialect, Info, Reply, Score, Wdl};
use crate::protocol::{Bound, Moves};
use crate::search;
use std::time::Duration;

/// How scores are written.
#[derive(Clone, Copy)]
pub(super) struct InfoWriter {
    pub dialect: Dialect,
    /// How the chances of winning, drawing and losing follow from the score; `None` where they are not shown.
    pub wdl: Option<WinModel>,
}

impl InfoWriter {
    /// Writes one line of thinking.
    pub fn line(self, line: &PvLine, out: &mut Replies) {
        let report = &line.report;
        let pv = line.pv.join(" ");
        let bound = match report.bound {
            search::Bound::Exact => Bound::Exact,
            search::Bound::Lower => Bound::Lower,
            search::Bound::Upper => Bound::Upper,
        };
        out.say(Reply::Info(Info {
            depth: Some(report.depth),
            selective_depth: Some(report.seldepth),
            multi_pv: Some(report.rank as u32),
            score: Some(self.score(report.score)),
            bound,
            wdl: self.wdl.map(|model| thousandths(search::Wdl::of(report.score, model))),
            nodes: Some(report.nodes),
            nodes_per_second: Some(per_second(report.nodes, report.elapsed)),
            hash_full: Some(report.table_full),
            time: Some(milliseconds(report.elapsed)),
            pv: Some(Moves::new(&pv)),
            ..Info::default()
        }));
    }

    /// Writes the score where there is nothing to decide: the game is over, or chance comes next.
    pub fn nothing_to_decide(self, best: &BestMove, over: bool, out: &mut Replies) {
        let drawn = over && best.score == score::DRAW;
        let wdl = |model| if drawn { search::Wdl::DRAWN } else { search::Wdl::of(best.score, model) };
        out.say(Reply::Info(Info {
            depth: Some(0),
            score: Some(self.score(best.score)),
            wdl: self.wdl.map(|model| thousandths(wdl(model))),
            ..Info::default()
        }));
    }

    /// Writes what goes before `bestmove`: UGI wants a last count.
    pub fn last(self, best: &BestMove, out: &mut Replies) {
        if self.dialect == Dialect::Ugi {
            out.say(Reply::Info(Info {
                nodes: Some(best.nodes),
                nodes_per_second: Some(per_second(best.nodes, best.elapsed)),
                time: Some(milliseconds(best.elapsed)),
                ..Info::default()
            }));
        }
    }

    /// A score in the protocol's terms: centipawns, or the distance to the end (in turns of the winner, in
    /// UGI in plies).
    fn score(self, value: score::Score) -> Score {
        match (score::distance(value), self.dialect) {
            (None, _) => Score::Centipawns(value),
            (Some(turns), Dialect::Ugi) => Score::Mate(turns),
            // The game is won already, and there is no smaller number for a win.
            (Some(turns), _) if value > 0 => Score::Mate(((turns + 1) / 2).max(1)),
            (Some(turns), _) => Score::Mate(-((1 - turns) / 2)),
        }
    }
}

const fn thousandths(search::Wdl { win, draw, loss }: search::Wdl) -> Wdl {
    Wdl { win, draw, loss }
}

const fn milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}
