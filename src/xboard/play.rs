//! Moves: the user's, ours, and the plies that bring XBoard's board into agreement with the game. Where a
//! turn has several steps, XBoard is shown them one by one: see [`super::mirror`].

use super::mirror::{Heard, is_silent};
use super::{Mode, Offers, Purpose, Xboard, adjudication};
use crate::engine::BestMove;
use crate::engine::options::Prompts;
use crate::game::Actor;
use crate::game::gui::{Gesture, Origin, Prompt};
use crate::notation::{Leg, parse_token};
use crate::protocol::xboard::{Outcome, Reply};
use crate::session::xboard_spelling::Ply;
use crate::session::{Look, xboard_spelling};

/// The option whose button ends a turn.
pub(super) const END_TURN: &str = "End Turn";
/// The command with which the answer to a question begins.
pub(super) const ANSWER: &str = "carom-card";
/// Tells a user who let go too soon how to choose a piece.
const HASTY: &str = "Hold the button down on magenta until you see the man you want; pull down for the next";

/// True when the text names the card that is drawn.
fn names_draw(text: &str) -> bool {
    let draws = |leg: &Leg| matches!(leg, Leg::Draw(Some(_)));
    text.contains('+') && parse_token(text).is_ok_and(|token| token.legs.iter().any(draws))
}

impl Xboard {
    /// Handles a ply of the user, of the other engine, or of a game record.
    pub(super) fn user_move(&mut self, text: &str) {
        self.game.guidance.clear();
        let stepwise = self.mirror.view.is_some();
        if self.hides_cards() && names_draw(text) {
            // Whether it is refused would reveal which card comes next.
            return self.illegal("Carom deals the cards", text);
        }
        if self.is_searching(Purpose::Move) {
            if !stepwise || !self.opponent_is_program {
                return self.illegal("it is not your turn", text);
            }
            // The turn that seemed complete goes on.
            self.abandon();
        }
        match Ply::parse(text) {
            Some(ply) if stepwise => self.hear(ply, text),
            None if stepwise => self.whole_turn(text),
            Some(ply) if self.mirror.corrects(ply, None) => self.take_turn(),
            ply => self.token(ply, text),
        }
    }

    /// Handles a ply that is a whole token.
    fn token(&mut self, ply: Option<Ply>, text: &str) {
        let token = xboard_spelling::read_move(self.engine.session(), text);
        if let Err(problem) = self.engine.session_mut().play(&token) {
            let gesture = ply.and_then(|ply| self.mirror.gesture_of(self.gestures(), ply));
            let Some((signal, decisions)) = gesture.and_then(|g| Some((g.signal?, g.decisions))) else {
                return self.illegal(&problem.to_string(), text);
            };
            // The gesture is taken back, and the move it stands for is played instead.
            self.illegal(signal.name, text);
            let session = self.engine.session_mut();
            for decision in decisions {
                session.decide(decision);
            }
            let token = session.last_token().unwrap_or_default();
            self.tell_token(&token);
        } else {
            self.tell_luck(&token);
            self.mirror.note_token(self.engine.session());
        }
        self.after_move();
    }

    /// Shows the user what chance made of the move they sent.
    fn tell_luck(&mut self, token: &str) {
        let Some(played) = self.engine.session().last_token() else { return };
        let legs = |text: &str| parse_token(text).map_or(0, |token| token.legs.len());
        if legs(&played) > legs(token) {
            self.tell(&format!("Chance: {played}"));
        }
    }

    /// Sends `token`, which was just played, as XBoard writes it. A card that we have drawn stays face down.
    fn tell_token(&mut self, token: &str) {
        let session = self.engine.session();
        let other = self.seat().filter(|_| self.hides_cards()).map(|own| !own);
        let heard = other.and_then(|other| session.told_to(other).1.pop());
        self.out.say(Reply::Move(&xboard_spelling::write_last(session, heard.as_deref().unwrap_or(token))));
        self.mirror.note_token(session);
    }

    /// True when we hold cards that the reader of our output must not see: we play a side, and there is no
    /// referee.
    pub(super) fn hides_cards(&self) -> bool {
        let Some(own) = self.seat().filter(|_| !self.engine.settings.referee) else { return false };
        let session = self.engine.session();
        session.facts().chance && session.position_for(!own) != session.position()
    }

    /// Goes on after someone else has moved.
    fn after_move(&mut self) {
        self.game.excluded.clear();
        let expected = self.game.expected.take();
        let hit = expected.is_some() && expected == self.engine.session().last_token();
        let whole = self.mirror.view.is_none() && self.mirror.shows_all();
        match &mut self.search {
            Some(search) if hit && whole && search.purpose == Purpose::Ponder => {
                search.purpose = Purpose::Move;
                // XBoard has sent the clock since the search began to ponder.
                let budget = self.time.limits(self.mirror.plies()).budget;
                search.running.ponder_hit(budget.deadlines(self.engine.settings.overhead));
                // It may have gone as deep as it could before the move came.
                return self.conclude();
            }
            _ => self.abandon(),
        }
        if self.leads() {
            self.settle();
        }
        self.mirror.told.clear();
        if !self.claim() {
            self.go_on();
        }
    }

    /// Goes on with the side to decide.
    fn go_on(&mut self) {
        self.ask();
        self.take_turn();
        self.analyze_again();
    }

    /// Sends the plies after which XBoard shows the game as it is, and the events that no board shows.
    fn settle(&mut self) {
        let plies = self.mirror.settle(self.engine.session());
        self.send(&plies);
    }

    fn send(&mut self, plies: &[Ply]) {
        for ply in plies {
            self.out.say(Reply::Move(&ply.to_string()));
            self.game.guidance.clear();
        }
        let told = std::mem::take(&mut self.mirror.told);
        if self.leads() && self.engine.settings.prompts != Prompts::None {
            told.iter().for_each(|text| self.tell(text));
        }
    }

    /// Sends the result if the game is over and we take part in it. True if it is over.
    fn claim(&mut self) -> bool {
        let Some(outcome) = self.engine.session().outcome() else { return false };
        if matches!(self.mode, Mode::Plays(_)) && !self.game.over {
            self.game.over = true;
            let verdict = adjudication::verdict(&outcome);
            self.out.say(Reply::Result(Outcome { verdict, comment: outcome.reason }));
        }
        true
    }

    /// Starts a search if it is our turn.
    pub(super) fn take_turn(&mut self) {
        let Mode::Plays(own) = self.mode else { return };
        if self.engine.session().actor() != Actor::Player(own) {
            return;
        }
        if self.is_searching(Purpose::Hint) {
            // The game does not wait for a hint.
            self.abandon();
        }
        let waits = self.game.over || self.search.is_some() || !self.mirror.shows_all();
        if !waits && !self.claim() {
            self.think(Purpose::Move);
        }
    }

    /// Plays and sends our move. Where the game is shown step by step, each decision is shown as soon as it
    /// can be.
    pub(super) fn chosen(&mut self, choice: BestMove) {
        let Some(token) = choice.token else {
            // There is no move. Either the game is over, or the rules have panicked, which the user was
            // shown; then nothing will come that could be waited for.
            if !self.claim() {
                self.game.over = true;
                self.out.say(Reply::Resign);
            }
            return;
        };
        if self.before_our_move(choice.score) {
            return;
        }
        self.game.excluded.clear();
        let path = self.mirror.view.and_then(|_| self.engine.session().decisions_of(&token));
        if let Some(path) = path {
            self.tell_answer(&token);
            let before = self.engine.session().tokens_played();
            let plies = self.mirror.play(self.engine.session_mut(), &path);
            self.send(&plies);
            if plies.len() > 1 {
                self.tell_turn(before);
            }
        } else if let Err(problem) = self.engine.session_mut().play(&token) {
            // The search chose from the legal decisions of this very position.
            log::error!("own move {token} refused: {problem}");
        } else {
            self.tell_token(&token);
        }
        self.game.expected = choice.ponder;
        if self.claim() {
            return;
        }
        self.settle();
        self.ask_behind_our_turn();
        self.take_turn();
        self.start_pondering();
    }

    /// Handles `go`.
    pub(super) fn go(&mut self) {
        // Where the game is shown step by step, it is the side whose ply XBoard counts, even in the middle of
        // the other side's turn. That is how a user who has made one step of a turn asks for an opponent, and
        // how Black gets `go` after White's first ply in a match of two engines.
        let counted = self.mirror.view.map(|_| self.mirror.board.side);
        if let Some(side) = counted.or(self.engine.session().actor().player()) {
            self.mode = Mode::Plays(side);
        }
        // To play on after a resignation or an agreed draw is deliberate.
        self.game.over = false;
        self.interrupt();
        // In a match of two engines Black gets `go` after White's first ply, and the rest of White's turn is
        // on its way.
        if self.leads() {
            self.finish_step();
            self.settle();
        }
        self.go_on();
    }

    /// Handles `playother`.
    pub(super) fn play_other(&mut self) {
        if let Actor::Player(side) = self.engine.session().actor() {
            self.mode = Mode::Plays(!side);
        }
        self.game.over = false;
        self.interrupt();
        if !self.opponent_is_program && self.mirror.view.is_none() {
            self.settle();
        }
        if !self.claim() {
            self.start_pondering();
        }
    }

    /// Handles `?`.
    pub(super) fn move_now(&mut self) {
        // XBoard also sends it when the user should type an answer, but waits for us and chooses Move Now.
        if self.mirror.view.is_some() && self.ask() {
            return;
        }
        match &self.search {
            Some(search) if search.purpose == Purpose::Move => search.running.stop(),
            _ => self.wonder_at_hurry(),
        }
    }

    /// Handles `undo` and `remove`: takes back plies and the part of the game they showed. With `remove`, a
    /// user who is shown single steps takes back their last decision.
    pub(super) fn take_back(&mut self, plies: usize) {
        if self.paused {
            self.interrupt();
        }
        let removes = plies == 2;
        if self.mirror.plies() < plies {
            return self.error("nothing to take back", if removes { "remove" } else { "undo" });
        }
        self.abandon();
        self.unmark_turn();
        let steps = self.mirror.view.is_some() && self.leads();
        match self.mode {
            Mode::Plays(own) if removes && steps => self.mirror.retract(self.engine.session_mut(), !own),
            _ => self.mirror.take_back(self.engine.session_mut(), plies),
        }
        self.game.over = false;
        self.game.expected = None;
        self.game.excluded.clear();
        self.game.offers = Offers::default();
        if !removes {
            return self.analyze_again();
        }
        if self.leads() {
            self.settle();
        }
        self.go_on();
    }

    /// True when the plies of both sides are ours to complete, because a user plays against us.
    pub(super) fn leads(&self) -> bool {
        matches!(self.mode, Mode::Plays(_)) && !self.opponent_is_program
    }

    /// True when we play against a user at XBoard's board. The thinking of a bridged engine is passed on as
    /// it is.
    pub(super) fn decides_by_mouse(&self) -> bool {
        self.guided && self.leads() && self.engine.foreign().is_none()
    }

    /// True when we play a side, and the other side is to decide.
    pub(super) fn is_theirs(&self) -> bool {
        matches!((self.mode, self.engine.session().actor()), (Mode::Plays(own), Actor::Player(next)) if own != next)
    }

    /// The user has made a step while we only listened, and asks us to play. The step is read as a gesture of
    /// the mouse, and its further plies are ours now. A step that means nothing is taken back, and the user
    /// is told so.
    fn finish_step(&mut self) {
        if self.mirror.view.is_none() {
            return;
        }
        if let Some(ply) = self.mirror.take_back_unread() {
            match self.mirror.hear(self.engine.session_mut(), ply, true) {
                Heard::Said(Some(signal)) => return self.illegal(signal.name, &ply.to_string()),
                Heard::Said(None) | Heard::Begun => return,
                Heard::Nothing => self.mirror.show(ply),
            };
        }
        if !self.mirror.agrees() && self.mirror.goal.ending.is_none() {
            self.tell("The last plies on the board are no complete step, and are taken back.");
        }
    }

    pub(super) fn hear(&mut self, ply: Ply, text: &str) {
        let leads = self.leads();
        match self.mirror.hear(self.engine.session_mut(), ply, leads) {
            Heard::Said(signal) => {
                if let Some(signal) = signal {
                    self.illegal(signal.name, text);
                }
                self.after_move();
            }
            Heard::Begun => self.abandon(),
            Heard::Nothing => self.refuse(Some(ply), text),
        }
    }

    fn refuse(&mut self, ply: Option<Ply>, text: &str) {
        let session = self.engine.session();
        let problem = session.check(&xboard_spelling::read_move(session, text)).err();
        let reason = problem.map_or("not in single steps".to_owned(), |problem| problem.to_string());
        self.illegal(&reason, text);
        // Perhaps the user clicked where they must choose, and let go before there was anything to choose
        // from: then XBoard sends the letter of some other choice.
        let same_way = |g: &&Gesture| matches!(ply, Some(Ply::Move { from, to, .. }) if g.from == Origin::Square(from) && g.to == to);
        if self.mirror.shows_all() && self.gestures().iter().filter(same_way).count() > 1 {
            self.guide(HASTY);
        } else {
            self.ask();
        }
    }

    /// Handles a turn of a program that sends several steps at once.
    fn whole_turn(&mut self, text: &str) {
        let Some(path) = self.engine.session().decisions_of(text) else { return self.refuse(None, text) };
        self.mirror.play(self.engine.session_mut(), &path);
        self.after_move();
    }

    /// Shows the user our answer to a question that a user would answer by typing.
    fn tell_answer(&mut self, token: &str) {
        if self.leads() && self.engine.session().prompt(&[]).is_some_and(|prompt| prompt.is_typed()) {
            let typed: Vec<&str> = token.split(',').filter_map(|leg| leg.strip_prefix('=')).collect();
            let typed = if typed.is_empty() { "no more".to_owned() } else { typed.join(", ") };
            self.tell(&format!("Carom plays {typed}"));
        }
    }

    /// Handles the button: the user ends the turn, or declines.
    pub(super) fn end_turn(&mut self) {
        let (session, mut stop) = (self.engine.session(), None);
        session.explore(session.tokens_played(), &mut |path, prospect| {
            stop = stop.or(is_silent(&prospect.legs).then(|| path[0]));
            Look::Aside
        });
        match stop {
            Some(decision) if self.leads() && self.is_theirs() && self.mirror.shows_all() => {
                self.mirror.decide(self.engine.session_mut(), &[decision]);
                self.after_move();
            }
            _ => {
                self.error("the turn cannot end here", END_TURN);
                self.ask();
            }
        }
    }

    /// Handles what the user typed as an answer.
    pub(super) fn answer(&mut self, word: &str) {
        let Some(prompt) = self.prompt().filter(Prompt::is_typed) else {
            return self.error("no card is asked for", ANSWER);
        };
        match self.engine.session().typed(word) {
            Ok(decision) => {
                self.mirror.decide(self.engine.session_mut(), &[decision]);
                self.after_move();
            }
            Err(reason) => {
                let text = format!("Refused: {reason}. {}", prompt.how);
                self.out.say(Reply::AskUser { tag: ANSWER, text: &text });
            }
        }
    }
}
