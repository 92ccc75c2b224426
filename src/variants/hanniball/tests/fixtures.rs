//! `fixtures/positions/hanniball.positions`: lists that came from the slow generator in `tests/reference`.

use super::{play, read, texts};
use crate::game::{Actor, Game};
use crate::variants::hanniball::State;
use std::path::Path;

/// The blocks of a fixture file, each a list of keyword and rest, without comments.
fn blocks(path: &str) -> Vec<Vec<(String, String)>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(path);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = |block: &str| {
        let lines = block.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines
            .map(|line| {
                let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
                (word.to_owned(), rest.to_owned())
            })
            .collect::<Vec<_>>()
    };
    text.split("\n\n").map(lines).filter(|block| !block.is_empty()).collect()
}

fn position_of(block: &[(String, String)]) -> State {
    let rest_of = |word: &str| block.iter().find(|(w, _)| w == word).map(|(_, rest)| rest.as_str());
    let red_card = match rest_of("rule") {
        None => false,
        Some("red-card=on") => true,
        Some(other) => panic!("{other}"),
    };
    read(rest_of("position").unwrap(), red_card)
}

#[test]
fn positions_offer_what_is_written() {
    let blocks = blocks("positions/hanniball.positions");
    assert!(blocks.len() >= 20);
    for block in &blocks {
        let mut position = position_of(block);
        let mut checked = false;
        for (word, rest) in block {
            match word.as_str() {
                "position" | "rule" => {}
                "after" => position = play(&position, rest),
                "turns" => {
                    assert_eq!(texts(&position).join(" "), *rest, "{block:?}");
                    assert_eq!(
                        rest.is_empty(),
                        position.outcome().is_some() || position.actor() == Actor::Nobody
                    );
                    checked = true;
                }
                other => panic!("{other}"),
            }
        }
        assert!(checked, "{block:?}");
    }
}
