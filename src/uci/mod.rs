//! The state machine of UCI, and of UGI, which differs in a few commands.

mod info;
mod task;
#[cfg(test)]
mod tests;
mod translated;

use crate::engine::options::{self, Change, Offered};
use crate::engine::query;
use crate::engine::{
    Bench, BenchError, BenchResult, Engine, EngineMessage, Frontend, PerftResult, Profile, Replies,
    SearchError, SearchEvent, per_second,
};
use crate::game::Facts;
use crate::protocol::same_words;
use crate::protocol::uci::{Command, Dialect, Info, Reply};
use crossbeam_channel::Receiver;
use info::InfoWriter;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::Instant;
use task::{ActiveSearch, Order, Task, Waiting};
pub use translated::{asked_for, front};

/// A conversation in UCI or UGI.
pub struct Uci {
    engine: Engine,
    out: Replies,
    /// The one of `uci` and `ugi` that was read last. In UGI, mates are counted in plies, `bestmove` is
    /// followed by the move alone, and a count of nodes and time goes before it.
    dialect: Dialect,
    debug: bool,
    search: Option<ActiveSearch>,
    /// What was asked for behind a search that was running: it is stopped, and they follow in order, because
    /// each search is of the position that was set before it. The first of them [searches](Task::searches).
    waiting: VecDeque<Waiting>,
}

/// A conversation that begins with `line`; `None` when that is no command of UCI.
pub fn begin(line: &str) -> Option<Box<dyn Frontend>> {
    let is_command = match Command::parse(line) {
        Ok(Some(parsed)) => !matches!(parsed.message, Command::Unknown(_)),
        Ok(None) => false,
        Err(_) => true,
    };
    let dialect = asked_for(line);
    (is_command || dialect.is_some()).then(|| front(dialect.unwrap_or(Dialect::Uci), Engine::new()))
}

impl Uci {
    /// A conversation about the games of `engine`, in which nothing has been read yet.
    pub fn new(engine: Engine) -> Self {
        Self {
            engine,
            out: Replies::default(),
            dialect: Dialect::Uci,
            debug: false,
            search: None,
            waiting: VecDeque::new(),
        }
    }

    fn handle(&mut self, command: Command<'_>, when: Instant) -> ControlFlow<()> {
        match command {
            Command::Quit => return ControlFlow::Break(()),
            Command::Stop => {
                self.waiting.iter_mut().for_each(|waiting| waiting.stopped = true);
                self.stop();
            }
            // It is meant for the last `go`, whether that has begun or not.
            Command::PonderHit => match self.waiting.iter_mut().rfind(|waiting| waiting.task.searches()) {
                Some(waiting) => waiting.hit = true,
                None => self.ponder_hit(),
            },
            Command::Uci => self.introduce(Dialect::Uci),
            Command::Ugi => self.introduce(Dialect::Ugi),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.ready(),
            Command::Help => {
                self.tell("UCI is spoken here; `carom docs uci` tells how, `carom --help` what else there is")
            }
            Command::Unknown(text) => self.tell(&format!("unknown command: {}", shorten(text))),
            _ => {
                if let Some(task) = Task::of(command) {
                    self.in_turn(task, when);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Carries out a task once all that was asked for before is done.
    fn in_turn(&mut self, task: Task, when: Instant) {
        let ends_search = task.searches() && self.search.is_some();
        if !ends_search && self.waiting.is_empty() {
            return self.carry_out(task, when);
        }
        self.waiting.push_back(Waiting { task, when, stopped: false, hit: false });
        if ends_search {
            self.stop();
        }
    }

    fn carry_out(&mut self, task: Task, when: Instant) {
        match task {
            Task::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Task::NewGame => {
                if let Err(error) = self.engine.new_game() {
                    self.tell(&error.to_string());
                }
            }
            Task::Position { start, turns } => self.set_position(start.as_deref(), &turns),
            Task::NoStart => {
                self.engine.renew();
                self.tell("position needs `startpos` or `fen`; the game in progress is kept");
            }
            Task::Go(order) => self.go(*order, when),
            Task::BadGo(error) => {
                self.tell(&error.to_string());
                self.out.say(Reply::BestMove { best: None, ponder: None });
            }
            Task::Bench(bench) => self.bench(bench, when),
            Task::Show => self.show(),
            Task::Evaluation => {
                let pawns = f64::from(self.engine.evaluation()) / 100.0;
                self.tell(&format!("evaluation {pawns:+.2} (White's side, nothing searched)"));
            }
            Task::Flip => {
                self.engine.renew();
                if let Err(error) = self.engine.session_mut().flip() {
                    self.tell(&format!("flip: {error}; the game in progress is kept"));
                }
            }
            Task::Query { question, arguments } => {
                // Every `query` gets one `response`; without it the client would wait forever.
                let answer = query::answer(self.engine.session(), &question, &arguments);
                if let Some(text) = &answer.explanation {
                    self.tell(text);
                }
                self.out.say(Reply::Response(&answer.response));
            }
        }
    }

    fn ready(&mut self) {
        if self.search.is_none() {
            // Now is the time for what takes long.
            self.engine.renew();
            if !self.engine.prepare() {
                self.tell("no memory for a transposition table");
            }
        }
        self.out.say(Reply::ReadyOk);
    }

    fn introduce(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let Profile { name, author, options, .. } = self.engine.profile();
        self.out.say(Reply::IdName(name));
        // UCI demands an author, but the XBoard protocol cannot send one.
        self.out.say(Reply::IdAuthor(if author.is_empty() { "unknown" } else { author }));
        // The options of another program, except for the game, which is ours to choose.
        for option in options.iter().filter(|option| !same_words(&option.name, "UCI_Variant")) {
            self.out.say(Reply::Option(option.clone()));
        }
        for entry in self.engine.own_options() {
            if entry.offered != Offered::Xboard {
                self.out.say(Reply::Option(entry.declared(entry.name)));
            }
        }
        self.out.say(match dialect {
            Dialect::Ugi => Reply::UgiOk,
            _ => Reply::UciOk,
        });
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.engine.set(name, value.unwrap_or_default()) {
            Ok(Change::Game) => {
                let facts = self.engine.settings.game;
                self.engine.renew();
                self.tell(&announcement(facts, &self.engine.session().usual_start().to_string()));
            }
            Ok(_) => {}
            Err(error) => self.tell(&error.to_string()),
        }
    }

    fn set_position(&mut self, start: Option<&str>, turns: &str) {
        self.engine.renew();
        if let Err(error) = self.engine.set_up(start, &mut turns.split_ascii_whitespace()) {
            self.tell(&format!("{error}; the game in progress is kept"));
        }
    }

    fn go(&mut self, order: Order, when: Instant) {
        self.engine.renew();
        let (perft, held, infinite) = (order.perft, order.is_held(), order.is_infinite());
        let request = order.into_request(self.engine.session().actor(), self.engine.settings.analysing);
        let begun = match perft {
            Some(depth) => self.engine.perft(depth, request.searchmoves, when),
            None => self.engine.search(request, when),
        };
        match begun {
            Ok(handle) => {
                self.search = Some(ActiveSearch { handle, bench_nodes: 0, held, infinite, best: None });
            }
            Err(error) => {
                // Every `go` gets its `bestmove`; without it the client would wait forever.
                let mut best = None;
                if let SearchError::Unable(reason) = error {
                    self.tell(&reason);
                    best = self.engine.session().first_token().filter(|_| perft.is_none());
                } else {
                    self.tell(&format!("searchmoves: {error}"));
                }
                self.out.say(Reply::BestMove { best: best.as_deref(), ponder: None });
            }
        }
    }

    fn bench(&mut self, bench: Result<Bench, BenchError>, when: Instant) {
        let begun = bench.map_err(|error| error.to_string());
        let begun = begun.and_then(|bench| self.engine.bench(bench, when).map_err(|error| error.to_string()));
        match begun {
            Ok(handle) => {
                self.search =
                    Some(ActiveSearch { handle, bench_nodes: 0, held: false, infinite: false, best: None });
            }
            Err(error) => self.tell(&error),
        }
    }

    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.held = false;
            search.handle.stop();
        }
        self.release();
    }

    fn ponder_hit(&mut self) {
        if let Some(search) = &mut self.search {
            // Once `stop` was read, nothing holds the search any more.
            search.held &= search.infinite;
            search.handle.ponder_hit(None);
        }
        self.release();
    }

    /// Sends the best move once it is known and may be sent, then takes up the tasks that wait.
    fn release(&mut self) {
        let ready = self.search.as_mut().filter(|search| !search.held).and_then(|search| search.best.take());
        let Some(best) = ready else { return };
        self.search = None;
        self.info_writer().last(&best, &mut self.out);
        // Programs that run UGI matches misread a line of more than two tokens.
        let ponder = best.ponder.as_deref().filter(|_| self.dialect == Dialect::Uci);
        self.out.say(Reply::BestMove { best: best.token.as_deref(), ponder });
        self.next_waiting();
    }

    /// Takes up the tasks that wait, up to a search that has to wait for another.
    fn next_waiting(&mut self) {
        while self.waiting.front().is_some_and(|first| !first.task.searches() || self.search.is_none())
            && let Some(Waiting { task, when, stopped, hit }) = self.waiting.pop_front()
        {
            let searches = task.searches();
            self.carry_out(task, when);
            if searches && hit {
                self.ponder_hit();
            }
            if searches && stopped {
                self.stop();
            }
        }
        // The next search waits, so the running one has to end.
        if !self.waiting.is_empty() {
            self.stop();
        }
    }

    fn perft_done(&mut self, count: PerftResult) {
        self.search = None;
        if let Some(divided) = count.divided {
            for (turn, number) in &divided {
                self.out.say(format_args!("{turn}: {number}"));
            }
            self.out.say(format_args!("\nNodes searched: {}\n", count.total));
            log::info!("perft took {:?}", count.elapsed);
        } else {
            self.tell("perft was stopped");
        }
        self.next_waiting();
    }

    /// The totals are worded as Stockfish words them, so that scripts find them.
    fn bench_done(&mut self, done: Result<(), BenchError>) {
        let Some(search) = self.search.take() else { return };
        match done {
            Ok(()) if search.handle.is_stopped() => self.tell("bench was stopped"),
            Ok(()) => {
                let (nodes, elapsed) = (search.bench_nodes, search.handle.elapsed());
                self.out.say(format_args!("Total time (ms) : {}", elapsed.as_millis()));
                self.out.say(format_args!("Nodes searched  : {nodes}"));
                self.out.say(format_args!("Nodes/second    : {}", per_second(nodes, elapsed)));
            }
            Err(error) => self.tell(&error.to_string()),
        }
        self.next_waiting();
    }

    fn info_writer(&self) -> InfoWriter {
        let win_model = self.engine.session().facts().win_model;
        InfoWriter { dialect: self.dialect, wdl: self.engine.settings.show_wdl.then_some(win_model) }
    }

    fn show(&mut self) {
        let session = self.engine.session();
        let position = session.position();
        let facts = session.facts();
        self.out.say(crate::draw::board_text(facts, &position, crate::draw::Style::Plain));
        self.out.say(format_args!("Fen: {position}"));
        self.out.say(format_args!("Game: {} ({})", facts.name, facts.title));
        match session.outcome() {
            Some(outcome) => self.out.say(format_args!("Result: {outcome}")),
            None => self.out.say(format_args!("To decide: {}", session.actor())),
        }
    }

    fn tell(&mut self, text: &str) {
        self.out.say(Reply::Info(Info { string: Some(text), ..Info::default() }));
    }

    /// Shows a message of the other program that belongs to no search. UCI has a command for none of these.
    fn say_message(&mut self, message: &EngineMessage) {
        match message {
            EngineMessage::Error(text) | EngineMessage::Log(text) | EngineMessage::Tell(text) => {
                self.tell(text);
            }
            EngineMessage::RawXboard(_) => {}
            EngineMessage::Resign => self.tell("the engine resigns"),
            EngineMessage::DrawOffer => self.tell("the engine offers a draw"),
            EngineMessage::ResultClaim(verdict, comment) => {
                self.tell(&format!("the engine says: {verdict} {{{comment}}}"));
            }
        }
    }
}

impl Frontend for Uci {
    fn line(&mut self, line: &str, when: Instant) -> ControlFlow<()> {
        match Command::parse(line) {
            Ok(None) => ControlFlow::Continue(()),
            Ok(Some(parsed)) => {
                for skipped in &parsed.skipped {
                    let text = shorten(skipped.text);
                    log::warn!("column {}: skipped `{text}`", skipped.column);
                    if self.debug {
                        self.tell(&format!("column {}: skipped {text}", skipped.column));
                    }
                }
                self.handle(parsed.message, when)
            }
            Err(error) => {
                // The client still waits for the answer to a `go` that cannot be parsed, in its turn.
                if Command::is_go(line) {
                    self.in_turn(Task::BadGo(error), when);
                } else {
                    self.tell(&error.to_string());
                }
                ControlFlow::Continue(())
            }
        }
    }

    fn too_long(&mut self, bytes: usize) {
        self.tell(&format!("a line of {bytes} bytes is too long and was not read"));
    }

    fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.engine.events()
    }

    fn event(&mut self, id: u64, event: SearchEvent) {
        let (writer, over) = (self.info_writer(), self.engine.session().outcome().is_some());
        // Log lines of the other program are of interest while it searches; before `uciok` they would
        // confuse.
        let listens = self.debug || self.search.is_some();
        let current = self.search.as_mut().filter(|search| search.handle.id == id);
        match (event, current) {
            (SearchEvent::Message(EngineMessage::Log(_)), _) if !listens => {}
            (SearchEvent::Message(message), _) => self.say_message(&message),
            // An event of a search that was given up.
            (_, None) => {}
            (SearchEvent::Info(line), Some(_)) => writer.line(&line, &mut self.out),
            (SearchEvent::BestMove(best), Some(search)) => {
                if best.token.is_none() {
                    writer.nothing_to_decide(&best, over, &mut self.out);
                }
                search.best = Some(best);
                self.release();
            }
            (SearchEvent::Perft(count), Some(_)) => self.perft_done(count),
            (SearchEvent::Bench(BenchResult { game, nodes, time, .. }), Some(search)) => {
                search.bench_nodes += nodes;
                let (name, speed) = (game.name, per_second(nodes, time));
                self.tell(&format!("bench {name} nodes {nodes} time {} nps {speed}", time.as_millis()));
            }
            (SearchEvent::BenchDone(done), Some(_)) => self.bench_done(done),
            (SearchEvent::Failed(reason), Some(_)) => {
                self.tell(&format!("{} in the search: {reason}", options::MISTAKE));
            }
        }
    }

    fn finish(&mut self) -> bool {
        self.stop();
        self.search.is_some()
    }

    fn replies(&mut self) -> &mut Replies {
        &mut self.out
    }
}

/// `variant NAME files F ranks R pocket P template fairy startpos FEN`, as Fairy-Stockfish writes it.
fn announcement(facts: &Facts, start: &str) -> String {
    let Facts { name, files, ranks, hand, .. } = facts;
    format!("variant {name} files {files} ranks {ranks} pocket {hand} template fairy startpos {start}")
}

/// Quotes the beginning of a client's line, without control characters.
fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    let clean: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() { clean + "…" } else { clean }
}
