//! Tables of a match, for a terminal and as a web page.

use super::Scoreboard;
use super::scoreboard::listed;
use crate::base::columns::{padded, width};
use crate::base::without_controls;
use std::fmt::Write;

/// The width of [`text`] without the names, in columns.
pub const WIDTH_BESIDE_NAMES: usize = 54;

/// The standings as text: rank, name, games, points, share, wins, draws, losses, games lost by faults.
pub fn text(scoreboard: &Scoreboard, names: &[String]) -> String {
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(4).max(4);
    let mut table =
        format!("Rank {}  Games  Points       %  Wins Draws Losses Faults\n", padded("Name", widest));
    for (index, engine) in scoreboard.ranking().into_iter().enumerate() {
        let standing = &scoreboard.standings[&engine];
        let [losses, draws, wins] = standing.games;
        let games = losses + draws + wins;
        let points = scoreboard.points(engine);
        let share = 100.0 * scoreboard.share(engine);
        let faults: u64 = standing.faults.values().sum();
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "{:>4} {} {games:>6} {points:>7.1} {share:>7.2} {wins:>5} {draws:>5} {losses:>6} {faults:>6}",
            index + 1,
            padded(&names[engine], widest),
        );
    }
    table.push_str(&scoreboard.footnote(names));
    table
}

fn escaped(text: &str) -> String {
    without_controls(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The tag that marks a page as written by Carom.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"carom\">";

/// The cross table as a self-contained HTML page: the points of each engine against each other one.
pub fn html(scoreboard: &Scoreboard, names: &[String], title: &str, total: Option<u64>) -> String {
    let order = scoreboard.ranking();
    let title = escaped(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{GENERATOR}<title>{title}</title>\n<style>\
         body{{font-family:sans-serif;margin:2em}}table{{border-collapse:collapse}}\
         td,th{{border:1px solid #999;padding:.3em .6em;text-align:right}}th:nth-child(2),td:nth-child(2){{text-align:left}}\
         .own{{background:#ddd}}caption{{text-align:left;margin-bottom:.5em}}</style></head>\n<body><h1>{title}</h1>\n"
    );
    let of = total.map_or(String::new(), |total| format!(" of {total}"));
    let _ = write!(
        page,
        "<table><caption>{}{of} games</caption>\n<tr><th>#</th><th>Engine</th>",
        scoreboard.total()
    );
    for number in 1..=order.len() {
        let _ = write!(page, "<th>{number}</th>");
    }
    page.push_str("<th>Points</th><th>Games</th><th>%</th><th>Faults</th></tr>\n");
    for (index, &engine) in order.iter().enumerate() {
        let _ = write!(page, "<tr><td>{}</td><td>{}</td>", index + 1, escaped(&names[engine]));
        for &other in &order {
            match scoreboard.score(engine, other) {
                _ if other == engine => page.push_str("<td class=\"own\"></td>"),
                None => page.push_str("<td></td>"),
                Some(score) => {
                    let ([losses, draws, wins], points) = (score.games, score.points());
                    let _ = write!(page, "<td title=\"+{wins} ={draws} -{losses}\">{points:.1}</td>");
                }
            }
        }
        let standing = &scoreboard.standings[&engine];
        let [losses, draws, wins] = standing.games;
        let games = losses + draws + wins;
        let points = scoreboard.points(engine);
        let faults: u64 = standing.faults.values().sum();
        let share = 100.0 * scoreboard.share(engine);
        let _ =
            writeln!(page, "<td>{points:.1}</td><td>{games}</td><td>{share:.1}</td><td>{faults}</td></tr>");
    }
    page.push_str("</table>\n");
    for line in scoreboard.footnote(names).lines() {
        let _ = writeln!(page, "<p>{}</p>", escaped(line));
    }
    let _ = writeln!(page, "<p>How games ended: {}</p></body></html>", listed(&scoreboard.endings));
    page
}

#[cfg(test)]
mod tests {
    use super::super::scoreboard::tests::game;
    use super::*;

    #[test]
    fn tables_tell_points_and_escape_names() {
        let mut scoreboard = Scoreboard::default();
        for (number, engines, result) in [(1, [0, 1], "0-1"), (2, [1, 0], "1/2-1/2"), (3, [1, 2], "1-0")] {
            scoreboard.add(&game(number, engines, result), true);
        }
        let names = ["A <script>", "B & C", "D"].map(str::to_owned);
        insta::assert_snapshot!(text(&scoreboard, &names), @r"
        Rank Name        Games  Points       %  Wins Draws Losses Faults
           1 B & C           3     2.5   83.33     2     1      0      0
           2 A <script>      2     0.5   25.00     0     1      1      0
           3 D               1     0.0    0.00     0     0      1      0
        ");
        let page = html(&scoreboard, &names, "Cup", Some(6));
        assert!(page.contains("<td>B &amp; C</td>") && page.contains("A &lt;script&gt;"));
        assert!(page.contains("<td title=\"+1 =1 -0\">1.5</td>") && page.contains("3 of 6 games"));
        assert_eq!(page.matches("<tr>").count(), page.matches("</tr>").count());
    }
}
