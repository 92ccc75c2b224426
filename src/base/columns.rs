//! How wide text is on a terminal, and how it is made to fit.

use unicode_width::UnicodeWidthChar;

/// All characters of `text`, each with `true` if it belongs to an escape sequence (from ESC to a letter) and
/// so takes no column.
fn characters(text: &str) -> impl Iterator<Item = (char, bool)> + '_ {
    let mut escaped = false;
    let mut before = ' ';
    text.chars().map(move |c| {
        let hidden = escaped || c == '\x1b';
        escaped = hidden && !(c.is_ascii_alphabetic() && before != '\x1b');
        before = c;
        (c, hidden)
    })
}

/// The number of terminal columns that `text` takes.
pub fn width(text: &str) -> usize {
    characters(text).filter(|(_, hidden)| !hidden).map(|(c, _)| c.width().unwrap_or(0)).sum()
}

/// `text` cut to at most `most` columns; `…` marks where it was cut.
pub fn cut(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 0;
    let mut coloured = false;
    for (c, hidden) in characters(text) {
        coloured |= hidden;
        if !hidden {
            used += c.width().unwrap_or(0);
            if used + 1 > most {
                break;
            }
        }
        short.push(c);
    }
    if most > 0 {
        short.push('…');
    }
    if coloured {
        short.push_str("\x1b[0m");
    }
    short
}

/// `text`, padded with spaces on the right to `columns` columns.
pub fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_measured_cut_and_padded_by_columns() {
        assert_eq!(
            [width("abc"), width("漢字"), width("e\u{301}"), width("\x1b[1;31mab\x1b[0m")],
            [3, 4, 1, 2]
        );
        assert_eq!(cut("Stockfish", 9), "Stockfish");
        assert_eq!(cut("Stockfish", 8), "Stockfi…");
        assert_eq!(cut("漢字漢字", 6), "漢字…");
        assert_eq!(cut("\x1b[7mabcdef\x1b[0m", 4), "\x1b[7mabc…\x1b[0m");
        assert_eq!(cut("abc", 0), "");
        for most in 0..12 {
            assert!(width(&cut("a漢b字c漢d字e", most)) <= most, "{most}");
        }
        assert_eq!(padded("漢", 4), "漢  ");
    }
}
