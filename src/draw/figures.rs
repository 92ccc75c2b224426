//! Colours the drawings of the pieces, and puts balls and shields beside them.

use crate::base::Color;
use crate::game::{Piece, Shape, Thing};

/// The side of a drawing in its own units.
const SIZE: u32 = 64;

/// The colours of a drawing. In the files `#fff` is the body, `#888` its other shade, `#000` the outline, and
/// `#111` the details on the body.
struct Paint {
    body: &'static str,
    shade: &'static str,
    outline: &'static str,
    detail: &'static str,
}

const WHITE: Paint = Paint { body: "#fffdf4", shade: "#d8cdb0", outline: "#1c1c1c", detail: "#1c1c1c" };
const BLACK: Paint = Paint { body: "#3a3a3a", shade: "#6c6862", outline: "#000000", detail: "#f4f0e4" };
const WHITE_BALL: Paint = Paint { detail: "#d9480f", ..WHITE };
const BLACK_BALL: Paint = Paint { outline: "#f4f0e4", detail: "#ff8a3d", ..BLACK };
/// The colours of a ball that belongs to neither side.
const NEUTRAL: Paint = Paint { body: "#f5861f", shade: "#f5861f", outline: "#5a2500", detail: "#5a2500" };
const SHIELD: Paint = Paint { body: "#2f7fd6", shade: "#2f7fd6", outline: "#ffffff", detail: "#ffffff" };

/// The stroke width of all outlines, whatever the scale of a figure.
const STROKE: f32 = 3.0;

const SHIELD_SHAPE: Shape = Shape::Thing(Thing::Shield);

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

/// The picture of a piece as an SVG file of its own; `color` is that of its letter: White for a capital.
pub fn figure(piece: &Piece, color: Color) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIZE}\" height=\"{SIZE}\" viewBox=\"0 0 {SIZE} {SIZE}\">\n{}</svg>\n",
        fragment(piece, color)
    )
}

/// The same without the `svg` element, for use in a larger picture: a square of 64 units.
pub fn fragment(piece: &Piece, color: Color) -> String {
    let (side, ball) = match piece.owner(color).unwrap_or(color) {
        Color::White => (&WHITE, &WHITE_BALL),
        Color::Black => (&BLACK, &BLACK_BALL),
    };
    let paint = |thing| match thing {
        Thing::Ball => &NEUTRAL,
        Thing::OwnBall => ball,
        Thing::Shield => &SHIELD,
    };
    let body = if let Shape::Thing(thing) = piece.shape { paint(thing) } else { side };
    match piece.beside {
        None if piece.small => placed(piece.shape, body, 11.0, 15.0, 0.66),
        None => placed(piece.shape, body, 0.0, 0.0, 1.0),
        Some(Thing::Shield) => {
            placed(piece.shape, body, 12.0, 0.0, 0.8) + &placed(SHIELD_SHAPE, &SHIELD, 0.0, 33.0, 0.48)
        }
        Some(thing) => {
            placed(piece.shape, body, 0.0, 0.0, 0.8)
                + &placed(Shape::Thing(thing), paint(thing), 29.5, 29.5, 0.66)
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

/// The content of the `svg` element.
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
            "888" => paint.shade,
            "000" => paint.outline,
            _ => paint.detail,
        });
        out.push_str(rest);
    }
    out
}
