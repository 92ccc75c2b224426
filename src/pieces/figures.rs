//! Colouring the drawings, and putting balls and shields beside them.

use crate::base::Color;
use crate::game::{Man, Shape, Thing};

/// Pictures are squares of so many units.
const SIZE: u32 = 64;

/// In the drawings `#fff` is the body, `#000` its outline and `#111` what is drawn on it.
struct Paint {
    body: &'static str,
    outline: &'static str,
    detail: &'static str,
}

const WHITE: Paint = Paint { body: "#fffdf4", outline: "#1c1c1c", detail: "#1c1c1c" };
const BLACK: Paint = Paint { body: "#3a3a3a", outline: "#000000", detail: "#f4f0e4" };
/// What is nobody's.
const NEUTRAL: Paint = Paint { body: "#f5861f", outline: "#5a2500", detail: "#5a2500" };
const SHIELD: Paint = Paint { body: "#2f7fd6", outline: "#ffffff", detail: "#ffffff" };

/// Stroke width of all outlines, whatever a figure is scaled by.
const STROKE: f32 = 3.0;

const fn drawing(shape: Shape) -> &'static str {
    match shape {
        Shape::Pawn => include_str!("figures/pawn.svg"),
        Shape::Knight => include_str!("figures/knight.svg"),
        Shape::Bishop => include_str!("figures/bishop.svg"),
        Shape::Rook => include_str!("figures/rook.svg"),
        Shape::Queen => include_str!("figures/queen.svg"),
        Shape::King => include_str!("figures/king.svg"),
        Shape::Square => include_str!("figures/square.svg"),
        Shape::Triangle => include_str!("figures/triangle.svg"),
        Shape::Circle => include_str!("figures/circle.svg"),
        Shape::Lance => include_str!("figures/lance.svg"),
        Shape::Elephant => include_str!("figures/elephant.svg"),
        Shape::Lion => include_str!("figures/lion.svg"),
        Shape::Monkey => include_str!("figures/monkey.svg"),
        Shape::Guard => include_str!("figures/guard.svg"),
        Shape::Deer => include_str!("figures/deer.svg"),
        Shape::Mage => include_str!("figures/mage.svg"),
        Shape::Reducer => include_str!("figures/reducer.svg"),
        Shape::Statue => include_str!("figures/statue.svg"),
        Shape::Boy => include_str!("figures/boy.svg"),
        Shape::CrossBall => include_str!("figures/cross-ball.svg"),
        Shape::DiagonalBall => include_str!("figures/diagonal-ball.svg"),
        Shape::Superball => include_str!("figures/superball.svg"),
        Shape::Thing(Thing::Ball | Thing::OwnBall) => include_str!("figures/ball.svg"),
        Shape::Thing(Thing::Shield) => include_str!("figures/shield.svg"),
    }
}

/// The picture of a man as an SVG file of its own.
pub fn figure(man: &Man, color: Color) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIZE}\" height=\"{SIZE}\" viewBox=\"0 0 {SIZE} {SIZE}\">\n{}</svg>\n",
        fragment(man, color)
    )
}

/// The same without the `svg` element, to be put into a larger picture: a square of 64 units.
pub fn fragment(man: &Man, color: Color) -> String {
    let side = match color {
        Color::White => &WHITE,
        Color::Black => &BLACK,
    };
    let paint = |thing| match thing {
        Thing::Ball => &NEUTRAL,
        Thing::OwnBall => side,
        Thing::Shield => &SHIELD,
    };
    let body = if let Shape::Thing(thing) = man.shape { paint(thing) } else { side };
    match man.beside {
        None if man.small => placed(man.shape, body, 13.0, 17.0, 0.6),
        None => placed(man.shape, body, 0.0, 0.0, 1.0),
        Some(thing) => {
            let x = if thing == Thing::Shield { 11.5 } else { -1.5 };
            let at = if thing == Thing::Shield { -1.0 } else { 35.0 };
            placed(man.shape, body, x, -1.5, 0.84) + &placed(Shape::Thing(thing), paint(thing), at, 33.0, 0.5)
        }
    }
}

fn placed(shape: Shape, paint: &Paint, x: f32, y: f32, scale: f32) -> String {
    let text = painted(inner(drawing(shape)), paint);
    if scale == 1.0 {
        return text;
    }
    let stroke = STROKE / scale.sqrt();
    let text = text.replacen("stroke-width=\"3\"", &format!("stroke-width=\"{stroke:.1}\""), 1);
    format!("<g transform=\"translate({x} {y}) scale({scale})\">\n{text}</g>\n")
}

/// What stands in the `svg` element.
fn inner(drawing: &str) -> &str {
    let begin = drawing.find('\n').map_or(0, |at| at + 1);
    let end = drawing.rfind("</svg>").unwrap_or(drawing.len());
    &drawing[begin..end]
}

fn painted(text: &str, paint: &Paint) -> String {
    let mut parts = text.split('#');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (key, rest) = part.split_at_checked(3).unwrap_or((part, ""));
        out.push_str(match key {
            "fff" => paint.body,
            "000" => paint.outline,
            _ => paint.detail,
        });
        out.push_str(rest);
    }
    out
}
