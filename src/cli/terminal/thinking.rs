//! A search that somebody waits for: it tells its lines, and an interrupt ends it.

use super::Interrupts;
use crate::base::Color;
use crate::engine::{BestMove, Engine, PvLine, SearchEvent, SearchRequest};
use crate::live_game::opinion;
use crate::search::{Bound, Limits};
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
    // Who is given advice must not learn from it what a die will show.
    let own_words = engine.settings.analysing;
    let request = SearchRequest { limits, own_words, ..SearchRequest::default() };
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
