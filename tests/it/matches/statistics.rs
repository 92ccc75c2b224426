//! `carom elo`, `carom sprt`, `carom rating`, and the tables of `protocol-docs/statistics.md` computed again.
use carom::pgn::read_pgn;
use carom::statistics::{Counts, Method, Ratings, Sprt, estimate, rate};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const DOCUMENT: &str = include_str!("../../../protocol-docs/statistics.md");

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
    insta::assert_snapshot!(output("sprt --penta 379,10170,21828,10640,343 --elo0 0 --elo1 2"), @r#"
        LLR: 2.95 (100.0%) (-2.94, 2.94) [0.00, 2.00]
        Exactly: 2.945495 between -2.944439 and 2.944439, normalized, 43360 pairs
        H1 was accepted: 2 Elo or more
        "#);
    insta::assert_snapshot!(output("sprt --tri 700,1000,500 --model logistic --elo0 -1.5 --elo1 5 --alpha 0.01"), @r#"
        LLR: -7.23 (-242.3%) (-2.99, 4.55) [-1.50, 5.00]
        Exactly: -7.234212 between -2.985682 and 4.553877, logistic, 2200 games
        H0 was accepted: -1.5 Elo or less
        "#);
    insta::assert_snapshot!(output("sprt --penta 5,20,50,25,6 --model bayeselo --elo0 0 --elo1 5"), @r#"
        LLR: 0.11 (3.8%) (-2.94, 2.94) [0.00, 5.00]
        Exactly: 0.112269 between -2.944439 and 2.944439, bayeselo, 106 pairs
        Neither was accepted: go on
        Even pairs were taken for two draws each; --tri beside --penta tells them apart
        "#);
    insta::assert_snapshot!(
        output("sprt --penta 5,20,50,25,6 --tri 50,105,57 --model bayeselo --elo0 0 --elo1 5 --json"),
        @r#"{"alpha":0.05,"beta":0.05,"elo0":0.0,"elo1":5.0,"games":{"draws":105,"losses":50,"pairs":[5,20,50,25,6],"played":212,"points":109.5,"wins":57},"llr":0.15090836181150594,"lower":-2.9444389791664403,"model":"bayeselo","upper":2.9444389791664403,"verdict":"continue"}"#
    );
    insta::assert_snapshot!(output("sprt --tri 0,0,0 --elo0 0 --elo1 5 --json"), @r#"{"alpha":0.05,"beta":0.05,"elo0":0.0,"elo1":5.0,"games":{"draws":0,"losses":0,"played":0,"points":0.0,"wins":0},"llr":0.0,"lower":-2.9444389791664403,"model":"normalized","upper":2.9444389791664403,"verdict":"continue"}"#);
}

#[test]
fn elo() {
    insta::assert_snapshot!(output("elo --penta 5,20,50,25,6 --tri 50,105,57"), @r#"
        Elo: 11.48 +/- 30.33, nElo: 17.75 +/- 46.77
        LOS: 77.15 %, DrawRatio: 47.17 %, PairsRatio: 1.24
        Games: 212, Wins: 57, Losses: 50, Draws: 105, Points: 109.5 (51.65 %)
        Ptnml(0-2): [5, 20, 50, 25, 6], WL/DD Ratio: 0.67
        "#);
    insta::assert_snapshot!(output("elo --penta 0,0,10,5,1"), @r#"
        Elo: 77.21 +/- 55.01, nElo: 176.23 +/- 120.37
        LOS: 99.79 %, DrawRatio: 62.50 %, PairsRatio: inf
        Games: 32, Points: 19.5 (60.94 %)
        Ptnml(0-2): [0, 0, 10, 5, 1]
        "#);
    insta::assert_snapshot!(output("elo --tri 40,100,60"), @r#"
        Elo: 34.86 +/- 34.16, nElo: 49.63 +/- 48.15
        LOS: 97.83 %, DrawRatio: 50.00 %
        Games: 200, Wins: 60, Losses: 40, Draws: 100, Points: 110.0 (55.00 %)
        "#);
    insta::assert_snapshot!(output("elo --tri 0,0,0"), @r#"
        Elo: 0.00 +/- 1199.83, nElo: 0.00 +/- 12432.59
        LOS: 50.00 %, DrawRatio: -
        Games: 0, Wins: 0, Losses: 0, Draws: 0, Points: 0.0 (50.00 %)
        "#);
    insta::assert_snapshot!(output("elo --penta 0,0,0,0,7"), @r#"
        Elo: 1199.83 +/- 220.19, nElo: 7504.04 +/- 181.94
        LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf
        Games: 14, Wins: 14, Losses: 0, Draws: 0, Points: 14.0 (100.00 %)
        Ptnml(0-2): [0, 0, 0, 0, 7], WL/DD Ratio: -
        "#);
    insta::assert_snapshot!(output("elo --penta 0,0,10,5,1 --json"), @r#"{"draw_ratio":0.625,"elo":77.20565941355105,"elo_error":55.006632584161395,"games":{"pairs":[0,0,10,5,1],"played":32,"points":19.5},"los":0.997944874388991,"normalized":176.233959416224,"normalized_error":120.37055374821047,"pairs_ratio":"inf","score":0.609375,"split_ratio":null}"#);
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
    insta::assert_snapshot!(told, @r#"
        elo
            carom: the following required arguments were not provided: <--penta <LL,LD,DD,DW,WW>|--tri <L,D,W>> (see `carom elo --help`)
        elo --tri 1,2
            carom: --tri: 3 numbers with commas between them are needed (losses, draws, wins), not 2
        elo --tri 1,-2,3
            carom: --tri: `-2` is not a whole number from 0 to 1000000000
        elo --penta 1,2,3,4,x
            carom: --penta: `x` is not a whole number from 0 to 1000000000
        elo --penta 1,2,3,4,5 --tri 1,2,3
            carom: 15 pairs are 30 games, but losses, draws and wins make 6
        sprt --penta 1,2,3,4,5 --elo0 0
            carom: the following required arguments were not provided: --elo1 <ELO> (see `carom sprt --help`)
        sprt --penta 1,2,3,4,5 --elo0 2 --elo1 0
            carom: elo0 (2) must be less than elo1 (0)
        sprt --penta 1,2,3,4,5 --elo0 0 --elo1 2 --alpha 0.7 --beta 0.4
            carom: alpha and beta together must be less than 1, not 1.1
        sprt --penta 1,2,3,4,5 --elo0 0 --elo1 500
            carom: elo0 and elo1 of a normalized test must lie between -200 and 200
        sprt --penta 1,2,3,4,5 --elo0 0 --elo1 NaN
            carom: elo0 and elo1 of a normalized test must lie between -200 and 200
        sprt --penta 1,2,3,4,5 --elo0 0 --elo1 2 --model trinomial
            carom: `trinomial` is no model of a test: normalized, logistic or bayeselo
        rating
            carom: the following required arguments were not provided: <FILE>... (see `carom rating --help`)
        "#);
    let missing = carom(&["rating", "/there/is/no/such.pgn"]);
    assert_eq!(missing.status.code(), Some(2));
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

/// Ordo 1.2.6 (17eec77) rates these games so, with `-M -a 0 -z 200.240940 -N 5,5` (greatest likelihood, its scale
/// made that of Elo), without and with `-W`, which estimates White's advantage.
#[test]
fn ratings_as_ordo_has_them() {
    let text = games();
    let read: Vec<_> = read_pgn(&text).collect();
    let rated = |advantage| -> Ratings {
        rate(read.iter().filter_map(|game| game.result()), &[], Method::Logistic, advantage).unwrap()
    };
    let plain = [114.79893, 38.34192, 17.03772, -39.66353, -130.51505];
    let with_advantage = [115.83397, 37.60456, 17.30027, -39.90202, -130.83679];
    for (ratings, wanted) in [(rated(false), plain), (rated(true), with_advantage)] {
        assert_eq!(ratings.players.len(), 5);
        for (player, wanted) in ratings.players.iter().zip(wanted) {
            assert!((player.elo - wanted).abs() < 1.5e-5, "{player:?} {wanted}");
        }
    }
    assert!((rated(true).advantage.unwrap() + 8.58).abs() < 0.005);
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
    insta::assert_snapshot!(said(&["rating", one, other]), @r#"
        Rank Name           Elo     +/-   Games    Points   Score   Draws
           1 Alpha        114.8    66.7      65      46.0   70.8%   18.5%
           2 Carom 0.2     38.3    60.1      66      38.0   57.6%   27.3%
           3 Bravo         17.0    56.0      67      35.5   53.0%   25.4%
           4 Delta        -39.7    57.9      75      32.0   42.7%   24.0%
           5 Echo "x"    -130.5    65.3      67      18.5   27.6%   19.4%
        The margins are those of single games
        170 games, 2 left out (no result, or a player without a name)
        "#);
    insta::assert_snapshot!(said(&["rating", one, "--model", "bayeselo", "--advantage"]), @r#"
        Rank Name           Elo     +/-   Games    Points   Score   Draws
           1 Alpha        118.9    65.1      65      46.0   70.8%   18.5%
           2 Carom 0.2     36.3    59.2      66      38.0   57.6%   27.3%
           3 Bravo         19.3    58.6      67      35.5   53.0%   25.4%
           4 Delta        -42.4    56.3      75      32.0   42.7%   24.0%
           5 Echo "x"    -132.1    64.3      67      18.5   27.6%   19.4%
        Moving first is worth -8.0 Elo
        Draw Elo 94.1, ratings scaled by 0.9301
        The margins are those of single games
        170 games, 0 left out (no result, or a player without a name)
        "#);
    let json: serde_json::Value = serde_json::from_str(&said(&["rating", one, other, "--json"])).unwrap();
    assert_eq!((json["games"].as_u64(), json["left_out"].as_u64()), (Some(170), Some(2)));
    assert_eq!(json["players"][4]["name"], "Echo \"x\"");
    assert!(json["pairs"].is_null());
    std::fs::write(other, "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0").unwrap();
    insta::assert_snapshot!(said(&["rating", other]), @r#"
        Rank Name      Elo     +/-   Games    Points   Score   Draws
           1 A       131.4   148.3       1       1.0  100.0%    0.0%
           2 B      -131.4   148.3       1       0.0    0.0%    0.0%
        The results alone do not hold the ratings together (somebody won or lost everything, or never met the others): each player got one draw against a player of rating 0
        The margins are those of single games
        1 game, 0 left out (no result, or a player without a name)
        "#);
    std::fs::write(other, "no games here").unwrap();
    let refused = carom(&["rating", other]);
    assert_eq!(refused.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8(refused.stderr).unwrap(), @"carom: no finished game between two named players");
}

/// `carom match` plays pairs and says so in its PGN; `carom rating` finds them there.
#[test]
fn games_of_a_match_are_rated_in_pairs() {
    let pgn = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rating_pairs.pgn");
    let _ = std::fs::remove_file(&pgn);
    let openings = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/openings/breakthrough.epd");
    let (pgn, openings) = (pgn.to_str().unwrap(), format!("file={}", openings.display()));
    let engine = |name| ["-engine", name, "cmd=carom", "proto=uci", "nodes=1"];
    let mut arguments =
        vec!["match", "-quiet", "-game", "breakthrough", "-rounds", "3", "-repeat", "-most-turns", "9"];
    arguments.extend(engine("name=A").into_iter().chain(engine("name=B")));
    arguments.extend(["-openings", &openings, "-pgnout", pgn]);
    let arguments: Vec<_> = arguments
        .into_iter()
        .map(|word| word.replace("cmd=carom", &format!("cmd={}", env!("CARGO_BIN_EXE_carom"))))
        .collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let played = carom(&arguments);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let rated = |arguments: &[&str]| String::from_utf8(carom(arguments).stdout).unwrap();
    let text = rated(&["rating", pgn]);
    assert!(text.contains("\nThe margins are those of 3 pairs of games\n6 games, 0 left out"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&rated(&["rating", pgn, "--json"])).unwrap();
    assert_eq!(json["pairs"], 3);
    // One game that has no partner is enough.
    let text = std::fs::read_to_string(pgn).unwrap();
    let last = text.rfind("[Event ").unwrap();
    std::fs::write(pgn, &text[..last]).unwrap();
    let text = rated(&["rating", pgn]);
    assert!(text.contains("\nThe margins are those of single games\n5 games, 0 left out"), "{text}");
}
