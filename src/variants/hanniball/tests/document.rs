//! The diagrams of `protocol-docs/rules/hanniball.md` are true.

use super::{set_up, texts};
use crate::game::Notation;
use crate::variants::hanniball::State;
use std::collections::BTreeSet;

const DOCUMENT: &str = include_str!("../../../../protocol-docs/rules/hanniball.md");

/// The code blocks marked `sort`: for each the cells with their squares, empty ones left out.
fn diagrams(sort: &str) -> Vec<Vec<(char, String)>> {
    let mut found = Vec::new();
    for block in DOCUMENT.split(&format!("```{sort}\n")).skip(1) {
        let (block, _) = block.split_once("```").unwrap();
        let ranks = block.lines().filter(|line| !line.trim_start().starts_with('a'));
        let cells = ranks.flat_map(|line| {
            let rank: u32 = line[..2].trim().parse().unwrap();
            // Files stand in columns 4, 6, 8 and so on.
            let cells = line.char_indices().skip(4).step_by(2);
            cells.map(move |(at, cell)| (cell, format!("{}{rank}", char::from(b'a' + (at as u8 - 4) / 2))))
        });
        found.push(cells.filter(|(cell, _)| !matches!(cell, '.' | ' ')).collect());
    }
    found
}

/// Compares the squares marked `x` with where the only white piece gets; `target` makes a square of a listed
/// text.
fn check(sort: &str, number: usize, has_ball: bool, target: impl Fn(&str, &str) -> Option<String>) {
    let diagrams = diagrams(sort);
    assert_eq!(diagrams.len(), number, "{sort}");
    for cells in diagrams {
        let pieces: Vec<_> =
            cells.iter().filter(|(cell, _)| cell.is_ascii_alphabetic() && *cell != 'x').collect();
        let (_, subject) = pieces.iter().find(|(cell, _)| cell.is_ascii_uppercase()).unwrap();
        let set: Vec<_> = pieces.iter().map(|(cell, square)| format!("{cell}{square}")).collect();
        let position = set_up(&set.join(" "), if has_ball { subject } else { "i12" }, "w 4", false);
        let marked: BTreeSet<_> =
            cells.iter().filter(|(cell, _)| *cell == 'x').map(|(_, square)| square.clone()).collect();
        let reached: BTreeSet<_> = texts(&position).iter().filter_map(|text| target(text, subject)).collect();
        assert_eq!(reached, marked, "{sort} of {set:?}");
    }
}

#[test]
fn diagrams_of_moves() {
    check("moves", 4, false, |text, from| text.strip_prefix(from).map(str::to_owned));
}

#[test]
fn diagrams_of_shots() {
    check("shots", 3, true, |text, _| text.strip_prefix("O@").map(str::to_owned));
}

#[test]
fn diagram_of_the_ricochet() {
    check("ricochet", 1, true, |text, from| {
        let (_, last) = text.split_once(",O@")?;
        (last != from).then(|| last.to_owned())
    });
}

#[test]
fn the_start_is_drawn_as_it_is() {
    let (_, block) = DOCUMENT.split_once("```board hanniball: startpos\n").unwrap();
    let pieces: Vec<_> = block
        .lines()
        .take(15)
        .flat_map(|line| {
            let rank: u32 = line[..2].trim().parse().unwrap();
            line.char_indices()
                .skip(4)
                .filter(|(_, cell)| cell.is_ascii_alphabetic() && *cell != 'o')
                .map(move |(at, cell)| format!("{cell}{}{rank}", char::from(b'a' + (at as u8 - 4) / 2)))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(pieces.len(), 22);
    let drawn = set_up(&pieces.join(" "), "e8", "w 2", false);
    assert_eq!(drawn.write().to_string(), State::GAMES[0].start);
}
