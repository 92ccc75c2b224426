//! XBoard's and WinBoard's list of engines, in the bytes of a user's settings (in whatever encoding): our group is put in and taken out,
//! all else stays as it is.

use super::files::MARK;

/// The head of our group of engines.
fn head() -> String {
    format!("# Carom ({MARK})")
}
/// The end of a group.
const END: &str = "# end";
/// Where the list begins in what XBoard and WinBoard save. It ends with a line that begins with a brace.
const LISTS: [&str; 2] = ["-firstChessProgramNames {", "/firstChessProgramNames={"];

/// The first line of settings that were not there before; others save theirs without it.
fn made() -> String {
    format!("; all of this was {MARK}\n")
}

/// The settings with our group, anew if it was there; `None` for settings that are not there.
pub fn with(settings: Option<&[u8]>, lines: &[String]) -> Vec<u8> {
    let mut rest = settings.map_or_else(|| made().into_bytes(), without_group);
    let group = format!("{}\n{}\n{END}\n", head(), lines.join("\n"));
    if let Some(end) = list_end(&rest) {
        rest.splice(end..end, group.into_bytes());
        return rest;
    }
    // XBoard has never saved its settings here: each line is added to the list that comes with it.
    if !rest.is_empty() && !rest.ends_with(b"\n") {
        rest.push(b'\n');
    }
    // Each is put behind the head of the group, so the last comes first.
    for line in lines.iter().rev() {
        rest.extend(format!("-installEngine {{{}\\n{line}}}\n", head()).bytes());
    }
    rest
}

/// The settings without our group; `None` when there were none before.
pub fn without(settings: &[u8]) -> Option<Vec<u8>> {
    let rest = without_group(settings);
    match rest.strip_prefix(made().as_bytes()) {
        Some(more) if more.trim_ascii().is_empty() => None,
        Some(more) => Some(more.to_vec()),
        None => Some(rest),
    }
}

fn without_group(settings: &[u8]) -> Vec<u8> {
    let (head, mut ours) = (head(), false);
    let added = format!("-installEngine {{{head}");
    let lines = settings.split_inclusive(|&byte| byte == b'\n').filter(|line| {
        let text = line.trim_ascii_end();
        // XBoard may have put the first line of the list behind its head.
        let begins = text == head.as_bytes();
        let ends = ours && text == END.as_bytes();
        let drop = ours || begins || text.starts_with(added.as_bytes());
        ours = (ours || begins) && !ends;
        !drop
    });
    lines.flatten().copied().collect()
}

/// Where the list ends: behind the last of its lines.
fn list_end(settings: &[u8]) -> Option<usize> {
    let find = |from: usize, part: &str| {
        let found = settings[from..].windows(part.len()).position(|window| window == part.as_bytes());
        found.map(|at| from + at)
    };
    let begin = LISTS.iter().find_map(|list| find(0, list))?;
    Some(find(begin, "\n}")? + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAVED: &str =
        "-size 49\n-firstChessProgramNames {fairymax\n\"Crafty\" -fcp crafty\n}\n-icsNames {a\n}\n";

    fn lines() -> Vec<String> {
        vec!["\"Carom HanniBall\" -fcp \"carom\" -variant hanniball".to_owned()]
    }

    #[test]
    fn engines_are_listed_once_and_what_others_wrote_stays() {
        let once = with(Some(SAVED.as_bytes()), &lines());
        assert_eq!(
            String::from_utf8(once.clone()).unwrap(),
            "-size 49\n-firstChessProgramNames {fairymax\n\"Crafty\" -fcp crafty\n# Carom (written by carom install)\n\
             \"Carom HanniBall\" -fcp \"carom\" -variant hanniball\n# end\n}\n-icsNames {a\n}\n"
        );
        assert_eq!(with(Some(&once), &lines()), once);
        assert_eq!(without(&once).unwrap(), SAVED.as_bytes());
        assert_eq!(without(SAVED.as_bytes()).unwrap(), SAVED.as_bytes());
    }

    #[test]
    fn where_xboard_has_saved_nothing_engines_are_added_to_its_own() {
        for settings in [None, Some("-size 33"), Some("")] {
            let once = with(settings.map(str::as_bytes), &lines());
            let text = String::from_utf8(once.clone()).unwrap();
            assert!(text.ends_with(
                "-installEngine {# Carom (written by carom install)\\n\"Carom HanniBall\" -fcp \"carom\" -variant hanniball}\n"
            ), "{text}");
            assert_eq!(with(Some(&once), &lines()), once);
            assert_eq!(
                without(&once).map(|rest| rest.trim_ascii().to_vec()),
                settings.map(|text| text.as_bytes().to_vec())
            );
        }
    }

    #[test]
    fn settings_that_were_not_there_go_unless_somebody_adds_to_them() {
        let made = with(None, &lines());
        assert_eq!(without(&made), None);
        assert_eq!(without(&[&made, &b"-size 33\n"[..]].concat()).unwrap(), b"-size 33\n");
    }

    #[test]
    fn bytes_of_any_encoding_are_kept() {
        // Latin-1, and blanks that are some only in Unicode.
        let saved = b"-userName {J\xf6rg\x85}\n\xa0\n-firstChessProgramNames {\"\xe9\" -fcp x\n}\n\xff";
        let once = with(Some(saved), &lines());
        assert_eq!(with(Some(&once), &lines()), once);
        assert_eq!(without(&once).unwrap(), saved);
    }
}
