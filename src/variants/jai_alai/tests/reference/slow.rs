//! Jai-Alai once more, slowly: letters on a plain board, moves by walking, attacks by asking every enemy
//! piece what it could take. Written from the rule text alone; shares nothing with `src/variants`.

/// A position on a plain board.
#[derive(Clone)]
pub struct Plain {
    /// `board[rank][file]`, both from 0; capitals are White's.
    board: [[Option<char>; 9]; 8],
    white_to_move: bool,
    white_hand: usize,
    black_hand: usize,
    quiet: usize,
    number: usize,
    /// First legs of a rebound may have no length.
    at_once: bool,
}

/// How things stand before a turn.
pub enum Verdict {
    Open,
    TooFew { white_wins: bool },
    Mate { white_wins: bool },
    Stalemate,
    Quiet,
}

type Square = (i32, i32);

/// What a piece does: where it goes, and the square of the piece it removes, if any.
#[derive(Clone, PartialEq, Eq)]
struct Deed {
    to: Square,
    victim: Option<Square>,
}

const ROOK: [Square; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: [Square; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn all_eight() -> impl Iterator<Item = Square> {
    ROOK.into_iter().chain(BISHOP)
}

fn plus(square: Square, step: Square) -> Square {
    (square.0 + step.0, square.1 + step.1)
}

fn on_board(square: Square) -> bool {
    (0..9).contains(&square.0) && (0..8).contains(&square.1)
}

fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|rank| (0..9).map(move |file| (file, rank)))
}

fn touching(a: Square, b: Square) -> bool {
    a != b && (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1
}

fn named(square: Square) -> String {
    let file = char::from(b"abcdefghi"[usize::try_from(square.0).unwrap()]);
    format!("{file}{}", square.1 + 1)
}

impl Plain {
    pub fn read(text: &str, at_once: bool) -> Self {
        let (board_text, rest) = text.split_once('[').unwrap();
        let (hand, rest) = rest.split_once(']').unwrap();
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let mut board = [[None; 9]; 8];
        for (from_top, row) in board_text.split('/').enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(free) => file += free as usize,
                    None => {
                        board[7 - from_top][file] = Some(letter);
                        file += 1;
                    }
                }
            }
        }
        Self {
            board,
            white_to_move: fields[0] == "w",
            white_hand: hand.matches('T').count(),
            black_hand: hand.matches('t').count(),
            quiet: fields[1].parse().unwrap(),
            number: fields[2].parse().unwrap(),
            at_once,
        }
    }

    pub fn write(&self) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut free = 0;
            for file in 0..9 {
                match self.board[rank][file] {
                    None => free += 1,
                    Some(letter) => {
                        if free > 0 {
                            text += &free.to_string();
                        }
                        free = 0;
                        text.push(letter);
                    }
                }
            }
            if free > 0 {
                text += &free.to_string();
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let hand = "T".repeat(self.white_hand) + &"t".repeat(self.black_hand);
        let side = if self.white_to_move { 'w' } else { 'b' };
        format!("{text}[{hand}] {side} {} {}", self.quiet, self.number)
    }

    fn piece(&self, square: Square) -> Option<char> {
        if !on_board(square) {
            return None;
        }
        self.board[usize::try_from(square.1).unwrap()][usize::try_from(square.0).unwrap()]
    }

    fn set(&mut self, square: Square, piece: Option<char>) {
        self.board[usize::try_from(square.1).unwrap()][usize::try_from(square.0).unwrap()] = piece;
    }

    fn free(&self, square: Square) -> bool {
        on_board(square) && self.piece(square).is_none()
    }

    fn belongs(&self, square: Square, white: bool) -> bool {
        self.piece(square).is_some_and(|piece| piece.is_ascii_uppercase() == white)
    }

    fn is(&self, square: Square, kind: char, white: bool) -> bool {
        self.belongs(square, white) && self.piece(square).unwrap().to_ascii_uppercase() == kind
    }

    /// An enemy Reducer touches it and no own one does (R50). The immune are asked nowhere.
    fn reduced(&self, square: Square, white: bool) -> bool {
        let touched_by = |side| squares().any(|other| touching(square, other) && self.is(other, 'R', side));
        touched_by(!white) && !touched_by(white)
    }

    /// All that the piece on `square` could do if its own King did not matter.
    fn deeds(&self, square: Square) -> Vec<Deed> {
        let piece = self.piece(square).unwrap();
        let white = piece.is_ascii_uppercase();
        let reduced = self.reduced(square, white);
        let mut deeds = Vec::new();
        match piece.to_ascii_uppercase() {
            'K' => {
                for to in all_eight().map(|step| plus(square, step)) {
                    let forbidden = self.is(to, 'T', !white);
                    if on_board(to) && !forbidden {
                        deeds.push(self.displace(to));
                    }
                }
            }
            'G' => {
                for to in all_eight().map(|step| plus(square, step)) {
                    if on_board(to) && !self.is(to, 'K', white) {
                        deeds.push(self.displace(to));
                    }
                }
            }
            'S' => {
                self.rebounding(square, white, &ROOK, &mut deeds);
                self.single_steps(square, &BISHOP, &mut deeds);
            }
            'B' if reduced => self.single_steps(square, &ROOK, &mut deeds),
            'B' => self.rebounding(square, white, &ROOK, &mut deeds),
            'D' if reduced => {
                self.single_steps(square, &ROOK, &mut deeds);
                self.single_steps(square, &BISHOP, &mut deeds);
            }
            'D' => {
                self.rebounding(square, white, &BISHOP, &mut deeds);
                self.single_steps(square, &ROOK, &mut deeds);
            }
            'A' => {
                for step in all_eight() {
                    let mut to = plus(square, step);
                    while self.free(to) {
                        deeds.push(Deed { to, victim: None });
                        let beyond = plus(to, step);
                        if self.belongs(beyond, !white) && !self.is(beyond, 'R', !white) {
                            deeds.push(Deed { to, victim: Some(beyond) });
                        }
                        if reduced {
                            break;
                        }
                        to = plus(to, step);
                    }
                }
            }
            'R' => {
                for step in all_eight() {
                    let mut to = plus(square, step);
                    while self.free(to) {
                        deeds.push(Deed { to, victim: None });
                        if reduced {
                            break;
                        }
                        to = plus(to, step);
                    }
                }
            }
            'M' => self.apprentice(square, white, reduced, &mut deeds),
            'P' => self.boy(square, white, reduced, &mut deeds),
            'T' => {}
            other => panic!("{other} is no piece"),
        }
        deeds
    }

    fn displace(&self, to: Square) -> Deed {
        Deed { to, victim: self.piece(to).map(|_| to) }
    }

    fn single_steps(&self, square: Square, steps: &[Square], deeds: &mut Vec<Deed>) {
        for to in steps.iter().map(|step| plus(square, *step)) {
            if self.free(to) {
                deeds.push(Deed { to, victim: None });
            }
        }
    }

    /// Slides, and the second legs after a rebound (R16, R17).
    fn rebounding(&self, square: Square, white: bool, lines: &[Square; 4], deeds: &mut Vec<Deed>) {
        let superball = self.is(square, 'S', white);
        for &first in lines {
            let mut length = 0;
            let mut at = square;
            while self.free(plus(at, first)) {
                at = plus(at, first);
                length += 1;
                deeds.push(Deed { to: at, victim: None });
            }
            let wall = plus(at, first);
            let rebounds = if superball { self.piece(wall).is_some() } else { self.belongs(wall, white) };
            if !rebounds || (length == 0 && !self.at_once) {
                continue;
            }
            for &second in lines {
                // A right angle.
                if second.0 * first.0 + second.1 * first.1 != 0 {
                    continue;
                }
                let mut to = plus(at, second);
                while self.free(to) {
                    deeds.push(Deed { to, victim: None });
                    to = plus(to, second);
                }
                if self.belongs(to, !white) && (superball || !self.is(to, 'R', !white)) {
                    deeds.push(Deed { to, victim: Some(to) });
                }
            }
        }
    }

    /// One square diagonally, then up to two outward (R30).
    fn apprentice(&self, square: Square, white: bool, reduced: bool, deeds: &mut Vec<Deed>) {
        for diagonal in BISHOP {
            let corner = plus(square, diagonal);
            if self.belongs(corner, !white) && !self.is(corner, 'R', !white) {
                deeds.push(Deed { to: corner, victim: Some(corner) });
            }
            if !self.free(corner) {
                continue;
            }
            deeds.push(Deed { to: corner, victim: None });
            if reduced {
                continue;
            }
            for onward in [(diagonal.0, 0), (0, diagonal.1)] {
                let mut to = corner;
                for _ in 0..2 {
                    to = plus(to, onward);
                    if self.belongs(to, !white) {
                        let adjacent_reducer = self.is(to, 'R', !white) && touching(to, square);
                        if !adjacent_reducer {
                            deeds.push(Deed { to, victim: Some(to) });
                        }
                    }
                    if !self.free(to) {
                        break;
                    }
                    deeds.push(Deed { to, victim: None });
                }
            }
        }
    }

    fn boy(&self, square: Square, white: bool, reduced: bool, deeds: &mut Vec<Deed>) {
        let forward = if white { 1 } else { -1 };
        for step in [(0, forward), (1, forward), (-1, forward), (1, 0), (-1, 0)] {
            let to = plus(square, step);
            if self.free(to) {
                deeds.push(Deed { to, victim: None });
            }
            let diagonal = step.0 != 0 && step.1 != 0;
            if diagonal && self.belongs(to, !white) && !self.is(to, 'R', !white) {
                deeds.push(Deed { to, victim: Some(to) });
            }
        }
        let third_rank = if white { 2 } else { 5 };
        let (one, two) = (plus(square, (0, forward)), plus(square, (0, 2 * forward)));
        if square.1 == third_rank && !reduced && self.free(one) && self.free(two) {
            deeds.push(Deed { to: two, victim: None });
        }
    }

    /// True when an enemy piece could capture the King (R70).
    pub fn attacked(&self, white: bool) -> bool {
        let king = squares().find(|square| self.is(*square, 'K', white)).unwrap();
        squares()
            .filter(|square| self.belongs(*square, !white))
            .any(|square| self.deeds(square).iter().any(|deed| deed.victim == Some(king)))
    }

    /// R73.
    fn owned(&self, white: bool) -> usize {
        let in_hand = if white { self.white_hand } else { self.black_hand };
        squares().filter(|square| self.belongs(*square, white)).count() + in_hand
    }

    /// R78.
    pub fn is_refused(&self) -> bool {
        self.owned(true) <= 2 || self.owned(false) <= 2 || self.attacked(!self.white_to_move)
    }

    fn done(&self, from: Option<Square>, deed: &Deed) -> Self {
        let mut after = self.clone();
        let white = self.white_to_move;
        after.quiet += 1;
        if let Some(victim) = deed.victim {
            after.set(victim, None);
            after.quiet = 0;
        }
        match from {
            None => {
                after.set(deed.to, Some(if white { 'T' } else { 't' }));
                *(if white { &mut after.white_hand } else { &mut after.black_hand }) -= 1;
                after.quiet = 0;
            }
            Some(from) => {
                let mut piece = self.piece(from).unwrap();
                if piece.eq_ignore_ascii_case(&'P') {
                    after.quiet = 0;
                    if deed.to.1 == if white { 7 } else { 0 } {
                        piece = if white { 'S' } else { 's' };
                    }
                }
                after.set(from, None);
                after.set(deed.to, Some(piece));
            }
        }
        after.white_to_move = !white;
        after.number += usize::from(!white);
        after
    }

    /// The legal turns as tokens, each once, with the position after it.
    pub fn turns(&self) -> Vec<(String, Self)> {
        let white = self.white_to_move;
        let mut turns: Vec<(String, Self)> = Vec::new();
        let mut add = |token: String, after: Self| {
            if !after.attacked(white) && turns.iter().all(|(known, _)| *known != token) {
                turns.push((token, after));
            }
        };
        for from in squares().filter(|square| self.belongs(*square, white)) {
            for deed in self.deeds(from) {
                // A Deer names its victim first, then where it stops.
                let token = match deed.victim {
                    Some(victim) if victim != deed.to => {
                        format!("{}{},{}{}", named(from), named(victim), named(victim), named(deed.to))
                    }
                    _ => format!("{}{}", named(from), named(deed.to)),
                };
                add(token, self.done(Some(from), &deed));
            }
        }
        let in_hand = if white { self.white_hand } else { self.black_hand };
        if in_hand > 0 {
            for to in squares().filter(|square| self.free(*square)) {
                add(format!("T@{}", named(to)), self.done(None, &Deed { to, victim: None }));
            }
        }
        turns
    }

    /// The tests of section 7, in their order.
    pub fn verdict(&self) -> Verdict {
        for white in [true, false] {
            if self.owned(white) <= 2 {
                return Verdict::TooFew { white_wins: !white };
            }
        }
        if self.turns().is_empty() {
            return if self.attacked(self.white_to_move) {
                Verdict::Mate { white_wins: !self.white_to_move }
            } else {
                Verdict::Stalemate
            };
        }
        if self.quiet >= 100 { Verdict::Quiet } else { Verdict::Open }
    }
}
