//! Chess a second time, slowly: a mailbox, moves made by the book, and a look whether the king can then be
//! taken. Shares nothing with the library; positions go in and out as text.

/// A square: file and rank, 0 to 7.
type Square = (i32, i32);

const KNIGHT: [Square; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const ROOK: [Square; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: [Square; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

#[derive(Clone)]
pub struct Position {
    /// By rank, then file; a blank for an empty square, capitals for White.
    squares: [[char; 8]; 8],
    white_to_move: bool,
    /// Some of `KQkq`.
    castling: String,
    passed: Option<Square>,
    clock: u32,
    number: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    from: Square,
    to: Square,
    /// `q`, `r`, `b`, `n`.
    becomes: Option<char>,
}

fn name((file, rank): Square) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

/// The first field of a FEN; ranks and files counted from a1.
pub fn diagram(squares: &[[char; 8]; 8]) -> String {
    let mut rows = Vec::new();
    for rank in squares.iter().rev() {
        let mut row: String = rank.iter().collect();
        for blanks in (1..=8).rev() {
            row = row.replace(&" ".repeat(blanks), &blanks.to_string());
        }
        rows.push(row);
    }
    rows.join("/")
}

impl Move {
    pub fn text(&self) -> String {
        let promotion = self.becomes.map(String::from).unwrap_or_default();
        format!("{}{}{promotion}", name(self.from), name(self.to))
    }
}

impl Position {
    /// From a complete FEN.
    pub fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut squares = [[' '; 8]; 8];
        for (down, row) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                if let Some(blanks) = letter.to_digit(10) {
                    file += blanks as usize;
                } else {
                    squares[7 - down][file] = letter;
                    file += 1;
                }
            }
        }
        let passed = (fields[3] != "-").then(|| {
            let bytes = fields[3].as_bytes();
            (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
        });
        Self {
            squares,
            white_to_move: fields[1] == "w",
            castling: fields[2].replace('-', ""),
            passed,
            clock: fields[4].parse().unwrap(),
            number: fields[5].parse().unwrap(),
        }
    }

    /// As FEN. The en passant square is given only if such a capture is legal.
    pub fn text(&self) -> String {
        let side = if self.white_to_move { 'w' } else { 'b' };
        let castling = if self.castling.is_empty() { "-" } else { &self.castling };
        let in_passing = |m: &Move| self.at(m.from).eq_ignore_ascii_case(&'p') && Some(m.to) == self.passed;
        let passed = self.passed.filter(|_| self.legal().iter().any(in_passing));
        let passed = passed.map_or("-".to_owned(), name);
        format!("{} {side} {castling} {passed} {} {}", diagram(&self.squares), self.clock, self.number)
    }

    fn at(&self, (file, rank): Square) -> char {
        self.squares[rank as usize][file as usize]
    }

    fn put(&mut self, (file, rank): Square, piece: char) {
        self.squares[rank as usize][file as usize] = piece;
    }

    fn on_board((file, rank): Square) -> bool {
        (0..8).contains(&file) && (0..8).contains(&rank)
    }

    /// True when the piece belongs to the side to move.
    fn is_mine(&self, piece: char) -> bool {
        piece != ' ' && piece.is_ascii_uppercase() == self.white_to_move
    }

    fn is_theirs(&self, piece: char) -> bool {
        piece != ' ' && piece.is_ascii_uppercase() != self.white_to_move
    }

    /// All moves of the pieces, castling apart, with the safety of the king ignored.
    fn plain_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for rank in 0..8 {
            for file in 0..8 {
                let from = (file, rank);
                let piece = self.at(from);
                if !self.is_mine(piece) {
                    continue;
                }
                match piece.to_ascii_lowercase() {
                    'n' => self.walk(from, &KNIGHT, 1, &mut moves),
                    'k' => self.walk(from, &[ROOK, BISHOP].concat(), 1, &mut moves),
                    'r' => self.walk(from, &ROOK, 7, &mut moves),
                    'b' => self.walk(from, &BISHOP, 7, &mut moves),
                    'q' => self.walk(from, &[ROOK, BISHOP].concat(), 7, &mut moves),
                    _ => self.pawn(from, &mut moves),
                }
            }
        }
        moves
    }

    fn walk(&self, from: Square, ways: &[Square], most: i32, moves: &mut Vec<Move>) {
        for way in ways {
            for steps in 1..=most {
                let to = (from.0 + steps * way.0, from.1 + steps * way.1);
                if !Self::on_board(to) || self.is_mine(self.at(to)) {
                    break;
                }
                moves.push(Move { from, to, becomes: None });
                if self.at(to) != ' ' {
                    break;
                }
            }
        }
    }

    fn pawn(&self, from: Square, moves: &mut Vec<Move>) {
        let (forward, home, last) = if self.white_to_move { (1, 1, 7) } else { (-1, 6, 0) };
        let mut goals = Vec::new();
        let one = (from.0, from.1 + forward);
        if self.at(one) == ' ' {
            goals.push(one);
            let two = (from.0, from.1 + 2 * forward);
            if from.1 == home && self.at(two) == ' ' {
                goals.push(two);
            }
        }
        for side in [-1, 1] {
            let to = (from.0 + side, from.1 + forward);
            if Self::on_board(to) && (self.is_theirs(self.at(to)) || self.passed == Some(to)) {
                goals.push(to);
            }
        }
        for to in goals {
            if to.1 == last {
                for piece in ['q', 'r', 'b', 'n'] {
                    moves.push(Move { from, to, becomes: Some(piece) });
                }
            } else {
                moves.push(Move { from, to, becomes: None });
            }
        }
    }

    /// True when the other side, were it to move, could capture on `square` (where a piece of ours is
    /// imagined).
    fn is_attacked(&self, square: Square) -> bool {
        let mut other = self.clone();
        if other.at(square) == ' ' {
            other.put(square, if self.white_to_move { 'N' } else { 'n' });
        }
        other.white_to_move = !self.white_to_move;
        other.passed = None;
        other.plain_moves().iter().any(|m| m.to == square)
    }

    fn king(&self) -> Square {
        let king = if self.white_to_move { 'K' } else { 'k' };
        let squares = (0..64).map(|i| (i % 8, i / 8));
        squares.into_iter().find(|s| self.at(*s) == king).unwrap()
    }

    pub fn is_check(&self) -> bool {
        self.is_attacked(self.king())
    }

    fn castling_moves(&self) -> Vec<Move> {
        let rank = if self.white_to_move { 0 } else { 7 };
        let letters = if self.white_to_move { ['K', 'Q'] } else { ['k', 'q'] };
        let mut moves = Vec::new();
        for (letter, to, empty, safe) in
            [(letters[0], 6, vec![5, 6], vec![4, 5, 6]), (letters[1], 2, vec![1, 2, 3], vec![4, 3, 2])]
        {
            if self.castling.contains(letter)
                && empty.iter().all(|file| self.at((*file, rank)) == ' ')
                && safe.iter().all(|file| !self.is_attacked((*file, rank)))
            {
                moves.push(Move { from: (4, rank), to: (to, rank), becomes: None });
            }
        }
        moves
    }

    pub fn legal(&self) -> Vec<Move> {
        let mut moves = self.plain_moves();
        moves.retain(|m| {
            let mut after = self.play(m);
            after.white_to_move = self.white_to_move;
            !after.is_check()
        });
        moves.extend(self.castling_moves());
        moves
    }

    pub fn play(&self, m: &Move) -> Self {
        let mut after = self.clone();
        let piece = self.at(m.from);
        let is_pawn = piece.eq_ignore_ascii_case(&'p');
        let is_capture = self.at(m.to) != ' ';
        after.put(m.from, ' ');
        after.put(m.to, piece);
        if let Some(piece) = m.becomes {
            after.put(m.to, if self.white_to_move { piece.to_ascii_uppercase() } else { piece });
        }
        if is_pawn && Some(m.to) == self.passed {
            after.put((m.to.0, m.from.1), ' ');
        }
        if piece.eq_ignore_ascii_case(&'k') && (m.to.0 - m.from.0).abs() == 2 {
            let (corner, beside) = if m.to.0 == 6 { (7, 5) } else { (0, 3) };
            let rook = self.at((corner, m.from.1));
            after.put((corner, m.from.1), ' ');
            after.put((beside, m.from.1), rook);
        }
        for (square, lost) in
            [((4, 0), "KQ"), ((4, 7), "kq"), ((7, 0), "K"), ((0, 0), "Q"), ((7, 7), "k"), ((0, 7), "q")]
        {
            if m.from == square || m.to == square {
                after.castling.retain(|right| !lost.contains(right));
            }
        }
        let is_double = is_pawn && (m.to.1 - m.from.1).abs() == 2;
        after.passed = is_double.then_some((m.from.0, (m.from.1 + m.to.1) / 2));
        after.clock = if is_pawn || is_capture { 0 } else { self.clock + 1 };
        after.number += u32::from(!self.white_to_move);
        after.white_to_move = !self.white_to_move;
        after
    }
}
