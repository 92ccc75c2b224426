//! The diagrams of `protocol-docs/rules/jai-alai.md`.

use super::*;
use crate::base::Color;
use crate::game::Repetition;

/// The board with what the piece on `from` can do: `o` where it may go, `x` behind what it may capture.
fn diagram(position: &State, from: &str) -> Vec<String> {
    let actions: Vec<_> =
        listed(position).into_iter().filter(|a| a.from().map(name).as_deref() == Some(from)).collect();
    let mut lines: Vec<_> = (0..8_u8)
        .rev()
        .map(|rank| {
            let cells: String = (0..9)
                .map(|file| {
                    let square = rank * 9 + file;
                    let piece = position.board.kind_at(square).zip(position.board.color_at(square));
                    let taken = actions.iter().any(|a| a.victim_ahead().unwrap_or(a.to()) == square);
                    match piece {
                        Some((kind, color)) => {
                            let letter = char::from(color.cased(kind.letter()));
                            format!("{letter}{}", if taken { 'x' } else { ' ' })
                        }
                        None if taken || actions.iter().any(|a| a.to() == square) => "o ".to_owned(),
                        None => ". ".to_owned(),
                    }
                })
                .collect();
            format!("{} | {cells}|", rank + 1)
        })
        .collect();
    lines.push("    a b c d e f g h i".to_owned());
    lines
}

#[test]
fn diagrams_show_what_is_legal() {
    let page =
        std::fs::read_to_string(format!("{}/protocol-docs/rules/jai-alai.md", env!("CARGO_MANIFEST_DIR")))
            .unwrap();
    let mut checked = 0;
    for block in page.split("```moves\n").skip(1) {
        let lines: Vec<_> = block.lines().take_while(|line| *line != "```").collect();
        let (piece, text) = lines.last().unwrap().split_once(": ").unwrap();
        assert_eq!(lines[..lines.len() - 1], diagram(&at(text), piece), "{piece} in {text}");
        checked += 1;
    }
    assert_eq!(checked, 11);
}

#[test]
fn start_and_results_are_those_of_the_game() {
    let page =
        std::fs::read_to_string(format!("{}/protocol-docs/rules/jai-alai.md", env!("CARGO_MANIFEST_DIR")))
            .unwrap();
    assert!(page.contains(FACTS.start));
    let start = at(FACTS.start);
    for (rank, line) in diagram(&start, "-").iter().take(8).enumerate() {
        assert!(page.contains(line.as_str()), "rank {}", 8 - rank);
    }
    for (rule, winner) in [("R73", Some(Color::White)), ("R72", Some(Color::Black)), ("R75", None)] {
        assert!(
            page.lines().any(|line| line.starts_with("| ") && line.ends_with(&format!("| {rule} |"))),
            "{winner:?}"
        );
    }
    let position = at("7k1/9/r8/2t6/9/3M5/9/8K[TTTT] w 0 1");
    let outcomes = [
        after(&position, "d3c5").outcome(),
        at("3TkT3/3T1R3/6G2/9/1B3T3/9/t8/t7K[] b 0 1").outcome(),
        at("k8/9/9/9/9/9/T6tt/T6tK[tt] w 0 1").outcome(),
        at("8k/9/9/9/9/3P5/9/8K[TTTTtttt] w 100 60").outcome(),
        State::start(&Rules::default()).on_occurrence(3),
    ];
    for outcome in outcomes {
        let outcome = outcome.unwrap();
        let row = page.lines().find(|line| line.contains(&format!("`{outcome}`"))).unwrap_or_default();
        assert!(row.ends_with(&format!("| {} |", outcome.rule)), "{outcome}");
    }
}
