//! Breakthrough written from the rule text alone: a map of pieces, no tables, no thought of speed.

use std::collections::BTreeMap;

/// Squares by file and row from 0, with the letter of the piece.
pub struct Plain {
    pieces: BTreeMap<(i8, i8), char>,
    files: i8,
    rows: i8,
    white: bool,
}

impl Plain {
    /// Of a position's text, board and side.
    pub fn new(text: &str) -> Self {
        let (board, rest) = text.split_once(' ').unwrap();
        let mut pieces = BTreeMap::new();
        let rows = board.split('/').count() as i8;
        let mut files = 0;
        for (row, line) in (0..rows).rev().zip(board.split('/')) {
            let mut file = 0;
            for letter in line.chars() {
                match letter.to_digit(10) {
                    Some(free) => file += free as i8,
                    None => {
                        pieces.insert((file, row), letter);
                        file += 1;
                    }
                }
            }
            files = file;
        }
        Self { pieces, files, rows, white: rest.starts_with('w') }
    }

    /// The rule that ended the game, and whether White has won.
    pub fn over(&self) -> Option<(&'static str, bool)> {
        let arrived =
            |letter, last| self.pieces.iter().any(|(&(_, row), &piece)| piece == letter && row == last);
        let gone = |letter| self.pieces.values().all(|&piece| piece != letter);
        match (arrived('P', self.rows - 1), arrived('p', 0), gone('p'), gone('P')) {
            (_, _, true, _) => Some(("R6", true)),
            (_, _, _, true) => Some(("R6", false)),
            (true, ..) => Some(("R5", true)),
            (_, true, ..) => Some(("R5", false)),
            _ => None,
        }
    }

    /// R3, R4: the legal moves in text, sorted.
    pub fn moves(&self) -> Vec<String> {
        let (own, up) = if self.white { ('P', 1) } else { ('p', -1) };
        let mut moves = Vec::new();
        for (&(file, row), _) in
            self.pieces.iter().filter(|&(_, &piece)| piece == own && self.over().is_none())
        {
            for aside in [-1, 0, 1] {
                let to = (file + aside, row + up);
                let inside = (0..self.files).contains(&to.0) && (0..self.rows).contains(&to.1);
                let free = match self.pieces.get(&to) {
                    None => true,
                    Some(&piece) => piece != own && aside != 0,
                };
                if inside && free {
                    moves.push(format!("{}{}", name((file, row)), name(to)));
                }
            }
        }
        moves.sort();
        moves
    }

    /// Carries out a move as [`Plain::moves`] writes it.
    pub fn play(&mut self, word: &str) {
        let at = |text: &str| ((text.as_bytes()[0] - b'a') as i8, (text.as_bytes()[1] - b'1') as i8);
        let piece = self.pieces.remove(&at(&word[..2])).unwrap();
        self.pieces.insert(at(&word[2..]), piece);
        self.white = !self.white;
    }
}

fn name((file, row): (i8, i8)) -> String {
    format!("{}{}", char::from(b'a' + file as u8), row + 1)
}
