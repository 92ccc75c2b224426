//! `carom play`, `analyse`, `replay`, `completions` and `piece` as a shell sees them: nobody sits at a
//! terminal.
use crate::common::exchanged_hands::{BEFORE_A_CONTEST, CARD_GAMES, CardGame};
use carom::base::{Color, Rng};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What the program says on both outputs when these lines are its input, and its exit code.
fn carom(arguments: &[&str], lines: &str) -> (String, String, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who has heard enough closes his input.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// What it says when it ends well.
fn said(arguments: &[&str], lines: &str) -> String {
    let (out, err, code) = carom(arguments, lines);
    assert_eq!((err.as_str(), code), ("", 0), "{arguments:?}");
    out
}

#[test]
fn a_game_is_played_in_a_pipe_without_colours_and_saved_at_the_end_of_input() {
    let file: PathBuf = std::env::temp_dir().join(format!("carom-piped-{}.pgn", std::process::id()));
    let name = file.to_str().unwrap();
    let arguments = ["play", "rollerball", "--seed", "1", "--level", "nodes=200", "--save", name];
    let out = said(&arguments, "c2b3\n?\nd9d9\n");
    assert!(!out.contains('\x1b') && out.is_ascii(), "{out}");
    for word in ["White> c2b3\n", "\nBlack: ", " ways on:\n", "  d9d9\n", "Saved to "] {
        assert!(out.contains(word), "{word}: {out}");
    }
    let pgn = std::fs::read_to_string(&file).unwrap();
    assert!(pgn.contains("[Variant \"rollerball\"]") && pgn.contains("1. c2b3 "), "{pgn}");
    // Replayed, and looked at.
    let out =
        said(&["replay", name, "--level", "nodes=200"], "\nback\n2\nend\nthink\nfen\ngame 2\ngame\n9\n");
    for word in ["turn 0 of 2", "turn 1 of 2: White played c2b3", "turn 2 of 2: Black played", "Best: "] {
        assert!(out.contains(word), "{word}: {out}");
    }
    for word in [
        "game 2: the file has 1",
        "game: expected a number from 1 to 1",
        "`9`: expected Enter, a turn from 0 to 2",
    ] {
        assert!(out.contains(word), "{word}: {out}");
    }
    assert!(said(&["analyse", "--pgn", name, "--nodes", "500"], "").contains("Best: "));
    std::fs::remove_file(&file).unwrap();
}

/// What the terminal shows while `viewer` has the screen, and before anybody has it, when two persons say the
/// words of `game`.
fn screens_of(game: &CardGame, viewer: Color) -> Vec<String> {
    let mut lines = String::new();
    let mut trusted = None;
    for end in 0..=game.tokens.len() {
        let actor = game.first(end).session().unwrap().actor().player();
        if actor.is_some() && actor != trusted {
            lines.push('\n');
            trusted = actor;
        }
        lines.push_str("fen\nmoves\n?\n=9d,?\n=9d,+7d?\n=9d,+2c?\n=9d,+7d\nhint\n");
        if let Some(word) = game.words().get(end) {
            lines.push_str(&format!("{word}\n"));
        }
    }
    let arguments = [
        "play",
        game.game,
        "--side",
        "both",
        "--seed",
        "7",
        "--level",
        "nodes=60",
        "--position",
        &game.start,
    ];
    let out = said(&arguments, &lines);
    let (mut screens, mut owner) = (Vec::new(), None);
    let mut before = Vec::new();
    for line in out.lines() {
        if let Some((next, _)) = line.split_once(", press Enter>") {
            // The screen before that is for nobody yet: a board, its ranks and files, what is asked.
            screens.extend(before.iter().rev().take(14).rev().cloned());
            owner = Some(next.to_owned());
        }
        if owner == Some(viewer.to_string()) {
            screens.push(line.to_owned());
        }
        before.push(line.to_owned());
    }
    screens
}

#[test]
fn no_screen_tells_deals_apart_that_are_alike_to_who_sees_it() {
    let mut compared = 0;
    for (game, seed) in CARD_GAMES.into_iter().flat_map(|game| (1..=2).map(move |seed| (game, seed))) {
        let whole = CardGame::random(game, BEFORE_A_CONTEST, seed, 24);
        let mut rng = Rng::new(seed);
        let cards = whole.before_cards();
        for end in [cards[0], *cards.last().unwrap()] {
            let played = whole.first(end);
            for viewer in Color::ALL {
                let Some(twin) = played.exchanged(&[viewer], &mut rng) else { continue };
                let [one, other] = [&played, &twin].map(|game| screens_of(game, viewer));
                assert_eq!(one.len(), other.len());
                for (one, other) in one.iter().zip(&other) {
                    assert_eq!(one, other, "{viewer}: {} and {}", played.start, twin.start);
                }
                compared += one.len();
            }
        }
    }
    assert!(compared > 2000, "{compared} lines were compared");
}

#[test]
fn a_card_game_is_saved_and_shown_when_it_is_over_and_does_not_go_on() {
    let file: PathBuf = std::env::temp_dir().join(format!("carom-secret-{}.pgn", std::process::id()));
    let name = file.to_str().unwrap();
    let lines = format!("\ne2e4\n\nsave {name}\nresign\nundo\nsave {name}\n");
    let out = said(&["play", "wickets-cards", "--side", "both"], &lines);
    let refused = out.find("A game with hidden cards is saved when it is over").unwrap();
    let saved = out.find("Saved to ").unwrap();
    let stays = out.find("The cards of this game were shown, so it cannot go on.").unwrap();
    assert!(refused < stays && stays < saved, "{out}");
    assert_eq!(std::fs::read_to_string(&file).unwrap().matches("[Event ").count(), 1);
    // The file shows the cards: it can be looked at, but the game does not go on from it.
    let (_, refused, code) = carom(&["play", "--load", name], "");
    assert!(refused.contains("shows the hidden cards of a game that is not over") && code == 2, "{refused}");
    assert!(said(&["replay", name], "").contains("turn 0 of 1"));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn seeds_that_nobody_named_have_64_bits() {
    let seed = || {
        let file = tempfile::NamedTempFile::new().unwrap();
        let name = file.path().to_str().unwrap();
        said(&["play", "wickets-dice", "--side", "both"], &format!("e2e4\nresign\nsave {name}\n"));
        let pgn = std::fs::read_to_string(name).unwrap();
        let seed = pgn.split("[ChanceSeed \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        seed.parse::<u64>().unwrap()
    };
    let seeds: Vec<u64> = (0..6).map(|_| seed()).collect();
    // Each half of the bits differs in six of them.
    for half in [0, 32] {
        let different: std::collections::BTreeSet<u32> =
            seeds.iter().map(|seed| (seed >> half) as u32).collect();
        assert_eq!(different.len(), 6, "{seeds:?}");
    }
}

#[test]
fn colours_can_be_asked_for() {
    assert!(said(&["play", "--color", "always"], "").contains("\x1b["));
    assert!(said(&["play", "--color", "always", "--letters"], "").is_ascii());
}

#[test]
fn an_analysis_ends_at_its_limit_and_without_one_at_the_end_of_input() {
    let mate = ["analyse", "--fen", "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "--depth", "5", "--lines", "2"];
    let out = said(&mate, "");
    let last = out.lines().last().unwrap();
    assert!(last.starts_with("Best: ") && last.contains("White wins in 2"), "{out}");
    assert!(out.lines().any(|line| line.starts_with("2. depth 5")), "{out}");
    assert!(said(&["analyze", "alapo"], "").contains("Best: "));
    let over = said(&["analyse", "--moves", "f3 e5 g4 Qh4#"], "");
    assert_eq!(over, "The game is over: 0-1 {Black mates}\n");
}

#[test]
fn a_file_with_a_wrong_turn_is_replayed_up_to_it() {
    let file: PathBuf = std::env::temp_dir().join(format!("carom-wrong-{}.pgn", std::process::id()));
    std::fs::write(&file, "[Event \"x\"]\n\n1. e4 e5 2. Ke3 Nc6 *\n").unwrap();
    let name = file.to_str().unwrap();
    let out = said(&["replay", name], "");
    assert!(out.contains("turn 3 (Ke3): ") && out.contains("turn 0 of 2"), "{out}");
    let (_, err, code) = carom(&["analyse", "--pgn", name], "");
    assert!(code == 2 && err.contains("game 1: turn 3 (Ke3): "), "{err}");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_file_without_a_game_is_refused_and_a_game_needs_no_tags() {
    let file: PathBuf = std::env::temp_dir().join(format!("carom-no-game-{}.pgn", std::process::id()));
    let name = file.to_str().unwrap();
    for text in [
        "",
        "\n",
        "{a comment}",
        "; one\n",
        "*",
        "1-0",
        "Dear Sir, this is no game.",
        "e2e5 e4",
        "1234",
        "(e4)",
        "\0\u{1}",
    ] {
        std::fs::write(&file, text).unwrap();
        for command in [&["replay", name][..], &["analyse", "--pgn", name], &["play", "--load", name]] {
            let (out, err, code) = carom(command, "");
            assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{command:?}, {text:?}: {err}");
            assert!(err.contains("no game in PGN"), "{command:?}, {text:?}: {err}");
        }
    }
    for (text, turns) in [("e4 *", 1), ("1. e2e4 e7e5", 2), ("[Event \"x\"]\n\n*\n", 0)] {
        std::fs::write(&file, text).unwrap();
        let out = said(&["replay", name], "");
        assert!(out.contains(&format!("turn 0 of {turns}")), "{text}: {out}");
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_first_game_is_guided_task_by_task() {
    // A way that does the task; a refused move; the way that a hint shows; the end.
    let out = said(&["learn", "hanniball", "--task", "1"], "d6d7\nagain\nhint\nd6e8\nquit\n");
    for text in [
        "Task 1 of 8: The orange ball lies loose on e8.",
        "One way is d6e8.",
        "Your Horse has the ball.",
        "Task 2 of 8",
    ] {
        assert!(out.contains(text), "{text}: {out}");
    }
    assert_eq!(out.matches("Task 1 of 8").count(), 2, "the task once more: {out}");
    assert!(!out.contains("Task 3 of 8"), "{out}");
    let all = said(&["learn", "jai-alai"], &"skip\n".repeat(7));
    assert!(all.contains("Task 7 of 7") && all.contains("`carom play jai-alai` is a whole game."), "{all}");
}

#[test]
fn bad_words_are_one_clear_line_and_exit_code_2() {
    // As the system says that there is no such file.
    let nowhere = format!("/nowhere.pgn: {}", std::io::Error::from_raw_os_error(2));
    for (arguments, what) in [
        (&["play", "tiddlywinks"][..], "no game is called `tiddlywinks`"),
        (&["play", "--level", "stong"], "`stong`: expected beginner, casual, club, strong, full, depth=N"),
        (&["play", "--tc", "soon"], "`soon` is no time control"),
        (&["play", "--position", "8/8"], "position: "),
        (&["play", "--moves", "e2e5"], "move 1 (e2e5)"),
        (&["play", "--rule", "no-such"], "no rule switch `no-such`"),
        (&["play", "--option", "Nonsense=1"], "no option is called `Nonsense`"),
        (&["play", "--load", "/nowhere.pgn"], &nowhere),
        (&["analyse", "rolerball"], "did you mean `rollerball`?"),
        (&["replay", "/nowhere.pgn"], &nowhere),
        (&["completions", "cmd"], "invalid value 'cmd'"),
        (&["learn", "alapo"], "there is no guided first game of Alapo"),
        (&["learn", "hanniball", "--task", "9"], "--task: expected 1 to 8"),
        (&["man", "furlongs"], "no command is called `furlongs`"),
    ] {
        let (out, err, code) = carom(arguments, "");
        assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{arguments:?}: {err}");
        assert!(err.contains(what), "{arguments:?}: {err}");
    }
}

#[test]
fn every_shell_is_completed_and_every_command_has_a_manual_page() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = said(&["completions", shell], "");
        assert!(text.contains("analyse") && text.contains("hanniball") | text.contains("level"), "{shell}");
    }
    assert!(said(&["man"], "").contains(".SH SUBCOMMANDS"));
    let help = said(&["--help"], "");
    let (groups, _) = help.split_once("\nOptions:\n").unwrap();
    let commands: Vec<&str> = groups
        .lines()
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?.split(' ').next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 12, "{commands:?}");
    let folder = tempfile::tempdir().unwrap();
    said(&["man", "--folder", folder.path().to_str().unwrap()], "");
    let page = |name: &str| std::fs::read_to_string(folder.path().join(format!("carom-{name}.6"))).unwrap();
    let headings: Vec<String> =
        groups.lines().filter_map(|line| line.strip_suffix(':')).map(str::to_lowercase).collect();
    assert_eq!(headings, ["play", "look", "match", "train", "protocols", "shell"]);
    // Each command has a chapter on the page of one group, and a file that leads there.
    let pages: String = headings.iter().map(|heading| page(heading)).collect();
    for command in commands {
        let chapter = format!("\n.SH CAROM {}\n", command.to_uppercase());
        assert_eq!(pages.matches(&chapter).count(), 1, "{command}");
        let file = page(command);
        let target = file.strip_prefix(".so man6/carom-").and_then(|name| name.strip_suffix(".6\n"));
        assert!(page(target.unwrap_or(command)).contains(&chapter), "{command}: {file}");
        let page = said(&["man", command], "");
        assert!(page.contains(&format!(".TH carom-{command} 6")), "{command}: {}", &page[..200]);
    }
}
