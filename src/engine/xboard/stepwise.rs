//! The conversation about a game that is shown step by step: see [`super::steps`].

use super::cards::{CARD, cards_in};
use super::gestures::{self, Meaning, Says, meaning_of, meanings};
use super::plies::{Ply, Shown};
use super::steps::{Steps, decides_by_cards};
use super::{Mode, Xboard, illegal, view};
use crate::base::Color;
use crate::engine::controller::Replies;
use crate::engine::events::BestMove;
use crate::engine::options::TurnView;
use crate::game::Actor;
use crate::notation::{Coordinate, parse_coordinate, parse_position};
use crate::protocol::xboard::{Audience, Command, Reply};
use crate::session::{Look, Session};
use std::time::Instant;

/// The option whose button ends a turn.
pub(super) const END_TURN: &str = "End Turn";

impl Xboard {
    /// Begins to show the game step by step, if that is how it is to be shown.
    pub(super) fn begin_steps(&mut self) {
        let session = self.host.session();
        let wanted = match self.host.settings.turn_view {
            TurnView::Auto => self.guided,
            TurnView::Whole => false,
            TurnView::Steps => true,
        };
        let view = session.facts().xboard.steps.filter(|_| wanted);
        self.steps = view.map(|view| Steps::new(session, view));
        self.via = None;
    }

    /// Obeys a command that means something else where the game is shown step by step. False when it does not.
    pub(super) fn obey_stepwise(&mut self, command: &Command<'_>, when: Instant, out: &mut Replies) -> bool {
        if let Command::Accepted("highlight") = command {
            self.guided = true;
        }
        if self.steps.is_none() {
            return false;
        }
        if matches!(
            command,
            Command::UserMove(_)
                | Command::BareMove(_)
                | Command::SetBoard(_)
                | Command::Undo
                | Command::Remove
        ) {
            // What `exclude` said was said of the position there was.
            self.excluded.clear();
        }
        match command {
            Command::UserMove(text) | Command::BareMove(text) => self.ply(text, when, out),
            Command::SetBoard(text) => return self.board(text, when, out),
            Command::Go => self.go_stepwise(when, out),
            Command::Undo => {
                self.abandon(out);
                self.with_steps(|steps, session| steps.take_back(session, 1));
                self.over = false;
                self.analyze_again(when, out);
            }
            Command::Remove => self.retract(when, out),
            Command::Lift(square) => self.lift(square, out),
            Command::Put(square) => self.put(square, out),
            Command::Option { name, .. } if name.eq_ignore_ascii_case(END_TURN) => self.end_turn(when, out),
            Command::Unknown(text) if text.split_whitespace().next() == Some(CARD) => {
                self.card(text.split_whitespace().nth(1).unwrap_or_default(), when, out);
            }
            // XBoard says so when the user, waiting for us, chooses Move Now.
            Command::MoveNow if self.waits_for_card() => self.ask_for_card(out),
            _ => return false,
        }
        true
    }

    pub(super) fn with_steps<T>(&mut self, act: impl FnOnce(&mut Steps, &mut dyn Session) -> T) -> Option<T> {
        let steps = self.steps.as_mut()?;
        Some(act(steps, self.host.session_mut()))
    }

    /// True when the plies of both sides are ours to complete: a person plays against us.
    pub(super) fn leads(&self) -> bool {
        matches!(self.mode, Mode::Plays(_)) && !self.opponent_is_program
    }

    /// True when XBoard shows the game as it is, and the decider may decide.
    pub(super) fn shows_all(&self) -> bool {
        self.steps.as_ref().is_none_or(|steps| steps.ending().is_none() && steps.agrees(self.host.session()))
    }

    fn go_stepwise(&mut self, when: Instant, out: &mut Replies) {
        // The side whose ply XBoard counts, be it in the middle of the other's turn: so a user who has made one step of
        // his turn asks for an opponent, and so Black hears `go` after White's first ply between two engines.
        if let Some(side) = self.steps.as_ref().map(|steps| steps.shown.side) {
            self.mode = Mode::Plays(side);
        }
        self.abandon(out);
        if self.leads() {
            self.finish_step(out);
            self.settle(out);
        }
        self.take_turn(when, out);
        self.ask_for_card(out);
    }

    /// The user has made a step while we only listened, and asks us to play: it is what his mouse says, and its other plies
    /// are ours now. What says nothing is taken back, and he is told.
    fn finish_step(&mut self, out: &mut Replies) {
        if let Some(ply) = self.with_steps(|steps, session| steps.take_back_unread(session)).flatten() {
            if let Some(meaning) = self.meaning(ply) {
                return self.obey_meaning(meaning, ply, &ply.to_string(), out);
            }
            self.with_steps(|steps, _| steps.show(ply));
        }
        if !self.shows_all() && self.steps.as_ref().is_some_and(|steps| steps.ending().is_none()) {
            let text = "The last plies on the board are no complete step, and are taken back.";
            out.say(Reply::Tell { audience: Audience::User, text });
        }
    }

    /// What the user's mouse says by `ply`, where XBoard shows the game and it is his turn.
    fn meaning(&self, ply: Ply) -> Option<Meaning> {
        let (steps, session) = (self.steps.as_ref()?, self.host.session());
        let mover = steps.shown.side;
        let his = steps.agrees(session) && session.actor() == Actor::Player(mover);
        his.then(|| meaning_of(meanings(session, steps), steps, mover, ply)).flatten()
    }

    fn obey_meaning(&mut self, meaning: Meaning, ply: Ply, text: &str, out: &mut Replies) {
        match meaning.gesture {
            Some(reason) => illegal(out, reason, text),
            None => {
                self.with_steps(|steps, _| steps.show(ply));
            }
        }
        match meaning.says {
            Says::Path(path) => self.with_steps(|steps, session| steps.decide(session, &path)),
            Says::Mark(leg) => self.with_steps(|steps, _| steps.marked.push(leg)),
        };
    }

    /// A ply of the user, the other engine or a record.
    fn ply(&mut self, text: &str, when: Instant, out: &mut Replies) {
        self.via = None;
        if self.search.as_ref().is_some_and(|search| search.purpose == super::Purpose::Move) {
            if !self.opponent_is_program {
                return illegal(out, "it is not your turn", text);
            }
            // The turn that seemed complete goes on.
            self.abandon(out);
        }
        let Some(ply) = Ply::parse(text) else { return self.whole_token(text, when, out) };
        if self.leads()
            && let Some(meaning) = self.meaning(ply)
        {
            self.obey_meaning(meaning, ply, text, out);
            return self.after_ply(when, out);
        }
        self.read_ply(ply, text, when, out);
    }

    fn read_ply(&mut self, ply: Ply, text: &str, when: Instant, out: &mut Replies) {
        let Some(steps) = &self.steps else { return };
        let pending = !steps.agrees(self.host.session());
        let done = self.with_steps(|steps, _| steps.show(ply)) == Some(true);
        if done && self.with_steps(|steps, session| steps.read(session)) == Some(true) {
            return self.after_ply(when, out);
        }
        if done && !self.leads() {
            // Plies that begin to show something: their meaning comes with those that follow.
            if self.with_steps(|steps, session| steps.may_begin(session)) == Some(true) {
                return self.abandon(out);
            }
            if self.with_steps(|steps, session| steps.go_back(session)) == Some(true) {
                return self.after_ply(when, out);
            }
            if pending {
                return self.abandon(out);
            }
        }
        if done {
            self.with_steps(|steps, session| steps.take_back(session, 1));
        }
        // A step by the mouse, a throw announced among them, that we would show by other plies: its end will come, or we
        // are asked to play.
        let stands = |meaning: Meaning| meaning.gesture.is_none() || meaning.letter.is_some();
        if done && self.meaning(ply).is_some_and(stands) {
            self.with_steps(|steps, _| steps.show(ply));
            return self.abandon(out);
        }
        self.refuse(text, out);
    }

    fn refuse(&mut self, text: &str, out: &mut Replies) {
        let token = view::read_move(self.host.session(), text);
        let reason = self.objection(&token);
        illegal(out, &reason, text);
        self.ask_for_card(out);
    }

    /// Why `token` is not legal.
    pub(super) fn objection(&mut self, token: &str) -> String {
        let session = self.host.session_mut();
        match session.play(token) {
            Err(problem) => problem.to_string(),
            Ok(()) => {
                session.take_back();
                "not in single steps".to_owned()
            }
        }
    }

    /// A program that says several steps at once.
    fn whole_token(&mut self, text: &str, when: Instant, out: &mut Replies) {
        let Some(path) = self.host.session().decisions_of(text) else {
            return self.refuse(text, out);
        };
        self.with_steps(|steps, session| {
            steps.decide(session, &path);
            // It knows what it did.
            steps.settle(session);
        });
        self.after_ply(when, out);
    }

    pub(super) fn after_ply(&mut self, when: Instant, out: &mut Replies) {
        self.abandon(out);
        self.expected = None;
        if self.leads() {
            self.settle(out);
        }
        self.tell_rolls(out);
        if self.claim(out) {
            return;
        }
        self.take_turn(when, out);
        self.ask_for_card(out);
        self.analyze_again(when, out);
    }

    /// Sends the plies after which XBoard shows the game as it is.
    fn settle(&mut self, out: &mut Replies) {
        let plies = self.with_steps(|steps, session| steps.settle(session)).unwrap_or_default();
        for ply in plies {
            out.say(Reply::Move(&ply.to_string()));
        }
        self.tell_rolls(out);
    }

    fn tell_rolls(&mut self, out: &mut Replies) {
        let rolls = self.with_steps(|steps, _| std::mem::take(&mut steps.rolls)).unwrap_or_default();
        for (face, taken) in rolls.into_iter().filter(|_| self.leads()) {
            let result = if taken { "wicket taken" } else { "wicket not taken" };
            out.say(Reply::Tell { audience: Audience::User, text: &format!("Dice: {face}, {result}") });
        }
    }

    /// A word of ours: each decision is shown as soon as it can be.
    pub(super) fn chosen_stepwise(&mut self, choice: BestMove, when: Instant, out: &mut Replies) {
        let path = choice.token.as_deref().and_then(|token| self.host.session().decisions_of(token));
        let Some(path) = path else {
            return self.give_up(out);
        };
        if self.before_our_move(choice.score, out) {
            return;
        }
        if self.leads() && decides_by_cards(self.host.session()) {
            let text = choice.token.as_deref().map(|token| format!("Carom plays {}", cards_in(token)));
            out.say(Reply::Tell { audience: Audience::User, text: &text.unwrap_or_default() });
        }
        for (index, &decision) in path.iter().enumerate() {
            self.with_steps(|steps, session| steps.step(session, decision));
            let session = self.host.session();
            let called = session.last_token().is_some_and(|token| token.starts_with("D@"));
            let last = index + 1 == path.len();
            if last || called || session.between_turns() || self.steps.as_ref().is_some_and(|s| s.view.each) {
                self.with_steps(|steps, session| steps.accept_luck(session));
                self.settle(out);
            }
        }
        self.expected = choice.ponder;
        if self.claim(out) {
            return;
        }
        self.tell_of_call(out);
        self.ask_for_card(out);
        self.take_turn(when, out);
        self.start_pondering(out);
    }

    /// The user has lost his Defender in our turn.
    fn tell_of_call(&mut self, out: &mut Replies) {
        let session = self.host.session();
        let theirs =
            matches!((self.mode, session.actor()), (Mode::Plays(own), Actor::Player(next)) if own != next);
        if theirs && self.leads() && session.continuations().iter().any(|token| token.starts_with("D@")) {
            let text = "Your Defender is gone. Name another: click on one of your men, then on a black field left of a wicket.";
            out.say(Reply::Tell { audience: Audience::User, text });
        }
    }

    /// `remove`: the user takes his last decision back.
    fn retract(&mut self, when: Instant, out: &mut Replies) {
        self.abandon(out);
        self.over = false;
        self.expected = None;
        match self.mode {
            Mode::Plays(own) if !self.opponent_is_program => {
                self.with_steps(|steps, session| steps.retract(session, !own));
                self.settle(out);
                self.take_turn(when, out);
                self.ask_for_card(out);
            }
            _ => {
                self.with_steps(|steps, session| steps.take_back(session, 2));
                self.analyze_again(when, out);
            }
        }
    }

    /// A null move reaches us as a position. True when the text is one that follows from what XBoard shows.
    fn board(&mut self, text: &str, when: Instant, out: &mut Replies) -> bool {
        let (Some(steps), Ok(position)) = (&self.steps, parse_position(text)) else { return false };
        let side = match position.fields.first().map(String::as_str) {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            _ => return false,
        };
        let board = Shown::new(self.host.session().facts(), &position, side);
        if !board.looks_like(&steps.shown) {
            return false;
        }
        if side == steps.shown.side {
            // Its board, as we know it.
            self.take_turn(when, out);
        } else {
            self.pass(when, out);
        }
        true
    }

    fn pass(&mut self, when: Instant, out: &mut Replies) {
        if self.search.as_ref().is_some_and(|search| search.purpose == super::Purpose::Move) {
            self.abandon(out);
        }
        self.read_ply(Ply::Pass, super::PASS, when, out);
    }

    /// The button: the user ends his turn, or declines.
    fn end_turn(&mut self, when: Instant, out: &mut Replies) {
        let mut stop = None;
        self.host.session().explore(&mut |path, prospect| {
            if super::steps::is_silent(&prospect.legs) {
                stop = Some(path.to_vec());
            }
            Look::Aside
        });
        let theirs = matches!((self.mode, self.host.session().actor()), (Mode::Plays(own), Actor::Player(next)) if own != next);
        match stop {
            Some(path) if self.leads() && theirs && self.shows_all() => {
                self.with_steps(|steps, session| steps.decide(session, &path));
                self.after_ply(when, out);
            }
            _ => {
                super::error(out, "the turn cannot end here", END_TURN);
                self.ask_for_card(out);
            }
        }
    }

    fn lift(&mut self, square: &str, out: &mut Replies) {
        let via = self.via.take();
        // The next leg begins on the square of the first; the man has not moved.
        let from = if via.as_deref() == Some(square) { self.lifted.clone() } else { None };
        self.via = from.as_ref().and(via);
        let from = from.unwrap_or_else(|| square.to_owned());
        let (Some(steps), Some(at)) = (&self.steps, place(&from)) else { return };
        self.lifted = Some(from);
        if steps.agrees(self.host.session()) && steps.ending().is_none() {
            let via = self.via.as_deref().and_then(place);
            if let Some(colors) = gestures::highlight(self.host.session(), steps, at, via) {
                out.say(Reply::Highlight(&colors));
            }
        }
        self.ask_for_card(out);
    }

    fn put(&mut self, square: &str, out: &mut Replies) {
        let via = self.via.as_deref().and_then(place);
        let from = self.lifted.as_deref().and_then(place);
        if let (Some(steps), Some(from), Some(to)) = (&self.steps, from, place(square))
            && let Some(letters) = gestures::choice(self.host.session(), steps, from, via, to)
        {
            out.say(Reply::Choice(&letters));
        }
        let goes_on = match (&self.steps, from, place(square)) {
            (Some(steps), Some(from), Some(to)) => gestures::goes_via(self.host.session(), steps, from, to),
            _ => false,
        };
        self.via = (via.is_none() && goes_on).then(|| square.to_owned());
    }

    /// The first ply by which XBoard would be shown what `token` says.
    pub(super) fn first_ply(&self, token: &str) -> Option<String> {
        let (steps, session) = (self.steps.as_ref()?, self.host.session());
        let first = *session.decisions_of(token)?.first()?;
        let mut ply = None;
        session.explore(&mut |path, prospect| {
            if path != [first] {
                return Look::Aside;
            }
            let goal = steps.draw(session.facts(), &prospect.position, !steps.shown.side);
            ply = steps.shown.burst(&goal).first().map(ToString::to_string);
            Look::End
        });
        ply
    }
}

fn place(square: &str) -> Option<Coordinate> {
    parse_coordinate(square).ok()
}
