//! Moves: the user's, ours, and the plies that only correct XBoard's board.

use super::{
    Mode, Offers, PASS, Ply, Purpose, Search, TimeControl, Xboard, adjudication, error, illegal, targets,
    view,
};
use crate::engine::controller::Replies;
use crate::engine::events::BestMove;
use crate::engine::turn_search::SearchRequest;
use crate::game::Actor;
use crate::notation::{Leg, Position, parse_token};
use crate::protocol::xboard::{Audience, Level, Outcome, Reply};
use crate::search::{Budget, Limits};
use std::time::{Duration, Instant};

impl Xboard {
    pub(super) fn user_move(&mut self, text: &str, when: Instant, out: &mut Replies) {
        let thinking = self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Move);
        if thinking || self.held.is_some() {
            return illegal(out, "it is not your turn", text);
        }
        if self.is_correction(text) {
            self.owed.pop_front();
            self.plies.push(Ply::Correction(text.to_owned()));
            if self.owed.is_empty() {
                self.take_turn(when, out);
            }
            return;
        }
        let before = self.host.session().position();
        let mover = self.host.session().actor();
        let token = view::read_move(self.host.session(), text);
        if let Err(problem) = self.host.session_mut().play(&token) {
            if let Some(change) = self.meant_change(text) {
                // The gesture is taken back, the move it stands for is played in its place.
                illegal(out, "demotion", text);
                self.play_and_tell(&change, out);
                return self.after_their_move(when, out);
            }
            return illegal(out, &problem.to_string(), text);
        }
        self.tell_luck(&token, out);
        self.excluded.clear();
        self.plies.push(Ply::Game);
        self.owe(&before, &token, mover);
        self.after_their_move(when, out);
    }

    /// Tells the user what chance made of the move he sent.
    fn tell_luck(&self, token: &str, out: &mut Replies) {
        let Some(played) = self.host.session().last_token() else { return };
        let legs = |text: &str| parse_token(text).map_or(0, |token| token.legs.len());
        if legs(&played) > legs(token) {
            let text = format!("Chance: {played}");
            out.say(Reply::Tell { audience: Audience::User, text: &text });
        }
    }

    /// True when `text` is the ply that XBoard's board still needs.
    pub(super) fn is_correction(&self, text: &str) -> bool {
        let squares =
            |text: &str| text.chars().take_while(|c| c.is_ascii_alphanumeric()).take(2).collect::<String>();
        self.owed
            .front()
            .is_some_and(|owed| owed == text || text.ends_with('z') && squares(owed) == squares(text))
    }

    /// True when `text` is XBoard's board after a pass that it still needs: the man that the next correction takes off
    /// stands there yet.
    pub(super) fn is_owed_pass(&self, text: &str) -> bool {
        let still_there = self.owed.get(1).and_then(|next| parse_token(next).ok());
        let square = still_there.and_then(|token| match token.legs.as_slice() {
            [Leg::Move { from, .. }] => Some(*from),
            _ => None,
        });
        self.owed.front().is_some_and(|owed| owed == PASS)
            && view::shows_but_for(self.host.session(), text, square)
    }

    /// The token a gesture of the user stands for (see [`targets::gesture`]).
    pub(super) fn meant_change(&self, text: &str) -> Option<String> {
        let session = self.host.session();
        let parsed = parse_token(text).ok()?;
        match parsed.legs.as_slice() {
            [Leg::Move { from, to, .. }] if targets::gesture(session, *from) == Some(*to) => {
                view::change_on(session, *from)
            }
            _ => None,
        }
    }

    /// Notes which plies XBoard's board needs after the move just played.
    pub(super) fn owe(&mut self, before: &Position, token: &str, mover: Actor) {
        self.owed.clear();
        if let Actor::Player(mover) = mover
            && self.host.session().outcome().is_none()
        {
            let session = self.host.session();
            self.owed.extend(view::corrections(session.facts(), before, &session.position(), token, mover));
        }
    }

    pub(super) fn after_their_move(&mut self, when: Instant, out: &mut Replies) {
        let hit = self.expected.take().is_some_and(|expected| {
            self.host.session().last_token().is_some_and(|played| played == expected)
        });
        // The clock was told since it began to ponder.
        let deadlines = self.limits().budget.deadlines(self.host.settings.overhead);
        match &mut self.search {
            Some(search) if hit && search.purpose == Purpose::Ponder && self.owed.is_empty() => {
                search.purpose = Purpose::Move;
                search.running.ponder_hit(deadlines);
                if let Some(choice) = search.finished.take() {
                    // It had gone as deep as it could before the move came.
                    self.conclude(choice, out);
                }
                return;
            }
            _ => self.abandon(out),
        }
        if self.claim(out) {
            return;
        }
        if matches!(self.mode, Mode::Plays(_)) && !self.opponent_is_program {
            self.correct(out);
        }
        if self.owed.is_empty() {
            self.take_turn(when, out);
        }
        self.analyze_again(when, out);
    }

    /// Sends the plies that XBoard's board needs.
    pub(super) fn correct(&mut self, out: &mut Replies) {
        while let Some(text) = self.owed.pop_front() {
            out.say(Reply::Move(&text));
            self.plies.push(Ply::Correction(text));
        }
    }

    /// Says the result if the game is over and we take part in it.
    pub(super) fn claim(&mut self, out: &mut Replies) -> bool {
        let Some(outcome) = self.host.session().outcome() else { return false };
        if matches!(self.mode, Mode::Plays(_)) && !self.over {
            self.over = true;
            let verdict = adjudication::verdict(&outcome);
            out.say(Reply::Result(Outcome { verdict, comment: outcome.reason }));
        }
        true
    }

    /// Begins to think if it is our turn.
    pub(super) fn take_turn(&mut self, when: Instant, out: &mut Replies) {
        let actor = self.host.session().actor();
        let ours = matches!((self.mode, actor), (Mode::Plays(own), Actor::Player(next)) if own == next);
        if ours && self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Hint) {
            // The game does not wait for a hint.
            self.abandon(out);
        }
        let waits = self.over || self.search.is_some() || !self.owed.is_empty() || !self.shows_all();
        if !ours || waits || self.claim(out) {
            return;
        }
        let Some(searchmoves) = self.roots() else { return };
        let limits = Limits { lines: 1, ..self.limits() };
        self.think(
            SearchRequest { limits, searchmoves, ..SearchRequest::default() },
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
        match self.host.search(request, when) {
            Ok(running) => {
                self.search = Some(Search { running, purpose, since: when, hurried: false, finished: None })
            }
            Err(problem) => {
                error(out, &problem.to_string(), "go");
                // Whoever waits for our move gets one.
                if purpose == Purpose::Move
                    && let Some(token) = self.host.session().first_token()
                {
                    self.decided(BestMove { token: Some(token), ..BestMove::NONE }, out);
                    self.take_turn(when, out);
                }
            }
        }
    }

    pub(super) fn limits(&self) -> Limits {
        let TimeControl { level, level_since, move_time, depth, own_clock, node_rate, .. } = &self.time;
        let budget = match (move_time, level) {
            (Some(time), _) => Budget::Fixed(*time),
            (None, level) => {
                // XBoard's own default where nothing was said.
                let level = level.unwrap_or(Level { moves: 40, base: 300_000, increment: 0 });
                let played = self.plies_played().saturating_sub(*level_since) as u32 / 2;
                Budget::Clock {
                    remaining: own_clock.unwrap_or(Duration::from_millis(level.base)),
                    increment: Duration::from_millis(level.increment),
                    turns_to_go: (level.moves > 0).then(|| level.moves - played % level.moves),
                }
            }
        };
        // A depth limit alone means that time does not matter.
        let unlimited = depth.is_some() && level.is_none() && move_time.is_none() && own_clock.is_none();
        let budget = if unlimited { Budget::Unlimited } else { budget };
        let nodes = match (node_rate, budget.deadlines(Duration::ZERO)) {
            (Some(rate), Some(deadlines)) if *rate > 0 => {
                Some((deadlines.soft.as_millis() as u64).saturating_mul(*rate) / 1000)
            }
            _ => None,
        };
        let budget = if nodes.is_some() { Budget::Unlimited } else { budget };
        Limits { depth: *depth, budget, nodes: nodes.map(|nodes| nodes.max(1)), ..Limits::default() }
    }

    pub(super) fn play_and_tell(&mut self, token: &str, out: &mut Replies) {
        let before = self.host.session().position();
        let mover = self.host.session().actor();
        let text = view::write_move(self.host.session().facts(), &before, token);
        if let Err(problem) = self.host.session_mut().play(token) {
            // The searcher chose from the legal decisions of this very position.
            log::error!("own move {token} refused: {problem}");
            return;
        }
        out.say(Reply::Move(&text));
        self.excluded.clear();
        self.plies.push(Ply::Game);
        self.owe(&before, token, mover);
    }

    pub(super) fn chosen(&mut self, choice: BestMove, out: &mut Replies) {
        let Some(token) = choice.token else {
            return self.give_up(out);
        };
        if self.before_our_move(choice.score, out) {
            return;
        }
        self.play_and_tell(&token, out);
        self.expected = choice.ponder;
        if !self.claim(out) {
            self.correct(out);
            self.start_pondering(out);
        }
    }

    /// There is no move to say: the game is over, or else the rules failed us (which the user was told), and nobody shall
    /// wait for what will not come.
    pub(super) fn give_up(&mut self, out: &mut Replies) {
        if !self.claim(out) {
            self.over = true;
            out.say(Reply::Resign);
        }
    }

    /// How many plies were played, as XBoard counts them, whatever they are to us.
    pub(super) fn plies_played(&self) -> usize {
        self.steps.as_ref().map_or(self.host.session().tokens_played(), |steps| steps.plies())
    }

    pub(super) fn take_back(&mut self, plies: usize) {
        for _ in 0..plies {
            match self.plies.pop() {
                Some(Ply::Correction(text)) => self.owed.push_front(text),
                Some(Ply::Game) => {
                    self.owed.clear();
                    self.host.session_mut().take_back();
                }
                None => {}
            }
        }
        self.over = false;
        self.expected = None;
        self.excluded.clear();
        self.offers = Offers::default();
    }
}
