//! The words of a match: those of fastchess and cutechess-cli mean what they mean there, or are refused; what they print is read by
//! the programs that read it.
use std::path::Path;
use std::process::{Command, Output};

/// Runs a line of the shell in `folder`: `x` stands for `carom match`, other programs are imitated.
fn line(folder: &Path, words: &str) -> Output {
    let mut words = shlex(words);
    if words[0] == "x" {
        words[0] = "match".to_owned();
    }
    Command::new(env!("CARGO_BIN_EXE_carom")).current_dir(folder).args(&words).output().unwrap()
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

/// Lines of these programs' own pages, and of those who use them, with other names of engines and files.
const LINES: [&str; 30] = [
    // fastchess: its README, its manual, its own tests.
    "fastchess -engine cmd=Engine1 name=Engine1 -engine cmd=Engine2 name=Engine2 -each tc=10+0.1 -rounds 200 -repeat -concurrency 4",
    "fastchess -engine cmd=Engine1 name=Engine1 -engine cmd=Engine2 name=Engine2 -openings file=book.epd format=epd order=random \
     -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4",
    "fastchess -engine cmd=Engine1 name=Engine1 -engine cmd=Engine2 name=Engine2 -each tc=10+0.1 -rounds 200 -repeat -concurrency 4 \
     -openings file=book.pgn format=pgn -pgnout file=out.pgn nodes=true seldepth=true",
    "fastchess -engine cmd=random_mover name=random_move_1 -engine cmd=random_mover name=random_move_2 -each tc=2+0.02s -rounds 5 -repeat \
     -concurrency 1 -ratinginterval 2 -report penta=true -openings file=openings.epd format=epd order=random -log file=log.txt level=info",
    // Engines' scripts: tests against the last version, with and without bounds, a gauntlet.
    "fastchess -engine cmd=dev name=dev -engine cmd=base name=base -each tc=8+0.08 option.Hash=16 option.Threads=1 -rounds 30000 -repeat \
     -concurrency 6 -recover -ratinginterval 10 -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 -openings file=8moves_v3.pgn order=random",
    "fastchess -engine cmd=new name=new -engine cmd=old name=old -each proto=uci tc=5+0.05 -openings file=UHO_4060_v3.epd format=epd \
     order=random -games 2 -rounds 500 -concurrency 4 -pgnout file=games.pgn",
    "fastchess -engine cmd=Engine1 name=Engine1 -engine cmd=Engine2 name=Engine2 -openings file=8moves_v3.pgn format=pgn order=random \
     -each tc=8+0.08 option.Hash=16 option.Threads=1 -rounds 15000 -repeat -concurrency 8 -recover -sprt elo0=0 elo1=5 alpha=0.05 \
     beta=0.05 model=bayesian",
    "fastchess -quick cmd=Engine1 cmd=Engine2 book=book.pgn",
    "fastchess -engine proto=uci cmd=dev name=dev -engine proto=uci cmd=main name=main -each tc=inf/8+0.08 -openings \
     file=UHO_4060_v3.epd format=epd order=random -games 2 -rounds 2500 -repeat 2 -maxmoves 200 -sprt elo0=0 elo1=10 alpha=0.05 \
     beta=0.1 -concurrency 12 -ratinginterval 10",
    "fastchess -engine cmd=dev name=dev -engine cmd=base name=base -each tc=10+0.1 -rounds 100 -repeat -randomseed -concurrency 2 \
     -openings file=book.epd format=epd order=random -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05",
    "fastchess -engine cmd=a name=a -engine cmd=b name=b -each tc=1+0.01 restart=on -rounds 10 -repeat -recover -openings file=book.pgn \
     format=pgn order=random plies=16 -log file=match.log level=warn append=false realtime=false -pgnout file=m.pgn notation=lan append=false",
    "fastchess -engine name=one cmd=stockfish -engine name=other cmd=stockfish -rounds 4 -games 2 -repeat -concurrency 4 -openings \
     file=book.epd format=epd order=random -each proto=uci option.Threads=2 tc=4+0.04 -log file=fast.log level=trace engine=true",
    "fastchess -engine cmd=dev name=dev -engine cmd=base name=base -each proto=uci tc=8+0.08 timemargin=20 plies=7 -variant fischerandom \
     -openings file=frc.epd format=epd order=random plies=16 start=4 -rounds 10 -repeat -output format=cutechess -srand 1234 \
     -report penta=false -use-affinity -epdout file=frc_games.epd -pgnout file=frc.pgn nodes=true nps=true seldepth=true hashfull=true \
     tbhits=true min=true",
    "fastchess -engine cmd=Engine1 name=Engine1 -engine cmd=Engine2 name=Engine2 -each tc=10+0.1 option.Hash=64 -rounds 10 -repeat \
     -openings file=book.pgn format=pgn -draw movenumber=34 movecount=8 score=20 -resign movecount=3 score=600 -ratinginterval 20 \
     -scoreinterval 5 -autosaveinterval 50 -report penta=true -strict -show-latency -pgnout file=auto.pgn notation=san",
    // OpenBench's worker.
    "fastchess -recover -testEnv -variant standard -concurrency 2 -rounds 8 -games 2 -resign movecount=3 score=400 -draw movenumber=40 \
     movecount=8 score=10 -engine dir=Engines cmd=./Engine1 proto=uci tc=1.0+0.01 timemargin=250 option.Threads=1 option.Hash=8 name=dev \
     -engine dir=Engines cmd=./Engine2 proto=uci tc=1.0+0.01 timemargin=250 option.Threads=1 option.Hash=8 name=base -openings \
     file=8moves_v3 format=epd order=random start=1 -srand 42 -pgnout file=PGNs/1.pgn seldepth=true nodes=true match_line=\"^info string\"",
    // weather-factory with fastchess.
    "fastchess -engine cmd=tuner/e name=e1 proto=uci option.Hash=8 -engine cmd=tuner/e name=e2 proto=uci option.Hash=8 -resign \
     movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -repeat -recover -concurrency 4 -each tc=1+0.01 -openings file=book.epd \
     order=random format=epd -rounds 10 -pgnout file=games.pgn -output format=cutechess -config discard=true outname=wf.json",
    // cutechess-cli: its manual (Windows's path left out).
    "cutechess-cli -engine cmd=sloppy -engine cmd=sloppy -each proto=xboard tc=40/60 -rounds 10",
    "cutechess-cli -engine name=Atak cmd=Atak32 proto=xboard -engine cmd=glaurung proto=uci option.Threads=1 -each tc=40/1:30+1",
    "cutechess-cli -engine conf=Fruit -engine conf=Crafty tscale=2 -each tc=30+0.5 -tournament pyramid -games 4 -wait 100 -pgnout out.pgn min",
    // Engines' scripts.
    "cutechess-cli -engine name=new cmd=new dir=. proto=uci -engine name=old cmd=old dir=. proto=uci -each tc=40/60 timemargin=1000 -games 2 \
     -rounds 100 -repeat -tournament gauntlet -pgnout out.pgn -recover -event CUP",
    "cutechess-cli -engine name=dev cmd=dev -engine name=master cmd=target/release/e -games 2 -rounds 50000 -sprt elo0=0.0 elo1=3.0 \
     alpha=0.05 beta=0.05 -each proto=uci tc=40+0.4 -openings order=random file=UHO_4060_v3.epd format=epd -concurrency 32 -ratinginterval 30",
    "cutechess-cli -engine cmd=target/release/e name=e -engine cmd=other -each timemargin=400 proto=uci tc=8+0.08 option.Hash=16 -rounds 2500 \
     -concurrency 60 -openings file=openings.epd order=random format=epd -repeat -games 2 -pgnout stctests.pgn -event STC_TEST",
    "cutechess-cli -engine name=new cmd=target/release/e stderr=sprterr.txt -engine name=dev cmd=dev -games 2 -rounds 50000 -sprt elo0=-3.0 \
     elo1=0.0 alpha=0.05 beta=0.05 -each proto=uci tc=8+0.08 -openings order=random file=book.epd format=epd -concurrency 64 -ratinginterval 30",
    "cutechess-cli -engine cmd=target/release/e -engine cmd=target/release/e -each timemargin=400 proto=uci tc=100/8+0.08 -rounds 256000 \
     -concurrency 60 -openings file=book.pgn format=pgn -pgnout selfplay.pgn fi",
    "cutechess-cli -engine cmd=e name=e -engine cmd=other -each timemargin=400 proto=uci tc=8+0.08 option.Hash=16 -rounds 2500 -concurrency 60 \
     -openings file=frc.epd order=random format=epd -repeat -games 2 -pgnout stctests.pgn -event FRC_TEST -variant fischerandom",
    "cutechess-cli -debug -engine name=one cmd=one -engine name=other cmd=other/other -each proto=uci tc=0/298+2 restart=off -openings \
     file=book.pgn -repeat -pgnout games.pgn min -games 2 -rounds 1350",
    "cutechess-cli -engine cmd=one name=one -engine cmd=other name=other -each proto=uci tc=5+0.1 book=book.bin bookdepth=10 -debug -rounds 10",
    "cutechess-cli -engine conf=Fruit -engine conf=Crafty -each tc=inf/8+0.08 ponder option.Hash=32 option.Threads=1 -games 2 -rounds 200000 \
     -repeat -maxmoves 400 -srand 1692649580 -openings file=book.epd format=epd order=random policy=round -concurrency 8 -recover \
     -ratinginterval 10 -resultformat wide2 -outcomeinterval 0 -pgnout sprt.pgn -resign movecount=3 score=500 twosided=true",
    // chess-tuning-tools, weather-factory.
    "cutechess-cli -concurrency 1 -engine cmd=Engine1 name=engine1 proto=uci tc=3+0.03 -engine cmd=Engine2 name=engine2 proto=uci \
     tc=3+0.03 -openings file=openings.epd format=epd order=random plies=8 -draw movenumber=80 movecount=5 score=15 -resign movecount=5 \
     score=700 twosided=true -repeat -games 2 -rounds 5 -srand 5 -pgnout out.pgn -debug",
    "cutechess-cli -engine cmd=Engine1 name=a proto=uci option.Hash=8 -engine cmd=Engine2 name=b proto=uci option.Hash=8 -resign \
     movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -repeat -recover -variant standard -each tc=1+0.01 -rounds 4 -games 2 \
     -concurrency 2 -openings file=book.epd format=epd order=random start=12 -ratinginterval 2",
];

#[test]
fn lines_of_fastchess_and_cutechess_are_taken_as_they_are_or_told_what_to_say_instead() {
    let folder = folder();
    let engine = |name: &str| {
        format!(r#"{{"name": "{name}", "command": "{name}", "protocol": "uci", "workingDirectory": ""}}"#)
    };
    let list = format!("[{}, {}]", engine("Fruit"), engine("Crafty"));
    std::fs::write(folder.path().join("engines.json"), list).unwrap();
    for words in LINES {
        let checked = line(folder.path(), &format!("{words} -check"));
        let said = String::from_utf8_lossy(&checked.stderr);
        if words.contains("book=book.bin") {
            assert_eq!(checked.status.code(), Some(2), "{words}");
            assert!(said.contains("-openings file=BOOK.pgn"), "{said}");
            continue;
        }
        assert!(checked.status.success(), "{words}: {said}");
        let told = String::from_utf8_lossy(&checked.stdout);
        assert!(told.starts_with("The settings hold: "), "{words}: {told}");
        assert_eq!(
            told.contains(" openings"),
            words.contains("-openings") || words.contains("-quick"),
            "{words}: {told}"
        );
        // The number of games as that program counts them.
        let number = |word: &str| {
            let mut words = words.split_whitespace().skip_while(move |own| *own != word).skip(1);
            words.next().and_then(|number| number.parse::<u64>().ok())
        };
        let [rounds, games] = if words.starts_with("fastchess") { [2, 2] } else { [1, 1] };
        let games = number("-rounds").unwrap_or(rounds) * number("-games").unwrap_or(games);
        let games = if words.contains("-quick") { 50_000 } else { games };
        assert!(told.contains(&format!(" {games} games")), "{words}: {told}");
    }
}

/// The page is made from the table that the command line goes by.
#[test]
fn every_word_stands_in_the_page() {
    let page = include_str!("../../../protocol-docs/drop-in.md");
    let table = carom::arena::settings::words::page();
    if std::env::var_os("CAROM_WRITE_PAGES").is_some() {
        let (head, rest) = page.split_once("| word |").unwrap_or((page, ""));
        let tail = rest.split_once("\n\n").map_or("", |(_, tail)| tail);
        std::fs::write("protocol-docs/drop-in.md", format!("{head}{table}\n{tail}")).unwrap();
        return;
    }
    assert!(page.contains(&table), "CAROM_WRITE_PAGES=1 cargo test --test it every_word writes the table");
}

/// Each word alone: what the table says is what happens.
#[test]
fn each_word_is_taken_or_refused_as_the_table_says() {
    use carom::arena::settings::words::{Verdict, WORDS, WordValue};
    let folder = folder();
    let value = |group: &str, name: &str| match (group, name) {
        ("openings" | "quick", "file" | "book") => "book.epd",
        ("openings", "format") => "epd",
        ("openings", "order") => "random",
        ("openings", "policy") => "round",
        ("engine", "proto") => "uci",
        ("engine", "restart") => "on",
        ("engine", "tc") => "5+0.1",
        ("", "variant") => "standard",
        ("", "tournament") => "pyramid",
        ("sprt", "model") => "logistic",
        ("sprt", "alpha" | "beta") => "0.1",
        ("pgnout", "notation") => "lan",
        ("output", "format") => "cutechess",
        ("log", "level") => "trace",
        ("config", "file") => "m.toml",
        ("config", "discard") | ("", "use-affinity") => "true",
        (
            _,
            "file" | "outname" | "conf" | "name" | "cmd" | "dir" | "args" | "arg" | "initstr" | "stderr"
            | "event" | "site",
        ) => "x",
        ("pgnout", "match_line") => "^info",
        ("pgnout" | "report" | "crc32" | "epdout" | "log" | "config", _) | (_, "twosided") => "true",
        _ => "1",
    };
    std::fs::write(
        folder.path().join("engines.json"),
        r#"[{"name": "x", "command": "x", "protocol": "uci"}]"#,
    )
    .unwrap();
    std::fs::write(folder.path().join("m.toml"), "rounds = 1").unwrap();
    for word in WORDS.iter() {
        let own = match (word.group, word.name) {
            // What cannot stand alone.
            ("", "version" | "help" | "quick" | "engine" | "seeds") | ("quick", _) | ("engine", "cmd") => {
                continue;
            }
            ("", "sprt") | ("sprt", _) => "-sprt elo0=0 elo1=5",
            ("openings", _) => "-openings file=book.epd",
            ("pgnout", _) => "-pgnout file=out.pgn",
            ("engine", "st") => "-each",
            ("engine", _) => "-each",
            _ => "",
        };
        let value = value(word.group, word.name);
        let said = match (word.group, word.value) {
            ("", WordValue::Keys) if matches!(word.name, "draw" | "resign") => format!("-{}", word.name),
            ("", WordValue::Keys) => own.to_owned(),
            ("", WordValue::Nothing) => format!("-{}", word.name),
            ("", _) => format!("{own} -{} {value}", word.name),
            ("sprt", _) => {
                format!("-sprt elo0=0 elo1=5 {}={}", word.name, if word.name == "elo1" { "5" } else { value })
            }
            (_, _) if own.is_empty() => format!("-{} {}={value}", word.group, word.name),
            (_, WordValue::Nothing) => format!("{own} {}", word.name),
            (_, _) => format!("{own} {}={value}", word.name.replace("NAME", "Hash")),
        };
        let checked = line(folder.path(), &format!("x -check -engine cmd=a -engine cmd=b {said}"));
        let told = String::from_utf8_lossy(&checked.stderr).into_owned();
        if word.verdict == Verdict::Refused {
            assert_eq!(checked.status.code(), Some(2), "{said}");
            assert!(told.contains(word.note), "{said}: {told}");
        } else {
            assert!(checked.status.success(), "{said}: {told}");
        }
    }
    let version = line(folder.path(), "fastchess --version");
    assert!(String::from_utf8_lossy(&version.stdout).starts_with("fastchess 1.8.2 "));
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
        "-html fil=x",
        "-log level=much",
        "-log file=x filex=y",
        "-log file=",
        "-config outnam=x",
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

/// Both games of a journal end by the rules of Breakthrough, whatever its name was.
fn two_games_of_breakthrough(journal: &Path) {
    let games = super::records::games(journal);
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game.termination, carom::pgn::Termination::Normal, "{}", game.reason);
        // The same turns end the same way by our own rules.
        let (facts, rules) = carom::variants::find_with_rules("breakthrough").unwrap();
        let mut session = carom::arena::referee(facts, &rules);
        session.set_up(None, &mut game.turns.iter().map(|turn| turn.0.as_str())).unwrap();
        let winner = session.outcome().unwrap().winner.unwrap();
        assert_eq!(
            (winner == carom::base::Color::White, winner == carom::base::Color::Black),
            (game.result == "1-0", game.result == "0-1")
        );
    }
}

/// Two engines know a game that the match does not know by this name, and say how it ends, each in its protocol.
#[test]
fn engines_are_the_referees_of_a_game_that_nobody_else_knows() {
    let folder = folder();
    let words = |one: &str, other: &str| {
        let engine = |name: &str, protocol: &str| {
            format!("-engine cmd=carom name={name} proto={protocol} variant=breakthrough")
        };
        format!(
            "x -game unheard -referee engines {} {} -each nodes=30 -rounds 1 -seed 1 -journal {one}-{other}.jsonl",
            engine("A", one),
            engine("B", other)
        )
    };
    for (one, other) in [("ugi", "ugi"), ("cecp", "cecp"), ("cecp", "ugi"), ("uci", "cecp"), ("ugi", "uci")] {
        let played = line(folder.path(), &words(one, other));
        assert!(played.status.success(), "{one}, {other}: {}", String::from_utf8_lossy(&played.stderr));
        two_games_of_breakthrough(&folder.path().join(format!("{one}-{other}.jsonl")));
    }
    let refused = line(folder.path(), &words("uci", "uci"));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("A and B speak UCI"), "{said}");
}

/// Carom is the referee of a game that the match does not know by this name, for engines that do.
#[test]
fn another_program_is_the_referee_of_a_game_that_is_not_ours() {
    let folder = folder();
    let two = "x -game unheard -engine cmd=carom name=A variant=breakthrough -engine cmd=carom name=B variant=breakthrough";
    let carom = env!("CARGO_BIN_EXE_carom");
    let referee = format!("-referee cmd={carom} variant=breakthrough");
    let words = format!("{two} {referee} -each nodes=30 -rounds 1 -journal j.jsonl -pgnout o.pgn -seed 1");
    let played = line(folder.path(), &words);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    two_games_of_breakthrough(&folder.path().join("j.jsonl"));
    let pgn = std::fs::read_to_string(folder.path().join("o.pgn")).unwrap();
    assert!(pgn.contains("[Variant \"unheard\"]") && !pgn.contains("[FEN"), "{pgn}");
    for (words, fault) in [
        (format!("{two} -rounds 1"), "with -referee"),
        (format!("{two} {referee}x -rounds 1 -each nodes=1"), "it does not know the game breakthroughx"),
        (format!("{two} -referee variant=x"), "there is no cmd="),
        (format!("x -game chess {referee}"), "Carom knows the rules of chess itself"),
    ] {
        let refused = line(folder.path(), &words);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && said.contains(fault), "{words}: {said}");
    }
}
