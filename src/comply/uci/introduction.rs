//! Who the engine is and what can be set.

use super::examiner::Examiner;
use crate::comply::check::{Checked, ensure, failed, skipped};
use crate::protocol::uci::{OptionKind, Reply};
use std::collections::BTreeSet;

pub fn handshake(x: &mut Examiner<'_>) -> Checked {
    x.introduce().map(drop)
}

pub fn identity(x: &mut Examiner<'_>) -> Checked {
    let lines = x.introduce()?;
    for what in ["id name ", "id author "] {
        let count = lines
            .iter()
            .filter(|line| line.trim().strip_prefix(what).is_some_and(|n| !n.trim().is_empty()))
            .count();
        ensure(count == 1, || format!("`{}…` is said {count} times before `uciok`", what.trim()))?;
    }
    Ok(())
}

pub fn options_are_well_formed(x: &mut Examiner<'_>) -> Checked {
    x.introduce()?;
    for line in &x.options {
        let parsed = match Reply::parse(line) {
            Ok(Some(parsed)) => parsed,
            Ok(None) => continue,
            Err(error) => return failed(format!("`{line}`: {error}")),
        };
        if let Some(skipped) = parsed.skipped.first() {
            return failed(format!("`{line}`: `{}` means nothing there", skipped.text));
        }
        let Reply::Option(declaration) = parsed.message else { continue };
        match declaration.kind {
            OptionKind::Spin { default, min, max } => {
                ensure(min <= default && default <= max, || {
                    format!("`{line}`: the default is out of range")
                })?;
            }
            OptionKind::Combo { default, choices } => {
                ensure(choices.contains(&default), || {
                    format!("`{line}`: the default is none of the values")
                })?;
            }
            OptionKind::Check { .. } | OptionKind::Button | OptionKind::String { .. } => {}
        }
    }
    Ok(())
}

pub fn options_have_one_name_each(x: &mut Examiner<'_>) -> Checked {
    x.introduce()?;
    let mut names = BTreeSet::new();
    for line in &x.options {
        let Ok(Some(parsed)) = Reply::parse(line) else { continue };
        if let Reply::Option(own) = parsed.message {
            let name: Vec<_> = own.name.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
            ensure(names.insert(name), || format!("`{}` is declared twice", own.name))?;
        }
    }
    Ok(())
}

pub fn silent_before_uci(x: &mut Examiner<'_>) -> Checked {
    let span = x.shared.settings.silence;
    let lines = x.shared.start()?.listen(span)?;
    ensure(lines.is_empty(), || format!("says `{}` before `uci`", lines[0]))?;
    handshake(x)
}

pub fn only_known_lines(x: &mut Examiner<'_>) -> Checked {
    let (span, patience) = (x.shared.settings.silence, x.patience());
    let talk = x.shared.start()?;
    // A banner is a matter of its own.
    talk.listen(span)?;
    talk.send("uci")?;
    let mut lines = Vec::new();
    talk.wait_for("uciok", patience, |line| {
        lines.push(line.to_owned());
        (line.trim() == "uciok").then_some(())
    })?;
    let unknown = lines.iter().find(
        |line| matches!(Reply::parse(line), Ok(Some(parsed)) if matches!(parsed.message, Reply::Unknown(_))),
    );
    ensure(unknown.is_none(), || format!("`{}` between `uci` and `uciok`", unknown.map_or("", |line| line)))
}

pub fn hash(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.needs_option("Hash")?;
    let Some(line) = x.option("Hash") else { return Ok(()) };
    let Ok(Some(parsed)) = Reply::parse(line) else { return failed(format!("`{line}` cannot be read")) };
    let (min, max) = match parsed.message {
        Reply::Option(own) => match own.kind {
            OptionKind::Spin { min, max, .. } => (min, max),
            _ => return failed(format!("`{line}`: Hash is a spin")),
        },
        _ => return skipped("no option"),
    };
    let start = x.shared.scenes.start.clone();
    for size in [min.max(1), max.min(64), min.max(1)] {
        x.set("Hash", &size.to_string())?;
        x.settle()?;
        x.legal_search(&start, "depth 2")?;
    }
    Ok(())
}

pub fn defaults_can_be_sent(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    for line in x.options.clone() {
        let Ok(Some(parsed)) = Reply::parse(&line) else { continue };
        let Reply::Option(own) = parsed.message else { continue };
        let value = match own.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } if own.name != "UCI_Variant" => default.to_owned(),
            // Some engines would take nothing for the name of a file.
            OptionKind::String { default: "" } => continue,
            OptionKind::String { default } => default.to_owned(),
            // What a button does is not known, and the game has been chosen.
            OptionKind::Button | OptionKind::Combo { .. } => continue,
        };
        if own.name != "Chance" {
            x.set(own.name, &value)?;
        }
    }
    x.settle()?;
    let start = x.shared.scenes.start.clone();
    x.legal_search(&start, "depth 1").map(drop)
}
