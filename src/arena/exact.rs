//! Wins that can be forced, proved by looking at every reply: for ending games early without guessing.
//!
//! Plain: no table, no ordering but the game's own, every position looked at counts against a limit. Only the state is
//! looked at, so a result that depends on repetition is never taken for proved.

use crate::base::Color;
use crate::engine::Session;
use crate::game::{Actor, Decisions, Facts, Playable, Rules, Wanted};
use crate::notation::parse_position;
use crate::variants::{self, Visitor};

/// Who wins the present position of `session` by force within `turns` turns of both players together, whatever the
/// opponent does and however the dice fall. `None` when nobody, or when it cannot be told within `positions` positions, or
/// when something is hidden.
pub fn forced_win(session: &dyn Session, turns: u32, positions: u64) -> Option<Color> {
    let position = session.position().to_string();
    let search = Search { position, rules: session.rules().clone(), turns, positions };
    variants::visit(session.facts().name, search).ok().flatten()
}

struct Search {
    position: String,
    rules: Rules,
    turns: u32,
    positions: u64,
}

impl Visitor for Search {
    type Output = Option<Color>;
    fn visit<G: Playable>(self, _: &'static Facts) -> Option<Color> {
        let state = G::read(&parse_position(&self.position).ok()?, &self.rules).ok()?;
        // What one side may not see must not decide.
        let seen = |color| state.view(color).key() == state.key();
        if !Color::ALL.into_iter().all(seen) {
            return None;
        }
        let attacker = state.actor().player()?;
        let mut left = self.positions;
        [attacker, !attacker].into_iter().find(|winner| {
            (1..=self.turns).any(|turns| wins(&state, *winner, turns, &mut left) == Some(true))
        })
    }
}

/// Whether `winner` can force a win from `state` within `turns` turns. `None` when the limit was reached.
fn wins<G: Playable>(state: &G, winner: Color, turns: u32, left: &mut u64) -> Option<bool> {
    *left = left.checked_sub(1)?;
    if let Some(outcome) = state.outcome() {
        return Some(outcome.winner == Some(winner));
    }
    if turns == 0 {
        return Some(false);
    }
    let mut list = Decisions::new();
    state.decisions(Wanted::All, &mut list);
    let chooses = state.actor() == Actor::Player(winner);
    for &decision in &list {
        let mut next = state.clone();
        next.apply(decision);
        let fewer = u32::from(next.between_turns());
        if wins(&next, winner, turns - fewer, left)? == chooses {
            return Some(chooses);
        }
    }
    Some(!chooses && !list.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn mates_are_proved_and_nothing_else() {
        let mut session = crate::arena::referee(variants::find("chess").unwrap(), &Rules::default());
        for (position, turns, winner) in [
            // Mate in one, in two (three turns), and none.
            ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1, Some(Color::White)),
            ("k7/8/8/8/8/8/1R6/2R4K w - - 0 1", 3, Some(Color::White)),
            ("7k/8/8/8/8/8/RR6/7K w - - 0 1", 2, None),
            ("7k/8/8/8/8/8/RR6/7K w - - 0 1", 3, Some(Color::White)),
            // Black is to move and cannot help it.
            ("k7/2K5/8/8/8/8/8/1R6 b - - 0 1", 2, Some(Color::White)),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, None),
        ] {
            session.set_up(Some(position), &mut std::iter::empty()).unwrap();
            assert_eq!(forced_win(&*session, turns, 1_000_000), winner, "{position}");
            assert_eq!(forced_win(&*session, turns, 1), None, "{position}: too few positions");
        }
    }
}
