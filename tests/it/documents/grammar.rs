//! The grammars of `protocol-docs/notation.md` and the parser say the same: what the ABNF makes is read, and what is
//! almost right is read exactly if the ABNF allows it, with the two limits that ABNF cannot say.

use crate::common::abnf::Grammar;
use carom::base::Rng;
use carom::notation::{parse_position, parse_token};
use std::collections::BTreeMap;

const DOCUMENT: &str = include_str!("../../../protocol-docs/notation.md");

/// Texts of each kind.
const TEXTS: usize = 2000;
/// Slips for each of them.
const SLIPS: usize = 4;

fn grammar() -> Grammar {
    let blocks = DOCUMENT.split("```abnf\n").skip(1).map(|block| block.split_once("```").unwrap().0);
    let text: String = blocks.collect();
    Grammar::read(&text)
}

/// What the document says in words about positions that its grammar allows: all ranks of one width, 16 files at most,
/// 99 pieces at most of neighbouring equal letters in hand.
fn keeps_the_limits(text: &str) -> bool {
    let board = text.trim_start_matches([' ', '\t']);
    let board = &board[..board.find([' ', '\t', '[']).unwrap_or(board.len())];
    let widths: Vec<usize> = board.split('/').map(width).collect();
    let hand = text.split([' ', '\t']).find(|word| !word.is_empty()).unwrap();
    let hand = hand.split_once('[').map_or("", |(_, hand)| hand.trim_end_matches(']'));
    widths[0] <= 16 && widths.iter().all(|width| *width == widths[0]) && most_of_a_kind(hand) <= 99
}

/// How many squares a rank has.
fn width(rank: &str) -> usize {
    let squares = rank.chars().filter(|c| c.is_ascii_alphabetic() || *c == '*').count();
    let numbers = rank.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    squares + numbers.map(|digits| digits.parse::<usize>().unwrap()).sum::<usize>()
}

fn most_of_a_kind(hand: &str) -> usize {
    let (mut most, mut total, mut number, mut before) = (0, 0, String::new(), None);
    for letter in hand.chars() {
        if letter.is_ascii_digit() {
            number.push(letter);
        } else {
            let count = number.parse().unwrap_or(1);
            total = if before == Some(letter) { total + count } else { count };
            most = most.max(total);
            before = Some(letter);
            number.clear();
        }
    }
    most
}

/// A text with one or two slips in it.
fn slip(text: &str, rng: &mut Rng) -> String {
    const LETTERS: &str = "aAbcdeEghpPqQtTzZ0123456789,,@@==++-?*//[]  \t\x0b\x00~é\u{661}";
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(2) {
        let at = rng.below(text.len() + 1);
        let with = *rng.pick(&letters).unwrap();
        match rng.below(6) {
            0 | 1 => text.insert(at, with),
            2 if at < text.len() => text[at] = with,
            3 if at + 1 < text.len() => text.swap(at, at + 1),
            4 => {
                // A piece of it once more.
                let end = (at + 1 + rng.below(6)).min(text.len());
                let piece: Vec<char> = text[at.min(end)..end].to_vec();
                text.splice(at..at, piece);
            }
            _ if at < text.len() => drop(text.remove(at)),
            _ => {}
        }
    }
    text.into_iter().collect()
}

/// Both verdicts on a token.
fn token(grammar: &Grammar, text: &str) -> (bool, bool) {
    (grammar.allows("token", text), parse_token(text).is_ok())
}

/// Both verdicts on a position.
fn position(grammar: &Grammar, text: &str) -> (bool, bool) {
    (grammar.allows("position", text) && keeps_the_limits(text), parse_position(text).is_ok())
}

/// Texts on which the two do not agree.
fn disagreements(
    grammar: &Grammar,
    texts: &[String],
    verdicts: fn(&Grammar, &str) -> (bool, bool),
) -> Vec<String> {
    let mut rng = Rng::new(7);
    let (mut good, mut bad, mut found) = (0, 0, Vec::new());
    for text in texts {
        for number in 0..=SLIPS {
            let text = if number == 0 { text.clone() } else { slip(text, &mut rng) };
            let (document, parser) = verdicts(grammar, &text);
            if document != parser {
                found.push(format!("`{text}`: document {document}, parser {parser}"));
            }
            if document { good += 1 } else { bad += 1 }
        }
    }
    // Else the slips would prove nothing.
    assert!(good > texts.len() && bad > texts.len(), "{good} good, {bad} bad");
    found
}

fn tokens(grammar: &Grammar) -> Vec<String> {
    let mut rng = Rng::new(1);
    (0..TEXTS).map(|_| grammar.make("token", &mut rng)).collect()
}

/// Positions made of the grammar's own parts, the ranks chosen so that their widths agree.
fn positions(grammar: &Grammar) -> Vec<String> {
    let mut rng = Rng::new(2);
    let mut ranks = BTreeMap::<usize, Vec<String>>::new();
    for _ in 0..10_000 {
        let rank = grammar.make("rank-row", &mut rng);
        ranks.entry(width(&rank)).or_default().push(rank);
    }
    assert!((1..=16).all(|width| ranks.contains_key(&width)));
    let mut texts = Vec::new();
    for number in 0..TEXTS {
        let of_width = &ranks[&(1 + number % 16)];
        let rows: Vec<_> = (0..=rng.below(17)).map(|_| rng.pick(of_width).unwrap().as_str()).collect();
        let hand = if rng.below(2) == 0 { grammar.make("hand", &mut rng) } else { String::new() };
        let mut text = rows.join("/") + &hand;
        for _ in 0..rng.below(6) {
            text += &" ".repeat(1 + rng.below(2));
            text += &grammar.make("field", &mut rng);
        }
        texts.push(text);
    }
    texts
}

#[test]
fn the_document_has_two_grammars() {
    assert_eq!(grammar().tops(), ["position", "token"]);
}

#[test]
fn tokens_of_the_grammar_are_read_and_written() {
    let grammar = grammar();
    for text in tokens(&grammar) {
        let token = parse_token(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let written = token.to_string();
        assert_eq!(parse_token(&written).as_ref(), Ok(&token), "{text}");
        assert!(grammar.allows("token", &written), "{written}");
        assert!(written.eq_ignore_ascii_case(&text.replace("@@@@", "0000")), "{text} is written {written}");
    }
}

#[test]
fn positions_of_the_grammar_are_read_and_written() {
    let grammar = grammar();
    let texts = positions(&grammar);
    for text in texts.iter().filter(|text| keeps_the_limits(text)) {
        assert!(grammar.allows("position", text), "{text}");
        let position = parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let written = position.to_string();
        assert_eq!(parse_position(&written).as_ref(), Ok(&position), "{text}");
        assert!(grammar.allows("position", &written) && keeps_the_limits(&written), "{written}");
    }
    assert!(texts.iter().filter(|text| keeps_the_limits(text)).count() > TEXTS * 9 / 10);
}

#[test]
fn tokens_with_slips() {
    let grammar = grammar();
    let found = disagreements(&grammar, &tokens(&grammar), token);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn positions_with_slips() {
    let grammar = grammar();
    let mut texts = positions(&grammar);
    // Whole positions too: their widths seldom agree, which both must see.
    let mut rng = Rng::new(3);
    texts.truncate(TEXTS / 2);
    texts.extend((0..TEXTS / 8).map(|_| grammar.make("position", &mut rng)));
    let found = disagreements(&grammar, &texts, position);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_wrong_document_is_noticed() {
    let right = DOCUMENT.split("```abnf\n").skip(1).map(|block| block.split_once("```").unwrap().0);
    let right: String = right.collect();
    for (part, wrong, rule) in [
        ("%x31-36", "%x30-36", "token"),
        ("*31(", "*30(", "token"),
        ("\"1\" %x30-36 / DIGIT", "1*2DIGIT", "token"),
        ("[ suffix ]", "*2suffix", "token"),
        ("*16(", "*17(", "position"),
        ("[ \"+\" ] ALPHA", "*\"+\" ALPHA", "position"),
        ("1*%x21-7E", "1*%x21-7D", "position"),
        ("%x31-39 [ DIGIT ]", "1*DIGIT", "position"),
    ] {
        assert!(right.contains(part), "{part}");
        let grammar = Grammar::read(&right.replace(part, wrong));
        let found = match rule {
            "token" => disagreements(&grammar, &tokens(&grammar), token),
            _ => disagreements(&grammar, &positions(&grammar), position),
        };
        assert!(!found.is_empty(), "{part} may as well be {wrong}");
    }
}

#[test]
fn the_reader_of_abnf_reads_what_the_standard_says() {
    let grammar =
        Grammar::read("a = 2*3\"x\" [ b ] ; comment\n    / %s\"Yes\"\nb = ( \";\" / %x30-31 ) 1*1SP\n");
    for (text, allowed) in [
        ("xx", true),
        ("xXx", true),
        ("x", false),
        ("xxxx", false),
        ("xx; ", true),
        ("xx1 ", true),
        ("xx1", false),
        ("xx1  ", false),
        ("Yes", true),
        ("yes", false),
        ("", false),
    ] {
        assert_eq!(grammar.allows("a", text), allowed, "{text}");
    }
    let mut rng = Rng::new(1);
    assert!((0..200).all(|_| grammar.allows("a", &grammar.make("a", &mut rng))));
}
