//! Who played whom, and with what result: the tags of PGN files, whatever game their moves are of.

use super::statistics::Points;
use nom::branch::alt;
use nom::bytes::complete::{is_not, take_while1};
use nom::character::complete::{char, multispace0};
use nom::combinator::{not, value};
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

/// A game as its tags tell it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaggedGame {
    /// Tags in the order they stand in, without quotes and escapes.
    pub tags: Vec<(String, String)>,
    /// What the movetext ends with (`1-0`, `0-1`, `1/2-1/2`, `*`), if it has any of them.
    pub terminator: Option<String>,
}

impl TaggedGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Both players and what White got; `None` for a game that has no result or a player without a name. The `Result`
    /// tag goes before the end of the movetext.
    pub fn result(&self) -> Option<(&str, &str, Points)> {
        let named = |name| self.tag(name).filter(|name| !matches!(name.trim(), "" | "?" | "-"));
        let points = |text: &str| match text.trim() {
            "1-0" => Some(Points::Win),
            "0-1" => Some(Points::Loss),
            "1/2-1/2" | "1/2" => Some(Points::Draw),
            _ => None,
        };
        let result = self.tag("Result").or(self.terminator.as_deref())?;
        Some((named("White")?, named("Black")?, points(result)?))
    }
}

/// The games in a PGN text. Never fails: what is no tag, no comment and no result is passed over. Brackets in comments
/// are no tags, but a comment never closed ends where a line begins with a tag of the next game's head, so that a file cut
/// short loses one game at most.
pub fn read_pgn(text: &str) -> Vec<TaggedGame> {
    let mut games = vec![TaggedGame::default()];
    let mut in_moves = false;
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut line_start = true;
    while let Some(first) = rest.chars().next() {
        let before = rest;
        if let Some((after, pair)) = tag_pair(rest).ok().filter(|_| first == '[') {
            let repeated = games.last().is_some_and(|game| game.tag(&pair.0).is_some() && is_head(&pair.0));
            if in_moves || repeated {
                games.push(TaggedGame::default());
                in_moves = false;
            }
            if let Some(game) = games.last_mut() {
                game.tags.push(pair);
            }
            rest = after;
        } else if first == '{' {
            rest = after_comment(rest);
            in_moves = true;
        } else if first == ';' || (line_start && matches!(first, '%' | '[')) {
            // A line that begins like a tag and is none is a broken tag, not a move.
            rest = after_line(rest);
        } else if first.is_whitespace() || !is_word(first) {
            rest = &rest[first.len_utf8()..];
        } else {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let word = &rest[..end];
            if let Some(game) = games.last_mut().filter(|_| matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*")) {
                game.terminator = Some(word.to_owned());
            }
            in_moves = true;
            rest = &rest[end..];
        }
        line_start = before[..before.len() - rest.len()].ends_with(['\n', '\r']);
    }
    games.retain(|game| !game.tags.is_empty());
    games
}

fn is_word(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '[' | '{' | ';')
}

/// The tags every game has once.
fn is_head(name: &str) -> bool {
    matches!(name, "Event" | "Site" | "Date" | "Round" | "White" | "Black" | "Result")
}

fn after_line(text: &str) -> &str {
    text.find('\n').map_or("", |end| &text[end + 1..])
}

/// What follows a comment, which may be one that nobody closed.
fn after_comment(text: &str) -> &str {
    let close = text.find('}').map(|end| end + 1);
    let inside = &text[..close.unwrap_or(text.len())];
    let heads = inside.match_indices("\n[").map(|(at, _)| at + 1);
    let mut heads = heads.filter(|&at| tag_pair(&text[at..]).is_ok_and(|(_, (name, _))| is_head(&name)));
    &text[heads.next().or(close).unwrap_or(text.len())..]
}

/// `[Name "value"]`. Quotes inside the value need a backslash, but one that does not end the tag is taken too.
fn tag_pair(text: &str) -> IResult<&str, (String, String)> {
    let name = preceded((char('['), multispace0), take_while1(|c: char| c.is_alphanumeric() || c == '_'));
    let quoted = delimited(char('"'), tag_value, (char('"'), multispace0, char(']')));
    let (rest, (name, _, value)) = (name, multispace0, quoted).parse(text)?;
    Ok((rest, (name.to_owned(), value)))
}

fn tag_value(text: &str) -> IResult<&str, String> {
    let escaped = preceded(char('\\'), alt((value("\\", char('\\')), value("\"", char('"')))));
    let backslash = value("\\", char('\\'));
    let part = alt((is_not("\\\"\r\n"), escaped, backslash, stray_quote));
    fold_many0(part, String::new, |text, part| text + part).parse(text)
}

/// A quote that `]` does not follow.
fn stray_quote(text: &str) -> IResult<&str, &str> {
    value("\"", terminated(char('"'), not((multispace0, char(']'))))).parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(text: &str) -> Vec<(String, String, Option<Points>)> {
        let of = |game: &TaggedGame| {
            let name = |name| game.tag(name).unwrap_or_default().to_owned();
            (name("White"), name("Black"), game.result().map(|result| result.2))
        };
        read_pgn(text).iter().map(of).collect()
    }

    fn game(white: &str, black: &str, points: Option<Points>) -> (String, String, Option<Points>) {
        (white.to_owned(), black.to_owned(), points)
    }

    #[test]
    fn plain_games() {
        let text = "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e2e4 {[%clk 0:01] x} e7e5 1-0\n\n\
                    [Event \"x\"]\r\n[White \"B\"]\r\n[Black \"A\"]\r\n[Result \"1/2-1/2\"]\r\n\r\n1/2-1/2\r\n";
        let wanted = [game("A", "B", Some(Points::Win)), game("B", "A", Some(Points::Draw))];
        assert_eq!(results(text), wanted);
        assert_eq!(read_pgn(text)[0].terminator.as_deref(), Some("1-0"));
    }

    #[test]
    fn heads_without_moves_and_moves_without_sense() {
        let text = "\u{feff}[White \"A\"][Black \"B\"][Result \"0-1\"]\n[White \"C\"]\n[Black \"D\"]\n[Result \"*\"]\n\
                    c3a5,O@e9,=2 D@f7 [not a tag] ] } $1 ( (1. x) \n*\n\n[ White \"E\" ]\n[Black  \"F\"]\n\n1-0";
        let wanted =
            [game("A", "B", Some(Points::Loss)), game("C", "D", None), game("E", "F", Some(Points::Win))];
        assert_eq!(results(text), wanted);
    }

    #[test]
    fn comments() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. a {\n[Note \"inside\"]\n } b ; [White \"no\"]\n\
                    % [White \"no\"]\n1-0\n[White \"C\"]\n[Black \"D\"]\n[Result \"0-1\"]\n\n1. a { cut off here\n\n\
                    [Event \"next\"]\n[White \"E\"]\n[Black \"F\"]\n[Result \"1-0\"]\n\n1. a {fine} 1-0\n{ never closed";
        let wanted = [
            game("A", "B", Some(Points::Win)),
            game("C", "D", Some(Points::Loss)),
            game("E", "F", Some(Points::Win)),
        ];
        assert_eq!(results(text), wanted);
    }

    #[test]
    fn odd_names() {
        let text = r#"[White "say \"hi\" \\ [x]"]
[Black "the "best" one"]
[Result "1-0"]

[White "?"]
[Black "B"]
[Result "1-0"]
[White "Zoë 象"]
[Black "unclosed]
[Result "1-0"]
"#;
        let read = read_pgn(text);
        assert_eq!(read.len(), 3);
        assert_eq!(read[0].result(), Some(("say \"hi\" \\ [x]", "the \"best\" one", Points::Win)));
        assert_eq!(read[1].result(), None);
        assert_eq!((read[2].tag("White"), read[2].result()), (Some("Zoë 象"), None));
        assert!(read_pgn("").is_empty() && read_pgn("nothing here [ { ;").is_empty());
    }
}
