//! A game in progress with a searcher behind it, whatever the game.

use super::chance::Chance;
use super::progress::Progress;
use super::search_thread::{Event, Past, SearchThread, Think};
use crate::base::Color;
use crate::game::{Actor, Decisions, Facts, Outcome, Playable, Rules, SetupError, Wanted, read_token};
use crate::notation::{Legs, Position, SyntaxError, parse_position, parse_token};
use crate::search::{Clock, Control, Table};
use crossbeam_channel::Sender;
use std::sync::Arc;

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
    /// The evaluation of the position, nothing searched, in centipawns for White.
    fn evaluation(&self) -> i32;
    /// Starts to count the sequences of `depth` turns from here; the end comes as the event `id`. The search before
    /// must have ended.
    fn count(&mut self, depth: u32, id: u64, threads: usize, clock: Arc<dyn Clock>) -> Arc<Control>;
    /// Starts to search the present position; what is found comes as events. The search before must have ended.
    ///
    /// # Errors
    /// When a token of `think.only` is not legal.
    fn think(&mut self, think: Think, table: Arc<Table>) -> Result<Arc<Control>, SessionError>;
    /// The most recently played token, as text.
    fn last_token(&self) -> Option<String>;
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
    searcher: SearchThread<G>,
}

impl<G: Playable> GameSession<G> {
    fn new(rules: Rules, chance: Chance, events: Sender<Event>) -> Self {
        let progress = Progress::new(G::start(&rules), chance);
        Self { rules, chance, progress, searcher: SearchThread::start(events) }
    }

    /// The first decision of a token, which may be the beginning of one.
    fn first_decision(&self, text: &str) -> Result<G::Decision, SessionError> {
        let mut token = parse_token(text).map_err(SessionError::TokenText)?;
        let state = self.progress.now();
        let whole = read_token(state, &token);
        token.open = true;
        let reading = whole.or_else(|illegal| read_token(state, &token).map_err(|_| illegal));
        let reading = reading.map_err(|illegal| SessionError::Illegal(illegal.reason))?;
        reading.decisions.first().copied().ok_or_else(|| SessionError::Illegal("nothing is said".into()))
    }
}

impl<G: Playable> Session for GameSession<G> {
    fn facts(&self) -> &'static Facts {
        G::facts()
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

    fn evaluation(&self) -> i32 {
        self.progress.now().evaluate()
    }

    fn count(&mut self, depth: u32, id: u64, threads: usize, clock: Arc<dyn Clock>) -> Arc<Control> {
        self.searcher.count(self.progress.now().clone(), depth, id, threads, clock)
    }

    fn think(&mut self, think: Think, table: Arc<Table>) -> Result<Arc<Control>, SessionError> {
        let mut only = Vec::with_capacity(think.only.len());
        for token in &think.only {
            only.push(self.first_decision(token)?);
        }
        let record = self.progress.record();
        // A drawn game that programs know themselves goes on if they wish; the others rely on our word that it is over.
        let known_to_programs = G::facts().xboard.setup.is_none();
        let over = record.outcome().filter(|outcome| outcome.winner.is_some() || !known_to_programs);
        let past = Past {
            keys: record.recent_keys(),
            luck: self.progress.luck(),
            over: over.map(|outcome| (outcome, self.progress.next_player())),
        };
        Ok(self.searcher.search(self.progress.now().clone(), past, only, think, table))
    }

    fn last_token(&self) -> Option<String> {
        self.progress.last_token()
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
