//! `exclude` and `include`: which moves of the present position are looked at.

use super::{Mode, Purpose, Xboard, error, view};
use crate::engine::controller::Replies;
use crate::notation::parse_token;
use crate::protocol::xboard::Selection;
use std::time::Instant;

impl Xboard {
    /// Takes moves out of those to be looked at, or (`include`) puts them back in.
    pub(super) fn select(
        &mut self,
        selection: Selection<'_>,
        include: bool,
        when: Instant,
        out: &mut Replies,
    ) {
        let moves = match selection {
            Selection::All => self.engine.session().continuations(),
            Selection::One(text) => {
                let token = view::read_move(self.engine.session(), &plain_move(text));
                let Some(found) = self.continuation(&token) else {
                    let command = if include { "include" } else { "exclude" };
                    return error(out, "not a legal move here", &format!("{command} {text}"));
                };
                vec![found]
            }
        };
        for text in moves {
            if include {
                self.excluded.remove(&text);
            } else {
                self.excluded.insert(text);
            }
        }
        self.search_again(when, out);
    }

    /// What of the present position's continuations `token` is, or begins with.
    fn continuation(&self, token: &str) -> Option<String> {
        let list = self.engine.session().continuations();
        if list.iter().any(|one| one == token) {
            return Some(token.to_owned());
        }
        // A whole turn is left out with its first leg.
        let first = parse_token(token).ok()?.legs.first()?.to_string();
        list.into_iter().find(|one| *one == first)
    }

    /// The tokens a search may begin with, none for all; `None` when everything is excluded.
    pub(super) fn roots(&self) -> Option<Vec<String>> {
        if self.excluded.is_empty() {
            return Some(Vec::new());
        }
        let list = self.engine.session().continuations();
        let left: Vec<_> = list.into_iter().filter(|text| !self.excluded.contains(text)).collect();
        (!left.is_empty()).then_some(left)
    }

    /// The moves to be looked at have changed: begins anew, on the clock of the search in progress. While there are
    /// none, a search for a move goes on with those it had.
    fn search_again(&mut self, when: Instant, out: &mut Replies) {
        if self.mode == Mode::Analyzes {
            self.abandon(out);
            return self.analyze_again(when, out);
        }
        let since = match &self.search {
            Some(search) if search.purpose == Purpose::Ponder || search.hurried => return,
            Some(search) if search.purpose == Purpose::Move => search.since,
            _ => when,
        };
        if self.roots().is_some() {
            self.abandon(out);
            self.take_turn(since, out);
        }
    }
}

/// A move of `exclude`, in which XBoard writes every rank as one character (`:` is 10) and the squares of men taken on
/// the way behind a semicolon, as `usermove` would bring it. Other text is given back.
pub(super) fn plain_move(text: &str) -> String {
    odd_move(text).unwrap_or_else(|| text.to_owned())
}

fn odd_move(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    if let [letter @ b'A'..=b'Z', b'@', file, rank] = bytes {
        return Some(format!("{}@{}", char::from(*letter), square(*file, *rank)?));
    }
    let (squares, rest) = bytes.split_at_checked(4)?;
    let (from, to) = (square(squares[0], squares[1])?, square(squares[2], squares[3])?);
    let (kills, suffix) = match rest {
        [] => (Vec::new(), ""),
        [b'a'..=b'z' | b'='] => (Vec::new(), &text[4..]),
        [b';', kills @ ..] => {
            let (pairs, odd) = kills.as_chunks::<2>();
            let found: Option<Vec<String>> = pairs.iter().map(|&[file, rank]| square(file, rank)).collect();
            (found?, if odd.is_empty() { "" } else { &text[text.len() - 1..] })
        }
        _ => return None,
    };
    // The one named last is visited first.
    let mut legs = Vec::new();
    let mut at = from;
    for kill in kills.into_iter().rev() {
        legs.push(format!("{at}{kill}"));
        at = kill;
    }
    legs.push(format!("{at}{to}{suffix}"));
    Some(legs.join(","))
}

fn square(file: u8, rank: u8) -> Option<String> {
    (file.is_ascii_lowercase() && (b'0'..=b'?').contains(&rank))
        .then(|| format!("{}{}", char::from(file), rank - b'0'))
}
