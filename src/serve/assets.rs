//! The files of the page, which are part of the program, the pictures of the pieces, and the rules of the
//! games.

use super::teaching;
use crate::base::Color;
use crate::draw::fragment;
use crate::variants;
use std::borrow::Cow;
use std::fmt::Write;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const SVG: &str = "image/svg+xml";

macro_rules! files {
    ($($kind:ident $path:literal $file:literal),* $(,)?) => {
        &[$(($path, $kind, include_str!(concat!("page/", $file)))),*]
    };
}

const FILES: &[(&str, &str, &str)] = files![
    HTML "/" "index.html",
    CSS "/style.css" "style.css",
    CSS "/panel.css" "panel.css",
    SCRIPT "/main.js" "main.js",
    SCRIPT "/wire.js" "wire.js",
    SCRIPT "/board.js" "board.js",
    SCRIPT "/pointing.js" "pointing.js",
    SCRIPT "/panel.js" "panel.js",
    SCRIPT "/moves.js" "moves.js",
    SCRIPT "/thinking.js" "thinking.js",
    SCRIPT "/setup.js" "setup.js",
    SCRIPT "/rules.js" "rules.js",
    SCRIPT "/figure.js" "figure.js",
    SCRIPT "/friends.js" "friends.js",
    SCRIPT "/stage.js" "stage.js",
    SCRIPT "/teach.js" "teach.js",
    SCRIPT "/happened.js" "happened.js",
    SCRIPT "/notes.js" "notes.js",
    SCRIPT "/share.js" "share.js",
    CSS "/teach.css" "teach.css",
    SCRIPT "/journal.js" "journal.js",
    SCRIPT "/dom.js" "dom.js",
];

/// The media type and the content of `path`, if it exists. No file is opened.
pub fn find(path: &str) -> Option<(&'static str, Cow<'static, [u8]>)> {
    if let Some((_, kind, text)) = FILES.iter().find(|(own, ..)| *own == path) {
        return Some((kind, Cow::Borrowed(text.as_bytes())));
    }
    let facts = |game: &str| variants::all().into_iter().find(|facts| facts.name == game);
    let json = |value: serde_json::Value| Some((JSON, Cow::Owned(value.to_string().into_bytes())));
    if let Some(game) = path.strip_prefix("/how/") {
        return json(teaching::how(facts(game)?));
    }
    if let Some(figure) = path.strip_prefix("/figures/") {
        return json(teaching::figure(figure)?);
    }
    if let Some(game) = path.strip_prefix("/rules/") {
        return Some((TEXT, Cow::Borrowed(facts(game)?.rules.1.as_bytes())));
    }
    let game = path.strip_prefix("/pieces/")?.strip_suffix(".svg")?;
    Some((SVG, Cow::Owned(symbols(facts(game)?).into_bytes())))
}

/// The pieces of a game as SVG symbols, one for each: `w-K`, `b-K`.
fn symbols(facts: &crate::game::Facts) -> String {
    let mut text = "<svg xmlns=\"http://www.w3.org/2000/svg\">\n".to_owned();
    for piece in facts.pieces {
        for color in Color::ALL {
            let (side, letter) = (color.letter(), char::from(piece.letter));
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "<symbol id=\"{side}-{letter}\" viewBox=\"0 0 64 64\">\n{}</symbol>",
                fragment(piece, color)
            );
        }
    }
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_asks_nobody_else() {
        let mut sum = 0;
        for (path, _, text) in FILES {
            sum += text.len();
            for foreign in ["http:", "https:", "//cdn", "@import", "eval("] {
                let text = text.replace("http://www.w3.org/", "");
                assert!(!text.contains(foreign), "{path} names {foreign}");
            }
        }
        let pieces = variants::all().into_iter().map(|facts| symbols(facts).len()).max().unwrap();
        assert!(sum + pieces < 300_000, "{sum} and {pieces} bytes");
        assert!(
            find("/pieces/alapo.svg").is_some()
                && find("/pieces/../Cargo.toml").is_none()
                && find("/x").is_none()
        );
    }
}
