//! `position` and the parameters of `go`.

use super::examiner::{Examiner, is_best_move};
use crate::base::Color;
use crate::comply::check::{Checked, ensure, failed, skipped};
use crate::comply::scenes::Scene;
use crate::game::Actor;
use crate::protocol::uci::Reply;
use std::time::Duration;

pub fn depth(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    for depth in [1, 2, 3] {
        x.legal_search(&start, &format!("depth {depth}"))?;
    }
    Ok(())
}

fn all_legal(x: &mut Examiner<'_>, scenes: &[Scene], limits: &str) -> Checked {
    x.any()?;
    ensure(!scenes.is_empty(), || "(a fault of the examiner) no positions".into())?;
    for scene in scenes {
        x.legal_search(scene, limits)?;
    }
    Ok(())
}

pub fn startpos(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    all_legal(x, &[start], "depth 2")
}

pub fn startpos_moves(x: &mut Examiner<'_>) -> Checked {
    let scenes = x.shared.scenes.moves.clone();
    all_legal(x, &scenes, "depth 2")
}

pub fn fen(x: &mut Examiner<'_>) -> Checked {
    let scenes = x.shared.scenes.positions.clone();
    all_legal(x, &scenes, "depth 2")
}

pub fn fen_moves(x: &mut Examiner<'_>) -> Checked {
    let scene = x.needs(&x.shared.scenes.both, "position and moves from it")?;
    all_legal(x, &[scene], "depth 2")
}

pub fn special_moves(x: &mut Examiner<'_>) -> Checked {
    let scenes = x.shared.scenes.special.clone();
    all_legal(x, &scenes, "depth 2")
}

pub fn long_game(x: &mut Examiner<'_>) -> Checked {
    let scene = x.needs(&x.shared.scenes.long, "long game")?;
    all_legal(x, &[scene], "depth 1")
}

pub fn order_does_not_matter(x: &mut Examiner<'_>) -> Checked {
    // Each `position` is complete: nothing may be left of the one before.
    x.any()?;
    let mut scenes = x.shared.scenes.moves.clone();
    scenes.extend(x.shared.scenes.positions.iter().cloned());
    scenes.push(x.shared.scenes.start.clone());
    for scene in scenes.iter().rev() {
        x.place(scene)?;
    }
    let last = &scenes[0];
    let since = x.send("go depth 1")?;
    let search = x.finish(since)?;
    x.judge(last, &search)
}

pub fn nodes(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    x.legal_search(&start, "nodes 5000")?;
    x.legal_search(&start, "nodes 1").map(drop)
}

pub fn nodes_are_kept(x: &mut Examiner<'_>) -> Checked {
    const ASKED: u64 = 20_000;
    x.any()?;
    let start = x.shared.scenes.start.clone();
    let search = x.legal_search(&start, &format!("nodes {ASKED}"))?;
    let Some(most) = search.lines.iter().filter_map(|line| nodes_in(line)).max() else {
        return skipped("the engine does not tell how many nodes it searched");
    };
    // Engines look at the limit every few thousand nodes.
    ensure(most <= ASKED + 10_000, || format!("{most} nodes searched where {ASKED} were asked for"))
}

fn nodes_in(line: &str) -> Option<u64> {
    match Reply::parse(line) {
        Ok(Some(parsed)) => match parsed.message {
            Reply::Info(info) => info.nodes,
            _ => None,
        },
        _ => None,
    }
}

/// A search that must be over after `most`.
fn timed(x: &mut Examiner<'_>, scene: &Scene, limits: &str, most: Duration) -> Checked<Duration> {
    let search = x.legal_search(scene, limits)?;
    let most = most + x.shared.settings.margin;
    ensure(search.took <= most, || {
        format!("`go {limits}` took {} ms; at most {} would do", search.took.as_millis(), most.as_millis())
    })?;
    Ok(search.took)
}

pub fn move_time(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    for milliseconds in [300, 50] {
        timed(x, &start, &format!("movetime {milliseconds}"), Duration::from_millis(milliseconds))?;
    }
    Ok(())
}

pub fn move_time_is_used(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    let took = timed(x, &start, "movetime 400", Duration::from_millis(400))?;
    ensure(took >= Duration::from_millis(200), || format!("only {} of 400 ms used", took.as_millis()))
}

pub fn clocks(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let [white, black] = both_sides(x)?;
    let second = Duration::from_secs(1);
    for scene in [&white, &black] {
        timed(x, scene, "wtime 1000 btime 1000", second)?;
        timed(x, scene, "wtime 1000 btime 1000 winc 100 binc 100", second)?;
        timed(x, scene, "wtime 1000 btime 1000 winc 0 binc 0 movestogo 10", second)?;
    }
    Ok(())
}

pub fn own_clock_only(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let [white, black] = both_sides(x)?;
    for (scene, clock) in [(&white, "w"), (&black, "b")] {
        timed(x, scene, &format!("{clock}time 200"), Duration::from_millis(200))?;
        timed(x, scene, &format!("{clock}time 200 {clock}inc 100"), Duration::from_millis(200))?;
        timed(x, scene, &format!("{clock}time 200 {clock}inc 100 movestogo 40"), Duration::from_millis(200))?;
    }
    Ok(())
}

pub fn no_time_left(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let [white, _] = both_sides(x)?;
    for time in [10, 1, 0, -50] {
        timed(x, &white, &format!("wtime {time} btime 1000"), Duration::from_millis(200))?;
    }
    Ok(())
}

/// Positions in which White, and Black, decides.
fn both_sides(x: &mut Examiner<'_>) -> Checked<[Scene; 2]> {
    let mut scenes = vec![x.shared.scenes.start.clone()];
    scenes.extend(x.shared.scenes.moves.iter().chain(&x.shared.scenes.positions).cloned());
    let mut of = |color| {
        let fits = |scene: &&Scene| {
            x.shared.scenes.judge(scene).is_ok_and(|judge| judge.actor() == Actor::Player(color))
        };
        scenes.iter().find(fits).cloned()
    };
    match (of(Color::White), of(Color::Black)) {
        (Some(white), Some(black)) => Ok([white, black]),
        _ => skipped("no position for each side can be told in this game"),
    }
}

pub fn infinite(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    x.place(&start)?;
    x.send("go infinite")?;
    x.no_best_move("before `stop`")?;
    let since = x.send("stop")?;
    let search = x.finish(since)?;
    x.judge(&start, &search)
}

pub fn infinite_when_all_is_known(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let win = x.needs(&x.shared.scenes.win, "win in one turn")?;
    for limits in ["infinite", "infinite depth 1"] {
        x.place(&win)?;
        x.send(&format!("go {limits}"))?;
        if limits != "infinite" {
            // Which of the two goes first is not said anywhere; one answer is.
            let span = x.shared.settings.silence;
            let heard = x.talk()?.listen(span)?;
            let early = heard.iter().find(|line| is_best_move(line));
            x.send("stop")?;
            let more = x.talk()?.listen(span)?;
            let late = more.iter().filter(|line| is_best_move(line)).count();
            ensure(late == usize::from(early.is_none()), || {
                format!("{late} more `bestmove` for `go {limits}`")
            })?;
            continue;
        }
        x.no_best_move("before `stop`: a win was found, but nobody said `stop`")?;
        let since = x.send("stop")?;
        let search = x.finish(since)?;
        x.judge(&win, &search)?;
    }
    Ok(())
}

pub fn bare_go(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    let start = x.shared.scenes.start.clone();
    x.place(&start)?;
    x.send("go")?;
    let since = x.send("stop")?;
    let search = x.finish(since)?;
    x.judge(&start, &search)
}

/// Begins to ponder.
fn ponder(x: &mut Examiner<'_>, limits: &str) -> Checked<Scene> {
    x.any()?;
    x.needs_option("Ponder")?;
    x.set("Ponder", "true")?;
    let scene = x.shared.scenes.start.clone();
    x.place(&scene)?;
    x.send(&format!("go ponder {limits}"))?;
    x.no_best_move("before `ponderhit` or `stop`")?;
    Ok(scene)
}

pub fn ponder_hit(x: &mut Examiner<'_>) -> Checked {
    for limits in ["wtime 1000 btime 1000", "movetime 50", "depth 1"] {
        let scene = ponder(x, limits)?;
        let since = x.send("ponderhit")?;
        let search = x.finish(since)?;
        x.judge(&scene, &search)?;
    }
    Ok(())
}

pub fn ponder_stop(x: &mut Examiner<'_>) -> Checked {
    let scene = ponder(x, "wtime 1000 btime 1000")?;
    let since = x.send("stop")?;
    let search = x.finish(since)?;
    x.judge(&scene, &search)
}

pub fn ponder_move(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let scene = x.shared.scenes.start.clone();
    x.place(&scene)?;
    x.send("go movetime 400")?;
    let patience = x.patience();
    let mut last = String::new();
    x.talk()?.wait_for("bestmove", patience, |line| {
        last = line.to_owned();
        is_best_move(line).then_some(())
    })?;
    x.settle()?;
    let Ok(Some(parsed)) = Reply::parse(&last) else {
        return failed(format!("`{last}` cannot be understood"));
    };
    let Reply::BestMove { best: Some(best), ponder } = parsed.message else {
        return failed(format!("`{last}`"));
    };
    let Some(ponder) = ponder else { return skipped("the engine names no move to ponder on") };
    let judge = x.shared.scenes.judge(&scene)?;
    judge.play(best)?;
    if judge.actor().player().is_none() {
        return skipped("chance speaks before the reply");
    }
    judge.play(ponder)
}

pub fn search_moves(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    let judge = x.shared.scenes.judge(&start)?;
    let mut wanted = judge.continuations();
    wanted.retain(|token| token != ".");
    // Those no engine would choose: from the ends of the list.
    let few: Vec<_> = wanted.iter().take(1).chain(wanted.last()).cloned().collect();
    for list in [&few[..1], &few[..]] {
        let search = x.legal_search(&start, &format!("depth 2 searchmoves {}", list.join(" ")))?;
        let best = search.best.unwrap_or_default();
        let one_of = |token: &String| {
            best == *token || best.strip_prefix(token.as_str()).is_some_and(|rest| rest.starts_with(','))
        };
        ensure(list.iter().any(one_of), || format!("{best} is none of {}", list.join(" ")))?;
    }
    Ok(())
}

pub fn mate_limit(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let win = x.needs(&x.shared.scenes.win, "win in one turn")?;
    x.legal_search(&win, "mate 1").map(drop)
}

pub fn finds_the_win(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let win = x.needs(&x.shared.scenes.win, "win in one turn")?;
    let search = x.legal_search(&win, "movetime 500")?;
    let best = search.best.unwrap_or_default();
    let won = x.shared.scenes.same_judge().result().is_some_and(|result| result != "1/2-1/2");
    ensure(won, || format!("{best} does not win at once, though a turn does"))?;
    let mate = |line: &String| line.contains(" score mate 1 ") || line.ends_with(" score mate 1");
    ensure(search.lines.iter().any(mate), || "the win is not told as `score mate 1`".into())
}

/// A finished game is asked about.
fn over(x: &mut Examiner<'_>, scene: &Scene) -> Checked {
    let search = x.search(scene, "depth 3")?;
    let none = search.best.as_deref().is_none_or(|best| best == "0000");
    ensure(none, || format!("`bestmove {}` when the game is over", search.best.unwrap_or_default()))
}

pub fn lost_game(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let scene = x.needs(&x.shared.scenes.won, "finished game")?;
    over(x, &scene)
}

pub fn drawn_game(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let scene = x.needs(&x.shared.scenes.drawn, "drawn game")?;
    over(x, &scene)
}

pub fn infinite_in_a_lost_game(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let scene = x.needs(&x.shared.scenes.won, "finished game")?;
    x.place(&scene)?;
    x.send("go infinite")?;
    x.no_best_move("before `stop`, in a finished game")?;
    let since = x.send("stop")?;
    x.finish(since).map(drop)
}
