//! The program as a shell sees it: output, errors, exit codes.
use std::process::Command;

struct Run {
    out: String,
    err: String,
    code: i32,
}

fn carom(arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).output().unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// What the engine says to these lines.
#[cfg(unix)]
fn hear(lines: &str) -> String {
    let script = format!("printf 'uci\\n{}' | '{}'", lines.replace('\n', "\\n"), env!("CARGO_BIN_EXE_carom"));
    String::from_utf8(Command::new("sh").args(["-c", &script]).output().unwrap().stdout).unwrap()
}

#[test]
fn games_are_listed() {
    let run = carom(&["games"]);
    assert_eq!(run.code, 0);
    for name in carom::variants::all().iter().map(|facts| facts.name) {
        assert!(run.out.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}");
    }
    assert!(run.out.contains("--rule clockwise-sideways"));
}

#[test]
fn perft_prints_a_line_for_each_depth_and_its_speed_elsewhere() {
    let run = carom(&["perft", "--game", "chess", "--depth", "4"]);
    assert_eq!((run.out.as_str(), run.code), ("1 20\n2 400\n3 8902\n4 197281\n", 0));
    assert!(run.err.contains("a second"));
    let ruled =
        carom(&["perft", "-g", "rollerball", "-d", "4", "--rule", "clockwise-sideways", "--threads", "2"]);
    assert_eq!(ruled.out, "1 7\n2 49\n3 476\n4 4652\n");
}

#[test]
fn perft_divides_and_counts_steps_and_results() {
    let run = carom(&["perft", "-g", "alapo", "-d", "3", "--divide"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 19);
    assert!(lines.contains(&"b2b3 378") && lines.contains(&"d2c3 593"), "{lines:?}");
    assert_eq!(lines.last(), Some(&"8488"));
    assert_eq!(carom(&["perft", "-d", "2", "--unit", "steps"]).out, "1 20\n2 0\n");
    assert_eq!(carom(&["perft", "--unit", "results"]).out, "1 20\n");
}

#[test]
fn positions_are_shown() {
    let run = carom(&["show", "--game", "rollerball", "--moves", "c2b3 e6f5"]);
    insta::assert_snapshot!(run.out, @r"
     7  .  .  r  b  p  .  .
     6  .  .  r  k  .  .  .
     5  .  .           p  .
     4  .  .           .  .
     3  .  P           .  .
     2  .  .  .  K  R  .  .
     1  .  .  P  B  R  .  .
        a  b  c  d  e  f  g
    2rbp2/2rk3/2***p1/2***2/1P***2/3KR2/2PBR2 w - 0 2
    White to decide, 8 ways
    ");
    let mate = carom(&["show", "--moves", "f2f3", "e7e5", "g2g4", "d8h4"]);
    assert!(mate.out.ends_with("0-1 {Black mates}\n"), "{}", mate.out);
}

#[test]
fn json_tells_everything_in_one_object() {
    let run =
        carom(&["show", "--game", "alapo", "--position", "3k4/1K6/8/8/8/8/8/4K3 w b7 d8 2 41", "--json"]);
    assert_eq!(run.out.lines().count(), 1);
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(object["game"], "alapo");
    assert_eq!(object["position"], "3k4/1K6/8/8/8/8/8/4K3 w b7 d8 2 41");
    assert_eq!(object["actor"], "White");
    assert!(object["outcome"].is_null());
    assert!(object["legal"].as_array().unwrap().contains(&"b7a8".into()));
    let won = ["show", "-g", "alapo", "-p", "3k4/1K6/8/8/8/8/8/4K3 w b7 d8 2 41", "-m", "b7a8", "--json"];
    let object: serde_json::Value = serde_json::from_str(&carom(&won).out).unwrap();
    assert_eq!((&object["outcome"]["result"], &object["outcome"]["rule"]), (&"1-0".into(), &"R6".into()));
    assert_eq!(
        (&object["legal"], &object["continuations"]),
        (&serde_json::json!([]), &serde_json::json!([]))
    );
}

#[test]
fn json_lists_whole_turns_and_the_next_decisions_each_under_its_own_name() {
    let object = |arguments: &[&str]| -> serde_json::Value {
        let run = carom(&[&["show", "--json"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str(&run.out).unwrap()
    };
    // A king with the ball before a wicket: after a move he may throw.
    let wickets = object(&["-g", "wickets-det", "-m", "e2e4 e7e5"]);
    let (legal, next) = (wickets["legal"].as_array().unwrap(), wickets["continuations"].as_array().unwrap());
    assert!(legal.contains(&"e1e2".into()) && legal.contains(&"e1e2,O@d3".into()), "{legal:?}");
    assert!(next.contains(&"e1e2".into()) && !next.contains(&"e1e2,O@d3".into()), "{next:?}");
    // Chance's word ends a token.
    let dice = object(
        &["-g", "wickets-dice", "-p"]
            .into_iter()
            .chain([
                "****1***/rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR/****1*** w KQkq - c3:d1/e8:d8 0 1",
            ])
            .collect::<Vec<_>>(),
    );
    assert!(dice["legal"].as_array().unwrap().iter().all(|token| !token.as_str().unwrap().contains('=')));
    // Two steps of HanniBall are few enough, four are not.
    let first = object(&["-g", "hanniball"]);
    assert!(first["legal"].as_array().unwrap().len() > first["continuations"].as_array().unwrap().len());
    let second = object(&["-g", "hanniball", "-m", "d4b5"]);
    assert!(second["legal"].is_null() && !second["continuations"].as_array().unwrap().is_empty());
    let chess = object(&[]);
    assert_eq!(chess["legal"], chess["continuations"]);
}

#[test]
fn every_page_can_be_read_from_an_installed_program() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol-docs");
    let listed = carom(&["docs"]);
    assert_eq!(listed.code, 0);
    let names: Vec<&str> = listed.out.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let mut files = Vec::new();
    for (folder, before) in [("", ""), ("/rules", "rules/")] {
        for entry in std::fs::read_dir(format!("{root}{folder}")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            files.extend(name.strip_suffix(".md").map(|name| format!("{before}{name}")));
        }
    }
    assert_eq!(names.len(), files.len(), "{names:?}");
    for name in &files {
        assert!(names.contains(&name.as_str()), "{name}");
        let text = std::fs::read_to_string(format!("{root}/{name}.md")).unwrap();
        assert!(carom(&["docs", name]).out == text, "{name}");
        assert!(carom(&["docs", &format!("protocol-docs/{name}.md")]).out == text, "{name}");
    }
    for facts in carom::variants::all() {
        let page = carom(&["rules", facts.name]);
        assert!(page.out.contains(&format!("`{}`", facts.name)), "{} is named on its page", facts.name);
    }
    assert!(carom(&["rules", "wickets"]).out == carom(&["docs", "rules/wickets"]).out);
    assert_eq!(carom(&["rules"]).out.lines().count(), files.iter().filter(|f| f.contains('/')).count());
}

#[cfg(unix)]
#[test]
fn no_help_text_points_to_a_file_that_is_not_installed() {
    let mut texts = vec![carom(&["--help"]).out, carom(&["comply", "--list"]).out];
    for line in texts[0].clone().lines() {
        // The commands stand below each other, two blanks from the left.
        if let Some(command) = line.strip_prefix("  ").and_then(|line| line.split(' ').next())
            && command.chars().all(|c| c.is_ascii_lowercase())
            && !["", "help"].contains(&command)
        {
            texts.push(carom(&[command, "--help"]).out);
        }
    }
    assert!(texts.len() > 10, "{}", texts.len());
    texts.push(hear("help\nquit\n"));
    assert!(texts.last().unwrap().contains("carom docs uci"), "{}", texts.last().unwrap());
    for text in &texts {
        assert!(!text.contains("protocol-docs") && !text.contains(".md"), "{text}");
    }
    assert!(texts.iter().any(|text| text.contains("carom docs match")));
}

#[cfg(unix)]
#[test]
fn the_package_holds_the_pages_that_the_program_prints() {
    let cargo = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let list = String::from_utf8(cargo.stdout).unwrap();
    for line in carom(&["docs"]).out.lines() {
        let page = format!("protocol-docs/{}.md", line.split(' ').next().unwrap());
        assert!(list.lines().any(|file| file == page), "{page}: {list}");
    }
}

#[test]
fn bad_usage_and_bad_input_are_one_clear_line_and_exit_code_2() {
    for (arguments, what) in [
        (&["perft", "--game", "tiddlywinks"][..], "no game is called `tiddlywinks`; there are: chess"),
        (&["show", "--game", "rolerball"], "no game is called `rolerball`, did you mean `rollerball`?"),
        (&["match", "--game", "haniball"], "did you mean `hanniball`?"),
        (&["match", "-engine", "nmae=x"], "no setting `nmae`, did you mean `name`?"),
        (&["match", "-roundz", "3"], "a similar argument exists: '--rounds'"),
        (&["openngs"], "unrecognized subcommand 'openngs'; a similar subcommand exists: 'openings'"),
        (&["show", "--game", "a\u{1b}[2J\r\nb"], "no game is called `a\u{fffd}[2J\u{fffd} b`"),
        (&["perft", "--depth", "many"], "invalid value 'many'"),
        (&["perft", "--depth", "0"], "0 is not in 1..=60"),
        (&["perft", "--rule", "no-such"], "no rule switch `no-such`"),
        (&["perft", "-g", "rollerball", "--rule", "clockwise-sideways=perhaps"], "cannot be `perhaps`"),
        (&["perft", "--unit", "furlongs"], "invalid value 'furlongs'"),
        (&["perft", "--position", "8/8/8"], "position: "),
        (&["show", "--moves", "e2e5"], "move 1 (e2e5)"),
        (&["show", "--moves", "e2e4", "zz"], "move 2 (zz)"),
        (&["show", "--frobnicate"], "unexpected argument '--frobnicate'"),
        (&["docs", "furlongs"], "no page is called `furlongs`; there are: uci, xboard,"),
        (&["rules", "tiddlywinks"], "no game is called `tiddlywinks`"),
        (&["match", "--tc", "soon"], "`soon` is no time control"),
        (&["match", "--position", "nonsense"], "position"),
        (&["frobnicate"], "unrecognized subcommand 'frobnicate'"),
        (&["hanniball"], "hanniball is a game: `carom play hanniball`"),
        (&["haniball"], "hanniball is a game: `carom play hanniball`"),
        (&["plya"], "some similar subcommands exist: 'replay', 'play'"),
        (&["show", "chess", "e2e4"], "turns stand behind --moves: `carom show GAME --moves \"e2e4\"`"),
    ] {
        let run = carom(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(what), "{arguments:?}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{arguments:?}: {}", run.err);
    }
    assert_eq!(carom(&["--log", "/nowhere/at/all", "games"]).code, 1);
}

#[test]
fn help_tells_the_commands_in_groups_and_where_the_options_are() {
    let help = carom(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    let headings = ["\nPlay:\n", "\nLook:\n", "\nMatch:\n", "\nTrain:\n", "\nProtocols:\n"];
    let commands =
        ["  games ", "  perft ", "  bench ", "  show ", "  match ", "carom docs options", "Exit code: 0 "];
    for word in headings.iter().chain(&commands) {
        assert!(help.out.contains(word), "{word}");
    }
    // One screen of an ordinary terminal and a half.
    assert!(help.out.lines().count() <= 60, "{}", help.out);
    let options = carom(&["docs", "options"]).out;
    assert!(["UCI_Variant", "Move Overhead", "clockwise-sideways"].iter().all(|word| options.contains(word)));
}

#[test]
fn every_command_that_takes_a_game_takes_it_as_its_first_word_and_as_an_option() {
    let engine = ["--list"].as_slice();
    let commands: [(&str, &[&str]); 9] = [
        ("show", &[]),
        ("perft", &["-d", "2"]),
        ("play", &[]),
        ("analyse", &["--depth", "1"]),
        ("rules", &[]),
        ("openings", &["-n", "1"]),
        ("bench", &["--deeper", "-20"]),
        ("match", &["-games", "2", "-check"]),
        ("comply", engine),
    ];
    for (command, rest) in commands {
        let ways: [&[&str]; 4] =
            [&["rollerball"], &["--game", "rollerball"], &["-g", "rollerball"], &["-game", "rollerball"]];
        let said = ways.map(|way| {
            let run = carom(&[&[command], way, rest].concat());
            assert_eq!(run.code, 0, "{command} {way:?}: {}", run.err);
            // The times of a search differ.
            run.out.lines().take(1).map(str::to_owned).collect::<String>()
        });
        assert!(said.iter().all(|one| *one == said[0]), "{command}: {said:?}");
        let both = carom(&[&[command, "rollerball", "--game", "rollerball"], rest].concat());
        assert_eq!(both.code, 2, "{command}");
        assert!(both.err.contains("cannot be used with"), "{}", both.err);
    }
}

/// What these do takes long, or needs a window: which word they take for the game shows in what they refuse.
#[test]
fn every_other_command_reads_the_game_in_the_same_two_ways() {
    for (command, rest) in [
        ("serve", &[][..]),
        ("xboard", &[]),
        ("learn", &[]),
        ("datagen", &["--output", "/nowhere/x.samples"]),
    ] {
        for way in [&["nosuch"][..], &["--game", "nosuch"], &["-g", "nosuch"], &["-game", "nosuch"]] {
            let run = carom(&[&[command], way, rest].concat());
            assert_eq!(run.code, 2, "{command} {way:?}: {}", run.err);
            assert!(run.err.contains("no game is called `nosuch`"), "{command} {way:?}: {}", run.err);
        }
    }
    // Where files follow, a word that is no game is a file.
    let same: [(&[&str], &[&str], &str); 3] = [
        (&["train"], &["--output", "/nowhere/x.network", "no.samples"], "no.samples"),
        (&["tune"], &["no.samples"], "no.samples"),
        (&["tables", "build"], &[], "rollerball is the only game"),
    ];
    for (command, rest, reason) in same {
        for way in [&["breakthrough"][..], &["--game", "breakthrough"], &["-game", "breakthrough"]] {
            let run = carom(&[command, way, rest].concat());
            assert_eq!(run.code, 2, "{command:?} {way:?}: {}", run.err);
            assert!(run.err.contains(reason), "{command:?} {way:?}: {}", run.err);
        }
    }
}

#[test]
fn the_readme_names_a_command_for_each_of_eight_wishes_on_its_first_screen() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let wishes: Vec<Vec<&str>> = readme
        .lines()
        .take(25)
        .filter_map(|line| line.strip_prefix("| ")?.split_once("| `carom ")?.1.strip_suffix("` |"))
        .map(|command| command.split(' ').collect())
        .collect();
    assert_eq!(wishes.len(), 8, "{wishes:?}");
    let help = carom(&["--help"]).out;
    for words in wishes {
        assert!(help.contains(&format!("\n  {} ", words[0])), "{words:?} is not in the help");
        if ["rules", "games", "show"].contains(&words[0]) {
            let run = carom(&words);
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{words:?}");
        }
    }
}

#[test]
fn positions_turns_and_games_of_files_are_read_alike_everywhere() {
    let file = std::env::temp_dir().join(format!("carom-alike-{}.pgn", std::process::id()));
    std::fs::write(&file, "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"y\"]\n\n1. d4 *\n").unwrap();
    let path = file.to_str().unwrap();
    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    for given in [
        &["--moves", "e4 e5 Nf3"][..],
        &["--moves", "e2e4 e7e5 g1f3"],
        &["chess", "--fen", after],
        &["-g", "chess", "--position", after],
        &["--pgn", path],
    ] {
        let shown = carom(&[&["show"], given].concat());
        assert!(shown.out.contains(after), "{given:?}: {}{}", shown.out, shown.err);
        assert_eq!(carom(&[&["perft", "-d", "2"], given].concat()).out, "1 29\n2 779\n", "{given:?}");
        let analysed = carom(&[&["analyse", "--depth", "1"], given].concat());
        assert!(analysed.out.contains("Best: "), "{given:?}: {}{}", analysed.out, analysed.err);
        let played = carom(&[&["play", "--side", "both"], given].concat());
        assert!(played.out.contains("Black to move: 29 ways"), "{given:?}: {}{}", played.out, played.err);
    }
    assert!(carom(&["show", "--pgn", path, "--number", "2"]).out.contains("PPP1PPPP"));
    assert_eq!(carom(&["show", "--pgn", path, "--number", "3"]).code, 2);
    assert_eq!(carom(&["show", "chess", "--pgn", path]).code, 2);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn how_to_play_is_told_in_plain_lines() {
    for facts in carom::variants::all() {
        let short = carom(&["rules", facts.name, "--short"]);
        assert_eq!(short.code, 0, "{}", short.err);
        assert!(short.out.starts_with(&format!("{}\n\n", facts.title)), "{}", short.out);
        assert!(
            short.out.lines().all(|line| line.chars().count() < 80 && !line.starts_with(['#', '|', '!']))
        );
    }
}

#[test]
fn a_file_that_is_not_there_is_bad_input_in_every_command() {
    for arguments in [
        &["replay", "/nowhere/x"][..],
        &["rating", "/nowhere/x"],
        &["merge", "/nowhere/x"],
        &["train", "alapo", "/nowhere/x", "-o", "/nowhere/y"],
        &["tune", "-g", "breakthrough", "/nowhere/x"],
        &["show", "--pgn", "/nowhere/x"],
        &["match", "-config", "/nowhere/x"],
        &["match", "-resume", "/nowhere/x"],
        &["bridge", "--as", "uci", "--aliases", "/nowhere/x", "--", "cat"],
    ] {
        let run = carom(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains("/nowhere/x") && run.err.lines().count() == 1, "{arguments:?}: {}", run.err);
    }
}

#[test]
fn the_version_tells_what_was_built() {
    let number = format!("carom {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(carom(&["-V"]).out, format!("{number}\n"));
    let told = carom(&["--version"]).out;
    let lines: Vec<&str> = told.lines().collect();
    let (lines, gain) = lines.split_at(4);
    let [first, processor, system, features] = lines[..] else { panic!("{told}") };
    let commit = option_env!("CAROM_COMMIT").map_or_else(String::new, |commit| format!(" ({commit})"));
    assert_eq!(first, format!("{number}{commit}"));
    assert_eq!(system, format!("system: {}", std::env::consts::OS));
    // This test is compiled as the program is, for the same processor and with the same features.
    let words: Vec<&str> = processor.split(' ').skip(2).collect();
    for (word, is_in) in [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("bmi2", cfg!(target_feature = "bmi2")),
    ] {
        assert_eq!(words.contains(&word), is_in, "{told}");
    }
    for (word, is_in) in [("serve", cfg!(feature = "serve")), ("png", cfg!(feature = "png"))] {
        assert_eq!(features.split(' ').any(|feature| feature == word), is_in, "{told}");
    }
    // One more line, unless the build uses all that makes it fast and this processor has.
    #[cfg(target_arch = "x86_64")]
    let lacks = !cfg!(target_feature = "bmi2") && std::arch::is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    let lacks = false;
    assert_eq!(gain.len(), usize::from(lacks), "{told}");
}

#[test]
fn bench_has_the_same_signature_twice() {
    let signature = || {
        let run = carom(&["bench", "--deeper", "-4"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let [head, chess, .., signature, speed] = &run.out.lines().collect::<Vec<_>>()[..] else {
            panic!("{}", run.out)
        };
        assert_eq!(
            head.split_whitespace().collect::<Vec<_>>(),
            ["game", "depth", "nodes", "seconds", "nodes/s", "branching"]
        );
        let columns: Vec<_> = chess.split_whitespace().collect();
        assert_eq!(columns[..2], ["chess", "6"]);
        // Far fewer than the thirty moves of a position, and more than one.
        assert!((1.05..10.0).contains(&columns[5].parse::<f64>().unwrap()), "{chess}");
        let number = signature.strip_prefix("signature ").unwrap().to_owned();
        // The last line is what OpenBench reads.
        assert!(speed.starts_with(&format!("{number} nodes ")) && speed.ends_with(" nps"), "{speed}");
        number
    };
    let first = signature();
    assert_eq!(first, signature());
}

/// A mate on the back rank is seen at once. That king and pawn win no search sees in so few positions, which all count.
#[test]
fn bench_counts_what_is_searched_until_a_win_is_seen() {
    let file = std::env::temp_dir().join(format!("carom-wins-{}.epd", std::process::id()));
    let (mate, ending) = ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1");
    let solve = |text: String, game: &[&str]| {
        std::fs::write(&file, text).unwrap();
        let words = ["--nodes", "3000", "--solve", file.to_str().unwrap()];
        carom(&[&["bench"], game, &words].concat())
    };
    let run = solve(format!("# two positions\n{mate}\n\n{ending}\n"), &["chess"]);
    let told: Vec<_> = run.out.split([' ', ',']).collect();
    assert_eq!(told[..5], ["chess:", "1", "of", "2", "solved"], "{}{}", run.out, run.err);
    let nodes: u64 = told[6].parse().unwrap();
    assert!((3001..3100).contains(&nodes) && run.out.contains("median 3000"), "{}", run.out);
    // What stands before a position changes nothing, and neither does the order.
    let again = solve(format!("{ending}\n{ending}\n{mate}\n"), &["chess"]);
    assert!(again.out.starts_with(&format!("chess: 1 of 3 solved, {} nodes", nodes + 3000)), "{}", again.out);
    let wrong = solve(format!("{mate}\nelsewhere\n"), &["chess"]);
    assert!(wrong.code == 2 && wrong.err.contains("line 2: "), "{}", wrong.err);
    let nothing = solve("# nothing\n".to_owned(), &["chess"]);
    assert!(nothing.code == 2 && nothing.err.contains("no position"), "{}", nothing.err);
    let nowhere = solve(mate.to_owned(), &[]);
    assert!(nowhere.code == 2 && nowhere.err.contains("the game"), "{}", nowhere.err);
    std::fs::remove_file(&file).unwrap();
}

/// Every game: name, and turns after which a position of the middle game is reached.
const MIDDLE_GAMES: [(&str, &str); 10] = [
    ("chess", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1"),
    ("alapo", "c2b3 g7f6 f2e3 c7d6 b2c3"),
    ("alapo-demotion", "W@a1 W@h8 c2b3 g7f6"),
    ("rollerball", "c2b3 e6f5 b3b4 f5f4 b4b5"),
    ("jai-alai", "T@f4 T@d5 b3b4"),
    ("hanniball", "d4b5,b5c7 f12d11,d11e9,e9d7 c7d9"),
    ("wickets-det", "e2e4 e7e5 e1e2,O@d3"),
    ("wickets-cards", "e2e4 e7e5 e1e2,O@d3"),
    ("breakthrough", "c2c3 f7e6 c3d4 e6d5 b2c3"),
    ("dice-chess", "=123,e2e4,g1f3,f1b5 =122,e7e5,b8c6,g8f6 =345,b5c6,h1g1,d1e2"),
];

#[test]
fn every_start_and_a_middle_game_are_drawn() {
    let mut text = String::new();
    for (game, moves) in MIDDLE_GAMES {
        for moves in ["", moves] {
            let run = carom(&["show", "--game", game, "--moves", moves]);
            assert_eq!(run.code, 0, "{game} {moves}: {}", run.err);
            text.push_str(&format!("carom show --game {game} --moves \"{moves}\"\n{}\n", run.out));
        }
    }
    insta::assert_snapshot!("starts_and_middle_games", text);
}

#[test]
fn no_game_against_ourselves_gives_cause_to_warn() {
    for facts in carom::variants::all() {
        let words = "match --games 2 --nodes 100 --quiet -most-turns 60 --game";
        let words: Vec<&str> = words.split(' ').chain([facts.name]).collect();
        let run = carom(&words);
        assert_eq!(run.err, "", "{}", facts.name);
    }
}

#[test]
fn a_match_is_played_recorded_and_can_be_replayed() {
    for facts in carom::variants::all() {
        let game = facts.name;
        let depth =
            if ["chess", "alapo", "alapo-demotion", "rollerball"].contains(&game) { "2" } else { "1" };
        let mut arguments = vec!["match", "--game", game, "--games", "2", "--depth", depth];
        arguments.extend(["--tc", "60", "--most-turns", "120", "--seed", "5"]);
        // Chess is written as our other commands read it, too.
        let file = std::env::temp_dir().join(format!("carom-replayed-{}-{game}.pgn", std::process::id()));
        let named = format!("file={}", file.display());
        arguments.extend(["--pgnout", &named, "notation=uci"]);
        let run = carom(&arguments);
        assert_eq!(run.code, 0, "{game}: {}{}", run.out, run.err);
        assert_eq!(run.out.lines().filter(|line| line.starts_with("Finished game")).count(), 2);
        // Each game of the record leads where it says.
        let record = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(record.matches("[Event ").count(), 2, "{game}");
        for text in record.split("[Event ").skip(1) {
            let moves = text.split("\n\n").nth(1).unwrap();
            let words = moves.split(['{', '}']).step_by(2).flat_map(str::split_whitespace);
            let tokens: Vec<&str> = words.filter(|word| !word.contains('.')).collect();
            let (result, tokens) = tokens.split_last().unwrap();
            let adjudicated = text.contains("[Termination \"adjudication\"]");
            if game.contains("cards") {
                // What was dealt is in the seed, which `show` does not know.
                continue;
            }
            let replay = carom(&["show", "--game", game, "--json", "--moves", &tokens.join(" ")]);
            let object: serde_json::Value = serde_json::from_str(&replay.out).unwrap();
            if adjudicated {
                assert_eq!(tokens.len(), 120, "{game}");
                assert!(object["outcome"].is_null());
            } else {
                assert_eq!(object["outcome"]["result"], *result, "{game}: {text}");
            }
        }
    }
}
