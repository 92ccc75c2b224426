//! `carom elo`, `carom sprt`, `carom rating`, and the tables of `protocol-docs/statistics.md` computed again.
#![allow(clippy::unwrap_used, missing_docs)]

use carom::arena::read_pgn;
use carom::arena::statistics::{Counts, Method, Ratings, Sprt, estimate, rate};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

const DOCUMENT: &str = include_str!("../protocol-docs/statistics.md");

/// The rows of the table below the heading `title`.
fn table(title: &str) -> Vec<Vec<&'static str>> {
    let (_, section) = DOCUMENT.split_once(&format!("\n### {title}\n")).unwrap();
    let lines = section.lines().skip_while(|line| !line.starts_with('|')).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_start_matches('|').trim_end_matches('|').split('|').map(str::trim).collect())
        .collect()
}

fn counts(text: &str, games: &str) -> Counts {
    match (text.split(',').count(), games) {
        (3, _) => {
            let [losses, draws, wins] = Counts::read_games(text).unwrap();
            Counts::trinomial(losses, draws, wins)
        }
        (_, "") => Counts::pentanomial(Counts::read_pairs(text).unwrap()),
        // fishtest's own examples do not always add up, which is nothing to the formulas.
        _ => Counts { games: Counts::read_games(games).unwrap(), ..counts(text, "") },
    }
}

/// All six digits after the point; a last half of a digit may have been rounded either way.
fn assert_equal(found: f64, wanted: &str, what: &str) {
    assert_eq!(wanted.split_once('.').unwrap().1.len(), 6, "{what}: {wanted}");
    let wanted: f64 = wanted.parse().unwrap();
    assert!((found - wanted).abs() < 5.1e-7 + 1e-12 * wanted.abs(), "{what}: {found} is not {wanted}");
}

#[test]
fn reference_ratios() {
    let rows = table("Reference: LLR");
    assert!(rows.len() >= 24);
    for row in rows {
        let [cells, games, model, elo0, elo1, llr] = row[..] else { panic!("{row:?}") };
        let test =
            Sprt::new(model.parse().unwrap(), elo0.parse().unwrap(), elo1.parse().unwrap(), 0.05, 0.05)
                .unwrap();
        assert_equal(test.status(&counts(cells, games)).llr, llr, &format!("{cells} {model}"));
    }
}

#[test]
fn reference_elo() {
    let rows = table("Reference: Elo");
    assert!(rows.len() >= 10);
    for row in rows {
        let [cells, elo, error, los, normalized, normalized_error] = row[..] else { panic!("{row:?}") };
        let found = estimate(&counts(cells, ""));
        assert_equal(found.elo, elo, cells);
        assert_equal(found.elo_error, error, cells);
        assert_equal(found.superiority, los, cells);
        assert_equal(found.normalized, normalized, cells);
        assert_equal(found.normalized_error, normalized_error, cells);
    }
}

fn carom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).output().unwrap()
}

fn output(arguments: &str) -> String {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let output = carom(&arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn sprt() {
    insta::assert_snapshot!(output("sprt --penta 379,10170,21828,10640,343 --elo0 0 --elo1 2"), @"");
    insta::assert_snapshot!(output("sprt --tri 700,1000,500 --model logistic --elo0 -1.5 --elo1 5 --alpha 0.01"), @"");
    insta::assert_snapshot!(output("sprt --penta 5,20,50,25,6 --model bayeselo --elo0 0 --elo1 5"), @"");
    insta::assert_snapshot!(
        output("sprt --penta 5,20,50,25,6 --tri 50,105,57 --model bayeselo --elo0 0 --elo1 5 --json"),
        @""
    );
    insta::assert_snapshot!(output("sprt --tri 0,0,0 --elo0 0 --elo1 5 --json"), @"");
}

#[test]
fn elo() {
    insta::assert_snapshot!(output("elo --penta 5,20,50,25,6 --tri 50,105,57"), @"");
    insta::assert_snapshot!(output("elo --penta 0,0,10,5,1"), @"");
    insta::assert_snapshot!(output("elo --tri 40,100,60"), @"");
    insta::assert_snapshot!(output("elo --tri 0,0,0"), @"");
    insta::assert_snapshot!(output("elo --penta 0,0,0,0,7"), @"");
    insta::assert_snapshot!(output("elo --penta 0,0,10,5,1 --json"), @"");
}

#[test]
fn what_is_refused() {
    let cases = [
        "elo",
        "elo --tri 1,2",
        "elo --tri 1,-2,3",
        "elo --penta 1,2,3,4,x",
        "elo --penta 1,2,3,4,5 --tri 1,2,3",
        "sprt --penta 1,2,3,4,5 --elo0 0",
        "sprt --penta 1,2,3,4,5 --elo0 2 --elo1 0",
        "sprt --penta 1,2,3,4,5 --elo0 0 --elo1 2 --alpha 0.7 --beta 0.4",
        "sprt --penta 1,2,3,4,5 --elo0 0 --elo1 500",
        "sprt --penta 1,2,3,4,5 --elo0 0 --elo1 NaN",
        "sprt --penta 1,2,3,4,5 --elo0 0 --elo1 2 --model trinomial",
        "rating",
    ];
    let mut told = String::new();
    for case in cases {
        let output = carom(&case.split_whitespace().collect::<Vec<_>>());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{case}: {output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
        write!(told, "{case}\n    {error}").unwrap();
    }
    insta::assert_snapshot!(told);
    let missing = carom(&["rating", "/there/is/no/such.pgn"]);
    assert_eq!(missing.status.code(), Some(1));
}

/// Losses, draws and wins of White: a hundred and seventy games of five players.
const PAIRINGS: [(&str, &str, [usize; 3]); 20] = [
    ("Alpha", "Bravo", [1, 3, 2]),
    ("Alpha", "Carom 0.2", [3, 2, 5]),
    ("Alpha", "Delta", [3, 2, 6]),
    ("Alpha", "Echo \\\"x\\\"", [2, 2, 5]),
    ("Bravo", "Alpha", [4, 1, 1]),
    ("Bravo", "Carom 0.2", [6, 4, 2]),
    ("Bravo", "Delta", [4, 1, 7]),
    ("Bravo", "Echo \\\"x\\\"", [0, 0, 5]),
    ("Carom 0.2", "Alpha", [2, 1, 0]),
    ("Carom 0.2", "Bravo", [1, 2, 4]),
    ("Carom 0.2", "Delta", [2, 1, 6]),
    ("Carom 0.2", "Echo \\\"x\\\"", [3, 3, 5]),
    ("Delta", "Alpha", [5, 0, 2]),
    ("Delta", "Bravo", [6, 5, 2]),
    ("Delta", "Carom 0.2", [0, 4, 3]),
    ("Delta", "Echo \\\"x\\\"", [2, 2, 5]),
    ("Echo \\\"x\\\"", "Alpha", [11, 1, 1]),
    ("Echo \\\"x\\\"", "Bravo", [4, 1, 1]),
    ("Echo \\\"x\\\"", "Carom 0.2", [5, 1, 1]),
    ("Echo \\\"x\\\"", "Delta", [2, 3, 2]),
];

fn games() -> String {
    let mut text = String::new();
    for (white, black, counts) in PAIRINGS {
        for (result, count) in ["0-1", "1/2-1/2", "1-0"].into_iter().zip(counts) {
            for _ in 0..count {
                writeln!(
                    text,
                    "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
                     1. c3a5,O@e9 {{[%eval 1] \"}} D@f7 {result}\n"
                )
                .unwrap();
            }
        }
    }
    text
}

/// Ordo 1.2.6 (17eec77) rates these games so, with `-a 0 -z 200.2409` (its scale made that of Elo), without and with
/// `-W`, which estimates White's advantage.
#[test]
fn ratings_as_ordo_has_them() {
    let text = games();
    let read = read_pgn(&text);
    let rated = |advantage| -> Ratings {
        rate(read.iter().filter_map(|game| game.result()), Method::Logistic, advantage).unwrap()
    };
    let plain = [114.7989, 38.3419, 17.0377, -39.6635, -130.5150];
    let with_advantage = [115.8345, 37.6037, 17.3005, -39.9021, -130.8366];
    for (ratings, wanted, precision) in [(rated(false), plain, 1e-3), (rated(true), with_advantage, 5e-3)] {
        assert_eq!(ratings.players.len(), 5);
        for (player, wanted) in ratings.players.iter().zip(wanted) {
            assert!((player.elo - wanted).abs() < precision, "{player:?} {wanted}");
        }
    }
    assert!((rated(true).advantage.unwrap() + 8.59).abs() < 0.005);
}

#[test]
fn rating_table() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (one, other) = (folder.join("rating_1.pgn"), folder.join("rating_2.pgn"));
    std::fs::write(&one, games()).unwrap();
    std::fs::write(
        &other,
        "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n*\n\n[White \"?\"]\n[Result \"1-0\"]\n",
    )
    .unwrap();
    let (one, other) = (one.to_str().unwrap(), other.to_str().unwrap());
    let said = |arguments: &[&str]| String::from_utf8(carom(arguments).stdout).unwrap();
    insta::assert_snapshot!(said(&["rating", one, other]), @"");
    insta::assert_snapshot!(said(&["rating", one, "--model", "bayeselo", "--advantage"]), @"");
    let json: serde_json::Value = serde_json::from_str(&said(&["rating", one, other, "--json"])).unwrap();
    assert_eq!((json["games"].as_u64(), json["left_out"].as_u64()), (Some(170), Some(2)));
    assert_eq!(json["players"][4]["name"], "Echo \"x\"");
    std::fs::write(other, "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0").unwrap();
    insta::assert_snapshot!(said(&["rating", other]), @"");
    std::fs::write(other, "no games here").unwrap();
    let refused = carom(&["rating", other]);
    assert_eq!(refused.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8(refused.stderr).unwrap(), @"");
}
