//! What a decision leads to, and walks through the decisions that may follow each other.

use crate::game::{Actor, ChanceOutcomes, Decisions, Deed, GenType, Playable, write_token};
use crate::notation::{Legs, Position};

/// A decision that was made or may be made, and what it leads to. Each answer is computed when it is asked
/// for.
pub trait Successor {
    /// The legs of the decision.
    fn legs(&self) -> Legs;
    /// Who makes it: a player or chance.
    fn by(&self) -> Actor;
    /// Who decides next.
    fn actor(&self) -> Actor;
    /// True when the turn is complete.
    fn between_turns(&self) -> bool;
    /// The board afterwards, as it is drawn.
    fn shown(&self) -> Position;
    /// What the decision does.
    fn deed(&self) -> Deed;
    /// What chance brought, which the user must be shown because the board does not show it.
    fn note(&self) -> Option<String> {
        if self.by() == Actor::Chance { self.deed().report } else { None }
    }
    /// When chance decides next: each outcome as text, and the number of equally likely cases it stands for.
    fn odds(&self) -> Vec<(String, u32)> {
        Vec::new()
    }
}

/// A decision with the states before and after it.
pub(super) struct Step<'a, G: Playable> {
    pub before: &'a G,
    pub decision: G::Decision,
    pub after: &'a G,
}

impl<G: Playable> Successor for Step<'_, G> {
    fn legs(&self) -> Legs {
        self.before.legs(self.decision)
    }

    fn by(&self) -> Actor {
        self.before.actor()
    }

    fn actor(&self) -> Actor {
        self.after.actor()
    }

    fn between_turns(&self) -> bool {
        self.after.between_turns()
    }

    fn shown(&self) -> Position {
        self.after.shown()
    }

    fn deed(&self) -> Deed {
        self.before.deed(self.decision, self.after, [&self.before.shown(), &self.after.shown()])
    }

    fn odds(&self) -> Vec<(String, u32)> {
        odds(self.after)
    }
}

/// How a walk through decisions goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Goes on with what follows this path.
    Deeper,
    /// Goes on with the next path; nothing that follows this one matters.
    Skip,
    /// The walk ends here.
    End,
}

/// The outcomes of chance in `state`, each as text with its weight; empty where chance does not decide.
pub(super) fn odds<G: Playable>(state: &G) -> Vec<(String, u32)> {
    if state.actor() != Actor::Chance {
        return Vec::new();
    }
    let mut list = ChanceOutcomes::new();
    state.outcomes(&mut list);
    list.into_iter().map(|(case, weight)| (write_token(state, &[case]).to_string(), weight)).collect()
}

/// Shows `look` what follows from `state`; false when it ended the walk.
pub(super) fn walk<G: Playable>(
    state: &G,
    path: &mut Vec<u32>,
    look: &mut dyn FnMut(&[u32], &dyn Successor) -> Look,
) -> bool {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    for decision in list {
        let mut after = state.clone();
        after.apply(decision);
        path.push(decision.into());
        let goes_on = match look(path, &Step { before: state, decision, after: &after }) {
            Look::Deeper => walk(&after, path, look),
            Look::Skip => true,
            Look::End => false,
        };
        path.pop();
        if !goes_on {
            return false;
        }
    }
    true
}
