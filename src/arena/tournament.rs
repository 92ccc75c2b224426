//! A match: it hands games out to workers and collects the results.

use super::game::{AbsentPlayer, GameSetup, GameSnapshot, play};
use super::schedule::{Next, Pairing};
use super::settings::{EngineSettings, Settings, SettingsError};
use super::{Clocks, EnginePlayer, Fault, NewGame, OpeningBook, Player, referee};
use super::{MatchState, affinity, claims};
use crate::base::without_controls;
use crate::client::{Arbiter, RefereeError};
use crate::connection::EngineCommand;
use crate::pgn::{GameRecord, Termination};
use crate::session::PlayerClock;
use crate::session::chance::Chance;
use crate::session::{OpaqueSession, Session};
use crossbeam_channel::{RecvTimeoutError, Sender, bounded, unbounded};
use litemap::LiteMap;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An engine that has been started.
pub type RunningEngine = Box<dyn Player + Send>;

/// A match ready to be played.
pub struct Tournament {
    /// The settings of the match.
    pub settings: Settings,
    /// The openings.
    pub book: OpeningBook,
    /// The engines' names, all different.
    pub names: Vec<String>,
    /// How long to wait after an engine's process has ended for `stop` to be set, which shows that engine and
    /// match were ended together. Clusters signal all processes of a job, one after the other.
    pub grace: Duration,
    commands: Vec<EngineCommand>,
    /// The values of some options that the engines declared.
    declared: Vec<BTreeMap<&'static str, String>>,
}

/// Options whose values reports tell.
const TOLD_OPTIONS: [&str; 2] = ["Threads", "Hash"];

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The settings cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// An engine cannot be used.
    #[error("engine {place}{}: {fault}", name.as_ref().map_or(String::new(), |name| format!(" ({name})")))]
    Engine {
        /// The number of the engine, from 1 on.
        place: usize,
        /// The name that the user gave it.
        name: Option<String>,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The process cannot find its own executable.
    #[error("where am I? {0}")]
    Nowhere(std::io::Error),
    /// No thread can be started, not even for one game at a time.
    #[error("no thread can be had: {0}")]
    Threads(std::io::Error),
    /// An engine has ended or hangs, and the settings ask for an end of the match then.
    #[error("an engine crashed; with -recover a match goes on")]
    Crash,
    /// A game could not be played for a reason that is not the players' fault.
    #[error("game {0}: {1}")]
    Game(u64, String),
}

/// An event of a running match.
pub enum MatchEvent {
    /// A game begins.
    Started(Pairing),
    /// A game is over.
    Finished(Box<GameRecord>),
    /// A game was abandoned because engines and match are being ended together. It counts as if it had never
    /// begun.
    Unplayed(Pairing),
    /// A picture of a running game, as the spectator draws it.
    Board(String),
    /// A quarter of a second has passed without news.
    Tick,
}

/// Sees a moment of a game, and may return a drawing of it.
pub type Spectator<'a> = &'a (dyn Fn(&Pairing, &GameSnapshot<'_>) -> Option<String> + Sync);

/// The value of [`Tournament::grace`].
const GRACE: Duration = Duration::from_millis(500);
/// The stack of a worker in bytes: the proof of a forced win goes deep.
const STACK: usize = 8 << 20;
/// The estimated threads of a game: a worker, its referee, and two engines with some threads each.
const THREADS_OF_A_GAME: usize = 12;
/// The most characters that are kept of an engine's own name.
const LONGEST_NAME: usize = 80;

impl Tournament {
    /// Reads the openings and starts every engine once, so that what cannot work is known before the first
    /// game. The started engines are returned for the first worker.
    ///
    /// # Errors
    /// When an opening is not legal, or an engine cannot be used.
    pub fn prepare(settings: Settings) -> Result<(Self, LiteMap<usize, RunningEngine>), TournamentError> {
        let book = OpeningBook::of(&settings)?;
        let own = std::env::current_exe().map_err(TournamentError::Nowhere)?;
        let command = |engine: &EngineSettings| {
            let usual = || EngineCommand { quit_timeout: engine.quit_timeout, ..EngineCommand::new(&own) };
            engine.command.clone().unwrap_or_else(usual)
        };
        let commands = settings.engines.iter().map(command).collect();
        let mut tournament =
            Self { settings, book, names: Vec::new(), grace: GRACE, commands, declared: Vec::new() };
        let mut running: LiteMap<usize, RunningEngine> = LiteMap::new();
        for place in 0..tournament.commands.len() {
            let broken = |fault: Fault| {
                let name = tournament.settings.engines[place].player.name.clone();
                // An engine without a name is called by its command, unless the fault already contains that.
                let command = format!("`{}`", tournament.commands[place]);
                let name = name.or(Some(command).filter(|command| !fault.to_string().contains(command)));
                TournamentError::Engine { place: place + 1, name, fault }
            };
            let mut engine = tournament.launch(place).map_err(broken)?;
            // Whether it knows the game is checked now. Other faults will show in the first game as well.
            let ready = match tournament.introduce(place, &mut engine) {
                Err(fault @ Fault::Unfit(_)) => return Err(broken(fault)),
                sent => sent.is_ok(),
            };
            tournament.settings.engines[place].protocol.get_or_insert(engine.protocol());
            let declared = TOLD_OPTIONS.iter().filter_map(|name| Some((*name, engine.declared(name)?)));
            tournament.declared.push(declared.collect());
            let own: String = without_controls(engine.name().trim()).chars().take(LONGEST_NAME).collect();
            let own = if own.is_empty() { format!("Engine {}", place + 1) } else { own };
            let taken = |name: &String| tournament.names.contains(name);
            let unlike = std::iter::once(own.clone()).chain((2..).map(|number| format!("{own} {number}")));
            let name = unlike.into_iter().find(|name| !taken(name)).unwrap_or(own);
            if ready && name == engine.name() {
                running.insert(place, Box::new(engine));
            }
            tournament.settings.engines[place].player.name = Some(name.clone());
            tournament.names.push(name);
        }
        if tournament.settings.claims && tournament.settings.referee.is_none() {
            claims::check(&tournament.names, &tournament.settings.engines)?;
        }
        Ok((tournament, running))
    }

    /// The value of the option `Threads` or `Hash` of an engine: what the settings say, else what it
    /// declared.
    pub fn option(&self, place: usize, name: &str) -> Option<String> {
        let declared = self.declared.get(place)?.get(name)?;
        let player = &self.settings.engines[place].player;
        let mut set = player.options.iter().rev().chain(player.shared_options.iter().rev());
        Some(set.find(|(own, _)| own == name).map_or(declared, |(_, value)| value).clone())
    }

    fn launch(&self, place: usize) -> Result<EnginePlayer, Fault> {
        let EngineSettings { protocol, player, .. } = &self.settings.engines[place];
        EnginePlayer::launch(&self.commands[place], *protocol, player)
    }

    /// Lets the engine at `place` begin a game that is not played.
    fn introduce(&self, place: usize, engine: &mut dyn Player) -> Result<(), Fault> {
        let Settings { facts, rules, engines, .. } = &self.settings;
        // Where cards are hidden, a first position would reveal them.
        let position = self.book.at(0).position.clone().filter(|_| !facts.chance);
        let limits = engines[place].limits;
        let clock = PlayerClock::new(limits.control);
        engine.begin(
            &NewGame { facts, rules, position, secret: false },
            &Clocks { own: clock, other: clock, limits },
        )
    }

    /// True when the game belongs to the part of the match that is played here. Pairs stay together.
    fn is_ours(&self, pairing: &Pairing) -> bool {
        self.settings.records.shard.is_none_or(|shard| shard.has(pairing.pair))
    }

    /// The number of games to play here, finished ones included; `None` when it depends on results.
    pub fn total(&self) -> Option<u64> {
        let schedule = &self.settings.schedule;
        match self.settings.records.shard {
            None => schedule.total(),
            Some(shard) => schedule.total_of_part(shard.part, shard.parts),
        }
    }

    /// Plays the games that are missing in `state` until all are played, the sequential test has decided, or
    /// `stop` is set. Games under way are then finished, unless an engine's process ends. `running` are
    /// engines that are started already. `tell` receives each event and the state after it.
    ///
    /// # Errors
    /// An error returned by `tell` ends the match, as does a game that could not be played.
    pub fn run<E: From<TournamentError> + Send>(
        &self,
        running: LiteMap<usize, RunningEngine>,
        state: &mut MatchState,
        stop: &AtomicBool,
        spectator: Option<Spectator<'_>>,
        tell: &mut dyn FnMut(MatchEvent, &MatchState) -> Result<(), E>,
    ) -> Result<(), E> {
        let schedule = &self.settings.schedule;
        let (jobs, orders) = bounded::<Pairing>(0);
        let (reports, events) = unbounded();
        let to_play = self.total().map_or(usize::MAX, |total| usize::try_from(total).unwrap_or(usize::MAX));
        let wanted = self.settings.records.concurrency.unwrap_or(1).min(to_play).max(1);
        std::thread::scope(|scope| {
            let mut running = Some(running);
            // Each worker waits until it is needed.
            let mut begins = Vec::new();
            for worker in 0..wanted {
                let (orders, reports) = (orders.clone(), reports.clone());
                let running = running.take().unwrap_or_default();
                // Only one game at a time is watched, that of the first worker.
                let spectator = spectator.filter(|_| worker == 0);
                let (begin, is_wanted) = bounded::<()>(1);
                let work = move || {
                    if is_wanted.recv().is_err() {
                        return;
                    }
                    let bound = self
                        .settings
                        .records
                        .affinity
                        .as_deref()
                        .is_some_and(|processors| affinity::bind(processors, worker).is_ok());
                    // What was started before runs anywhere.
                    let running = if bound { LiteMap::new() } else { running };
                    let mut worker = match Worker::new(self, running) {
                        Ok(worker) => worker,
                        Err(error) => {
                            let failed =
                                |pairing: Pairing| TournamentError::Game(pairing.number, error.to_string());
                            orders.into_iter().for_each(|pairing| drop(reports.send(Err(failed(pairing)))));
                            return;
                        }
                    };
                    let wait = Duration::from_millis(self.settings.records.wait.unwrap_or_default());
                    let mut first = true;
                    for pairing in orders {
                        if !std::mem::take(&mut first) && !wait.is_zero() {
                            is_set_within(stop, wait);
                        }
                        let play = || worker.play(&pairing, spectator, stop, &reports);
                        // A panic in one game must not leave the others waiting for its report.
                        let report = catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|_| {
                            Err(TournamentError::Game(pairing.number, "the runner failed".to_owned()))
                        });
                        if reports.send(report).is_err() {
                            break;
                        }
                    }
                };
                let thread = std::thread::Builder::new().stack_size(STACK);
                match thread.spawn_scoped(scope, work) {
                    Ok(_) => begins.push(begin),
                    Err(error) if worker == 0 => return Err(TournamentError::Threads(error).into()),
                    Err(error) => {
                        // The threads that could be had must serve the engines as well.
                        begins.truncate((begins.len() / THREADS_OF_A_GAME).max(1));
                        let fewer = begins.len();
                        log::warn!(
                            "{fewer} games at a time and not {wanted}: no more threads can be had ({error})"
                        );
                        break;
                    }
                }
            }
            let workers = begins.len();
            for begin in begins {
                let _ = begin.send(());
            }
            drop((orders, reports));
            let mut next = 1;
            let mut in_play = 0;
            let mut outcome = Ok(());
            let mut ended = false;
            loop {
                while in_play < workers
                    && outcome.is_ok()
                    && !ended
                    && state.decided.is_none()
                    && !stop.load(Ordering::Relaxed)
                {
                    if state.done.contains(&next) {
                        next += 1;
                        continue;
                    }
                    let Next::Play(pairing) = schedule.game(next, &state.results) else { break };
                    next += 1;
                    if self.is_ours(&pairing) {
                        outcome = tell(MatchEvent::Started(pairing.clone()), state);
                        if jobs.send(pairing).is_err() {
                            break;
                        }
                        in_play += 1;
                    }
                }
                if in_play == 0 {
                    break;
                }
                match events.recv_timeout(Duration::from_millis(250)) {
                    Ok(Ok(MatchEvent::Finished(game))) => {
                        in_play -= 1;
                        state.add(&self.settings, &game);
                        let crashed = game.termination.is_absence() || game.termination == Termination::Stall;
                        outcome = outcome.and_then(|()| tell(MatchEvent::Finished(game), state));
                        if crashed && self.settings.records.ends_at_a_crash() {
                            ended = true;
                        }
                    }
                    Ok(Ok(unplayed @ MatchEvent::Unplayed(_))) => {
                        in_play -= 1;
                        outcome = outcome.and_then(|()| tell(unplayed, state));
                    }
                    Ok(Ok(other)) => outcome = outcome.and_then(|()| tell(other, state)),
                    Ok(Err(error)) => {
                        in_play -= 1;
                        outcome = outcome.and(Err(error.into()));
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        outcome = outcome.and_then(|()| tell(MatchEvent::Tick, state))
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            drop(jobs);
            if ended { outcome.and(Err(TournamentError::Crash.into())) } else { outcome }
        })
    }
}

/// Plays one game after the other and keeps the engines that it needs again.
struct Worker<'a> {
    tournament: &'a Tournament,
    running: LiteMap<usize, RunningEngine>,
    session: Box<dyn Session>,
    /// Who knows the rules of a game that is not ours.
    arbiter: Option<Arc<Arbiter>>,
}

impl<'a> Worker<'a> {
    fn new(tournament: &'a Tournament, running: LiteMap<usize, RunningEngine>) -> Result<Self, RefereeError> {
        let settings = &tournament.settings;
        let arbiter = settings.referee.as_ref().map(Arbiter::start).transpose()?.map(Arc::new);
        let session: Box<dyn Session> = match &arbiter {
            Some(arbiter) => Box::new(OpaqueSession::judged(settings.facts, arbiter.clone())),
            None => referee(settings.facts, &settings.rules),
        };
        Ok(Self { tournament, running, session, arbiter })
    }

    /// The running engine at `place`, or a player that loses at once with the reason.
    fn engine(&mut self, place: usize) -> RunningEngine {
        self.running.remove(&place).unwrap_or_else(|| match self.tournament.launch(place) {
            Ok(engine) => Box::new(engine),
            Err(fault) => Box::new(AbsentPlayer { name: self.tournament.names[place].clone(), fault }),
        })
    }

    fn play(
        &mut self,
        pairing: &Pairing,
        spectator: Option<Spectator<'_>>,
        hurry: &AtomicBool,
        reports: &Sender<Result<MatchEvent, TournamentError>>,
    ) -> Result<MatchEvent, TournamentError> {
        let tournament = self.tournament;
        let settings = &tournament.settings;
        let failed = |why: String| TournamentError::Game(pairing.number, why);
        self.running.retain(|place, _| pairing.engines.contains(place));
        let mut running = pairing.engines.map(|place| self.engine(place));
        let start = tournament.book.at(pairing.opening);
        self.session.set_chance(Chance::Own { seed: pairing.seed });
        let position = start.position.as_deref();
        self.session.set_up(position, &mut std::iter::empty()).map_err(|error| failed(error.to_string()))?;
        let setup = GameSetup {
            new_game: NewGame {
                facts: settings.facts,
                rules: &settings.rules,
                position: start.position.clone(),
                secret: false,
            },
            book: &start.turns,
            limits: pairing.engines.map(|place| settings.engines[place].limits),
            adjudication: settings.adjudication,
            claims: settings.claims,
            hurry,
        };
        let [white, black] = &mut running;
        let mut watch = |snapshot: &GameSnapshot<'_>| {
            if let Some(picture) = spectator.and_then(|see| see(pairing, snapshot)) {
                let _ = reports.send(Ok(MatchEvent::Board(picture)));
            }
        };
        let players: [&mut dyn Player; 2] = [&mut **white, &mut **black];
        let game = play(&mut *self.session, &setup, players, &mut watch)
            .map_err(|error| failed(error.to_string()))?;
        if let Some(why) = self.arbiter.as_ref().and_then(|arbiter| arbiter.failure()) {
            return Err(failed(why));
        }
        if game.ending.termination.is_absence() && is_set_within(hurry, tournament.grace) {
            return Ok(MatchEvent::Unplayed(pairing.clone()));
        }
        // An engine that broke the rules of its protocol is started anew.
        let at_fault =
            game.ending.winner.filter(|_| game.ending.termination.is_fault()).map(|winner| !winner);
        for (color, engine) in crate::base::Color::ALL.into_iter().zip(running) {
            let place = pairing.engines[color.index()];
            let reusable = game.reusable[color.index()] && at_fault != Some(color);
            if reusable && !settings.engines[place].restart {
                self.running.insert(place, engine);
            }
        }
        let controls = setup.limits.map(|limits| limits.control);
        let record = pairing.record(game, start.position.clone(), controls);
        Ok(MatchEvent::Finished(Box::new(record)))
    }
}

/// True when `flag` is set now or after less than `time`, counted by the sleeps of this thread: no time
/// passes while the whole process is halted.
fn is_set_within(flag: &AtomicBool, time: Duration) -> bool {
    const STEP: Duration = Duration::from_millis(10);
    let mut left = time;
    loop {
        if flag.load(Ordering::Relaxed) {
            return true;
        }
        if left.is_zero() {
            return false;
        }
        std::thread::sleep(STEP.min(left));
        left = left.saturating_sub(STEP);
    }
}
