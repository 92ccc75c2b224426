//! `exclude` and `include`: which moves of the present position are searched.

use crate::notation::parse_token;
use crate::protocol::xboard::{Selection, plain_move};
use crate::session::{Session, xboard_spelling};
use litemap::LiteMap;

/// The continuations of the present position that are excluded from the search.
#[derive(Default)]
pub(super) struct Excluded(LiteMap<String, ()>);

impl Excluded {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Excludes moves from the search, or (`include`) takes them back in; false when there is no such move.
    pub fn select(&mut self, session: &dyn Session, selection: Selection<'_>, include: bool) -> bool {
        let moves = match selection {
            Selection::All => session.continuations(),
            Selection::One(text) => {
                let token = xboard_spelling::read_move(session, &plain_move(text));
                let Some(found) = continuation(session, &token) else { return false };
                vec![found]
            }
        };
        if include {
            self.0.retain(|text, ()| !moves.contains(text));
        } else {
            for text in moves {
                self.0.insert(text, ());
            }
        }
        true
    }

    /// The number of continuations that are left.
    pub fn left(&self, session: &dyn Session) -> usize {
        session.continuations().len().saturating_sub(self.0.len())
    }

    /// The tokens a search may begin with; an empty list for all, `None` when everything is excluded.
    pub fn roots(&self, session: &dyn Session) -> Option<Vec<String>> {
        if self.0.is_empty() {
            return Some(Vec::new());
        }
        let mut left = session.continuations();
        left.retain(|text| !self.0.contains_key(text));
        (!left.is_empty()).then_some(left)
    }
}

/// The continuation of the present position that `token` is, or begins with.
fn continuation(session: &dyn Session, token: &str) -> Option<String> {
    let list = session.continuations();
    // A whole turn is excluded with its first leg.
    let first = parse_token(token).ok().and_then(|token| Some(token.legs.first()?.to_string()));
    [Some(token.to_owned()), first].into_iter().flatten().find(|text| list.contains(text))
}
