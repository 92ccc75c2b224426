//! What teaches a game: how it is played on one screen, the figures of its page of rules, and where a piece
//! could go.

use super::story;
use super::view::{self, LegalDecision, legal_decisions};
use crate::base::order::sort_by_cached_key;
use crate::game::{Actor, Facts, Piece, Rules, gui};
use crate::notation::{Cell, Coordinate, parse_coordinate};
use crate::session::chance::Chance;
use crate::session::{Session, open};
use crate::variants;
use litemap::LiteMap;
use serde_json::{Value, json};

/// How a game is played: the text of one screen, and a sentence for each piece.
pub fn how(facts: &Facts) -> Value {
    let sentence = |piece: &Piece| Some((char::from(piece.letter), facts.about(piece)?));
    let about = view::object(facts.pieces.iter().filter_map(sentence));
    let defender = facts.how_to_play().split_once("\n* **Defender**: ").map(|(_, rest)| {
        rest.split("\n\n").next().unwrap_or(rest).split_whitespace().collect::<Vec<_>>().join(" ")
    });
    let lessons = facts.course.as_ref().map_or(0, |course| course.lessons.len());
    json!({"text": facts.how_to_play(), "about": about, "defender": defender, "lessons": lessons})
}

/// The figure with this file name on a page of rules, as something that moves: its first board, and each
/// step. Its title on the page is the command that draws it.
pub fn figure(name: &str) -> Option<Value> {
    let file = format!("]({name}.svg \"");
    let command = variants::all().into_iter().find_map(|facts| {
        let (_, rest) = facts.rules.1.split_once(&file)?;
        rest.split_once("\")").map(|(command, _)| command)
    })?;
    let words = shlex::split(command)?;
    let value = |long: &str| words.iter().position(|word| word == long).and_then(|at| words.get(at + 1));
    let facts = variants::find(value("--game")?).ok()?;
    let mut session = open(facts, Rules::of(facts), Chance::Referee);
    session.set_up(value("--position").map(String::as_str), &mut std::iter::empty()).ok()?;
    let start = session.shown();
    for turn in value("--moves").map(String::as_str).unwrap_or_default().split_whitespace() {
        session.play(turn).ok()?;
    }
    let told = story::told(facts, &start, &session.made(0, session.tokens_played()));
    Some(json!({"game": facts.name, "story": told, "result": session.outcome().map(|end| end.to_string())}))
}

/// Where the piece on `square` may go, or could if it were its side's turn, and why it may go nowhere.
///
/// # Errors
/// When that is no square.
pub fn ways(session: &dyn Session, square: &str) -> Result<Value, String> {
    let at = parse_coordinate(square).map_err(|error| error.to_string())?;
    let from = |session: &dyn Session| -> Vec<LegalDecision> {
        let all = legal_decisions(session, false);
        all.into_iter().filter(|decision| decision.from.as_deref() == Some(square)).collect()
    };
    let mut found = from(session);
    let mut why = None;
    if found.is_empty()
        && let (Actor::Player(side), None) = (session.actor(), session.outcome())
        && let Some(letter) = gui::letter_at(session.facts(), &session.shown(), at)
    {
        let shown = session.shown();
        let row = at.rank.saturating_sub(session.facts().first_rank);
        let cased = match shown.placement.at(at.file, row) {
            Cell::Piece { letter, .. } => letter,
            _ => letter,
        };
        if side.cased(letter) == cased {
            why = why_not(session, at);
        } else if let Some(other) = with_the_other_side_to_move(session) {
            found = from(&*other);
        }
    }
    Ok(json!({"type": "ways", "square": square, "at": session.tokens_played(), "ways": found, "why": why}))
}

/// The same board with the other side to move, where the rules allow such a position.
fn with_the_other_side_to_move(session: &dyn Session) -> Option<Box<dyn Session>> {
    let Actor::Player(side) = session.actor() else { return None };
    let mut other = open(session.facts(), session.rules().clone(), Chance::Referee);
    let as_it_is = session.position().with_turn(!side);
    // In the middle of a turn the position says more than a turn of the other side could begin with.
    let begun = session.read_shown(&session.shown().with_turn(!side));
    for position in [Some(as_it_is), begun].into_iter().flatten() {
        if other.set_up(Some(&position.to_string()), &mut std::iter::empty()).is_ok() {
            return Some(other);
        }
    }
    None
}

/// Why a piece of the side to move may go nowhere: the reason that the rules give most often, apart from that
/// it does not move like that at all.
fn why_not(session: &dyn Session, at: Coordinate) -> Option<String> {
    let facts = session.facts();
    let reason = |to: Coordinate| {
        let error = session.check(&format!("{at}{to}")).err()?.to_string();
        let reason = error.rsplit_once("): ").map_or(error.as_str(), |(_, reason)| reason).to_owned();
        Some(reason.replace(&to.to_string(), "…"))
    };
    let squares = (0..facts.ranks)
        .flat_map(|row| (0..facts.files).map(move |file| Coordinate::new(file, row + facts.first_rank)));
    let mut counts: LiteMap<String, usize> = LiteMap::new();
    for reason in squares.filter(|&to| to != at).filter_map(reason) {
        *counts.entry(reason).or_default() += 1;
    }
    let mut reasons: Vec<(String, usize)> =
        counts.into_iter().filter(|(text, _)| !text.contains('…')).collect();
    sort_by_cached_key(&mut reasons, |&(_, count)| std::cmp::Reverse(count));
    // Most squares are out of reach for any piece; the next reason is about this one.
    let (first, second) = (reasons.first(), reasons.get(1));
    second.or(first).map(|(text, _)| text.clone())
}
