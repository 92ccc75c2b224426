//! The thinking of engines, as search events.

use crate::base::score::{self, Score};
use crate::engine::PvLine;
use crate::protocol::{self, uci, xboard};
use crate::search::{Bound, Report};
use std::time::Duration;

/// The largest score in centipawns that is not taken for a win.
const FARTHEST: i32 = score::SURE_WIN - 1;
/// The most turns of the winner that a score can express.
const LONGEST_WIN: u32 = score::LONGEST as u32 / 2 - 1;

/// Turns the winner's moves into plies of both players; the last ply is the winner's.
fn wins(moves: u32) -> Score {
    score::won_in((moves.clamp(1, LONGEST_WIN) * 2 - 1) as i32)
}

fn loses(moves: u32) -> Score {
    score::lost_in((moves.min(LONGEST_WIN) * 2) as i32)
}

fn pawns(centipawns: i32) -> Score {
    centipawns.clamp(-FARTHEST, FARTHEST)
}

/// A score of UCI, or of UGI, where the distance to the end is counted in plies.
pub fn uci_score(said: uci::Score, dialect: uci::Dialect) -> Score {
    match (said, dialect) {
        (uci::Score::Mate(plies), uci::Dialect::Ugi) if plies > 0 => score::won_in(plies.min(score::LONGEST)),
        (uci::Score::Mate(plies), uci::Dialect::Ugi) => {
            score::lost_in(plies.saturating_neg().min(score::LONGEST))
        }
        (said, _) => xboard_score(said.into()),
    }
}

fn xboard_score(said: xboard::Score) -> Score {
    match said {
        xboard::Score::Centipawns(centipawns) => pawns(centipawns),
        xboard::Score::Wins(moves) => wins(moves),
        xboard::Score::Loses(moves) => loses(moves),
    }
}

const fn bound(said: protocol::Bound) -> Bound {
    match said {
        protocol::Bound::Exact => Bound::Exact,
        protocol::Bound::Lower => Bound::Lower,
        protocol::Bound::Upper => Bound::Upper,
    }
}

/// A line of UCI, if it has a score.
pub fn uci_line(info: &uci::Info<'_>, dialect: uci::Dialect, since: Duration) -> Option<PvLine> {
    let report = Report {
        depth: info.depth.unwrap_or_default(),
        seldepth: info.selective_depth.or(info.depth).unwrap_or_default(),
        rank: info.multi_pv.unwrap_or(1).max(1) as usize,
        score: uci_score(info.score?, dialect),
        bound: bound(info.bound),
        nodes: info.nodes.unwrap_or_default(),
        elapsed: info.time.map_or(since, Duration::from_millis),
        table_full: info.hash_full.unwrap_or_default(),
    };
    let pv = info.pv.unwrap_or_default().iter().map(str::to_owned).collect();
    Some(PvLine { report, pv })
}

/// A thinking line of the XBoard protocol, which does not number best lines.
pub fn xboard_report(thinking: &xboard::Thinking<'_>, since: Duration) -> Report {
    Report {
        depth: thinking.ply,
        seldepth: thinking.counts.unwrap_or_default().selective_depth.max(thinking.ply),
        rank: 1,
        score: xboard_score(thinking.score),
        bound: bound(thinking.bound),
        nodes: thinking.nodes,
        // The protocol cannot express less than a hundredth of a second.
        elapsed: match thinking.time {
            0 => since.min(Duration::from_millis(10)),
            hundredths => Duration::from_millis(hundredths.saturating_mul(10)),
        },
        table_full: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores as UCI has them, on their way to XBoard and back.
    #[test]
    fn wins_are_as_far_off_in_either_protocol() {
        use xboard::Score::{Centipawns, Loses, Wins};
        for (uci, other) in [
            (uci::Score::Mate(1), Wins(1)),
            (uci::Score::Mate(7), Wins(7)),
            (uci::Score::Mate(-1), Loses(1)),
            (uci::Score::Mate(-12), Loses(12)),
            (uci::Score::Mate(0), Loses(0)),
            (uci::Score::Centipawns(-35), Centipawns(-35)),
            (uci::Score::Centipawns(99_999), Centipawns(99_999)),
        ] {
            assert_eq!(uci_score(uci, uci::Dialect::Uci), xboard_score(other), "{uci:?}");
        }
        assert_eq!(score::distance(wins(3)), Some(5));
        assert_eq!(score::distance(loses(3)), Some(-6));
        assert_eq!(score::distance(wins(4_000_000_000)), score::distance(wins(LONGEST_WIN)));
        assert_eq!(uci_score(uci::Score::Mate(5), uci::Dialect::Ugi), wins(3));
        assert_eq!(uci_score(uci::Score::Mate(-4), uci::Dialect::Ugi), loses(2));
        assert_eq!(score::distance(pawns(i32::MAX)), None);
    }
}
