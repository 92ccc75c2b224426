//! Endgame tables: made and checked from the command line, and what the search makes of them.

use crate::common::conversation::Conversation;
use carom::base::score::{distance, won_in};
use carom::engine::Engine;
use carom::search::Limits;
use std::process::Command;

fn tables(work: &str, folder: &std::path::Path, more: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    let run = command
        .args(["tables", work, "rollerball", "--pieces", "3"])
        .arg(folder)
        .args(more)
        .output()
        .unwrap();
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

    // A byte that is not what follows from the rest: where there are checksums, and where there are none.
    let sound = std::fs::read(&file).unwrap();
    let mut bytes = sound.clone();
    let place = bytes.iter().rposition(|&byte| byte == 5).unwrap();
    bytes[place] = 3;
    std::fs::write(&file, &bytes).unwrap();
    let (_, told, code) = tables("verify", folder.path(), &["--rule", "clockwise-sideways"]);
    assert!(told.contains("rollerball-clockwise-sideways-KK.table: it is damaged"), "{told}");
    assert_eq!(code, Some(1));
    std::fs::write(&file, without_checksums(&bytes)).unwrap();
    let (_, told, code) = tables("verify", folder.path(), &["--rule", "clockwise-sideways"]);
    assert!(told.contains("rollerball-clockwise-sideways-KK.table is wrong about"), "{told}");
    assert_eq!(code, Some(1));
    // What is damaged is made again.
    std::fs::write(&file, &bytes).unwrap();
    let (_, told, code) = tables("build", folder.path(), &["--rule", "clockwise-sideways"]);
    assert!(told.contains("it is made again"), "{told}");
    assert_eq!((code, std::fs::read(&file).unwrap()), (Some(0), sound));
    let (_, told, code) = tables("verify", folder.path(), &[]);
    assert!(told.contains("rollerball-KK.table is not in"), "{told}");
    assert_eq!(code, Some(2));
}

/// The table as Carom 0.1.0 wrote it.
fn without_checksums(table: &[u8]) -> Vec<u8> {
    let length = u64::from_le_bytes(table[16..24].try_into().unwrap()) as usize;
    [b"Carom's tables 1", &table[table.len() - length..]].concat()
}

#[test]
fn what_is_wrong_with_a_table_is_said_in_the_protocol_and_its_values_are_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let (told, ..) = tables("build", folder.path(), &[]);
    let (turns, position) = &longest_wins(&told)[1];
    let table = folder.path().join("rollerball-KRK.table");
    let sound = std::fs::read(&table).unwrap();

    // The score at depth 1, and what is said of the table.
    let searched = || {
        let mut uci = Conversation::begin(&[], "setoption name UCI_Variant value rollerball");
        uci.say(&format!("setoption name TablesPath value {}", folder.path().display()));
        uci.say(&format!("position fen {position}"));
        uci.say("go depth 1");
        uci.hear_start("bestmove");
        uci.say("quit");
        let (lines, status) = uci.ended();
        assert!(status.success());
        let score = lines.iter().rfind(|line| line.starts_with("info depth")).unwrap();
        let score = score.split_once(" score ").unwrap().1.split_once(" nodes").unwrap().0.to_owned();
        let of_table = |line: &String| line.starts_with("info string") && line.contains("KRK.table");
        (score, lines.into_iter().filter(of_table).collect::<Vec<_>>())
    };
    let known = format!("mate {}", (turns + 1) / 2);
    assert_eq!(searched(), (known.clone(), vec![]));
    std::fs::write(&table, without_checksums(&sound)).unwrap();
    assert_eq!(searched(), (known.clone(), vec![]), "tables of 0.1.0 are read");

    let spoil = |bytes: &[u8]| std::fs::write(&table, bytes).unwrap();
    let mut damaged = sound.clone();
    damaged[200..].iter_mut().step_by(100).for_each(|byte| *byte ^= 1);
    let other = std::fs::read(folder.path().join("rollerball-KBK.table")).unwrap();
    type Spoiling<'a> = (&'a str, Box<dyn Fn() + 'a>);
    let mut ways: Vec<Spoiling<'_>> = vec![
        ("it is damaged", Box::new(|| spoil(&damaged))),
        ("another name", Box::new(|| spoil(&other))),
        ("values, as this table has", Box::new(|| spoil(&sound[..sound.len() - 1]))),
        ("no endgame table", Box::new(|| spoil(&[0; 4000]))),
        ("(os error 2)", Box::new(|| std::fs::remove_file(&table).unwrap())),
        ("no regular file", Box::new(|| std::fs::create_dir(&table).unwrap())),
    ];
    let pipe = || {
        std::fs::remove_dir(&table).unwrap();
        assert!(Command::new("mkfifo").arg(&table).status().unwrap().success());
    };
    if cfg!(unix) {
        ways.push(("no regular file", Box::new(pipe)));
    }
    for (fault, way) in ways {
        way();
        let (score, said) = searched();
        assert_ne!(score, known, "{fault}");
        assert!(matches!(&said[..], [said] if said.contains(fault)), "{fault}: {said:?}");
    }
    if cfg!(unix) {
        // XBoard shows it to the user.
        let first = "xboard\nprotover 2\nvariant rollerball\neasy\nnopost\nsd 1";
        let mut xboard = Conversation::begin(&[], first);
        xboard.say(&format!("option TablesPath={}", folder.path().display()));
        xboard.say(&format!("setboard {position}"));
        xboard.say("go");
        xboard.hear("a word on the table", |line| line.starts_with("tellusererror") && line.contains("KRK"));
        // Nor is anything written into the pipe.
        let (_, told, code) = tables("build", folder.path(), &[]);
        assert!(told.contains("KRK.table: it is no regular file"), "{told}");
        assert_eq!(code, Some(1));
    }
}
