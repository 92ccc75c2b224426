//! XBoard judges games that it does not know by the rules of chess: it ends them with a result, or refuses
//! our move. The user is shown which of its settings is to blame.

use crate::base::Color;
use crate::game;
use crate::protocol::xboard::{Outcome, Verdict};
use crate::session::Session;

const LEGALITY: &str = "Untick Test Legality under Options > General";

/// How XBoard's own results begin (`Adjudicate`, `GameEnds` and `HandleMachineMove` in its backend.c), and
/// which setting turns each off. The first that fits counts.
const REMEDIES: [(&str, &str); 10] = [
    ("XBoard adjudication: repetition", "Set N-fold Repeats to 0 under Options > Adjudications"),
    ("Xboard adjudication: 50-move rule", "Set N-Move Rule to 0 under Options > Adjudications"),
    ("Xboard adjudication: long game", "Set Draw after N Moves Total to 0 under Options > Adjudications"),
    // These are stalemate, checkmate, insufficient material and the like.
    ("Xboard adjudication: ", LEGALITY),
    ("False win claim", LEGALITY),
    ("False draw claim", LEGALITY),
    ("False illegal-move claim", LEGALITY),
    ("Xboard: Forfeit due to invalid move", LEGALITY),
    // This one goes by the scores of two engines.
    ("Xboard adjudication", "Set Win / Loss Threshold to 0 under Options > Adjudications"),
    ("Draw claim: ", "Offer no draw that XBoard can take for a claim"),
];

/// The verdict on a game that ended by its own rules.
pub(super) const fn verdict(outcome: &game::Outcome) -> Verdict {
    match outcome.winner {
        Some(Color::White) => Verdict::WhiteWins,
        Some(Color::Black) => Verdict::BlackWins,
        None => Verdict::Draw,
    }
}

/// What to say to a user who asks us to move now on their own turn. So XBoard still waits for our move, which
/// means that it has refused it.
pub(super) fn refused_move(session: &dyn Session) -> Option<String> {
    let refusable = session.facts().xboard.setup.is_some() && session.tokens_played() > 0;
    refusable
        .then(|| format!("Carom has moved. If XBoard does not show it: {LEGALITY}, and begin a new game."))
}

/// How the user can keep XBoard from this result, if it is such a result and the game has another one or
/// none.
pub(super) fn objection(session: &dyn Session, result: Outcome<'_>) -> Option<String> {
    let same = session.outcome().is_some_and(|outcome| verdict(&outcome) == result.verdict);
    // Of the games that XBoard knows by itself it knows enough of the rules.
    let knows = session.facts().xboard.setup.is_none();
    let (_, remedy) = REMEDIES.iter().find(|(begin, _)| result.comment.starts_with(begin))?;
    // The text is short because XBoard does not break lines.
    let text = || format!("XBoard judged by the rules of chess. {remedy}, and begin a new game.");
    (!knows && !same).then(text)
}
