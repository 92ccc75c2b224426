//! HanniBall once more, slowly: written from the rules alone, on a plain map of squares, sharing nothing with
//! the library. Squares are (file, rank) with file 1 for a and the rank as printed.

use std::collections::{BTreeMap, BTreeSet};

pub type Square = (i32, i32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Piece {
    pub white: bool,
    /// M, L, E or H.
    pub kind: char,
}

/// What R11 compares.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Field {
    pub pieces: BTreeMap<Square, Piece>,
    pub ball: Square,
}

#[derive(Clone, Debug)]
pub struct State {
    pub field: Field,
    pub start: Field,
    pub white_moves: bool,
    pub used: i32,
    pub left: i32,
    pub penalty: bool,
    pub red_card: bool,
    /// Some(true) when White has won.
    pub winner: Option<bool>,
}

const DIRECTIONS: [Square; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

fn exists((x, y): Square) -> bool {
    match y {
        2..=14 => (1..=9).contains(&x),
        1 | 15 => (4..=6).contains(&x),
        _ => false,
    }
}

fn goal_of(white: bool, (x, y): Square) -> bool {
    (4..=6).contains(&x) && y == if white { 1 } else { 15 }
}

fn in_goal_area(white: bool, (x, y): Square) -> bool {
    (3..=7).contains(&x) && (if white { [2, 3] } else { [13, 14] }).contains(&y)
}

fn kings_step((ax, ay): Square, (bx, by): Square) -> bool {
    (ax - bx).abs().max((ay - by).abs()) == 1
}

fn knights_move((ax, ay): Square, (bx, by): Square) -> bool {
    let (dx, dy) = ((ax - bx).abs(), (ay - by).abs());
    (dx, dy) == (1, 2) || (dx, dy) == (2, 1)
}

fn all_squares() -> Vec<Square> {
    let every = (1..=15).flat_map(|y| (1..=9).map(move |x| (x, y)));
    every.filter(|&s| exists(s)).collect()
}

/// One to five squares away in a straight line.
fn straight(from: Square, to: Square) -> bool {
    DIRECTIONS.iter().any(|(dx, dy)| (1..=5).any(|n| (from.0 + n * dx, from.1 + n * dy) == to))
}

pub fn name((x, y): Square) -> String {
    format!("{}{y}", (b'a' + (x - 1) as u8) as char)
}

pub fn square(name: &str) -> Square {
    (i32::from(name.as_bytes()[0] - b'a') + 1, name[1..].parse().unwrap())
}

impl Field {
    fn occupied(&self, at: Square) -> bool {
        self.pieces.contains_key(&at)
    }

    /// The squares a king's step from both ends both hold pieces (R13, R14).
    fn leap_blocked(&self, from: Square, to: Square) -> bool {
        let around = |x: i32| x - 1..=x + 1;
        let both: Vec<Square> = around(from.0)
            .flat_map(|x| around(from.1).map(move |y| (x, y)))
            .filter(|&s| kings_step(s, from) && kings_step(s, to))
            .collect();
        assert_eq!(both.len(), 2);
        both.iter().all(|&s| self.occupied(s))
    }

    /// True when a piece goes from one square to the other, if it may enter the latter.
    fn goes(&self, piece: Piece, from: Square, to: Square) -> bool {
        let walks = kings_step(from, to);
        let leaps = knights_move(from, to) && !self.leap_blocked(from, to);
        match piece.kind {
            'H' => leaps,
            'E' => walks,
            'L' => walks || leaps,
            _ => (walks || leaps) && (in_goal_area(piece.white, to) || goal_of(piece.white, to)),
        }
    }

    /// True when it sends the Ball there.
    fn shoots(piece: Piece, from: Square, to: Square) -> bool {
        match piece.kind {
            'H' => kings_step(from, to),
            'E' => knights_move(from, to),
            'L' => kings_step(from, to) || knights_move(from, to),
            _ => {
                let forbidden = [true, false].iter().any(|&side| in_goal_area(side, to) || goal_of(side, to));
                straight(from, to) && !forbidden
            }
        }
    }

    /// R18.
    fn may_enter(&self, white: bool, to: Square) -> bool {
        match self.pieces.get(&to) {
            None => true,
            Some(piece) => piece.white != white && self.ball == to,
        }
    }

    /// R32 (a), R36.
    fn ball_blocked(&self, white: bool) -> bool {
        let mine: Vec<(Square, Piece)> =
            self.pieces.iter().filter(|(_, m)| m.white == white).map(|(s, m)| (*s, *m)).collect();
        if mine.iter().all(|(_, piece)| piece.kind == 'M') {
            return false;
        }
        !mine.iter().any(|&(from, piece)| {
            let mut alone = self.clone();
            alone.pieces.retain(|_, m| m.white != white);
            let mut known = BTreeSet::from([from]);
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                if at == self.ball {
                    return true;
                }
                for to in all_squares() {
                    if alone.goes(piece, at, to) && alone.may_enter(white, to) && known.insert(to) {
                        open.push(to);
                    }
                }
            }
            false
        })
    }

    /// R32 (b), R35.
    fn cluster(&self, white: bool) -> bool {
        if self.pieces.get(&self.ball).is_some_and(|piece| piece.white == white) {
            return false;
        }
        let mut cluster = BTreeSet::from([self.ball]);
        let mut open = vec![self.ball];
        while let Some((x, y)) = open.pop() {
            for next in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                if self.pieces.get(&next).is_some_and(|piece| piece.white != white) && cluster.insert(next) {
                    open.push(next);
                }
            }
        }
        cluster.len() > 3
    }
}

impl State {
    /// Reads a position string.
    pub fn read(text: &str, red_card: bool) -> Self {
        let words: Vec<&str> = text.split(' ').collect();
        let mut pieces = BTreeMap::new();
        let mut ball = None;
        for (row, line) in words[0].split('/').enumerate() {
            let (mut x, y) = (1, 15 - row as i32);
            let mut plus = false;
            for c in line.chars() {
                match c {
                    '1'..='9' => x += c as i32 - '0' as i32,
                    '*' => x += 1,
                    '+' => plus = true,
                    _ => {
                        if c == 'o' || plus {
                            ball = Some((x, y));
                        }
                        if c != 'o' {
                            let piece = Piece { white: c.is_uppercase(), kind: c.to_ascii_uppercase() };
                            pieces.insert((x, y), piece);
                        }
                        plus = false;
                        x += 1;
                    }
                }
            }
        }
        let field = Field { pieces, ball: ball.unwrap() };
        let white_moves = words[1] == "w";
        let mut state = Self {
            start: field.clone(),
            field,
            white_moves,
            used: 0,
            left: words[2].parse().unwrap(),
            penalty: false,
            red_card,
            winner: None,
        };
        state.penalty = state.judge();
        state
    }

    /// The board part of the position string.
    pub fn board(&self) -> String {
        let mut lines = Vec::new();
        for y in (1..=15).rev() {
            let (mut line, mut free) = (String::new(), 0);
            for x in 1..=9 {
                let cell = match self.field.pieces.get(&(x, y)) {
                    _ if !exists((x, y)) => "*".to_owned(),
                    Some(piece) => {
                        let plus = if self.field.ball == (x, y) { "+" } else { "" };
                        let letter = if piece.white { piece.kind } else { piece.kind.to_ascii_lowercase() };
                        format!("{plus}{letter}")
                    }
                    None if self.field.ball == (x, y) => "o".to_owned(),
                    None => {
                        free += 1;
                        continue;
                    }
                };
                if free > 0 {
                    line += &free.to_string();
                    free = 0;
                }
                line += &cell;
            }
            if free > 0 {
                line += &free.to_string();
            }
            lines.push(line);
        }
        lines.join("/")
    }

    fn judge(&self) -> bool {
        let player = self.white_moves;
        self.red_card && (self.field.ball_blocked(player) || self.field.cluster(player))
    }

    /// Every step by R12, R11 left aside.
    pub fn raw_steps(&self) -> Vec<String> {
        let mut steps = Vec::new();
        if self.winner.is_some() || self.left == 0 {
            return steps;
        }
        let squares = all_squares();
        for (&from, &piece) in &self.field.pieces {
            if piece.white != self.white_moves {
                if self.penalty && piece.kind != 'M' {
                    steps.push(format!("X@{}", name(from)));
                }
                continue;
            }
            let has_ball = self.field.ball == from;
            for &to in &squares {
                if self.field.goes(piece, from, to) && self.field.may_enter(piece.white, to) {
                    steps.push(format!("{}{}", name(from), name(to)));
                    if has_ball && piece.kind != 'M' {
                        steps.push(format!("{}{}-", name(from), name(to)));
                    }
                }
                if has_ball && Field::shoots(piece, from, to) {
                    if self.field.pieces.get(&to).is_none_or(|hit| hit.kind != 'M') {
                        steps.push(format!("O@{}", name(to)));
                        continue;
                    }
                    for &last in &squares {
                        let in_a_goal = goal_of(true, last) || goal_of(false, last);
                        if straight(to, last) && !in_a_goal {
                            steps.push(format!("O@{},O@{}", name(to), name(last)));
                        }
                    }
                }
            }
        }
        steps
    }

    fn may_stop(&self) -> bool {
        self.winner.is_none() && self.used > 0 && self.field != self.start
    }

    /// The turn can be ended legally from here, in the middle of it.
    fn can_end(&self) -> bool {
        self.winner.is_some()
            || self.may_stop()
            || self.raw_steps().iter().any(|step| self.after_step(step).can_end())
    }

    /// The legal decisions, `.` for stopping.
    pub fn decisions(&self) -> Vec<String> {
        let mut list = self.raw_steps();
        list.retain(|step| self.after_step(step).can_end());
        if self.may_stop() {
            list.push(".".to_owned());
        }
        list.sort();
        list
    }

    /// The state after a step; the turn is not ended.
    pub fn after_step(&self, step: &str) -> Self {
        let mut next = self.clone();
        let player = self.white_moves;
        if let Some(at) = step.strip_prefix("X@") {
            next.field.pieces.remove(&square(at));
            next.penalty = false;
        } else if step.starts_with("O@") {
            let last = step.rsplit("O@").next().unwrap();
            next.field.ball = square(last);
        } else {
            let leaves = step.ends_with('-');
            let step = step.trim_end_matches('-');
            let half = 1 + step[1..].find(|c: char| c.is_ascii_lowercase()).unwrap();
            let (from, to) = (square(&step[..half]), square(&step[half..]));
            let piece = next.field.pieces.remove(&from).unwrap();
            next.field.pieces.insert(to, piece);
            if next.field.ball == from && !leaves {
                next.field.ball = to;
            }
        }
        next.used += 1;
        next.left -= 1;
        if goal_of(!player, next.field.ball) {
            next.winner = Some(player);
        } else if goal_of(player, next.field.ball) {
            next.winner = Some(!player);
        }
        next
    }

    /// Carries out a legal decision. A turn ends with a goal, with its last step, and when only stopping is
    /// left.
    pub fn apply(&mut self, decision: &str) {
        if decision != "." {
            *self = self.after_step(decision);
        }
        let over = self.winner.is_some();
        if over || decision == "." || self.left == 0 || self.decisions() == ["."] {
            self.white_moves = !self.white_moves;
            self.start = self.field.clone();
            (self.used, self.left) = (0, 4);
            self.penalty = !over && self.judge();
        }
    }

    /// Sequences of exactly `count` steps, R11 left aside.
    pub fn sequences(&self, count: u32) -> u64 {
        match count {
            0 => 1,
            _ => self.raw_steps().iter().map(|step| self.after_step(step).sequences(count - 1)).sum(),
        }
    }

    /// All fields in which the turn may end.
    pub fn results(&self, found: &mut BTreeSet<Field>) {
        if self.winner.is_some() || self.may_stop() {
            found.insert(self.field.clone());
        }
        for step in self.raw_steps() {
            self.after_step(&step).results(found);
        }
    }
}
