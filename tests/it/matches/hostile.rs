//! Engines that want to harm their opponent, the terminal, and whoever reads the records: commands and control characters in
//! every text an engine can say, in both protocols, and every output looked at.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const HABITS: [&str; 5] =
    ["hostile-talk", "hostile-move", "hostile-refusal", "hostile-claim", "hostile-half"];

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("carom-hostile-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn carom(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(folder).env("RUST_LOG", "debug").args(arguments).output().unwrap()
}

/// That it is text without control characters but line feeds.
fn assert_clean(bytes: &[u8], what: &str) {
    let text = String::from_utf8(bytes.to_vec()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let bad = |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
    if let Some(at) = text.find(bad) {
        let line = text.lines().find(|line| line.contains(bad)).unwrap();
        panic!("{what}: {:?} in {line:?}", text[at..].chars().next().unwrap());
    }
}

/// The same of every string in a value of JSON, where controls hide behind escapes.
fn assert_clean_json(value: &serde_json::Value, what: &str) {
    use serde_json::Value;
    match value {
        Value::String(text) => {
            assert!(!text.contains('\n'), "{what}");
            assert_clean(text.as_bytes(), what);
        }
        Value::Array(list) => list.iter().for_each(|value| assert_clean_json(value, what)),
        Value::Object(map) => map.iter().for_each(|(name, value)| {
            assert_clean(name.as_bytes(), what);
            assert_clean_json(value, what);
        }),
        _ => {}
    }
}

fn check(habit: &str, hostile: &str, good: &str) {
    let what = format!("{habit} over {hostile} against {good}");
    let folder = folder(&format!("{habit}-{hostile}-{good}"));
    let own = std::env::current_exe().unwrap();
    let command = format!("cmd={}", own.display());
    let arguments = "args=common::odd_engine::plays --exact --nocapture";
    let (bad_habit, protocols) =
        (format!("env.ODD_HABIT={habit}"), [good, hostile].map(|name| format!("proto={name}")));
    let play = carom(
        &folder,
        &[
            "match",
            "--log",
            "log",
            "-engine",
            &command,
            arguments,
            "env.ODD_HABIT=good",
            "env.ODD_HEARD=heard",
            "name=Good",
            &protocols[0],
            "-engine",
            &command,
            arguments,
            &bad_habit,
            &protocols[1],
            "stderr=errors",
            "-each",
            "tc=600",
            "quit=1",
            "-games",
            "2",
            "-most-turns",
            "8",
            "-journal",
            "j.jsonl",
            "-pgnout",
            "g.pgn",
            "-epdout",
            "e.epd",
            "-html",
            "h.html",
            "-watch",
        ],
    );
    assert!(play.status.success(), "{what}: {}", String::from_utf8_lossy(&play.stderr));
    let outputs = [
        play,
        carom(&folder, &["--log", "log", "match", "--resume", "j.jsonl"]),
        carom(
            &folder,
            &[
                "merge",
                "j.jsonl",
                "--journal",
                "k.jsonl",
                "--pgnout",
                "m.pgn",
                "--epdout",
                "m.epd",
                "--html",
                "m.html",
            ],
        ),
        carom(&folder, &["rating", "g.pgn"]),
        carom(&folder, &["rating", "g.pgn", "--json"]),
    ];
    for (number, output) in outputs.iter().enumerate() {
        assert_clean(&output.stdout, &format!("{what}: output {number}"));
        assert_clean(&output.stderr, &format!("{what}: errors {number}"));
    }
    for name in [
        "heard", "log", "errors", "j.jsonl", "g.pgn", "e.epd", "h.html", "k.jsonl", "m.pgn", "m.epd",
        "m.html",
    ] {
        let bytes =
            std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{what}: {name}: {error}"));
        assert!(!bytes.is_empty(), "{what}: {name}");
        assert_clean(&bytes, &format!("{what}: {name}"));
        if name.ends_with(".jsonl") {
            for line in String::from_utf8(bytes).unwrap().lines() {
                assert_clean_json(&serde_json::from_str(line).unwrap(), &format!("{what}: {name}"));
            }
        }
    }
    // The opponent was told nothing that the runner does not say, and played its second game like the first.
    let heard = std::fs::read_to_string(folder.join("heard")).unwrap();
    let known = [
        "uci",
        "isready",
        "ucinewgame",
        "setoption name Ponder",
        "position",
        "go",
        "stop",
        "quit",
        "xboard",
        "protover",
        "accepted",
        "ping",
        "new",
        "force",
        "level",
        "post",
        "easy",
        "time",
        "otim",
        "usermove",
        "result",
        "st",
        "draw",
    ];
    let is_known =
        |line: &str| known.iter().any(|known| line == *known || line.starts_with(&format!("{known} ")));
    let unknown: Vec<_> = heard.lines().filter(|line| !is_known(line)).collect();
    assert!(unknown.is_empty(), "{what}: {unknown:?}");
    // It was started for the match and once more for going on with it.
    let quits = heard.lines().filter(|line| *line == "quit").count();
    assert_eq!(quits, 2, "{what}: it was told to quit in between");
    let names: Vec<_> =
        heard.lines().filter(|line| line.contains("UCI_Elo") && !line.starts_with("result ")).collect();
    assert!(names.is_empty(), "{what}: {names:?}");
    let journal = std::fs::read_to_string(folder.join("j.jsonl")).unwrap();
    let games: Vec<serde_json::Value> =
        journal.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 2, "{what}");
    for game in games {
        let lost = if game["names"][0] == "Good" { "1-0" } else { "0-1" };
        let wanted = if habit == "hostile-talk" { "1/2-1/2" } else { lost };
        assert_eq!(game["result"], wanted, "{what}: {}", game["reason"]);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn no_control_character_and_no_command_comes_out_anywhere_over_uci() {
    for habit in HABITS {
        for good in ["uci", "cecp"] {
            check(habit, "uci", good);
        }
    }
}

#[test]
fn no_control_character_and_no_command_comes_out_anywhere_over_cecp() {
    for habit in HABITS {
        for good in ["uci", "cecp"] {
            check(habit, "cecp", good);
        }
    }
}
