//! Thinking: for our move, and besides (pondering, analysis, hints). Also what is shown of it, and the pause,
//! which suspends it until it goes on exactly where it was.

use super::board::Board;
use super::offers::CREDIBLE_DEPTH;
use super::{Mode, Purpose, Search, Xboard};
use crate::base::Color;
use crate::base::score;
use crate::engine::SearchRequest;
use crate::engine::per_second;
use crate::engine::{BestMove, PvLine};
use crate::protocol::Bound;
use crate::protocol::xboard::{Counts, Reply, Score, Status, Thinking};
use crate::search::{self, Budget, Limits};
use crate::session::xboard_spelling;
use crate::session::xboard_spelling::Ply;
use std::time::Duration;

/// How long we think about a hint.
const HINT_TIME: Duration = Duration::from_millis(300);

impl Xboard {
    /// Starts a search of the present position, unless the game is over, we are paused, or all moves are
    /// excluded.
    pub(super) fn think(&mut self, purpose: Purpose) {
        if self.paused || self.engine.session().outcome().is_some() {
            return;
        }
        let in_game = matches!(purpose, Purpose::Move | Purpose::Ponder);
        let chosen = matches!(purpose, Purpose::Move | Purpose::Analysis);
        let Some(searchmoves) = (if chosen { self.roots() } else { Some(Vec::new()) }) else { return };
        let limits = match purpose {
            Purpose::Move | Purpose::Ponder => Limits { lines: 1, ..self.time.limits(self.mirror.plies()) },
            Purpose::Analysis => Limits { infinite: true, ..Limits::default() },
            Purpose::Hint => Limits { budget: Budget::Fixed(HINT_TIME), lines: 1, ..Limits::default() },
        };
        let request = SearchRequest {
            limits,
            searchmoves,
            ponder: purpose == Purpose::Ponder,
            seat: self.seat(),
            opponent_clock: self.time.other_clock.filter(|_| in_game),
            ..SearchRequest::default()
        };
        self.game.progress = None;
        match self.engine.search(request, self.when) {
            Ok(running) => self.search = Some(Search { running, purpose, since: self.when, finished: None }),
            Err(problem) => {
                self.error(problem, "go");
                // A client that waits for our move gets one.
                if purpose == Purpose::Move
                    && let Some(token) = self.engine.session().first_token()
                {
                    self.decided(BestMove { token: Some(token), ..BestMove::NONE });
                }
            }
        }
    }

    /// The side we play, if we play one.
    pub(super) fn seat(&self) -> Option<Color> {
        if let Mode::Plays(own) = self.mode { Some(own) } else { None }
    }

    pub(super) fn start_pondering(&mut self) {
        if !self.ponder || !self.is_theirs() || self.game.over || self.search.is_some() {
            return;
        }
        // Where no move is expected yet, searching the opponent's moves fills the transposition table.
        let Some(expected) = self.game.expected.clone() else {
            // The opponent's cards must leave no trace in the table.
            if !self.hides_cards() {
                self.think(Purpose::Ponder);
            }
            return;
        };
        if self.engine.session_mut().play(&expected).is_ok() {
            self.think(Purpose::Ponder);
            self.engine.session_mut().take_back();
        }
    }

    pub(super) fn analyze_again(&mut self) {
        if self.mode == Mode::Analyzes {
            self.abandon();
            self.game.progress = None;
            self.think(Purpose::Analysis);
        }
    }

    pub(super) fn pause(&mut self) {
        self.paused = true;
        // The move that these wait for may be long in coming.
        self.answer_pings();
        if let Some(search) = &self.search {
            search.running.pause(self.when);
        }
    }

    /// Ends a pause. While we are paused, all lines are still read and moves are played; only thinking waits,
    /// and what follows from it.
    pub(super) fn resume(&mut self) {
        if !std::mem::take(&mut self.paused) {
            return;
        }
        if let Some(search) = &self.search {
            search.running.resume(self.when);
            // The move may have been found just before the pause.
            return self.conclude();
        }
        self.analyze_again();
        self.take_turn();
        self.start_pondering();
    }

    pub(super) fn hint(&mut self) {
        let session = self.engine.session();
        let legal = |token: &&String| session.continuations().contains(token);
        // The user asks about the position that is being searched.
        let looking = self.is_searching(Purpose::Analysis) || self.is_searching(Purpose::Ponder);
        let best = self.game.progress.as_ref().filter(|_| looking).and_then(|line| line.pv.first());
        match self.game.expected.as_ref().filter(legal).or(best.filter(legal)).cloned() {
            Some(token) => self.say_hint(&token),
            None if self.search.is_none() => self.think(Purpose::Hint),
            None => {}
        }
    }

    pub(super) fn say_hint(&mut self, token: &str) {
        let session = self.engine.session();
        let whole = || xboard_spelling::write_move(session.facts(), &session.position(), token);
        let text = self.first_ply(token).map_or_else(whole, |ply| ply.to_string());
        self.out.say(Reply::Hint(&text));
    }

    /// Where plies are single steps, the ply by which XBoard would be shown `token`, or its beginning.
    fn first_ply(&self, token: &str) -> Option<Ply> {
        let (session, board) = (self.engine.session(), &self.mirror.board);
        let path = self.mirror.view.and_then(|_| session.decisions_of(token))?;
        let goal = Board::new(session.facts(), &session.shown_behind(path.get(..1)?)?, !board.side);
        board.plies_to(&goal, Some(!board.side)).first().copied()
    }

    pub(super) fn status(&mut self) {
        if self.mode != Mode::Analyzes {
            return;
        }
        let total = self.engine.session().continuations().len().saturating_sub(self.game.excluded.len());
        let line = self.game.progress.as_ref();
        self.out.say(Reply::Status(Status {
            time: line.map_or(0, |line| centiseconds(line.report.elapsed)),
            nodes: line.map_or(0, |line| line.report.nodes),
            ply: line.map_or(0, |line| line.report.depth),
            moves_left: 0,
            moves_total: total as u32,
            current: line.and_then(|line| line.pv.first()).map(String::as_str),
        }));
    }

    /// Handles a line of thinking that the search in progress has found.
    pub(super) fn show_line(&mut self, line: PvLine) {
        let report = &line.report;
        let before = match (&self.search, &self.game.expected) {
            // It would show the user at the mouse what to play, in place of what they may do.
            (Some(Search { purpose: Purpose::Ponder, .. }), _) if self.decides_by_mouse() => None,
            (Some(Search { purpose: Purpose::Ponder, .. }), Some(expected)) => Some(format!("({expected}) ")),
            // The score is from the opponent's point of view, or a hint is being made: it is not our
            // assessment of the position.
            (Some(Search { purpose: Purpose::Ponder | Purpose::Hint, .. }), _) => None,
            _ => Some(String::new()),
        };
        // Our thinking would reveal the cards we hold, be it only by the score.
        if let Some(before) = before.filter(|_| self.post && !self.hides_cards()) {
            self.out.say(Reply::Thinking(Thinking {
                ply: report.depth,
                score: score_of(report.score),
                bound: match report.bound {
                    // Our own searches report only exact results in the end. Bounds that other programs
                    // report are passed on.
                    search::Bound::Lower if self.engine.profile().abilities.raw_thinking => Bound::Lower,
                    search::Bound::Upper if self.engine.profile().abilities.raw_thinking => Bound::Upper,
                    _ => Bound::Exact,
                },
                time: centiseconds(report.elapsed),
                nodes: report.nodes,
                counts: Some(Counts {
                    selective_depth: report.seldepth,
                    speed: per_second(report.nodes, report.elapsed),
                    table_hits: 0,
                }),
                pv: &format!("{before}{}", line.pv.join(" ")),
            }));
        }
        if report.rank == 1 {
            if self.is_searching(Purpose::Move) && report.depth >= CREDIBLE_DEPTH {
                self.consider_draw(report.score);
            }
            self.game.progress = Some(line);
        }
    }
}

const fn centiseconds(time: Duration) -> u64 {
    time.as_millis() as u64 / 10
}

/// A score in XBoard's terms: centipawns, or moves of the winner.
fn score_of(value: score::Score) -> Score {
    match score::distance(value) {
        None => Score::Centipawns(value),
        Some(turns) if turns > 0 => Score::Wins((turns + 1) as u32 / 2),
        Some(turns) => Score::Loses((1 - turns) as u32 / 2),
    }
}
