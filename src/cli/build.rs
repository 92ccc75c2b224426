//! Gives the program the commit that it is built from, if that is known, for `carom --version`.
//!
//! In a clone git is asked. A packaged crate has the commit in a file from cargo. Other builds may set it in
//! the variable `CAROM_COMMIT`. Builds for tests do not ask, since each commit would then rebuild everything.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=CAROM_COMMIT");
    println!("cargo::rerun-if-changed=src/cli/build.rs");
    let said = env::var("CAROM_COMMIT").ok().filter(|commit| !commit.is_empty());
    if let Some(commit) = said.or_else(packaged).or_else(cloned) {
        println!("cargo::rustc-env=CAROM_COMMIT={commit}");
    }
}

/// The commit in the file that `cargo package` has written.
fn packaged() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, behind) = text.split_once("\"sha1\"")?;
    behind.split('"').nth(1).filter(|commit| !commit.is_empty()).map(short)
}

/// The commit of the repository in this folder. One further up would belong to someone who keeps a copy of
/// Carom in it.
fn cloned() -> Option<String> {
    if env::var("PROFILE").is_ok_and(|profile| profile == "debug") || !Path::new(".git").exists() {
        return None;
    }
    let commit = git(&["rev-parse", "HEAD"])?;
    // This log changes with every commit and every change of branches.
    for path in [git(&["rev-parse", "--git-path", "logs/HEAD"])?.as_str(), "src", "Cargo.toml", "Cargo.lock"]
    {
        println!("cargo::rerun-if-changed={path}");
    }
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|list| !list.is_empty());
    Some(format!("{}{}", short(&commit), if changed { ", changed" } else { "" }))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn short(commit: &str) -> String {
    commit.chars().take(12).collect()
}
