//! The tables in `fixtures`.

use super::*;
use crate::game::perft;

fn fixture(name: &str) -> String {
    std::fs::read_to_string(format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Calls `line` for every line that belongs to a position; returns the number of positions.
fn each_line(name: &str, mut line: impl FnMut(&State, &str, &str)) -> usize {
    let mut count = 0;
    for block in fixture(name).split("\n\n") {
        let mut rules = Rules::default();
        let mut position = None;
        for text in block.lines().filter(|text| !text.starts_with('#')) {
            match text.split_once(' ').unwrap_or((text, "")) {
                ("rule", setting) => {
                    let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
                    rules.set(&FACTS, name, value).unwrap();
                    assert!(position.is_none(), "rules stand before the position");
                }
                ("position", text) => {
                    position = Some(State::read(&parse_position(text).unwrap(), &rules).unwrap());
                    count += 1;
                }
                (word, rest) => line(position.as_ref().unwrap(), word, rest),
            }
        }
    }
    count
}

#[test]
fn perft_table() {
    // Deeper lines are for `tests/it/games/perft.rs` and for hands.
    const MOST: u64 = 3_000_000;
    let mut counted = 0;
    let positions = each_line("perft/jai-alai.perft", |position, depth, count| {
        let count: u64 = count.parse().unwrap();
        if count <= MOST {
            assert_eq!(perft::turns(position, depth.parse().unwrap()), count, "{}", text(position));
            counted += 1;
        }
    });
    assert!(positions >= 10 && counted >= 20, "{positions} positions, {counted} lines");
}

#[test]
fn positions_table() {
    let mut lines = 0;
    let positions = each_line("positions/jai-alai.positions", |position, word, expected| {
        assert_eq!(word, "turns");
        assert_eq!(turns(position).join(" "), expected, "{}", text(position));
        lines += 1;
    });
    assert!(positions >= 20 && lines == positions, "{positions} positions, {lines} lines");
}
