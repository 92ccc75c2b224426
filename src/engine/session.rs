//! A game in progress with a searcher behind it, whatever the game.

use super::chance::Chance;
use super::progress::Progress;
use super::search_thread::{Counting, Event, Past, SearchThread, Think};
use crate::base::Color;
use crate::game::{
    Actor, ChanceOutcomes, Decisions, Facts, Outcome, Playable, Rules, SetupError, Wanted, read_token,
    write_token,
};
use crate::notation::{Legs, Position, SyntaxError, parse_position, parse_token};
use crate::search::{self, Clock, Control, Horizon, TranspositionTable};
use crossbeam_channel::Sender;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the protocol rooms see of a game in progress.
pub trait Session: Send {
    /// The game.
    fn facts(&self) -> &'static Facts;
    /// Its rule switches.
    fn rules(&self) -> &Rules;
    /// Who speaks for chance; holds from the next [`Session::set_up`] on.
    fn set_chance(&mut self, chance: Chance);
    /// Begins again, from `position` or from the start, and plays `tokens`; on an error nothing has changed.
    ///
    /// # Errors
    /// When the text is no legal position of this game, or a token says nothing legal.
    fn set_up(
        &mut self,
        position: Option<&str>,
        tokens: &mut dyn Iterator<Item = &str>,
    ) -> Result<(), SessionError>;
    /// Plays what the token says; on an error nothing has changed.
    ///
    /// # Errors
    /// When it says nothing legal here.
    fn play(&mut self, token: &str) -> Result<(), SessionError>;
    /// Takes back the last `play`; false at the start.
    fn take_back(&mut self) -> bool;
    /// How many `play`s lie behind.
    fn tokens_played(&self) -> usize;
    /// Goes back to the first `tokens` of them.
    fn rewind(&mut self, tokens: usize);
    /// Who decides next.
    fn actor(&self) -> Actor;
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The present position, for drawing and for text.
    fn position(&self) -> Position;
    /// Where games of this kind start, nothing dealt yet.
    fn usual_start(&self) -> Position;
    /// The first position as `viewer` may know it.
    fn start_for(&self, viewer: Color) -> Position;
    /// The position after the first `tokens` tokens; `None` beyond the present.
    fn position_after(&self, tokens: usize) -> Option<Position>;
    /// All that may be said next: see [`continuations`].
    fn continuations(&self) -> Vec<String>;
    /// What may be said behind `beginning`, the first legs of a token (`""` for none), sorted; as [`continuations`] says it.
    ///
    /// # Errors
    /// When nothing legal begins so.
    fn continuations_of(&self, beginning: &str) -> Result<Vec<String>, SessionError>;
    /// All whole tokens that begin with `beginning` (`""` for all), sorted; up to where somebody else or chance speaks.
    /// `None` when there are more than `most`.
    ///
    /// # Errors
    /// When nothing legal begins so.
    fn tokens(&self, beginning: &str, most: usize) -> Result<Option<Vec<String>>, SessionError>;
    /// When chance decides: each outcome as it is written, and how many of the equally likely cases it stands for.
    fn odds(&self) -> Vec<(String, u32)>;
    /// Whose turn it is, or would be if the game were not over; while chance speaks, who spoke before.
    fn on_turn(&self) -> Color;
    /// Goes on from the present position with White and Black changed over, without a past.
    ///
    /// # Errors
    /// In the middle of a turn, and when the position has no such twin.
    fn flip(&mut self) -> Result<(), SessionError>;
    /// The evaluation of the position, nothing searched, in centipawns for White.
    fn evaluation(&self) -> i32;
    /// Starts to count sequences of turns from here; the end comes as an event. The search before must have ended.
    ///
    /// # Errors
    /// When a token of `tally.only` is not legal, or the system gives no thread.
    fn count(&mut self, tally: Tally) -> Result<Arc<Control>, SessionError>;
    /// Starts to search the present position; what is found comes as events. The search before must have ended.
    ///
    /// # Errors
    /// When a token of `think.only` is not legal, or the system gives no thread.
    fn think(&mut self, think: Think, table: Arc<TranspositionTable>) -> Result<Arc<Control>, SessionError>;
    /// The most recently played token, as text.
    fn last_token(&self) -> Option<String>;
    /// A whole legal word, the first there is: what can be said when nothing can be searched.
    fn first_token(&self) -> Option<String>;
    /// Who wins by force within the horizon, whatever the other side does and however the dice fall; see
    /// [`crate::search::forced_win`]. `None` soon after `stop` is set.
    fn forced_win(&self, horizon: Horizon, stop: &AtomicBool) -> Option<Color>;
    /// True when no turn has begun that is not complete.
    fn between_turns(&self) -> bool;
    /// The numbers of the decisions that a token says; `None` when it says nothing legal.
    fn decisions_of(&self, token: &str) -> Option<Vec<u32>>;
    /// Plays one decision by its number; `tokens_played` counts it as a token. False when it is not legal. A decision of
    /// chance takes the place of what was rolled.
    fn decide(&mut self, decision: u32) -> bool;
    /// What our own dice and cards said after the last token, as numbers of decisions.
    fn rolled(&self) -> Vec<u32>;
    /// Walks through the ways in which the game may go on: `look` is shown what each path of decisions leads to, chance's
    /// included, and says how to go on.
    fn explore(&self, look: &mut dyn FnMut(&[u32], &Prospect) -> Look);
}

/// What a path of decisions leads to.
pub struct Prospect {
    /// The legs of the last decision.
    pub legs: Legs,
    /// Who made it.
    pub by: Actor,
    /// Who decides next.
    pub actor: Actor,
    /// The turn is complete.
    pub between_turns: bool,
    /// The position.
    pub position: Position,
}

/// How a walk through decisions goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// To what follows.
    Deeper,
    /// To the next path; nothing that follows matters.
    Aside,
    /// No further.
    End,
}

/// Turns to be counted (perft), as the protocols ask for it.
pub struct Tally {
    /// How many turns deep.
    pub depth: u32,
    /// Only what begins with one of these tokens; empty for all.
    pub only: Vec<String>,
    /// Given back with the event of this count.
    pub id: u64,
    /// Threads.
    pub threads: usize,
    /// Runs since the command was read.
    pub clock: Arc<dyn Clock>,
}

/// Why a session refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// The text of a position is not in the grammar.
    #[error("position: {0}")]
    PositionText(SyntaxError),
    /// It is, but means no legal position.
    #[error("position: {0}")]
    Position(#[from] SetupError),
    /// The text of a turn is not in the grammar.
    #[error("{0}")]
    TokenText(SyntaxError),
    /// It is, but is not legal here.
    #[error("{0}")]
    Illegal(String),
    /// Nothing is wrong with what was said, but it cannot be done.
    #[error("{0}")]
    Unable(String),
    /// One of a list of turns is no good.
    #[error("Illegal move ({reason}): {token} (number {number} of the list)")]
    InList {
        /// The word.
        token: String,
        /// 1 for the first.
        number: usize,
        /// What is wrong with it.
        reason: Box<SessionError>,
    },
}

/// Begins a session of one game; what its searches find is sent to `events`.
pub fn open<G: Playable>(rules: Rules, chance: Chance, events: Sender<Event>) -> Box<dyn Session> {
    Box::new(GameSession::<G>::new(rules, chance, events))
}

struct GameSession<G: Playable> {
    rules: Rules,
    chance: Chance,
    progress: Progress<G>,
    searcher: SearchThread,
}

impl<G: Playable> GameSession<G> {
    fn new(rules: Rules, chance: Chance, events: Sender<Event>) -> Self {
        let progress = Progress::new(G::start(&rules), chance);
        let searcher = SearchThread::new(progress.now().facts(), events);
        Self { rules, chance, progress, searcher }
    }

    /// The decisions of a token, which may be the beginning of one: with a comma at the end it is, without it may be.
    fn beginning(&self, text: &str) -> Result<Vec<G::Decision>, SessionError> {
        let mut token = parse_token(text).map_err(SessionError::TokenText)?;
        let state = self.progress.now();
        let whole = read_token(state, &token);
        token.open = true;
        let reading = whole.or_else(|illegal| read_token(state, &token).map_err(|_| illegal));
        let reading = reading.map_err(|illegal| SessionError::Illegal(illegal.reason))?;
        Ok(reading.decisions.to_vec())
    }

    fn beginnings(&self, tokens: &[String]) -> Result<Vec<Vec<G::Decision>>, SessionError> {
        tokens.iter().map(|token| self.beginning(token)).collect()
    }

    /// True when nothing may be said in `state`, which is the present one or follows it.
    fn is_over(&self, state: &G) -> bool {
        self.outcome().is_some() || state.outcome().is_some()
    }

    /// The state behind the legs of `text`, nothing added to them, and the decisions they say.
    fn behind(&self, text: &str) -> Result<(G, Vec<G::Decision>), SessionError> {
        let state = self.progress.now();
        if text.is_empty() {
            return Ok((state.clone(), Vec::new()));
        }
        let mut token = parse_token(text).map_err(SessionError::TokenText)?;
        token.open = true;
        let open = read_token(state, &token).or_else(|illegal| {
            // A word that is complete: nothing can follow it.
            token.open = false;
            read_token(state, &token).map_err(|_| SessionError::Illegal(illegal.reason))
        })?;
        Ok((open.after, open.decisions.to_vec()))
    }
}

impl<G: Playable> Session for GameSession<G> {
    fn facts(&self) -> &'static Facts {
        self.progress.now().facts()
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
        let mut progress = Progress::new(start, self.chance);
        for (index, token) in tokens.enumerate() {
            progress.say(token).map_err(|reason| SessionError::InList {
                token: token.chars().take(60).collect(),
                number: index + 1,
                reason: Box::new(reason),
            })?;
        }
        self.progress = progress;
        Ok(())
    }

    fn play(&mut self, token: &str) -> Result<(), SessionError> {
        self.progress.say(token)
    }

    fn take_back(&mut self) -> bool {
        let tokens = self.tokens_played();
        self.rewind(tokens.saturating_sub(1));
        tokens > 0
    }

    fn tokens_played(&self) -> usize {
        self.progress.tokens()
    }

    fn rewind(&mut self, tokens: usize) {
        self.progress.rewind(tokens);
    }

    fn actor(&self) -> Actor {
        self.progress.now().actor()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.progress.record().outcome()
    }

    fn position(&self) -> Position {
        self.progress.now().write()
    }

    fn usual_start(&self) -> Position {
        G::start(&self.rules).write()
    }

    fn start_for(&self, viewer: Color) -> Position {
        self.progress.record().start().view(viewer).write()
    }

    fn position_after(&self, tokens: usize) -> Option<Position> {
        Some(self.progress.state_after(tokens)?.write())
    }

    fn continuations(&self) -> Vec<String> {
        continuations(self.progress.now())
    }

    fn continuations_of(&self, beginning: &str) -> Result<Vec<String>, SessionError> {
        let (state, said) = self.behind(beginning)?;
        if !said.is_empty() && goes_to_somebody_else(self.progress.now(), &state) {
            return Ok(Vec::new());
        }
        Ok(if self.is_over(&state) { Vec::new() } else { continuations(&state) })
    }

    fn tokens(&self, beginning: &str, most: usize) -> Result<Option<Vec<String>>, SessionError> {
        let (state, said) = self.behind(beginning)?;
        if self.is_over(&state) && said.is_empty() {
            return Ok(Some(Vec::new()));
        }
        Ok(tokens_from(self.progress.now(), &state, said, most))
    }

    fn odds(&self) -> Vec<(String, u32)> {
        let state = self.progress.now();
        if state.actor() != Actor::Chance {
            return Vec::new();
        }
        let mut list = ChanceOutcomes::new();
        state.outcomes(&mut list);
        list.into_iter().map(|(case, weight)| (write_token(state, &[case]).to_string(), weight)).collect()
    }

    fn on_turn(&self) -> Color {
        match self.progress.now().actor() {
            Actor::Chance => self.progress.last_player(),
            _ => self.progress.next_player(),
        }
    }

    fn flip(&mut self) -> Result<(), SessionError> {
        let state = self.progress.now();
        if !state.between_turns() {
            return Err(SessionError::Illegal("the turn is not finished".into()));
        }
        let twin = G::with_colors_exchanged(&state.write());
        self.set_up(Some(&twin.to_string()), &mut std::iter::empty())
    }

    fn evaluation(&self) -> i32 {
        self.progress.now().static_eval()
    }

    fn count(&mut self, tally: Tally) -> Result<Arc<Control>, SessionError> {
        let beginnings = uncovered(self.beginnings(&tally.only)?);
        let Tally { depth, id, threads, clock, .. } = tally;
        let state = self.progress.now().clone();
        let control = Arc::default();
        let counting = Counting { state, beginnings, depth, id, threads, clock, control };
        self.searcher.count(counting).map_err(no_thread)
    }

    fn think(&mut self, think: Think, table: Arc<TranspositionTable>) -> Result<Arc<Control>, SessionError> {
        let now = self.progress.now();
        let mut only = self.beginnings(&think.only)?;
        // (With a die, words that differ only in what it shows are then the same.)
        for beginning in &mut only {
            // What chance or somebody else will say cannot be asked for.
            let mut state = now.clone();
            let own = beginning.iter().take_while(|&&decision| {
                let own = state.actor() == now.actor();
                state.apply(decision);
                own
            });
            let own = own.count();
            beginning.truncate(own);
        }
        let only = uncovered(only);
        let record = self.progress.record();
        // A drawn game that programs know themselves goes on if they wish; the others rely on our word that it is over.
        let known_to_programs = self.facts().xboard.setup.is_none();
        let over = record.outcome().filter(|outcome| outcome.winner.is_some() || !known_to_programs);
        let past = Past {
            keys: record.recent_keys(),
            luck: self.progress.luck(),
            over: over.map(|outcome| (outcome, self.progress.next_player())),
        };
        self.searcher.search(self.progress.now().clone(), past, only, think, table).map_err(no_thread)
    }

    fn last_token(&self) -> Option<String> {
        self.progress.last_token()
    }

    fn forced_win(&self, horizon: Horizon, stop: &AtomicBool) -> Option<Color> {
        search::forced_win(self.progress.record().clone(), horizon, stop)
    }

    fn first_token(&self) -> Option<String> {
        let (state, mut found) = (self.progress.now(), Vec::new());
        if !self.is_over(state) {
            words(state, state, &mut Vec::new(), 0, &mut found);
        }
        found.pop()
    }

    fn between_turns(&self) -> bool {
        self.progress.now().between_turns()
    }

    fn decisions_of(&self, token: &str) -> Option<Vec<u32>> {
        let reading = read_token(self.progress.now(), &parse_token(token).ok()?).ok()?;
        Some(reading.decisions.iter().map(|&decision| decision.into()).collect())
    }

    fn decide(&mut self, decision: u32) -> bool {
        self.progress.decide(decision)
    }

    fn rolled(&self) -> Vec<u32> {
        self.progress.rolled()
    }

    fn explore(&self, look: &mut dyn FnMut(&[u32], &Prospect) -> Look) {
        walk(self.progress.now(), &mut Vec::new(), look);
    }
}

fn no_thread(error: std::io::Error) -> SessionError {
    SessionError::Unable(format!("no thread to search on: {error}"))
}

/// Shows `look` what follows from `state`; false when it wants no more.
fn walk<G: Playable>(
    state: &G,
    path: &mut Vec<u32>,
    look: &mut dyn FnMut(&[u32], &Prospect) -> Look,
) -> bool {
    let mut list = Decisions::new();
    state.decisions(Wanted::All, &mut list);
    for decision in list {
        let mut after = state.clone();
        after.apply(decision);
        let prospect = Prospect {
            legs: state.legs(decision),
            by: state.actor(),
            actor: after.actor(),
            between_turns: after.between_turns(),
            position: after.write(),
        };
        path.push(decision.into());
        let goes_on = match look(path, &prospect) {
            Look::Deeper => walk(&after, path, look),
            Look::Aside => true,
            Look::End => false,
        };
        path.pop();
        if !goes_on {
            return false;
        }
    }
    true
}

/// Longer lists of tokens are not written; whoever asks is told so.
pub const MOST_TOKENS: usize = 20_000;

/// All whole tokens that may be said in `state`, sorted; up to where somebody else or chance speaks. `None` when there are
/// more than `most`.
pub fn tokens<G: Playable>(state: &G, most: usize) -> Option<Vec<String>> {
    tokens_from(state, state, Vec::new(), most)
}

/// Those that begin with `said`, which led from `start` to `state`.
fn tokens_from<G: Playable>(
    start: &G,
    state: &G,
    mut said: Vec<G::Decision>,
    most: usize,
) -> Option<Vec<String>> {
    let mut found = Vec::new();
    if !words(start, state, &mut said, most, &mut found) {
        return None;
    }
    found.sort_unstable();
    // Different decisions may be written alike: both faces of a die that fail.
    found.dedup();
    Some(found)
}

/// What the actor may say next in `state`, sorted: a whole turn where turns are single decisions, else the next legs,
/// with `.` where it may stop.
pub fn continuations<G: Playable>(state: &G) -> Vec<String> {
    let mut list = Decisions::new();
    state.decisions(Wanted::All, &mut list);
    let text = |&decision: &G::Decision| {
        let legs: Vec<String> = state.legs(decision).iter().map(ToString::to_string).collect();
        if legs.is_empty() { ".".to_owned() } else { legs.join(",") }
    };
    let mut found: Vec<String> = list.iter().map(text).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The lists that do not begin with another one, in order, each once.
fn uncovered<D: Copy + Eq>(lists: Vec<Vec<D>>) -> Vec<Vec<D>> {
    let covered = |index: usize| {
        let list = &lists[index];
        let covers = |(other, shorter): (usize, &Vec<D>)| {
            list.starts_with(shorter) && (shorter.len() < list.len() || other < index)
        };
        lists.iter().enumerate().any(covers)
    };
    (0..lists.len()).filter(|&index| !covered(index)).map(|index| lists[index].clone()).collect()
}

/// True when after `now` nobody goes on with the word that began at `start`: it is somebody else's turn to speak, or
/// the turn is complete.
fn goes_to_somebody_else<G: Playable>(start: &G, now: &G) -> bool {
    now.between_turns() || now.actor() == Actor::Nobody || now.actor() != start.actor()
}

/// Collects the whole words that go on from `said`, which led from `start` to `state`; false when there are more than
/// `most`.
fn words<G: Playable>(
    start: &G,
    state: &G,
    said: &mut Vec<G::Decision>,
    most: usize,
    found: &mut Vec<String>,
) -> bool {
    if !said.is_empty() && goes_to_somebody_else(start, state) {
        found.push(write_token(start, said).to_string());
        return found.len() <= most;
    }
    let mut list = Decisions::new();
    state.decisions(Wanted::All, &mut list);
    list.iter().all(|&decision| {
        let mut next = state.clone();
        next.apply(decision);
        said.push(decision);
        let few = words(start, &next, said, most, found);
        said.pop();
        few
    })
}
