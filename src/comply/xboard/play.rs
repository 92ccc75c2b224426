//! Moves, results, going back.

use super::examiner::{Examiner, QUICK, move_in, refused, result_in};
use crate::comply::check::{Checked, Stop, ensure, failed, skipped};
use crate::comply::scenes::Scene;
use crate::game::Actor;

pub fn plays_black_after_new(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    if start.told.is_some() || !x.shared.settings.facts.answers_to("chess") {
        return skipped("`variant` follows `new` in this game");
    }
    x.any()?;
    x.send("new")?;
    for limit in QUICK {
        x.send(limit)?;
    }
    x.shared.scenes.judge(&start)?;
    x.tell_time()?;
    let since = x.show("e2e4")?;
    x.legal_move(since).map(drop)
}

pub fn plays_at_go(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.moves_in(&start, &QUICK).map(drop)
}

pub fn plays_on(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    let mover = x.shared.scenes.judge(&start)?.actor();
    x.moves_in(&start, &QUICK)?;
    for _ in 0..3 {
        // In games of several words a turn the opponent may have to speak more than once, and chance in between.
        let judge = x.shared.scenes.same_judge();
        if judge.result().is_some() || judge.actor() == Actor::Chance {
            return Ok(());
        }
        x.tell_time()?;
        let mut since = x.show_any()?;
        for _ in 0..20 {
            let judge = x.shared.scenes.same_judge();
            if judge.result().is_some() || judge.actor() == Actor::Chance {
                return Ok(());
            }
            if judge.actor() == mover {
                break;
            }
            since = x.show_any()?;
        }
        x.legal_move(since)?;
    }
    Ok(())
}

fn all_legal(x: &mut Examiner<'_>, scenes: &[Scene]) -> Checked {
    x.any()?;
    for scene in scenes {
        if scene.told.is_some() {
            x.needs("setboard")?;
        }
        x.moves_in(scene, &QUICK)?;
    }
    Ok(())
}

pub fn after_moves(x: &mut Examiner<'_>) -> Checked {
    let scenes = x.shared.scenes.moves.clone();
    all_legal(x, &scenes)
}

pub fn after_setboard(x: &mut Examiner<'_>) -> Checked {
    let scenes = x.shared.scenes.positions.clone();
    all_legal(x, &scenes)
}

pub fn after_setboard_and_moves(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let scene = x.needs_scene(&x.shared.scenes.both, "position and moves from it")?;
    all_legal(x, &[scene])
}

pub fn special_moves(x: &mut Examiner<'_>) -> Checked {
    let scenes = x.shared.scenes.special.clone();
    all_legal(x, &scenes)
}

pub fn long_game(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let scene = x.needs_scene(&x.shared.scenes.long, "long game")?;
    all_legal(x, &[scene])
}

pub fn force_is_silent(x: &mut Examiner<'_>) -> Checked {
    let scene = x.shared.scenes.moves.first().unwrap_or(&x.shared.scenes.start).clone();
    x.place(&scene, &QUICK)?;
    x.tell_time()?;
    x.no_move("in force mode")?;
    x.show_any()?;
    x.no_move("in force mode").map(drop)
}

pub fn force_stops_thinking(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &["st 30"])?;
    x.send("go")?;
    x.talk()?.send("force")?;
    // A move that was on its way already is no fault; after this none is.
    x.settle()?;
    x.no_move("after `force`").map(drop)
}

pub fn one_move_a_turn(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.moves_in(&start, &QUICK)?;
    x.no_move("without having been asked").map(drop)
}

/// A move that is not legal anywhere near.
const ILLEGAL: [&str; 2] = ["a1a1", "e2e5"];

pub fn illegal_moves(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    for text in illegal_here(x) {
        x.send_move(&text)?;
        let lines = x.listen()?;
        let refusal = lines.iter().find(|line| refused(line));
        let Some(refusal) = refusal else { return failed(format!("no `Illegal move …: {text}`")) };
        ensure(refusal.starts_with("Illegal move") && refusal.trim_end().ends_with(&text), || {
            format!("`{refusal}` is not `Illegal move (REASON): {text}`")
        })?;
    }
    Ok(())
}

/// Moves that the judge refuses too.
fn illegal_here(x: &mut Examiner<'_>) -> Vec<String> {
    let judge = x.shared.scenes.same_judge();
    let mut refused = Vec::new();
    for text in ILLEGAL {
        if judge.play_xboard(text).is_ok() {
            judge.take_back();
        } else {
            refused.push(text.to_owned());
        }
    }
    refused
}

pub fn illegal_moves_change_nothing(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    for text in illegal_here(x) {
        x.send_move(&text)?;
    }
    x.tell_time()?;
    x.listen()?;
    let since = x.send("go")?;
    x.legal_move(since)?;
    for text in illegal_here(x) {
        x.send_move(&text)?;
    }
    x.no_move("at an illegal move").map(drop)
}

pub fn impossible_position(x: &mut Examiner<'_>) -> Checked {
    x.fresh()?;
    x.needs("setboard")?;
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    x.send("setboard 9/9/9 x")?;
    let lines = x.listen()?;
    let told = lines.iter().any(|line| line.starts_with("tellusererror") || line.starts_with("Error"));
    ensure(told, || "neither `tellusererror Illegal position` nor `Error (…)`".into())
}

/// A position in which the engine can win at once, the way it can be told.
fn win(x: &mut Examiner<'_>) -> Checked<Scene> {
    x.any()?;
    let won = x.shared.scenes.won.as_ref().filter(|scene| scene.told.is_none()).map(Scene::before_last);
    let scene = if x.can("setboard") { x.shared.scenes.win.clone().or(won) } else { won };
    x.needs_scene(&scene, "win in one turn")
}

pub fn claims_its_win(x: &mut Examiner<'_>) -> Checked {
    let scene = win(x)?;
    x.moves_in(&scene, &["level 0 1 0", "sd 4"])?;
    let Some(result) = x.shared.scenes.same_judge().result() else {
        return skipped("the engine did not win at once");
    };
    x.result(result)
}

/// The opponent ends the game while the engine plays the other side.
fn opponent_ends(x: &mut Examiner<'_>, scene: &Scene) -> Checked {
    let before = scene.before_last();
    let Some(last) = scene.moves.last() else { return skipped("no last move") };
    x.place(&before, &QUICK)?;
    if x.can("playother") {
        x.send("playother")?;
        x.show(last)?;
    } else {
        // The side that is to move may only be taken over once the game is over.
        x.show(last)?;
        x.send("go")?;
    }
    let Some(result) = x.shared.scenes.same_judge().result() else {
        return failed("(a fault of the examiner) the game is not over");
    };
    x.result(result)
}

pub fn claims_the_opponents_win(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let scene = x.needs_scene(&x.shared.scenes.won, "finished game")?;
    opponent_ends(x, &scene)?;
    x.no_move("after the end of the game").map(drop)
}

pub fn claims_draws(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    let scene = x.needs_scene(&x.shared.scenes.drawn, "drawn game")?;
    opponent_ends(x, &scene)
}

pub fn result_ends_the_game(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &["st 30"])?;
    x.send("go")?;
    x.send("result * {the examiner has seen enough}")?;
    x.send("force")?;
    x.settle()?;
    x.no_move("after `result`").map(drop)
}

pub fn plays_again_after_a_result(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.moves_in(&start, &QUICK)?;
    x.send("result 1-0 {White mates}")?;
    x.moves_in(&start, &QUICK).map(drop)
}

pub fn new_while_thinking(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &["st 30"])?;
    x.send("go")?;
    x.new_game(&QUICK)?;
    x.settle()?;
    x.no_move("of the game before")?;
    x.moves_in(&start, &QUICK).map(drop)
}

pub fn undo(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    x.show_any()?;
    x.send("undo")?;
    x.shared.scenes.judge(&start)?;
    // The same move is legal again only if it was taken back.
    x.show_any()?;
    let lines = x.listen()?;
    ensure(!lines.iter().any(|line| refused(line) || line.starts_with("Error")), || {
        "the move cannot be played again".into()
    })?;
    x.tell_time()?;
    let since = x.send("go")?;
    x.legal_move(since).map(drop)
}

pub fn remove(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.moves_in(&start, &QUICK)?;
    if x.shared.scenes.same_judge().actor().player().is_none() {
        return skipped("chance speaks");
    }
    let before = x.shared.scenes.same_judge().position();
    // The opponent answers and takes both moves back before the engine's.
    x.send("force")?;
    x.show_any()?;
    x.show_any().or_else(|stop| {
        if matches!(stop, Stop::Skipped(_)) { skipped("no second move") } else { Err(stop) }
    })?;
    x.send("remove")?;
    let judge = x.shared.scenes.same_judge();
    judge.take_back();
    judge.take_back();
    ensure(judge.position() == before, || "(a fault of the examiner) another position".into())?;
    x.show_any()?;
    let lines = x.listen()?;
    ensure(!lines.iter().any(|line| refused(line) || line.starts_with("Error")), || {
        "the move cannot be played again".into()
    })?;
    x.tell_time()?;
    let since = x.send("go")?;
    x.legal_move(since).map(drop)
}

pub fn play_other(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    x.needs("playother")?;
    let start = x.shared.scenes.start.clone();
    x.place(&start, &QUICK)?;
    x.send("playother")?;
    x.no_move("at `playother`, the opponent being to move")?;
    let mover = x.shared.scenes.same_judge().actor();
    x.tell_time()?;
    let since = x.show_any()?;
    if x.shared.scenes.same_judge().actor() == mover {
        return skipped("the opponent goes on");
    }
    x.legal_move(since).map(drop)
}

pub fn chance_is_the_referees(x: &mut Examiner<'_>) -> Checked {
    x.any()?;
    if !x.shared.settings.facts.chance {
        return skipped("a game without chance");
    }
    if x.option("Chance").is_none() {
        return skipped("the engine has no option Chance");
    }
    let mut scenes = vec![x.shared.scenes.start.clone()];
    scenes.extend(x.shared.scenes.special.iter().cloned());
    // A move that speaks for chance is a failure.
    all_legal(x, &scenes)
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
        let (text, _) = x.moves_in(scene, &QUICK)?;
        let judge = x.shared.scenes.same_judge();
        let goes_on = judge.actor() == mover && judge.result().is_none();
        ensure(!goes_on, || format!("{text} leaves the same player to go on"))?;
    }
    Ok(())
}

pub fn no_early_claims(x: &mut Examiner<'_>) -> Checked {
    let start = x.shared.scenes.start.clone();
    x.moves_in(&start, &QUICK)?;
    let lines = x.listen()?;
    let claim = lines.iter().find(|line| result_in(line).is_some() || line.trim() == "resign");
    match claim {
        Some(line) => failed(format!("`{line}`, though nobody has won")),
        None => ensure(!lines.iter().any(|line| move_in(line).is_some()), || "a second move".into()),
    }
}
