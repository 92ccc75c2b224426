//! The checks of the XBoard protocol that need code. Each goes on where the script of its number ends.

use super::{CheckRunner, reply, send_move, show_any};
use crate::comply::check::{Checked, ensure, failed, skipped};
use crate::protocol::xboard::{Reply, Thinking};
use crate::protocol::{EngineOption, OptionType};
use std::collections::HashSet;

pub(super) fn code(number: &str) -> Option<fn(&mut CheckRunner<'_>) -> Checked> {
    Some(match number {
        "X02" => features_are_well_formed,
        "X03" => features_are_known,
        "X04" => options_are_well_formed,
        "X06" => rejections,
        "X13" => plays_on,
        "X39" => depth_is_kept,
        "X43" => thinking_in_centiseconds,
        "X49" => offers_the_game,
        "X52" => defaults_can_be_sent,
        "X57" => hint,
        "X58" => book,
        "X59" => pondering,
        "X60" => ponder_hit,
        _ => return None,
    })
}

fn features_are_well_formed(x: &mut CheckRunner<'_>) -> Checked {
    for line in x.heard.iter().filter(|line| line.starts_with("feature")) {
        match Reply::parse(line) {
            Ok(Some(parsed)) => {
                if let Some(skipped) = parsed.skipped.first() {
                    let text = skipped.text;
                    return failed(format!("`{text}` in `{line}` is no NAME=NUMBER and no NAME=\"TEXT\""));
                }
            }
            Ok(None) => {}
            Err(error) => return failed(format!("`{line}`: {error}")),
        }
    }
    Ok(())
}

/// Every feature in the text of the protocol and in XBoard 4.9.
const FEATURES: &str = "ping setboard playother san usermove time draw sigint sigterm reuse analyze myname variants \
    colors ics name pause nps debug memory smp egt option exclude setscore highlight xedit edit oocastle fen960 level \
    done protover st";

fn features_are_known(x: &mut CheckRunner<'_>) -> Checked {
    let known = |name: &str| FEATURES.split(' ').any(|known| known == name);
    let unknown: Vec<_> = x.features.keys().filter(|name| !known(name)).cloned().collect();
    ensure(unknown.is_empty(), || format!("unknown to XBoard: {}", unknown.join(", ")))
}

fn options_are_well_formed(x: &mut CheckRunner<'_>) -> Checked {
    let mut names = HashSet::new();
    for text in &x.options {
        let own = match EngineOption::parse_xboard(text) {
            Ok(Some(parsed)) => parsed.message,
            Ok(None) => return failed("an empty option"),
            Err(error) => return failed(format!("option=\"{text}\": {error}")),
        };
        ensure(names.insert(own.name.clone()), || format!("`{}` is declared twice", own.name))?;
        if let OptionType::Number { value, min, max } = own.kind {
            ensure((min..=max).contains(&value), || format!("option=\"{text}\": the value is out of range"))?;
        }
    }
    Ok(())
}

fn rejections(x: &mut CheckRunner<'_>) -> Checked {
    for name in x.features.keys().filter(|name| *name != "done").cloned().collect::<Vec<_>>() {
        x.send(&format!("rejected {name}"))?;
    }
    // XBoard would go on like this, had it accepted them.
    x.ready = true;
    if x.settings.facts.is_chess() {
        return x.statement("search", "{start}");
    }
    // Check only that the engine still listens: without what was rejected, its game cannot be chosen.
    x.statement("settle", "")
}

/// True when the game is over or chance comes next.
fn nobody_speaks(x: &mut CheckRunner<'_>) -> bool {
    let referee = x.positions.same_referee();
    referee.result().is_some() || referee.actor().player().is_none()
}

/// True when the engine is to move again.
fn speaks_again(x: &mut CheckRunner<'_>) -> bool {
    !nobody_speaks(x) && x.positions.same_referee().actor() == x.mover
}

fn plays_on(x: &mut CheckRunner<'_>) -> Checked {
    x.statement("search", "{start}")?;
    for _ in 0..3 {
        // In games with several tokens per turn, the opponent may have to move more than once, with chance in
        // between.
        for word in 0..21 {
            if nobody_speaks(x) {
                return Ok(());
            }
            if word == 0 {
                x.statement(">", "{time|otim} 6000")?;
            } else if speaks_again(x) {
                break;
            }
            show_any(x)?;
        }
        x.driver.finish(x, true)?;
    }
    Ok(())
}

fn thinking(line: &str) -> Option<Thinking<'_>> {
    match reply(line) {
        Some(Reply::Thinking(thinking)) => Some(thinking),
        _ => None,
    }
}

fn depth_is_kept(x: &mut CheckRunner<'_>) -> Checked {
    match x.heard.iter().filter_map(|line| thinking(line)).map(|thinking| thinking.ply).max() {
        None => skipped("the engine shows no thinking at this depth"),
        Some(ply) => ensure(ply <= 4, || format!("depth {ply} after `sd 4`")),
    }
}

fn thinking_in_centiseconds(x: &mut CheckRunner<'_>) -> Checked {
    let most = (x.took + x.settings.margin).as_millis() as u64 / 10;
    let mut before = 0;
    for time in x.heard.iter().filter_map(|line| thinking(line)).map(|thinking| thinking.time) {
        ensure(time <= most, || {
            format!("time {time} where {} centiseconds have passed", x.took.as_millis() / 10)
        })?;
        ensure(time >= before, || format!("time {time} after {before}"))?;
        before = time;
    }
    Ok(())
}

fn offers_the_game(x: &mut CheckRunner<'_>) -> Checked {
    let facts = x.settings.facts;
    match x.features.get("variants") {
        None if facts.is_chess() => skipped("an engine without `variants` plays chess"),
        None => failed("no `feature variants=\"…\"`"),
        Some(names) => ensure(names.split(',').any(|name| facts.answers_to(name.trim())), || {
            format!("{} is not among: {names}", facts.name)
        }),
    }
}

fn defaults_can_be_sent(x: &mut CheckRunner<'_>) -> Checked {
    if x.options.is_empty() {
        return skipped("the engine has no options");
    }
    for text in x.options.clone() {
        let Ok(Some(parsed)) = EngineOption::parse_xboard(&text) else { continue };
        let own = parsed.message;
        let value = match own.kind {
            // What these do is not known.
            OptionType::Button => continue,
            OptionType::Check { on, .. } => u8::from(on).to_string(),
            // Some engines would take an empty text for the name of a file.
            OptionType::Text { value, .. } if matches!(value.as_str(), "" | "<empty>") => continue,
            OptionType::Text { value, .. } => value,
            OptionType::Number { value, .. } => value.to_string(),
            OptionType::OneOf { current, .. } => current,
        };
        if !["Chance", "Turn View"].contains(&own.name.as_str()) {
            x.send(&format!("option {}={value}", own.name))?;
        }
    }
    x.statement("search", "{start}")
}

/// The move that the engine hints at.
fn hinted(x: &CheckRunner<'_>) -> Option<String> {
    x.heard.iter().find_map(|line| line.strip_prefix("Hint:")).map(|hint| hint.trim().to_owned())
}

fn hint(x: &mut CheckRunner<'_>) -> Checked {
    let hint = hinted(x).unwrap_or_default();
    x.positions.same_referee().play_xboard(&hint)
}

fn book(x: &mut CheckRunner<'_>) -> Checked {
    let answer: Vec<_> = x.heard.iter().take_while(|line| !line.starts_with("pong")).collect();
    if answer.is_empty() || answer[0].starts_with("Error") {
        return skipped("the engine says nothing about its book");
    }
    let Some(end) = answer.iter().position(|line| line.trim().is_empty()) else {
        return failed("no empty line ends the answer");
    };
    match answer[..end].iter().find(|line| !line.starts_with([' ', '\t'])) {
        Some(stray) => failed(format!("`{stray}` does not begin with a blank")),
        None => Ok(()),
    }
}

fn pondering(x: &mut CheckRunner<'_>) -> Checked {
    if nobody_speaks(x) || speaks_again(x) {
        return skipped("the opponent does not speak next");
    }
    x.statement(">", "{time|otim} 6000")?;
    show_any(x)?;
    if x.positions.same_referee().actor() == x.mover {
        x.driver.finish(x, true)?;
    }
    x.send("easy")
}

fn ponder_hit(x: &mut CheckRunner<'_>) -> Checked {
    let Some(hint) = hinted(x) else {
        return skipped("the engine does not tell which move it expects");
    };
    x.positions.same_referee().play_xboard(&hint)?;
    x.statement(">", "{time|otim} 6000")?;
    send_move(x, &hint)?;
    if speaks_again(x) {
        x.driver.finish(x, true)?;
    }
    x.send("easy")
}
