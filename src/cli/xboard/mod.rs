//! The commands `carom xboard` and `carom install`: XBoard, or WinBoard on Windows, with everything that a
//! game needs. Files that are not Carom's are left alone.

mod engine_list;
mod files;
mod settings;
mod winboard;

use super::bad_input;
use crate::base::files::resolved;
use crate::game::{Facts, Rules};
use crate::session::{self, chance::Chance};
use crate::variants;
use anyhow::Context;
use clap::Args;
use files::{MARK, remove, write};
use settings::{Place, Program};
use std::collections::BTreeSet;
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

/// Everything that is to be installed.
struct Plan {
    files: Vec<(PathBuf, Vec<u8>)>,
    /// The user's settings of XBoard or WinBoard, and the engines to list there.
    list: Option<(PathBuf, Vec<String>)>,
    /// The program that reads the files.
    program: Program,
}

impl Start {
    /// Runs XBoard until it ends.
    pub fn run(&self) -> anyhow::Result<()> {
        let facts = variants::find(&self.game).map_err(bad_input)?;
        let (mut command, place) = if cfg!(windows) {
            (winboard::command()?, winboard::place()?)
        } else {
            let missing = "XBoard is not installed; on Debian and Ubuntu `sudo apt install xboard` does that";
            let xboard = find_program("xboard").ok_or_else(|| bad_input(missing))?;
            let pieces = data_folder()?.join("carom/xboard/pieces");
            (Command::new(xboard), Place { program: Program::Xboard, carom: env::current_exe()?, pieces })
        };
        let folder = place.pieces.parent().unwrap_or(&place.pieces);
        let kept = folder.join(format!("{}.rc", facts.name));
        let settings = folder.join(facts.name);
        let text = settings::file(facts, &place, &kept);
        for (path, content) in
            pictures(facts, &place)?.into_iter().chain([(settings.clone(), text.into_bytes())])
        {
            write(&path, &content)?;
        }
        indirect(&mut command, &settings);
        if self.options.is_empty() {
            eprintln!("{}", first_words(facts));
        }
        let status = command.args(&self.options).status();
        let status =
            status.with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
        anyhow::ensure!(status.success(), "{} ended with {status}", place.program.title());
        Ok(())
    }
}

/// The introduction that XBoard itself does not show: before the first ply it accepts no line of thinking.
fn first_words(facts: &'static Facts) -> String {
    let session = session::open(facts, Rules::of(facts), Chance::Own { seed: 1 });
    let question = session.question().unwrap_or_else(|| "Move a man.".to_owned());
    format!(
        "{}: you are White. {question} Click a man, and marks show where he may go. Once you have moved, the line above the board \
         and the window Engine Output say what may be decided.",
        facts.title
    )
}

/// Makes XBoard or WinBoard read its settings from a file.
fn indirect(command: &mut Command, settings: &Path) {
    // WinBoard expects the `@` before the quotes.
    #[cfg(windows)]
    std::os::windows::process::CommandExt::raw_arg(command, format!("@\"{}\"", settings.display()));
    #[cfg(not(windows))]
    command.arg(format!("@{}", settings.display()));
}

impl Install {
    /// Installs, uninstalls, or prints what would be written.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let plan = match self.program {
            Program::Winboard if self.system => {
                let text = "WinBoard keeps its settings in one place, for all users: leave out --system";
                return Err(bad_input(text));
            }
            Program::Winboard => winboard::plan()?,
            Program::Xboard if cfg!(windows) => {
                return Err(bad_input("XBoard is not for Windows: install winboard"));
            }
            Program::Xboard if self.system => Plan::for_all_users()?,
            Program::Xboard => Plan::for_one_user()?,
        };
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
        let place =
            Place { program: Program::Xboard, carom: env::current_exe()?, pieces: data.join("pieces") };
        let settings = |facts: &Facts| home.join(".xboard/themes/conf").join(facts.name);
        let kept = |facts: &Facts| data.join(format!("{}.rc", facts.name));
        Self::listed(&place, settings, kept, home.join(".xboardrc"))
    }

    /// A plan with a settings file for each game, which names another file for the user's changes, and a list
    /// of engines.
    fn listed(
        place: &Place,
        settings: impl Fn(&Facts) -> PathBuf,
        kept: impl Fn(&Facts) -> PathBuf,
        list: PathBuf,
    ) -> anyhow::Result<Self> {
        let (mut files, mut drawn) = (Vec::new(), BTreeSet::new());
        for facts in variants::all() {
            if drawn.insert(place.pictures(facts)) {
                files.extend(pictures(facts, place)?);
            }
            files.push((settings(facts), settings::file(facts, place, &kept(facts)).into_bytes()));
        }
        let lines = variants::all().into_iter().map(|facts| settings::engine_line(facts, place)).collect();
        Ok(Self { files, list: Some((list, lines)), program: place.program })
    }

    fn for_all_users() -> anyhow::Result<Self> {
        let root = env::var_os("DESTDIR").map_or_else(|| PathBuf::from("/"), PathBuf::from);
        let pieces = "/usr/local/share/carom/xboard/pieces".into();
        let place = Place { program: Program::Xboard, carom: env::current_exe()?, pieces };
        let mut files = Vec::new();
        for facts in variants::all() {
            let kept = PathBuf::from(format!("~/.xboard-carom-{}", facts.name));
            let settings = xboard_folder().join("themes/conf").join(facts.name);
            let plugin = format!("/usr/local/share/games/plugins/xboard/carom-{}.eng", facts.name);
            files.extend(pictures(facts, &place)?);
            files.push((settings, settings::file(facts, &place, &kept).into_bytes()));
            files.push((plugin.into(), settings::plugin(facts, &place).into_bytes()));
        }
        for (path, _) in &mut files {
            *path = root.join(path.strip_prefix("/").unwrap_or(path));
        }
        Ok(Self { files, list: None, program: Program::Xboard })
    }

    fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for (path, content) in &self.files {
            writeln!(out, "# {}", path.display())?;
            // Pictures are not readable here.
            if path.extension().is_none_or(|ending| ending != "svg" && ending != "bmp") {
                writeln!(out, "{}", String::from_utf8_lossy(content))?;
            }
        }
        if let Some((path, lines)) = &self.list {
            writeln!(out, "# {}: in -firstChessProgramNames", path.display())?;
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Ok(())
    }

    fn carry_out(&self, out: &mut impl Write) -> anyhow::Result<()> {
        // Obstacles are found before the first file is written.
        self.files.iter().try_for_each(|(path, _)| files::check_folder(path))?;
        if let Some((path, lines)) = &self.list {
            let before = files::read(path)?;
            let path = resolved(path).with_context(|| path.display().to_string())?;
            files::check_folder(&path)?;
            files::replace(&path, &engine_list::with(before.as_deref(), lines))?;
        }
        for (path, content) in &self.files {
            if !write(path, content)? {
                writeln!(out, "{} is not Carom's and stays as it is", path.display())?;
            }
        }
        if self.list.is_some() {
            let title = self.program.title();
            writeln!(out, "{title} lists Carom's games among its engines (Engine > Load New 1st Engine)")?;
        }
        let names: Vec<_> = variants::all().iter().map(|facts| facts.name).collect();
        let name = self.program.name();
        writeln!(out, "`{name} @GAME` starts a game: {}", names.join(", "))?;
        Ok(())
    }

    fn undo(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for (path, _) in &self.files {
            if !remove(path)? {
                writeln!(out, "{} is not Carom's and stays", path.display())?;
            }
        }
        if let Some((path, _)) = &self.list {
            let path = resolved(path).with_context(|| path.display().to_string())?;
            match files::read(&path) {
                Ok(None) => {}
                Ok(Some(before)) => match engine_list::without(&before) {
                    Some(after) if after == before => {}
                    Some(after) => files::replace(&path, &after)?,
                    None => std::fs::remove_file(&path)?,
                },
                Err(error) => writeln!(out, "{error:#}, and stays as it is")?,
            }
        }
        Ok(writeln!(out, "{} knows nothing of Carom any more", self.program.title())?)
    }
}

/// The pictures of a game's pieces, with their paths.
fn pictures(facts: &Facts, place: &Place) -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
    if facts.xboard.setup.is_none() {
        return Ok(Vec::new());
    }
    let files = match place.program {
        Program::Xboard => {
            let files = crate::draw::xboard_files(facts).into_iter();
            files
                .map(|(name, svg)| (name, format!("{}\n<!-- {MARK} -->\n", svg.trim_end()).into_bytes()))
                .collect()
        }
        Program::Winboard => winboard::bitmaps(facts)?,
    };
    let folder = place.pictures(facts);
    Ok(files.into_iter().map(|(name, content)| (folder.join(name), content)).collect())
}

fn home() -> anyhow::Result<PathBuf> {
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let home = home.ok_or_else(|| bad_input("there is no HOME to install into; say --system"))?;
    if home.is_relative() {
        let text = format!(
            "HOME is {}, which is another folder wherever one is: it must be absolute",
            home.display()
        );
        return Err(bad_input(text));
    }
    Ok(home)
}

/// The folder for a user's data files (XDG).
fn data_folder() -> anyhow::Result<PathBuf> {
    match env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute()) {
        Some(path) => Ok(path),
        None => Ok(home()?.join(".local/share")),
    }
}

/// Finds a program on the path, or where Debian keeps games, which root's path lacks.
fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let games = ["/usr/games", "/usr/local/games"].map(PathBuf::from);
    env::split_paths(&path).chain(games).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The folder of XBoard's own files.
fn xboard_folder() -> PathBuf {
    let asked = find_program("xboard")
        .and_then(|xboard| Command::new(xboard).args(["--show-config", "Datadir"]).output().ok());
    let told = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let told = told.filter(|folder| Path::new(folder).is_absolute());
    told.unwrap_or_else(|| "/usr/share/games/xboard".to_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_starts_xboard_reads_what_he_may_do_first() {
        let words = |name| first_words(variants::find(name).unwrap());
        assert_eq!(
            words("hanniball"),
            "HanniBall: you are White. Step 1 of 2: move a piece. Click a man, and marks show where he may go. Once you have \
             moved, the line above the board and the window Engine Output say what may be decided."
        );
        for facts in variants::all() {
            assert!(words(facts.name).starts_with(facts.title), "{}", facts.name);
        }
    }
}
