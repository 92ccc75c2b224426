//! What `carom --help` prints, and what is said of a command line that cannot be read.

use super::{Arguments, complain, matches, version};
use crate::base::similar;
use crate::variants;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::process::ExitCode;

/// The commands by what one wants to do.
pub const GROUPS: [(&str, &[&str]); 6] = [
    ("Play", &["play", "serve", "learn", "xboard", "install"]),
    ("Look", &["games", "rules", "docs", "show", "analyse", "replay", "perft"]),
    ("Match", &["match", "merge", "openings", "elo", "sprt", "rating"]),
    ("Train", &["datagen", "train", "train-ranker", "tune", "spsa", "tables", "prove", "bench"]),
    ("Protocols", &["bridge", "comply", "listen", "wire"]),
    ("Shell", &["completions", "man", "help"]),
];

/// What stands below the options of the program.
const AFTER: &str = "\
Without a command Carom waits for a chess program: it speaks UCI, UGI or the XBoard protocol, as the first line says.
Options of the engine: `carom docs options`. All pages: `carom docs`.
Exit code: 0 done; 1 it failed, or the answer is no; 2 the command line, or a file it names, cannot be used.";

/// The whole command line.
pub fn command() -> Command {
    let mut command = Arguments::command().long_version(version::LONG.as_str()).after_help(AFTER);
    // `help` is added when the command line is complete.
    command.build();
    let groups = groups(&command);
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
    ))
}

/// The commands with what they do, under a heading for each group.
fn groups(command: &Command) -> String {
    let mut text = String::new();
    for (heading, names) in GROUPS {
        text.push_str(&format!("{heading}:\n"));
        for found in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = found.get_about().map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {:<12} {about}\n", found.get_name()));
        }
        text.push('\n');
    }
    text
}

/// Reads the command line. Help and faults are written here; then the exit code is returned.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, ExitCode> {
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
            complain(&fault(&error));
            ExitCode::from(2)
        }
    })
}

/// What is wrong, in one line, and what would be right.
fn fault(error: &clap::Error) -> String {
    // Only the error itself, up to the first empty line of clap's message.
    let story = error.to_string();
    let first: Vec<_> = story.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let mut said = first.join(" ").trim_start_matches("error: ").to_owned();
    // clap then shows the usage of the command. It begins with the program's own name, on Windows with its
    // extension.
    let usage = story.lines().find_map(|line| line.strip_prefix("Usage: "));
    let command =
        usage.and_then(|usage| usage.split(' ').nth(1)).filter(|word| !word.starts_with(['[', '<']));
    if let Some(meant) = meant(error, command) {
        return format!("{said}; {meant}");
    }
    // What was probably meant stands after it.
    let tips = story.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
    if let Some(tip) = tips.into_iter().find(|tip| tip.contains("similar")) {
        said = format!("{said}; {tip}");
    }
    let page = command.map_or_else(String::new, |command| format!(" {command}"));
    format!("{said} (see `carom{page} --help`)")
}

/// The right form for some wrong ones.
fn meant(error: &clap::Error, command: Option<&str>) -> Option<String> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = word(ContextKind::InvalidSubcommand)?;
            let game = match variants::find(word) {
                Ok(facts) => facts.name,
                Err(unknown) => {
                    let game = unknown.similar?;
                    // Unless it is more like a command.
                    let commands = match error.get(ContextKind::SuggestedSubcommand) {
                        Some(ContextValue::Strings(commands)) => commands.as_slice(),
                        _ => &[],
                    };
                    let all = commands.iter().map(String::as_str).chain([game]);
                    similar(word, all).filter(|&most| most == game)?
                }
            };
            Some(format!(
                "{game} is a game: `carom play {game}`, `carom serve {game} --open`, `carom rules {game}`"
            ))
        }
        ErrorKind::UnknownArgument => {
            let word = word(ContextKind::InvalidArg)?;
            let command = command?;
            let plays = matches!(command, "show" | "perft" | "play" | "analyse" | "serve");
            (plays && !word.starts_with('-'))
                .then(|| format!("turns stand behind --moves: `carom {command} GAME --moves \"{word}\"`"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_stands_in_one_group() {
        let mut command = Arguments::command();
        command.build();
        let there: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
        let listed: Vec<&str> = GROUPS.iter().flat_map(|group| group.1).copied().collect();
        let once: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(listed.len(), once.len());
        assert_eq!(there, once);
        // A line of the help has room for 100 columns.
        assert!(groups(&command).lines().all(|line| line.len() <= 100), "{}", groups(&command));
    }
}
