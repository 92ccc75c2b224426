//! Results in the words of fastchess, which programs that run tests read.

use super::counts::Counts;
use super::elo::estimate;
use super::sprt::{Sprt, Status};

/// A test's line: `LLR: 1.23 (41.8%) (-2.94, 2.94) [0.00, 2.00]`.
pub struct LineOfTest<'a>(pub &'a Sprt, pub &'a Status);

impl std::fmt::Display for LineOfTest<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Status { llr, lower, upper, .. } = *self.1;
        let [zero, one] = self.0.elo();
        let percent = self.1.fraction() * 100.0;
        write!(f, "LLR: {llr:.2} ({percent:.1}%) ({lower:.2}, {upper:.2}) [{zero:.2}, {one:.2}]")
    }
}

/// The lines of fastchess's report: Elo, LOS, games, pairs if there are any, the test if there is one. A ratio without
/// anything below the line is `inf`, without anything at all `-`.
pub fn summary(counts: &Counts, test: Option<&Sprt>) -> Vec<String> {
    let e = estimate(counts);
    let ratio = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let percent = |share: f64| format!("{:.2} %", share * 100.0);
    let draws = e.draw_ratio.map_or("-".to_owned(), percent);
    let pairs =
        if counts.paired() { format!(", PairsRatio: {}", ratio(e.pairs_ratio)) } else { String::new() };
    let mut lines = vec![
        format!(
            "Elo: {:.2} +/- {:.2}, nElo: {:.2} +/- {:.2}",
            e.elo, e.elo_error, e.normalized, e.normalized_error
        ),
        format!("LOS: {}, DrawRatio: {draws}{pairs}", percent(e.superiority)),
    ];
    let [losses, drawn, wins] = counts.games;
    let results = if counts.evens_assumed {
        String::new()
    } else {
        format!("Wins: {wins}, Losses: {losses}, Draws: {drawn}, ")
    };
    lines.push(format!(
        "Games: {}, {results}Points: {:.1} ({})",
        counts.games_played(),
        counts.points(),
        percent(e.score)
    ));
    if counts.paired() {
        let split = match e.split_ratio {
            None if counts.evens_assumed => String::new(),
            split => format!(", WL/DD Ratio: {}", ratio(split)),
        };
        lines.push(format!("Ptnml(0-2): {:?}{split}", counts.pairs));
    }
    if let Some(test) = test {
        lines.push(LineOfTest(test, &test.status(counts)).to_string());
    }
    lines
}
