//! Signals that end a runner and its engines together, as clusters and systemd send them, in whatever order they arrive: no
//! engine loses by them. `tests/slurm` tries it with a real cluster.
use crate::matches::faults::{engine, entry, settings};
use carom::arena::{MatchEvent, MatchState, Tournament, TournamentError};
use carom::pgn::{GameRecord, Termination};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("carom-signals-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// When the runner is told to stop.
#[derive(Clone, Copy, PartialEq)]
enum Stop {
    DuringTheGame,
    AfterTheEngine,
    Never,
}

/// Plays one game in the middle of which Black's engine ends; how the game ended, if it was played.
fn cut_off(when: Stop, grace: Duration) -> Option<Termination> {
    let folder = folder("cut-off");
    let once = folder.join("once");
    let mut entries = engine(0, "good", "uci", None);
    entries.extend(engine(1, "crash", "uci", once.to_str()));
    entries.extend([
        entry("", 0, "games", "1"),
        entry("", 0, "most-turns", "20"),
        entry("each", 0, "tc", "600"),
    ]);
    let (mut tournament, engines) = Tournament::prepare(settings(&entries)).unwrap();
    tournament.grace = grace;
    let stop = AtomicBool::new(false);
    let (mut state, mut endings) = (MatchState::default(), Vec::new());
    let mut tell = |event: MatchEvent, _: &MatchState| -> Result<(), TournamentError> {
        match event {
            MatchEvent::Started(_) if when == Stop::DuringTheGame => stop.store(true, Ordering::Relaxed),
            MatchEvent::Finished(game) => endings.push(Some(game.termination)),
            MatchEvent::Unplayed(_) => endings.push(None),
            _ => {}
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        if when == Stop::AfterTheEngine {
            scope.spawn(|| {
                // It writes the file before it ends.
                while !once.exists() {
                    std::thread::yield_now();
                }
                stop.store(true, Ordering::Relaxed);
            });
        }
        tournament.run(engines, &mut state, &stop, None, &mut tell).unwrap();
    });
    let [ending] = endings[..] else { panic!("{endings:?}") };
    assert_eq!(state.done.len(), usize::from(ending.is_some()), "what was not played is not counted");
    std::fs::remove_dir_all(folder).unwrap();
    ending
}

#[test]
fn an_engine_that_ends_as_the_match_is_stopped_has_not_lost_and_one_that_ends_alone_has() {
    assert_eq!(cut_off(Stop::DuringTheGame, Duration::ZERO), None);
    assert_eq!(cut_off(Stop::AfterTheEngine, Duration::from_secs(3600)), None);
    assert_eq!(cut_off(Stop::Never, Duration::ZERO), Some(Termination::Disconnect));
}

const GAMES: usize = 8;

/// A match of [`GAMES`] games, two at a time; the first engine to come to its second turn stays there unless `once` exists.
struct Match {
    folder: PathBuf,
    child: Child,
    lines: Box<dyn Iterator<Item = String>>,
    errors: Box<dyn Iterator<Item = String>>,
}

impl Match {
    fn begin(folder: &Path) -> Self {
        let own = std::env::current_exe().unwrap();
        let script =
            format!("echo $$ >>pids; exec {} common::odd_engine::plays --exact --nocapture", own.display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped()).arg("match");
        for name in ["name=A", "name=B"] {
            command.args([
                "-engine",
                "cmd=sh",
                "arg=-c",
                &format!("arg={script}"),
                name,
                "proto=uci",
                "tc=6000",
            ]);
            command.args(["env.ODD_HABIT=hang", "env.ODD_ONCE=once", "quit=0.1"]);
        }
        command.args(["-rounds", &(GAMES / 2).to_string(), "-concurrency", "2", "-most-turns", "12"]);
        command.args(["-seed", "3", "-journal", "m.jsonl", "-pgnout", "m.pgn"]);
        let mut child = command.spawn().unwrap();
        let lines = Box::new(BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok));
        let errors = Box::new(BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok));
        Self { folder: folder.to_owned(), child, lines, errors }
    }

    /// Goes on until one game is stuck and some are over.
    fn until_in_the_middle(&mut self) {
        let finished = |line: &String| line.starts_with("Finished game");
        assert_eq!(self.lines.by_ref().filter(finished).take(3).count(), 3);
        assert!(self.folder.join("once").exists());
    }

    fn runner(&self) -> Pid {
        Pid::from_raw(self.child.id() as i32).unwrap()
    }

    fn signal_engines(&self, signal: Signal) {
        let pids = std::fs::read_to_string(self.folder.join("pids")).unwrap();
        for pid in pids.lines().map(|line| line.parse().unwrap()) {
            // Some have ended, and been restarted, before.
            let _ = kill_process(Pid::from_raw(pid).unwrap(), signal);
        }
    }

    /// Goes on until it says this to its standard error.
    fn hear_error(&mut self, text: &str) {
        assert!(self.errors.any(|line| line.contains(text)), "it never said {text}");
    }

    /// The rest of its output and of its standard error, and its exit code.
    fn end(mut self) -> (String, String, Option<i32>) {
        let [out, err] = [self.lines, self.errors].map(|lines| lines.collect::<Vec<_>>().join("\n"));
        (out, err, self.child.wait().unwrap().code())
    }
}

/// The games of the match in `folder` by number, without what a clock measured.
fn games(folder: &Path) -> Vec<GameRecord> {
    let mut games = crate::matches::records::games(&folder.join("m.jsonl"));
    games.sort_by_key(|game| game.number);
    games
}

#[test]
fn a_match_killed_with_its_engines_in_any_order_goes_on_to_what_it_would_have_been() {
    let whole = folder("whole");
    std::fs::write(whole.join("once"), "").unwrap();
    let (_, err, code) = Match::begin(&whole).end();
    assert_eq!(code, Some(0), "{err}");
    let expected = games(&whole);
    assert_eq!(expected.len(), GAMES);
    for (engines_first, signal) in
        [(true, Signal::TERM), (true, Signal::KILL), (false, Signal::TERM), (false, Signal::KILL)]
    {
        let what = format!("{signal:?}, engines first: {engines_first}");
        let folder = folder("killed");
        let mut played = Match::begin(&folder);
        played.until_in_the_middle();
        if engines_first {
            // It learns of both when it goes on.
            kill_process(played.runner(), Signal::STOP).unwrap();
            waitpid(Some(played.runner()), WaitOptions::UNTRACED).unwrap().unwrap();
            played.signal_engines(signal);
            kill_process(played.runner(), Signal::TERM).unwrap();
            kill_process(played.runner(), Signal::CONT).unwrap();
        } else {
            kill_process(played.runner(), Signal::TERM).unwrap();
            // The stuck game goes on, and no other is begun.
            played.hear_error("running games are finished first");
            played.signal_engines(signal);
        }
        let (out, err, code) = played.end();
        assert_eq!(code, Some(1), "{what}: {err}");
        assert!(err.contains("stopped after "), "{what}: {err}");
        assert!(out.contains(" was given up: it is not counted"), "{what}: {out}");
        assert!(!out.contains("disconnect"), "{what}: {out}");
        assert!(games(&folder).len() < GAMES, "{what}");
        let (_, err, code) = Match::begin(&folder).end();
        assert_eq!(code, Some(0), "{what}: {err}");
        assert_eq!(games(&folder), expected, "{what}");
        let pgn = std::fs::read_to_string(folder.join("m.pgn")).unwrap();
        assert_eq!((pgn.matches("[Event ").count(), pgn.contains("disconnect")), (GAMES, false), "{what}");
        std::fs::remove_dir_all(folder).unwrap();
    }
    std::fs::remove_dir_all(whole).unwrap();
}

#[test]
fn an_engine_killed_alone_loses_its_game_and_the_match_goes_on() {
    for signal in [Signal::TERM, Signal::KILL] {
        let folder = folder("alone");
        let mut played = Match::begin(&folder);
        // All others are over, so that only the stuck game can be hurt.
        let finished = |line: &String| line.starts_with("Finished game");
        assert_eq!(played.lines.by_ref().filter(finished).take(GAMES - 1).count(), GAMES - 1);
        played.signal_engines(signal);
        let (out, err, code) = played.end();
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains(" disconnects}"), "{out}");
        let faults = games(&folder).iter().filter(|game| game.termination == Termination::Disconnect).count();
        assert_eq!((games(&folder).len(), faults), (GAMES, 1));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
