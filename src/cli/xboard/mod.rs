//! `carom xboard` and `carom install`: XBoard with all that a game needs, and nothing that is not ours touched.

mod engine_list;
mod files;
mod settings;

use super::BadInput;
use crate::game::Facts;
use crate::variants;
use anyhow::Context;
use clap::{Args, ValueEnum};
use files::{Fate, MARK, remove, write};
use settings::Place;
use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `carom xboard`
#[derive(Args, Debug)]
pub struct Start {
    /// Which game: `carom games` lists them
    #[arg(value_name = "GAME")]
    game: String,
    /// More options for XBoard, such as `-- -mode TwoMachines`
    #[arg(value_name = "OPTIONS", last = true)]
    options: Vec<String>,
}

/// `carom install`
#[derive(Args, Debug)]
pub struct Install {
    /// Into which program
    program: Program,
    /// Only say what would be written, and where
    #[arg(long)]
    print: bool,
    /// For all users of this machine: XBoard's own folder and the engines it finds by itself
    #[arg(long)]
    system: bool,
    /// Take away what was installed; what is not Carom's stays
    #[arg(long)]
    uninstall: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Program {
    Xboard,
    Winboard,
}

/// Everything that is installed.
struct Plan {
    files: Vec<(PathBuf, String)>,
    /// The user's settings of XBoard, and the engines to be listed there.
    list: Option<(PathBuf, Vec<String>)>,
}

impl Start {
    /// Runs XBoard to its end.
    pub fn run(&self) -> anyhow::Result<()> {
        let facts = variants::find(&self.game).map_err(|error| BadInput(error.to_string()))?;
        let xboard = find_program("xboard").ok_or_else(|| {
            BadInput(
                "XBoard is not installed; on Debian and Ubuntu `sudo apt install xboard` does that".into(),
            )
        })?;
        let folder = data_folder()?.join("carom/xboard");
        let place = Place { carom: env::current_exe()?, pieces: folder.join("pieces") };
        let settings = folder.join(facts.name);
        let text = settings::file(facts, &place, &folder.join(format!("{}.rc", facts.name)));
        for (path, text) in pictures(facts, &place).into_iter().chain([(settings.clone(), text)]) {
            write(&path, &text)?;
        }
        let mut indirect = std::ffi::OsString::from("@");
        indirect.push(&settings);
        let status = Command::new(&xboard).arg(indirect).args(&self.options).status();
        let status = status.with_context(|| format!("cannot start {}", xboard.display()))?;
        anyhow::ensure!(status.success(), "XBoard ended with {status}");
        Ok(())
    }
}

impl Install {
    /// Writes, or takes away, or says what would be written.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.program == Program::Winboard {
            let text = "Carom cannot install itself into WinBoard yet: its men need bitmaps there, which are not made. \
                        Start `winboard -fcp carom.exe -testLegality false -variant GAME`; men without a bitmap are invisible";
            return Err(BadInput(text.into()).into());
        }
        let plan = if self.system { Plan::for_all_users()? } else { Plan::for_one_user()? };
        match (self.print, self.uninstall) {
            (true, _) => plan.print(out),
            (_, true) => plan.undo(out),
            _ => plan.carry_out(out),
        }
    }
}

impl Plan {
    fn for_one_user() -> anyhow::Result<Self> {
        let home = home()?;
        let data = data_folder()?.join("carom/xboard");
        let place = Place { carom: env::current_exe()?, pieces: data.join("pieces") };
        let mut files = Vec::new();
        for facts in variants::all() {
            let settings = home.join(".xboard/themes/conf").join(facts.name);
            files.extend(pictures(facts, &place));
            files.push((settings, settings::file(facts, &place, &data.join(format!("{}.rc", facts.name)))));
        }
        let lines = variants::all().into_iter().map(|facts| settings::engine_line(facts, &place)).collect();
        Ok(Self { files, list: Some((home.join(".xboardrc"), lines)) })
    }

    fn for_all_users() -> anyhow::Result<Self> {
        let root = env::var_os("DESTDIR").map_or_else(|| PathBuf::from("/"), PathBuf::from);
        let place =
            Place { carom: env::current_exe()?, pieces: "/usr/local/share/carom/xboard/pieces".into() };
        let mut files = Vec::new();
        for facts in variants::all() {
            let kept = PathBuf::from(format!("~/.xboard-carom-{}", facts.name));
            let settings = xboard_folder().join("themes/conf").join(facts.name);
            let plugin = format!("/usr/local/share/games/plugins/xboard/carom-{}.eng", facts.name);
            files.extend(pictures(facts, &place));
            files.push((settings, settings::file(facts, &place, &kept)));
            files.push((plugin.into(), settings::plugin(facts, &place)));
        }
        for (path, _) in &mut files {
            *path = root.join(path.strip_prefix("/").unwrap_or(path));
        }
        Ok(Self { files, list: None })
    }

    fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for (path, text) in &self.files {
            writeln!(out, "# {}", path.display())?;
            // Nobody reads pictures here.
            if path.extension().is_none_or(|ending| ending != "svg") {
                writeln!(out, "{text}")?;
            }
        }
        if let Some((path, lines)) = &self.list {
            writeln!(out, "# {}: in -firstChessProgramNames", path.display())?;
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Ok(())
    }

    fn carry_out(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for (path, text) in &self.files {
            if write(path, text)? == Fate::NotOurs {
                writeln!(out, "{} is not Carom's and stays as it is", path.display())?;
            }
        }
        if let Some((path, lines)) = &self.list {
            let before = files::read(path)?;
            files::replace(path, &engine_list::with(before.as_deref(), lines))?;
            writeln!(out, "XBoard lists Carom's games among its engines (Engine > Load New 1st Engine)")?;
        }
        let names: Vec<_> = variants::all().iter().map(|facts| facts.name).collect();
        writeln!(out, "`xboard @GAME` starts a game: {}", names.join(", "))?;
        Ok(())
    }

    fn undo(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for (path, _) in &self.files {
            if remove(path)? == Fate::NotOurs {
                writeln!(out, "{} is not Carom's and stays", path.display())?;
            }
        }
        if let Some((path, _)) = &self.list
            && let Some(before) = files::read(path)?
        {
            match engine_list::without(&before) {
                Some(after) => files::replace(path, &after)?,
                None => std::fs::remove_file(path)?,
            }
        }
        Ok(writeln!(out, "XBoard knows nothing of Carom any more")?)
    }
}

/// The pictures of a game's men and where they go.
fn pictures(facts: &Facts, place: &Place) -> Vec<(PathBuf, String)> {
    let folder = place.pieces.join(facts.name);
    let files = crate::pieces::xboard_files(facts).into_iter().filter(|_| facts.xboard.setup.is_some());
    files.map(|(name, svg)| (folder.join(name), format!("{}\n<!-- {MARK} -->\n", svg.trim_end()))).collect()
}

fn home() -> anyhow::Result<PathBuf> {
    let home = env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    Ok(home.ok_or_else(|| BadInput("there is no HOME to install into; say --system".into()))?)
}

/// Where programs keep a user's files (XDG).
fn data_folder() -> anyhow::Result<PathBuf> {
    match env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute()) {
        Some(path) => Ok(path),
        None => Ok(home()?.join(".local/share")),
    }
}

/// A program on the path, or where Debian keeps games, which root does not look into.
fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let games = ["/usr/games", "/usr/local/games"].map(PathBuf::from);
    env::split_paths(&path).chain(games).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Where XBoard has its own files.
fn xboard_folder() -> PathBuf {
    let asked = find_program("xboard")
        .and_then(|xboard| Command::new(xboard).args(["--show-config", "Datadir"]).output().ok());
    let told = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let told = told.filter(|folder| Path::new(folder).is_absolute());
    told.unwrap_or_else(|| "/usr/share/games/xboard".to_owned()).into()
}
