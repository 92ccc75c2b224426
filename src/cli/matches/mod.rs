//! The command `carom match`.

mod arguments;
mod imitation;
mod report;
mod screen;

pub use arguments::{ENGINE_LINES, LogWords, file_parser, log_parser, two_dashes};
use report::Report;
pub use report::{clock, summary};
pub use screen::Size;

use super::progress::Progress;
use super::{bad_input, unreadable};
use crate::arena::journal::{self, Header, Journal, JournalError};
use crate::arena::schedule::Pairing;
use crate::arena::settings::{Effect, SettingsTable, names_seed};
use crate::arena::{
    Files, GameSnapshot, MatchEvent, MatchState, OpeningBook, RunningGame, Settings, SettingsError,
    Tournament, TournamentError, all_different,
};
use crate::connection::{adopt_orphans, kill_all};
use crate::pgn::GameRecord;
use crate::session::chance::fresh_seed;
use anyhow::{Context, bail};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The command line of a match.
#[derive(Clone, Debug)]
pub struct Match {
    given: Result<SettingsTable, SettingsError>,
    /// Whether only the version is asked for.
    version: bool,
}

impl Match {
    /// True when the first warning is to end the match.
    pub fn is_strict(&self) -> bool {
        self.given.as_ref().is_ok_and(|given| given.get("strict").as_deref() == Some("true"))
    }

    /// True when the log is to tell what engines are sent and say.
    pub fn shows_engine_lines(&self) -> bool {
        self.given.as_ref().is_ok_and(|given| given.get("debug").is_some())
    }

    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.version {
            let imitated = self.given.as_ref().ok().and_then(|given| given.get("imitate"));
            writeln!(out, "{}", super::version::imitating(imitated.as_deref()))?;
            return Ok(());
        }
        let settings = self.settings()?;
        let total_known = settings.schedule.total();
        let files = self.files(&settings);
        all_different(files.iter().map(|(what, path)| (*what, path.as_path()))).map_err(bad_input)?;
        if settings.records.check {
            let book = OpeningBook::of(&settings).map_err(bad_input)?;
            let games = total_known.map_or("some".to_owned(), |total| total.to_string());
            write!(out, "The settings hold: {games} games of {}", settings.facts.name)?;
            if settings.openings.is_some() {
                write!(out, ", {} openings", book.len())?;
            }
            writeln!(out)?;
            return Ok(());
        }
        adopt_orphans();
        let asking = Progress::begin("engines", 0)?;
        let names: Vec<String> = settings
            .engines
            .iter()
            .filter_map(|engine| engine.command.as_ref())
            .map(|command| format!("`{command}`"))
            .collect();
        asking.now(format!(
            "starting {}",
            if names.is_empty() { "Carom".to_owned() } else { names.join(" and ") }
        ));
        let prepared = Tournament::prepare(settings);
        drop(asking);
        let (tournament, running) = match prepared {
            Ok(ready) => ready,
            Err(TournamentError::Settings(error)) => return Err(bad_input(error)),
            Err(error) => return Err(error.into()),
        };
        let settings = &tournament.settings;
        let (mut journal, mut state) = begin(&tournament)?;
        let mut files = Files::open(settings)?;
        let stop = Arc::new(AtomicBool::new(false));
        // On a terminal the foot of the report shows it; a line in between would break that.
        let quietly = std::io::stdout().is_terminal() && !settings.records.quiet;
        listen_to_interrupts(&stop, quietly)?;
        let mut report = Report::new(out, &tournament, state.scoreboard.total(), &stop);
        report.begin(&state)?;
        let records = &settings.records;
        let print_games =
            settings.alone && records.pgnout.is_none() && !records.quiet && records.lines().is_none();
        let watching = report.watches();
        let running_game = settings.records.journal.as_deref().map(RunningGame::new);
        let spectator = |pairing: &Pairing, snapshot: &GameSnapshot<'_>| {
            if let Some(file) = &running_game {
                file.show(&tournament, pairing, snapshot);
            }
            watching.then(|| screen::picture(&tournament, pairing, snapshot))
        };
        let mut tell = |event: MatchEvent, state: &MatchState| -> anyhow::Result<()> {
            if let MatchEvent::Finished(game) = &event {
                // The journal comes first: a game in it counts as played, whatever happens to the other
                // files.
                if let Some(journal) = &mut journal {
                    journal.add(game)?;
                }
                files.add(game)?;
            }
            report.tell(&event, state)?;
            if let MatchEvent::Finished(game) = &event
                && print_games
            {
                report.game(&files.pgn(game), state)?;
            }
            Ok(())
        };
        let wanted = watching || running_game.is_some();
        let spectator: Option<crate::arena::Spectator<'_>> = if wanted { Some(&spectator) } else { None };
        let ran = tournament.run(running, &mut state, &stop, spectator, &mut tell);
        if let Some(file) = &running_game {
            file.end();
        }
        ran?;
        if let Some(journal) = &journal {
            journal.sync()?;
        }
        report.end(&state)?;
        let played = state.scoreboard.total();
        let complete = state.decided.is_some() || total_known.is_some_and(|total| played >= total);
        if stop.load(Ordering::Relaxed) && !complete {
            let again = settings.records.journal.as_ref();
            let hint =
                again.map_or(String::new(), |path| format!("; go on with --resume {}", path.display()));
            bail!("stopped after {played} games{hint}");
        }
        let faults = state.scoreboard.faults();
        // A match of Carom against itself is a test of Carom.
        if settings.alone && faults > 0 {
            bail!("{faults} of {played} games did not end by the rules");
        }
        Ok(())
    }

    /// The files that are read and written, with their options. Engines may share a file for standard error.
    fn files(&self, settings: &Settings) -> Vec<(&'static str, PathBuf)> {
        let records = settings.records.clone();
        let config = self.given.as_ref().ok().and_then(|given| given.get("config"));
        let mut files = vec![
            ("-journal", records.journal),
            ("-pgnout", records.pgnout.map(|pgnout| pgnout.file)),
            ("-epdout", records.epdout),
            ("-html", records.html),
            ("-openings", settings.openings.as_ref().map(|openings| openings.file.clone())),
            ("-config", config.map(PathBuf::from)),
        ];
        for path in settings.engines.iter().filter_map(|engine| engine.stderr_file()) {
            let file = ("stderr", Some(path.to_owned()));
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files.into_iter().filter_map(|(what, path)| Some((what, path?))).collect()
    }

    /// The settings from the command line, from the file it names, or from the journal of the match to
    /// continue.
    fn settings(&self) -> anyhow::Result<Settings> {
        let mut own = self.given.clone().map_err(bad_input)?;
        let mut all = SettingsTable::default();
        let config = own.remove("config");
        if let Some(path) = &config {
            let text = std::fs::read_to_string(path).map_err(|error| unreadable(Path::new(path), &error))?;
            all = SettingsTable::from_toml(&text).map_err(|error| bad_input(format!("{path}: {error}")))?;
        }
        if let Some(path) = own.remove("resume") {
            if own.get("journal").is_some() || config.is_some() {
                return Err(bad_input("--resume: the journal holds the settings already"));
            }
            if let Some(fixed) = own.settings().into_iter().find(|setting| setting.effect != Effect::Records)
            {
                let why = "a match goes on with the settings it began with";
                return Err(bad_input(format!("--resume with {}: {why}", fixed.spoken)));
            }
            let header = read_header(Path::new(&path))?;
            let header = header.ok_or_else(|| bad_input(format!("{path}: no match begins there")))?;
            all.add(&header.settings).map_err(bad_input)?;
            all.set("", 0, "journal", &path).map_err(bad_input)?;
        }
        if all.names_engines() && own.names_engines() {
            return Err(bad_input("engines stand in the file and on the command line"));
        }
        all.add(&own).map_err(bad_input)?;
        if !all.get("seed").is_some_and(|seed| names_seed(&seed))
            && let Some(journal) = all.get("journal")
            && Path::new(&journal).exists()
            && let Some(header) = read_header(Path::new(&journal))?
            && let Some(seed) = header.settings.get("seed")
        {
            // A match that is continued already has its seed.
            all.set("", 0, "seed", &seed).map_err(bad_input)?;
        }
        Settings::read(&all, fresh_seed()).map_err(bad_input)
    }
}

fn read_header(path: &Path) -> anyhow::Result<Option<Header>> {
    Ok(journal::read(path, &mut |_, _| ()).map_err(bad_input)?.header)
}

/// Opens the journal, if there is one, and reads the games in it.
fn begin(tournament: &Tournament) -> anyhow::Result<(Option<Journal>, MatchState)> {
    let settings = &tournament.settings;
    let mut state = MatchState::default();
    let journal = settings.records.journal.as_ref();
    if journal.is_none_or(|path| std::fs::metadata(path).is_ok_and(|file| file.len() == 0) || !path.exists())
    {
        Files::begin_anew(settings)?;
    }
    let Some(path) = journal else { return Ok((None, state)) };
    let fresh = Header {
        journal: journal::VERSION,
        program: concat!("carom ", env!("CARGO_PKG_VERSION")).to_owned(),
        settings: settings.given.clone(),
        names: tournament.names.clone(),
        openings: tournament.book.digest(),
        files: Files::lengths(settings),
    };
    let mut each = |game: GameRecord, _: u64| state.add(settings, &game);
    let (journal, header) = Journal::open(path, settings.facts.chance, || fresh.clone(), &mut each)?;
    if let Some(difference) = header.difference(&fresh, true) {
        return Err(JournalError::Other(path.clone(), difference).into());
    }
    Files::restore(settings, path, &header)?;
    Ok((Some(journal), state))
}

/// The first interrupt lets the games under way finish, the second ends the process and all engines.
fn listen_to_interrupts(stop: &Arc<AtomicBool>, quietly: bool) -> anyhow::Result<()> {
    let stop = Arc::clone(stop);
    ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            kill_all();
            std::process::exit(130);
        }
        if !quietly {
            super::complain("running games are finished first; interrupt again to give them up");
        }
    })
    .context("cannot listen to interrupts")
}
