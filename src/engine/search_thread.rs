//! The thread that searches for one session: parked until there is something to think about.

use super::bench::{BenchError, Bout};
use super::handicap::{Candidates, Handicap};
use super::panics::guarded;
use super::progress::Luck;
use crate::base::score::{DRAW, Score, lost_in, won_in};
use crate::base::{Color, Rng};
use crate::game::{Actor, Decisions, Facts, Outcome, Playable, perft, turns_text, write_token};
use crate::notation::Token;
use crate::search::{
    self, Clock, Control, Limits, Report, STACK, SearchResult, SearchTask, TranspositionTable,
};
use crossbeam_channel::{Sender, bounded};
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// A search to be done, as the protocols ask for it.
pub struct Think {
    /// Given back with every event of this search.
    pub id: u64,
    /// When to end.
    pub limits: Limits,
    /// Consider only these tokens, or what begins with them; empty for all.
    pub only: Vec<String>,
    /// Threads.
    pub threads: usize,
    /// Play worse than possible.
    pub handicap: Option<Handicap>,
    /// The opponent is still thinking.
    pub pondering: bool,
    /// Runs since the command was read.
    pub clock: Arc<dyn Clock>,
}

/// News from a search.
#[derive(Debug)]
pub struct Event {
    /// Which search.
    pub id: u64,
    /// What happened.
    pub news: News,
}

/// What a search has to say.
#[derive(Debug)]
pub enum News {
    /// A line was found.
    Line(Line),
    /// The search has ended.
    Done(Choice),
    /// Counting has ended.
    Counted(Count),
    /// One game of a `bench` is done.
    Bout(Bout),
    /// A `bench` has ended, perhaps because it was stopped.
    Benched(Result<(), BenchError>),
    /// Something in it panicked, for the reason given. The end comes all the same, from what is left.
    Panicked(String),
}

/// One line of thinking, in text.
#[derive(Clone, Debug)]
pub struct Line {
    /// Depth, score, counts.
    pub report: Report,
    /// The best line, a token each.
    pub tokens: Vec<String>,
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What to say; `None` when there is nothing to decide.
    pub token: Option<String>,
    /// The reply expected.
    pub ponder: Option<String>,
    /// For the player who decides.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// Since the search was asked for.
    pub elapsed: Duration,
}

impl Choice {
    /// Nothing to say.
    pub(super) const NOTHING: Self =
        Self { token: None, ponder: None, score: DRAW, nodes: 0, elapsed: Duration::ZERO };
}

/// The end of a count (perft).
#[derive(Clone, Debug)]
pub struct Count {
    /// Each turn with the number of sequences that begin with it; `None` when it was stopped.
    pub divided: Option<Vec<(String, u64)>>,
    /// The number of sequences; 0 when it was stopped.
    pub total: u64,
    /// Since the count was asked for.
    pub elapsed: Duration,
}

/// What a search must know of the game before.
pub(super) struct Past {
    /// Repetition keys ([`crate::game::Record::recent_keys`]).
    pub keys: Vec<u64>,
    /// Where the stream of luck stands.
    pub luck: Luck,
    /// How the game ended, if it is over, and whose turn it would be.
    pub over: Option<(Outcome, Color)>,
}

/// What the thread is given to do, and through what it tells of it. Nothing here knows the game, so that channel and
/// thread are compiled once and not for every game.
type Job = Box<dyn FnOnce(&dyn Fn(u64, News)) + Send>;

/// Sequences of turns to be counted.
pub(super) struct Counting<G: Playable> {
    pub state: G,
    /// Only those that begin so; empty for all.
    pub beginnings: Vec<Vec<G::Decision>>,
    pub depth: u32,
    pub id: u64,
    pub threads: usize,
    pub clock: Arc<dyn Clock>,
    pub control: Arc<Control>,
}

struct Search<G: Playable> {
    state: G,
    past: Past,
    only: Vec<Vec<G::Decision>>,
    think: Think,
    table: Arc<TranspositionTable>,
    control: Arc<Control>,
}

/// Owns the thread, which begins with the first job; dropping it stops the search and waits for the thread to end.
pub(super) struct SearchThread {
    game: &'static Facts,
    events: Sender<Event>,
    running: Option<(Sender<Job>, JoinHandle<()>)>,
    control: Arc<Control>,
}

impl SearchThread {
    pub fn new(game: &'static Facts, events: Sender<Event>) -> Self {
        Self { game, events, running: None, control: Arc::default() }
    }

    /// Begins to search.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn search<G: Playable>(
        &mut self,
        state: G,
        past: Past,
        only: Vec<Vec<G::Decision>>,
        think: Think,
        table: Arc<TranspositionTable>,
    ) -> io::Result<Arc<Control>> {
        self.control = Arc::new(Control::new(think.pondering));
        let control = self.control.clone();
        let search = Search { state, past, only, think, table, control };
        self.give(Box::new(move |tell| {
            let id = search.think.id;
            let choice = guarded(|| choose(&search, &mut |news| tell(id, news)));
            let choice = choice.unwrap_or_else(|reason| {
                // The rules themselves fail in this position: there is nothing to say.
                tell(id, News::Panicked(reason));
                Choice { elapsed: search.think.clock.elapsed(), ..Choice::NOTHING }
            });
            tell(id, News::Done(choice));
        }))
    }

    /// Begins to count sequences of turns.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn count<G: Playable>(&mut self, counting: Counting<G>) -> io::Result<Arc<Control>> {
        self.control = counting.control.clone();
        self.give(Box::new(move |tell| {
            let id = counting.id;
            let (divided, total) = guarded(|| counting.run()).unwrap_or_else(|reason| {
                tell(id, News::Panicked(reason));
                (None, 0)
            });
            tell(id, News::Counted(Count { divided, total, elapsed: counting.clock.elapsed() }));
        }))
    }

    fn give(&mut self, job: Job) -> io::Result<Arc<Control>> {
        let (jobs, _) = match &mut self.running {
            Some(running) => running,
            none => {
                let (jobs, inbox) = bounded::<Job>(1);
                let events = self.events.clone();
                let thread = Builder::new().name(format!("search {}", self.game.name)).stack_size(STACK);
                let work = move || {
                    // When nobody listens any more, the session is being dropped, and so is this thread's work.
                    let tell = |id, news| drop(events.send(Event { id, news }));
                    inbox.iter().for_each(|job| job(&tell));
                };
                none.insert((jobs, thread.spawn(work)?))
            }
        };
        jobs.send(job).map_err(|_| io::Error::other("the search thread is gone"))?;
        Ok(self.control.clone())
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.control.stop();
        if let Some((jobs, thread)) = self.running.take() {
            drop(jobs);
            let _ = thread.join();
        }
    }
}

impl<G: Playable> Counting<G> {
    /// Each turn with the number of sequences that begin with it, and the number of all.
    fn run(&self) -> (Option<Vec<(String, u64)>>, u64) {
        let Self { state, beginnings, depth, threads, control, .. } = self;
        let divided = perft::divide_below(state, beginnings, *depth, *threads, control.stop_flag());
        let text = |(path, count): (Vec<G::Decision>, u64)| (turn_text(state, &path), count);
        let total = match &divided {
            // Nothing is one sequence, and no turn begins it.
            Some(_) if *depth == 0 => 1,
            Some(turns) => turns.iter().map(|(_, count)| count).sum(),
            None => 0,
        };
        (divided.map(|turns| turns.into_iter().map(text).collect()), total)
    }
}

/// A whole turn as one word: the legs show who speaks. A turn that is not complete ends with a comma.
pub fn turn_text<G: Playable>(state: &G, decisions: &[G::Decision]) -> String {
    let legs = turns_text(state, decisions).into_iter().flat_map(|token| token.legs);
    let mut text = legs.map(|leg| leg.to_string()).collect::<Vec<_>>().join(",");
    let mut after = state.clone();
    decisions.iter().for_each(|&decision| after.apply(decision));
    if !after.between_turns() && after.actor() != Actor::Nobody {
        text.push(',');
    }
    text
}

/// Searches until the actor's word is complete: one decision in most games, several where a turn has steps. Where chance
/// is ours to speak for, it speaks, and the word goes on behind it.
///
/// A search that panics has found what it told last, or else the first legal decision.
fn choose<G: Playable>(job: &Search<G>, tell: &mut dyn FnMut(News)) -> Choice {
    let mut state = job.state.clone();
    let mut history = job.past.keys.clone();
    let mut only = job.only.clone();
    let mut limits = job.think.limits;
    let shown = limits.lines.max(1);
    if let Some(handicap) = &job.think.handicap {
        handicap.restrict(&mut limits);
    }
    let mut luck = job.past.luck;
    let speaker = job.state.actor();
    let mut said = Vec::new();
    let mut choice = Choice::NOTHING;
    if let Some((outcome, player)) = job.past.over {
        choice.score = match outcome.winner {
            None => DRAW,
            Some(winner) if winner == player => won_in(0),
            Some(_) => lost_in(0),
        };
        return choice;
    }
    while let Actor::Player(player) = speaker {
        // Only what this player may know is looked at; what he does not know is dealt in a way that depends on nothing
        // else.
        let view = state.view(player);
        let root = view.sample(&mut Rng::new(view.key()));
        let guessed = root.key() != state.key();
        let task = SearchTask {
            state: &root,
            history: &history,
            limits: &limits,
            only: &only,
            table: &job.table,
            control: &job.control,
            clock: &*job.think.clock,
            threads: job.think.threads,
        };
        let mut lines = Candidates::default();
        let mut last = None;
        let searched = guarded(|| {
            search::search(&task, |report, found| {
                lines.note(report, found);
                if report.rank == 1 {
                    let Report { score, depth, nodes, .. } = *report;
                    last = Some(SearchResult { line: found.to_vec(), score, depth, nodes });
                }
                if report.rank <= shown {
                    let tokens = if guessed {
                        // What was imagined cannot be played out in the real game.
                        turns_text(&job.state, &said).into_iter().chain(turns_text(&root, found)).collect()
                    } else {
                        turns_text(&job.state, &[&said, found].concat())
                    };
                    tell(News::Line(line(report, &tokens)));
                }
            })
        });
        let mut found = searched.unwrap_or_else(|reason| {
            tell(News::Panicked(reason));
            last.unwrap_or_else(|| unsearched(&root, &only))
        });
        if let Some(handicap) = &job.think.handicap
            && let Some((score, line)) = handicap.choose(&lines, root.key())
        {
            (found.score, found.line) = (score, line.to_vec());
        }
        if said.is_empty() {
            choice.score = found.score;
        }
        choice.nodes += found.nodes;
        let mut rest = found.line.as_slice();
        let Some((&first, _)) = rest.split_first() else { break };
        // The whole word, as far as the line knows it; behind chance it knows nothing.
        let mut next = Some(first);
        while let Some(decision) = next {
            said.push(decision);
            state.apply(decision);
            follow(&mut only, decision);
            rest = &rest[1..];
            next = rest.first().copied().filter(|_| state.actor() == speaker && !guessed);
        }
        while let Some(decision) = luck.draw(&state) {
            said.push(decision);
            state.apply(decision);
            luck.attempt += 1;
            rest = &[];
        }
        if state.actor() != speaker {
            choice.ponder = if guessed { None } else { reply(&state, rest) };
            break;
        }
        history.clear();
        if job.think.handicap.is_none() {
            limits.lines = 1;
        }
    }
    if !said.is_empty() {
        choice.token = Some(write_token(&job.state, &said).to_string());
    }
    choice.elapsed = job.think.clock.elapsed();
    choice
}

/// The first that is legal, or was asked for.
fn unsearched<G: Playable>(state: &G, only: &[Vec<G::Decision>]) -> SearchResult<G::Decision> {
    let first = || {
        let mut list = Decisions::new();
        state.sorted_decisions(&mut list);
        list.first().map_or_else(Vec::new, |&decision| vec![decision])
    };
    SearchResult { line: only.first().cloned().unwrap_or_else(first), score: DRAW, depth: 0, nodes: 0 }
}

/// What is left of the beginnings that were asked for once `decision` is made; empty when one of them is complete.
fn follow<D: Copy + Eq>(only: &mut Vec<Vec<D>>, decision: D) {
    only.retain_mut(|beginning| {
        let followed = beginning.first() == Some(&decision);
        if followed {
            beginning.remove(0);
        }
        followed
    });
    if only.iter().any(Vec::is_empty) {
        only.clear();
    }
}

fn reply<G: Playable>(state: &G, line: &[G::Decision]) -> Option<String> {
    let token = turns_text(state, line).into_iter().next()?;
    (!token.open && matches!(state.actor(), Actor::Player(_))).then(|| token.to_string())
}

fn line(report: &Report, tokens: &[Token]) -> Line {
    Line { report: *report, tokens: tokens.iter().map(ToString::to_string).collect() }
}
