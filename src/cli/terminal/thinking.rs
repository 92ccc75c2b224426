//! A search that somebody waits for: it tells its lines, and an interrupt ends it.

use super::Interrupts;
use crate::arena::Clock;
use crate::base::Color;
use crate::base::score::{Score, distance};
use crate::engine::{BestMove, Engine, PvLine, SearchEvent, SearchRequest};
use crate::search::{Bound, Budget, Limits};
use crossbeam_channel::{Receiver, never, select};
use std::time::{Duration, Instant};

/// Searches the present position; each line found goes to `told`. Ends with what was found until then when interrupted or
/// when `enough` says something; true if so.
pub fn think(
    engine: &mut Engine,
    limits: Limits,
    interrupts: &Interrupts,
    enough: Option<&Receiver<String>>,
    told: &mut dyn FnMut(&PvLine) -> anyhow::Result<()>,
) -> anyhow::Result<(BestMove, bool)> {
    let request = SearchRequest { limits, ..SearchRequest::default() };
    let search = engine.search(request, Instant::now())?;
    let none = never();
    let mut enough = enough.unwrap_or(&none);
    let mut ended = false;
    loop {
        select! {
            recv(engine.events()) -> event => match event? {
                (id, _) if id != search.id => {}
                (_, SearchEvent::Info(line)) => told(&line)?,
                (_, SearchEvent::BestMove(best)) => return Ok((best, ended)),
                (_, SearchEvent::Failed(reason)) => log::error!("the search failed: {reason}"),
                _ => {}
            },
            recv(interrupts.arrived) -> _ => {
                ended = true;
                search.stop();
            }
            recv(enough) -> _ => {
                // Once is enough, also where nobody can say it again.
                enough = &none;
                ended = true;
                search.stop();
            }
        }
    }
}

/// What an engine's search is limited to, by its level and its clock.
pub fn limits_for(limits: Limits, clock: &Clock) -> Limits {
    use crate::arena::TimeControl;
    let remaining = clock.left();
    let budget = match clock.control() {
        TimeControl::Untimed => return limits,
        TimeControl::PerTurn { time } => Budget::Fixed(time),
        TimeControl::Clock { .. } | TimeControl::Hourglass { .. } => {
            Budget::Clock { remaining, increment: clock.increment(), turns_to_go: clock.turns_to_go() }
        }
    };
    Limits { budget, ..limits }
}

/// A score that `player` sees, in words that do not depend on who looks: `White +0.35`.
pub fn opinion(score: Score, player: Color) -> String {
    let better = if score >= 0 { player } else { !player };
    match distance(score) {
        Some(turns) => format!("{better} wins in {}", (turns.abs() + 1) / 2),
        None if score == 0 => "even".to_owned(),
        None => format!("{better} +{}.{:02}", score.abs() / 100, score.abs() % 100),
    }
}

/// Positions a second.
pub fn speed(nodes: u64, elapsed: Duration) -> u64 {
    (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64
}

/// A line of thinking for people.
pub fn line_text(line: &PvLine, player: Color) -> String {
    let report = &line.report;
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " or better",
        Bound::Upper => " or worse",
    };
    format!(
        "{}. depth {:<2} {}{bound}: {}",
        report.rank,
        report.depth,
        opinion(report.score, player),
        line.pv.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::score::{lost_in, won_in};

    #[test]
    fn an_opinion_names_who_is_better() {
        let of = |score| opinion(score, Color::Black);
        assert_eq!(
            [of(35), of(-120), of(0), of(won_in(3)), of(lost_in(2))],
            ["Black +0.35", "White +1.20", "even", "Black wins in 2", "White wins in 1"]
        );
    }
}
