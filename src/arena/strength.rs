//! What a score says about two engines. The one place where match results meet statistics.

use super::scoreboard::HeadToHead;
use super::statistics::{Sprt, Verdict, summary};

/// What a score says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strength {
    /// For people, a line each.
    pub lines: Vec<String>,
    /// The test has decided: true for the alternative.
    pub decided: Option<bool>,
    /// The log-likelihood ratio and its bounds.
    pub llr: Option<(f64, f64, f64)>,
}

/// What `score` says of the first engine against the second. Where games came in pairs, the pairs are counted.
pub fn strength(score: &HeadToHead, test: Option<&Sprt>) -> Strength {
    let counts = score.counts();
    let status = test.map(|test| test.status(&counts));
    let decided = status.as_ref().and_then(|status| match status.verdict {
        Verdict::Accept => Some(true),
        Verdict::Reject => Some(false),
        Verdict::Continue => None,
    });
    let llr = status.map(|status| (status.llr, status.lower, status.upper));
    Strength { lines: summary(&counts, test), decided, llr }
}
