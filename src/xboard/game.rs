//! What all parts of the conversation share: the engine with its game, XBoard's board as a mirror of it, who
//! plays which side, and the output. Mirror and game are kept at the same point here.

use super::adjudication::verdict;
use super::mirror::{Change, Heard, Mirror, Point};
use crate::base::Color;
use crate::engine::options::TurnView;
use crate::engine::{Engine, Replies};
use crate::game::Actor;
use crate::game::gui::{Gesture, Prompt};
use crate::notation::{Leg, parse_token};
use crate::protocol::xboard::{Audience, Outcome, Reply};
use crate::session::Session;
use crate::session::xboard_spelling::{self, Ply};
use std::fmt::Display;
use std::time::Instant;

/// A game between XBoard and the engine.
pub(super) struct Game {
    pub engine: Engine,
    /// XBoard's board, and the plies since the last set-up.
    pub mirror: Mirror,
    pub out: Replies,
    /// When the line or event arrived that is being handled.
    pub when: Instant,
    pub mode: Mode,
    /// True once the result was sent, by us or by XBoard.
    pub over: bool,
    /// True if thinking lines are to be sent.
    pub post: bool,
    pub opponent_is_program: bool,
    /// True if XBoard lets us guide the user's mouse.
    pub guided: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Only receives moves and checks them.
    Force,
    /// Plays this side.
    Plays(Color),
    /// Analyses the position that is shown.
    Analyzes,
}

impl Game {
    pub fn new(engine: Engine) -> Self {
        Self {
            mirror: Mirror::new(engine.session(), false),
            engine,
            out: Replies::default(),
            when: Instant::now(),
            mode: Mode::Plays(Color::Black),
            over: false,
            post: false,
            opponent_is_program: false,
            guided: false,
        }
    }

    /// The game in progress.
    pub fn session(&self) -> &dyn Session {
        self.engine.session()
    }

    /// Begins to mirror the game that was set up, step by step if it is to be shown so.
    pub fn begin(&mut self) {
        let in_steps = match self.engine.settings.turn_view {
            TurnView::Auto => self.guided,
            TurnView::Whole => false,
            TurnView::Steps => true,
        };
        self.over = false;
        self.mirror = Mirror::new(self.session(), in_steps);
    }

    /// Plays the decisions at the head of `path` that are shown together, and whatever is then rolled.
    /// XBoard's board is to follow. Returns how many decisions of the path were played.
    pub fn decide(&mut self, path: &[u32]) -> usize {
        let session = self.engine.session_mut();
        let mut played = 0;
        // A chance outcome in the path replaces what was rolled, whatever that made of the turn.
        while played < path.len().min(self.mirror.together)
            && (played == 0 || !session.rolled().is_empty() || !session.between_turns())
        {
            step(session, path[played]);
            played += 1;
        }
        if played == path.len() || session.between_turns() {
            // A roll is part of the game like any decision.
            session.rolled().into_iter().for_each(|decision| step(session, decision));
        }
        self.mirror.note_decisions(session);
        played
    }

    /// Notes a token that was played, and is shown by a ply of its own.
    pub fn note_token(&mut self) {
        self.mirror.note_token(self.engine.session());
    }

    /// Plays a path of decisions, and returns the plies by which XBoard comes to show it.
    pub fn play(&mut self, mut path: &[u32]) -> Vec<Ply> {
        let mut plies = Vec::new();
        while !path.is_empty() {
            path = &path[self.decide(path)..];
            plies.extend(self.mirror.settle(self.engine.session()));
        }
        plies
    }

    /// Changes the game as the plies demand that have come in.
    pub fn carry_out(&mut self, change: &Change) {
        if let Some(point) = change.back {
            self.engine.session_mut().rewind(point.decisions);
            self.mirror.go_to(self.engine.session(), point);
        }
        if !change.path.is_empty() {
            self.decide(&change.path);
        }
        if change.shown {
            self.mirror.settle_here();
        }
    }

    /// Takes back the last plies. The game returns to where it was before them.
    pub fn take_back(&mut self, plies: usize) {
        for _ in 0..plies {
            let Some((point, left)) = self.mirror.take_back() else { return };
            self.retract(point);
            if left && let Some(change) = self.mirror.read(self.engine.session()) {
                self.carry_out(&change);
            }
        }
    }

    /// Takes back the last decision of the user, who plays the colour `user`, and the last two plies.
    pub fn take_back_decision(&mut self, user: Color) {
        let point = self.mirror.take_back_decision(self.engine.session(), user);
        self.retract(point);
    }

    fn retract(&mut self, point: Point) {
        self.engine.session_mut().retract(point.decisions);
        self.mirror.go_to(self.engine.session(), point);
    }

    /// All gestures that the mouse can make now. XBoard's board must agree with the game.
    pub fn gestures(&self) -> Vec<Gesture> {
        self.mirror.gestures(self.session())
    }

    /// The side we play, if we play one.
    pub const fn own_side(&self) -> Option<Color> {
        if let Mode::Plays(own) = self.mode { Some(own) } else { None }
    }

    /// True when the plies of both sides are ours to complete, because a user plays against us.
    pub const fn leads(&self) -> bool {
        self.own_side().is_some() && !self.opponent_is_program
    }

    /// True when we play against a user at XBoard's board. The thinking of a bridged engine is passed on as
    /// it is.
    pub fn decides_by_mouse(&self) -> bool {
        self.guided && self.leads() && !self.engine.profile().abilities.raw_thinking
    }

    /// True when we play a side, and the other side is to decide.
    pub fn is_theirs(&self) -> bool {
        matches!((self.own_side(), self.session().actor()), (Some(own), Actor::Player(next)) if own != next)
    }

    /// What the user must be shown or asked. While a question waits for a typed answer, it stays the user's
    /// ply, so that XBoard lets them lift a piece, take back and go on. Whatever they do then, they are asked
    /// again.
    pub fn prompt(&self) -> Option<Prompt> {
        let session = self.session();
        let by_mouse = match session.facts().xboard.steps {
            Some(_) => self.mirror.in_steps(),
            None => self.guided,
        };
        let asked = by_mouse && self.is_theirs() && self.leads() && !self.over;
        if asked { session.prompt(&self.mirror.picked) } else { None }
    }

    /// True when we hold cards that the reader of our output must not see: we play a side, and there is no
    /// referee.
    pub fn hides_cards(&self) -> bool {
        let Some(own) = self.own_side().filter(|_| !self.engine.settings.referee) else { return false };
        let session = self.session();
        session.facts().chance && session.position_for(!own) != session.position()
    }

    /// The user has made a step while we only listened, and asks us to play. The step is read as a gesture of
    /// the mouse, and its further plies are ours now. A step that means nothing is taken back, and the user
    /// is shown why.
    pub fn finish_step(&mut self) {
        if let Some(ply) = self.mirror.take_back_unread() {
            match self.mirror.hear_ply(self.engine.session(), ply, true) {
                Heard::Step(change, signal) => {
                    self.carry_out(&change);
                    if let Some(signal) = signal {
                        self.illegal(signal.name, &ply.to_string());
                    }
                    return;
                }
                Heard::Incomplete(change) => return self.carry_out(&change),
                _ => self.mirror.show(ply),
            };
        }
        if self.mirror.is_unfinished() {
            self.tell("The last plies on the board are no complete step, and are taken back.");
        }
    }

    /// Shows the user what chance made of the move they sent.
    pub fn tell_luck(&mut self, token: &str) {
        let Some(played) = self.session().last_token() else { return };
        let legs = |text: &str| parse_token(text).map_or(0, |token| token.legs.len());
        if legs(&played) > legs(token) {
            self.tell(&format!("Chance: {played}"));
        }
    }

    /// Sends `token`, which was just played, as XBoard writes it. A card that we have drawn stays face down.
    pub fn send_turn(&mut self, token: &str) {
        let session = self.engine.session();
        let other = self.own_side().filter(|_| self.hides_cards()).map(|own| !own);
        let masked = other.and_then(|other| session.as_text_for(other).1.pop());
        let text = xboard_spelling::write_last(session, masked.as_deref().unwrap_or(token));
        self.out.say(Reply::Move(&text));
        self.note_token();
    }

    /// Sends the result if the game is over and we take part in it. True if it is over.
    pub fn claim(&mut self) -> bool {
        let Some(outcome) = self.session().outcome() else { return false };
        if self.own_side().is_some() && !self.over {
            self.over = true;
            let verdict = verdict(&outcome);
            self.out.say(Reply::Result(Outcome { verdict, comment: outcome.reason }));
        }
        true
    }

    pub fn resign(&mut self) {
        self.over = true;
        self.out.say(Reply::Resign);
    }

    pub fn error(&mut self, reason: impl Display, command: &str) {
        let command: String = command.chars().take(80).collect();
        self.out.say(Reply::Error { reason: &reason.to_string(), command: &command });
    }

    pub fn illegal(&mut self, reason: &str, text: &str) {
        self.out.say(Reply::IllegalMove { reason, text });
    }

    /// Shows a message to the user.
    pub fn tell(&mut self, text: &str) {
        self.out.say(Reply::Tell { audience: Audience::User, text });
    }

    pub fn tell_error(&mut self, text: &str) {
        self.out.say(Reply::Tell { audience: Audience::UserError, text });
    }
}

fn step(session: &mut dyn Session, decision: u32) {
    if !session.decide(decision) {
        // This cannot happen, since the decision was listed as legal.
        log::error!("a decision is refused");
    }
}

/// True when the text names the card that is drawn.
pub(super) fn names_draw(text: &str) -> bool {
    let draws = |leg: &Leg| matches!(leg, Leg::Draw(Some(_)));
    text.contains('+') && parse_token(text).is_ok_and(|token| token.legs.iter().any(draws))
}
