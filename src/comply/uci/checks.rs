//! The checks of UCI that need code. Each goes on where the script of its number ends.

use super::{CheckRunner, reply, set};
use crate::comply::check::{Checked, ensure, failed, skipped};
use crate::protocol::uci::{Info, Reply};
use crate::protocol::{EngineOption, OptionType};
use std::collections::HashSet;
use std::time::Duration;

pub(super) fn code(number: &str) -> Option<fn(&mut CheckRunner<'_>) -> Checked> {
    Some(match number {
        "U03" => options_are_well_formed,
        "U04" => options_have_one_name_each,
        "U17" => order_does_not_matter,
        "U21" => nodes_are_kept,
        "U23" => move_time_is_used,
        "U37" => ponder_move,
        "U38" => search_moves,
        "U40" => finds_the_win,
        "U43" => info_is_well_formed,
        "U44" => only_known_words,
        "U47" => counts_grow,
        "U48" => pv_is_legal,
        "U49" => pv_begins_with_the_move,
        "U50" => several_lines,
        "U51" => hash,
        "U52" => defaults_can_be_sent,
        "U68" => same_again,
        "U69" => variant_is_offered,
        "U74" => counts,
        _ => return None,
    })
}

fn options_are_well_formed(x: &mut CheckRunner<'_>) -> Checked {
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
            OptionType::Number { value, min, max } if !(min..=max).contains(&value) => {
                return failed(format!("`{line}`: the default is out of range"));
            }
            OptionType::OneOf { choices, current } if !choices.contains(&current) => {
                return failed(format!("`{line}`: the default is none of the values"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The declarations of options that can be parsed.
fn declarations(options: &[String]) -> impl Iterator<Item = EngineOption> {
    options.iter().filter_map(|line| match reply(line) {
        Some(Reply::Option(own)) => Some(own),
        _ => None,
    })
}

fn options_have_one_name_each(x: &mut CheckRunner<'_>) -> Checked {
    let mut names = HashSet::new();
    for own in declarations(&x.options) {
        let name = own.name.split_ascii_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
        ensure(names.insert(name), || format!("`{}` is declared twice", own.name))?;
    }
    Ok(())
}

/// Each `position` is complete: nothing of the one before may remain.
fn order_does_not_matter(x: &mut CheckRunner<'_>) -> Checked {
    let positions = x.positions("moves, positions, start")?;
    for test in positions.iter().skip(1).rev() {
        x.send(&format!("position {}", test.to_uci()))?;
    }
    x.search(&positions[0], "depth 1")
}

/// The `info` lines of a search that can be parsed.
fn infos(lines: &[String]) -> impl DoubleEndedIterator<Item = Info<'_>> {
    lines.iter().filter_map(|line| match reply(line) {
        Some(Reply::Info(info)) => Some(info),
        _ => None,
    })
}

fn nodes_are_kept(x: &mut CheckRunner<'_>) -> Checked {
    let Some(most) = infos(&x.heard).filter_map(|info| info.nodes).max() else {
        return skipped("the engine does not tell how many nodes it searched");
    };
    // Engines look at the limit only every few thousand nodes.
    ensure(most <= 30_000, || format!("{most} nodes searched where 20000 were asked for"))
}

fn move_time_is_used(x: &mut CheckRunner<'_>) -> Checked {
    let took = x.took.as_millis();
    ensure(took >= 200, || format!("only {took} of 400 ms used"))
}

fn ponder_move(x: &mut CheckRunner<'_>) -> Checked {
    let Some(Reply::BestMove { ponder: Some(ponder), .. }) = reply(&x.line) else {
        return skipped("the engine names no move to ponder on");
    };
    let referee = x.positions.same_referee();
    if referee.actor().player().is_none() {
        return skipped("chance speaks before the reply");
    }
    referee.play(ponder)
}

fn search_moves(x: &mut CheckRunner<'_>) -> Checked {
    let start = x.positions("start")?.swap_remove(0);
    let mut wanted = x.positions.referee(&start)?.continuations();
    wanted.retain(|token| token != ".");
    // These are moves that no engine would choose, from the ends of the list.
    let few: Vec<_> = wanted.iter().take(1).chain(wanted.last()).cloned().collect();
    for list in [&few[..1], &few[..]] {
        x.search(&start, &format!("depth 2 searchmoves {}", list.join(" ")))?;
        let best = x.best.as_deref().unwrap_or_default();
        let one_of = |token: &String| {
            best == *token || best.strip_prefix(token.as_str()).is_some_and(|rest| rest.starts_with(','))
        };
        ensure(list.iter().any(one_of), || format!("{best} is none of {}", list.join(" ")))?;
    }
    Ok(())
}

fn finds_the_win(x: &mut CheckRunner<'_>) -> Checked {
    let won = x.positions.same_referee().result().is_some_and(|result| result != "1/2-1/2");
    let best = x.best.as_deref().unwrap_or_default();
    ensure(won, || format!("{best} does not win at once, though a turn does"))?;
    let mate = |line: &String| line.contains(" score mate 1 ") || line.ends_with(" score mate 1");
    ensure(x.heard.iter().any(mate), || "the win is not told as `score mate 1`".into())
}

fn info_is_well_formed(x: &mut CheckRunner<'_>) -> Checked {
    for line in &x.heard {
        if let Err(error) = Reply::parse(line) {
            return failed(format!("`{line}`: {error}"));
        }
    }
    for info in infos(&x.heard) {
        for (wrong, what) in [
            (info.selective_depth.is_some() && info.depth.is_none(), "`seldepth` without `depth`"),
            (info.hash_full.is_some_and(|full| full > 1000), "`hashfull` above 1000"),
            (info.current_move_number == Some(0), "`currmovenumber 0`; it counts from 1"),
            (info.multi_pv == Some(0), "`multipv 0`; it counts from 1"),
        ] {
            ensure(!wrong, || what.into())?;
        }
    }
    Ok(())
}

fn only_known_words(x: &mut CheckRunner<'_>) -> Checked {
    for line in &x.heard {
        let Ok(Some(parsed)) = Reply::parse(line) else { continue };
        if let Some(skipped) = parsed.skipped.first() {
            return failed(format!("`{}` in `{line}` means nothing", skipped.text));
        }
        ensure(matches!(parsed.message, Reply::Info(_)), || format!("`{line}` during a search"))?;
    }
    Ok(())
}

fn counts_grow(x: &mut CheckRunner<'_>) -> Checked {
    let (mut nodes, mut time) = (0, 0);
    for info in infos(&x.heard) {
        for (now, before, of) in [(info.nodes, &mut nodes, "nodes"), (info.time, &mut time, "ms")] {
            let now = now.unwrap_or(*before);
            ensure(now >= *before, || format!("{now} {of} after {before}"))?;
            *before = now;
        }
    }
    let most = (x.took + x.settings.margin).as_millis() as u64;
    ensure(time <= most, || format!("`time {time}` where {} ms have passed", x.took.as_millis()))
}

fn pv_is_legal(x: &mut CheckRunner<'_>) -> Checked {
    let mut seen = false;
    for pv in infos(&x.heard).filter_map(|info| info.pv) {
        seen = true;
        let referee = x.positions.referee(&x.test)?;
        for token in pv.iter() {
            if referee.actor().player().is_none() {
                // Chance comes next, and the engine may expect of it what it likes.
                break;
            }
            referee.say(token)?;
        }
    }
    if seen { Ok(()) } else { skipped("the engine tells no line") }
}

fn pv_begins_with_the_move(x: &mut CheckRunner<'_>) -> Checked {
    let lines = infos(&x.heard).filter(|info| info.multi_pv.unwrap_or(1) == 1);
    let Some(pv) = lines.filter_map(|info| info.pv).next_back() else {
        return skipped("the engine tells no line");
    };
    let (first, best) = (pv.iter().next().unwrap_or_default(), x.best.as_deref().unwrap_or_default());
    ensure(first == best, || format!("the last line begins with {first}, the move is {best}"))
}

fn several_lines(x: &mut CheckRunner<'_>) -> Checked {
    /// As many as the script asks for.
    const LINES: usize = 3;
    let mut firsts = vec![None; LINES];
    for info in infos(&x.heard) {
        let (Some(pv), Some(_)) = (info.pv, info.score) else { continue };
        let Some(number) = info.multi_pv else { return failed("a line without `multipv`") };
        let Some(first) = firsts.get_mut((number as usize).wrapping_sub(1)) else {
            return failed(format!("`multipv {number}` where {LINES} lines were asked for"));
        };
        *first = pv.iter().next().map(str::to_owned);
    }
    let moves: Vec<_> = firsts.into_iter().flatten().collect();
    ensure(moves.len() == LINES, || format!("{} lines where {LINES} were asked for", moves.len()))?;
    let different = (1..moves.len()).all(|number| !moves[..number].contains(&moves[number]));
    ensure(different, || format!("lines that begin alike: {}", moves.join(" ")))
}

fn hash(x: &mut CheckRunner<'_>) -> Checked {
    let line = x.option("Hash").unwrap_or_default();
    let (min, max) = match reply(line) {
        Some(Reply::Option(EngineOption { kind: OptionType::Number { min, max, .. }, .. })) => (min, max),
        _ => return failed(format!("`{line}`: Hash is a spin")),
    };
    let start = x.positions("start")?.swap_remove(0);
    for size in [min.max(1), max.min(64), min.max(1)] {
        set(x, "Hash", &size.to_string())?;
        x.driver.settle(x)?;
        x.search(&start, "depth 2")?;
    }
    Ok(())
}

fn defaults_can_be_sent(x: &mut CheckRunner<'_>) -> Checked {
    let options = x.options.clone();
    for own in declarations(&options) {
        let value = match own.kind {
            OptionType::Check { on, .. } => on.to_string(),
            OptionType::Number { value, .. } => value.to_string(),
            OptionType::OneOf { current, .. } if own.name != "UCI_Variant" => current,
            // Some engines would take an empty text for the name of a file.
            OptionType::Text { value, .. } if value.is_empty() => continue,
            OptionType::Text { value, .. } => value,
            // What a button does is not known, and the game has been chosen already.
            OptionType::Button | OptionType::OneOf { .. } => continue,
        };
        if own.name != "Chance" {
            set(x, &own.name, &value)?;
        }
    }
    x.statement("well", "")
}

fn same_again(x: &mut CheckRunner<'_>) -> Checked {
    let test = x.positions("early")?.swap_remove(0);
    let mut bests = Vec::new();
    for _ in 0..2 {
        x.fresh()?;
        if x.option("Threads").is_some() {
            set(x, "Threads", "1")?;
            x.driver.settle(x)?;
        }
        x.search(&test, "nodes 20000")?;
        let last = infos(&x.heard).rfind(|info| info.score.is_some());
        let end = last.map(|info| (info.depth, info.nodes, info.score.map(|score| score.to_string())));
        bests.push((x.best.take(), end));
    }
    ensure(bests[0] == bests[1], || format!("first {:?}, then {:?}", bests[0], bests[1]))
}

fn variant_is_offered(x: &mut CheckRunner<'_>) -> Checked {
    let facts = x.settings.facts;
    let Some(line) = x.option("UCI_Variant") else {
        let reason = "there is no option UCI_Variant";
        return if facts.is_chess() { skipped("chess needs no UCI_Variant") } else { failed(reason) };
    };
    let Some(Reply::Option(EngineOption { kind: OptionType::OneOf { choices, .. }, .. })) = reply(line)
    else {
        return failed("UCI_Variant is no combo");
    };
    ensure(choices.iter().any(|name| facts.answers_to(name)), || {
        format!("{} is not among: {}", facts.name, choices.join(", "))
    })
}

fn counts(x: &mut CheckRunner<'_>) -> Checked {
    let start = x.positions("start")?.swap_remove(0);
    let expected = x.positions.referee(&start)?.continuations().len();
    x.driver.begin(x, &start, "perft 1")?;
    // An engine that does not know the command may take it for an infinite search.
    let patience = x.settings.timeout.min(Duration::from_secs(3));
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
