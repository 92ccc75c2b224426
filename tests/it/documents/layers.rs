//! Keeps the arrows between the rooms: each may use only what stands to its right in the floor plan.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A room, and what its files name with `crate::`: no more may be used, and nothing is listed that is not.
const ARROWS: [(&str, &[&str]); 23] = [
    ("base", &[]),
    ("notation", &["base"]),
    ("connection", &["base"]),
    ("statistics", &["base"]),
    ("protocol", &["base"]),
    ("game", &["notation", "base"]),
    ("variants", &["game", "notation", "base"]),
    ("search", &["game", "base"]),
    ("training", &["search", "game", "base"]),
    ("session", &["variants", "game", "notation", "base"]),
    ("draw", &["variants", "game", "notation", "base"]),
    ("pgn", &["variants", "game", "notation", "base"]),
    ("engine", &["session", "search", "protocol", "variants", "game", "notation", "base"]),
    ("uci", &["engine", "draw", "search", "protocol", "game", "base"]),
    ("xboard", &["engine", "session", "search", "protocol", "variants", "game", "notation", "base"]),
    (
        "client",
        &["engine", "session", "search", "connection", "protocol", "variants", "game", "notation", "base"],
    ),
    (
        "arena",
        &["client", "pgn", "statistics", "session", "connection", "variants", "game", "notation", "base"],
    ),
    ("live_game", &["pgn", "session", "search", "variants", "game", "notation", "base"]),
    (
        "serve",
        &[
            "live_game",
            "arena",
            "engine",
            "pgn",
            "statistics",
            "draw",
            "session",
            "search",
            "variants",
            "game",
            "notation",
            "base",
        ],
    ),
    ("desktop", &["draw", "variants", "game", "base"]),
    ("comply", &["session", "connection", "protocol", "variants", "game", "notation", "base"]),
    ("bridge", &["client", "uci", "xboard", "engine", "connection", "base"]),
    (
        "cli",
        &[
            "desktop",
            "serve",
            "live_game",
            "bridge",
            "client",
            "comply",
            "arena",
            "uci",
            "xboard",
            "training",
            "engine",
            "pgn",
            "statistics",
            "draw",
            "session",
            "search",
            "connection",
            "protocol",
            "variants",
            "game",
            "notation",
            "base",
        ],
    ),
];

pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found
}

/// The rooms named after `crate::` in code (not in comments), with the line.
fn named(text: &str) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap();
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            let words = |text: &str| {
                text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().to_owned()
            };
            let rooms = match rest.strip_prefix('{') {
                Some(group) => group.split('}').next().unwrap().split(',').map(|w| words(w.trim())).collect(),
                None => vec![words(rest)],
            };
            found.push((number + 1, rooms));
        }
    }
    found
}

#[test]
fn arrows_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = BTreeSet::new();
    let mut taken = BTreeSet::new();
    let mut faults = Vec::new();
    for path in sources(&src) {
        let relative = path.strip_prefix(&src).unwrap().to_owned();
        let mut parts = relative.iter().map(|part| part.to_str().unwrap());
        let room = parts.next().unwrap().trim_end_matches(".rs").to_owned();
        if room == "main" || room == "lib" {
            continue;
        }
        let inner = parts.next().unwrap_or_default().trim_end_matches(".rs").to_owned();
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else {
            panic!("{} stands in a room nobody planned", relative.display());
        };
        seen.insert(room.clone());
        let text = std::fs::read_to_string(&path).unwrap();
        for (line, rooms) in named(&text) {
            for used in rooms {
                taken.insert((room.clone(), used.clone()));
                if used != room && !allowed.contains(&used.as_str()) {
                    faults.push(format!("{}:{line}: {room} uses {used}", relative.display()));
                }
            }
        }
        // One game never uses another; only the registry knows them all. What games on a chess board share is nobody's.
        if room == "variants" && inner != "mod" {
            for (line, code) in text.lines().enumerate() {
                let code = code.split("//").next().unwrap();
                if let Some((_, used)) = code.split_once("variants::")
                    && ![&*inner, "chessboard"].iter().any(|room| used.starts_with(room))
                {
                    faults.push(format!("{}:{}: one game uses another", relative.display(), line + 1));
                }
            }
        }
    }
    for (room, allowed) in ARROWS {
        for used in allowed {
            if !taken.contains(&(room.to_owned(), (*used).to_owned())) {
                faults.push(format!("{room} does not use {used}: take the arrow out of the plan"));
            }
        }
    }
    assert!(faults.is_empty(), "wrong arrows:\n{}", faults.join("\n"));
    let planned: BTreeSet<String> = ARROWS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(seen, planned, "a room is empty or missing");
}

#[test]
fn only_the_controller_and_the_command_line_write_to_standard_output() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&src) {
        let relative = path.strip_prefix(&src).unwrap().display().to_string();
        if path.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap();
            let writes = ["println!(", " print!(", "stdout()"]
                .iter()
                .any(|word| code.contains(word) && !code.contains("eprintln"));
            assert!(
                !writes || relative.starts_with("cli"),
                "{relative}:{}: writes to standard output",
                number + 1
            );
        }
    }
}

/// Files outside the games that may name capital letters: those of the grammar, the text of a deal, and the colours of XBoard's marks.
const LETTERS: [&str; 4] = ["notation/", "game/deal.rs", "protocol/xboard/plain_move.rs", "xboard/mouse.rs"];
/// Files that may look at more of a position than whose turn it is: those that read and write positions of every game.
const FIELDS: [&str; 3] = ["notation/", "game/setup.rs", "game/gui.rs"];

/// True where code matches the letter of a piece: `'O'`, `b'O'`, `"O@"`, or cards in a position: `" W="`.
fn names_a_letter(code: &str) -> bool {
    let literal =
        code.as_bytes().windows(3).any(|w| w[0] == b'\'' && w[1].is_ascii_uppercase() && w[2] == b'\'');
    let text = code.split('"').skip(1).step_by(2).any(|text| {
        let drop = matches!(text.as_bytes(), [letter, b'@'] if letter.is_ascii_uppercase());
        drop || ["W=", "B=", "S=", "D="].iter().any(|field| text.trim_start().starts_with(field))
    });
    literal || text
}

/// True where code looks at a field of a position other than the first.
fn looks_at_fields(code: &str) -> bool {
    code.match_indices(".fields").any(|(at, name)| {
        let rest = &code[at + name.len()..];
        !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') && !rest.starts_with(".first")
    })
}

#[test]
fn no_letter_of_a_piece_and_no_field_of_a_position_is_matched_outside_the_games() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&src) {
        let relative = path.strip_prefix(&src).unwrap().display().to_string();
        let test = relative.contains("tests/") || relative.ends_with("tests.rs");
        if test || relative.starts_with("variants/") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let allowed = |files: &[&str]| files.iter().any(|file| relative.starts_with(file));
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap();
            let at = format!("{relative}:{}: {line}", number + 1);
            assert!(!names_a_letter(code) || allowed(&LETTERS), "the letter of a piece: {at}");
            assert!(!looks_at_fields(code) || allowed(&FIELDS), "a field of a position: {at}");
        }
    }
    for code in ["b'O' =>", "letter == 'X'", "strip_prefix(\"D@\")", "find(\" W=\")"] {
        assert!(names_a_letter(code), "{code}");
    }
    assert!(looks_at_fields("position.fields[5]") && !looks_at_fields("position.fields.first()"));
}

#[test]
fn live_games_look_at_no_clock() {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/live_game");
    for path in sources(&room) {
        let text = std::fs::read_to_string(&path).unwrap();
        for clock in ["Instant", "SystemTime"] {
            assert!(!text.contains(clock), "{}: {clock}, which a browser does not have", path.display());
        }
    }
}

#[test]
fn the_check_itself_sees_forbidden_names() {
    assert_eq!(named("use crate::search::Table; // crate::cli"), [(1, vec!["search".to_owned()])]);
    let group = named("use crate::{base, variants::chess};");
    assert_eq!(group, [(1, vec!["base".to_owned(), "variants".to_owned()])]);
}

/// `protocol-docs/architecture.md` tells of every room, draws no arrow that is forbidden, and names files that are there.
#[test]
fn the_floor_plan_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("protocol-docs/architecture.md")).unwrap();
    for (room, _) in ARROWS {
        let row = page.lines().any(|line| {
            line.starts_with('|')
                && line.split('|').nth(1).is_some_and(|cell| cell.contains(&format!("`{room}`")))
        });
        assert!(row, "the table of rooms lacks {room}");
    }
    let picture = page.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let mut arrows = 0;
    for part in picture.split(['\n']).flat_map(|line| line.split("     ")).filter(|part| part.contains('→'))
    {
        let mut rooms = part.split('→').map(|names| {
            let names = names.trim().trim_matches(['{', '}']).split(',');
            names.map(|name| name.trim().trim_end_matches("::X").to_owned()).collect::<Vec<_>>()
        });
        let mut from = rooms.next().unwrap();
        for to in rooms {
            for one in from.iter().filter(|room| *room != "main") {
                let (_, allowed) =
                    ARROWS.iter().find(|(name, _)| name == one).unwrap_or_else(|| panic!("{one}"));
                for other in to.iter().filter(|other| ARROWS.iter().any(|(name, _)| name == other)) {
                    assert!(allowed.contains(&other.as_str()), "{one} → {other}");
                    arrows += 1;
                }
            }
            from = to;
        }
    }
    assert!(arrows > 25, "{arrows}");
    let files = page.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs") && name.contains('/'));
    let missing: Vec<_> =
        files.filter(|name| !root.join("src").join(name).exists() && !root.join(name).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The functions that a trait declares, in the text of its file.
fn functions(text: &str, name: &str) -> usize {
    let begin = text.find(&format!("pub trait {name}")).unwrap();
    let body = text[begin..].split("\n}").next().unwrap();
    body.lines().filter(|line| line.starts_with("    fn ")).count()
}

/// What `protocol-docs/architecture.md` counts has been counted: the files of each way, and the functions of a session.
#[test]
fn the_floor_plan_counts_truly() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("protocol-docs/architecture.md")).unwrap();
    let section = page.split("## How long the ways are").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows: Vec<_> = section.lines().filter(|line| line.starts_with("| a ")).collect();
    assert_eq!(rows.len(), 6, "{rows:?}");
    for row in rows {
        let mut cells = row.split('|').skip(2);
        let number = cells.next().unwrap().trim().split([',', ' ']).next().unwrap();
        let files: Vec<_> = cells.next().unwrap().split('`').skip(1).step_by(2).collect();
        let once: BTreeSet<_> = files.iter().collect();
        assert_eq!(number.parse(), Ok(files.len()), "{row}");
        assert_eq!(once.len(), files.len(), "{row}");
        assert!(files.iter().all(|file| root.join("src").join(file).exists()), "{row}");
    }
    let read = |file: &str| std::fs::read_to_string(root.join("src/session").join(file)).unwrap();
    let (contract, board) = (read("contract.rs"), read("board.rs"));
    let [session, legal, views] = ["Session", "LegalTokens", "Views"].map(|name| functions(&contract, name));
    let board = functions(&board, "Board");
    let sentence = format!(
        "{session} functions of `Session`, {legal} of `LegalTokens`, {views} of `Views` and {board} of `Board`."
    );
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&page).contains(&words(&sentence)), "{sentence}");
}
