//! The table of checks, as text and as a page.

use super::check::Check;
use super::protocols::{PROTOCOLS, checks};
use crate::protocol::Protocol;
use std::fmt::Write;

/// The checks as text for the user.
#[must_use]
pub fn list(protocols: &[Protocol]) -> String {
    let mut text = String::new();
    for (index, &protocol) in protocols.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "{protocol}");
        for Check { number, level, title, says } in checks(protocol) {
            let _ = writeln!(text, "{number} {level:<6}  {title}\n{:13}({says})", "");
        }
    }
    text
}

/// The tables of `protocol-docs/comply.md`.
#[must_use]
pub fn document() -> String {
    let mut text = String::new();
    for protocol in PROTOCOLS {
        let _ =
            writeln!(text, "### {protocol}\n\n| number | level | the engine … | source |\n|---|---|---|---|");
        for Check { number, level, title, says } in checks(protocol) {
            let _ = writeln!(text, "| {number} | {level} | {} | {} |", cell(title), cell(says));
        }
        text.push('\n');
    }
    text
}

/// The text of a cell. A bar would end it, so bars are escaped.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
