//! Games that the engines themselves declare over, because nobody else knows the rules.

use super::settings::{EngineSettings, SettingsError};
use crate::base::Color;
use crate::client::{Claim, Dialect, Fault, Protocol, Said};
use crate::pgn::{Ending, Termination};

/// What both engines say of the position that is on the board, White first.
pub struct Claims {
    said: [Said; 2],
    /// They speak a protocol in which an engine cannot say how a game has ended.
    mute: [bool; 2],
}

/// True for a protocol in which an engine cannot say how a game has ended.
pub const fn is_mute(protocol: Protocol) -> bool {
    !matches!(protocol, Protocol::Xboard | Protocol::Uci(Dialect::Ugi))
}

/// Checks that of two engines at least one can say how a game has ended.
pub fn check(names: &[String], engines: &[EngineSettings]) -> Result<(), SettingsError> {
    let both = names.iter().zip(engines);
    let mut mute = both.filter(|(_, engine)| engine.protocol.is_some_and(is_mute)).map(|(name, _)| name);
    let (Some(one), Some(other)) = (mute.next(), mute.next()) else { return Ok(()) };
    let why = "in which an engine cannot say how a game has ended; name a -referee cmd= as well";
    Err(SettingsError(format!("-referee engines: {one} and {other} speak UCI or a dialect of it, {why}")))
}

impl Claim {
    /// The ending that it claims.
    fn ending(&self) -> Ending {
        let winner = match self.winner {
            Some(Color::White) => "White wins",
            Some(Color::Black) => "Black wins",
            None => "Draw",
        };
        let reason = if self.reason.is_empty() { winner } else { &self.reason };
        Ending { winner: self.winner, termination: Termination::Normal, reason: reason.to_owned() }
    }
}

impl Claims {
    /// Nothing is said yet.
    pub fn new(mute: [bool; 2]) -> Self {
        Self { said: [Said::Nothing, Said::Nothing], mute }
    }

    /// Another position is on the board.
    pub fn clear(&mut self) {
        self.said = [Said::Nothing, Said::Nothing];
    }

    /// `color` says this. The ending that follows, if one does.
    pub fn hear(&mut self, color: Color, said: Said) -> Option<Ending> {
        if said != Said::Nothing {
            self.said[color.index()] = said;
        }
        Color::ALL.into_iter().find_map(|by| self.ending(by))
    }

    /// The ending that follows from what `by` claims.
    fn ending(&self, by: Color) -> Option<Ending> {
        let Said::Over(claim) = &self.said[by.index()] else { return None };
        if claim.winner == Some(!by) {
            // It need not be asked twice whether it has lost.
            return Some(claim.ending());
        }
        match &self.said[(!by).index()] {
            Said::Over(other) if other.winner == claim.winner => Some(claim.ending()),
            Said::Over(other) => {
                let both = format!("The engines disagree: {claim} and {other}");
                Some(Ending::draw(Termination::FalseClaim, both))
            }
            Said::GoesOn => Some(Fault::FalseClaim(claim.clone()).ending(by)),
            // To a draw it cannot object.
            Said::Nothing => (claim.winner.is_none() && self.mute[(!by).index()]).then(|| claim.ending()),
        }
    }

    /// The ending after `color`, which was asked for a turn, has answered with a fault. `last` is the turn that
    /// the other side has made, if nobody else knows whether it was legal.
    pub fn fault(&mut self, color: Color, fault: &Fault, last: Option<&str>) -> Option<Ending> {
        match (fault, &self.said[(!color).index()], last) {
            (Fault::NoMove(_), Said::Over(claim), _) => Some(claim.ending()),
            (Fault::FalseClaim(claim), ..) => {
                let claim = claim.clone();
                let draw = claim.winner.is_none().then(|| claim.ending());
                self.hear(color, Said::Over(claim)).or(draw)
            }
            (Fault::Refused(line), _, Some(token)) => {
                let what = format!("makes an illegal move: {token} (its opponent says: {line})");
                Some(Ending::loss(!color, Termination::IllegalMove, what))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    fn over(winner: Option<Color>) -> Said {
        Said::Over(Claim { winner, reason: "because".into() })
    }

    fn result(ending: Option<Ending>) -> Option<(&'static str, Termination)> {
        ending.map(|ending| (ending.result(), ending.termination))
    }

    #[test]
    fn a_claim_counts_when_the_other_engine_agrees() {
        let normal = |text| Some((text, Termination::Normal));
        let mut claims = Claims::new([false; 2]);
        assert_eq!(claims.hear(White, over(Some(White))), None, "Black may say no");
        assert_eq!(result(claims.hear(Black, over(Some(White)))), normal("1-0"));
        claims.clear();
        claims.hear(White, over(Some(White)));
        assert_eq!(result(claims.fault(Black, &Fault::NoMove("(none)".into()), None)), normal("1-0"));
        claims.clear();
        claims.hear(White, over(Some(White)));
        let gone_on = claims.hear(Black, Said::GoesOn);
        assert_eq!(result(gone_on), Some(("0-1", Termination::FalseClaim)), "it plays on");
        claims.clear();
        assert_eq!(result(claims.hear(Black, over(Some(White)))), normal("1-0"), "who gives up has lost");
        claims.clear();
        claims.hear(White, over(None));
        assert_eq!(result(claims.hear(Black, over(Some(Black)))), Some(("1/2-1/2", Termination::FalseClaim)));
        let mut claims = Claims::new([false, true]);
        assert_eq!(result(claims.hear(White, over(None))), normal("1/2-1/2"), "UCI has no word for it");
        claims.clear();
        assert_eq!(
            claims.hear(White, over(Some(White))),
            None,
            "it shows whether it agrees by its next turn"
        );
    }

    #[test]
    fn what_stands_in_the_place_of_a_turn() {
        let mut claims = Claims::new([false; 2]);
        let claim = |winner| Fault::FalseClaim(Claim { winner, reason: String::new() });
        assert_eq!(
            claims.fault(White, &Fault::NoMove("(none)".into()), None),
            None,
            "nobody says who has won"
        );
        assert_eq!(claims.fault(White, &claim(Some(White)), None), None, "a win needs a witness");
        claims.clear();
        let draw = claims.fault(White, &claim(None), None).unwrap();
        assert_eq!((draw.result(), draw.reason.as_str()), ("1/2-1/2", "Draw"));
        claims.clear();
        claims.hear(Black, Said::GoesOn);
        let denied = claims.fault(White, &claim(None), None);
        assert_eq!(result(denied), Some(("0-1", Termination::FalseClaim)));
        let refused = Fault::Refused("Illegal move: a1a9".into());
        assert_eq!(claims.fault(Black, &refused, None), None, "a referee has found it legal");
        let illegal = claims.fault(Black, &refused, Some("a1a9"));
        assert_eq!(result(illegal), Some(("0-1", Termination::IllegalMove)));
    }
}
