//! What a match leaves behind: journals that survive every death, parts that join exactly.
use carom::arena::OpeningBook;
use carom::arena::journal;
use carom::arena::settings::OpeningsFile;
use carom::game::Rules;
use carom::pgn::{GameRecord, MoveInfoRecord};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("carom-records-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// `carom match` between two of these engines, with `more` on the command line.
fn carom(folder: &Path, habits: [&str; 2], more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(folder).arg("match").stderr(Stdio::piped()).stdout(Stdio::piped());
    let own = std::env::current_exe().unwrap();
    for (name, habit) in ["A", "B"].iter().zip(habits) {
        command.args(["-engine", &format!("cmd={}", own.display()), &format!("name={name}")]);
        command
            .args(["args=common::odd_engine::plays --exact --nocapture", &format!("env.ODD_HABIT={habit}")]);
        command.args(["proto=uci", "tc=600"]);
    }
    command.args(more);
    command
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    String::from_utf8(output.stdout).unwrap()
}

/// All games of a journal, without what a clock measured.
pub fn games(path: &Path) -> Vec<GameRecord> {
    let mut games = Vec::new();
    journal::read(path, &mut |mut game, _| {
        for turn in &mut game.turns {
            turn.2 = turn.2.take().map(|_| MoveInfoRecord(String::new(), 0, None, None, None, None, None));
        }
        game.date.clear();
        games.push(game);
    })
    .unwrap();
    games
}

fn openings(folder: &Path) {
    let moves: Vec<&str> = crate::common::odd_engine::GAME.split_whitespace().collect();
    let lines: Vec<String> = (1..9).map(|plies| moves[..plies].join(" ")).collect();
    std::fs::write(folder.join("openings.txt"), lines.join("\n")).unwrap();
}

#[test]
fn a_match_killed_fifty_times_loses_no_game_and_counts_none_twice() {
    let folder = folder("kill");
    // Something stands in the file already; it stays.
    std::fs::write(folder.join("games.pgn"), "[Event \"before\"]\n\n*\n\n").unwrap();
    let total = 400;
    let rounds = (total / 2).to_string();
    let more = [
        "-rounds",
        &rounds,
        "-most-turns",
        "12",
        "-concurrency",
        "2",
        "-journal",
        "m.jsonl",
        "-pgnout",
        "games.pgn",
        "-epdout",
        "last.epd",
        "-seed",
        "3",
    ];
    let mut killed = 0;
    let mut seed = 1_u64;
    while killed < 50 {
        let mut child = carom(&folder, ["good", "good"], &more).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        // Killed at another point each time: after some lines, with whatever is being written just then.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let wait = (seed >> 60) as usize % 9;
        let heard = lines.take(wait).count();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(heard == wait || killed > 0, "the match ended by itself");
        killed += 1;
    }
    let out = run(&mut carom(&folder, ["good", "good"], &more));
    assert!(out.contains(&format!("Score of A vs B: 0 - 0 - {total}  [0.500] {total}")), "{out}");
    let played = games(&folder.join("m.jsonl"));
    let numbers: BTreeSet<u64> = played.iter().map(|game| game.number).collect();
    assert_eq!((played.len(), numbers), (total, (1..=total as u64).collect()));
    let pgn = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
    assert!(pgn.starts_with("[Event \"before\"]\n\n*\n\n[Event \"Carom match\"]"));
    let in_pgn: Vec<u64> = pgn
        .lines()
        .filter_map(|line| line.strip_prefix("[GameNumber \"")?.strip_suffix("\"]")?.parse().ok())
        .collect();
    assert_eq!(in_pgn, played.iter().map(|game| game.number).collect::<Vec<_>>(), "in the journal's order");
    assert_eq!(pgn.matches("[Event ").count(), total + 1);
    assert_eq!(std::fs::read_to_string(folder.join("last.epd")).unwrap().lines().count(), total);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_match_goes_on_only_with_its_own_settings() {
    let folder = folder("resume");
    let more = |rounds| ["-rounds", rounds, "-most-turns", "6", "-journal", "m.jsonl", "-quiet"];
    run(&mut carom(&folder, ["good", "good"], &more("2")));
    let before = games(&folder.join("m.jsonl"));
    assert_eq!(before.len(), 4);
    // Nothing is left to play; the seed drawn then is the seed now.
    run(&mut carom(&folder, ["good", "good"], &more("2")));
    let mut resume = Command::new(env!("CARGO_BIN_EXE_carom"));
    let out = run(resume.current_dir(&folder).args(["match", "--resume", "m.jsonl", "-html", "table.html"]));
    assert!(out.contains("Going on after 4 games") && out.contains("0 - 0 - 4"), "{out}");
    assert!(std::fs::read_to_string(folder.join("table.html")).unwrap().contains("4 of 4 games"));
    assert_eq!(games(&folder.join("m.jsonl")), before);
    let refused = carom(&folder, ["good", "good"], &more("3")).output().unwrap();
    let err = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && err.contains("belongs to another match: it has -rounds 2"), "{err}");
    let mut resume = Command::new(env!("CARGO_BIN_EXE_carom"));
    let refused =
        resume.current_dir(&folder).args(["match", "--resume", "m.jsonl", "-rounds", "3"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn parts_join_to_what_one_machine_would_have_played() {
    let folder = folder("shards");
    openings(&folder);
    let common = [
        "-rounds",
        "12",
        "-most-turns",
        "16",
        "-seed",
        "11",
        "-openings",
        "file=openings.txt",
        "order=random",
        "-event",
        "Cup",
        "-quiet",
    ];
    let whole = [&common[..], &["-journal", "whole.jsonl", "-pgnout", "whole.pgn", "min=true"]].concat();
    let whole_out = run(&mut carom(&folder, ["good", "moody"], &whole));
    for part in 1..=3 {
        let (shard, journal) = (format!("{part}/3"), format!("part{part}.jsonl"));
        let part = [&common[..], &["-shard", &shard, "-journal", &journal, "-concurrency", "2"]].concat();
        run(&mut carom(&folder, ["good", "moody"], &part));
    }
    let merge = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_carom"))
            .current_dir(&folder)
            .arg("merge")
            .args(arguments)
            .output()
            .unwrap()
    };
    let out = merge(&["part3.jsonl", "part1.jsonl", "part2.jsonl", "--journal", "all.jsonl"]);
    let out = String::from_utf8(out.stdout).unwrap();
    let whole_games = games(&folder.join("whole.jsonl"));
    assert_eq!(games(&folder.join("all.jsonl")), whole_games);
    assert_eq!(whole_games.len(), 24);
    // Some games are lost by the moody one, not all.
    let score = |text: &str| text.lines().find(|line| line.starts_with("Score of")).unwrap().to_owned();
    assert_eq!(score(&out), score(&whole_out));
    assert!(out.contains("Ptnml(0-2)") && out.contains("illegal move"), "{out}");
    let lost = whole_games.iter().filter(|game| game.winner().is_some()).count();
    assert!(lost > 0 && lost < 24, "{lost}");
    // A pair is never parted.
    for part in 1..=3 {
        let games = games(&folder.join(format!("part{part}.jsonl")));
        assert!(games.len().is_multiple_of(2) && games.iter().all(|game| (game.pair - 1) % 3 == part - 1));
    }
    // Games are missing only where that is wanted, what is twice or foreign is refused.
    let out = merge(&["part1.jsonl", "part2.jsonl", "--journal", "some.jsonl"]);
    assert!(String::from_utf8(out.stderr).unwrap().contains("8 games are missing"));
    assert_eq!((out.status.code(), folder.join("some.jsonl").exists()), (Some(1), false));
    let out = merge(&["part1.jsonl", "part2.jsonl", "--partial"]);
    assert!(out.status.success() && String::from_utf8(out.stdout).unwrap().contains("8 games are missing"));
    std::fs::copy(folder.join("part1.jsonl"), folder.join("again.jsonl")).unwrap();
    let text = std::fs::read_to_string(folder.join("again.jsonl")).unwrap();
    std::fs::write(folder.join("again.jsonl"), text.lines().next().unwrap().to_owned() + "\n").unwrap();
    let out = merge(&["part1.jsonl", "again.jsonl", "--partial"]);
    assert!(String::from_utf8(out.stderr).unwrap().contains("part1.jsonl and again.jsonl are both part 1/3"));
    assert_eq!(out.status.code(), Some(1));
    let out = merge(&["part1.jsonl", "all.jsonl"]);
    assert!(String::from_utf8(out.stderr).unwrap().contains("stands in part1.jsonl and in all.jsonl"));
    let other = [&common[2..], &["-rounds", "2", "-journal", "other.jsonl"]].concat();
    run(&mut carom(&folder, ["good", "moody"], &other));
    let out = merge(&["part1.jsonl", "other.jsonl"]);
    assert!(String::from_utf8(out.stderr).unwrap().contains("no part of the match"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_test_that_has_decided_ends_the_match_says_so_and_stays_decided() {
    let folder = folder("sprt");
    let test = ["elo0=0", "elo1=200", "alpha=0.2", "beta=0.2"];
    let more = [&["-rounds", "500", "-seed", "3", "-journal", "m.jsonl", "-sprt"], test.as_slice()].concat();
    let first = run(&mut carom(&folder, ["good", "illegal"], &more));
    let line = |text: &str, begin: &str| {
        text.lines().rfind(|line| line.starts_with(begin)).map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(line(&first, "SPRT "), "SPRT ([0.00, 200.00]) completed - H1 was accepted");
    let played = games(&folder.join("m.jsonl")).len();
    assert!((2..1000).contains(&played), "{first}");
    // The calculator says the same of the counts.
    let pairs = line(&first, "Ptnml(0-2): [");
    let pairs = pairs.split(['[', ']']).nth(1).unwrap().replace(' ', "");
    let mut calculator = Command::new(env!("CARGO_BIN_EXE_carom"));
    calculator
        .args(["sprt", "--penta", &pairs, "--elo0", "0", "--elo1", "200", "--alpha", "0.2", "--beta", "0.2"]);
    let calculated = run(&mut calculator);
    assert_eq!(line(&calculated, "LLR:"), line(&first, "LLR:"), "{pairs}");
    // Going on means nothing to play.
    let again = run(&mut carom(&folder, ["good", "illegal"], &more));
    assert_eq!(games(&folder.join("m.jsonl")).len(), played);
    assert_eq!(line(&again, "SPRT "), line(&first, "SPRT "));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn tournaments_of_every_form_are_played_to_their_end() {
    let folder = folder("forms");
    let own = std::env::current_exe().unwrap();
    for (form, rounds, games) in
        [("roundrobin", "1", 12), ("gauntlet", "2", 12), ("swiss", "3", 12), ("knockout", "", 0)]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.current_dir(&folder).args([
            "match",
            "-tournament",
            form,
            "-most-turns",
            "8",
            "-concurrency",
            "2",
        ]);
        command.args(["-quiet", "-journal", &format!("{form}.jsonl")]);
        if !rounds.is_empty() {
            command.args(["-rounds", rounds]);
        }
        // Who is later in the list loses against everybody: it makes an illegal turn.
        for (name, habit) in [("A", "good"), ("B", "good"), ("C", "illegal"), ("D", "illegal")] {
            command.args([
                "-engine",
                &format!("cmd={}", own.display()),
                &format!("name={name}"),
                "proto=uci",
                "tc=600",
            ]);
            command.args([
                "args=common::odd_engine::plays --exact --nocapture",
                &format!("env.ODD_HABIT={habit}"),
            ]);
        }
        let out = run(&mut command);
        let finished = out.lines().filter(|line| line.starts_with("Finished game")).count();
        if form == "knockout" {
            // A and B are level until the better seed goes on.
            assert!(finished > 6 && out.lines().any(|line| line.trim_start().starts_with("1 A ")), "{out}");
            assert!(out.contains("A wins the knockout"), "{out}");
        } else {
            assert_eq!(finished, games, "{form}: {out}");
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

// Links take rights on Windows that few have.
#[cfg(unix)]
#[test]
fn no_output_takes_away_what_is_not_ours() {
    let folder = folder("foreign");
    openings(&folder);
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let refused = |arguments: &[&str], why: &str| {
        let mut command = carom(&folder, ["good", "good"], &["-rounds", "1", "-most-turns", "4", "-quiet"]);
        let output = command.args(arguments).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && err.contains(why), "{arguments:?}: {err}");
    };
    write("notes", "my only notes, without a line feed");
    write("page.html", "<html>my page</html>");
    refused(&["-journal", "notes"], "notes is no journal of a match");
    refused(&["-html", "page.html"], "page.html holds what this match has not written");
    assert_eq!(read("notes"), "my only notes, without a line feed");
    assert_eq!(read("page.html"), "<html>my page</html>");
    // Two names of one file, there already or not.
    std::os::unix::fs::symlink("notes", folder.join("link")).unwrap();
    std::os::unix::fs::symlink("new", folder.join("dangling")).unwrap();
    std::fs::hard_link(folder.join("notes"), folder.join("hard")).unwrap();
    let same = "are the same file";
    refused(&["-journal", "x", "-pgnout", "file=x"], same);
    refused(&["-epdout", "x", "-html", "./x"], same);
    refused(&["-journal", "new", "-pgnout", "file=dangling"], same);
    refused(&["-epdout", "link", "-pgnout", "file=notes"], same);
    refused(&["-epdout", "hard", "-pgnout", "file=notes"], same);
    refused(&["-epdout", "openings.txt", "-openings", "file=openings.txt"], same);
    assert!(!folder.join("x").exists() && !folder.join("new").exists());
    // A file beside, by the name that was once used, and a link there: neither is touched.
    write("other", "other");
    std::os::unix::fs::symlink("other", folder.join("g.pgn.new")).unwrap();
    let outputs = [
        "-rounds",
        "1",
        "-most-turns",
        "4",
        "-quiet",
        "-journal",
        "j",
        "-pgnout",
        "file=g.pgn",
        "-html",
        "h.html",
    ];
    run(&mut carom(&folder, ["good", "good"], &outputs));
    run(&mut carom(&folder, ["good", "good"], &outputs));
    assert_eq!(read("other"), "other");
    let pgn = read("g.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 2);
    // Going on with another file that holds something, or with one to which somebody has added something.
    let resume = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.current_dir(&folder).args(["match", "--resume", "j"]).args(more).output().unwrap()
    };
    let err = String::from_utf8(resume(&["-pgnout", "file=other"]).stderr).unwrap();
    assert!(err.contains("other holds what this match has not written"), "{err}");
    write("g.pgn", &format!("{pgn}[Event \"mine\"]\n"));
    let err = String::from_utf8(resume(&[]).stderr).unwrap();
    assert!(err.contains("g.pgn holds what this match has not written"), "{err}");
    assert_eq!((read("other").as_str(), read("g.pgn").len()), ("other", pgn.len() + 15));
    // The end that is missing is put right, through a link as well.
    std::fs::rename(folder.join("g.pgn"), folder.join("moved")).unwrap();
    write("moved", &pgn[..pgn.len() - 20]);
    std::os::unix::fs::symlink("moved", folder.join("g.pgn")).unwrap();
    assert!(resume(&[]).status.success());
    assert_eq!(read("moved"), pgn);
    assert!(std::fs::symlink_metadata(folder.join("g.pgn")).unwrap().is_symlink());
    let merge = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_carom"))
            .current_dir(&folder)
            .args(["merge", "j"])
            .args(more)
            .output();
        String::from_utf8(output.unwrap().stderr).unwrap()
    };
    let journal = read("j");
    assert!(merge(&["--pgnout", "j"]).contains(same));
    assert!(merge(&["--pgnout", "notes"]).contains("notes holds what"));
    assert_eq!((read("j"), read("notes").as_str()), (journal, "my only notes, without a line feed"));
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let left = left.iter().filter(|name| name.to_str().unwrap().ends_with(".new")).count();
    assert_eq!(left, 1, "only the link that was there");
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_an_engine_has_started_outlives_the_match() {
    let folder = folder("orphans");
    let own = std::env::current_exe().unwrap();
    // One that leaves group, session and parent behind at once; one whose parent lives on; and one that starts another.
    let script = format!(
        "(setsid sleep 1000 & echo $! >>pids); setsid sh -c 'sleep 1000 & echo $! >>pids; wait' & echo $! >>pids; \
         exec {} common::odd_engine::plays --exact --nocapture",
        own.display()
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(&folder).args(["match", "-rounds", "2", "-most-turns", "4", "-quiet"]);
    for name in ["name=A", "name=B"] {
        command.args(["-engine", "cmd=sh", "arg=-c", &format!("arg={script}"), "env.ODD_HABIT=good"]);
        command.args([name, "proto=uci", "tc=600", "restart=on"]);
    }
    run(&mut command);
    let pids = std::fs::read_to_string(folder.join("pids")).unwrap();
    assert!(pids.lines().count() >= 6, "{pids}");
    for id in pids.lines() {
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let state = state.rsplit(") ").next().unwrap_or_default();
        assert!(state.is_empty() || state.starts_with(['Z', 'X']), "{id} lives on: {state}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_up_a_proof_and_ends_the_match() {
    let folder = folder("proof");
    let exact = ["-rounds", "1", "-most-turns", "8", "-exact", "turns=30", "positions=18446744073709551615"];
    let mut command = carom(&folder, ["good", "good"], &exact);
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    // A proof of thirty turns of chess does not end; that it has begun nobody says, so the interrupt comes early or late.
    assert!(lines.any(|line| line.starts_with("Started game 1")));
    let id = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    let rest: Vec<String> = lines.collect();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("stopped after 1 games"), "{err}{rest:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn between_the_boards_of_a_terminal_no_finished_game_is_printed() {
    let carom = env!("CARGO_BIN_EXE_carom");
    let arguments = ["match", "-games", "2", "-most-turns", "6", "-depth", "1"];
    let piped = run(Command::new(carom).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()));
    assert_eq!(piped.matches("[Event ").count(), 2, "{piped}");
    // util-linux's `script` gives it a terminal.
    let line = format!("stty cols 300 rows 60; {carom} {}", arguments.join(" "));
    let mut script = Command::new("script");
    script.args(["-q", "-e", "-c", &line, "/dev/null"]).stdin(Stdio::null());
    let shown = run(script.stdout(Stdio::piped()).stderr(Stdio::piped()));
    assert!(shown.contains("\u{1b}[") && shown.contains("Finished game 2"), "{shown}");
    assert!(!shown.contains("[Event ") && !shown.contains("[PlyCount"), "{shown}");
}

#[test]
fn every_game_has_openings_and_all_are_legal() {
    for facts in carom::variants::all() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/openings");
        let file = OpeningsFile {
            file: folder.join(format!("{}.epd", facts.name)),
            format: None,
            order: carom::arena::settings::Order::Sequential,
            start: None,
            plies: None,
            policy: None,
        };
        let book = OpeningBook::read(&file, facts, &Rules::of(facts), 1).unwrap();
        assert_eq!(book.len(), 60, "{}", facts.name);
    }
}
