//! The words of a match: those of fastchess and cutechess-cli mean what they mean there, or are refused; what they print is read by
//! the programs that read it.
use std::path::Path;
use std::process::{Command, Output};

/// Runs a line of the shell in `folder`, `carom match` in place of the other program.
fn line(folder: &Path, words: &str) -> Output {
    let words = shlex(words);
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .current_dir(folder)
        .arg("match")
        .args(&words[1..])
        .output()
        .unwrap()
}

/// Words as a shell parts them, lines joined that end in a backslash.
fn shlex(words: &str) -> Vec<String> {
    let mut found = vec![];
    let mut parts = words.split('"');
    while let Some(plain) = parts.next() {
        found.extend(plain.split_whitespace().filter(|word| *word != "\\").map(str::to_owned));
        if let Some(quoted) = parts.next() {
            let glued = plain.ends_with('=').then(|| found.pop()).flatten();
            found.push(glued.unwrap_or_default() + quoted);
        }
    }
    found
}

/// A folder with the files that the lines below name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for name in ["book.epd", "openings.epd", "UHO_4060_v3.epd", "popularpos_lichess.epd", "8moves_v3"] {
        std::fs::write(folder.path().join(name), format!("{position}\n")).unwrap();
    }
    std::fs::write(
        folder.path().join("frc.epd"),
        "bbrkqnrn/pppppppp/8/8/8/8/PPPPPPPP/BBRKQNRN w GCgc - 0 1\n",
    )
    .unwrap();
    for name in ["book.pgn", "8moves_v3.pgn", "games"] {
        std::fs::write(folder.path().join(name), "[Event \"x\"]\n\n1. e4 e5 *\n").unwrap();
    }
    folder
}

/// Lines of these programs' own pages, and of those who use them, with this Carom for their engines.
const LINES: &[&str] = &[
    // fastchess: its README and its manual.
    "fastchess -engine cmd=Engine1 name=Engine1 -engine cmd=Engine2 name=Engine2 -openings file=book.epd format=epd order=random \
     -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4",
    "fastchess -engine cmd=Engine1 name=Engine1 -engine cmd=Engine2 name=Engine2 -each tc=10+0.1 -rounds 200 -repeat -concurrency 4 \
     -openings file=book.pgn format=pgn -pgnout file=out.pgn nodes=true seldepth=true",
    "fastchess -engine cmd=Engine1 name=Engine1 -engine cmd=Engine2 name=Engine2 -openings file=8moves_v3.pgn format=pgn order=random \
     -each tc=8+0.08 option.Hash=16 option.Threads=1 -rounds 15000 -repeat -concurrency 8 -recover -sprt elo0=0 elo1=5 alpha=0.05 \
     beta=0.05 model=bayesian",
    "fastchess -engine cmd=dev name=dev -engine cmd=base name=base -each proto=uci tc=8+0.08 -variant fischerandom -openings \
     file=frc.epd format=epd order=random -rounds 10 -repeat -pgnout file=frc.pgn",
    // OpenBench's worker, without its five words of its own.
    "fastchess -recover -variant standard -concurrency 2 -rounds 8 -games 2 -resign movecount=3 score=400 -draw movenumber=40 \
     movecount=8 score=10 -engine dir=Engines cmd=./Engine1 proto=uci tc=1.0+0.01 timemargin=250 option.Threads=1 option.Hash=8 name=dev \
     -engine dir=Engines cmd=./Engine2 proto=uci tc=1.0+0.01 timemargin=250 option.Threads=1 option.Hash=8 name=base -openings \
     file=8moves_v3 format=epd order=random start=1 -srand 42 -pgnout file=PGNs/1.pgn seldepth=true nodes=true",
    // cutechess-cli: its manual (Windows's path left out), chess-tuning-tools without -debug, weather-factory.
    "cutechess-cli -engine cmd=sloppy -engine cmd=sloppy -each proto=xboard tc=40/60 -rounds 10",
    "cutechess-cli -engine name=Atak cmd=Atak32 proto=xboard -engine cmd=glaurung proto=uci option.Threads=1 -each tc=40/1:30+1",
    "cutechess-cli -concurrency 1 -engine cmd=Engine1 name=engine1 proto=uci tc=3+0.03 -engine cmd=Engine2 name=engine2 proto=uci \
     tc=3+0.03 -openings file=openings.epd format=epd order=random plies=8 -draw movenumber=80 movecount=5 score=15 -resign movecount=5 \
     score=700 twosided=true -repeat -games 2 -rounds 5 -srand 5 -pgnout out.pgn",
    "cutechess-cli -engine cmd=Engine1 name=a proto=uci option.Hash=8 -engine cmd=Engine2 name=b proto=uci option.Hash=8 -resign \
     movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -repeat -recover -variant standard -each tc=1+0.01 -rounds 4 -games 2 \
     -concurrency 2 -openings file=book.epd format=epd order=random start=12 -ratinginterval 2",
];

#[test]
fn lines_of_fastchess_and_cutechess_are_taken_as_they_are() {
    let folder = folder();
    for words in LINES {
        let checked = line(folder.path(), &format!("{words} -check"));
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(checked.status.success(), "{words}: {said}");
        let told = String::from_utf8_lossy(&checked.stdout);
        assert!(told.starts_with("The settings hold: "), "{words}: {told}");
        assert_eq!(told.contains(" openings"), words.contains("-openings"), "{words}: {told}");
    }
}

/// The first words that a file's name stands behind, in `carom match` and beside it.
#[test]
fn a_key_where_a_file_stands_is_read_as_one_or_refused_and_never_a_name() {
    let folder = folder();
    let two =
        "x -engine cmd=carom name=A -engine cmd=carom name=B -each nodes=1 -rounds 1 -most-turns 2 -quiet";
    for word in ["journal", "epdout", "html", "log", "pgnout", "pgn"] {
        let played = line(folder.path(), &format!("{two} -{word} file={word}.out"));
        assert!(played.status.success(), "{word}: {}", String::from_utf8_lossy(&played.stderr));
        assert!(folder.path().join(format!("{word}.out")).exists(), "{word}");
    }
    let merge = |words: &[&str]| {
        let merge = ["merge", "journal.out"].iter().chain(words);
        Command::new(env!("CARGO_BIN_EXE_carom")).current_dir(folder.path()).args(merge).output().unwrap()
    };
    for word in ["journal", "epdout", "html", "pgnout"] {
        assert!(merge(&[&format!("-{word}"), &format!("file={word}.merged")]).status.success(), "{word}");
        assert!(folder.path().join(format!("{word}.merged")).exists(), "{word}");
        assert_eq!(merge(&[&format!("-{word}"), "append=x"]).status.code(), Some(2), "{word}");
    }
    let resumed = line(folder.path(), "x -resume file=journal.out -quiet");
    assert!(resumed.status.success());
    std::fs::write(folder.path().join("m.toml"), "rounds = 1").unwrap();
    assert!(line(folder.path(), "x -config file=m.toml -check").status.success());
    for words in [
        "-journal append=x",
        "-epdout append=true",
        "-epdout file=x append=true",
        "-html fil=x",
        "-log level=trace",
        "-log file=x level=trace",
        "-log file=",
        "-config outname=x",
        "-resume log=x",
        "-pgnout append=x",
        "-openings fil=x",
    ] {
        let refused = line(folder.path(), &format!("{two} {words}"));
        assert_eq!(refused.status.code(), Some(2), "{words}");
        assert!(!refused.stderr.is_empty(), "{words}");
    }
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.contains('='), "{name}");
    }
    // Whoever wants such a name can have it.
    assert!(line(folder.path(), &format!("{two} -epdout ./append=x")).status.success());
    assert!(folder.path().join("append=x").exists());
}

#[test]
fn the_format_of_openings_is_what_it_is_said_to_be() {
    let folder = folder();
    let check = |words: &str| line(folder.path(), &format!("x -check -openings {words}")).status.code();
    assert_eq!(check("file=games format=pgn"), Some(0));
    assert_eq!(check("file=games"), Some(2), "a game is no position");
    assert_eq!(check("file=book.pgn"), Some(0));
    assert_eq!(check("file=book.pgn format=epd"), Some(2));
    assert_eq!(check("file=book.epd format=epd"), Some(0));
    assert_eq!(check("file=book.epd format=fen"), Some(2));
}

/// What is checked is all that a match reads before its first game.
#[test]
fn a_check_reads_the_openings() {
    let folder = folder();
    std::fs::write(folder.path().join("illegal.epd"), "e2e4\ne2e5\n").unwrap();
    std::fs::write(folder.path().join("empty.epd"), "# nothing\n").unwrap();
    std::fs::write(folder.path().join("broken.pgn"), "[Event \"x\"]\n\n1. e4 Ke4 *\n").unwrap();
    std::fs::write(folder.path().join("long.epd"), "e2e4 ".repeat(1 << 18)).unwrap();
    for (words, fault) in [
        ("file=none.epd", "none.epd"),
        ("file=illegal.epd", "line 2"),
        ("file=empty.epd", "there is none in it"),
        ("file=broken.pgn", "game 1"),
        ("file=long.epd", "line 1 is longer than 1048576 bytes"),
        ("file=.", "openings ."),
    ] {
        let checked = line(folder.path(), &format!("x -check -openings {words}"));
        let said = String::from_utf8_lossy(&checked.stderr);
        assert_eq!(checked.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(fault), "{words}: {said}");
    }
    let checked = line(folder.path(), "x -check -position nonsense");
    assert_eq!(checked.status.code(), Some(2));
    #[cfg(unix)]
    for format in ["epd", "pgn"] {
        let checked = line(folder.path(), &format!("x -check -openings file=/dev/zero format={format}"));
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(said.contains("line 1 is longer than"), "{said}");
    }
}

/// chess-tuning-tools counts the lines `Finished game` and `Score of`, takes the difference of each score to the one before for the
/// game at the same place, and sorts them by the games' numbers.
#[test]
fn each_finished_game_is_followed_by_its_score() {
    let folder = folder();
    let words = "x -engine cmd=carom name=A option.Hash=1 -engine cmd=carom name=B option.Hash=1 -each depth=2 -rounds 11 \
                 -most-turns 60 -concurrency 3 -game alapo -ratinginterval 4 -journal j.jsonl -each nodes=60";
    let played = line(folder.path(), words);
    let told = String::from_utf8(played.stdout).unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let number = |text: &str| text.trim().parse::<u32>().unwrap();
    let mut before = [0; 3];
    let mut results = std::collections::BTreeMap::new();
    let finished = told.lines().filter_map(|line| line.strip_prefix("Finished game "));
    let scores = told.lines().filter_map(|line| line.strip_prefix("Score of A vs B: "));
    for (finished, score) in finished.zip(scores.clone()) {
        let (game, _) = finished.split_once(" (").unwrap();
        let counts: Vec<u32> = score.split_once("  [").unwrap().0.split(" - ").map(number).collect();
        let now = [counts[0], counts[1], counts[2]];
        let result: Vec<u32> = now.iter().zip(before).map(|(now, before)| now - before).collect();
        assert_eq!(result.iter().sum::<u32>(), 1, "{told}");
        let white = finished.contains(" (A vs B)");
        let expected = match finished.split_once("): ").unwrap().1.split_once(" {").unwrap().0 {
            "1/2-1/2" => [0, 0, 1],
            "1-0" if white => [1, 0, 0],
            "0-1" if !white => [1, 0, 0],
            _ => [0, 1, 0],
        };
        assert_eq!(result, expected, "{told}");
        results.insert(number(game), result);
        before = now;
    }
    assert_eq!(results.len(), 22, "{told}");
    // One more at the end, as always.
    assert_eq!(scores.count(), 23, "{told}");
    assert!(told.contains("Results of A vs B"), "{told}");
}

#[test]
fn comments_tell_nodes_and_depth_as_fastchess_writes_them() {
    let folder = folder();
    let words = "x -engine cmd=carom name=A -engine cmd=carom name=B proto=xboard -each nodes=200 -rounds 1 -games 1 -most-turns 6 \
                 -openings file=book.pgn format=pgn -pgnout file=out.pgn nodes=true seldepth=true -quiet -journal j.jsonl";
    let played = line(folder.path(), words);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let pgn = std::fs::read_to_string(folder.path().join("out.pgn")).unwrap().replace('\n', " ");
    let comments: Vec<&str> = pgn.split('{').skip(1).map(|rest| rest.split_once('}').unwrap().0).collect();
    assert_eq!(comments[..2], ["book", "book"], "{pgn}");
    let of_turns = &comments[2..comments.len() - 1];
    assert_eq!(of_turns.len(), 4, "{pgn}");
    let mut deepest = 0;
    for comment in of_turns {
        // `+0.15/10 0.100s, n=200, sd=12`
        let [opinion, nodes, depth] = comment.split(", ").collect::<Vec<_>>()[..] else {
            panic!("{comment}")
        };
        assert!(opinion.contains('/') && opinion.ends_with('s'), "{comment}");
        let nodes: u64 = nodes.strip_prefix("n=").unwrap().parse().unwrap();
        assert!((1..=1000).contains(&nodes), "{comment}");
        deepest = deepest.max(depth.strip_prefix("sd=").unwrap().parse::<u32>().unwrap());
    }
    assert!((2..60).contains(&deepest), "{pgn}");
    // Without the words there is neither.
    let resumed =
        line(folder.path(), "x -resume j.jsonl -pgnout file=plain.pgn nodes=false seldepth=false -quiet");
    assert!(resumed.status.success());
    let plain = std::fs::read_to_string(folder.path().join("plain.pgn")).unwrap();
    assert!(!plain.contains("n=") && !plain.contains("sd="), "{plain}");
}

#[test]
fn fischerandom_is_chess960_in_match_and_record() {
    let folder = folder();
    let words = "x -variant fischerandom -openings file=frc.epd format=epd -engine cmd=carom name=A -engine cmd=carom name=B proto=xboard -each \
                 nodes=100 -rounds 1 -most-turns 30 -pgnout file=frc.pgn -quiet";
    let played = line(folder.path(), words);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let path = folder.path().join("frc.pgn");
    let pgn = std::fs::read_to_string(&path).unwrap();
    assert_eq!(pgn.matches("[Variant \"Chess960\"]").count(), 2, "{pgn}");
    // It is read again, and so is what others write who have no tag for rules.
    for text in
        [pgn.clone(), pgn.replace("[Rule \"UCI_Chess960=true\"]\n", "").replace("Chess960", "fischerandom")]
    {
        std::fs::write(&path, text).unwrap();
        let replayed = Command::new(env!("CARGO_BIN_EXE_carom")).arg("replay").arg(&path).output().unwrap();
        assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stderr));
    }
}
