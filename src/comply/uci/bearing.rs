//! How the engine bears itself: readiness, odd input, the end.

use super::examiner::{Examiner, is_best_move};
use crate::comply::check::{Checked, ensure, failed};
use std::process::ExitStatus;

pub fn ready_at_once(x: &mut Examiner<'_>) -> Checked {
    x.introduce()?;
    for _ in 0..3 {
        x.settle()?;
    }
    Ok(())
}

pub fn one_readyok_each(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.send("isready\nisready\nisready")?;
    let patience = x.patience();
    for _ in 0..3 {
        x.talk()?.wait_for("readyok", patience, |line| (line.trim() == "readyok").then_some(()))?;
    }
    let span = x.shared.settings.silence;
    let more = x.talk()?.listen(span)?;
    ensure(!more.iter().any(|line| line.trim() == "readyok"), || {
        "a fourth `readyok` for three `isready`".into()
    })
}

pub fn ready_while_searching(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    x.place(&start)?;
    x.send("go infinite")?;
    for _ in 0..2 {
        x.no_best_move("at `isready`, without `stop`")?;
    }
    let since = x.send("stop")?;
    let search = x.finish(since)?;
    x.judge(&start, &search)
}

pub fn new_game(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    for _ in 0..2 {
        x.send("ucinewgame")?;
        x.settle()?;
        x.legal_search(&start, "depth 1")?;
    }
    x.send("ucinewgame\nucinewgame")?;
    x.settle().map(drop)
}

pub fn works_without_new_game(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    let start = x.shared.scenes.start.clone();
    x.legal_search(&start, "depth 1").map(drop)
}

/// It still answers and still plays.
fn is_well(x: &mut Examiner<'_>) -> Checked {
    x.settle()?;
    let start = x.shared.scenes.start.clone();
    x.legal_search(&start, "depth 1").map(drop)
}

pub fn idle_stop(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    for idle in ["stop", "ponderhit"] {
        x.send(idle)?;
        x.no_best_move(&format!("at `{idle}`, without a search"))?;
    }
    is_well(x)
}

pub fn unknown_commands(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    for line in ["xyzzy", "", "   ", "xyzzy 1 2 3", "uciok", "readyok", "bestmove e2e4"] {
        x.send(line)?;
    }
    is_well(x)
}

pub fn words_in_front(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.send("joho isready")?;
    let patience = x.patience();
    x.talk()?.wait_for("readyok", patience, |line| (line.trim() == "readyok").then_some(())).map(drop)
}

pub fn blanks(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    let patience = x.patience();
    x.send("  isready  \r")?;
    x.talk()?.wait_for("readyok", patience, |line| (line.trim() == "readyok").then_some(()))?;
    let text = start.told.as_ref().map_or("startpos".to_owned(), |text| format!("fen  {text}"));
    x.send(&format!("\tposition \t {text}  \r"))?;
    let since = x.send(" go   depth\t1 \r")?;
    let search = x.finish(since)?;
    x.judge(&start, &search)
}

pub fn words_between(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    x.place(&start)?;
    let since = x.send("go quickly depth 1 please")?;
    let search = x.finish(since)?;
    x.judge(&start, &search)
}

pub fn unknown_option(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    for line in ["setoption name No Such Option value 3", "setoption name No Such Button"] {
        x.send(line)?;
    }
    is_well(x)
}

pub fn bad_values(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.needs_option("Hash")?;
    for line in ["setoption name Hash value many", "setoption name Hash value -1", "setoption name Hash"] {
        x.send(line)?;
    }
    is_well(x)
}

pub fn debug(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.send("debug on")?;
    is_well(x)?;
    x.send("debug off")?;
    is_well(x)
}

pub fn register(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.send("register later")?;
    is_well(x)
}

pub fn second_uci(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.send("uci")?;
    let patience = x.patience();
    x.talk()?.wait_for("uciok", patience, |line| (line.trim() == "uciok").then_some(()))?;
    is_well(x)
}

pub fn impossible_position(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    for line in ["position fen", "position fen 9/9/9 x", "position startpos moves a1a1", "position"] {
        x.send(line)?;
    }
    is_well(x)
}

pub fn many_moves_a_second(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    for _ in 0..20 {
        x.place(&start)?;
        let since = x.send("go depth 1")?;
        let search = x.finish(since)?;
        x.judge(&start, &search)?;
    }
    Ok(())
}

fn ended(x: &mut Examiner<'_>) -> Checked<ExitStatus> {
    let patience = x.patience();
    match x.talk()?.wait_for_end(patience) {
        Some(status) => Ok(status),
        None => failed(format!("still there {:.1} s later", patience.as_secs_f64())),
    }
}

fn begin_search(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start)?;
    x.send("go infinite")?;
    x.no_best_move("before `stop`").map(drop)
}

pub fn quit(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.send("quit")?;
    ended(x).map(drop)
}

pub fn quit_while_searching(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    begin_search(x)?;
    x.send("quit")?;
    ended(x).map(drop)
}

pub fn exit_code(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.send("quit")?;
    let status = ended(x)?;
    ensure(status.success(), || format!("after `quit`: {status}"))?;
    x.fresh()?;
    begin_search(x)?;
    x.send("quit")?;
    let status = ended(x)?;
    ensure(status.success(), || format!("after `quit` in a search: {status}"))
}

pub fn end_of_input(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.talk()?.close_input();
    ended(x).map(drop)
}

pub fn end_of_input_while_searching(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    begin_search(x)?;
    x.talk()?.close_input();
    ended(x).map(drop)
}

pub fn stop_at_once(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    for _ in 0..5 {
        x.place(&start)?;
        let since = x.send("go infinite\nstop")?;
        let search = x.finish(since)?;
        x.judge(&start, &search)?;
    }
    Ok(())
}

pub fn stop_twice(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    x.place(&start)?;
    let since = x.send("go infinite")?;
    x.send("stop\nstop")?;
    let search = x.finish(since)?;
    x.judge(&start, &search)?;
    let span = x.shared.settings.silence;
    let more = x.talk()?.listen(span)?;
    ensure(!more.iter().any(|line| is_best_move(line)), || "a second `bestmove` for a second `stop`".into())
}
