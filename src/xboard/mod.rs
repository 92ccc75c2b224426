//! The state machine of the XBoard protocol.
//!
//! XBoard counts plies, the game counts turns, and usually they are the same. Where a turn changes more on
//! the board than XBoard can know, further plies follow, so that its board agrees with the game. What the
//! board shows, what the mouse can express and what the user must be shown is up to the game
//! ([`crate::game::gui`]).

mod adjudication;
mod board;
mod clock;
mod edit;
mod exclude;
mod mirror;
mod mouse;
mod offers;
mod play;
mod prompts;
mod talk;
#[cfg(test)]
mod tests;
mod think;
mod view;

use crate::base::Color;
use crate::engine::options::{self, TurnView};
use crate::engine::{
    BestMove, Engine, EngineMessage, EngineRequest, Frontend, PvLine, Replies, SearchEvent, SearchHandle,
};
use crate::notation::parse_position;
use crate::protocol::xboard::{Audience, Command, Outcome, Reply};
use crate::session::xboard_spelling::{PASS, Ply};
use clock::{TimeControl, clock};
use crossbeam_channel::Receiver;
use edit::Editor;
use mirror::Mirror;
use mouse::Lifted;
use offers::Offers;
use play::{ANSWER, END_TURN};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::ControlFlow;
use std::time::Instant;
/// A conversation that begins with `line`; `None` when that is not `xboard`.
pub fn begin(line: &str) -> Option<Box<dyn Frontend>> {
    (line == "xboard").then(|| Box::new(Xboard::new(Engine::new())) as Box<dyn Frontend>)
}

/// A conversation with XBoard.
pub struct Xboard {
    engine: Engine,
    out: Replies,
    /// When the line or event arrived that is being handled.
    when: Instant,
    mode: Mode,
    time: TimeControl,
    /// True if the engine may think on the opponent's time.
    ponder: bool,
    /// True if thinking lines are to be sent.
    post: bool,
    opponent_is_program: bool,
    /// True if XBoard lets us guide the user's mouse.
    guided: bool,
    search: Option<Search>,
    /// The `ping`s that came after `?`; the move is sent before they are answered.
    pings: Vec<i64>,
    /// True while no search may go on, until `resume`.
    paused: bool,
    /// The position that `edit` is setting up line by line.
    editor: Option<Editor>,
    /// The texts that were shown in a box already, without their digits.
    explained: BTreeSet<String>,
    /// XBoard's board, and the plies since the last set-up.
    mirror: Mirror,
    game: Game,
}

/// What is known of a game until another is set up.
#[derive(Default)]
struct Game {
    /// True once the result was sent, by us or by XBoard.
    over: bool,
    /// The move that is expected of the opponent.
    expected: Option<String>,
    lifted: Lifted,
    /// The last principal variation, for `.` and hints.
    progress: Option<PvLine>,
    /// Continuations of the present position that are excluded from the search.
    excluded: BTreeSet<String>,
    offers: Offers,
    /// True while XBoard shows the marks of our last turn.
    turn_marked: bool,
    /// The guidance that the user was shown last.
    guidance: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Only receives moves and checks them.
    Force,
    /// Plays this side.
    Plays(Color),
    /// Analyses the position that is shown.
    Analyzes,
}

struct Search {
    running: SearchHandle,
    purpose: Purpose,
    /// When the search was asked for.
    since: Instant,
    /// The result of a search that has ended too early to be used: the expected move may still come, or
    /// `resume`.
    finished: Option<BestMove>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Move,
    /// On the opponent's time: the position after the expected move.
    Ponder,
    Analysis,
    Hint,
}

impl Xboard {
    /// A conversation about the games of `engine`, in which nothing has been read yet.
    pub fn new(engine: Engine) -> Self {
        Self {
            mirror: Mirror::new(engine.session(), None),
            engine,
            out: Replies::default(),
            when: Instant::now(),
            mode: Mode::Plays(Color::Black),
            time: TimeControl::default(),
            ponder: false,
            post: false,
            opponent_is_program: false,
            guided: false,
            search: None,
            pings: Vec::new(),
            paused: false,
            editor: None,
            explained: BTreeSet::new(),
            game: Game::default(),
        }
    }

    fn obey(&mut self, command: Command<'_>) -> ControlFlow<()> {
        let stepwise = self.mirror.view.is_some();
        match command {
            Command::ProtocolVersion(version) => self.introduce(version),
            Command::Quit => return ControlFlow::Break(()),
            Command::New => self.new_game(),
            Command::Variant(name) => self.variant(name),
            Command::Force | Command::Exit => {
                self.mode = Mode::Force;
                self.interrupt();
            }
            Command::Go => self.go(),
            Command::PlayOther => self.play_other(),
            Command::UserMove(text) | Command::BareMove(text) => self.user_move(text),
            Command::MoveNow => self.move_now(),
            Command::Ping(number) => {
                // After `?` the move goes first. Otherwise the answer comes at once, also while searching.
                let hurried = self.search.as_ref().is_some_and(|search| search.running.is_stopped());
                if hurried && !self.paused {
                    self.pings.push(number);
                } else {
                    if self.search.is_none() && self.engine.foreign().is_none() {
                        self.engine.prepare();
                    }
                    self.out.say(Reply::Pong(number));
                }
            }
            Command::Result(result) => {
                self.object_to(result);
                self.engine.tell_foreign(|| EngineRequest::Result(result.to_string()));
                self.game.over = true;
                self.interrupt();
            }
            Command::SetBoard(text) => self.set_board(text),
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            Command::Analyze => {
                self.mode = Mode::Analyzes;
                self.interrupt();
                self.analyze_again();
            }
            Command::Status => self.status(),
            Command::Hint => self.hint(),
            Command::Lift(square) => self.lift(square),
            Command::Hover(square) => self.hover(square),
            Command::Put(square) => self.put(square),
            Command::Level(level) => self.time.begin_session(level, self.mirror.plies()),
            Command::MoveTime(time) => self.time.limit_moves(time),
            Command::Depth(depth) => self.time.depth = (depth > 0).then_some(depth),
            Command::NodeRate(rate) => {
                self.time.node_rate = Some(rate);
                self.engine.processor_time = true;
            }
            Command::Time(centiseconds) => self.time.own_clock = clock(centiseconds),
            Command::OpponentTime(centiseconds) => self.time.other_clock = clock(centiseconds),
            Command::Hard => {
                self.ponder = true;
                self.engine.tell_foreign(|| EngineRequest::Ponder(true));
                self.start_pondering();
            }
            Command::Easy => {
                self.ponder = false;
                self.engine.tell_foreign(|| EngineRequest::Ponder(false));
                if self.is_searching(Purpose::Ponder) {
                    self.abandon();
                }
            }
            Command::Post => self.post = true,
            Command::NoPost => self.post = false,
            Command::Memory(megabytes) => {
                self.set("Hash", &megabytes.clamp(1, options::MOST_HASH).to_string())
            }
            Command::Cores(threads) => {
                self.set("Threads", &u64::from(threads).clamp(1, options::MOST_THREADS).to_string());
            }
            Command::Option { name, .. } if stepwise && name.eq_ignore_ascii_case(END_TURN) => {
                self.end_turn()
            }
            Command::Option { name, value } => {
                self.set(name, value.unwrap_or_default());
                // An analysis goes on with the new setting.
                self.analyze_again();
            }
            Command::Draw => {
                self.engine.tell_foreign(|| EngineRequest::DrawOffered);
                self.draw_offered();
            }
            Command::Exclude(selection) => self.select(selection, false),
            Command::Include(selection) => self.select(selection, true),
            Command::Pause => self.pause(),
            Command::Resume => self.resume(),
            Command::Edit => self.begin_editing(),
            Command::White => self.give_turn(Color::White),
            Command::Black => self.give_turn(Color::Black),
            Command::Computer => self.opponent_is_program = true,
            // There is no opening book: one line of text, and the empty line that ends the answer.
            Command::Book => self.out.say(format_args!("{}\n", Reply::Indented("no opening book"))),
            Command::Unknown(text) => {
                let mut words = text.split_whitespace();
                match words.next() {
                    Some(ANSWER) if stepwise => self.answer(words.next().unwrap_or_default()),
                    _ => self.error("unknown command", text),
                }
            }
            Command::SetScore { .. } => self.error("not supported", &command.to_string()),
            Command::Accepted("highlight") => self.guided = true,
            // The other commands are known, but have no effect here.
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn set(&mut self, name: &str, value: &str) {
        if let Err(problem) = self.engine.set(name, value) {
            self.error(problem, &format!("option {name}={value}"));
        }
    }

    fn new_game(&mut self) {
        self.interrupt();
        // `new` is always chess; `variant` follows when it is another game.
        if let Err(problem) = self.engine.choose("chess") {
            self.error(problem, "new");
        }
        self.restart();
        // An analysis goes on with the new game.
        if self.mode != Mode::Analyzes {
            self.mode = Mode::Plays(Color::Black);
        }
        self.opponent_is_program = false;
        self.time = self.time.renewed();
        self.engine.processor_time = false;
        self.analyze_again();
    }

    fn variant(&mut self, name: &str) {
        self.interrupt();
        let facts = match self.engine.choose(name) {
            Ok(facts) => facts,
            Err(problem) => return self.error(problem, &format!("variant {name}")),
        };
        self.restart();
        if let Some(setup) = view::setup(self.engine.session()) {
            self.out.say(format_args!("setup {setup}"));
            for piece in facts.xboard.pieces.iter().filter(|_| self.engine.settings.piece_lines) {
                self.out.say(format_args!("piece {piece}"));
            }
        }
        self.analyze_again();
    }

    fn restart(&mut self) {
        if let Err(problem) = self.engine.new_game() {
            self.error(problem, "new");
        }
        self.begin();
    }

    /// Begins to mirror the game that was set up, step by step if it is to be shown so.
    fn begin(&mut self) {
        self.game = Game::default();
        let stepwise = match self.engine.settings.turn_view {
            TurnView::Auto => self.guided,
            TurnView::Whole => false,
            TurnView::Steps => true,
        };
        let session = self.engine.session();
        self.mirror = Mirror::new(session, session.facts().xboard.steps.as_ref().filter(|_| stepwise));
    }

    fn set_board(&mut self, text: &str) {
        if self.paused {
            self.interrupt();
        }
        let facts = self.engine.session().facts();
        // XBoard sends a null move as a position. When that is the present one, the game goes on.
        if let Some(theirs) = view::board(facts, text) {
            if self.mirror.view.is_some() && theirs.looks_like(&self.mirror.board) {
                if theirs.side == self.mirror.board.side {
                    return self.take_turn();
                }
                if self.is_searching(Purpose::Move) {
                    self.abandon();
                }
                self.unmark_turn();
                return self.hear(Ply::Pass, PASS);
            }
            let goal = &self.mirror.goal;
            let is_goal = goal.side == Some(theirs.side) && theirs.looks_like(&goal.board);
            let plays = matches!(self.mode, Mode::Plays(_));
            if self.mirror.corrects(Ply::Pass, Some(&theirs)) || plays && is_goal {
                return self.take_turn();
            }
        }
        self.abandon();
        // In a game that XBoard does not know, the position comes in XBoard's letters.
        let theirs = parse_position(text).ok().filter(|_| facts.xboard.setup.is_some());
        let ours = theirs.and_then(|theirs| self.engine.session().read_shown(&theirs));
        let positions: Vec<String> =
            std::iter::once(text.to_owned()).chain(ours.map(|ours| ours.to_string())).collect();
        self.set_up(&positions);
    }

    /// Handles a message of the program that searches in our place. It belongs to no search.
    pub(super) fn handle_message(&mut self, message: EngineMessage) {
        match message {
            EngineMessage::Error(text) => self.tell_error(&text),
            EngineMessage::Tell(text) => self.tell(&text),
            EngineMessage::Log(text) => self.out.say(Reply::Comment(&text)),
            EngineMessage::RawXboard(line) => self.out.say(line),
            EngineMessage::DrawOffer => self.out.say(Reply::OfferDraw),
            _ if self.game.over => {}
            EngineMessage::Resign => {
                self.game.over = true;
                self.abandon();
                self.out.say(Reply::Resign);
            }
            EngineMessage::ResultClaim(verdict, comment) => {
                self.game.over = true;
                self.abandon();
                self.out.say(Reply::Result(Outcome { verdict, comment: &comment }));
            }
        }
    }

    /// Gives up the search, and a pause with it: there will be nothing to resume.
    fn interrupt(&mut self) {
        self.paused = false;
        self.abandon();
    }

    /// Gives up the search without a result. Pings that waited for its move are answered.
    fn abandon(&mut self) {
        if let Some(search) = self.search.take() {
            search.running.stop();
        }
        self.answer_pings();
    }

    /// Uses the result of a search that has ended: for our move, unless we are paused, or for a hint. The
    /// result of any other search waits for the user's next command.
    fn conclude(&mut self) {
        let paused = self.paused;
        let ended = self.search.take_if(|search| match search.purpose {
            Purpose::Move => search.finished.is_some() && !paused,
            Purpose::Hint => search.finished.is_some(),
            Purpose::Ponder | Purpose::Analysis => false,
        });
        match ended.map(|search| (search.purpose, search.finished)) {
            Some((Purpose::Move, Some(choice))) => self.decided(choice),
            // Another program that searches in our place does not know which cards the user holds.
            Some((_, Some(BestMove { token: Some(token), .. })))
                if self.engine.session().check(&token).is_ok() =>
            {
                self.say_hint(&token);
            }
            _ => {}
        }
    }

    /// Plays `choice`, which the search for our move has found.
    fn decided(&mut self, choice: BestMove) {
        self.chosen(choice);
        self.answer_pings();
    }

    fn answer_pings(&mut self) {
        for number in self.pings.drain(..) {
            self.out.say(Reply::Pong(number));
        }
    }

    fn is_searching(&self, purpose: Purpose) -> bool {
        self.search.as_ref().is_some_and(|search| search.purpose == purpose)
    }

    fn error(&mut self, reason: impl Display, command: &str) {
        let command: String = command.chars().take(80).collect();
        self.out.say(Reply::Error { reason: &reason.to_string(), command: &command });
    }

    fn illegal(&mut self, reason: &str, text: &str) {
        self.out.say(Reply::IllegalMove { reason, text });
    }

    /// Shows a message to the user.
    fn tell(&mut self, text: &str) {
        self.out.say(Reply::Tell { audience: Audience::User, text });
    }

    fn tell_error(&mut self, text: &str) {
        self.out.say(Reply::Tell { audience: Audience::UserError, text });
    }
}

impl Frontend for Xboard {
    fn line(&mut self, line: &str, when: Instant) -> ControlFlow<()> {
        self.when = when;
        if let Some(editor) = self.editor.take() {
            return self.edit_line(editor, line);
        }
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(parsed)) => {
                for skipped in &parsed.skipped {
                    log::warn!("column {}: skipped `{}`", skipped.column, skipped.text);
                }
                return self.obey(parsed.message);
            }
            Err(problem) => self.error(problem, line),
        }
        ControlFlow::Continue(())
    }

    fn too_long(&mut self, bytes: usize) {
        self.error(format_args!("{bytes} bytes are too long for a line"), "");
    }

    fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.engine.events()
    }

    fn event(&mut self, id: u64, event: SearchEvent) {
        self.when = Instant::now();
        let current = self.search.as_mut().filter(|search| search.running.id == id);
        match (event, current) {
            (SearchEvent::Message(message), _) => self.handle_message(message),
            (SearchEvent::Info(line), Some(_)) => self.show_line(line),
            (SearchEvent::BestMove(choice), Some(search)) => {
                search.finished = Some(choice);
                self.conclude();
            }
            (SearchEvent::Failed(reason), Some(_)) => {
                self.tell_error(&format!("{} in the search: {reason}", options::MISTAKE));
            }
            // The event belongs to a search that was given up, or to a request that is never made here.
            _ => {}
        }
    }

    fn finish(&mut self) -> bool {
        self.abandon();
        false
    }

    fn replies(&mut self) -> &mut Replies {
        &mut self.out
    }
}
