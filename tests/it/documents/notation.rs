//! The tables of `protocol-docs/notation.md` against the parser.
use carom::notation::{SyntaxError, parse_position, parse_token};

const DOCUMENT: &str = include_str!("../../../protocol-docs/notation.md");

/// The first two columns of the table below the heading `title`, without their backticks.
fn table(title: &str) -> Vec<(&'static str, &'static str)> {
    let (_, section) = DOCUMENT.split_once(&format!("\n### {title}\n")).unwrap();
    let lines = section.lines().skip_while(|line| !line.starts_with('|')).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|')).map(|line| {
        let mut columns = line.trim_matches('|').split('|').map(|column| column.trim().trim_matches('`'));
        (columns.next().unwrap(), columns.next().unwrap())
    });
    let rows: Vec<_> = rows.collect();
    assert!(rows.len() >= 4, "{title}: {rows:?}");
    rows
}

fn token(text: &str) -> Result<String, SyntaxError> {
    parse_token(text).map(|token| token.to_string())
}

fn position(text: &str) -> Result<String, SyntaxError> {
    parse_position(text).map(|position| position.to_string())
}

#[test]
fn canonical_spellings() {
    for (text, _) in table("Examples: tokens") {
        assert_eq!(token(text).as_deref(), Ok(text));
    }
    for (text, _) in table("Examples: positions") {
        assert_eq!(position(text).as_deref(), Ok(text));
    }
}

#[test]
fn other_spellings() {
    for (text, canonical) in table("Examples: other spellings that are read") {
        assert_eq!(token(text).as_deref(), Ok(canonical));
    }
    for (text, canonical) in table("Examples: other spellings of positions") {
        assert_eq!(position(text).as_deref(), Ok(canonical));
    }
}

#[test]
fn refusals() {
    for (text, column) in table("Examples: what is refused") {
        assert_eq!(token(text).unwrap_err().column.to_string(), column, "{text}");
    }
    for (text, column) in table("Examples: positions that are refused") {
        assert_eq!(position(text).unwrap_err().column.to_string(), column, "{text}");
    }
}

#[test]
fn the_legs_of_the_first_table() {
    let (_, section) = DOCUMENT.split_once("| leg | form | example |").unwrap();
    let rows = section.lines().skip(2).take_while(|line| line.starts_with('|'));
    let examples: Vec<&str> =
        rows.flat_map(|row| row.trim_end_matches([' ', '|']).rsplit('|').next()).collect();
    assert_eq!(examples.len(), 6);
    for example in examples.iter().flat_map(|column| column.split(", ")) {
        let text = example.trim().trim_matches('`');
        assert_eq!(token(text).as_deref(), Ok(text));
        assert_eq!(parse_token(text).unwrap().legs.len(), 1);
    }
}
