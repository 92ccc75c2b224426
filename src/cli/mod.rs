//! The command line. Without a subcommand Carom speaks the protocol that the first line of its input
//! requests.

mod analyse;
mod bench;
mod bridge;
mod completions;
mod comply;
mod games;
mod logging;
mod matches;
mod merge;
mod openings;
mod pages;
mod perft;
mod play;
mod position;
mod replay;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod statistics;
mod tables;
mod terminal;
mod training;
mod version;
mod xboard;

use crate::base::without_controls;
use crate::connection::{adopt_orphans, ending, kill_all};
use crate::engine::{self, options};
use anyhow::Context;
use clap::error::ErrorKind;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Chess programs' protocols (UCI, UGI and XBoard) for games chess programs never heard of, and the engines behind them.
///
/// Without a command, Carom speaks UCI, UGI or the XBoard protocol on standard input and output, whichever the first line
/// asks for (`uci`, `ugi` or `xboard`).
#[derive(Parser, Debug)]
#[command(name = "carom", version, max_term_width = 100)]
struct Arguments {
    /// Write the log to this file instead of standard error; RUST_LOG sets how much (error, warn, info, debug)
    #[arg(long, global = true, value_name = "FILE", value_parser = matches::file_parser())]
    log: Option<PathBuf>,
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// List the games (`carom rules GAME` tells how one is played)
    Games,
    /// Print the rules of a game, with the numbers that results and refusals name; without GAME, list the pages
    Rules(pages::RulesOf),
    /// Print a page about protocols, notation, matches, statistics or rules; without PAGE, list them
    Docs(pages::Docs),
    /// Play in the terminal: against the engine, or two persons
    Play(Box<play::Play>),
    /// Play in the browser, on a page that this machine serves to itself
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    /// Play in the browser (left out of this build)
    #[cfg(not(feature = "serve"))]
    Serve {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        _rest: Vec<OsString>,
    },
    /// Let the engine think about a position, and watch its best lines
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Analyse),
    /// Step through the games of a PGN file
    Replay(replay::Replay),
    /// Count the tree of turns below a position
    Perft(perft::Perft),
    /// Search fixed positions to a fixed depth: a check of speed, and of search results staying the same
    Bench(bench::Bench),
    /// Play a game in XBoard, with the right pieces, marks and window
    Xboard(xboard::Start),
    /// Let XBoard know the games: `xboard @GAME`, and its list of engines
    Install(xboard::Install),
    /// Draw a position; with --json, tell all that the rules say of it
    Show(show::Show),
    /// Let engines play each other; with none named, Carom plays itself, over UCI and over the XBoard protocol
    Match(Box<matches::Match>),
    /// Join the journals of parts of a match
    Merge(merge::Merge),
    /// Make balanced positions to begin matches from
    Openings(openings::Openings),
    /// Play games of the engine against itself, to learn from
    Datagen(training::Datagen),
    /// Learn a network from such games
    Train(training::Train),
    /// Learn the terms of an evaluation from such games
    Tune(training::Tune),
    /// Make endgame tables, or look through them again
    Tables(tables::TablesOf),
    /// Say where a sequential probability ratio test stands
    Sprt(statistics::SprtTest),
    /// Say how much stronger the first player is
    Elo(statistics::Elo),
    /// Rate the players of PGN files
    Rating(statistics::Rating),
    /// Examine how an engine speaks UCI or the XBoard protocol: numbered checks, a report
    Comply(comply::Comply),
    /// Let an engine that speaks UCI, UGI or the XBoard protocol appear as an engine of the other protocol
    Bridge(bridge::Bridge),
    /// Print the completions for a shell
    Completions(completions::Completions),
    /// Print the manual page, or that of a command
    Man(completions::Man),
}

/// The user's input cannot be used: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct BadInput(String);

fn bad_input(fault: impl Display) -> anyhow::Error {
    BadInput(fault.to_string()).into()
}

/// Runs the program with `arguments`, of which the first is the program's name. The exit code is 0 for
/// success, 1 for a failure, and 2 for wrong usage or input.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match parse(arguments) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    // A bridge logs the conversation, not its own actions.
    let (log, conversation) = match arguments.task {
        Some(Task::Bridge(_)) => (None, arguments.log),
        _ => (arguments.log, None),
    };
    let done = logging::start(log.as_deref()).and_then(|()| perform(arguments.task, conversation));
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

fn perform(task: Option<Task>, conversation: Option<PathBuf>) -> anyhow::Result<()> {
    match task {
        None => converse(),
        Some(Task::Games) => games::list(&mut io::stdout().lock()),
        Some(Task::Rules(rules)) => rules.run(&mut io::stdout().lock()),
        Some(Task::Docs(docs)) => docs.run(&mut io::stdout().lock()),
        Some(Task::Play(play)) => play.run(&mut io::stdout().lock()),
        #[cfg(feature = "serve")]
        Some(Task::Serve(serve)) => serve.run(&mut io::stdout().lock()),
        #[cfg(not(feature = "serve"))]
        Some(Task::Serve { .. }) => {
            Err(bad_input("this build has no page: `cargo build --release --features serve`"))
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
        Some(Task::Tune(tune)) => tune.run(&mut io::stdout().lock()),
        Some(Task::Tables(tables)) => tables.run(&mut io::stdout().lock()),
        Some(Task::Sprt(sprt)) => sprt.run(&mut io::stdout().lock()),
        Some(Task::Elo(elo)) => elo.run(&mut io::stdout().lock()),
        Some(Task::Rating(rating)) => rating.run(&mut io::stdout().lock()),
        Some(Task::Comply(comply)) => comply.run(&mut io::stdout().lock()),
        Some(Task::Bridge(bridge)) => bridge.run(conversation, io::stdout()),
        Some(Task::Completions(completions)) => completions.run(&mut command(), &mut io::stdout().lock()),
        Some(Task::Man(man)) => man.run(command(), &mut io::stdout().lock()),
    }
}

/// The whole command line.
fn command() -> Command {
    Arguments::command().long_version(version::LONG.as_str()).after_long_help(options_help())
}

fn converse() -> anyhow::Result<()> {
    let mut hinted = !io::stdin().is_terminal();
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

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, ExitCode> {
    let parsed = command()
        .try_get_matches_from(matches::two_dashes(arguments))
        .and_then(|matches| Arguments::from_arg_matches(&matches));
    parsed.map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // If the help cannot be written, nothing can be done.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        _ => {
            // Only the error itself, up to the first empty line of clap's message.
            let story = error.to_string();
            let first: Vec<_> =
                story.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
            let mut first = first.join(" ");
            // What was probably meant stands after it.
            let tips = story.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
            if let Some(tip) = tips.into_iter().find(|tip| tip.contains("similar")) {
                first = format!("{first}; {tip}");
            }
            // clap then shows the usage of the command.
            let usage = story.lines().find_map(|line| line.strip_prefix("Usage: "));
            // It begins with the program's own name, on Windows with its extension.
            let command =
                usage.and_then(|usage| usage.split(' ').nth(1)).filter(|word| !word.starts_with(['[', '<']));
            let page = command.map_or_else(String::new, |command| format!(" {command}"));
            complain(&format!("{} (see `carom{page} --help`)", first.trim_start_matches("error: ")));
            ExitCode::from(2)
        }
    })
}

/// The help text for the options of the engine.
fn options_help() -> String {
    use options::Kind;
    let mut text =
        String::from("Engine options (UCI `setoption`, XBoard `option`; `carom docs options` tells more):\n");
    for entry in options::table() {
        let values = match &entry.kind {
            Kind::Check { default, .. } => format!("true or false [{default}]"),
            Kind::Spin { default, min, max, .. } => format!("{min} to {max} [{default}]"),
            Kind::Combo { values, .. } | Kind::Game(values) => {
                format!("{} [{}]", values.join(", "), values[0])
            }
            Kind::Button(_) => "button".to_owned(),
            Kind::Text(_) | Kind::Words(_) => "text".to_owned(),
        };
        text.push_str(&format!("  {:<19} {}\n{:22}{}\n", entry.name, entry.help, "", values));
    }
    text
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
