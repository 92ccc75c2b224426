//! The searches of a game: when they begin, when they must end, and what their results lead to.

use super::answer::error_message;
use super::permits::{Permit, Purpose};
use super::story;
use super::web_game::{Outgoing, WebGame};
use crate::base::Color;
use crate::base::score::{Score, distance};
use crate::engine::{PvLine, SearchEvent, SearchHandle, SearchRequest};
use crate::game::WinModel;
use crate::live_game::{Command, Seat, Viewer, opinion, own_words};
use crate::notation::{Leg, parse_token};
use crate::search::{Budget, Limits};
use litemap::LiteMap;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The longest search, whatever level and clock allow.
const MOST_THINKING: Duration = Duration::from_secs(120);
/// The longest search for analysis.
const ANALYSIS: Duration = Duration::from_secs(60);
/// The least time between two reports of lines.
const BETWEEN_LINES: Duration = Duration::from_millis(100);

/// The search that runs for a game.
pub struct Search {
    purpose: Purpose,
    handle: SearchHandle,
    /// Whether the board has changed or the search is not needed any more, so that its result is dropped.
    stale: bool,
    player: Color,
    tokens: usize,
    ends: Instant,
    _permit: Permit,
}

/// The lines found last.
#[derive(Default)]
pub struct Analysis {
    lines: LiteMap<usize, Value>,
    depth: u32,
    nodes: u64,
    speed: u64,
    /// The number of tokens before the position, and the purpose.
    of: Option<(usize, Purpose)>,
    /// The number of tokens before a position that has been analysed to the end.
    done: Option<usize>,
    /// Since when there are lines that have not been reported.
    fresh: Option<Instant>,
}

impl WebGame {
    /// What the engine should search for now.
    pub(super) fn wanted(&self) -> Option<Purpose> {
        let seat = self.table.seat_to_decide()?;
        if self.viewer() == Viewer::Nobody {
            return None;
        }
        let tokens = self.table.session().tokens_played();
        match seat {
            Seat::Engine => (!self.paused).then_some(Purpose::Play),
            Seat::Person if self.hint => Some(Purpose::Hint),
            Seat::Person if self.lines > 0 && self.analysis.done != Some(tokens) => Some(Purpose::Analyse),
            Seat::Person => None,
        }
    }

    /// The purpose for which a search should begin and a permit is needed.
    pub fn wants_permit(&self) -> Option<Purpose> {
        let early = self.not_before.is_some_and(|begin| begin > Instant::now());
        self.wanted().filter(|_| self.search.is_none() && !early)
    }

    /// Ends an analysis because another game needs its permit for a turn.
    pub fn make_room(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.purpose == Purpose::Analyse) {
            search.stale = true;
            search.handle.stop();
        }
    }

    /// Begins the search that the permit is for.
    pub fn begin_search(&mut self, permit: Permit, outgoing: &mut Vec<Outgoing>) {
        let (Some(purpose), Some(player)) = (self.wants_permit(), self.table.to_decide()) else { return };
        if purpose != permit.purpose {
            return;
        }
        let limits = match purpose {
            Purpose::Play => self.table.turn_limits(),
            Purpose::Hint => self.table.level.advice(),
            Purpose::Analyse => {
                Limits { budget: Budget::Fixed(ANALYSIS), lines: self.lines, ..Limits::default() }
            }
        };
        let settings = &mut self.engine.settings;
        settings.analysing = purpose != Purpose::Play;
        settings.seed = self.table.seed();
        // Advice must not reveal what a die will show.
        let own_words = purpose != Purpose::Play;
        let request = SearchRequest { limits, own_words, ..SearchRequest::default() };
        self.table.engine_thinks(Some(self.now()));
        match self.engine.search_in(self.table.session(), request, Instant::now()) {
            Ok(handle) => {
                let tokens = self.table.session().tokens_played();
                let ends = Instant::now() + MOST_THINKING;
                self.analysis = Analysis { of: Some((tokens, purpose)), ..Analysis::default() };
                self.search =
                    Some(Search { purpose, handle, stale: false, player, tokens, ends, _permit: permit });
                if self.table.running().is_some_and(|_| purpose == Purpose::Play) {
                    // The engine's clock runs from now on.
                    outgoing.push(Outgoing::State);
                }
            }
            Err(error) => {
                self.table.engine_thinks(None);
                (self.paused, self.hint, self.lines) = (true, false, 0);
                outgoing.push(Outgoing::Players(error_message("think", &error.to_string())));
            }
        }
    }

    /// Ends a search that is no longer needed.
    pub(super) fn drop_stale_search(&mut self) {
        let (wanted, tokens) = (self.wanted(), self.table.session().tokens_played());
        if let Some(search) = &mut self.search
            && (Some(search.purpose) != wanted
                || search.tokens != tokens
                || search.purpose == Purpose::Analyse)
        {
            search.stale = true;
            search.handle.stop();
            self.table.engine_thinks(None);
        }
    }

    /// Makes the engine play what it has found.
    pub(super) fn hurry(&mut self) {
        if let Some(search) = &self.search {
            search.handle.stop();
        }
    }

    /// Takes in an event of the search.
    pub fn heard(&mut self, id: u64, event: SearchEvent, outgoing: &mut Vec<Outgoing>) {
        let Some(search) = self.search.as_ref().filter(|search| search.handle.id == id) else { return };
        let (player, tokens, stale, purpose) = (search.player, search.tokens, search.stale, search.purpose);
        match event {
            SearchEvent::Info(line) if !stale => self.note(&line, player, tokens),
            SearchEvent::Failed(reason) => log::error!("the search failed: {reason}"),
            SearchEvent::BestMove(best) => {
                // Threads and tables are for the games that are thinking, not for all that are being watched.
                self.search = None;
                self.engine.rest();
                if stale {
                    return;
                }
                self.tell_lines(outgoing);
                match purpose {
                    Purpose::Play => {
                        let decided = Command::Decide { token: best.token, score: best.score };
                        if let Err(refusal) = self.table.tell(decided, self.now()) {
                            log::error!("the engine's own turn: {refusal}");
                            self.table.engine_thinks(None);
                            self.paused = true;
                        }
                        let now = self.table.session().tokens_played();
                        self.scores.insert(now, for_white(best.score, player));
                        self.decided();
                    }
                    Purpose::Hint => {
                        self.hint = false;
                        if let Some(token) = best.token.as_deref().map(own_words) {
                            let score = opinion(best.score, player);
                            let words = story::of_token(self.table.session(), &token);
                            let hint = json!({
                                "type": "hint", "at": tokens, "word": token, "words": words, "score": score,
                                "arrows": arrows(&token),
                            });
                            outgoing.push(Outgoing::Players(hint));
                        }
                    }
                    Purpose::Analyse => self.analysis.done = Some(tokens),
                }
                outgoing.push(Outgoing::State);
            }
            _ => {}
        }
    }

    fn note(&mut self, line: &PvLine, player: Color, tokens: usize) {
        let report = &line.report;
        let first = line.pv.first().map(|token| own_words(token)).unwrap_or_default();
        let value = json!({
            "rank": report.rank,
            "depth": report.depth,
            "score": opinion(report.score, player),
            "expected": expected(report.score, player, self.table.session().facts().win_model),
            "pv": line.pv.iter().take(12).collect::<Vec<_>>(),
            "arrows": arrows(&first),
        });
        let analysis = &mut self.analysis;
        analysis.lines.insert(report.rank, value);
        (analysis.nodes, analysis.depth) = (report.nodes, analysis.depth.max(report.depth));
        analysis.speed = (report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-6)) as u64;
        analysis.fresh.get_or_insert_with(Instant::now);
        if report.rank == 1 {
            self.scores.insert(tokens, for_white(report.score, player));
        }
    }

    /// Reports the lines that have not been reported. What the engine thinks of hidden cards is not shown.
    fn tell_lines(&mut self, outgoing: &mut Vec<Outgoing>) {
        let analysis = &mut self.analysis;
        if analysis.fresh.take().is_none() {
            return;
        }
        let (lines, nodes, depth, speed) =
            (analysis.lines.values().collect::<Vec<_>>(), analysis.nodes, analysis.depth, analysis.speed);
        let Some((at, purpose)) = analysis.of else { return };
        let message = json!({
            "type": "thinking", "at": at, "lines": lines, "nodes": nodes, "depth": depth, "speed": speed,
        });
        if purpose != Purpose::Play || self.viewer() == Viewer::All {
            outgoing.push(Outgoing::Players(message));
        }
    }

    /// The time at which [`WebGame::tick`] must be called if no event comes first.
    pub fn deadline(&self) -> Option<Instant> {
        let flag = self.table.due().map(|due| self.opened + due);
        let lines = self.analysis.fresh.map(|fresh| fresh + BETWEEN_LINES);
        let pace = self.not_before.filter(|_| self.search.is_none() && self.wanted().is_some());
        let search = self.search.as_ref().map(|search| search.ends);
        [flag, lines, pace, search].into_iter().flatten().min()
    }

    /// Does what is due by now.
    pub fn tick(&mut self, outgoing: &mut Vec<Outgoing>) {
        let now = Instant::now();
        if self.analysis.fresh.is_some_and(|fresh| now >= fresh + BETWEEN_LINES) {
            self.tell_lines(outgoing);
        }
        if self.not_before.is_some_and(|begin| now >= begin) {
            self.not_before = None;
        }
        if let Some(search) = self.search.as_mut().filter(|search| now >= search.ends) {
            search.handle.stop();
            // The search ends soon; until then nothing must wake the room for it.
            search.ends = now + MOST_THINKING;
        }
        if self.table.tick(self.now()).is_some() {
            self.drop_stale_search();
            outgoing.push(Outgoing::State);
        }
    }

    /// Frees what a search uses and stops the clocks, when the last viewer has left.
    pub fn rest(&mut self) {
        self.search = None;
        self.hint = false;
        self.analysis = Analysis::default();
        self.engine.rest();
    }

    /// Resumes the game when a viewer returns.
    pub fn wake(&mut self) {
        if !self.awaited {
            self.table.start_clock(self.now());
        }
    }
}

fn for_white(score: Score, player: Color) -> i32 {
    if player == Color::White { score } else { -score }
}

/// White's expected points, from 0 to 1.
fn expected(score: Score, player: Color, model: WinModel) -> f64 {
    // A forced win is certain, and shows as a full bar.
    let share = match distance(score) {
        Some(_) => f64::from(u8::from(score > 0)),
        None => model.points(score.into()),
    };
    if player == Color::White { share } else { 1.0 - share }
}

/// The squares of the moves in a token, and the squares where balls and other things are put.
pub(super) fn arrows(word: &str) -> Vec<Vec<String>> {
    let legs = parse_token(word).map(|token| token.legs).unwrap_or_default();
    let arrow = |leg: Leg| match leg {
        Leg::Move { from, to, .. } => Some(vec![from.to_string(), to.to_string()]),
        Leg::Put { at, .. } => Some(vec![at.to_string()]),
        _ => None,
    };
    legs.into_iter().filter_map(arrow).collect()
}
