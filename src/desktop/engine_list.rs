//! The list of engines of XBoard and WinBoard, in the bytes of a user's settings, whatever their encoding.
//! Our group is added and removed; everything else stays as it is.

use super::files::MARK;

/// The heading of our group of engines.
fn head() -> String {
    format!("# Carom ({MARK})")
}
/// The last line of our group.
const END: &str = "# end";
/// The beginning of the list in the settings that XBoard and WinBoard save. The list ends with a line that
/// begins with a brace.
const LISTS: [&str; 2] = ["-firstChessProgramNames {", "/firstChessProgramNames={"];

/// The first line of settings that did not exist before. The programs drop it when they save.
fn made() -> String {
    format!("; all of this was {MARK}\n")
}

/// What follows a last line that had no end. It goes again with our group, as long as nothing else was added.
fn joint() -> String {
    format!("\n; this line and the end of the one before were {MARK}\n")
}

/// The settings with our group, which is replaced if it was there. With `None` new settings are made.
pub fn with(settings: Option<&[u8]>, lines: &[String]) -> Vec<u8> {
    let mut rest = settings.map_or_else(|| made().into_bytes(), without_group);
    let group = format!("{}\n{}\n{END}\n", head(), lines.join("\n"));
    if let Some(end) = list_end(&rest) {
        rest.splice(end..end, group.into_bytes());
        return rest;
    }
    // XBoard has not saved its settings here: each line is added to the list that XBoard comes with.
    if !rest.is_empty() && !rest.ends_with(b"\n") {
        rest.extend(joint().bytes());
    }
    // Each line is inserted after the heading of the group, so the last comes first.
    for line in lines.iter().rev() {
        rest.extend(format!("-installEngine {{{}\\n{line}}}\n", head()).bytes());
    }
    rest
}

/// The settings without our group; `None` if there were none before it.
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
        // Only a line that is the heading as a whole begins our group.
        let begins = text == head.as_bytes();
        let ends = ours && text == END.as_bytes();
        let drop = ours || begins || text.starts_with(added.as_bytes());
        ours = (ours || begins) && !ends;
        !drop
    });
    let rest: Vec<u8> = lines.flatten().copied().collect();
    rest.strip_suffix(joint().as_bytes()).map(<[u8]>::to_vec).unwrap_or(rest)
}

/// The offset after the last line of the list.
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
            assert_eq!(without(&once), settings.map(|text| text.as_bytes().to_vec()));
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
        // Latin-1, and bytes that are blanks only in Unicode.
        let saved = b"-userName {J\xf6rg\x85}\n\xa0\n-firstChessProgramNames {\"\xe9\" -fcp x\n}\n\xff";
        let once = with(Some(saved), &lines());
        assert_eq!(with(Some(&once), &lines()), once);
        assert_eq!(without(&once).unwrap(), saved);
    }
}
