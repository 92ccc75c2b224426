//! Every example block of the pages is run: the README, the changelog and all of `protocol-docs`. What a block is, its tag
//! says; a block without a tag, or with one that nobody knows, fails.
//!
//! | tag | what is done with it |
//! |---|---|
//! | `transcript` | played against the binary, see `tests/transcript` |
//! | `console` | the lines behind `$ ` are run by a shell that finds `carom`, and must end well; the lines below them must come out in their order, `…` for any text |
//! | `sh` | commands that are not run (they build, or open windows): Carom's arguments are checked (a match's by `-check`, with the page's own TOML file), XBoard's must be those that `tests/xboard` runs it with |
//! | `toml`, `yaml` | a match's settings, or a job that runs one: `carom match -check` must take them |
//! | `board GAME [RULE]: POSITION [moves TOKENS] [; TURNS]` | a drawing of this position. `x` marks the free squares somebody may go to. The turns are legal, those behind a `!` are not |
//! | `position GAME` | the first line is a canonical position of the game, the others explain it |
//! | others | are checked elsewhere, see [`ELSEWHERE`] |

use carom::game::Rules;
use carom::notation::{Cell, parse_position};
use carom::session::{self, Session, chance::Chance};
use carom::variants;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Page, tag, number of blocks, and the test that checks them all.
const ELSEWHERE: [(&str, &str, usize, &str); 10] = [
    ("protocol-docs/architecture.md", "text", 1, "tests/it/documents/layers.rs"),
    ("protocol-docs/notation.md", "abnf", 2, "tests/it/documents/grammar.rs"),
    ("protocol-docs/rules/alapo.md", "moves", 3, "src/variants/alapo/tests/rules.rs"),
    ("protocol-docs/rules/hanniball.md", "moves", 4, "src/variants/hanniball/tests/document.rs"),
    ("protocol-docs/rules/hanniball.md", "ricochet", 1, "src/variants/hanniball/tests/document.rs"),
    ("protocol-docs/rules/hanniball.md", "shots", 3, "src/variants/hanniball/tests/document.rs"),
    ("protocol-docs/rules/jai-alai.md", "moves", 11, "src/variants/jai_alai/tests/page.rs"),
    ("protocol-docs/rules/rollerball.md", "directions", 1, "src/variants/rollerball/tests/mod.rs"),
    ("protocol-docs/rules/rollerball.md", "lines", 4, "src/variants/rollerball/tests/mod.rs"),
    ("protocol-docs/web.md", "web", 8, "tests/it/programs/serve.rs"),
];

/// How the archives of this version are called.
const DOWNLOAD: &str = concat!("carom-", env!("CARGO_PKG_VERSION"), "-");

/// How its Debian package is called.
const PACKAGE: &str = concat!("./carom_", env!("CARGO_PKG_VERSION"), "-1_amd64.deb");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All pages, by their path from the root.
fn pages() -> Vec<String> {
    let mut folders = vec![root().join("protocol-docs")];
    let mut pages: Vec<PathBuf> = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() { folders.push(path) } else { pages.push(path) }
        }
    }
    let name = |path: PathBuf| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
    let mut pages: Vec<_> = pages.into_iter().map(name).filter(|name| name.ends_with(".md")).collect();
    pages.sort();
    pages
}

/// A fenced block.
#[derive(Debug, PartialEq)]
struct Block {
    page: String,
    /// Of the first line within.
    line: usize,
    tag: String,
    /// What stands behind the tag.
    about: String,
    text: String,
}

impl Block {
    fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }
}

/// The blocks of a page.
///
/// # Panics
/// When one is not closed, or when there are blocks of the other sort, indented by four.
fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open = None::<Block>;
    let mut before = "";
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (Some(_), Some(end)) => {
                assert_eq!(end, "", "{page}:{}", number + 1);
                found.extend(open.take());
            }
            (Some(block), None) => block.text += &format!("{line}\n"),
            (None, Some(tag)) => {
                let (tag, about) = tag.split_once(' ').unwrap_or((tag, ""));
                let [page, tag, about, text] = [page, tag, about, ""].map(str::to_owned);
                open = Some(Block { page, line: number + 2, tag, about, text });
            }
            (None, None) => {
                let hidden = line.starts_with("    ") && before.is_empty();
                assert!(!hidden, "{page}:{}: a block without a fence", number + 1);
            }
        }
        before = line;
    }
    assert_eq!(open, None);
    found
}

fn all_blocks() -> Vec<Block> {
    let read = |page: &String| std::fs::read_to_string(root().join(page)).unwrap();
    pages().iter().flat_map(|page| blocks(page, &read(page))).collect()
}

/// Does `run` with the blocks of one tag, of which there are so many at least.
fn each(tag: &str, least: usize, run: impl Fn(&Block)) {
    let blocks: Vec<_> = all_blocks().into_iter().filter(|block| block.tag == tag).collect();
    assert!(blocks.len() >= least, "{} blocks of {tag}", blocks.len());
    blocks.iter().for_each(run);
}

#[test]
fn every_block_is_checked_by_somebody() {
    let mut elsewhere = BTreeMap::new();
    for block in all_blocks() {
        match block.tag.as_str() {
            "transcript" | "console" | "sh" | "board" | "position" | "toml" | "yaml" => {}
            "" => panic!("{}: a block without a tag", block.place()),
            _ => *elsewhere.entry((block.page, block.tag)).or_insert(0) += 1,
        }
    }
    let expected = ELSEWHERE.map(|(page, tag, number, test)| {
        let (_, name) = page.rsplit_once('/').unwrap();
        assert!(std::fs::read_to_string(root().join(test)).unwrap().contains(name), "{test} reads {page}");
        ((page.to_owned(), tag.to_owned()), number)
    });
    assert_eq!(elsewhere, BTreeMap::from(expected));
}

#[test]
fn transcripts() {
    each("transcript", 3, |block| crate::common::transcript::play(&block.page, block.line, &block.text));
}

/// Runs a line in a shell that finds `carom` first.
fn shell(line: &str) -> (bool, Vec<String>) {
    let carom = Path::new(env!("CARGO_BIN_EXE_carom")).parent().unwrap();
    let path = format!("{}:{}", carom.display(), std::env::var("PATH").unwrap());
    let output =
        Command::new("sh").args(["-c", line]).env("PATH", path).current_dir(root()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.success(), text.lines().map(str::to_owned).collect())
}

#[test]
fn consoles() {
    each("console", 3, |block| {
        let mut heard = Vec::new().into_iter();
        for (number, line) in block.text.lines().enumerate() {
            let place = format!("{}:{}", block.page, block.line + number);
            match line.strip_prefix("$ ") {
                Some(command) => {
                    let (ended_well, output) = shell(command);
                    assert!(ended_well, "{place}: {command}");
                    heard = output.into_iter();
                }
                None => {
                    assert!(
                        heard.any(|heard| crate::common::transcript::fits(line, &heard)),
                        "{place}: nobody says {line}"
                    )
                }
            }
        }
    });
}

#[test]
fn commands_that_are_not_run() {
    let scripts: String = std::fs::read_dir(root().join("tests/xboard"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "py"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    each("sh", 3, |block| {
        let joined = block.text.replace("\\\n", " ");
        for line in joined.lines() {
            // A remark would hide what is added behind it.
            let line = line.split_once(" #").map_or(line, |(line, _)| line);
            if let Some((_, arguments)) = line.split_once("carom match ") {
                settings_hold(block, arguments);
                continue;
            }
            let words: Vec<_> = line.split_whitespace().collect();
            match words[..] {
                ["#!/bin/sh"] | ["#SBATCH", ..] => {}
                // `tests/deb` installs it.
                ["sudo", "apt", "install", package] if package.ends_with(".deb") => {
                    assert_eq!(package, PACKAGE)
                }
                ["sudo", "apt", "install", "xboard"]
                | ["cargo", "test"]
                | ["cargo", "install", "--path", "."] => {}
                // Their names are those of `.ci/release`, and `tests/release` does what is done here.
                ["tar", "-xf", archive] => {
                    assert!(archive.starts_with(DOWNLOAD) && archive.ends_with(".tar.gz"))
                }
                ["cd", folder] => assert!(folder.starts_with(DOWNLOAD)),
                ["./carom", ..] => {
                    assert!(shell(&format!("{} --help", &line[2..])).0, "{}: {line}", block.place());
                }
                ["cargo", "run", "--release", "--", ..] => {
                    let (_, arguments) = line.split_once(" -- ").unwrap();
                    // The whole line is read before help is given.
                    assert!(shell(&format!("carom {arguments} --help")).0, "{}: {line}", block.place());
                }
                ["carom", "comply" | "bridge" | "listen", ..] => {
                    // What stands behind the dashes is another program's.
                    let (arguments, _) = line.split_once(" -- ").unwrap_or((line, ""));
                    assert!(shell(&format!("{arguments} --help")).0, "{}: {line}", block.place());
                }
                ["carom", ..] => assert!(shell(&format!("{line} --help")).0, "{}: {line}", block.place()),
                ["xboard", "-fcp", "carom", ref options @ ..] => {
                    for option in options.iter().filter(|word| word.starts_with('-')) {
                        let written = [format!("\"{option}\""), format!("\n{option} ")];
                        assert!(written.iter().any(|it| scripts.contains(it)), "{}: {option}", block.place());
                    }
                }
                _ => panic!("{}: what is `{line}`?", block.place()),
            }
        }
    });
}

#[test]
fn every_file_has_the_number_of_this_version() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    let number = env!("CARGO_PKG_VERSION");
    assert!(read("CITATION.cff").lines().any(|line| line == format!("version: {number}")));
    assert!(read("fuzz/Cargo.lock").contains(&format!("name = \"carom\"\nversion = \"{number}\"\n")));
    let readme = read("README.md");
    let is_archive = |word: &&str| word.starts_with("carom-") && word.contains("x86_64");
    let archives: Vec<&str> = readme.split(['`', ' ', '\n']).filter(is_archive).collect();
    assert!(archives.len() >= 3 && archives.iter().all(|name| name.starts_with(DOWNLOAD)), "{archives:?}");
    let packages = readme.split(['`', ' ', '\n']).filter(|word| word.ends_with(".deb"));
    assert!(packages.map(|name| PACKAGE.ends_with(name)).eq([true; 3]), "three times the Debian package");
    // cargo-binstall takes the same archives, each with one folder of its name.
    let manifest = read("Cargo.toml").replace("{ version }", number);
    let values = |key: &str| -> Vec<String> {
        let lines = manifest.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        lines.map(|value| value.trim_matches('"').to_owned()).collect()
    };
    let (places, folders) = (values("pkg-url"), values("bin-dir"));
    assert!(places.len() == 3 && folders.len() == 3);
    for (place, folder) in places.iter().zip(&folders) {
        let archive = place.strip_prefix(&format!("{{ repo }}/releases/download/v{number}/")).unwrap();
        let folder = folder.strip_suffix("/{ bin }{ binary-ext }").unwrap();
        assert!(archives.contains(&archive) && archive.strip_prefix(folder).is_some_and(|end| end.len() > 3));
    }
}

#[test]
fn settings_of_matches() {
    each("toml", 1, |block| settings_hold(block, "-config match.toml"));
    each("yaml", 1, |block| {
        let text = block.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, arguments) = text.split_once("carom match ").unwrap();
        settings_hold(block, arguments.split_once(" volumeMounts").unwrap().0);
    });
}

/// A match's arguments as a shell hands them over are taken, with the TOML file of the same page for `match.toml`.
fn settings_hold(block: &Block, arguments: &str) {
    let folder = std::env::temp_dir().join(format!("carom-page-{}-{}", std::process::id(), block.line));
    std::fs::create_dir_all(&folder).unwrap();
    if let Some(toml) = all_blocks().into_iter().find(|it| it.page == block.page && it.tag == "toml") {
        std::fs::write(folder.join("match.toml"), toml.text).unwrap();
    }
    let file = folder.join("match.toml");
    let (arguments, _) = arguments.split_once(" ::: ").unwrap_or((arguments, ""));
    let arguments = arguments
        .replace("/match/match.toml", "match.toml")
        .replace("match.toml", file.to_str().unwrap())
        .replace("{}", "1");
    let line = format!("JOB_COMPLETION_INDEX=3; SLURM_ARRAY_TASK_ID=2; carom match {arguments} -check");
    let (held, said) = shell(&line);
    assert!(held && said[0].starts_with("The settings hold: "), "{}: {line}: {said:?}", block.place());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A session of a game with rule switches, as `alapo` or `hanniball red-card`.
fn session(game: &str) -> Box<dyn Session> {
    let (name, switches) = game.split_once(' ').unwrap_or((game, ""));
    let facts = variants::find(name).unwrap();
    let mut rules = Rules::of(facts);
    switches.split_whitespace().for_each(|switch| rules.set(facts, switch, "").unwrap());
    session::open(facts, rules, Chance::Referee)
}

/// The characters of a drawing by square. Rows begin with the rank; the files stand under or over the letters of the last
/// line, what stands beyond them is a remark.
fn drawn(text: &str) -> BTreeMap<(u8, usize), char> {
    let files = text.lines().last().unwrap();
    let columns: Vec<usize> =
        files.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(at, _)| at).collect();
    assert!(columns.len() >= 7 && files.trim().starts_with("a b c"), "{files}");
    let mut cells = BTreeMap::new();
    for row in text.lines().filter(|row| *row != files) {
        let rank = row[..columns[0]].trim_matches([' ', '|']).parse().unwrap();
        let row: Vec<char> = row.chars().collect();
        for (file, &column) in columns.iter().enumerate() {
            cells.insert((rank, file), row.get(column).copied().unwrap_or(' '));
        }
    }
    cells
}

fn check_board(block: &Block) {
    let place = block.place();
    let (game, about) = block.about.split_once(": ").unwrap();
    let (about, turns) = about.split_once("; ").unwrap_or((about, ""));
    let (position, moves) = about.split_once(" moves ").unwrap_or((about, ""));
    let mut session = session(game);
    let start = (position != "startpos").then_some(position);
    session.set_up(start, &mut moves.split_whitespace()).unwrap();
    let (board, first_rank) = (session.position().placement, session.facts().first_rank);
    let free: BTreeSet<String> = session
        .continuations()
        .iter()
        .filter_map(|text| text.rsplit_once('@').map(|(_, square)| square.to_owned()))
        .collect();
    let (mut marked, mut reached) = (0, 0);
    for ((rank, file), cell) in drawn(&block.text) {
        let square = format!("{}{rank}", char::from(b'a' + file as u8));
        match board.at(file as u8, rank - first_rank) {
            Cell::Hole => assert_eq!(cell, ' ', "{place}: {square}"),
            Cell::Piece { letter, .. } => assert_eq!(cell, char::from(letter), "{place}: {square}"),
            Cell::Empty => {
                assert!(matches!(cell, '.' | 'x'), "{place}: {square}: {cell}");
                marked += usize::from(cell == 'x');
                reached += usize::from(free.contains(&square));
                assert!(cell != 'x' || free.contains(&square), "{place}: {square}");
            }
        }
    }
    assert!(marked == 0 || marked == reached, "{place}: {marked} marks, {reached} free squares");
    let played = session.tokens_played();
    for turn in turns.split_whitespace() {
        let (turn, legal) = turn.strip_prefix('!').map_or((turn, true), |turn| (turn, false));
        let answer = session.play(turn);
        assert_eq!(answer.is_ok(), legal, "{place}: {turn}: {answer:?}");
        session.rewind(played);
    }
}

#[test]
fn boards() {
    each("board", 7, check_board);
}

#[test]
fn positions() {
    each("position", 2, |block| {
        let mut session = session(&block.about);
        let text = block.text.lines().next().unwrap();
        session.set_up(Some(text), &mut std::iter::empty()).unwrap();
        assert_eq!(session.position().to_string(), text, "{}", block.place());
        assert_eq!(parse_position(text).unwrap().to_string(), text);
    });
}

#[test]
fn the_checks_see_faults() {
    let block = |about: &str, text: &str| Block {
        page: "x.md".into(),
        line: 1,
        tag: "board".into(),
        about: about.into(),
        text: text.into(),
    };
    let fails = |block: Block| std::panic::catch_unwind(move || check_board(&block)).is_err();
    let files = "   a b c d e f g h\n";
    let king = "chess: 8/8/8/8/8/7k/8/4K3 w - - 0 1";
    assert!(!fails(block(king, &format!("1  . . . . K . . .\n{files}"))));
    assert!(fails(block(king, &format!("1  . . . K . . . .\n{files}"))));
    assert!(fails(block(king, &format!("1  . . . . K . . x\n{files}"))));
    assert!(!fails(block(&format!("{king}; e1d1 !e1c1"), &format!("1  . . . . K . . .\n{files}"))));
    assert!(fails(block(&format!("{king}; e1c1"), &format!("1  . . . . K . . .\n{files}"))));
    assert!(fails(block(&format!("{king}; !e1d1"), &format!("1  . . . . K . . .\n{files}"))));
    assert_eq!(
        blocks("x.md", "a\n```t u v\nb\n```\n")[0],
        Block { line: 3, tag: "t".into(), ..block("u v", "b\n") }
    );
    assert!(std::panic::catch_unwind(|| blocks("x.md", "a\n\n    b\n")).is_err());
    assert!(std::panic::catch_unwind(|| blocks("x.md", "```sh\nb\n")).is_err());
    assert!(!shell("carom nonsense").0 && shell("carom games").1.len() >= 12);
}
