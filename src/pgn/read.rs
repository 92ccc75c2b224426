//! Reads games from PGN, whatever game their moves are of. Ratings and openings use the same reader.
//!
//! Reading never fails: anything that is no tag, comment or move is skipped. It takes time in proportion to
//! the length of the text, whatever the text contains, since no part is read more than a few times.

use crate::base::score::Points;
use crate::base::{is_control, without_controls};
use std::borrow::Cow;

/// A game of a PGN text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame<'a> {
    /// The tags in their order, the values without quotes, escapes and control characters.
    pub tags: Vec<(&'a str, Cow<'a, str>)>,
    /// The result at the end of the movetext (`1-0`, `0-1`, `1/2-1/2`, `*`), if there is one.
    pub terminator: Option<&'a str>,
    /// The text up to the end of the movetext, and the offset where the movetext begins.
    text: &'a str,
    moves: usize,
}

/// The most tags of a game that are kept; more are skipped.
const MOST_TAGS: usize = 200;

impl<'a> PgnGame<'a> {
    /// The value of a tag, if the game has it.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_ref())
    }

    /// Both players and White's result; `None` for a game that has no result or a player without a name. The
    /// `Result` tag takes precedence over the end of the movetext.
    pub fn result(&self) -> Option<(&str, &str, Points)> {
        let named = |name| self.tag(name).filter(|name| !matches!(name.trim(), "" | "?" | "-"));
        let points = |text: &str| match text.trim() {
            "1-0" => Some(Points::Win),
            "0-1" => Some(Points::Loss),
            "1/2-1/2" | "1/2" => Some(Points::Draw),
            _ => None,
        };
        let result = self.tag("Result").or(self.terminator)?;
        Some((named("White")?, named("Black")?, points(result)?))
    }

    /// The turns of the movetext, without comments, variations, numbers, glyphs and result.
    pub fn turns(&self) -> Vec<&'a str> {
        self.lines(0).swap_remove(0)
    }

    /// The turns of the movetext, followed by those of its first `most` variations, each from the first turn
    /// of the game on.
    pub fn lines(&self, most: usize) -> Vec<Vec<&'a str>> {
        let mut scanner = Scanner { text: self.text, at: self.moves, no_tag_before: 0 };
        let mut lines = vec![Vec::new()];
        // The open lines by their indices in the list, and the depth inside variations that are skipped.
        let (mut open, mut deeper) = (vec![0], 0_usize);
        while let Some((_, item)) = scanner.next_item() {
            let own = open.last().copied().unwrap_or(0);
            match item {
                Item::Open if deeper > 0 || lines.len() > most => deeper += 1,
                Item::Open => {
                    // A variation replaces the turn before it.
                    let before = lines[own].len().saturating_sub(1);
                    open.push(lines.len());
                    lines.push(lines[own][..before].to_vec());
                }
                Item::Close if deeper > 0 => deeper -= 1,
                Item::Close if open.len() > 1 => {
                    open.pop();
                }
                Item::Part(word)
                    if deeper == 0 && !is_result(word) && !word.starts_with('$') && word != "e.p." =>
                {
                    // `1.e4`, `1...e5`: the number may be attached to the turn.
                    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
                    let numbered = behind.len() < word.len() && behind.starts_with('.');
                    let turn = if numbered { behind.trim_start_matches('.') } else { word };
                    lines[own].extend(Some(turn).filter(|turn| !turn.is_empty()));
                }
                _ => {}
            }
        }
        lines
    }
}

/// The games in a PGN text, one after the other. A game begins with a tag after movetext, with a tag of the
/// head that the game has already, or with a turn after the result. Brackets in comments are not tags. But a
/// comment that is never closed ends where a line begins with a tag of the next game's head, so that a
/// truncated file loses one game at most.
pub fn read_pgn(text: &str) -> impl Iterator<Item = PgnGame<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut scanner = Scanner { text, at: 0, no_tag_before: 0 };
    std::iter::from_fn(move || scanner.next_game())
}

/// True for the seven tags of the head, which every game has once.
fn is_head(name: &str) -> bool {
    matches!(name, "Event" | "Site" | "Date" | "Round" | "White" | "Black" | "Result")
}

fn is_result(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*")
}

/// The items of a PGN text.
enum Item<'a> {
    /// `[Name "value"]`, on one line. Quotes inside the value need a backslash, but one that does not end the
    /// tag is accepted too.
    Tag(&'a str, Cow<'a, str>),
    /// A comment: `{…}`.
    Comment,
    /// The start of a variation: `(`.
    Open,
    /// The end of a variation: `)`.
    Close,
    /// Anything else, up to a blank or one of the marks above.
    Part(&'a str),
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// No tag on this line that begins before this offset has an end.
    no_tag_before: usize,
}

const LINE_ENDS: [char; 2] = ['\n', '\r'];

impl<'a> Scanner<'a> {
    fn next_game(&mut self) -> Option<PgnGame<'a>> {
        let mut game = PgnGame::default();
        let mut depth = 0_usize;
        let mut moves = None;
        let mut has_words = false;
        while let Some((begin, item)) = self.next_item() {
            match item {
                Item::Tag(name, value) => {
                    let repeated = is_head(name) && game.tag(name).is_some();
                    if moves.is_some() && !game.tags.is_empty() || has_words || repeated {
                        self.at = begin;
                        break;
                    }
                    // A comment before the first tag is not a game.
                    (moves, game.text, depth) = (None, "", 0);
                    if game.tags.len() < MOST_TAGS {
                        game.tags.push((name, value));
                    }
                    continue;
                }
                Item::Part(_) if depth == 0 && game.terminator.is_some() => {
                    self.at = begin;
                    break;
                }
                Item::Part(word) => {
                    has_words = true;
                    if depth == 0 && is_result(word) {
                        game.terminator = Some(word);
                    }
                }
                Item::Open => depth += 1,
                Item::Close => depth = depth.saturating_sub(1),
                Item::Comment => {}
            }
            game.moves = *moves.get_or_insert(begin);
            game.text = &self.text[..self.at];
        }
        (!game.tags.is_empty() || has_words).then_some(game)
    }

    /// The next item and its offset.
    fn next_item(&mut self) -> Option<(usize, Item<'a>)> {
        loop {
            let begin = self.at;
            let rest = &self.text[begin..];
            let first = rest.chars().next()?;
            let line_start = begin == 0 || self.text[..begin].ends_with(LINE_ENDS);
            let mark = |item| Some((begin, item));
            match first {
                '[' => {
                    if let Some((name, value)) = self.tag() {
                        return mark(Item::Tag(name, value));
                    }
                    // A line that begins like a tag but is none is a broken tag, not a move.
                    if line_start { self.skip_line() } else { self.at += 1 }
                }
                ';' => self.skip_line(),
                '%' if line_start => self.skip_line(),
                '{' => {
                    self.skip_comment();
                    return mark(Item::Comment);
                }
                '(' | ')' => {
                    self.at += 1;
                    return mark(if first == '(' { Item::Open } else { Item::Close });
                }
                ']' | '}' => self.at += 1,
                c if c.is_whitespace() => self.at += c.len_utf8(),
                _ => {
                    let ends =
                        |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '{' | '}' | '(' | ')' | ';');
                    let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
                    self.at += word.len();
                    return mark(Item::Part(word));
                }
            }
        }
    }

    fn skip_line(&mut self) {
        self.at += self.text[self.at..].find(LINE_ENDS).unwrap_or(self.text.len() - self.at);
    }

    /// Skips a comment, which may be one that is never closed.
    fn skip_comment(&mut self) {
        while let Some(next) = self.text[self.at..].find(['}', '\n', '\r']) {
            self.at += next + 1;
            if self.text[..self.at].ends_with('}') {
                return;
            }
            let line = self.at;
            if self.tag().is_some_and(|(name, _)| is_head(name)) {
                self.at = line;
                return;
            }
            self.at = line;
        }
        self.at = self.text.len();
    }

    /// The tag that begins here. When there is none, nothing changes.
    fn tag(&mut self) -> Option<(&'a str, Cow<'a, str>)> {
        if self.at < self.no_tag_before {
            return None;
        }
        let blanks = |text: &'a str| text.trim_start_matches([' ', '\t']);
        let rest = blanks(self.text[self.at..].strip_prefix('[')?);
        let name = &rest[..rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())];
        let quoted = blanks(&rest[name.len()..]).strip_prefix('"').filter(|_| !name.is_empty())?;
        let mut value = Cow::Borrowed("");
        let mut from = 0;
        loop {
            let Some(next) = quoted[from..].find(['"', '\\', '\n', '\r']) else {
                self.no_tag_before = self.text.len();
                return None;
            };
            let at = from + next;
            let (before, behind) = (&quoted[from..at], &quoted[at + 1..]);
            // Nothing is copied as long as the value stands unchanged in the text.
            if from == 0 {
                value = Cow::Borrowed(before)
            } else {
                value.to_mut().push_str(before)
            }
            from = at + 1;
            match quoted.as_bytes()[at] {
                b'"' => {
                    if let Some(rest) = blanks(behind).strip_prefix(']') {
                        self.at = self.text.len() - rest.len();
                        return Some((name, clean(value)));
                    }
                    value.to_mut().push('"');
                }
                b'\\' => {
                    let escaped = behind.starts_with(['"', '\\']);
                    value.to_mut().push(if escaped { char::from(behind.as_bytes()[0]) } else { '\\' });
                    from += usize::from(escaped);
                }
                _ => {
                    // The line ends here. A tag that begins later on it would need the same end.
                    self.no_tag_before = self.text.len() - behind.len();
                    return None;
                }
            }
        }
    }
}

fn clean(value: Cow<'_, str>) -> Cow<'_, str> {
    if value.contains(is_control) { without_controls(&value).into_owned().into() } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(text: &str) -> Vec<(String, String, Option<Points>)> {
        let of = |game: PgnGame<'_>| {
            let name = |name| game.tag(name).unwrap_or_default().to_owned();
            (name("White"), name("Black"), game.result().map(|result| result.2))
        };
        read_pgn(text).map(of).collect()
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
        assert_eq!(read_pgn(text).next().unwrap().terminator, Some("1-0"));
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
        let read: Vec<_> = read_pgn(text).collect();
        assert_eq!(read.len(), 3);
        assert_eq!(read[0].result(), Some(("say \"hi\" \\ [x]", "the \"best\" one", Points::Win)));
        assert_eq!(read[1].result(), None);
        assert_eq!((read[2].tag("White"), read[2].result()), (Some("Zoë 象"), None));
        assert!(read_pgn("").next().is_none() && read_pgn("; nothing [ { here").next().is_none());
    }

    #[test]
    fn turns_are_what_is_played() {
        let text = "[Event \"x\"]\n[FEN \"8/8 \\\"w\"]\n\n1.e4 {a [x \"y\"]\n[not a tag]\n; } e5 $1 (1... c5 (2. x) y) ; no {\n\
                    % no\n2. Nf3!? Nc6; 3. no\n3... Bb5 e.p. 1-0 {the end}\n4. d4 *\n\n[Event \"y\"]\n1. d4";
        let games: Vec<_> = read_pgn(text).collect();
        let turns: Vec<_> = games.iter().map(|game| game.turns().join(" ")).collect();
        assert_eq!(turns, ["e4 e5 Nf3!? Nc6 Bb5", "d4", "d4"]);
        let lines: Vec<_> = games[0].lines(9).iter().map(|line| line.join(" ")).collect();
        assert_eq!(lines, ["e4 e5 Nf3!? Nc6 Bb5", "e4 c5 y", "e4 x"]);
        assert_eq!(games[0].lines(1).len(), 2);
        assert_eq!(games[0].tag("FEN"), Some("8/8 \"w"));
        assert_eq!(games[0].terminator, Some("1-0"));
    }

    #[test]
    fn names_have_no_control_characters() {
        let game = read_pgn("[White \"a\u{1b}[2J\tb\"]\r[Black \"c\u{85}\"]\r\n1-0").next().unwrap();
        assert_eq!(game.result(), Some(("a\u{fffd}[2J b", "c\u{fffd}", Points::Win)));
    }

    /// Texts that once took time quadratic in their length: a megabyte of each is read here, which would take
    /// hours.
    #[test]
    fn hostile_text_is_read_in_linear_time() {
        for piece in [
            "{",
            "{\n",
            "{\n[Event \"x\"]\n",
            "{\n[x \"y\n",
            "[",
            "\n[",
            "[a \"",
            "[a \" \"",
            "[a \\\"",
            "[a \"\\",
            "x[a \"b",
            "[a \"b\"]",
            "\n[Event \"b\"]",
            "(",
            ") ",
            "\"  ",
            "[  ",
            "1-0 ",
            "* {",
            "; {",
            "%[",
            "[Event \"x\" ",
            "\u{1b}",
            "\r{\r[",
        ] {
            let text = piece.repeat((1 << 20) / piece.len());
            for begin in ["", "[a \"", "{", "\n[Event \"", "x ["] {
                let text = format!("{begin}{text}");
                let turns: usize = read_pgn(&text).map(|game| game.lines(9)[0].len()).sum();
                assert!(turns <= text.len(), "{piece:?}");
            }
        }
    }
}
