//! XBoard and WinBoard, set up for our games: their settings, pieces and lists of engines, and nothing
//! touched that is not ours.
//!
//! What is written and where is worked out first, as a [`Plan`]; the command line shows it, carries it out or
//! takes it back.

mod engine_list;
mod error;
mod files;
mod settings;
mod winboard;

use crate::base::files::resolved;
use crate::game::Facts;
use crate::variants;
pub use error::DesktopError;
use error::{cannot, refused};
use files::{MARK, remove, write};
use settings::Place;
pub use settings::Program;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The logo of the engine, drawn from our figures ([`logo_svg`](crate::draw::logo_svg)). The mark is in a
/// text of the picture.
const LOGO: &[u8] = include_bytes!("logo.png");

/// Where this program is, which is what XBoard will start.
fn own_program() -> Result<PathBuf, DesktopError> {
    env::current_exe().map_err(cannot("find", Path::new("carom")))
}

/// Everything that is to be installed.
pub struct Plan {
    /// The files and what is in them.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// The user's settings of XBoard or WinBoard, and the engines to list there.
    pub list: Option<(PathBuf, Vec<String>)>,
    /// The program that reads them.
    pub program: Program,
}

/// A program that is about to be started with a game.
pub struct Start {
    /// Its command line.
    pub command: Command,
    /// XBoard or WinBoard.
    pub program: Program,
    /// True when it has not been started with this game before.
    pub first: bool,
}

impl Start {
    /// XBoard, or WinBoard on Windows, with settings and pieces for a game, which are written for this.
    ///
    /// # Errors
    /// When the program is not installed, or its settings cannot be written.
    pub fn new(facts: &'static Facts) -> Result<Self, DesktopError> {
        let (mut command, place) = if cfg!(windows) {
            (winboard::command()?, winboard::place()?)
        } else {
            let missing = "XBoard is not installed; on Debian and Ubuntu `sudo apt install xboard` does that";
            let xboard = find_program("xboard").ok_or_else(|| refused(missing))?;
            let pieces = data_folder()?.join("carom/xboard/pieces");
            (Command::new(xboard), Place { program: Program::Xboard, carom: own_program()?, pieces })
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
        read_settings_from(&mut command, &settings);
        Ok(Self { command, program: place.program, first: !kept.exists() })
    }
}

/// Has XBoard or WinBoard read its settings from a file.
fn read_settings_from(command: &mut Command, settings: &Path) {
    // WinBoard expects the `@` before the quotes.
    #[cfg(windows)]
    std::os::windows::process::CommandExt::raw_arg(command, format!("@\"{}\"", settings.display()));
    #[cfg(not(windows))]
    command.arg(format!("@{}", settings.display()));
}

impl Plan {
    /// For WinBoard.
    ///
    /// # Errors
    /// When WinBoard is not found, or its bitmaps cannot be drawn by this build.
    pub fn for_winboard() -> Result<Self, DesktopError> {
        winboard::plan()
    }

    /// For the user who runs this program.
    ///
    /// # Errors
    /// When there is no home to install into.
    pub fn for_one_user() -> Result<Self, DesktopError> {
        let home = home()?;
        let data = data_folder()?.join("carom/xboard");
        let place = Place { program: Program::Xboard, carom: own_program()?, pieces: data.join("pieces") };
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
    ) -> Result<Self, DesktopError> {
        let (mut files, mut drawn) = (Vec::new(), Vec::new());
        for facts in variants::all() {
            let folder = place.pictures(facts);
            if !drawn.contains(&folder) {
                drawn.push(folder);
                files.extend(pictures(facts, place)?);
            }
            files.push((settings(facts), settings::file(facts, place, &kept(facts)).into_bytes()));
        }
        let lines = variants::all().into_iter().map(|facts| settings::engine_line(facts, place)).collect();
        Ok(Self { files, list: Some((list, lines)), program: place.program })
    }

    /// For all users of this machine: XBoard's own folder, and below `prefix` pictures, plug-ins and a logo.
    /// They start `program`, which may come later, as in a package. `DESTDIR` goes before every path.
    ///
    /// # Errors
    /// When this program does not know where it is itself, or a path is not absolute.
    pub fn for_all_users(prefix: Option<&Path>, program: Option<&Path>) -> Result<Self, DesktopError> {
        let root = env::var_os("DESTDIR").map_or_else(|| PathBuf::from("/"), PathBuf::from);
        let prefix = prefix.unwrap_or(Path::new("/usr/local"));
        let carom = program.map_or_else(own_program, |program| Ok(program.to_owned()))?;
        if let Some(path) = [prefix, &carom].into_iter().find(|path| !path.has_root()) {
            return Err(refused(format!("{}: it must be an absolute path", path.display())));
        }
        let (share, plugins) = (prefix.join("share"), prefix.join("share/games/plugins"));
        let place = Place { program: Program::Xboard, carom, pieces: share.join("carom/xboard/pieces") };
        let plugin = |name: &str| plugins.join("xboard").join(name);
        let mut files = vec![
            (plugin("carom.eng"), settings::plain_plugin(&place).into_bytes()),
            (plugins.join("logos/carom.png"), LOGO.to_vec()),
        ];
        for facts in variants::all() {
            let kept = PathBuf::from(format!("~/.xboard-carom-{}", facts.name));
            let settings = xboard_folder().join("themes/conf").join(facts.name);
            files.extend(pictures(facts, &place)?);
            files.push((settings, settings::file(facts, &place, &kept).into_bytes()));
            // The plain one plays what XBoard knows itself.
            if facts.xboard.setup.is_some() {
                let name = format!("carom-{}.eng", facts.name);
                files.push((plugin(&name), settings::plugin(facts, &place).into_bytes()));
            }
        }
        for (path, _) in &mut files {
            *path = root.join(path.strip_prefix("/").unwrap_or(path));
        }
        Ok(Self { files, list: None, program: Program::Xboard })
    }

    /// Writes everything. The files that stand there already and are not ours are left alone and returned.
    ///
    /// # Errors
    /// When something cannot be written; what cannot be is found before the first file is.
    pub fn install(&self) -> Result<Vec<&Path>, DesktopError> {
        self.files.iter().try_for_each(|(path, _)| files::check_folder(path))?;
        if let Some((path, lines)) = &self.list {
            let before = files::read(path)?;
            let path = resolved(path).map_err(cannot("read", path))?;
            files::check_folder(&path)?;
            files::replace(&path, &engine_list::with(before.as_deref(), lines))?;
        }
        let mut foreign = Vec::new();
        for (path, content) in &self.files {
            if !write(path, content)? {
                foreign.push(path.as_path());
            }
        }
        Ok(foreign)
    }

    /// Takes everything away again. What is not ours, or cannot be read, stays and is named with the reason.
    ///
    /// # Errors
    /// When something of ours cannot be removed.
    pub fn uninstall(&self) -> Result<Vec<String>, DesktopError> {
        let mut stays = Vec::new();
        for (path, _) in &self.files {
            if !remove(path)? {
                stays.push(format!("{} is not Carom's and stays", path.display()));
            }
        }
        if let Some((path, _)) = &self.list {
            let path = resolved(path).map_err(cannot("read", path))?;
            match files::read(&path) {
                Ok(None) => {}
                Ok(Some(before)) => match engine_list::without(&before) {
                    Some(after) if after == before => {}
                    Some(after) => files::replace(&path, &after)?,
                    None => std::fs::remove_file(&path).map_err(cannot("remove", &path))?,
                },
                Err(error) => stays.push(format!("{error}, and stays as it is")),
            }
        }
        Ok(stays)
    }
}

/// The pictures of a game's pieces and where they go.
fn pictures(facts: &Facts, place: &Place) -> Result<Vec<(PathBuf, Vec<u8>)>, DesktopError> {
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

fn home() -> Result<PathBuf, DesktopError> {
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let home = home.ok_or_else(|| refused("there is no HOME to install into; say --system"))?;
    if home.is_relative() {
        let text = format!(
            "HOME is {}, which is another folder wherever one is: it must be absolute",
            home.display()
        );
        return Err(refused(text));
    }
    Ok(home)
}

/// The folder for a user's data files (XDG).
fn data_folder() -> Result<PathBuf, DesktopError> {
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
    let shown = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let shown = shown.filter(|folder| Path::new(folder).is_absolute());
    shown.unwrap_or_else(|| "/usr/share/games/xboard".to_owned()).into()
}
