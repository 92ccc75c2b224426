//! What XBoard does by the rules of chess in games that it does not know: gives a result, or refuses our move. Whoever plays
//! is told which of its settings does that.

use super::Xboard;
use crate::base::Color;
use crate::game;
use crate::protocol::xboard::{Outcome, Verdict};

const LEGALITY: &str = "Untick Test Legality under Options > General";

/// How XBoard's own results begin (`Adjudicate`, `GameEnds` and `HandleMachineMove` in its backend.c), and what keeps it
/// from them; the first that fits.
const REMEDIES: [(&str, &str); 10] = [
    ("XBoard adjudication: repetition", "Set N-fold Repeats to 0 under Options > Adjudications"),
    ("Xboard adjudication: 50-move rule", "Set N-Move Rule to 0 under Options > Adjudications"),
    ("Xboard adjudication: long game", "Set Draw after N Moves Total to 0 under Options > Adjudications"),
    // Stalemate, checkmate, insufficient material and the like.
    ("Xboard adjudication: ", LEGALITY),
    ("False win claim", LEGALITY),
    ("False draw claim", LEGALITY),
    ("False illegal-move claim", LEGALITY),
    ("Xboard: Forfeit due to invalid move", LEGALITY),
    // By the scores of two engines.
    ("Xboard adjudication", "Set Win / Loss Threshold to 0 under Options > Adjudications"),
    ("Draw claim: ", "Offer no draw that XBoard can take for a claim"),
];

/// The result of a game that ended by its own rules.
pub(super) const fn verdict(outcome: &game::Outcome) -> Verdict {
    match outcome.winner {
        Some(Color::White) => Verdict::WhiteWins,
        Some(Color::Black) => Verdict::BlackWins,
        None => Verdict::Draw,
    }
}

impl Xboard {
    /// The user bids us move though it is his turn: for XBoard it is still ours, so it has refused our move.
    pub(super) fn wonder_at_hurry(&mut self) {
        let session = self.engine.session();
        let refusable = session.facts().xboard.setup.is_some() && session.tokens_played() > 0;
        if refusable && self.is_theirs() && !self.game.over && !self.opponent_is_program {
            self.tell(&format!(
                "Carom has moved. If XBoard does not show it: {LEGALITY}, and begin a new game."
            ));
        }
    }

    /// Tells the user how to keep XBoard from such a result, if `result` is one and the game has another or none.
    pub(super) fn object_to(&mut self, result: Outcome<'_>) {
        let session = self.engine.session();
        let theirs = session.outcome().is_some_and(|outcome| verdict(&outcome) == result.verdict);
        let remedy = REMEDIES.iter().find(|(begin, _)| result.comment.starts_with(begin));
        // Of games that it knows by itself XBoard understands enough.
        if let Some((_, remedy)) = remedy
            && session.facts().xboard.setup.is_some()
            && !theirs
        {
            // Short, for XBoard breaks no lines.
            self.tell(&format!("XBoard judged by the rules of chess. {remedy}, and begin a new game."));
        }
    }
}
