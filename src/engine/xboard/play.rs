//! Moves: the user's, ours, and the plies that only correct XBoard's board.

use super::board::{NOBODY, Ply};
use super::{
    Mode, Offers, Purpose, Search, TimeControl, Xboard, adjudication, error, illegal, view, xboard_writing,
};
use crate::engine::controller::Replies;
use crate::engine::events::BestMove;
use crate::engine::turn_search::SearchRequest;
use crate::game::Actor;
use crate::game::gui::Gesture;
use crate::notation::parse_token;
use crate::protocol::xboard::{Audience, Level, Outcome, Reply};
use crate::search::{Budget, Limits};
use std::time::{Duration, Instant};

impl Xboard {
    pub(super) fn user_move(&mut self, text: &str, when: Instant, out: &mut Replies) {
        let thinking = self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Move);
        if thinking || self.held.is_some() {
            return illegal(out, "it is not your turn", text);
        }
        let ply = Ply::parse(text);
        if let Some(owed) = self.owed().first().copied()
            && ply.is_some_and(|ply| corrects(ply, owed))
        {
            return self.note_correction(owed, when, out);
        }
        let token = view::read_move(self.host.session(), text);
        let before = self.host.session().tokens_played();
        if let Err(problem) = self.host.session_mut().play(&token) {
            let signal = |gesture: &Gesture| gesture.signal.is_some();
            if let Some(Gesture { signal: Some(signal), decisions, .. }) =
                ply.and_then(|ply| self.gesture_of(ply)).filter(signal)
            {
                // The gesture is taken back, the move it stands for is played in its place.
                illegal(out, signal.name, text);
                let session = self.host.session_mut();
                decisions.into_iter().all(|decision| session.decide(decision));
                let token = session.last_token().unwrap_or_default();
                self.tell_move(before, &token, out);
                return self.after_their_move(when, out);
            }
            return illegal(out, &problem.to_string(), text);
        }
        self.tell_luck(&token, out);
        self.excluded.clear();
        self.mirror.show_token(before);
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

    /// The plies that XBoard's board still needs behind the last token.
    pub(super) fn owed(&self) -> Vec<Ply> {
        let plies = view::corrections(self.host.session()).map_or(Vec::new(), |(_, plies)| plies);
        plies.into_iter().skip(self.mirror.corrections_shown()).collect()
    }

    /// True when `text` is XBoard's board after a pass that it still needs.
    pub(super) fn is_owed_pass(&self, text: &str) -> bool {
        let session = self.host.session();
        let Some((mut board, plies)) = view::corrections(session) else { return false };
        let shown = self.mirror.corrections_shown();
        plies.iter().take(shown).all(|&ply| board.apply(ply));
        plies.get(shown) == Some(&Ply::Pass)
            && view::board(session.facts(), text).is_some_and(|theirs| theirs.looks_like(&board))
    }

    /// XBoard has made a ply that its board needed.
    pub(super) fn note_correction(&mut self, ply: Ply, when: Instant, out: &mut Replies) {
        self.mirror.show_correction(self.host.session(), ply);
        self.take_turn(when, out);
    }

    pub(super) fn after_their_move(&mut self, when: Instant, out: &mut Replies) {
        let hit = self.expected.take().is_some_and(|expected| {
            self.host.session().last_token().is_some_and(|played| played == expected)
        });
        // The clock was told since it began to ponder.
        let deadlines = self.limits().budget.deadlines(self.host.settings.overhead);
        let settled = self.owed().is_empty();
        match &mut self.search {
            Some(search) if hit && search.purpose == Purpose::Ponder && settled => {
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
        if self.leads() {
            self.correct(out);
        }
        self.take_turn(when, out);
        self.analyze_again(when, out);
    }

    /// Sends the plies that XBoard's board needs.
    pub(super) fn correct(&mut self, out: &mut Replies) {
        for ply in self.owed() {
            out.say(Reply::Move(&ply.to_string()));
            self.mirror.show_correction(self.host.session(), ply);
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
        let waits = self.over || self.search.is_some() || !self.owed().is_empty() || !self.shows_all();
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
                let played = self.mirror.plies().saturating_sub(*level_since) as u32 / 2;
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

    /// Says `token`, which was just played behind `before` others, as XBoard writes it.
    fn tell_move(&mut self, before: usize, token: &str, out: &mut Replies) {
        out.say(Reply::Move(&xboard_writing(self.host.session(), token)));
        self.excluded.clear();
        self.mirror.show_token(before);
    }

    pub(super) fn chosen(&mut self, choice: BestMove, out: &mut Replies) {
        let Some(token) = choice.token else {
            return self.give_up(out);
        };
        if self.before_our_move(choice.score, out) {
            return;
        }
        let before = self.host.session().tokens_played();
        match self.host.session_mut().play(&token) {
            Ok(()) => self.tell_move(before, &token, out),
            // The searcher chose from the legal decisions of this very position.
            Err(problem) => log::error!("own move {token} refused: {problem}"),
        }
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

    /// Takes plies back, and what of the game they showed.
    pub(super) fn take_back(&mut self, plies: usize) {
        self.mirror.take_back(self.host.session_mut(), plies);
        self.over = false;
        self.expected = None;
        self.excluded.clear();
        self.offers = Offers::default();
    }
}

/// True when `ply` does for XBoard's board what `owed` is to do: where a man goes that vanishes does not matter.
fn corrects(ply: Ply, owed: Ply) -> bool {
    match (ply, owed) {
        (Ply::Move { from, letter: Some(NOBODY), .. }, Ply::Move { from: wanted, .. }) => from == wanted,
        (ply, owed) => ply == owed,
    }
}
