//! Every word of fastchess and cutechess-cli, and what it means here: `words.txt` is the one table behind the
//! command line, which takes or refuses them, and the page `protocol-docs/drop-in.md`.

use std::fmt::Write;
use std::sync::LazyLock;

/// A word of one of these programs, or of both.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The programs that know it: `f` for fastchess, `c` for cutechess-cli, or `fc`.
    pub programs: &'static str,
    /// The group that it belongs to; empty for words without a group.
    pub group: &'static str,
    /// Its name within the group.
    pub name: &'static str,
    /// What stands behind it.
    pub value: WordValue,
    /// What it means here.
    pub verdict: Verdict,
    /// Why, or what to say instead.
    pub note: &'static str,
}

/// What stands behind a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordValue {
    /// Nothing.
    Nothing,
    /// A text.
    Text,
    /// A text, or nothing.
    MaybeText,
    /// Any number of `KEY=VALUE`.
    Keys,
}

/// What a word of another program means here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same as there.
    Same,
    /// Something else, or it has another default.
    Other,
    /// It is taken, and nothing comes of it.
    Unused,
    /// It is refused.
    Refused,
}

/// The words, in the order of the table.
pub static WORDS: LazyLock<Vec<Word>> =
    LazyLock::new(|| include_str!("words.txt").lines().filter_map(Word::read).collect());

impl Word {
    /// Reads a line of the table; `None` for a comment or a line of another form.
    fn read(line: &'static str) -> Option<Self> {
        let (head, note) = line.split_once(" |").filter(|_| !line.starts_with('#'))?;
        let [programs, group, name, value, verdict] = head.split(' ').collect::<Vec<_>>().try_into().ok()?;
        Some(Self {
            programs,
            group: if group == "-" { "" } else { group },
            name,
            value: match value {
                "flag" => WordValue::Nothing,
                "[TEXT]" => WordValue::MaybeText,
                "MORE" => WordValue::Keys,
                _ => WordValue::Text,
            },
            verdict: match verdict {
                "same" => Verdict::Same,
                "other" => Verdict::Other,
                "unused" => Verdict::Unused,
                _ => Verdict::Refused,
            },
            note: note.trim(),
        })
    }
}

/// The word called `name` in `group`. Every word of `engine` is one of `each` as well.
pub fn find(group: &str, name: &str) -> Option<&'static Word> {
    let group = if group == "each" { "engine" } else { group };
    WORDS.iter().find(|word| word.group == group && word.name == name)
}

/// A setting of another program, said as ours: group, name and value. Milliseconds become seconds.
pub fn translated(group: &str, name: &str, text: &str) -> Option<(&'static str, &'static str, String)> {
    let name = match (group, name) {
        ("", "startup-ms") => "start",
        ("", "ucinewgame-ms" | "ping-ms") => "ready",
        _ => return None,
    };
    // What is no number is refused where the value is read.
    let seconds = text.parse::<u32>().map(|milliseconds| f64::from(milliseconds) / 1000.0);
    Some(("each", name, seconds.map_or(text.to_owned(), |seconds| seconds.to_string())))
}

/// The table as a page of Markdown.
pub fn page() -> String {
    let mut text = String::from("| word | fastchess | cutechess-cli | here | |\n|---|:---:|:---:|---|---|\n");
    for word in WORDS.iter() {
        let spoken = match (word.group, word.value) {
            ("", WordValue::MaybeText) => format!("-{} [X]", word.name),
            ("", WordValue::Text) => format!("-{} X", word.name),
            ("", _) => format!("-{}", word.name),
            (group, WordValue::Nothing) => format!("-{group} {}", word.name),
            (group, _) => format!("-{group} {}=", word.name),
        };
        let knows = |program| if word.programs.contains(program) { "x" } else { "" };
        let verdict = match word.verdict {
            Verdict::Same => "same",
            Verdict::Other => "other meaning",
            Verdict::Unused => "taken, unused",
            Verdict::Refused => "refused",
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "| `{spoken}` | {} | {} | {verdict} | {} |",
            knows('f'),
            knows('c'),
            word.note.replace('|', "\\|")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::keys;
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_word_that_does_what_it_says() {
        let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.count(), WORDS.len());
        for word in WORDS.iter() {
            let is_group = keys::GROUPS.iter().any(|(group, _)| *group == word.name);
            let has_meaning = word.group.is_empty()
                && (is_group || matches!(word.name, "quick" | "log" | "version" | "help"))
                || matches!(word.group, "quick" | "log")
                || matches!((word.group, word.name), ("epdout" | "config", "file") | ("config", "discard"))
                || translated(word.group, word.name, "1").is_some()
                || keys::find(word.group, word.name).is_some();
            let is_ours = matches!(word.verdict, Verdict::Same | Verdict::Other);
            if word.group != "log" {
                assert_eq!(has_meaning, is_ours, "{} {}", word.group, word.name);
            }
            assert!(word.note.len() > 10 || word.verdict == Verdict::Same, "{} {}", word.group, word.name);
        }
    }
}
