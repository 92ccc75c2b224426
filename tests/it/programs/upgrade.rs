//! What earlier versions wrote is read, or refused with a sentence that says what to do. `fixtures/upgrade` has small files that
//! they made: `0.1.0` by that tag (journals, parts of a match, a PGN file, openings) and by the last build that called itself 0.1.0 (`later-journal.jsonl`,
//! and what the tag did not write yet: positions to learn from, a table, settings of `carom install xboard`), `0.1.1` by that tag.

#[cfg(feature = "serve")]
use super::serve::{Tab, opened};
#[cfg(feature = "serve")]
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const JOURNALS: [(&str, &str); 4] = [
    ("0.1.0/journal.jsonl", "carom 0.1.0"),
    ("0.1.0/cards.jsonl", "carom 0.1.0"),
    ("0.1.0/later-journal.jsonl", "carom 0.1.0"),
    ("0.1.1/journal.jsonl", "carom 0.1.1"),
];

fn old(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/upgrade").join(name)
}

/// A folder with a copy of an old file, and the copy.
fn copy(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(Path::new(name).file_name().unwrap());
    fs::copy(old(name), &path).unwrap();
    (folder, path)
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(arguments).current_dir(folder).env("HOME", folder).env_remove("XDG_DATA_HOME");
    command.output().unwrap()
}

fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The one line that refuses.
fn refusal(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{arguments:?}: {text}");
    text
}

#[test]
fn games_of_old_journals_are_counted() {
    for (name, _) in JOURNALS {
        let (folder, _) = copy(name);
        let file = Path::new(name).file_name().unwrap().to_str().unwrap();
        let told = said(folder.path(), &["merge", file, "--pgnout", "games.pgn"]);
        assert!(told.contains("\nGames: 2, Wins: 0, Losses: 0, Draws: 2"), "{name}: {told}");
        let rated = said(folder.path(), &["rating", "games.pgn"]);
        assert!(rated.contains("1 pair of games"), "{name}: {rated}");
    }
}

#[test]
fn old_parts_of_a_match_are_joined() {
    let (folder, _) = copy("0.1.0/part-1.jsonl");
    let alone = run(folder.path(), &["merge", "part-1.jsonl"]);
    let text = String::from_utf8(alone.stderr).unwrap();
    assert_eq!(text, "carom: 2 games are missing (--partial joins what there is)\n");
    fs::copy(old("0.1.0/part-2.jsonl"), folder.path().join("part-2.jsonl")).unwrap();
    let output = said(folder.path(), &["merge", "part-1.jsonl", "part-2.jsonl", "--journal", "joined.jsonl"]);
    assert!(output.contains("\nGames: 4, Wins: 0, Losses: 0, Draws: 4"), "{output}");
    assert!(said(folder.path(), &["merge", "joined.jsonl"]).contains("\nGames: 4, "));
}

#[cfg(feature = "serve")]
#[test]
fn the_page_shows_old_journals() {
    for (name, _) in JOURNALS {
        let server = opened(Some(old(name)));
        let mut tab = Tab::open(server.port());
        let answer = tab.ask_of("journal", &json!({"do": "journal", "from": 0}));
        assert_eq!(answer["games"], 2, "{name}: {answer}");
        let number = &answer["rows"][0]["number"];
        let game = tab.ask_of("game", &json!({"do": "game", "number": number}));
        assert_eq!(game["turns"].as_array().unwrap().len(), answer["rows"][0]["turns"], "{name}: {game}");
    }
}

/// Its games would not be those that the old version would have played.
#[test]
fn a_match_of_another_version_does_not_go_on_with_its_journal() {
    for (name, program) in JOURNALS {
        let (folder, journal) = copy(name);
        let before = fs::read(&journal).unwrap();
        let file = journal.file_name().unwrap().to_str().unwrap();
        let game = if name.contains("cards") { "wickets-cards" } else { "rollerball" };
        let others =
            ["match", "-game", game, "-games", "2", "-seed", "5", "-maxmoves", "9", "-journal", file];
        let refused = |arguments: &[&str]| {
            let output = run(folder.path(), arguments);
            let text = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success() && text.lines().count() == 1, "{name}: {text}");
            text
        };
        let text = refused(&others);
        if name.starts_with("0.1.0") {
            let what = format!("{program} began it and deals otherwise: use that, or another journal");
            assert!(text.contains(&what) && refused(&["match", "-resume", file]) == text, "{name}: {text}");
        }
        assert_eq!(fs::read(&journal).unwrap(), before, "{name}");
    }
    // Since 0.1.1 a seed gives the same games.
    let (folder, _) = copy("0.1.1/journal.jsonl");
    assert!(
        said(folder.path(), &["match", "-resume", "journal.jsonl"]).starts_with("Going on after 2 games")
    );
}

#[test]
fn old_games_and_openings_are_read() {
    let (folder, _) = copy("0.1.0/games.pgn");
    let told = said(folder.path(), &["replay", "games.pgn"]);
    assert!(told.contains("1. e1f1") && told.contains("e6f7"), "{told}");
    let (folder, _) = copy("0.1.0/openings.epd");
    let check = ["match", "-game", "alapo", "-openings", "file=openings.epd", "-rounds", "2", "-check"];
    assert!(said(folder.path(), &check).starts_with("The settings hold: "));
}

#[test]
fn an_old_table_is_read_as_it_is() {
    let (folder, _) = copy("0.1.0/rollerball-KK.table");
    let told = said(folder.path(), &["tables", "verify", "rollerball", ".", "--pieces", "2"]);
    assert_eq!(told, "KK follows from what comes after\n");
}

#[test]
fn old_positions_are_refused_and_left_as_they_are() {
    for name in ["0.1.0/positions.bin", "0.1.1/positions.bin"] {
        let (folder, file) = copy(name);
        let before = fs::read(&file).unwrap();
        for work in [
            ["train", "breakthrough", "positions.bin", "-o", "network.bin"].as_slice(),
            &["tune", "breakthrough", "positions.bin"],
            &["datagen", "breakthrough", "-o", "positions.bin", "-n", "1"],
        ] {
            let text = refusal(folder.path(), work);
            assert!(
                text.contains("before version 0.2.0 it wrote positions") && text.ends_with("make new ones\n")
            );
        }
        assert_eq!(fs::read(&file).unwrap(), before);
        assert!(!folder.path().join("network.bin").exists());
    }
}

/// They are replaced and removed as our own, and what is the user's stays.
#[cfg(unix)]
#[test]
fn old_settings_of_xboard_are_replaced() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    let places = [
        ("xboardrc", ".xboardrc"),
        ("rollerball", ".xboard/themes/conf/rollerball"),
        ("WhitePrince.svg", ".local/share/carom/xboard/pieces/rollerball/WhitePrince.svg"),
    ];
    let install = || {
        for (name, place) in places {
            let text = fs::read_to_string(old("0.1.0").join(name)).unwrap();
            fs::create_dir_all(path(place).parent().unwrap()).unwrap();
            fs::write(path(place), text.replace("HOME", home.path().to_str().unwrap())).unwrap();
        }
        let own = "-size 49\n";
        let list = fs::read_to_string(path(".xboardrc")).unwrap();
        fs::write(path(".xboardrc"), format!("{own}{list}")).unwrap();
    };
    install();
    assert!(!said(home.path(), &["install", "xboard"]).contains("is not Carom's"));
    for (_, place) in &places[..2] {
        let text = fs::read_to_string(path(place)).unwrap();
        assert!(!text.contains("/old/carom") && text.contains(env!("CARGO_BIN_EXE_carom")), "{text}");
    }
    install();
    said(home.path(), &["install", "xboard", "--uninstall"]);
    assert_eq!(fs::read_to_string(path(".xboardrc")).unwrap(), "-size 49\n");
    assert!(!path(places[1].1).exists() && !path(places[2].1).exists());
}
