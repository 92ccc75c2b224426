//! What goes beyond the text of 2006: other games, chance, counting.

use super::examiner::Examiner;
use crate::comply::check::{Checked, ensure, failed, skipped};
use crate::protocol::uci::{OptionKind, Reply};
use std::time::Duration;

pub fn variant_is_offered(x: &mut Examiner<'_>) -> Checked {
    let facts = x.shared.settings.facts;
    x.introduce()?;
    if facts.answers_to("chess") && !x.has("UCI_Variant") {
        return skipped("chess needs no UCI_Variant");
    }
    let Some(line) = x.option("UCI_Variant") else { return failed("there is no option UCI_Variant") };
    let Ok(Some(parsed)) = Reply::parse(line) else { return failed(format!("`{line}` cannot be read")) };
    let Reply::Option(own) = parsed.message else { return failed(format!("`{line}` cannot be read")) };
    let OptionKind::Combo { choices, .. } = own.kind else { return failed("UCI_Variant is no combo") };
    ensure(choices.iter().any(|name| facts.answers_to(name)), || {
        format!("{} is not among: {}", facts.name, choices.join(", "))
    })
}

pub fn variant_is_told(x: &mut Examiner<'_>) -> Checked {
    let facts = x.shared.settings.facts;
    x.introduce()?;
    x.needs_option("UCI_Variant")?;
    x.set("UCI_Variant", facts.name)?;
    let lines = x.settle()?;
    let told = lines.iter().find(|line| line.starts_with("info string variant "));
    let Some(told) = told else { return failed("no `info string variant …` after the game was chosen") };
    let words: Vec<_> = told.split_ascii_whitespace().collect();
    let value =
        |key: &str| words.iter().position(|word| *word == key).and_then(|at| words.get(at + 1).copied());
    for (key, expected) in [("files", facts.files), ("ranks", facts.ranks)] {
        ensure(value(key) == Some(expected.to_string().as_str()), || {
            format!("no `{key} {expected}` in `{told}`")
        })?;
    }
    ensure(value("startpos").is_some(), || format!("no `startpos` in `{told}`"))
}

pub fn whole_turns(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    if x.shared.settings.facts.answers_to("chess") {
        return skipped("a turn is one move in chess");
    }
    let mut scenes = vec![x.shared.scenes.start.clone()];
    scenes.extend(x.shared.scenes.special.iter().cloned());
    for scene in &scenes {
        let mover = x.shared.scenes.judge(scene)?.actor();
        let search = x.legal_search(scene, "depth 2")?;
        let judge = x.shared.scenes.same_judge();
        let goes_on = judge.actor() == mover && judge.result().is_none();
        ensure(!goes_on, || format!("{} leaves the same player to go on", search.best.unwrap_or_default()))?;
    }
    Ok(())
}

pub fn chance_is_the_referees(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    if !x.shared.settings.facts.chance {
        return skipped("a game without chance");
    }
    x.needs_option("Chance")?;
    let mut scenes = vec![x.shared.scenes.start.clone()];
    scenes.extend(x.shared.scenes.special.iter().cloned());
    scenes.extend(x.shared.scenes.win.iter().cloned());
    for scene in &scenes {
        // `legal_search` fails when the move speaks for chance.
        x.legal_search(scene, "depth 2")?;
    }
    Ok(())
}

pub fn goes_on_after_chance(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    if !x.shared.settings.facts.chance {
        return skipped("a game without chance");
    }
    x.needs_option("Chance")?;
    let scene = x.needs(&x.shared.scenes.after_chance, "position in which a player answers chance")?;
    x.legal_search(&scene, "depth 2").map(drop)
}

pub fn counts(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    if !x.shared.scenes.simple {
        return skipped("turns of several decisions are not listed one by one here");
    }
    let start = x.shared.scenes.start.clone();
    let judge = x.shared.scenes.judge(&start)?;
    let all = judge.continuations();
    let expected = all.len();
    x.place(&start)?;
    x.send("go perft 1")?;
    // An engine that does not know the word may take it for an endless search.
    let patience = x.patience().min(Duration::from_secs(3));
    let mut lines = Vec::new();
    let total = x.talk()?.wait_for("`Nodes searched: N`", patience, |line| {
        lines.push(line.to_owned());
        line.trim().strip_prefix("Nodes searched: ").map(|total| total.trim().parse::<usize>().ok())
    });
    let Ok((total, _)) = total else {
        x.fresh()?;
        return skipped("the engine does not count");
    };
    ensure(total == Some(expected), || format!("{total:?} turns, where {expected} are legal"))?;
    let divided = lines.iter().filter(|line| line.trim_end().ends_with(": 1")).count();
    ensure(divided == expected, || format!("{divided} turns are listed, where {expected} are legal"))
}
