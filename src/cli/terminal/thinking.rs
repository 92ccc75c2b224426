//! A search that the user waits for: it reports its lines, and an interrupt ends it.

use super::Interrupts;
use crate::base::Color;
use crate::engine::{BestMove, Engine, PvLine, SearchEvent, SearchRequest};
use crate::live_game::opinion;
use crate::search::{Bound, Limits};
use crate::session::Session;
use crossbeam_channel::{Receiver, never, select};
use std::time::{Duration, Instant};

/// Searches the position of `session`, and passes each line found to `on_line`. An interrupt or a message
/// from `enough` ends the search with its result so far; then the second value is true.
pub fn think(
    engine: &mut Engine,
    session: &dyn Session,
    limits: Limits,
    interrupts: &Interrupts,
    enough: Option<&Receiver<String>>,
    show: &mut dyn FnMut(&PvLine) -> anyhow::Result<()>,
) -> anyhow::Result<(BestMove, bool)> {
    // Advice must not reveal what a die will show.
    let own_words = engine.settings.analysing;
    let request = SearchRequest { limits, own_words, ..SearchRequest::default() };
    let search = engine.search_in(session, request, Instant::now())?;
    let none = never();
    let mut enough = enough.unwrap_or(&none);
    let mut ended = false;
    loop {
        select! {
            recv(engine.events()) -> event => match event? {
                (id, _) if id != search.id => {}
                (_, SearchEvent::Info(line)) => show(&line)?,
                (_, SearchEvent::BestMove(best)) => return Ok((best, ended)),
                (_, SearchEvent::Failed(reason)) => log::error!("the search failed: {reason}"),
                _ => {}
            },
            recv(interrupts.arrived) -> _ => {
                ended = true;
                search.stop();
            }
            recv(enough) -> _ => {
                // One message is enough. A closed channel must not be read again.
                enough = &none;
                ended = true;
                search.stop();
            }
        }
    }
}

/// The number of positions searched per second.
pub fn speed(nodes: u64, elapsed: Duration) -> u64 {
    (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64
}

/// A line of analysis as text.
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
