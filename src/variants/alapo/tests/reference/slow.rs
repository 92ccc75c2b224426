//! Alapo 8x8 and its demotion game a second time, written from the rule text with no regard for speed:
//! squares in an array, moves by walking, all earlier positions remembered as text. Shares nothing with
//! `src/variants`.

use std::collections::HashMap;

/// File and row, both from 0.
type Square = (i32, i32);

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Plain {
    pub demotion: bool,
    /// By row, then file; `.` for a free square.
    board: [[char; 8]; 8],
    files: i32,
    rows: i32,
    white: bool,
    /// The square of the piece White, then Black, moved last.
    last: [Option<Square>; 2],
    quiet: u32,
    number: u32,
    /// How often each position has stood since the last capture or removal (R15, R16).
    stood: HashMap<String, u32>,
    /// Did White win, and by which rule.
    pub over: Option<(bool, &'static str)>,
    /// Removals so far: by repetition, by the counter.
    pub removals: (u32, u32),
}

const STRAIGHT: [Square; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const SLANTED: [Square; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

fn name((file, row): Square) -> String {
    format!("{}{}", (b'a' + file as u8) as char, row + 1)
}

fn square(name: &str) -> Square {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

fn is_white(piece: char) -> bool {
    piece.is_ascii_uppercase()
}

fn is_large(piece: char) -> bool {
    "RBQL".contains(piece.to_ascii_uppercase())
}

fn small_of(piece: char) -> char {
    match piece {
        'R' => 'W',
        'B' => 'F',
        'Q' => 'K',
        'L' => 'S',
        'r' => 'w',
        'b' => 'f',
        'q' => 'k',
        'l' => 's',
        other => panic!("{other} is not large"),
    }
}

/// R2: the directions a piece goes in.
fn directions(piece: char) -> Vec<Square> {
    let forward = if is_white(piece) { (0, 1) } else { (0, -1) };
    match piece.to_ascii_uppercase() {
        'R' | 'W' => STRAIGHT.to_vec(),
        'B' | 'F' => SLANTED.to_vec(),
        'Q' | 'K' => [STRAIGHT, SLANTED].concat(),
        'L' | 'S' => [SLANTED.to_vec(), vec![forward]].concat(),
        other => panic!("no piece {other}"),
    }
}

impl Plain {
    /// From a position in our text form; all fields given.
    pub fn new(text: &str, demotion: bool) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut board = [['.'; 8]; 8];
        let (mut files, rows) = (0, fields[0].split('/').count());
        for (from_top, rank) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in rank.chars() {
                match letter.to_digit(10) {
                    Some(free) => file += free as usize,
                    None => {
                        board[rows - 1 - from_top][file] = letter;
                        file += 1;
                    }
                }
            }
            files = file as i32;
        }
        let mark = |field: &str| (field != "-").then(|| square(field));
        let mut game = Self {
            demotion,
            board,
            files,
            rows: rows as i32,
            white: fields[1] == "w",
            last: [mark(fields[2]), mark(fields[3])],
            quiet: fields[4].parse().unwrap(),
            number: fields[5].parse().unwrap(),
            stood: HashMap::new(),
            over: None,
            removals: (0, 0),
        };
        game.stood.insert(game.pieces_and_side(), 1);
        game
    }

    fn inside(&self, (file, row): Square) -> bool {
        (0..self.files).contains(&file) && (0..self.rows).contains(&row)
    }

    fn last_row(&self, white: bool) -> i32 {
        if white { self.rows - 1 } else { 0 }
    }

    fn at(&self, (file, row): Square) -> char {
        self.board[row as usize][file as usize]
    }

    fn put(&mut self, (file, row): Square, piece: char) {
        self.board[row as usize][file as usize] = piece;
    }

    fn squares() -> impl Iterator<Item = Square> {
        (0..64).map(|i| (i % 8, i / 8))
    }

    fn pieces(&self, white: bool) -> Vec<Square> {
        Self::squares().filter(|&s| self.at(s) != '.' && is_white(self.at(s)) == white).collect()
    }

    fn small_pieces(&self, white: bool) -> usize {
        self.pieces(white).into_iter().filter(|&s| !is_large(self.at(s))).count()
    }

    /// Where the piece on `from` may go (R3).
    fn reached(&self, from: Square) -> Vec<Square> {
        let piece = self.at(from);
        let mut reached = Vec::new();
        for (file_step, row_step) in directions(piece) {
            let mut to = from;
            loop {
                to = (to.0 + file_step, to.1 + row_step);
                if !self.inside(to) {
                    break;
                }
                let there = self.at(to);
                if there == '.' || is_white(there) != is_white(piece) {
                    reached.push(to);
                }
                if there != '.' || !is_large(piece) {
                    break;
                }
            }
        }
        reached
    }

    /// Every move and demotion of the side to move as text, sorted. None when the game is over.
    pub fn moves(&self) -> Vec<String> {
        if self.over.is_some() {
            return Vec::new();
        }
        let mut words = Vec::new();
        for from in self.pieces(self.white) {
            for to in self.reached(from) {
                words.push(name(from) + &name(to));
            }
            // R20
            let near = if self.white { from.1 <= 1 } else { from.1 >= self.rows - 2 };
            if self.demotion && near && is_large(self.at(from)) {
                let small = small_of(self.at(from)).to_ascii_uppercase();
                words.push(format!("{small}@{}", name(from)));
            }
        }
        words.sort();
        words
    }

    fn can_be_captured(&self, target: Square) -> bool {
        let owner = is_white(self.at(target));
        self.pieces(!owner).into_iter().any(|from| self.reached(from).contains(&target))
    }

    fn pieces_and_side(&self) -> String {
        let pieces: String = Self::squares().map(|s| self.at(s)).collect();
        pieces + if self.white { "w" } else { "b" }
    }

    /// Carries out one of [`Self::moves`] and everything that follows from it.
    pub fn play(&mut self, word: &str) {
        let (x, y) = (self.white, !self.white);
        let runner_of_y = |game: &Self| game.pieces(y).into_iter().any(|s| s.1 == game.last_row(y));
        let mut captured = false;
        let to;
        if let Some((_, place)) = word.split_once('@') {
            to = square(place);
            self.put(to, small_of(self.at(to)));
        } else {
            let from = square(&word[..2]);
            to = square(&word[2..]);
            captured = self.at(to) != '.';
            self.put(to, self.at(from));
            self.put(from, '.');
        }
        let mover = usize::from(!x);
        self.last[mover] = Some(to);
        if captured && self.last[1 - mover] == Some(to) {
            self.last[1 - mover] = None;
        }
        self.white = y;
        self.number += u32::from(!x);
        self.quiet = if captured { 0 } else { self.quiet + 1 };
        if captured {
            self.stood.clear();
        }
        let times = self.stood.entry(self.pieces_and_side()).or_insert(0);
        *times += 1;
        let (third, hundredth) = (*times == 3, self.quiet == 100);

        if self.demotion {
            // R25, tests 1 and 2.
            if to.1 == self.last_row(x) && !is_large(self.at(to)) {
                return self.over = Some((x, "R21"));
            }
            if self.small_pieces(y) == 0 {
                return self.over = Some((x, "R22"));
            }
        } else {
            // Section 5, tests 1 to 3.
            if runner_of_y(self) {
                return self.over = Some((y, "R6"));
            }
            if self.pieces(y).is_empty() {
                return self.over = Some((x, "R10"));
            }
            if to.1 == self.last_row(x) && !self.can_be_captured(to) {
                return self.over = Some((x, "R6"));
            }
        }
        if third || hundredth {
            self.removals.0 += u32::from(third);
            self.removals.1 += u32::from(hundredth);
            for last in self.last.into_iter().flatten() {
                self.put(last, '.');
            }
            self.last = [None, None];
            self.quiet = 0;
            self.stood.clear();
            self.stood.insert(self.pieces_and_side(), 1);
            let left = |white: bool| {
                if self.demotion { self.small_pieces(white) } else { self.pieces(white).len() }
            };
            let rule = if self.demotion { "R24" } else { "R14" };
            if left(x) == 0 {
                // Alone or together with Y: X completed the condition.
                return self.over = Some((y, rule));
            }
            if left(y) == 0 {
                return self.over = Some((x, rule));
            }
        }
        if self.moves().is_empty() {
            self.over = Some((x, "R11"));
        }
    }

    /// The canonical text of the position.
    pub fn text(&self) -> String {
        let mut ranks = Vec::new();
        for row in (0..self.rows).rev() {
            let mut rank = String::new();
            let mut free = 0;
            for file in 0..self.files {
                let piece = self.at((file, row));
                if piece == '.' {
                    free += 1;
                    continue;
                }
                if free > 0 {
                    rank += &free.to_string();
                }
                free = 0;
                rank.push(piece);
            }
            if free > 0 {
                rank += &free.to_string();
            }
            ranks.push(rank);
        }
        let mark = |last: Option<Square>| last.map_or("-".to_owned(), name);
        format!(
            "{} {} {} {} {} {}",
            ranks.join("/"),
            if self.white { "w" } else { "b" },
            mark(self.last[0]),
            mark(self.last[1]),
            self.quiet,
            self.number
        )
    }

    /// The number of sequences of `depth` moves.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let below = |word: String| {
            let mut next = self.clone();
            // Counting knows no history.
            next.stood.clear();
            next.play(&word);
            next.perft(depth - 1)
        };
        self.moves().into_iter().map(below).sum()
    }
}
