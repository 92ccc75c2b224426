//! The rules of Dice Chess once more, slow and plain: written from the page, not from the program.

use std::collections::{BTreeMap, BTreeSet};

/// File and rank, from 0.
type Square = (i32, i32);

/// A position, with the dice that are left.
#[derive(Clone)]
pub struct Slow {
    pub pieces: BTreeMap<Square, char>,
    pub white: bool,
    pub castling: String,
    /// What can be captured en passant: the square passed, and where the pawn stands.
    pub passed: BTreeSet<(Square, Square)>,
    pub clock: u32,
    pub number: u32,
    /// `PNBRQK`, a letter a die.
    pub dice: Vec<char>,
    /// The complete turns that may still follow, as lists of moves; empty between turns.
    pub turns: Vec<Vec<String>>,
    pub over: Option<(&'static str, Option<bool>)>,
}

fn name((file, rank): Square) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

pub fn square(text: &str) -> Square {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

impl Slow {
    pub fn start() -> Self {
        let mut pieces = BTreeMap::new();
        for (file, piece) in "RNBQKBNR".chars().enumerate() {
            let file = file as i32;
            pieces.insert((file, 0), piece);
            pieces.insert((file, 1), 'P');
            pieces.insert((file, 6), 'p');
            pieces.insert((file, 7), piece.to_ascii_lowercase());
        }
        Self {
            pieces,
            white: true,
            castling: "KQkq".into(),
            passed: BTreeSet::new(),
            clock: 0,
            number: 1,
            dice: Vec::new(),
            turns: Vec::new(),
            over: None,
        }
    }

    /// The position that `text` describes, whose dice, if there are any, have just been rolled.
    pub fn read(text: &str) -> Self {
        let fields: Vec<_> = text.split(' ').collect();
        let mut pieces = BTreeMap::new();
        for (rank, row) in fields[0].split('/').rev().enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as i32,
                    None => {
                        pieces.insert((file, rank as i32), letter);
                        file += 1;
                    }
                }
            }
        }
        let white = fields[1] == "w";
        let squares = fields[3].as_bytes().chunks(2).filter(|name| name.len() == 2);
        let passed = squares.map(|name| {
            let at = square(std::str::from_utf8(name).unwrap());
            (at, (at.0, if at.1 == 2 { 3 } else { 4 }))
        });
        let dice = fields.get(6).map(|dice| dice.to_ascii_uppercase().chars().collect());
        let mut slow = Self {
            pieces,
            white,
            castling: fields[2].replace('-', ""),
            passed: passed.collect(),
            clock: fields[4].parse().unwrap(),
            number: fields[5].parse().unwrap(),
            dice: dice.unwrap_or_default(),
            turns: Vec::new(),
            over: None,
        };
        if slow.clock >= 100 && slow.dice.is_empty() {
            slow.over = Some(("O2", None));
        }
        slow.turns = slow.legal_turns();
        slow
    }

    /// What may be decided, as it stands in a list of turns: with a comma where the turn goes on.
    pub fn decisions(&self) -> BTreeSet<String> {
        if self.over.is_some() {
            return BTreeSet::new();
        }
        if self.dice.is_empty() {
            let ordered = (1..=6).flat_map(|a| (a..=6).flat_map(move |b| (b..=6).map(move |c| (a, b, c))));
            return ordered.map(|(a, b, c)| format!("={a}{b}{c},")).collect();
        }
        let goes_on = |step: &String| self.turns.iter().any(|turn| turn[0] == *step && turn.len() > 1);
        self.next().into_iter().map(|step| if goes_on(&step) { step + "," } else { step }).collect()
    }

    /// Complete turns, each sequence of moves once, over all 56 rolls; a turn that passes is one.
    pub fn count_turns(&self) -> usize {
        let turns = |roll: &String| {
            let mut rolled = self.clone();
            rolled.roll(&roll[1..4]);
            rolled.turns.len().max(1)
        };
        self.decisions().iter().map(turns).sum()
    }

    fn is_own(&self, piece: char) -> bool {
        piece.is_ascii_uppercase() == self.white
    }

    /// Squares along a line, until something stands there.
    fn slide(&self, from: Square, ways: &[Square], far: bool) -> Vec<Square> {
        let mut found = Vec::new();
        for way in ways {
            let mut at = (from.0 + way.0, from.1 + way.1);
            while (0..8).contains(&at.0) && (0..8).contains(&at.1) {
                match self.pieces.get(&at) {
                    Some(&piece) if self.is_own(piece) => break,
                    Some(_) => {
                        found.push(at);
                        break;
                    }
                    None => found.push(at),
                }
                if !far {
                    break;
                }
                at = (at.0 + way.0, at.1 + way.1);
            }
        }
        found
    }

    fn pawn(&self, from: Square) -> Vec<Square> {
        let up = if self.white { 1 } else { -1 };
        let home = if self.white { 1 } else { 6 };
        let mut found = Vec::new();
        let one = (from.0, from.1 + up);
        if !self.pieces.contains_key(&one) {
            found.push(one);
            let two = (from.0, from.1 + 2 * up);
            if from.1 == home && !self.pieces.contains_key(&two) {
                found.push(two);
            }
        }
        for side in [-1, 1] {
            let at = (from.0 + side, from.1 + up);
            let enemy = self.pieces.get(&at).is_some_and(|&piece| !self.is_own(piece));
            let passed = self.passed.iter().any(|&(square, pawn)| square == at && pawn == (at.0, from.1));
            if enemy || passed && self.pieces.get(&(at.0, from.1)).is_some_and(|&pawn| !self.is_own(pawn)) {
                found.push(at);
            }
        }
        found
    }

    /// All moves for which there is a die (R3, R4, R8, R9), with the dice each uses.
    fn moves(&self) -> Vec<(String, usize)> {
        const STRAIGHT: [Square; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        const SLANTED: [Square; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
        const JUMPS: [Square; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        let all: Vec<_> = STRAIGHT.into_iter().chain(SLANTED).collect();
        let mut found = Vec::new();
        for (&from, &piece) in &self.pieces {
            let kind = piece.to_ascii_uppercase();
            if !self.is_own(piece) || !self.dice.contains(&kind) {
                continue;
            }
            let targets = match kind {
                'P' => self.pawn(from),
                'N' => self.slide(from, &JUMPS, false),
                'B' => self.slide(from, &SLANTED, true),
                'R' => self.slide(from, &STRAIGHT, true),
                'Q' => self.slide(from, &all, true),
                _ => self.slide(from, &all, false),
            };
            for to in targets {
                let text = name(from) + &name(to);
                let takes_king = self.pieces.get(&to).is_some_and(|piece| piece.eq_ignore_ascii_case(&'k'));
                if kind == 'P' && (to.1 == 0 || to.1 == 7) && !takes_king {
                    found.extend("qrbn".chars().map(|letter| (format!("{text}{letter}"), 1)));
                } else {
                    found.push((text, 1));
                }
            }
        }
        if self.dice.contains(&'K') && self.dice.contains(&'R') {
            let rank = if self.white { 0 } else { 7 };
            for (right, files, to) in [('K', vec![5, 6], 6), ('Q', vec![1, 2, 3], 2)] {
                let right = if self.white { right } else { right.to_ascii_lowercase() };
                if self.castling.contains(right)
                    && files.iter().all(|&file| !self.pieces.contains_key(&(file, rank)))
                {
                    found.push((name((4, rank)) + &name((to, rank)), 2));
                }
            }
        }
        found
    }

    fn lose_right(&mut self, at: Square) {
        let lost = match at {
            (4, 0) => "KQ",
            (0, 0) => "Q",
            (7, 0) => "K",
            (4, 7) => "kq",
            (0, 7) => "q",
            (7, 7) => "k",
            _ => "",
        };
        self.castling.retain(|right| !lost.contains(right));
    }

    /// Makes a move; the turn goes on. True when it takes the king.
    fn make(&mut self, text: &str) -> bool {
        let (from, to) = (square(&text[..2]), square(&text[2..4]));
        let piece = self.pieces.remove(&from).unwrap();
        let kind = piece.to_ascii_uppercase();
        let mut used = vec![kind];
        let taken = self.pieces.insert(to, piece);
        self.clock = if kind == 'P' || taken.is_some() { 0 } else { self.clock + 1 };
        if kind == 'P' && from.0 != to.0 && taken.is_none() {
            self.pieces.remove(&(to.0, from.1));
        }
        if let Some(letter) = text.chars().nth(4) {
            let letter = if self.white { letter.to_ascii_uppercase() } else { letter };
            self.pieces.insert(to, letter);
        }
        if kind == 'K' && (from.0 - to.0).abs() == 2 {
            let (corner, beside) = if to.0 == 6 { (7, 5) } else { (0, 3) };
            let rook = self.pieces.remove(&(corner, from.1)).unwrap();
            self.pieces.insert((beside, from.1), rook);
            used.push('R');
        }
        self.lose_right(from);
        self.lose_right(to);
        let pieces = self.pieces.clone();
        self.passed.retain(|(square, pawn)| {
            *pawn != from && *pawn != to && !pieces.contains_key(square) && pieces.contains_key(pawn)
        });
        if kind == 'P' && (from.1 - to.1).abs() == 2 {
            self.passed.insert(((from.0, (from.1 + to.1) / 2), to));
        }
        for die in used {
            let at = self.dice.iter().position(|&left| left == die).unwrap();
            self.dice.remove(at);
        }
        taken.is_some_and(|taken| taken.eq_ignore_ascii_case(&'k'))
    }

    /// All sequences of moves until no die can be used or the king is taken: moves, dice used, king taken.
    fn sequences(&self) -> Vec<(Vec<String>, usize, bool)> {
        let mut all = vec![(Vec::new(), 0, false)];
        for (text, cost) in self.moves() {
            let mut after = self.clone();
            if after.make(&text) {
                all.push((vec![text], cost, true));
                continue;
            }
            for (rest, used, takes) in after.sequences() {
                let mut line = vec![text.clone()];
                line.extend(rest);
                all.push((line, cost + used, takes));
            }
        }
        all
    }

    /// The turns that are legal with the dice that are left (R5, R6, O1).
    pub fn legal_turns(&self) -> Vec<Vec<String>> {
        let all = self.sequences();
        let most = all.iter().map(|(_, used, _)| *used).max().unwrap();
        let legal =
            all.into_iter().filter(|(line, used, takes)| !line.is_empty() && (*takes || *used == most));
        legal.map(|(line, ..)| line).collect()
    }

    /// The dice fall so: `125`.
    pub fn roll(&mut self, number: &str) {
        self.dice = number.bytes().map(|digit| b"PNBRQK"[usize::from(digit - b'1')] as char).collect();
        self.turns = self.legal_turns();
    }

    /// What may be played next.
    pub fn next(&self) -> BTreeSet<String> {
        if self.turns.is_empty() {
            return BTreeSet::from(["0000".to_owned()]);
        }
        self.turns.iter().map(|turn| turn[0].clone()).collect()
    }

    pub fn play(&mut self, text: &str) {
        if text == "0000" {
            self.clock += 1;
            return self.end_turn();
        }
        let won = self.make(text);
        self.turns.retain(|turn| turn[0] == text);
        self.turns.iter_mut().for_each(|turn| drop(turn.remove(0)));
        if won {
            self.over = Some(("R6", Some(self.white)));
            self.end_turn();
        } else if self.turns.iter().all(Vec::is_empty) {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        self.turns.clear();
        self.dice.clear();
        self.number += u32::from(!self.white);
        self.white = !self.white;
        // What the side to move has passed itself, in its last turn, is out of reach now.
        let own = if self.white { 2 } else { 5 };
        self.passed.retain(|((_, rank), _)| *rank != own);
        if self.clock >= 100 && self.over.is_none() {
            self.over = Some(("O2", None));
        }
    }

    pub fn text(&self) -> String {
        let mut board = Vec::new();
        for rank in (0..8).rev() {
            let mut row = String::new();
            for file in 0..8 {
                match (self.pieces.get(&(file, rank)), row.pop()) {
                    (None, Some(last @ '1'..='7')) => row.push((last as u8 + 1) as char),
                    (None, last) => {
                        row.extend(last);
                        row.push('1');
                    }
                    (Some(&piece), last) => {
                        row.extend(last);
                        row.push(piece);
                    }
                }
            }
            board.push(row);
        }
        let or_none = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let side = if self.white { "w" } else { "b" };
        let mut passed: Vec<_> = self.passed.iter().map(|(square, _)| name(*square)).collect();
        passed.sort();
        let mut text = format!(
            "{} {side} {} {} {} {}",
            board.join("/"),
            or_none(self.castling.clone()),
            or_none(passed.concat()),
            self.clock,
            self.number
        );
        if !self.dice.is_empty() {
            let mut dice = self.dice.clone();
            dice.sort_by_key(|&die| "PNBRQK".find(die));
            let dice: String = dice.into_iter().collect();
            text += &format!(" {}", if self.white { dice } else { dice.to_ascii_lowercase() });
        }
        text
    }
}
