//! WinBoard: where it is installed, and the bitmaps that it needs.

use super::error::{DesktopError, refused};
use super::settings::{Place, Program};
use super::{Plan, own_program};
use crate::game::Facts;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The path of WinBoard: as given in `WINBOARD`, on the path, or where its installer puts it.
fn program() -> Result<PathBuf, DesktopError> {
    let said = env::var_os("WINBOARD").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|folder| folder.join("winboard.exe"));
    let roots = ["SystemDrive", "ProgramFiles", "ProgramFiles(x86)"];
    // `C:` alone means the current folder of that drive.
    let root = |mut name: OsString| {
        name.push("/");
        PathBuf::from(name)
    };
    let roots = roots.iter().filter_map(env::var_os).map(root);
    let installed = roots.filter_map(|root| root.read_dir().ok()).flatten().filter_map(Result::ok);
    let installed = installed
        .filter(|entry| entry.file_name().to_string_lossy().to_ascii_lowercase().starts_with("winboard"));
    let installed = installed.flat_map(|entry| {
        ["winboard.exe", "WinBoard/winboard.exe"].map(|program| entry.path().join(program))
    });
    let found = said.into_iter().chain(on_path).chain(installed).find(|program| program.is_file());
    let missing = "WinBoard 4.9 is not found: put its folder on the path, or say where winboard.exe is in \
                   the variable WINBOARD";
    found.ok_or_else(|| refused(missing))
}

/// The command that starts WinBoard.
pub fn command() -> Result<Command, DesktopError> {
    let program = program()?;
    let mut command = Command::new(&program);
    // It looks for its files in this folder.
    command.current_dir(program.parent().unwrap_or(Path::new(".")));
    Ok(command)
}

/// Where the files are on Windows.
pub fn place() -> Result<Place, DesktopError> {
    let data = env::var_os("LOCALAPPDATA").map(PathBuf::from).filter(|path| path.is_absolute());
    let missing = "WinBoard is a program for Windows: say this to a carom.exe, there or under Wine";
    let data = data.ok_or_else(|| refused(missing))?;
    let pieces = data.join("carom").join("winboard").join("pieces");
    Ok(Place { program: Program::Winboard, carom: own_program()?, pieces })
}

/// What is to be installed: settings files beside WinBoard, where it looks for them, and a list of engines.
pub fn plan() -> Result<Plan, DesktopError> {
    let place = place()?;
    let program = program()?;
    let folder = program.parent().ok_or_else(|| refused("winboard.exe is in no folder"))?;
    let kept = place.pieces.parent().unwrap_or(&place.pieces);
    let settings = |facts: &Facts| folder.join(format!("{}.ini", facts.name));
    let kept = |facts: &Facts| kept.join(format!("{}.rc", facts.name));
    Plan::listed(&place, settings, kept, folder.join("winboard.ini"))
}

/// The bitmaps of a game's pieces in all sizes.
#[cfg(feature = "png")]
pub fn bitmaps(facts: &Facts) -> Result<Vec<(String, Vec<u8>)>, DesktopError> {
    let mut all = Vec::new();
    for (_, size) in super::settings::WINBOARD_SIZES {
        // The mark stands after the picture data, where readers ignore it.
        for (name, mut file) in
            crate::draw::winboard_files(facts, size).map_err(|error| refused(error.to_string()))?
        {
            file.extend(super::MARK.as_bytes());
            all.push((name, file));
        }
    }
    Ok(all)
}

/// Drawing bitmaps takes crates that are not in every build.
#[cfg(not(feature = "png"))]
pub fn bitmaps(_: &Facts) -> Result<Vec<(String, Vec<u8>)>, DesktopError> {
    let text = "WinBoard wants its pieces as bitmaps, which this Carom cannot draw: \
                `cargo install --path . --features png` makes one that can";
    Err(refused(text))
}

#[cfg(test)]
mod tests {
    use crate::draw::winboard_files;
    use crate::variants;
    use std::collections::BTreeSet;

    /// The piece types for which WinBoard has bitmaps of its own.
    const OWN: [usize; 26] =
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 26, 29];
    const CUB: usize = 32;

    #[test]
    fn each_piece_of_each_game_has_bitmaps_of_his_own() {
        for facts in variants::all().into_iter().filter(|facts| facts.xboard.setup.is_some()) {
            let files = winboard_files(facts, 33).unwrap();
            let names: BTreeSet<_> = files.iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), files.len(), "{}: one file for two pieces", facts.name);
            let white = names.iter().filter_map(|name| name.strip_suffix("33o.bmp"));
            let (numbered, named): (Vec<_>, Vec<_>) = white.partition(|name| name.starts_with("piece"));
            assert_eq!(numbered.len(), facts.pieces.len(), "{}", facts.name);
            let number = |name: &&str| name.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap();
            let own = numbered.iter().map(number).filter(|number| OWN.contains(number) || *number == CUB);
            assert_eq!(named.len(), own.count(), "{}: WinBoard's own bitmaps go before ours", facts.name);
        }
    }

    /// The red, green and blue of a square bitmap, rows from the top.
    fn read(file: &[u8]) -> Vec<Vec<[u8; 3]>> {
        let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        let (begin, size, bits) = (number(10), number(18), number(28));
        assert_eq!((&file[..2], number(2), number(22)), (&b"BM"[..], file.len(), size));
        let rows = file[begin..].chunks((size * bits).div_ceil(32) * 4);
        let rows = rows.map(|row| {
            let pixel = |x: usize| match bits {
                1 => [255 * (row[x / 8] >> (7 - x % 8) & 1); 3],
                _ => [row[3 * x + 2], row[3 * x + 1], row[3 * x]],
            };
            (0..size).map(pixel).collect()
        });
        rows.rev().collect()
    }

    #[test]
    fn the_pieces_stand_in_the_bitmaps_as_they_are_drawn() {
        let facts = variants::find("rollerball").unwrap();
        for size in [33, 40] {
            let files = winboard_files(facts, size).unwrap();
            let file = |kind| {
                read(&files.iter().find(|(name, _)| *name == format!("piece50_{size}{kind}.bmp")).unwrap().1)
            };
            let (white, black, mask) = (file("o"), file("s"), file("w"));
            assert_eq!(white.len(), size as usize);
            // A king: its foot is broad and at the bottom, and around its cross there is nothing.
            let (top, foot, middle) = (3, size as usize * 13 / 16, size as usize / 2);
            assert_eq!([white[top][top], black[top][top], mask[top][top]], [[255; 3]; 3]);
            assert_eq!(mask[foot][middle], [0; 3]);
            assert!(white[foot][middle][0] > 200 && black[foot][middle][0] < 80);
        }
    }
}
