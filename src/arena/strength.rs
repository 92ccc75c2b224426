//! What a score says about two engines. The one place where match results meet statistics.

use super::settings::Sprt;
use super::tally::Score;

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

/// What `score` says of the first engine against the second. `paired`: games came in pairs, so that the counts of pairs
/// say more than those of games.
pub fn strength(score: &Score, _sprt: Option<&Sprt>, paired: bool) -> Strength {
    let [losses, draws, wins] = score.games;
    let total = score.total();
    let points = score.half_points() as f64 / 2.0;
    let mut lines = vec![format!(
        "Games: {total}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points:.1} ({:.2} %)",
        100.0 * points / total.max(1) as f64
    )];
    if paired {
        let counts = score.pairs.map(|count| count.to_string()).join(", ");
        lines.push(format!("Ptnml(0-2): [{counts}]"));
    }
    Strength { lines, decided: None, llr: None }
}
