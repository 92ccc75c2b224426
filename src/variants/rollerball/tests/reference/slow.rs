//! Rollerball a second time: slow, plain, straight from the rule text, sharing nothing with the library.
//!
//! A board of characters, walks square by square, and a king that is attacked when the enemy could capture
//! it.

/// Which way is forward, top rank first (R6).
const ARROWS: [&str; 7] = [">>>>>>v", "^>>>>vv", "^^###vv", "^^###vv", "^^###vv", "^^<<<<v", "^<<<<<<"];

/// The outer ring in the direction of play, from g1 round to g2.
const OUTER: &str = "g1 f1 e1 d1 c1 b1 a1 a2 a3 a4 a5 a6 a7 b7 c7 d7 e7 f7 g7 g6 g5 g4 g3 g2";
/// The inner ring likewise.
const INNER: &str = "f2 e2 d2 c2 b2 b3 b4 b5 b6 c6 d6 e6 f6 f5 f4 f3";

type Point = (i32, i32);

/// A position of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// `[rank][file]`, both from 0; `.` free, `#` no square.
    cells: [[char; 7]; 7],
    /// White moves next.
    pub white: bool,
    /// The clockwise marks, White's first.
    marks: [bool; 2],
    quiet: u32,
    number: u32,
    /// OQ1, the other reading.
    clockwise_sideways: bool,
    /// The side whose king stands on its throne: `Some(true)` for White.
    pub won: Option<bool>,
}

fn point(name: &str) -> Point {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

fn name((file, rank): Point) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn exists((file, rank): Point) -> bool {
    (0..7).contains(&file)
        && (0..7).contains(&rank)
        && ARROWS[6 - rank as usize].as_bytes()[file as usize] != b'#'
}

fn forward((file, rank): Point) -> Point {
    match ARROWS[6 - rank as usize].as_bytes()[file as usize] {
        b'<' => (-1, 0),
        b'^' => (0, 1),
        b'>' => (1, 0),
        _ => (0, -1),
    }
}

fn plus(a: Point, b: Point) -> Point {
    (a.0 + b.0, a.1 + b.1)
}

/// The ring of a square as points, and where on it the square lies.
fn ring(at: Point) -> (Vec<Point>, usize) {
    for text in [OUTER, INNER] {
        let points: Vec<Point> = text.split(' ').map(point).collect();
        if let Some(index) = points.iter().position(|p| *p == at) {
            return (points, index);
        }
    }
    panic!("{at:?} is on no ring")
}

const STRAIGHT: [Point; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [Point; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

impl Board {
    /// Reads the text of a position without looking whether it is legal.
    pub fn new(text: &str, clockwise_sideways: bool) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut cells = [['.'; 7]; 7];
        for (from_top, row) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for c in row.chars() {
                match c {
                    '1'..='7' => file += c as usize - '0' as usize,
                    '*' => {
                        cells[6 - from_top][file] = '#';
                        file += 1;
                    }
                    _ => {
                        cells[6 - from_top][file] = c;
                        file += 1;
                    }
                }
            }
        }
        let mut board = Self {
            cells,
            white: fields[1] == "w",
            marks: [fields[2].contains('K'), fields[2].contains('k')],
            quiet: fields[3].parse().unwrap(),
            number: fields[4].parse().unwrap(),
            clockwise_sideways,
            won: None,
        };
        for white in [true, false] {
            if board.marks[usize::from(!white)] && board.king(white) == point(if white { "d6" } else { "d2" })
            {
                board.won = Some(white);
            }
        }
        board
    }

    /// The text of the position.
    pub fn text(&self) -> String {
        let mut rows = Vec::new();
        for row in self.cells.iter().rev() {
            let mut text = String::new();
            let mut free = 0;
            for &c in row {
                if c == '.' {
                    free += 1;
                    continue;
                }
                if free > 0 {
                    text += &free.to_string();
                    free = 0;
                }
                text.push(if c == '#' { '*' } else { c });
            }
            if free > 0 {
                text += &free.to_string();
            }
            rows.push(text);
        }
        let marks = ["-", "K", "k", "Kk"][usize::from(self.marks[0]) + 2 * usize::from(self.marks[1])];
        let side = if self.white { "w" } else { "b" };
        format!("{} {side} {marks} {} {}", rows.join("/"), self.quiet, self.number)
    }

    fn at(&self, (file, rank): Point) -> char {
        self.cells[rank as usize][file as usize]
    }

    fn put(&mut self, (file, rank): Point, piece: char) {
        self.cells[rank as usize][file as usize] = piece;
    }

    fn squares() -> impl Iterator<Item = Point> {
        (0..49).map(|n| (n % 7, n / 7)).filter(|p| exists(*p))
    }

    fn owns(&self, white: bool, at: Point) -> bool {
        let piece = self.at(at);
        piece.is_ascii_alphabetic() && piece.is_ascii_uppercase() == white
    }

    fn king(&self, white: bool) -> Point {
        let king = if white { 'K' } else { 'k' };
        Self::squares().find(|p| self.at(*p) == king).unwrap()
    }

    /// Where the kings stand, White's first.
    pub fn kings(&self) -> [String; 2] {
        [true, false].map(|white| name(self.king(white)))
    }

    /// Adds `to` if the mover may stand there; false when a line cannot go on behind it (R13).
    fn reach(&self, white: bool, to: Point, found: &mut Vec<Point>) -> bool {
        if !exists(to) || self.owns(white, to) {
            return false;
        }
        found.push(to);
        self.at(to) == '.'
    }

    /// Straight on until something stops the line; where it stopped if that is the end of the board.
    fn slide(&self, white: bool, from: Point, way: Point, found: &mut Vec<Point>) -> Option<Point> {
        let mut at = from;
        loop {
            let next = plus(at, way);
            if !exists(next) {
                return Some(at);
            }
            if !self.reach(white, next, found) {
                return None;
            }
            at = next;
        }
    }

    fn rook(&self, white: bool, from: Point, found: &mut Vec<Point>) {
        let (points, index) = ring(from);
        if points.len() == 24 {
            // R16-R18: along the outer ring through the first corner met to the second; corners lie six
            // apart.
            let to_corner = 6 - index % 6;
            for n in 1..=to_corner + 6 {
                if !self.reach(white, points[(index + n) % 24], found) {
                    break;
                }
            }
        } else {
            self.slide(white, from, forward(from), found);
        }
        // R19.
        self.reach(white, points[(index + points.len() - 1) % points.len()], found);
        // R20: the first step leaves the ring.
        for way in STRAIGHT {
            let first = plus(from, way);
            if exists(first) && !points.contains(&first) {
                if self.clockwise_sideways && ["f1", "a2", "b7", "g6"].map(point).contains(&from) {
                    self.reach(white, first, found);
                } else {
                    self.slide(white, from, way, found);
                }
            }
        }
    }

    fn bishop(&self, white: bool, from: Point, found: &mut Vec<Point>) {
        let ahead = forward(from);
        for way in DIAGONAL {
            if way.0 * ahead.0 + way.1 * ahead.1 < 0 {
                // R23, R26.
                self.reach(white, plus(from, way), found);
                continue;
            }
            let Some(edge) = self.slide(white, from, way, found) else { continue };
            if edge == from {
                continue;
            }
            // R24: it keeps the part of its way that still leads to a square.
            let over = exists(plus(edge, (way.0, 0)));
            let up = exists(plus(edge, (0, way.1)));
            let turned = match (over, up) {
                (true, false) => (way.0, -way.1),
                (false, true) => (-way.0, way.1),
                (false, false) => continue,
                // OQ2: the corner of the hole; on to the forward side.
                (true, true) => {
                    let ahead = forward(edge);
                    let one = (way.0, -way.1);
                    if one.0 * ahead.0 + one.1 * ahead.1 > 0 { one } else { (-way.0, way.1) }
                }
            };
            self.slide(white, edge, turned, found);
        }
    }

    fn targets(&self, white: bool, from: Point) -> Vec<Point> {
        let mut found = Vec::new();
        match self.at(from).to_ascii_uppercase() {
            'K' => {
                for way in STRAIGHT.into_iter().chain(DIAGONAL) {
                    self.reach(white, plus(from, way), &mut found);
                }
            }
            'R' => self.rook(white, from, &mut found),
            'B' => self.bishop(white, from, &mut found),
            'P' => {
                // R29.
                let (over, up) = forward(from);
                for way in [(over, up), (over + up, up + over), (over - up, up - over)] {
                    self.reach(white, plus(from, way), &mut found);
                }
            }
            other => panic!("{other} on the board"),
        }
        found
    }

    /// R34: the king of that colour could be taken.
    pub fn in_check(&self, white: bool) -> bool {
        let king = self.king(white);
        Self::squares().filter(|p| self.owns(!white, *p)).any(|p| self.targets(!white, p).contains(&king))
    }

    fn play(&self, from: Point, to: Point, promotion: Option<char>) -> Self {
        let mut next = self.clone();
        let piece = self.at(from);
        next.quiet = if self.at(to) != '.' || piece.eq_ignore_ascii_case(&'p') { 0 } else { self.quiet + 1 };
        next.put(from, '.');
        let becomes = promotion.unwrap_or(piece);
        next.put(to, if self.white { becomes.to_ascii_uppercase() } else { becomes.to_ascii_lowercase() });
        if piece.eq_ignore_ascii_case(&'k') {
            // R36.
            let (before, behind, throne) = if self.white {
                (["d1", "d2"], ["c1", "c2"], "d6")
            } else {
                (["d6", "d7"], ["e6", "e7"], "d2")
            };
            let mark = &mut next.marks[usize::from(!self.white)];
            if before.map(point).contains(&from) && behind.map(point).contains(&to) {
                *mark = true;
            }
            if behind.map(point).contains(&from) && before.map(point).contains(&to) {
                *mark = false;
            }
            if *mark && to == point(throne) {
                next.won = Some(self.white);
            }
        }
        if !self.white {
            next.number += 1;
        }
        next.white = !self.white;
        next
    }

    /// Every legal move as text, with the position after it; sorted.
    pub fn moves(&self) -> Vec<(String, Self)> {
        let mut moves = Vec::new();
        if self.won.is_some() {
            return moves;
        }
        let promotion = if self.white { ["e6", "e7"] } else { ["c1", "c2"] }.map(point);
        for from in Self::squares().filter(|p| self.owns(self.white, *p)) {
            for to in self.targets(self.white, from) {
                let pawn = self.at(from).eq_ignore_ascii_case(&'p');
                let kinds: &[Option<char>] =
                    if pawn && promotion.contains(&to) { &[Some('r'), Some('b')] } else { &[None] };
                for &kind in kinds {
                    let next = self.play(from, to, kind);
                    if !next.in_check(self.white) {
                        let suffix = kind.map(String::from).unwrap_or_default();
                        moves.push((format!("{}{}{suffix}", name(from), name(to)), next));
                    }
                }
            }
        }
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        moves
    }
}
