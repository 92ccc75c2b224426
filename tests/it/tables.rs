//! Endgame tables: made and checked from the command line, and what the search makes of them.

use carom::base::score::{distance, won_in};
use carom::engine::Engine;
use carom::search::Limits;
use std::process::Command;

fn tables(work: &str, folder: &std::path::Path, more: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    let run =
        command.args(["tables", work, "rollerball", "--men", "3"]).arg(folder).args(more).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(run.stdout), text(run.stderr), run.status.code())
}

/// The length of the longest win of each table, and a position that has it.
fn longest_wins(told: &str) -> Vec<(i32, String)> {
    let win = |line: &str| {
        let (_, win) = line.split_once("the longest win takes ")?;
        let (turns, position) = win.split_once(" turns: ")?;
        Some((turns.parse().unwrap(), position.to_owned()))
    };
    told.lines().filter_map(win).collect()
}

#[test]
fn with_tables_the_longest_wins_are_won_in_time_and_looked_no_further_into() {
    let folder = tempfile::tempdir().unwrap();
    let (told, _, code) = tables("build", folder.path(), &[]);
    assert_eq!(code, Some(0));
    let wins = longest_wins(&told);
    // Kings alone can win, too: by walking (R36).
    assert_eq!(wins.len(), 4, "{told}");
    for (turns, position) in wins {
        assert!(turns > 10, "a win no shallow search sees: {told}");
        let mut engine = Engine::new();
        engine.choose("rollerball").unwrap();
        engine.renew();
        engine.set("TablesPath", folder.path().to_str().unwrap()).unwrap();
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let mut words: Vec<String> = Vec::new();
        for left in (1..=turns).rev() {
            engine.set_up(Some(&position), &mut words.iter().map(String::as_str)).unwrap();
            let best = engine.best_move(limits).unwrap();
            // The winner and the loser in turns, and both as well as can be.
            assert_eq!(distance(best.score).map(i32::abs), Some(left), "{position} {words:?}");
            assert_eq!(best.score == won_in(left), (turns - left) % 2 == 0, "{position} {words:?}");
            words.push(best.token.unwrap());
        }
        engine.set_up(Some(&position), &mut words.iter().map(String::as_str)).unwrap();
        assert!(engine.session().outcome().is_some_and(|outcome| outcome.winner.is_some()), "{words:?}");
    }
}

#[test]
fn tables_are_checked_and_what_is_there_is_not_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _, _) = tables("build", folder.path(), &["--rule", "clockwise-sideways"]);
    let file = folder.path().join("rollerball-clockwise-sideways-KK.table");
    let made = std::fs::metadata(&file).unwrap().modified().unwrap();
    let (second, _, code) = tables("build", folder.path(), &["--rule", "clockwise-sideways"]);
    assert_eq!((first, Some(0)), (second, code));
    assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), made);
    let (told, _, code) = tables("verify", folder.path(), &["--rule", "clockwise-sideways"]);
    assert_eq!((told.lines().count(), code), (4, Some(0)), "{told}");

    // A byte that is not what follows from the rest.
    let mut bytes = std::fs::read(&file).unwrap();
    let place = bytes.iter().rposition(|&byte| byte == 5).unwrap();
    bytes[place] = 3;
    std::fs::write(&file, bytes).unwrap();
    let (_, told, code) = tables("verify", folder.path(), &["--rule", "clockwise-sideways"]);
    assert!(told.contains("rollerball-clockwise-sideways-KK.table is wrong about"), "{told}");
    assert_eq!(code, Some(1));
    let (_, told, code) = tables("verify", folder.path(), &[]);
    assert!(told.contains("rollerball-KK.table is not in"), "{told}");
    assert_eq!(code, Some(2));
}
