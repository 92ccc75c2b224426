//! The squares and hands of USI and UCCI, and those of UCI.

use crate::base::order::sort_by_cached_key;

/// How squares are written on a board.
#[derive(Clone, Copy, Debug)]
pub struct Squares {
    /// As in USI; otherwise as in UCCI.
    pub is_usi: bool,
    /// The numbers of files and of ranks.
    pub size: [u32; 2],
}

/// The order in which USI writes the pieces of a hand.
const HAND: &str = "RBGSNLP";

impl Squares {
    /// A turn with the squares of the other side; what is none stays as it is.
    pub fn token(self, text: &str, to_uci: bool) -> String {
        let [between, instead] = if !self.is_usi {
            ["@", "@"]
        } else if to_uci {
            ["*", "@"]
        } else {
            ["@", "*"]
        };
        let turned = || {
            if let Some((piece, at)) = text.split_once(between) {
                let (at, rest) = self.square(at, to_uci)?;
                return rest.is_empty().then(|| format!("{piece}{instead}{at}"));
            }
            let (from, rest) = self.square(text, to_uci)?;
            let (to, rest) = self.square(rest, to_uci)?;
            let is_end =
                rest.len() <= 1 && rest.chars().all(|c| c.is_ascii_alphabetic() || "+-=".contains(c));
            is_end.then(|| format!("{from}{to}{rest}"))
        };
        turned().unwrap_or_else(|| text.to_owned())
    }

    /// The square at the beginning of `text`, written as on the other side, and what follows it.
    fn square<'a>(self, text: &'a str, to_uci: bool) -> Option<(String, &'a str)> {
        let [files, ranks] = self.size;
        let letters = |text: &'a str| {
            text.split_at_checked(1).filter(|(letter, _)| letter.bytes().all(|b| b.is_ascii_lowercase()))
        };
        let digits = |text: &'a str| {
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let (number, rest) = text.split_at(end);
            Some((number.parse::<u32>().ok()?, rest))
        };
        let index = |letter: &str| letter.bytes().next().map(|byte| u32::from(byte - b'a'));
        let letter = |number: u32| u8::try_from(number).ok().map(|number| char::from(b'a' + number));
        if self.is_usi && to_uci {
            // Files are counted from the right, ranks from the top.
            let (file, rest) = digits(text)?;
            let (rank, rest) = letters(rest)?;
            let (file, rank) = (
                files.checked_sub(file).filter(|_| file > 0)?,
                ranks.checked_sub(index(rank)?).filter(|rank| *rank > 0)?,
            );
            return Some((format!("{}{rank}", letter(file)?), rest));
        }
        let (file, rest) = letters(text)?;
        let (rank, rest) = digits(rest)?;
        let square = match (self.is_usi, to_uci) {
            (true, _) => {
                let file = files.checked_sub(index(file)?).filter(|file| *file > 0)?;
                format!("{file}{}", letter(ranks.checked_sub(rank)?)?)
            }
            (false, true) => format!("{file}{}", rank.checked_add(1)?),
            (false, false) => format!("{file}{}", rank.checked_sub(1)?),
        };
        Some((square, rest))
    }
}

/// `2Pp` as `PPp`.
pub fn hand_to_fen(hand: &str) -> String {
    let mut text = String::new();
    let mut number = 0;
    for c in hand.chars().filter(|c| *c != '-') {
        match c.to_digit(10) {
            Some(digit) => number = (number * 10 + digit as usize).min(99),
            None => {
                text.extend(std::iter::repeat_n(c, number.max(1)));
                number = 0;
            }
        }
    }
    text
}

/// `PPp` as `2Pp`: the first player's pieces first, the greatest first.
pub fn hand_from_fen(hand: &str) -> String {
    let mut pieces: Vec<char> = hand.chars().filter(char::is_ascii_alphabetic).collect();
    let place = |piece: char| HAND.find(piece.to_ascii_uppercase()).unwrap_or(HAND.len());
    sort_by_cached_key(&mut pieces, |piece| (piece.is_ascii_lowercase(), place(*piece), *piece));
    let mut text = String::new();
    for run in pieces.chunk_by(|one, other| one == other) {
        let number = if run.len() > 1 { run.len().to_string() } else { String::new() };
        text.push_str(&format!("{number}{}", run[0]));
    }
    if text.is_empty() { "-".to_owned() } else { text }
}
