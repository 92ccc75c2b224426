//! What is said during a search.

use super::examiner::{Examiner, Search};
use crate::comply::check::{Checked, ensure, failed, skipped};
use crate::comply::scenes::Scene;
use crate::protocol::uci::{Info, Reply};

/// A search of the start, long enough that something is said.
fn some_search(x: &mut Examiner<'_>) -> Checked<(Scene, Search)> {
    x.any()?;
    let scene = x.shared.scenes.moves.first().unwrap_or(&x.shared.scenes.start).clone();
    let search = x.legal_search(&scene, "movetime 300")?;
    Ok((scene, search))
}

/// The `info` lines that can be read.
fn infos(lines: &[String]) -> impl DoubleEndedIterator<Item = Info<'_>> {
    lines.iter().filter_map(|line| match Reply::parse(line) {
        Ok(Some(parsed)) => match parsed.message {
            Reply::Info(info) => Some(info),
            _ => None,
        },
        _ => None,
    })
}

pub fn info_is_well_formed(x: &mut Examiner<'_>) -> Checked {
    let (_, search) = some_search(x)?;
    for line in &search.lines {
        if let Err(error) = Reply::parse(line) {
            return failed(format!("`{line}`: {error}"));
        }
    }
    for info in infos(&search.lines) {
        ensure(info.selective_depth.is_none() || info.depth.is_some(), || {
            "`seldepth` without `depth`".into()
        })?;
        ensure(info.hash_full.is_none_or(|full| full <= 1000), || "`hashfull` above 1000".into())?;
        ensure(info.current_move_number != Some(0), || "`currmovenumber 0`; it counts from 1".into())?;
        ensure(info.multi_pv != Some(0), || "`multipv 0`; it counts from 1".into())?;
    }
    Ok(())
}

pub fn only_known_words(x: &mut Examiner<'_>) -> Checked {
    let (_, search) = some_search(x)?;
    for line in &search.lines {
        let Ok(Some(parsed)) = Reply::parse(line) else { continue };
        if let Some(skipped) = parsed.skipped.first() {
            return failed(format!("`{}` in `{line}` means nothing", skipped.text));
        }
        ensure(matches!(parsed.message, Reply::Info(_)), || format!("`{line}` during a search"))?;
    }
    Ok(())
}

pub fn says_a_score(x: &mut Examiner<'_>) -> Checked {
    let (_, search) = some_search(x)?;
    let scored = infos(&search.lines).any(|info| info.score.is_some() && info.depth.is_some());
    ensure(scored, || "no `info` line has a depth and a score".into())
}

pub fn says_the_rest(x: &mut Examiner<'_>) -> Checked {
    let (_, search) = some_search(x)?;
    let Some(last) = infos(&search.lines).rfind(|info| info.score.is_some()) else {
        return failed("no `info` line has a score");
    };
    for (there, word) in [
        (last.depth.is_some(), "depth"),
        (last.time.is_some(), "time"),
        (last.nodes.is_some(), "nodes"),
        (last.pv.is_some_and(|pv| !pv.is_empty()), "pv"),
    ] {
        ensure(there, || format!("the last `info` line with a score has no `{word}`"))?;
    }
    let speed = infos(&search.lines).any(|info| info.nodes_per_second.is_some());
    ensure(speed, || "`nps` is never said".into())
}

pub fn counts_grow(x: &mut Examiner<'_>) -> Checked {
    let (_, search) = some_search(x)?;
    let (mut nodes, mut time) = (0, 0);
    for info in infos(&search.lines) {
        if let Some(now) = info.nodes {
            ensure(now >= nodes, || format!("{now} nodes after {nodes}"))?;
            nodes = now;
        }
        if let Some(now) = info.time {
            ensure(now >= time, || format!("{now} ms after {time}"))?;
            time = now;
        }
    }
    let most = (search.took + x.shared.settings.margin).as_millis() as u64;
    ensure(time <= most, || format!("`time {time}` where {} ms have passed", search.took.as_millis()))
}

pub fn pv_is_legal(x: &mut Examiner<'_>) -> Checked {
    let (scene, search) = some_search(x)?;
    let mut seen = false;
    for info in infos(&search.lines) {
        let Some(pv) = info.pv else { continue };
        seen = true;
        let judge = x.shared.scenes.judge(&scene)?;
        for token in pv.iter() {
            if judge.actor().player().is_none() {
                // Chance speaks; what the engine expects of it is its own affair.
                break;
            }
            judge.say(token)?;
        }
    }
    if seen { Ok(()) } else { skipped("the engine tells no line") }
}

pub fn pv_begins_with_the_move(x: &mut Examiner<'_>) -> Checked {
    let (_, search) = some_search(x)?;
    let lines = infos(&search.lines).filter(|info| info.multi_pv.unwrap_or(1) == 1);
    let Some(pv) = lines.filter_map(|info| info.pv).last() else {
        return skipped("the engine tells no line");
    };
    let (first, best) = (pv.iter().next().unwrap_or_default(), search.best.unwrap_or_default());
    ensure(first == best, || format!("the last line begins with {first}, the move is {best}"))
}

pub fn several_lines(x: &mut Examiner<'_>) -> Checked {
    const LINES: usize = 3;
    x.fresh()?;
    x.needs_option("MultiPV")?;
    x.set("MultiPV", &LINES.to_string())?;
    let scene = x.shared.scenes.start.clone();
    let search = x.legal_search(&scene, "depth 4")?;
    let mut firsts = vec![None; LINES];
    for info in infos(&search.lines) {
        let (Some(pv), Some(_)) = (info.pv, info.score) else { continue };
        let Some(number) = info.multi_pv else { return failed("a line without `multipv`") };
        let Some(first) = firsts.get_mut((number as usize).wrapping_sub(1)) else {
            return failed(format!("`multipv {number}` where {LINES} lines were asked for"));
        };
        *first = pv.iter().next().map(str::to_owned);
    }
    let told: Vec<_> = firsts.into_iter().flatten().collect();
    ensure(told.len() == LINES, || format!("{} lines where {LINES} were asked for", told.len()))?;
    let different = told.iter().enumerate().all(|(index, first)| !told[..index].contains(first));
    ensure(different, || format!("lines that begin alike: {}", told.join(" ")))
}

pub fn same_again(x: &mut Examiner<'_>) -> Checked {
    let mut bests = Vec::new();
    for _ in 0..2 {
        x.fresh()?;
        if x.has("Threads") {
            x.set("Threads", "1")?;
            x.settle()?;
        }
        let scene = x.shared.scenes.moves.first().unwrap_or(&x.shared.scenes.start).clone();
        let search = x.legal_search(&scene, "nodes 20000")?;
        let last = infos(&search.lines).rfind(|info| info.score.is_some());
        let told = last.map(|info| (info.depth, info.nodes, info.score.map(|(score, _)| score.to_string())));
        bests.push((search.best, told));
    }
    ensure(bests[0] == bests[1], || format!("first {:?}, then {:?}", bests[0], bests[1]))
}
