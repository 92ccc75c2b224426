//! What the page is told of games and boards, whoever plays.

use crate::base::Color;
use crate::game::gui::letter_at;
use crate::game::{Actor, Facts, SwitchKind};
use crate::notation::{Cell, Coordinate, Position};
use crate::render::{Deed, deeds_of};
use crate::session::{Prospect, Session};
use crate::variants;
use serde::Serialize;
use std::collections::BTreeMap;

/// A game that is played here.
#[derive(Serialize)]
pub struct GameFacts {
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    files: u8,
    ranks: u8,
    first_rank: u8,
    /// Where there is no square.
    holes: Vec<String>,
    /// Opposite corners of goals and wickets.
    goals: Vec<[String; 2]>,
    /// Opposite corners of what has a line around it.
    areas: Vec<[String; 2]>,
    /// What the letters of men are called.
    men: BTreeMap<char, String>,
    switches: Vec<SwitchFacts>,
    chance: bool,
    /// Hands of cards.
    cards: bool,
    draws: bool,
    start: &'static str,
}

#[derive(Serialize)]
struct SwitchFacts {
    name: &'static str,
    help: &'static str,
    values: Vec<&'static str>,
}

/// All games, in the order they are listed to users.
pub fn games() -> Vec<GameFacts> {
    variants::all().into_iter().map(game_facts).collect()
}

fn game_facts(facts: &'static Facts) -> GameFacts {
    let start = crate::notation::parse_position(facts.start).ok();
    let corners = |pairs: &[(Coordinate, Coordinate)]| {
        pairs.iter().map(|(one, other)| [one.to_string(), other.to_string()]).collect()
    };
    let holes = |start: &Position| crate::game::gui::holes(facts, start);
    let switches = facts.switches.iter().map(|switch| SwitchFacts {
        name: switch.name,
        help: switch.help,
        values: match switch.kind {
            SwitchKind::Check => vec!["false", "true"],
            SwitchKind::Choice(values) => values.to_vec(),
        },
    });
    GameFacts {
        name: facts.name,
        title: facts.title,
        summary: facts.summary,
        files: facts.files,
        ranks: facts.ranks,
        first_rank: facts.first_rank,
        holes: start.iter().flat_map(holes).map(|at| at.to_string()).collect(),
        goals: corners(facts.goals),
        areas: corners(facts.areas),
        men: facts.men.iter().map(|man| (char::from(man.letter), man.title())).collect(),
        switches: switches.collect(),
        chance: facts.chance,
        cards: facts.start.contains(" W="),
        draws: facts.draws,
        start: facts.start,
    }
}

/// A board as it is drawn.
#[derive(Serialize)]
pub struct Board {
    /// The letter on each square where something stands.
    pub men: BTreeMap<String, char>,
    /// What is in hand: each letter with its number.
    pub hand: BTreeMap<char, u8>,
    /// What the turn did that led here, in order.
    pub deeds: Vec<Drawn>,
}

/// One thing that was done.
#[derive(Serialize)]
pub struct Drawn {
    /// `went`, `flew`, `gone` or `put`.
    what: &'static str,
    squares: Vec<String>,
}

/// The board `shown`, and what `made` did to `before`.
pub fn board(facts: &Facts, shown: &Position, before: Option<&Position>, made: &[Prospect]) -> Board {
    let cells =
        (0..shown.placement.ranks).flat_map(|row| (0..shown.placement.files).map(move |file| (file, row)));
    let men = cells.filter_map(|(file, row)| match shown.placement.at(file, row) {
        Cell::Piece { letter, .. } => {
            Some((Coordinate::new(file, row + facts.first_rank).to_string(), char::from(letter)))
        }
        Cell::Empty | Cell::Hole => None,
    });
    let hand = shown.hand.iter().flatten().map(|&(letter, count)| (char::from(letter), count));
    let mut deeds = Vec::new();
    let mut before = before;
    for prospect in made {
        if let Some(before) = before {
            let done = deeds_of(facts, &prospect.legs, &prospect.bends, [before, &prospect.shown]);
            deeds.extend(done.into_iter().map(|deed| drawn(facts, before, deed)));
        }
        before = Some(&prospect.shown);
    }
    Board { men: men.collect(), hand: hand.collect(), deeds }
}

fn drawn(facts: &Facts, before: &Position, deed: Deed) -> Drawn {
    let squares = |squares: Vec<Coordinate>| squares.iter().map(ToString::to_string).collect();
    match deed {
        Deed::Went(way) => {
            // A ball that is moved as a man is drawn as one that flies.
            let loose = way.first().and_then(|&at| letter_at(facts, before, at));
            let ball = facts.men.iter().any(|man| Some(man.letter) == loose && man.is_ball());
            Drawn { what: if ball { "flew" } else { "went" }, squares: squares(way) }
        }
        Deed::Flew(way) => Drawn { what: "flew", squares: squares(way) },
        Deed::Gone(at) => Drawn { what: "gone", squares: squares(vec![at]) },
        Deed::Put(at) => Drawn { what: "put", squares: squares(vec![at]) },
    }
}

/// A turn of the move list.
#[derive(Serialize)]
pub struct Said {
    pub by: &'static str,
    pub text: String,
    /// How many tokens had been played behind it.
    pub end: usize,
    /// What was thought of the position behind it, in centipawns for White.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
}

/// A line beside the game.
#[derive(Serialize)]
pub struct Branch {
    /// By which it is looked at and gone on with.
    pub number: usize,
    /// The other one that it leaves; the game itself where there is none.
    pub of: Option<usize>,
    /// Behind so many tokens.
    pub at: usize,
    /// From there on.
    pub turns: Vec<Said>,
}

/// One player's cards.
#[derive(Serialize)]
pub struct Hand {
    /// Those the viewer may see.
    pub seen: Vec<String>,
    /// How many others there are.
    pub hidden: usize,
}

/// The hands of cards in a position, White's first.
pub fn hands(position: &Position) -> Option<[Hand; 2]> {
    let field = position.fields.iter().find(|field| field.starts_with("W="))?;
    let hand = |name: &str| {
        let heap = field.split('/').find_map(|heap| heap.strip_prefix(name)).unwrap_or_default();
        let (seen, hidden) = heap.split_once('?').unwrap_or((heap, "0"));
        let seen: Vec<char> = seen.chars().filter(|letter| *letter != '-').collect();
        let seen = seen.chunks(2).map(|card| card.iter().collect());
        Hand { seen: seen.collect(), hidden: hidden.parse().unwrap_or(0) }
    };
    Some([hand("W="), hand("B=")])
}

/// The word for a colour.
pub const fn word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Who decides, in UCI's words.
pub fn actor(session: &dyn Session, over: bool) -> &'static str {
    match session.actor() {
        _ if over => "nobody",
        Actor::Player(Color::White) => "p1",
        Actor::Player(Color::Black) => "p2",
        Actor::Chance => "chance",
        Actor::Nobody => "nobody",
    }
}
