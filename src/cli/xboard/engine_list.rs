//! XBoard's and WinBoard's list of engines, in the text of a user's settings: our group is put in and taken out, all else stays as it is.

use super::files::MARK;

/// The head of our group of engines.
fn head() -> String {
    format!("# Carom ({MARK})")
}
/// The end of a group.
const END: &str = "# end";
/// Where the list begins in what XBoard and WinBoard save. It ends with a line that begins with a brace.
const LISTS: [&str; 2] = ["-firstChessProgramNames {", "/firstChessProgramNames={"];

/// The settings with our group, anew if it was there.
pub fn with(settings: Option<&str>, lines: &[String]) -> String {
    let rest = settings.and_then(without).unwrap_or_default();
    let group = format!("{}\n{}\n{END}\n", head(), lines.join("\n"));
    if let Some(end) = list_end(&rest) {
        let (before, after) = rest.split_at(end);
        return format!("{before}{group}{after}");
    }
    // XBoard has never saved its settings here: each line is added to the list that comes with it.
    let mut text = rest;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    // Each is put behind the head of the group, so the last comes first.
    for line in lines.iter().rev() {
        text.push_str(&format!("-installEngine {{{}\\n{line}}}\n", head()));
    }
    text
}

/// The settings without our group; `None` when nothing else is in them.
pub fn without(settings: &str) -> Option<String> {
    let (head, mut ours) = (head(), false);
    let added = format!("-installEngine {{{head}");
    let kept: String = settings
        .split_inclusive('\n')
        .filter(|line| {
            let text = line.trim_end();
            // XBoard may have put the first line of the list behind its head.
            let begins = text == head;
            let ends = ours && text == END;
            let drop = ours || begins || text.starts_with(&added);
            ours = (ours || begins) && !ends;
            !drop
        })
        .collect();
    (!kept.trim().is_empty()).then_some(kept)
}

/// Where the list ends: behind the last of its lines.
fn list_end(settings: &str) -> Option<usize> {
    let begin = LISTS.iter().find_map(|list| settings.find(list))?;
    let brace = begin + settings[begin..].find("\n}")?;
    Some(brace + 1)
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
        let once = with(Some(SAVED), &lines());
        assert_eq!(
            once,
            "-size 49\n-firstChessProgramNames {fairymax\n\"Crafty\" -fcp crafty\n# Carom (written by carom install)\n\
             \"Carom HanniBall\" -fcp \"carom\" -variant hanniball\n# end\n}\n-icsNames {a\n}\n"
        );
        assert_eq!(with(Some(&once), &lines()), once);
        assert_eq!(without(&once).unwrap(), SAVED);
        assert_eq!(without(SAVED).unwrap(), SAVED);
    }

    #[test]
    fn where_xboard_has_saved_nothing_engines_are_added_to_its_own() {
        for settings in [None, Some("-size 33"), Some("")] {
            let once = with(settings, &lines());
            assert!(once.ends_with(
                "-installEngine {# Carom (written by carom install)\\n\"Carom HanniBall\" -fcp \"carom\" -variant hanniball}\n"
            ), "{once}");
            assert_eq!(with(Some(&once), &lines()), once);
            let rest = without(&once);
            assert_eq!(rest.as_deref().map(str::trim), settings.filter(|text| !text.is_empty()));
        }
    }
}
