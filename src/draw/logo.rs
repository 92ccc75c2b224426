//! The logo of the engine: what XBoard shows beside the clocks.

use super::figures::fragment;
use super::picture::{DARK, LIGHT};
use crate::base::Color;
use crate::game::Facts;

/// The size that XBoard asks for, in pixels: two squares, a White piece and a Black one.
pub const LOGO_SIZE: (u32, u32) = (130, 65);

/// The logo as an SVG file: the first pieces of two games, White's of `one` and Black's of `other`.
pub fn logo_svg(one: &Facts, other: &Facts) -> String {
    let (width, height) = LOGO_SIZE;
    let mut text =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">\n");
    for (place, (facts, color, ground)) in
        [(one, Color::White, LIGHT), (other, Color::Black, DARK)].iter().enumerate()
    {
        let x = place as u32 * height;
        let drawn = facts.pieces.first().map_or(String::new(), |piece| fragment(piece, *color));
        text.push_str(&format!(
            "<rect x=\"{x}\" width=\"{height}\" height=\"{height}\" fill=\"{ground}\"/>\n\
             <g transform=\"translate({x}.5 .5)\">\n{drawn}</g>\n"
        ));
    }
    text + "</svg>\n"
}
