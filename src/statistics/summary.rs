//! Results in the format of fastchess, which programs that run tests read.

use super::counts::Counts;
use super::elo::estimate;
use super::sprt::{Sprt, Status};

/// The line of a test: `LLR: 1.23 (41.8%) (-2.94, 2.94) [0.00, 2.00]`.
pub struct LlrLine<'a>(pub &'a Sprt, pub &'a Status);

impl std::fmt::Display for LlrLine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Status { llr, lower, upper, .. } = *self.1;
        let [zero, one] = self.0.elo();
        let percent = self.1.fraction() * 100.0;
        write!(f, "LLR: {llr:.2} ({percent:.1}%) ({lower:.2}, {upper:.2}) [{zero:.2}, {one:.2}]")
    }
}

/// The lines of fastchess's report: Elo, LOS, games, pairs if there are any, and the test if there is one. A
/// ratio with denominator 0 is `inf`, and one without any data is `-`.
///
/// Elo and its error are those of `telling`, the games that tell something; without any they are `-`.
pub fn summary(counts: &Counts, telling: Option<&Counts>, test: Option<&Sprt>) -> Vec<String> {
    let e = estimate(counts);
    let strength = telling.map(estimate);
    let ratio = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let percent = |share: f64| format!("{:.2} %", share * 100.0);
    let draws = e.draw_ratio.map_or("-".to_owned(), percent);
    let pairs =
        if counts.paired() { format!(", PairsRatio: {}", ratio(e.pairs_ratio)) } else { String::new() };
    let mut lines = vec![
        strength.map_or("Elo: - +/- -, nElo: - +/- -".to_owned(), |e| {
            format!(
                "Elo: {} +/- {:.2}, nElo: {} +/- {:.2}",
                signed(e.elo),
                e.elo_error,
                signed(e.normalized),
                e.normalized_error
            )
        }),
        format!(
            "LOS: {}, DrawRatio: {draws}{pairs}",
            strength.map_or("-".to_owned(), |e| percent(e.superiority))
        ),
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
        lines.push(LlrLine(test, &test.status(counts)).to_string());
    }
    lines
}

/// The number with two decimals, and no minus sign before zero.
fn signed(number: f64) -> String {
    let text = format!("{number:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::super::{Model, Points};
    use super::*;

    #[test]
    fn the_words_of_fastchess() {
        let mut counts = Counts::default();
        for pair in [[Points::Win, Points::Draw], [Points::Draw, Points::Draw], [Points::Win, Points::Loss]] {
            pair.into_iter().for_each(|points| counts.add_game(points));
            counts.add_pair(pair);
        }
        let test = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05).unwrap();
        let lines = summary(&counts, Some(&counts), Some(&test));
        let begins = ["Elo: ", "LOS: ", "Games: 6, Wins: 2, Losses: 1, Draws: 3, Points: 3.5 (58.33 %)"];
        assert_eq!(lines.len(), 5);
        assert!(lines.iter().zip(begins).all(|(line, start)| line.starts_with(start)), "{lines:?}");
        assert!(lines[1].ends_with("DrawRatio: 66.67 %, PairsRatio: inf"), "{lines:?}");
        assert_eq!(lines[3], "Ptnml(0-2): [0, 0, 2, 1, 0], WL/DD Ratio: 1.00");
        assert!(lines[4].starts_with("LLR: 0.") && lines[4].ends_with("%) (-2.94, 2.94) [0.00, 5.00]"));
        assert_eq!(signed(-0.004), "0.00");
        let few = Counts::trinomial(1, 2, 1);
        assert_eq!(summary(&few, Some(&few), None).len(), 3);
        let lines = summary(&few, None, None);
        assert_eq!(lines[..2], ["Elo: - +/- -, nElo: - +/- -", "LOS: -, DrawRatio: 50.00 %"]);
    }
}
