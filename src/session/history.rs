//! The decisions of a game in progress, with the ends of tokens and turns; chance results are drawn where
//! they are due.

use super::chance::{self, Chance, ChanceStream};
use super::error::SessionError;
use super::successor::Step;
use crate::base::Color;
use crate::game::{Actor, Decisions, GenType, Playable, Reading, Record, read_token, write_token};
use crate::notation::{Leg, Token, parse_token};
use litemap::LiteMap;
use std::cmp::Ordering;

/// A record, the ends of its tokens, and its chance results.
#[derive(Clone)]
pub struct History<G: Playable> {
    record: Record<G>,
    chance: Chance,
    /// The number of decisions in the record after each token.
    ends: Vec<usize>,
    /// The number of decisions at the end of the record that we rolled for chance. The next token may replace
    /// them: a chance leg that is written always takes precedence.
    rolled: usize,
    /// For each number of decisions, the present one last: the turns completed, and how often chance has
    /// decided in the present turn.
    counts: Vec<(u64, u64)>,
    /// How often chance has decided in each turn, including what a player took back.
    spoken: LiteMap<u64, u64>,
    /// How often the cards were shuffled.
    shuffled: u64,
}

impl<G: Playable> History<G> {
    /// A game that begins with `start`; what is hidden there is dealt, unless a referee does that.
    pub fn new(start: G, chance: Chance) -> Self {
        let start = match chance {
            Chance::Own { seed } => chance::deal(&start, seed),
            Chance::Referee => start,
        };
        let mut history = Self {
            record: Record::new(start),
            chance,
            ends: Vec::new(),
            rolled: 0,
            counts: vec![(0, 0)],
            spoken: LiteMap::new(),
            shuffled: 1,
        };
        history.roll();
        history
    }

    /// The same game in the hands of a referee, who decides for chance: what was rolled belongs to the last
    /// token.
    pub fn refereed(&self) -> Self {
        let mut copy = Self { chance: Chance::Referee, ..self.clone() };
        copy.close();
        if copy.ends.is_empty() && !copy.begins_with_roll(0) {
            copy.shorten(copy.record.len() - copy.rolled);
        }
        copy.rolled = 0;
        copy
    }

    /// The decisions, and the states between them.
    pub const fn record(&self) -> &Record<G> {
        &self.record
    }

    /// The present state.
    pub fn now(&self) -> &G {
        self.record.now()
    }

    /// The number of tokens that were played.
    pub const fn tokens(&self) -> usize {
        self.ends.len()
    }

    /// Plays `token`; on an error nothing has changed.
    ///
    /// # Errors
    /// When it is not legal here.
    pub fn say(&mut self, token: &str) -> Result<(), SessionError> {
        let (before, reading) = self.read(token)?;
        if before < self.record.len() {
            self.shorten(before);
        }
        self.play(&reading.decisions);
        Ok(())
    }

    /// Checks that `token` can be played, without playing it.
    ///
    /// # Errors
    /// As for [`History::say`].
    pub fn check(&self, token: &str) -> Result<(), SessionError> {
        self.read(token).map(|_| ())
    }

    /// What `token` means, and how many of the decisions so far it follows: a chance result in it replaces
    /// ours.
    fn read(&self, token: &str) -> Result<(usize, Reading<G>), SessionError> {
        let token = parse_token(token).map_err(SessionError::TokenText)?;
        let replaces = matches!(token.legs.first(), Some(Leg::Roll(_) | Leg::Draw(_)));
        let before = self.record.len() - if replaces { self.rolled } else { 0 };
        let state = self.record.state_after(before).unwrap_or(self.now());
        let reading = read_token(state, &token).map_err(|illegal| SessionError::Illegal(illegal.reason))?;
        Ok((before, reading))
    }

    /// Plays one decision, given by its number, as a token of its own; false when it is not legal. A decision
    /// of chance replaces what was rolled.
    pub fn decide(&mut self, decision: u32) -> bool {
        let before = self.record.len() - self.rolled;
        if self.rolled().first() == Some(&decision) {
            // The decision is what was rolled. (The face of a die need not be one that is listed.)
            self.ends.push(before + 1);
            self.rolled -= 1;
            return true;
        }
        let legal = |state: &G| {
            let mut list = Decisions::new();
            state.decisions(GenType::All, &mut list);
            list.into_iter().find(|&listed| listed.into() == decision)
        };
        let instead = self.record.state_after(before).filter(|_| self.rolled > 0).and_then(legal);
        let Some(decision) = instead.or_else(|| legal(self.record.now())) else { return false };
        if instead.is_some() {
            self.shorten(before);
        }
        self.play(&[decision]);
        true
    }

    /// Plays a token. What was rolled before it in the same turn belongs to the token before; a roll that
    /// begins a turn belongs to this one.
    fn play(&mut self, decisions: &[G::Decision]) {
        self.close();
        decisions.iter().for_each(|&decision| self.lengthen(decision));
        self.ends.push(self.record.len());
        self.rolled = 0;
        self.roll();
    }

    /// Adds what was rolled to the last token, up to the end of the turn.
    fn close(&mut self) {
        let closed = self.closed();
        if let Some(end) = self.ends.last_mut() {
            *end = closed;
        }
    }

    /// The number of decisions up to the end of the last token, with the chance results that followed in the
    /// same turn.
    fn closed(&self) -> usize {
        let end = self.decisions_in(self.ends.len());
        let complete = |&number: &usize| self.record.state_after(number).is_some_and(G::between_turns);
        let all = self.record.len();
        (end..all).find(complete).unwrap_or(all)
    }

    fn lengthen(&mut self, decision: G::Decision) {
        let by_chance = self.record.now().actor() == Actor::Chance;
        let (turn, attempt) = self.counts[self.record.len()];
        self.record.play(decision);
        let complete = self.record.now().between_turns();
        let next = if complete { (turn + 1, 0) } else { (turn, attempt + u64::from(by_chance)) };
        let spoken = self.spoken.get(&next.0).copied().unwrap_or_default();
        self.counts.push((next.0, next.1.max(spoken)));
    }

    /// Goes back to the first `decisions` decisions, which may not include any of those rolled last.
    fn shorten(&mut self, decisions: usize) {
        self.record.rewind(decisions);
        self.counts.truncate(self.record.len() + 1);
        self.rolled = 0;
    }

    /// The chance results that we rolled last, as numbers of decisions.
    pub fn rolled(&self) -> Vec<u32> {
        let from = self.record.len() - self.rolled;
        self.record.decisions_in(from..self.record.len()).into_iter().map(Into::into).collect()
    }

    /// Goes back to the state after the first `tokens` tokens.
    pub fn rewind(&mut self, tokens: usize) {
        // What we rolled for the next turn stays; a referee may give the beginning of a turn again.
        let begun = self.chance == Chance::Referee && self.decisions_in(tokens) < self.record.len();
        if tokens < self.ends.len() || begun {
            self.ends.truncate(tokens);
            self.shorten(self.decisions_in(tokens));
            self.roll();
        }
    }

    /// Like [`History::rewind`], for a player who takes back moves. The player has seen the chance results
    /// there, so they are drawn again.
    pub fn retract(&mut self, tokens: usize) {
        if tokens >= self.ends.len() {
            return;
        }
        // What was rolled before the player decided stays.
        let kept = self.decisions_in(tokens);
        let rolled = usize::from(self.begins_with_roll(tokens));
        let kept = kept + rolled;
        let mut taken_back = false;
        for number in kept..self.record.len() {
            if self.record.state_after(number).is_some_and(|state| state.actor() == Actor::Chance) {
                let (turn, attempt) = self.counts[number];
                let spoken = self.spoken.entry(turn).or_default();
                *spoken = attempt.max(*spoken) + 1;
                taken_back = true;
            }
        }
        if taken_back
            && let Chance::Own { seed } = self.chance
            && let Some(left) = self.record.state_after(kept)
            && let Some(start) =
                self.record.start().reshuffled(left, &mut chance::dealer(seed, self.shuffled))
        {
            self.shuffled += 1;
            let decisions = self.record.decisions_in(0..kept);
            self.record = Record::new(start);
            decisions.into_iter().for_each(|decision| self.record.play(decision));
        }
        self.ends.truncate(tokens);
        self.shorten(kept);
        self.rolled = rolled;
        if let Some((turn, attempt)) = self.counts.last_mut() {
            *attempt = self.spoken.get(turn).copied().unwrap_or_default().max(*attempt);
        }
        self.roll();
    }

    /// True when chance made the first decision after the first `tokens` tokens, at the beginning of a turn.
    fn begins_with_roll(&self, tokens: usize) -> bool {
        let begin = self.decisions_in(tokens);
        begin < self.record.len() && self.record.state_after(begin).is_some_and(G::begins_with_chance)
    }

    /// The state after the first `tokens` tokens; `None` beyond the present.
    pub fn state_after(&self, tokens: usize) -> Option<&G> {
        if tokens > self.ends.len() { None } else { self.record.state_after(self.decisions_in(tokens)) }
    }

    /// The last decision of the first `tokens` tokens.
    pub(super) fn step_to(&self, tokens: usize) -> Option<Step<'_, G>> {
        self.step(self.ends.get(tokens.checked_sub(1)?)?.checked_sub(1)?)
    }

    /// The decisions after the first `from` tokens and within the first `to`. The chance results after the
    /// last token are included; a roll that has begun the present turn is when `to` is beyond it.
    pub(super) fn steps(&self, from: usize, to: usize) -> impl Iterator<Item = Step<'_, G>> {
        let begin = if from < self.ends.len() { self.decisions_in(from) } else { self.closed() };
        (begin..self.end_of(to)).filter_map(|number| self.step(number))
    }

    /// A decision by its number, from 0.
    fn step(&self, number: usize) -> Option<Step<'_, G>> {
        let decision = self.record.decisions_in(number..number + 1).pop()?;
        let (before, after) = (self.record.state_after(number)?, self.record.state_after(number + 1)?);
        Some(Step { before, decision, after })
    }

    /// The last token as text, with the chance results that followed.
    pub fn last_token(&self) -> Option<String> {
        self.token_text(self.ends.len().checked_sub(1)?, None)
    }

    /// Every token as text, with the chance results that followed, and at last the roll that has begun the
    /// present turn; for a `viewer`, the cards that the other side draws stay face down.
    pub fn token_texts(&self, viewer: Option<Color>) -> Vec<String> {
        let mut texts = Vec::new();
        for number in 0..self.ends.len() {
            texts.extend(self.token_text(number, viewer));
        }
        texts.extend(self.begun_turn().map(|token| token.to_string()));
        texts
    }

    /// The roll that has begun the present turn, if no token does.
    fn begun_turn(&self) -> Option<Token> {
        let closed = self.closed();
        let rolled = self.record.decisions_in(closed..self.record.len());
        (!rolled.is_empty()).then(|| Some(write_token(self.record.state_after(closed)?, &rolled)))?
    }

    /// The state in which we rolled for the present turn, and what we rolled; the present state, and nothing,
    /// where the roll stands in a token or there is none.
    pub fn before_roll(&self) -> (&G, Vec<G::Decision>) {
        let closed = self.closed();
        let begun = self.record.state_after(closed).filter(|_| self.rolled > 0 && closed < self.record.len());
        let rolled = || self.record.decisions_in(closed..self.record.len());
        begun.map_or((self.now(), Vec::new()), |state| (state, rolled()))
    }

    /// The decisions of `token`, if it is legal here.
    pub fn decisions_of(&self, token: &str) -> Option<Vec<G::Decision>> {
        Some(self.read(token).ok()?.1.decisions.to_vec())
    }

    fn token_text(&self, number: usize, viewer: Option<Color>) -> Option<String> {
        let (begin, end) = (self.decisions_in(number), self.end_of(number + 1));
        let decisions = self.record.decisions_in(begin..end);
        let token = write_token(self.record.state_after(begin)?, &decisions);
        let Some(viewer) = viewer else { return Some(token.to_string()) };
        // A card goes to the player who decided before.
        let by_chance = |number: &usize| {
            self.record.state_after(*number).is_some_and(|state| state.actor() == Actor::Chance)
        };
        let drawers: Vec<_> =
            (begin..end).filter(by_chance).map(|number| self.last_decider(number)).collect();
        Some(token.with_draws_hidden(|place| drawers.get(place) != Some(&Some(viewer))).to_string())
    }

    /// The stream of the chance results to come.
    pub fn chance_stream(&self) -> ChanceStream {
        let (turn, attempt) = self.counts[self.record.len()];
        ChanceStream { chance: self.chance, turn, attempt }
    }

    /// The player whose turn it is, or would be if the game were not over.
    pub fn next_player(&self) -> Color {
        let other = || self.last_decider(self.record.len()).map(Color::other);
        self.now().actor().player().or_else(other).unwrap_or(Color::White)
    }

    /// The player who decided last; White at the start.
    pub fn last_player(&self) -> Color {
        self.last_decider(self.record.len()).unwrap_or(Color::White)
    }

    /// The player who made the last of the first `decisions` decisions that was not chance's.
    fn last_decider(&self, decisions: usize) -> Option<Color> {
        (0..decisions).rev().find_map(|number| self.record.state_after(number)?.actor().player())
    }

    /// The number of decisions in the first `tokens` tokens; for all tokens, this includes what was rolled
    /// after the last in the same turn.
    fn end_of(&self, tokens: usize) -> usize {
        match tokens.cmp(&self.ends.len()) {
            Ordering::Less => self.decisions_in(tokens),
            Ordering::Equal => self.closed(),
            Ordering::Greater => self.record.len(),
        }
    }

    fn decisions_in(&self, tokens: usize) -> usize {
        tokens.checked_sub(1).map_or(0, |last| self.ends[last])
    }

    /// Rolls for chance as long as it must decide and no referee does.
    fn roll(&mut self) {
        if self.record.now().actor() != Actor::Chance {
            return;
        }
        let mut stream = self.chance_stream();
        while let Some(decision) = stream.next(self.record.now()) {
            self.lengthen(decision);
            self.rolled += 1;
        }
    }
}
