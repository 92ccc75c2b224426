//! The command line. Without a subcommand Carom speaks the protocol that the first line of its input
//! requests.

mod analyse;
mod bench;
mod bridge;
mod completions;
mod comply;
mod games;
mod help;
mod learn;
#[cfg(feature = "serve")]
mod listen;
mod logging;
mod markdown;
mod matches;
mod merge;
mod openings;
mod pages;
mod perft;
mod play;
mod position;
mod progress;
mod prove;
mod ranker;
mod replay;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod spsa;
mod statistics;
mod tables;
mod terminal;
mod training;
mod version;
mod xboard;

use crate::base::without_controls;
use crate::connection::{adopt_orphans, ending, kill_all};
use crate::engine;
use anyhow::Context;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Strange chess games, each with an engine: in the browser, in XBoard, in the terminal, in scripts and
/// matches.
#[derive(Parser, Debug)]
#[command(name = "carom", version, max_term_width = 100)]
struct Arguments {
    /// Write the log to this file instead of standard error; RUST_LOG sets how much (error, warn, info,
    /// debug)
    #[arg(long, global = true, value_name = "FILE", value_parser = matches::log_parser())]
    log: Option<matches::LogWords>,
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// List the games
    Games,
    /// Tell how a game is played
    Rules(pages::RulesOf),
    /// Read a page about protocols, notation, matches, statistics or rules
    Docs(pages::Docs),
    /// Play in the terminal, against the engine or with a friend
    Play(Box<play::Play>),
    /// Learn a game on the board, task by task
    Learn(learn::Learn),
    /// Play in the browser
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    /// Play in the browser (left out of this build)
    #[cfg(not(feature = "serve"))]
    Serve {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        _rest: Vec<OsString>,
    },
    /// Watch what the engine thinks of a position
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Analyse),
    /// Step through the games of a PGN file
    Replay(replay::Replay),
    /// Count the turns that may follow a position (perft)
    Perft(perft::Perft),
    /// Search fixed positions: how fast, and whether the results are the same
    Bench(bench::Bench),
    /// Play in XBoard, with the right pieces, marks and window
    Xboard(xboard::Start),
    /// Let XBoard know the games: `xboard @GAME`
    Install(xboard::Install),
    /// Draw a position; with --json, all that the rules say of it
    Show(show::Show),
    /// Let engines play each other
    Match(Box<matches::Match>),
    /// Join the journals of parts of a match
    Merge(merge::Merge),
    /// Make even positions to begin matches from
    Openings(openings::Openings),
    /// Let the engine play itself, to learn from the games
    Datagen(training::Datagen),
    /// Learn a network from such games
    Train(training::Train),
    /// Learn from such games which steps of a turn are worth following
    TrainRanker(ranker::TrainRanker),
    /// Learn the weights of an evaluation from such games
    Tune(training::Tune),
    /// Tune the numbers of a game's search by games
    Spsa(spsa::Spsa),
    /// Make endgame tables, or check them
    Tables(tables::TablesOf),
    /// Prove that a side wins by force, or check such a proof
    Prove(Box<prove::Prove>),
    /// Is a sequential test (SPRT) over?
    Sprt(statistics::SprtTest),
    /// How much stronger is the first player?
    Elo(statistics::Elo),
    /// Rate the players of PGN files
    Rating(statistics::Rating),
    /// Check how an engine speaks UCI or the XBoard protocol
    Comply(comply::Comply),
    /// Let a UCI engine speak the XBoard protocol, or the other way round
    Bridge(bridge::Bridge),
    /// Serve an engine over TCP and WebSockets
    #[cfg(feature = "serve")]
    Listen(listen::Listen),
    /// Be an engine that listens elsewhere, for any program that starts engines
    #[cfg(feature = "serve")]
    Wire(listen::Wire),
    /// Print the completions for a shell
    Completions(completions::Completions),
    /// Print the manual page of Carom, or of a command
    Man(completions::Man),
}

/// What somebody reads who starts Carom without a command. Standard output belongs to the protocol.
const GREETING: &str = "\
Carom plays strange chess games. Three commands to begin with:
  carom serve hanniball --open    play in the browser
  carom play hanniball            play in this terminal
  carom games                     all games; `carom rules GAME --short` tells how one is played
Here it waits for a chess program to say `uci`, `ugi` or `xboard`; `quit` ends it. `carom --help` lists all commands.
";

/// The user's input cannot be used: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct BadInput(String);

fn bad_input(fault: impl Display) -> anyhow::Error {
    BadInput(fault.to_string()).into()
}

/// A file that the command line names cannot be read.
fn unreadable(path: &Path, error: &io::Error) -> anyhow::Error {
    bad_input(format!("cannot read {}: {error}", path.display()))
}

/// Runs the program with `arguments`, of which the first is the program's name. The exit code is 0 for
/// success, 1 for a failure, and 2 for wrong usage or input.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match help::parse(arguments) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    // A bridge logs the conversation, not its own actions.
    let mut log = arguments.log.unwrap_or_default();
    let conversation = match arguments.task {
        Some(Task::Bridge(_)) => log.file.take(),
        _ => None,
    };
    let mut strict = false;
    if let Some(Task::Match(played)) = &arguments.task {
        strict = played.is_strict();
        if played.shows_engine_lines() {
            log.level.get_or_insert_with(|| format!("warn,{}", matches::ENGINE_LINES));
        }
    }
    let done = logging::start(&log, strict).and_then(|()| run_task(arguments.task, conversation));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closed our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error:#}"));
            if error.downcast_ref::<BadInput>().is_some() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn run_task(task: Option<Task>, conversation: Option<PathBuf>) -> anyhow::Result<()> {
    match task {
        None => converse(),
        Some(Task::Games) => games::list(&mut io::stdout().lock()),
        Some(Task::Rules(rules)) => rules.run(&mut io::stdout().lock()),
        Some(Task::Docs(docs)) => docs.run(&mut io::stdout().lock()),
        Some(Task::Play(play)) => play.run(&mut io::stdout().lock()),
        Some(Task::Learn(learn)) => learn.run(&mut io::stdout().lock()),
        #[cfg(feature = "serve")]
        Some(Task::Serve(serve)) => serve.run(&mut io::stdout().lock()),
        #[cfg(not(feature = "serve"))]
        Some(Task::Serve { .. }) => {
            Err(bad_input("this build has no page; `cargo build --release` makes one that has"))
        }
        Some(Task::Analyse(analyse)) => analyse.run(&mut io::stdout().lock()),
        Some(Task::Replay(replay)) => replay.run(&mut io::stdout().lock()),
        Some(Task::Perft(perft)) => perft.run(&mut io::stdout().lock()),
        Some(Task::Bench(bench)) => bench.run(&mut io::stdout().lock()),
        Some(Task::Show(show)) => show.run(&mut io::stdout().lock()),
        Some(Task::Xboard(start)) => start.run(),
        Some(Task::Install(install)) => install.run(&mut io::stdout().lock()),
        Some(Task::Match(played)) => played.run(&mut io::stdout().lock()),
        Some(Task::Merge(merge)) => merge.run(&mut io::stdout().lock()),
        Some(Task::Openings(openings)) => openings.run(&mut io::stdout().lock()),
        Some(Task::Datagen(datagen)) => datagen.run(&mut io::stdout().lock()),
        Some(Task::Train(train)) => train.run(&mut io::stdout().lock()),
        Some(Task::TrainRanker(train)) => train.run(&mut io::stdout().lock()),
        Some(Task::Tune(tune)) => tune.run(&mut io::stdout().lock()),
        Some(Task::Spsa(spsa)) => spsa.run(&mut io::stdout().lock()),
        Some(Task::Tables(tables)) => tables.run(&mut io::stdout().lock()),
        Some(Task::Prove(prove)) => prove.run(&mut io::stdout().lock()),
        Some(Task::Sprt(sprt)) => sprt.run(&mut io::stdout().lock()),
        Some(Task::Elo(elo)) => elo.run(&mut io::stdout().lock()),
        Some(Task::Rating(rating)) => rating.run(&mut io::stdout().lock()),
        Some(Task::Comply(comply)) => comply.run(&mut io::stdout().lock()),
        Some(Task::Bridge(bridge)) => bridge.run(conversation, io::stdout()),
        #[cfg(feature = "serve")]
        Some(Task::Listen(listen)) => listen.run(&mut io::stdout().lock()),
        #[cfg(feature = "serve")]
        Some(Task::Wire(wire)) => wire.run(),
        Some(Task::Completions(completions)) => {
            completions.run(&mut help::command(), &mut io::stdout().lock())
        }
        Some(Task::Man(man)) => man.run(help::command(), &mut io::stdout().lock()),
    }
}

fn converse() -> anyhow::Result<()> {
    let mut hinted = !io::stdin().is_terminal();
    if !hinted && io::stdout().is_terminal() {
        eprint!("{GREETING}");
    }
    engine::run(io::stdin(), io::stdout(), |line| {
        let front_end = crate::uci::begin(line).or_else(|| crate::xboard::begin(line));
        if front_end.is_none() && !std::mem::replace(&mut hinted, true) {
            complain(
                "say `uci`, `ugi` or `xboard` first, or `quit`; `carom --help` tells what else there is",
            );
        }
        front_end
    })?;
    Ok(())
}

fn complain(text: &str) {
    // Nothing can be done when standard error is gone.
    let _ = writeln!(io::stderr(), "carom: {}", without_controls(&text.replace('\n', " ")));
}

/// For a program whose child processes are all engines: whatever ends the program ends them, and the
/// processes that they have started.
fn end_engines_with_us() -> anyhow::Result<()> {
    adopt_orphans();
    let end = || {
        kill_all();
        std::process::exit(130);
    };
    ctrlc::set_handler(end).context("cannot listen to interrupts")
}

/// Waits for the end of the program if it is being ended, so that an engine that is gone is not blamed.
fn wait_if_ending() {
    while ending() {
        std::thread::park();
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
