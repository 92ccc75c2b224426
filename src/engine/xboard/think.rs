//! Thinking beside the game: pondering, analysis, hints, and what is shown of it.

use super::{Mode, Purpose, Xboard, view};
use crate::base::score;
use crate::engine::controller::Replies;
use crate::engine::host::Request;
use crate::engine::search_thread::Line;
use crate::engine::uci::per_second;
use crate::game::Actor;
use crate::protocol::Bound;
use crate::protocol::xboard::{Counts, Reply, Score, Status, Thinking};
use crate::search::{Budget, Limits};
use std::time::{Duration, Instant};

impl Xboard {
    pub(super) fn start_pondering(&mut self, out: &mut Replies) {
        let theirs = matches!(
            (self.mode, self.host.session().actor()),
            (Mode::Plays(own), Actor::Player(next)) if own != next
        );
        if !self.ponder || !theirs || self.over || self.search.is_some() {
            return;
        }
        let Some(expected) = self.expected.clone() else { return };
        if self.host.session_mut().play(&expected).is_err() {
            return;
        }
        if self.host.session().outcome().is_none() {
            let limits = Limits { lines: 1, ..self.limits() };
            let request = Request { limits, pondering: true, ..Request::default() };
            self.think(request, Purpose::Ponder, Instant::now(), out);
        }
        self.host.session_mut().take_back();
    }

    pub(super) fn analyze_again(&mut self, when: Instant, out: &mut Replies) {
        if self.mode == Mode::Analyzes && self.host.session().outcome().is_none() {
            self.abandon(out);
            let limits = Limits { infinite: true, ..Limits::default() };
            self.think(Request { limits, ..Request::default() }, Purpose::Analysis, when, out);
        }
    }

    pub(super) fn hint(&mut self, when: Instant, out: &mut Replies) {
        let session = self.host.session();
        let legal = |token: &String| session.continuations().contains(token);
        if let Some(expected) = self.expected.clone().filter(legal) {
            return self.say_hint(&expected, out);
        }
        if self.search.is_none() && session.outcome().is_none() {
            let limits = Limits { budget: Budget::Fixed(Duration::from_millis(300)), ..Limits::default() };
            self.think(Request { limits, ..Request::default() }, Purpose::Hint, when, out);
        }
    }

    pub(super) fn say_hint(&self, token: &str, out: &mut Replies) {
        let session = self.host.session();
        let whole = || view::write_move(session.facts(), &session.position(), token);
        out.say(Reply::Hint(&self.first_ply(token).unwrap_or_else(whole)));
    }

    pub(super) fn status(&self, out: &mut Replies) {
        if let Some(line) = &self.progress
            && self.mode == Mode::Analyzes
        {
            let total = self.host.session().continuations().len() as u32;
            out.say(Reply::Status(Status {
                time: line.report.elapsed.as_millis() as u64 / 10,
                nodes: line.report.nodes,
                ply: line.report.depth,
                moves_left: 0,
                moves_total: total,
                current: line.tokens.first().map(String::as_str),
            }));
        }
    }

    pub(super) fn show_line(&mut self, line: Line, out: &mut Replies) {
        if self.post && self.search.as_ref().is_some_and(|search| search.purpose != Purpose::Hint) {
            let report = &line.report;
            let mut pv = line.tokens.join(" ");
            if let (Some(expected), Some(Purpose::Ponder)) =
                (&self.expected, self.search.as_ref().map(|search| &search.purpose))
            {
                pv = format!("({expected}) {pv}");
            }
            out.say(Reply::Thinking(Thinking {
                ply: report.depth,
                score: score_of(report.score),
                bound: Bound::Exact,
                time: report.elapsed.as_millis() as u64 / 10,
                nodes: report.nodes,
                counts: Some(Counts {
                    selective_depth: report.furthest,
                    speed: per_second(report.nodes, report.elapsed),
                    table_hits: 0,
                }),
                pv: &pv,
            }));
        }
        self.progress = Some(line);
    }
}

/// A value in XBoard's terms: centipawns, or moves of the winner.
fn score_of(value: score::Score) -> Score {
    match score::distance(value) {
        None => Score::Centipawns(value),
        Some(turns) if turns > 0 => Score::Wins((turns + 1) as u32 / 2),
        Some(turns) => Score::Loses((1 - turns) as u32 / 2),
    }
}
