//! The commands `carom docs` and `carom rules`: the pages about protocols and games. They are part of the
//! program, since an installed one comes without its source.

use super::bad_input;
use super::markdown::write_page;
use super::position::GameName;
use crate::variants;
use clap::Args;
use std::io::Write;

/// The path of a page below `protocol-docs`, without the extension, and its text.
type Page = (&'static str, &'static str);

macro_rules! pages {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../protocol-docs/", $name, ".md")))),*]
    };
}

const PAGES: &[Page] = pages!("uci" "xboard" "terminal" "web" "options" "notation" "chance-and-hidden" "match" "drop-in" "statistics" "comply" "bridge" "pieces" "studies" "architecture" "glossary"
    "adding-a-game");

/// The pages of the games, each once.
fn rules() -> Vec<Page> {
    let mut pages: Vec<Page> = variants::all().into_iter().map(|facts| facts.rules).collect();
    pages.dedup_by_key(|page| page.0);
    pages
}

#[derive(Args, Debug)]
pub struct Docs {
    /// Which page [default: list them]
    #[arg(value_name = "PAGE")]
    page: Option<String>,
}

#[derive(Args, Debug)]
pub struct RulesOf {
    #[command(flatten)]
    game: GameName,
    /// Only how to play, on one screen
    #[arg(long)]
    short: bool,
}

impl Docs {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Some(asked) = &self.page else {
            list(PAGES, "", out)?;
            return list(&rules(), "rules/", out);
        };
        // Links may name the page by its file.
        let name = asked.trim_start_matches("protocol-docs/").trim_end_matches(".md").to_ascii_lowercase();
        let page = match name.strip_prefix("rules/") {
            Some(game) => find(&rules(), game),
            None => find(PAGES, &name).or_else(|| find(&rules(), &name)),
        };
        let known = || format!("{}, and the rules: {}", names(PAGES, ""), names(&rules(), "rules/"));
        let text =
            page.ok_or_else(|| bad_input(format!("no page is called `{asked}`; there are: {}", known())))?;
        write_page(text, false, out)
    }
}

impl RulesOf {
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Some(asked) = self.game.text() else { return list(&rules(), "", out) };
        let page = asked.to_ascii_lowercase();
        // Games share pages, whose name will do.
        let facts = variants::all().into_iter().find(|facts| facts.rules.0 == page);
        let facts = facts.map_or_else(|| variants::find(asked).map_err(bad_input), Ok)?;
        if self.short {
            return write_page(&format!("# {}\n\n{}", facts.title, facts.how_to_play()), true, out);
        }
        write_page(facts.rules.1, false, out)
    }
}

fn find(pages: &[Page], name: &str) -> Option<&'static str> {
    pages.iter().find(|page| page.0 == name).map(|&(_, text)| text)
}

fn names(pages: &[Page], folder: &str) -> String {
    pages.iter().map(|(name, _)| format!("{folder}{name}")).collect::<Vec<_>>().join(", ")
}

/// Prints a line for each page, with its title.
fn list(pages: &[Page], folder: &str, out: &mut impl Write) -> anyhow::Result<()> {
    for (name, text) in pages {
        let title = text.lines().next().unwrap_or_default().trim_start_matches('#').trim();
        writeln!(out, "{:<18} {title}", format!("{folder}{name}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_page_of_rules() {
        for facts in variants::all() {
            let (name, text) = facts.rules;
            assert!(facts.name.starts_with(name) && text.starts_with("# "), "{}", facts.name);
        }
        assert_eq!(rules().len(), 8);
    }
}
