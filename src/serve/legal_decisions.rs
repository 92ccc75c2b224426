//! The legal decisions in a form for pointing: from where, over which squares, to where, and the token to
//! send.

use crate::base::Color;
use crate::draw::{Deed, deeds_of};
use crate::game::gui::{in_words, letter_at, name_of};
use crate::game::{Actor, Facts};
use crate::notation::{Coordinate, Leg, Position, Suffix};
use crate::session::{Look, Session, Successor};
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
    /// What the result leads to.
    pub told: Option<String>,
}

/// All legal decisions of the side to decide; with `referee`, where people roll the dice, also the results of
/// dice.
pub fn legal_decisions(session: &dyn Session, referee: bool) -> Vec<LegalDecision> {
    let facts = session.facts();
    let actor = session.actor();
    let asked = matches!(actor, Actor::Player(_)) || actor == Actor::Chance && referee;
    if session.outcome().is_some() || !asked {
        return Vec::new();
    }
    if actor == Actor::Chance {
        return (1..=6).map(rolled).filter(|decision| session.check(&decision.word).is_ok()).collect();
    }
    let before = session.shown();
    let mut found: Vec<LegalDecision> = Vec::new();
    session.explore(session.tokens_played(), &mut |path, successor| {
        if path.len() > 1 {
            // A result of dice or cards belongs to the decision before it.
            if let Some(decision) = found.last_mut() {
                tell(&mut decision.odds, successor);
            }
            return Look::Skip;
        }
        found.push(legal_decision(facts, &before, actor, successor));
        if (1..=6).contains(&successor.odds().len()) { Look::Deeper } else { Look::Skip }
    });
    found
}

fn rolled(face: u8) -> LegalDecision {
    let word = format!("={face}");
    LegalDecision { what: Some(face.to_string()), ..plain(word, Kind::Roll, format!("The die shows {face}")) }
}

fn plain(word: String, kind: Kind, label: String) -> LegalDecision {
    let (path, gone, odds) = (Vec::new(), Vec::new(), Vec::new());
    LegalDecision { word, kind, label, from: None, to: None, path, gone, becomes: None, what: None, odds }
}

fn legal_decision(
    facts: &Facts,
    before: &Position,
    actor: Actor,
    successor: &dyn Successor,
) -> LegalDecision {
    let (legs, shown) = (successor.legs(), successor.shown());
    let legs = legs.as_slice();
    let goes_on = successor.actor() == actor && !successor.between_turns();
    let mut word: Vec<String> = legs.iter().map(ToString::to_string).collect();
    if word.is_empty() {
        word.push("0000".to_owned());
    }
    let word = word.join(",") + if goes_on { "," } else { "" };
    let kind = kind_of(facts, before, legs);
    let mut decision = plain(word, kind, label(facts, before, legs, kind));
    let deeds = deeds_of(facts, legs, &successor.bends(), [before, &shown]);
    for deed in deeds {
        match deed {
            Deed::Went(squares) | Deed::Flew(squares) => {
                decision.from = squares.first().map(ToString::to_string);
                decision.to = squares.last().map(ToString::to_string);
                decision.becomes = becomes(facts, [before, &shown], successor.by(), &squares);
                decision.path = squares.iter().map(ToString::to_string).collect();
            }
            Deed::Gone(at) => decision.gone.push(at.to_string()),
            Deed::Put(at) => decision.to = Some(at.to_string()),
        }
    }
    let put = legs.iter().find_map(|leg| match *leg {
        Leg::Put { letter, .. } => Some(cased(letter, actor)),
        _ => None,
    });
    match kind {
        Kind::Change => {
            decision.from.clone_from(&decision.to);
            decision.becomes = put;
        }
        Kind::Remove => decision.to = decision.gone.pop(),
        Kind::Drop => decision.what = put.map(String::from),
        Kind::Card => {
            decision.what = legs.first().map(|leg| leg.to_string().trim_start_matches('=').to_owned())
        }
        _ => {}
    }
    let odds = successor.odds();
    let of = odds.iter().map(|(_, cases)| cases).sum();
    decision.odds = odds.into_iter().map(|(word, cases)| Odds { word, of, cases, told: None }).collect();
    decision
}

fn cased(letter: u8, actor: Actor) -> char {
    char::from(actor.player().unwrap_or(Color::White).dress(letter))
}

fn kind_of(facts: &Facts, before: &Position, legs: &[Leg]) -> Kind {
    let ball = facts.men.iter().find(|man| man.is_ball()).map(|man| man.letter);
    match legs {
        [] | [Leg::Pass] => Kind::Stop,
        [Leg::Move { .. }, ..] => Kind::Move,
        [Leg::Play(_), ..] => Kind::Card,
        [Leg::Roll(_) | Leg::Draw(_), ..] => Kind::Roll,
        [Leg::Put { letter, .. }, ..] if Some(*letter) == ball => Kind::Ball,
        [Leg::Put { letter: b'X', at }]
            if letter_at(facts, before, *at).is_some() && !own(before, facts, *at) =>
        {
            Kind::Remove
        }
        [Leg::Put { letter: b'X', .. }, ..] => Kind::Give,
        [Leg::Put { at, .. }, ..] if letter_at(facts, before, *at).is_none() => Kind::Drop,
        [Leg::Put { letter, .. }, ..] if facts.men.iter().any(|man| man.letter == *letter && man.small) => {
            Kind::Change
        }
        [Leg::Put { .. }, ..] => Kind::Choose,
        [Leg::Pass, ..] => Kind::Stop,
    }
}

/// True where a piece of the side to move stands.
fn own(before: &Position, facts: &Facts, at: Coordinate) -> bool {
    let white = before.fields.first().is_none_or(|side| side == "w");
    let row = at.rank.saturating_sub(facts.first_rank);
    match before.placement.at(at.file, row) {
        crate::notation::Cell::Piece { letter, .. } => letter.is_ascii_uppercase() == white,
        _ => false,
    }
}

fn label(facts: &Facts, before: &Position, legs: &[Leg], kind: Kind) -> String {
    let man = |at: Coordinate| {
        let name = letter_at(facts, before, at).and_then(|letter| name_of(facts, letter));
        name.unwrap_or_else(|| "man".to_owned())
    };
    match legs {
        [Leg::Put { at, .. }] if kind == Kind::Remove => format!("Take off the {} on {at}", man(*at)),
        [Leg::Put { letter: b'D', at }]
            if !facts.men.iter().any(|man| man.letter == b'D' && man.beside.is_none()) =>
        {
            format!("The {} on {at} is Defender", man(*at))
        }
        [Leg::Put { letter: b'X', .. }, ..] => {
            let men = legs.iter().filter_map(|leg| match leg {
                Leg::Put { at, .. } => Some(format!("{} {at}", man(*at))),
                _ => None,
            });
            format!("Give up {}", men.collect::<Vec<_>>().join(", "))
        }
        [Leg::Put { at: first, .. }, Leg::Put { at, .. }] => format!("Ball by way of {first} to {at}"),
        [Leg::Put { letter, at }] if facts.men.iter().any(|man| man.is_ball() && man.letter == *letter) => {
            format!("Ball to {at}")
        }
        [Leg::Put { letter, at }] => {
            let name = name_of(facts, *letter).unwrap_or_else(|| char::from(*letter).to_string());
            format!("{name} on {at}")
        }
        [Leg::Play(_)] => format!("Play {}", legs[0].to_string().trim_start_matches('=')),
        [] | [Leg::Pass] => "Stop".to_owned(),
        _ => {
            let words = in_words(facts, before, legs);
            let suffix = legs.iter().any(|leg| matches!(leg, Leg::Move { suffix: Some(Suffix::Leave), .. }));
            words.unwrap_or_else(|| if suffix { "leave the ball".into() } else { "go on".into() })
        }
    }
}

/// The letter of the piece at the end of `squares`, if it differs from that of the piece at their beginning.
fn becomes(
    facts: &Facts,
    [before, after]: [&Position; 2],
    by: Actor,
    squares: &[Coordinate],
) -> Option<char> {
    let (first, last) = (squares.first()?, squares.last()?);
    let was = letter_at(facts, before, *first);
    let now = letter_at(facts, after, *last)?;
    (was != Some(now)).then(|| cased(now, by))
}

fn tell(odds: &mut [Odds], successor: &dyn Successor) {
    let legs = successor.legs();
    let Some(leg) = legs.first() else { return };
    let word = leg.to_string();
    if let Some(case) = odds.iter_mut().find(|case| case.word == word) {
        case.told = successor.note();
    }
}
