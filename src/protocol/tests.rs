//! For tests: the results of parsing lines, as a readable table.

use super::{ParseError, Parsed};
use std::fmt::{Debug, Display, Write};

/// The results of parsing, for each line: what was understood, what was skipped, or what is wrong.
pub(super) fn table<'a, T: Debug>(
    lines: &[&'a str],
    parse: impl Fn(&'a str) -> Result<Option<Parsed<'a, T>>, ParseError>,
) -> String {
    let mut out = String::new();
    for line in lines {
        writeln!(out, "{line:?}").unwrap();
        match parse(line) {
            Ok(None) => out.push_str("    nothing\n"),
            Ok(Some(Parsed { message, skipped })) => {
                writeln!(out, "    {message:?}").unwrap();
                for skipped in skipped {
                    writeln!(out, "    skipped {:?} at {}", skipped.text, skipped.column).unwrap();
                }
            }
            Err(error) => writeln!(out, "    {error}").unwrap(),
        }
    }
    out
}

/// Like [`table`], with messages written back as lines instead of listing their fields.
pub(super) fn rewritten<'a, T: Display>(
    lines: &[&'a str],
    parse: impl Fn(&'a str) -> Result<Option<Parsed<'a, T>>, ParseError>,
    is_unknown: impl Fn(&T) -> bool,
) -> String {
    table(lines, |line| {
        parse(line).map(|parsed| {
            parsed.map(|Parsed { message, skipped }| {
                let what = if is_unknown(&message) { "unknown:" } else { "→" };
                Parsed { message: Verbatim(format!("{what} {:?}", message.to_string())), skipped }
            })
        })
    })
}

/// A text that is its own debug output.
struct Verbatim(String);

impl Debug for Verbatim {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}
