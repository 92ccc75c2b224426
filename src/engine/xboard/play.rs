//! Moves: the user's, ours, and the plies that bring XBoard's board to agree with the game. Where a turn has several steps,
//! XBoard is shown them one by one: see [`super::mirror`].

use super::board::{Board, Ply};
use super::mirror::{Heard, Mirror, is_silent};
use super::{
    Mode, Offers, Purpose, Search, Xboard, adjudication, error, illegal, tell, view, xboard_writing,
};
use crate::engine::controller::Replies;
use crate::engine::events::BestMove;
use crate::engine::options::{Prompts, TurnView};
use crate::engine::turn_search::SearchRequest;
use crate::game::Actor;
use crate::game::gui::{Gesture, Origin, Prompt};
use crate::notation::parse_token;
use crate::protocol::xboard::{Command, Outcome, Reply};
use crate::search::Limits;
use crate::session::Look;
use std::time::Instant;

/// The option whose button ends a turn.
pub(super) const END_TURN: &str = "End Turn";
/// What the answer to a question begins with.
pub(super) const ANSWER: &str = "carom-card";
/// How to choose.
const HASTY: &str = "Hold the button down on magenta until you see the man you want; pull down for the next";

impl Xboard {
    /// A ply of the user, the other engine or a record, where a ply is a whole token.
    pub(super) fn user_move(&mut self, text: &str, when: Instant, out: &mut Replies) {
        self.guidance.clear();
        if self.is_thinking() || self.held.is_some() {
            return illegal(out, "it is not your turn", text);
        }
        let ply = Ply::parse(text);
        if ply.is_some_and(|ply| self.mirror.corrects(ply, None)) {
            return self.take_turn(when, out);
        }
        let token = view::read_move(self.engine.session(), text);
        let before = self.engine.session().tokens_played();
        match self.engine.session_mut().play(&token) {
            Ok(()) => {
                self.tell_luck(&token, out);
                self.excluded.clear();
                self.mirror.note_token(self.engine.session(), before);
            }
            Err(problem) => {
                let gesture = ply.and_then(|ply| self.mirror.gesture_of(self.gestures(), ply));
                let Some((signal, decisions)) = gesture.and_then(|g| Some((g.signal?, g.decisions))) else {
                    return illegal(out, &problem.to_string(), text);
                };
                // The gesture is taken back, the move it stands for is played in its place.
                illegal(out, signal.name, text);
                let session = self.engine.session_mut();
                for decision in decisions {
                    session.decide(decision);
                }
                let token = session.last_token().unwrap_or_default();
                self.tell_move(before, &token, out);
            }
        }
        self.after_move(when, out);
    }

    /// True while we search for our move.
    pub(super) fn is_thinking(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Move)
    }

    /// Tells the user what chance made of the move he sent.
    fn tell_luck(&self, token: &str, out: &mut Replies) {
        let Some(played) = self.engine.session().last_token() else { return };
        let legs = |text: &str| parse_token(text).map_or(0, |token| token.legs.len());
        if legs(&played) > legs(token) {
            let text = format!("Chance: {played}");
            tell(&text, out);
        }
    }

    /// Something was played by somebody else: what follows.
    pub(super) fn after_move(&mut self, when: Instant, out: &mut Replies) {
        let hit = self.expected.take().is_some_and(|expected| {
            self.engine.session().last_token().is_some_and(|played| played == expected)
        });
        let whole = self.mirror.view.is_none() && self.mirror.shows_all();
        match &mut self.search {
            Some(search) if hit && whole && search.purpose == Purpose::Ponder => {
                search.purpose = Purpose::Move;
                // The clock was told since it began to ponder.
                let budget = self.time.limits(self.mirror.plies()).budget;
                search.running.ponder_hit(budget.deadlines(self.engine.settings.overhead));
                if let Some(choice) = search.finished.take() {
                    // It had gone as deep as it could before the move came.
                    self.conclude(choice, out);
                }
                return;
            }
            _ => self.abandon(out),
        }
        if self.leads() {
            self.settle(out);
        }
        self.mirror.told.clear();
        if self.claim(out) {
            return;
        }
        if self.is_theirs() {
            // They go on.
            self.ask(out);
            return;
        }
        self.take_turn(when, out);
        self.analyze_again(when, out);
    }

    /// Sends the plies after which XBoard shows the game as it is, and tells what no board shows.
    pub(super) fn settle(&mut self, out: &mut Replies) {
        let plies = self.mirror.settle(self.engine.session());
        self.send(&plies, out);
    }

    fn send(&mut self, plies: &[Ply], out: &mut Replies) {
        let leads = self.leads();
        for ply in plies {
            out.say(Reply::Move(&ply.to_string()));
            self.guidance.clear();
        }
        let silent = self.engine.settings.prompts == Prompts::None;
        for text in self.mirror.told.drain(..).filter(|_| leads && !silent) {
            tell(&text, out);
        }
    }

    /// Says the result if the game is over and we take part in it.
    pub(super) fn claim(&mut self, out: &mut Replies) -> bool {
        let Some(outcome) = self.engine.session().outcome() else { return false };
        if matches!(self.mode, Mode::Plays(_)) && !self.over {
            self.over = true;
            let verdict = adjudication::verdict(&outcome);
            out.say(Reply::Result(Outcome { verdict, comment: outcome.reason }));
        }
        true
    }

    /// Begins to think if it is our turn.
    pub(super) fn take_turn(&mut self, when: Instant, out: &mut Replies) {
        let ours =
            matches!(self.mode, Mode::Plays(own) if self.engine.session().actor() == Actor::Player(own));
        if ours && self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Hint) {
            // The game does not wait for a hint.
            self.abandon(out);
        }
        let waits = self.over || self.search.is_some() || !self.mirror.shows_all();
        if !ours || waits || self.claim(out) {
            return;
        }
        let Some(searchmoves) = self.roots() else { return };
        let limits = Limits { lines: 1, ..self.time.limits(self.mirror.plies()) };
        self.think(
            SearchRequest {
                limits,
                searchmoves,
                opponent_clock: self.time.other_clock,
                ..SearchRequest::default()
            },
            Purpose::Move,
            when,
            out,
        );
    }

    pub(super) fn think(
        &mut self,
        request: SearchRequest,
        purpose: Purpose,
        when: Instant,
        out: &mut Replies,
    ) {
        if self.paused {
            return;
        }
        self.progress = None;
        match self.engine.search(request, when) {
            Ok(running) => {
                self.search = Some(Search { running, purpose, since: when, hurried: false, finished: None })
            }
            Err(problem) => {
                error(out, &problem.to_string(), "go");
                // Whoever waits for our move gets one.
                if purpose == Purpose::Move
                    && let Some(token) = self.engine.session().first_token()
                {
                    self.decided(BestMove { token: Some(token), ..BestMove::NONE }, out);
                    self.take_turn(when, out);
                }
            }
        }
    }

    /// Says `token`, which was just played behind `before` others, as XBoard writes it.
    fn tell_move(&mut self, before: usize, token: &str, out: &mut Replies) {
        out.say(Reply::Move(&xboard_writing(self.engine.session(), token)));
        self.excluded.clear();
        self.mirror.note_token(self.engine.session(), before);
    }

    /// Says our move. Where the game is shown step by step, each decision is shown as soon as it can be.
    pub(super) fn chosen(&mut self, choice: BestMove, out: &mut Replies) {
        let Some(token) = choice.token else {
            return self.give_up(out);
        };
        if self.before_our_move(choice.score, out) {
            return;
        }
        let before = self.engine.session().tokens_played();
        let path = self.mirror.view.and_then(|_| self.engine.session().decisions_of(&token));
        if let Some(path) = path {
            self.tell_answer(&token, out);
            let shown = self.engine.session().shown();
            let plies = self.mirror.play(self.engine.session_mut(), &path);
            self.send(&plies, out);
            if plies.len() > 1 {
                self.tell_turn(before, shown, out);
            }
        } else if let Err(problem) = self.engine.session_mut().play(&token) {
            // The searcher chose from the legal decisions of this very position.
            log::error!("own move {token} refused: {problem}");
        } else {
            self.tell_move(before, &token, out);
        }
        self.expected = choice.ponder;
        if self.claim(out) {
            return;
        }
        self.settle(out);
        self.ask_behind_our_turn(out);
        self.take_turn(Instant::now(), out);
        self.start_pondering(out);
    }

    /// There is no move to say: the game is over, or else the rules failed us (which the user was told), and nobody shall
    /// wait for what will not come.
    pub(super) fn give_up(&mut self, out: &mut Replies) {
        if !self.claim(out) {
            self.over = true;
            out.say(Reply::Resign);
        }
    }

    /// `go`.
    pub(super) fn go(&mut self, when: Instant, out: &mut Replies) {
        // Step by step it is the side whose ply XBoard counts, be it in the middle of the other's turn: so a user who has made
        // one step of his turn asks for an opponent, and so Black hears `go` after White's first ply between two engines.
        let counted = self.mirror.view.map(|_| self.mirror.board.side);
        if let Some(side) = counted.or(self.engine.session().actor().player()) {
            self.mode = Mode::Plays(side);
        }
        // Whoever lets us play on after a game was given up or agreed drawn means it.
        self.over = false;
        self.abandon(out);
        // Between two engines Black hears `go` after White's first ply: the rest of White's turn is on its way.
        if self.leads() {
            self.finish_step(out);
            self.settle(out);
        }
        self.take_turn(when, out);
        self.ask(out);
    }

    /// `undo` and `remove`: takes plies back, and what of the game they showed. By `remove` a user who is shown single steps
    /// takes back his last decision.
    pub(super) fn take_back(&mut self, plies: usize, when: Instant, out: &mut Replies) {
        let removes = plies == 2;
        if self.mirror.plies() < plies {
            return error(out, "nothing to take back", if removes { "remove" } else { "undo" });
        }
        self.abandon(out);
        self.unmark_turn(out);
        let steps = self.mirror.view.is_some() && self.leads();
        match self.mode {
            Mode::Plays(own) if removes && steps => self.mirror.retract(self.engine.session_mut(), !own),
            _ => self.mirror.take_back(self.engine.session_mut(), plies),
        }
        self.over = false;
        self.expected = None;
        self.excluded.clear();
        self.offers = Offers::default();
        if removes {
            if self.leads() {
                self.settle(out);
            }
            self.take_turn(when, out);
            self.ask(out);
        }
        self.analyze_again(when, out);
    }

    /// Begins to follow XBoard's board, step by step if that is how the game is to be shown.
    pub(super) fn begin_mirror(&mut self) {
        let session = self.engine.session();
        let wanted = match self.engine.settings.turn_view {
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
            Command::UserMove(text) | Command::BareMove(text) => self.step(text, when, out),
            Command::SetBoard(text) => return self.board(text, when, out),
            Command::Option { name, .. } if name.eq_ignore_ascii_case(END_TURN) => self.end_turn(when, out),
            Command::Unknown(text) if text.split_whitespace().next() == Some(ANSWER) => {
                self.answer(text.split_whitespace().nth(1).unwrap_or_default(), when, out);
            }
            // XBoard says so when the user, waiting for us, chooses Move Now.
            Command::MoveNow => return self.ask(out),
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
        matches!((self.mode, self.engine.session().actor()), (Mode::Plays(own), Actor::Player(next)) if own != next)
    }

    /// The user has made a step while we only listened, and asks us to play: it is what his mouse says, and its other plies
    /// are ours now. What says nothing is taken back, and he is told.
    fn finish_step(&mut self, out: &mut Replies) {
        if self.mirror.view.is_none() {
            return;
        }
        let session = self.engine.session_mut();
        if let Some(ply) = self.mirror.take_back_unread() {
            match self.mirror.hear(session, ply, true) {
                Heard::Said(Some(signal)) => return illegal(out, signal.name, &ply.to_string()),
                Heard::Said(None) | Heard::Begun => return,
                Heard::Nothing => self.mirror.show(ply),
            };
        }
        if !self.mirror.agrees() && self.mirror.goal.ending.is_none() {
            let text = "The last plies on the board are no complete step, and are taken back.";
            tell(text, out);
        }
    }

    /// A ply of the user, the other engine or a record.
    fn step(&mut self, text: &str, when: Instant, out: &mut Replies) {
        // What `exclude` said was said of the position there was.
        self.excluded.clear();
        self.guidance.clear();
        if self.is_thinking() {
            if !self.opponent_is_program {
                return illegal(out, "it is not your turn", text);
            }
            // The turn that seemed complete goes on.
            self.abandon(out);
        }
        let Some(ply) = Ply::parse(text) else { return self.whole_token(text, when, out) };
        self.hear(ply, text, when, out);
    }

    fn hear(&mut self, ply: Ply, text: &str, when: Instant, out: &mut Replies) {
        let leads = self.leads();
        match self.mirror.hear(self.engine.session_mut(), ply, leads) {
            Heard::Said(signal) => {
                if let Some(signal) = signal {
                    illegal(out, signal.name, text);
                }
                self.after_move(when, out);
            }
            Heard::Begun => self.abandon(out),
            Heard::Nothing => self.refuse(text, out),
        }
    }

    fn refuse(&mut self, text: &str, out: &mut Replies) {
        let session = self.engine.session();
        let problem = session.check(&view::read_move(session, text)).err();
        illegal(out, &problem.map_or("not in single steps".to_owned(), |problem| problem.to_string()), text);
        if self.is_hasty(text) {
            return self.guide(HASTY, out);
        }
        self.ask(out);
    }

    /// The user clicked where he must choose, and let go before there was anything to choose from: then XBoard sends the
    /// letter of some other choice.
    fn is_hasty(&self, text: &str) -> bool {
        let Some(Ply::Move { from, to, .. }) = Ply::parse(text) else { return false };
        let to_there = |g: &&Gesture| g.from == Origin::Square(from) && g.to == to;
        self.mirror.shows_all() && self.gestures().iter().filter(to_there).count() > 1
    }

    /// A program that says several steps at once.
    fn whole_token(&mut self, text: &str, when: Instant, out: &mut Replies) {
        let Some(path) = self.engine.session().decisions_of(text) else {
            return self.refuse(text, out);
        };
        self.mirror.play(self.engine.session_mut(), &path);
        self.after_move(when, out);
    }

    /// Tells the user what we answer where he would have to type it.
    fn tell_answer(&self, token: &str, out: &mut Replies) {
        if self.leads() && matches!(self.engine.session().prompt(&[]), Some(Prompt::Ask(_))) {
            let text = format!("Carom plays {}", typed_in(token));
            tell(&text, out);
        }
    }

    /// A null move reaches us as a position. True when the text is one that follows from what XBoard shows.
    fn board(&mut self, text: &str, when: Instant, out: &mut Replies) -> bool {
        self.excluded.clear();
        let board = view::board(self.engine.session().facts(), text);
        let Some(board) = board.filter(|board| board.looks_like(&self.mirror.board)) else { return false };
        if board.side == self.mirror.board.side {
            // Its board, as we know it.
            self.take_turn(when, out);
            return true;
        }
        if self.is_thinking() {
            self.abandon(out);
        }
        self.unmark_turn(out);
        self.hear(Ply::Pass, super::PASS, when, out);
        true
    }

    /// The button: the user ends his turn, or declines.
    fn end_turn(&mut self, when: Instant, out: &mut Replies) {
        let (session, mut stop) = (self.engine.session(), None);
        session.explore(session.tokens_played(), &mut |path, prospect| {
            stop = stop.or(is_silent(&prospect.legs).then(|| path[0]));
            Look::Aside
        });
        match stop {
            Some(decision) if self.leads() && self.is_theirs() && self.mirror.shows_all() => {
                self.mirror.decide(self.engine.session_mut(), &[decision]);
                self.after_move(when, out);
            }
            _ => {
                error(out, "the turn cannot end here", END_TURN);
                self.ask(out);
            }
        }
    }

    /// The first ply by which XBoard would be shown what `token` says.
    pub(super) fn first_ply(&self, token: &str) -> Option<String> {
        let (mirror, session) = (&self.mirror, self.engine.session());
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

    /// What he answered.
    fn answer(&mut self, word: &str, when: Instant, out: &mut Replies) {
        let Some(Prompt::Ask(question)) = self.prompt() else {
            return error(out, "no card is asked for", ANSWER);
        };
        match self.engine.session().typed(word) {
            Ok(decision) => {
                self.mirror.decide(self.engine.session_mut(), &[decision]);
                self.after_move(when, out);
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
