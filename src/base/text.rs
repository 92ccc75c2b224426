//! Text from outside: from engines, files, the command line.

use std::borrow::Cow;

/// `text`, a single line, without the characters that could do harm where it is written: end a line, clear a
/// terminal, end a string. A tab or a form feed becomes a space; every other control character, and Unicode's
/// line and paragraph separators, becomes U+FFFD.
///
/// All text from an engine or a file passes through this once, on input; output uses it as a second line of
/// defence.
pub fn without_controls(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let harmless = |c| match c {
        // Both separate words in UCI.
        '\t' | '\x0c' => ' ',
        c if is_control(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(harmless).collect::<String>().into()
}

/// Like [`without_controls`], for text that may have several lines.
pub fn lines_without_controls(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| is_control(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    text.split('\n').map(without_controls).collect::<Vec<_>>().join("\n").into()
}

/// True for the characters that [`without_controls`] replaces.
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The entry of `known` that was probably meant by `word`; `None` if none is similar enough.
pub fn similar<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// The lowest similarity accepted, a little stricter than clap's for subcommands.
    const ALIKE: f64 = 0.8;
    let word = word.to_ascii_lowercase();
    let alike = known.into_iter().map(|known| (strsim::jaro(&word, &known.to_ascii_lowercase()), known));
    alike
        .filter(|(alike, _)| *alike > ALIKE)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found() {
        let games =
            ["chess", "alapo", "alapo-demotion", "rollerball", "jai-alai", "hanniball", "wickets-det"];
        for (word, meant) in [
            ("rolerball", Some("rollerball")),
            ("Chess960", Some("chess")),
            ("haniball", Some("hanniball")),
            ("wickets", Some("wickets-det")),
            ("tiddlywinks", None),
            ("", None),
        ] {
            assert_eq!(similar(word, games), meant, "{word}");
        }
        // In either case.
        assert_eq!(similar("multpv", ["Hash", "MultiPV"]), Some("MultiPV"));
    }

    #[test]
    fn no_control_character_is_left() {
        let every: String = (0..0x3000).filter_map(char::from_u32).collect();
        assert!(!without_controls(&every).contains(is_control));
        assert_eq!(
            without_controls("a\tb\x0cb\r\nc\x1b[2J\u{85}\u{2028}é"),
            "a b b\u{fffd}\u{fffd}c\u{fffd}[2J\u{fffd}\u{fffd}é"
        );
        assert!(matches!(without_controls("Zoë 象"), Cow::Borrowed(_)));
        assert_eq!(lines_without_controls("a\nb\r\n\0"), "a\nb\u{fffd}\n\u{fffd}");
    }
}
