//! The state machine of XBoard's protocol.
//!
//! XBoard counts plies, the game counts turns; usually they are the same. Where a turn changes more on the board than
//! XBoard knows, more plies follow, so that its board agrees with the game. What the board shows, what the mouse can say and
//! what a person must be told is the game's affair ([`crate::game::gui`]).

mod adjudication;
mod board;
mod clock;
mod edit;
mod exclude;
mod foreign;
mod mirror;
mod mouse;
mod offers;
mod pause;
mod play;
mod prompts;
#[cfg(test)]
mod simulator;
mod talk;
#[cfg(test)]
mod tests;
mod think;
mod view;
#[cfg(test)]
mod walk;

use super::controller::{Frontend, Replies};
use super::engine::{Engine, SearchHandle};
use super::events::{BestMove, PvLine, SearchEvent};
use super::foreign::EngineRequest;
use super::options;
use crate::base::Color;
use crate::game::Actor;
use crate::notation::parse_position;
use crate::protocol::xboard::{Audience, Command, Reply};
use crate::session::Session;
use clock::TimeControl;
use crossbeam_channel::Receiver;
use edit::Editor;
use mirror::Mirror;
use mouse::Lifted;
use offers::Offers;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
pub use view::read_move as xboard_reading;

/// The last token of the game in `session` as XBoard writes it: for whoever talks to an engine in that protocol.
pub fn xboard_writing(session: &dyn Session, last: &str) -> String {
    let before = session.tokens_played().checked_sub(1).and_then(|earlier| session.position_after(earlier));
    before.map_or_else(|| last.to_owned(), |before| view::write_move(session.facts(), &before, last))
}

/// XBoard's null move.
const PASS: &str = "@@@@";

/// A conversation with XBoard.
pub(super) struct Xboard {
    engine: Engine,
    mode: Mode,
    /// XBoard's board and plies since the last set-up.
    mirror: Mirror,
    time: TimeControl,
    /// Think on the opponent's time.
    ponder: bool,
    /// Show what is thought.
    post: bool,
    opponent_is_program: bool,
    /// The result was said, by us or by XBoard.
    over: bool,
    search: Option<Search>,
    /// `ping`s that came after `?`: the move goes first.
    pings: Vec<i64>,
    /// The move we expect from the opponent.
    expected: Option<String>,
    lifted: Lifted,
    /// The last line found, for `.`.
    progress: Option<PvLine>,
    /// Nothing is thought until `resume`.
    paused: bool,
    /// What was found to say just before the pause.
    held: Option<BestMove>,
    /// Continuations of the present position that are not looked at.
    excluded: BTreeSet<String>,
    /// The position that is being told line by line.
    editor: Option<Editor>,
    offers: Offers,
    /// XBoard lets us guide the user's mouse.
    guided: bool,
    /// XBoard shows the marks of our last turn.
    turn_marked: bool,
    /// What the user was told last of what he may do.
    guidance: String,
    /// What came in a box already, its numbers left out.
    explained: BTreeSet<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Only listens and checks.
    Force,
    /// Plays this side.
    Plays(Color),
    /// Thinks about whatever is shown.
    Analyzes,
}

struct Search {
    running: SearchHandle,
    purpose: Purpose,
    /// When it was asked for.
    since: Instant,
    /// `?` was said.
    hurried: bool,
    /// What it found, if it has ended and nobody could use it yet: the expected move may still come.
    finished: Option<BestMove>,
}

#[derive(PartialEq, Eq)]
enum Purpose {
    Move,
    /// On the position after the expected move.
    Ponder,
    Analysis,
    Hint,
}

impl Xboard {
    pub fn new() -> Self {
        Self::with(Engine::new())
    }

    pub fn with(engine: Engine) -> Self {
        Self {
            mirror: Mirror::new(engine.session(), None),
            engine,
            mode: Mode::Plays(Color::Black),
            time: TimeControl::default(),
            ponder: false,
            post: false,
            opponent_is_program: false,
            over: false,
            search: None,
            pings: Vec::new(),
            expected: None,
            lifted: Lifted::default(),
            progress: None,
            paused: false,
            held: None,
            excluded: BTreeSet::new(),
            editor: None,
            offers: Offers::default(),
            guided: false,
            turn_marked: false,
            guidance: String::new(),
            explained: BTreeSet::new(),
        }
    }

    fn obey(&mut self, command: Command<'_>, when: Instant, out: &mut Replies) -> ControlFlow<()> {
        if self.paused {
            self.leave_pause(&command, out);
        }
        if self.obey_stepwise(&command, when, out) {
            return ControlFlow::Continue(());
        }
        match command {
            Command::ProtocolVersion(version) => self.introduce(version, out),
            Command::Quit => return ControlFlow::Break(()),
            Command::New => self.new_game(when, out),
            Command::Variant(name) => self.variant(name, when, out),
            Command::Force => {
                self.mode = Mode::Force;
                self.abandon(out);
            }
            Command::Go => self.go(when, out),
            Command::PlayOther => {
                if let Actor::Player(side) = self.engine.session().actor() {
                    self.mode = Mode::Plays(!side);
                }
                self.over = false;
                self.abandon(out);
                if !self.opponent_is_program && self.mirror.view.is_none() {
                    self.settle(out);
                }
                if !self.claim(out) {
                    self.start_pondering(out);
                }
            }
            Command::UserMove(text) | Command::BareMove(text) => self.user_move(text, when, out),
            Command::MoveNow => {
                if let Some(search) = self.search.as_mut().filter(|search| search.purpose == Purpose::Move) {
                    search.hurried = true;
                    search.running.stop();
                } else {
                    self.wonder_at_hurry(out);
                }
            }
            Command::Ping(number) => {
                // After `?` the move goes first; otherwise the answer comes at once, also while searching.
                if !self.paused && self.search.as_ref().is_some_and(|search| search.hurried) {
                    self.pings.push(number);
                } else {
                    if self.search.is_none() && self.engine.foreign().is_none() {
                        self.engine.prepare();
                    }
                    out.say(Reply::Pong(number));
                }
            }
            Command::Result(result) => {
                self.object_to(result, out);
                self.engine.tell_foreign(|| EngineRequest::Result(result.to_string()));
                self.over = true;
                self.abandon(out);
            }
            Command::SetBoard(text) => self.set_board(text, when, out),
            Command::Undo => self.take_back(1, when, out),
            Command::Remove => self.take_back(2, when, out),
            Command::Analyze => {
                self.mode = Mode::Analyzes;
                self.abandon(out);
                self.analyze_again(when, out);
            }
            Command::Exit => {
                self.mode = Mode::Force;
                self.abandon(out);
            }
            Command::Status => self.status(out),
            Command::Hint => self.hint(when, out),
            Command::Lift(square) => self.lift(square, out),
            Command::Hover(square) => self.hover(square, out),
            Command::Put(square) => self.put(square, out),
            Command::Level(level) => {
                self.time = TimeControl {
                    level: Some(level),
                    level_since: self.mirror.plies(),
                    in_nodes: self.time.counts_nodes(),
                    depth: self.time.depth,
                    node_rate: self.time.node_rate,
                    ..TimeControl::default()
                };
            }
            Command::MoveTime(milliseconds) => {
                self.time.level = None;
                self.time.move_time = Some(Duration::from_millis(milliseconds));
                self.time.in_nodes = self.time.counts_nodes();
            }
            Command::Depth(depth) => self.time.depth = (depth > 0).then_some(depth),
            Command::NodeRate(rate) => {
                self.time.node_rate = Some(rate);
                self.engine.processor_time = true;
            }
            Command::Time(centiseconds) => {
                self.time.own_clock =
                    Some(Duration::from_millis((centiseconds.max(0) as u64).saturating_mul(10)));
            }
            Command::OpponentTime(centiseconds) => {
                self.time.other_clock =
                    Some(Duration::from_millis((centiseconds.max(0) as u64).saturating_mul(10)));
            }
            Command::Hard => {
                self.ponder = true;
                self.engine.tell_foreign(|| EngineRequest::Ponder(true));
                self.start_pondering(out);
            }
            Command::Easy => {
                self.ponder = false;
                self.engine.tell_foreign(|| EngineRequest::Ponder(false));
                if self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Ponder) {
                    self.abandon(out);
                }
            }
            Command::Post => self.post = true,
            Command::NoPost => self.post = false,
            Command::Memory(megabytes) => {
                self.set("Hash", &megabytes.clamp(1, options::MOST_HASH).to_string(), out)
            }
            Command::Cores(threads) => {
                let threads = u64::from(threads).clamp(1, options::MOST_THREADS);
                self.set("Threads", &threads.to_string(), out);
            }
            Command::Option { name, value } => {
                self.set(name, value.unwrap_or_default(), out);
                // What is being analysed is analysed so from now on.
                self.analyze_again(when, out);
            }
            Command::Draw => {
                self.engine.tell_foreign(|| EngineRequest::DrawOffered);
                self.draw_offered(out);
            }
            Command::Exclude(selection) => self.select(selection, false, when, out),
            Command::Include(selection) => self.select(selection, true, when, out),
            Command::Pause => self.pause(when, out),
            Command::Resume => self.resume(when, out),
            Command::Edit => self.begin_editing(out),
            Command::White => self.give_turn(Color::White, when, out),
            Command::Black => self.give_turn(Color::Black, when, out),
            Command::Computer => self.opponent_is_program = true,
            // No book: one line of words and the empty line that ends the answer.
            Command::Book => out.say(format_args!("{}\n", Reply::Indented("no opening book"))),
            Command::Unknown(text) => error(out, "unknown command", text),
            Command::SetScore { .. } => error(out, "not supported", &command.to_string()),
            Command::Accepted("highlight") => self.guided = true,
            // Known, and nothing follows from them here.
            Command::XBoard
            | Command::Accepted(_)
            | Command::Rejected(_)
            | Command::Random
            | Command::Name(_)
            | Command::Rating { .. }
            | Command::TablePath { .. }
            | Command::Ics(_)
            | Command::Partner(_)
            | Command::PartnerTells(_)
            | Command::Holding(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn set(&mut self, name: &str, value: &str, out: &mut Replies) {
        if let Err(problem) = self.engine.set(name, value) {
            error(out, &problem.to_string(), &format!("option {name}={value}"));
        }
    }

    fn begin(&mut self) {
        self.over = false;
        self.expected = None;
        self.lifted = Lifted::default();
        self.progress = None;
        self.excluded.clear();
        self.offers = Offers::default();
        self.guidance.clear();
        self.turn_marked = false;
        self.begin_mirror();
    }

    fn new_game(&mut self, when: Instant, out: &mut Replies) {
        self.abandon(out);
        // `new` is always chess; `variant` follows when it is not.
        if let Err(problem) = self.engine.choose("chess") {
            error(out, &problem.to_string(), "new");
        }
        self.restart(out);
        // Who analyses goes on with the new game.
        if self.mode != Mode::Analyzes {
            self.mode = Mode::Plays(Color::Black);
        }
        self.opponent_is_program = false;
        self.time = match self.time {
            // `nps` holds no longer, and nobody meant so many seconds.
            TimeControl { in_nodes: true, .. } => TimeControl::default(),
            TimeControl { level, move_time, .. } => {
                TimeControl { level, move_time, ..TimeControl::default() }
            }
        };
        self.engine.processor_time = false;
        self.analyze_again(when, out);
    }

    fn restart(&mut self, out: &mut Replies) {
        self.engine.renew();
        self.engine.forget();
        if let Err(problem) = self.engine.set_up(None, &mut std::iter::empty()) {
            error(out, &problem.to_string(), "new");
        }
        self.begin();
    }

    fn variant(&mut self, name: &str, when: Instant, out: &mut Replies) {
        self.abandon(out);
        match self.engine.choose(name) {
            Ok(facts) => {
                self.restart(out);
                if let Some(setup) = view::setup(self.engine.session()) {
                    out.say(format_args!("setup {setup}"));
                    for piece in facts.xboard.pieces.iter().filter(|_| self.engine.settings.piece_lines) {
                        out.say(format_args!("piece {piece}"));
                    }
                }
                self.analyze_again(when, out);
            }
            Err(problem) => error(out, &problem.to_string(), &format!("variant {name}")),
        }
    }

    fn set_board(&mut self, text: &str, when: Instant, out: &mut Replies) {
        // A null move reaches us as a position. When it is the one we have, the game goes on.
        let session = self.engine.session();
        let facts = session.facts();
        let theirs = view::board(facts, text);
        if theirs.is_some() && self.mirror.corrects(board::Ply::Pass, theirs.as_ref()) {
            return self.take_turn(when, out);
        }
        let goal = &self.mirror.goal;
        let shows = |theirs: board::Board| goal.side == Some(theirs.side) && theirs.looks_like(&goal.board);
        if matches!(self.mode, Mode::Plays(_)) && theirs.is_some_and(shows) {
            return self.take_turn(when, out);
        }
        self.abandon(out);
        let session = self.engine.session_mut();
        let mut none = std::iter::empty();
        let result = session.set_up(Some(text), &mut none).or_else(|problem| {
            // A game that XBoard knows comes in its own letters; the first complaint is the right one then.
            let theirs = parse_position(text).ok().filter(|_| facts.xboard.setup.is_some());
            match theirs.and_then(|theirs| session.read_shown(&theirs)) {
                Some(ours) => session.set_up(Some(&ours.to_string()), &mut none),
                None => Err(problem),
            }
        });
        self.set_up(result, when, out);
    }

    /// Gives up what is being thought; nothing will be said of it. Pings that waited for its move are answered.
    fn abandon(&mut self, out: &mut Replies) {
        self.held = None;
        if let Some(search) = self.search.take() {
            search.running.stop();
        }
        self.answer_pings(out);
    }

    /// The search for our move has ended with `choice`; while we are paused, what follows from it waits.
    fn conclude(&mut self, choice: BestMove, out: &mut Replies) {
        self.search = None;
        if self.paused {
            self.held = Some(choice);
            self.answer_pings(out);
        } else {
            self.decided(choice, out);
        }
    }

    /// Does what `choice`, found by the search for our move, says.
    fn decided(&mut self, choice: BestMove, out: &mut Replies) {
        self.chosen(choice, out);
        self.answer_pings(out);
    }

    fn answer_pings(&mut self, out: &mut Replies) {
        for number in self.pings.drain(..) {
            out.say(Reply::Pong(number));
        }
    }
}

impl Frontend for Xboard {
    fn line(&mut self, line: &str, when: Instant, out: &mut Replies) -> ControlFlow<()> {
        if self.editor.is_some() {
            return self.edit_line(line, when, out);
        }
        match Command::parse(line) {
            Ok(None) => ControlFlow::Continue(()),
            Ok(Some(parsed)) => {
                for skipped in &parsed.skipped {
                    log::warn!("column {}: skipped `{}`", skipped.column, skipped.text);
                }
                self.obey(parsed.message, when, out)
            }
            Err(problem) => {
                error(out, &problem.to_string(), line);
                ControlFlow::Continue(())
            }
        }
    }

    fn too_long(&mut self, bytes: usize, out: &mut Replies) {
        error(out, &format!("{bytes} bytes are too long for a line"), "");
    }

    fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.engine.events()
    }

    fn event(&mut self, id: u64, event: SearchEvent, out: &mut Replies) -> ControlFlow<()> {
        if let SearchEvent::Message(message) = event {
            self.handle_message(message, out);
            return ControlFlow::Continue(());
        }
        if self.search.as_ref().is_none_or(|search| search.running.id != id) {
            return ControlFlow::Continue(());
        }
        match event {
            SearchEvent::Info(line) => self.show_line(line, out),
            SearchEvent::BestMove(choice) => match self.search.as_ref().map(|search| &search.purpose) {
                Some(Purpose::Move) => self.conclude(choice, out),
                Some(Purpose::Hint) => {
                    self.search = None;
                    if let Some(token) = choice.token {
                        self.say_hint(&token, out);
                    }
                }
                // It went as deep as it could; the user's next word ends it.
                _ => {
                    if let Some(search) = &mut self.search {
                        search.finished = Some(choice);
                    }
                }
            },
            SearchEvent::Failed(reason) => {
                let text = format!("{} in the search: {reason}", options::MISTAKE);
                out.say(Reply::Tell { audience: Audience::UserError, text: &text });
            }
            SearchEvent::Perft(_)
            | SearchEvent::Bench(_)
            | SearchEvent::BenchDone(_)
            | SearchEvent::Message(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn finish(&mut self, out: &mut Replies) -> bool {
        self.abandon(out);
        false
    }
}

fn error(out: &mut Replies, reason: &str, command: &str) {
    let command: String = command.chars().take(80).collect();
    out.say(Reply::Error { reason, command: &command });
}

/// Tells the user.
fn tell(text: &str, out: &mut Replies) {
    out.say(Reply::Tell { audience: Audience::User, text });
}

fn illegal(out: &mut Replies, reason: &str, text: &str) {
    out.say(Reply::IllegalMove { reason, text });
}
