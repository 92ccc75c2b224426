//! A picture of all pieces with their names.

use super::picture::{DARK, LIGHT, SQUARE};
use crate::base::Color;
use crate::draw::fragment;
use crate::game::{Facts, Piece};

/// The number of pieces in a row.
const COLUMNS: i32 = 6;
/// The width and height that one piece takes.
const CELL: (i32, i32) = (118, 92);
const HEADING: i32 = 34;

/// The pieces of the games, each with its name, as an SVG file. Games with the same pieces share one entry,
/// under the name of their page of rules.
pub fn legend_svg(games: &[&Facts]) -> String {
    let mut text = String::new();
    let mut y = 8;
    let mut before: Option<&str> = None;
    for facts in games {
        if before.replace(facts.rules.0) == Some(facts.rules.0) {
            continue;
        }
        let title = facts.rules.1.lines().next().unwrap_or_default().trim_start_matches(['#', ' ']);
        label(&mut text, 10, y + 20, "font-size=\"17\" font-weight=\"bold\"", title);
        y += HEADING;
        for (index, piece) in (0..).zip(facts.pieces) {
            let x = 10 + index % COLUMNS * CELL.0;
            draw(&mut text, piece, x, y + index / COLUMNS * CELL.1);
        }
        y += (facts.pieces.len() as i32 + COLUMNS - 1) / COLUMNS * CELL.1 + 4;
    }
    let width = 10 + COLUMNS * CELL.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{y}\" viewBox=\"0 0 {width} {y}\" \
         font-family=\"sans-serif\">\n<rect width=\"{width}\" height=\"{y}\" fill=\"#fbf9f4\"/>\n{text}</svg>\n"
    )
}

/// Draws White's piece on a light square and Black's on a dark one; a piece that belongs to neither side is
/// drawn once.
fn draw(text: &mut String, piece: &Piece, x: i32, y: i32) {
    let sides = [Color::White, Color::Black]
        .map(|side| (side, Color::ALL.into_iter().find(|&c| piece.owner(c) == Some(side))));
    for ((side, written), ground) in sides.into_iter().zip([LIGHT, DARK]) {
        let x = x + if side == Color::White { 0 } else { SQUARE + 2 };
        let drawn = fragment(piece, written.unwrap_or(side));
        text.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{ground}\"/>\n\
             <g transform=\"translate({} {}) scale(.6875)\">\n{drawn}</g>\n",
            x + 2,
            y + 2
        ));
    }
    let title = piece.title();
    // A ball or shield beside the piece is named on the second line.
    let (first, second) = match title.strip_prefix(piece.name) {
        Some(more) => (piece.name, more.trim_start_matches([',', ' '])),
        None => (title.as_str(), ""),
    };
    label(text, x, y + SQUARE + 15, "font-size=\"13\"", first);
    label(text, x, y + SQUARE + 30, "font-size=\"13\"", second);
}

fn label(text: &mut String, x: i32, y: i32, look: &str, words: &str) {
    if !words.is_empty() {
        text.push_str(&format!("<text x=\"{x}\" y=\"{y}\" fill=\"#333\" {look}>{words}</text>\n"));
    }
}
