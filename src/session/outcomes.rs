//! What a decision leaves to dice or cards.

use super::{Board, Look, Successor};

/// An outcome of chance to which a decision leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChanceOutcome {
    /// The outcome as a token, such as `=4`.
    pub token: String,
    /// The number of equally likely cases it stands for.
    pub cases: u32,
    /// What it does, in words; `None` where there are too many outcomes to look at each.
    pub label: Option<String>,
}

/// The most outcomes that are looked at: those of a die. Cards may come in a great many ways.
const MOST_LABELS: usize = 6;

/// The decisions that may be made now, each as `describe` has it, with the outcomes of dice or cards it leads
/// to.
pub fn decisions_and_outcomes<T>(
    board: &(impl Board + ?Sized),
    mut describe: impl FnMut(&dyn Successor) -> T,
) -> Vec<(T, Vec<ChanceOutcome>)> {
    let mut found: Vec<(T, Vec<ChanceOutcome>)> = Vec::new();
    board.explore(&mut |path, successor| {
        if path.len() > 1 {
            // Chance decides after the decision that came last.
            let token = successor.legs().first().map(ToString::to_string);
            let outcomes = found.last_mut().into_iter().flat_map(|(_, outcomes)| outcomes);
            if let Some(outcome) = outcomes.into_iter().find(|outcome| Some(&outcome.token) == token.as_ref())
            {
                outcome.label = Some(successor.deed().label);
            }
            return Look::Skip;
        }
        let odds = successor.odds().into_iter();
        let outcomes: Vec<_> =
            odds.map(|(token, cases)| ChanceOutcome { token, cases, label: None }).collect();
        let few = (1..=MOST_LABELS).contains(&outcomes.len());
        found.push((describe(successor), outcomes));
        if few { Look::Deeper } else { Look::Skip }
    });
    found
}
