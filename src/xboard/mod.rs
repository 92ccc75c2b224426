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
mod features;
mod game;
mod guidance;
mod mirror;
mod mouse;
mod offers;
mod play;
mod reading;
#[cfg(test)]
mod tests;
mod thinking;
mod view;

use crate::base::Color;
use crate::engine::{Engine, EngineMessage, Frontend, Replies, SearchEvent, options};
use crate::notation::parse_position;
use crate::protocol::xboard::{Command, Outcome, Reply};
use crate::session::xboard_spelling::PASS;
use crossbeam_channel::Receiver;
use edit::Editor;
use game::Mode;
use guidance::ANSWER;
pub use guidance::first_words;
use mirror::Sent;
use play::{END_TURN, Play};
use std::ops::ControlFlow;
use std::time::Instant;
use thinking::Purpose;

/// A conversation that begins with `line`; `None` when that is not `xboard`.
pub fn begin(line: &str) -> Option<Box<dyn Frontend>> {
    (line == "xboard").then(|| Box::new(Xboard::new(Engine::new())) as Box<dyn Frontend>)
}

/// A conversation with XBoard.
pub struct Xboard {
    play: Play,
    /// The position that `edit` is setting up line by line.
    editor: Option<Editor>,
}

impl Xboard {
    /// A conversation about the games of `engine`, in which nothing has been read yet.
    pub fn new(engine: Engine) -> Self {
        Self { play: Play::new(engine), editor: None }
    }

    fn handle(&mut self, command: Command<'_>) -> ControlFlow<()> {
        let Play { game, thinking, guidance, offers } = &mut self.play;
        match command {
            Command::ProtocolVersion(version) if version >= 2 => features::introduce(game),
            Command::Quit => return ControlFlow::Break(()),
            Command::New => self.new_game(),
            Command::Variant(name) => self.variant(name),
            Command::Force | Command::Exit => {
                game.mode = Mode::Force;
                self.play.interrupt();
            }
            Command::Go => self.play.go(),
            Command::PlayOther => self.play.play_other(),
            Command::UserMove(text) | Command::BareMove(text) => self.play.user_move(text),
            Command::MoveNow => self.play.move_now(),
            Command::Ping(number) => thinking.ping(number, game),
            Command::Result(result) => self.result(result),
            Command::SetBoard(text) => self.set_board(text),
            Command::Undo => self.play.take_back(1),
            Command::Remove => self.play.take_back(2),
            Command::Analyze => {
                game.mode = Mode::Analyzes;
                self.play.interrupt();
                self.play.analyze_again();
            }
            Command::Status => thinking.status(game),
            Command::Hint => thinking.hint(game),
            Command::Lift(square) => guidance.lift(square, game),
            Command::Hover(square) => guidance.mouse.hover(square, game),
            Command::Put(square) => guidance.put(square, game),
            Command::Level(level) => thinking.clock.begin_session(level, game.mirror.plies()),
            Command::MoveTime(time) => thinking.clock.limit_moves(time),
            Command::Depth(depth) => thinking.clock.depth = (depth > 0).then_some(depth),
            Command::NodeRate(rate) => {
                thinking.clock.node_rate = Some(rate);
                game.engine.processor_time = true;
            }
            Command::Time(centiseconds) => thinking.clock.own_clock = clock::reading(centiseconds),
            Command::OpponentTime(centiseconds) => thinking.clock.other_clock = clock::reading(centiseconds),
            Command::Hard => {
                thinking.ponder = true;
                game.engine.backend().allow_pondering(true);
                self.play.start_pondering();
            }
            Command::Easy => {
                thinking.ponder = false;
                game.engine.backend().allow_pondering(false);
                if thinking.is_searching(Purpose::Ponder) {
                    thinking.abandon(game);
                }
            }
            Command::Post => game.post = true,
            Command::NoPost => game.post = false,
            Command::Memory(megabytes) => {
                self.set("Hash", &megabytes.clamp(1, options::MOST_HASH).to_string());
            }
            Command::Cores(threads) => {
                self.set("Threads", &u64::from(threads).clamp(1, options::MOST_THREADS).to_string());
            }
            Command::Option { name, .. } if game.mirror.in_steps() && name.eq_ignore_ascii_case(END_TURN) => {
                self.play.end_turn();
            }
            Command::Option { name, value } => {
                self.set(name, value.unwrap_or_default());
                // An analysis goes on with the new setting.
                self.play.analyze_again();
            }
            Command::Draw => {
                game.engine.backend().draw_offered();
                offers.draw_offered(game);
            }
            Command::Exclude(selection) => self.play.select(selection, false),
            Command::Include(selection) => self.play.select(selection, true),
            Command::Pause => thinking.pause(game),
            Command::Resume => self.play.resume(),
            Command::Edit => {
                self.play.interrupt();
                self.editor = Some(Editor::new(self.play.game.session()));
            }
            Command::White => self.give_turn(Color::White),
            Command::Black => self.give_turn(Color::Black),
            Command::Computer => game.opponent_is_program = true,
            // There is no opening book: one line of text, and the empty line that ends the answer.
            Command::Book => game.out.say(format_args!("{}\n", Reply::Indented("no opening book"))),
            Command::Unknown(text) => {
                let mut words = text.split_whitespace();
                match words.next() {
                    Some(ANSWER) if game.mirror.in_steps() => {
                        self.play.answer(words.next().unwrap_or_default())
                    }
                    _ => game.error("unknown command", text),
                }
            }
            Command::SetScore { .. } => game.error("not supported", &command.to_string()),
            Command::Accepted("highlight") => game.guided = true,
            // The other commands are known, but have no effect here.
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn set(&mut self, name: &str, value: &str) {
        let game = &mut self.play.game;
        if let Err(problem) = game.engine.set(name, value) {
            game.error(problem, &format!("option {name}={value}"));
        }
    }

    fn new_game(&mut self) {
        self.play.interrupt();
        // `new` is always chess; `variant` follows when it is another game.
        if let Err(problem) = self.play.game.engine.choose("chess") {
            self.play.game.error(problem, "new");
        }
        self.restart();
        let Play { game, thinking, .. } = &mut self.play;
        // An analysis goes on with the new game.
        if game.mode != Mode::Analyzes {
            game.mode = Mode::Plays(Color::Black);
        }
        game.opponent_is_program = false;
        thinking.clock = thinking.clock.renewed();
        game.engine.processor_time = false;
        self.play.analyze_again();
    }

    fn variant(&mut self, name: &str) {
        self.play.interrupt();
        let facts = match self.play.game.engine.choose(name) {
            Ok(facts) => facts,
            Err(problem) => return self.play.game.error(problem, &format!("variant {name}")),
        };
        self.restart();
        let game = &mut self.play.game;
        if let Some(setup) = view::setup(game.session()) {
            game.out.say(format_args!("setup {setup}"));
            for piece in facts.xboard.pieces.iter().filter(|_| game.engine.settings.piece_lines) {
                game.out.say(format_args!("piece {piece}"));
            }
            let Play { game, guidance, .. } = &mut self.play;
            guidance.greet(game);
        }
        self.play.analyze_again();
    }

    fn restart(&mut self) {
        if let Err(problem) = self.play.game.engine.new_game() {
            self.play.game.error(problem, "new");
        }
        self.play.begin();
    }

    fn set_board(&mut self, text: &str) {
        let Play { game, thinking, guidance, .. } = &mut self.play;
        thinking.end_pause(game);
        let facts = game.session().facts();
        // XBoard sends a null move as a position. When that is the present one, the game goes on.
        if let Some(theirs) = view::board(facts, text) {
            match game.mirror.hear_board(&theirs, game.own_side().is_some()) {
                Sent::Present => return self.play.take_turn(),
                Sent::Pass => {
                    if thinking.is_searching(Purpose::Move) {
                        thinking.abandon(game);
                    }
                    guidance.mouse.unmark_turn(game);
                    return self.play.hear(PASS);
                }
                Sent::Other => {}
            }
        }
        thinking.abandon(game);
        // In a game that XBoard does not know, the position comes in XBoard's letters.
        let theirs = parse_position(text).ok().filter(|_| facts.xboard.setup.is_some());
        let ours = theirs.and_then(|theirs| game.session().read_shown(&theirs));
        let positions: Vec<String> =
            std::iter::once(text.to_owned()).chain(ours.map(|ours| ours.to_string())).collect();
        self.set_up(&positions);
    }

    /// Goes on from the first of `positions` that is legal; reports an error if none is.
    fn set_up(&mut self, positions: &[String]) {
        let session = self.play.game.engine.session_mut();
        let mut result = Ok(());
        for text in positions {
            result = session.set_up(Some(text), &mut std::iter::empty());
            if result.is_ok() {
                break;
            }
        }
        match result {
            Ok(()) => self.play.begin(),
            Err(problem) => self.play.game.tell_error(&format!("Illegal position: {problem}")),
        }
        self.play.analyze_again();
    }

    /// Handles a line while a position is being set up.
    fn edit(&mut self, mut editor: Editor, line: &str) -> ControlFlow<()> {
        let edited = editor.line(line, self.play.game.session());
        if let Ok(Some(position)) = edited {
            self.set_up(&[position]);
            return ControlFlow::Continue(());
        }
        self.editor = Some(editor);
        let Err(problem) = edited else { return ControlFlow::Continue(()) };
        // Any other command ends the editing without a full stop: the board stays as it was.
        match Command::parse(line).map(|parsed| parsed.map(|parsed| parsed.message)) {
            Err(_) | Ok(None | Some(Command::Unknown(_) | Command::BareMove(_))) => {
                self.play.game.error(problem, line);
                ControlFlow::Continue(())
            }
            Ok(Some(ping @ Command::Ping(_))) => self.handle(ping),
            Ok(Some(command)) => {
                self.editor = None;
                self.play.analyze_again();
                self.handle(command)
            }
        }
    }

    /// Handles `white` and `black`: `side` is to move, and we play the other one.
    fn give_turn(&mut self, side: Color) {
        self.play.interrupt();
        self.play.game.mode = Mode::Plays(!side);
        let session = self.play.game.session();
        if session.actor().player() != Some(side) {
            self.set_up(&edit::with_side(session, side));
        }
    }

    fn result(&mut self, result: Outcome<'_>) {
        let game = &mut self.play.game;
        if let Some(text) = adjudication::objection(game.session(), result) {
            game.tell(&text);
        }
        game.engine.backend().game_over(&result.to_string());
        game.over = true;
        self.play.interrupt();
    }

    /// Handles a message of the program that searches in our place. It belongs to no search.
    fn handle_message(&mut self, message: EngineMessage) {
        let Play { game, thinking, .. } = &mut self.play;
        match message {
            EngineMessage::Error(text) => game.tell_error(&text),
            EngineMessage::Tell(text) => game.tell(&text),
            EngineMessage::Log(text) => game.out.say(Reply::Comment(&text)),
            EngineMessage::RawXboard(line) => game.out.say(line),
            EngineMessage::DrawOffer => game.out.say(Reply::OfferDraw),
            _ if game.over => {}
            EngineMessage::Resign => {
                game.over = true;
                thinking.abandon(game);
                game.out.say(Reply::Resign);
            }
            EngineMessage::ResultClaim(verdict, comment) => {
                game.over = true;
                thinking.abandon(game);
                game.out.say(Reply::Result(Outcome { verdict, comment: &comment }));
            }
        }
    }
}

impl Frontend for Xboard {
    fn line(&mut self, line: &str, when: Instant) -> ControlFlow<()> {
        self.play.game.when = when;
        if let Some(editor) = self.editor.take() {
            return self.edit(editor, line);
        }
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(parsed)) => {
                for skipped in &parsed.skipped {
                    log::warn!("column {}: skipped `{}`", skipped.column, skipped.text);
                }
                return self.handle(parsed.message);
            }
            Err(problem) => self.play.game.error(problem, line),
        }
        ControlFlow::Continue(())
    }

    fn too_long(&mut self, bytes: usize) {
        self.play.game.error(format_args!("{bytes} bytes are too long for a line"), "");
    }

    fn events(&self) -> &Receiver<(u64, SearchEvent)> {
        self.play.game.engine.events()
    }

    fn event(&mut self, id: u64, event: SearchEvent) {
        self.play.game.when = Instant::now();
        let current = self.play.thinking.search.as_mut().filter(|search| search.running.id == id);
        match (event, current) {
            (SearchEvent::Message(message), _) => self.handle_message(message),
            (SearchEvent::Info(line), Some(_)) => self.play.show_line(line),
            (SearchEvent::BestMove(choice), Some(search)) => {
                search.finished = Some(choice);
                self.play.conclude();
            }
            (SearchEvent::Failed(reason), Some(_)) => {
                self.play.game.tell_error(&format!("{} in the search: {reason}", options::MISTAKE));
            }
            // The event belongs to a search that was given up, or to a request that is never made here.
            _ => {}
        }
    }

    fn finish(&mut self) -> bool {
        self.play.abandon();
        false
    }

    fn replies(&mut self) -> &mut Replies {
        &mut self.play.game.out
    }
}
