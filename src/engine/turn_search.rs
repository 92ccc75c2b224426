//! From a request to the jobs of the search thread, and the search for a whole turn.

use super::events::{BestMove, EngineMessage, PerftResult, PvLine, SearchEvent};
use super::handicap::{Candidates, Handicap};
use super::panics::guarded;
use super::search_thread::Job;
use crate::base::score::{DRAW, lost_in, won_in};
use crate::base::{Color, Rng};
use crate::game::{Actor, Decisions, GenType, Outcome, Playable, Tables, perft, turns_text, write_token};
use crate::notation::Token;
use crate::search::{
    self, Clock, Control, Limits, Player, Report, SearchResult, SearchTask, TranspositionTable,
};
use crate::session::chance::{Chance, ChanceStream};
use crate::session::{GameSession, OpaqueSession, Session, SessionError, turn_text};
use std::sync::Arc;
use std::time::Duration;

/// What a protocol asks to be searched.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// When the search ends.
    pub limits: Limits,
    /// Consider only these tokens, or what begins with them; empty for all.
    pub searchmoves: Vec<String>,
    /// True while the opponent is still thinking.
    pub ponder: bool,
    /// Search only for the player's own part of the turn: no outcome of chance is drawn or looked at, not
    /// even where the engine would draw it itself.
    pub own_words: bool,
    /// The side the engine plays, if it is not the side to decide.
    pub seat: Option<Color>,
    /// The time on the opponent's clock, for engines that make use of it.
    pub opponent_clock: Option<Duration>,
}

/// What the engine adds to a request: what its options set, and its table and clock.
pub struct SearchSettings {
    /// The number of threads.
    pub(super) threads: usize,
    /// How much to weaken play; `None` for full strength.
    pub(super) handicap: Option<Handicap>,
    /// The algorithm that chooses the moves.
    pub(super) player: Player,
    /// The seed of players that choose at random.
    pub(super) seed: u64,
    /// Endgame tables to look into.
    pub(super) tables: Option<Arc<Tables>>,
    /// The transposition table.
    pub(super) table: Arc<TranspositionTable>,
    /// A clock that has been running since the command was read.
    pub(super) clock: Arc<dyn Clock>,
    /// Stops the search.
    pub(super) control: Arc<Control>,
}

/// Sequences of turns to be counted (perft).
pub struct PerftRequest {
    /// The number of turns in a sequence.
    pub depth: u32,
    /// Count only what begins with one of these tokens; empty for all.
    pub searchmoves: Vec<String>,
    /// The number of threads.
    pub threads: usize,
    /// A clock that has been running since the command was read.
    pub clock: Arc<dyn Clock>,
}

/// A session whose position can be searched.
pub trait Searchable: Session {
    /// The job that searches the present position.
    ///
    /// # Errors
    /// When one of the `searchmoves` is not legal.
    fn search_job(&self, request: SearchRequest, settings: SearchSettings) -> Result<Job, SessionError>;

    /// The job that counts sequences of turns from the present position.
    ///
    /// # Errors
    /// When one of the `searchmoves` is not legal.
    fn perft_job(&self, request: PerftRequest, control: Arc<Control>) -> Result<Job, SessionError>;

    /// The static evaluation of the position, without a search, in centipawns for White; 0 where the rules are
    /// not known.
    fn evaluation(&self) -> i32 {
        0
    }
}

impl<G: Playable> Searchable for GameSession<G> {
    fn search_job(&self, request: SearchRequest, settings: SearchSettings) -> Result<Job, SessionError> {
        let now = self.history().now();
        let mut only = beginnings(self, &request.searchmoves)?;
        // With a die, tokens that differ only in the number rolled become equal by this.
        for beginning in &mut only {
            // What chance or another player will decide cannot be asked for.
            let mut state = now.clone();
            let own = beginning.iter().take_while(|&&decision| {
                let own = state.actor() == now.actor();
                state.apply(decision);
                own
            });
            let own = own.count();
            beginning.truncate(own);
        }
        let record = self.history().record();
        let over = record.outcome().filter(|outcome| outcome.winner.is_some() || !G::DRAWS_ARE_CLAIMED);
        let mut stream = self.history().chance_stream();
        if request.own_words {
            stream.chance = Chance::Referee;
        }
        let (before_roll, rolled) = self.history().before_roll();
        let search = TurnSearch {
            state: now.clone(),
            before_roll: if request.own_words { now.clone() } else { before_roll.clone() },
            rolled: if request.own_words { Vec::new() } else { rolled },
            keys: record.recent_keys(),
            over: over.map(|outcome| (outcome, self.history().next_player())),
            stream,
            only: uncovered(only),
            limits: request.limits,
            settings,
        };
        Ok(Box::new(move |tell| {
            let best = guarded(|| search.run(&mut |event| tell(event))).unwrap_or_else(|reason| {
                // The rules themselves fail in this position: there is nothing to play.
                tell(SearchEvent::Failed(reason));
                BestMove { elapsed: search.settings.clock.elapsed(), ..BestMove::NONE }
            });
            tell(SearchEvent::BestMove(best));
        }))
    }

    fn perft_job(&self, request: PerftRequest, control: Arc<Control>) -> Result<Job, SessionError> {
        let below = uncovered(beginnings(self, &request.searchmoves)?);
        let state = self.history().now().clone();
        let PerftRequest { depth, threads, clock, .. } = request;
        let text = |state: &G, (path, count): (Vec<G::Decision>, u64)| (turn_text(state, &path), count);
        let count = move || {
            let turns = perft::divide_below(&state, &below, depth, threads, control.stop_flag());
            let sum = |turns: &Vec<(_, u64)>| turns.iter().map(|(_, count)| count).sum();
            // The empty sequence is one, and no turn begins it.
            let total = turns.as_ref().map_or(0, |turns| if depth == 0 { 1 } else { sum(turns) });
            (turns.map(|turns| turns.into_iter().map(|turn| text(&state, turn)).collect()), total)
        };
        Ok(Box::new(move |tell| {
            let (divided, total) = guarded(count).unwrap_or_else(|reason| {
                tell(SearchEvent::Failed(reason));
                (None, 0)
            });
            tell(SearchEvent::Perft(PerftResult { divided, total, elapsed: clock.elapsed() }));
        }))
    }

    fn evaluation(&self) -> i32 {
        self.history().now().static_eval()
    }
}

/// The error for a game whose rules are not known here.
fn unknown() -> SessionError {
    SessionError::Unable("the rules of this game are not known here".into())
}

impl Searchable for OpaqueSession {
    fn search_job(&self, _: SearchRequest, _: SearchSettings) -> Result<Job, SessionError> {
        Err(unknown())
    }

    fn perft_job(&self, _: PerftRequest, _: Arc<Control>) -> Result<Job, SessionError> {
        Err(unknown())
    }
}

fn beginnings<G: Playable>(
    session: &GameSession<G>,
    tokens: &[String],
) -> Result<Vec<Vec<G::Decision>>, SessionError> {
    tokens.iter().map(|token| session.beginning(token)).collect()
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

/// A search for everything the actor decides before someone else does.
struct TurnSearch<G: Playable> {
    state: G,
    /// Where we rolled for this turn, and what: the token says it, for the reader cannot know it otherwise.
    before_roll: G,
    rolled: Vec<G::Decision>,
    /// Repetition keys of the game so far ([`crate::game::Record::recent_keys`]).
    keys: Vec<u64>,
    /// How the game ended, if it is over, and whose turn it would be.
    over: Option<(Outcome, Color)>,
    stream: ChanceStream,
    only: Vec<Vec<G::Decision>>,
    limits: Limits,
    settings: SearchSettings,
}

impl<G: Playable> TurnSearch<G> {
    /// Searches until the actor's token is complete: after one decision in most games, after several where a
    /// turn has steps. Where the engine draws chance itself, it does so, and the token goes on after that.
    ///
    /// A search that panics returns the last line it reported, or else the first legal decision.
    fn run(&self, tell: &mut dyn FnMut(SearchEvent)) -> BestMove {
        let settings = &self.settings;
        let mut state = self.state.clone();
        let mut history = self.keys.clone();
        let mut only = self.only.clone();
        let mut limits = self.limits;
        let shown = limits.lines.max(1);
        if let Some(handicap) = &settings.handicap {
            handicap.restrict(&mut limits);
        }
        let mut stream = self.stream;
        let speaker = self.state.actor();
        let mut said = self.rolled.clone();
        let mut turn_keys = Vec::new();
        let mut best = BestMove::NONE;
        if let Some((outcome, player)) = self.over {
            best.score = match outcome.winner {
                None => DRAW,
                Some(winner) if winner == player => won_in(0),
                Some(_) => lost_in(0),
            };
            return best;
        }
        while let Actor::Player(player) = speaker {
            // The search looks only at what this player may know. What the player does not know is left to
            // chance, or dealt in a way that depends on nothing else.
            let view = state.view(player);
            let root = view.for_search(&mut Rng::new(view.key()));
            let guessed = root.key() != state.key();
            let task = SearchTask {
                state: &root,
                history: &history,
                turn_keys: &turn_keys,
                limits: &limits,
                only: &only,
                table: &settings.table,
                selectivity: &G::SELECTIVITY,
                win_model: state.facts().win_model,
                tables: settings.tables.as_deref(),
                control: &settings.control,
                clock: &*settings.clock,
                threads: settings.threads,
            };
            let mut lines = Candidates::default();
            let mut last = None;
            let searched = guarded(|| {
                let listen = &mut |report: &Report, found: &[G::Decision]| {
                    self.tell_table_faults(tell);
                    lines.note(report, found);
                    if report.rank == 1 {
                        let Report { score, depth, nodes, .. } = *report;
                        last = Some(SearchResult { line: found.to_vec(), score, depth, nodes });
                    }
                    if report.rank <= shown {
                        let tokens = if guessed {
                            // What was imagined cannot be played out in the real game.
                            turns_text(&self.before_roll, &said)
                                .into_iter()
                                .chain(turns_text(&root, found))
                                .collect()
                        } else {
                            turns_text(&self.before_roll, &[&said, found].concat())
                        };
                        tell(SearchEvent::Info(pv_line(report, &tokens)));
                    }
                };
                match settings.player {
                    Player::Search => search::search(&task, listen),
                    player => search::play(player, &task, settings.seed, listen),
                }
            });
            self.tell_table_faults(tell);
            let mut found = searched.unwrap_or_else(|reason| {
                tell(SearchEvent::Failed(reason));
                last.unwrap_or_else(|| unsearched(&root, &only))
            });
            if let Some(handicap) = &settings.handicap
                && let Some((score, line)) = handicap.choose(&lines, root.key())
            {
                (found.score, found.line) = (score, line.to_vec());
            }
            if said.len() == self.rolled.len() {
                best.score = found.score;
            }
            best.nodes += found.nodes;
            let mut rest = found.line.as_slice();
            let Some((&first, _)) = rest.split_first() else { break };
            // The whole token, as far as the line goes. After a chance event the line no longer counts.
            let mut next = Some(first);
            while let Some(decision) = next {
                said.push(decision);
                turn_keys.extend(state.turn_key());
                state.apply(decision);
                follow(&mut only, decision);
                rest = &rest[1..];
                // Where cards were imagined, only decisions that are legal in the real game continue the token.
                next = rest
                    .first()
                    .copied()
                    .filter(|&next| state.actor() == speaker && (!guessed || is_legal(&state, next)));
            }
            // A roll that begins the next turn is the other player's.
            while !state.between_turns()
                && let Some(decision) = stream.next(&state)
            {
                said.push(decision);
                state.apply(decision);
                rest = &[];
            }
            if state.actor() != speaker {
                best.ponder = if guessed { None } else { reply(&state, rest) };
                break;
            }
            history.clear();
            if settings.handicap.is_none() {
                limits.lines = 1;
            }
        }
        if said.len() > self.rolled.len() {
            best.token = Some(write_token(&self.before_roll, &said).to_string());
        }
        best.elapsed = settings.clock.elapsed();
        best
    }

    /// Reports faults in endgame tables that the search came across. It goes on without those tables.
    fn tell_table_faults(&self, tell: &mut dyn FnMut(SearchEvent)) {
        for (path, fault) in self.settings.tables.iter().flat_map(|tables| tables.take_faults()) {
            let text = format!("endgame table {}: {fault}", path.display());
            log::warn!("{text}");
            // Missing tables are common and only logged.
            let message = if fault.is_missing() { EngineMessage::Log } else { EngineMessage::Error };
            tell(SearchEvent::Message(message(text)));
        }
    }
}

fn is_legal<G: Playable>(state: &G, decision: G::Decision) -> bool {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    list.contains(&decision)
}

/// The first beginning that was asked for, or else the first legal decision.
fn unsearched<G: Playable>(state: &G, only: &[Vec<G::Decision>]) -> SearchResult<G::Decision> {
    let first = || {
        let mut list = Decisions::new();
        state.sorted_decisions(&mut list);
        list.first().map_or_else(Vec::new, |&decision| vec![decision])
    };
    SearchResult { line: only.first().cloned().unwrap_or_else(first), score: DRAW, depth: 0, nodes: 0 }
}

/// Drops the beginnings that `decision` does not continue, and cuts it off the others. When one of them is
/// complete, all are dropped.
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

fn pv_line(report: &Report, tokens: &[Token]) -> PvLine {
    PvLine { report: *report, pv: tokens.iter().map(ToString::to_string).collect() }
}
