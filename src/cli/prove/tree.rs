//! The first turns of a proof: one decision of the winner in each position, and all replies.

use crate::game::winning::{Winning, identity};
use crate::game::{Actor, Decisions, GenType, Playable};
use std::collections::{HashMap, HashSet};

/// A position where the winner decides.
pub struct Node<G: Playable> {
    pub state: G,
    /// What is decided, if that is known.
    choice: Option<G::Decision>,
    /// The positions after the replies to it, in the next level.
    replies: Vec<usize>,
    /// Whether a position that is not proved leads to it.
    needed: bool,
}

/// Positions where the winner decides, level by level, each after one more decision of either side.
pub struct Tree<G: Playable> {
    pub levels: Vec<Vec<Node<G>>>,
    /// How many decisions lead to the first level: 1 where the other side decides first.
    before: usize,
}

/// What is known of the first turns besides proofs.
pub struct Choices<G: Playable> {
    /// The decisions of the winner that a search has found, by position.
    found: HashMap<u64, Vec<G::Decision>>,
    /// The positions that are not won.
    pub not_won: HashSet<u64>,
}

/// Adds a decision of the winner in a position to the choices; false where there is none.
pub type Find<'a, G, E> = dyn FnMut(&G, &mut Choices<G>) -> Result<bool, E> + 'a;

impl<G: Playable> Default for Choices<G> {
    fn default() -> Self {
        Self { found: HashMap::new(), not_won: HashSet::new() }
    }
}

/// Where the winner decides after all decisions in `state`; `None` where one ends the game without a win.
pub fn after_all<G: Playable>(state: &G, known: &Winning<'_, G::Decision>) -> Option<Vec<G>> {
    let mut list = Decisions::new();
    state.decisions(GenType::All, &mut list);
    let mut found = Vec::new();
    for &decision in &list {
        let after = state.after(decision);
        match after.outcome() {
            Some(outcome) if outcome.winner == Some(known.winner()) => {}
            Some(_) => return None,
            None => found.push(after),
        }
    }
    Some(found)
}

impl<G: Playable> Choices<G> {
    /// The number of positions with a choice.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    pub fn add(&mut self, state: &G, decision: G::Decision) {
        let found = self.found.entry(identity(state)).or_default();
        if !found.contains(&decision) {
            found.push(decision);
        }
    }

    /// The positions after the replies to a decision of the winner; `None` where it is known not to win.
    fn replies(&self, state: &G, decision: G::Decision, known: &Winning<'_, G::Decision>) -> Option<Vec<G>> {
        let after = state.after(decision);
        match after.outcome() {
            Some(outcome) => (outcome.winner == Some(known.winner())).then(Vec::new),
            None => after_all(&after, known)
                .filter(|replies| replies.iter().all(|reply| !self.not_won.contains(&identity(reply)))),
        }
    }

    /// The decision in `state` that was found and is not refuted.
    fn choice(&self, state: &G, known: &Winning<'_, G::Decision>) -> Option<G::Decision> {
        let found = self.found.get(&identity(state))?;
        found.iter().copied().find(|&decision| self.replies(state, decision, known).is_some())
    }

    /// The decisions in `state` that are not refuted.
    pub fn left(&self, state: &G, known: &Winning<'_, G::Decision>) -> Vec<G::Decision> {
        let mut list = Decisions::new();
        state.sorted_decisions(&mut list);
        list.into_iter().filter(|&decision| self.replies(state, decision, known).is_some()).collect()
    }
}

impl<G: Playable> Tree<G> {
    /// The positions so many `plies` after `root`, and those on the way there. Where nothing was found yet in a
    /// position that is needed and not proved, `find` is asked for the winner's decision, which it adds to the
    /// choices; it returns false where there is none. What comes after a position without a choice is left out.
    pub fn grow<E>(
        root: &G,
        plies: usize,
        known: &Winning<'_, G::Decision>,
        choices: &mut Choices<G>,
        find: &mut Find<'_, G, E>,
    ) -> Result<Self, E> {
        let decides = root.actor() == Actor::Player(known.winner());
        let first = if decides { vec![root.clone()] } else { after_all(root, known).unwrap_or_default() };
        let mut tree = Self { levels: Vec::new(), before: usize::from(!decides) };
        let mut level = Level::default();
        for state in first {
            level.place(state, true);
        }
        while tree.plies(tree.levels.len()) < plies {
            let mut next = Level::default();
            for node in &mut level.nodes {
                let is_open = node.needed && known.wins_from(&node.state).is_none();
                let mut choice = choices.choice(&node.state, known);
                if choice.is_none() && is_open && find(&node.state, choices)? {
                    choice = choices.choice(&node.state, known);
                }
                if let Some(replies) = choice.and_then(|own| choices.replies(&node.state, own, known)) {
                    node.choice = choice;
                    node.replies = replies.into_iter().map(|state| next.place(state, is_open)).collect();
                }
            }
            if next.nodes.is_empty() {
                break;
            }
            tree.levels.push(std::mem::replace(&mut level, next).nodes);
        }
        tree.levels.push(level.nodes);
        Ok(tree)
    }

    /// How many decisions lead to the positions of a level.
    pub const fn plies(&self, level: usize) -> usize {
        self.before + 2 * level
    }

    /// Within how many decisions each position is won, as far as that is proved: by a proof of its own, or by
    /// those of all positions that its choice leads to.
    pub fn distances(&self, known: &Winning<'_, G::Decision>) -> Vec<Vec<Option<u32>>> {
        let mut levels: Vec<Vec<Option<u32>>> = Vec::new();
        for level in self.levels.iter().rev() {
            let next = levels.last();
            let distance = |node: &Node<G>| {
                let by_choice = || {
                    node.choice?;
                    let mut replies = node.replies.iter().map(|&reply| *next?.get(reply)?);
                    // The longest of them; none where one is missing.
                    let longest = replies.try_fold(0, |longest, own| Some(own?.max(longest)))?;
                    let in_time = |room| 2 + longest <= room;
                    node.state.counter_room().is_none_or(in_time).then_some(2 + longest)
                };
                known.wins_from(&node.state).or_else(by_choice)
            };
            levels.push(level.iter().map(distance).collect());
        }
        levels.reverse();
        levels
    }

    /// The positions of the last level that are not proved, each with its number there. Those that only proved
    /// positions lead to are left out.
    pub fn open_leaves(&self, known: &Winning<'_, G::Decision>) -> Vec<(usize, &G)> {
        let mut needed: HashSet<usize> = (0..self.levels.first().map_or(0, Vec::len)).collect();
        let mut open = Vec::new();
        for level in &self.levels {
            open.clear();
            let above = std::mem::take(&mut needed);
            for (number, node) in level.iter().enumerate() {
                if above.contains(&number) && known.wins_from(&node.state).is_none() {
                    open.push((number, &node.state));
                    needed.extend(&node.replies);
                }
            }
        }
        open
    }
}

/// The positions of a level, each once.
struct Level<G: Playable> {
    nodes: Vec<Node<G>>,
    places: HashMap<u64, usize>,
}

impl<G: Playable> Default for Level<G> {
    fn default() -> Self {
        Self { nodes: Vec::new(), places: HashMap::new() }
    }
}

impl<G: Playable> Level<G> {
    /// The place of a position, which is added if it is new.
    fn place(&mut self, state: G, is_needed: bool) -> usize {
        let Self { nodes, places } = self;
        let place = *places.entry(identity(&state)).or_insert_with(|| {
            nodes.push(Node { state, choice: None, replies: Vec::new(), needed: false });
            nodes.len() - 1
        });
        nodes[place].needed |= is_needed;
        place
    }
}
