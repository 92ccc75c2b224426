//! What may be played in the positions of `fixtures/positions`, and that every game has enough of them.
//!
//! A file holds blocks, parted by blank lines:
//!
//! ```text
//! # what it shows, with the rule
//! rule NAME[=VALUE]      if it is not the usual game
//! position TEXT
//! after TOKEN TOKEN      played from there before looking
//! turns TOKEN TOKEN      what may then be played, sorted; nothing when the game is over
//! ```
//!
//! The lists come from the slow generators in `src/variants/*/tests/reference`. Games whose turns are several
//! decisions have tests of their own for their files; here those files are only counted.
use carom::game::{Decisions, Facts, GenType, Playable, Record, Rules, read_token, write_token};
use carom::notation::{Cell, Coordinate, parse_position, parse_token};
use carom::session::chance::Chance;
use carom::session::{self, SessionError};
use carom::variants::{self, Visitor};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// What may be played after `tokens` from `position`, sorted.
fn turns<G: Playable>(position: &str, rules: &Rules, tokens: &str) -> Vec<String> {
    let start = G::read(&parse_position(position).unwrap(), rules);
    let mut record = Record::new(start.unwrap_or_else(|error| panic!("{position}: {error}")));
    for token in tokens.split_whitespace() {
        assert!(record.outcome().is_none(), "{position}: over before {token}");
        let reading = read_token(record.now(), &parse_token(token).unwrap());
        let reading = reading.unwrap_or_else(|illegal| panic!("{position}: {token}: {}", illegal.reason));
        for &decision in reading.decisions.iter() {
            record.play(decision);
        }
    }
    let mut list = Decisions::new();
    if record.outcome().is_none() {
        record.now().decisions(GenType::All, &mut list);
        assert!(!list.is_empty(), "{position}: neither over nor to be continued");
    }
    let mut turns: Vec<_> =
        list.iter().map(|&decision| write_token(record.now(), &[decision]).to_string()).collect();
    turns.sort();
    turns
}

fn run(game: &str, file: &'static str) {
    variants::visit(game, File(file)).unwrap();
}

/// A file of positions.
struct File(&'static str);

impl Visitor for File {
    type Output = ();
    fn visit<G: Playable>(self, facts: &'static Facts) {
        check::<G>(facts, self.0);
    }
}

fn check<G: Playable>(facts: &'static Facts, file: &str) {
    let text = std::fs::read_to_string(folder("positions").join(file)).unwrap();
    let mut over = 0;
    for block in text.trim().split("\n\n") {
        let mut rules = Rules::of(facts);
        let (mut position, mut after, mut expected) = (None, "", None);
        for line in block.lines() {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("#", _) => {}
                ("rule", rule) => {
                    let (name, value) = rule.split_once('=').unwrap_or((rule, ""));
                    rules.set(facts, name, value).unwrap();
                }
                ("position", text) => position = Some(text),
                ("after", tokens) => after = tokens,
                ("turns", tokens) => expected = Some(tokens),
                _ => panic!("{file}: what is `{line}`?"),
            }
        }
        // The block at the top only says where the lists come from.
        let Some(position) = position else { continue };
        let expected = expected.unwrap_or_else(|| panic!("{file}: no turns in\n{block}"));
        assert_eq!(turns::<G>(position, &rules, after).join(" "), expected, "{file}\n{block}");
        over += usize::from(expected.is_empty());
    }
    assert!(over > 0, "{file}: no game ends");
}

#[test]
fn chess_positions() {
    run("chess", "chess.positions");
}

#[test]
fn alapo_positions() {
    run("alapo", "alapo.positions");
}

#[test]
fn demotion_positions() {
    run("alapo-demotion", "alapo-demotion.positions");
}

#[test]
fn breakthrough_positions() {
    run("breakthrough", "breakthrough.positions");
}

#[test]
fn dice_chess_positions() {
    run("dice-chess", "dice-chess.positions");
}

#[test]
fn rollerball_positions() {
    run("rollerball", "rollerball.positions");
}

/// The number of different positions (with what is played and the rules) in each file with this ending.
fn counted(name: &str, ending: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for entry in std::fs::read_dir(folder(name)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|found| found == ending) {
            let text = std::fs::read_to_string(&path).unwrap();
            let kept = ["game ", "rule ", "position ", "after ", "unit "];
            let mut blocks: Vec<Vec<&str>> = text
                .split("\n\n")
                .map(|block| {
                    block.lines().filter(|line| kept.iter().any(|word| line.starts_with(word))).collect()
                })
                .filter(|block: &Vec<&str>| !block.is_empty())
                .collect();
            blocks.sort();
            let all = blocks.len();
            blocks.dedup();
            assert_eq!(blocks.len(), all, "{}: a block stands there twice", path.display());
            counts.insert(path.file_stem().unwrap().to_str().unwrap().to_owned(), all);
        }
    }
    counts
}

#[test]
fn every_game_has_twenty_positions() {
    let counts = counted("positions", "positions");
    for facts in variants::all() {
        // The modes of Chess with Wickets share a file.
        let game = if facts.name.starts_with("wickets-") { "wickets" } else { facts.name };
        assert!(counts.get(game).is_some_and(|&count| count >= 20), "{game}: {counts:?}");
    }
}

#[test]
fn every_game_has_twenty_counted_positions() {
    let mut counts = counted("perft", "perft");
    // The modes of Chess with Wickets are one game here.
    let modes: Vec<String> = counts.keys().filter(|name| name.starts_with("wickets-")).cloned().collect();
    let wickets = modes.iter().filter_map(|mode| counts.remove(mode)).sum();
    counts.insert("wickets".to_owned(), wickets);
    assert!(counts.len() >= 9, "{counts:?}");
    assert!(counts.values().all(|&count| count >= 20), "{counts:?}");
}

/// Of a square that does not exist, an empty one, a piece of the opponent's and a move to the same square.
#[test]
fn what_is_wrong_with_a_move_is_said_alike_in_every_game() {
    for facts in variants::all() {
        let session = session::open(facts, Rules::of(facts), Chance::Own { seed: 1 });
        let board = session.position().placement;
        let find = |wanted: &dyn Fn(Cell) -> bool| {
            let (file, row, cell) = board.places().find(|&(.., cell)| wanted(cell)).unwrap();
            (Coordinate::new(file, row + facts.first_rank), cell)
        };
        let piece = |cell: Cell, white: bool| match cell {
            Cell::Piece { letter, .. } => {
                letter.is_ascii_uppercase() == white
                    && facts.piece(letter).is_none_or(|piece| !piece.is_ball())
            }
            _ => false,
        };
        let name = |cell: Cell| match cell {
            Cell::Piece { letter, .. } => facts.piece(letter).unwrap().name,
            _ => unreachable!("a piece was looked for"),
        };
        let (empty, _) = find(&|cell| cell == Cell::Empty);
        let (own, own_cell) = find(&|cell| piece(cell, true));
        let (theirs, their_cell) = find(&|cell| piece(cell, false));
        let beyond = Coordinate::new(own.file, facts.first_rank + facts.ranks);
        for (from, to, reason) in [
            (own, beyond, format!("there is no square {beyond}")),
            (empty, own, format!("there is no piece on {empty}")),
            (theirs, empty, format!("the {} on {theirs} is Black's", name(their_cell))),
            (own, own, format!("the {} already stands on {own}", name(own_cell))),
        ] {
            let refused = session.check(&format!("{from}{to}"));
            assert_eq!(refused, Err(SessionError::Illegal(reason)), "{}: {from}{to}", facts.name);
        }
    }
}
