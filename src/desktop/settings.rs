//! The settings of XBoard for a game: as a settings file, as a line of its list of engines, as a plug-in.

use super::files::MARK;
use crate::game::Facts;
use crate::variants;
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// Which of the two programs.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// XBoard, on Linux and other systems with X
    Xboard,
    /// WinBoard, on Windows
    Winboard,
}

impl Program {
    /// The name as its makers write it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Xboard => "XBoard",
            Self::Winboard => "WinBoard",
        }
    }

    /// The name of the executable.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xboard => "xboard",
            Self::Winboard => "winboard",
        }
    }
}

/// Where the files are.
pub struct Place {
    /// The program that reads them.
    pub program: Program,
    /// The path of Carom.
    pub carom: PathBuf,
    /// The folder that holds a folder of pictures for each game.
    pub pieces: PathBuf,
}

impl Place {
    /// The folder with the pictures of a game.
    pub fn pictures(&self, facts: &Facts) -> PathBuf {
        let table = |facts: &Facts| {
            facts.xboard.setup.and_then(|setup| setup.split_once(')')).map(|(table, _)| table)
        };
        let same = |other: &&'static Facts| other.pieces == facts.pieces && table(other) == table(facts);
        // Bitmaps take space, and the games of a family share their pieces.
        let first = variants::all().into_iter().find(same).filter(|_| self.program == Program::Winboard);
        self.pieces.join(first.unwrap_or(facts).name)
    }
}

/// The pixels of a small screen (1366x768) that are left for a window, without a panel of the desktop.
const HEIGHT: u32 = 736;
const WIDTH: u32 = 1366;
/// The least width of the engine output beside the board: WinBoard's as we want it, XBoard's as it is.
const NARROWEST: u32 = 420;
const NARROWEST_IN_XBOARD: u32 = 504;

/// The board sizes of WinBoard, and the pixels of a square in each.
pub const WINBOARD_SIZES: [(&str, u32); 10] = [
    ("petite", 33),
    ("slim", 37),
    ("small", 40),
    ("mediocre", 45),
    ("middling", 49),
    ("average", 54),
    ("moderate", 58),
    ("medium", 64),
    ("bulky", 72),
    ("large", 80),
];

/// The largest square that XBoard is asked for.
const LARGEST: u32 = 67;
/// The width of XBoard's window besides the board, and the height: menu, clocks, message and title.
const XBOARD_FRAME: (u32, u32) = (16, 86);

/// The columns and rows that XBoard draws. A hand takes two columns on either side.
fn drawn(facts: &Facts) -> (u32, u32) {
    (u32::from(facts.files) + if facts.hand > 0 { 4 } else { 0 }, u32::from(facts.ranks))
}

/// The pixels of `squares` squares in a row and the lines around them, as XBoard draws them.
const fn line_of(squares: u32, pixels: u32) -> u32 {
    let gap = match pixels {
        0..37 => 1,
        37..59 => 2,
        _ => 3,
    };
    squares * (pixels + gap) + gap
}

/// The pixels of a square with which XBoard opens for its option `size`, which is meant for eight columns: it
/// keeps the width of the board.
const fn square(size: u32, files: u32) -> u32 {
    (size * 8 + files / 2) / files
}

/// The largest value of XBoard's option `size` with which the board fits, and the width of the window.
fn xboard_size(facts: &Facts) -> (u32, u32) {
    let (files, ranks) = drawn(facts);
    let width = |size| line_of(files, square(size, files)) + XBOARD_FRAME.0;
    let good = |&size: &u32| {
        square(size, files) <= LARGEST
            && line_of(ranks, square(size, files)) + XBOARD_FRAME.1 <= HEIGHT
            && width(size) + NARROWEST_IN_XBOARD <= WIDTH
    };
    let size = (20..=140).rev().find(good).unwrap_or(20);
    (size, width(size))
}

/// The largest of WinBoard's sizes in which the board fits, and the width of the window.
fn winboard_size(facts: &Facts) -> (&'static str, u32) {
    let (files, ranks) = drawn(facts);
    // Menu, clocks and message need room; between the squares there is a line.
    let width = |size| files * (size + 1) + 24;
    let good = |&&(_, size): &&(&str, u32)| {
        ranks * (size + 1) + 112 <= HEIGHT && width(size) + NARROWEST + 40 <= WIDTH
    };
    let (name, size) = WINBOARD_SIZES.iter().rfind(good).unwrap_or(&WINBOARD_SIZES[0]);
    (name, width(*size))
}

/// The size of a board as the program's options, and the width of its window.
fn size(facts: &Facts, program: Program) -> (Vec<(&'static str, String)>, u32) {
    if program == Program::Winboard {
        let (name, width) = winboard_size(facts);
        return (vec![("size", name.to_owned())], width);
    }
    let (size, width) = xboard_size(facts);
    let mut options = vec![("size", size.to_string())];
    // The board has its shape before the engine says it; XBoard would open with eight columns and rows, and a
    // board of another shape would have to fit into that width.
    if let Some((columns, rows, hand)) = facts.xboard.setup.and_then(shape) {
        let said = [("boardWidth", columns), ("boardHeight", rows), ("holdingsSize", hand)];
        options.extend(said.map(|(name, value)| (name, value.to_owned())));
    }
    (options, width)
}

/// The columns, the rows and the rows of the hands in a `setup` such as `(TABLE) 9x8+1_bughouse`.
fn shape(setup: &str) -> Option<(&str, &str, &str)> {
    let (_, shape) = setup.split_once(") ")?;
    let (columns, rest) = shape.split_once('_')?.0.split_once('x')?;
    let (rows, hand) = rest.split_once('+')?;
    Some((columns, rows, hand))
}

/// The options without which a game cannot be played.
fn needs(facts: &Facts, place: &Place) -> Vec<(&'static str, String)> {
    let own = facts.xboard.setup.is_some();
    let said = |on: bool| on.to_string();
    // A user who played another of our games before must get XBoard's own pieces back for chess.
    let pieces = if own { place.pictures(facts).display().to_string() } else { String::new() };
    let variant = if facts.aliases.contains(&"normal") { "normal" } else { facts.name };
    let mut needs = vec![
        ("variant", variant.to_owned()),
        ("testLegality", said(!own)),
        ("pid", format!("\"{pieces}\"")),
        ("trueColors", said(own)),
        ("showTargetSquares", said(true)),
        ("sweepPromotions", said(true)),
    ];
    if own {
        needs.extend([("repeatsToDraw", "0".to_owned()), ("ruleMoves", "0".to_owned())]);
    }
    needs
}

/// The settings file of a game; XBoard saves what its user changes in the file `kept`.
pub fn file(facts: &Facts, place: &Place, kept: &Path) -> String {
    let (size, beside) = size(facts, place.program);
    let output = (WIDTH - 40).saturating_sub(beside).clamp(NARROWEST, 820);
    let looks = [
        // The other windows are placed relative to the first, which has no position before it is shown.
        ("x", "1".into()),
        ("y", "1".into()),
        // Otherwise XBoard may squeeze a tall board into the height of a square one.
        ("fixedSize", "true".into()),
        ("showCoords", "true".into()),
        ("useBoardTexture", "false".into()),
        ("lightSquareColor", "#f0d9b5".into()),
        ("darkSquareColor", "#b58863".into()),
        // On a narrow board the line with the last move and the next decisions needs the room of the buttons.
        ("showButtonBar", (beside > 530).to_string()),
        ("engineOutputUp", "true".into()),
        ("engineOutputX", beside.to_string()),
        ("engineOutputY", "0".into()),
        ("engineOutputW", output.to_string()),
        ("engineOutputH", "260".into()),
        // WinBoard shows these windows at first, and over the board.
        ("evalGraphUp", "false".into()),
        ("moveHistoryUp", "false".into()),
        ("showThinking", "true".into()),
        ("hideThinkingFromHuman", "false".into()),
        ("animateMoving", "true".into()),
        // A turn may consist of a dozen plies, which must be visible.
        ("animateSpeed", "50".into()),
        ("highlightLastMove", "true".into()),
        ("highlightMoveWithArrow", "true".into()),
        ("autoComment", "true".into()),
        ("autoDisplayComment", "true".into()),
        ("popupMoveErrors", "false".into()),
        ("startupMessage", "\"\"".into()),
    ];
    let engine = engine(place);
    let kept = kept.display();
    let mut text = format!(
        "; {title}: start it with `{program} @{name}`\n; {MARK}, which replaces this file; what you change in XBoard is kept in\n; {kept}\n",
        title = facts.title,
        program = place.program.name(),
        name = facts.name,
    );
    let line = |(name, value): (&str, String)| format!("-{name} {value}\n");
    text.extend(looks.map(line));
    // WinBoard's user may choose another size. XBoard rounds the size down each time it saves it, so that the
    // board would shrink from start to start: there the size comes behind what XBoard has saved.
    let (before, behind) =
        if place.program == Program::Winboard { (size, Vec::new()) } else { (Vec::new(), size) };
    text.extend(before.into_iter().map(line));
    text.extend(["settingsFile", "saveSettingsFile"].map(|name| line((name, format!("\"{kept}\"")))));
    text.extend([line(("fcp", engine.clone())), line(("scp", engine))]);
    text.extend(behind.into_iter().chain(needs(facts, place)).map(line));
    if place.program == Program::Winboard {
        // Otherwise it first asks what to play against.
        text.push_str("-cp\n");
    }
    text
}

/// The options in an entry of a list of engines, with the size of the board.
fn listed(facts: &Facts, place: &Place) -> String {
    let own = facts.xboard.setup.is_some();
    let size = if own { size(facts, place.program).0 } else { Vec::new() };
    let window = size.into_iter().chain([("fixedSize", own.to_string())]);
    needs(facts, place).into_iter().chain(window).map(|(name, value)| format!(" -{name} {value}")).collect()
}

/// A line of XBoard's list of engines.
pub fn engine_line(facts: &Facts, place: &Place) -> String {
    let needs = listed(facts, place);
    // XBoard's list is narrow, and full titles would look alike in it.
    format!("\"Carom {}\" -fcp {}{needs}", facts.name, engine(place))
}

/// The plug-in file of the engine for the games that need no settings. PyChess reads it, too: it takes files
/// whose variants begin with chess, and what stands before `;` for a folder.
pub fn plain_plugin(place: &Place) -> String {
    let carom = path(&place.carom);
    format!("plugin spec 0.0\n{carom}\nchess,fischerandom,fairychess\n; {MARK}\n")
}

/// A plug-in file, which XBoard finds by itself. What follows the folder of a plug-in is copied as options.
pub fn plugin(facts: &Facts, place: &Place) -> String {
    let needs = listed(facts, place);
    let folder = place.carom.parent().map(path).unwrap_or_default();
    let program = place.carom.file_name().map(|name| path(Path::new(name))).unwrap_or_default();
    format!("plugin spec 0.0\ncd {folder}{needs};./{program}\nfairychess\n; {MARK}\n")
}

/// The command of the engine, quoted for XBoard, which splits it into words, or for Windows.
fn engine(place: &Place) -> String {
    let path = path(&place.carom);
    match place.program {
        _ if !path.contains(char::is_whitespace) => format!("\"{path}\""),
        Program::Xboard => format!("\"'{path}'\""),
        Program::Winboard => format!("\"\\\"{path}\\\"\""),
    }
}

/// A path as it is written in a quoted text. (Where the option is a file name, a backslash is literal.)
fn path(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Place {
        Place { program: Program::Xboard, carom: "/opt/carom".into(), pieces: "/home/a b/pieces".into() }
    }

    #[test]
    fn every_game_fits_on_a_small_screen() {
        for facts in variants::all() {
            let ((files, ranks), (size, width)) = (drawn(facts), xboard_size(facts));
            let square = square(size, files);
            let height = line_of(ranks, square) + XBOARD_FRAME.1;
            assert!(width <= 906 && height <= 736, "{}: {width}x{height}", facts.name);
            // The 15 rows of HanniBall leave less room.
            assert!(square >= if ranks < 15 { 60 } else { 40 }, "{}: {square}", facts.name);
            let (name, width) = winboard_size(facts);
            let height = ranks * (width - 24) / files;
            assert!(height > 490 && height < 650 && width < 900, "{}: {name}, {width}x{height}", facts.name);
        }
    }

    #[test]
    fn what_a_game_needs_comes_behind_what_its_user_has_changed() {
        let facts = variants::find("hanniball").unwrap();
        let text = file(facts, &place(), Path::new("/tmp/kept"));
        let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("no {word} in {text}"));
        assert!(at("\n-animateSpeed 50\n") < at("\n-settingsFile \"/tmp/kept\"\n"));
        let pictures = format!("-pid \"{}\"", place().pictures(facts).display());
        let size = "-size 46\n-boardWidth 9\n-boardHeight 15\n-holdingsSize 0";
        for need in [size, "-variant hanniball", "-testLegality false", &pictures, "-fcp \"/opt/carom\""] {
            assert!(at(&format!("\n{need}\n")) > at("-saveSettingsFile"), "{need}");
        }
    }

    #[test]
    fn chess_gets_back_what_other_games_have_changed() {
        let line = engine_line(variants::find("chess").unwrap(), &place());
        assert!(line.ends_with(
            "-variant normal -testLegality true -pid \"\" -trueColors false -showTargetSquares true -sweepPromotions true -fixedSize false"
        ), "{line}");
    }

    #[test]
    fn winboard_is_told_paths_of_windows() {
        let place = Place {
            program: Program::Winboard,
            carom: r"C:\Program Files\carom.exe".into(),
            pieces: r"C:\Users\a b\pieces".into(),
        };
        let facts = variants::find("hanniball").unwrap();
        let text = file(facts, &place, Path::new(r"C:\Users\a b\hanniball.ini"));
        let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("no {word} in {text}"));
        assert!(at("-x 1\n") < at("-engineOutputX"), "the other windows are placed by the first");
        for line in [
            "-size small",
            r#"-saveSettingsFile "C:\Users\a b\hanniball.ini""#,
            r#"-fcp "\"C:\\Program Files\\carom.exe\"""#,
            "-cp",
        ] {
            assert!(text.contains(&format!("\n{line}\n")), "no {line} in {text}");
        }
        let pictures = |name| place.pictures(variants::find(name).unwrap());
        assert_eq!(pictures("wickets-cards"), pictures("wickets-det"));
        assert_ne!(pictures("wickets-cards"), pictures("hanniball"));
    }
}
