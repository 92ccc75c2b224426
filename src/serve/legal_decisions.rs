//! The legal decisions in a form for pointing: from where, over which squares, to where, and the token to
//! send.

use crate::base::Color;
use crate::game::{Actor, DeedKind};
use crate::notation::Leg;
use crate::session::{ChanceOutcome, Session, Successor, decisions_and_outcomes};
use serde::Serialize;

/// The kind of a decision, for a player who points at the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A piece moves from a square to a square.
    Move,
    /// The ball flies to a square, by a shot or a throw.
    Ball,
    /// A piece from the hand is put on a square.
    Drop,
    /// A piece changes into another on its square.
    Change,
    /// A piece is chosen.
    Choose,
    /// Several pieces are given up at once.
    Give,
    /// A piece of the opponent is removed.
    Remove,
    /// A card is played.
    Card,
    /// The number on a die, where people roll the dice.
    Roll,
    /// The player stops, or does nothing.
    Stop,
}

/// One legal decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LegalDecision {
    /// The token for `play`.
    pub word: String,
    /// The kind of the decision.
    pub kind: Kind,
    /// A description for people: `Lion c2-d3, leaving the ball`.
    pub label: String,
    /// The square on the board where it begins.
    pub from: Option<String>,
    /// The square where it ends.
    pub to: Option<String>,
    /// The squares where the path of the piece or ball begins, turns and ends.
    pub path: Vec<String>,
    /// The squares of the pieces that are removed, other than on `to`.
    pub gone: Vec<String>,
    /// The letter of the piece at the end of the path, if it has changed.
    pub becomes: Option<char>,
    /// The card, or the letter of the dropped piece.
    pub what: Option<String>,
    /// What dice or cards may bring then.
    pub odds: Vec<Odds>,
}

/// One result of dice or cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Odds {
    /// The result as a token.
    pub word: String,
    /// The number of equally likely cases.
    pub of: u32,
    /// The number of cases with this result.
    pub cases: u32,
    /// What the result leads to, in words.
    pub label: Option<String>,
}

/// All legal decisions of the side to decide; with `referee`, where people roll the dice, also the results of
/// dice.
pub fn legal_decisions(session: &dyn Session, referee: bool) -> Vec<LegalDecision> {
    let actor = session.actor();
    let asked = matches!(actor, Actor::Player(_)) || actor == Actor::Chance && referee;
    if session.outcome().is_some() || !asked {
        return Vec::new();
    }
    if actor == Actor::Chance {
        return (1..=6).map(rolled).filter(|decision| session.check(&decision.word).is_ok()).collect();
    }
    let decisions = decisions_and_outcomes(session, |successor| legal_decision(actor, successor));
    decisions
        .into_iter()
        .map(|(decision, outcomes)| LegalDecision { odds: odds(outcomes), ..decision })
        .collect()
}

fn odds(outcomes: Vec<ChanceOutcome>) -> Vec<Odds> {
    let of = outcomes.iter().map(|outcome| outcome.cases).sum();
    let odds = |ChanceOutcome { token, cases, label }| Odds { word: token, of, cases, label };
    outcomes.into_iter().map(odds).collect()
}

fn rolled(face: u8) -> LegalDecision {
    let word = format!("={face}");
    LegalDecision { what: Some(face.to_string()), ..plain(word, Kind::Roll, format!("The die shows {face}")) }
}

fn plain(word: String, kind: Kind, label: String) -> LegalDecision {
    let (path, gone, odds) = (Vec::new(), Vec::new(), Vec::new());
    LegalDecision { word, kind, label, from: None, to: None, path, gone, becomes: None, what: None, odds }
}

fn legal_decision(actor: Actor, successor: &dyn Successor) -> LegalDecision {
    let (deed, legs) = (successor.deed(), successor.legs());
    let goes_on = successor.actor() == actor && !successor.between_turns();
    let mut word: Vec<String> = legs.iter().map(ToString::to_string).collect();
    if word.is_empty() {
        word.push("0000".to_owned());
    }
    let word = word.join(",") + if goes_on { "," } else { "" };
    let mut decision = plain(word, deed.kind.into(), deed.label.clone());
    let becomes = deed.becomes.map(|letter| cased(letter, actor));
    let last = deed.path.last().map(ToString::to_string);
    decision.gone = deed.gone.iter().map(ToString::to_string).collect();
    if let Some(way) = deed.way() {
        decision.path = way.iter().map(ToString::to_string).collect();
        decision.from = decision.path.first().cloned();
    }
    match deed.kind {
        DeedKind::Remove => decision.to = decision.gone.pop(),
        DeedKind::Drop => (decision.to, decision.what) = (last, becomes.map(String::from)),
        DeedKind::Change => {
            (decision.from, decision.to, decision.becomes) = (last.clone(), last, becomes);
        }
        _ => (decision.to, decision.becomes) = (last, becomes),
    }
    if let [Leg::Play(card)] = legs.as_slice() {
        decision.what = Some(card.to_string());
    }
    decision
}

fn cased(letter: u8, actor: Actor) -> char {
    char::from(actor.player().unwrap_or(Color::White).cased(letter))
}

impl From<DeedKind> for Kind {
    fn from(kind: DeedKind) -> Self {
        match kind {
            DeedKind::Move | DeedKind::Capture => Self::Move,
            DeedKind::Throw => Self::Ball,
            DeedKind::Drop => Self::Drop,
            DeedKind::Change => Self::Change,
            DeedKind::Name => Self::Choose,
            DeedKind::GiveUp => Self::Give,
            DeedKind::Remove => Self::Remove,
            DeedKind::Play => Self::Card,
            DeedKind::Roll | DeedKind::Draw => Self::Roll,
            DeedKind::Stop => Self::Stop,
        }
    }
}
