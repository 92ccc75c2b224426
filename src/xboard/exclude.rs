//! `exclude` and `include`: which moves of the present position are searched.

use super::{Mode, Purpose, Xboard};
use crate::notation::parse_token;
use crate::protocol::xboard::Selection;
use crate::session::xboard_spelling;

impl Xboard {
    /// Excludes moves from the search, or (`include`) takes them back in.
    pub(super) fn select(&mut self, selection: Selection<'_>, include: bool) {
        let moves = match selection {
            Selection::All => self.engine.session().continuations(),
            Selection::One(text) => {
                let token = xboard_spelling::read_move(self.engine.session(), &plain_move(text));
                let Some(found) = self.continuation(&token) else {
                    let command = if include { "include" } else { "exclude" };
                    return self.error("not a legal move here", &format!("{command} {text}"));
                };
                vec![found]
            }
        };
        if include {
            self.game.excluded.retain(|text| !moves.contains(text));
        } else {
            self.game.excluded.extend(moves);
        }
        self.search_again();
    }

    /// The continuation of the present position that `token` is, or begins with.
    fn continuation(&self, token: &str) -> Option<String> {
        let list = self.engine.session().continuations();
        // A whole turn is excluded with its first leg.
        let first = parse_token(token).ok().and_then(|token| Some(token.legs.first()?.to_string()));
        [Some(token.to_owned()), first].into_iter().flatten().find(|text| list.contains(text))
    }

    /// The tokens a search may begin with; an empty list for all, `None` when everything is excluded.
    pub(super) fn roots(&self) -> Option<Vec<String>> {
        if self.game.excluded.is_empty() {
            return Some(Vec::new());
        }
        let mut left = self.engine.session().continuations();
        left.retain(|text| !self.game.excluded.contains(text));
        (!left.is_empty()).then_some(left)
    }

    /// The moves to be searched have changed: begins anew, on the clock of the search in progress. While
    /// every move is excluded, a search for our move goes on with those it had.
    fn search_again(&mut self) {
        if self.mode == Mode::Analyzes {
            return self.analyze_again();
        }
        match &self.search {
            Some(search) if search.purpose == Purpose::Ponder || search.running.is_stopped() => return,
            Some(search) if search.purpose == Purpose::Move => self.when = search.since,
            _ => {}
        }
        if self.roots().is_some() {
            self.abandon();
            self.take_turn();
        }
    }
}

/// Turns a move of `exclude` into the form of `usermove`. XBoard writes every rank in it as one character
/// (`:` is 10), and the squares of pieces captured on the way behind a semicolon. Other text is returned as
/// it is.
pub(super) fn plain_move(text: &str) -> String {
    odd_move(text).unwrap_or_else(|| text.to_owned())
}

fn odd_move(text: &str) -> Option<String> {
    if let [letter @ b'A'..=b'Z', b'@', at @ ..] = text.as_bytes() {
        return Some(format!("{}@{}", char::from(*letter), square(at)?));
    }
    let (ends, rest) = text.split_at_checked(4)?;
    let (kills, suffix) = match rest.strip_prefix(';') {
        Some(rest) => rest.split_at_checked(rest.len() / 2 * 2)?,
        None => ("", rest),
    };
    let (from, to) = ends.as_bytes().split_at(2);
    // The piece that is named last is visited first.
    let visited: Option<Vec<String>> =
        [from].into_iter().chain(kills.as_bytes().chunks(2).rev()).chain([to]).map(square).collect();
    let legs: Vec<String> = visited?.windows(2).map(|leg| leg.concat()).collect();
    Some(legs.join(",") + suffix)
}

fn square(text: &[u8]) -> Option<String> {
    let &[file @ b'a'..=b'z', rank @ b'0'..=b'?'] = text else { return None };
    Some(format!("{}{}", char::from(file), rank - b'0'))
}
