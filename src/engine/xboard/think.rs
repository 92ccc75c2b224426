//! Thinking beside the game: pondering, analysis, hints, and what is shown of it.

use super::{Mode, Purpose, Search, Xboard, view};
use crate::base::score;
use crate::engine::controller::Replies;
use crate::engine::events::PvLine;
use crate::engine::turn_search::SearchRequest;
use crate::engine::uci::per_second;
use crate::protocol::xboard::{Counts, Reply, Score, Status, Thinking};
use crate::search::{Budget, Limits};
use std::time::{Duration, Instant};

impl Xboard {
    pub(super) fn start_pondering(&mut self, out: &mut Replies) {
        if !self.ponder || !self.is_theirs() || self.over || self.search.is_some() {
            return;
        }
        let limits = Limits { lines: 1, ..self.time.limits(self.mirror.plies()) };
        let opponent_clock = self.time.other_clock;
        let request = SearchRequest { limits, ponder: true, opponent_clock, ..SearchRequest::default() };
        let Some(expected) = self.expected.clone() else {
            // Nothing is expected yet: looking at what the opponent may do fills the table.
            if self.engine.session().outcome().is_none() {
                self.think(request, Purpose::Ponder, Instant::now(), out);
            }
            return;
        };
        if self.engine.session_mut().play(&expected).is_err() {
            return;
        }
        if self.engine.session().outcome().is_none() {
            self.think(request, Purpose::Ponder, Instant::now(), out);
        }
        self.engine.session_mut().take_back();
    }

    pub(super) fn analyze_again(&mut self, when: Instant, out: &mut Replies) {
        if self.mode != Mode::Analyzes {
            return;
        }
        self.abandon(out);
        self.progress = None;
        if self.engine.session().outcome().is_none()
            && let Some(searchmoves) = self.roots()
        {
            let limits = Limits { infinite: true, ..Limits::default() };
            self.think(
                SearchRequest { limits, searchmoves, ..SearchRequest::default() },
                Purpose::Analysis,
                when,
                out,
            );
        }
    }

    pub(super) fn hint(&mut self, when: Instant, out: &mut Replies) {
        let session = self.engine.session();
        let legal = |token: &String| session.continuations().contains(token);
        if let Some(expected) = self.expected.clone().filter(legal) {
            return self.say_hint(&expected, out);
        }
        match &self.search {
            None if session.outcome().is_none() => {
                let limits = Limits {
                    budget: Budget::Fixed(Duration::from_millis(300)),
                    lines: 1,
                    ..Limits::default()
                };
                self.think(SearchRequest { limits, ..SearchRequest::default() }, Purpose::Hint, when, out);
            }
            // What is being looked at is what a hint is asked for.
            Some(Search { purpose: Purpose::Analysis | Purpose::Ponder, .. }) => {
                if let Some(best) = self.progress.as_ref().and_then(|line| line.pv.first())
                    && legal(best)
                {
                    self.say_hint(best, out);
                }
            }
            _ => {}
        }
    }

    pub(super) fn say_hint(&self, token: &str, out: &mut Replies) {
        let session = self.engine.session();
        let whole = || view::write_move(session.facts(), &session.position(), token);
        out.say(Reply::Hint(&self.first_ply(token).unwrap_or_else(whole)));
    }

    pub(super) fn status(&self, out: &mut Replies) {
        if self.mode != Mode::Analyzes {
            return;
        }
        let total = self.engine.session().continuations().len().saturating_sub(self.excluded.len());
        let report = self.progress.as_ref().map(|line| &line.report);
        out.say(Reply::Status(Status {
            time: report.map_or(0, |report| report.elapsed.as_millis() as u64 / 10),
            nodes: report.map_or(0, |report| report.nodes),
            ply: report.map_or(0, |report| report.depth),
            moves_left: 0,
            moves_total: total as u32,
            current: self.progress.as_ref().and_then(|line| line.pv.first()).map(String::as_str),
        }));
    }

    pub(super) fn show_line(&mut self, line: PvLine, out: &mut Replies) {
        let Some(search) = &self.search else { return };
        let report = &line.report;
        let best = report.rank == 1;
        let before = match (&search.purpose, &self.expected) {
            (Purpose::Ponder, Some(expected)) => Some(format!("({expected}) ")),
            // Seen with the opponent's eyes, or a hint in the making: not what we think of our position.
            (Purpose::Ponder, None) | (Purpose::Hint, _) => None,
            _ => Some(String::new()),
        };
        if self.post
            && let Some(before) = before
        {
            out.say(Reply::Thinking(Thinking {
                ply: report.depth,
                score: score_of(report.score),
                bound: self.bound_of(report.bound),
                time: report.elapsed.as_millis() as u64 / 10,
                nodes: report.nodes,
                counts: Some(Counts {
                    selective_depth: report.seldepth,
                    speed: per_second(report.nodes, report.elapsed),
                    table_hits: 0,
                }),
                pv: &format!("{before}{}", line.pv.join(" ")),
            }));
        }
        if best && search.purpose == Purpose::Move {
            self.think_of_draw(report.depth, report.score, out);
        }
        if best {
            self.progress = Some(line);
        }
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
