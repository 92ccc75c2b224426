//! The one screen that teaches a game: the section `How to play` of its page of rules. It is the same text on
//! the page in the browser and in the terminal.

use super::{Facts, Piece};

const HEADING: &str = "## How to play\n";

impl Facts {
    /// The section `How to play` of the page of rules, in Markdown, without its heading; empty where the page
    /// has none. Its pictures have the commands that draw them as titles, as on every page.
    pub fn how_to_play(&self) -> &'static str {
        let Some((_, section)) = self.rules.1.split_once(HEADING) else { return "" };
        section.split("\n## ").next().unwrap_or(section).trim()
    }

    /// What that section says of a piece: the text of the bullet that begins with its name.
    pub fn about(&self, piece: &Piece) -> Option<String> {
        let bullets = self.how_to_play().split("\n* **").skip(1);
        let named = bullets.filter_map(|bullet| bullet.split_once("**: "));
        let wanted = |name: &str| name.eq_ignore_ascii_case(piece.name) || piece.is_ball() && name == "Ball";
        let (_, text) = named.into_iter().find(|(name, _)| wanted(name))?;
        let end = text.find("\n\n").into_iter().chain(text.find("\n* ")).min().unwrap_or(text.len());
        Some(text[..end].split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
