//! The state machine of UCI, and of UGI, which differs in a few words.

mod info;
#[cfg(test)]
mod tests;

use super::bench::{Bench, BenchError, BenchResult};
use super::controller::{Frontend, Replies};
use super::engine::{Engine, SearchError, SearchHandle};
use super::events::{BestMove, EngineMessage, PerftResult, SearchEvent};
use super::foreign::ForeignEngine;
use super::options::{self, Change, Kind, Offered};
use super::query;
use super::turn_search::SearchRequest;
use crate::base::Color;
use crate::game::{Actor, Facts};
use crate::protocol::same_words;
use crate::protocol::uci::{Command, Declaration, Dialect, Go, Info, OptionKind, Position, Reply, Start};
use crate::search::{Budget, Limits};
use crossbeam_channel::Receiver;
use info::InfoWriter;
pub(super) use info::per_second;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A conversation in UCI.
pub(super) struct Uci {
    engine: Engine,
    /// The last of `uci` and `ugi` that was said. In UGI mates are counted in plies, `bestmove` is followed by the move
    /// alone, and a count of nodes and time goes before it.
    dialect: Dialect,
    debug: bool,
    search: Option<ActiveSearch>,
    /// `go` and `bench` lines that came while a search was running: it is stopped, and they follow in order. What
    /// comes after the first of them and is not [urgent](is_urgent) waits too: each searches the position
    /// that was said before it. The first is a `go` or `bench`, always.
    waiting: VecDeque<Waiting>,
}

/// A line that waits for a search before it to end.
struct Waiting {
    line: String,
    when: Instant,
    /// A `go` or `bench`, also one that cannot be understood.
    search: bool,
    /// `stop` came since: it ends as soon as it has begun.
    stopped: bool,
    /// `ponderhit` came since.
    hit: bool,
}

/// A search, a count or a bench.
struct ActiveSearch {
    handle: SearchHandle,
    /// What a bench has visited so far.
    bench_nodes: u64,
    /// `bestmove` may not be said before `stop` or `ponderhit` (infinite and ponder searches).
    held: bool,
    /// Infinite: only `stop` ends it, not `ponderhit`.
    infinite: bool,
    /// What was found, while it is held.
    best: Option<BestMove>,
}

/// True when a line says something in UCI.
pub(super) fn is_command(line: &str) -> bool {
    match Command::parse(line) {
        Ok(Some(parsed)) => !matches!(parsed.message, Command::Unknown(_)),
        Ok(None) => false,
        Err(_) => true,
    }
}

impl Uci {
    pub fn new() -> Self {
        Self::with(Engine::new())
    }

    pub fn with(engine: Engine) -> Self {
        Self { engine, dialect: Dialect::Uci, debug: false, search: None, waiting: VecDeque::new() }
    }

    fn obey(
        &mut self,
        command: Command<'_>,
        line: &str,
        when: Instant,
        out: &mut Replies,
    ) -> ControlFlow<()> {
        match command {
            Command::Quit => return ControlFlow::Break(()),
            Command::Stop => {
                self.waiting.iter_mut().for_each(|waiting| waiting.stopped = true);
                self.stop(out);
            }
            // Meant for the last `go`, whether it has begun or not.
            Command::PonderHit => match self.waiting.iter_mut().rfind(|waiting| waiting.search) {
                Some(waiting) => waiting.hit = true,
                None => self.ponder_hit(out),
            },
            Command::Go(_) | Command::Bench(_) if self.search.is_some() => {
                self.wait(line, when, true);
                self.stop(out);
            }
            _ if !self.waiting.is_empty() && !is_urgent(&command) => self.wait(line, when, false),
            _ => self.carry_out(command, when, out),
        }
        ControlFlow::Continue(())
    }

    /// Does what need not wait, or has waited.
    fn carry_out(&mut self, command: Command<'_>, when: Instant, out: &mut Replies) {
        match command {
            Command::Uci => {
                self.dialect = Dialect::Uci;
                self.introduce(out);
            }
            Command::Ugi => {
                self.dialect = Dialect::Ugi;
                self.introduce(out);
            }
            Command::Debug(on) => self.debug = on,
            Command::IsReady => {
                if self.search.is_none() {
                    // The time for what takes long.
                    self.engine.renew();
                    if self.engine.foreign().is_none() && !self.engine.prepare() {
                        tell(out, "no memory for a transposition table");
                    }
                }
                out.say(Reply::ReadyOk);
            }
            Command::SetOption { name, value } => self.set_option(name, value, out),
            Command::Register(_) => {}
            Command::UciNewGame | Command::UgiNewGame => {
                self.engine.renew();
                self.engine.forget();
                if let Err(error) = self.engine.set_up(None, &mut std::iter::empty()) {
                    tell(out, &error.to_string());
                }
            }
            Command::Position(position) => self.set_position(position, out),
            Command::Go(go) => self.go(go, when, out),
            Command::Bench(arguments) => self.bench(arguments, when, out),
            Command::Show => self.show(out),
            Command::Evaluation => {
                let pawns = f64::from(self.engine.session().evaluation()) / 100.0;
                tell(out, &format!("evaluation {pawns:+.2} (White's side, nothing searched)"));
            }
            Command::Help => {
                tell(out, "UCI is spoken here; `carom docs uci` tells how, `carom --help` what else there is")
            }
            Command::Flip => {
                self.engine.renew();
                if let Err(error) = self.engine.session_mut().flip() {
                    tell(out, &format!("flip: {error}; the game in progress is kept"));
                }
            }
            Command::Query { question, arguments } => {
                // Every `query` gets one `response`, or the other side waits for ever.
                let answer = query::answer(self.engine.session(), question, arguments);
                if let Some(text) = &answer.explanation {
                    tell(out, text);
                }
                out.say(Reply::Response(&answer.response));
            }
            // Of these `obey` has taken care.
            Command::Stop | Command::PonderHit | Command::Quit => {}
            Command::Unknown(text) => tell(out, &format!("unknown command: {}", shorten(text))),
        }
    }

    fn introduce(&self, out: &mut Replies) {
        let (name, foreign) = (options::engine_name(), self.engine.foreign());
        out.say(Reply::IdName(foreign.map_or(&name, |foreign| &foreign.name)));
        // It must be said; the XBoard protocol has no word for it.
        let author = foreign.map_or(options::AUTHOR, |foreign| &foreign.author);
        out.say(Reply::IdAuthor(if author.is_empty() { "unknown" } else { author }));
        foreign.into_iter().for_each(|foreign| introduce_foreign(foreign, out));
        for entry in self.engine.own_options() {
            if entry.offered == Offered::Xboard {
                continue;
            }
            let kind = match &entry.kind {
                Kind::Check { default, .. } => OptionKind::Check { default: *default },
                Kind::Spin { default, min, max, .. } => {
                    OptionKind::Spin { default: *default as i64, min: *min as i64, max: *max as i64 }
                }
                Kind::Combo { values, .. } | Kind::Game(values) => {
                    OptionKind::Combo { default: values[0], choices: values.clone() }
                }
                Kind::Button(_) => OptionKind::Button,
                Kind::Text(text) => OptionKind::String { default: text },
                Kind::Words(_) => OptionKind::String { default: "" },
            };
            out.say(Reply::Option(Declaration { name: entry.name, kind }));
        }
        out.say(match self.dialect {
            Dialect::Uci => Reply::UciOk,
            Dialect::Ugi => Reply::UgiOk,
        });
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, out: &mut Replies) {
        match self.engine.set(name, value.unwrap_or_default()) {
            Ok(Change::Game) => {
                let facts = self.engine.settings.game;
                self.engine.renew();
                tell(out, &announcement(facts, &self.engine.session().usual_start().to_string()));
            }
            Ok(_) => {}
            Err(error) => tell(out, &error.to_string()),
        }
    }

    fn set_position(&mut self, position: Position<'_>, out: &mut Replies) {
        self.engine.renew();
        let start = match position.start {
            Start::Startpos => None,
            Start::Fen(text) => Some(text),
            Start::Unsaid => {
                return tell(out, "position needs `startpos` or `fen`; the game in progress is kept");
            }
        };
        if let Err(error) = self.engine.set_up(start, &mut position.moves.iter()) {
            tell(out, &format!("{error}; the game in progress is kept"));
        }
    }

    fn go(&mut self, go: Go<'_>, when: Instant, out: &mut Replies) {
        self.engine.renew();
        let searchmoves =
            go.search_moves.map_or_else(Vec::new, |moves| moves.iter().map(str::to_owned).collect());
        let held = go.perft.is_none() && (go.infinite || go.ponder);
        let begun = match go.perft {
            Some(depth) => self.engine.perft(depth, searchmoves, when),
            None => {
                let actor = self.engine.session().actor();
                let limits = limits(&go, actor, self.engine.settings.analysing);
                let opponent_clock = opponent_clock(&go, actor);
                let ponder = go.ponder;
                self.engine.search(
                    SearchRequest { limits, searchmoves, ponder, opponent_clock, ..SearchRequest::default() },
                    when,
                )
            }
        };
        match begun {
            Ok(handle) => {
                self.search =
                    Some(ActiveSearch { handle, bench_nodes: 0, held, infinite: go.infinite, best: None });
            }
            Err(error) => {
                // Every `go` gets its `bestmove`, or the other side waits for ever.
                let mut best = None;
                if let SearchError::Unable(reason) = error {
                    tell(out, &reason);
                    best = self.engine.session().first_token().filter(|_| go.perft.is_none());
                } else {
                    tell(out, &format!("searchmoves: {error}"));
                }
                out.say(Reply::BestMove { best: best.as_deref(), ponder: None });
            }
        }
    }

    fn wait(&mut self, line: &str, when: Instant, search: bool) {
        self.waiting.push_back(Waiting { line: line.to_owned(), when, search, stopped: false, hit: false });
    }

    fn bench(&mut self, arguments: &str, when: Instant, out: &mut Replies) {
        let begun = Bench::parse(arguments).map_err(|error| error.to_string());
        let begun = begun.and_then(|bench| self.engine.bench(bench, when).map_err(|error| error.to_string()));
        match begun {
            Ok(handle) => {
                self.search =
                    Some(ActiveSearch { handle, bench_nodes: 0, held: false, infinite: false, best: None });
            }
            Err(error) => tell(out, &error),
        }
    }

    fn stop(&mut self, out: &mut Replies) {
        if let Some(search) = &mut self.search {
            search.held = false;
            search.handle.stop();
        }
        self.release(out);
    }

    fn ponder_hit(&mut self, out: &mut Replies) {
        if let Some(search) = &mut self.search {
            // Once `stop` has come nothing holds it any more.
            search.held &= search.infinite;
            search.handle.ponder_hit(None);
        }
        self.release(out);
    }

    /// Says the best move once it is known and may be said, then takes up what waited.
    fn release(&mut self, out: &mut Replies) {
        let ready = self.search.as_mut().filter(|search| !search.held).and_then(|search| search.best.take());
        let Some(best) = ready else { return };
        self.search = None;
        self.info_writer().last(&best, out);
        // UGI's runners take a line of more than two words for something else.
        let ponder = best.ponder.as_deref().filter(|_| self.dialect == Dialect::Uci);
        out.say(Reply::BestMove { best: best.token.as_deref(), ponder });
        self.next_waiting(out);
    }

    /// Takes up what waited, as far as to a `go` that has to wait for another.
    fn next_waiting(&mut self, out: &mut Replies) {
        while self.waiting.front().is_some_and(|first| !first.search || self.search.is_none())
            && let Some(waiting) = self.waiting.pop_front()
        {
            match Command::parse(&waiting.line) {
                Ok(Some(parsed)) => self.carry_out(parsed.message, waiting.when, out),
                Ok(None) => {}
                Err(error) => {
                    tell(out, &error.to_string());
                    out.say(Reply::BestMove { best: None, ponder: None });
                }
            }
            if waiting.search && waiting.hit {
                self.ponder_hit(out);
            }
            if waiting.search && waiting.stopped {
                self.stop(out);
            }
        }
        // The one that waits wants the one that runs to end.
        if !self.waiting.is_empty() {
            self.stop(out);
        }
    }

    fn perft_done(&mut self, count: PerftResult, out: &mut Replies) {
        self.search = None;
        if let Some(divided) = count.divided {
            for (turn, number) in &divided {
                out.say(format_args!("{turn}: {number}"));
            }
            out.say(format_args!("\nNodes searched: {}\n", count.total));
            log::info!("perft took {:?}", count.elapsed);
        } else {
            tell(out, "perft was stopped");
        }
        self.next_waiting(out);
    }

    /// The totals are worded as Stockfish's, so that scripts find them.
    fn bench_done(&mut self, done: Result<(), BenchError>, out: &mut Replies) {
        let Some(search) = self.search.take() else { return };
        match done {
            Ok(()) if search.handle.is_stopped() => tell(out, "bench was stopped"),
            Ok(()) => {
                let (nodes, elapsed) = (search.bench_nodes, search.handle.elapsed());
                out.say(format_args!("Total time (ms) : {}", elapsed.as_millis()));
                out.say(format_args!("Nodes searched  : {nodes}"));
                out.say(format_args!("Nodes/second    : {}", per_second(nodes, elapsed)));
            }
            Err(error) => tell(out, &error.to_string()),
        }
        self.next_waiting(out);
    }

    fn info_writer(&self) -> InfoWriter {
        InfoWriter { dialect: self.dialect, show_wdl: self.engine.settings.show_wdl }
    }

    fn show(&self, out: &mut Replies) {
        let session = self.engine.session();
        let position = session.position();
        let facts = session.facts();
        out.say(crate::render::board_text(facts, &position, crate::render::Style::Plain));
        out.say(format_args!("Fen: {position}"));
        out.say(format_args!("Game: {} ({})", facts.name, facts.title));
        match session.outcome() {
            Some(outcome) => out.say(format_args!("Result: {outcome}")),
            None => out.say(format_args!("To decide: {}", session.actor())),
        }
    }
}

impl Frontend for Uci {
    fn line(&mut self, line: &str, when: Instant, out: &mut Replies) -> ControlFlow<()> {
        match Command::parse(line) {
            Ok(None) => ControlFlow::Continue(()),
            Ok(Some(parsed)) => {
                for skipped in &parsed.skipped {
                    let text = shorten(skipped.text);
                    log::warn!("column {}: skipped `{text}`", skipped.column);
                    if self.debug {
                        tell(out, &format!("column {}: skipped {text}", skipped.column));
                    }
                }
                self.obey(parsed.message, line, when, out)
            }
            Err(error) => {
                // A `go` that cannot be understood still has somebody waiting for its answer, in its turn.
                if Command::is_go(line) {
                    self.wait(line, when, true);
                    self.stop(out);
                    self.next_waiting(out);
                } else {
                    tell(out, &error.to_string());
                }
                ControlFlow::Continue(())
            }
        }
    }

    fn too_long(&mut self, bytes: usize, out: &mut Replies) {
        tell(out, &format!("a line of {bytes} bytes is too long and was not read"));
    }

    fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.engine.events()
    }

    fn event(&mut self, id: u64, event: SearchEvent, out: &mut Replies) -> ControlFlow<()> {
        if let SearchEvent::Message(message) = event {
            // What it only says for a log is of interest while it searches; before `uciok` it would confuse.
            if self.debug || self.search.is_some() || !matches!(message, EngineMessage::Log(_)) {
                say_message(&message, out);
            }
            return ControlFlow::Continue(());
        }
        let (writer, over) = (self.info_writer(), self.engine.session().outcome().is_some());
        let current = self.search.as_mut().filter(|search| search.handle.id == id);
        let Some(search) = current else { return ControlFlow::Continue(()) };
        match event {
            SearchEvent::Info(line) => writer.line(&line, out),
            SearchEvent::BestMove(best) => {
                if best.token.is_none() {
                    writer.nothing_to_decide(&best, over, out);
                }
                search.best = Some(best);
                self.release(out);
            }
            SearchEvent::Perft(count) => self.perft_done(count, out),
            SearchEvent::Bench(BenchResult { game, nodes, time, .. }) => {
                search.bench_nodes += nodes;
                let speed = per_second(nodes, time);
                tell(
                    out,
                    &format!("bench {} nodes {nodes} time {} nps {speed}", game.name, time.as_millis()),
                );
            }
            SearchEvent::BenchDone(done) => self.bench_done(done, out),
            SearchEvent::Failed(reason) => {
                tell(out, &format!("{} in the search: {reason}", options::MISTAKE))
            }
            SearchEvent::Message(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn finish(&mut self, out: &mut Replies) -> bool {
        self.stop(out);
        self.search.is_some()
    }
}

/// What another program says beside its searches: UCI has words for none of it.
fn say_message(message: &EngineMessage, out: &mut Replies) {
    match message {
        EngineMessage::Error(text) | EngineMessage::Log(text) | EngineMessage::Tell(text) => tell(out, text),
        EngineMessage::RawXboard(_) => {}
        EngineMessage::Resign => tell(out, "the engine resigns"),
        EngineMessage::DrawOffer => tell(out, "the engine offers a draw"),
        EngineMessage::ResultClaim(verdict, comment) => {
            tell(out, &format!("the engine says: {verdict} {{{comment}}}"))
        }
    }
}

/// The options of another program, but for the game: that is ours to choose.
fn introduce_foreign(foreign: &ForeignEngine, out: &mut Replies) {
    let theirs = foreign.options.iter().filter(|option| !same_words(&option.name, "UCI_Variant"));
    theirs.for_each(|option| out.say(Reply::Option(option.to_uci())));
}

/// `variant NAME files F ranks R pocket P template fairy startpos FEN`, as Fairy-Stockfish says it.
fn announcement(facts: &Facts, start: &str) -> String {
    let Facts { name, files, ranks, hand, .. } = facts;
    format!("variant {name} files {files} ranks {ranks} pocket {hand} template fairy startpos {start}")
}

fn tell(out: &mut Replies, text: &str) {
    out.say(Reply::Info(Info { string: Some(text), ..Info::default() }));
}

/// True for what is answered at once and changes nothing that a search asked for before would notice.
fn is_urgent(command: &Command<'_>) -> bool {
    matches!(
        command,
        Command::Uci
            | Command::Ugi
            | Command::Debug(_)
            | Command::IsReady
            | Command::Help
            | Command::Unknown(_)
    )
}

/// What is quoted of somebody's line.
fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    let clean: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() { clean + "…" } else { clean }
}

fn opponent_clock(go: &Go<'_>, actor: Actor) -> Option<Duration> {
    let time = if actor == Actor::Player(Color::Black) { go.white_time } else { go.black_time };
    time.map(|milliseconds| Duration::from_millis(milliseconds.max(0) as u64))
}

fn limits(go: &Go<'_>, actor: Actor, analysing: bool) -> Limits {
    let milliseconds = |ms: i64| Duration::from_millis(ms.max(0) as u64);
    let (time, increment) = match actor {
        Actor::Player(Color::Black) => (go.black_time, go.black_increment),
        _ => (go.white_time, go.white_increment),
    };
    let budget = match (go.move_time, time) {
        _ if go.infinite => Budget::Unlimited,
        (Some(time), _) => Budget::Fixed(Duration::from_millis(time)),
        (None, Some(remaining)) => Budget::Clock {
            remaining: milliseconds(remaining),
            increment: milliseconds(increment.unwrap_or(0)),
            turns_to_go: go.moves_to_go.filter(|&turns| turns > 0),
        },
        (None, None) => Budget::Unlimited,
    };
    Limits {
        depth: go.depth,
        nodes: go.nodes,
        win_in: go.mate,
        budget,
        infinite: go.infinite || analysing,
        ..Limits::default()
    }
}
