//! What the page receives about games and boards, for every viewer alike.

use crate::base::Color;
use crate::game::gui::holes;
use crate::game::{Deal, Deed, DeedKind, Facts, SwitchKind};
use crate::live_game::Turn;
use crate::notation::{Cell, Coordinate, Position, parse_position};
use crate::session::Successor;
use crate::variants;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

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
        "pieces": pieces.collect::<BTreeMap<_, _>>(),
        "order": facts.pieces.iter().map(|piece| char::from(piece.letter)).collect::<String>(),
        "switches": switches.collect::<Vec<_>>(),
        "lessons": facts.course.as_ref().map_or(0, |course| course.lessons.len()),
        "chance": facts.chance, "draws": facts.draws, "start": facts.start,
        "cards": facts.hidden,
    })
}

/// The board `shown` as it is drawn, with what `made` did, in order.
pub fn board(facts: &Facts, shown: &Position, made: &[Box<dyn Successor + '_>]) -> Value {
    let hand = shown.hand.iter().flatten().map(|&(letter, count)| (char::from(letter), count));
    let deeds: Vec<Value> = made.iter().flat_map(|decision| drawn(&decision.deed())).collect();
    json!({"pieces": pieces(facts, shown), "hand": hand.collect::<BTreeMap<_, _>>(), "deeds": deeds})
}

/// The letters on the squares of a board as it is drawn.
pub fn pieces(facts: &Facts, shown: &Position) -> BTreeMap<String, char> {
    let cells =
        (0..shown.placement.ranks).flat_map(|row| (0..shown.placement.files).map(move |file| (file, row)));
    let piece = |(file, row)| match shown.placement.at(file, row) {
        Cell::Piece { letter, .. } => {
            Some((Coordinate::new(file, row + facts.first_rank).to_string(), char::from(letter)))
        }
        Cell::Empty | Cell::Hole => None,
    };
    cells.filter_map(piece).collect()
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
