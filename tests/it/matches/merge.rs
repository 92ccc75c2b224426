//! `carom merge` believes nothing that it can compute: whatever follows from the settings, a game's number and the rules is compared.
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

fn carom(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).current_dir(folder).args(words).output().unwrap()
}

/// Plays a match of Carom against itself; the journal is `games.jsonl`.
fn played(words: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("chess.epd"), "e2e4 e7e5\nd2d4 d7d5 c2c4\ng1f3\n").unwrap();
    let common = "match -engine cmd=carom name=A -engine cmd=carom name=B proto=xboard -each option.Hash=1 -seed 5 -quiet -journal \
                  games.jsonl";
    let words: Vec<&str> = common.split_whitespace().chain(words.split_whitespace()).collect();
    let output = carom(folder.path(), &words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// Merges the journal and says what was wrong with it, if anything.
fn merged(folder: &Path) -> Result<(), String> {
    let all = folder.join("all.jsonl");
    let output = carom(folder, &["merge", "games.jsonl", "--journal", "all.jsonl", "--pgnout", "all.pgn"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.code() {
        Some(0) => {
            assert_eq!(said, "");
            std::fs::remove_file(all).unwrap();
            std::fs::remove_file(folder.join("all.pgn")).unwrap();
            Ok(())
        }
        code => {
            assert_eq!(code, Some(1), "{said}");
            assert!(!all.exists() && !folder.join("all.pgn").exists(), "{said}");
            Err(said)
        }
    }
}

fn journal(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn write(folder: &Path, lines: &[Value]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.join("games.jsonl"), text).unwrap();
}

/// Matches of many kinds: what was played is never doubted.
const MATCHES: &[&str] = &[
    "-rounds 3 -each nodes=60 -openings file=chess.epd order=random -most-turns 30",
    "-rounds 2 -each nodes=60 -game alapo",
    "-rounds 2 -each nodes=40 -game wickets-dice -most-turns 30",
    "-rounds 2 -each nodes=40 -game wickets-cards -most-turns 30",
    "-rounds 2 -each nodes=40 -game wickets-cards -most-turns 12 -duplicate",
    "-rounds 2 -each nodes=60 -game rollerball -resign movecount=2 score=100 -draw movenumber=2 movecount=2 score=30",
    "-rounds 2 -each nodes=60 -game breakthrough -exact turns=5 positions=2000",
    "-rounds 2 -each nodes=40 -game hanniball -most-turns 20",
    "-rounds 3 -each nodes=30 -variant fischerandom -most-turns 8 -tournament swiss",
];

#[test]
fn what_was_played_is_never_doubted() {
    let mut endings = std::collections::BTreeSet::new();
    for words in MATCHES {
        let folder = played(words);
        assert_eq!(merged(folder.path()), Ok(()), "{words}");
        endings.extend(journal(folder.path())[1..].iter().map(|game| game["termination"].to_string()));
    }
    assert!(endings.len() >= 4, "{endings:?}");
}

/// Another value of the same kind.
fn other(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_u64().unwrap() + 1),
        Value::Array(both) => both.iter().rev().cloned().collect(),
        Value::String(text) => match text.as_str() {
            "1-0" => json!("0-1"),
            "0-1" => json!("1/2-1/2"),
            "1/2-1/2" => json!("1-0"),
            "normal" => json!("resignation"),
            "length-adjudication" => json!("draw-adjudication"),
            _ => json!("normal"),
        },
        _ => panic!("{value}"),
    }
}

/// Each field of a game but its date and what clocks and engines said.
#[test]
fn no_field_that_can_be_computed_is_believed() {
    for words in [0, 1, 2, 3, 5].map(|at| MATCHES[at]) {
        let folder = played(words);
        let folder = folder.path();
        let sound = journal(folder);
        let refuse = |what: &str, change: &dyn Fn(&mut Value)| {
            let mut lines = sound.clone();
            change(&mut lines[2]);
            assert_ne!(lines, sound, "{words}: {what}");
            write(folder, &lines);
            let said = merged(folder).expect_err(&format!("{words}: {what}"));
            assert!(said.contains("games.jsonl: game "), "{what}: {said}");
        };
        let game = sound[2].as_object().unwrap();
        for (field, value) in
            game.iter().filter(|(field, _)| !matches!(field.as_str(), "event" | "date" | "turns"))
        {
            // Equal time controls stay what they are when they change places.
            if field == "controls" {
                refuse(field, &|game| game[field][1] = json!("1+1"));
            } else if field == "number" {
                let taken = game["number"].as_u64().unwrap() + 1000;
                refuse(field, &|game| game[field] = json!(taken));
            } else {
                refuse(field, &|game| game[field] = other(value));
            }
        }
        if !game.contains_key("position") {
            refuse("position", &|game| {
                game["position"] = json!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
            });
        }
        let turns = game["turns"].as_array().unwrap();
        let last = turns.len() - 1;
        refuse("the last turn is cut off", &|game| drop(game["turns"].as_array_mut().unwrap().pop()));
        refuse("the first turn is left out", &|game| drop(game["turns"].as_array_mut().unwrap().remove(0)));
        refuse("no turn is left", &|game| game["turns"] = json!([]));
        refuse("the last turn twice", &|game| {
            let turn = game["turns"][last].clone();
            game["turns"].as_array_mut().unwrap().push(turn);
        });
        for at in [0, last / 2, last] {
            refuse("another player", &|game| {
                let color = if game["turns"][at][1] == "w" { "b" } else { "w" };
                game["turns"][at][1] = json!(color);
            });
            refuse("nonsense", &|game| game["turns"][at][0] = json!("z9z8"));
            refuse("nothing", &|game| game["turns"][at][0] = json!(""));
        }
        refuse("nobody thought", &|game| game["turns"][last][2] = Value::Null);
        // Dice and cards that do not come from the seed.
        let drawn = |turn: &Value| turn[0].as_str().unwrap().contains('=');
        if let Some(at) = turns.iter().position(drawn) {
            let token = turns[at][0].as_str().unwrap();
            let (head, tail) = token.split_at(token.find('=').unwrap() + 1);
            for digit in ["1", "2", "3", "4", "5", "6"].iter().filter(|digit| !tail.starts_with(**digit)) {
                refuse("another throw", &|game| {
                    game["turns"][at][0] = json!(format!("{head}{digit}{}", &tail[1..]))
                });
            }
        }
        write(folder, &sound);
        assert_eq!(merged(folder), Ok(()));
    }
}

/// Scores decide where they are adjudicated by, and only there.
#[test]
fn adjudication_follows_from_the_scores() {
    let folder =
        played("-rounds 2 -each nodes=60 -game rollerball -resign movecount=2 score=60 -most-turns 60");
    let folder = folder.path();
    let sound = journal(folder);
    let at =
        sound.iter().position(|game| game["termination"] == "win-adjudication").expect("a game is given up");
    let last = sound[at]["turns"].as_array().unwrap().len() - 1;
    for turn in [last, last - 1, last - 2, last - 3] {
        let mut lines = sound.clone();
        let score = lines[at]["turns"][turn][2][0].as_str().unwrap().to_owned();
        // The other's scores do not count; of the loser's two in a row are needed.
        let loser = if sound[at]["result"] == "1-0" { "b" } else { "w" };
        let counts = lines[at]["turns"][turn][1] == loser;
        lines[at]["turns"][turn][2][0] = json!(format!("+0.00{}", &score[score.find('/').unwrap()..]));
        write(folder, &lines);
        assert_eq!(merged(folder).is_err(), counts, "{turn} of {last}");
    }
    // Scores that would have ended a game before.
    let folder =
        played("-rounds 1 -each nodes=60 -game rollerball -resign movecount=2 score=800 -most-turns 8");
    let folder = folder.path();
    let mut lines = journal(folder);
    assert_eq!(lines[1]["termination"], "length-adjudication");
    for turn in &mut lines[1]["turns"].as_array_mut().unwrap()[2..6] {
        turn[2][0] = json!("-9.00/3");
    }
    write(folder, &lines);
    assert!(merged(folder).unwrap_err().contains("its scores after turn"));
}

/// Who breaks off is who was to speak, and what is called illegal is.
#[test]
fn faults_befall_who_was_to_speak() {
    let folder = played("-rounds 1 -each nodes=60 -game alapo -most-turns 8");
    let folder = folder.path();
    let sound = journal(folder);
    let fault = |result: &str, termination: &str, reason: &str| {
        let mut lines = sound.clone();
        (lines[1]["result"], lines[1]["termination"]) = (json!(result), json!(termination));
        lines[1]["reason"] = json!(reason);
        // It ended before the limit.
        lines[1]["turns"].as_array_mut().unwrap().pop();
        let mut words = vec!["show", "-g", "alapo", "--json", "--moves"];
        let turns: Vec<String> = lines[1]["turns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|turn| turn[0].as_str().unwrap().to_owned())
            .collect();
        words.extend(turns.iter().map(String::as_str));
        let shown: Value = serde_json::from_slice(&carom(folder, &words).stdout).unwrap();
        lines[1]["last"] = shown["position"].clone();
        write(folder, &lines);
        let legal = shown["legal"][0].as_str().unwrap().to_owned();
        (merged(folder), legal)
    };
    // Seven turns were played: Black is to move.
    let (told, legal) = fault("1-0", "disconnect", "Black disconnects");
    assert_eq!(told, Ok(()));
    assert_eq!(fault("1-0", "time-forfeit", "Black loses on time").0, Ok(()));
    assert_eq!(fault("1-0", "illegal-move", "Black makes an illegal move: z1z9 (no)").0, Ok(()));
    assert!(fault("0-1", "disconnect", "White disconnects").0.is_err(), "it was not White's turn");
    assert!(fault("0-1", "disconnect", "Black disconnects").0.is_err(), "who breaks off does not win");
    assert!(fault("1/2-1/2", "stall", "Black stalls").0.is_err(), "nor draw");
    let reason = format!("Black makes an illegal move: {legal} (no)");
    assert!(fault("1-0", "illegal-move", &reason).0.is_err(), "it is legal");
    assert!(
        fault("1-0", "exact-adjudication", "White wins by adjudication: a forced win was proved").0.is_err()
    );
}

/// The openings may be elsewhere: then it is said that they are not compared.
#[test]
fn without_its_openings_a_match_is_joined_all_the_same() {
    let folder = played(MATCHES[0]);
    std::fs::write(folder.path().join("chess.epd"), "e2e4\n").unwrap();
    for _ in 0..2 {
        let output = carom(folder.path(), &["merge", "games.jsonl"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("is not compared"), "{said}");
        let _ = std::fs::remove_file(folder.path().join("chess.epd"));
    }
}
