//! Everything besides playing: pings, clocks, thinking lines, analysis, odd input, the end.

use super::examiner::{Examiner, QUICK, move_in, refused};
use crate::comply::check::{Checked, ensure, failed, skipped};
use crate::comply::scenes::Scene;
use crate::protocol::xboard::{Reply, Thinking};
use std::process::ExitStatus;
use std::time::Duration;

pub fn ping(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.needs("ping")?;
    let patience = x.patience();
    for number in [1, 7, 99_999] {
        x.send(&format!("ping {number}"))?;
        let pong = format!("pong {number}");
        x.talk()?.wait_for(&format!("`{pong}`"), patience, |line| (line.trim() == pong).then_some(()))?;
    }
    Ok(())
}

pub fn pings_in_order(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.needs("ping")?;
    let patience = x.patience();
    x.send("ping 11\nping 12\nping 13")?;
    for number in 11..=13 {
        let (pong, _) = x
            .talk()?
            .wait_for("pong", patience, |line| line.starts_with("pong").then(|| line.trim().to_owned()))?;
        ensure(pong == format!("pong {number}"), || format!("`{pong}` where `pong {number}` is due"))?;
    }
    Ok(())
}

pub fn ping_while_thinking(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.needs("ping")?;
    let start = x.shared.scenes.start.clone();
    x.place(&start, &["st 1"])?;
    x.tell_time()?;
    x.send("go")?;
    x.settle().map(drop)
}

pub fn move_before_pong(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.needs("ping")?;
    let start = x.shared.scenes.start.clone();
    x.place(&start, &["st 30"])?;
    x.tell_time()?;
    x.send("go")?;
    // It has begun to think when this is over.
    let silence = x.shared.settings.silence;
    let early = x.talk()?.listen(silence)?;
    if early.iter().any(|line| move_in(line).is_some()) {
        return skipped("the engine moved before it was told to");
    }
    x.send("?")?;
    let lines = x.settle()?;
    ensure(lines.iter().any(|line| move_in(line).is_some()), || {
        "`pong` before the move that `?` asked for".into()
    })
}

/// A move that must be there after `most`.
fn timed(x: &mut Examiner<'_>, scene: &Scene, limits: &[&str], most: Duration) -> Checked {
    let (_, took) = x.moves_in(scene, limits)?;
    let most = most + x.shared.settings.margin;
    ensure(took <= most, || {
        format!("{} took {} ms; at most {} would do", limits.join(", "), took.as_millis(), most.as_millis())
    })
}

pub fn move_time(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    timed(x, &start, &["st 1"], Duration::from_secs(1))
}

pub fn depth(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.moves_in(&start, &["level 0 60 0", "sd 1"])?;
    x.moves_in(&start, &["level 0 60 0", "sd 3"]).map(drop)
}

pub fn depth_is_kept(x: &mut Examiner<'_>) -> Checked {
    let (lines, _) = thinking(x, &["level 0 60 0", "sd 4"])?;
    let deepest = lines.iter().filter_map(|line| parsed(line)).map(|thinking| thinking.ply).max();
    match deepest {
        None => skipped("the engine shows no thinking at this depth"),
        Some(ply) => ensure(ply <= 4, || format!("depth {ply} after `sd 4`")),
    }
}

pub fn clocks(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    for level in ["level 0 0:02 0", "level 40 0:02 0", "level 0 0:02 1"] {
        x.place(&start, &[level])?;
        x.send("time 200")?;
        x.send("otim 200")?;
        let since = x.send("go")?;
        let (_, took) = x.legal_move(since)?;
        let most = Duration::from_secs(2) + x.shared.settings.margin;
        ensure(took <= most, || format!("{level}: {} ms with 2 s on the clock", took.as_millis()))?;
    }
    Ok(())
}

pub fn little_time(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    for time in [10, 1, 0, -10] {
        x.place(&start, &["level 0 1 0"])?;
        x.send(&format!("time {time}"))?;
        x.send("otim 6000")?;
        let since = x.send("go")?;
        let (_, took) = x.legal_move(since)?;
        let most = Duration::from_millis(500) + x.shared.settings.margin;
        ensure(took <= most, || format!("{} ms with `time {time}`", took.as_millis()))?;
    }
    Ok(())
}

pub fn move_now(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &["st 30"])?;
    x.tell_time()?;
    x.send("go")?;
    let silence = x.shared.settings.silence;
    let early = x.talk()?.listen(silence)?;
    if early.iter().any(|line| move_in(line).is_some()) {
        return skipped("the engine moved before it was told to");
    }
    let since = x.send("?")?;
    let (_, took) = x.legal_move(since)?;
    let most = Duration::from_millis(500) + x.shared.settings.margin;
    ensure(took <= most, || format!("{} ms after `?`", took.as_millis()))
}

pub fn idle_move_now(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    x.send("?")?;
    x.no_move("at `?` in force mode").map(drop)
}

/// What is shown while the engine thinks in `post` mode, and for how long it thought.
fn thinking(x: &mut Examiner<'_>, limits: &[&str]) -> Checked<(Vec<String>, Duration)> {
    let start = x.shared.scenes.start.clone();
    x.place(&start, limits)?;
    x.send("post")?;
    x.tell_time()?;
    let since = x.send("go")?;
    let patience = x.patience();
    let mut lines = Vec::new();
    let (_, came) = x.talk()?.wait_for("move", patience, |line| {
        lines.push(line.to_owned());
        move_in(line).map(drop)
    })?;
    lines.pop();
    Ok((lines, came.saturating_duration_since(since)))
}

fn parsed(line: &str) -> Option<Thinking<'_>> {
    match Reply::parse(line) {
        Ok(Some(parsed)) => match parsed.message {
            Reply::Thinking(thinking) => Some(thinking),
            _ => None,
        },
        _ => None,
    }
}

pub fn thinking_lines(x: &mut Examiner<'_>) -> Checked {
    let (lines, _) = thinking(x, &["st 1"])?;
    let numbers = |line: &&String| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    for line in lines.iter().filter(numbers) {
        ensure(parsed(line).is_some(), || format!("`{line}` is not PLY SCORE TIME NODES PV"))?;
    }
    ensure(lines.iter().any(|line| parsed(line).is_some()), || "nothing is shown after `post`".into())
}

pub fn thinking_in_centiseconds(x: &mut Examiner<'_>) -> Checked {
    let (lines, took) = thinking(x, &["st 1"])?;
    let most = (took + x.shared.settings.margin).as_millis() as u64 / 10;
    let mut before = 0;
    for thinking in lines.iter().filter_map(|line| parsed(line)) {
        let time = thinking.time;
        ensure(time <= most, || {
            format!("time {time} where {} centiseconds have passed", took.as_millis() / 10)
        })?;
        ensure(time >= before, || format!("time {time} after {before}"))?;
        before = time;
    }
    Ok(())
}

pub fn only_known_lines(x: &mut Examiner<'_>) -> Checked {
    let (lines, _) = thinking(x, &["st 1"])?;
    for line in &lines {
        let known = match Reply::parse(line) {
            Ok(Some(parsed)) => !matches!(parsed.message, Reply::Unknown(_)),
            Ok(None) => true,
            Err(_) => false,
        };
        ensure(known, || format!("`{line}` means nothing (a comment begins with `#`)"))?;
    }
    Ok(())
}

pub fn no_post(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &["st 1"])?;
    x.send("post\nnopost")?;
    x.tell_time()?;
    x.send("go")?;
    let patience = x.patience();
    let mut lines = Vec::new();
    x.talk()?.wait_for("move", patience, |line| {
        lines.push(line.to_owned());
        move_in(line).map(drop)
    })?;
    match lines.iter().find(|line| parsed(line).is_some()) {
        Some(line) => failed(format!("`{line}` after `nopost`")),
        None => Ok(()),
    }
}

/// Begins to analyse the start, thinking shown.
fn analyze(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.needs("analyze")?;
    let start = x.shared.scenes.start.clone();
    x.place(&start, &["level 0 5 0"])?;
    x.send("post")?;
    x.send("analyze").map(drop)
}

pub fn analysis(x: &mut Examiner<'_>) -> Checked {
    analyze(x)?;
    let patience = x.patience();
    x.talk()?.wait_for("thinking line", patience, |line| parsed(line).map(drop))?;
    x.no_move("in analysis")?;
    // The user plays on, and takes back.
    x.show_any()?;
    let lines = x.no_move("in analysis")?;
    ensure(!lines.iter().any(|line| refused(line)), || "a legal move is refused in analysis".into())?;
    x.send("undo")?;
    x.no_move("in analysis")?;
    x.send("exit")?;
    x.settle()?;
    let lines = x.no_move("after analysis")?;
    ensure(!lines.iter().any(|line| parsed(line).is_some()), || "thinking is shown after `exit`".into())
}

pub fn plays_after_analysis(x: &mut Examiner<'_>) -> Checked {
    analyze(x)?;
    x.send("exit")?;
    x.settle()?;
    let start = x.shared.scenes.start.clone();
    x.moves_in(&start, &QUICK).map(drop)
}

pub fn analysis_status(x: &mut Examiner<'_>) -> Checked {
    analyze(x)?;
    let silence = x.shared.settings.silence;
    x.talk()?.listen(silence)?;
    x.send(".")?;
    let patience = x.patience();
    let (line, _) = x
        .talk()?
        .wait_for("`stat01:` line", patience, |line| line.starts_with("stat01:").then(|| line.to_owned()))?;
    x.send("exit")?;
    x.settle()?;
    match Reply::parse(&line) {
        Ok(Some(parsed)) if matches!(parsed.message, Reply::Status(_)) => Ok(()),
        _ => failed(format!("`{line}` cannot be read")),
    }
}

/// It still plays.
fn is_well(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.moves_in(&start, &QUICK).map(drop)
}

pub fn unknown_commands(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    for line in ["xyzzy", "", "xyzzy 1 2 3"] {
        x.send(line)?;
    }
    x.no_move("at unknown commands")?;
    is_well(x)
}

pub fn unknown_commands_are_refused(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    x.send("xyzzy")?;
    let lines = x.listen()?;
    let refusal = lines.iter().find(|line| line.starts_with("Error") && line.contains("xyzzy"));
    ensure(refusal.is_some_and(|line| line.starts_with("Error (")), || {
        "no `Error (unknown command): xyzzy`".into()
    })
}

pub fn old_commands(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    for line in [
        "random",
        "hard",
        "easy",
        "computer",
        "name Nobody",
        "rating 1500 1600",
        "rating 0 0",
        "draw",
        "accepted ping",
        "rejected ping",
        "ics -",
        "post",
        "nopost",
        "level 40 5 0",
        "st 5",
        "time 100",
        "otim 100",
    ] {
        x.send(line)?;
    }
    let lines = x.no_move("in force mode")?;
    ensure(!lines.iter().any(|line| refused(line)), || "an ordinary command is taken for a move".into())?;
    is_well(x)
}

pub fn hint(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    x.send("hint")?;
    let lines = x.no_move("at `hint`")?;
    let Some(hint) = lines.iter().find_map(|line| line.strip_prefix("Hint:")) else {
        return skipped("the engine has no hint");
    };
    x.shared.scenes.same_judge().play_xboard(hint.trim())
}

pub fn book(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    x.send("bk")?;
    let lines = x.no_move("at `bk`")?;
    let answer: Vec<_> = lines.iter().take_while(|line| !line.starts_with("pong")).collect();
    if answer.is_empty() || answer[0].starts_with("Error") {
        return skipped("the engine says nothing about its book");
    }
    let Some(end) = answer.iter().position(|line| line.trim().is_empty()) else {
        return failed("no empty line ends the answer");
    };
    let stray = answer[..end].iter().find(|line| !line.starts_with([' ', '\t']));
    ensure(stray.is_none(), || format!("`{}` does not begin with a blank", stray.map_or("", |line| line)))
}

pub fn pondering(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    let mover = x.shared.scenes.judge(&start)?.actor();
    x.place(&start, &QUICK)?;
    x.send("hard")?;
    x.tell_time()?;
    let since = x.send("go")?;
    x.legal_move(since)?;
    x.no_move("while pondering")?;
    let judge = x.shared.scenes.same_judge();
    if judge.result().is_some() || judge.actor().player().is_none() || judge.actor() == mover {
        return skipped("the opponent does not speak next");
    }
    x.tell_time()?;
    let since = x.show_any()?;
    if x.shared.scenes.same_judge().actor() == mover {
        x.legal_move(since)?;
    }
    x.send("easy")?;
    Ok(())
}

pub fn ponder_hit(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    let mover = x.shared.scenes.judge(&start)?.actor();
    x.place(&start, &QUICK)?;
    x.send("hard")?;
    x.tell_time()?;
    let since = x.send("go")?;
    x.legal_move(since)?;
    x.send("hint")?;
    let lines = x.no_move("while pondering")?;
    let Some(hint) = lines.iter().find_map(|line| line.strip_prefix("Hint:")) else {
        return skipped("the engine does not tell which move it expects");
    };
    x.shared.scenes.same_judge().play_xboard(hint.trim())?;
    x.tell_time()?;
    let since = x.send_move(hint.trim())?;
    let judge = x.shared.scenes.same_judge();
    if judge.result().is_none() && judge.actor() == mover {
        x.legal_move(since)?;
    }
    x.send("easy").map(drop)
}

pub fn pause(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.needs("pause")?;
    let start = x.shared.scenes.start.clone();
    x.place(&start, &["st 1"])?;
    x.tell_time()?;
    x.send("go\npause")?;
    let span = Duration::from_secs(1) + x.shared.settings.silence;
    let early = x.talk()?.listen(span)?;
    ensure(!early.iter().any(|line| move_in(line).is_some()), || {
        "a move between `pause` and `resume`".into()
    })?;
    let since = x.send("resume")?;
    x.legal_move(since).map(drop)
}

pub fn exclude(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.needs("exclude")?;
    analyze(x)?;
    x.send("exclude all")?;
    x.send("include all")?;
    x.no_move("in analysis")?;
    x.send("exit")?;
    x.settle()?;
    is_well(x)
}

pub fn blanks(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    x.send("time 6000\r")?;
    x.send("otim  6000 \r")?;
    let since = x.send("go\r")?;
    x.legal_move(since).map(drop)
}

fn ended(x: &mut Examiner<'_>) -> Checked<ExitStatus> {
    let patience = x.patience();
    match x.talk()?.wait_for_end(patience) {
        Some(status) => Ok(status),
        None => failed(format!("still there {:.1} s later", patience.as_secs_f64())),
    }
}

fn begin_thinking(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    let start = x.shared.scenes.start.clone();
    x.place(&start, &["st 30"])?;
    x.tell_time()?;
    x.send("go").map(drop)
}

pub fn quit(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.send("quit")?;
    ended(x).map(drop)
}

pub fn quit_while_thinking(x: &mut Examiner<'_>) -> Checked {
    begin_thinking(x)?;
    x.send("quit")?;
    ended(x).map(drop)
}

pub fn exit_code(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.send("quit")?;
    let status = ended(x)?;
    ensure(status.success(), || format!("after `quit`: {status}"))
}

pub fn end_of_input(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.talk()?.close_input();
    ended(x).map(drop)
}

pub fn end_of_input_while_thinking(x: &mut Examiner<'_>) -> Checked {
    begin_thinking(x)?;
    x.talk()?.close_input();
    ended(x).map(drop)
}
