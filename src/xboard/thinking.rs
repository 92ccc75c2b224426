//! Thinking: for our move, and besides (pondering, analysis, hints). Also what is shown of it, and the pause,
//! which suspends it until it goes on exactly where it was.

use super::clock::Clock;
use super::exclude::Excluded;
use super::game::{Game, Mode};
use crate::base::score;
use crate::engine::{BestMove, PvLine, SearchHandle, SearchRequest, per_second};
use crate::protocol::Bound;
use crate::protocol::xboard::{Counts, Reply, Score, Status, Thinking as ThinkingLine};
use crate::search::{self, Budget, Limits};
use crate::session::xboard_spelling;
use std::time::{Duration, Instant};

/// How long we think about a hint.
const HINT_TIME: Duration = Duration::from_millis(300);
/// The score of a running search is trusted from this depth on.
const CREDIBLE_DEPTH: u32 = 6;

/// The search in progress, what it has found, and what the next one is to obey.
#[derive(Default)]
pub(super) struct Thinking {
    pub clock: Clock,
    /// True if the engine may think on the opponent's time.
    pub ponder: bool,
    pub search: Option<Search>,
    /// The `ping`s that came after `?`; the move is sent before they are answered.
    pings: Vec<i64>,
    /// True while no search may go on, until `resume`.
    pub paused: bool,
    /// The move that is expected of the opponent.
    pub expected: Option<String>,
    /// The last principal variation, for `.` and hints.
    progress: Option<PvLine>,
    pub excluded: Excluded,
}

/// A search in progress, or one that has ended and whose result is not used yet.
pub(super) struct Search {
    pub running: SearchHandle,
    pub purpose: Purpose,
    /// When the search was asked for.
    since: Instant,
    /// The result of a search that has ended too early to be used: the expected move may still come, or
    /// `resume`.
    pub finished: Option<BestMove>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Move,
    /// On the opponent's time: the position after the expected move.
    Ponder,
    Analysis,
    Hint,
}

impl Thinking {
    /// Forgets what belonged to the game before.
    pub fn begin_game(&mut self) {
        (self.expected, self.progress) = (None, None);
        self.excluded.clear();
    }

    pub fn is_searching(&self, purpose: Purpose) -> bool {
        self.search.as_ref().is_some_and(|search| search.purpose == purpose)
    }

    /// Starts a search of the present position, unless the game is over, we are paused, or all moves are
    /// excluded. Returns the move that is played when none can be started: a client that waits for our move
    /// gets one.
    pub fn think(&mut self, purpose: Purpose, game: &mut Game) -> Option<BestMove> {
        if self.paused || game.session().outcome().is_some() {
            return None;
        }
        let in_game = matches!(purpose, Purpose::Move | Purpose::Ponder);
        let searchmoves = match purpose {
            Purpose::Move | Purpose::Analysis => self.excluded.roots(game.session())?,
            Purpose::Ponder | Purpose::Hint => Vec::new(),
        };
        let limits = match purpose {
            Purpose::Move | Purpose::Ponder => Limits { lines: 1, ..self.clock.limits(game.mirror.plies()) },
            Purpose::Analysis => Limits { infinite: true, ..Limits::default() },
            Purpose::Hint => Limits { budget: Budget::Fixed(HINT_TIME), lines: 1, ..Limits::default() },
        };
        let request = SearchRequest {
            limits,
            searchmoves,
            ponder: purpose == Purpose::Ponder,
            seat: game.own_side(),
            opponent_clock: self.clock.other_clock.filter(|_| in_game),
            ..SearchRequest::default()
        };
        self.progress = None;
        let since = game.when;
        match game.engine.search(request, since) {
            Ok(running) => self.search = Some(Search { running, purpose, since, finished: None }),
            Err(problem) => {
                game.error(problem, "go");
                let token = game.session().first_token().filter(|_| purpose == Purpose::Move);
                return token.map(|token| BestMove { token: Some(token), ..BestMove::NONE });
            }
        }
        None
    }

    pub fn start_pondering(&mut self, game: &mut Game) {
        if !self.ponder || !game.is_theirs() || game.over || self.search.is_some() {
            return;
        }
        // Where no move is expected yet, searching the opponent's moves fills the transposition table.
        let Some(expected) = &self.expected else {
            // The opponent's cards must leave no trace in the table.
            if !game.hides_cards() {
                self.think(Purpose::Ponder, game);
            }
            return;
        };
        if game.engine.session_mut().play(expected).is_ok() {
            self.think(Purpose::Ponder, game);
            game.engine.session_mut().take_back();
        }
    }

    /// The expected move was played. XBoard has sent the clock since the search began to ponder. False if
    /// there is no such search.
    pub fn ponder_hit(&mut self, game: &Game) -> bool {
        let Some(search) = self.search.as_mut().filter(|search| search.purpose == Purpose::Ponder) else {
            return false;
        };
        search.purpose = Purpose::Move;
        let budget = self.clock.limits(game.mirror.plies()).budget;
        search.running.ponder_hit(budget.deadlines(game.engine.settings.overhead));
        true
    }

    pub fn analyze_again(&mut self, game: &mut Game) {
        if game.mode == Mode::Analyzes {
            self.abandon(game);
            self.progress = None;
            self.think(Purpose::Analysis, game);
        }
    }

    /// True if the search in progress is to begin anew, since the moves to be searched have changed. It does
    /// so on the clock of the search that was given up. While every move is excluded, a search for our move
    /// goes on with those it had.
    pub fn begins_anew(&mut self, game: &mut Game) -> bool {
        match &self.search {
            Some(search) if search.purpose == Purpose::Ponder || search.running.is_stopped() => return false,
            Some(search) if search.purpose == Purpose::Move => game.when = search.since,
            _ => {}
        }
        self.excluded.roots(game.session()).is_some()
    }

    /// Gives up the search without a result. Pings that waited for its move are answered.
    pub fn abandon(&mut self, game: &mut Game) {
        if let Some(search) = self.search.take() {
            search.running.stop();
        }
        self.answer_pings(game);
    }

    /// Gives up the search, and a pause with it: there will be nothing to resume.
    pub fn interrupt(&mut self, game: &mut Game) {
        self.paused = false;
        self.abandon(game);
    }

    /// The same, but only while we are paused.
    pub fn end_pause(&mut self, game: &mut Game) {
        if self.paused {
            self.interrupt(game);
        }
    }

    pub fn pause(&mut self, game: &mut Game) {
        self.paused = true;
        // The move that these wait for may be long in coming.
        self.answer_pings(game);
        if let Some(search) = &self.search {
            search.running.pause(game.when);
        }
    }

    /// Ends a pause; false if there was none. While we are paused, all lines are still read and moves are
    /// played; only thinking waits, and what follows from it.
    pub fn resume(&mut self, game: &Game) -> bool {
        if let Some(search) = self.search.as_ref().filter(|_| self.paused) {
            search.running.resume(game.when);
        }
        std::mem::take(&mut self.paused)
    }

    /// After `?` the move goes first. Otherwise the answer comes at once, also while searching.
    pub fn ping(&mut self, number: i64, game: &mut Game) {
        let hurried = self.search.as_ref().is_some_and(|search| search.running.is_stopped());
        if hurried && !self.paused {
            self.pings.push(number);
            return;
        }
        if self.search.is_none() {
            game.engine.prepare();
        }
        game.out.say(Reply::Pong(number));
    }

    pub fn answer_pings(&mut self, game: &mut Game) {
        for number in self.pings.drain(..) {
            game.out.say(Reply::Pong(number));
        }
    }

    /// Takes the result of a search that has ended: for our move, unless we are paused, or for a hint. The
    /// result of any other search waits for the user's next command.
    pub fn take_result(&mut self) -> Option<(Purpose, BestMove)> {
        let paused = self.paused;
        let ended = self.search.take_if(|search| match search.purpose {
            Purpose::Move => search.finished.is_some() && !paused,
            Purpose::Hint => search.finished.is_some(),
            Purpose::Ponder | Purpose::Analysis => false,
        })?;
        Some((ended.purpose, ended.finished?))
    }

    /// Handles `hint`.
    pub fn hint(&mut self, game: &mut Game) {
        let legal = game.session().continuations();
        let legal = |token: &&String| legal.contains(token);
        // The user asks about the position that is being searched.
        let looking = self.is_searching(Purpose::Analysis) || self.is_searching(Purpose::Ponder);
        let best = self.progress.as_ref().filter(|_| looking).and_then(|line| line.pv.first());
        match self.expected.as_ref().filter(legal).or(best.filter(legal)) {
            Some(token) => say_hint(token, game),
            None if self.search.is_none() => {
                self.think(Purpose::Hint, game);
            }
            None => {}
        }
    }

    /// Handles `.`.
    pub fn status(&self, game: &mut Game) {
        if game.mode != Mode::Analyzes {
            return;
        }
        let total = self.excluded.left(game.session());
        let line = self.progress.as_ref();
        game.out.say(Reply::Status(Status {
            time: line.map_or(0, |line| centiseconds(line.report.elapsed)),
            nodes: line.map_or(0, |line| line.report.nodes),
            ply: line.map_or(0, |line| line.report.depth),
            moves_left: 0,
            moves_total: total as u32,
            current: line.and_then(|line| line.pv.first()).map(String::as_str),
        }));
    }

    /// Handles a line of thinking that the search in progress has found. Returns its score if it can be
    /// trusted, and is about our move.
    pub fn show_line(&mut self, line: PvLine, game: &mut Game) -> Option<score::Score> {
        let report = &line.report;
        let purpose = self.search.as_ref().map(|search| search.purpose);
        let before = match (purpose, &self.expected) {
            // It would show the user at the mouse what to play, in place of what they may do.
            (Some(Purpose::Ponder), _) if game.decides_by_mouse() => None,
            (Some(Purpose::Ponder), Some(expected)) => Some(format!("({expected}) ")),
            // The score is from the opponent's point of view, or a hint is being made: it is not our
            // assessment of the position.
            (Some(Purpose::Ponder | Purpose::Hint), _) => None,
            _ => Some(String::new()),
        };
        // Our thinking would reveal the cards we hold, be it only by the score.
        if let Some(before) = before.filter(|_| game.post && !game.hides_cards()) {
            let raw = game.engine.profile().abilities.raw_thinking;
            game.out.say(Reply::Thinking(ThinkingLine {
                ply: report.depth,
                score: score_of(report.score),
                // Our own searches report only exact results in the end. Bounds that other programs report
                // are passed on.
                bound: match report.bound {
                    search::Bound::Lower if raw => Bound::Lower,
                    search::Bound::Upper if raw => Bound::Upper,
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
        let best = report.rank == 1;
        let trusted = best && purpose == Some(Purpose::Move) && report.depth >= CREDIBLE_DEPTH;
        let score = trusted.then_some(report.score);
        if best {
            self.progress = Some(line);
        }
        score
    }
}

/// Sends the hint `token`.
pub(super) fn say_hint(token: &str, game: &mut Game) {
    let session = game.session();
    let whole = || xboard_spelling::write_move(session.facts(), &session.position(), token);
    let text = game.mirror.first_ply(session, token).map_or_else(whole, |ply| ply.to_string());
    game.out.say(Reply::Hint(&text));
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
