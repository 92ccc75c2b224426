//! Scripts of conversations, played against the real binary.
//!
//! ```text
//! # comment
//! > line sent
//! < line expected next or later; … stands for any text
//! << the very next line
//! ```
//!
//! At the end the input is closed and the program must end well.

use crate::common::conversation::Conversation;
use std::process::ExitStatus;

/// True when `line` is `pattern`, `…` standing for any text.
pub fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

/// Plays `script`, whose first line is line `first` of the file `name`.
///
/// # Panics
/// When Carom does not say what the script expects, or the script is none.
pub fn play(name: &str, first: usize, script: &str) {
    let (heard, status) = play_with(&[], name, first, script);
    assert!(status.success(), "{name}: {heard:?}");
}

/// The same with arguments; what was heard, and how it ended.
pub fn play_with(arguments: &[&str], name: &str, first: usize, script: &str) -> (Vec<String>, ExitStatus) {
    let mut talk = None::<Conversation>;
    for (number, line) in script.lines().enumerate() {
        let place = format!("{name}:{}", first + number);
        let (mark, text) = line.split_once(' ').unwrap_or((line, ""));
        match mark {
            "" | "#" => {}
            ">" => match &mut talk {
                None => talk = Some(Conversation::begin(arguments, text)),
                Some(talk) => talk.say(text),
            },
            "<" => {
                talk.as_mut().unwrap().hear(&format!("{place}: {text}"), |line| fits(text, line));
            }
            "<<" => {
                let heard = talk.as_mut().unwrap().hear(&place, |_| true);
                assert!(fits(text, &heard), "{place}: expected {text}, heard {heard}");
            }
            _ => panic!("{place}: what is `{line}`?"),
        }
    }
    talk.unwrap().end()
}
