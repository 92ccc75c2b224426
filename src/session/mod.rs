//! A game in progress, for any game: rules, history, text. Nothing is searched here, and there are no
//! threads.

pub mod chance;
mod clock;
mod entered;
mod epd;
mod history;
mod opaque;
pub mod parts;
mod successor;
mod tokens;
pub mod xboard_spelling;

use crate::base::Color;
use crate::game::gui::{Gesture, Prompt};
use crate::game::{
    Actor, Deal, Deed, Facts, Horizon, Outcome, Playable, Rules, SetupError, forced_win, read_token,
};
use crate::notation::{Coordinate, Position, SyntaxError, parse_position, parse_token};
use crate::variants::{self, Visitor};
use chance::Chance;
pub use clock::{PlayerClock, TimeControl, TimeControlError, parse_seconds};
pub use entered::{DECLINED, STOP, play_entered, play_recorded};
pub use epd::set_up_epd;
pub use history::History;
pub use opaque::{Announcement, OpaqueSession};
use std::any::Any;
use std::sync::atomic::AtomicBool;
pub use successor::{Look, Successor};
use successor::{odds, walk};
pub use tokens::{MOST_TOKENS, continuations, tokens, turn_text};
use tokens::{first_word, goes_to_somebody_else, tokens_from};

/// A game in progress. The defaults fit a game whose rules are not known here.
pub trait Session: Any + Send {
    /// The game that is played.
    fn facts(&self) -> &'static Facts;
    /// Its rules: the settings of its switches.
    fn rules(&self) -> &Rules;
    /// Sets who decides for chance; it takes effect at the next [`Session::set_up`].
    fn set_chance(&mut self, chance: Chance);
    /// Starts the game again, from `position` or from the usual start, and plays `tokens`; on an error
    /// nothing has changed.
    ///
    /// # Errors
    /// When the text is not a legal position of this game, or a token is not legal.
    fn set_up(
        &mut self,
        position: Option<&str>,
        tokens: &mut dyn Iterator<Item = &str>,
    ) -> Result<(), SessionError>;
    /// Plays a token; on an error nothing has changed.
    ///
    /// # Errors
    /// When it is not legal here.
    fn play(&mut self, token: &str) -> Result<(), SessionError>;
    /// Takes back the last token; false at the start.
    fn take_back(&mut self) -> bool {
        let tokens = self.tokens_played();
        self.rewind(tokens.saturating_sub(1));
        tokens > 0
    }
    /// The number of tokens that have been played.
    fn tokens_played(&self) -> usize;
    /// Goes back to the state after the first `tokens` tokens.
    fn rewind(&mut self, tokens: usize);
    /// Like [`Session::rewind`], for a player who takes back moves. The player has seen what our own dice and
    /// cards gave there, so they give new results.
    fn retract(&mut self, tokens: usize) {
        self.rewind(tokens);
    }
    /// Who decides next.
    fn actor(&self) -> Actor;
    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// The present position, for drawing and as text.
    fn position(&self) -> Position;
    /// The position where games of this kind usually start, before any cards are dealt.
    fn usual_start(&self) -> Position;
    /// The first position of this game, as `viewer` may know it.
    fn start_for(&self, viewer: Color) -> Position;
    /// The present position as `viewer` may know it.
    fn position_for(&self, _viewer: Color) -> Position {
        self.position()
    }
    /// The first position, as a spectator may know it, who is neither of the players.
    fn public_start(&self) -> Position {
        self.start_for(Color::White)
    }
    /// The present position, as a spectator may know it.
    fn public_position(&self) -> Position {
        self.known_to(&Color::ALL).position()
    }
    /// A game that begins with the present position, without what any of these players may not know: whatever
    /// is computed from it may be shown to each of them.
    fn known_to(&self, players: &[Color]) -> Box<dyn Session>;
    /// A copy of the whole game, as `player` may know it. A referee decides for chance in it.
    fn seen_by(&self, player: Color) -> Box<dyn Session>;
    /// The position after the first `tokens` tokens; `None` beyond the present.
    fn position_after(&self, tokens: usize) -> Option<Position>;
    /// Where the cards are, as far as this game knows; `None` where there are none.
    fn deal(&self) -> Option<Deal> {
        self.deal_after(self.tokens_played())
    }
    /// The same after the first `tokens` tokens.
    fn deal_after(&self, _tokens: usize) -> Option<Deal> {
        None
    }
    /// The game as text, for a program that is to follow it: the first position (`None` for the usual start),
    /// and each token since, with the results of chance.
    fn told(&self) -> (Option<String>, Vec<String>);
    /// The same for `viewer`, with what is hidden from that player masked.
    fn told_to(&self, _viewer: Color) -> (Option<String>, Vec<String>) {
        self.told()
    }
    /// All that may be played next: see [`continuations`].
    fn continuations(&self) -> Vec<String> {
        Vec::new()
    }
    /// What may follow `beginning`, the first legs of a token (`""` for none), sorted; in the form of
    /// [`continuations`].
    ///
    /// # Errors
    /// When no legal token begins like this.
    fn continuations_of(&self, _beginning: &str) -> Result<Vec<String>, SessionError> {
        Ok(Vec::new())
    }
    /// All whole tokens that begin with `beginning` (`""` for all), sorted; each goes up to where another
    /// actor decides. `None` when there are more than `most`.
    ///
    /// # Errors
    /// When no legal token begins like this.
    fn tokens(&self, _beginning: &str, _most: usize) -> Result<Option<Vec<String>>, SessionError> {
        Ok(Some(Vec::new()))
    }
    /// When chance decides: each outcome as text, and the number of equally likely cases it stands for.
    fn odds(&self) -> Vec<(String, u32)> {
        Vec::new()
    }
    /// The player whose turn it is, or would be if the game were not over; while chance decides, the player
    /// who decided before.
    fn on_turn(&self) -> Color;
    /// Goes on from the present position with White and Black exchanged, without a history.
    ///
    /// # Errors
    /// In the middle of a turn, and when the exchanged position is not legal.
    fn flip(&mut self) -> Result<(), SessionError>;
    /// The static evaluation of the position, without a search, in centipawns for White.
    fn evaluation(&self) -> i32 {
        0
    }
    /// The token played last, as text.
    fn last_token(&self) -> Option<String>;
    /// The first legal token that is found, complete: what can be played when nothing can be searched.
    fn first_token(&self) -> Option<String> {
        None
    }
    /// The player who wins by force within the horizon, whatever the other side does and however the dice
    /// fall; see [`forced_win`]. `None` soon after `stop` is set.
    fn forced_win(&self, _horizon: Horizon, _stop: &AtomicBool) -> Option<Color> {
        None
    }
    /// True unless a turn has begun that is not complete.
    fn between_turns(&self) -> bool;
    /// The numbers of the decisions in a token; `None` when it is not legal.
    fn decisions_of(&self, _token: &str) -> Option<Vec<u32>> {
        None
    }
    /// Plays one decision by its number; `tokens_played` counts it as a token. False when it is not legal. A
    /// decision of chance replaces what was rolled.
    fn decide(&mut self, _decision: u32) -> bool {
        false
    }
    /// The results of our own dice and cards after the last token, as numbers of decisions.
    fn rolled(&self) -> Vec<u32> {
        Vec::new()
    }
    /// Walks through the ways in which the game may go on after the first `tokens` tokens (after all of them,
    /// also after the chance results that followed). `look` gets each path of decisions, chance's included,
    /// with what it leads to, and decides how to go on.
    fn explore(&self, _tokens: usize, _look: &mut dyn FnMut(&[u32], &dyn Successor) -> Look) {}
    /// What a decision would do; `None` when it is not legal.
    fn deed(&self, decision: u32) -> Option<Deed> {
        let mut found = None;
        self.explore(self.tokens_played(), &mut |way, successor| {
            if way != [decision] {
                return Look::Skip;
            }
            found = Some(successor.deed());
            Look::End
        });
        found
    }
    /// The board as it would be drawn after a path of decisions; `None` when the path is not legal.
    fn shown_behind(&self, path: &[u32]) -> Option<Position> {
        let mut found = None;
        self.explore(self.tokens_played(), &mut |way, successor| {
            if way == path {
                found = Some(successor.shown());
                return Look::End;
            }
            if path.starts_with(way) { Look::Deeper } else { Look::Skip }
        });
        found
    }
    /// The last decision of the first `tokens` tokens, and what it led to; `None` at the start and beyond the
    /// present.
    fn last_of(&self, tokens: usize) -> Option<Box<dyn Successor + '_>>;
    /// The decisions made after the first `from` tokens and within the first `to`, and what each led to.
    fn made(&self, from: usize, to: usize) -> Vec<Box<dyn Successor + '_>> {
        (from + 1..=to).filter_map(|tokens| self.last_of(tokens)).collect()
    }
    /// The board as it was drawn after the first `tokens` tokens; `None` beyond the present.
    fn shown_after(&self, tokens: usize) -> Option<Position> {
        self.position_after(tokens)
    }
    /// Checks that `token` can be played, without playing it.
    ///
    /// # Errors
    /// As for [`Session::play`].
    fn check(&self, token: &str) -> Result<(), SessionError>;
    /// The board as it is drawn: see [`crate::game::gui::GuiBoard::shown`].
    fn shown(&self) -> Position {
        self.position()
    }
    /// See [`crate::game::gui::GuiBoard::read_shown`].
    fn read_shown(&self, _shown: &Position) -> Option<Position> {
        None
    }
    /// See [`crate::game::gui::GuiBoard::gestures`].
    fn gestures(&self, _picked: &[Coordinate]) -> Vec<Gesture> {
        Vec::new()
    }
    /// See [`crate::game::gui::GuiBoard::prompt`].
    fn prompt(&self, _picked: &[Coordinate]) -> Option<Prompt> {
        None
    }
    /// See [`crate::game::gui::GuiBoard::steps`].
    fn steps(&self) -> Option<(u8, u8)> {
        None
    }
    /// See [`crate::game::gui::GuiBoard::typed`].
    ///
    /// # Errors
    /// Why the text means no decision.
    fn typed(&self, word: &str) -> Result<u32, String>;
}

/// Why a session refused a position or a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// The text of a position is not in the grammar.
    #[error("position: {0}")]
    PositionText(SyntaxError),
    /// The text of a position is in the grammar, but the position is not legal.
    #[error("position: {0}")]
    Position(#[from] SetupError),
    /// The text of a turn is not in the grammar.
    #[error("{0}")]
    TokenText(SyntaxError),
    /// The text of a turn is in the grammar, but is not legal here.
    #[error("{0}")]
    Illegal(String),
    /// The request is valid, but cannot be carried out.
    #[error("{0}")]
    Unable(String),
    /// One of a list of tokens was refused.
    #[error("Illegal move ({reason}): {token} (number {number} of the list)")]
    InList {
        /// The token, shortened.
        token: String,
        /// Its number in the list, from 1.
        number: usize,
        /// What is wrong with it.
        reason: Box<SessionError>,
    },
}

/// Begins a session of the game that `facts` describes, at its start.
pub fn open(facts: &Facts, rules: Rules, chance: Chance) -> Box<dyn Session> {
    struct Open(Rules, Chance);
    impl Visitor for Open {
        type Output = Box<dyn Session>;
        fn visit<G: Playable>(self, _: &'static Facts) -> Self::Output {
            Box::new(GameSession::<G>::new(self.0, self.1))
        }
    }
    // The facts come from the registry; if these should not, chess is better than nothing.
    variants::visit(facts.name, Open(rules.clone(), chance))
        .unwrap_or_else(|_| Box::new(GameSession::<variants::chess::State>::new(rules, chance)))
}

/// A session whose game is known by its type.
pub struct GameSession<G: Playable> {
    rules: Rules,
    chance: Chance,
    history: History<G>,
}

impl<G: Playable> GameSession<G> {
    /// A session at the start of a game.
    pub fn new(rules: Rules, chance: Chance) -> Self {
        let history = History::new(G::start(&rules), chance);
        Self { rules, chance, history }
    }

    /// The game so far.
    pub const fn history(&self) -> &History<G> {
        &self.history
    }

    /// The decisions of a token, or of the beginning of one: a comma at the end marks a beginning; without a
    /// comma the text may be either.
    ///
    /// # Errors
    /// When no legal token begins like this.
    pub fn beginning(&self, text: &str) -> Result<Vec<G::Decision>, SessionError> {
        let mut token = parse_token(text).map_err(SessionError::TokenText)?;
        let state = self.history.now();
        let whole = read_token(state, &token);
        token.open = true;
        let reading = whole.or_else(|illegal| read_token(state, &token).map_err(|_| illegal));
        let reading = reading.map_err(|illegal| SessionError::Illegal(illegal.reason))?;
        Ok(reading.decisions.to_vec())
    }

    /// The state after the first `tokens` tokens; after all of them, the present one.
    fn state_after(&self, tokens: usize) -> Option<&G> {
        let now = tokens == self.tokens_played();
        if now { Some(self.history.now()) } else { self.history.state_after(tokens) }
    }

    /// True when nothing may be played in `state`, which is the present one or follows it.
    fn is_over(&self, state: &G) -> bool {
        self.outcome().is_some() || state.outcome().is_some()
    }

    /// The state after the legs of `text`, without any unwritten decisions at their end, and the decisions
    /// they mean.
    fn behind(&self, text: &str) -> Result<(G, Vec<G::Decision>), SessionError> {
        let state = self.history.now();
        if text.is_empty() {
            return Ok((state.clone(), Vec::new()));
        }
        let mut token = parse_token(text).map_err(SessionError::TokenText)?;
        token.open = true;
        let open = read_token(state, &token).or_else(|illegal| {
            // A complete token: nothing can follow it.
            token.open = false;
            read_token(state, &token).map_err(|_| SessionError::Illegal(illegal.reason))
        })?;
        Ok((open.after, open.decisions.to_vec()))
    }
}

impl<G: Playable> Session for GameSession<G> {
    fn facts(&self) -> &'static Facts {
        self.history.now().facts()
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn set_chance(&mut self, chance: Chance) {
        self.chance = chance;
    }

    fn set_up(
        &mut self,
        position: Option<&str>,
        tokens: &mut dyn Iterator<Item = &str>,
    ) -> Result<(), SessionError> {
        let start = match position {
            None => G::start(&self.rules),
            Some(text) => {
                let position = parse_position(text).map_err(SessionError::PositionText)?;
                G::read(&position, &self.rules)?
            }
        };
        let mut history = History::new(start, self.chance);
        for (index, token) in tokens.enumerate() {
            history.say(token).map_err(|reason| SessionError::InList {
                token: token.chars().take(60).collect(),
                number: index + 1,
                reason: Box::new(reason),
            })?;
        }
        self.history = history;
        Ok(())
    }

    fn play(&mut self, token: &str) -> Result<(), SessionError> {
        self.history.say(token)
    }

    fn tokens_played(&self) -> usize {
        self.history.tokens()
    }

    fn rewind(&mut self, tokens: usize) {
        self.history.rewind(tokens);
    }

    fn retract(&mut self, tokens: usize) {
        self.history.retract(tokens);
    }

    fn actor(&self) -> Actor {
        self.history.now().actor()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.history.record().outcome()
    }

    fn position(&self) -> Position {
        self.history.now().write()
    }

    fn usual_start(&self) -> Position {
        G::start(&self.rules).write()
    }

    fn start_for(&self, viewer: Color) -> Position {
        self.history.record().start().view(viewer).write()
    }

    fn position_for(&self, viewer: Color) -> Position {
        self.history.now().view(viewer).write()
    }

    fn public_start(&self) -> Position {
        self.history.record().start().public_view().write()
    }

    fn known_to(&self, players: &[Color]) -> Box<dyn Session> {
        let known = players.iter().fold(self.history.now().clone(), |state, &player| state.view(player));
        let (rules, chance) = (self.rules.clone(), Chance::Referee);
        Box::new(Self { rules, chance, history: History::new(known, chance) })
    }

    fn seen_by(&self, player: Color) -> Box<dyn Session> {
        let (rules, chance) = (self.rules.clone(), Chance::Referee);
        let whole = self.history.record().start().write();
        let mut copy = Box::new(Self { rules, chance, history: self.history.refereed() });
        if self.start_for(player) != whole {
            let (start, tokens) = self.told_to(player);
            if let Err(error) = copy.set_up(start.as_deref(), &mut tokens.iter().map(String::as_str)) {
                log::error!("what {player} knows of the game cannot be played again: {error}");
                return self.known_to(&[player]);
            }
        }
        copy
    }

    fn position_after(&self, tokens: usize) -> Option<Position> {
        Some(self.history.state_after(tokens)?.write())
    }

    fn deal_after(&self, tokens: usize) -> Option<Deal> {
        self.state_after(tokens)?.deal()
    }

    fn told(&self) -> (Option<String>, Vec<String>) {
        let start = self.history.record().start().write();
        let start = (start != self.usual_start()).then(|| start.to_string());
        (start, self.history.token_texts(None))
    }

    fn told_to(&self, viewer: Color) -> (Option<String>, Vec<String>) {
        let start = self.start_for(viewer);
        let start = (start != self.usual_start()).then(|| start.to_string());
        (start, self.history.token_texts(Some(viewer)))
    }

    fn continuations(&self) -> Vec<String> {
        continuations(self.history.now())
    }

    fn continuations_of(&self, beginning: &str) -> Result<Vec<String>, SessionError> {
        let (state, said) = self.behind(beginning)?;
        if !said.is_empty() && goes_to_somebody_else(self.history.now(), &state) {
            return Ok(Vec::new());
        }
        Ok(if self.is_over(&state) { Vec::new() } else { continuations(&state) })
    }

    fn tokens(&self, beginning: &str, most: usize) -> Result<Option<Vec<String>>, SessionError> {
        let (state, said) = self.behind(beginning)?;
        if self.is_over(&state) && said.is_empty() {
            return Ok(Some(Vec::new()));
        }
        Ok(tokens_from(self.history.now(), &state, said, most))
    }

    fn odds(&self) -> Vec<(String, u32)> {
        odds(self.history.now())
    }

    fn on_turn(&self) -> Color {
        match self.history.now().actor() {
            Actor::Chance => self.history.last_player(),
            _ => self.history.next_player(),
        }
    }

    fn flip(&mut self) -> Result<(), SessionError> {
        let state = self.history.now();
        if !state.between_turns() {
            return Err(SessionError::Illegal("the turn is not finished".into()));
        }
        let twin = G::with_colors_exchanged(&state.write());
        self.set_up(Some(&twin.to_string()), &mut std::iter::empty())
    }

    fn evaluation(&self) -> i32 {
        self.history.now().static_eval()
    }

    fn last_token(&self) -> Option<String> {
        self.history.last_token()
    }

    fn forced_win(&self, horizon: Horizon, stop: &AtomicBool) -> Option<Color> {
        forced_win(self.history.record().clone(), horizon, stop)
    }

    fn first_token(&self) -> Option<String> {
        let state = self.history.now();
        if self.is_over(state) { None } else { first_word(state) }
    }

    fn between_turns(&self) -> bool {
        self.history.now().between_turns()
    }

    fn decisions_of(&self, token: &str) -> Option<Vec<u32>> {
        let reading = read_token(self.history.now(), &parse_token(token).ok()?).ok()?;
        Some(reading.decisions.iter().map(|&decision| decision.into()).collect())
    }

    fn decide(&mut self, decision: u32) -> bool {
        self.history.decide(decision)
    }

    fn rolled(&self) -> Vec<u32> {
        self.history.rolled()
    }

    fn explore(&self, tokens: usize, look: &mut dyn FnMut(&[u32], &dyn Successor) -> Look) {
        let earlier = (tokens < self.tokens_played()).then(|| self.history.state_after(tokens)).flatten();
        walk(earlier.unwrap_or(self.history.now()), &mut Vec::new(), look);
    }

    fn last_of(&self, tokens: usize) -> Option<Box<dyn Successor + '_>> {
        Some(Box::new(self.history.step_to(tokens)?))
    }

    fn made(&self, from: usize, to: usize) -> Vec<Box<dyn Successor + '_>> {
        self.history.steps(from, to).map(|step| Box::new(step) as _).collect()
    }

    fn shown_after(&self, tokens: usize) -> Option<Position> {
        Some(self.state_after(tokens)?.shown())
    }

    fn check(&self, token: &str) -> Result<(), SessionError> {
        self.history.clone().say(token)
    }

    fn shown(&self) -> Position {
        self.history.now().shown()
    }

    fn read_shown(&self, shown: &Position) -> Option<Position> {
        self.history.now().read_shown(shown)
    }

    fn gestures(&self, picked: &[Coordinate]) -> Vec<Gesture> {
        self.history.now().gestures(picked)
    }

    fn prompt(&self, picked: &[Coordinate]) -> Option<Prompt> {
        self.history.now().prompt(picked)
    }

    fn steps(&self) -> Option<(u8, u8)> {
        self.history.now().steps()
    }

    fn typed(&self, word: &str) -> Result<u32, String> {
        self.history.now().typed(word).map(Into::into)
    }
}
