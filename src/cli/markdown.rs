//! Pages for a terminal: our Markdown becomes lines of a width, with bold headings and without pictures, and
//! goes through a pager.

use super::matches::Size;
use super::terminal::wrapped;
use crate::base::columns::{padded, width};
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

/// The widest lines that are good to read.
const WIDEST: usize = 96;

/// Writes a page: on a terminal as lines of its width, through a pager if it is longer than the screen; else
/// as it is, or `always` as lines without colours.
pub fn write_page(markdown: &str, always: bool, out: &mut impl Write) -> anyhow::Result<()> {
    if !io::stdout().is_terminal() {
        let text = if always { rendered(markdown, 79, false) } else { markdown.to_owned() };
        return Ok(out.write_all(text.as_bytes())?);
    }
    let size = Size::now();
    let bold = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let text = rendered(markdown, (size.columns - 1).clamp(20, WIDEST), bold);
    if text.lines().count() >= size.rows && paged(&text) {
        return Ok(());
    }
    Ok(out.write_all(text.as_bytes())?)
}

/// Shows the text in the user's pager, or in `less`; false if there is none.
fn paged(text: &str) -> bool {
    let wanted = std::env::var("PAGER").ok().filter(|pager| !pager.trim().is_empty());
    let pager = wanted.unwrap_or_else(|| "less -FRX".to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return false };
    let Ok(mut child) = Command::new(program).args(words).stdin(Stdio::piped()).spawn() else { return false };
    if let Some(mut input) = child.stdin.take() {
        // A reader who has seen enough closes it.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait().is_ok()
}

/// The page as lines of at most `columns` columns, as far as a word fits.
fn rendered(markdown: &str, columns: usize, bold: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph = String::new();
    let mut table: Vec<Vec<String>> = Vec::new();
    let mut fenced = false;
    let strong = |text: &str| if bold { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() };
    let end = |paragraph: &mut String, lines: &mut Vec<String>| {
        let indent = if paragraph.starts_with("* ") { "  " } else { "" };
        let (bullet, text) = paragraph.split_at(indent.len());
        lines.extend(wrapped(&format!("{bullet}{}", inline(text)), columns, indent));
        paragraph.clear();
    };
    // An empty line at the end closes what is open.
    for line in markdown.lines().chain([""]) {
        let begins = line.trim_start();
        if fenced || begins.starts_with("```") {
            end(&mut paragraph, &mut lines);
            let fence = begins.starts_with("```");
            fenced ^= fence;
            if !fence {
                lines.push(format!("  {line}"));
            }
            continue;
        }
        if begins.starts_with('|') {
            end(&mut paragraph, &mut lines);
            let cells: Vec<String> =
                begins.trim().trim_matches('|').split('|').map(|cell| inline(cell.trim())).collect();
            let rule = cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| "-: ".contains(c)));
            if !rule {
                table.push(cells);
            }
            continue;
        }
        lines.extend(table_lines(&std::mem::take(&mut table), columns));
        if let Some(heading) = begins.strip_prefix('#') {
            end(&mut paragraph, &mut lines);
            lines.push(strong(&inline(heading.trim_start_matches('#').trim())));
        } else if begins.is_empty() || begins.starts_with("![") {
            end(&mut paragraph, &mut lines);
            if lines.last().is_some_and(|line| !line.is_empty()) {
                lines.push(String::new());
            }
        } else {
            if begins.starts_with("* ") {
                end(&mut paragraph, &mut lines);
            }
            let gap = if paragraph.is_empty() { "" } else { " " };
            paragraph.push_str(&format!("{gap}{begins}"));
        }
    }
    lines.join("\n").trim_end().to_owned() + "\n"
}

/// A table with its columns below each other, or where that is too wide with its rows as paragraphs.
fn table_lines(rows: &[Vec<String>], columns: usize) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(widest).collect();
    let fits = widths.iter().sum::<usize>() + 2 * count.saturating_sub(1) <= columns;
    let row = |row: &Vec<String>| -> Vec<String> {
        if fits {
            let cells: Vec<String> =
                row.iter().zip(&widths).map(|(cell, &columns)| padded(cell, columns)).collect();
            return vec![cells.join("  ").trim_end().to_owned()];
        }
        let cells: Vec<&str> = row.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
        wrapped(&cells.join(" · "), columns, "    ")
    };
    rows.iter().flat_map(row).collect()
}

/// A text without the signs of emphasis, code and links.
fn inline(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    let (mut code, mut emphasis) = (false, false);
    while let Some(next) = rest.chars().next() {
        let (_, after) = rest.split_at(next.len_utf8());
        let link = |rest: &str| {
            let (label, target) = rest.strip_prefix('[')?.split_once("](")?;
            let (_, behind) = target.split_once(')')?;
            (!label.contains('[')).then(|| (label.to_owned(), behind.len()))
        };
        match next {
            '`' => code = !code,
            '*' if !code && rest.starts_with("**") => {
                rest = &rest[2..];
                continue;
            }
            '*' if !code && (emphasis || after.starts_with(|c: char| !c.is_whitespace())) => {
                emphasis = !emphasis
            }
            '\\' if !code && after.starts_with(['*', '|', '_', '`']) => {
                plain.push_str(&after[..1]);
                rest = &after[1..];
                continue;
            }
            '[' if !code => {
                if let Some((label, behind)) = link(rest) {
                    plain.push_str(&inline(&label));
                    rest = &rest[rest.len() - behind..];
                    continue;
                }
                plain.push(next);
            }
            _ => plain.push(next),
        }
        rest = after;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants;

    #[test]
    fn signs_of_markdown_go_and_lines_keep_to_their_width() {
        let page = "# A *game*\n\n**R1** See [the rules](rules.md) and `a*b`,\nboth.\n\n* **Horse**: jumps\n* Lion\n\n![Two](x.svg \"carom show\")\n\n| a | b |\n|---|---|\n| long | c |\n\n```sh\ncarom *x*\n```\n";
        assert_eq!(
            rendered(page, 40, false),
            "A game

R1 See the rules and a*b, both.

* Horse: jumps
* Lion

a     b
long  c

  carom *x*
"
        );
        assert!(rendered("# A", 40, true).starts_with("\x1b[1mA\x1b[0m"));
        assert_eq!(
            table_lines(&[vec!["one two three".into(), "four".into()]], 10),
            ["one two", "    three", "    · four"]
        );
    }

    #[test]
    fn how_to_play_fits_a_screen() {
        for facts in variants::all() {
            let text = rendered(facts.how_to_play(), 79, false);
            assert!(text.lines().count() <= 50, "{}: {}", facts.name, text.lines().count());
            assert!(!text.contains("**") && !text.contains("]("), "{text}");
        }
    }
}
