//! The conversation about a game that is shown step by step: see [`super::mirror`].

use super::board::{Board, Ply};
use super::mirror::{Mirror, is_silent};
use super::{Mode, Purpose, Xboard, error, illegal, view};
use crate::engine::controller::Replies;
use crate::engine::events::BestMove;
use crate::engine::options::TurnView;
use crate::game::Actor;
use crate::game::gui::{Gesture, Origin, Prompt};
use crate::protocol::xboard::{Audience, Command, Reply};
use crate::session::Look;
use std::time::Instant;

/// The option whose button ends a turn.
pub(super) const END_TURN: &str = "End Turn";
/// What the answer to a question begins with.
const ANSWER: &str = "carom-card";

impl Xboard {
    /// Begins to follow XBoard's board, step by step if that is how the game is to be shown.
    pub(super) fn begin_mirror(&mut self) {
        let session = self.host.session();
        let wanted = match self.host.settings.turn_view {
            TurnView::Auto => self.guided,
            TurnView::Whole => false,
            TurnView::Steps => true,
        };
        self.mirror = Mirror::new(session, session.facts().xboard.steps.as_ref().filter(|_| wanted));
    }

    /// Obeys a command that means something else where the game is shown step by step. False when it does not.
    pub(super) fn obey_stepwise(&mut self, command: &Command<'_>, when: Instant, out: &mut Replies) -> bool {
        if self.mirror.view.is_none() {
            return false;
        }
        match command {
            Command::UserMove(text) | Command::BareMove(text) => self.ply(text, when, out),
            Command::SetBoard(text) => return self.board(text, when, out),
            Command::Go => self.go_stepwise(when, out),
            Command::Remove if self.leads() => self.retract(when, out),
            Command::Option { name, .. } if name.eq_ignore_ascii_case(END_TURN) => self.end_turn(when, out),
            Command::Unknown(text) if text.split_whitespace().next() == Some(ANSWER) => {
                self.answer(text.split_whitespace().nth(1).unwrap_or_default(), when, out);
            }
            // XBoard says so when the user, waiting for us, chooses Move Now.
            Command::MoveNow if self.question().is_some() => self.ask(out),
            _ => return false,
        }
        true
    }

    /// True when the plies of both sides are ours to complete: a person plays against us.
    pub(super) fn leads(&self) -> bool {
        matches!(self.mode, Mode::Plays(_)) && !self.opponent_is_program
    }

    /// True when the other side of those we play is to decide.
    pub(super) fn is_theirs(&self) -> bool {
        matches!((self.mode, self.host.session().actor()), (Mode::Plays(own), Actor::Player(next)) if own != next)
    }

    /// True when XBoard shows the game as it is, and the decider may decide.
    pub(super) fn shows_all(&self) -> bool {
        let session = self.host.session();
        self.mirror.view.is_none() || self.mirror.ending(session).is_none() && self.mirror.agrees(session)
    }

    fn go_stepwise(&mut self, when: Instant, out: &mut Replies) {
        // The side whose ply XBoard counts, be it in the middle of the other's turn: so a user who has made one step of
        // his turn asks for an opponent, and so Black hears `go` after White's first ply between two engines.
        self.mode = Mode::Plays(self.mirror.board.side);
        self.abandon(out);
        if self.leads() {
            self.finish_step(out);
            self.settle(out);
        }
        self.take_turn(when, out);
        self.ask(out);
    }

    /// The user has made a step while we only listened, and asks us to play: it is what his mouse says, and its other plies
    /// are ours now. What says nothing is taken back, and he is told.
    fn finish_step(&mut self, out: &mut Replies) {
        if let Some(ply) = self.mirror.take_back_unread(self.host.session()) {
            if let Some(gesture) = self.his_gesture(ply) {
                return self.obey_gesture(gesture, ply, &ply.to_string(), out);
            }
            self.mirror.show(ply);
        }
        let session = self.host.session();
        if !self.mirror.agrees(session) && self.mirror.ending(session).is_none() {
            let text = "The last plies on the board are no complete step, and are taken back.";
            out.say(Reply::Tell { audience: Audience::User, text });
        }
    }

    /// What the user's mouse says by `ply`, where XBoard shows the game and it is his turn.
    fn his_gesture(&self, ply: Ply) -> Option<Gesture> {
        let session = self.host.session();
        let his = session.actor() == Actor::Player(self.mirror.board.side) && self.mirror.agrees(session);
        his.then(|| self.gesture_of(ply)).flatten()
    }

    fn obey_gesture(&mut self, gesture: Gesture, ply: Ply, text: &str, out: &mut Replies) {
        match gesture.signal {
            Some(signal) => illegal(out, signal.name, text),
            None => {
                self.mirror.show(ply);
            }
        }
        match gesture.from {
            Origin::Square(at) if gesture.decisions.is_empty() => self.mirror.picked.push(at),
            _ => self.mirror.decide(self.host.session_mut(), &gesture.decisions),
        }
    }

    /// A ply of the user, the other engine or a record.
    fn ply(&mut self, text: &str, when: Instant, out: &mut Replies) {
        // What `exclude` said was said of the position there was.
        self.excluded.clear();
        if self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Move) {
            if !self.opponent_is_program {
                return illegal(out, "it is not your turn", text);
            }
            // The turn that seemed complete goes on.
            self.abandon(out);
        }
        let Some(ply) = Ply::parse(text) else { return self.whole_token(text, when, out) };
        if self.leads()
            && let Some(gesture) = self.his_gesture(ply)
        {
            self.obey_gesture(gesture, ply, text, out);
            return self.after_ply(when, out);
        }
        self.read_ply(ply, text, when, out);
    }

    fn read_ply(&mut self, ply: Ply, text: &str, when: Instant, out: &mut Replies) {
        let pending = !self.mirror.agrees(self.host.session());
        let done = self.mirror.show(ply);
        let session = self.host.session_mut();
        if done && self.mirror.read(session) {
            return self.after_ply(when, out);
        }
        if done && !self.leads() {
            let session = self.host.session_mut();
            // Plies that begin to show something: their meaning comes with those that follow.
            if self.mirror.may_begin(session) {
                return self.abandon(out);
            }
            if self.mirror.go_back(session) {
                return self.after_ply(when, out);
            }
            if pending {
                return self.abandon(out);
            }
        }
        if done {
            self.mirror.take_back(self.host.session_mut(), 1);
        }
        // A step by the mouse, a throw announced among them, that we would show by other plies: its end will come, or we
        // are asked to play.
        let stands = |gesture: Gesture| gesture.signal.is_none() || gesture.letter.is_some();
        if done && self.his_gesture(ply).is_some_and(stands) {
            self.mirror.show(ply);
            return self.abandon(out);
        }
        self.refuse(text, out);
    }

    fn refuse(&mut self, text: &str, out: &mut Replies) {
        let session = self.host.session();
        let problem = session.check(&view::read_move(session, text)).err();
        illegal(out, &problem.map_or("not in single steps".to_owned(), |problem| problem.to_string()), text);
        self.ask(out);
    }

    /// A program that says several steps at once.
    fn whole_token(&mut self, text: &str, when: Instant, out: &mut Replies) {
        let Some(path) = self.host.session().decisions_of(text) else {
            return self.refuse(text, out);
        };
        self.mirror.decide(self.host.session_mut(), &path);
        // It knows what it did.
        self.mirror.settle(self.host.session());
        self.after_ply(when, out);
    }

    fn after_ply(&mut self, when: Instant, out: &mut Replies) {
        self.abandon(out);
        self.expected = None;
        if self.leads() {
            self.settle(out);
        }
        self.mirror.told.clear();
        if self.claim(out) {
            return;
        }
        self.take_turn(when, out);
        self.ask(out);
        self.analyze_again(when, out);
    }

    /// Sends the plies after which XBoard shows the game as it is, and tells what no board shows.
    fn settle(&mut self, out: &mut Replies) {
        for ply in self.mirror.settle(self.host.session()) {
            out.say(Reply::Move(&ply.to_string()));
        }
        let leads = self.leads();
        for text in self.mirror.told.drain(..).filter(|_| leads) {
            out.say(Reply::Tell { audience: Audience::User, text: &text });
        }
    }

    /// A word of ours: each decision is shown as soon as it can be.
    pub(super) fn chosen_stepwise(&mut self, choice: BestMove, when: Instant, out: &mut Replies) {
        let token = choice.token.unwrap_or_default();
        let Some(path) = self.host.session().decisions_of(&token) else {
            return self.give_up(out);
        };
        if self.before_our_move(choice.score, out) {
            return;
        }
        if self.leads() && matches!(self.host.session().prompt(), Some(Prompt::Ask(_))) {
            let text = format!("Carom plays {}", typed_in(&token));
            out.say(Reply::Tell { audience: Audience::User, text: &text });
        }
        for (said, &decision) in path.iter().enumerate() {
            self.mirror.step(self.host.session_mut(), decision);
            let shown = (said + 1).is_multiple_of(self.mirror.together()) || said + 1 == path.len();
            if shown || self.host.session().between_turns() {
                self.mirror.accept_luck(self.host.session_mut());
                self.settle(out);
            }
        }
        self.expected = choice.ponder;
        if self.claim(out) {
            return;
        }
        if self.is_theirs()
            && self.leads()
            && let Some(Prompt::Tell(text)) = self.host.session().prompt()
        {
            out.say(Reply::Tell { audience: Audience::User, text: &text });
        }
        self.ask(out);
        self.take_turn(when, out);
        self.start_pondering(out);
    }

    /// `remove`: the user takes his last decision back.
    fn retract(&mut self, when: Instant, out: &mut Replies) {
        self.abandon(out);
        self.excluded.clear();
        self.over = false;
        self.expected = None;
        if let Mode::Plays(own) = self.mode {
            self.mirror.retract(self.host.session_mut(), !own);
        }
        self.settle(out);
        self.take_turn(when, out);
        self.ask(out);
    }

    /// A null move reaches us as a position. True when the text is one that follows from what XBoard shows.
    fn board(&mut self, text: &str, when: Instant, out: &mut Replies) -> bool {
        self.excluded.clear();
        let board = view::board(self.host.session().facts(), text);
        let Some(board) = board.filter(|board| board.looks_like(&self.mirror.board)) else { return false };
        if board.side == self.mirror.board.side {
            // Its board, as we know it.
            self.take_turn(when, out);
            return true;
        }
        if self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Move) {
            self.abandon(out);
        }
        self.read_ply(Ply::Pass, super::PASS, when, out);
        true
    }

    /// The button: the user ends his turn, or declines.
    fn end_turn(&mut self, when: Instant, out: &mut Replies) {
        let (session, mut stop) = (self.host.session(), None);
        session.explore(session.tokens_played(), &mut |path, prospect| {
            stop = stop.or(is_silent(&prospect.legs).then(|| path[0]));
            Look::Aside
        });
        match stop {
            Some(decision) if self.leads() && self.is_theirs() && self.shows_all() => {
                self.mirror.decide(self.host.session_mut(), &[decision]);
                self.after_ply(when, out);
            }
            _ => {
                error(out, "the turn cannot end here", END_TURN);
                self.ask(out);
            }
        }
    }

    /// The first ply by which XBoard would be shown what `token` says.
    pub(super) fn first_ply(&self, token: &str) -> Option<String> {
        let (mirror, session) = (&self.mirror, self.host.session());
        mirror.view?;
        let first = *session.decisions_of(token)?.first()?;
        let mut ply = None;
        session.explore(session.tokens_played(), &mut |path, prospect| {
            if path == [first] {
                let goal = Board::new(session.facts(), &prospect.shown, !mirror.board.side);
                ply = mirror.board.plies_to(&goal).first().map(ToString::to_string);
            }
            Look::Aside
        });
        ply
    }

    /// The question that the user must answer by typing. It is his ply all the while, so that XBoard lets him lift a man,
    /// take back and go on; and whatever he does then, he is asked again.
    fn question(&self) -> Option<String> {
        let asked = self.mirror.view.is_some() && self.is_theirs() && self.leads() && !self.over;
        match self.host.session().prompt().filter(|_| asked)? {
            Prompt::Ask(text) => Some(text),
            Prompt::Tell(_) => None,
        }
    }

    /// Asks the user where he must answer, in a box, which he may close.
    pub(super) fn ask(&self, out: &mut Replies) {
        if let Some(text) = self.question() {
            out.say(Reply::AskUser { tag: ANSWER, text: &text });
        }
    }

    /// What he answered.
    fn answer(&mut self, word: &str, when: Instant, out: &mut Replies) {
        let Some(question) = self.question() else { return error(out, "no card is asked for", ANSWER) };
        match self.host.session().typed(word) {
            Ok(decision) => {
                self.mirror.decide(self.host.session_mut(), &[decision]);
                self.after_ply(when, out);
            }
            Err(reason) => {
                out.say(Reply::AskUser { tag: ANSWER, text: &format!("Refused: {reason}. {question}") });
            }
        }
    }
}

/// What a token says that people say by typing.
fn typed_in(token: &str) -> String {
    let typed: Vec<&str> = token.split(',').filter_map(|leg| leg.strip_prefix('=')).collect();
    if typed.is_empty() { "no more".to_owned() } else { typed.join(", ") }
}
