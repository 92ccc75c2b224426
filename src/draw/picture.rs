//! A board as a picture in SVG.

use super::turn::{color_of, squares};
use crate::draw::fragment;
use crate::game::{Deed, DeedKind, Facts};
use crate::notation::{Cell, Coordinate, Position};
use litemap::LiteMap;
use std::fmt::Write;

/// The content of a picture.
#[derive(Debug)]
pub struct Picture<'a> {
    /// The game that is played.
    pub facts: &'a Facts,
    /// The board, in the letters that it is drawn with (see [`crate::game::gui::GuiBoard::shown`]).
    pub shown: &'a Position,
    /// What the last turn did, drawn as arrows and marked squares.
    pub deeds: &'a [Deed],
    /// The squares drawn as being in danger.
    pub threatened: &'a [Coordinate],
    /// How many steps of the turn have been made, and how many it allows.
    pub steps: Option<(u8, u8)>,
    /// The lines of text below the board.
    pub captions: &'a [String],
}

/// The side of a square, in pixels at scale 1.
pub(super) const SQUARE: i32 = 48;
/// The room for rank numbers at the left and file letters below.
const MARGIN: i32 = 20;
/// The height of a line of text.
const LINE: i32 = 18;

pub(super) const LIGHT: &str = "#f0dfc0";
pub(super) const DARK: &str = "#bd9169";
const LIGHT_GOAL: &str = "#cfe3c3";
const DARK_GOAL: &str = "#8fb583";
const LAST: &str = "#f7d433";
const DANGER: &str = "#c4161c";
const PIECE_WAY: &str = "#14639e";
const BALL_WAY: &str = "#c63d00";
const INK: &str = "#333";

struct Drawing<'a> {
    picture: &'a Picture<'a>,
    text: String,
    /// The letters of the pieces on the board: each is drawn once and referenced from its squares.
    letters: LiteMap<u8, ()>,
}

/// The board as an SVG file.
pub fn board_svg(picture: &Picture) -> String {
    let mut drawing = Drawing { picture, text: String::new(), letters: LiteMap::new() };
    drawing.board();
    drawing.coordinates();
    // The arrows go behind the pieces, so that these stay recognizable; numbers and crosses go in front.
    let numbers = drawing.arrows();
    drawing.pieces();
    drawing.marks(&numbers);
    drawing.hands();
    drawing.below();
    let (width, height) = drawing.size();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fbf9f4\"/>\n{}{}</svg>\n",
        drawing.definitions(),
        drawing.text
    )
}

impl Drawing<'_> {
    fn line(&mut self, text: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{text}");
    }

    fn ranks(&self) -> i32 {
        i32::from(self.picture.shown.placement.ranks)
    }

    fn files(&self) -> i32 {
        i32::from(self.picture.shown.placement.files)
    }

    fn size(&self) -> (i32, i32) {
        let hand = if self.picture.shown.hand.is_some() { SQUARE + MARGIN } else { MARGIN / 2 };
        let lines = self.picture.captions.len() as i32 + i32::from(self.picture.steps.is_some());
        let below = MARGIN + lines * LINE + if lines > 0 { 6 } else { 0 };
        (MARGIN + self.files() * SQUARE + hand, MARGIN / 2 + self.ranks() * SQUARE + below)
    }

    /// The upper left corner of a square.
    fn corner(&self, at: Coordinate) -> (i32, i32) {
        let row = i32::from(at.rank) - i32::from(self.picture.facts.first_rank);
        (MARGIN + i32::from(at.file) * SQUARE, MARGIN / 2 + (self.ranks() - 1 - row) * SQUARE)
    }

    fn middle(&self, at: Coordinate) -> (f32, f32) {
        let (x, y) = self.corner(at);
        ((x + SQUARE / 2) as f32, (y + SQUARE / 2) as f32)
    }

    fn board(&mut self) {
        let picture = self.picture;
        let last: Vec<Coordinate> = picture.deeds.iter().flat_map(Deed::squares).collect();
        let facts = picture.facts;
        for (at, cell) in squares(facts, picture.shown).filter(|&(_, cell)| cell != Cell::Hole) {
            let (x, y) = self.corner(at);
            let dark = (at.file + at.rank) % 2 == 1;
            let goal = facts.goals.iter().any(|&corners| is_within(at, corners));
            let color = match (goal, dark) {
                (false, false) => LIGHT,
                (false, true) => DARK,
                (true, false) => LIGHT_GOAL,
                (true, true) => DARK_GOAL,
            };
            self.square((x, y), &format!("fill=\"{color}\" stroke=\"{INK}\" stroke-width=\".5\""));
            if last.contains(&at) {
                self.square((x, y), &format!("fill=\"{LAST}\" fill-opacity=\".55\""));
            }
            // The mark differs in colour and in form, so that it can be seen by everyone, and in print.
            if picture.threatened.contains(&at) && cell != Cell::Empty {
                let corners = format!(
                    "M{} {}v-9h9M{} {}h9v9M{} {}v9h-9M{} {}h-9v-9",
                    x + 3,
                    y + 12,
                    x + 36,
                    y + 3,
                    x + 45,
                    y + 36,
                    x + 12,
                    y + 45
                );
                self.line(format_args!(
                    "<path d=\"{corners}\" fill=\"none\" stroke=\"{DANGER}\" stroke-width=\"3.5\"/>"
                ));
            }
        }
        for &(one, other) in facts.areas.iter().chain(facts.goals) {
            let (left, bottom) =
                self.corner(Coordinate::new(one.file.min(other.file), one.rank.min(other.rank)));
            let (right, top) =
                self.corner(Coordinate::new(one.file.max(other.file), one.rank.max(other.rank)));
            let (width, height) = (right - left + SQUARE, bottom - top + SQUARE);
            self.line(format_args!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" \
                 stroke=\"{INK}\" stroke-width=\"2.5\"/>"
            ));
        }
    }

    fn square(&mut self, (x, y): (i32, i32), look: &str) {
        self.line(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" {look}/>"));
    }

    fn label(&mut self, (x, y): (i32, i32), look: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        self.line(format_args!("<text x=\"{x}\" y=\"{y}\" fill=\"{INK}\" {look}>{text}</text>"));
    }

    fn coordinates(&mut self) {
        let small = "font-size=\"12\" text-anchor=\"middle\"";
        for row in 0..self.ranks() {
            let rank = row + i32::from(self.picture.facts.first_rank);
            let y = MARGIN / 2 + (self.ranks() - 1 - row) * SQUARE + SQUARE / 2 + 4;
            self.label((MARGIN / 2, y), small, &rank.to_string());
        }
        for (file, letter) in (0..self.files()).zip('a'..) {
            let y = MARGIN / 2 + self.ranks() * SQUARE + 14;
            self.label((MARGIN + file * SQUARE + SQUARE / 2, y), small, &letter.to_string());
        }
    }

    fn piece(&mut self, letter: u8, x: f32, y: f32, scale: f32) {
        if self.picture.facts.piece(letter).is_some() {
            self.letters.insert(letter, ());
            let id = char::from(letter);
            self.line(format_args!("<use href=\"#{id}\" transform=\"translate({x} {y}) scale({scale})\"/>"));
        } else {
            let at = ((x + 18.0) as i32, (y + 30.0) as i32);
            self.label(at, "font-size=\"24\"", &char::from(letter).to_string());
        }
    }

    /// The definitions of the pieces that occur.
    fn definitions(&self) -> String {
        let pieces = self.letters.keys().filter_map(|&letter| {
            let drawn = fragment(self.picture.facts.piece(letter)?, color_of(letter));
            Some(format!("<g id=\"{}\">\n{drawn}</g>\n", char::from(letter)))
        });
        format!("<defs>\n{}</defs>\n", pieces.collect::<String>())
    }

    fn pieces(&mut self) {
        let inner = (SQUARE - 4) as f32;
        for (at, cell) in squares(self.picture.facts, self.picture.shown) {
            if let Cell::Piece { letter, .. } = cell {
                let (x, y) = self.corner(at);
                self.piece(letter, (x + 2) as f32, (y + 2) as f32, inner / 64.0);
            }
        }
    }

    /// Draws the hands beside the board, White's below and Black's above, each kind of piece once with its
    /// number.
    fn hands(&mut self) {
        let Some(hand) = &self.picture.shown.hand else { return };
        let x = MARGIN + self.files() * SQUARE + 8;
        let (mut above, mut below) = (MARGIN / 2, MARGIN / 2 + (self.ranks() - 1) * SQUARE - LINE);
        for &(letter, count) in hand {
            let y = if letter.is_ascii_uppercase() { &mut below } else { &mut above };
            let at = *y;
            *y += if letter.is_ascii_uppercase() { -(SQUARE + LINE) } else { SQUARE + LINE };
            self.piece(letter, x as f32, at as f32, SQUARE as f32 / 64.0);
            let middle = (x + SQUARE / 2, at + SQUARE + 13);
            self.label(middle, "font-size=\"14\" text-anchor=\"middle\"", &format!("×{count}"));
        }
    }

    /// Draws the paths of all moves. Returns the places for their numbers, if there are several.
    fn arrows(&mut self) -> Vec<(f32, f32)> {
        let mut places = Vec::new();
        for deed in self.picture.deeds {
            if let Some(way) = deed.way() {
                places.extend(self.arrow(way, way_color(deed)));
            }
        }
        places
    }

    /// Draws a line through the centres of the squares, with its arrowhead before the centre of the last one.
    /// The ball's line is dashed, for those who cannot tell the colours apart. Returns the place for its
    /// number.
    fn arrow(&mut self, way: &[Coordinate], color: &str) -> Option<(f32, f32)> {
        let mut points: Vec<(f32, f32)> = way.iter().map(|&at| self.middle(at)).collect();
        let [.., before, end] = points[..] else { return None };
        let unit = |(x, y): (f32, f32), (x2, y2): (f32, f32)| {
            let length = (x2 - x).hypot(y2 - y).max(1.0);
            ((x2 - x) / length, (y2 - y) / length)
        };
        let (ux, uy) = unit(before, end);
        let tip = (end.0 - ux * 13.0, end.1 - uy * 13.0);
        let neck = (tip.0 - ux * 13.0, tip.1 - uy * 13.0);
        *points.last_mut()? = neck;
        let [first, second, ..] = points[..] else { return None };
        let line = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect::<Vec<_>>().join("L");
        let broken = if color == BALL_WAY { " stroke-dasharray=\"7 4\"" } else { "" };
        self.line(format_args!(
            "<path d=\"M{line}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"5\" stroke-linejoin=\"round\"{broken}/>"
        ));
        let side = |sign: f32| (neck.0 - uy * 8.0 * sign, neck.1 + ux * 8.0 * sign);
        let (left, right) = (side(1.0), side(-1.0));
        self.line(format_args!(
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\" fill=\"{color}\"/>",
            tip.0, tip.1, left.0, left.1, right.0, right.1
        ));
        // Beside the first half of the path, where the path of the next piece does not begin.
        let (ux, uy) = unit(first, second);
        let half = (second.0 - first.0).hypot(second.1 - first.1) / 2.0;
        Some((first.0 + ux * half - uy * 11.0, first.1 + uy * half + ux * 11.0))
    }

    /// Draws what stands in front of the pieces: the order of the moves, and the pieces removed.
    fn marks(&mut self, places: &[(f32, f32)]) {
        let ways = self.picture.deeds.iter().filter(|deed| deed.way().is_some());
        if places.len() > 1 {
            for (number, (deed, (x, y))) in ways.zip(places).enumerate() {
                let color = way_color(deed);
                self.line(format_args!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8.5\" fill=\"#fff\" stroke=\"{color}\" stroke-width=\"2\"/>"
                ));
                let look = "font-size=\"12\" font-weight=\"bold\" text-anchor=\"middle\"";
                self.label((x.round() as i32, y.round() as i32 + 4), look, &(number + 1).to_string());
            }
        }
        for &at in self.picture.deeds.iter().flat_map(|deed| &deed.gone) {
            let (x, y) = self.corner(at);
            self.line(format_args!(
                "<path d=\"M{} {}l32 32m0-32l-32 32\" fill=\"none\" stroke=\"{DANGER}\" \
                 stroke-width=\"6\" stroke-linecap=\"round\" stroke-opacity=\".8\"/>",
                x + 8,
                y + 8
            ));
        }
    }

    fn below(&mut self) {
        let mut y = MARGIN / 2 + self.ranks() * SQUARE + MARGIN + LINE - 4;
        if let Some((made, allowed)) = self.picture.steps {
            for step in 0..allowed {
                let look = if step < made { "#c9c2b4" } else { PIECE_WAY };
                let x = MARGIN + 8 + i32::from(step) * 20;
                self.line(format_args!("<circle cx=\"{x}\" cy=\"{}\" r=\"7\" fill=\"{look}\"/>", y - 5));
            }
            let left = allowed.saturating_sub(made);
            let x = MARGIN + 8 + i32::from(allowed) * 20;
            self.label((x, y), "font-size=\"14\"", &format!("{left} of {allowed} steps left"));
            y += LINE;
        }
        for caption in self.picture.captions {
            self.label((MARGIN, y), "font-size=\"14\"", caption);
            y += LINE;
        }
    }
}

fn way_color(deed: &Deed) -> &'static str {
    if deed.kind == DeedKind::Throw { BALL_WAY } else { PIECE_WAY }
}

pub(super) fn is_within(at: Coordinate, (one, other): (Coordinate, Coordinate)) -> bool {
    let between = |n: u8, a: u8, b: u8| (a.min(b)..=a.max(b)).contains(&n);
    between(at.file, one.file, other.file) && between(at.rank, one.rank, other.rank)
}
