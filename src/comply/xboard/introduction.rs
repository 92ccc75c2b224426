//! What the engine announces.

use super::examiner::{Examiner, QUICK};
use crate::comply::check::{Checked, ensure, failed, skipped};
use crate::protocol::xboard::{Declaration, OptionKind, Reply};
use std::collections::BTreeSet;

/// Every feature of the protocol's text and of XBoard 4.9.
const FEATURES: [&str; 34] = [
    "ping",
    "setboard",
    "playother",
    "san",
    "usermove",
    "time",
    "draw",
    "sigint",
    "sigterm",
    "reuse",
    "analyze",
    "myname",
    "variants",
    "colors",
    "ics",
    "name",
    "pause",
    "nps",
    "debug",
    "memory",
    "smp",
    "egt",
    "option",
    "exclude",
    "setscore",
    "highlight",
    "xedit",
    "edit",
    "oocastle",
    "fen960",
    "level",
    "done",
    "protover",
    "st",
];

pub fn handshake(x: &mut Examiner<'_>) -> Checked {
    x.introduce().map(drop)
}

pub fn features_are_well_formed(x: &mut Examiner<'_>) -> Checked {
    for line in x.introduce()? {
        if !line.starts_with("feature") {
            continue;
        }
        match Reply::parse(&line) {
            Ok(Some(parsed)) => {
                if let Some(skipped) = parsed.skipped.first() {
                    return failed(format!(
                        "`{}` in `{line}` is no NAME=NUMBER and no NAME=\"TEXT\"",
                        skipped.text
                    ));
                }
            }
            Ok(None) => {}
            Err(error) => return failed(format!("`{line}`: {error}")),
        }
    }
    Ok(())
}

pub fn features_are_known(x: &mut Examiner<'_>) -> Checked {
    x.introduce()?;
    let unknown: Vec<_> =
        x.features.keys().filter(|name| !FEATURES.contains(&name.as_str())).cloned().collect();
    ensure(unknown.is_empty(), || format!("unknown to XBoard: {}", unknown.join(", ")))
}

pub fn options_are_well_formed(x: &mut Examiner<'_>) -> Checked {
    x.introduce()?;
    let mut names = BTreeSet::new();
    for text in &x.options {
        let own = match Declaration::parse(text) {
            Ok(Some(parsed)) => parsed.message,
            Ok(None) => return failed("an empty option"),
            Err(error) => return failed(format!("option=\"{text}\": {error}")),
        };
        ensure(names.insert(own.name), || format!("`{}` is declared twice", own.name))?;
        if let OptionKind::Spin(span) | OptionKind::Slider(span) = own.kind {
            let inside = span.min <= span.value && span.value <= span.max;
            ensure(inside, || format!("option=\"{text}\": the value is out of range"))?;
        }
    }
    Ok(())
}

pub fn has_a_name(x: &mut Examiner<'_>) -> Checked {
    x.introduce()?;
    let named = x.features.get("myname").is_some_and(|name| !name.trim().is_empty());
    ensure(named, || "no `feature myname=\"…\"`".into())
}

pub fn rejections(x: &mut Examiner<'_>) -> Checked {
    x.introduce()?;
    for name in x.features.keys().filter(|name| *name != "done").cloned().collect::<Vec<_>>() {
        x.send(&format!("rejected {name}"))?;
    }
    // As XBoard would go on, had it accepted them.
    x.shared.ready = true;
    let start = x.shared.scenes.start.clone();
    if start.told.is_some() || !x.shared.settings.facts.answers_to("chess") {
        // Only that it still listens: it cannot be told of its game without what was rejected.
        return x.settle().map(drop);
    }
    x.moves_in(&start, &QUICK).map(drop)
}

pub fn offers_the_game(x: &mut Examiner<'_>) -> Checked {
    let facts = x.shared.settings.facts;
    x.introduce()?;
    match x.features.get("variants") {
        None if facts.answers_to("chess") => skipped("an engine without `variants` plays chess"),
        None => failed("no `feature variants=\"…\"`"),
        Some(names) => ensure(names.split(',').any(|name| facts.answers_to(name.trim())), || {
            format!("{} is not among: {names}", facts.name)
        }),
    }
}

pub fn sets_the_game_up(x: &mut Examiner<'_>) -> Checked {
    let facts = x.shared.settings.facts;
    if facts.xboard.setup.is_none() {
        return skipped("XBoard knows the game");
    }
    x.fresh()?;
    x.send("new")?;
    x.send(&format!("variant {}", facts.name))?;
    let lines = x.settle()?;
    for line in &lines {
        if let Ok(Some(parsed)) = Reply::parse(line)
            && let Reply::Setup(setup) = parsed.message
        {
            let Some(size) = setup.geometry else { return failed(format!("`{line}` says no size")) };
            let own = (u32::from(facts.files), u32::from(facts.ranks));
            return ensure((size.files, size.ranks) == own, || format!("`{line}`: the size is wrong"));
        }
    }
    failed("no `setup` before the answer to the next `ping`")
}

pub fn unknown_variant(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.send("new")?;
    x.send("variant nosuchgame")?;
    let lines = x.listen()?;
    let refused = lines.iter().any(|line| line.starts_with("Error") || line.starts_with("telluser"));
    ensure(refused, || "neither `Error (…)` nor a word to the user".into())
}

pub fn defaults_can_be_sent(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    if x.options.is_empty() {
        return skipped("the engine has no options");
    }
    for text in x.options.clone() {
        let Ok(Some(parsed)) = Declaration::parse(&text) else { continue };
        let own = parsed.message;
        let value = match own.kind {
            // What they do is not known.
            OptionKind::Button | OptionKind::Save | OptionKind::Reset => continue,
            OptionKind::Check(on) => u8::from(on).to_string(),
            // Some engines would take nothing for the name of a file.
            OptionKind::String(text) | OptionKind::File(text) | OptionKind::Path(text)
                if matches!(text, "" | "<empty>") =>
            {
                continue;
            }
            OptionKind::String(text) | OptionKind::File(text) | OptionKind::Path(text) => text.to_owned(),
            OptionKind::Spin(span) | OptionKind::Slider(span) => span.value.to_string(),
            OptionKind::Combo { choices, current } => choices[current.unwrap_or(0)].to_owned(),
        };
        if !["Chance", "Turn View"].contains(&own.name) {
            x.send(&format!("option {}={value}", own.name))?;
        }
    }
    let start = x.shared.scenes.start.clone();
    x.moves_in(&start, &QUICK).map(drop)
}

pub fn memory_and_cores(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    let (memory, cores) = (x.can("memory"), x.can("smp"));
    if !memory && !cores {
        return skipped("the engine announces neither memory=1 nor smp=1");
    }
    if memory {
        x.send("memory 16")?;
        x.send("memory 64")?;
    }
    if cores {
        x.send("cores 1")?;
    }
    let start = x.shared.scenes.start.clone();
    x.moves_in(&start, &QUICK).map(drop)
}
