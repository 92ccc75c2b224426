//! The play of a game: the user's moves, ours, and the plies that bring XBoard's board into agreement with
//! the game.

use super::adjudication;
use super::game::{self, Game, Mode};
use super::guidance::{ANSWER, Guidance};
use super::mirror::Heard;
use super::offers::Offers;
use super::reading::is_silent;
use super::thinking::{Purpose, Thinking, say_hint};
use crate::engine::options::Prompts;
use crate::engine::{BestMove, Engine, PvLine};
use crate::game::Actor;
use crate::game::gui::Prompt;
use crate::protocol::xboard::{Reply, Selection};
use crate::session::Look;
use crate::session::xboard_spelling::{self, Ply};

/// The option whose button ends a turn.
pub(super) const END_TURN: &str = "End Turn";

/// A game between XBoard and the engine.
pub(super) struct Play {
    pub game: Game,
    pub thinking: Thinking,
    pub guidance: Guidance,
    pub offers: Offers,
}

impl Play {
    pub fn new(engine: Engine) -> Self {
        Self {
            game: Game::new(engine),
            thinking: Thinking::default(),
            guidance: Guidance::default(),
            offers: Offers::default(),
        }
    }

    /// Begins the game that was set up.
    pub fn begin(&mut self) {
        self.game.begin();
        self.thinking.begin_game();
        self.guidance.begin_game();
        self.offers = Offers::default();
    }

    /// Handles a ply of the user, of the other engine, or of a game record.
    pub fn user_move(&mut self, text: &str) {
        self.guidance.forget();
        if self.game.hides_cards() && game::names_draw(text) {
            // Whether it is refused would reveal which card comes next.
            return self.game.illegal("Carom deals the cards", text);
        }
        if self.thinking.is_searching(Purpose::Move) {
            if !self.game.mirror.in_steps() || !self.game.opponent_is_program {
                return self.game.illegal("it is not your turn", text);
            }
            // The turn that seemed complete goes on.
            self.abandon();
        }
        self.hear(text);
    }

    /// Handles a ply that may be played now.
    pub fn hear(&mut self, text: &str) {
        let by_mouse = self.game.leads();
        match self.game.mirror.hear(self.game.engine.session(), text, by_mouse) {
            Heard::Correction => return self.take_turn(),
            Heard::Turn(token) => {
                if !self.hear_turn(&token, text) {
                    return self.refuse(text);
                }
            }
            Heard::Steps(path) => {
                self.game.play(&path);
            }
            Heard::Step(change, signal) => {
                self.game.carry_out(&change);
                if let Some(signal) = signal {
                    self.game.illegal(signal.name, text);
                }
            }
            Heard::Incomplete(change) => {
                self.game.carry_out(&change);
                return self.abandon();
            }
            Heard::Nothing => return self.refuse(text),
        }
        self.after_move();
    }

    /// Plays a turn that came as `text`, or what a gesture of the mouse stands for; false when it is neither.
    fn hear_turn(&mut self, token: &str, text: &str) -> bool {
        if self.game.engine.session_mut().play(token).is_ok() {
            self.game.tell_luck(token);
            self.game.note_token();
            return true;
        }
        let ply = Ply::parse(text);
        let gesture = ply.and_then(|ply| self.game.mirror.gesture_of(self.game.session(), ply));
        let Some((signal, decisions)) = gesture.and_then(|g| Some((g.signal?, g.decisions))) else {
            return false;
        };
        // The gesture is taken back, and the move it stands for is played instead.
        self.game.illegal(signal.name, text);
        let session = self.game.engine.session_mut();
        for decision in decisions {
            session.decide(decision);
        }
        let token = session.last_token().unwrap_or_default();
        self.game.send_turn(&token);
        true
    }

    fn refuse(&mut self, text: &str) {
        let session = self.game.session();
        let problem = session.check(&xboard_spelling::read_move(session, text)).err();
        let reason = problem.map_or("not in single steps".to_owned(), |problem| problem.to_string());
        self.game.illegal(&reason, text);
        if self.game.mirror.in_steps() {
            self.guidance.ask_after_refusal(Ply::parse(text), &mut self.game);
        }
    }

    /// Goes on after someone else has moved.
    fn after_move(&mut self) {
        self.thinking.excluded.clear();
        let expected = self.thinking.expected.take();
        let hit = expected.is_some() && expected == self.game.session().last_token();
        // In single steps the opponent's turn may go on.
        let complete = !self.game.mirror.in_steps() && self.game.mirror.shows_all();
        if hit && complete && self.thinking.ponder_hit(&self.game) {
            // It may have gone as deep as it could before the move came.
            return self.conclude();
        }
        self.abandon();
        if self.game.leads() {
            self.settle();
        }
        self.game.mirror.news.clear();
        if !self.game.claim() {
            self.go_on();
        }
    }

    /// Goes on with the side to decide.
    fn go_on(&mut self) {
        self.ask();
        self.take_turn();
        self.analyze_again();
    }

    pub fn ask(&mut self) -> bool {
        self.guidance.ask(&mut self.game)
    }

    pub fn abandon(&mut self) {
        self.thinking.abandon(&mut self.game);
    }

    pub fn interrupt(&mut self) {
        self.thinking.interrupt(&mut self.game);
    }

    pub fn analyze_again(&mut self) {
        self.thinking.analyze_again(&mut self.game);
    }

    pub fn start_pondering(&mut self) {
        self.thinking.start_pondering(&mut self.game);
    }

    /// Sends the plies after which XBoard shows the game as it is, and the events that no board shows.
    fn settle(&mut self) {
        let plies = self.game.mirror.settle(self.game.engine.session());
        self.send(&plies);
    }

    fn send(&mut self, plies: &[Ply]) {
        for ply in plies {
            self.game.out.say(Reply::Move(&ply.to_string()));
            self.guidance.forget();
        }
        let news = std::mem::take(&mut self.game.mirror.news);
        if self.game.leads() && self.game.engine.settings.prompts != Prompts::None {
            news.iter().for_each(|text| self.game.tell(text));
        }
    }

    /// Starts a search if it is our turn.
    pub fn take_turn(&mut self) {
        let Some(own) = self.game.own_side() else { return };
        if self.game.session().actor() != Actor::Player(own) {
            return;
        }
        if self.thinking.is_searching(Purpose::Hint) {
            // The game does not wait for a hint.
            self.abandon();
        }
        let waits = self.game.over || self.thinking.search.is_some() || !self.game.mirror.shows_all();
        if waits || self.game.claim() {
            return;
        }
        if let Some(choice) = self.thinking.think(Purpose::Move, &mut self.game) {
            self.decided(choice);
        }
    }

    /// Uses the result of a search that has ended.
    pub fn conclude(&mut self) {
        match self.thinking.take_result() {
            Some((Purpose::Move, choice)) => self.decided(choice),
            // Another program that searches in our place does not know which cards the user holds.
            Some((_, BestMove { token: Some(token), .. })) if self.game.session().check(&token).is_ok() => {
                say_hint(&token, &mut self.game);
            }
            _ => {}
        }
    }

    /// Plays `choice`, which the search for our move has found.
    fn decided(&mut self, choice: BestMove) {
        self.chosen(choice);
        self.thinking.answer_pings(&mut self.game);
    }

    /// Plays and sends our move. Where the game is shown step by step, each step is shown as soon as it can
    /// be.
    fn chosen(&mut self, choice: BestMove) {
        let Some(token) = choice.token else {
            // There is no move. Either the game is over, or the rules have panicked, which the user was
            // shown; then nothing will come that could be waited for.
            if !self.game.claim() {
                self.game.resign();
            }
            return;
        };
        if self.offers.before_our_move(choice.score, &mut self.game) {
            return;
        }
        self.thinking.excluded.clear();
        if let Some(path) = self.game.mirror.path(self.game.session(), &token) {
            self.guidance.show_answer(&token, &mut self.game);
            let before = self.game.session().tokens_played();
            let plies = self.game.play(&path);
            self.send(&plies);
            if plies.len() > 1 {
                self.guidance.show_turn(before, &mut self.game);
            }
        } else if let Err(problem) = self.game.engine.session_mut().play(&token) {
            // The search chose from the legal decisions of this very position.
            log::error!("own move {token} refused: {problem}");
        } else {
            self.game.send_turn(&token);
        }
        self.thinking.expected = choice.ponder;
        if self.game.claim() {
            return;
        }
        self.settle();
        self.guidance.ask_behind_our_turn(&mut self.game);
        self.take_turn();
        self.start_pondering();
    }

    /// Handles `go`.
    pub fn go(&mut self) {
        if let Some(side) = self.game.mirror.next_side(self.game.session().actor()) {
            self.game.mode = Mode::Plays(side);
        }
        // To play on after a resignation or an agreed draw is deliberate.
        self.game.over = false;
        self.interrupt();
        // In a match of two engines Black gets `go` after White's first ply, and the rest of White's turn is
        // on its way.
        if self.game.leads() {
            self.game.finish_step();
            self.settle();
        }
        self.go_on();
    }

    /// Handles `playother`.
    pub fn play_other(&mut self) {
        if let Actor::Player(side) = self.game.session().actor() {
            self.game.mode = Mode::Plays(!side);
        }
        self.game.over = false;
        self.interrupt();
        if !self.game.opponent_is_program && !self.game.mirror.in_steps() {
            self.settle();
        }
        if !self.game.claim() {
            self.start_pondering();
        }
    }

    /// Handles `?`.
    pub fn move_now(&mut self) {
        // XBoard also sends it when the user should type an answer, but waits for us and chooses Move Now.
        if self.game.mirror.in_steps() && self.ask() {
            return;
        }
        if let Some(search) = &self.thinking.search
            && search.purpose == Purpose::Move
        {
            search.running.stop();
        } else if self.game.is_theirs()
            && self.game.leads()
            && !self.game.over
            && let Some(text) = adjudication::refused_move(self.game.session())
        {
            self.game.tell(&text);
        }
    }

    /// Handles `undo` and `remove`: takes back plies and the part of the game they showed. With `remove`, a
    /// user who is shown single steps takes back their last decision.
    pub fn take_back(&mut self, plies: usize) {
        self.thinking.end_pause(&mut self.game);
        let removes = plies == 2;
        if self.game.mirror.plies() < plies {
            return self.game.error("nothing to take back", if removes { "remove" } else { "undo" });
        }
        self.abandon();
        self.guidance.mouse.unmark_turn(&mut self.game);
        match self.game.own_side() {
            Some(own) if removes && self.game.leads() && self.game.mirror.in_steps() => {
                self.game.take_back_decision(!own);
            }
            _ => self.game.take_back(plies),
        }
        self.game.over = false;
        self.thinking.expected = None;
        self.thinking.excluded.clear();
        self.offers = Offers::default();
        if !removes {
            return self.analyze_again();
        }
        if self.game.leads() {
            self.settle();
        }
        self.go_on();
    }

    /// Handles `exclude` and, with `include`, the opposite.
    pub fn select(&mut self, selection: Selection<'_>, include: bool) {
        if !self.thinking.excluded.select(self.game.session(), selection, include) {
            let command = if include { "include" } else { "exclude" };
            return self.game.error("not a legal move here", &format!("{command} {selection}"));
        }
        if self.game.mode == Mode::Analyzes {
            self.analyze_again();
        } else if self.thinking.begins_anew(&mut self.game) {
            self.abandon();
            self.take_turn();
        }
    }

    /// Handles `resume`.
    pub fn resume(&mut self) {
        if !self.thinking.resume(&self.game) {
            return;
        }
        if self.thinking.search.is_some() {
            // The move may have been found just before the pause.
            return self.conclude();
        }
        self.analyze_again();
        self.take_turn();
        self.start_pondering();
    }

    /// Handles a line of thinking that the search in progress has found.
    pub fn show_line(&mut self, line: PvLine) {
        if let Some(score) = self.thinking.show_line(line, &mut self.game) {
            self.offers.consider_draw(score, &mut self.game);
        }
    }

    /// Handles the button: the user ends the turn, or declines.
    pub fn end_turn(&mut self) {
        let (session, mut stop) = (self.game.session(), None);
        session.explore(&mut |path, successor| {
            stop = stop.or(is_silent(&successor.legs()).then(|| path[0]));
            Look::Skip
        });
        match stop {
            Some(decision) if self.game.leads() && self.game.is_theirs() && self.game.mirror.shows_all() => {
                self.decide(decision);
            }
            _ => {
                self.game.error("the turn cannot end here", END_TURN);
                self.ask();
            }
        }
    }

    /// Handles what the user typed as an answer.
    pub fn answer(&mut self, word: &str) {
        let Some(prompt) = self.game.prompt().filter(Prompt::is_typed) else {
            return self.game.error("no card is asked for", ANSWER);
        };
        match self.game.session().typed(word) {
            Ok(decision) => self.decide(decision),
            Err(reason) => {
                let text = format!("Refused: {reason}. {}", prompt.how);
                self.game.out.say(Reply::AskUser { tag: ANSWER, text: &text });
            }
        }
    }

    fn decide(&mut self, decision: u32) {
        self.game.decide(&[decision]);
        self.after_move();
    }
}
