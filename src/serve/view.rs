//! What the page receives about games, boards and decisions, for every viewer alike. Legal decisions come in a
//! form for pointing: from where, over which squares, to where, and the token to send.

use crate::base::Color;
use crate::game::gui::holes;
use crate::game::{Actor, Deal, Deed, DeedKind, Facts, SwitchKind};
use crate::live_game::Turn;
use crate::notation::{Cell, Coordinate, Leg, Position, parse_position};
use crate::session::{ChanceOutcome, Session, Successor, decisions_and_outcomes};
use crate::variants;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// All games, in the order in which they are listed for users.
pub fn games() -> Vec<Value> {
    variants::all().into_iter().map(game_facts).collect()
}

fn game_facts(facts: &'static Facts) -> Value {
    let start = parse_position(facts.start).ok();
    let corners = |pairs: &[(Coordinate, Coordinate)]| -> Vec<[String; 2]> {
        pairs.iter().map(|(one, other)| [one.to_string(), other.to_string()]).collect()
    };
    let holes = start.iter().flat_map(|start| holes(facts, start)).map(|at| at.to_string());
    let pieces = facts.pieces.iter().map(|piece| (char::from(piece.letter), piece.title()));
    let switches = facts.switches.iter().map(|switch| {
        let values: &[&str] = match switch.kind {
            SwitchKind::Check => &["false", "true"],
            SwitchKind::Choice(values) => values,
        };
        json!({"name": switch.name, "help": switch.help, "values": values})
    });
    json!({
        "name": facts.name, "title": facts.title, "summary": facts.summary,
        "files": facts.files, "ranks": facts.ranks, "first_rank": facts.first_rank,
        // Places without a square.
        "holes": holes.collect::<Vec<_>>(),
        // Opposite corners of goals and wickets, and of areas with a line around them.
        "goals": corners(facts.goals), "areas": corners(facts.areas),
        "pieces": object(pieces),
        "order": facts.pieces.iter().map(|piece| char::from(piece.letter)).collect::<String>(),
        "switches": switches.collect::<Vec<_>>(),
        "lessons": facts.course.as_ref().map_or(0, |course| course.lessons.len()),
        "chance": facts.chance, "draws": facts.draws, "start": facts.start,
        "cards": facts.hidden,
    })
}

/// A JSON object of these fields.
pub fn object(fields: impl Iterator<Item = (impl ToString, impl Into<Value>)>) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, value) in fields {
        object.insert(name.to_string(), value.into());
    }
    object
}

/// The board `shown` as it is drawn, with what `made` did, in order.
pub fn board(facts: &Facts, shown: &Position, made: &[Box<dyn Successor + '_>]) -> Value {
    let hand = shown.hand.iter().flatten().map(|&(letter, count)| (char::from(letter), count));
    let deeds: Vec<Value> = made.iter().flat_map(|decision| drawn(&decision.deed())).collect();
    // A rule may leave out files and rows, which are holes then.
    let squares = || shown.placement.places().filter(|&(.., cell)| cell != Cell::Hole);
    let files = squares().map(|(file, ..)| file + 1).max();
    let ranks = squares().map(|(_, row, _)| row + 1).max();
    json!({
        "files": files, "ranks": ranks, "pieces": pieces(facts, shown), "hand": object(hand),
        "deeds": deeds,
    })
}

/// The letters on the squares of a board as it is drawn.
pub fn pieces(facts: &Facts, shown: &Position) -> Map<String, Value> {
    let cells =
        (0..shown.placement.ranks).flat_map(|row| (0..shown.placement.files).map(move |file| (file, row)));
    let piece = |(file, row)| match shown.placement.at(file, row) {
        Cell::Piece { letter, .. } => {
            let square = Coordinate::new(file, row + facts.first_rank);
            Some((square, char::from(letter).to_string()))
        }
        Cell::Empty | Cell::Hole => None,
    };
    object(cells.filter_map(piece))
}

/// What a decision did on the board, in parts that are drawn one by one.
pub fn drawn(deed: &Deed) -> Vec<Value> {
    let text = |squares: &[Coordinate]| squares.iter().map(ToString::to_string).collect::<Vec<_>>();
    let what = match deed.way() {
        None => "put",
        Some(_) if deed.kind == DeedKind::Throw => "flew",
        Some(_) => "went",
    };
    let path = Some(&deed.path).filter(|path| !path.is_empty());
    let path = path.map(|path| json!({"what": what, "squares": text(path)}));
    let gone = deed.gone.iter().map(|&at| json!({"what": "gone", "squares": text(&[at])}));
    path.into_iter().chain(gone).collect()
}

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

/// A turn in the list of moves.
#[derive(Serialize)]
pub struct Said {
    pub by: &'static str,
    pub text: String,
    /// What it did, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// In short algebraic notation, where the game has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// The number of tokens played up to its end.
    pub end: usize,
    /// The engine's score of the position after it, in centipawns for White.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
}

impl From<Turn> for Said {
    fn from(turn: Turn) -> Self {
        Self { by: word(turn.owner), text: turn.text, words: None, san: None, end: turn.end, score: None }
    }
}

/// A line beside the game.
#[derive(Serialize)]
pub struct Branch {
    /// The number by which it is looked at and continued.
    pub number: usize,
    /// The line that it leaves; `None` for the game itself.
    pub of: Option<usize>,
    /// The number of tokens before it leaves that line.
    pub at: usize,
    /// Its turns from there on.
    pub turns: Vec<Said>,
}

/// The hands of cards, White's first: the cards that are known, and the number of others.
pub fn hands(deal: &Deal) -> [Value; 2] {
    deal.hands.each_ref().map(|hand| {
        let seen: Vec<String> = hand.seen.iter().map(ToString::to_string).collect();
        json!({"seen": seen, "hidden": hand.hidden})
    })
}

/// The name of a colour in messages.
pub const fn word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
