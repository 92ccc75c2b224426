//! The four parsers of lines.

use carom::protocol::{ParseError, Parsed, uci, xboard};
use std::fmt::{Debug, Display};

/// Every line is read as a command and as a reply of both protocols.
pub fn protocols(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.split(['\n', '\r']) {
        check(line, uci::Command::parse(line), |text, message| {
            same(text, uci::Command::parse(text), message)
        });
        check(line, uci::Reply::parse(line), |text, message| same(text, uci::Reply::parse(text), message));
        check(line, xboard::Command::parse(line), |text, message| {
            same(text, xboard::Command::parse(text), message);
        });
        check(line, xboard::Reply::parse(line), |text, message| {
            same(text, xboard::Reply::parse(text), message)
        });
    }
}

/// An error names a place in the line; a message is written as one line, and `reread` finds it there.
fn check<T: Display>(
    line: &str,
    parsed: Result<Option<Parsed<'_, T>>, ParseError>,
    reread: impl Fn(&str, &T),
) {
    match parsed {
        Ok(None) => assert!(line.trim_matches(|c: char| c.is_ascii_whitespace()).is_empty(), "{line:?}"),
        Ok(Some(Parsed { message, skipped })) => {
            for words in skipped {
                assert_eq!(line.get(words.column - 1..words.column - 1 + words.text.len()), Some(words.text));
            }
            let written = message.to_string();
            assert!(!written.contains(['\n', '\r']), "{line:?} is written {written:?}");
            assert!(written.len() <= 2 * line.len() + 64, "{line:?} is written {written:?}");
            reread(&written, &message);
        }
        Err(error) => {
            assert!((1..=line.len() + 1).contains(&error.column), "{line:?}: {error}");
            assert!(
                line.is_char_boundary(error.column - 1) && error.to_string().len() < 400,
                "{line:?}: {error}"
            );
        }
    }
}

/// What was written is read as a message that is written the same, and nothing of it is skipped. (The message itself may
/// differ in what a line cannot hold: characters that the protocol gives a meaning are replaced in free text.)
fn same<T: Display + Debug>(text: &str, again: Result<Option<Parsed<'_, T>>, ParseError>, message: &T) {
    match again {
        Ok(Some(again)) => {
            assert_eq!(again.message.to_string(), text, "{message:?} became {:?}", again.message);
            assert!(again.skipped.is_empty(), "{text:?}: {:?} skipped", again.skipped);
        }
        other => panic!("{text:?}, written for {message:?}, is read as {other:?}"),
    }
}
