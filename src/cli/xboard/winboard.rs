//! WinBoard: where it is, and the bitmaps it wants.

use super::settings::{Place, Program};
use super::{BadInput, Plan};
use crate::game::Facts;
use anyhow::Context;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// WinBoard's program: where `WINBOARD` says, on the path, or where its installer puts it.
fn program() -> anyhow::Result<PathBuf> {
    let said = env::var_os("WINBOARD").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|folder| folder.join("winboard.exe"));
    let roots = ["SystemDrive", "ProgramFiles", "ProgramFiles(x86)"];
    // `C:` alone is whatever folder is current there.
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
    Ok(found.ok_or_else(|| BadInput(missing.into()))?)
}

/// WinBoard, to be started.
pub fn command() -> anyhow::Result<Command> {
    let program = program()?;
    let mut command = Command::new(&program);
    // It looks for its files there.
    command.current_dir(program.parent().unwrap_or(Path::new(".")));
    Ok(command)
}

/// Where things are on Windows.
pub fn place() -> anyhow::Result<Place> {
    let data = env::var_os("LOCALAPPDATA").map(PathBuf::from).filter(|path| path.is_absolute());
    let data = data.ok_or_else(|| {
        BadInput("WinBoard is a program for Windows: say this to a carom.exe, there or under Wine".into())
    })?;
    let pieces = data.join("carom").join("winboard").join("pieces");
    Ok(Place { program: Program::Winboard, carom: env::current_exe()?, pieces })
}

/// What is installed: settings files beside WinBoard, where it looks for them, and a list of engines.
pub fn plan() -> anyhow::Result<Plan> {
    let place = place()?;
    let program = program()?;
    let folder = program.parent().context("winboard.exe is in no folder")?;
    let kept = place.pieces.parent().unwrap_or(&place.pieces);
    let settings = |facts: &Facts| folder.join(format!("{}.ini", facts.name));
    let kept = |facts: &Facts| kept.join(format!("{}.rc", facts.name));
    Plan::listed(&place, settings, kept, folder.join("winboard.ini"))
}

/// The bitmaps of a game's men in all sizes.
#[cfg(feature = "png")]
pub fn bitmaps(facts: &Facts) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut all = Vec::new();
    for (_, size) in super::settings::WINBOARD_SIZES {
        for (name, mut file) in crate::pieces::winboard_files(facts, size)? {
            // Behind the picture, where nobody looks for more of it.
            file.extend(super::MARK.as_bytes());
            all.push((name, file));
        }
    }
    Ok(all)
}

/// Making bitmaps takes crates that are not in every build.
#[cfg(not(feature = "png"))]
pub fn bitmaps(_: &Facts) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let text = "WinBoard wants its men as bitmaps, which this Carom cannot draw: \
                `cargo install --path . --features png` makes one that can";
    Err(BadInput(text.into()).into())
}
